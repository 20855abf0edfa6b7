"""Conditional exchanges, counts and own words in LDS (AMD CDNA4 ISA, 12.13)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard

from .machine import run, words
from .test_memory import LANE, WAIT

M32 = (1 << 32) - 1
NAN, MINUS_ZERO = 0x7FC00001, 1 << 31


def mskor(memory: int, data: int, other: int) -> int:
    return memory & ~data | other


def wrap(memory: int, data: int, other: int) -> int:
    return (memory - data if memory >= data else memory + other) & M32


def cmpst_f32(memory: int, data: int, other: int) -> int:
    a, b = np.array([memory, data], np.uint32).view(np.float32)
    return other if a == b else memory


FORMS: dict[str, Callable[[int, int, int], int]] = {
    "ds_mskor_rtn_b32": mskor, "ds_wrap_rtn_b32": wrap, "ds_cmpst_rtn_f32": cmpst_f32,
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_words(name: str) -> None:
    """Four lanes share each word: they take turns, in the order of the lanes."""
    memory, data, other = (words(seed, 64) for seed in (720, 721, 722))
    memory[:8] = [1, NAN, 0, MINUS_ZERO, 0x3F800000, 0xFF800000, 5, 6]
    data[:16] = memory[LANE[:16] // 4]
    data[8:16] = [MINUS_ZERO, 0, NAN, 5, 0, MINUS_ZERO, NAN, 7]
    text = f"""v_lshlrev_b32 v2, 2, v0
ds_write_b32 v2, v10
v_and_b32 v3, 0x3c, v0
{WAIT}{name} v20, v3, v11, v12 offset:4
{WAIT}ds_read_b32 v21, v2
{WAIT}"""
    found = run(text, [memory, data, other], ["v20", "v21"])
    held, old = memory.tolist(), []
    for lane in range(64):
        at = lane // 4 + 1
        old.append(held[at])
        held[at] = FORMS[name](held[at], int(data[lane]), int(other[lane]))
    assert found[0].tolist() == old
    assert found[1].tolist() == held


def test_two_words_at_once() -> None:
    memory, data, other = (words(seed, 128).view(np.uint64) for seed in (723, 724, 725))
    memory[:4] = [0, 1 << 63, 0x3FF0000000000000, 0x7FF8000000000000]
    doubles = data.copy()
    doubles[:4] = [1 << 63, 0, 0x3FF0000000000000, 0x7FF8000000000000]
    parts = [
        half
        for value in (memory, data, other, doubles)
        for half in value.view(np.uint32).reshape(64, 2).T.copy()
    ]
    text = f"""v_lshlrev_b32 v2, 3, v0
ds_write_b64 v2, v[10:11]
{WAIT}ds_mskor_rtn_b64 v[20:21], v2, v[12:13], v[14:15]
ds_read_b64 v[22:23], v2
{WAIT}ds_write_b64 v2, v[10:11]
{WAIT}ds_cmpst_f64 v2, v[16:17], v[14:15]
ds_read_b64 v[24:25], v2
{WAIT}"""
    found = run(text, parts, [f"v{20 + i}" for i in range(6)]).T.copy().view(np.uint64)
    assert (found[:, 0] == memory).all()
    assert (found[:, 1] == (memory & ~data | other)).all()
    with np.errstate(invalid="ignore"):
        same = memory.view(np.float64) == doubles.view(np.float64)
    assert same[:3].all() and not same[3]
    assert (found[:, 2] == np.where(same, other, memory)).all()


def test_a_conditional_exchange_of_two_words() -> None:
    """Each word of DATA whose top bit is set replaces its word, without that bit."""
    memory, data = words(726, 128).reshape(64, 2), words(727, 128).reshape(64, 2)
    text = f"""v_lshlrev_b32 v2, 3, v0
ds_write_b64 v2, v[10:11]
v_or_b32 v3, 5, v2
{WAIT}ds_condxchg32_rtn_b64 v[20:21], v3, v[12:13] offset:2
ds_read_b64 v[22:23], v2
{WAIT}"""
    found = run(text, [*memory.T.copy(), *data.T.copy()], [f"v{20 + i}" for i in range(4)])
    assert (found[:2] == memory.T).all()
    replaced = np.where(data >> 31 == 1, data & 0x7FFFFFFF, memory)
    assert (found[2:] == replaced.T).all()


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("far", [1, 64])
def test_two_exchanges(bits: int, far: int) -> None:
    """At offset0 and offset1, in elements, or in 64 of them."""
    count = bits // 32
    a, b, c, d = (words(seed, 64 * count).reshape(count, 64) for seed in (728, 729, 730, 731))
    shift, unit = (2, 4) if bits == 32 else (3, 8)
    first, second, new, other = (
        f"v{at}" if count == 1 else f"v[{at}:{at + 1}]" for at in range(10, 10 + 4 * count, count)
    )
    result = f"v[20:{19 + 2 * count}]"
    text = f"""v_lshlrev_b32 v2, {shift}, v0
ds_write_b{bits} v2, {first} offset:{unit * far}
ds_write_b{bits} v2, {second} offset:{unit * far + 64 * unit}
{WAIT}ds_wrxchg2{"st64" if far == 64 else ""}_rtn_b{bits} {result}, v2, {new}, {other} \
offset0:1 offset1:{2 if far == 64 else 65}
{WAIT}ds_read_b{bits} v[{24 if count == 1 else "24:25"}], v2 offset:{unit * far}
ds_read_b{bits} v[{26 if count == 1 else "26:27"}], v2 offset:{unit * far + 64 * unit}
{WAIT}""".replace("v[24]", "v24").replace("v[26]", "v26")
    outputs = [f"v{20 + i}" for i in range(2 * count)] + [f"v{24 + i}" for i in range(count)]
    outputs += [f"v{26 + i}" for i in range(count)]
    found = run(text, [*a, *b, *c, *d], outputs)
    assert (found == np.concatenate([a, b, c, d])).all()


def test_the_lane_as_the_address() -> None:
    """M0[15:0] + offset + 4 times the lane; the upper half of M0 is not looked at."""
    data = words(732, 64)
    text = f"""s_mov_b32 m0, 0x50010
s_nop 0
ds_write_addtid_b32 v10 offset:8
v_lshlrev_b32 v2, 2, v0
{WAIT}ds_read_b32 v20, v2 offset:24
s_mov_b32 m0, 20
s_nop 0
ds_read_addtid_b32 v21 offset:4
{WAIT}"""
    found = run(text, [data], ["v20", "v21"])
    assert (found[0] == data).all() and (found[1] == data).all()


def test_counting_lanes() -> None:
    """40 lanes are added, of which each gets the count before; then 3 are taken away."""
    text = f"""s_mov_b32 m0, 0
v_mov_b32 v2, 5
ds_write_b32 v2, v2 offset:11
{WAIT}v_mov_b32 v20, 0
v_mov_b32 v21, 0
s_bfm_b64 exec, 40, 2
ds_append v20 offset:16
{WAIT}s_mov_b64 exec, 0xb0
ds_consume v21 offset:16
{WAIT}s_mov_b64 exec, -1
ds_read_b32 v22, v2 offset:11
{WAIT}"""
    found = run(text, [], ["v20", "v21", "v22"])
    assert found[0].tolist() == [5 if 2 <= lane < 42 else 0 for lane in range(64)]
    assert found[1].tolist() == [45 if lane in (4, 5, 7) else 0 for lane in range(64)]
    assert (found[2] == 42).all()


def test_a_count_whose_address_the_sources_do_not_agree_on_is_a_hazard() -> None:
    text = f"s_mov_b32 m0, 4\nv_mov_b32 v2, 0\nds_write_b64 v2, v[10:11]\n{WAIT}"
    text += f"ds_append v20\n{WAIT}"
    with pytest.raises(Hazard, match="M0 is not 0: the ISA leaves it out"):
        run(text, [words(733, 64), words(734, 64)], ["v20"])


@pytest.mark.parametrize("width", ["dword", "ubyte", "sshort"])
def test_scratch_to_lds(width: str) -> None:
    """To M0 + offset + 4 times the lane (AMD CDNA4 ISA, 9.1.9)."""
    data = words(735, 64)
    text = f"""scratch_store_dword off, v10, off offset:12
{WAIT}s_mov_b32 m0, 64
v_mov_b32 v3, 8
s_nop 0
scratch_load_lds_{width} v3, off offset:4
{WAIT}v_lshlrev_b32 v2, 2, v0
ds_read_b32 v20, v2 offset:68
{WAIT}"""
    (found,) = run(text, [data], ["v20"])
    low = data.astype(np.uint16).view(np.int16).astype(np.int32).view(np.uint32)
    expected = {"dword": data, "ubyte": data & 255, "sshort": low}[width]
    assert (found == expected).all()
