"""Typed buffers (AMD CDNA4 ISA, 9.1.2 to 9.1.6) against arrays of NumPy types."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.amdgcn.text.errors import AssemblyError
from lanemap.emulator.host.hazards import Hazard

from .machine import DESCRIPTOR, run, words
from .test_memory import LANE, WAIT, span

TYPES = {
    (8, "UINT"): np.uint8, (8, "SINT"): np.int8, (16, "UINT"): np.uint16, (16, "SINT"): np.int16,
    (16, "FLOAT"): np.float16, (32, "UINT"): np.uint32, (32, "FLOAT"): np.uint32,
}  # fmt: skip
COUNTS = {"x": 1, "xy": 2, "xyz": 3, "xyzw": 4}
BYTES = 512


def memory(seed: int) -> np.ndarray:
    return words(seed, BYTES // 4).reshape(-1, 8)


def form(bits: int, count: int, number: str) -> str:
    data = "_".join([str(bits)] * count)
    return f"format:[BUF_DATA_FORMAT_{data},BUF_NUM_FORMAT_{number}]"


SLOW = pytest.mark.slow
#: In the ordinary run one number of components; all of them in the slow one.
SUFFIXES = [pytest.param("xyz"), *(pytest.param(x, marks=SLOW) for x in ("x", "xy", "xyzw"))]


@pytest.mark.parametrize("bits, number", TYPES)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_loads(bits: int, number: str, suffix: str) -> None:
    """As many components as the format has, then zeros; lanes behind the buffer get zeros."""
    count, wanted = COUNTS[suffix], 4 if bits < 32 else COUNTS[suffix]
    held = wanted if bits == 32 else 2 if suffix == "xyzw" else 4
    size = bits * held // 8
    scalars = memory(790)
    limit = min(40 * size, BYTES)
    text = (
        DESCRIPTOR.format(bytes=limit)
        + f"""v_mul_u32_u24 v2, {size}, v0
tbuffer_load_format_{suffix} {span(20, count)}, v2, s[24:27], 0 {form(bits, held, number)} offen
{WAIT}"""
    )
    found = run(text, [], [f"v{20 + i}" for i in range(count)], scalars=scalars)
    elements = np.zeros((64, 4), TYPES[bits, number])
    raw = scalars.reshape(-1).view(TYPES[bits, number])
    inside = limit // size
    elements[:inside, :held] = raw[: inside * held].reshape(-1, held)
    wide = (
        elements.astype(np.float32).view(np.uint32)
        if elements.dtype == np.float16
        else (elements.astype(np.int64) & 0xFFFFFFFF)
    )
    both_nan = np.zeros_like(found, bool)
    if elements.dtype == np.float16:
        both_nan = np.isnan(elements.T[:count]) & np.isnan(found.view(np.float32))
    assert ((found == wide.T[:count]) | both_nan).all()


def test_components_that_the_format_has_not_are_zero() -> None:
    test_loads(16, "UINT", "xyzw")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("bits, number", [(16, "FLOAT"), (16, "SINT"), (8, "UINT"), (8, "SINT")])
def test_d16_loads(suffix: str, bits: int, number: str) -> None:
    """Two components a register, the first in the low half; beside the last one is zero (ECC)."""
    count = COUNTS[suffix]
    scalars = memory(791)[:1]
    text = (
        DESCRIPTOR.format(bytes=32)
        + f"""v_mov_b32 v20, -1
v_mov_b32 v21, -1
tbuffer_load_format_d16_{suffix} {span(20, (count + 1) // 2)}, off, s[24:27], 0 \
{form(bits, 4, number)} offset:8
{WAIT}"""
    )
    found = run(text, [], ["v20", "v21"], scalars=scalars)[: (count + 1) // 2, 0]
    part = scalars.reshape(-1).view(TYPES[bits, number])[64 // bits :][:4]
    halves = part.view(np.uint16) if bits == 16 else part.astype(np.int32).astype(np.uint16)
    expected = np.zeros(2 * len(found), np.uint16)
    expected[:count] = halves[:count]
    assert (found == expected.view(np.uint32)).all()


@pytest.mark.parametrize("name", ["x", "xy", "xyz", "xyzw", "d16_x", "d16_xy", "d16_xyzw"])
@pytest.mark.parametrize("typed", [False, True])
def test_stores_and_loads_of_the_descriptor_s_format(name: str, typed: bool) -> None:
    """Stored by the one, loaded by the other; the format is in the instruction or descriptor.

    What crosses the end of the buffer is outside (9.1.5.1, note 3).
    """
    d16, count = name.startswith("d16"), COUNTS[name.removeprefix("d16_")]
    bits, registers = (16, (count + 1) // 2) if d16 else (32, count)
    size = bits * count // 8
    code = {(32, 1): 4, (32, 2): 11, (32, 3): 13, (32, 4): 14, (16, 1): 2, (16, 2): 5, (16, 4): 12}[
        bits, count
    ]
    data = [words(seed, 64) for seed in range(792, 792 + registers)]
    plain = f"{{}}_format_{name} {{}}, v2, s[24:27], 0{{}} offen offset:4\n{WAIT}"
    store = plain.format(
        "tbuffer_store" if typed else "buffer_store",
        span(10, registers),
        f" {form(bits, count, 'UINT')}" if typed else "",
    )
    load = plain.format(
        "buffer_load" if typed else "tbuffer_load",
        span(20, registers),
        "" if typed else f" {form(bits, count, 'FLOAT')}",
    )
    text = f"""{DESCRIPTOR.format(bytes=28)}s_mov_b32 s27, {code << 15 | 7 << 12 | 0o7654:#x}
v_mul_u32_u24 v2, {size}, v0
{store}{load}"""
    found = run(text, data, [f"v{20 + i}" for i in range(registers)])
    inside = LANE * size + 4 + size <= 28
    mask = np.uint32(0xFFFF if name == "d16_x" else 0xFFFFFFFF)
    for row, source in zip(found, data, strict=True):
        assert (row == np.where(inside, source & mask, 0)).all()


def test_upper_halves() -> None:
    scalars = memory(796)[:1]
    text = (
        DESCRIPTOR.format(bytes=32)
        + f"""s_mov_b32 s27, {2 << 15 | 4 << 12 | 4}
buffer_load_format_d16_hi_x v20, off, s[24:27], 0 offset:14
buffer_store_format_d16_hi_x v10, off, s[24:27], 0 offset:2
{WAIT}s_mov_b64 exec, 1
buffer_load_dword v21, off, s[24:27], 0
{WAIT}s_mov_b64 exec, -1
"""
    )
    data = np.full(64, 0x12345678, np.uint32)
    found = run("v_mov_b32 v21, 0\n" + text, [data], ["v20", "v21"], scalars=scalars)
    assert scalars[0, 3] >> 16 and (found[0] == (scalars[0, 3] & 0xFFFF0000)).all()
    assert found[1, 0] == (0x12340000 | scalars[0, 0] & 0xFFFF)


@pytest.mark.parametrize("text", [
    "load_format_x v20, off, s[24:27], 0", "store_format_xy v[20:21], off, s[24:27], 0 "
    "format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_FLOAT]", "load_format_d16_x v20, off, s[24:27], 0"
    " format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]", "store_format_x v20, off, s[24:27], 0 "
    "format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_UINT]", "load_format_xyz v[20:22], off, s[24:27],"
    " 0 format:[BUF_DATA_FORMAT_10_11_11,BUF_NUM_FORMAT_FLOAT]",
])  # fmt: skip
def test_conversions_that_no_source_settles_are_refused(text: str) -> None:
    with pytest.raises(AssemblyError, match="would convert as no source says"):
        run(f"tbuffer_{text}\n", [], ["v0"])


OTHER_FORMATS = [
    ("load_format_x v20", word) for word in (0x27000, 4 << 15 | 7 << 12 | 5, 4 << 15 | 0 << 12 | 4)
]
OTHER_FORMATS += [
    (f"{access}_x v20", 4 << 15 | 7 << 12 | 4)
    for access in (
        "load_format_d16",
        "load_format_d16_hi",
        "store_format_d16",
        "store_format_d16_hi",
    )
]


@pytest.mark.parametrize("access, word", OTHER_FORMATS)
def test_a_descriptor_of_another_format_is_a_hazard(access: str, word: int) -> None:
    """No component selected, the second one first, a normalized number; 32 bits for 16."""
    text = DESCRIPTOR.format(bytes=32) + f"s_mov_b32 s27, {word:#x}\nv_mov_b32 v20, 0\n"
    text += f"buffer_{access}, off, s[24:27], 0\n{WAIT}"
    with pytest.raises(Hazard, match="the descriptor's format must have as many components"):
        run(text, [], ["v20"])
