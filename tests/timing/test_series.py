"""Series: what their kernels hold, and what the analysis makes of a machine with planted timing."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.conformance.silicon import keep_row
from lanemap.errors import UserError
from lanemap.records.files import read_record, write_records
from lanemap.records.schema import Record
from lanemap.timing.agreement import again, differing
from lanemap.timing.figures import Figure
from lanemap.timing.launch import DeviceMachine, More, inputs
from lanemap.timing.planted import MULTIPROCESSORS, Accident, PlantedMachine, Secret
from lanemap.timing.row import figures_of, series_record
from lanemap.timing.sampling import observe_series
from lanemap.timing.series import EVERY, Series, SeriesProbe, source
from lanemap.timing.series_figures import series_figures
from lanemap.timing.stalls import without_waits
from tests.sampled import sampled
from tests.timing.once import prepare
from tests.timing.planted_device import Planted

TARGET = "sm_90a"
CHASE = Series(
    "ld.shared.b32 chase",
    "LDS",
    ("issue of LDS", "issue of LDS with the result as its address"),
    "variable latency",
    link="ld.shared.b32 a, [a];",
    cut="ld.shared.b32 v, [start+{i}00]; xor.b32 x, x, v;",
    period={"LDS": 1},
    registers=".reg .b32 a, start, v;",
    setup="""
    shl.b32 start, thread, 2; add.u32 start, start, shared;
    add.u32 v, thread, 5; and.b32 v, v, 31; shl.b32 v, v, 2; add.u32 v, v, shared;
    st.shared.b32 [start], v;""",
    first="and.b32 low, low, zero; add.u32 a, start, low;",
    last="sub.u32 a, a, shared; xor.b32 x, x, a;",
    shared_bytes=8192,
)
STORES = Series(
    "st.shared.b32",
    "STS",
    ("issue of STS", "issue of the next STS of the warp"),
    "rate",
    link="st.shared.b32 [start+{i}00], x;",
    period={"STS": 1},
    registers=".reg .b32 start;",
    setup="shl.b32 start, thread, 2; add.u32 start, start, shared;",
    axes={"warps": 1},
    shared_bytes=8192,
)


FIXED = Series(
    "fma.rn.f32",
    "FFMA",
    ("issue of FFMA", "issue of FFMA with the result as addend"),
    "fixed latency",
    link="fma.rn.f32 f, a, b, f;",
    period={"FFMA": 1},
    registers=".reg .f32 f, a, b;",
    setup="mov.b32 a, k0; mov.b32 b, k1;",
    first="and.b32 low, low, zero; mov.b32 f, low;",
    last="mov.b32 u0, f; xor.b32 x, x, u0;",
)


def measured(series: Series, machine: PlantedMachine) -> Figure:
    modules = prepare(SeriesProbe("planted", (series,)), TARGET)
    samples, withheld = observe_series(
        modules, machine, lambda threads: inputs(MULTIPROCESSORS, threads)
    )
    assert not withheld, withheld
    (figure,) = series_figures(samples, MULTIPROCESSORS)
    return figure


@pytest.mark.parametrize("cycles", sampled([19, 31], 2))
def test_a_planted_latency_is_recovered(cycles: int) -> None:
    machine = PlantedMachine(Secret({("LDS", "LDS", 1): cycles}, {}))
    figure = measured(CHASE, machine)
    assert figure.explained, figure.certificates
    assert figure.cycles == cycles and figure.spread is not None
    assert figure.spread.least == figure.spread.most == cycles


@pytest.mark.parametrize(
    ("accident", "certificate"),
    [
        (Accident.MOVING_CLOCK, "slope"),
        (Accident.SATURATED, "slope"),
        (Accident.LOOP_COST, "slope"),
        (Accident.DEAF, "two_sided"),
        (Accident.INTERLOCKED, "two_sided"),
    ],
)
def test_an_accident_is_refused(accident: Accident, certificate: str) -> None:
    machine = PlantedMachine(Secret({("LDS", "LDS", 1): 23}, {}), accident)
    assert measured(CHASE, machine).certificates[certificate]


@pytest.mark.parametrize("cycles", sampled([2, 3, 4], {3}))
def test_a_planted_fixed_latency_is_recovered(cycles: int) -> None:
    figure = measured(FIXED, PlantedMachine(Secret({("FFMA", "FFMA", 3): cycles}, {})))
    assert figure.explained and figure.cycles == cycles


@pytest.mark.parametrize(
    ("accident", "certificate"),
    [
        (Accident.DEAF, "two_sided"),
        (Accident.INTERLOCKED, "two_sided"),
        (Accident.MOVING_CLOCK, "slope"),
        (Accident.LOOP_COST, "slope"),
    ],
)
def test_a_fixed_latency_of_an_accident_is_refused(accident: Accident, certificate: str) -> None:
    machine = PlantedMachine(Secret({("FFMA", "FFMA", 3): 3}, {}), accident)
    assert measured(FIXED, machine).certificates[certificate]


def test_a_chain_that_takes_no_longer_than_its_parts_apart_is_refused() -> None:
    """The planted machine has no latency: the slope is the stall counts, cut or whole."""
    figure = measured(CHASE, PlantedMachine(Secret({}, {"LDS": 20})))
    assert "a cut chain takes" in figure.certificates["dependence"]


def test_no_chain_reads_what_was_in_its_address_before_the_window() -> None:
    """A register may hold anything then: the first link that reads an address from it waits."""
    (own,) = prepare(SeriesProbe("planted", (replace(CHASE, lengths=(12, 16, 20)),)), TARGET)
    window = own.windows[12]
    unwaited, seen = without_waits(window, "LDS"), set()
    loads = [each for each in window.body if each.opcode == "LDS"]
    for each in loads:
        (address,) = re.findall(r"\[(R\d+)\]", each.operands)
        assert each.address not in unwaited or address in seen
        seen.add(address)
    assert len(unwaited) >= 4


def test_local_memory_is_no_spill_where_it_is_declared() -> None:
    local = replace(
        CHASE,
        instruction="LDL",
        link="ld.local.b32 a, [a];",
        cut="",
        period={"LDL": 1},
        registers=CHASE.registers + ".local .align 8 .b8 spot[128];",
        setup="mov.u32 start, spot; add.u32 v, start, zero; st.local.b32 [start], v;",
    )
    (own,) = prepare(SeriesProbe("planted", (local,)), TARGET)
    assert own.code.holds, own.code.reason
    (own,) = prepare(SeriesProbe("planted", (replace(local, period={"LDS": 1}),)), TARGET)
    assert own.code.reason == "the window spills registers: LDL"


def test_links_are_numbered_and_modules_declare_variables() -> None:
    """By hand: the links read words 1, 5, .. of 0, 1, 2, .., and x is mixed with their sum."""
    words = ", ".join(map(str, range(64)))
    table = replace(
        STORES,
        instruction="LDC",
        link="ld.const.b32 v, [table+{i*16+4}]; add.u32 u0, u0, v;",
        declarations=f".const .align 4 .b32 table[64] = {{{words}}};",
        lengths=(8, 12, 16),
        registers=".reg .b32 v;",
        setup="",
        shared_bytes=0,
        begin="mov.u32 u0, 0;",
        last="xor.b32 x, x, u0;",
    )
    text = source(table, TARGET, [table.text(8)])
    device = lanemap.open_device(TARGET, device="emulator")
    given = inputs(1)
    outcome = (
        DeviceMachine(device).load(text).launch(table.entry(8), given, More((np.uint32(EVERY),)))
    )
    expected = given[0, :, 0] ^ np.uint32(sum(4 * number + 1 for number in range(8)))
    assert outcome.results[0].tolist() == expected.tolist()


def test_merged_links_are_withheld() -> None:
    """Stores to one address, of which ptxas keeps the last."""
    again = replace(STORES, link="st.shared.b32 [start], x;")
    (own,) = prepare(SeriesProbe("planted", (again,)), TARGET)
    assert not own.code.holds
    samples, withheld = observe_series(
        [own], PlantedMachine(Secret({}, {})), lambda threads: inputs(MULTIPROCESSORS, threads)
    )
    assert not samples and set(withheld) == {STORES.label}


def test_a_link_that_is_not_as_declared_is_withheld() -> None:
    (own,) = prepare(SeriesProbe("planted", (replace(CHASE, period={"LDS": 2}),)), TARGET)
    assert own.code.reason == "a link is 1 LDS, declared as 2 LDS"


def test_a_cut_that_ptxas_merges_is_withheld() -> None:
    cut = "ld.shared.b32 v, [start]; xor.b32 x, x, v;"
    (own,) = prepare(SeriesProbe("planted", (replace(CHASE, cut=cut),)), TARGET)
    assert own.code.reason == "44 links cut hold 1 LDS, not 44"


def test_the_emulator_is_the_oracle() -> None:
    """By hand: each of 8 links goes on by five lanes, and lane l ends at lane l + 40 modulo 32."""
    device = lanemap.open_device(TARGET, device="emulator")
    (own,) = prepare(SeriesProbe("planted", (CHASE,)), TARGET)
    given = inputs(1)
    more = More((np.uint32(EVERY),), shared_bytes=8192)
    results = DeviceMachine(device).load(own.ptx).launch(CHASE.entry(8), given, more).results
    expected = [int(given[0, lane, 0]) ^ (lane + 5 * 8) % 32 * 4 for lane in range(32)]
    assert results[0].tolist() == expected


def test_two_questions_that_are_one_are_refused() -> None:
    with pytest.raises(UserError, match="twice"):
        SeriesProbe("twice", (CHASE, replace(CHASE, name="again")))


def test_an_interval_is_recovered() -> None:
    figure = measured(STORES, PlantedMachine(Secret({}, {"STS": 7})))
    assert figure.explained and figure.cycles == Fraction(7)


def test_a_row_of_series_is_written_and_read(tmp_path: Path) -> None:
    """Every question of the machine whose latency is 23 comes back from the file."""
    row = series_row()
    (path,) = write_records([row], tmp_path)
    read = read_record(path)
    assert {(each.instruction, each.cycles) for each in figures_of(read)} == {
        ("LDS", Fraction(23)),
        ("STS", Fraction(7)),
    }
    assert differing(row, read) == []


@cache
def series_row() -> Record:
    modules = prepare(SeriesProbe("planted", (CHASE, STORES)), TARGET)
    machine = PlantedMachine(Secret({("LDS", "LDS", 1): 23}, {"STS": 7}))
    samples, withheld = observe_series(
        modules, machine, lambda threads: inputs(MULTIPROCESSORS, threads)
    )
    return series_record(
        "planted",
        TARGET,
        modules,
        samples,
        withheld,
        Planted(),
        MULTIPROCESSORS,
        1,
        Planted().environment(),
    )


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"cycles": "36/5", "certificates": {"population": "SMs differ"}}, True),
        ({"cycles": "36/5", "certificates": {"code": "other instructions"}}, False),
        ({"cycles": "8", "certificates": {"population": "SMs differ"}}, False),
        ({"cycles": "8"}, False),
        ({"cycles": "8", "domain": "L2", "spread": ["6", "7", "9"]}, False),
    ],
)
def test_a_rate_agrees_if_its_cycles_do(change: dict[str, Any], same: bool) -> None:
    """7 cycles and 7.2 are the same within 3 %; 8 are others, as long as the SM decides them."""
    first = series_row()
    data = copy.deepcopy(first.to_json())
    (rate,) = (each for each in data["findings"]["figures"] if each["instruction"] == "STS")
    rate.update(change)
    assert (differing(first, Record.from_json(data)) == []) is same


def test_silicon_names_the_figures_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The stored row has 7 cycles for a store; the run found 8."""
    stored = series_row()
    data = copy.deepcopy(stored.to_json())
    (rate,) = (each for each in data["findings"]["figures"] if each["instruction"] == "STS")
    rate["cycles"] = "8"
    write_records([stored], tmp_path)
    assert keep_row(Record.from_json(data), tmp_path) == 1
    (line,) = (each for each in capsys.readouterr().out.splitlines() if each.startswith("  "))
    assert "STS" in line and line.endswith(": 7 and 8 cycles")


def on_gpu(row: Record, uuid: str, time: str) -> Record:
    """The row as if measured on that GPU at that time."""
    data = copy.deepcopy(row.to_json())
    before = data["environment"]["before"]
    before |= {"uuid": uuid, "host": before["host"] | {"time": time}}
    return Record.from_json(data)


def test_a_row_says_what_later_runs_found(tmp_path: Path) -> None:
    """On another GPU, then on its own, each run once; the figures stay those of the first."""
    first = on_gpu(series_row(), "GPU-a", "2026-01-01T00:00:00+00:00")
    (path,) = write_records([first], tmp_path)
    other = on_gpu(first, "GPU-b", "2026-01-02T00:00:00+00:00")
    data = copy.deepcopy(on_gpu(first, "GPU-a", "2026-01-03T00:00:00+00:00").to_json())
    (rate,) = (each for each in data["findings"]["figures"] if each["instruction"] == "STS")
    rate["cycles"] = "8"
    for run in (other, other, Record.from_json(data)):
        keep_row(run, tmp_path)
    stored = read_record(path)
    assert figures_of(stored) == figures_of(first)
    one, two = stored.findings["again"]
    assert (one["uuid"], one["same_gpu"], one["figures"], one["differing"]) == (
        "GPU-b",
        False,
        2,
        [],
    )
    assert two["same_gpu"] is True and two["differing"][0].endswith(": 7 and 8 cycles")
    assert again(series_row(), other)["same_gpu"] is None
    data["findings"]["figures"].remove(rate)
    fewer = again(first, Record.from_json(data))
    assert (fewer["figures"], fewer["differing"]) == (1, [])
    data = copy.deepcopy(other.to_json())
    next(each for each in data["findings"]["series"] if "st.shared" in each["name"])["trips"] = 2
    assert again(first, Record.from_json(data))["figures"] == 1


def test_what_l2_decides_lies_among_the_other_gpus_sms() -> None:
    data = series_row().to_json()
    rates = []
    for cycles in ("7", "9", "11"):
        own = copy.deepcopy(data)
        (rate,) = (each for each in own["findings"]["figures"] if each["instruction"] == "STS")
        rate.update({"cycles": cycles, "domain": "L2", "spread": ["6", "7", "9"]})
        rates.append(Record.from_json(own))
    assert differing(rates[0], rates[1]) == [] and differing(rates[0], rates[2]) != []
