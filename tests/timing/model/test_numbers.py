"""No number that the machine counts in is free of a row."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.records.schema import Record
from lanemap.timing.figures import Figure
from lanemap.timing.model import machine
from lanemap.timing.model.memory import MEMORY
from lanemap.timing.model.opcodes import RULES
from lanemap.timing.model.operations import Operations
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.rows import Rows, measured
from lanemap.timing.model.shared import SHARED
from lanemap.toolchain.control import NO_BARRIER, Control
from lanemap.toolchain.sass import SassInstruction

FOLDER = Path(machine.__file__).parent
#: Fields of an operation that are no times: what its word, its registers and its opcode say.
SAID = {
    "stall", "waits", "write_barrier", "read_barrier", "pipe", "other", "unit", "reads", "ahead",
    "awaited", "copies", "peer", "early", "merges", "far", "fewest", "never",
}  # fmt: skip
#: Numbers of a file of Python that no row decides, and what does.
DECIDED = {
    "chip.(_REGISTER_UNIT, _SHARED_UNIT)": "CUDA's calculator of occupancy",
    "chip.FRESH": "more bytes than there are",
    "chip.MOST_ISSUES": "how long a prediction may take",
    "chip.RERUN_ISSUES": "how long a prediction may take",
    "chip._WAVES": "how long a prediction may take; predictions are beside a GPU",
    "consistency.HALF": "when a series agrees",
    "envelope._BUSY": "from which load of L2 on an error must be marked before",
    "envelope._PART": "from which size on an error must be marked before",
    "interval.LEAST": "when there are enough launches for an interval",
    "interval.SHORT": "which launches of the development set count as short",
    "interval.SHARE": "what an interval promises",
    "kinds.MOST": "how long a prediction may take",
    "machine.BYTE_FRACTION": "the unit of a field",
    "machine.FRACTION": "the unit of a field",
    "matrix._COLUMNS": "names of series",
    "matrix.(_WIDE, _EXPONENT)": "names of series",
    "matrix._ISSUED": "names of series",
    "matrix._NARROW": "names of series",
    "memory._TURN": "a stall count of a window, as its reading says",
    "memory._REST": "stall counts of a window, as its reading says",
    "kinds.EVENTS": "how long a prediction may take",
    "operations.(_GPU, _TURN)": "stall counts of a window, as its reading says",
    "recording._BANKS": "banks of shared memory (CUDA C++ Programming Guide)",
    "recording._LANES": "lanes of a warp",
    "recording._PAGE": "how arrays are found",
    "recording._RANK_SHIFT": "how the emulator numbers shared memory of a cluster",
    "scripts._LINES": "how much is printed",
    "shares.(_WORDS, _MANY_WORDS)": "names of series",
    "shares.(_ADD, _WORD_BYTES)": "names of series, and the bytes that a lane changes",
    "shares._COPYING": "names of series",
    "shares.(_WHOLE, _CROSSING, _RAGGED)": "names of series",
    "shares.(_SECTORS, _MORE_LINES, _MORE_SECTORS)": "what the addresses of a window access",
    "shares._LINK": "the name of a series",
    "shares._TOGETHER": "names of series",
    "shares.(_GRIDS, _THREADS, _CLUSTERS)": "names of series",
    "shared.(_WORD, _PAIR, _QUAD)": "words of an access",
    "simulate.(_SHARED, _REMOTE)": "levels of machine.h",
    "simulate.(SCHEDULERS, GROUP)": "schedulers of an SM, warps of a warpgroup",
    "timeline._SEQUENCE": "a field of a file",
    "trace.(SECTOR_BYTES, LINE_BYTES)": "bytes of a sector, and of a line of L1",
    "fetching.LINE": "instructions of a line",
    "shares.(_STORED, _REDUCED)": "names of series, and sectors of their stores",
    "touched._WHOLE": "what the values of a hash are below",
    "machine._NEVER": "the last cycle that the machine can count to",
    "machine._LEVELS": "L2 and memory",
    "windows.(_BOXES, _BOX)": "a series, and the bytes that its copies have",
    "windows._APART": "how far the lanes of a probe's window lie apart",
}
#: Lines of C with a number above 1, and what it is.
IN_C = {
    "if (!a || a->level <= 1) return latency;": "a level",
    "Found f = {.beyond = a->level == 3 ? come : 0};": "a level",
    "if (a->level != 3) return;": "a level",
    "m->moved[a->level == 3] += a->whole;": "a level",
    "int64_t more = a->level == 3 ? o->third - o->second : 0;": "a level",
    "*at += (bytes + 15) / 16 * 16;": "bytes of an alignment",
    "return (int64_t)(at - (char *)0) + 16 * sizes->schedulers * 2;": "bytes of an alignment",
    "enum { BARRIERS = 6, NO_BARRIER = 7, FRACTION = 64, BYTE_FRACTION = 4096, KEPT = 16 };":
        "fields of a control word, units, room",
    "enum { KEPT_PRODUCTS = 256, KEPT_STORES = 256, LEVELS = 2 };": "room",
    "if (a->level == 2 && o->home && !m->sizes->warm) more = o->home - o->second;": "a level",
}  # fmt: skip


class Longer(Rows):
    """Rows whose every figure is three times as long, and whose windows are."""

    def group(self, group: str) -> dict[str, list[Figure]]:
        return {
            label: [
                each if each.cycles is None else replace(each, cycles=3 * each.cycles)
                for each in own
            ]
            for label, own in super().group(group).items()
        }

    def record(self, group: str) -> Record:
        own = super().record(group)
        series = [
            {**each, "operations_of_a_link": 3 * each["operations_of_a_link"]}
            for each in own.findings["series"]
        ]
        return replace(own, findings={**own.findings, "series": series})


@pytest.fixture(scope="module")
def both() -> tuple[Operations, Operations]:
    """Operations of the rows, and of rows that are longer."""
    rows = measured()
    return Operations(Parameters(rows), 2), Operations(Parameters(Longer(rows.folder)), 2)


def instructions() -> Iterator[SassInstruction]:
    """One of each opcode that a rule begins with, and of some matrix instructions."""
    starts = [start for own in (RULES, SHARED, MEMORY) for rule in own for start in rule.opcodes]
    matrix = ["HMMA.16816.F32", "IMMA.16832.S8.S8", "DMMA.8x8x4", "HGMMA.64x128x16.F32"]
    for opcode in [*starts, *matrix]:
        for write, read in ((0, 1), (0, NO_BARRIER), (NO_BARRIER, NO_BARRIER)):
            control = Control(4, 1, write, read, 0, 0)
            yield SassInstruction(0, "", opcode, "R0, 0x0, R4, R6", control.put(0))


def unmoved(one: np.void, other: np.void) -> set[str]:
    """Fields that both have alike, and that are not zero."""
    return {name for name in one.dtype.names or () if one[name] and one[name] == other[name]}


def test_every_time_of_an_operation_follows_its_row(both: tuple[Operations, Operations]) -> None:
    found: list[tuple[str, set[str]]] = []
    tried = set()
    for each in instructions():
        try:
            one, other = (own.table([each], [0])[0] for own in both)
        except UserError:
            continue
        tried.add(each.opcode)
        found.append((each.opcode, unmoved(one, other) - SAID))
    assert [each for each in found if each[1]] == []
    assert {"MUFU", "STS.128", "LDG.E", "HMMA.16816.F32", "UBLKCP.S.G", "BRA"} <= tried


def test_every_cost_follows_its_row(both: tuple[Operations, Operations]) -> None:
    one, other = (own.costs[0] for own in both)
    assert unmoved(one, other) == set()
    assert all(one[name] for name in one.dtype.names)


def test_every_cost_is_in_the_ledger(both: tuple[Operations, Operations]) -> None:
    stream = both[0].costs[0]["stream"]
    line = both[0].parameters.ledger["instructions of a stream"].to_json()
    assert (line["cycles"], line["row"]) == (stream, "results/sm_90a/cuda/timing_alu_rates.json")


def test_c_has_no_number_of_its_own() -> None:
    found = set()
    for name in ("machine.c", "machine.h", "units.h", "instructions.h"):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", (FOLDER / name).read_text(), flags=re.S)
        for line in text.splitlines():
            if any(int(number) > 1 for number in re.findall(r"(?<![\w.])\d+\b", line)):
                found.add(line.strip())
    assert found <= set(IN_C), found - set(IN_C)


def test_python_has_no_number_that_nothing_decides() -> None:
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and is_number(node.value):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                found.add(f"{path.stem}.{ast.unparse(target)}")
    assert found == set(DECIDED), found ^ set(DECIDED)


def is_number(node: ast.expr | None) -> bool:
    """Whether an expression has numbers and nothing else."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Fraction":
        return all(is_number(each) for each in node.args)
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    if isinstance(node, ast.Tuple):
        return any(is_number(each) for each in node.elts)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
