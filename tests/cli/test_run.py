"""`lanemap run`: a kernel of one's own, its outputs, its hazards, and what goes wrong."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.cli import main
from lanemap.cli.kernel_targets import target_of
from lanemap.devices import open_device
from lanemap.toolchain import amdgpu
from tests.cli.processes import lanemap, refusal

KERNELS = """
#define KERNEL extern "C" __attribute__((global)) void
#define ID (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
KERNEL scale(float *y, const float *x, float a) { y[ID] = a * x[ID]; }
KERNEL beyond(float *y) { y[ID + 1] = 1; }
KERNEL hang(int *flag) { for (;;) __asm__ volatile("s_nop 0"); }
KERNEL poll(volatile int *flag) { while (!*flag) {} }
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kernels") / "kernels.s"
    path.write_text(amdgpu.compile_to_assembly(KERNELS, "gfx950"))
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main.run(["run", *map(str, words)])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def test_a_clean_kernel_has_status_0_and_its_output(
    capsys: pytest.CaptureFixture[str], kernels: Path, tmp_path: Path
) -> None:
    np.save(tmp_path / "x.npy", np.arange(128, dtype=np.float32))
    words = [kernels, "--entry", "scale", "--grid", 2, "--block", 64]
    words += ["--arg", f"empty:f32:128@{tmp_path / 'y.npy'}", "--arg", tmp_path / "x.npy"]
    words += ["--arg", "f32:1.5"]
    status, out, err = run(capsys, *words, "--json")
    answer: dict[str, Any] = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["hazards"] == [] and answer["entry"] == "scale"
    assert answer["arrays"][0]["first"] == [0, 1.5, 3, 4.5, 6, 7.5, 9, 10.5]
    assert np.load(tmp_path / "y.npy").tolist() == (np.arange(128) * 1.5).tolist()
    status, out, _ = run(capsys, *words)
    assert status == 0 and "no hazards" in out and "1.5 3 4.5" in out


def test_a_code_object_is_run_as_well(
    capsys: pytest.CaptureFixture[str], kernels: Path, tmp_path: Path
) -> None:
    path = tmp_path / "kernels.co"
    path.write_bytes(amdgpu.assemble(kernels.read_text(), "gfx950"))
    words = ["--entry", "scale", "--arg", "zeros:f32:64", "--arg", "arange:f32:64"]
    assert run(capsys, path, *words, "--arg", "f32:2")[0] == 0


def test_instructions_are_shown_whole_if_asked_for(
    capsys: pytest.CaptureFixture[str], kernels: Path
) -> None:
    """What stands at the line in the file, operands and all; otherwise the opcode alone."""
    words = [kernels, "--entry", "beyond", "--arg", "zeros:f32:64"]
    (found,) = json.loads(run(capsys, *words, "--json")[1])["hazards"]
    text = kernels.read_text().splitlines()[found["line"] - 1].strip()
    opcode = text.split()[0]
    assert text != opcode and found["instruction"] == text
    plain, whole = (" ".join(run(capsys, *words, *more)[1].split()) for more in ([], ["--verbose"]))
    assert f"`{opcode}`" in plain and text not in plain and f"`{text}`" in whole
    assert (found["array"], found["kind"]) == ("array `--arg zeros:f32:64`", "out-of-bounds")


def test_writing_out_of_bounds_is_reported(
    capsys: pytest.CaptureFixture[str], kernels: Path
) -> None:
    words = [kernels, "--entry", "beyond", "--arg", "zeros:f32:64"]
    status, out, _ = run(capsys, *words)
    assert status == 1
    assert "1 hazard" in out and "kernels.s:" in out and "lane 63" in out
    status, out, err = run(capsys, *words, "--hazards", "raise")
    assert (status, out) == (1, "")
    assert err.startswith("lanemap: ") and "lane 63" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("entry", "why"),
    [("hang", "more than 100000 instructions"), ("poll", "nothing has changed for 10000")],
)
def test_a_kernel_that_hangs_is_ended(
    capsys: pytest.CaptureFixture[str], kernels: Path, entry: str, why: str
) -> None:
    words = [kernels, "--entry", entry, "--arg", "zeros:i32:1", "--limit", 100_000]
    status, out, err = run(capsys, *words)
    assert (status, err) == (1, "")
    assert "hazard: " in out and "kernels.s:" in out and why in " ".join(out.split())
    assert out.endswith(f"{entry} stopped on emulator: 1 hazard\n")
    (found,) = json.loads(run(capsys, *words, "--json")[1])["hazards"]
    assert (found["kind"], found["met"], found["other"]) == ("endless-loop", 1, None)
    status, out, err = run(capsys, *words, "--hazards", "raise")
    assert (status, out, err.count("\n")) == (1, "", 1) and why in err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "has 4 kernels (scale, beyond, hang, poll); give --entry"),
        (
            ["--entry", "scala"],
            "there is no kernel 'scala'; the kernels are scale, beyond, hang, poll",
        ),
        (["--entry", "beyond"], "beyond takes 1 argument, 0 were given"),
        (["--entry", "beyond", "--arg", "i32:1"], "has 4 bytes where the kernel's has 8"),
        (["--entry", "beyond", "--target", "sm_90a"], "is assembly for gfx950; --target sm_90a"),
        (["--entry", "beyond", "--grid", "x"], "--grid x is not one to three numbers"),
        (["--entry", "beyond", "--arg", "zeros:f32:64", "--grid", "0"], "grid (0,) is not"),
        (["--entry", "beyond", "--arg", "zeros:f32:64", "--limit", "0"], "0 instructions is not"),
        (["--entry", "beyond", "--target", "gfx1100"], "executes target 'gfx1100'"),
        (["--entry", "beyond", "--device", "hip"], "device hip needs an AMD GPU"),
    ],
)
def test_bad_usage_is_a_sentence(
    capsys: pytest.CaptureFixture[str], kernels: Path, words: list[str], sentence: str
) -> None:
    status, _, err = run(capsys, kernels, *words)
    assert status == (3 if "hip" in words else 2)
    assert sentence in err and err.count("\n") == 1


def test_broken_files_are_sentences(
    capsys: pytest.CaptureFixture[str], kernels: Path, tmp_path: Path
) -> None:
    broken = {
        "empty.s": (b"", "is empty"),
        "no_target.s": (b"s_endpgm\n", "names no target"),
        "cut.s": (kernels.read_bytes()[:900], "cut.s"),
        "cut.co": (amdgpu.assemble(kernels.read_text(), "gfx950")[:500], "complete ELF object"),
        "noise.s": (b"\xff\xfe\x00noise", "noise.s:1: byte 0 (0xff) is not UTF-8"),
    }
    for name, (content, sentence) in broken.items():
        (tmp_path / name).write_bytes(content)
        status, _, err = run(capsys, tmp_path / name)
        assert status == 2, name
        assert sentence in err and err.count("\n") == 1


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "link.s", "link.npy"])
def test_what_has_no_end_is_not_read(kernels: Path, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    for link in ("link.s", "link.npy"):
        (tmp_path / link).symlink_to("/dev/zero")
    file = str(tmp_path / name)  # an absolute name stays as it is
    words = [file] if name != "link.npy" else [str(kernels), "--entry", "scale", "--arg", file]
    status, said = refusal("run", *words)
    assert status == 2 and said.endswith("it is a pipe or a device; name a regular file")
    if name != "link.npy":
        assert refusal("check", file) == (2, said)


CUDA = """extern "C" __global__ void beyond(float* y) {
  int i = threadIdx.x;
  y[i + 1] = 1;
}
"""
HIP = """extern "C" __attribute__((global)) void beyond(float* y) {
  int i = __builtin_amdgcn_workitem_id_x();
  y[i + 1] = 1;
}
"""


@pytest.mark.parametrize(("suffix", "text", "target"), [
    (".cu", CUDA, "sm_90a"), (".cu", CUDA, "sm_100a"), (".cu", CUDA, "sm_103a"),
    (".hip", HIP, "gfx950"),
])  # fmt: skip
def test_a_source_is_compiled_and_its_line_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str, text: str, target: str
) -> None:
    file = tmp_path / f"kernel{suffix}"
    file.write_text(text)
    status, out, _ = run(capsys, file, "--target", target, "--arg", "zeros:f32:64")
    assert status == 1 and f"(kernel{suffix}:3)" in out and "0 bytes past the end" in out
    status, _, err = run(capsys, file, "--arg", "zeros:f32:64")
    assert status == 1, "each language has a target by default"
    file.write_text(text.replace("float* y", "float* z"))
    status, _, err = run(capsys, file, "--target", target, "--arg", "zeros:f32:64")
    assert status == 2 and err.startswith(f"lanemap: {file}") and "3" in err
    assert re.search("""['"]y['"]""", err)


CLUSTER = """
extern "C" __global__ void k(unsigned *out) {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) out[blockIdx.x] = rank;
}
"""


def test_clusters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "kernel.cu"
    file.write_text(CLUSTER)
    launch = ("--target", "sm_103a", "--block", "32", "--cluster", "2", "--json")
    status, out, _ = run(capsys, file, *launch, "--grid", "4", "--arg", "zeros:u32:4")
    assert status == 0 and json.loads(out)["arrays"][0]["first"] == [0, 1, 0, 1]
    status, _, err = run(capsys, file, *launch, "--grid", "5", "--arg", "zeros:u32:5")
    assert status == 2 and "does not divide into clusters of (2, 1, 1) CTAs" in err


# PTX ISA, `.target`: sm_N runs on N and newer, sm_Na on N alone, sm_Nf on its family.
@pytest.mark.parametrize(
    ("directive", "target"),
    [
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx950"', "gfx950"),
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-"', "gfx950"),
        # As a Triton with a newer LLVM writes it.
        ('.amdgcn_target "amdgpu9.50-amd-amdhsa-unknown-gfx950"', "gfx950"),
        (".version 8.8\n.target sm_100a, debug\n", "sm_100a"),
        ("// .target sm_90a\n.version 8.8 .target sm_100a .address_size 64", "sm_100a"),
        (".version 8.8\n.target sm_100f\n", "sm_100a"),
        (".version 8.8\n.target sm_80\n", "sm_80"),
        (".version 8.8\n.target sm_90\n", "sm_90a"),
        (".version 8.8\n.target sm_100\n", "sm_100a"),
        (".version 8.8\n.target sm_103f\n", "sm_103a"),
        (".version 8.8\n.target sm_120\n", "sm_120a"),
        (".version 8.8\n.target sm_121\n", "sm_121a"),
        (".version 8.8\n.target sm_130\n", "sm_130"),
        (".version 8.8\n.target sm_101a\n", "sm_101a"),
    ],
)
def test_the_target_is_what_the_text_says(directive: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "k").write_text(f"{directive}\n")
    assert target_of(tmp_path / "k") == target


def test_kernels_run_on_the_target_that_they_name(kernels: Path, tmp_path: Path) -> None:
    triton = kernels.read_text().replace("amdgcn-amd-amdhsa--", "amdgpu9.50-amd-amdhsa-unknown-")
    assert "amdgpu9.50" in triton
    (tmp_path / "k.amdgcn").write_text(triton)
    words = ["--entry", "scale", "--arg", f"zeros:f32:64@{tmp_path / 'y.npy'}"]
    words += ["--arg", "full:f32:64:1.5", "--arg", "f32:2"]
    assert lanemap("run", str(tmp_path / "k.amdgcn"), *words)[::2] == (0, "")
    assert np.load(tmp_path / "y.npy").tolist() == [3.0] * 64
    one_line = ".version 8.8 .target sm_100a .address_size 64 .visible .entry k() { ret; }\n"
    (tmp_path / "k.ptx").write_text(one_line)
    status, out, err = lanemap("run", str(tmp_path / "k.ptx"))
    assert (status, out, err) == (0, "k ran on emulator: no hazards\n", "")
    (tmp_path / "k.ptx").write_text(one_line.replace("sm_100a", "sm_130"))
    status, said = refusal("run", str(tmp_path / "k.ptx"))
    assert status == 2 and said.startswith("no device executes target 'sm_130'")


@pytest.mark.parametrize(
    ("file", "words", "sentence"),
    [
        ("k.c", [], "give --target (gfx9"),
        ("k.cu", ["--target", "gfx950"], "k.cu is CUDA C++, which is not compiled for gfx950"),
        ("k.hip", ["--target", "sm_90a"], "k.hip is HIP, which is not compiled for sm_90a"),
        (
            "k.cu",
            ["--target", "sm_90a", "-O", "2"],
            "-O is clang's, for AMD",
        ),
        ("k.hip", ["-O", "9"], "-O9 is not one of -O0, -O1, -O2, -O3"),
    ],
)
def test_a_source_for_another_target_or_compiler_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str, words: list[str], sentence: str
) -> None:
    (tmp_path / file).write_text("void k() {}\n")
    status, _, err = run(capsys, tmp_path / file, *words)
    assert status == 2 and sentence in err and err.count("\n") == 1


def test_a_null_pointer_is_called_one(capsys: pytest.CaptureFixture[str], kernels: Path) -> None:
    words = ["--entry", "beyond", "--arg", "null"]
    status, out, _ = run(capsys, kernels, *words)
    assert status == 1 and "(a null pointer, or an offset from one)" in out


def test_the_variable_of_the_limit_is_read(
    capsys: pytest.CaptureFixture[str], kernels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [kernels, "--entry", "hang", "--arg", "zeros:i32:1"]
    monkeypatch.setenv("LANEMAP_INSTRUCTION_LIMIT", "70000")
    status, out, _ = run(capsys, *words)
    assert status == 1 and "more than 70000 instructions" in out
    assert "LANEMAP_INSTRUCTION_LIMIT raises the bound" in out
    monkeypatch.setenv("LANEMAP_INSTRUCTION_LIMIT", "many")
    status, _, err = run(capsys, *words)
    assert status == 2 and "LANEMAP_INSTRUCTION_LIMIT is 'many'; set it to how many" in err
    monkeypatch.delenv("LANEMAP_INSTRUCTION_LIMIT")
    assert open_device("gfx950", "emulator").instruction_limit == 20_000_000, "as --help says"


@pytest.mark.parametrize("prefix", ["bf16:", ""])
def test_a_file_of_bf16_goes_in_again(
    capsys: pytest.CaptureFixture[str], kernels: Path, tmp_path: Path, prefix: str
) -> None:
    file = tmp_path / "x.npy"
    words = [kernels, "--entry", "scale", "--arg", "f32:1"]
    words[3:3] = ["--arg", f"zeros:bf16:128@{file}", "--arg", "full:f32:64:1.5"]
    assert run(capsys, *words)[0] == 0
    words[4] = f"{prefix}{file}"
    status, out, _ = run(capsys, *words, "--json")
    # 1.5 is 0x3fc00000: the words of y are bf16 0, 1.5 in memory's order.
    first = json.loads(out)["arrays"][0]["first"]
    assert status == 0 and first == ([0.0, 1.5] if prefix else ["0000", "c03f"]) * 4
    status, out, _ = run(capsys, *words)
    assert status == 0 and ("0 1.5 0 1.5" if prefix else "0000 c03f") in out


def test_a_source_has_a_target_by_default(tmp_path: Path) -> None:
    for file, target in (("k.cu", "sm_90a"), ("k.hip", "gfx950"), ("k.cpp", "gfx950")):
        assert target_of(tmp_path / file) == target
