"""The target processor of generated code, and the vector widths that suit it."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from lanemap.errors import UserError

#: Processors that LANEMAP_CPU may name, each with what it has beyond the one before it (x86-64
#: psABI, "Micro-Architecture Levels"; names of features as LLVM has them).
LEVELS = {
    "x86-64": "sse2",
    "x86-64-v2": "cx16 sahf popcnt sse3 ssse3 sse4.1 sse4.2",
    "x86-64-v3": "avx avx2 bmi bmi2 f16c fma lzcnt movbe",
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}


@dataclass(frozen=True)
class Strips:
    """How many lanes a vector holds, and how masks convert to and from vectors.

    `bits_gather`: an instruction makes a mask of a vector (x86's movmskps); `bits_spread`: and a
    vector of a mask (AVX-512). Elsewhere LLVM would move one bit after the other.
    `whole`: waves of so many lanes at most are not divided. LLVM takes vectors of two registers
    apart faster than lanemap does, where masks of both are registers too (AVX-512). `most`: lanes
    of four registers, or of the smallest wave.
    """

    lanes: int
    bits_gather: bool
    bits_spread: bool
    whole: int = 0
    most: int = 32

    @property
    def declarations(self) -> dict[str, str]:
        """Declarations of the intrinsics that `ballot` uses, by name."""
        if self.bits_gather:
            return {}
        name = f"llvm.vector.reduce.add.v{self.lanes}i32"
        return {name: f"declare i32 @{name}(<{self.lanes} x i32>)"}

    @property
    def wide(self) -> Strips:
        """The same with the most lanes."""
        return Strips(self.most, self.bits_gather, self.bits_spread)

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


@dataclass(frozen=True)
class Processor:
    """A processor as LLVM names it; `features` are those that its name does not say.

    `level` names the best object of the runtime that it can execute (built.OBJECTS); "" for none.
    """

    triple: str
    name: str
    features: str
    strips: Strips
    level: str

    @property
    def identity(self) -> str:
        """Identity of the processor in cache keys: with the IR, it decides the code LLVM emits."""
        return f"{llvmlite.__version__} {self.triple} {self.name} {self.features} {self.strips}"

    def machine(self, level: int) -> Any:
        """LLVM's target machine at an optimization level (0 to 3)."""
        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(
            opt=level, cpu=self.name, jit=True, features=self.features
        )


def _required(name: str) -> list[str]:
    """The features of a level and of those below it."""
    names = list(LEVELS)
    return [f for level in names[: names.index(name) + 1] for f in LEVELS[level].split()]


def strips_of(register_lanes: int, x86: bool) -> Strips:
    """The strips for a processor whose registers hold so many lanes of 32 bits."""
    return Strips(
        max(register_lanes, 8),
        x86,
        register_lanes == 16,
        32 if register_lanes == 16 else 0,
        min(4 * register_lanes, 32),
    )


def processor() -> Processor:
    """Return this machine's processor, or the lesser one that LANEMAP_CPU names.

    Raises:
        UserError: LANEMAP_CPU names none of LEVELS, or one that this processor cannot be.
    """
    return _processor(os.environ.get("LANEMAP_CPU", ""))


@functools.cache
def _processor(wanted: str) -> Processor:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    x86 = triple.startswith("x86_64")
    have = llvm.get_host_cpu_features()
    host = llvm.get_host_cpu_name()
    linux = "linux" in triple
    levels = [n for n in LEVELS if x86 and all(have.get(f) for f in _required(n))]
    if wanted in ("", host):
        lanes = 16 if have.get("avx512f") and have.get("avx512vl") else 8 if have.get("avx") else 4
        best = levels[-1] if levels else "aarch64" if triple.startswith("aarch64") else ""
        strips = strips_of(lanes, x86)
        return Processor(triple, host, have.flatten(), strips, best if linux else "")
    names = list(LEVELS) if x86 else []
    if wanted not in names:
        choices = ", ".join([*names, host])
        raise UserError(
            f"LANEMAP_CPU={wanted} is not a processor that code can be generated for here; "
            f"choose one of {choices}"
        )
    missing = [feature for feature in _required(wanted) if not have.get(feature)]
    if missing:
        raise UserError(
            f"LANEMAP_CPU={wanted} needs {missing[0]}, which this processor ({host}) does not have"
        )
    lanes = {"x86-64-v3": 8, "x86-64-v4": 16}.get(wanted, 4)
    return Processor(triple, wanted, "", strips_of(lanes, x86), wanted if linux else "")
