"""Loads of what the warp has stored: whether L1 keeps it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lanemap.timing.global_memory import ctas
from lanemap.timing.series import Series, SeriesProbe

_LINE, _LINKS = 128, (4, 8, 12, 16, 24)
#: By bits of an access: the types of its value, and what it is assembled to.
_WIDE = {32: ("b32", "STG.E", "LDG.E"), 128: ("v4.b32", "STG.E.128", "LDG.E")}


def _series(bits: int, again: bool, read: bool) -> Series:
    """Each lane stores a word, and loads that of the next lane."""
    kind, store, load = _WIDE[bits]
    size = bits // 8
    line = 0 if again else _LINE * size // 4
    value = "x" if bits == 32 else "{x, k0, k1, k2}"
    result = "x" if bits == 32 else "{x, v0, v1, v2}"
    before = f"ld.global.b32 v0, [other+{{i*{line}}}]; and.b32 v0, v0, zero; xor.b32 x, x, v0; "
    region = _LINE * size // 4 * (max(_LINKS) + 1)
    return Series(
        f"ld.global.{kind} of what a warp stored",
        store,
        (f"issue of {store}", f"issue of the next {store}, of what {load} of that line returned"),
        "event",
        link=before * read
        + f"st.global.{kind} [at+{{i*{line}}}], {value}; "
        + f"ld.global.{kind} {result}, [other+{{i*{line}}}]; ",
        period={store: 1, load: 1 + read} | ({"LOP3.LUT": 1} if read else {}),
        axes={
            "lines": "one" if again else "another each time",
            "read before": "yes" if read else "no",
        },
        parameters=", .param .u64 own_at",
        registers=".reg .b64 own, at, other; .reg .b32 v0, v1, v2;",
        setup=f"""
    ld.param.u64 own, [own_at]; mad.wide.u32 own, cta, {region}, own;
    mad.wide.u32 at, thread, {size}, own;
    add.u32 u0, thread, 1; and.b32 u0, u0, 31; mad.wide.u32 other, u0, {size}, own;
""",
        lengths=_LINKS,
        trips=1,
        arguments=lambda device: (device.zeros(ctas(device) * region, np.uint8, name="own"),),
        domain="L2",
        exact=False,
    )


def _all() -> Iterator[Series]:
    for bits in _WIDE:
        yield _series(bits, True, False)
        yield _series(bits, False, False)
    yield _series(32, False, True)


written = SeriesProbe("written", series=tuple(_all()), targets=("sm_90a",))
