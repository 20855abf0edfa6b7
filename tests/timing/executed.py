"""Kernels that compilers emitted, launched alike on the emulator and on a GPU, to count SASS."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from lanemap.timing.execution import Along, Recorder, along
from lanemap.toolchain import patch, ptxas
from tests.emulator.ptx import cute_dsl_cases, triton_cases

TARGET = "sm_90a"


@dataclass(frozen=True)
class Kernel:
    """One kernel of a compiler.

    Attributes:
        path: Its PTX.
        launch: Launches it once on a device, and compares the result with NumPy's.
    """

    path: Path
    launch: Callable[[Any], None]

    @property
    def text(self) -> str:
        """The PTX, for the ptxas that is here."""
        return ptxas.lowered(self.path.read_text())

    @property
    def kernel(self) -> str:
        """Its symbol."""
        found = re.search(r"\.visible \.entry (\w+)", self.text)
        assert found
        return found[1]

    def cubin(self) -> bytes:
        """What ptxas makes of it."""
        return ptxas.assemble(self.text, TARGET, ("-lineinfo",))

    def words(self) -> list[int]:
        """The 128-bit words of its SASS."""
        return patch.words(self.cubin())[self.kernel]

    def run_on_gpu(self) -> None:
        """Launch the cubin, not what a driver makes of the PTX."""
        device = lanemap.open_device(TARGET, "cuda")
        load, cubin = device.load, self.cubin()
        device.load = lambda _: load(cubin)  # type: ignore[method-assign]
        self.launch(device)

    def on_emulator(self) -> Along:
        """What its warps execute, by the emulator."""
        device = lanemap.open_device(TARGET, "emulator", hazards="report")
        recorder = Recorder()
        with device.observe(recorder):  # type: ignore[attr-defined]
            self.launch(device)
        name, walks = recorder.launches[0]
        return along(self.text, TARGET, name, walks, self.path.name)


def _triton(name: str) -> Kernel:
    compiled = triton_cases.Compiled(name, TARGET)
    case = triton_cases.CASES[name]
    return Kernel(compiled.path, lambda device: case(device, compiled, np.random.default_rng(5)))


def _cute(name: str) -> Kernel:
    case = cute_dsl_cases.CASES[TARGET][name]
    path = cute_dsl_cases.HERE / f"{name}.{TARGET}.ptx"
    return Kernel(path, lambda device: case(device, name, TARGET))


KERNELS = {
    **{f"triton {name}": _triton(name) for name in triton_cases.names(TARGET)},
    **{f"cute {name}": _cute(name) for name in cute_dsl_cases.CASES[TARGET]},
}
