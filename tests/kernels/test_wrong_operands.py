"""What no kernel can take is one sentence: no array, no number, no device, or another target."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.errors import UserError

HALF = np.zeros((64, 64), np.float16)
HEADS = np.zeros((1, 64, 1, 64), ml_dtypes.float8_e4m3fn)
BYTES = np.zeros((128, 64), np.uint8)
SCALES = np.zeros((1, 2, 32, 4, 4), np.uint8)
MATRIX, VECTOR = (np.zeros((1, rows, 64), np.uint8).transpose(1, 2, 0) for rows in (128, 1))
MATRIX_SCALES, VECTOR_SCALES = (
    np.zeros((1, rows, 8), np.uint8).transpose(1, 2, 0) for rows in (128, 1)
)
#: Operands that each kernel takes, and a target that it has no source for.
OPERANDS: dict[str, tuple[tuple[Any, ...], str]] = {
    "ss_gemm": ((HALF, HALF), "gfx950"),
    "ts_gemm": ((HALF, HALF), "gfx950"),
    "fmha": ((HEADS, HEADS, HEADS), "gfx950"),
    "lds_attention": ((HEADS, HEADS, HEADS), "sm_90a"),
    "nvfp4_gemm": ((BYTES, BYTES, SCALES, SCALES), "sm_90a"),
    "nvfp4_gemv": ((MATRIX, VECTOR, MATRIX_SCALES, VECTOR_SCALES), "gfx950"),
}


def test_every_kernel_is_here() -> None:
    from lanemap.benching.find import names

    assert set(OPERANDS) == set(names())


@pytest.mark.parametrize("name", OPERANDS)
def test_what_is_no_array_or_no_device_is_named(name: str) -> None:
    function = lanemap.kernel(name)
    operands, other = OPERANDS[name]
    for place in range(len(operands)):
        for wrong, kind in (([[1.0]], "list"), (None, "NoneType")):
            given = [*operands[:place], wrong, *operands[place + 1 :]]
            with pytest.raises(UserError, match=rf"^\w+ is a Python {kind}; pass an array of"):
                function(*given)
    with pytest.raises(UserError, match="^device is 'emulator'; pass what lanemap.open_device"):
        function(*operands, device="emulator")
    elsewhere = lanemap.open_device(other, device="emulator")
    with pytest.raises(UserError, match=f"{name} has no source for {other}; it has one for"):
        function(*operands, device=elsewhere)


@pytest.mark.parametrize(
    ("name", "argument"),
    [("fmha", "softmax_scale"), ("lds_attention", "softmax_scale"), ("nvfp4_gemm", "alpha"),
     ("lds_attention", "q_descale")],
)  # fmt: skip
def test_a_word_is_no_number(name: str, argument: str) -> None:
    with pytest.raises(UserError, match=f"^{argument} is 'x'; it must be a number"):
        lanemap.kernel(name)(*OPERANDS[name][0], **{argument: "x"})


def test_a_kernel_is_asked_for_by_its_name() -> None:
    with pytest.raises(UserError, match="^a kernel has a name, such as 'fmha'; 3 is none$"):
        lanemap.kernel(3)  # type: ignore[arg-type]


def test_a_gemv_does_not_write_float16_into_an_array_of_bfloat16() -> None:
    """Both names end in float16, and their elements have two bytes."""
    operands, _ = OPERANDS["nvfp4_gemv"]
    c = np.zeros((1, 128, 1), ml_dtypes.bfloat16).transpose(1, 2, 0)
    with pytest.raises(UserError, match=r"of bfloat16; it must be \(128, 1, 1\) of float16"):
        lanemap.kernel("nvfp4_gemv")(*operands, c)


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("ss_gemm", np.zeros((64, 64), np.float16)),
        ("nvfp4_gemm", np.zeros((128, 128), np.float16)),
        ("nvfp4_gemv", np.zeros((1, 128, 1), np.float16).transpose(1, 2, 0)),
    ],
)
def test_an_output_that_cannot_be_written_is_refused(name: str, output: Any) -> None:
    output.flags.writeable = False
    with pytest.raises(UserError, match=r"^(out|c) is read-only; pass an array that can be"):
        lanemap.kernel(name)(*OPERANDS[name][0], output)


def test_rows_that_run_backward_are_refused() -> None:
    """TMA's strides are unsigned (cuTensorMapEncodeTiled, globalStrides)."""
    with pytest.raises(UserError, match=r"^A runs backward in memory \(strides \(-128, 2\)\)"):
        lanemap.kernel("ss_gemm")(HALF[::-1], HALF)
