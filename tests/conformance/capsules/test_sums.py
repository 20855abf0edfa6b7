"""Texts of capsules that ask how matrix instructions add: against a reference, on the emulator."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import lanemap
from lanemap.conformance.capsules import sums
from lanemap.conformance.tensor_cores import designs
from lanemap.conformance.tensor_cores.inputs import decoded
from lanemap.conformance.tensor_cores.kinds import Codes, Kind
from lanemap.conformance.tensor_cores.rule import Rule, multiply_add
from lanemap.conformance.tensor_cores.trial import Runner

RANDOM = 64


@cache
def texts(name: str, target: str) -> dict[str, tuple[Kind, str]]:
    found = sums.FAMILIES[name].texts(target)
    return {f"{kind.name} {kind.a} {kind.b}": (kind, text) for kind, text in found}


def computed(name: str, target: str, case: str) -> tuple[Kind, tuple[Codes, ...], Codes]:
    kind, text = texts(name, target)[case]
    dots = designs.designed(kind, RANDOM)
    device = lanemap.open_device(target, "emulator")
    return kind, dots, Runner(device, kind, text).designed(dots)


@pytest.mark.parametrize("case", texts("tcgen05_sums", "sm_100a"))
def test_tcgen05_adds_as_published_and_the_dots_tell_that_from_less(case: str) -> None:
    """arXiv 2511.10909: on Blackwell 25 bits are kept below the largest exponent."""
    kind, (a, b, c), seen = computed("tcgen05_sums", "sm_100a", case)
    types = kind.d, kind.a, kind.b, kind.c
    unequal = {}
    for bits in (24, 25):
        rule = Rule(kind.depth, bits)
        predicted = multiply_add(a[:, None, :], b[:, None, :], c[:, None, None], types, rule)
        unequal[bits] = int(np.sum(predicted.ravel() != seen))
    assert unequal[25] == 0 and unequal[24] > 20


def nearest(exact: Fraction) -> float:
    """The f32 next to a number, the even one of two."""
    near = np.float32(float(exact))
    near = np.float32(float(exact))
    with np.errstate(over="ignore"):
        around = [near, *(np.nextafter(near, np.float32(side)) for side in (-np.inf, np.inf))]
    finite = [each for each in around if np.isfinite(each)]
    return float(min(finite, key=lambda x: (abs(Fraction(float(x)) - exact), x.view("u4") & 1)))


@pytest.mark.parametrize("case", [
    case for case, (kind, _) in texts("mfma_sums", "gfx950").items() if kind.a != "f32"
])  # fmt: skip
def test_mfma_of_cdna_4_rounds_an_exact_sum_once(case: str) -> None:
    kind, dots, seen = computed("mfma_sums", "gfx950", case)
    values = [decoded(*each) for each in zip(dots, (kind.a, kind.b, kind.c), strict=True)]
    found, judged = decoded(seen, "f32"), 0
    for number in range(0, len(seen), 23):
        a, b, c = (each[number] for each in values)
        if not (np.isfinite([*a, *b, c, found[number]]).all() and abs(found[number]) > 2.0**-126):
            continue
        exact = sum((Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True)), Fraction(c))
        assert found[number] == nearest(exact), (number, float(exact))
        judged += 1
    assert judged > 40


def test_each_family_has_targets_of_its_own_and_kinds_that_differ() -> None:
    for family in sums.FAMILIES.values():
        for target in family.targets:
            found = list(family.texts(target))
            assert len({text for _, text in found}) == len(found) > 3, (family.name, target)
