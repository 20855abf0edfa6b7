"""Programs in C under `lanemap exec`: NVIDIA's cuda.h, kernels by NVRTC, broken twins."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap.toolchain.nvrtc import compile_cuda
from lanemap.toolchain.places import wheel_folder
from tests.check.libcuda.test_hostile import HOSTILE, entry, fatbin
from tests.cli.processes import LANEMAP

PROGRAMS = Path(__file__).parent / "programs"
TARGET = "sm_90a"
#: What is wrong with the twin of each.
TWINS = {
    "vector_add": "out-of-bounds",
    "reduction": "order",
    "matmul": "order",
    "streams": "undefined",
    "globals": "out-of-bounds",
    "cooperative": "order",
    "cluster": "ended-cta",
    "tma": "pending",
    "managed": "order",
}
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="shared libraries of Linux")


def built(name: str, folder: Path, *flags: str, library: str = "libcuda.so.1") -> Path:
    """Compile a program of `programs`, which finds a library of ours when it starts."""
    headers = wheel_folder()
    if headers is None or not (headers / "include" / "cuda.h").is_file():
        pytest.skip("cuda.h comes with nvidia-cuda-runtime")
    from lanemap.devices.emulator import driver_library

    own_library = driver_library(library)
    path = folder / (name + "".join(flags))
    own = shutil.which("cc")
    compiler = [own] if own else [sys.executable, "-m", "ziglang", "cc"]
    command = [*compiler, "-g0", "-O1", f"-I{headers / 'include'}"]
    command += [*flags, str(PROGRAMS / f"{name}.c"), f"-L{own_library.parent}", f"-l:{library}"]
    command += ["-Wl,--allow-shlib-undefined", "-lm", "-lpthread", "-o", str(path)]
    subprocess.run(command, check=True)
    return path


def kernels(name: str, folder: Path, *flags: str) -> Path:
    """Write the PTX of a program's kernels."""
    source = PROGRAMS / f"{name}.cu"
    text = compile_cuda(source.read_text(), TARGET, ["-lineinfo", *flags], str(source))
    path = folder / f"{name}{''.join(flags)}.ptx"
    path.write_text(text)
    return path


def run(program: Path | str, *arguments: str | Path) -> tuple[int, str, dict[str, object]]:
    """Run a program; return the status, what it printed, and the report."""
    command = [*LANEMAP, "exec", "--json", "--target", TARGET, "--", str(program)]
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout, done.stderr
    return done.returncode, done.stderr, json.loads(done.stdout)


@pytest.mark.parametrize("name", TWINS)
def test_a_program_is_right_and_its_twin_is_found(name: str, tmp_path: Path) -> None:
    """The program is clean; the twin, whose kernel or host code lacks something, is not."""
    program, image = built(name, tmp_path), kernels(name, tmp_path)
    status, printed, report = run(program, image)
    assert (status, report["hazards"]) == (0, []), printed
    assert "right" in printed
    if name == "globals":
        assert "before; 4 weights of the kernel\nright" in printed
    of_host = "BROKEN" in (PROGRAMS / f"{name}.c").read_text()
    if of_host:
        status, printed, report = run(built(name, tmp_path, "-DBROKEN"), image)
    else:
        status, printed, report = run(program, kernels(name, tmp_path, "-DBROKEN"))
    kinds = {each["kind"] for each in report["hazards"]}  # type: ignore[attr-defined]
    assert status == 1 and TWINS[name] in kinds, (kinds, printed)


def test_a_hazard_names_the_line_of_the_source(tmp_path: Path) -> None:
    """By -lineinfo, in words on stderr."""
    program, image = built("vector_add", tmp_path), kernels("vector_add", tmp_path, "-DBROKEN")
    command = [*LANEMAP, "exec", "--", str(program), str(image)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert re.search(r"lanemap: hazard: vector_add\.cu:4: add: .* past the end", done.stderr)
    assert re.search(r"1 launch of 1 kernel, 1 hazard \(met \d+ times\)$", done.stderr)


#: What a program does beside CUDA, the status that comes of it, launches, processes.
ENDS = {
    "nothing": (5, 0, 0),
    "abort": (134, 1, 1),
    "segfault": (139, 1, 1),
    "kill": (137, 1, 1),
    "exit": (6, 1, 1),
    "fork": (0, 2, 1),
    "second": (0, 3, 2),
    "threads": (0, 161, 1),
    "dlclose": (0, 2, 1),
    "register": (0, 3, 1),
    "truncated": (0, 2, 1),
}


def test_whatever_a_program_does_nothing_is_lost(tmp_path: Path) -> None:
    """All launches of all processes; its own status, or 128 and the signal."""
    program, image = built("hostile", tmp_path), kernels("vector_add", tmp_path)
    steps = [f"{program} {image} {what}; echo {what} ended with $?" for what in ENDS]
    status, printed, report = run("sh", "-c", "\n".join(steps))
    ends = dict(re.findall(r"^(\w+) ended with (\d+)$", printed, re.MULTILINE))
    assert ends == {what: str(wanted) for what, (wanted, _, _) in ENDS.items()}, printed
    counted = sum(report["launches"].values())  # type: ignore[attr-defined]
    launches, processes = (sum(each[i] for each in ENDS.values()) for i in (1, 2))
    assert (status, counted, report["processes"]) == (0, launches, processes), printed
    assert "Traceback" not in printed and not report["lost"]
    for what in ("abort", "exit"):
        assert run(program, image, what)[0] == ENDS[what][0]


def test_whatever_a_program_of_the_runtime_does_nothing_is_lost(tmp_path: Path) -> None:
    """Fat binaries that nobody should load, threads, dlclose, a fork, a second process."""
    program = built("hostile_runtime", tmp_path, library="libcudart.so.13")
    text = kernels("vector_add", tmp_path).read_bytes() + b"\0"
    images = {"right": fatbin(entry(text)), **{name: image for name, (image, _) in HOSTILE.items()}}
    paths = []
    for number, image in enumerate(images.values()):
        paths.append(tmp_path / f"image{number}")
        paths[-1].write_bytes(image)
    status, printed, report = run(program, paths[0], "all", *paths[1:])
    launches = sum(report["launches"].values())  # type: ignore[attr-defined]
    found = (status, launches, report["processes"], report["hazards"], report["lost"])
    assert found == (2, 1 + len(HOSTILE) + 40 + 4, 2, [], []), (printed, report)
    told = report["refused"] + report["lacking"]  # type: ignore[operator]
    sentences = {sentence for _, sentence in HOSTILE.values() if sentence}
    assert all(re.search(each, " ".join(map(str, told))) for each in sentences), told
    assert "Traceback" not in printed and "right\n" in printed


@pytest.mark.parametrize(
    ("package", "module", "sentence"),
    [
        ("numba_cuda-0.99.1", "numba_cuda", "numba-cuda 0.30; this is 0.99.1: run pip install"),
        ("warp_lang-1.19.0", "warp", "`lanemap check SCRIPT` makes it do without them"),
        ("cuda_bindings-13.5.0", "cuda/bindings", ""),
    ],
)
def test_packages_of_other_versions_are_refused(
    package: str, module: str, sentence: str, tmp_path: Path
) -> None:
    """A process has loaded a library of a package, beside which its version is written."""
    library = tmp_path / module / "library.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(bytes(4096))
    (tmp_path / f"{package}.dist-info").mkdir()
    code = (
        "import ctypes, mmap, sys\n"
        "file = open(sys.argv[1], 'r+b')\n"
        "kept = mmap.mmap(file.fileno(), 4096)\n"
        "sys.exit(ctypes.CDLL('libcuda.so.1').cuInit(0) not in (0, 801))\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    command = [*LANEMAP, "exec", "--json", "--", sys.executable, str(script), str(library)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    refused = json.loads(done.stdout)["refused"]
    assert (done.returncode, len(refused)) == ((2, 1) if sentence else (0, 0)), done.stderr
    assert sentence in str(refused)


def test_without_lanemap_exec_the_library_says_what_to_do(tmp_path: Path) -> None:
    """There is no GPU then."""
    from lanemap.devices.emulator import driver_library

    program = built("vector_add", tmp_path)
    folder = str(driver_library("libcuda.so.1").parent)
    for variables, words in (
        ({}, "run the program by `lanemap exec --`"),
        ({"LANEMAP_DRIVER": "/nowhere"}, "no `lanemap exec` listens at /nowhere"),
    ):
        done = subprocess.run(
            [program, "none"], capture_output=True, text=True, check=False,
            env={"LD_LIBRARY_PATH": folder, **variables},
        )  # fmt: skip
        assert done.returncode == 9 and "CUDA_ERROR_NO_DEVICE" in done.stderr
        assert words in done.stderr


def test_what_cannot_run_is_refused() -> None:
    """One sentence, and status 2."""
    command = [*LANEMAP, "exec", "--", "./no-such-program"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "lanemap: ./no-such-program cannot be run: No such file or directory\n"
