"""wgmma in timing probes: what warpgroups multiply, and the series that several probes ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lanemap.probing.wgmma.kernel import BITS, Form
from lanemap.probing.wgmma.layouts import SWIZZLES
from lanemap.timing.elements import drawn, filled
from lanemap.timing.series import Axis, Series

F32 = "f32", "f16"
#: By types of D and of A and B: what ptxas makes of wgmma, dense.
WGMMA = {
    ("f32", "f16"): "HGMMA.64x{n}x{k}.F32", ("f16", "f16"): "HGMMA.64x{n}x{k}.F16",
    ("f32", "bf16"): "HGMMA.64x{n}x{k}.F32.BF16", ("f32", "tf32"): "HGMMA.64x{n}x{k}.F32.TF32",
    ("f32", "e4m3"): "QGMMA.64x{n}x{k}.F32.E4M3.E4M3",
    ("f16", "e4m3"): "QGMMA.64x{n}x{k}.F16.E4M3.E4M3",
    ("f32", "e5m2"): "QGMMA.64x{n}x{k}.F32.E5M2.E5M2",
    ("s32", "s8"): "IGMMA.64x{n}x{k}.S8.S8", ("s32", "u8"): "IGMMA.64x{n}x{k}.U8.U8",
    ("s32", "b1"): "BGMMA.64x{n}x{k}.AND.POPC",
}  # fmt: skip
#: Where B lies in shared memory, after A, and how many bytes are filled.
_B_AT, FILLED = 8192, 40960
_NEAR = "and.b32 at, shared, 0x3ffff; shr.u32 at, at, 4; cvt.u64.u32 da, at;\n"


@dataclass(frozen=True)
class Group:
    """wgmma of one form by some warpgroups.

    Attributes:
        form: The instruction.
        swizzle: Swizzle of A and B in shared memory, as `SWIZZLES` names them.
        warpgroups: How many run the same.
        accumulators: How many D take turns.
    """

    form: Form
    swizzle: str = "128b"
    warpgroups: int = 1
    accumulators: int = 1

    def sass(self, n: str = "") -> str:
        """The opcode; `n` in place of the number of columns."""
        form = self.form
        name = WGMMA[form.d, form.a].format(n=n or form.n, k=form.depth)
        return name if form.selector is None else name.replace("GMMA.", "GMMA.SP.", 1)

    @property
    def axes(self) -> dict[str, Axis]:
        """All that its events do not say."""
        form = self.form
        return {
            "N": form.n,
            "A": "registers" if form.registers else "shared memory",
            "swizzle": self.swizzle,
            "major of A": "MN" if form.a_mn else "K",
            "major of B": "MN" if form.b_mn else "K",
            "warpgroups": self.warpgroups,
            "accumulators": self.accumulators,
            "values": "0 and 1, integers random",
        }

    def text(self, number: int = 0) -> str:
        """The instruction, on accumulator `number`."""
        form = self.form
        d = ", ".join(f"v{number * form.d_registers + each}" for each in range(form.d_registers))
        a = "{fa0, fa1, fa2, fa3}" if form.registers else "da"
        sparse = "" if form.selector is None else ", sparsity, 0"
        return f"{form.instruction} {{{d}}}, {a}, db{sparse}, 1{form.immediates};"

    @property
    def size(self) -> int:
        """Registers of all accumulators."""
        return self.accumulators * self.form.d_registers

    @property
    def setup(self) -> str:
        """Shared memory of elements 0 and 1, descriptors, and A in registers."""
        form, kind = self.form, self.form.a
        text = filled(kind, FILLED, 128 * self.warpgroups) + _NEAR
        text += f"add.u64 db, da, {_B_AT >> 4};\n"
        for name, mn in (("da", form.a_mn), ("db", form.b_mn)):
            swizzle = SWIZZLES[self.swizzle]
            *_, leading, stride = swizzle.dense_tile(mn, BITS[kind])
            high = swizzle.code << 62 | stride >> 4 << 32 | leading >> 4 << 16
            text += f"or.b64 {name}, {name}, {high};\n"
        for number in range(4):
            text += drawn(kind, f"fa{number}", number)
        return text + "add.u32 sparsity, zero, 0x44444444;\n"

    def series(
        self,
        name: str,
        to: str,
        kind: Literal["rate", "event"],
        link: str,
        period: dict[str, int],
        first: str = "",
        last: str = "",
        after: str = "",
        per_link: int = 1,
        lengths: tuple[int, ...] = (2, 4, 6, 8, 12),
        more: dict[str, Axis] | None = None,
        begun: str = "issue of {sass}",
        trips: int = 4,
    ) -> Series:
        """A series of this form."""
        own = self.sass("N")
        return Series(
            f"{own} {name}",
            own,
            (begun.format(sass=own), to.format(sass=own)),
            kind,
            link=link,
            period=period,
            axes=self.axes | (more or {}),
            warps=4 * self.warpgroups,
            per_link=per_link,
            lengths=lengths,
            trips=trips,
            registers=f".reg .b32 v<{self.size}>, fa<4>, at, drawn, sparsity; .reg .b64 da, db;",
            setup=self.setup,
            # Equal accumulators would be merged into one.
            begin="".join(
                f"and.b32 v{each}, zero, k{each // self.form.d_registers};\n"
                for each in range(self.size)
            ),
            first=first,
            last=last,
            after=after
            + "".join(
                f"xor.b32 x, x, v{each}; shf.l.wrap.b32 x, x, x, 5;\n" for each in range(self.size)
            ),
            shared_bytes=FILLED,
            exact=kind == "event",
            ptx="8.4",
        )


#: Warps begin a window at different times, which long ones hide. In a loop, ptxas would wait for
#: all that is pending.
LONG = (24, 48, 72, 96, 120)
FENCE = "wgmma.fence.sync.aligned;\n"
COMMIT, WAIT = "wgmma.commit_group.sync.aligned;\n", "wgmma.wait_group.sync.aligned 0;\n"


def interval(group: Group) -> Series:
    """Many with one commit: how often one completes."""
    turns = range(group.accumulators)
    return group.series(
        "rate",
        "issue of the next {sass} of the warpgroup, with one commit for all",
        "rate",
        "\n".join(map(group.text, turns)),
        {group.sass(): len(turns)},
        first=FENCE,
        last=COMMIT + WAIT + "xor.b32 x, x, v0;",
        per_link=len(turns),
        lengths=tuple(each // len(turns) for each in LONG),
        trips=1,
    )


def round_trip(group: Group, count: int = 1) -> Series:
    """Each with its commit, waited for."""
    return group.series(
        f"{count} and wait",
        "wgmma.wait_group 0 passed, which follows the commit of them all",
        "event",
        FENCE + "\n".join([group.text()] * count) + "\n" + COMMIT + WAIT,
        {group.sass(): count, "WARPGROUP.ARRIVE": 1, "WARPGROUP.DEPBAR.LE": 1},
        last="xor.b32 x, x, v0;",
        more={"in a commit": count},
        lengths=(2, 4, 6, 8, 12) if count < 4 else (1, 2, 3, 4, 6),
        begun="issue of WARPGROUP.ARRIVE before {sass}",
    )


def dense(n: int, registers: bool = False, types: tuple[str, str] = F32) -> Form:
    """The form with N columns, of (type of D, type of A and B), A in shared memory or registers."""
    return Form(n, types[0], types[1], types[1], registers)
