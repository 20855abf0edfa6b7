"""What gfx90a has that later targets have not, and what it lacks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.errors import UserError
from lanemap.model import variant

from .clang import C, assemble, compile_source
from .clang import run as run_clang
from .machine import run, words
from .test_matrix import element_bits, in_registers, outputs, registers_of, text


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("v_mfma_f32_16x16x32_fp8_fp8 v[20:23], v[24:25], v[26:27], 0", "gfx90a has no v_mfma"),
        ("v_mfma_f32_16x16x16_f16 v[20:23], v[24:25], v[26:27], 0", "gfx90a has no v_mfma"),
        ("v_cvt_pk_fp8_f32 v20, v10, v10", "gfx90a has no v_cvt_pk_fp8_f32"),
        ("v_smfmac_f32_16x16x32_f16 v[20:23], v[24:25], v[26:29], v30", "gfx90a has no v_smfmac"),
        ("v_mov_b64 v[20:21], v[10:11]", "gfx90a has no v_mov_b64"),
        ("buffer_inv sc1", "gfx90a has no"),
        (
            "global_load_dword v20, v[10:11], off sc0",
            "no sc0; its bits of caches are glc, scc",
        ),
    ],
)
def test_what_later_targets_have_is_refused(line: str, sentence: str) -> None:
    assert 0 in assemble([line], "gfx90a")[1] and not assemble([line], "gfx942")[1]
    with pytest.raises(UserError, match=sentence):
        run(line, [words(1)], [], target="gfx90a")


@pytest.mark.parametrize(
    "line",
    [
        "v_mad_f32 v20, v10, v10, v10",
        "buffer_wbinvl1_vol",
        "v_mfma_f32_16x16x8bf16 v[20:23], v24, v25, 0",
        "v_mfma_i32_16x16x16i8 v[20:23], v24, v25, 0",
        "global_load_dword v20, v[10:11], off glc slc scc",
    ],
)
def test_what_gfx90a_has_is_refused_later(line: str) -> None:
    assert not assemble([line], "gfx90a")[1] and 0 in assemble([line], "gfx942")[1]
    with pytest.raises(UserError):
        run(line, [words(1)], [], target="gfx942")


def test_mad_rounds_twice_and_knows_no_subnormals() -> None:
    rng = np.random.default_rng(2)
    a, b, c = (rng.normal(size=256).astype(np.float32) for _ in range(3))
    a[:64] *= np.float32(1e-30)
    b[:32] *= np.float32(1e-12)
    a[64:80] = np.float32(1e-40)

    def flushed(x: Any) -> Any:
        return np.where(np.abs(x) < np.float32(2.0**-126), np.float32(0) * x, x).astype(np.float32)

    c[:16] = 0
    product = flushed(flushed(a) * flushed(b))
    wanted = flushed(product + flushed(c))
    body = (
        "v_mad_f32 v20, v10, v11, v12\nv_mov_b32 v21, v12\nv_mac_f32 v21, v10, v11\n"
        "v_madak_f32 v22, v10, v11, 0x3f000000"
    )
    mad, mac, madak = run(body, [a, b, c], ["v20", "v21", "v22"], target="gfx90a")
    np.testing.assert_array_equal(mad.view(np.float32), wanted)
    np.testing.assert_array_equal(mac, mad)
    half = flushed(product + np.float32(0.5))
    np.testing.assert_array_equal(madak.view(np.float32), half)
    assert (wanted != a.astype(np.float64) * b + c).any()


def test_one_name_is_another_instruction_later() -> None:
    """v_mfma_f32_32x32x4bf16: one product of K 4 here, two on gfx942, whose name ends in _1k."""
    line = "v_mfma_f32_32x32x4bf16 v[60:75], v10, v18, v[26:41]"
    assert not assemble([line], "gfx90a")[1] and 0 in assemble([line], "gfx942")[1]
    wide = "v_mfma_f32_32x32x4bf16{} v[60:91], v[10:11], v[18:19], v[26:57]"
    assert not assemble([wide.format("_1k")], "gfx90a")[1]
    assert not assemble([wide.format("")], "gfx942")[1]
    for target, product in (("gfx90a", wide.format("_1k")), ("gfx942", wide.format(""))):
        body = f"s_nop 8\n{product}\ns_nop 15\ns_nop 15"
        zeros = [np.zeros(64, np.uint32)] * 48
        assert not run(body, zeros, ["v60", "v91"], target=target).any()


@pytest.mark.parametrize("name", ["v_mfma_i32_16x16x16i8", "v_mfma_i32_32x32x8i8"])
def test_bytes_are_multiplied_as_numpy_does(name: str) -> None:
    maps = {x: variant(f"{name}:{x}").map for x in "ABD"}
    registers = (registers_of(name, "A"), registers_of(name, "B"), registers_of(name, "D"))
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-128, 128, maps[x].source.sizes[:-1]).astype(np.int8) for x in "AB")
    c = rng.integers(-1000, 1000, maps["D"].source.sizes[:-1]).astype(np.int32)
    given = np.zeros((48, 64), np.uint32)
    for matrix, x, first in ((a, "A", 0), (b, "B", 8), (c, "D", 16)):
        held = in_registers(matrix, maps[x])
        given[first : first + len(held)] = held
    found = run(text(name, registers), list(given), outputs(registers[2]), target="gfx90a")
    d = element_bits(found, maps["D"]).astype(np.uint32).view(np.int32)
    np.testing.assert_array_equal(d, a.astype(np.int32) @ b.astype(np.int32) + c)


SCRATCH = """
__attribute__((amdgpu_kernel)) void k(__attribute__((address_space(1))) int *out, int n) {
  int me = __builtin_amdgcn_workitem_id_x(), held[64];
  for (int i = 0; i < FILLED; i++) held[i] = me * 100 + i * n;
  out[me] = held[INDEX];
}
"""


def launch_scratch(filled: int, index: str) -> Any:
    """What a kernel makes that keeps an array of 64 words in scratch, n = 3."""
    text = SCRATCH.replace("FILLED", str(filled)).replace("INDEX", index)
    device = lanemap.open_device("MI250X", device="emulator")
    written = run_clang([*C, "-mcpu=gfx90a", "-O1", "-S", "-", "-o", "-"], text).stdout
    assert "s_add_u32 s0, s0, s" in written and re.search(
        r"buffer_store_dword v\d+, .*s\[", written
    )
    out = device.zeros(64, np.int32)
    device.load(written)["k"]((1, 1, 1), (64, 1, 1), (out, np.int32(3)))
    return out.get()


def test_scratch_lies_behind_a_swizzled_buffer() -> None:
    me = np.arange(64)
    np.testing.assert_array_equal(
        launch_scratch(64, "(me + n) & 63"), me * 100 + 3 * ((me + 3) & 63)
    )


def test_scratch_that_nothing_wrote_and_beyond_its_end() -> None:
    with pytest.raises(Hazard) as caught:
        launch_scratch(60, "(me + n) & 63")
    assert caught.value.kind == "undefined"
    with pytest.raises(Hazard) as caught:
        launch_scratch(64, "me + 3000 * n")
    assert caught.value.kind == "out-of-bounds"


BESIDE_SCRATCH = """
__attribute__((amdgpu_kernel)) void k(__attribute__((address_space(1))) int *out, int n) {
  int me = __builtin_amdgcn_workitem_id_x(), held[64];
  __amdgpu_buffer_rsrc_t words =
      __builtin_amdgcn_make_buffer_rsrc((void *)out, 0, 128, 0x00027000);
  for (int i = 0; i < 64; i++) held[i] = me * 100 + i * n;
  __builtin_amdgcn_raw_buffer_store_b32(held[(me + n) & 63], words, 4 * me, 0, 0);
  out[64 + me] = __builtin_amdgcn_raw_buffer_load_b32(words, 4 * me, 0, 0);
}
"""


def test_a_plain_buffer_is_none_of_scratch_in_a_kernel_that_has_both() -> None:
    """Its 128 bytes are the words of 32 lanes; a load of the others is 0, a store nothing."""
    written = run_clang([*C, "-mcpu=gfx90a", "-O1", "-S", "-", "-o", "-"], BESIDE_SCRATCH).stdout
    device = lanemap.open_device("gfx90a", device="emulator")
    out = device.array(np.full(128, -1, np.int32))
    device.load(written)["k"]((1, 1, 1), (64, 1, 1), (out, np.int32(3)))
    me = np.arange(32)
    held = me * 100 + 3 * (me + 3)
    expected = [*held, *[-1] * 32, *held, *[0] * 32]
    np.testing.assert_array_equal(out.get(), expected)


def test_another_swizzled_buffer_is_refused() -> None:
    body = "s_mov_b32 s25, 0x80000000\ns_mov_b32 s26, -1\ns_mov_b32 s27, 0\ns_mov_b32 s24, 0\n"
    with pytest.raises(Hazard, match="asks for swizzled addresses"):
        run(f"{body}buffer_load_dword v20, off, s[24:27], 0", [words(1)], [], target="gfx90a")


FLAG = """
typedef __attribute__((address_space(1))) int *Words;
__attribute__((amdgpu_kernel)) void k(Words data, Words flag, Words out) {
  if (__builtin_amdgcn_workgroup_id_x() == 0) {
    data[0] = 42;
    __scoped_atomic_store_n(flag, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  } else {
    while (!__scoped_atomic_load_n(flag, ORDER, __MEMORY_SCOPE_DEVICE));
    out[0] = data[0];
  }
}
"""


@pytest.mark.parametrize("order", ["__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED"])
def test_a_release_to_the_agent_is_a_wait(order: str, tmp_path: Path) -> None:
    """As clang writes it: no write-back, and buffer_wbinvl1_vol acquires."""
    source = tmp_path / "k.c"
    source.write_text(FLAG.replace("ORDER", order))
    written = compile_source(source, "-O2", target="gfx90a")
    assert "buffer_wbl2" not in written and ("wbinvl1_vol" in written) == (
        order != "__ATOMIC_RELAXED"
    )
    device = lanemap.open_device("gfx90a", device="emulator")
    data, flag, out = (device.array(np.zeros(64, np.int32)) for _ in range(3))
    launch = device.load(written)["k"]
    if order == "__ATOMIC_RELAXED":
        with pytest.raises(Hazard):
            launch((2, 1, 1), (1, 1, 1), (data, flag, out))
        return
    launch((2, 1, 1), (1, 1, 1), (data, flag, out))
    assert out.get()[0] == 42
