"""What decides the cycles of each stored figure besides the SM's clock: nothing, or it is named.

Cycles of clock64 say nothing of another frequency where something with a clock of its own takes
part. So a figure is measured at two frequencies, or names that.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lanemap.records.files import read_record
from lanemap.timing.figures import EVENT, FIXED, RATE_KIND, VARIABLE, Figure
from lanemap.timing.row import figures_of

ROOT = Path(__file__).resolve().parents[2]
ROWS = sorted((ROOT / "results").glob("*/*/timing_*.json"))
TIMERS = {"globaltimer", "host"}
#: Opcodes that may leave the SM, as SASS begins them: memory, copies by the TMA unit, clusters.
_BEYOND = re.compile(
    r"LDG(STS)?(\.|$)|STG|LD\.|ST\.|ATOMG|ATOM\.|RED\.|UTMA|UBLK|CCTL|UCGABAR|MAPA|"
    r"MEMBAR\.\w+\.(GPU|SYS|VC)|NANOSLEEP"
)


def leaves_the_sm(each: Figure) -> bool:
    """Whether its instruction asks something beyond the SM; L1 and shared memory are inside."""
    near = each.axes.get("residency") == "L1" or "shared memory" in " ".join(each.events)
    return bool(_BEYOND.match(each.instruction)) and not near


@pytest.mark.parametrize("path", ROWS, ids=lambda path: path.stem)
def test_each_figure_is_measured_at_two_clocks_or_names_its_domain(path: Path) -> None:
    row = read_record(path)
    documented = (ROOT / "docs/timing.md").read_text(encoding="utf-8")
    for each in figures_of(row):
        assert f"| `{each.domain}` |" in documented, each.domain
        assert (each.unit == "ns") == (each.domain in TIMERS), each
        if each.domain == "SM" and each.explained:
            assert row.findings["clock_domain"].startswith("SM clock"), each
            assert not leaves_the_sm(each), each


def test_each_class_has_figures_at_two_clocks() -> None:
    """The frequency fell by 3 % at least, and each window took the cycles it took before."""
    row = read_record(ROOT / "results/sm_90a/cuda/timing_clocks.json")
    found = figures_of(row)
    assert {each.kind for each in found} == {FIXED, VARIABLE, RATE_KIND, EVENT}
    assert all(each.explained and each.certificates["clock"] == "" for each in found)
    for series in row.findings["series"]:
        clocks = series["clocks"]
        assert clocks["busy_mhz"] <= 0.97 * clocks["idle_mhz"], series["name"]
        # "78x132" are 78 cycles of 132 SMs; a rate may be 3 % off.
        room = 0.03 if series["name"] == "st.shared.b32" else 0
        for links, busy in clocks["busy_cycles"].items():
            idle = [int(own.split("x")[0]) for own in series["cycles"][links].split()]
            assert min(abs(each - busy) for each in idle) <= room * busy, series["name"]
