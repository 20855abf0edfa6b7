"""The stored judgement of PTX forms against ptxas, and against the emulator."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanemap.conformance.forms import judge as judging
from lanemap.conformance.forms import judged
from lanemap.conformance.forms.coverage import coverage, refusal, unsupported
from lanemap.conformance.forms.coverage import write as try_forms
from lanemap.conformance.forms.judge import judge
from lanemap.conformance.forms.judged import (
    accepted,
    all_forms,
    family_hashes,
    judged_hashes,
    judged_targets,
)
from lanemap.devices import open_device
from lanemap.errors import UserError
from lanemap.toolchain import ptxas

SAMPLE = 100


def sample(names: list[str]) -> list[str]:
    return random.Random(5).sample(names, min(SAMPLE, len(names)))


@pytest.mark.parametrize("target", judged_targets())
def test_every_generated_form_was_judged(target: str) -> None:
    assert judged_hashes(target) == family_hashes()
    assert set(accepted(target)) < set(all_forms())


@pytest.mark.parametrize("target", judged_targets())
def test_ptxas_still_judges_so(target: str) -> None:
    ptxas.version()  # a sentence if there is none
    forms = all_forms()
    taken = [forms[name][1] for name in sample(list(accepted(target)))]
    assert judge(taken, target) == {}
    left = [forms[name][1] for name in sample(sorted(forms.keys() - set(accepted(target))))[:40]]
    assert set(judge(left, target)) == {form.name for form in left}


@pytest.mark.parametrize("target", judged_targets())
def test_the_emulator_still_executes_what_is_stored(target: str) -> None:
    missing = unsupported(target)
    forms, emulator = all_forms(), open_device(target, device="emulator")
    for name in {*sample(list(accepted(target))), *sample(list(missing))}:
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


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the stored answers about sm_90a that the judge reads and writes."""
    for kind in ("accepted", "unsupported"):
        shutil.copy(judged.judgement("sm_90a", kind), tmp_path)
    monkeypatch.setattr(judged, "HERE", tmp_path)
    accepted.cache_clear()
    yield tmp_path
    accepted.cache_clear()


def test_judging_one_family_writes_what_judging_all_wrote(copied: Path) -> None:
    """Without its lines in the lists, it is asked about again, and nothing else changes."""
    before = {path.name: path.read_text() for path in copied.iterdir()}
    own = {"accepted": "{ldmatrix", "unsupported": "mov.{u32 (%"}
    for kind, start in own.items():
        lines = before[f"sm_90a.{kind}.txt"].splitlines()
        left = [line for line in lines if not line.startswith(start)]
        assert len(left) < len(lines)
        judged.judgement("sm_90a", kind).write_text("\n".join(left) + "\n")
    judging.write("sm_90a", ["matrix loads and stores"])
    try_forms("sm_90a", ["special registers"])
    assert {path.name: path.read_text() for path in copied.iterdir()} == before


def test_judging_one_family_needs_the_answers_about_the_others(copied: Path) -> None:
    stored = judged.judgement("sm_90a", "accepted")
    text = stored.read_text()
    stored.write_text(text.replace(judged.family_hashes()["control"], "0" * 12))
    with pytest.raises(UserError, match="forms of control have changed since sm_90a was judged"):
        judging.write("sm_90a", ["surface"])
    stored.write_text(text.replace(ptxas.version(), "0.0", 1))
    with pytest.raises(UserError, match="those of another ptxas"):
        judging.write("sm_90a", ["surface"])
    with pytest.raises(UserError, match="no answers are stored for sm_70"):
        judging.write("sm_70", ["surface"])
