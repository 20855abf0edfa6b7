"""Running a probe on a device: readings, explanation, fit, comparison with named rules, record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.probing.finding import Finding
from lanemap.probing.part import Part
from lanemap.probing.probe import AxisValue, Probe, find_probe
from lanemap.records.schema import Observation, Pattern, Record

if TYPE_CHECKING:
    from rich.console import Console

    from lanemap.layout.fits import Fit


@dataclass(frozen=True)
class ProbeReport:
    """All that one run of a probe found.

    Attributes:
        probe: the probe, with the axes that were run.
        record: the row for results/.
        parts: what was found of each variant; one for most probes.
        written: files that were written.
    """

    probe: Probe
    record: Record
    parts: tuple[Part, ...]
    written: tuple[Path, ...] = field(default=())

    @property
    def agrees(self) -> bool:
        """Whether every part agrees."""
        return all(part.agrees for part in self.parts)

    @property
    def finding(self) -> Finding:
        """The finding of the only part.

        Raises:
            UserError: there are several.
        """
        if len(self.parts) != 1:
            raise UserError(
                f"probe {self.probe.name} found something of {len(self.parts)} variants"
            )
        return self.parts[0].finding

    def to_json(self) -> dict[str, Any]:
        """The record, whether it agrees, and the files, as plain JSON values."""
        written = [str(path) for path in self.written]
        return self.record.to_json() | {"agrees": self.agrees, "written": written}

    def show(self, console: Console) -> None:
        """Print the report."""
        from lanemap.probing.show import report

        console.print(report(self.probe, self.record, self.parts, self.written))


def run_probe(
    name: str,
    target: str | None = None,
    device: str = "auto",
    out: Path | None = None,
    axes: Mapping[str, Sequence[AxisValue | str]] | None = None,
    figures: bool = True,
) -> ProbeReport:
    """Run a probe on a device and compare what it finds with the named rules.

    Args:
        name: the probe.
        target: refused unless it is the probe's own; None for that.
        device: "auto", "emulator", "cuda" or "hip".
        out: root of the results; the record and figures go to <out>/<target>/<device>/, all of
            them or none. None writes nothing.
        axes: values for some of the probe's axes instead of its own.
        figures: draw the figures too.

    Raises:
        UserError: there is no such probe, target or axis, or nothing can be written.
        MissingEnvironment: the device is not here.
    """
    from lanemap.devices import open_device

    probe = find_probe(name).with_axes(axes or {})
    if target not in (None, probe.target):
        raise UserError(f"probe {name} asks of {probe.target}, not of {target}")
    opened = open_device(probe.target, device=device)
    if probe.hazards == "report" and opened.evidence == "emulator":
        # Silicon reports no hazards, so that only the emulator is asked for them.
        opened = open_device(probe.target, device="emulator", hazards="report")
    report = observe(probe, opened)
    return write(report, out, figures) if out is not None else report


def observe(probe: Probe, device: Any) -> ProbeReport:
    """Run a probe on an open device; nothing is written."""
    parts = [
        _part(probe, variant, readings)
        for variant, readings in by_variant(probe, probe.readings(device)).items()
    ]
    return ProbeReport(probe, _record(probe, device, parts), tuple(parts))


def by_variant(probe: Probe, readings: Sequence[Any]) -> dict[str, list[Any]]:
    """The readings of each variant: a probe of a family says in each whom it is about.

    Raises:
        UserError: there are no readings, because the axes leave nothing to ask.
    """
    found: dict[str, list[Any]] = {}
    for reading in readings:
        found.setdefault(getattr(reading, "variant", probe.variant), []).append(reading)
    if not found:
        axes = "; ".join(probe.overrides)
        raise UserError(f"probe {probe.name} has nothing to ask at {axes}; name other values")
    return found


def _part(probe: Probe, variant: str, readings: Sequence[Any]) -> Part:
    """What the readings of one variant show."""
    from lanemap.probing.compare.rules import MODEL, judge, named_rules

    finding = probe.analysis.explain(readings)
    rules = named_rules(variant)
    verdicts, together = judge(probe.analysis, readings, rules)
    stated = [rule.map for rule in rules if MODEL in rule.names]
    fit = fitted(finding.cell_map)
    return Part(variant, finding, fit, verdicts, together, stated[0] if stated else None)


def fitted(layout: LayoutMap | None) -> Fit | None:
    """The closed form of a map; None where there is no map."""
    from lanemap.layout.fits import fit_layout

    if layout is None or not layout.defined.any():
        return None
    return fit_layout(layout)


def _record(probe: Probe, device: Any, parts: Sequence[Part]) -> Record:
    """The row for results/."""
    several = len(parts) > 1 or parts[0].variant != probe.variant
    observations = [
        _observation(probe, device, part) for part in parts if part.finding.map.defined.any()
    ]
    kind = "readings" if not observations else "layout_family" if several else "layout_map"
    findings = {} if several else _findings(probe, device, parts[0])
    findings |= {
        "variant": probe.variant,
        "question": probe.question,
        "command": _command(probe, device),
        "axes": {axis: list(values) for axis, values in probe.axes},
        "explained": all(part.finding.explained for part in parts),
    }
    if several:
        # What is not a map, of those variants of which there is anything to say.
        told = {part.variant: _findings(probe, device, part) for part in parts}
        findings["variants"] = {name: facts for name, facts in told.items() if facts}
    return Record(
        # Other axes make another record, which must not take the place of the probe's own.
        probe=".".join((probe.name, *probe.overrides)),
        target=probe.target,
        device=device.name,
        evidence=device.evidence,
        observations=tuple(observations),
        findings=findings,
        environment=device.environment() if device.evidence == "silicon" else None,
        kind=kind,
    )


def _findings(probe: Probe, device: Any, part: Part) -> dict[str, Any]:
    """What a row says of one variant besides its map."""
    finding = part.finding
    findings = dict(finding.facts)
    settled = bool(finding.map.defined.any())
    if not finding.settles_all:
        # A map can be held against any rule later; what is not settled only now.
        left = [list(group) for group in part.together if len(group) > 1]
        findings["rules"] = [verdict.to_json() for verdict in part.verdicts]
        findings["rules_left_together"] = left
    if not settled:
        # A probe that settles no cell observes no map; what it proves stands with its findings.
        observation = _observation(probe, device, part)
        findings["certificate"] = observation.certificate
        findings["source_hash"] = observation.source_hash
        findings["model_hash"] = observation.model_hash
    return findings


def _observation(probe: Probe, device: Any, part: Part) -> Observation:
    """The map with what it was made from and what is proven of it."""
    from lanemap.records.hashes import model_hash, source_hash

    finding, fit = part.finding, part.fit
    model = part.model if device.evidence == "emulator" else None
    nothing = finding.no_source
    return Observation(
        variant=part.variant,
        map=finding.map,
        source_hash=source_hash(probe.source),
        model_hash=None if model is None else model_hash(model),
        passes=finding.passes,
        patterns=tuple(
            Pattern(p.name, p.description, p.agrees, p.cells, p.waves) for p in finding.patterns
        ),
        fit={} if fit is None else _fit_json(fit),
        certificate={"classes": [certificate.to_json() for certificate in finding.certificates]},
        without_source=None if nothing is None else nothing & ~finding.map.defined,
    )


def _command(probe: Probe, device: Any) -> str:
    """The command line that makes the record."""
    axes = "".join(f" --axis {text}" for text in probe.overrides)
    return f"lanemap probe {probe.name}{axes} --target {probe.target} --device {device.name}"


def _fit_json(fit: Fit) -> dict[str, Any]:
    """The fit as plain JSON values: formula, and over F2 the matrix as rows of 0 and 1."""
    from lanemap.layout.f2 import F2Fit, axis_bits

    if not isinstance(fit, F2Fit):
        return {"form": fit.kind, "formula": fit.formula().splitlines()}
    return {
        "form": "f2",
        "formula": fit.formula().splitlines(),
        "rank": fit.rank,
        "destination_bits": [f"{axis}.{bit}" for axis, bit in axis_bits(fit.destination)],
        "source_bits": [f"{axis}.{bit}" for axis, bit in axis_bits(fit.source)],
        "matrix": ["".join(map(str, row)) for row in fit.matrix],
        "offset": "".join(map(str, fit.offset)),
    }


def write(report: ProbeReport, out: Path, figures: bool = True) -> ProbeReport:
    """Write a report's record, and its figures where there is a map to draw: all or none.

    Raises:
        UserError: a file cannot be written, or a different row of silicon stands there.
    """
    from lanemap.probing.folders import module
    from lanemap.records.files import beside, record_path, write_files, write_records

    drawn: dict[Path, str | bytes] = {}
    if figures:
        place = record_path(report.record, out)
        images = module("analysis", "figures").draw(report.record)
        drawn = {beside(place, suffix): data for suffix, data in images.items()}
    written = write_records([report.record], out)
    write_files(drawn)
    return replace(report, written=(*written, *drawn))
