"""The corpus itself: defined behaviour, and right where Python can say what right is."""

from __future__ import annotations

import binascii
import math
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests.corpus.generator import random_cases, random_groups, random_settings
from tests.corpus.harness import (
    DTYPES,
    HERE,
    LEVELS,
    Case,
    amd_text,
    cases,
    differences,
    input_values,
    run_host,
)

pytest.importorskip("ziglang", reason="the corpus is compiled by ziglang's clang")
CASES = list(cases().values())


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len(CASES) >= 150
    assert sum(case.group for case in CASES) >= 20


def test_every_case_of_a_file_is_found() -> None:
    for path in HERE.glob("*.c"):
        lines = path.read_text().splitlines()
        heads = sum(line.startswith(("CASE(", "GROUP(")) for line in lines)
        assert heads == sum(case.file == path.name for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_optimisation_changes_nothing(case: Case) -> None:
    """A case whose result depends on the optimiser has undefined behaviour and is no test."""
    values = input_values(case)
    first = run_host(case, values, 0)
    for level in LEVELS[1:]:
        assert not differences(case, first, run_host(case, values, level))[:5]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_case_depends_on_what_it_is_fed(case: Case) -> None:
    """Outputs differ between elements: a case that ignored its input would compare nothing."""
    out = run_host(case, input_values(case), 2).reshape(case.elements, case.outputs)
    assert len(np.unique(out.view(np.uint8).reshape(case.elements, -1), axis=0)) > 1


def _pairs(case: Case) -> tuple[Any, Any]:
    values = input_values(case)
    out = run_host(case, values, 2)
    return values.reshape(-1, case.inputs), out.reshape(-1, case.outputs)


# Python's own answer for one element, from libraries and arbitrary-precision integers.
M32, M64 = 2**32 - 1, 2**64 - 1
ORACLES: dict[str, Callable[[list[Any]], list[Any]]] = {
    "add_sub_mul": lambda x: [((x[0] + x[1]) * x[2] - (x[0] ^ x[1])) & M32],
    "divide_unsigned": lambda x: list(divmod(x[0], x[1] or 1)),
    "divide_floor": lambda x: list(divmod(x[0], 5 if x[1] in (0, -1) else x[1])),
    "multiply_24": lambda x: [((x[0] & 0xFFFFFF) * (x[1] & 0xFFFFFF) + 9) & M32],
    "saturating_add": lambda x: [min(x[0] + x[1], M32), max(x[0] - x[1], 0)],
    "average": lambda x: [(x[0] + x[1]) // 2, (x[0] + x[1] + 1) // 2],
    "odd_inverse": lambda x: [pow(x[0] | 1, -1, 2**32)],
    "popcount": lambda x: [x[0].bit_count()] * 2,
    "popcount_swar": lambda x: [x[0].bit_count()],
    "leading_zeros_loop": lambda x: [32 - x[0].bit_length()],
    "reverse_bits": lambda x: [int(f"{x[0]:032b}"[::-1], 2)],
    "wide_add_sub": lambda x: [(x[0] + x[1]) & M64, (x[0] - x[2]) & M64],
    "wide_multiply": lambda x: [x[0] * x[1] & M64],
    "wide_multiply_high": lambda x: [x[0] * x[1] >> 64],
    "wide_divide_unsigned": lambda x: list(divmod(x[0], x[1] or 3)),
    "wide_product_256": lambda x: _limbs(_number(x[:4]) * _number(x[4:]), 8),
    "wide_carry_chain": lambda x: _limbs(_number(x[:4]) + _number(x[4:]), 4),
    "modular_power": lambda x: [pow(x[0], x[1] & 0xFFFF, x[2] | 1)],
    "greatest_common_divisor": lambda x: [math.gcd(*x)],
    "integer_square_root": lambda x: [math.isqrt(x[0])],
    "fixed_square_root": lambda x: [math.isqrt(x[0])],
    "crc32_bitwise": lambda x: [zlib.crc32(bytes(x))],
    "crc32_nibbles": lambda x: [zlib.crc32(bytes(x))],
    "crc16_ccitt": lambda x: [binascii.crc_hqx(bytes(x), 0xFFFF)],
    "adler32": lambda x: [zlib.adler32(bytes(x))],
    "sort_insertion": lambda x: sorted(x),
    "sort_shell": lambda x: sorted(x),
    "sort_network": lambda x: sorted(x),
    "median_of_five": lambda x: [sorted(x)[2]],
    "heap_top_three": lambda x: sorted(x)[:-4:-1],
    "base64_encode": lambda x: list(binascii.b2a_base64(bytes(x), newline=False)),
    "string_palindrome": lambda x: [int(all((x[k] ^ x[7 - k]) % 2 == 0 for k in range(4)))],
    "utf8_encode": lambda x: _utf8(x[0] % 0x110000),
    "fibonacci": lambda x: [_fibonacci(x[0] % 90)],
}


def _number(limbs: list[int]) -> int:
    return sum(limb << 32 * k for k, limb in enumerate(limbs))


def _limbs(number: int, count: int) -> list[int]:
    return [number >> 32 * k & M32 for k in range(count)]


def _utf8(point: int) -> list[int]:
    return list(chr(point).encode("utf-8", "surrogatepass").ljust(4, b"\0"))


def _fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@pytest.mark.parametrize("name", ORACLES)
def test_the_host_agrees_with_python(name: str) -> None:
    fed, out = _pairs(cases()[name])
    for inputs, outputs in zip(fed.tolist(), out.tolist(), strict=True):
        assert outputs == ORACLES[name](inputs), inputs


FLOATS: dict[str, Callable[[Any], list[Any]]] = {
    "float_add": lambda x: [x[0] + x[1], x[0] - x[1]],
    "float_multiply": lambda x: [x[0] * x[1]],
    "float_multiply_then_add": lambda x: [x[0] * x[1] + x[2]],
    "float_divide": lambda x: [x[0] / x[1]],
    "float_square_root": lambda x: [np.sqrt(x[0])],
    "float_rounding": lambda x: [np.floor(x[0]), np.ceil(x[0]), np.trunc(x[0]), np.rint(x[0])],
    "double_divide": lambda x: [x[0] / x[1]],
    "double_square_root": lambda x: [np.sqrt(x[0])],
    "double_to_float": lambda x: [x[0].astype(np.float32)],
    "wide_to_float": lambda x: [x[0].astype(np.float32), x[0].astype(np.uint64).astype("f4")],
    "half_bits_to_float": lambda x: [x[0].view(np.float16).astype(np.float32)],
}


@pytest.mark.parametrize("name", FLOATS)
def test_the_host_agrees_with_numpy(name: str) -> None:
    case = cases()[name]
    fed, out = _pairs(case)
    with np.errstate(all="ignore"):
        columns = FLOATS[name]([fed[:, k].copy() for k in range(case.inputs)])
    expected = np.stack(columns, axis=1).astype(DTYPES[case.output_type])
    assert not differences(case, expected.reshape(-1), out.reshape(-1).copy())[:5]


@pytest.mark.parametrize("name", ["float_to_half_bits", "float_to_bfloat", "e4m3_bits_to_float"])
def test_narrow_floats_agree_with_other_libraries(name: str) -> None:
    import ml_dtypes

    fed, out = _pairs(cases()[name])
    with np.errstate(all="ignore"):
        if name == "float_to_half_bits":
            expected, got = fed.astype(np.float16), out.copy().view(np.float16)
        elif name == "float_to_bfloat":
            expected, got = fed.astype(ml_dtypes.bfloat16), out.copy().view(ml_dtypes.bfloat16)
        else:
            expected, got = fed.copy().view(ml_dtypes.float8_e4m3fn).astype(np.float32), out
    wide, wide_got = expected.astype(np.float32), got.astype(np.float32)
    assert np.array_equal(np.signbit(wide), np.signbit(wide_got)) or np.isnan(wide).any()
    assert np.array_equal(wide, wide_got, equal_nan=True)


@pytest.mark.parametrize("file", sorted({case.file for case in CASES}))
def test_clang_compiles_it_for_gfx950(file: str) -> None:
    for case in CASES:
        if case.file == file:
            assert f".amdhsa_kernel {case.name}" in amd_text(case, 2)


RANDOM = random_cases() | random_cases(2, True) | random_groups()


def _is_defined(case: Case) -> None:
    values = input_values(case)
    assert not differences(case, run_host(case, values, 0), run_host(case, values, 3))[:5]


@random_settings(12)
@given(case=RANDOM)
def test_random_functions_have_defined_behaviour(case: Case) -> None:
    _is_defined(case)


@pytest.mark.slow
@random_settings(80)
@given(case=RANDOM)
def test_more_random_functions_have_defined_behaviour(case: Case) -> None:
    _is_defined(case)
