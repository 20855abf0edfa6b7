"""Windows of bulk copies to shared memory, for the probes of L2 and memory."""

from __future__ import annotations

import numpy as np

from lanemap.timing.global_memory import ctas
from lanemap.timing.launch import ROUNDS
from lanemap.timing.series import Series

_SHORT = (4, 6, 8, 10, 12)
_COPY = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
#: What a bulk copy's turn holds besides: to arm the barrier, and to wait for it.
_TURN = {
    "EXIT": 1,
    "IMAD.MOV.U32": 1,
    "LOP3.LUT": 1,
    "SHF.L.U32": 1,
    "SYNCS.ARRIVE.TRANS64": 1,
    "SYNCS.PHASECHK.TRANS64.TRYWAIT": 1,
    "UBLKCP.S.G": 1,
    "UIADD3": 1,
    "UMOV": 1,
}


def bulk_copies(residency: str, alone: bool, size: int, together: int = 1) -> Series:
    """Bulk copies, one after the other.

    Args:
        residency: What answers them, "L2" or "memory".
        alone: Whether one SM at a time copies.
        size: Bytes of each.
        together: CTAs that follow each other and copy the same.
    """
    far = residency == "memory"
    region = size * (ROUNDS * max(_SHORT) if far else 1)
    number, which = "cta", f"    div.u32 u0, cta, {together};\n" if together > 1 else ""
    if together > 1:
        number = "u0"
    return Series(
        "bulk copies" + " of the same" * (together > 1),
        "UBLKCP.S.G",
        ("issue of UBLKCP.S.G", "mbarrier wait true for its bytes"),
        "event",
        link=f"""
    @lead mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], {size};
    @lead {_COPY} [dst], [at], {size}, [bar];
    mbarrier.try_wait.parity.shared::cta.b64 q, [bar], phase;
    @!q bra leave; xor.b32 phase, phase, 1;
"""
        + "add.u64 at, at, step;" * far,
        period=_TURN | ({"IADD3": 1, "IMAD.X": 1, "R2UR": 2} if far else {}),
        axes={"residency": residency, "SMs": "one" if alone else "all", "bytes": size}
        | ({"SMs together": together} if together > 1 else {}),
        lengths=_SHORT,
        parameters=", .param .u64 own_at",
        registers=".reg .b64 own, at, step; .reg .b32 bar, dst, phase; .reg .pred lead, q;",
        setup=which
        + f"""
    ld.param.u64 own, [own_at]; mad.wide.u32 own, {number}, {region}, own; mov.u64 at, own;
    cvt.u64.u32 step, zero; add.u64 step, step, {size};
    mov.u32 bar, shared; add.u32 dst, shared, 1024; mov.u32 phase, 0;
    elect.sync _|lead, 0xffffffff;
    @lead mbarrier.init.shared::cta.b64 [bar], 1;
    fence.mbarrier_init.release.cluster;
""",
        arguments=lambda device: (device.zeros(ctas(device) * region, np.uint8, name="own"),),
        shared_bytes=1024 + size,
        domain=residency,
        alone=alone,
        exact=False,
    )
