"""What the stored rows of issue and of launches say, as docs/timing.md tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.records.files import read_record
from lanemap.timing.figures import Figure
from lanemap.timing.row import figures_of

ROWS = Path(__file__).resolve().parents[2] / "results/sm_90a/cuda"


def explained(group: str) -> dict[str, Figure]:
    """By series, the explained figures of a group."""
    row = read_record(ROWS / f"timing_{group}.json")
    return {each.chain: each for each in figures_of(row) if each.explained}


@pytest.fixture(scope="module")
def issue() -> dict[str, float]:
    return {label: float(each.cycles or 0) for label, each in explained("issue").items()}


@pytest.fixture(scope="module")
def launch() -> dict[str, Figure]:
    return explained("launch")


def test_a_stall_count_is_the_distance_to_the_next_issue(issue: dict[str, float]) -> None:
    """But for a count of 1 with the bit clear, which takes two cycles."""
    for bit, most in ((0, 15), (1, 11)):
        for stall in range(1, most + 1):
            expected = 2 if (stall, bit) == (1, 0) else stall
            assert abs(issue[f"stall count stall={stall} yield_bit={bit}"] - expected) < 0.03


def test_the_barriers_are_alike(issue: dict[str, float]) -> None:
    for name in ("barrier of a result", "barrier of operands"):
        assert len({issue[f"{name} barrier={each}"] for each in range(6)}) == 1
    assert len({issue[f"barriers of four results barriers={each}"] for each in (1, 2, 4)}) == 1
    free = [cycles for label, cycles in issue.items() if label.startswith("free barriers")]
    assert len(free) == 9 and max(free) < 1.03


def test_a_back_edge_takes_eleven_or_twelve_cycles(issue: dict[str, float]) -> None:
    """Besides two for each LOP3.LUT of the body; more where the body leaves the nearest cache."""
    for body in (8, 16, 32, 64, 128, 256):
        assert issue[f"loop lop3={body}"] - 2 * body in (11, 12)
    assert issue["loop lop3=512"] - 2 * 512 > 12


def test_far_code_is_slower(issue: dict[str, float]) -> None:
    """28 KB, 120 KB and 160 KB of straight code, at 16 bytes an instruction."""
    for label, cycles in issue.items():
        if label.startswith("straight FFMA"):
            least, most = (int(each) for each in label.split("=")[1].split(" to "))
            if most * 16 <= 28 << 10:
                assert cycles == 1
            elif least >= 3072 and most * 16 <= 120 << 10:
                assert 2 < cycles < 2.6
            elif least * 16 >= 160 << 10:
                assert 5 < cycles < 7


def test_an_instruction_that_is_off_keeps_its_pipe(issue: dict[str, float]) -> None:
    """MUFU.EX2 issues every 8 cycles, whether a lane executes it or not."""
    assert issue["MUFU.EX2 off"] == 8 and issue["FFMA off"] == 1


def test_a_dependent_grid_begins_sooner(launch: dict[str, Figure]) -> None:
    """The first clock read of a grid comes sooner with each thing that it need not wait for."""

    def nanoseconds(label: str) -> float:
        assert launch[label].unit == "ns"
        return float(launch[label].cycles or 0)

    stream = nanoseconds("tail, stream ctas=132 threads=32")
    graph = nanoseconds("tail, graph ctas=132 threads=32")
    ends = nanoseconds("dependents without PREEXIT, stream ctas=132 threads=128")
    early = nanoseconds("launch_dependents, stream ctas=132 threads=128")
    assert 1500 < stream < 2200 and graph < 0.6 * stream and ends < graph and early < ends


def test_ctas_of_an_sm_start_and_replace_by_its_clock(launch: dict[str, Figure]) -> None:
    starts, replaced = launch["CTAs of an SM threads=32"], launch["replacement threads=32"]
    assert starts.unit == replaced.unit == "cycles"
    assert 20 < float(starts.cycles or 0) < 28 and 400 < float(replaced.cycles or 0) < 500
