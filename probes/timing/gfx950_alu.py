"""gfx950: vector and scalar arithmetic, waits, barriers and clock reads of a wave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lanemap.timing.series import SeriesProbe
from lanemap.timing.waves import TARGET, WaveSeries

#: What a chain begins with: x and constants of a type, in v4, v10 and v11 (f64: pairs from v12).
_BEGUN = {
    "u32": "v_mov_b32_e32 v10, v5; v_mov_b32_e32 v11, v6;",
    "f32": "".join(
        f"v_and_b32_e32 {to}, 0x7fffff, {of}; v_or_b32_e32 {to}, 1.0, {to};"
        for to, of in (("v4", "v4"), ("v10", "v5"), ("v11", "v6"))
    ),
    "f16": "".join(
        f"v_and_b32_e32 {to}, 0x3ff03ff, {of}; v_or_b32_e32 {to}, 0x3c003c00, {to};"
        for to, of in (("v4", "v4"), ("v10", "v5"), ("v11", "v6"))
    ),
    "f64": "v_cvt_f64_u32_e32 v[12:13], v4; v_cvt_f64_u32_e32 v[14:15], v5;"
           "v_cvt_f64_u32_e32 v[16:17], v6;",
}  # fmt: skip
#: Name, type, whether the ISA fixes every bit, and the instruction: {d} is what it chains through.
_VECTOR = (
    ("v_add_u32", "u32", True, "v_add_u32_e32 {d}, v10, {d}"),
    ("v_xor_b32", "u32", True, "v_xor_b32_e32 {d}, v10, {d}"),
    ("v_lshlrev_b32", "u32", True, "v_lshlrev_b32_e32 {d}, 1, {d}"),
    ("v_bfe_u32", "u32", True, "v_bfe_u32 {d}, {d}, 1, 31"),
    ("v_perm_b32", "u32", True, "v_perm_b32 {d}, {d}, v10, v11"),
    ("v_and_or_b32", "u32", True, "v_and_or_b32 {d}, {d}, v10, v11"),
    ("v_add3_u32", "u32", True, "v_add3_u32 {d}, {d}, v10, v11"),
    ("v_mul_lo_u32", "u32", True, "v_mul_lo_u32 {d}, {d}, v10"),
    ("v_mul_hi_u32", "u32", True, "v_mul_hi_u32 {d}, {d}, v10"),
    ("v_mul_u32_u24", "u32", True, "v_mul_u32_u24_e32 {d}, v10, {d}"),
    ("v_add_f32", "f32", True, "v_add_f32_e32 {d}, v10, {d}"),
    ("v_fma_f32", "f32", True, "v_fma_f32 {d}, {d}, v10, v11"),
    ("v_exp_f32", "f32", False, "v_exp_f32_e32 {d}, {d}"),
    ("v_rcp_f32", "f32", False, "v_rcp_f32_e32 {d}, {d}"),
    ("v_cvt_f32_u32", "u32", True, "v_cvt_f32_u32_e32 {d}, {d}"),
    ("v_pk_fma_f16", "f16", True, "v_pk_fma_f16 {d}, {d}, v10, v11"),
    ("v_pk_add_f16", "f16", True, "v_pk_add_f16 {d}, {d}, v10"),
)  # fmt: skip
_DOUBLE = (
    ("v_add_f64", "v_add_f64 v[12:13], v[12:13], v[14:15]"),
    ("v_fma_f64", "v_fma_f64 v[12:13], v[12:13], v[14:15], v[16:17]"),
)
_SCALAR = (
    ("s_add_u32", "s_add_u32 s30, s30, s31"),
    ("s_xor_b32", "s_xor_b32 s30, s30, s31"),
    ("s_mul_i32", "s_mul_i32 s30, s30, s31"),
    ("s_lshl_b32", "s_lshl_b32 s30, s30, 1"),
    ("s_brev_b32", "s_brev_b32 s30, s30"),
)
#: Registers of the independent strands of a rate.
_STRANDS = tuple(f"v{number}" for number in range(20, 28))
_WAVES = (1, 4, 8, 16)
_SHORT = (4, 6, 8, 12, 20)


def _chain(name: str, link: str, **more: Any) -> WaveSeries:
    """A result to the next of the same instruction."""
    return WaveSeries(
        f"{name} chain",
        name,
        (
            f"issue of {name}",
            f"issue of {name} with the result as an operand, which hardware waits for",
        ),
        "interlocked latency",
        link,
        {name: 1},
        **more,
    )


def _vector() -> Iterator[WaveSeries]:
    for name, kind, exact, text in _VECTOR:
        yield _chain(name, text.format(d="v4"), begin=_BEGUN[kind], exact=exact)
        own = text.replace("{d}", "v{i%8+20}")
        begun = _BEGUN[kind] + "".join(
            f"v_add_u32_e32 {each}, {number}, v4;" for number, each in enumerate(_STRANDS)
        )
        for waves in _WAVES:
            yield WaveSeries(
                f"{name} rate",
                name,
                (f"issue of {name}", f"issue of the next independent {name} of the wave"),
                "rate",
                own,
                {name: 1},
                {"waves": waves},
                warps=waves,
                begin=begun,
                trips=8,
                exact=exact,
                lengths=(16, 24, 32, 48, 64),
                last="".join(f"v_xor_b32_e32 v4, v4, {each};" for each in _STRANDS),
            )
    for name, text in _DOUBLE:
        yield _chain(name, text, begin=_BEGUN["f64"], last="v_xor_b32_e32 v4, v12, v13;")


def _scalar() -> Iterator[WaveSeries]:
    begin = "s_nop 1; v_readfirstlane_b32 s30, v4; v_readfirstlane_b32 s31, v5; s_nop 4;"
    for name, text in _SCALAR:
        yield _chain(name, text, begin=begin, last="v_xor_b32_e32 v4, s30, v4;")
    yield WaveSeries(
        "v_readfirstlane_b32 to v_add_u32",
        "v_readfirstlane_b32",
        (
            "issue of v_readfirstlane_b32",
            "issue of v_readfirstlane_b32 of what v_add_u32 made of "
            "its result, with the wait states that software owes",
        ),
        "interlocked latency",
        "v_readfirstlane_b32 s30, v10; s_nop 1; v_add_u32_e32 v10, s30, v5; s_nop 0",
        {"v_readfirstlane_b32": 1, "v_add_u32": 1, "s_nop": 2},
        begin="v_mov_b32_e32 v10, v4; s_nop 0",
        last="v_xor_b32_e32 v4, v10, v4;",
    )


def _waits() -> Iterator[WaveSeries]:
    """Instructions of a wave that compute nothing."""
    for name, text in (
        ("s_nop", "s_nop 0"),
        ("s_waitcnt", "s_waitcnt vmcnt(0) lgkmcnt(0)"),
        ("s_sleep", "s_sleep 1"),
        ("s_setprio", "s_setprio 1"),
    ):
        yield WaveSeries(
            name,
            name,
            (f"issue of {name}", f"issue of the next {name} with nothing on its way"),
            "rate",
            text,
            {name: 1},
            {"operand": text.partition(" ")[2]},
        )
    for name in ("s_memtime", "s_memrealtime"):
        yield WaveSeries(
            name,
            name,
            (f"issue of {name}", f"issue of the next {name}, after s_waitcnt"),
            "event",
            f"{name} s[30:31]; s_waitcnt lgkmcnt(0)",
            {name: 1, "s_waitcnt": 1},
            lengths=_SHORT,
            exact=False,
        )
    for waves in (1, 2, 4, 8, 16):
        yield WaveSeries(
            "s_barrier",
            "s_barrier",
            (
                "issue of s_barrier by the last wave of the workgroup",
                "issue of the next s_barrier by the last",
            ),
            "event",
            "s_barrier",
            {"s_barrier": 1},
            {"waves": waves},
            warps=waves,
        )


gfx950_alu = SeriesProbe("gfx950_alu", (*_vector(), *_scalar(), *_waits()), (TARGET,))
