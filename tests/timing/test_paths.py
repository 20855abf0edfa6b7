"""Paths of warps through SASS, against loops whose turns are known and what compilers emit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.cli import main
from lanemap.timing.execution import Along, Recorder, along
from lanemap.timing.flow import END, blocks_of
from lanemap.timing.paths import arms_of
from lanemap.toolchain.sass import SassInstruction
from tests.sampled import sampled
from tests.timing.executed import KERNELS, TARGET
from tools.executed import code_hash

pytest.importorskip("nvidia.cu13")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

HEAD = f"""
.version 8.0
.target {TARGET}
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 turns) {{
  .reg .b32 %n, %i, %t, %v; .reg .b64 %a, %o; .reg .pred %p, %q;
  ld.param.u64 %a, [out]; ld.param.u32 %n, [turns];
  mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %a, %a, %o;
  mov.u32 %i, 0; mov.u32 %v, 0;
"""
#: A store in every turn; ptxas is told not to unroll it.
LOOP = (
    HEAD
    + """
again:
  .pragma "nounroll";
  st.volatile.global.u32 [%a], %i;
  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, %n;
  @%p bra again;
  ret;
}
"""
)
#: The same, which ptxas may unroll.
UNROLLED = LOOP.replace('.pragma "nounroll";', "")
#: Lane 0 of the first warp alone turns.
LEADER = LOOP.replace("again:\n", "setp.ne.u32 %q, %t, 0;\n  @%q bra done;\nagain:\n").replace(
    "  ret;", "done:\n  ret;"
)


def launched(text: str, turns: int, threads: int) -> Along:
    device = lanemap.open_device(TARGET, "emulator")
    recorder = Recorder()
    out = device.zeros(threads, np.uint32)
    with device.observe(recorder):
        device.load(text)["k"](1, threads, (out, np.uint32(turns)))
    ((kernel, walks),) = recorder.launches
    return along(text, TARGET, kernel, walks, "the text")


def stores(found: Along) -> int:
    """How often warps executed a store."""
    return sum(
        times
        for each, times in zip(found.code, found.executions, strict=True)
        if each.opcode.startswith("STG")
    )


@pytest.mark.parametrize("turns", [1, 2, 7, 100])
def test_a_loop_executes_as_often_as_it_turns(turns: int) -> None:
    found = launched(LOOP, turns, 96)
    assert (found.warps, found.missing, found.unmatched) == (3, {}, ())
    assert stores(found) == 3 * turns
    branches = [t for e, t in zip(found.code, found.executions, strict=True) if e.opcode == "BRA"]
    assert branches[0] == 3 * turns


def test_what_one_lane_does_is_executed_by_its_warp() -> None:
    found = launched(LEADER, 5, 128)
    assert (found.warps, found.missing) == (4, {})
    assert stores(found) == 5


@pytest.mark.parametrize("turns", [1, 4, 8, 11])
def test_an_unrolled_loop_turns_as_seldom_as_it_can(turns: int) -> None:
    """Four stores in a turn of SASS: 11 turns of the PTX are two of these and three others.

    Those others have guards, and one with a false guard is issued, too.
    """
    found = launched(UNROLLED, turns, 32)
    assert found.missing == {} and turns <= stores(found) <= turns + 3
    (back,) = [
        times
        for each, times in zip(found.code, found.executions, strict=True)
        if (each.opcode, each.guard) == ("BRA", "@!P1")
    ]
    assert back == turns // 4


#: A loop without an effect, whose turns only its products tell; it may be unrolled, too.
SILENT = (
    HEAD.replace("mov.u32 %v, 0;", "mov.u32 %v, %t;")
    + """
again:
  mul.lo.u32 %v, %v, %n;
  xor.b32 %v, %v, %i;
  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, %n;
  @%p bra again;
  st.global.u32 [%a], %v;
  ret;
}
"""
)


@pytest.mark.parametrize("turns", [1, 6, 16, 23])
def test_a_loop_without_effects_turns_as_often_as_its_products_say(turns: int) -> None:
    found = launched(SILENT, turns, 32)
    product = SILENT.splitlines().index("  mul.lo.u32 %v, %v, %n;") + 1
    products = [
        times
        for each, times in zip(found.code, found.executions, strict=True)
        if each.opcode == "IMAD" and not each.guard and each.line == product
    ]
    assert found.missing == {} and turns - 1 <= sum(products) <= turns
    assert products[:4] == [turns // 4] * 4


def test_the_longest_path_takes_its_stall_counts() -> None:
    """A turn more is a turn of the loop's stall counts more."""
    two, three, seven = (launched(LOOP, turns, 32).least_cycles for turns in (2, 3, 7))
    assert two < three
    assert seven - three == 4 * (three - two)


@pytest.mark.parametrize("name", sampled(KERNELS, 5))
def test_every_warp_of_a_compilers_kernel_has_a_path(name: str) -> None:
    found = KERNELS[name].on_emulator()
    assert found.missing == {}
    assert found.warps > 0


COUNTED = json.loads((Path(__file__).parent / "executed.json").read_text())["kernels"]
#: Loops that wait: how often they turn is a matter of time.
WAITS = ("mbarrier.try_wait", "setmaxnreg")


def test_each_kernel_was_counted_on_a_gpu() -> None:
    assert COUNTED.keys() == KERNELS.keys()


@pytest.mark.parametrize("name", sampled(KERNELS, 8))
def test_a_gpu_executes_each_instruction_as_often(name: str) -> None:
    """What Nsight Compute counted on an H200 (tools/executed.py), but for loops that wait.

    A warp whose lanes meet again at BSYNC counts there once for each part, and a NOP may be the
    target of such a loop.
    """
    kernel, found = KERNELS[name], KERNELS[name].on_emulator()
    assert code_hash(kernel.words()) == COUNTED[name]["code"], "ptxas makes other code now"
    counted = [count for count, same in COUNTED[name]["executed"] for _ in range(same)]
    text = kernel.text.splitlines()
    compared = 0
    for each, ours, theirs in zip(found.code, found.executions, counted, strict=True):
        near = " ".join(text[max(each.line - 2, 0) : each.line])
        if not any(word in near for word in WAITS) and each.opcode not in ("BSYNC", "NOP"):
            assert ours == theirs, (hex(each.address), each.opcode, each.line)
            compared += ours > 0
    assert compared > 100


def test_blocks_end_where_a_warp_may_go_elsewhere() -> None:
    code = [
        SassInstruction(0, "", "MOV", "R0, R1"),
        SassInstruction(16, "@P0", "BRA", "`(.L_x_1)"),
        SassInstruction(32, "", "CALL.REL.NOINC", "`(.L_x_2)"),
        SassInstruction(48, "@P1", "EXIT", ""),
        SassInstruction(64, "", "BRA.DIV", "UR4, `(.L_x_2)", label=".L_x_1"),
        SassInstruction(80, "", "EXIT", ""),
        SassInstruction(96, "", "RET.REL.NODEC", "R4 `(k)", label=".L_x_2"),
    ]
    found = [(each.next, each.jumps) for each in blocks_of(code)]
    assert found == [(1, (3,)), (None, (5,)), (3, (END,)), (4, ()), (None, (END,)), (None, (2,))]


def test_the_target_of_a_branch_is_its_first_instruction() -> None:
    """A branch without a guard at the target, or behind a label, is followed."""
    arms = arms_of(
        "@%p bra far;\nadd.u32 %a, %b, %c;\nbra.uni end;\n\nfar:\n  bra over;\nnear: ret;\n"
        "over:\n\n  // nothing\n  mov.u32 %a, %b;\nend: ret;"
    )
    assert arms[1].first == 11
    assert arms[1].behind == range(2, 4)


def test_run_shows_sass_with_control_words(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(EXAMPLES / "ordered.ptx"), "--arg", "zeros:u32:64", "--sass"]
    assert main.run([*words, "--json"]) == 0
    sass = json.loads(capsys.readouterr().out)["sass"]
    assert (sass["warps"], sass["without_path"]) == (2, {})
    (store,) = [each for each in sass["instructions"] if each["opcode"] == "STS"]
    text = (EXAMPLES / "ordered.ptx").read_text().splitlines()
    assert "st.shared" in text[store["ptx_line"] - 1]
    assert store["executed"] == 2
    assert main.run(words) == 0
    shown = capsys.readouterr().out
    assert "2 of 2 warps have a path" in shown
    assert "NOP" not in shown
    assert main.run(["run", str(EXAMPLES / "scale.s"), "--sass"]) == 2
    assert "the target is gfx950, whose text is machine code already" in capsys.readouterr().err
