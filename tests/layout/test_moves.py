"""Moves between registers of a warp: what they bring, what they cost, and their rounds."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.layout.planner.moves import Moves, find_moves

THREADS = np.arange(32)[:, None, None]


def found(old: np.ndarray, new: np.ndarray, converts: bool = False) -> Moves:
    moves = find_moves(old, new, converts)
    assert isinstance(moves, Moves)
    return moves


def whole(registers: int, units: int = 1) -> np.ndarray:
    """A fragment of all different elements."""
    return np.arange(32 * registers * units).reshape(32, registers, units)


def test_renaming_is_free() -> None:
    old = whole(4, 2)
    moves = found(old, old[:, [2, 0, 3, 1]])
    assert moves.cost == (0, 0)
    assert moves.cost == (0, 0)
    assert moves.register_sources() == [(2, 2), (0, 0), (3, 3), (1, 1)]


def test_swapped_halves_are_one_merge_a_register() -> None:
    old = whole(3, 2)
    assert found(old, old[:, :, ::-1]).cost == (0, 3)


def test_halves_of_two_registers_are_one_merge() -> None:
    old = whole(2, 2)
    new = np.stack([old[:, 0, 0], old[:, 1, 0]], axis=1)[:, None, :]
    assert found(old, new).cost == (0, 1)


def test_bytes_of_four_registers_are_three_merges() -> None:
    old = whole(4, 4)
    new = old[:, [0, 1, 2, 3], [0, 1, 2, 3]][:, None, :]
    assert found(old, new).cost == (0, 3)


def test_a_register_that_depends_on_the_thread_is_a_selection() -> None:
    old = whole(2)
    new = np.where(THREADS % 2 == 0, old, old[:, ::-1])
    assert found(old, new).cost == (0, 2)


def test_a_conversion_may_take_units_from_anywhere_in_the_thread() -> None:
    # Two 32-bit elements into the halves of one register.
    old = whole(4)
    new = old[:, [3, 1, 0, 2], 0].reshape(32, 2, 2)
    moves = found(old, new, converts=True)
    assert moves.cost == (0, 0)
    assert moves.conversions == 2
    assert moves.register_sources() == [(3, 1), (0, 2)]


def test_a_rotation_of_threads_is_one_shuffle_a_register() -> None:
    old = whole(3)
    moves = found(old, np.roll(old, 1, axis=0))
    assert moves.cost == (3, 0)
    for steps in moves.rounds():
        assert len(steps) == 32
        assert all(to == (origin + 1) % 32 for origin, _, to, _ in steps)


def test_what_nobody_wants_costs_nothing() -> None:
    old = whole(2)
    new = np.where(THREADS < 16, old, -1)
    assert found(old, new).cost == (0, 0)


def test_a_missing_element_is_named_by_its_cell() -> None:
    old, new = whole(2), whole(2).copy()
    new[7, 1, 0] = 5000
    assert find_moves(old, new, converts=False) == (7, 1, 0)


def test_of_copies_that_of_the_same_thread_is_taken() -> None:
    # Every thread has the same two elements, as scale factors do.
    old = np.broadcast_to(np.array([0, 1])[None, :, None], (32, 2, 1))
    assert found(old, old[:, ::-1]).cost == (0, 0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from([1, 2, 4]))
@settings(deadline=None, max_examples=40)
def test_random_permutations_arrive_in_as_many_rounds_as_the_busiest_thread_needs(
    seed: int, registers: int, units: int
) -> None:
    rng = np.random.default_rng(seed)
    old = whole(registers, units)
    new = rng.permutation(old.reshape(-1)).reshape(old.shape)
    moves = found(old, new)
    assert np.array_equal(moves.apply(old), new)
    words = {}
    for thread, slot, unit in np.ndindex(new.shape):
        origin, rest = divmod(int(new[thread, slot, unit]), registers * units)
        if origin != thread:
            words[origin, rest // units, thread, slot] = None
    sends = np.bincount([w[0] for w in words], minlength=32)
    receives = np.bincount([w[2] for w in words], minlength=32)
    assert moves.shuffles == max(sends.max(), receives.max())
    seen = []
    for steps in moves.rounds():
        assert len({step[0] for step in steps}) == len(steps)
        assert len({step[2] for step in steps}) == len(steps)
        seen += steps
    assert sorted(seen) == sorted(words)
