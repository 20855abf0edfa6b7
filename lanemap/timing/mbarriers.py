"""Mbarriers of timing probes, as PTX that makes them and waits for them.

The texts use the registers that `Series` names, and of the probe's own: `.b32` `mine`, `other`,
`parity`, `start`, `v` and `w`, predicates `lead`, `good` and `first`.
"""

from __future__ import annotations

#: SASS of an arrival, of one with a transaction count, of a test, and of one that may wait.
ARRIVE, EXPECT = "SYNCS.ARRIVE.TRANS64.A1T0", "SYNCS.ARRIVE.TRANS64"
TEST, TRY = "SYNCS.PHASECHK.TRANS64", "SYNCS.PHASECHK.TRANS64.TRYWAIT"
#: The parity of the next phase.
FLIP = "xor.b32 parity, parity, 1;"
#: What ends a kernel whose wait failed.
GIVE_UP = "@!good bra leave;"
#: A wait for the phase of `parity` of the mbarrier at `mine`.
WAIT = f"mbarrier.try_wait.parity.shared.b64 good, [mine], parity; {GIVE_UP}"
#: What `WAIT` and `FLIP` are in SASS.
WAITED = {TRY: 1, "EXIT": 1, "SHF.L.U32": 1, "LOP3.LUT": 1}


def one(count: int, parity: int = 0) -> str:
    """One mbarrier, at `mine`, whose address ptxas does not know to be one for all threads.

    Args:
        count: arrivals that complete a phase.
        parity: of the phase that the first wait is for.
    """
    return f"""setp.eq.u32 lead, thread, 0;
    and.b32 mine, thread, zero;
    add.u32 mine, mine, shared;
    add.u32 start, mine, 64;
    add.u32 w, zero, 1;
    add.u32 parity, zero, {parity};
    @lead mbarrier.init.shared.b64 [mine], {count};
    bar.sync 0;"""


def pair(first: int, second: int) -> str:
    """Two mbarriers: the first warp waits at the second and arrives at the first, others reverse.

    Args:
        first: arrivals that complete a phase of the first.
        second: those of the second.
    """
    return f"""shr.u32 v, thread, 5;
    setp.eq.u32 first, v, 0;
    and.b32 v, thread, 31;
    setp.eq.u32 lead, v, 0;
    shl.b32 start, v, 2; add.u32 start, start, shared; add.u32 start, start, 64;
    add.u32 v, shared, 8;
    selp.b32 mine, v, shared, first;
    selp.b32 other, shared, v, first;
    selp.b32 parity, 1, 0, first;
    setp.eq.u32 p, thread, 0;
    @p mbarrier.init.shared.b64 [shared], {first};
    @p mbarrier.init.shared.b64 [v], {second};
    @first st.shared.b32 [start], zero;
    bar.sync 0;"""
