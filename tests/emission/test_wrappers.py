"""The header of wrappers: all 148 forms, compiled by NVRTC and ptxas, down to the instruction.

Which forms there are, and what each becomes, is written here from NVIDIA's PTX ISA and from what
nvdisasm calls them; nothing is asked of the model.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lanemap.cli import main
from lanemap.devices import open_device
from lanemap.emission.wrappers import header
from lanemap.errors import MissingEnvironment, UserError
from lanemap.records.files import write_records
from lanemap.records.schema import Observation, Record
from lanemap.toolchain import nvrtc, places, ptxas, sass
from tests.records.rows import ENVIRONMENT, HASH, findings

# Registers of x1, the largest xN, and the shape's name in machine code.
SHAPES = {
    "32x32b": (1, 128, ""),
    "16x64b": (1, 128, ".16dp64bit"),
    "16x128b": (2, 64, ".16dp128bit"),
    "16x256b": (4, 32, ".16dp256bit"),
    "16x32bx2": (1, 128, ".16dp32bit"),
}
OPERATIONS = {"ld": ("LDTM", "pack", ".PACK16BIT"), "st": ("STTM", "unpack", ".EXPAND16BIT")}
LANE_16 = 16 << 16
IMM = 200
FORMS = [
    (op, shape, 1 << power, halves)
    for op in OPERATIONS
    for shape, (_, most, _) in SHAPES.items()
    for power in range(most.bit_length())
    for halves in (False, True)
]


@pytest.fixture(autouse=True)
def tools() -> None:
    try:
        places.find_library("libnvrtc.so.13", nvrtc.PACKAGE)
        places.find_program("ptxas", ptxas.PACKAGE)
        places.find_program("nvdisasm", sass.PACKAGE)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))


def registers(shape: str, repeat: int) -> int:
    return SHAPES[shape][0] * repeat


def twice(shape: str, repeat: int) -> bool:
    return shape != "32x32b" and 2 * registers(shape, repeat) <= 128


def spelled(op: str, shape: str, repeat: int, halves: bool) -> str:
    return f"{shape}.x{repeat}" + (f".{OPERATIONS[op][1]}::16b" if halves else "")


def kernel(name: str, op: str, function: str, count: int, imm: str) -> str:
    call = f"lanemap::{function}{imm}(r, taddr);"
    move = f"for (int i = 0; i < {count}; ++i)"
    body = (
        f"{call} lanemap::tcgen05_wait_ld(r); {move} p[i] = r[i];"
        if op == "ld"
        else f"{move} r[i] = p[i]; {call} lanemap::tcgen05_wait_st();"
    )
    return (
        f'extern "C" __global__ void {name}(unsigned *p, unsigned taddr) '
        f"{{ unsigned r[{count}]; {body} }}\n"
    )


@cache
def compiled() -> tuple[str, dict[str, list[sass.SassInstruction]]]:
    """PTX and machine code of a kernel for each wrapper; names are those of the wrappers."""
    text = header({})
    for op, shape, repeat, halves in FORMS:
        suffix = f"_x{repeat}" + (f"_{OPERATIONS[op][1]}_16b" if halves else "")
        imm = f"<{IMM}>" if shape == "16x32bx2" else ""
        count = registers(shape, repeat)
        text += kernel(f"{op}_{shape}{suffix}", op, f"tcgen05_{op}_{shape}{suffix}", count, imm)
        if twice(shape, repeat):
            name = f"{op}_2x{shape}{suffix}"
            text += kernel(name, op, f"tcgen05_{name}", 2 * count, imm)
    ptx = nvrtc.compile_cuda(text, "sm_100a", name="wrappers.cu")
    return ptx, sass.disassemble(ptxas.assemble(ptx, "sm_100a"))


def moved(kernel: str) -> list[tuple[str, str]]:
    """The loads and stores of tensor memory in a kernel: opcode, and address in tensor memory."""
    found = (i for i in compiled()[1][kernel] if i.opcode.startswith(("LDTM", "STTM")))
    return [(i.opcode, re.search(r"tmem\[(.*?)\]", i.operands)[1]) for i in found]  # type: ignore[index]


def machine(op: str, shape: str, repeat: int, halves: bool, start: int) -> list[tuple[str, str]]:
    """What the machine is to do for one issue; 16x32bx2 takes two, the second at +imm columns."""
    opcode, _, packed = OPERATIONS[op]
    times = (f".x{repeat}" if repeat > 1 else "") + (packed if halves else "")
    parts = (("", 0),) if shape != "16x32bx2" else (("_t0_t15", 0), ("_t16_t31", IMM))
    return [
        (
            opcode + SHAPES[shape][2] + half + times,
            f"UR4+{start + offset:#x}" if start + offset else "UR4",
        )
        for half, offset in parts
    ]


def test_all_148_forms_are_in_the_ptx() -> None:
    ptx, _ = compiled()
    found = set(re.findall(r"tcgen05\.(ld|st)\.sync\.aligned\.(\S+)\.b32", ptx))
    assert found == {(form[0], spelled(*form)) for form in FORMS}
    assert len(found) == 74 + 74


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form[0]}.{spelled(*form)}")
def test_the_machine_instruction_is_the_one_meant(form: tuple[str, str, int, bool]) -> None:
    op, shape, repeat, halves = form
    suffix = f"_x{repeat}" + (f"_{OPERATIONS[op][1]}_16b" if halves else "")
    assert moved(f"{op}_{shape}{suffix}") == machine(*form, 0)
    if twice(shape, repeat):
        both = machine(*form, 0) + machine(*form, LANE_16)
        assert moved(f"{op}_2x{shape}{suffix}") == both


def test_loaded_registers_are_used_after_the_wait() -> None:
    kernels = compiled()[0].split(".visible .entry ")[1:]
    loads = [text for text in kernels if text.startswith("ld_")]
    assert len(loads) == 74 + sum(twice(s, n) for op, s, n, _ in FORMS if op == "ld")
    for text in loads:
        wait = text.index("tcgen05.wait::ld")
        assert text.rindex("tcgen05.ld.") < wait < text.index("st.global")


def test_a_wrong_number_of_registers_does_not_compile() -> None:
    text = header({}) + kernel("k", "ld", "tcgen05_ld_16x256b_x2", 4, "")
    with pytest.raises(UserError, match=r"k\.cu:\d+: no instance|k\.cu:\d+: .*unsigned int"):
        nvrtc.compile_cuda(text, "sm_100a", name="k.cu")


def test_the_command_writes_the_file_and_says_what_was_observed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, results = tmp_path / "deep" / "wrappers.h", tmp_path / "results"
    results.mkdir()
    words = ["emit", "--wrappers", "--results", str(results)]
    assert main.run([*words, "--out", str(out)]) == 0
    assert capsys.readouterr().out == "" and out.read_text() == header({})
    from lanemap.model import variant

    name = "tcgen05.ld.16x64b.x2"
    true = variant(name).map
    row = Record(
        "tcgen05_ld",
        "sm_100a",
        "emulator",
        "emulator",
        (Observation(name, true, HASH, None, 1),),
        findings(name),
    )
    write_records([row], results)
    assert main.run([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["wrappers"]) == 148
    assert answer["observed"] == {name: "emulator (probe tcgen05_ld)"}
    (said,) = re.findall(rf"// {re.escape(name)}:.*\n// .*\n// (.*)\n", answer["text"])
    assert said == "Evidence: documented, emulator (probe tcgen05_ld)."
    some = true.table.copy()
    some[1:] = -1
    partial = type(true)(true.destination, true.source, some)
    row = Record(
        "tcgen05_ld",
        "sm_100a",
        "cuda",
        "silicon",
        (Observation(name, partial, HASH, None, 1),),
        findings(name),
        ENVIRONMENT,
    )
    write_records([row], results)
    assert main.run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["observed"] == {
        name: "emulator (probe tcgen05_ld), in part, silicon (probe tcgen05_ld, 1 of 2048 cells)"
    }
    swapped = true.table.copy()
    swapped[[0, 1]] = swapped[[1, 0]]
    wrong = type(true)(true.destination, true.source, swapped)
    row = Record(
        "tcgen05_ld",
        "sm_100a",
        "emulator",
        "emulator",
        (Observation(name, wrong, HASH, None, 1),),
        findings(name),
    )
    write_records([row], results)
    assert main.run(words) == 1
    assert name in capsys.readouterr().err


def test_a_variant_or_the_wrappers_not_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["emit"]) == 2
    assert "--wrappers" in capsys.readouterr().err
    assert main.run(["emit", "tcgen05.ld.32x32b.x1", "--wrappers"]) == 2


def test_a_kernel_of_wrappers_runs_on_the_emulator(tmp_path: Path) -> None:
    """CUDA with the emitted header, compiled by NVRTC; the fragments by NumPy from the ISA."""
    assert main.run(["emit", "--wrappers", "--out", str(tmp_path / "lanemap_tcgen05.h")]) == 0
    source = Path(__file__).parents[1] / "emulator/ptx/texts/tensor_transpose.cu"
    options = [f"--include-path={tmp_path}"]
    ptx = nvrtc.compile_cuda(source.read_text(), "sm_100a", options, name="transpose.cu")
    device = open_device("sm_100a", "emulator")
    words = np.random.default_rng(5).integers(0, 2**32, (128, 64), np.uint32)
    taken, halves = device.zeros((128, 64), np.uint32), device.zeros((128, 8), np.uint32)
    device.load(ptx)["transpose"]((1,), (128,), [device.array(words), taken, halves])
    thread, register = np.meshgrid(np.arange(128), np.arange(64), indexing="ij")
    t, r, issue = thread % 32, register % 32, register // 32
    lane = t // 4 + 8 * (r // 2 % 2) + 16 * issue
    column = r % 2 + 2 * (t % 4) + 8 * (r // 4)
    assert np.array_equal(taken.get(), words[thread // 32 * 32 + lane, column])
    # 16x32bx2 with imm 0: threads t and t + 16 both load lane t % 16, registers in order.
    thread, register = np.meshgrid(np.arange(128), np.arange(8), indexing="ij")
    lane = thread % 16 + 16 * (register // 4)
    assert np.array_equal(halves.get(), words[thread // 32 * 32 + lane, register % 4])
