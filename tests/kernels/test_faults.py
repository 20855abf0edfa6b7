"""Each fault of tests/kernels/faults, alone, is noticed on the emulator."""

from __future__ import annotations

import pytest

from lanemap.benching.build import sources
from lanemap.errors import LanemapError
from tests.kernels.faults import Fault, Suite, suites
from tests.sampled import sampled

#: The part of a result that a fault must spoil to count as noticed by the comparison.
LEAST = 0.01
ALL = [pytest.param(each, id=each.name) for each in suites().values()]
CASES = [
    pytest.param(
        suite,
        fault,
        id=f"{suite.name}: {fault.name}",
        marks=() if fault.name in suite.quick else pytest.mark.slow,
    )
    for suite in suites().values()
    for fault in suite.faults
]


def broken(suite: Suite, fault: Fault) -> dict[str, str]:
    """The texts of a kernel with a fault."""
    texts = sources(suite.kernel, suite.target)
    if not fault.old:
        assert fault.host is not None, "a fault edits the source or the host side"
        return texts
    file = fault.file or next(iter(texts))
    assert texts[file].count(fault.old) == 1, fault
    return {**texts, file: texts[file].replace(fault.old, fault.new)}


@pytest.mark.parametrize("suite", sampled(suites().values(), 3, lambda suite: suite.name))
def test_without_a_fault_all_is_well(suite: Suite) -> None:
    assert suite.outcome(sources(suite.kernel, suite.target), None, True) == 0


@pytest.mark.parametrize(("suite", "fault"), CASES)
def test_a_fault_is_noticed(suite: Suite, fault: Fault) -> None:
    texts, strict = broken(suite, fault), fault.caught == "strict"
    if fault.caught == "wrong":
        assert suite.outcome(texts, fault.host, strict) > LEAST
        return
    with pytest.raises(LanemapError) as hazard:
        suite.outcome(texts, fault.host, strict)
    message = str(hazard.value)
    assert fault.message in message
    assert any(f"{name}:" in message for name in texts) or "at line" in message


@pytest.mark.parametrize("suite", ALL)
def test_every_kernel_has_a_dozen_faults(suite: Suite) -> None:
    names = {each.name for each in suite.faults}
    assert len(names) == len(suite.faults) >= 12
    assert set(suite.quick) <= names
    assert all(bool(each.message) == (each.caught != "wrong") for each in suite.faults)
