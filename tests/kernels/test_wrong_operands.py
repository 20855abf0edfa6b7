"""What no kernel can take is one sentence: no array, no number, no device, or another target."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.errors import UserError

HALF = np.zeros((64, 64), np.float16)
HEADS = np.zeros((1, 64, 1, 64), ml_dtypes.float8_e4m3fn)
EIGHT = np.zeros((64, 64), ml_dtypes.float8_e4m3fn)
KEYS = HEADS.astype(np.float16)
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
    "fp8_gemm": (
        (EIGHT, EIGHT, np.ones((64, 1), np.float32), np.ones((1, 1), np.float32)),
        "gfx950",
    ),
    "grouped_gemm": ((HALF, HALF[None], np.zeros(1, np.int32)), "gfx950"),
    "fmha": ((HEADS, HEADS, HEADS), "gfx950"),
    "decode": ((KEYS, KEYS, KEYS), "gfx950"),
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


@pytest.mark.parametrize("name", OPERANDS)
def test_an_array_of_a_device_and_a_lost_gradient_are_refused(name: str) -> None:
    torch = pytest.importorskip("torch")
    function, (operands, _) = lanemap.kernel(name), OPERANDS[name]
    device = lanemap.open_device("sm_90a", "emulator")
    with pytest.raises(UserError, match=r"^\w+ is an array of a device of lanemap; pass the array"):
        function(device.zeros(operands[0].shape, np.uint8), *operands[1:])
    given = [
        torch.zeros(each.shape, requires_grad=not place, dtype=torch.bfloat16)
        for place, each in enumerate(operands)
    ]
    with pytest.raises(UserError, match=r"^(q|a|A) requires a gradient, .* no backward pass; pass"):
        function(*given)
    with torch.no_grad(), pytest.raises(UserError, match=r"^(?!.*gradient)"):
        function(*given[:1], *operands[1:])  # of two libraries: another refusal


@pytest.mark.parametrize("name", ["fmha", "lds_attention"])
def test_heads_before_keys_are_warned_of(name: str) -> None:
    """PyTorch: scaled_dot_product_attention takes (N, .., L, E), heads before the length."""
    function = lanemap.kernel(name)
    first = np.zeros((1, 4, 1024, 32), ml_dtypes.float8_e4m3fn)  # 32: refused after the warning
    told = r"4 keys of 1024 heads; if it is \(batch, heads, keys"
    refused = pytest.raises(UserError, match="head dimension")
    with pytest.warns(UserWarning, match=told) as warned, refused:
        function(first, first, first)
    assert [each.filename for each in warned] == [__file__], "the line that calls is named"
    right = first.transpose(0, 2, 1, 3).copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserError, match="head dimension"):
            function(right, right, right)


@pytest.mark.parametrize("name", ["fmha", "lds_attention"])
def test_a_mask_is_true_or_false_under_both_names(name: str) -> None:
    for argument in ("causal", "is_causal"):
        with pytest.raises(UserError, match=f"^{argument} is 'no'; it must be True or False"):
            lanemap.kernel(name)(HEADS, HEADS, HEADS, **{argument: "no"})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"window_size": (1.5, 0)}, r"window_size is \(1.5, 0\); it must be \(left, right\)"),
        ({"cu_seqlens_q": [0, 64], "cu_seqlens_k": [0, 64], "max_seqlen_q": "x"},
         "max_seqlen_q 'x' is not an integer"),
    ],
)  # fmt: skip
def test_numbers_of_fmha_are_integers(words: dict[str, Any], sentence: str) -> None:
    operand = HEADS[0] if "max_seqlen_q" in words else HEADS
    with pytest.raises(UserError, match=sentence):
        lanemap.kernel("fmha")(operand, operand, operand, **words)


def test_parameters_of_kernels_have_types() -> None:
    for name in OPERANDS:
        for parameter in inspect.signature(lanemap.kernel(name)).parameters.values():
            typed = parameter.annotation not in (inspect.Parameter.empty, "Any")
            assert typed or parameter.name == "device", (name, parameter)


@pytest.mark.parametrize(
    ("name", "argument"),
    [("fmha", "softmax_scale"), ("lds_attention", "softmax_scale"), ("nvfp4_gemm", "alpha"),
     ("lds_attention", "q_descale")],
)  # fmt: skip
def test_a_word_is_no_number(name: str, argument: str) -> None:
    with pytest.raises(UserError, match=f"^{argument} is 'x'; it must be a number"):
        lanemap.kernel(name)(*OPERANDS[name][0], **{argument: "x"})


def test_a_kernel_is_asked_for_by_its_name() -> None:
    with pytest.raises(UserError, match="^3 is not a kernel name; use one such as 'decode'$"):
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
