"""Names of C++ for kernels, from the symbols that nvcc and clang wrote."""

from __future__ import annotations

import pytest

from lanemap.devices.kernel_names import NoSuchName, find, listed, source_name
from lanemap.errors import UserError

#: Symbols of compilers, and what `c++filt` of binutils 2.40 prints, without result and parameters.
NAMES = {
    "_Z4axpyPf": "axpy",
    "_ZN4blas4axpyIfEEvPT_": "blas::axpy<float>",
    "_Z6reduceILj256EfEvPKT0_PS0_m": "reduce<256u, float>",
    "_ZN6sparse4spmvIidEEvNS_3CsrIT_T0_EEPKS3_PS3_S2_": "sparse::spmv<int, double>",
    "_Z15for_each_kernelIZ4mainEUliE_EviT_": "for_each_kernel<main::{lambda(int)#1}>",
    "_ZN12_GLOBAL__N_14kernILb1EEEvPi": "(anonymous namespace)::kern<true>",
    "_Z1kIPFviEEvT_": "k<void (*)(int)>",
    "_ZZ1kPiE5count": "k(int*)::count",
    "plain": "plain",
    "_Z": "_Z",
}


@pytest.mark.parametrize(("symbol", "name"), NAMES.items())
def test_the_name_of_a_symbol(symbol: str, name: str) -> None:
    assert source_name(symbol) == name


REDUCE = [f"_Z6reduceILj{size}EfEvPKT0_PS0_m" for size in (512, 256, 128)]
SCALES = ["_ZN1a5scaleIfEEvPT_", "_ZN1b5scaleIfEEvPT_", "_ZN1a5scaleIdLb1EEEvPT_"]


@pytest.mark.parametrize(("name", "symbols", "found"), [
    (REDUCE[1], REDUCE, 1),
    ("reduce<256>", REDUCE, 1),
    ("reduce<256, float>", REDUCE, 1),
    ("reduce< 256u,float >", REDUCE, 1),
    ("a::scale<float>", SCALES, 0),
    ("scale<double, true>", SCALES, 2),
    ("scale<double,(bool)1>", SCALES, 2),
    ("a::scale<double>", SCALES, 2),
    ("kern<true>", ["_ZN12_GLOBAL__N_14kernILb1EEEvPi"], 0),
])  # fmt: skip
def test_a_name_finds_its_symbol(name: str, symbols: list[str], found: int) -> None:
    assert find(name, symbols) == symbols[found]


def test_names_that_mean_none_or_several() -> None:
    with pytest.raises(
        UserError, match="several kernels are called 'reduce'; name one: reduce<512"
    ):
        find("reduce", REDUCE)
    with pytest.raises(UserError, match="several kernels are called 'scale<float>'"):
        find("scale<float>", SCALES)
    with pytest.raises(NoSuchName, match="there is no variable 'y'; the variables are none"):
        find("y", [], "variable")
    assert listed(["_Z1kPf", "_Z1kPd", "_Z1mv"]) == "_Z1kPf, _Z1kPd, m"
