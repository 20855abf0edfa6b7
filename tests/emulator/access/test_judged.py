"""Order, judged by what people write: kernels of guides and samples, and their faults.

The sources lie in judged/ with what NVRTC makes of them; judged/build.py has the command.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.errors import Disagreement, MissingEnvironment
from tests.emulator.access.judged.build import BUILDS, FOLDER, TARGET, build, stored

STRICT = [pytest.param(False, id="default"), pytest.param(True, id="strict")]
IN = np.arange(32, dtype=np.uint32) * 3 + 7


class Launch:
    """One launch of a build: its arrays, and the hazard that it met, if any."""

    def __init__(
        self,
        name: str,
        macro: str,
        grid: int,
        block: int,
        arrays: list[Any],
        strict: bool = False,
        hazards: str = "raise",
    ) -> None:
        self.name = name
        device = lanemap.open_device(
            TARGET,
            device="emulator",
            hazards=hazards,
            strict=strict,  # type: ignore[arg-type]
        )
        kernel = device.load(stored(name, macro).read_text())["kernel"]
        args = [device.array(a) if isinstance(a, np.ndarray) else a for a in arrays]
        self.hazard: Disagreement | None = None
        self.results: list[Any] = []
        try:
            kernel(grid, block, args)
            self.results = [a.get() for a in args if not isinstance(a, np.generic)]
        except Disagreement as hazard:
            self.hazard = hazard
        self.reported = device.hazards

    def result(self, number: int) -> Any:
        """An array after a clean launch."""
        assert self.hazard is None, self.hazard
        return self.results[number]

    def order(self, *marks: str) -> None:
        """A hazard of order at one of the lines of the source that bear a mark."""
        assert self.hazard is not None, "nothing was reported"
        assert getattr(self.hazard, "kind", "") == "order", self.hazard
        assert self._names(self.hazard, *marks), self.hazard

    def _names(self, hazard: Disagreement, *marks: str) -> bool:
        return any(
            re.search(rf"\b{self.name}\.cu:{line}\b", str(hazard))
            for mark in marks
            for line in lines(self.name, mark)
        )


def lines(name: str, mark: str) -> set[int]:
    """The numbers of the source's lines that end with the mark."""
    text = (FOLDER / f"{name}.cu").read_text().splitlines()
    found = {i for i, line in enumerate(text, 1) if line.endswith(f"// {mark}")}
    assert found, f"{name}.cu marks no line with {mark}"
    return found


def test_the_texts_are_what_nvrtc_makes_of_the_sources() -> None:
    assert {path.stem for path in FOLDER.glob("*.cu")} == set(BUILDS)
    for name, macros in BUILDS.items():
        for macro in macros:
            try:
                made = build(name, macro)
            except MissingEnvironment as error:
                pytest.skip(str(error))
            body = re.compile(r"^(?!//).*$", re.MULTILINE)
            assert body.findall(stored(name, macro).read_text()) == body.findall(made), name


# -- atomics and fences ---------------------------------------------------------------------------


def _cas_loop(strict: bool) -> Launch:
    values = np.arange(256, dtype=np.float64)
    return Launch("cas_loop", "", 4, 64, [values, np.zeros(4)], strict)


def test_the_guides_loop_of_compare_and_swap_is_clean() -> None:
    sums = _cas_loop(False).result(1)
    assert sums.tolist() == [sum(range(i, 256, 4)) for i in range(4)]


def test_the_guides_loop_of_compare_and_swap_races_under_strict() -> None:
    _cas_loop(True).order("hazard")


def _reduction(strict: bool) -> Launch:
    values = np.arange(2000, dtype=np.uint32)
    arrays = [values, np.uint32(2000), np.zeros(5, np.uint32)]
    return Launch("fence_reduction", "", 5, 64, arrays, strict)


def test_the_samples_reduction_with_a_fence_is_clean() -> None:
    assert _reduction(False).result(1)[0] == sum(range(2000))


def test_the_samples_reduction_with_a_fence_races_under_strict() -> None:
    _reduction(True).order("hazard")


def _ticket(macro: str, strict: bool) -> Launch:
    arrays = [IN, *(np.zeros(1, np.uint32) for _ in range(3))]
    return Launch("ticket", macro, 8, 32, arrays, strict)


@pytest.mark.parametrize("strict", STRICT)
def test_a_ticket_without_a_fence_orders_nothing(strict: bool) -> None:
    _ticket("", strict).order("hazard")


@pytest.mark.parametrize("strict", STRICT)
def test_a_ticket_between_fences_orders_all(strict: bool) -> None:
    assert _ticket("FENCE", strict).result(3)[0] == IN[:8].sum()


# -- lanes of one warp ----------------------------------------------------------------------------


def test_lanes_that_exchange_without_syncwarp_race_under_strict() -> None:
    launch = Launch("exchange", "", 1, 32, [IN, IN * 0], strict=True)
    launch.order("hazard")
    sentence = str(launch.hazard)
    assert "__syncwarp" in sentence and "lane 31 of the same warp" in sentence, sentence
    (store,) = {line for line in lines("exchange", "hazard") if line < 9}
    assert f"exchange.cu:{store}" in sentence, sentence


def test_lanes_that_exchange_without_syncwarp_are_clean_by_default() -> None:
    got = Launch("exchange", "", 1, 32, [IN, IN * 0]).result(1)
    assert np.array_equal(got, IN[::-1])


@pytest.mark.parametrize("strict", STRICT)
def test_lanes_that_exchange_around_syncwarp_are_clean(strict: bool) -> None:
    got = Launch("exchange", "MEET", 1, 32, [IN, IN * 0], strict).result(1)
    assert np.array_equal(got, IN[::-1])


def _leader(macro: str, strict: bool) -> Launch:
    return Launch("leader", macro, 1, 32, [IN, np.zeros(33, np.uint32)], strict)


@pytest.mark.parametrize("strict", STRICT)
def test_what_one_lane_stores_is_not_read_without_syncwarp(strict: bool) -> None:
    launch = _leader("", strict)
    launch.order("hazard")
    assert "__syncwarp" in str(launch.hazard) and "of the same warp" in str(launch.hazard)


@pytest.mark.parametrize("strict", STRICT)
def test_what_one_lane_stores_is_read_after_syncwarp(strict: bool) -> None:
    assert np.array_equal(_leader("MEET", strict).result(1), [*IN, 32])


@pytest.mark.parametrize("strict", STRICT)
def test_a_shuffle_names_the_lane_that_is_absent(strict: bool) -> None:
    hazard = Launch("absent_source", "", 1, 32, [IN, IN * 0], strict).hazard
    assert hazard is not None
    (line,) = lines("absent_source", "hazard")
    assert re.search(rf"absent_source\.cu:{line}\b", str(hazard)), hazard
    assert re.search(r"lane 20\b", str(hazard)) and "shfl" in str(hazard), hazard


@pytest.mark.parametrize("strict", STRICT)
def test_a_shuffle_of_a_whole_warp_is_clean(strict: bool) -> None:
    got = Launch("absent_source", "STAY", 1, 32, [IN, IN * 0], strict).result(1)
    assert (got == IN[20]).all()


# -- values that make no difference ---------------------------------------------------------------


@pytest.mark.parametrize("strict", STRICT)
def test_warps_that_store_the_same_matrix_are_clean(strict: bool) -> None:
    got = Launch("same_matrix", "", 1, 64, [IN, IN * 0], strict).result(1)
    assert np.array_equal(got, IN)


@pytest.mark.parametrize("strict", STRICT)
def test_warps_that_store_different_matrices_race(strict: bool) -> None:
    Launch("same_matrix", "DIFFER", 1, 64, [IN, IN * 0], strict).order("hazard")


def test_a_racing_load_that_nothing_uses_is_clean() -> None:
    got = Launch("racing_load", "", 1, 64, [IN, IN * 0]).result(1)
    assert np.array_equal(got, np.arange(32))


@pytest.mark.parametrize("macro", ["BRANCH", "ADDRESS", "HOST"])
@pytest.mark.parametrize("strict", STRICT)
def test_a_racing_load_that_decides_names_both_places(macro: str, strict: bool) -> None:
    hazard = Launch("racing_load", macro, 1, 64, [IN, IN * 0], strict).hazard
    assert hazard is not None, "nothing was reported"
    places = {mark: min(lines("racing_load", mark)) for mark in ("load", "store")}
    if not strict:
        places["use"] = min(lines("racing_load", macro))
    for mark, line in places.items():
        assert re.search(rf"racing_load\.cu:{line}\b", str(hazard)), (mark, str(hazard))
    assert re.search(r"by warp 1 at line \d+ \(`ld", str(hazard)), hazard
    if not strict:
        decided = {"BRANCH": "branch", "ADDRESS": "address", "HOST": "contents of global memory"}
        assert f"decides the {decided[macro]} in warp 1 lane" in str(hazard)


@pytest.mark.parametrize("macro", ["BRANCH", "ADDRESS", "HOST"])
def test_a_racing_load_that_decides_is_a_hazard(macro: str) -> None:
    assert Launch("racing_load", macro, 1, 64, [IN, IN * 0]).hazard is not None


@pytest.mark.parametrize("macro", ["BRANCH", "ADDRESS", "HOST"])
def test_a_racing_load_that_decides_is_in_the_report(macro: str) -> None:
    """Report mode goes on to the end; the host's read is reported, too."""
    assert Launch("racing_load", macro, 1, 64, [IN, IN * 0], hazards="report").reported
