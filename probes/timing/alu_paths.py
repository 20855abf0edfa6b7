"""Arithmetic: the uniform data path, doubles, wide products, lanes together, and register banks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lanemap.timing.rewriting import Sources
from lanemap.timing.series import Series, SeriesProbe

#: What the instructions of the uniform data path read: three words, 5 and 0.
_WORDS = (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35)


def _uniform_arguments(device: Any) -> tuple[Any, ...]:
    words = [np.uint32(word) for word in (*_WORDS, 5, 0)]
    return (*words, device.zeros(64, np.uint32, name="prefetched"))


#: ptxas takes the uniform data path for what comes of parameters and ends in an instruction that
#: reads nothing else: here a prefetch, of an address that is always the same.
_UNIFORM: dict[str, Any] = {
    "parameters": "".join(f", .param .u32 m{n}_at" for n in range(3))
    + ", .param .u32 five_at, .param .u32 nought_at, .param .u64 base_at",
    "arguments": _uniform_arguments,
    "registers": ".reg .b32 m<3>, five, nought, uc, ud, v; .reg .b64 base;",
    "setup": "".join(f"ld.param.u32 m{n}, [m{n}_at]; " for n in range(3))
    + "ld.param.u32 five, [five_at]; ld.param.u32 nought, [nought_at];"
    " ld.param.u64 base, [base_at];",
    "first": "mov.u32 uc, %clock; and.b32 uc, uc, nought; xor.b32 uc, uc, m1;",
    # Longer windows take some cycles more of a few opcodes: their code is fetched in pieces.
    "lengths": (4, 6, 8, 12, 16),
    "last": "and.b32 ud, uc, nought; cvt.u64.u32 d0, ud; add.u64 d0, d0, base;"
    " cp.async.bulk.prefetch.L2.global [d0], 16; xor.b32 x, x, uc;",
}


def _uniform() -> Iterator[Series]:
    """Chains of one opcode whose stall count decides, and of two, whose sum is what ptxas wrote."""
    for opcode, operand, link in (
        ("ULOP3.LUT", 1, "lop3.b32 uc, uc, m{i%3}, five, 0x1e;"),
        ("UIMAD", 1, "mad.lo.u32 uc, uc, m0, five;"),
        ("USHF.L.W.U32.HI", 1, "shf.l.wrap.b32 uc, uc, m{i%3}, five;"),
        ("USHF.L.W.U32.HI", 3, "shf.l.wrap.b32 uc, m{i%3}, uc, five;"),
        ("UPRMT", 1, "prmt.b32 uc, uc, m{i%3}, 0x2164;"),
        ("ULEA", 1, "shl.b32 ud, uc, 3; add.u32 uc, ud, m{i%3};"),
        ("UIADD3", 1, "add.u32 uc, uc, m{i%3}; add.u32 uc, uc, five;"),
    ):
        yield Series(
            f"{opcode} to operand {operand}",
            opcode,
            (f"issue of {opcode}", f"issue of {opcode} with the result as operand {operand}"),
            "fixed latency",
            link=link,
            period={opcode: 1},
            **_UNIFORM,
        )
    for opcode, other, link in (
        ("UISETP.GE.U32.AND", "USEL", "setp.lt.u32 p, uc, m{i%3}; selp.b32 uc, five, uc, p;"),
        ("UPOPC", "ULOP3.LUT", "popc.b32 uc, uc; xor.b32 uc, uc, m{i%3};"),
        ("UFLO.U32", "ULOP3.LUT", "bfind.u32 uc, uc; xor.b32 uc, uc, m{i%3};"),
        ("UBREV", "ULOP3.LUT", "brev.b32 uc, uc; xor.b32 uc, uc, m{i%3};"),
        ("UBMSK", "ULOP3.LUT", "bmsk.clamp.b32 uc, uc, five; xor.b32 uc, uc, m{i%3};"),
        ("UIMAD.WIDE.U32", "ULOP3.LUT", "mul.hi.u32 uc, uc, m0; xor.b32 uc, uc, m{i%3};"),
        ("S2UR", "ULOP3.LUT", "mov.u32 ud, %clock; and.b32 ud, ud, nought; xor.b32 uc, uc, ud;"),
    ):
        yield Series(
            f"{opcode} and {other}",
            opcode,
            (f"issue of {opcode}", f"issue of the next {opcode}, after {other} of its result"),
            "event",
            link=link,
            period={opcode: 1, other: 1},
            **_UNIFORM,
        )


_DOUBLES: dict[str, Any] = {
    "registers": ".reg .b64 c, f; .reg .b32 v;",
    # Both are doubles from 1 to 2, c with other bits.
    "setup": "and.b32 u0, k0, 0xfffff; or.b32 u0, u0, 0x3ff00000; mov.b64 c, {k1, u0};",
    "first": "and.b32 u0, x, 0xfffff; or.b32 u0, u0, 0x3ff00000; mov.b64 f, {x, u0};",
    "last": "mov.b64 {u0, u1}, f; xor.b32 x, x, u0; xor.b32 x, x, u1;",
}


def _doubles() -> Iterator[Series]:
    for name, opcode, operand, link in (
        ("add.f64", "DADD", "operand 2", "add.rn.f64 f, f, c;"),
        ("mul.f64", "DMUL", "operand 2", "mul.rn.f64 f, f, c;"),
        ("fma.f64", "DFMA", "operand 2", "fma.rn.f64 f, f, c, c;"),
        ("fma.f64", "DFMA", "operand 3", "fma.rn.f64 f, c, c, f;"),
    ):
        yield Series(
            f"{name} {operand}",
            opcode,
            (f"issue of {opcode}", f"issue of {opcode} with the result as {operand}"),
            "fixed latency",
            link=link,
            period={opcode: 1},
            **_DOUBLES,
        )


def _products() -> Iterator[Series]:
    """Products of 64 bits, which hold back what follows for longer than their stall counts say."""
    high, wide = "IMAD.HI.U32", "IMAD.WIDE.U32"
    yield Series(
        "mul.hi.u32",
        high,
        (
            f"issue of {high}, whatever its stall count",
            f"issue of {high} with the result as operand 1",
        ),
        "event",
        link="mul.hi.u32 x, x, k0;",
        period={high: 1},
        registers=".reg .b32 v;",
        cut="add.u32 v, k1, {i}; mul.hi.u32 v, v, k0; xor.b32 x, x, v;",
    )
    yield Series(
        "mul.wide.u32",
        wide,
        (
            f"issue of {wide}, whatever its stall count",
            f"issue of {wide} with the upper result as operand 1",
        ),
        "event",
        link="mov.b64 {u0, u1}, w; mul.wide.u32 w, u1, k0;",
        period={wide: 1},
        registers=".reg .b64 w; .reg .b32 v;",
        cut="xor.b32 v, k1, {i+1}; mul.wide.u32 d0, v, k0; xor.b64 w, w, d0;",
        first="mov.b64 w, {k2, x};",
        last="mov.b64 {u0, u1}, w; xor.b32 x, u0, u1;",
    )
    for count in (1, 3):
        strands = range(count)
        yield Series(
            "mul.hi.u32 with independent lop3",
            high,
            (
                f"issue of {high}, with independent LOP3.LUT before the next",
                f"issue of {high} with the result as operand 1, behind the LOP3.LUT",
            ),
            "event",
            link="mul.hi.u32 x, x, k0; "
            + " ".join(f"lop3.b32 s{j}, s{j}, k{{i%3}}, k{j % 4}, 0x1e;" for j in strands),
            period={high: 1, "LOP3.LUT": count},
            axes={"LOP3.LUT between": count},
            registers=f".reg .b32 s<{count}>;",
            first="".join(f"lop3.b32 s{j}, x, k0, k1, 0x{0x6A + j:x};" for j in strands),
            last="".join(f"xor.b32 x, x, s{j};" for j in strands),
        )


_STRANDS = 8
#: By opcodes, what makes them of a strand {d}, and which of them goes to which unit.
_TOGETHER = {
    "SHFL.BFLY": "shfl.sync.bfly.b32 {d}, {d}, 1, 0x1f, 0xffffffff;",
    "VOTE.ANY ISETP.GE.U32.AND": "setp.lt.u32 p, {d}, k0; vote.sync.ballot.b32 {d}, p, 0xffffffff;",
    "REDUX.SUM": "redux.sync.add.u32 u0, {d}, 0xffffffff; xor.b32 {d}, {d}, u0;",
    "REDUX.OR": "redux.sync.or.b32 u0, {d}, 0xffffffff; xor.b32 {d}, {d}, u0;",
    "MATCH.ANY of 32 values": "match.any.sync.b32 {d}, {d}, 0xffffffff;",
    "MATCH.ANY of one value": "match.any.sync.b32 {d}, {d}, 0xffffffff;",
    "MATCH.ALL": "match.all.sync.b32 {d}, {d}, 0xffffffff;",
    "IMAD.HI.U32": "mul.hi.u32 {d}, {d}, k0;",
}


def _together(opcodes: str, text: str, warps: int) -> Series:
    """How often warps issue what lanes do together."""
    named, _, values = opcodes.partition(" of ")
    first, *others = named.split()
    straight = not first.startswith(("SHFL", "IMAD"))
    if first.startswith("REDUX"):
        others = ["IMAD.U32", "LOP3.LUT"]
    what = " and ".join([first, *others])
    begin = "lop3.b32 {d}, x, k{k}, k{m}, {lut};"
    if values:
        # A mask of equal values is one value for all, or another one for each lane.
        begin = (
            "add.u32 {d}, zero, {j};"
            if values == "one value"
            else ("mad.lo.u32 {d}, thread, 64, {j};")
        )
    axes: dict[str, str | int] = {"values": values} if values else {}
    return Series(
        f"{what} rate",
        first,
        (f"issue of {what}", f"issue of the next independent {what} by the warp"),
        "rate",
        link=text.replace("{d}", "s{i%8}"),
        period=dict.fromkeys([first, *others], 1),
        axes=axes | {"warps": warps},
        warps=warps,
        # In a loop ptxas moves what a barrier protects.
        **(
            {"lengths": (48, 72, 96, 120, 144)}
            if straight
            else {"lengths": (8, 16, 24, 32, 40), "trips": 32}
        ),
        registers=f".reg .b32 s<{_STRANDS}>;",
        first="".join(
            begin.format(d=f"s{j}", k=j % 4, m=(j + 1) % 4, lut=hex(0x6A + j), j=j)
            for j in range(_STRANDS)
        ),
        last="".join(f"xor.b32 x, x, s{j};" for j in range(_STRANDS)),
        exact=False,
    )


#: Strands of a link whose registers are rewritten.
_OWN = 16
_THREE = {
    "FFMA": "fma.rn.f32 {d}, {d}, k0, k1;",
    "IMAD": "mad.lo.u32 {d}, {d}, k0, k1;",
    "LOP3.LUT": "lop3.b32 {d}, {d}, k0, k1, 0x6a;",
}
#: Register numbers of the three sources modulo four.
_REMAINDERS = (
    (0, 0, 0), (1, 1, 1), (0, 2, 0), (0, 0, 2), (0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 2, 1),
    (0, 1, 2), (0, 1, 3), (1, 2, 3),
)  # fmt: skip


def _banks(opcode: str, remainders: tuple[int, int, int], reuse: int, warps: int) -> Series:
    """How often a warp issues an instruction whose sources lie in the same bank, or in others."""
    strands = range(_OWN)
    held = [str(slot + 1) for slot in range(3) if reuse >> slot & 1]
    return Series(
        f"{opcode} by registers",
        opcode,
        (
            f"issue of {opcode} of three source registers",
            f"issue of the next independent {opcode} of the same source registers, by the warp",
        ),
        "rate",
        link="\n".join(_THREE[opcode].format(d=f"s{j}") for j in strands),
        period={opcode: _OWN},
        per_link=_OWN,
        lengths=(2, 4, 6, 8, 10),
        trips=32,
        warps=warps,
        axes={
            "source registers modulo 4": " ".join(map(str, remainders)),
            "reuse of operands": " ".join(held) or "none",
            "warps": warps,
        },
        registers=f".reg .b32 s<{_OWN}>;",
        first="".join(
            f"lop3.b32 s{j}, x, k{j % 4}, k{(j // 4 + 1 + j) % 4}, 0x{0x6A + j:x};" for j in strands
        ),
        last="".join(f"xor.b32 x, x, s{j};" for j in strands),
        exact=False,
        rewriting=Sources(remainders, reuse),
    )


def _registers() -> Iterator[Series]:
    for opcode in _THREE:
        for remainders in _REMAINDERS:
            for reuse in (0, 1):
                yield _banks(opcode, remainders, reuse, 1)
    for reuse in (2, 4, 3, 7):
        yield _banks("FFMA", (0, 0, 0), reuse, 1)
    for remainders in ((0, 0, 0), (0, 2, 0), (0, 0, 1), (0, 1, 2)):
        for reuse in (0, 1):
            yield _banks("FFMA", remainders, reuse, 8)


alu_paths = SeriesProbe(
    "alu_paths",
    targets=("sm_90a",),
    series=(
        *_uniform(),
        *_doubles(),
        *_products(),
        *(_together(*each, warps) for each in _TOGETHER.items() for warps in (1, 4, 16)),
        *_registers(),
    ),
)
