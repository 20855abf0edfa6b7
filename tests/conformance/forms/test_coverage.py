"""The stored judgement of PTX forms against ptxas, and against the emulator."""

from __future__ import annotations

import random

import pytest

from lanemap.conformance.forms.coverage import coverage, refusal, unsupported
from lanemap.conformance.forms.judge import judge
from lanemap.conformance.forms.judged import accepted, all_forms, judged_targets, refused
from lanemap.devices import open_device
from lanemap.toolchain import ptxas

SAMPLE = 400


def sample(names: list[str]) -> list[str]:
    return random.Random(5).sample(names, min(SAMPLE, len(names)))


@pytest.mark.parametrize("target", judged_targets())
def test_every_generated_form_was_judged(target: str) -> None:
    assert set(accepted(target)) | set(refused(target)) == set(all_forms())
    assert not set(accepted(target)) & set(refused(target))


@pytest.mark.parametrize("target", judged_targets())
def test_ptxas_still_judges_so(target: str) -> None:
    ptxas.version()  # a sentence if there is none
    forms = all_forms()
    taken = [forms[name][1] for name in sample(list(accepted(target)))]
    assert judge(taken, target) == {}
    left = [forms[name][1] for name in sample(list(refused(target)))[:40]]
    assert set(judge(left, target)) == {form.name for form in left}


@pytest.mark.parametrize("target", judged_targets())
def test_the_emulator_still_executes_what_is_stored(target: str) -> None:
    missing = unsupported(target)
    forms, emulator = all_forms(), open_device(target, device="emulator")
    for name in [*sample(list(accepted(target))), *missing]:
        assert refusal(forms[name][1], emulator) == missing.get(name), name


@pytest.mark.slow
@pytest.mark.parametrize("target", judged_targets())
def test_every_form(target: str) -> None:
    forms, emulator = all_forms(), open_device(target, device="emulator")
    found = {name: refusal(forms[name][1], emulator) for name in accepted(target)}
    assert {name: why for name, why in found.items() if why is not None} == unsupported(target)


def test_counts_add_up() -> None:
    for target in judged_targets():
        counts = coverage(target)
        assert sum(count.accepted for count in counts) == len(accepted(target))
        executed = sum(count.executed for count in counts)
        assert executed == len(accepted(target)) - len(unsupported(target))
