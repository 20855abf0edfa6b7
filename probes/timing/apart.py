"""Fences that lie apart: what one takes behind arithmetic, where the next one is far away."""

from __future__ import annotations

from collections.abc import Iterator

from lanemap.timing.series import Series, SeriesProbe

_FENCED = {"ERRBAR": 1, "CGAERRBAR": 1, "CCTL.IVALL": 1}
#: By PTX, what it is assembled to.
_FENCES: dict[str, dict[str, int]] = {
    "fence.acq_rel.gpu": {"MEMBAR.ALL.GPU": 1, **_FENCED},
    "fence.sc.gpu": {"MEMBAR.SC.GPU": 1, **_FENCED},
    "fence.proxy.async": {"MEMBAR.ALL.GPU": 1, "FENCE.VIEW.ASYNC.S": 1},
}
#: Ends a basic block, so that nothing moves across; ptxas cannot know that it never exits.
_END = "setp.eq.u32 gone, x, 0x7fffff{}; @gone exit; "


def _apart(name: str, chain: int, warps: int) -> Series:
    """A fence, then a chain of so many IMAD."""
    opcode = next(iter(_FENCES[name]))
    return Series(
        f"{name} apart",
        opcode,
        (
            f"issue of {opcode} of {name}",
            f"issue of the next {opcode}, behind a chain of IMAD",
        ),
        "event",
        f"{name}; " + _END.format("17") + "mad.lo.u32 x, x, k0, k1; " * chain + _END.format("19"),
        {**_FENCES[name], "IMAD": chain, "ISETP.NE.U32.AND": 2, "EXIT": 2},
        {"IMAD": chain, "warps": warps},
        warps,
        exact=False,
        domain="L2",
        registers=".reg .pred gone;",
        lengths=(2, 3, 4, 6, 8),
    )


def _all() -> Iterator[Series]:
    for name in _FENCES:
        for chain in (8, 32, 64, 128):
            yield _apart(name, chain, 1)
        yield _apart(name, 128, 4)


apart = SeriesProbe("apart", series=tuple(_all()), targets=("sm_90a",))
