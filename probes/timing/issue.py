"""Issue: branches, divergence, predicates, clock reads, and the instruction cache."""

from __future__ import annotations

from collections.abc import Iterator

from lanemap.timing.series import Axis, Series, SeriesProbe


def _rate(
    name: str, instruction: str, to: str, link: str, period: dict[str, int],
    axes: dict[str, Axis] | None = None, per_link: int = 1, setup: str = "",
    lengths: tuple[int, ...] = (4, 6, 8, 12, 16), issued: str = "", last: str = "",
) -> Series:  # fmt: skip
    """A series of one warp."""
    return Series(
        name, instruction, (f"issue of {issued or instruction}", to), "rate", link, period,
        axes or {}, per_link=per_link, lengths=lengths, setup=setup, last=last, exact=False,
        registers=".reg .pred q; .reg .b32 s<4>, bit;",
    )  # fmt: skip


_SKIPPED = 16
#: Which lanes take a branch, and the predicate that says so; ptxas cannot know.
_TAKEN = {
    "taken by all lanes": "setp.eq.u32 q, zero, 0;",
    "taken by no lane": "setp.ne.u32 q, zero, 0;",
    "taken by every second lane": "and.b32 bit, thread, 1; setp.eq.u32 q, bit, zero;",
}


def _branches() -> Iterator[Series]:
    """Forward over some instructions."""
    skipped = "mad.lo.u32 x, x, k0, k1; " * _SKIPPED
    for lanes, setup in _TAKEN.items():
        yield _rate(
            f"branch {lanes}", "BRA", f"issue of the next BRA, which follows {_SKIPPED} IMAD of "
            "the lanes that did not take it, BSYNC and BSSY",
            f"@q bra t{{i}}; {skipped} t{{i}}: add.u32 x, x, k2;",
            {"BRA": 1, "IMAD": _SKIPPED, "BSSY": 1, "BSYNC": 1, "IADD3": 1}, setup=setup,
            issued=f"BRA, {lanes}", lengths=(2, 3, 4, 5, 6),
        )  # fmt: skip


def _predicated() -> Iterator[Series]:
    """An instruction that its predicate turns off."""
    yield _rate(
        "IMAD off", "IMAD", "issue of the next IMAD that its predicate turns off",
        "@q mad.lo.u32 x, x, k0, k1;", {"IMAD": 1}, setup=_TAKEN["taken by no lane"],
        issued="IMAD that its predicate turns off", lengths=(8, 12, 16, 28, 44),
    )  # fmt: skip


def _special() -> Iterator[Series]:
    """Clocks, and what has no operands."""
    for name, register in (("clock", "SR_CLOCKLO"), ("globaltimer_lo", "SR_GLOBALTIMERLO")):
        yield _rate(
            f"{name} twice", "S2UR",
            f"issue of the next S2UR {register}, after CS2R.32 {register} and LOP3 that reads both",
            f"mov.u32 u0, %{name}; mov.u32 u1, %{name}; lop3.b32 x, x, u0, u1, 0x96;",
            {"S2UR": 1, "CS2R.32": 1, "LOP3.LUT": 1}, issued=f"S2UR {register}",
        )  # fmt: skip
    yield _rate(
        "warpid twice", "S2R", "issue of the next S2R SR_VIRTID, with SHF and SGXT of each",
        "mov.u32 u0, %warpid; mov.u32 u1, %warpid; lop3.b32 x, x, u0, u1, 0x96;",
        {"S2R": 2, "SHF.R.U32.HI": 2, "SGXT.U32": 2, "LOP3.LUT": 1}, per_link=2,
        issued="S2R SR_VIRTID",
    )  # fmt: skip
    for opcode, text in (
        ("NANOSLEEP", "nanosleep.u32 0;"),
        ("PMTRIG", "pmevent 1;"),
        ("MEMBAR.SC.CTA", "membar.cta;"),
    ):
        yield _rate(opcode, opcode, f"issue of the next {opcode}", text, {opcode: 1})


_ALU = (("LOP3.LUT", "lop3.b32 {d}, {d}, k0, k1, 0x6a;"), ("IMAD", "mad.lo.u32 {d}, {d}, k0, k1;"))
_SIZES = ((64, 128), (256, 512), (1024, 1536), (2048, 3072), (4096, 6144))


def _straight() -> Iterator[Series]:
    """Code without a branch, which the caches of instructions hold or do not."""
    for opcode, text in _ALU:
        for least, most in _SIZES:
            step = (most - least) // 16
            yield _rate(
                f"straight {opcode}", opcode,
                f"issue of the next independent {opcode} in straight code",
                "\n".join(text.format(d=f"s{j}") for j in range(4)), {opcode: 4},
                {"instructions": f"{least} to {most}"}, per_link=4,
                lengths=tuple(least // 4 + step * each for each in range(5)),
                setup="".join(f"xor.b32 s{j}, k{j}, thread;" for j in range(4)),
                last="".join(f"xor.b32 x, x, s{j};" for j in range(4)),
            )  # fmt: skip


issue = SeriesProbe("issue", series=(*_branches(), *_predicated(), *_special(), *_straight()))
