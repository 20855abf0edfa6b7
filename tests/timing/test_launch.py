"""Grids: what their kernels hold and do, and what is made of a machine with planted intervals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.errors import UserError
from lanemap.records.files import read_record, write_records
from lanemap.timing import grids
from lanemap.timing.agreement import differing
from lanemap.timing.figures import Figure
from lanemap.timing.find import find_probes
from lanemap.timing.grid_figures import grid_figures
from lanemap.timing.grid_samples import Timers, observe_grids, timers_of
from lanemap.timing.grids import GridModule, GridProbe, Grids, Kernel, prepare
from lanemap.timing.row import figures_of, grid_record
from tests.timing.planted_device import Planted as PlantedDevice
from tests.timing.planted_grids import MULTIPROCESSORS, STEP, Accident, Planted, PlantedGrids

TARGET = "sm_90a"
PROBE = find_probes()["launch"]
assert isinstance(PROBE, GridProbe)
QUESTIONS = {each.label: each for each in PROBE.questions}
#: Questions of every kind, and which planted number each finds.
ASKED = {
    "empty grids ctas=1 threads=32": "interval",
    "tail, stream ctas=1 threads=32": "tail",
    "launch_dependents, stream ctas=1 threads=128": "dependent",
    "wait, stream ctas=1 threads=128": "wait",
    "CTAs of an SM threads=32": "start",
    "replacement threads=32": "replacement",
    "host, calls ctas=1 threads=32": "host",
}


@pytest.fixture(scope="module")
def module() -> GridModule:
    return prepare(PROBE, TARGET)


def measured(
    label: str, module: GridModule, machine: PlantedGrids
) -> tuple[list[Figure], dict[str, str]]:
    samples, withheld = observe_grids([QUESTIONS[label]], module, machine)
    return grid_figures(samples, MULTIPROCESSORS), withheld


@pytest.mark.parametrize("target", PROBE.targets)
def test_ptxas_makes_of_every_kernel_what_is_declared(target: str) -> None:
    own = prepare(PROBE, target)
    assert {each.kernel for each in PROBE.questions} <= own.code.keys()
    for kernel, code in own.code.items():
        assert code.reason == "", kernel


def test_a_kernel_with_other_instructions_is_withheld(
    module: GridModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store before the second stamp is no part of what is declared."""
    monkeypatch.setattr(
        grids,
        "_STAMPED",
        grids._STAMPED.replace(
            "    mov.u64 marked_ns",
            "    ld.param.u64 at, [stamps_at]; st.global.b32 [at], 0;\n    mov.u64 marked_ns",
            1,
        ),
    )
    other = prepare(PROBE, TARGET)
    label = "tail, stream ctas=1 threads=32"
    samples, withheld = observe_grids([QUESTIONS[label]], other, PlantedGrids(Planted()))
    assert not samples and "STG" in withheld[label]


@pytest.mark.parametrize("kernel", [Kernel(), Kernel(waits=True, releases=True)])
def test_every_cta_leaves_its_stamps_on_the_emulator(module: GridModule, kernel: Kernel) -> None:
    """Two CTAs of the fourth launch; the third and its neighbors keep their zeros."""
    device = lanemap.open_device(TARGET, device="emulator")
    stamps = device.zeros((5, 2, grids.STAMPS), np.uint64)
    device.load(module.ptx)[kernel.entry](2, 64, (stamps, np.uint32(3), np.uint32(500)))
    found = stamps.get()
    assert found[3, :, grids.NUMBER].tolist() == [3 << 32, 3 << 32 | 1]
    assert not found[[0, 1, 2, 4]].any()
    own = found[3].astype(np.int64)
    assert (own[:, grids.ENDED] - own[:, grids.BEGUN] >= 500).all()
    assert (own[:, grids.BEGUN] <= own[:, grids.MARKED]).all()


def test_the_other_kernels_run_on_the_emulator(module: GridModule) -> None:
    device = lanemap.open_device(TARGET, device="emulator")
    loaded = device.load(module.ptx)
    loaded["grid_empty"](3, 32, ())
    loaded["grid_empty_releases"](3, 32, ())
    loaded["hold"](1, 1, (np.uint32(100),))
    reads = device.zeros(grids.READS, np.uint64)
    loaded["ticks"](1, 1, (reads, np.uint32(grids.READS)))
    assert (np.diff(reads.get().astype(np.int64)) >= 0).all() and reads.get()[-1] > 0


@pytest.mark.parametrize("label", ASKED)
def test_a_planted_interval_is_recovered(label: str, module: GridModule) -> None:
    """Within the timer's step over what n adds; CTAs of an SM start when its turn comes again."""
    secret = Planted(interval=832, tail=1217, dependent=655, wait=1401, start=17, replacement=377)
    (figure,), withheld = measured(label, module, PlantedGrids(secret))
    expected = getattr(secret, ASKED[label])
    if ASKED[label] == "start":
        expected *= MULTIPROCESSORS
    assert not withheld and figure.explained, figure.certificates
    assert figure.cycles is not None and abs(figure.cycles - expected) <= Fraction(STEP, 10)
    assert figure.unit == ("cycles" if ASKED[label] in ("start", "replacement") else "ns")


@pytest.mark.parametrize(
    ("accident", "label", "certificate"),
    [
        (Accident.DROPPED, "tail, stream ctas=1 threads=32", "dependence"),
        (Accident.DROPPED, "replacement threads=32", "dependence"),
        (Accident.MOVING, "empty grids ctas=1 threads=32", "population"),
        (Accident.UNEVEN, "empty grids ctas=1 threads=32", "clock"),
        (Accident.UNEVEN, "replacement threads=32", "clock"),
        (Accident.QUEUED, "tail, stream ctas=1 threads=32", "slope"),
        (Accident.EVENTS, "empty grids ctas=1 threads=32", "clock"),
        (Accident.COARSE, "tail, stream ctas=1 threads=32", "clock"),
    ],
)
def test_an_accident_is_refused(
    accident: Accident, label: str, certificate: str, module: GridModule
) -> None:
    (figure,), _ = measured(label, module, PlantedGrids(Planted(), accident))
    assert figure.certificates[certificate] and not figure.explained


def test_launches_that_wait_for_the_host_are_withheld(module: GridModule) -> None:
    label = "empty grids ctas=1 threads=32"
    figures, withheld = measured(label, module, PlantedGrids(Planted(), Accident.STARVED))
    assert not figures and "the host took" in withheld[label]


def test_two_ctas_on_an_sm_replace_nobody(module: GridModule) -> None:
    """Their times overlap if the replacement comes before the end."""
    label = "replacement threads=32"
    _, withheld = measured(label, module, PlantedGrids(Planted(replacement=-100)))
    assert withheld[label] == "two CTAs ran on an SM at once"


def test_ctas_that_end_before_all_have_begun_leave_room(module: GridModule) -> None:
    """255 starts of 13000 cycles take longer than the 200000 for which each waits."""
    _, withheld = measured("CTAs of an SM threads=32", module, PlantedGrids(Planted(start=13000)))
    assert "before all" in withheld["CTAs of an SM threads=32"]


def test_the_clocks_beside_each_other() -> None:
    """2000 cycles in 1000 ns are 2000 in a microsecond; the least step is 32."""
    stamps = np.zeros((2, grids.STAMPS), np.uint64)
    stamps[:, grids.SM] = [4, 7]
    stamps[:, grids.ENDED], stamps[:, grids.ENDED_NS] = [2000, 3000], [1000, 2000]
    assert timers_of(np.array([64, 32, 96]), stamps) == Timers(32, {4: 2000.0, 7: 1500.0})
    assert "1500.0 to 2000.0" in Timers(32, {4: 2000.0, 7: 1500.0}).uneven()


def test_two_questions_that_are_one_are_refused() -> None:
    asked = next(iter(QUESTIONS.values()))
    with pytest.raises(UserError, match="twice"):
        GridProbe("twice", (asked, asked))


def test_a_row_is_written_and_read(module: GridModule, tmp_path: Path) -> None:
    """Nanoseconds stay nanoseconds."""
    machine = PlantedGrids(Planted())
    asked: list[Grids] = [QUESTIONS[label] for label in ASKED]
    row = grid_record(
        "launch",
        TARGET,
        module,
        observe_grids(asked, module, machine),
        machine.timers(),
        PlantedDevice(),
        MULTIPROCESSORS,
        PlantedDevice().environment(),
    )
    (path,) = write_records([row], tmp_path)
    read = read_record(path)
    units = {each.chain: each.unit for each in figures_of(read)}
    assert units["replacement threads=32"] == "cycles"
    assert units["host, calls ctas=1 threads=32"] == "ns" and len(units) == len(ASKED)
    assert differing(row, read) == []
