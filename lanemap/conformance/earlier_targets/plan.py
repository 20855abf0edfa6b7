"""What is run for each earlier target: programs, kinds of mma.sync, probes of matrices."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lanemap.conformance.forms.judged import accepted, accepted_forms
from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs import plan
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.exceptions import is_run
from lanemap.conformance.programs.program import Choices, Program, build
from lanemap.conformance.tensor_cores import kernels
from lanemap.conformance.tensor_cores.kinds import KINDS, Kind
from lanemap.probing.probe import Probe, find_probe

#: The GPU whose device runs the texts.
GPU = plan.TARGET
#: `.target` of the texts, and the target whose list has its forms.
TARGETS = {"sm_75": "sm_75", "sm_80": "sm_80", "sm_86": "sm_86", "sm_89": "sm_89", "sm_90": GPU}
#: Programs of a target; each of its forms is in one of them.
PROGRAMS = 108
PROBES = ("ldmatrix", "movmatrix")
#: Numbers of the programs of a target begin at its place in TARGETS times this.
_STEP = 1000
#: A collective that every target has, where a program's own came with sm_80.
_COLLECTIVE = "shfl.sync.idx.b32"


def text_for(text: str, target: str) -> str:
    """The same text with another `.target`."""
    return text.replace(f".target {GPU}", f".target {target}")


@cache
def forms(target: str) -> tuple[Form, ...]:
    """The forms in the programs of a target: those that the programs of the GPU have too.

    Of sm_90 without a suffix there is no setmaxnreg. Programs of mbarriers use forms of sm_90.
    """
    known = {form.name for form in accepted_forms(GPU) if is_run(form.name)}
    left = ("setmaxnreg",) if target == "sm_90" else ("setmaxnreg", "mbarrier")
    return tuple(
        form
        for form in accepted_forms(TARGETS[target])
        if form.name in known and not form.name.startswith(left)
    )


@cache
def _shuffled(target: str) -> tuple[Form, ...]:
    return tuple(Chance("earlier target", target).shuffled(forms(target)))


def _choices(target: str, number: int) -> Choices:
    own = plan.choices()[number]
    structure = own.structure
    if structure is not None and target == "sm_75" and structure.collective.startswith("redux"):
        structure = replace(structure, collective=_COLLECTIVE)
    seed = Chance("earlier target", target, number).bits(64)
    return replace(own, seed=seed, structure=structure)


def numbers(target: str, count: int = PROGRAMS) -> range:
    """The numbers of the first programs of a target."""
    first = list(TARGETS).index(target) * _STEP
    return range(first, first + count)


def _own(target: str, number: int) -> tuple[Form, ...]:
    return _shuffled(target)[number::PROGRAMS]


def names(target: str, number: int) -> list[str]:
    """Names of the forms of a target's program."""
    return [form.name for form in _own(target, number)]


def program(number: int) -> Program:
    """Write one program."""
    place, own = divmod(number, _STEP)
    target = list(TARGETS)[place]
    made = build(f"{target} {own:03d}", _choices(target, own), _own(target, own))
    return replace(made, text=text_for(made.text, target))


@cache
def kinds(target: str) -> tuple[Kind, ...]:
    """The kinds of mma.sync that ptxas takes for a target."""
    names = set(accepted(TARGETS[target]))
    return tuple(
        kind
        for kind in KINDS.values()
        if kind.family == "mma.sync" and kernels.instruction(kind) in names
    )


def probe(name: str, target: str) -> Probe:
    """A probe of the GPU with the text of another target."""
    own = find_probe(name).on(GPU)
    return replace(own, source=text_for(own.source, target))
