"""What gfx942 has that gfx950 has not, and what it lacks."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.errors import UserError
from lanemap.targets import instructions_of

from .clang import assemble
from .machine import kernel, run, words

TYPES: dict[str, Any] = {"fp8": ml_dtypes.float8_e4m3fnuz, "bf8": ml_dtypes.float8_e5m2fnuz}


def same(found: Any, wanted: Any) -> None:
    """Equal floats, and NaN at the same places."""
    found, wanted = found.view(np.float32), wanted.astype(np.float32)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted) & ~np.isnan(wanted))


@pytest.mark.parametrize("name", TYPES)
def test_codes_have_the_values_that_ml_dtypes_says(name: str) -> None:
    codes = np.arange(256, dtype=np.uint32)
    (found,) = run(f"v_cvt_f32_{name} v20, v10", [codes], ["v20"], target="gfx942")
    wanted = codes.astype(np.uint8).view(TYPES[name]).astype(np.float32)
    same(found & np.where(np.isnan(wanted), 0x7FFFFFFF, 0xFFFFFFFF).astype(np.uint32), wanted)
    pairs = codes | codes[::-1] << 8
    low, high = run(f"v_cvt_pk_f32_{name} v[20:21], v10", [pairs], ["v20", "v21"], target="gfx942")
    np.testing.assert_array_equal(low, found)
    np.testing.assert_array_equal(high, found[::-1])


@pytest.mark.parametrize("name", TYPES)
def test_floats_are_rounded_as_ml_dtypes_says(name: str) -> None:
    """Beyond the largest number ml_dtypes gives NaN, as the conversion does without fp16_ovfl."""
    rng = np.random.default_rng(1)
    near = rng.normal(size=512).astype(np.float32) * 2.0 ** rng.integers(-20, 18, 512)
    floats = np.concatenate([words(5).view(np.float32), near.astype(np.float32)])
    body = f"v_mov_b32 v20, 0\nv_cvt_pk_{name}_f32 v20, v10, v10"
    (found,) = run(body, [floats], ["v20"], target="gfx942")
    with np.errstate(all="ignore"):
        wanted = floats.astype(TYPES[name]).view(np.uint8).astype(np.uint32)
    np.testing.assert_array_equal(found, wanted | wanted << 8)
    assert 0x80 in wanted and len(np.unique(wanted)) > 120


def test_too_large_a_number_is_the_largest_where_the_mode_says_so() -> None:
    floats = np.array([1e9, -1e9, 240.0, 500.0] * 16, np.float32)
    body = (
        "v_mov_b32 v20, 0\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n"
        "v_cvt_pk_fp8_f32 v20, v10, v10"
    )
    (found,) = run(body, [floats], ["v20"], target="gfx942")
    np.testing.assert_array_equal(found[:4] & 0xFF, [0x7F, 0xFF, 0x7F, 0x7F])


def test_a_nan_reaches_every_element_of_its_row() -> None:
    """0x80 of A; all others are 1, so that each other sum is 32."""
    a = np.full(64, 0x40404040, np.uint32)
    a[3] = 0x40408040
    ones = [f"v_mov_b32 v{number}, 0x40404040" for number in (11, 12, 13)]
    product = "v_mfma_f32_16x16x32_fp8_fp8 v[20:23], v[10:11], v[12:13], 0"
    body = "\n".join([*ones, "s_nop 4", product, "s_nop 15"])
    found = run(body, [a], [f"v{20 + i}" for i in range(4)], target="gfx942")
    rows = found.reshape(4, 4, 16).swapaxes(0, 1).reshape(16, 16)  # row 4 * (lane / 16) + register
    assert (rows[3] == 0x7FFFFFFF).all()
    assert (np.delete(rows, 3, axis=0) == np.float32(32).view(np.uint32)).all()


@pytest.mark.parametrize(
    "line",
    [
        "ds_read_b64_tr_b8 v[20:21], v10",
        "v_mfma_f32_16x16x32_f16 v[20:23], v[24:27], v[28:31], 0",
        "v_smfmac_f32_16x16x64_f16 v[20:23], v[24:27], v[28:35], v36",
        "v_permlane16_swap_b32 v20, v21",
        "v_permlane32_swap_b32 v20, v21",
        "v_bitop3_b32 v20, v10, v10, v10 bitop3:0x11",
        "v_cvt_scalef32_pk_fp8_f32 v20, v10, v10, v10",
        "v_cvt_pk_bf16_f32 v20, v10, v10",
        "v_prng_b32 v20, v10",
        "v_mfma_scale_f32_16x16x128_f8f6f4 v[20:23], v[24:31], v[32:39], v[20:23], v40, v41",
        "buffer_load_dwordx4 off, s[24:27], 0 lds",
        "buffer_load_dwordx3 off, s[24:27], 0 lds",
        "global_load_lds_dwordx4 v[2:3], off",
    ],
)
def test_what_gfx950_alone_has_is_refused_by_name(line: str) -> None:
    assert 0 in assemble([line], "gfx942")[1] and not assemble([line], "gfx950")[1]
    name = re.escape(line.split()[0])
    with pytest.raises(UserError, match=f"gfx942 has no .*gfx950.*{name}"):
        run(line, [words(1)], [], target="gfx942")


def test_xf32_is_refused_on_gfx950() -> None:
    line = "v_mfma_f32_16x16x8_xf32 v[20:23], v[24:25], v[26:27], 0"
    assert not assemble([line], "gfx942")[1] and 0 in assemble([line], "gfx950")[1]
    with pytest.raises(UserError, match="gfx950 has no v_mfma_f32_16x16x8_xf32, .* gfx942"):
        run(line, [words(1)], [])


@pytest.mark.parametrize(
    ("target", "needed", "source"),
    [("gfx942", 7, "LLVM, GCNHazardRecognizer.cpp"), ("gfx950", 8, "AMD CDNA4 ISA, 7.6")],
)
def test_wait_states_are_those_of_the_target(target: str, needed: int, source: str) -> None:
    """Of 4 passes (LLVM, GFX940_XDL_N_PassWriteVgprVALUMemExpReadWaitStates)."""
    ones = [f"v_mov_b32 v{number}, 1.0" for number in (24, 25)]
    product = "v_mfma_f32_16x16x16_f16 v[20:23], v[24:25], v[24:25], 0"
    body = "\n".join([*ones, "s_nop 4", product, "s_nop {}", "v_add_f32 v30, v20, v20"])
    run(body.format(needed - 1), [words(1)], ["v30"], target=target)
    said = f"{needed - 1} of {needed} wait states .*{re.escape(source)}"
    with pytest.raises(Hazard, match=said):
        run(body.format(needed - 2), [words(1)], ["v30"], target=target)


def test_a_text_of_another_target_is_refused() -> None:
    text = kernel("", 0, [], 64, target="gfx942")
    with pytest.raises(UserError, match="assembly for gfx942, which a device of gfx950"):
        lanemap.open_device("gfx950", device="emulator").load(text)
    plain = "\n".join(line for line in text.split("\n") if ".amdgcn_target" not in line)
    assert lanemap.open_device("MI300X", device="emulator").load(plain)["k"]


def test_lds_has_64_kb() -> None:
    with pytest.raises(UserError, match="a group has at most 65536"):
        run("", [words(1)], [], lds=65540, target="gfx942")


def test_other_processors_are_refused() -> None:
    with pytest.raises(UserError, match="none of the AMD processors .*: .*gfx942, gfx950"):
        lanemap.open_device("gfx942", device="emulator").load(
            '.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\ns_endpgm\n'
        )


def test_lists_differ_as_the_isa_documents_say() -> None:
    own, newer = instructions_of("gfx942"), instructions_of("gfx950")
    assert {"v_mfma_f32_16x16x8_xf32", "v_mfma_f32_32x32x4_xf32"} <= own - newer
    assert all("xf32" in name for name in own - newer)
