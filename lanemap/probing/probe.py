"""Probes: decorated functions with named axes, found by path without a registry.

A probe is one file in probes/. lanemap calls its function once for each point of its axes; the
function returns the readings of that point. The analysis then explains all readings together:

    @axis("pattern", ("consecutive", "permuted"))
    @probe("ds_read_b64_tr_b8", target="gfx950", source=SOURCE, analysis=ChunkReads(...))
    def tr8(state: State) -> list[Reading]:
        \"\"\"Which byte of which lane's chunk arrives where?\"\"\"

Any axis can be overridden by name when the probe is run.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from lanemap import paths
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.probing.finding import Finding

AxisValue = str | int
Chosen = TypeVar("Chosen")
Shown = npt.NDArray[np.int32]


class Analysis(Protocol):
    """Explains the readings of a probe. A probe chooses one or defines its own."""

    def explain(self, readings: Sequence[Any]) -> Finding:
        """Return the findings of the readings, with the certificates of the inputs."""
        ...


@runtime_checkable
class MapAnalysis(Analysis, Protocol):
    """Explains the readings of a probe that asks where bits go: its findings have a map."""

    def observe(self, readings: Sequence[Any]) -> LayoutMap:
        """The map that the readings show; cells that they do not determine are undefined."""
        ...

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[Any]) -> list[Shown]:
        """The readings that each map of bits predicts, each of shape (bits, observables)."""
        ...

    def seen(self, readings: Sequence[Any]) -> tuple[Shown, bool]:
        """The actual readings in that form, and whether bits that nothing wrote are marked."""
        ...


@dataclass
class State:
    """The argument of a probe's function: the device, and one point of the axes.

    Attributes:
        device: as `lanemap.open_device` returns it.
        source: the probe's source text.
        point: the value of every axis.
        modules: the loaded modules, by source text.
    """

    device: Any
    source: str
    point: Mapping[str, AxisValue]
    modules: dict[str, Any]

    def __getitem__(self, axis: str) -> AxisValue:
        return self.point[axis]

    def choose(self, axis: str, among: Mapping[str, Chosen]) -> Chosen:
        """The thing that the value of an axis names.

        Raises:
            UserError: there is nothing of that name.
        """
        name = str(self.point[axis])
        if name not in among:
            raise UserError(f"axis {axis} must be one of {', '.join(among)}, not {name!r}")
        return among[name]

    @property
    def label(self) -> str:
        """The point in words: "pattern=permuted cell_bits=8"."""
        return " ".join(f"{axis}={value}" for axis, value in self.point.items())

    def entry(self, name: str) -> Any:
        """A kernel of the probe's source, ready to launch; the source is loaded once."""
        if self.source not in self.modules:
            self.modules[self.source] = self.device.load(self.source)
        return self.modules[self.source][name]


@dataclass(frozen=True)
class Probe:
    """A question about one instruction.

    Attributes:
        name: the name of the function and of its file.
        variant: the instruction form that it asks about.
        target: the instruction set that it runs on.
        source: the kernel's text for that target, PTX or assembly.
        analysis: what explains its readings.
        function: takes one point of the axes and returns its readings.
        axes: names and values, in the order of the decorators.
        hazards: how the device treats hazards, "raise" or "report".
        overrides: the axes whose values were overridden, as "pattern=permuted,strided".
        sources: the text for every target that it can run on.
        had: by axis, which of its values a target has; an axis that is not here has all.
    """

    name: str
    variant: str
    target: str
    source: str
    analysis: Analysis
    function: Callable[[State], list[Any]]
    axes: tuple[tuple[str, tuple[AxisValue, ...]], ...] = ()
    hazards: str = "raise"
    overrides: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    had: Mapping[str, Callable[[str], Sequence[AxisValue]]] = field(default_factory=dict)

    def __str__(self) -> str:
        """Name and target."""
        return f"{self.name} on {self.target}"

    @property
    def targets(self) -> tuple[str, ...]:
        """Every target that it can run on."""
        return tuple(self.sources)

    def on(self, target: str) -> Probe:
        """The probe on one of its targets, with the values of its axes that the target has.

        Raises:
            UserError: it has no text for that target, or the target no value of an axis.
        """
        if target not in self.sources:
            known = " and ".join(self.sources)
            raise UserError(f"probe {self.name} runs on {known}, not on {target}")
        axes = tuple((name, self._values(name, values, target)) for name, values in self.axes)
        return replace(self, target=target, source=self.sources[target], axes=axes)

    def _values(
        self, axis: str, values: tuple[AxisValue, ...], target: str
    ) -> tuple[AxisValue, ...]:
        """Return those values of an axis that a target has."""
        if axis not in self.had:
            return values
        own = self.had[axis](target)
        kept = tuple(value for value in values if value in own)
        if not kept:
            asked, known = ", ".join(map(str, values)), ", ".join(map(str, own))
            raise UserError(
                f"axis {axis} of probe {self.name} cannot be {asked} on {target}, which has {known}"
            )
        return kept

    @property
    def question(self) -> str:
        """The first line of the function's docstring."""
        return (self.function.__doc__ or self.name).strip().splitlines()[0]

    def points(self) -> Iterator[dict[str, AxisValue]]:
        """Every point of the axes, the last axis fastest."""
        names = [name for name, _ in self.axes]
        for values in itertools.product(*(values for _, values in self.axes)):
            yield dict(zip(names, values, strict=True))

    def with_axes(self, overrides: Mapping[str, Sequence[AxisValue | str]]) -> Probe:
        """The probe with other values for some axes; text is converted to the axis's type.

        Raises:
            UserError: it has no such axis, or a value cannot be read.
        """
        known = dict(self.axes)
        for name, values in overrides.items():
            if name not in known:
                legal = ", ".join(known) or "none"
                raise UserError(f"probe {self.name} has no axis {name!r}; it has {legal}")
            known[name] = tuple(_read_value(self, name, value) for value in values)
        texts = tuple(
            f"{name}={','.join(map(str, known[name]))}"
            for name, values in self.axes
            if known[name] != values
        )
        return replace(self, axes=tuple(known.items()), overrides=texts)

    def readings(self, device: Any) -> list[Any]:
        """Run every point on a device and return all readings."""
        modules: dict[str, Any] = {}
        readings: list[Any] = []
        for point in self.points():
            readings += self.function(State(device, self.source, point, modules))
        return readings


def _read_value(probe: Probe, axis: str, value: AxisValue | str) -> AxisValue:
    """An axis value from the command line, converted to the type of the axis's values."""
    own = dict(probe.axes)[axis][0]
    if isinstance(own, int) and isinstance(value, str):
        try:
            return int(value, 0)
        except ValueError:
            raise UserError(
                f"axis {axis} of probe {probe.name} takes integers, not {value!r}"
            ) from None
    return value


def probe(
    variant: str,
    *,
    source: str | Mapping[str, str],
    target: str = "",
    analysis: Analysis,
    hazards: str = "raise",
) -> Callable[[Callable[[State], list[Any]]], Probe]:
    """Turn a function into a probe; the innermost decorator.

    Args:
        variant: the instruction form that it asks about.
        source: the kernel's text, or the text for each of several targets, by target.
        target: the instruction set of a single text.
        analysis: what explains the readings.
        hazards: "raise", or "report" if hazards are part of the question.
    """
    texts = {target: source} if isinstance(source, str) else dict(source)
    first, text = next(iter(texts.items()))

    def decorate(function: Callable[[State], list[Any]]) -> Probe:
        return Probe(
            function.__name__,
            variant,
            first,
            text,
            analysis,
            function,
            hazards=hazards,
            sources=texts,
        )

    return decorate


def axis(
    name: str,
    values: Sequence[AxisValue],
    had: Callable[[str], Sequence[AxisValue]] | None = None,
) -> Callable[[Probe], Probe]:
    """Add an axis to a probe; outer decorators vary more slowly.

    Args:
        name: the axis.
        values: its values.
        had: which of them a target has; None if every target has all.
    """

    def decorate(each: Probe) -> Probe:
        limits = {**each.had, name: had} if had else each.had
        return replace(each, axes=((name, tuple(values)), *each.axes), had=limits)

    return decorate


def load_file(path: Path) -> list[Probe]:
    """The probes of one file.

    Raises:
        UserError: the file cannot be imported.
    """
    module = paths.import_file(path, "lanemap_probe")
    return [value for value in vars(module).values() if isinstance(value, Probe)]


def find_probes(folder: Path | None = None) -> dict[str, Probe]:
    """All probes in a folder (by default the installed one), sorted by name.

    Raises:
        UserError: two files define a probe of the same name.
    """
    found: dict[str, Probe] = {}
    for path in sorted((folder or paths.find("probes")).glob("[!_]*.py")):
        for each in load_file(path):
            if each.name in found:
                raise UserError(f"{path} defines the probe {each.name} a second time")
            found[each.name] = each
    return dict(sorted(found.items()))


def find_probe(name: str, folder: Path | None = None) -> Probe:
    """One probe by name. Its own file is tried first, to avoid importing the others.

    Raises:
        UserError: there is no probe of that name; the message offers similar names.
    """
    place = folder or paths.find("probes")
    own = place / f"{name}.py"
    if name.isidentifier() and own.is_file():
        for each in load_file(own):
            if each.name == name:
                return each
    probes = find_probes(place)
    if name not in probes:
        close = difflib.get_close_matches(name, probes, 3)
        hint = f"did you mean {' or '.join(close)}?" if close else "`lanemap list probes` shows all"
        raise UserError(f"there is no probe {name!r}; {hint}")
    return probes[name]


def chosen(names: Sequence[str], target: str = "") -> list[Probe]:
    """Probes by name, or all of them, each on every target that it runs on or on the one named.

    Raises:
        UserError: there is no probe of a name, one that is named does not run on the target, or
            none does.
    """
    if names:
        named = [find_probe(name) for name in names]
        return [each.on(name) for each in named for name in ((target,) if target else each.targets)]
    found = [
        each.on(name)
        for each in find_probes().values()
        for name in each.targets
        if target in ("", name)
    ]
    if not found:
        raise UserError(f"there are no probes of target {target}")
    return found
