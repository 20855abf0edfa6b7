"""The map of L2: SMs and lines are told apart, and a parity of address bits is found."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from tools import l2_map

_MASK = 0x2A5


def _homes() -> np.ndarray:
    return np.array([(n & _MASK).bit_count() & 1 for n in range(l2_map.LINES)])


@pytest.mark.parametrize("first", [0, 1])
def test_halves_are_told_apart_by_cycles(first: int) -> None:
    random = np.random.default_rng(first)
    home, sms = _homes()[: l2_map.SOME] ^ first, random.integers(0, 2, 132)
    cycles = np.where(sms[:, None] == home, 1100, 1900) + random.integers(0, 300, (132, len(home)))
    found = l2_map.halves(cycles)
    assert np.array_equal(found[0], sms ^ sms[0]) and np.array_equal(found[1], home ^ sms[0])


def test_a_parity_of_address_bits_is_found_and_another_rule_is_not() -> None:
    home = _homes()
    assert l2_map.parity(home) == (_MASK, l2_map.LINES)
    assert l2_map.parity(home ^ (np.arange(l2_map.LINES) % 3 == 1))[1] < l2_map.LINES


@pytest.mark.parametrize("kernel", ["atomics", "reads", "first_reads"])
def test_the_kernels_run_without_a_hazard(kernel: str) -> None:
    asking = l2_map.Asking(lanemap.open_device("sm_90a", "emulator"), 1 << 16)
    assert len(asking(kernel, 0, 4, apart=256, first=512, times=1)) == 4
