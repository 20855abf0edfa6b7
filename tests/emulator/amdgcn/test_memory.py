"""LDS, global, flat, scratch and scalar memory against arrays of bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap import model
from lanemap.emulator.host.hazards import Hazard

from .machine import DESCRIPTOR, run, words

Words = NDArray[np.uint32]
LANE = np.arange(64, dtype=np.uint32)
WIDTHS = {"dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4}
NARROW = {"ubyte": np.uint8, "sbyte": np.int8, "ushort": np.uint16, "sshort": np.int16}


def block(seed: int, rows: int) -> list[Words]:
    """`rows` registers of random words."""
    return [words(seed + i, 64) for i in range(rows)]


def span(first: int, count: int) -> str:
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def extended(values: NDArray[Any]) -> Words:
    result: Words = values.astype(np.int32).view(np.uint32)
    return result


# -- LDS -------------------------------------------------------------------------------------------

LDS_WIDTHS = {"b32": 1, "b64": 2, "b96": 3, "b128": 4}


@pytest.mark.parametrize("width", LDS_WIDTHS)
def test_lds_reads_what_was_written(width: str) -> None:
    count = LDS_WIDTHS[width]
    data = block(200, count)
    text = f"""
v_mul_u32_u24 v2, {16}, v0
ds_write_{width} v2, {span(10, count)} offset:256
v_xor_b32 v3, 0x30, v2
s_waitcnt lgkmcnt(0)
ds_read_{width} {span(20, count)}, v3 offset:256
s_waitcnt lgkmcnt(0)"""
    found = run(text, data, [f"v{20 + i}" for i in range(count)])
    for row, source in zip(found, data, strict=True):
        assert (row == source[LANE ^ 3]).all()


def test_lds_bytes_and_halves() -> None:
    data = words(201, 64)
    stored = "v_lshlrev_b32 v2, 2, v0\nds_write_b32 v2, v10\ns_waitcnt lgkmcnt(0)\n"
    memory = data.view(np.uint8)
    for name, dtype in {"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16}.items():
        size = np.dtype(dtype).itemsize
        text = f"v_mul_u32_u24 v3, {size}, v0\nds_read_{name} v20, v3 offset:64"
        (found,) = run(stored + text + "\ns_waitcnt lgkmcnt(0)", [data], ["v20"])
        assert (found == extended(memory[64:].view(dtype)[:64])).all(), name
    pieces = """
ds_write_b8 v2, v11
ds_write_b8_d16_hi v2, v11 offset:1
ds_write_b16_d16_hi v2, v11 offset:2
s_waitcnt lgkmcnt(0)
ds_read_b32 v20, v2
s_waitcnt lgkmcnt(0)"""
    other = words(202, 64)
    (found,) = run(stored + pieces, [data, other], ["v20"])
    low, third = other & np.uint32(255), other >> np.uint32(16) & np.uint32(255)
    expected = low | third << np.uint32(8) | other & np.uint32(0xFFFF0000)
    assert (found == expected).all()


def test_two_places_at_once() -> None:
    a = block(203, 4)
    text = """
v_lshlrev_b32 v2, 3, v0
ds_write2_b32 v2, v10, v11 offset0:2 offset1:3
ds_write2st64_b64 v2, v[10:11], v[12:13] offset0:4 offset1:8
s_waitcnt lgkmcnt(0)
ds_read2_b32 v[20:21], v2 offset0:3 offset1:2
ds_read2st64_b64 v[22:25], v2 offset0:8 offset1:4
ds_read2_b64 v[26:29], v2 offset0:1 offset1:1
s_waitcnt lgkmcnt(0)"""
    found = run(text, a, [f"v{20 + i}" for i in range(10)])
    expected = [a[1], a[0], a[2], a[3], a[0], a[1], a[0], a[1], a[0], a[1]]
    for row, source in zip(found, expected, strict=True):
        assert (row == source).all()


def test_lds_beyond_its_end_is_a_hazard() -> None:
    text = "v_mov_b32 v2, 0x400\nds_read_b32 v20, v2\ns_waitcnt lgkmcnt(0)"
    with pytest.raises(Hazard, match=r"`ds_read_b32 v20, v2`: 4 bytes at 0x400 are outside"):
        run(text, [], ["v20"], lds=1024)
    run(
        text.replace("0x400", "0x3fc").replace("ds_read", "ds_write_b32 v2, v0\nds_read"),
        [],
        ["v20"],
        lds=1024,
    )


D16_LOADS = {
    "ds": ("ds_write_b32 v2, v11", "ds_read_u16_d16{} v10, v2"),
    "global": ("", "global_load_short_d16{} v10, v3, s[8:9]"),
    "flat": ("v_mov_b32 v4, s8\nv_mov_b32 v5, s9", "flat_load_short_d16{} v10, v[4:5]"),
    "buffer": (DESCRIPTOR.format(bytes=16), "buffer_load_short_d16{} v10, off, s[24:27], 0"),
    "scratch": ("scratch_store_dword off, v11, off", "scratch_load_short_d16{} v10, off, off"),
}


@pytest.mark.parametrize("high", ["", "_hi"])
@pytest.mark.parametrize("ecc", ["", ":sramecc+", ":sramecc-"])
@pytest.mark.parametrize("family", D16_LOADS)
def test_the_half_beside_a_d16_load(family: str, ecc: str, high: str) -> None:
    """Kept without SRAM ECC, else zero, as isa/lds.py argues."""
    place, load = D16_LOADS[family]
    wait = "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
    text = f"v_lshlrev_b32 v2, 2, v0\nv_mov_b32 v3, 0\n{place}\n{wait}{load.format(high)}\n{wait}"
    data = block(204, 2)
    scalars = np.full((1, 8), 0xBEEF1234, np.uint32)
    (found,) = run(text, data, ["v10"], scalars=scalars, features=ecc)
    loaded = data[1] & np.uint32(0xFFFF) if family in ("ds", "scratch") else np.uint32(0x1234)
    shift, others = (16, 0xFFFF) if high else (0, 0xFFFF0000)
    kept = data[0] & np.uint32(others) if ecc == ":sramecc-" else np.uint32(0)
    assert (found == (loaded << np.uint32(shift) | kept)).all()


ATOMICS: dict[str, Callable[[int, int], int]] = {
    "add": lambda m, d: m + d, "sub": lambda m, d: m - d,
    "umin": min, "umax": max, "and": lambda m, d: m & d, "or": lambda m, d: m | d,
    "xor": lambda m, d: m ^ d, "swap": lambda m, d: d,
    "smin": lambda m, d: min(m, d, key=s32), "smax": lambda m, d: max(m, d, key=s32),
    "inc": lambda m, d: 0 if m >= d else m + 1, "dec": lambda m, d: d if m == 0 or m > d else m - 1,
}  # fmt: skip
DS_NAMES = {"umin": "min_rtn_u32", "umax": "max_rtn_u32", "smin": "min_rtn_i32",
            "smax": "max_rtn_i32", "swap": "wrxchg_rtn_b32", "and": "and_rtn_b32",
            "or": "or_rtn_b32", "xor": "xor_rtn_b32"}  # fmt: skip


def s32(x: int) -> int:
    return x - (1 << 32) if x >> 31 & 1 else x


def serial(name: str, memory: list[int], data: Words, place: Words) -> list[int]:
    """The old values that lanes get one after another; `memory` changes."""
    old = []
    for lane in range(64):
        at = int(place[lane])
        old.append(memory[at])
        memory[at] = ATOMICS[name](memory[at], int(data[lane])) & 0xFFFFFFFF
    return old


@pytest.mark.parametrize("name", ATOMICS)
def test_lds_atomics_return_the_old_value(name: str) -> None:
    start, data = words(205, 64), words(206, 64)
    mnemonic = "ds_" + DS_NAMES.get(name, f"{name}_rtn_u32")
    text = f"""
v_lshlrev_b32 v2, 2, v0
ds_write_b32 v2, v10
v_and_b32 v3, 7, v0
v_lshlrev_b32 v3, 2, v3
s_waitcnt lgkmcnt(0)
{mnemonic} v20, v3, v11 offset:16
s_waitcnt lgkmcnt(0)
ds_read_b32 v21, v2
s_waitcnt lgkmcnt(0)"""
    found = run(text, [start, data], ["v20", "v21"])
    memory = start.tolist()
    old = serial(name, memory, data, (LANE & np.uint32(7)) + np.uint32(4))
    assert found[0].tolist() == old
    assert found[1].tolist() == memory


def test_lds_atomics_of_64_bits_and_floats() -> None:
    low, high = words(207, 64), words(208, 64)
    text = """
v_lshlrev_b32 v2, 3, v0
ds_write_b64 v2, v[10:11]
s_waitcnt lgkmcnt(0)
ds_add_u64 v2, v[10:11]
ds_cmpst_rtn_b32 v24, v2, v10, v0 offset:4
s_waitcnt lgkmcnt(0)
ds_read_b64 v[20:21], v2
s_waitcnt lgkmcnt(0)"""
    found = run(text, [low, high], ["v20", "v21", "v24"])
    wide = (low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)) * np.uint64(2)
    upper = (wide >> np.uint64(32)).astype(np.uint32)
    assert (found[0] == wide.astype(np.uint32)).all()
    assert (found[2] == upper).all()
    assert (found[1] == np.where(upper == low, LANE, upper)).all()
    values = np.linspace(-3, 3, 64).astype(np.float32)
    text = """
v_mov_b32 v2, 0
v_mov_b32 v3, 1.0
ds_write_b32 v2, v3
s_waitcnt lgkmcnt(0)
ds_add_f32 v2, v10
s_waitcnt lgkmcnt(0)
ds_read_b32 v20, v2
s_waitcnt lgkmcnt(0)"""
    (total,) = run(text, [values], ["v20"])
    expected = np.float32(1)
    for value in values:
        expected += value
    assert (total.view(np.float32) == expected).all()


TRANSPOSES = {"ds_read_b64_tr_b16": 2, "ds_read_b64_tr_b8": 2, "ds_read_b64_tr_b4": 2,
              "ds_read_b96_tr_b6": 3}  # fmt: skip


@pytest.mark.parametrize("name", TRANSPOSES)
def test_transposing_reads_follow_the_model(name: str) -> None:
    """Bit by bit as the map says, from chunks that lie anywhere."""
    count = TRANSPOSES[name]
    data = block(209, count)
    order = np.random.default_rng(210).permutation(64).astype(np.uint32)
    text = f"""
v_mul_u32_u24 v2, 16, v10
ds_write_b{32 * count} v2, {span(12, count)}
s_waitcnt lgkmcnt(0)
{name} v[20:{19 + count}], v2
s_waitcnt lgkmcnt(0)"""
    found = run(text, [order, LANE, *data], [f"v{20 + i}" for i in range(count)])
    chunks = np.stack(data, axis=1)  # of lane l, at the address that lane l gave
    bits = (chunks[:, :, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)).reshape(-1)
    table = model.variant(name).map.table
    moved = bits[table].reshape(64, count, 32).astype(np.uint64)
    expected = (moved << np.arange(32, dtype=np.uint64)).sum(axis=2).astype(np.uint32)
    assert (expected == found.T).all()


def test_transposing_reads_need_all_lanes() -> None:
    text = "v_lshlrev_b32 v2, 3, v0\nds_write_b64 v2, v[10:11]\ns_waitcnt lgkmcnt(0)\n"
    text += "s_mov_b64 exec, 0xffff\nds_read_b64_tr_b16 v[20:21], v2\ns_waitcnt lgkmcnt(0)"
    with pytest.raises(Hazard, match="EXEC must be all ones here"):
        run(text, block(211, 2), ["v20"])


# -- global and flat -------------------------------------------------------------------------------

GLOBAL = {
    "global, base": (
        "v_lshlrev_b32 v2, 4, v0\n",
        "global_{} {d}, v2, s[8:9]{o}",
        "global_{} v2, {d}, s[8:9]{o}",
    ),
    "global": (
        "v_lshlrev_b32 v2, 4, v0\nv_add_co_u32 v4, vcc, s8, v2\nv_mov_b32 v5, s9\n"
        "v_addc_co_u32 v5, vcc, 0, v5, vcc\n",
        "global_{} {d}, v[4:5], off{o}",
        "global_{} v[4:5], {d}, off{o}",
    ),
}
GLOBAL["flat"] = (GLOBAL["global"][0], "flat_{} {d}, v[4:5]{o}", "flat_{} v[4:5], {d}{o}")
WAIT = "s_waitcnt vmcnt(0) lgkmcnt(0)\n"


@pytest.mark.parametrize("form", GLOBAL)
@pytest.mark.parametrize("width", WIDTHS)
def test_global_widths(form: str, width: str) -> None:
    prepare, load, store = GLOBAL[form]
    count = WIDTHS[width]
    data = block(212, count)
    place = span(10, count)
    result = span(20, count)
    body = prepare + store.format(f"store_{width}", d=place, o="") + "\n" + WAIT
    body += load.format(f"load_{width}", d=result, o="") + "\n" + WAIT
    found = run(
        body,
        data,
        [f"v{20 + i}" for i in range(count)],
        scalars=np.zeros((32, 8), np.uint32)[: 64 * 16 // 32],
    )
    for row, source in zip(found, data, strict=True):
        assert (row == source).all()


@pytest.mark.parametrize("form", GLOBAL)
def test_global_bytes_and_halves(form: str) -> None:
    prepare, load, _ = GLOBAL[form]
    prepare = prepare.replace("v_lshlrev_b32 v2, 4, v0", "v_lshrrev_b32 v2, 2, v0")
    scalars = words(213, 8)[None]
    memory = scalars.view(np.uint8).reshape(-1)
    for name, dtype in NARROW.items():
        text = prepare + load.format(f"load_{name}", d="v20", o=" offset:8") + "\n" + WAIT
        (found,) = run(text, [], ["v20"], scalars=scalars)
        size = np.dtype(dtype).itemsize
        expected = np.array(
            [memory[8 + lane // 4 :][:size].copy().view(dtype)[0] for lane in range(64)]
        )
        assert (found == extended(expected)).all(), name


@pytest.mark.parametrize("form", GLOBAL)
@pytest.mark.parametrize("name", ATOMICS)
def test_global_atomics(form: str, name: str) -> None:
    """Eight words of memory; with sc0 the old value comes back."""
    prepare, load, store = GLOBAL[form]
    prepare = "v_and_b32 v3, 7, v0\n" + prepare.replace(
        "v_lshlrev_b32 v2, 4, v0", "v_lshlrev_b32 v2, 2, v3"
    )
    stem = f"atomic_{name}"
    sources = store.format(stem, d="v10", o="").partition(" ")
    text = f"{prepare}{sources[0]} v20, {sources[2]} sc0\n{WAIT}"
    text += load.format("load_dword", d="v21", o="") + "\n" + WAIT
    scalars, data = words(214, 8)[None], words(215, 64)
    found = run(text, [data], ["v20", "v21"], scalars=scalars)
    memory = scalars[0].tolist()
    old = serial(name, memory, data, LANE & np.uint32(7))
    assert found[0].tolist() == old
    assert found[1].tolist() == [memory[lane & 7] for lane in range(64)]


def test_an_offset_beside_a_scalar_base_has_no_sign() -> None:
    """AMD CDNA4 ISA, 10.3: SADDR + zero extended VGPR."""
    scalars = words(216, 8)[None]
    text = f"""
s_sub_u32 s30, s8, 0x80000000
s_subb_u32 s31, s9, 0
v_mov_b32 v2, 0x80000004
global_load_dword v20, v2, s[30:31]
{WAIT}"""
    (found,) = run(text, [], ["v20"], scalars=scalars)
    assert (found == scalars[0][1]).all()


def test_global_compare_and_swap_and_wide_atomics() -> None:
    text = f"""
v_mov_b32 v2, 0
v_mov_b32 v12, 5
v_mov_b32 v13, 1
s_mov_b64 exec, 1
global_atomic_cmpswap v20, v2, v[10:11], s[8:9] sc0
global_atomic_add_x2 v[22:23], v2, v[12:13], s[8:9] offset:8 sc0
{WAIT}global_atomic_cmpswap v21, v2, v[10:11], s[8:9] sc0
global_load_dwordx4 v[24:27], v2, s[8:9]
{WAIT}"""
    scalars = np.array([[7, 0, 0xFFFFFFFF, 2, 0, 0, 0, 0]], np.uint32)
    data = [np.full(64, 9, np.uint32), np.full(64, 7, np.uint32)]  # new value, then comparison
    outputs = [f"v{20 + i}" for i in range(8)]
    # Only lane 0 wrote these; what lanes 1.. hold is theirs alone.
    clear = "\n".join(f"v_mov_b32 {register}, 0" for register in outputs)
    found = run(clear + text, data, outputs, scalars=scalars)[:, 0]
    assert found.tolist() == [7, 9, 0xFFFFFFFF, 2, 9, 0, 4, 4]


def test_float_and_double_atomics() -> None:
    text = f"""
v_mov_b32 v2, 0
s_mov_b64 exec, 3
global_atomic_add_f32 v2, v12, s[8:9] offset:8
global_atomic_add_f64 v2, v[14:15], s[8:9] offset:16
{WAIT}s_mov_b64 exec, -1
global_load_dword v22, v2, s[8:9] offset:8
global_load_dwordx2 v[24:25], v2, s[8:9] offset:16
{WAIT}"""
    single = np.full(64, 1.5, np.float32)
    double = np.full(64, 0.25).view(np.uint32).reshape(64, 2)
    data = [LANE, LANE, single, LANE, double[:, 0].copy(), double[:, 1].copy()]
    scalars = np.array([[0, 0, 0x3F800000, 0, 0, 0x3FF00000, 0, 0]], np.uint32)
    found = run(text, data, ["v22", "v24", "v25"], scalars=scalars)[:, 0]
    assert found[0:1].view(np.float32)[0] == 4.0
    assert found[1:3].copy().view(np.float64)[0] == 1.5


def test_an_address_outside_of_all_arrays_is_a_hazard() -> None:
    text = f"v_mov_b32 v2, 0x100\nglobal_load_dword v20, v2, s[8:9]\n{WAIT}"
    with pytest.raises(Hazard, match="`global_load_dword v20, v2.* are outside every allocation"):
        run(text, [], ["v20"])


# -- scratch ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_scratch_belongs_to_each_lane(width: str) -> None:
    count = WIDTHS[width]
    data = block(216, count)
    source, result = span(10, count), span(20, count)
    text = f"""
v_mov_b32 v2, 16
s_mov_b32 s30, 32
scratch_store_{width} v2, {source}, off offset:16
{WAIT}scratch_load_{width} {result}, off, s30
{WAIT}"""
    found = run(text, data, [f"v{20 + i}" for i in range(count)])
    for row, expected in zip(found, data, strict=True):
        assert (row == expected).all()


def test_flat_reaches_lds_and_scratch_through_their_apertures() -> None:
    data = block(217, 2)
    text = f"""
s_mov_b64 s[30:31], src_shared_base
s_mov_b64 s[32:33], src_private_base
v_lshlrev_b32 v4, 2, v0
v_mov_b32 v5, s31
flat_store_dword v[4:5], v10
v_mov_b32 v6, 8
v_mov_b32 v7, s33
flat_store_dword v[6:7], v11
{WAIT}ds_read_b32 v20, v4
scratch_load_dword v21, off, off offset:8
{WAIT}"""
    found = run(text, data, ["v20", "v21"])
    assert (found[0] == data[0]).all() and (found[1] == data[1]).all()


# -- scalar memory ---------------------------------------------------------------------------------


def test_scalar_loads() -> None:
    scalars = words(223, 16).reshape(2, 8)
    text = """
s_load_dword s30, s[8:9], 0x8
s_mov_b32 s24, 12
s_load_dwordx2 s[32:33], s[8:9], s24 offset:0x4
s_load_dwordx4 s[36:39], s[8:9], 0x0
s_waitcnt lgkmcnt(0)
""" + "\n".join(f"v_mov_b32 v{20 + i}, s{s}" for i, s in enumerate((30, 32, 33, 36, 39)))
    found = run(text, [np.zeros(128, np.uint32)], [f"v{20 + i}" for i in range(5)], scalars=scalars)
    assert found[:, 0].tolist() == [scalars[0][i] for i in (2, 4, 5, 0, 3)]


# -- two halves at once ---------------------------------------------------------------------------

PAIRS = {
    "global": "global_atomic_pk_add_{} v20, v2, v10, s[8:9] sc0",
    "flat": "v_mov_b32 v4, s8\nv_mov_b32 v5, s9\nflat_atomic_pk_add_{} v20, v[4:5], v10 sc0",
    "buffer": "v_mov_b32 v20, v10\nbuffer_atomic_pk_add_{} v20, v2, s[24:27], 0 offen sc0",
    "lds": "ds_pk_add_rtn_{} v20, v2, v10",
}  # fmt: skip
WITHOUT_RESULT = {
    "global": "global_atomic_pk_add_{} v2, v10, s[8:9]",
    "flat": "v_mov_b32 v4, s8\nv_mov_b32 v5, s9\nflat_atomic_pk_add_{} v[4:5], v10",
    "buffer": "buffer_atomic_pk_add_{} v10, v2, s[24:27], 0 offen",
    "lds": "ds_pk_add_{} v2, v10",
}  # fmt: skip


@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("family", PAIRS)
def test_both_halves_of_a_word_are_added(family: str, kind: str) -> None:
    """Every lane adds to the same word, one after the other; then again without the old value."""
    dtype = np.dtype({"f16": np.float16, "bf16": ml_dtypes.bfloat16}[kind])
    rng = np.random.default_rng(216)
    data = rng.normal(size=(64, 2)).astype(dtype)
    total, old = np.array([0.75, -3.5]).astype(dtype), []
    start = int(total.view(np.uint32)[0])
    for _ in range(2):
        for row in data:
            old.append(total.copy())
            total = (total + row).astype(dtype)
    place = "ds_read_b32 v21, v2" if family == "lds" else "global_load_dword v21, v2, s[8:9]"
    text = f"""{DESCRIPTOR.format(bytes=32)}
v_mov_b32 v2, 0
v_mov_b32 v3, {start:#x}
ds_write_b32 v2, v3
s_waitcnt lgkmcnt(0)
{PAIRS[family].format(kind)}
{WAIT}{WITHOUT_RESULT[family].format(kind)}
{WAIT}{place}
{WAIT}"""
    scalars = np.zeros((1, 8), np.uint32)
    scalars[0, 0] = start
    found = run(text, [data.view(np.uint32)[:, 0].copy()], ["v20", "v21"], scalars=scalars)
    np.testing.assert_array_equal(found[0], np.stack(old[:64]).view(np.uint32)[:, 0])
    np.testing.assert_array_equal(found[1], np.full(64, total.view(np.uint32)[0]))
