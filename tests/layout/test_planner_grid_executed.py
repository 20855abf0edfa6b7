"""Every plan of the grid, as PTX on the emulator: every cell of the matrix ends where it belongs.

Loads run on tensor memory in which every half of a word has a tag of its own, stores on registers
that have; tags name the place that a half came from, so that what each cell of the destination
holds follows from where the plan's source has its elements. A conversion between the two is done
here, as the plan says it, because tags are no numbers.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.layout.planner import Issue, NoPlan, Placement, Plan
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
)
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    fill,
    kernel,
    read_back,
)
from tests.layout.test_planner_grid import CASES, moved

MOST = 256
REGISTER_HALVES = CTA_THREADS * MOST * 2
HALVES = REGISTER_HALVES + LANES * COLUMNS * 2
PASSES = 3
NOTHING = -1


def tags(halves: np.ndarray) -> np.ndarray:
    """Words of three passes from the numbers of their halves, shape (..., 2)."""
    low, high = halves & 0xFFFF, halves >> 16
    slices = np.stack([low, high, low ^ high ^ 0xFFFF]).astype(np.uint32)
    return slices[..., 0] | slices[..., 1] << np.uint32(16)


def named(words: np.ndarray) -> np.ndarray:
    """The numbers of both halves of words of three passes; NOTHING where they name none."""
    low, high, check = (
        np.stack([each & 0xFFFF, each >> 16], axis=-1).astype(np.int64) for each in words
    )
    number = low | high << 16
    return np.where((check == low ^ high ^ 0xFFFF) & (number < HALVES), number, NOTHING)


# Numbers of the halves of registers [thread, register] and of tensor memory [column, lane].
REGISTERS = np.arange(REGISTER_HALVES).reshape(CTA_THREADS, MOST, 2)
MEMORY = (REGISTER_HALVES + np.arange(LANES * COLUMNS * 2)).reshape(COLUMNS, LANES, 2)


def spelled(issue: Issue) -> str:
    """The instruction on fragment registers v0, v1, ..; a scratch register for what is unwanted."""
    op, rest = re.fullmatch(r"tcgen05\.(ld|st)\.(.*)", issue.variant).groups()  # type: ignore[union-attr]
    names = "{" + ", ".join(f"v{r}" if r >= 0 else f"v{MOST}" for r in issue.registers) + "}"
    imm = "" if issue.gap is None else f", {issue.gap}"
    form = f"tcgen05.{op}.sync.aligned.{rest}.b32"
    return f"{form} {names}, [target]{imm};" if op == "ld" else f"{form} [target]{imm}, {names};"


def issued(warps: dict[int, tuple[Issue, ...]]) -> str:
    """The issues of each warp, behind a branch for each."""
    text = ""
    for warp, issues in warps.items():
        text += f"    setp.ne.u32 more, warp, {warp};\n    @more bra after{warp};\n"
        for issue in issues:
            text += f"    add.u32 target, base, {issue.lane << 16 | issue.column};\n"
            text += f"    {spelled(issue)}\n"
        text += f"after{warp}:\n"
    return text


def registers_at(verb: str, array: str, count: int) -> str:
    """Load or store v0, v1, .. of every thread, words [pass][register][thread]."""
    moves = [
        f"ld.global.b32 v{i}, [from+{4 * CTA_THREADS * i}];"
        if verb == "ld"
        else f"st.global.b32 [from+{4 * CTA_THREADS * i}], v{i};"
        for i in range(count)
    ]
    return f"""\
    mul.wide.u32 from, pass, {4 * CTA_THREADS * count};
    add.s64 from, from, {array};
    mul.wide.u32 far, thread, 4;
    add.s64 from, from, far;
    {" ".join(moves)}
"""


def launched(
    body: list[Piece], pointers: tuple[str, ...], arrays: list[np.ndarray], out: tuple[int, ...]
):
    """Run a body; words of three passes, halves that nothing defined as NOTHING."""
    device = open_device("sm_100a", "emulator", hazards="report")
    module = device.load(HEAD + kernel("plan", (*pointers, "output"), MOST + 1, body))
    output = device.zeros((PASSES, *out), np.uint32)
    given = [device.array(each) for each in arrays]
    module["plan"]((PASSES, 1, 1), (CTA_THREADS, 1, 1), [*given, output, *2 * [np.uint32(0)]])
    assert not device.hazards, str(device.hazards[0])
    undefined = output.undefined()
    assert undefined is not None
    unknown = undefined.reshape(PASSES, *out, 2, 16).any(axis=(0, -1))
    return np.where(unknown, NOTHING, named(output.get()))


def after_loads(plan: Plan, cta: int) -> np.ndarray:
    """The bits of the matrix in each register bit [warp 4, thread 32, register, bit]."""
    warps = {warp: steps.loads for (of, warp), steps in plan.warps.items() if of == cta}
    count = 1 + max(r for issues in warps.values() for issue in issues for r in issue.registers)
    zeros = "".join(f"    mov.b32 v{i}, 0;\n" for i in range(count))
    body = [
        fill("filling"),
        barrier(),
        Piece(zeros, "", "v"),
        Piece(issued(warps), "warp base", "more target v"),
        Piece("    tcgen05.wait::ld.sync.aligned;\n"),
        Piece(registers_at("st", "output", count), "v pass thread output", "from far"),
    ]
    found = launched(body, ("images",), [tags(MEMORY)], (count, CTA_THREADS))
    # [register, thread, half] to [thread, register, half].
    place = found.transpose(1, 0, 2) - REGISTER_HALVES
    held = halves_of(plan.source, cta)
    words = np.where(place >= 0, place // 2, 0)
    column, lane = words // LANES, words % LANES
    inside = (place >= 0) & (column < held.shape[1])
    taken = held[np.where(inside, lane, 0), np.where(inside, column, 0), place % 2]
    bits = np.where(inside[..., None], taken, NOTHING)
    return bits.reshape(4, 32, count, 32)


def after_stores(plan: Plan, cta: int, fragments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bits of the matrix in tensor memory [lane, column, bit], and the words written."""
    warps = {warp: steps.stores for (of, warp), steps in plan.warps.items() if of == cta}
    count = fragments.shape[2]
    given = tags(REGISTERS[:, :count].transpose(1, 0, 2))
    body = [
        fill("filling"),
        barrier(),
        Piece(registers_at("ld", "registers", count), "pass thread registers", "from far v"),
        Piece(issued(warps), "warp base v", "more target"),
        Piece("    tcgen05.wait::st.sync.aligned;\n"),
        barrier(),
        read_back("reading"),
    ]
    arrays = [tags(MEMORY), np.ascontiguousarray(given)]
    found = launched(body, ("images", "registers"), arrays, (COLUMNS, LANES))
    word = np.where((found >= 0) & (found < REGISTER_HALVES), found // 2, 0)
    thread, register = word // MOST, word % MOST
    halves = fragments.reshape(CTA_THREADS, count, 2, 16)
    taken = halves[thread, np.minimum(register, count - 1), found % 2]
    mine = (found >= 0) & (found < REGISTER_HALVES)
    bits = np.where(mine[..., None], taken, NOTHING).reshape(COLUMNS, LANES, 32)
    written = np.any(found != MEMORY, axis=-1)
    return bits.transpose(1, 0, 2), written.T


def halves_of(placed: Placement, cta: int) -> np.ndarray:
    """The bits of the matrix that tensor memory holds, by half: [lane, column, half, bit 16]."""
    table = placed.layout.table.reshape(placed.ctas, LANES, placed.words, 2, 16)
    return table[cta]


def run(plan: Plan, cta: int) -> None:
    """Execute a CTA's part of a plan, and hold the destination against its layout map."""
    source, destination = plan.source, plan.destination
    if source.kind == "tmem":
        fragments = after_loads(plan, cta)
    else:
        table = source.layout.table.reshape(source.ctas, -1, 32, source.words, 32)[cta]
        fragments = np.full((4, *table.shape[1:]), NOTHING)
        fragments[: len(table)] = table
    new = []
    for warp in range(4):
        steps = plan.warps.get((cta, warp))
        moves = None if steps is None else steps.moves
        new.append(fragments[warp] if moves is None else moved(fragments[warp], plan, moves.source))
    most = max(each.shape[1] for each in new)
    fragments = np.full((4, 32, most, 32), NOTHING)
    for warp, each in enumerate(new):
        fragments[warp, :, : each.shape[1]] = each
    wanted = destination.layout.table.reshape(destination.ctas, -1, destination.words, 32)[cta]
    if destination.kind == "registers":
        found = fragments.reshape(CTA_THREADS, most, 32)[: len(wanted), : destination.words]
    else:
        found, written = after_stores(plan, cta, fragments)
        unused = np.ones((LANES, COLUMNS), bool)
        unused[:, : destination.words] = np.all(wanted < 0, axis=-1)
        assert not np.any(written & unused), "a word outside the destination is written"
        found = found[:, : destination.words]
    wrong = np.argwhere((wanted >= 0) & (wanted != found))
    assert wrong.size == 0, f"row {wrong[0][0]} word {wrong[0][1]} bit {wrong[0][2]}"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[] if at % 57 == 0 else pytest.mark.slow)
        for at, case in enumerate(CASES)
    ],
    ids=lambda case: case.name.replace(" ", "-"),
)
def test_the_plan_moves_every_cell_on_the_emulator(case: object) -> None:
    plan = case.plan()  # type: ignore[attr-defined]
    if not case.possible:  # type: ignore[attr-defined]
        assert isinstance(plan, NoPlan)
        return
    assert isinstance(plan, Plan)
    for cta in {cta for cta, _ in plan.warps}:
        run(plan, cta)


def test_a_wrong_plan_is_noticed() -> None:
    """One register of a load taken for another."""
    from dataclasses import replace

    plan = CASES[0].plan()
    warps = {
        key: replace(
            steps,
            loads=tuple(
                replace(issue, registers=(*issue.registers[1::-1], *issue.registers[2:]))
                for issue in steps.loads
            ),
        )
        for key, steps in plan.warps.items()
    }
    with pytest.raises(AssertionError, match="word 0 bit 0"):
        run(replace(plan, warps=warps), 0)
