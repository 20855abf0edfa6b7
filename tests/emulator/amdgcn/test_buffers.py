"""Buffer accesses and loads into LDS against arrays of bytes."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard

from .machine import DESCRIPTOR, run, words
from .test_memory import LANE, WAIT, WIDTHS, extended


def strided(stride: int, size: int) -> str:
    """A descriptor with a stride and without swizzling; with an index its size counts records."""
    text = DESCRIPTOR.format(bytes=size)
    return text.replace("0xffff\n", f"0xffff\ns_or_b32 s25, s25, {stride << 16:#x}\n")


def test_buffer_loads_give_zero_outside() -> None:
    scalars = words(218, 8)[None]
    text = (
        DESCRIPTOR.format(bytes=20)
        + f"""
v_lshlrev_b32 v2, 2, v0
s_mov_b32 s28, 4
buffer_load_dword v20, v2, s[24:27], s28 offen offset:4
buffer_load_ubyte v21, v0, s[24:27], 0 offen offset:3
buffer_load_sshort v22, off, s[24:27], 0 offset:18
{WAIT}"""
    )
    found = run(text, [], ["v20", "v21", "v22"], scalars=scalars)
    memory = scalars.view(np.uint8).reshape(-1)
    at = 8 + 4 * LANE
    inside = at + 4 <= 20
    expected = np.where(inside, scalars[0][np.minimum(at // 4, 7)], 0)
    assert (found[0] == expected).all()
    offsets = LANE + 3
    assert (found[1] == np.where(offsets < 20, memory[np.minimum(offsets, 31)], 0)).all()
    assert (found[2] == extended(memory[18:20].copy().view(np.int16))).all()


def test_buffer_index_times_stride() -> None:
    """Three records of 8 bytes (AMD CDNA4 ISA, 9.1.5.1): the index alone is held against them.

    The last load has no index, so that 3 are bytes, of which none holds a word.
    """
    scalars = words(219, 8)[None]
    text = (
        strided(8, 3)
        + f"""
v_mov_b32 v4, v0
v_mov_b32 v5, 4
buffer_load_dword v20, v0, s[24:27], 0 idxen
buffer_load_dword v21, v[4:5], s[24:27], 0 idxen offen
buffer_load_dwordx2 v[22:23], v[4:5], s[24:27], 0 idxen offen offset:4
buffer_load_dword v24, off, s[24:27], 0
{WAIT}"""
    )
    found = run(text, [], ["v20", "v21", "v22", "v24"], scalars=scalars)
    assert found[2][:4].tolist() == [*scalars[0][[2, 4, 6]], 0] and (found[3] == 0).all()
    assert found[0][:4].tolist() == [*scalars[0][[0, 2, 4]], 0]
    assert found[1][:4].tolist() == [*scalars[0][[1, 3, 5]], 0]


def test_buffer_stores_and_atomics_outside_do_nothing() -> None:
    scalars = words(220, 8)[None]
    data = words(221, 64)
    text = (
        DESCRIPTOR.format(bytes=16)
        + f"""
v_lshlrev_b32 v2, 2, v0
buffer_store_dword v10, v2, s[24:27], 0 offen
{WAIT}s_mov_b32 s26, 8
buffer_atomic_add v10, v2, s[24:27], 0 offen sc0
{WAIT}v_and_b32 v3, 7, v0
v_lshlrev_b32 v3, 2, v3
global_load_dword v20, v3, s[8:9]
{WAIT}"""
    )
    found = run(text, [data], ["v10", "v20"], scalars=scalars)
    memory = scalars[0].copy()
    memory[:4] = data[:4]
    old = memory[:2].copy()
    memory[:2] += data[:2]
    assert found[0].tolist() == [*old.tolist(), *[0] * 62]
    assert (found[1] == memory[LANE & 7]).all()


def test_a_buffer_that_ends_within_an_access_is_a_hazard() -> None:
    text = (
        DESCRIPTOR.format(bytes=20)
        + f"""
v_lshlrev_b32 v2, 4, v0
buffer_load_dwordx4 v[20:23], v2, s[24:27], 0 offen
{WAIT}"""
    )
    with pytest.raises(Hazard, match="the access of lanes 0x2 crosses the end of the buffer"):
        run(text, [], ["v20"])


def test_a_buffer_offset_has_no_sign() -> None:
    """An offset of 2^31 is inside a buffer of 2^32 - 1 bytes, and far behind this array."""
    text = (
        DESCRIPTOR.format(bytes=0xFFFFFFFF)
        + f"""
v_mov_b32 v2, 0x80000000
buffer_load_dword v20, v2, s[24:27], 0 offen
{WAIT}"""
    )
    with pytest.raises(Hazard, match="bytes past the end of"):
        run(text, [], ["v20"])


def test_an_index_has_no_sign() -> None:
    """AMD CDNA4 ISA, 9.1.5: an index of 2^32 - 1 times the stride is far behind the buffer.

    Taken as -1, it would be the word before, which the scalar offset brings inside.
    """
    scalars = words(225, 8)[None]
    text = (
        strided(4, 24)
        + f"""
v_mov_b32 v4, -1
s_mov_b32 s28, 8
buffer_load_dword v20, v4, s[24:27], s28 idxen
{WAIT}"""
    )
    (found,) = run(text, [], ["v20"], scalars=scalars)
    assert (found == 0).all()


STORES = {"byte": (8, 0), "byte_d16_hi": (8, 16), "short": (16, 0), "short_d16_hi": (16, 16),
          "dword": (32, 0)}  # fmt: skip
ADDRESSES = {
    "buffer": "buffer_store_{} v10, v2, s[24:27], 0 offen offset:4",
    "global": "global_store_{} v2, v10, s[8:9] offset:4",
    "flat": "flat_store_{} v[4:5], v10 offset:4",
    "scratch": "scratch_store_{} v2, v10, off offset:4",
}


@pytest.mark.parametrize("family", ADDRESSES)
@pytest.mark.parametrize("width", STORES)
def test_stores_write_as_many_bits_as_they_say(family: str, width: str) -> None:
    """One word of lane 0, of which the low bits or those of the upper half go to memory."""
    bits, shift = STORES[width]
    scalars, data = words(226, 8)[None], words(227, 64)
    text = (
        DESCRIPTOR.format(bytes=32)
        + f"""
v_mov_b32 v2, 0
v_mov_b32 v4, s8
v_mov_b32 v5, s9
v_mov_b32 v21, 0x12345678
v_mov_b32 v20, 0
scratch_store_dword v2, v21, off offset:4
s_mov_b64 exec, 1
{WAIT}{ADDRESSES[family].format(width)}
{WAIT}{
            "scratch_load_dword v20, v2, off"
            if family == "scratch"
            else "global_load_dword v20, v2, s[8:9]"
        } offset:4
{WAIT}s_mov_b64 exec, -1
"""
    )
    (found,) = run(text, [data], ["v20"], scalars=scalars)
    old = 0x12345678 if family == "scratch" else int(scalars[0][1])
    mask = (1 << bits) - 1
    assert found[0] == old & ~mask | int(data[0]) >> shift & mask


ATOMICS_64 = {
    "add": lambda m, d: m + d, "sub": lambda m, d: m - d, "and": lambda m, d: m & d,
    "umax": max, "umin": min, "swap": lambda m, d: d, "xor": lambda m, d: m ^ d,
}  # fmt: skip
RETURNING = {
    "buffer": "buffer_atomic_{}_x2 v[10:11], off, s[24:27], 0 offset:8 sc0",
    "global": "global_atomic_{}_x2 v[10:11], v2, v[10:11], s[8:9] offset:8 sc0",
    "flat": "flat_atomic_{}_x2 v[10:11], v[4:5], v[10:11] offset:8 sc0",
}


@pytest.mark.parametrize("family", RETURNING)
@pytest.mark.parametrize("name", ATOMICS_64)
def test_atomics_of_64_bits(family: str, name: str) -> None:
    """By one lane: the old value comes back, and memory holds the new one."""
    scalars, data = words(228, 8)[None], [words(seed, 64) for seed in (229, 230)]
    text = (
        DESCRIPTOR.format(bytes=32)
        + f"""
v_mov_b32 v2, 0
v_mov_b32 v4, s8
v_mov_b32 v5, s9
v_mov_b32 v20, 0
v_mov_b32 v21, 0
s_mov_b64 exec, 1
{RETURNING[family].format(name)}
{WAIT}global_load_dwordx2 v[20:21], v2, s[8:9] offset:8
{WAIT}s_mov_b64 exec, -1
"""
    )
    found = run(text, data, ["v10", "v11", "v20", "v21"], scalars=scalars)[:, 0]
    old, new = (int(found[i]) | int(found[i + 1]) << 32 for i in (0, 2))
    memory = int(scalars[0][2]) | int(scalars[0][3]) << 32
    operand = int(data[0][0]) | int(data[1][0]) << 32
    assert (old, new) == (memory, ATOMICS_64[name](memory, operand) % 2**64)


def test_a_buffer_atomic_outside_gives_zero_in_both_words() -> None:
    text = (
        DESCRIPTOR.format(bytes=8)
        + f"""
buffer_atomic_cmpswap_x2 v[10:13], off, s[24:27], 0 offset:8 sc0
{WAIT}"""
    )
    data = [words(seed, 64) for seed in (231, 232, 233, 234)]
    assert (run(text, data, ["v10", "v11"]) == 0).all()


def test_offsets_and_sizes_of_32_bits_have_no_sign() -> None:
    """AMD CDNA4 ISA, 9.1.5.3: the offset is held against the size less the scalar offset.

    A size of 2^32 - 1 is no -1, that is to say no end at all; and two offsets of 2^31 are no 0.
    """
    scalars = words(235, 8)[None]
    text = (
        DESCRIPTOR.format(bytes=0xFFFFFFFF)
        + f"""
v_mov_b32 v2, -4
buffer_load_dword v20, v2, s[24:27], 0 offen
{WAIT}s_mov_b32 s26, 16
s_brev_b32 s28, 1
v_bfrev_b32 v3, 1
buffer_load_dword v21, v3, s[24:27], s28 offen
{WAIT}"""
    )
    assert (run(text, [], ["v20", "v21"], scalars=scalars) == 0).all()


@pytest.mark.parametrize("family", ["buffer", "global"])
@pytest.mark.parametrize("width", ["dword", "dwordx3", "dwordx4", "ubyte", "sshort"])
def test_loads_into_lds(family: str, width: str) -> None:
    """To M0 + offset + lane times the size (AMD CDNA4 ISA, 9.1.9); bytes take four."""
    words_each = WIDTHS.get(width, 1)
    scalars = words(222, 8 * 40).reshape(40, 8)
    source = scalars.reshape(-1)
    text = (
        "s_mov_b32 m0, 64\n"
        + DESCRIPTOR.format(bytes=1280)
        + f"""
v_sub_u32 v2, 63, v0
v_mul_u32_u24 v2, {4 * words_each}, v2
{
            "buffer_load_" + width + " v2, s[24:27], 0 offen offset:4 lds"
            if family == "buffer"
            else "global_load_lds_" + width + " v2, s[8:9] offset:4"
        }
{WAIT}v_mul_u32_u24 v3, {4 * words_each}, v0
ds_read_b32 v20, v3 offset:68
{WAIT}"""
    )
    # The harness reads the scalars of its own group only; the body sees the first row's address.
    (found,) = run(text, [np.zeros(64 * 32, np.uint32)], ["v20"], scalars=scalars)
    at = 1 + words_each * (63 - LANE)
    expected = source[at]
    if width == "ubyte":
        expected = expected & np.uint32(255)
    if width == "sshort":
        expected = extended(expected.astype(np.uint16).view(np.int16))
    assert (found[:64] == expected).all()


def test_scalar_buffer_loads_give_zero_outside() -> None:
    scalars = words(224, 8)[None]
    text = (
        DESCRIPTOR.format(bytes=12)
        + """
s_buffer_load_dwordx4 s[36:39], s[24:27], 0x4
s_waitcnt lgkmcnt(0)
"""
        + "\n".join(f"v_mov_b32 v{20 + i}, s{36 + i}" for i in range(4))
    )
    found = run(text, [], [f"v{20 + i}" for i in range(4)], scalars=scalars)
    assert found[:, 0].tolist() == [scalars[0][1], scalars[0][2], 0, 0]
