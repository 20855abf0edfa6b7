"""Predictions of launches, and the verb that shows them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.cli import main
from lanemap.errors import UserError
from lanemap.timing.model import answer, chip
from lanemap.timing.model.answer import Changed, Prediction, predicted, shares
from lanemap.timing.model.launched import Certificate, Joined, certified, joined
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.recording import TraceRecorder
from lanemap.timing.model.scripts import timed
from lanemap.timing.model.shares import streamed
from lanemap.timing.model.simulate import Reason
from lanemap.timing.model.timeline import slices
from tests.timing.executed import TARGET, assembled

pytest.importorskip("nvidia.cu13")
ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples/shared_turns.ptx"
WARPS = 4


def launched(text: str, turns: int = 8) -> Joined:
    device = lanemap.open_device(TARGET, "emulator")
    recorder = TraceRecorder()
    out = device.zeros(4, np.uint32)
    with device.observe(recorder):  # type: ignore[attr-defined]
        device.load(text)["shared_turns"](1, 32 * WARPS, (out, np.int32(turns)))
    return joined(recorder.launches[0], text, assembled(text))


@pytest.fixture(scope="module")
def example() -> Prediction:
    return predicted(launched(EXAMPLE.read_text()))


def test_the_account_has_every_cycle_of_every_warp(example: Prediction) -> None:
    assert sum(each.cycles for each in example.waits()) == WARPS * example.cycles
    assert sum(example.by_line().values()) == WARPS * example.cycles
    assert sum(shares(example.waits()).values()) == WARPS * example.cycles
    counts = [each.cycles for each in example.waits()]
    assert counts == sorted(counts, reverse=True)


def test_the_chain_adds_up_to_the_last_issue(example: Prediction) -> None:
    last = max(int(each.cycles[-1]) for each in example.result.warps)
    assert sum(each.cycles for each in example.chain()) == last


def test_a_wait_names_the_instruction_that_ends_it(example: Prediction) -> None:
    """Each turn adds what it has loaded, and loads behind a barrier."""
    code = example.trace.code
    of = {(code[each.place].opcode, each.reason): each.cause for each in example.waits()}
    chain = {(code[each.place].opcode, each.reason): each.cause for each in example.chain()}
    for each in (of, chain):
        assert code[each["IMAD.IADD", Reason.RESULT]].opcode == "LDS"
        assert code[each["LDS", Reason.BARRIER]].opcode == "BAR.SYNC.DEFER_BLOCKING"
    assert all(cause < 0 for (_, why), cause in of.items() if why == Reason.STALL_COUNT)


def test_effects_execute_as_often_in_both(example: Prediction) -> None:
    """In 8 turns each warp stores once and comes to two barriers; at the end one warp stores."""
    assert example.joined.certificate == Certificate(4, WARPS * 8 * 3 + 1)
    with pytest.raises(UserError, match="line 7 of the PTX was executed 3 times, and has 2 on"):
        certified({7: 3, 9: 1}, {7: 2, 9: 1})


def test_each_turn_takes_the_same(example: Prediction) -> None:
    """16 turns minus 8 turns are 8 turns, of which each has two barriers and a load."""
    text = EXAMPLE.read_text()
    more, most = (predicted(launched(text, turns), changes=False).cycles for turns in (16, 24))
    assert most - more == more - example.cycles
    assert (more - example.cycles) / 8 > 40


def test_conflicts_cost_cycles_and_a_change_says_how_many() -> None:
    """With a pitch of 32 words all lanes of a store are in one bank: 31 passes more."""
    text = EXAMPLE.read_text().replace("tile[1024]", "tile[16384]").replace("%t, 2;", "%t, 7;")
    found = predicted(launched(text))
    changes = {each.what: each.cycles for each in found.changes}
    assert found.active - changes["no bank conflicts"] > 8 * 31
    needs = found.needs()
    passes = needs["passes of shared memory"] - needs["passes of shared memory without conflicts"]
    assert passes == 8 * WARPS * 31


def many(example: Prediction, ctas: int) -> Prediction:
    trace = replace(example.trace, grid=np.zeros(ctas, np.int32))
    return predicted(replace(example.joined, trace=trace), changes=False)


def test_ctas_take_the_place_of_those_that_end(example: Prediction) -> None:
    """16 CTAs fit on an SM; of 132 * 32 + 1 one SM has 33."""
    full, over = many(example, 132 * 32), many(example, 132 * 32 + 1)
    assert (full.grid.resident, full.grid.limit) == (16, "warps of an SM")
    assert (len(full.kinds), len(over.kinds)) == (32, 33)
    assert example.cycles < full.cycles < over.cycles
    warps = full.result.warps
    first = [min(int(w.cycles[0]) for w in warps if w.cta == cta) for cta in range(32)]
    last = [max(int(w.cycles[-1]) for w in warps if w.cta == cta) for cta in range(32)]
    replaced = float(full.parameters.ledger["a CTA takes another's place"].value)
    assert first[16] == min(last) + round(replaced)
    assert int(full.result.account.sum()) == full.cycles * len(full.result.warps)


def test_what_was_not_simulated_takes_as_long(example: Prediction, monkeypatch: Any) -> None:
    whole = many(example, 132 * 320)
    monkeypatch.setattr(chip, "MOST_ISSUES", 1)
    part = many(example, 132 * 320)
    assert part.grid.simulated == 64 and whole.grid.simulated == 320
    assert abs(part.cycles / whole.cycles - 1) < 0.03


def test_reruns_that_end_sooner_change_as_much(example: Prediction, monkeypatch: Any) -> None:
    """Of 320 CTAs of an SM, and of 64 of them."""
    trace = replace(example.trace, grid=np.zeros(132 * 320, np.int32))
    made = replace(example.joined, trace=trace)
    whole = {each.what: each.cycles for each in predicted(made).changes}
    for module in (answer, chip):
        monkeypatch.setattr(module, "RERUN_ISSUES", 1)
    part = {each.what: each.cycles for each in predicted(made).changes}
    assert part.keys() == whole.keys()
    assert all(abs(part[what] / whole[what] - 1) < 0.03 for what in part)


def test_faster_memory_makes_streams_faster() -> None:
    """What the row of streams says is halved with the rest of memory."""
    slow, fast = Parameters(), Changed(groups=("streams",))
    each = [streamed(own, 1e9, 0) for own in (slow, fast)]
    assert each[0] == 2 * each[1] > 0


def test_slices_of_a_track_do_not_overlap(example: Prediction) -> None:
    ends: dict[tuple[str, ...], int] = {}
    for each in sorted(slices(example), key=lambda each: each.begin):
        assert each.begin >= ends.get(each.track, 0) and each.end > each.begin
        ends[each.track] = each.end
    warps = {track[1]: end for track, end in ends.items() if "warp" in track[1]}
    roles = ["stores", *["arithmetic"] * (WARPS - 1)]
    assert sorted(warps) == [f"CTA 0 warp {n}: {own}" for n, own in enumerate(roles)]
    last = max(int(each.cycles[-1]) for each in example.result.warps)
    assert max(warps.values()) == last + 1 <= example.cycles  # stores leave the SM after it


ARGUMENTS = ["--block", "128", "--arg", "zeros:u32:4", "--arg", "i32:8"]


def test_the_verb_shows_it(
    example: Prediction, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "turns.pftrace"
    words = ["time", str(EXAMPLE), *ARGUMENTS]
    assert main.run([*words, "--json", "--timeline", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["evidence"], found["cycles"]) == ("predicted", example.cycles)
    assert all(each["row"].startswith("results/") for each in found["parameters"])
    assert file.stat().st_size > 1000
    assert main.run([*words, "--parameters"]) == 0
    shown = capsys.readouterr().out
    assert f"predicted: {example.active:,} cycles" in shown and "why it counts here" in shown
    assert f"all: 4 warps, {example.cycles:,} cycles each" in shown
    assert "execute 97 times on the paths" in shown and "timing_smem" in shown


def test_a_kernel_is_predicted_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["time", "ss_gemm", "--problem", "m=128,n=128,k=64", "--no-changes", "--json"]
    assert main.run(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ctas"] >= 1 and found["certificate"]["executions"] > 0
    assert found["interval"][0] <= found["active_cycles"] <= found["interval"][1]
    for given, said in (
        (["ss_gem"], "did you mean ss_gemm?"),
        (["nvfp4_gemm"], "has no benchmarks for sm_90a"),
        ([str(EXAMPLE), "--problem", "m=1"], "is for kernels that are named"),
    ):
        assert main.run(["time", *given]) == 2
        assert said in capsys.readouterr().err


def test_each_launch_of_a_script_is_predicted(
    example: Prediction, capsys: pytest.CaptureFixture[str]
) -> None:
    device = lanemap.open_device(TARGET, "emulator")
    module = device.load(EXAMPLE.read_text())
    module.text = EXAMPLE.read_text()
    with timed(device, module, "shared_turns"):
        module["shared_turns"](1, 32 * WARPS, (device.zeros(4, np.uint32), np.int32(8)))
    said = capsys.readouterr().err
    assert f"shared_turns, 1 CTA: predicted {example.active:,} cycles of an H200" in said
    assert "line of PTX:" in said


def test_the_verb_refuses_a_race(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["time", str(ROOT / "examples/race.ptx"), "--arg", "zeros:u32:64"]
    assert main.run(words) == 2
    assert "has 1 hazard, so what it does is not certain" in capsys.readouterr().err


def test_the_verb_refuses_a_target_that_nobody_timed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["time", str(EXAMPLE), "--target", "sm_80"]) == 2
    assert "no GPU of it" in capsys.readouterr().err


def test_of_a_b200_there_are_published_bounds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of 128 lanes each stores 4 bytes and loads 4 a turn; 148 SMs have 128 bytes a clock."""
    file = tmp_path / "turns.ptx"
    file.write_text(
        EXAMPLE.read_text().replace("sm_90a", "sm_100a").replace(".version 8.0", ".version 8.6")
    )
    words = ["time", str(file), "--target", "sm_100a", *ARGUMENTS]
    assert main.run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("shared memory" in line and "at least" in line for line in lines)
    assert main.run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["evidence"], found["interval"]) == ("published", None)
    rate = 128 * 2250e12 / 8192
    assert found["microseconds_at_least"]["shared memory"] == pytest.approx(8 * 1024 / rate * 1e6)
    assert main.run(["time", "ss_gemm", "--problem", "m=128,n=128,k=64", *words[2:4]]) == 0
    assert all(
        line.startswith("published: ") for line in capsys.readouterr().out.splitlines() if line
    )
