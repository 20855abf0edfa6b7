"""The generated programs: what is in them, and that a difference is found where it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanemap.conformance.forms.judged import accepted_forms
from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs import plan
from lanemap.conformance.programs.comparison import differences, digest, marks
from lanemap.conformance.programs.crew import emulate
from lanemap.conformance.programs.exceptions import EXEMPTIONS, exemption, is_run
from lanemap.conformance.programs.program import Choices, build
from lanemap.conformance.programs.reduction import culprits, minimise, reduced


@cache
def forms_run() -> list[Form]:
    return [form for form in accepted_forms(plan.TARGET) if is_run(form.name)]


def test_every_form_that_is_run_is_in_three_programs() -> None:
    counts = Counter(form.name for forms in plan.assignment() for form in forms)
    assert set(counts) == {form.name for form in forms_run()}
    assert set(counts.values()) == {3}
    assert all(len(set(forms)) == len(forms) for forms in plan.assignment())


def test_there_are_300_programs_and_half_have_a_structure() -> None:
    structured = sum(choices.structure is not None for choices in plan.choices())
    assert plan.count() == len(plan.choices()) == len(plan.assignment()) >= 300
    assert abs(2 * structured - plan.count()) <= 1
    assert len({choices.seed for choices in plan.choices()}) == plan.count()


def test_few_forms_are_not_compared_and_each_exemption_means_some() -> None:
    names = [form.name for form in accepted_forms(plan.TARGET)]
    for item in EXEMPTIONS:
        means_some = any(exemption(name) is item for name in names)
        assert means_some == (item.kind != "not so written"), item
    kinds = Counter(found.kind for name in names if (found := exemption(name)))
    assert kinds["unspecified"] + kinds["approximate"] < 100
    assert kinds["not run"] < 700  # v8 forms that are no PTX, and mbarriers, are most of them


def test_a_further_series_has_every_form_in_three_programs_of_its_own() -> None:
    numbers = range(2 * plan.count(), 3 * plan.count())
    counts = Counter(form.name for number in numbers for form in plan.forms_of(number))
    assert set(counts.values()) == {3} and set(counts) == {form.name for form in forms_run()}
    first, second = plan.program(5), plan.program(2 * plan.count() + 5)
    assert first.inputs != second.inputs
    assert set(first.forms) != set(second.forms)


def test_a_program_is_the_same_each_time() -> None:
    assert plan.program(7) == plan.program(7)


@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(plan.strategy(), st.integers(0, 1 << 32))
def test_any_program_that_hypothesis_draws_is_clean(choices: Choices, first: int) -> None:
    forms = [forms_run()[(first + 977 * i) % len(forms_run())] for i in range(30)]
    forms = [form for form in dict.fromkeys(forms) if not form.name.startswith("setmaxnreg")]
    program = build("drawn", choices, forms)
    output, error = emulate(program)
    assert not error
    assert len(output) == len(program.output)


def test_a_wrong_bit_is_found_at_its_form_and_lane() -> None:
    program = plan.program(0)
    output, error = emulate(program)
    assert not error
    number, slot = next(
        (n, s) for n, s in enumerate(program.slots) if s.compared and s.size == 4 < s.threads
    )
    wrong = bytearray(output)
    wrong[slot.offset + 21 * slot.stride + 1] ^= 0x10
    (found,) = differences(program, output, bytes(wrong))
    assert (found.slot, found.lanes) == (number, (21,))
    assert digest(program, output) != digest(program, bytes(wrong))
    before, after = marks(program, output), marks(program, bytes(wrong))
    changed = [i // 4 for i in range(0, len(before), 4) if before[i : i + 4] != after[i : i + 4]]
    compared = [s.form for s in program.slots if s.compared]
    assert [compared[i] for i in changed] == [slot.form]


def test_a_disagreement_is_reduced_to_its_form_inputs_and_results() -> None:
    form = "vadd.u32.u32.u32.sat"
    number = next(n for n, forms in enumerate(plan.assignment()) if form in {f.name for f in forms})

    def faulty(program):  # type: ignore[no-untyped-def]
        return emulate(replace(program, text=program.text.replace("vadd.u32", "vsub.u32")))

    found = minimise(number, form, emulate, faulty)
    assert found is not None
    assert found.lanes[0] > 0
    assert found.lines[0].endswith(reduced(number, [form]).text.split(form)[1].split("\n")[0])
    example = found.examples[0]
    assert example["emulator"] != example["silicon"]
    assert 1 <= len(example["inputs"]) <= 3
    assert minimise(number, form, emulate, emulate) is None


def test_a_program_that_fails_is_halved_to_the_form_that_fails() -> None:
    guilty = plan.assignment()[0][17].name

    def failing(program):  # type: ignore[no-untyped-def]
        return b"", "boom" if guilty in program.forms else ""

    assert culprits(0, failing) == [(guilty, "boom")]
