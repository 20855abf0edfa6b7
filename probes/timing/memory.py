"""Global, constant and local memory: latency by chase, rate by loads in flight, atomics, stores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from lanemap.timing.global_memory import (
    SWEEP_PARAMETERS,
    SWEEP_REGISTERS,
    low_ring,
    own_words,
    pages_of,
    ring,
    sweep,
    swept_memory,
)
from lanemap.timing.launch import WARP
from lanemap.timing.series import Axis, Series, SeriesProbe

LINE = 128
#: Slots of a ring of which no launch follows one twice: 6 rounds of 44 links at most.
ONCE = 512
#: Links of a window that has filled the queues of a memory before the shortest ends.
FILLED = (24, 32, 40, 48, 56)
_RESULT = "with the result as its address"
_ONE_SECTOR: Any = {"slots": 4, "stride": 8, "alone": True, "axes": {"footprint": "one sector"}}


_CHASE = {
    "parameters": ", .param .u64 ring_at",
    "registers": ".reg .b64 a, start, ring, v;",
    "first": "and.b32 low, low, zero; cvt.u64.u32 d0, low; add.u64 a, start, d0;",
    "last": "sub.u64 d0, a, ring; mov.b64 {u0, u1}, d0; xor.b32 x, x, u0; xor.b32 x, x, u1;",
}
_FOLD = "mov.b64 {u0, u1}, v; xor.b32 x, x, u0; xor.b32 x, x, u1;"


def _chase(
    load: str,
    opcode: str,
    residency: str,
    domain: str = "SM",
    *,
    lane_bytes: int = 0,
    slots: int = 32,
    stride: int = LINE,
    axes: Mapping[str, Axis] = MappingProxyType({}),
    **more: Any,
) -> Series:
    """A chain of one load that gives the address of the next; every CTA has the same ring."""
    lanes = f"mad.wide.u32 start, u0, {lane_bytes}, start;" if lane_bytes else ""
    stride = WARP * lane_bytes or stride
    return Series(
        f"{load} chase",
        opcode,
        (f"issue of {opcode}", f"issue of {opcode} {_RESULT}"),
        "variable latency",
        **_CHASE
        | {
            "link": f"{load} a, [a];",
            "cut": f"{load} v, [start+{{i*{stride}}}]; {_FOLD}",
            "period": {opcode: 1},
            "axes": {"residency": residency, "bytes between lanes": lane_bytes} | axes,
            "setup": "ld.param.u64 ring, [ring_at]; mov.u64 start, ring;\n"
            f"and.b32 u0, thread, 31; {lanes}",
            "arguments": ring(max(slots, 48), stride, lane_bytes)
            if slots > 4
            else ring(slots, stride),
            "domain": domain,
        }
        | more,
    )


def _narrow(load: str, opcode: str, exact_word: bool) -> Series:
    """A load of fewer than 64 bits, of which an address of 64 is made.

    The slots of a ring of 256 bytes: what is loaded is the lowest byte of the next one's address.
    """
    extra = {} if exact_word else {"LOP3.LUT": 1, "IMAD.U32": 1}
    through = "" if exact_word else " through LOP3.LUT"
    to = "lower, " if exact_word else "u0, "
    address = "" if exact_word else "lop3.b32 lower, u0, mask, floor, 0xea; "
    return Series(
        f"{load} chase",
        opcode,
        (f"issue of {opcode}", f"issue of {opcode} {_RESULT}{through}"),
        "event",
        link=f"{load} {to}[a]; {address}mov.b64 a, {{lower, upper}};",
        period={opcode: 1, **extra},
        axes={"residency": "L1", "bytes between lanes": 0},
        parameters=_CHASE["parameters"],
        registers=_CHASE["registers"] + ".reg .b32 lower, upper, floor, mask;",
        setup="ld.param.u64 start, [ring_at]; add.u64 start, start, 511;"
        " and.b64 start, start, -512; mov.b64 {floor, upper}, start; mov.u64 ring, start;"
        " ld.global.b32 mask, [inputs+24]; mul.lo.u32 mask, mask, 0xf8;",
        first="lop3.b32 lower, low, zero, floor, 0xea; mov.b64 a, {lower, upper};",
        last="sub.u32 lower, lower, floor; xor.b32 x, x, lower;",
        arguments=low_ring,
    )


def _from_memory(stride: int) -> Series:
    """A chase through memory that no cache holds: each address once in a launch, after a sweep."""
    rings = ring(ONCE, stride, each=True)
    return _chase(
        "ld.global.b64",
        "LDG.E.64",
        "memory",
        "memory",
        stride=stride,
        axes={"stride": stride},
        parameters=_CHASE["parameters"] + SWEEP_PARAMETERS,
        registers=_CHASE["registers"] + SWEEP_REGISTERS,
        setup=f"ld.param.u64 ring, [ring_at]; mad.wide.u32 ring, cta, {ONCE * stride}, ring;\n"
        "mov.u64 start, ring;" + sweep(1),
        after="mov.u64 start, a;",
        arguments=lambda device: (*rings(device), *swept_memory(device)),
    )


def _pages(pages: int) -> Series:
    """A chase of which each link is in another page of 2 MiB."""
    opcode = "LDG.E.64.STRONG.GPU"
    return Series(
        "ld.relaxed.gpu.global.b64 pages",
        opcode,
        (f"issue of {opcode}", f"issue of {opcode} {_RESULT} in another page"),
        "event",
        link="ld.relaxed.gpu.global.b64 a, [a];",
        period={opcode: 1},
        axes={"pages": pages},
        parameters=_CHASE["parameters"] + ", .param .u64 page_at",
        registers=_CHASE["registers"] + ".reg .b64 page;",
        setup="ld.param.u64 ring, [ring_at]; ld.param.u64 page, [page_at];\n"
        f"mul.lo.u32 u0, cta, 37; rem.u32 u0, u0, {pages};\n"
        "cvt.u64.u32 start, u0; mad.lo.u64 start, start, page, ring;",
        first=_CHASE["first"],
        last="cvt.u32.u64 u0, a; and.b32 u0, u0, zero; xor.b32 x, x, u0;",
        after="sub.u64 d0, a, ring; div.u64 d0, d0, page; cvt.u32.u64 u0, d0; xor.b32 x, x, u0;\n"
        "mov.u64 start, a;",
        arguments=pages_of(pages),
        domain="L2",
    )


def _constants(slots: int, stride: int, bank: str) -> Series:
    """A chase through constant memory, of 32-bit offsets."""
    order = np.random.default_rng(7).permutation(slots)
    words = np.zeros(slots * stride // 4, np.uint32)
    words[order * stride // 4] = np.roll(order, -1) * stride
    text = ", ".join(map(str, words))
    return Series(
        "ld.const.b32 chase",
        "LDC",
        ("issue of LDC", f"issue of LDC {_RESULT}"),
        "variable latency",
        link="cvt.u64.u32 d0, a; add.u64 d0, d0, table_at; ld.const.b32 a, [d0];",
        cut=f"ld.const.b32 v, [start+{{i*{stride}}}]; xor.b32 x, x, v;",
        period={"LDC": 1},
        axes={"residency": bank, "bytes": slots * stride},
        declarations=f".const .align 256 .b32 table[{words.size}] = {{{text}}};",
        registers=".reg .b32 a, v, from; .reg .b64 start, table_at;",
        setup="mov.u64 table_at, table; cvt.u64.u32 start, zero;"
        " add.u64 start, start, table_at; mov.u32 from, 0;",
        first="and.b32 a, low, zero; xor.b32 a, a, from;",
        after="mov.u32 from, a;",
        last="xor.b32 x, x, a;",
    )


_OWN = {
    "parameters": ", .param .u64 own_at",
    "registers": ".reg .b64 own, e<8>; .reg .b32 v0; .reg .f32 f<4>;",
}


def _at(words: int, lane_bytes: int) -> str:
    """The address of a thread: `lane_bytes` apart in its CTA's part; no lane knows another's."""
    return f"""
    ld.param.u64 own, [own_at]; mad.wide.u32 own, cta, {words * 8}, own;
    and.b32 u0, thread, zero; mad.lo.u32 u0, thread, {lane_bytes}, u0;
    cvt.u64.u32 d0, u0; add.u64 own, own, d0;"""


def _atomic(name: str, opcode: str, link: str, cut: str, **more: Any) -> Series:
    """An atomic operation whose result is its own data in the next link."""
    return Series(
        name,
        opcode,
        (f"issue of {opcode}", f"issue of {opcode} with the result as its data"),
        "variable latency",
        **{
            "link": link,
            "cut": cut,
            "period": {opcode: 1},
            "axes": {"residency": "L2", "bytes between lanes": 8},
            "setup": _at(64, 8),
            "begin": "st.relaxed.gpu.global.b64 [own], 1;",
            "arguments": own_words(64),
            "domain": "L2",
            **_OWN,
            **more,
        },
    )


def _atom(operation: str, opcode: str) -> Series:
    name = f"atom.global.{operation}"
    return _atomic(
        f"{name}.data",
        opcode,
        f"{name} x, [own], x;",
        f"{name} u0, [own], k1; xor.b32 x, x, u0;",
    )


def _wide_atom(operation: str, opcode: str) -> Series:
    name = f"atom.global.{operation}"
    return _atomic(
        f"{name}.data",
        opcode,
        f"{name} e0, [own], e0;",
        f"{name} e1, [own], e0; cvt.u32.u64 u0, e1; xor.b32 x, x, u0;",
        first="cvt.u64.u32 e0, x; shl.b64 d0, e0, 32; or.b64 e0, e0, d0;",
        last="mov.b64 {u0, u1}, e0; xor.b32 x, x, u0; xor.b32 x, x, u1;",
    )


_ATOMS = (
    _atom("add.u32", "ATOMG.E.ADD.STRONG.GPU"),
    _atom("cta.add.u32", "ATOMG.E.ADD.STRONG.SM"),
    _atom("sys.add.u32", "ATOMG.E.ADD.STRONG.SYS"),
    _atom("exch.b32", "ATOMG.E.EXCH.STRONG.GPU"),
    _atom("xor.b32", "ATOMG.E.XOR.STRONG.GPU"),
    _wide_atom("add.u64", "ATOMG.E.ADD.64.STRONG.GPU"),
    _wide_atom("exch.b64", "ATOMG.E.EXCH.64.STRONG.GPU"),
    _atomic(
        "atom.global.add.f32.data", "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU",
        "atom.global.add.f32 f0, [own], f0;",
        "atom.global.add.f32 f1, [own], f0; mov.b32 u0, f1; xor.b32 x, x, u0;",
        first="and.b32 u0, x, 255; cvt.rn.f32.u32 f0, u0;",
        last="mov.b32 u0, f0; xor.b32 x, x, u0;",
        begin="st.relaxed.gpu.global.f32 [own], 0f3F800000;",
    ),
    *(
        _chase("atom.global.add.u64", "ATOMG.E.ADD.64.STRONG.GPU", "L2", "L2", lane_bytes=each,
               slots=48, alone=not each, link="atom.global.add.u64 a, [a], nought;",
               cut=f"atom.global.add.u64 v, [start+{{i*{32 * each or LINE}}}], nought; {_FOLD}",
               registers=_CHASE["registers"] + ".reg .b64 nought;",
               setup="ld.param.u64 ring, [ring_at]; mov.u64 start, ring; and.b32 u0, thread, 31;\n"
                     f"cvt.u64.u32 nought, zero; mad.wide.u32 start, u0, {each}, start;")
        for each in (0, 8)
    ),
)  # fmt: skip


def _rate(
    name: str,
    opcode: str,
    link: str,
    warps: int,
    lane_bytes: int,
    bytes_of_link: int,
    period: Mapping[str, int] = MappingProxyType({}),
    **more: Any,
) -> Series:
    """Writes of memory without a result: how often the warps of an SM issue them."""
    words = FILLED[-1] * bytes_of_link * warps // 8 + 64
    return Series(
        name,
        opcode,
        (f"issue of {opcode}", f"issue of the next {opcode} of the SM"),
        "rate",
        **{
            "link": link,
            "period": period or {opcode: 1},
            "warps": warps,
            "per_link": warps,
            "axes": {"warps": warps, "bytes between lanes": lane_bytes},
            "lengths": FILLED,
            "setup": _at(words, lane_bytes),
            "arguments": own_words(words),
            "domain": "L2",
            **_OWN,
            **more,
        },
    )


def _store(suffix: str, opcode: str, data: str, width: int, warps: int, weak: str = "") -> Series:
    step = 32 * width * warps
    return _rate(
        f"st{weak}.global.{suffix}",
        opcode,
        f"st{weak}.global.{suffix} [own+{{i*{step}}}], {data};",
        warps,
        width,
        32 * width,
        setup=_at(FILLED[-1] * step // 8 + 64, width) + "mov.b64 e0, {k0, k1};",
    )


def _red(name: str, opcode: str, data: str, warps: int, lane_bytes: int, **more: Any) -> Series:
    return _rate(
        name,
        opcode,
        f"{name} [own], {data};",
        warps,
        lane_bytes,
        0,
        arguments=own_words(64 + 2 * WARP * warps),
        setup=_at(64 + 2 * WARP * warps, lane_bytes),
        exact=False,
        **more,
    )


_RATES = (
    *(
        _store(suffix, opcode, data, width, warps)
        for warps in (1, 4, 8)
        for suffix, opcode, data, width in (
            ("b32", "STG.E", "k0", 4), ("b64", "STG.E.64", "e0", 8),
            ("v4.b32", "STG.E.128", "{k0, k1, k2, k3}", 16),
        )
    ),
    _store("b8", "STG.E.U8", "k0", 1, 1),
    _store("b32", "STG.E.STRONG.SM", "k0", 4, 1, ".relaxed.cta"),
    _store("b32", "STG.E.STRONG.GPU", "k0", 4, 1, ".relaxed.gpu"),
    _store("b32", "STG.E.STRONG.SYS", "k0", 4, 1, ".relaxed.sys"),
    *(
        _red("red.global.add.u32", "REDG.E.ADD.STRONG.GPU", "k0", warps, each)
        for warps in (1, 4, 16) for each in (0, 4)
    ),
    *(
        _red("red.global.add.f32", "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", "f0", 1, each,
             begin="mov.b32 f0, zero;")
        for each in (0, 4)
    ),
    _red("red.global.max.u32", "REDG.E.MAX.STRONG.GPU", "k0", 1, 4),
    _red("red.global.add.u64", "REDG.E.ADD.64.STRONG.GPU", "e0", 1, 8,
         begin="mov.b64 e0, {k0, k1};"),
    _red("red.global.add.v4.f32", "REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU", "{f0, f1, f2, f3}", 1, 16,
         begin="".join(f"and.b32 u0, k{n}, zero; mov.b32 f{n}, u0;\n" for n in range(4)),
         ptx="8.6"),
    *(
        _rate(f"prefetch.global.L{level}", f"CCTL.E.PF{level}",
              f"prefetch.global.L{level} [own+{{i*{LINE}}}];", 1, 4, LINE)
        for level in (1, 2)
    ),
)  # fmt: skip


def _round_trip(scope: str, opcode: str, domain: str) -> Series:
    """A store and a load of the word that it wrote."""
    load = opcode.replace("STG", "LDG")
    return Series(
        f"st.{scope}.global and ld",
        opcode,
        (f"issue of {opcode}", f"issue of the next with what {load} read, by LOP3.LUT"),
        "event",
        link=f"st.{scope}.global.b32 [own], x; ld.{scope}.global.b32 x, [own]; xor.b32 x, x, k0;",
        period={opcode: 1, load: 1, "LOP3.LUT": 1},
        setup=_at(64, 4),
        arguments=own_words(64),
        domain=domain,
        **_OWN,
    )


def _local(name: str, opcode: str, link: str, period: Mapping[str, int], **more: Any) -> Series:
    return Series(
        name,
        opcode,
        (f"issue of {opcode}", f"issue of {opcode} {_RESULT}"),
        "variable latency",
        **{
            "link": link,
            "period": period,
            "registers": ".reg .b32 a, v, start, from; .local .align 8 .b8 spot[512];",
            "setup": "mov.u32 start, spot; add.u32 start, start, zero;\n"
            + "".join(
                f"add.u32 v, start, {slot * 5 % 128 * 4}; st.local.b32 [start+{slot * 4}], v;\n"
                for slot in range(128)
            ).replace("add.u32 v, start, 0;", "mov.u32 v, start;")
            + "mov.u32 from, start;\n",
            "first": "and.b32 a, low, zero; add.u32 a, a, from;",
            "after": "mov.u32 from, a;",
            "last": "sub.u32 u0, a, start; xor.b32 x, x, u0;",
            "axes": {"residency": "L1"},
            **more,
        },
    )


_LOCAL = (
    _local(
        "ld.local.b32 chase",
        "LDL",
        "ld.local.b32 a, [a];",
        {"LDL": 1},
        cut="ld.local.b32 v, [start+{i*4}]; xor.b32 x, x, v;",
    ),
)


def _batch(loads: int, warps: int, residency: str) -> Series:
    """Loads that are in flight together: the next ones need every result of the ones before."""
    step = WARP * 8 * warps
    advance = step * loads if residency == "memory" else 0
    lengths = (4, 6, 8, 10, 12)
    words = (max(lengths) * 6 * advance + step * loads) // 8 + 64
    load = "ld.relaxed.gpu.global.b64" if residency == "L2" else "ld.global.b64"
    opcode = "LDG.E.64.STRONG.GPU" if residency == "L2" else "LDG.E.64"
    reads = "".join(f"{load} e{n}, [a+{n * step}]; " for n in range(loads))
    folds = "".join(
        f"mov.b64 {{u0, u1}}, e{n}; or.b32 v0, v0, u0; or.b32 v0, v0, u1; " for n in range(loads)
    )
    swept = residency == "memory"
    return Series(
        f"batch of {load}",
        opcode,
        (
            f"issue of the first {opcode} of a batch",
            "issue of the next batch, of whose addresses every result of the batch is a part",
        ),
        "rate",
        link=f"{reads}mov.u32 v0, 0; {folds}cvt.u64.u32 d0, v0; add.u64 a, a, d0;"
        + f" add.u64 a, a, {advance};" * swept,
        period={opcode: loads, "LOP3.LUT": loads, "IADD3": 1, "IMAD.X": 1},
        axes={"residency": residency, "loads": loads, "warps": warps},
        warps=warps,
        lengths=lengths,
        parameters=_OWN["parameters"] + SWEEP_PARAMETERS * swept,
        registers=_OWN["registers"] + ".reg .b64 a, start;" + SWEEP_REGISTERS * swept,
        setup=_at(words, 8) + "mov.u64 start, own;" + (sweep(warps) if swept else ""),
        first="and.b32 low, low, zero; cvt.u64.u32 d0, low; add.u64 a, start, d0;",
        last="sub.u64 d0, a, own; cvt.u32.u64 u0, d0; xor.b32 x, x, u0;",
        after="mov.u64 start, a;" * swept,
        arguments=lambda device: (
            *own_words(words)(device),
            *(swept_memory(device) if swept else ()),
        ),
        domain="SM" if residency == "L1" else residency,
    )


_BATCHES = tuple(
    _batch(loads, warps, residency)
    for residency in ("L1", "L2", "memory")
    for loads, warps in ((1, 1), (4, 1), (4, 4), (4, 16))
)


memory = SeriesProbe(
    "memory",
    series=(
        _chase("ld.global.b64", "LDG.E.64", "L1"),
        *(_chase("ld.global.b64", "LDG.E.64", "L1", lane_bytes=each) for each in (8, 32, 64)),
        _chase("ld.global.nc.b64", "LDG.E.64.CONSTANT", "L1"),
        _chase("ld.relaxed.cta.global.b64", "LDG.E.64.STRONG.SM", "L1"),
        _chase("ld.b64", "LD.E.64", "L1"),
        _chase("ld.global.b64", "LDG.E.64", "L2", "L2", slots=4096, after="mov.u64 start, a;"),
        _chase("ld.relaxed.gpu.global.b64", "LDG.E.64.STRONG.GPU", "L2", "L2"),
        _chase("ld.relaxed.sys.global.b64", "LDG.E.64.STRONG.SYS", "L2", "L2"),
        _chase("ld.relaxed.gpu.global.b64", "LDG.E.64.STRONG.GPU", "L2", "L2", **_ONE_SECTOR),
        _narrow("ld.global.b32", "LDG.E", True),
        _narrow("ld.global.u16", "LDG.E.U16", False),
        _narrow("ld.global.u8", "LDG.E.U8", False),
        _narrow("ld.global.s8", "LDG.E.S8", False),
        _from_memory(LINE),
        *map(_pages, (8, 64, 512)),
        _constants(64, 4, "near"),
        _constants(64, 64, "far"),
        *_LOCAL,
        *_ATOMS,
        _round_trip("relaxed.cta", "STG.E.STRONG.SM", "L2"),
        _round_trip("relaxed.gpu", "STG.E.STRONG.GPU", "L2"),
        *_RATES,
        *_BATCHES,
    ),
)
