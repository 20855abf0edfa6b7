"""The vector widths that suit a processor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Strips:
    """How many lanes a vector holds, and how masks convert to and from vectors.

    `bits_gather`: an instruction makes a mask of a vector (x86's movmskps); `bits_spread`: and a
    vector of a mask (AVX-512). Elsewhere LLVM would move one bit after the other.
    """

    lanes: int
    bits_gather: bool
    bits_spread: bool

    @property
    def declarations(self) -> dict[str, str]:
        """Declarations of the intrinsics that `ballot` uses, by name."""
        if self.bits_gather:
            return {}
        name = f"llvm.vector.reduce.add.v{self.lanes}i32"
        return {name: f"declare i32 @{name}(<{self.lanes} x i32>)"}

    def _bits(self) -> str:
        return "<" + ", ".join(f"i32 {1 << lane}" for lane in range(self.lanes)) + ">"

    def unpack(self, mask: str, name: str) -> list[str]:
        """Lines that make the i1 vector `name` of the integer `mask`, a bit a lane."""
        if self.bits_spread:
            return [f"{name} = bitcast i{self.lanes} {mask} to <{self.lanes} x i1>"]
        full, word = f"<{self.lanes} x i32>", mask
        widened = []
        if self.lanes < 32:
            word = f"{name}.w"
            widened = [f"{word} = zext i{self.lanes} {mask} to i32"]
        return [
            *widened,
            f"{name}.h = insertelement {full} poison, i32 {word}, i32 0",
            f"{name}.v = shufflevector {full} {name}.h, {full} poison, {full} zeroinitializer",
            f"{name}.b = and {full} {name}.v, {self._bits()}",
            f"{name} = icmp ne {full} {name}.b, zeroinitializer",
        ]

    def ballot(self, flags: str, name: str) -> list[str]:
        """Lines that make the integer `name` of an i1 vector."""
        if self.bits_gather:
            return [f"{name} = bitcast <{self.lanes} x i1> {flags} to i{self.lanes}"]
        full, function = f"<{self.lanes} x i32>", next(iter(self.declarations))
        return [
            f"{name}.b = select <{self.lanes} x i1> {flags}, {full} {self._bits()}, "
            f"{full} zeroinitializer",
            *(
                [f"{name} = call i32 @{function}({full} {name}.b)"]
                if self.lanes == 32
                else [
                    f"{name}.s = call i32 @{function}({full} {name}.b)",
                    f"{name} = trunc i32 {name}.s to i{self.lanes}",
                ]
            ),
        ]
