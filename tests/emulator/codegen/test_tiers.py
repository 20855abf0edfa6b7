"""Units that run long are compiled, and the processor that code is made for."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap.emulator.codegen import processor

LOOP = """
import numpy as np, lanemap
from lanemap.emulator.codegen import tiers, unit
tiers.BUDGET = 3000
made = []
def counted(level, make):
    def called(*arguments):
        made.append(level)
        return make(*arguments)
    return called
unit.bytecode_unit = counted(0, unit.bytecode_unit)
unit.compile_unit = counted(1, unit.compile_unit)
device = lanemap.open_device("sm_90a", device="emulator")
out = device.zeros(32, np.uint32)
kernel = device.load('''
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
    .reg .b32 %r<4>, %n; .reg .b64 %w<4>; .reg .pred %p;
    ld.param.u64 %w1, [out];
    ld.param.u32 %n, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %r1;
AGAIN:
    mad.lo.u32 %r2, %r2, 3, %r1;
    sub.u32 %n, %n, 1;
    setp.ne.u32 %p, %n, 0;
    @%p bra AGAIN;
    mul.wide.u32 %w2, %r1, 4;
    add.u64 %w3, %w1, %w2;
    st.global.u32 [%w3], %r2;
    ret;
}
''')["k"]
def expected(n):
    value = lane = np.arange(32, dtype=np.uint32)
    for _ in range(n):
        value = value * np.uint32(3) + lane
    return value.tolist()
for n in (5, 4000, 5):
    kernel(1, 32, (out, np.uint32(n)))
    assert out.get().tolist() == expected(n), n
print(made)
"""

# Of the address space below the libraries, 6 GB are taken but for a hole in which no more than the
# runtime's data fits. Its code can only go far below.
HOLE = """
import ctypes
from lanemap.emulator.codegen import compiler
from lanemap.emulator.codegen.processor import processor
image = compiler._runtime(processor())
compiler._runtime = lambda made_for: image
c = ctypes.CDLL(None)
c.mmap.restype = ctypes.c_void_p
c.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
c.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
def taken(size):
    PRIVATE, ANONYMOUS, NORESERVE = 0x2, 0x20, 0x4000
    return c.mmap(None, size, 0, PRIVATE | ANONYMOUS | NORESERVE, -1, 0)
start = taken(6 << 30)
while taken(1 << 16) > start:
    pass
c.munmap(start + (5 << 30), 1 << 16)
"""


def run(script: str, cache: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | {"LANEMAP_CACHE": str(cache)} | environment,
        check=False,
    )


def test_a_unit_that_runs_long_is_compiled_and_kept_so(tmp_path: Path) -> None:
    first = run(LOOP, tmp_path)
    assert first.stdout == "[0, 1]\n", first.stderr
    second = run(LOOP, tmp_path)
    assert second.stdout == "[]\n", second.stderr


@pytest.mark.slow
@pytest.mark.skipif(
    not (sys.platform == "linux" and platform.machine() == "x86_64"), reason="mmap's flags there"
)
def test_code_and_data_lie_near_each_other_in_a_large_process(tmp_path: Path) -> None:
    far = run(HOLE + LOOP, tmp_path)
    assert far.stdout == "[0, 1]\n", far.stderr


def test_a_unit_that_runs_shortly_stays_in_bytecode(tmp_path: Path) -> None:
    short = LOOP.replace("BUDGET = 3000", "BUDGET = 1 << 24")
    assert run(short, tmp_path).stdout == "[0]\n"
    # what was spent in one launch counts in the next, not in the next process
    assert run(short, tmp_path).stdout == "[]\n"


def test_objects_of_another_processor_are_not_taken(tmp_path: Path) -> None:
    short = LOOP.replace("BUDGET = 3000", "BUDGET = 1 << 24")
    assert run(short, tmp_path).stdout == "[0]\n"
    smaller = run(short, tmp_path, LANEMAP_CPU="x86-64")
    assert smaller.stdout == "[0]\n", smaller.stderr


def lanemap(cpu: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    source = tmp_path / "k.ptx"
    source.write_text(LOOP.split("'''")[1])
    command = [
        sys.executable,
        "-m",
        "lanemap.cli",
        "run",
        str(source),
        "--entry",
        "k",
        "--grid",
        "1",
        "--block",
        "32",
        "--arg",
        "zeros:u32:32",
        "--arg",
        "u32:1",
    ]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"LANEMAP_CPU": cpu}
    )


def test_an_unknown_processor_is_one_sentence(tmp_path: Path) -> None:
    done = lanemap("x86-64-v9", tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and "LANEMAP_CPU=x86-64-v9" in done.stderr


def _flags() -> str:
    return Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""


@pytest.mark.skipif("avx2" not in _flags() or "avx512f" in _flags(), reason="needs AVX2 alone")
def test_a_processor_that_this_one_is_not_is_one_sentence(tmp_path: Path) -> None:
    done = lanemap("x86-64-v4", tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and "needs avx512f" in done.stderr


def test_linux_and_llvm_say_the_same_of_the_processor() -> None:
    linux, llvm = processor.host_of_linux(), processor.host_of_llvm()
    if linux is None:
        pytest.skip("Linux does not describe this processor")
    assert (linux.kind, linux.features) == (llvm.kind, llvm.features)
    assert linux.kind == "aarch64" or "sse2" in linux.features


def test_where_linux_says_nothing_llvm_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    here = processor._processor.__wrapped__("")
    monkeypatch.setattr(processor, "_CPUINFO", Path("/nowhere"))
    assert processor.host_of_linux() is None
    told = processor._processor.__wrapped__("")
    assert (told.level, told.strips, told.asked) == (here.level, here.strips, here.asked)


def test_a_first_launch_that_compiles_nothing_loads_no_llvm(tmp_path: Path) -> None:
    short = LOOP.replace("BUDGET = 3000", "BUDGET = 1 << 24")
    done = run(f"{short}\nimport sys; print('llvmlite' in sys.modules)", tmp_path)
    assert done.stdout == "[0]\nFalse\n", done.stderr
    assert run(f"{LOOP}\nimport sys; print('llvmlite' in sys.modules)", tmp_path).stdout.endswith(
        "True\n"
    )
