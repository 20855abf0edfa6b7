"""Stores and atomics of scalar memory (AMD CDNA4 ISA, chapter 12, SMEM) against Python integers."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.amdgcn.text.errors import AssemblyError
from lanemap.emulator.host.hazards import Hazard

from .machine import DESCRIPTOR, run, words
from .test_memory import ATOMICS, s32

WAIT = "s_waitcnt lgkmcnt(0)\n"
#: The eight words of the scalars, read back into v20..v27; and s16..s19 in v28..v31.
BACK = (
    "s_load_dwordx8 s[40:47], s[8:9], 0x0\n"
    + WAIT
    + "".join(
        f"v_mov_b32 v{20 + i}, s{register}\n"
        for i, register in enumerate([*range(40, 48), 16, 17, 18, 19])
    )
)
OUTPUTS = [f"v{20 + i}" for i in range(12)]
FORMS = {"global": ("s_{}", "s[8:9]"), "buffer": ("s_buffer_{}", "s[24:27]")}


def evaluate(body: str, scalars: np.ndarray, size: int = 32) -> list[int]:
    """Memory after the body, and s16..s19; EXEC is 0, which scalar memory ignores."""
    text = DESCRIPTOR.format(bytes=size)
    text += f"s_mov_b64 exec, 0\n{body}s_dcache_wb\n{WAIT}s_mov_b64 exec, -1\n"
    found = run(text + BACK, [], OUTPUTS, scalars=scalars[None])
    assert (found == found[:, :1]).all()
    return [int(word) for word in found[:, 0]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_stores(form: str, count: int) -> None:
    """At an SGPR, an immediate, both, and none; the two lowest bits of the place do not count."""
    name, base = FORMS[form]
    name = name.format("store_dword" + ("" if count == 1 else f"x{count}"))
    data = "s16" if count == 1 else f"s[16:{15 + count}]"
    scalars = words(700 + count, 8)
    for offset, first in (("", 0), (", 0x4", 1), (", s30", 2), (", s30 offset:0x7", 3)):
        body = f"s_mov_b32 s30, 8\n{name} {data}, {base}{offset}\n"
        memory = scalars.tolist()
        memory[first : first + count] = scalars[:count].tolist()
        assert evaluate(body, scalars)[:8] == memory


def wide(values: list[int]) -> int:
    return values[0] | values[1] << 32


def s64(x: int) -> int:
    return x - (1 << 64) if x >> 63 else x


ATOMICS_64 = dict(ATOMICS) | {
    "smin": lambda m, d: min(m, d, key=s64),
    "smax": lambda m, d: max(m, d, key=s64),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ATOMICS)
def test_atomics(form: str, name: str) -> None:
    """Of 32 and of 64 bits; the old value comes back with glc alone."""
    text, base = FORMS[form]
    assert s32(1 << 31) < 0
    for seed, glc in ((710, ""), (711, " glc"), (712, " glc")):
        scalars = words(seed, 8)
        memory, registers = scalars.tolist(), scalars[:4].tolist()
        old, new = memory[3], ATOMICS[name](memory[3], registers[0]) & (1 << 32) - 1
        body = f"{text.format('atomic_' + name)} s16, {base}, 0xc{glc}\n"
        expected = memory[:3] + [new] + memory[4:] + [old if glc else registers[0]] + registers[1:]
        assert evaluate(body, scalars) == expected
        before, operand = wide(memory[6:8]), wide(registers[2:4])
        after = ATOMICS_64[name](before, operand) & (1 << 64) - 1
        body = f"{text.format('atomic_' + name)}_x2 s[18:19], {base}, 0x18{glc}\n"
        returned = memory[6:8] if glc else registers[2:4]
        expected = [*memory[:6], after & (1 << 32) - 1, after >> 32, *registers[:2], *returned]
        assert evaluate(body, scalars) == expected


@pytest.mark.parametrize("form", FORMS)
def test_compare_and_swap(form: str) -> None:
    """DATA is the new value, and behind it what is compared; the second register stays."""
    text, base = FORMS[form]
    name = text.format("atomic_cmpswap")
    for compared, new in ((7, 5), (8, 7)):
        scalars = np.array([7, 0, 0, 0, 0, 0, 0, 0], np.uint32)
        body = f"s_mov_b32 s16, 5\ns_mov_b32 s17, {compared}\n{name} s[16:17], {base}, 0x0 glc\n"
        assert evaluate(body, scalars) == [new, *[0] * 7, 7, compared, 0, 0]
        scalars = np.array([7, 9, 0, 0, 0, 0, 0, 0], np.uint32)
        data = f"s_mov_b64 s[16:17], 5\ns_mov_b32 s18, {compared}\ns_mov_b32 s19, 9\n"
        expected = [5, 0] if compared == 7 else [7, 9]
        body = f"{data}{name}_x2 s[16:19], {base} glc\n"
        assert evaluate(body, scalars) == [*expected, *[0] * 6, 7, 9, compared, 9]


def test_nothing_is_stored_outside_a_buffer() -> None:
    """AMD CDNA4 ISA, 8.4: of four words the last lies outside; atomics there do nothing."""
    scalars = words(713, 8)
    body = """s_buffer_store_dwordx4 s[16:19], s[24:27], 0x14
s_buffer_atomic_add s16, s[24:27], 0x1c
s_buffer_atomic_add_x2 s[16:17], s[24:27], 0x18
"""
    found = evaluate(body, scalars, size=28)
    assert found[:8] == [*scalars[:5].tolist(), *scalars[:2].tolist(), int(scalars[7])]


def test_an_offset_beyond_2_gb_lies_outside_a_buffer_of_2_gb() -> None:
    """8.4: a load there gives 0."""
    body = """s_mov_b32 s26, 0x80000000
s_mov_b32 s30, 0x80000000
s_buffer_load_dword s16, s[24:27], s30
s_buffer_load_dword s17, s[24:27], 0x4
"""
    scalars = words(713, 8)
    assert evaluate(body, scalars)[8:10] == [0, scalars[1]]


def test_parts_of_a_buffer_s_address_are_rounded_down_each() -> None:
    scalars = words(714, 8)
    for low in range(4):
        body = f"s_mov_b32 s30, {4 | low}\ns_buffer_load_dword s17, s[24:27], s30 offset:0x6\n"
        assert evaluate(body, scalars)[9] == scalars[2]


def test_a_base_is_a_multiple_of_4_and_a_stride_has_14_bits() -> None:
    """AMD CDNA4 ISA, 8.2.1.2: with a stride the size counts records, without one bytes."""
    scalars = words(715, 8)
    loads = "s_buffer_load_dword s16, s[24:27], 0x0\ns_buffer_load_dword s17, s[24:27], {at}\n"
    base = f"s_add_u32 s24, s24, 7\n{loads.format(at='0x4')}"
    assert evaluate(base, scalars)[8:10] == scalars[1:3].tolist()
    plain = "s_add_u32 s30, s8, 7\ns_addc_u32 s31, s9, 0\ns_load_dword s16, s[30:31], 0x4\n"
    assert evaluate(plain, scalars)[8] == scalars[2]
    for stride, records, inside in ((8, 2, 0xC), (9, 1, 4), (0x2001, 1, 0x1C), (0, 16, 0xC)):
        head = f"s_or_b32 s25, s25, {stride << 16:#x}\ns_mov_b32 s26, {records}\n"
        found = evaluate(head + loads.format(at=f"{inside:#x}"), scalars)
        assert found[8:10] == [scalars[0], scalars[inside // 4]]
        if inside < 0x1C:
            found = evaluate(head + loads.format(at=f"{inside + 4:#x}"), scalars)
            assert found[8:10] == [scalars[0], 0]


def test_what_a_buffer_s_store_wrote_stays_in_the_scalar_cache_until_it_is_written_back() -> None:
    """Each of its words is an access of its own, and all of them are kept."""
    for word, count in ((0, 1), (0, 2), (1, 2), (3, 4)):
        data = {1: "dword s16", 2: "dwordx2 s[16:17]", 4: "dwordx4 s[16:19]"}[count]
        body = f"s_buffer_store_{data}, s[24:27], 0x0\n{WAIT}v_mov_b32 v2, 0\n"
        body += f"global_load_dword v20, v2, s[8:9] offset:{4 * word}\ns_waitcnt vmcnt(0)\n"
        text = DESCRIPTOR.format(bytes=32) + body
        with pytest.raises(Hazard, match="s_dcache_wb"):
            run(text, [], ["v20"], scalars=words(713, 8)[None])
        run(text.replace(WAIT, "s_dcache_wb\n" + WAIT), [], ["v20"], scalars=words(713, 8)[None])


def test_what_an_atomic_returns_outside_a_buffer_is_a_hazard() -> None:
    body = "s_buffer_atomic_add s16, s[24:27], 0x1c glc\n"
    evaluate(body, words(713, 8), size=32)
    with pytest.raises(Hazard, match="lies outside the buffer of its descriptor"):
        evaluate(body, words(713, 8), size=31)


def test_parts_of_an_address_are_rounded_down_each() -> None:
    """AMD CDNA4 ISA, 8.2.1.1: 7 and 6 are 4 and 4; of scratch a register counts 64 bytes."""
    scalars = words(714, 8)
    found = evaluate("s_mov_b32 s30, 7\ns_load_dword s17, s[8:9], s30 offset:0x6\n", scalars)
    assert found[9] == scalars[2]
    found = evaluate("s_mov_b32 s30, 7\ns_atomic_or s17, s[8:9], s30 offset:0x6 glc\n", scalars)
    assert found[9] == scalars[2]
    body = """s_sub_u32 s32, s8, 0xf0
s_subb_u32 s33, s9, 0
s_mov_b32 s30, 6
s_scratch_store_dwordx2 s[18:19], s[32:33], s30 offset:0x4
s_scratch_load_dword s16, s[8:9], 0xc
"""
    found = evaluate(body, scalars)
    assert found[:8] == [*scalars[:5].tolist(), *scalars[2:4].tolist(), int(scalars[7])]
    assert found[8] == scalars[3]


def test_data_in_m0_or_exec_is_refused() -> None:
    for register in ("m0", "exec_lo"):
        with pytest.raises(AssemblyError, match="cannot hold the data"):
            run(f"s_store_dword {register}, s[8:9]\n", [], ["v0"])


# -- between workgroups ----------------------------------------------------------------------------

#: Each of the groups takes a ticket, as hipBLASLt's kernels do; the last one to come adds the words
#: of all.
LAST_COMES = """
s_lshl_b32 s30, s2, 2
s_add_u32 s31, s2, 1
s_store_dword s31, s[8:9], s30 offset:0x8 glc
s_waitcnt lgkmcnt(0)
s_dcache_wb
s_waitcnt lgkmcnt(0)
buffer_wbl2 sc1
s_waitcnt vmcnt(0)
s_mov_b32 s32, {last}
s_atomic_dec s32, s[8:9],  glc
s_waitcnt lgkmcnt(0)
buffer_inv sc1
v_mov_b32 v20, 0
s_cmp_eq_u32 s32, 1
s_cbranch_scc0 DONE
s_load_dwordx4 s[40:43], s[8:9], 0x8 glc
s_waitcnt lgkmcnt(0)
s_add_u32 s40, s40, s41
s_add_u32 s40, s40, s42
s_add_u32 s40, s40, s43
v_mov_b32 v20, s40
DONE:
"""


#: Two waves; each stores a word of its own by a scalar store, and 64 by vector stores.
BESIDE = """
v_lshrrev_b32_e32 v2, 6, v0
s_nop 1
v_readfirstlane_b32 s28, v2
s_lshl_b32 s29, s28, 2
s_add_u32 s30, s28, 7
{first}
v_lshlrev_b32_e32 v3, 2, v0
global_store_dword v3, v0, s[4:5]
s_barrier
v_xor_b32_e32 v3, 0x100, v3
global_load_dword v20, v3, s[4:5]
s_waitcnt vmcnt(0) lgkmcnt(0)
s_dcache_wb
"""


@pytest.mark.parametrize("scalar", [
    "s_store_dword s30, s[8:9], s29", "s_store_dword s30, s[8:9], s29 offset:0x0 glc",
    "s_atomic_add s30, s[8:9], s29 offset:0x0 glc", "s_buffer_store_dword s30, s[24:27], s29",
])  # fmt: skip
def test_a_scalar_store_in_flight_holds_up_no_other_access(scalar: str) -> None:
    """At the barrier it is outstanding; that says nothing of the vector stores before or after."""
    found = beside(scalar)
    assert found.tolist() == (np.arange(128) ^ 64).tolist()


def beside(scalar: str) -> np.ndarray:
    """What each work-item of two waves reads of the other wave's vector stores."""
    import lanemap

    from .machine import kernel

    device = lanemap.open_device("gfx950", device="emulator")
    text = DESCRIPTOR.format(bytes=32) + BESIDE.format(first=scalar)
    module = device.load(kernel(text, 0, ["v20"], 128))
    given, out = device.zeros(128, np.uint32), device.zeros(128, np.uint32)
    module["k"]((1, 1, 1), (128, 1, 1), (given, out, device.zeros(8, np.uint32)))
    return np.asarray(out.get())


def test_the_last_of_four_groups_finds_what_the_others_stored() -> None:
    """The counter begins at 4, so that one group alone sees 1; 1 + 2 + 3 + 4 = 10."""
    scalars = np.zeros((4, 8), np.uint32)
    scalars[0, 0] = 4
    text = LAST_COMES.format(last=3)
    (found,) = run(text, [np.zeros(256, np.uint32)], ["v20"], scalars=scalars)
    assert sorted({int(x) for x in found}) == [0, 10] and (found == 10).sum() == 64
