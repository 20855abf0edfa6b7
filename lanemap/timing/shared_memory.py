"""Pointers in shared memory that timing probes chase, as PTX that writes them.

The texts use the registers that `Series` names, and of the probe's own: `start`, `slot`, `t`, `t0`,
`v`, `ones` and `b0` to `b3`.
"""

from __future__ import annotations

#: What `ones` holds: a value that ptxas does not know.
_ONES = "not.b32 ones, zero;"
#: By bytes, how a pointer is stored. `{at}` is what the loads add as an immediate.
STORES = {
    1: "st.shared.u8 [t{at}], v;",
    2: "st.shared.u16 [t{at}], v;",
    4: "st.shared.b32 [t], v;",
    8: "st.shared.v2.b32 [t], {v, v};",
    16: "st.shared.v4.b32 [t], {v, v, v, v};",
}


def rings(size: int, lane: int, slots: int, slot: int, base: str) -> str:
    """A ring of pointers for each lane: slot s leads to slot s + 5.

    Args:
        size: bytes of a pointer, which fills each word of a vector.
        lane: bytes from one lane's ring to the next lane's.
        slots: pointers of a ring, a power of two.
        slot: bytes from one slot to the next.
        base: what pointers count from; if not `shared`, accesses add it as an immediate.
    """
    at = "" if base == "shared" else "+1024"
    return f"""{_ONES}
    and.b32 start, thread, {31 if lane else "zero"};
    mad.lo.u32 start, start, {lane or 4}, {base};
    mov.u32 slot, 0;
    .pragma "nounroll";
fill:
    mad.lo.u32 t, slot, {slot}, start;
    add.u32 v, slot, 5;
    and.b32 v, v, {slots - 1};
    mad.lo.u32 v, v, {slot}, start;
    {STORES[size].replace("{at}", at)}
    add.u32 slot, slot, 1;
    setp.ne.u32 p, slot, {slots};
    @p bra fill;"""


_ROWS = """and.b32 start, thread, 31;
    mov.u32 slot, start;
    .pragma "nounroll";
fill:
    shl.b32 t, slot, 2;
    add.u32 t, t, shared;
    shr.u32 v, slot, 5;
    {value}
    st.shared.b32 [t], v;
    add.u32 slot, slot, 32;
    setp.lt.u32 p, slot, 1024;
    @p bra fill;
    mad.lo.u32 start, start, 16, shared;
    mov.u32 b0, start; mov.u32 b1, start; mov.u32 b2, start; mov.u32 b3, start;"""
#: 256 rows of 16 bytes. A matrix read from eight rows that lie in all banks leads to eight such
#: rows: word w leads to row w mod 8 of a group of eight.
ROWS_OF = _ROWS.replace(
    "{value}",
    """mad.lo.u32 v, v, 5, 1;
    and.b32 t0, slot, 3; add.u32 v, v, t0; and.b32 v, v, 31; shl.b32 v, v, 3;
    and.b32 t0, slot, 7; add.u32 v, v, t0; mad.lo.u32 v, v, 16, shared;""",
)
#: The same for .trans: an even row holds 16-bit addresses, an odd one zeros, their upper halves.
COLUMNS_OF = _ROWS.replace(
    "{value}",
    """mad.lo.u32 v, v, 5, 1;
    and.b32 v, v, 31; shl.b32 v, v, 3;
    shr.u32 t0, slot, 3; and.b32 t0, t0, 3; add.u32 v, v, t0; mad.lo.u32 v, v, 16, shared;
    mad.lo.u32 v, v, 65537, 0x400000;
    and.b32 t0, slot, 4; setp.ne.u32 p, t0, 0; selp.b32 v, 0, v, p;""",
)
