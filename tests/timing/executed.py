"""Kernels launched alike on the emulator and on a GPU: to count their SASS, and its cycles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from lanemap.benching.attention.problem import Problem as Attention
from lanemap.benching.find import benchmarks
from lanemap.benching.gemm.problem import Problem as Product
from lanemap.timing.execution import Along, Recorder, along
from lanemap.toolchain import nvrtc, patch, ptxas
from tests.emulator.ptx import cute_dsl_cases, triton_cases
from tests.timing import grids, one_cta

TARGET = "sm_90a"


@dataclass(frozen=True)
class Kernel:
    """One launch of a kernel.

    Attributes:
        name: What errors call its text.
        source: Returns its PTX.
        launch: Launches it once on a device, and compares the result with NumPy's. It returns the
            cycles of each warp where the kernel reads its clock, else None.
        entry: Its symbol; by default the only one.
    """

    name: str
    source: Callable[[], str]
    launch: Callable[[Any], Any]
    entry: str = ""

    @cached_property
    def text(self) -> str:
        """The PTX, for the ptxas that is here."""
        return ptxas.lowered(self.source())

    @property
    def kernel(self) -> str:
        """Its symbol."""
        found = re.search(r"\.visible \.entry (\w+)", self.text)
        assert found
        return self.entry or found[1]

    def cubin(self) -> bytes:
        """What ptxas makes of it."""
        return assembled(self.text)

    def words(self) -> list[int]:
        """The 128-bit words of its SASS."""
        return patch.words(self.cubin())[self.kernel]

    def on_emulator(self) -> Along:
        """What its warps execute, by the emulator."""
        device = lanemap.open_device(TARGET, "emulator", hazards="report")
        recorder = Recorder()
        with device.observe(recorder):  # type: ignore[attr-defined]
            self.launch(device)
        name, walks = recorder.launches[0]
        return along(self.text, TARGET, name, walks, self.name)


@cache
def assembled(text: str) -> bytes:
    """The cubin of a text, with lines."""
    return ptxas.assemble(text, TARGET, ("-lineinfo",))


@contextmanager
def gpu() -> Iterator[Any]:
    """A GPU that loads what ptxas makes of a text, not what the driver does."""
    device: Any = lanemap.open_device(TARGET, "cuda")
    load = device._load

    def assembled_first(content: str | bytes, name: str) -> Any:
        if isinstance(content, str):
            content = assembled(ptxas.lowered(content))
        return load(content, name)

    device._load = assembled_first
    try:
        yield device
    finally:
        device._load = load


def _triton(name: str) -> Kernel:
    compiled = triton_cases.Compiled(name, TARGET)
    case = triton_cases.CASES[name]
    return Kernel(
        compiled.path.name,
        compiled.path.read_text,
        lambda device: case(device, compiled, np.random.default_rng(5)),
    )


def _cute(name: str) -> Kernel:
    case = cute_dsl_cases.CASES[TARGET][name]
    path: Path = cute_dsl_cases.HERE / f"{name}.{TARGET}.ptx"
    return Kernel(path.name, path.read_text, lambda device: case(device, name, TARGET))


@cache
def compiled(source: Path) -> str:
    return nvrtc.compile_cuda(source.read_text(), TARGET, name=source.name)


def _of(source: Path, launch: one_cta.Launch | grids.Launch) -> Kernel:
    """A launch of a kernel of a file in CUDA C++."""
    return Kernel(
        source.name,
        lambda: compiled(source),
        lambda device: launch(device, compiled(source)),
        launch.kernel,
    )


def benchmark(name: str, problem: Any) -> Kernel:
    """One of kernels/ for a problem, compiled for an H200."""
    (benchmark,) = benchmarks(name, TARGET)

    def launch(device: Any) -> None:
        case = benchmark.case(device, problem)
        case.fill(case.inputs[0])
        case.run()
        assert case.check(case.inputs[0]).outside == 0

    def source() -> str:
        return benchmark.text(lanemap.open_device(TARGET, "emulator"), problem) or ""

    return Kernel(name, source, launch)


KERNELS = {
    **{f"triton {name}": _triton(name) for name in triton_cases.names(TARGET)},
    **{f"cute {name}": _cute(name) for name in cute_dsl_cases.CASES[TARGET]},
}
ONE_CTA = {
    f"one_cta {each.kernel} {each.warps}": _of(one_cta.SOURCE, each) for each in one_cta.LAUNCHES
}  # fmt: skip
GRIDS = {
    f"grids {each.kernel} {each.rows}x{each.columns}": _of(grids.SOURCE, each)
    for each in grids.LAUNCHES
}
_PROBLEMS = {
    "ss_gemm": tuple(Product(size, size, size) for size in (256, 512, 1024, 2048, 4096)),
    "ts_gemm": tuple(Product(size, size, size) for size in (256, 512, 2048)),
    "fmha": (
        Attention(1, 512, 512, 2, 2, 128),
        Attention(1, 512, 512, 2, 2, 64, -1, 0),
        Attention(1, 4096, 4096, 8, 8, 128),
        Attention(1, 4096, 4096, 8, 8, 64),
        Attention(1, 2048, 2048, 8, 8, 128, -1, 0),
    ),
}
OWN = {
    f"kernels {name} {number}": benchmark(name, problem)
    for name, problems in _PROBLEMS.items()
    for number, problem in enumerate(problems)
}
#: What the model of `lanemap time` may be developed on. Predictions are compared with other
#: kernels, which nobody has measured before.
DEVELOPMENT = {**KERNELS, **ONE_CTA, **GRIDS, **OWN}
