"""The rules of tcgen05.mma: those of an oracle that was written from the same publications.

tests/emulator/runtime/sums.py has them by hand from mmasim 2.1.1; test_matrix.py there holds the
engine to its exact fractions.
"""

from __future__ import annotations

import pytest

from lanemap.emulator.ptx.lower.sums import tcgen05_rules
from lanemap.emulator.runtime.abi import Result, Sum
from tests.emulator.runtime.sums import RULES

KINDS = {"f16": ("f32", "f16"), "tf32": ("f32",), "f8f6f4": ("f32", "f16"), "mxf8f6f4": ("f32",),
         "mxf4": ("f32",), "mxf4nvf4": ("f32",)}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_rule_is_the_published_one(kind: str) -> None:
    rules = tcgen05_rules(kind)
    assert tuple(rules) == KINDS[kind]
    for result, rule in rules.items():
        suffix = " to f16" if result == "f16" else ""
        assert bytes(rule) == bytes(RULES[f"tcgen05 {kind}{suffix}"].engine()), result


def test_integers_are_exact_modulo_2_to_the_32() -> None:
    rules = tcgen05_rules("i8")
    assert list(rules) == ["s32"]
    rule = rules["s32"]
    assert (rule.sum, rule.result, rule.saturate) == (Sum.I32, Result.I32, 0)
