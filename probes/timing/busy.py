"""Memory that all SMs ask at once: any part of L2, rows that begin anywhere, scattered atomics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from lanemap.timing.global_memory import ctas
from lanemap.timing.launch import WARP
from lanemap.timing.series import Series, SeriesProbe

_KIB, _SMS = 1024, 132
#: Warps of a CTA that reads any part, and bytes that a lane reads at once, and reads of a link.
_WARPS, _WIDE, _READS = 32, 16, 4
_BLOCK = _WARPS * WARP * _WIDE * _READS
#: Blocks from one that an SM reads to the next one; it has no factor in common with their number.
_JUMP = 37


def _bytes(each: int) -> Callable[[Any], Sequence[Any]]:
    """Memory of which each CTA has so many bytes."""
    return lambda device: (device.zeros(max(ctas(device), _SMS) * each, np.uint8, name="own"),)


#: What a turn of a loop holds, and those of what reads a block or copies it.
_TURN = {"BRA": 1, "ISETP.NE.U32.AND": 1, "VIADD": 1, "YIELD": 1}
_LOADS = {
    "IADD3": 1, "IMAD.IADD": 2, "IMAD.MOV.U32": 1, "IMAD.X": 1, "ISETP.GE.U32.AND": 1,
    "LDG.E.128.STRONG.GPU": _READS, "LOP3.LUT": 2 * _READS,
}  # fmt: skip
_COPIES = {
    "IADD3": 3, "IMAD.IADD": 1, "IMAD.MOV.U32": 3, "IMAD.X": 2, "ISETP.GE.U32.AND": 1,
    "LDG.E.128.STRONG.GPU": _READS, "MOV": 1, "STG.E.128": _READS,
}  # fmt: skip


def _anywhere(own: int, copies: bool) -> Series:
    """Reads of a block by each SM, then of one that another SM may have read.

    With `copies`, each block is written to one of a second half.
    """
    half = own * _SMS
    step = _WARPS * WARP * _WIDE
    opcode = "LDG.E.128.STRONG.GPU"
    reads = "".join(
        f"ld.relaxed.gpu.global.v2.b64 {{e{2 * n}, e{2 * n + 1}}}, [a+{n * step}]; "
        for n in range(_READS)
    )
    then = "".join(
        f"st.global.v2.b64 [b+{n * step}], {{e{2 * n}, e{2 * n + 1}}}; "
        if copies
        else f"xor.b64 sum, sum, e{2 * n}; xor.b64 sum, sum, e{2 * n + 1}; "
        for n in range(_READS)
    )
    return Series(
        f"{'copy' if copies else 'loads'} of 16 bytes a lane, anywhere",
        opcode,
        (
            f"issue of the first of {_READS} loads of each warp",
            f"issue of the next {_READS} loads, of which each SM "
            f"{'copies' if copies else 'reads'} {_BLOCK} bytes",
        ),
        "rate",
        link=reads
        + then
        + "add.u32 off, off, step; setp.ge.u32 p, off, region; @p sub.u32 off, off, region;"
        " cvt.u64.u32 d0, off; add.u64 a, start, d0;" + " add.u64 b, a, half;" * copies,
        period=_TURN | (_COPIES if copies else _LOADS),
        axes={"KiB of each SM": own // _KIB * (1 + copies)},
        warps=_WARPS,
        turns=1,
        lengths=(8, 12, 16, 24, 32),
        parameters=", .param .u64 own_at",
        registers=".reg .b64 own, a, b, half, start, sum, e<8>; .reg .b32 off, step, region;",
        setup=f"""
    ld.param.u64 own, [own_at]; cvt.u64.u32 half, zero; add.u64 half, half, {half};
    mul.wide.u32 d0, thread, {_WIDE}; add.u64 start, own, d0; mov.u64 sum, 0;
    rem.u32 off, cta, {_SMS}; mul.lo.u32 off, off, {own};
    add.u32 step, zero, {_JUMP * _BLOCK}; add.u32 region, zero, {half};
""",
        first="and.b32 low, low, zero; add.u32 off, off, low;"
        " cvt.u64.u32 d0, off; add.u64 a, start, d0;" + " add.u64 b, a, half;" * copies,
        last="mov.b64 {u0, u1}, sum; and.b32 u0, u0, zero; and.b32 u1, u1, zero;"
        " or.b32 u0, u0, u1; xor.b32 x, x, u0;" * (not copies),
        arguments=_bytes(own * (1 + copies)),
        domain="L2",
        exact=False,
    )


#: Rows of a copy by cp.async, bytes of a part of a row, and bytes that a row has if none are more.
_ROWS, _PART, _PITCH = 32, 128, 4096


def _shared(together: int) -> tuple[str, str, dict[str, int]]:
    """PTX that numbers who reads the same, the register with it, and the axis that says so."""
    if together == 1:
        return "", "cta", {}
    return f"div.u32 u1, cta, {together};", "u1", {"SMs together": together}


def _row_copies(more: int, alone: bool, together: int = 1) -> Series:
    """cp.async of parts of rows whose pitch is no multiple of a line: 4 rows by each warp."""
    which, number, axis = _shared(together)
    opcode = "LDGSTS.E.BYPASS.128"
    region = _ROWS * (_PITCH + more)
    return Series(
        "cp.async.cg of rows",
        opcode,
        (f"issue of {opcode} by 8 warps", "issue of the next ones, for the next part of each row"),
        "rate",
        link=f"cp.async.cg.shared.global [dst+{{i*4096}}], [at+{{i*{_PART}}}], 16;",
        period={opcode: 1},
        axes={"pitch": _PITCH + more, "SMs": "one" if alone else "all", **axis},
        warps=8,
        lengths=(18, 20, 24, 28, 32),
        parameters=", .param .u64 own_at",
        registers=".reg .b64 data, at; .reg .b32 dst;",
        setup=f"""
    ld.param.u64 data, [own_at]; {which}mad.wide.u32 data, {number}, {region}, data;
    shr.u32 u0, thread, 3; mad.wide.u32 data, u0, {_PITCH + more}, data;
    and.b32 u0, thread, 7; mad.wide.u32 data, u0, 16, data; mad.lo.u32 dst, thread, 16, shared;
""",
        first="and.b32 low, low, zero; cvt.u64.u32 d0, low; add.u64 at, data, d0;",
        last="cp.async.wait_all;",
        after="ld.shared.b32 u0, [dst]; xor.b32 x, x, u0;",
        arguments=_bytes(region),
        shared_bytes=32 * 4096,
        domain="L2",
        alone=alone,
        exact=False,
    )


_TENSOR = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
_WAITS = {
    "EXIT": 1, "LOP3.LUT": 1, "SHF.L.U32": 1, "SYNCS.ARRIVE.TRANS64": 1,
    "SYNCS.PHASECHK.TRANS64.TRYWAIT": 1,
}  # fmt: skip
#: By copies of a turn, what it holds besides.
_BOXES = {
    1: _WAITS | {"R2UR": 1, "UTMALDG.2D": 1, "VIADD": 2},
    4: _WAITS
    | {"IMAD.MOV.U32": 1, "R2UR": 4, "UIADD3": 8, "UIADD3.X": 4, "UTMALDG.2D": 4, "VIADD": 5},
}
#: Rows of a box, and its bytes.
_BOX, _SIZE = 128, 128 * 128


def _boxes(more: int, flying: int, alone: bool, together: int = 1) -> Series:
    """Boxes of rows whose pitch is no multiple of a line, so many at once, each SM its own.

    With `together`, so many SMs copy the same.
    """
    which, number, axis = _shared(together)

    def make(device: Any) -> Sequence[Any]:
        shape = (ctas(device) * _BOX, (_PITCH + more) // 2)
        array = device.zeros(shape, np.uint16, name="rows")
        return array, device.tensor_map(array, box=(_BOX, 64), swizzle="128b")

    row = f"{which}mul.lo.u32 row, {number}, {_BOX};"
    copies = "".join(
        f"@lead {_TENSOR} [dst+{n * _SIZE}], [map, {{{{at{n}, row}}}}], [bar];\n".replace(
            "{{", "{"
        ).replace("}}", "}")
        for n in range(flying)
    )
    moved = "".join(f"add.u32 at{n}, at{n}, 64;\n" for n in range(flying))
    return Series(
        "cp.async.bulk.tensor of rows",
        "UTMALDG.2D",
        (f"issue of the first of {flying} UTMALDG.2D", "mbarrier wait true for the bytes of all"),
        "event",
        link=f"@lead mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], {flying * _SIZE};\n"
        + copies
        + "mbarrier.try_wait.parity.shared::cta.b64 q, [bar], phase;\n"
        "@!q bra leave; xor.b32 phase, phase, 1;\n" + moved,
        period=_TURN | _BOXES[flying],
        axes={
            "pitch": _PITCH + more,
            "copies": flying,
            "SMs": "one" if alone else "all",
            **axis,
        },  # fmt: skip
        turns=1,
        lengths=(4, 6, 8, 10, 12),
        parameters=", .param .u64 rows_at, .param .align 64 .b8 map_at[128]",
        registers=".reg .b64 map; .reg .b32 bar, dst, phase, row, at<4>; .reg .pred lead, q;",
        setup=f"""
    mov.b64 map, map_at; cvta.param.u64 map, map;
    mov.u32 bar, shared; add.u32 dst, shared, 1024; mov.u32 phase, 0; {row}
    elect.sync _|lead, 0xffffffff;
    @lead mbarrier.init.shared::cta.b64 [bar], 1;
    fence.mbarrier_init.release.cluster;
"""
        + "".join(f"add.u32 at{n}, zero, {n * 512};\n" for n in range(flying)),
        after="".join(f"add.u32 at{n}, zero, {n * 512};\n" for n in range(flying)),
        arguments=make,
        shared_bytes=1024 + flying * _SIZE,
        domain="L2",
        alone=alone,
        exact=False,
    )


#: Odd numbers by which lanes and links go through a table: Knuth's hash, and a prime.
_HASH, _NEXT = 0x9E3779B1, 40503
_SCATTERED: dict[str, tuple[str, str, dict[str, int]]] = {
    "red.relaxed.gpu.global.add.f32": (
        "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU",
        "{0} [at], value;",
        {},
    ),
    "atom.acq_rel.gpu.global.add.f32": (
        "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU",
        "{0} old, [at], value;",
        {"CCTL.IVALL": 1, "CGAERRBAR": 1, "ERRBAR": 1, "MEMBAR.ALL.GPU": 1},
    ),
}


def _scattered(name: str, words: int, warps: int, alone: bool) -> Series:
    """Atomics of which each lane takes another word of a table that all SMs share."""
    opcode, text, more = _SCATTERED[name]
    return Series(
        f"{name}, scattered",
        opcode,
        (f"issue of {opcode} by {warps} warps", f"issue of the next {opcode} of each"),
        "rate",
        link=f"add.u32 word, word, {_NEXT}; and.b32 u0, word, {words - 1};"
        " mad.wide.u32 at, u0, 4, table; " + text.format(name),
        period={"LEA": 1, "LEA.HI.X": 1, "LOP3.LUT": 1, "VIADD": 1, opcode: 1} | more,
        axes={"words": words, "warps": warps, "SMs": "one" if alone else "all"},
        warps=warps,
        lengths=(8, 12, 16, 24, 32),
        parameters=", .param .u64 table_at",
        registers=".reg .b64 table, at; .reg .b32 word; .reg .f32 value, old;",
        setup=f"""
    ld.param.u64 table, [table_at]; mad.lo.u32 word, cta, 1024, thread;
    mul.lo.u32 word, word, {_HASH}; shr.u32 word, word, 8; mov.f32 value, 0f00000000;
""",
        first="and.b32 low, low, zero; add.u32 word, word, low;",
        arguments=lambda device: (device.zeros(words, np.float32, name="table"),),
        domain="L2",
        alone=alone,
        exact=False,
    )


def _series() -> Iterator[Series]:
    for size in (64, 128, 192, 256, 320, 384, 448, 512, 1024):
        yield _anywhere(size * _KIB, False)
    for size in (64, 128, 192, 256, 512, 1024):
        yield _anywhere(size * _KIB, True)
    for more in (0, 16, 32, 64):
        yield from (_row_copies(more, alone) for alone in (False, True))
    for more in (0, 16, 32):
        for flying in (1, 4):
            yield from (_boxes(more, flying, alone) for alone in (False, True))
    for name in _SCATTERED:
        for words in (8192, 1 << 20):
            for warps in (4, 16):
                yield from (_scattered(name, words, warps, alone) for alone in (False, True))


busy = SeriesProbe("busy", series=tuple(_series()), targets=("sm_90a",))


def _ragged() -> Iterator[Series]:
    for together in (4, 12):
        for more in (0, 16, 32):
            yield _row_copies(more, False, together)
            yield from (_boxes(more, flying, False, together) for flying in (1, 4))


ragged = SeriesProbe("ragged", series=tuple(_ragged()), targets=("sm_90a",))
