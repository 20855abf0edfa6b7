"""Runs a probe on a device: readings, explanation, fit, verdicts on named rules, record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.probing.finding import Finding
from lanemap.probing.part import Part
from lanemap.probing.probe import AxisValue, MapAnalysis, Probe, find_probe
from lanemap.records.schema import Observation, Pattern, Record

if TYPE_CHECKING:
    from rich.console import Console

    from lanemap.layout.f2 import F2Fit
    from lanemap.layout.fits import Fit


@dataclass(frozen=True)
class ProbeReport:
    """Everything that one run of a probe found.

    Attributes:
        probe: the probe, with the axes that were run.
        record: the row for results/.
        parts: what was found about each variant; one for most probes.
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
                f"probe {self.probe.name} has findings about {len(self.parts)} variants, not one; "
                "read `parts`"
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
    axes: Mapping[str, Sequence[AxisValue | str]] | None = None,
) -> ProbeReport:
    """Run a probe on a device and compare what it finds with the named rules.

    Args:
        name: the probe.
        target: one of the probe's targets; None for its first.
        device: "auto", "emulator", "cuda" or "hip".
        axes: other values for some of the probe's axes.

    Raises:
        UserError: there is no such probe, target or axis.
        MissingEnvironment: the device is not here.
    """
    from lanemap.devices import open_device

    probe = find_probe(name).with_axes(axes or {})
    probe = probe.on(target or probe.target)
    opened = open_device(probe.target, device=device)
    if probe.hazards == "report" and opened.evidence == "emulator":
        # Only the emulator can report hazards.
        opened = open_device(probe.target, device="emulator", hazards="report")
    return observe(probe, opened)


def observe(probe: Probe, device: Any) -> ProbeReport:
    """Run a probe on an open device and write nothing."""
    parts = [
        _part(probe, variant, readings)
        for variant, readings in by_variant(probe, probe.readings(device)).items()
    ]
    return ProbeReport(probe, _record(probe, device, parts), tuple(parts))


def by_variant(probe: Probe, readings: Sequence[Any]) -> dict[str, list[Any]]:
    """The readings of each variant; each reading of a family's probe names its variant.

    Raises:
        UserError: there are no readings, because the axes leave nothing to test.
    """
    found: dict[str, list[Any]] = {}
    for reading in readings:
        found.setdefault(getattr(reading, "variant", probe.variant), []).append(reading)
    if not found:
        axes = "; ".join(probe.overrides)
        raise UserError(f"probe {probe.name} has nothing to test at {axes}; give other values")
    return found


def _part(probe: Probe, variant: str, readings: Sequence[Any]) -> Part:
    """Return the findings about one variant."""
    from lanemap.probing.compare.rules import MODEL, judge, named_rules

    finding = probe.analysis.explain(readings)
    if not isinstance(probe.analysis, MapAnalysis):
        return Part(variant, finding, None, (), (), None)
    rules = named_rules(variant)
    verdicts, together = judge(probe.analysis, readings, rules)
    stated = [rule.map for rule in rules if MODEL in rule.names]
    fit = fitted(finding.cell_map) or _fitted_bits(finding)
    return Part(variant, finding, fit, verdicts, together, stated[0] if stated else None)


def fitted(layout: LayoutMap | None) -> Fit | None:
    """The closed form of a map; None where there is no map."""
    from lanemap.layout.fits import fit_layout

    if layout is None or not layout.defined.any():
        return None
    return fit_layout(layout)


def row_name(probe: Probe) -> str:
    """Return the name of a probe's row; a run with other axes has another row."""
    return ".".join((probe.name, *probe.overrides))


def _fitted_bits(finding: Finding) -> F2Fit | None:
    """The closed form over F2 of a map on bits, where bits move separately; None without one."""
    from lanemap.layout.f2 import F2Fit, fit_f2

    if finding.cell_map is not None or not finding.settles_all or not finding.cells:
        return None
    assert finding.map is not None
    fit = fit_f2(finding.map)
    return fit if isinstance(fit, F2Fit) else None


def _record(probe: Probe, device: Any, parts: Sequence[Part]) -> Record:
    """The row for results/."""
    several = len(parts) > 1 or parts[0].variant != probe.variant
    observations = [_observation(probe, device, part) for part in parts if part.finding.cells]
    kind = "readings" if not observations else "layout_family" if several else "layout_map"
    kind = parts[0].finding.kind or kind
    findings = {} if several else _findings(probe, device, parts[0])
    findings |= {
        "variant": probe.variant,
        "question": probe.question,
        "command": _command(probe, device),
        "axes": {axis: list(values) for axis, values in probe.axes},
        "explained": all(part.finding.explained for part in parts),
    }
    if several:
        # Findings that are not maps, for the variants that have any.
        told = {part.variant: _findings(probe, device, part) for part in parts}
        findings["variants"] = {name: facts for name, facts in told.items() if facts}
    return Record(
        probe=row_name(probe),
        target=probe.target,
        device=device.name,
        evidence=device.evidence,
        observations=tuple(observations),
        findings=findings,
        environment=device.environment() if device.evidence == "silicon" else None,
        kind=kind,
    )


def _findings(probe: Probe, device: Any, part: Part) -> dict[str, Any]:
    """Return a row's fields about one variant besides its map."""
    finding = part.finding
    findings = dict(finding.facts)
    if not finding.settles_all:
        # A complete map can be compared later; open cells can be judged only with the readings.
        left = [list(group) for group in part.together if len(group) > 1]
        findings["rules"] = [verdict.to_json() for verdict in part.verdicts]
        findings["rules_left_together"] = left
    if not finding.cells:
        # A probe that determines no cell observes no map; its certificate goes into the findings.
        findings |= _certified(probe, device, part)
    return findings


def _certified(probe: Probe, device: Any, part: Part) -> dict[str, Any]:
    """The certificates of a part, and the hashes of its inputs."""
    from lanemap.records.hashes import model_hash, source_hash

    model = part.model if device.evidence == "emulator" else None
    classes = [certificate.to_json() for certificate in part.finding.certificates]
    return {
        "certificate": {"classes": classes},
        "source_hash": source_hash(probe.source),
        "model_hash": None if model is None else model_hash(model),
    }


def _observation(probe: Probe, device: Any, part: Part) -> Observation:
    """The map, the hashes of its inputs, and its certificate."""
    finding, fit = part.finding, part.fit
    assert finding.map is not None
    nothing = finding.no_source
    return Observation(
        variant=part.variant,
        map=finding.map,
        passes=finding.passes,
        patterns=tuple(
            Pattern(p.name, p.description, p.agrees, p.cells, p.waves) for p in finding.patterns
        ),
        fit={} if fit is None else _fit_json(fit),
        **_certified(probe, device, part),
        without_source=None if nothing is None else nothing & ~finding.map.defined,
    )


def _command(probe: Probe, device: Any) -> str:
    """The command line that produces the record."""
    axes = "".join(f" --axis {text}" for text in probe.overrides)
    return f"lanemap probe {probe.name}{axes} --target {probe.target} --device {device.name}"


def _fit_json(fit: Fit) -> dict[str, Any]:
    """The fit as plain JSON values: the formula and, over F2, the rows of the matrix."""
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


def write(report: ProbeReport, out: Path, images: Mapping[str, str | bytes]) -> ProbeReport:
    """Write a report's record, and its figures beside it: all or none.

    Args:
        report: What was observed.
        out: Root of the results; all files go to <out>/<target>/<device>/.
        images: Figures by suffix, as "png".

    Raises:
        UserError: a file cannot be written, or it would replace a different row of silicon.
    """
    from lanemap.records.files import beside, record_path, write_files, write_records

    place = record_path(report.record, out)
    drawn = {beside(place, suffix): data for suffix, data in images.items()}
    written = write_records([report.record], out)
    write_files(drawn)
    return replace(report, written=(*written, *drawn))
