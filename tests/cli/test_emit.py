"""`lanemap emit`: the emitted text, run, against formulas that others published."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lanemap.cli import main
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.records.files import write_records
from lanemap.records.schema import Observation, Record
from tests.records.rows import ENVIRONMENT, HASH, findings

TR8 = "ds_read_b64_tr_b8"


def emit(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.run(["emit", TR8, *words]) == 0
    return capsys.readouterr().out


def triton(lane: int, byte: int) -> dict[str, int]:
    """MemoryOpToLLVM.cpp lowerDsReadTr of Triton's AMD back end, byte `byte` of lane `lane`."""
    return {"lane": (lane & 48) + 2 * byte + ((lane >> 3) & 1), "byte": lane & 7}


def test_emitted_python_is_the_published_formula(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = emit(
        capsys, "--as", "python", "--cells", "byte", "--prefix", "tr8", "--results", str(tmp_path)
    )
    assert "evidence documented" in text
    names: dict[str, object] = {}
    exec(text, names)
    for lane in range(64):
        for byte in range(8):
            assert names["tr8"](lane, byte // 4, byte % 4) == triton(lane, byte)  # type: ignore[operator]


def test_an_observation_comes_before_the_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    true = variant(TR8).map
    layout = LayoutMap(true.destination, true.source, np.arange(4096))
    observation = Observation(TR8, layout, HASH, None, 1)
    rows = [
        Record("plain", "gfx950", "emulator", "emulator", (observation,), findings(TR8)),
        Record(
            "plain",
            "gfx950",
            "hip",
            "silicon",
            (Observation(TR8, true, HASH, None, 1),),
            findings(TR8),
            ENVIRONMENT,
        ),
    ]
    write_records(rows[:1], tmp_path)
    where = ["--results", str(tmp_path), "--json", "--as", "formula"]
    answer = json.loads(emit(capsys, *where))
    assert answer["map"] == ["observed by probe plain on emulator (gfx950), evidence emulator"]
    assert "chunk.lane = lane\n" in answer["text"]
    write_records(rows[1:], tmp_path)
    answer = json.loads(emit(capsys, *where))
    assert answer["map"] == ["observed by probe plain on hip (gfx950), evidence silicon"]
    answer = json.loads(emit(capsys, *where, "--from", "model"))
    assert answer["map"][0] == "our model, evidence documented"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--cells", "half"], "do not move together"),
        (["--cells", "six"], "--cells six is not one of bit, nibble, byte, half, word"),
        (["--prefix", "a b"], "cannot begin the name of a C function"),
        (["--from", "results"], "there is no observation of ds_read_b64_tr_b8"),
        (["--as", "cuda"], "Invalid value for '--as': 'cuda' is not one of"),
    ],
)
def test_what_cannot_be_emitted_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], sentence: str
) -> None:
    assert main.run(["emit", TR8, *words, "--results", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1


def test_a_partial_observation_is_named_and_never_emitted_as_the_map(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    true = variant(TR8).map
    table = np.full(4096, -1)
    table[0] = true.table[0]
    layout = LayoutMap(true.destination, true.source, table)
    partial = Observation(TR8, layout, HASH, None, 1)
    whole = Observation(TR8, true, HASH, HASH, 1)
    told = findings(TR8)
    silicon = Record("mine", "gfx950", "hip", "silicon", (partial,), told, ENVIRONMENT)
    emulated = Record("mine", "gfx950", "emulator", "emulator", (whole,), told)
    where = ["--results", str(tmp_path), "--json"]
    said = "in part, 1 of 4096 cells, also by probe mine on hip (gfx950), evidence silicon"
    write_records([silicon], tmp_path)
    answer = json.loads(emit(capsys, *where))
    assert answer["map"][0] == "our model, evidence documented" and answer["map"][-1] == said
    # Only where results/ is asked for by name, and then every form says how little it is.
    for form in ("c", "python", "formula"):
        answer = json.loads(emit(capsys, *where, "--from", "results", "--as", form))
        assert "PARTIAL: observed by probe mine" in answer["text"]
        assert "on 1 of 4096 cells of the model" in answer["text"]
        assert "every cell." not in answer["text"]
    write_records([emulated], tmp_path)
    answer = json.loads(emit(capsys, *where))
    assert answer["map"] == ["observed by probe mine on emulator (gfx950), evidence emulator", said]


def test_a_partial_observation_that_contradicts_what_would_be_emitted_stops_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    true = variant(TR8).map
    table = np.full(4096, -1)
    table[0] = 4095
    layout = LayoutMap(true.destination, true.source, table)
    row = Record(
        "mine",
        "gfx950",
        "hip",
        "silicon",
        (Observation(TR8, layout, HASH, None, 1),),
        findings(TR8),
        ENVIRONMENT,
    )
    write_records([row], tmp_path)
    assert main.run(["emit", TR8, "--results", str(tmp_path)]) == 1
    assert "probe mine on hip (gfx950) observed another map" in capsys.readouterr().err


#: What Triton 3.9.0 makes of its own layouts: test_tritons_own_layouts_are_these asks it again.
GLUON = {
    "mma.sync.m16n8k16.f32:D": (
        "gl.NVMMADistributedLayout([2, 0], [1, 1], [16, 8])",
        [[0, 1], [8, 0]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], [], [16, 8],
    ),
    "mma.sync.m16n8k16.f16:A": (
        "gl.DotOperandLayout(0, gl.NVMMADistributedLayout([2, 0], [1, 1], [16, 8]), 2)",
        [[0, 1], [8, 0], [0, 8]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], [], [16, 16],
    ),
    "wgmma.m64n64.f32:D": (
        "gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])",
        [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
        [[16, 0], [32, 0]], [64, 64],
    ),
    "v_mfma_f32_32x32x16_bf16:D": (
        "gl.amd.AMDMFMALayout(4, [32, 32, 16], False, [1, 1])",
        [[1, 0], [2, 0], [8, 0], [16, 0]], [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [4, 0]], [],
        [32, 32],
    ),
    "v_mfma_f32_32x32x16_bf16:A": (
        "gl.DotOperandLayout(0, gl.amd.AMDMFMALayout(4, [32, 32, 16], False, [1, 1]), 8)",
        [[0, 1], [0, 2], [0, 4]], [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 8]], [], [32, 16],
    ),
}  # fmt: skip
UNITS = {"32:D": "word", "16:A": "half", "16:D": "word"}
ASK = """
import json, sys
from triton._C.libtriton import gluon_ir, ir
from triton.experimental.gluon import language as gl
context = ir.context()
ir.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)
for text, shape in json.loads(sys.argv[1]):
    own = builder.to_linear_layout(eval(text)._to_ir(builder), shape)
    parts = own.reg_bases, own.lane_bases, own.warp_bases, own.shape
    print(json.dumps([list(part) for part in parts]))
"""


def test_gluons_text_is_tritons_own_layout(capsys: pytest.CaptureFixture[str]) -> None:
    gl = SimpleNamespace(DistributedLinearLayout=dict)
    for name, (_, *parts) in GLUON.items():
        unit = UNITS[name[-4:]]
        assert main.run(["emit", name, "--as", "gluon", "--cells", unit]) == 0
        text = capsys.readouterr().out
        assert text.startswith(f"# {name}: observed by probe ")
        found = eval(text.partition("\n")[2], {"gl": gl})
        assert found.pop("block_bases") == []
        names = ("reg_bases", "lane_bases", "warp_bases", "shape")
        assert found == dict(zip(names, parts, strict=True)), name


@pytest.mark.slow
def test_tritons_own_layouts_are_these() -> None:
    pytest.importorskip("triton.experimental.gluon.language")
    asked = json.dumps([(text, parts[-1]) for text, *parts in GLUON.values()])
    command = [sys.executable, "-c", ASK, asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert told == [parts for _, *parts in GLUON.values()]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("wgmma.m64n64.f32:D", "whole elements, not bits; choose wider --cells"),
        ("wgmma.m64n40.f32:D --cells word", "needs powers of two, but register has size 20"),
        (f"{TR8} --cells byte", "this map has chunk cells in register"),
        ("tcgen05.mma.cta_group::1.m64n128.f32:D --cells word", "matrix cells in tmem"),
    ],
)
def test_what_gluon_cannot_say_is_a_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["emit", *words.split(), "--as", "gluon"]) == 2
    assert sentence in capsys.readouterr().err


#: NVIDIA/cutlass at 7107b05, include/cute/atom/mma_traits_sm90_gmma.hpp: the atoms of operands in
#: shared memory, Swizzle<B, M, S> of bytes over (extent, stride) in bits of M or N and of K.
ATOMS = {
    "k_major.none": ((0, 4, 3), (8, 128), (128, 1)),
    "k_major.32b": ((1, 4, 3), (8, 256), (256, 1)),
    "k_major.64b": ((2, 4, 3), (8, 512), (512, 1)),
    "k_major.128b": ((3, 4, 3), (8, 1024), (1024, 1)),
    "mn_major.none": ((0, 4, 3), (8, 128), (128, 1)),
    "mn_major.32b": ((1, 4, 3), (8, 256), (256, 1)),
    "mn_major.64b": ((2, 4, 3), (8, 512), (512, 1)),
    "mn_major.128b": ((3, 4, 3), (8, 1024), (1024, 1)),
}
CUTE_TENSOR = re.compile(r"(?:Sw<(\d),(\d),(\d)> o smem_ptr\[(\d+)b\] o )?(\(.*\)):(\(.*\))")


def cute_byte(text: str, bits: int, coordinates: tuple[int, int]) -> int:
    """Where CuTe puts an element: its byte, by a layout as CuTe prints it."""
    match = CUTE_TENSOR.fullmatch(text)
    assert match is not None and match[4] in (None, str(bits)), text
    offset = 0
    for place, extents, strides in zip(coordinates, eval(match[5]), eval(match[6]), strict=True):
        modes = (extents, strides) if isinstance(extents, tuple) else ((extents,), (strides,))
        for extent, stride in zip(*modes, strict=True):
            offset, place = offset + place % extent * stride, place // extent
    return swizzled(offset * bits // 8, *(int(match[i] or 0) for i in (1, 2, 3)))


def swizzled(byte: int, bits: int, base: int, shift: int) -> int:
    """include/cute/swizzle.hpp."""
    return byte ^ ((byte >> shift) & (((1 << bits) - 1) << base))


@pytest.mark.parametrize("bits", [4, 8, 16, 32])
@pytest.mark.parametrize("atom", ATOMS)
def test_cute_text_of_an_operand_in_shared_memory_is_cutlass_atom(
    atom: str, bits: int, capsys: pytest.CaptureFixture[str]
) -> None:
    major = atom.partition("_")[0]
    if (major, bits) == ("mn", 4):
        return  # there is no such operand
    assert main.run(["emit", f"shared.{atom}.{bits}bit", "--as", "cute"]) == 0
    printed = capsys.readouterr().out.splitlines()
    text = next(line for line in printed if not line.startswith("//"))
    swizzle, (rows, width), (row_stride, _) = ATOMS[atom]
    for outer in range(rows):
        for inner in range(width // bits):
            expected = swizzled((outer * row_stride + inner * bits) // 8, *swizzle)
            at = (outer, inner) if major == "k" else (inner, outer)
            assert cute_byte(text, bits, at) == expected, (text, at)


def test_cells_of_shared_memory_join_across_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    name = "shared.k_major.128b.16bit"
    for cells in ("byte", "half"):
        assert main.run(["emit", name, "--as", "cute", "--cells", cells]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[2] == "Sw<3,4,3> o smem_ptr[16b] o (64,64):(64,1)"
        assert f"({cells}) to the index in matrix" in lines[3]
    assert main.run(["emit", name, "--as", "python", "--cells", "half", "--prefix", "at"]) == 0
    names: dict[str, object] = {}
    exec(capsys.readouterr().out, names)
    for half in (0, 1, 63, 64, 65, 100, 4095):
        row, unit = half // 64, half % 64 // 8 ^ half // 64 % 8
        found = names["at"](half)  # type: ignore[operator]
        assert (found["row"], found["k"]) == (row, 8 * unit + half % 8)
