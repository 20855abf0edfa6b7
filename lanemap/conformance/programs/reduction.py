"""Reduction of a program on which two devices disagree to one form with its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs import plan
from lanemap.conformance.programs.comparison import differences, inputs_of, written
from lanemap.conformance.programs.program import Program, build

Run = Callable[[Program], tuple[bytes, str]]
_LANES = 4


@dataclass(frozen=True)
class Disagreement:
    """A form on which emulator and silicon differ.

    Attributes:
        form: Its name.
        program: The number of the program where it was seen.
        lines: The lines of the reduced program that belong to the form.
        lanes: How many lanes differ, of how many.
        examples: Lane, inputs by register, both results in hexadecimal (lowest byte last).
        errors: The error messages of the emulator and the GPU, if there was no result.
    """

    form: str
    program: int
    lines: tuple[str, ...]
    lanes: tuple[int, int]
    examples: tuple[dict[str, Any], ...]
    errors: tuple[str, str]

    def sentence(self) -> str:
        """Return what differs, in a line or two."""
        text = f"{self.form} (program {self.program:03d}): "
        if any(self.errors):
            return text + "; ".join(filter(None, self.errors))
        if not self.lines:
            return text + "differs there, and not alone"
        text += f"{self.lanes[0]} of {self.lanes[1]} lanes differ in {self.lines[0]}"
        for example in self.examples[:2]:
            text += f"\n    {example}"
        return text

    def to_json(self) -> dict[str, Any]:
        """Return a dict of JSON values."""
        return {
            "form": self.form,
            "program": self.program,
            "lines": list(self.lines),
            "lanes": list(self.lanes),
            "examples": list(self.examples),
            "errors": list(self.errors),
        }


def reduced(number: int, names: Sequence[str]) -> Program:
    """Return a program with only some of the forms, each with its original text."""
    forms = [form for form in plan.forms_of(number) if form.name in names]
    choices = replace(plan.choices_of(number), structure=None)
    return build(f"{number:03d} reduced", choices, forms)


def minimise(number: int, form: str, emulate: Run, silicon: Run) -> Disagreement | None:
    """Run one form alone on both devices; return the difference, or None."""
    program = reduced(number, [form])
    one, other = emulate(program), silicon(program)
    if one[1] or other[1]:
        return Disagreement(form, number, _lines(program), (0, 0), (), (one[1], other[1]))
    found = differences(program, one[0], other[0])
    if not found:
        return None
    slot = program.slots[found[0].slot]
    mine, theirs = (written(slot, output) for output in (one[0], other[0]))
    examples = tuple(
        {
            "lane": lane,
            "inputs": inputs_of(program, lane),
            "emulator": mine[lane].tobytes()[::-1].hex(),
            "silicon": theirs[lane].tobytes()[::-1].hex(),
        }
        for lane in found[0].lanes[:_LANES]
    )
    return Disagreement(
        form, number, _lines(program), (len(found[0].lanes), slot.threads), examples, ("", "")
    )


def _lines(program: Program) -> tuple[str, ...]:
    """Return the lines from the form's to the end of the kernel."""
    lines = program.text.splitlines()
    mnemonic = program.forms[0].partition(" ")[0]
    first = next((n for n, line in enumerate(lines) if mnemonic in line), 0)
    return tuple(line for line in lines[first:] if line not in ("ret;", "}", ""))


#: Forms that end a kernel with an error when a thread executes them.
STOPS = ("trap", "brkpt")


def stopped(form: str, emulate: Run, silicon: Run) -> list[str]:
    """Return what both devices report when a thread executes one of STOPS; "" for no error."""
    number = next(n for n, forms in enumerate(plan.assignment()) if form in {f.name for f in forms})
    program = reduced(number, [form])
    text = program.text.replace(f"@%never {form};", f"{form};")
    taken = replace(program, text=text)
    return [emulate(taken)[1], silicon(taken)[1]]


def culprits(number: int, run: Run) -> list[tuple[str, str]]:
    """Find by bisection the forms on which a device fails, with its error messages."""
    found: list[tuple[str, str]] = []
    _halve(number, list(plan.forms_of(number)), run, found)
    return found


def _halve(number: int, forms: Sequence[Form], run: Run, found: list[tuple[str, str]]) -> None:
    error = run(reduced(number, [form.name for form in forms]))[1]
    if not error:
        return
    if len(forms) == 1:
        found.append((forms[0].name, error))
        return
    middle = len(forms) // 2
    _halve(number, forms[:middle], run, found)
    _halve(number, forms[middle:], run, found)
