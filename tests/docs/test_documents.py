"""What README, docs and examples show is run: every command and every block of Python."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from matplotlib import image

from lanemap.cli import main
from lanemap.toolchain import amdgpu

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "examples/README.md"]
#: Pages without commands.
OTHER_PAGES = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs/decisions").glob("*.md")),
]
KERNEL_PAGES = sorted((ROOT / "kernels").glob("*/README.md"))
SLOW_PAGES = ("fmha", "lds_attention", "nvfp4_gemm")  # seconds of compiling
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^(?: {4}\S.*| {4,}\S.*)\n?)+", re.MULTILINE)
COMMAND = re.compile(r"^    (lanemap|make|python) (.*?)(?:  .*)?$", re.MULTILINE)
# Commands that the test of another file runs, or that only a GPU or a long time can.
ELSEWHERE = {
    "make bench-all": "tests and continuous integration run its parts",
    "make test": "this is it",
    "make capsule-sm_100a": "a minute; tests/conformance/capsules",
    "make interop": "minutes, and compilers; tests/test_interop.py",
    "make probe-tr8": "tests/probes",
    "make silicon": "needs an sm_90 GPU",
    "lanemap probe --all --device": "needs a GPU; tests/cli/test_probe_all.py",
    "lanemap timing alu --device": "needs a GPU; tests/timing has a planted one",
    "lanemap timing issue --assemble": "a minute of ptxas; tests/timing/test_verb.py",
    "python -m lanemap.conformance.silicon": "the same",
    "lanemap check": "tests/check",
    "lanemap sweep": "tests/sweeping",
    "lanemap capsule": "a minute; tests/conformance/capsules",
    "lanemap adopt": "the same",
    "lanemap nvcc": "needs nvcc and g++; tests/doors",
    "lanemap report": "test_the_report_is_written",
    "python -m lanemap.conformance.forms.judge": "minutes; tests/conformance/forms samples it",
    "python -m lanemap.conformance.forms.coverage": "minutes; the same",
    "make test-fast": "minutes; tests/tools/test_reach.py",
    "python -m lanemap.probing.mutation.scores": "minutes; tests/probing/mutation",
}
# Blocks of code that are shown and not run as they stand, by page, with who holds them; a block of
# `py` is part of a program that another test runs.
SHOWN = {
    "docs/adding-a-probe.md": "tests/cli/test_probe.py runs it",
    "docs/adding-an-instruction.md": "test_the_instructions_shown_are_the_emulators",
    "docs/emulator.md": "a sketch of the builder, whose classes docs/emulator.md names",
}
TO_WRITE = {"probes/read64.py"}  # a page asks its reader to
#: Words added to a command that a page shows without: it draws every form of six targets.
NARROWED = {
    "lanemap probe ldmatrix": "--target sm_120a",
    "lanemap probe mma_sync_fragments": "--target sm_89",
}
STATUS = dict.fromkeys(
    (f"lanemap run examples/race.{suffix} --arg zeros:u32:64" for suffix in ("ptx", "cu")), 1
)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def commands() -> list[tuple[str, str]]:
    """Every indented command of every page, without what it is said to do."""
    return [
        (name(page), f"{match[1]} {match[2]}".strip())
        for page in PAGES
        for match in COMMAND.finditer(FENCED.sub("", page.read_text()))
    ]


def is_elsewhere(command: str) -> bool:
    return any(command == each or command.startswith(f"{each} ") for each in ELSEWHERE)


WRAPPED_HAZARD = re.compile(r"^hazard: .*(?:\n  .*)+", re.MULTILINE)  # as on a terminal
SHOWN_OUTPUT = re.compile(r"^    lanemap ([^\n]*)\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
#: Pages whose commands are run for what they print, and the one that draws README's picture.
PRINTED = {
    page: SHOWN_OUTPUT.findall((ROOT / page).read_text())
    for page in ("README.md", "docs/layouts.md")
}
PICTURE = "lanemap draw mma.sync.m16n8k16.f16:A --out a.png"
_ALREADY = {PICTURE} | {f"lanemap {command}" for each in PRINTED.values() for command, _ in each}
RUN = sorted({c for _, c in commands() if not is_elsewhere(c)} - _ALREADY)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, the arrays of docs/explain.md, and a program."""
    for name in ("examples", "museum"):
        (tmp_path / name).symlink_to(ROOT / name)
    random = np.random.default_rng(7)
    a, b = (random.normal(size=size).astype(np.float16) for size in ((64, 128), (128, 64)))
    # Row n of B's 64 k in 128 bytes: the swizzle XORs n % 8 into the number of the 16-byte unit.
    k, n = np.indices(b.shape)
    swizzled = b[k ^ (n % 8 * 8), n]
    right, wrong = (a.astype(np.float32) @ each.astype(np.float32) for each in (b, swizzled))
    for name, values in (("a", a), ("b", b), ("right", right), ("wrong", wrong)):
        np.save(tmp_path / f"{name}.npy", values)
    program = tmp_path / "program"  # which a page's reader has
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_readme_shows_every_verb() -> None:
    shown = {command.split()[1] for page, command in commands() if page == "README.md"}
    assert set(main.verbs()) <= shown


def test_commands_that_are_not_run_here_exist() -> None:
    assert NARROWED.keys() <= set(RUN)
    found = [command for _, command in commands() if is_elsewhere(command)]
    assert {each for each in ELSEWHERE if any(c.startswith(each) for c in found)} == set(ELSEWHERE)
    targets = set(re.findall(r"^([\w%-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for command in found:
        if command.startswith("make "):
            wanted = command.split()[1]
            assert wanted in targets or f"{wanted.partition('-')[0]}-%" in targets, command


@pytest.mark.parametrize("command", RUN)
def test_every_command_works(command: str, folder: Path) -> None:
    words = shlex.split(f"{command} {NARROWED.get(command, '')}")
    if words[0] == "lanemap":
        assert main.run(words[1:]) == STATUS.get(command, 0)
        return
    done = subprocess.run(
        [sys.executable, *words[1:]],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr


def test_the_report_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the smallest record of each kind; tests/analysis/test_report.py builds that of all."""
    kinds = dict[str, Path]()
    files = (ROOT / "results").glob("*/*/*.json")
    for path in sorted(files, key=lambda path: (-path.stat().st_size, path)):
        kinds[json.loads(path.read_text())["kind"]] = path
    for path in kinds.values():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    assert main.run(["report", "--results", "results", "--only", "tr_b8"]) == 0
    assert "begin with" in capsys.readouterr().out
    index = (folder / "site" / "evidence.html").read_text()
    for path in kinds.values():
        page = path.relative_to(ROOT / "results").with_suffix(".html").as_posix()
        assert f'"{page}"' in index and (folder / "site" / page).is_file()
    assert len(kinds) > 3


@pytest.mark.parametrize("page", PRINTED)
def test_the_output_that_a_page_shows_is_printed(
    page: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines may be left out, columns of tables be of another width, and a hazard be wrapped."""
    assert PRINTED[page]
    for command, text in PRINTED[page]:
        assert main.run(shlex.split(command)) == STATUS.get(f"lanemap {command}", 0)
        printed = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
        text = WRAPPED_HAZARD.sub(lambda match: " ".join(match[0].split()), text)
        for line in text.splitlines():
            assert " ".join(line.split()) in printed, command


def test_readmes_kernel_and_picture_are_those_of_its_commands(folder: Path) -> None:
    text = (ROOT / "README.md").read_text()
    (kernel,) = (match[2] for match in FENCED.finditer(text) if match[1] == "cuda")
    assert kernel == (ROOT / "examples/race.cu").read_text()
    assert f"    {PICTURE}\n" in text and "(docs/images/mma_a.png)" in text
    assert main.run(shlex.split(PICTURE)[1:]) == 0
    drawn, stored = (image.imread(each) for each in ("a.png", ROOT / "docs/images/mma_a.png"))
    assert drawn.shape == stored.shape and np.abs(drawn - stored).mean() < 0.01


def test_the_headers_of_the_mfma_example_are_emitted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the commands of docs/layouts.md; the kernel computes what NumPy does."""
    emits = [c for page, c in commands() if page == "docs/layouts.md" and "--out" in c]
    for command in emits[:3]:
        assert main.run(shlex.split(command)[1:]) == 0
    for name in ("a.h", "b.h", "d.h"):
        assert Path(name).read_text() == (ROOT / "examples/mfma" / name).read_text()
    (command,) = (c for c in RUN if "product.hip" in c and "@d.npy" in c)
    assert main.run(shlex.split(command)[1:]) == 0
    a, b = (np.load(f"{name}.npy").view(ml_dtypes.bfloat16).astype(np.float64) for name in "ab")
    assert np.allclose(np.load("d.npy"), a @ b, rtol=1e-6)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_python_runs(page: Path, folder: Path) -> None:
    text = page.read_text()
    blocks = [match[2] for match in FENCED.finditer(text) if match[1] == "python"]
    indented = (match[0] for match in INDENTED.finditer(FENCED.sub("", text)))
    blocks += [re.sub("^    ", "", b, flags=re.M) for b in indented if "import " in b]
    if name(page) in SHOWN:
        assert blocks, f"{name(page)} shows no code; take it out of SHOWN"
        return
    for block in blocks:
        exec(compile(block, name(page), "exec"), {})


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(each, marks=[pytest.mark.slow] if each.parent.name in SLOW_PAGES else [])
        for each in KERNEL_PAGES
    ],
    ids=lambda page: page.parent.name,
)
def test_the_first_block_of_a_kernels_page_computes_and_checks_itself(page: Path) -> None:
    """Copied and pasted, without anything before it."""
    first = next(match[2] for match in FENCED.finditer(page.read_text()) if match[1] == "python")
    assert f'lanemap.kernel("{page.parent.name}")(' in first and "assert " in first
    exec(compile(first, name(page), "exec"), {})


def test_readmes_python_prints_twice_its_input(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = (m[2] for m in FENCED.finditer(PAGES[0].read_text()) if m[1] == "python")
    exec(block, {})
    assert capsys.readouterr().out.split()[:4] == ["[", "0.", "2.", "4."]


def test_the_instructions_shown_are_the_emulators() -> None:
    """What docs/adding-an-instruction.md shows the emulator has, by its name."""
    sources = "\n".join(path.read_text() for path in (ROOT / "lanemap/emulator").glob("*/isa/*.py"))
    text = (ROOT / "docs/adding-an-instruction.md").read_text()
    blocks = [match[2] for match in FENCED.finditer(text) if match[1] == "python"]
    assert blocks
    for block in blocks:
        (head,) = re.findall(r'^@instruction\("(\w+)"', block, re.MULTILINE)
        assert re.search(rf'@instruction\(\s*"{head}"', sources), head


@pytest.mark.parametrize("page", [*PAGES, *KERNEL_PAGES, *OTHER_PAGES], ids=name)
def test_the_files_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text()
    for link, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", text):
        target = page.parent / link if link else page
        assert target.exists(), link
        if anchor:
            said = FENCED.sub("", target.read_text())
            heads = re.findall(r"^#+ (.+)$", said, re.MULTILINE)
            known = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
            known |= set(re.findall(r'<a (?:id|name)="([\w-]+)"', said))
            assert anchor in known, f"{link}#{anchor}"
    text = re.sub(r"https?://\S+|^```text\n.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for named in re.findall(r"\b(?:examples|tests|lanemap|probes|docs)/[\w/.-]+\.\w+\b", text):
        assert (ROOT / named).exists() or named in TO_WRITE, named


def test_the_race_is_named_with_both_warps(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The load of thread 31 and the store of thread 32 meet at byte 128, of thread 63 at byte 0."""
    assert main.run(["run", "examples/race.ptx", "--arg", "zeros:u32:64"]) == 1
    found = capsys.readouterr().out
    assert "st.shared.u32" in found and "byte 0x80" in found and "warp 0" in found
    assert "without being ordered" in found
    assert main.run(["run", "examples/ordered.ptx", "--arg", "zeros:u32:64@out.npy"]) == 0
    assert np.array_equal(np.load("out.npy"), np.roll(np.arange(64), -1))


@pytest.mark.parametrize("target", ["sm_90a", "gfx950"])
def test_the_triton_softmax_is_numpys(target: str, folder: Path) -> None:
    (command,) = (c for c in RUN if f"softmax.{target}." in c)
    assert main.run(shlex.split(command)[1:]) == 0
    x = np.load("x.npy").astype(np.float64)
    power = np.exp(x - x.max(axis=1, keepdims=True))
    expected = power / power.sum(axis=1, keepdims=True)
    # exp2 approximates, and the sum of 500 terms is in f32.
    assert np.allclose(np.load("softmax.npy"), expected, rtol=1e-5)


def test_the_plan_of_a_chained_gemm_stores_p_in_two_shapes() -> None:
    """P has half of the bits of S, so that 128 f32 registers a thread become 64."""
    done = subprocess.run(
        [sys.executable, "examples/chained_gemm.py"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert "tcgen05.ld.32x32b.x128" in done.stdout and "tcgen05.st.32x32b.x64" in done.stdout
    assert "tcgen05.st.16x128b.x16" in done.stdout and "convert into 64 registers" in done.stdout


def test_the_stored_assembly_is_what_clang_makes_of_its_source() -> None:
    made = amdgpu.compile_to_assembly((ROOT / "examples/scale.c").read_text(), "gfx950")

    def instructions(text: str) -> list[str]:
        body = text[text.index("scale:") : text.index("s_endpgm")]
        return re.findall(r"^\t([vs]_\w+ .*|global_\w+ .*)$", body, re.MULTILINE)

    assert instructions(made) == instructions((ROOT / "examples/scale.s").read_text()) != []
