"""Random pipelines with a fault are reported; with another right synchronization they are not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import lanemap
from lanemap.conformance.programs.pipelines.launch import launch
from lanemap.conformance.programs.pipelines.shape import CONSUMERS, PRODUCERS, Shape, shape
from lanemap.conformance.programs.pipelines.text import text
from lanemap.conformance.programs.pipelines.trial import COUNT, TARGET
from lanemap.errors import LanemapError
from lanemap.records.hashes import source_hash

Edit = Callable[[str, Shape], str]
#: Every so many programs, the others are slow tests.
QUICK = 16


@dataclass(frozen=True)
class Change:
    """A change of the text of a program.

    Attributes:
        edit: From the text and what it does to the text with the change; the same text where the
            program has nothing to change.
        words: What the report must say; empty where the program stays right.
        strict: Whether only the strict emulator objects.
    """

    edit: Edit
    words: str = ""
    strict: bool = False


def _replaced(right: str, wrong: str) -> Edit:
    return lambda program, _: program.replace(right, wrong)


def _fewer(name: str, count: Callable[[Shape], int]) -> Edit:
    """One arrival fewer at the mbarriers of an array."""

    def edit(program: str, each: Shape) -> str:
        if each.loader == "groups" or (name == "full" and each.loader != "arrivals"):
            return program
        init = rf"(mbarrier\.init\S* \[%{name}\+\d+\]), {count(each)};"
        return re.sub(init, rf"\1, {count(each) - 1};", program)

    return edit


def _reversed(program: str, _: Shape) -> str:
    """Let the consumers arrive at the mbarrier of the second CTA first."""
    arrival = r"(mapa\S* \S+, \S+, {};\n\S*mbarrier\.arrive\S* _, \[\S+\];\n)"
    return re.sub(arrival.format(0) + arrival.format(1), r"\2\1", program)


_ARRIVAL = re.compile(r"mbarrier\.arrive(?:\.release\.cluster)?\.shared::(\w+)\.b64 _,")
_WAIT = re.compile(r"(\w+): mbarrier\.try_wait\.parity\.(.*, \[.*);\n@!(\S+) bra \1;")
_RING = ("tma", "bulk", "arrivals")
_INIT_FENCES = "fence.mbarrier_init.release.cluster;\nfence.proxy.async;\n"
_MEETING = "barrier.cluster.arrive.release.aligned;"


def _relaxed_arrivals(fence: str) -> Edit:
    """Relaxed arrivals where a stage is filled again after them."""
    relaxed = rf"{fence}\nmbarrier.arrive.relaxed.cluster.shared::\1.b64 _,"

    def edit(program: str, each: Shape) -> str:
        again = each.loader in _RING and each.steps > each.stages
        return _ARRIVAL.sub(relaxed, program) if again else program

    return edit


def _relaxed_waits(fence: str) -> Edit:
    relaxed = r"\1: mbarrier.try_wait.parity.relaxed.cluster.\2;\n@!\3 bra \1;" + f"\n{fence}"
    return lambda program, _: _WAIT.sub(relaxed, program)


def _init_fence(fence: str, meeting: str = _MEETING) -> Edit:
    """Another fence after the initialization of the mbarriers, and another meeting behind it."""

    def edit(program: str, each: Shape) -> str:
        if each.loader not in ("tma", "bulk"):
            return program
        return program.replace(_INIT_FENCES, fence).replace(_MEETING, meeting, 1)

    return edit


def _without_last_tile(program: str, each: Shape) -> str:
    """Let the consumers end before the last tile."""
    if each.loader not in ("tma", "bulk") or each.behind:
        return program
    consumers, label, producers = program.partition("PRODUCE:")
    before, last, after = consumers.rpartition(f", {each.steps};")
    return f"{before}, {each.steps - 1};{after}{label}{producers}"


CHANGES = {
    "the consumers' arrivals are one too few": Change(
        _fewer("empty", lambda each: CONSUMERS * each.ctas), "too few arrivals"),
    "the producers' arrivals are one too few": Change(
        _fewer("full", lambda each: PRODUCERS), "too few arrivals"),
    "an arrival at each CTA in the other order": Change(_reversed),
    "a CTA that ends before its last tile came": Change(
        _without_last_tile, "before this has written its shared memory"),
    "remote arrivals of CTA scope": Change(
        _replaced("arrive.release.cluster.shared::cluster", "arrive.release.cta.shared::cluster"),
        "the arrival has .cta scope", True),
    "relaxed arrivals": Change(_relaxed_arrivals(""), "asynchronously"),
    "relaxed arrivals after a fence": Change(_relaxed_arrivals("fence.acq_rel.cluster;")),
    "relaxed waits": Change(_relaxed_waits(""), "asynchronously"),
    "relaxed waits before a fence": Change(_relaxed_waits("fence.acq_rel.cluster;")),
    "no fence after the initialization": Change(
        _init_fence(""), "neither fence.mbarrier_init nor fence.proxy.async", True),
    "no fence and a relaxed meeting": Change(
        _init_fence("", "barrier.cluster.arrive.relaxed.aligned;"), "without being ordered"),
    "fence.mbarrier_init and a relaxed meeting": Change(_init_fence(
        "fence.mbarrier_init.release.cluster;\n", "barrier.cluster.arrive.relaxed.aligned;")),
    "a proxy fence of shared memory": Change(_init_fence("fence.proxy.async.shared::cta;\n")),
}  # fmt: skip


def _changed(change: Change) -> list[int]:
    """The programs that have what is changed."""
    pairs = ((each, text(each)) for each in map(shape, range(COUNT)))
    return [each.number for each, right in pairs if change.edit(right, each) != right]


def _cases() -> list[object]:
    found: list[object] = []
    for name, change in CHANGES.items():
        for i, number in enumerate(_changed(change)):
            marks = (pytest.mark.slow,) if i % QUICK else ()
            found.append(pytest.param(name, number, id=f"{name}, {number}", marks=marks))
    return found


@pytest.mark.parametrize(("name", "number"), _cases())
def test_a_fault_is_reported_and_nothing_else(name: str, number: int) -> None:
    change, each = CHANGES[name], shape(number)
    device = lanemap.open_device(TARGET, "emulator", strict=change.strict)
    program = change.edit(text(each), each)
    if not change.words:
        assert source_hash(launch(device, each, program)) == source_hash(launch(device, each))
        return
    with pytest.raises(LanemapError) as reported:
        launch(device, each, program)
    assert change.words in str(reported.value)


@pytest.mark.parametrize("name", [name for name, change in CHANGES.items() if change.strict])
def test_what_only_strict_asks_for_is_clean_otherwise(name: str) -> None:
    each = shape(_changed(CHANGES[name])[0])
    device = lanemap.open_device(TARGET, "emulator")
    launch(device, each, CHANGES[name].edit(text(each), each))


def test_every_change_is_of_some_programs() -> None:
    assert all(len(_changed(change)) > 3 for change in CHANGES.values())
