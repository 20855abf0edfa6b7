"""Hashes of what a kernel for sm_90a computes on a GPU: what rows of such launches share.

Tests hold the emulator to the rows, so a result must be the same byte for byte. Which inputs make
that possible depends on the kernel; see `kernel_products` and `kernel_attentions`.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.launch import Launch
from lanemap.devices import Device
from lanemap.records.hashes import source_hash
from lanemap.toolchain import nvrtc, ptxas

TARGET = "sm_90a"
#: How often the GPU runs each launch: all runs must give the same bytes.
TIMES = 3
#: CTAs that compute: few, so that each takes several tiles.
CTAS = 4


class Case(ABC):
    """One launch.

    Attributes:
        result: The row's name of what it computes.
        inputs: Name of the kind of numbers in its operands.
    """

    result: ClassVar[str]
    inputs: str

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the case in its row."""

    @abstractmethod
    def ptx(self) -> str:
        """Return the kernel's text; see `CompiledKernel.ptx`."""

    @abstractmethod
    def operands(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return the operands by the row's names, the same with every version of NumPy."""

    @abstractmethod
    def unwritten(self) -> npt.NDArray[Any]:
        """Return the result as it is before the launch: NaN."""

    @abstractmethod
    def launch(
        self, device: Any, module: Any, operands: Sequence[Operand], result: Operand
    ) -> Launch:
        """Return the launch; `module` is what the device loaded of the text."""

    @abstractmethod
    def described(self) -> dict[str, Any]:
        """Return what the row says of the problem and its tile."""


class Launcher:
    """One case on a device: operands there, and the launch.

    Attributes:
        host: The operands by name.
    """

    def __init__(self, device: Any, module: Any, case: Case) -> None:
        """Copy the operands to the device; `module` is what it loaded of the case's text."""
        self.host, self._unwritten = case.operands(), case.unwritten()
        self._result = device.array(self._unwritten, name=case.result)
        given = [
            Operand(device.array(each, name=name), each.strides[0])
            for name, each in self.host.items()
        ]
        result = Operand(self._result, self._unwritten.strides[0])
        self._launch = case.launch(device, module, given, result)

    def run(self) -> npt.NDArray[Any]:
        """Launch, and return the result; an element that the kernel did not write is NaN."""
        self._result.set(self._unwritten)
        self._launch.run()
        return np.asarray(self._result.get())


def nearly_normal(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """Return a number of nearly N(0, 1) for each word: the sum of its four numbers of 16 bits."""
    sums = words.astype("<u8").view("<u2").reshape(*words.shape, 4).sum(-1, dtype=np.int64)
    normal: npt.NDArray[np.float64] = (sums - 2 * 65535) / (65536 * (4 / 12) ** 0.5)
    return normal


def observe(device: Device, cases: Sequence[Case], kind: str) -> tuple[dict[str, Any], int]:
    """Run all cases on the GPU; return the findings and how many cases differ between runs.

    Args:
        device: The GPU.
        cases: The launches.
        kind: Their name in the row.

    Raises:
        UserError: NVRTC or ptxas refuses a text.
        MissingEnvironment: one of them is not here.
    """
    start, rows, differing = time.monotonic(), [], []
    texts = list(dict.fromkeys(case.ptx() for case in cases))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        cubins = pool.map(lambda text: ptxas.assemble(text, TARGET), texts)
        modules = dict(zip(texts, map(device.load, cubins), strict=True))
    print(f"{len(texts)} texts compiled: {time.monotonic() - start:.1f} s", flush=True)
    for case in cases:
        text = case.ptx()
        launcher = Launcher(device, modules[text], case)
        runs = [source_hash(launcher.run().tobytes()) for _ in range(TIMES)]
        rows.append(
            {
                "name": case.name,
                **case.described(),
                "ctas": CTAS,
                "inputs": case.inputs,
                "ptx": source_hash(text),
                **hashes(launcher.host),
                case.result: runs[0],
            }
        )
        if len(set(runs)) > 1:
            differing.append(case.name)
            print(f"{case.name}: differs between runs", flush=True)
    print(
        f"{len(rows)} {kind} ran {TIMES} times each, {len(differing)} differ between runs: "
        f"{time.monotonic() - start:.1f} s",
        flush=True,
    )
    compiler = f"NVRTC {'.'.join(map(str, nvrtc.version()))}, ptxas {ptxas.version()}"
    findings = {"runs": TIMES, "compiler": compiler, kind: rows, "differing": differing}
    return findings, len(differing)


def hashes(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, str]:
    """Return the hash of each array's bytes."""
    return {name: source_hash(each.tobytes()) for name, each in arrays.items()}
