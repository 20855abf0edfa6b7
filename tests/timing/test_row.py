"""The row of a timing probe: what it holds, and when two rows agree."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Record
from lanemap.timing.agreement import differing
from lanemap.timing.chains import Chains, observe, prepare
from lanemap.timing.export import document
from lanemap.timing.find import find_probes
from lanemap.timing.launch import inputs
from lanemap.timing.names import Names
from lanemap.timing.planted import MULTIPROCESSORS, PlantedMachine, Secret
from lanemap.timing.planted_waves import PlantedWaves, WaveSecret
from lanemap.timing.row import figures_of, record, series_record
from lanemap.timing.sampling import observe_series
from lanemap.timing.series import SeriesProbe
from tests.timing.planted_device import Planted

TARGET = "sm_90a"


@pytest.fixture(scope="module")
def row() -> Record:
    steps = {step.name: step for step in find_probes()["alu"].steps}
    probe = Chains("planted", (steps["lop3.b32"], steps["fma.f32"]))
    latencies = {("LOP3.LUT", "LOP3.LUT", 1): 4, ("FFMA", "FFMA", 2): 3}
    machine = PlantedMachine(Secret(latencies, {"LOP3.LUT": 2, "FFMA": 1}))
    modules = prepare(probe, TARGET)
    found = observe(probe, machine, TARGET, inputs(MULTIPROCESSORS), modules)
    return record(found, Planted(), MULTIPROCESSORS, 1, Planted().environment())


def test_a_row_is_written_and_gives_its_figures_back(row: Record, tmp_path: Path) -> None:
    (path,) = write_records([row], tmp_path)
    read = read_record(path)
    cycles = {each.events: each.cycles for each in figures_of(read) if each.explained}
    assert cycles == {
        ("issue of LOP3.LUT", "issue of LOP3.LUT with the result as operand 1"): 4,
        ("issue of FFMA", "issue of FFMA with the result as operand 2"): 3,
        ("issue of LOP3.LUT", "issue of the next independent LOP3.LUT of the warp"): 2,
        ("issue of FFMA", "issue of the next independent FFMA of the warp"): 1,
    }


def test_a_row_of_an_mi355x_is_written_exported_and_compared(tmp_path: Path) -> None:
    """A latency that hardware interlocks is whole cycles, as every latency inside of a core is."""
    probe = find_probes()["gfx950_mfma"]
    assert isinstance(probe, SeriesProbe)
    chain = next(each for each in probe.series if each.kind == "interlocked latency")
    machine = PlantedWaves(WaveSecret({chain.instruction: 36}, {chain.instruction: 16}))
    module = chain.assembled("gfx950")
    samples, withheld = observe_series(
        [module], machine, lambda threads: inputs(MULTIPROCESSORS, threads)
    )
    environment = {**Planted().environment(), "gpu": "AMD Instinct MI355X"}
    device = SimpleNamespace(name="hip", evidence="silicon", environment=lambda: environment)
    found = series_record(
        "gfx950_mfma",
        "gfx950",
        [module],
        samples,
        withheld,
        device,
        MULTIPROCESSORS,
        1,
        environment,
    )
    (path,) = write_records([found], tmp_path)
    read = read_record(path)
    (figure,) = figures_of(read)
    assert figure.cycles == 36 and figure.explained
    (shown,) = document([(read, figure)], Names([read], [probe]), {})["timings"]
    assert (shown["latency"], shown["class"]) == (36, "interlocked latency")
    for cycles, agrees in (("37", True), ("38", False)):
        other = changed(read, lambda each: each["figures"][0].update(cycles=cycles))  # noqa: B023
        assert (differing(read, other) == []) == agrees


def changed(row: Record, change: Callable[[dict[str, Any]], None]) -> Record:
    data = copy.deepcopy(row.to_json())
    change(data["findings"])
    return Record.from_json(data)


def figure(findings: dict[str, Any], kind: str, instruction: str) -> dict[str, Any]:
    return next(
        each
        for each in findings["figures"]
        if (each["kind"], each["instruction"]) == (kind, instruction)
    )


def test_a_row_agrees_with_itself_and_within_a_cycle(row: Record) -> None:
    assert differing(row, row) == []
    near = changed(row, lambda own: figure(own, "fixed latency", "FFMA").update(cycles="4"))
    assert differing(row, near) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda own: figure(own, "fixed latency", "FFMA").update(cycles="5"),
            "issue of FFMA with the result as operand 2: 3 and 5 cycles",
        ),
        (
            lambda own: figure(own, "interval", "LOP3.LUT").update(cycles="21/10"),
            "issue of the next independent LOP3.LUT of the warp: 2 and 2.1 cycles",
        ),
        (
            lambda own: figure(own, "interval", "FFMA")["certificates"].update(slope="bent"),
            "issue of the next independent FFMA of the warp: only one row explains it",
        ),
        (
            lambda own: own["chains"][0].update(results="sha256:" + "1" * 64),
            "lop3.b32: other results",
        ),
    ],
)
def test_a_difference_is_named(
    row: Record, change: Callable[[dict[str, Any]], None], sentence: str
) -> None:
    (found,) = differing(row, changed(row, change))
    assert found.endswith(sentence)
