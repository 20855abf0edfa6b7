"""What vmcnt and lgkmcnt count: one for each access, in the order in which accesses were issued.

AMD CDNA4 ISA, 4.4: a result may be used when as few accesses are outstanding as were issued after
its own. Stores and atomics without a result count like loads.
"""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard

from .machine import DESCRIPTOR, run

WAIT = "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
#: v2: 16 bytes of LDS and scratch of each lane; v3: 0; v[4:5]: memory; v[12:15]: data.
PREPARE = (
    DESCRIPTOR.format(bytes=32)
    + f"""
v_lshlrev_b32 v2, 4, v0
v_mov_b32 v3, 0
v_mov_b32 v4, s8
v_mov_b32 v5, s9
v_mov_b32 v12, 0
v_mov_b32 v13, 0
v_mov_b32 v14, 0
v_mov_b32 v15, 0
s_mov_b32 m0, 0x8000
s_nop 0
ds_write_addtid_b32 v12
ds_write_b128 v2, v[12:15]
scratch_store_dwordx4 off, v[12:15], off
{WAIT}"""
)

LDS_STORES = [
    "ds_write_b8 v2, v12", "ds_write_b16 v2, v12", "ds_write_b8_d16_hi v2, v12",
    "ds_write_b16_d16_hi v2, v12", "ds_write_b32 v2, v12", "ds_write_b64 v2, v[12:13]",
    "ds_write_b96 v2, v[12:14]", "ds_write_b128 v2, v[12:15]",
    "ds_write2_b32 v2, v12, v13 offset0:0 offset1:1", "ds_add_u32 v2, v12",
    "ds_max_f64 v2, v[12:13]",
    "ds_cmpst_b32 v2, v12, v13", "ds_cmpst_b64 v2, v[12:13], v[14:15]", "ds_xor_b64 v2, v[12:13]",
    "ds_write_addtid_b32 v12", "ds_mskor_b32 v2, v12, v13", "ds_cmpst_f64 v2, v[12:13], v[14:15]",
]  # fmt: skip
VECTOR_STORES = [
    *(f"global_store_{n} v2, v12, s[6:7]" for n in ("byte", "short", "short_d16_hi", "dword")),
    "global_store_dwordx4 v2, v[12:15], s[6:7]", "global_atomic_add v3, v12, s[8:9]",
    "global_atomic_cmpswap_x2 v3, v[12:15], s[8:9]", "global_atomic_add_f64 v3, v[12:13], s[8:9]",
    *(f"scratch_store_{n} off, v12, off offset:4" for n in ("byte", "byte_d16_hi", "dword")),
    "scratch_store_dwordx3 off, v[12:14], off",
    *(f"buffer_store_{n} v12, off, s[24:27], 0" for n in ("byte", "short_d16_hi", "dword")),
    "buffer_store_dwordx2 v[12:13], off, s[24:27], 0", "buffer_atomic_umax v12, off, s[24:27], 0",
    "buffer_load_dword v3, s[24:27], 0 offen lds", "global_load_lds_dword v3, s[8:9]",
    "tbuffer_store_format_x v12, off, s[24:27], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT]",
]  # fmt: skip
# One lane stores, because lanes that store to one place without order would be a race.
ONE_LANE = "s_mov_b64 exec, 1\n"
READ = {
    "lgkmcnt": ("ds_read_b32 v20, v2", LDS_STORES),
    "vmcnt": ("global_load_dword v20, v3, s[8:9]", VECTOR_STORES),
}
CASES = [(counter, store) for counter, (_, stores) in READ.items() for store in stores]
TOO_EARLY = "`v_mov_b32 v21, v20`: v20 is accessed while .* has it pending"


def execute(body: str) -> None:
    """Run a body; the harness's output is 1 KB, which stores to it need."""
    text = f"{PREPARE}v_mov_b32 v21, 0\n{ONE_LANE}{body}\n{WAIT}s_mov_b64 exec, -1\n"
    run(text, [np.zeros(64, np.uint32)], ["v21"] * 4, scalars=np.zeros((1, 8), np.uint32))


@pytest.mark.parametrize(("counter", "store"), CASES)
def test_a_store_is_one_access_more_that_may_be_outstanding(counter: str, store: str) -> None:
    body = f"{READ[counter][0]}\n{store}\ns_waitcnt {counter}({{}})\nv_mov_b32 v21, v20"
    execute(body.format(1))
    with pytest.raises(Hazard, match=TOO_EARLY):
        execute(body.format(2))


LDS_LOADS = [
    *(f"ds_read_{n} v20, v2" for n in ("u8", "i8", "u16", "i16", "u8_d16", "u16_d16_hi", "b32")),
    "ds_read_b64 v[20:21], v2", "ds_read_b96 v[18:20], v2", "ds_read_b128 v[20:23], v2",
    "ds_read2_b32 v[20:21], v2 offset1:1", "ds_add_rtn_u32 v20, v2, v12",
    "ds_max_rtn_i64 v[20:21], v2, v[12:13]", "ds_cmpst_rtn_b32 v20, v2, v12, v13",
    "ds_bpermute_b32 v20, v2, v12", "ds_swizzle_b32 v20, v12 offset:0x8001",
    "ds_read_addtid_b32 v20", "ds_mskor_rtn_b32 v20, v2, v12, v13",
    "ds_condxchg32_rtn_b64 v[20:21], v2, v[12:13]",
]  # fmt: skip
VECTOR_LOADS = [
    *(f"global_load_{n} v20, v3, s[8:9]" for n in ("ubyte", "sshort", "short_d16_hi", "dword")),
    "global_load_dwordx3 v[18:20], v3, s[8:9]", "global_atomic_sub v20, v3, v12, s[8:9] sc0",
    "global_atomic_swap_x2 v[20:21], v3, v[12:13], s[8:9] sc0",
    *(f"scratch_load_{n} v20, off, off" for n in ("sbyte", "ubyte_d16", "dword")),
    "scratch_load_dwordx4 v[20:23], off, off",
    *(f"buffer_load_{n} v20, off, s[24:27], 0" for n in ("ushort", "sbyte_d16_hi", "dword")),
    "buffer_load_dwordx4 v[20:23], off, s[24:27], 0",
    "buffer_atomic_or v12, off, s[24:27], 0 sc0\nv_mov_b32 v20, v12",
    "tbuffer_load_format_x v20, off, s[24:27], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT]",
]  # fmt: skip
LOADS = [("lgkmcnt", load) for load in LDS_LOADS] + [("vmcnt", load) for load in VECTOR_LOADS]


@pytest.mark.parametrize(("counter", "load"), LOADS)
def test_a_result_is_there_once_its_counter_says_so(counter: str, load: str) -> None:
    load, _, use = load.partition("\n")
    use = use or "v_mov_b32 v21, v20"
    execute(f"{load}\ns_waitcnt {counter}(0)\n{use}")
    other = "vmcnt" if counter == "lgkmcnt" else "lgkmcnt"
    for wait in (f"{counter}(1)", f"{other}(0)"):
        with pytest.raises(Hazard, match=f"`{use}`: .* has it pending"):
            execute(f"{load}\ns_waitcnt {wait}\n{use}")


FLAT = ["flat_load_dword v20, v[4:5]", "flat_load_ubyte v20, v[4:5]",
        "flat_load_sbyte_d16 v20, v[4:5]", "flat_atomic_add v20, v[4:5], v12 sc0"]  # fmt: skip


@pytest.mark.parametrize("load", FLAT)
def test_a_flat_access_counts_on_both_and_ends_in_no_order(load: str) -> None:
    """AMD CDNA4 ISA, 4.4 and 10.2: LDS and memory answer a flat access at times of their own.

    So only a count of 0 says anything of it, or of what shares a counter with it.
    """
    use = "v_mov_b32 v21, v20"
    execute(f"{load}\ns_waitcnt vmcnt(0) lgkmcnt(0)\n{use}")
    for short in ("lgkmcnt(0)", "vmcnt(0)", "vmcnt(0) lgkmcnt(1)"):
        with pytest.raises(Hazard, match=TOO_EARLY):
            execute(f"{load}\nds_read_b32 v22, v2\ns_waitcnt {short}\n{use}")
    after = "global_load_dword v22, v3, s[8:9]\ns_waitcnt vmcnt(1) lgkmcnt(0)"
    with pytest.raises(Hazard, match=TOO_EARLY):
        execute(f"{load}\n{after}\n{use}")
    flat = load.replace("v20", "v22")
    for counter, (first, _) in READ.items():
        other = "vmcnt(0)" if counter == "lgkmcnt" else "lgkmcnt(0)"
        execute(f"{first}\n{flat}\ns_waitcnt {counter}(0) {other}\n{use}")
        with pytest.raises(Hazard, match=TOO_EARLY):
            execute(f"{first}\n{flat}\ns_waitcnt {counter}(1)\n{use}")


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 40, 62])
def test_vmcnt_has_six_bits(count: int) -> None:
    """Bits 3:0 and 15:14 of the immediate, however the text writes it."""
    first, other = "global_load_dword v20, v3, s[8:9]\n", "scratch_load_dword v22, off, off\n"
    bits = 0x0F70 | count & 15 | count >> 4 << 14
    for wait in (f"vmcnt({count})", f"{bits:#x}"):
        execute(f"{first}{other * count}s_waitcnt {wait}\nv_mov_b32 v21, v20")
        if count:
            with pytest.raises(Hazard, match=TOO_EARLY):
                execute(f"{first}{other * (count - 1)}s_waitcnt {wait}\nv_mov_b32 v21, v20")


def test_a_full_field_waits_for_nothing() -> None:
    load = "global_load_dword v20, v3, s[8:9]\nds_read_b32 v22, v2\n"
    for field, register in (("vmcnt(63) lgkmcnt(0)", "v20"), ("vmcnt(0) lgkmcnt(15)", "v22")):
        with pytest.raises(Hazard, match=f"{register} is accessed while"):
            execute(f"{load}s_waitcnt {field}\nv_mov_b32 v21, {register}")


FULL = {"lgkmcnt": 15, "vmcnt": 63}
USE = "v_mov_b32 v21, v20\n"
FULL_CASES = [
    (counter, younger)
    for counter, full in FULL.items()
    for younger in (3, full - 1, full, full + 1, full + 25)
]


def between(counter: str, younger: int, how: str) -> str:
    """A read of v20 and `younger` of v22: at once, after a wait for nothing, or in a loop."""
    first = READ[counter][0] + "\n"
    other = first.replace("v20", "v22")
    if how == "straight":
        return first + other * younger
    if how == "split":
        half = younger // 2
        return first + other * half + "s_waitcnt expcnt(0)\n" + other * (younger - half)
    loop = "s_sub_u32 s30, s30, 1\ns_cmp_lg_u32 s30, 0\ns_cbranch_scc1 again\n"
    return f"{first}s_movk_i32 s30, {younger}\nagain:\n{other}{loop}"


@pytest.mark.parametrize("how", ["straight", "split", "loop"])
@pytest.mark.parametrize(("counter", "younger"), FULL_CASES)
def test_a_full_counter_stalls_what_would_exceed_it(counter: str, younger: int, how: str) -> None:
    """ROCm/rocm-systems#11202: after 15 younger LDS operations, or 63 vector ones, it is there.

    A full field of s_waitcnt asks for no wait, so that it neither helps nor harms.
    """
    full = FULL[counter]
    for wait in ("", f"s_waitcnt {counter}({full})\n"):
        body = f"{between(counter, younger, how)}{wait}{USE}"
        if younger >= full:
            execute(body)
            continue
        with pytest.raises(Hazard, match=TOO_EARLY):
            execute(body)


@pytest.mark.parametrize(("counter", "full"), FULL.items())
def test_what_would_exceed_a_counter_reads_its_operands_after_the_stall(
    counter: str, full: int
) -> None:
    """The result is an address (0) or data of the operation that is not issued before."""
    first = READ[counter][0] + "\n"
    other = first.replace("v20", "v22")
    user = "ds_write_b32 v2, v20" if counter == "lgkmcnt" else "scratch_store_dword off, v20, off"
    execute(first + other * (full - 1) + user)
    with pytest.raises(Hazard, match="v20 is accessed while"):
        execute(first + other * (full - 2) + user)


def test_each_counter_is_full_by_itself() -> None:
    """70 vector loads say nothing of an LDS read, nor 20 LDS reads of a vector load."""
    vector, local = READ["vmcnt"][0] + "\n", READ["lgkmcnt"][0] + "\n"
    for first, others in ((local, vector * 70), (vector, local * 20)):
        with pytest.raises(Hazard, match=TOO_EARLY):
            execute(first + others.replace("v20", "v22") + USE)


@pytest.mark.parametrize("younger", [14, 15, 40])
def test_scalar_loads_return_in_no_order(younger: int) -> None:
    """However many follow, the first may be the last; only LDS reads fill the counter."""
    scalar = [f"s_load_dword s{40 + i}, s[8:9], 0x0\n" for i in range(younger)]
    with pytest.raises(Hazard, match="s30 is accessed while"):
        execute(f"s_load_dword s30, s[8:9], 0x0\n{''.join(scalar)}v_mov_b32 v21, s30")
    first = READ["lgkmcnt"][0] + "\n"
    other = first.replace("v20", "v22")
    for body in (f"{first}{''.join(scalar)}", f"{scalar[0]}{first}{scalar[1]}{other * 14}"):
        with pytest.raises(Hazard, match=TOO_EARLY):
            execute(body + USE)
    execute(f"{scalar[0]}{first}{scalar[1]}{other * 15}{USE}")


@pytest.mark.parametrize("count", [1, 7, 8, 14])
def test_lgkmcnt_has_four_bits(count: int) -> None:
    reads = "ds_read_b32 v20, v2\n" + "ds_read_b32 v22, v2\n" * count
    execute(f"{reads}s_waitcnt {0xC07F | count << 8:#x}\nv_mov_b32 v21, v20")
    fewer = "".join(reads.splitlines(keepends=True)[:-1])
    with pytest.raises(Hazard, match=TOO_EARLY):
        execute(f"{fewer}s_waitcnt lgkmcnt({count})\nv_mov_b32 v21, v20")
