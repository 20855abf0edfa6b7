"""The row that a timing probe's findings become, and the figures read back from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record
from lanemap.timing.chains import Findings, Measured
from lanemap.timing.figures import Figure, Spread, figures
from lanemap.timing.grid_figures import grid_figures
from lanemap.timing.grid_samples import GridSample, Timers
from lanemap.timing.grids import GridModule
from lanemap.timing.launch import WARP, histogram
from lanemap.timing.sampling import Cycles, Sampled
from lanemap.timing.series import SeriesModule
from lanemap.timing.series_figures import series_figures
from lanemap.timing.stalls import TwoSided
from lanemap.toolchain import amdgpu, ptxas

CLOCK_DOMAIN = "SM clock (clock64 of the SM that ran the warp)"
WAVE_CLOCK = "shader clock (s_memtime of the compute unit that ran the wave)"
TIMER_DOMAIN = "globaltimer, the SM clock or the host's clock, as the figure says"
#: Lines of a window that a row keeps.
LINES = 256
QUESTION = "How many cycles lie between the named events?"


def name(group: str) -> str:
    """The name of a group's row."""
    return f"timing_{group}"


def record(found: Findings, device: Any, ctas: int, seed: int, before: Mapping[str, Any]) -> Record:
    """The row of chains that were measured on a device; `before` is its environment before."""
    findings = {
        "modules": [_hashes(own.ptx, own.cubin) for own in found.modules],
        "figures": [_figure(each) for each in figures(found)],
        "chains": [_chain(each) for each in (*found.chains, *found.spreads)],
        "series": [],
        "withheld": dict(found.withheld),
    }
    return _record(found.probe.name, found.target, device, findings, (ctas, seed), before)


def series_record(
    group: str,
    target: str,
    modules: Sequence[SeriesModule],
    samples: Sequence[Sampled],
    withheld: Mapping[str, str],
    device: Any,
    ctas: int,
    seed: int,
    before: Mapping[str, Any],
) -> Record:
    """The row of series that were measured on a device; `before` is its environment before."""
    findings = {
        "modules": [_hashes(own.ptx, own.cubin) for own in modules],
        "figures": [_figure(each) for each in series_figures(samples, ctas)],
        "chains": [],
        "series": [_series(each) for each in samples],
        "withheld": dict(withheld),
    }
    return _record(group, target, device, findings, (ctas, seed), before)


def grid_record(
    group: str,
    target: str,
    module: GridModule,
    measured: tuple[Sequence[GridSample], Mapping[str, str]],
    timers: Timers,
    device: Any,
    multiprocessors: int,
    before: Mapping[str, Any],
) -> Record:
    """The row of grids: samples and what was withheld; `before` is the environment before."""
    samples, withheld = measured
    findings = {
        "modules": [_hashes(module.ptx, module.cubin)],
        "figures": [_figure(each) for each in grid_figures(samples, multiprocessors)],
        "chains": [],
        "series": [_grids(each) for each in samples],
        "withheld": dict(withheld),
        "clock_domain": TIMER_DOMAIN,
        "timers": timers.to_json(),
    }
    return _record(group, target, device, findings, (multiprocessors, 0), before)


def _record(
    group: str,
    target: str,
    device: Any,
    findings: Mapping[str, Any],
    given: tuple[int, int],
    before: Mapping[str, Any],
) -> Record:
    ctas, seed = given
    findings = {
        "question": QUESTION,
        "command": f"lanemap timing {group} --device {device.name}",
        "clock_domain": WAVE_CLOCK if target.startswith("gfx") else CLOCK_DOMAIN,
        "assembler": f"clang of {amdgpu.find_tools().origin}"
        if target.startswith("gfx")
        else f"ptxas {ptxas.version()}",
        "inputs": {"ctas": ctas, "seed": seed},
        **findings,
    }
    return Record(
        name(group),
        target,
        device.name,
        device.evidence,
        (),
        findings,
        environment={"before": dict(before), "after": dict(device.environment())},
        kind="timing",
    )


def _hashes(ptx: str, cubin: bytes) -> dict[str, str]:
    return {"ptx": source_hash(ptx), "cubin": source_hash(cubin)}


def results_hash(results: Any) -> str:
    """Hash of uint32 results, [CTA, thread], as little-endian bytes."""
    return source_hash(results.astype("<u4").tobytes())


def _figure(each: Figure) -> dict[str, Any]:
    return {
        "instruction": each.instruction,
        "from_event": each.events[0],
        "to_event": each.events[1],
        "kind": each.kind,
        "cycles": None if each.cycles is None else str(each.cycles),
        "value": None if each.cycles is None else float(each.cycles),
        "chain": each.chain,
        "certificates": dict(each.certificates),
        "explained": each.explained,
        "axes": dict(each.axes),
        "spread": None
        if each.spread is None
        else [str(each.spread.least), str(each.spread.middle), str(each.spread.most)],
        "domain": each.domain,
        **({} if each.unit == "cycles" else {"unit": each.unit}),
    }


def _chain(each: Measured) -> dict[str, Any]:
    return {
        "steps": [step.name for step in each.steps],
        "strands": each.strands,
        "links_of_a_turn": each.turns,
        "period": dict(each.code.period),
        "overhead": dict(each.code.overhead),
        "cycles": _histograms(each.histograms),
        "least_cycles": _histograms(each.tight),
        "edges": [_trial(trial) for trial in each.edges],
        "results_right": each.right,
        # The windows of pairs are many and follow from the modules' hashes.
        "window": list(each.lines) if len(each.steps) == 1 else [],
        "results": None if each.results is None else results_hash(each.results),
        "exact": all(step.exact for step in each.steps),
    }


def _series(each: Sampled) -> dict[str, Any]:
    return {
        "name": each.series.label,
        "warps": each.series.warps,
        "cluster": each.series.cluster,
        "operations_of_a_link": each.series.per_link,
        "trips": each.series.trips,
        "period": dict(each.code.period),
        "overhead": dict(each.code.overhead),
        "cycles": _spreads(each.cycles),
        "cut_cycles": _spreads(each.cut),
        "unwaited": each.unwaited,
        "stalls": {str(total): share for total, share in each.stalls.items()},
        "least_cycles": _spreads(each.tight),
        # Thousands of equal instructions say nothing more, and follow from the modules' hashes.
        "window": list(each.lines) if len(each.lines) <= LINES else [],
        "results": None if each.results is None else results_hash(each.results),
        "exact": each.series.exact,
        "clocks": None
        if each.clocks is None
        else {
            "sm": each.clocks.sm,
            "idle_mhz": round(each.clocks.idle_mhz, 1),
            "busy_mhz": round(each.clocks.busy_mhz, 1),
            "busy_cycles": {str(links): own for links, own in each.clocks.cycles.items()},
        },
    }


def _grids(each: GridSample) -> dict[str, Any]:
    asked = each.asked
    return {
        "name": asked.label,
        "warps": -(-asked.threads // WARP),
        "cluster": asked.cluster,
        "operations_of_a_link": 1,
        "trips": 1,
        "period": dict(each.code.period),
        "overhead": {},
        "cycles": _spreads(each.took),
        "cut_cycles": {},
        "unwaited": None,
        "stalls": {},
        "least_cycles": {},
        "window": list(each.lines),
        "results": None,
        "exact": False,
        "unit": "cycles" if asked.local else "ns",
        "over": "SMs" if asked.local else "runs",
        "events_ns": _spreads(each.events),
        "runs": _spreads(each.runs) if asked.local else {},
    }


def _spreads(own: Cycles) -> dict[str, str]:
    """By number of links, how many SMs took how many cycles: "185x130 186x2"."""
    return {
        str(links): " ".join(f"{cycles}x{count}" for cycles, count in histogram(by_sm).items())
        for links, by_sm in sorted(own.items())
    }


def _histograms(own: Mapping[int, Mapping[int, int]]) -> dict[str, dict[str, int]]:
    return {str(n): {str(k): count for k, count in each.items()} for n, each in own.items()}


def _trial(trial: TwoSided) -> dict[str, Any]:
    edge = trial.edge
    return {
        "producer": edge.producer,
        "consumer": edge.consumer,
        "operand": edge.operand,
        "fixed": edge.fixed,
        "assembled": list(trial.assembled),
        "wrong": {str(stall): round(share * trial.inputs) for stall, share in trial.wrong.items()},
        "least": trial.least if edge.fixed else None,
    }


def figures_of(row: Record) -> list[Figure]:
    """The figures of a stored row."""
    return [
        Figure(
            each["instruction"],
            (each["from_event"], each["to_event"]),
            each["kind"],
            None if each["cycles"] is None else Fraction(each["cycles"]),
            each["chain"],
            each["certificates"],
            each.get("axes", {}),
            Spread(*map(Fraction, each["spread"])) if each.get("spread") else None,
            each.get("domain", "SM"),
            each.get("unit", "cycles"),
        )
        for each in row.findings["figures"]
    ]
