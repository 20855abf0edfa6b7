"""Texts of PTX inside the emulator, for what `tests.ptx` cannot reach through devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.entry import LoadedText

Sizes = int | tuple[int, ...]


def _three(sizes: Sizes) -> tuple[int, int, int]:
    x, y, z = (*((sizes,) if isinstance(sizes, int) else sizes), 1, 1)[:3]
    return x, y, z


def require(text: LoadedText) -> None:
    """Make sure that the emulator supports every kernel of a text."""
    for kernel in text.kernels.values():
        kernel.require()


@pytest.fixture(params=[False, True], ids=["default", "strict"])
def both_modes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Launch by default, and on a strict machine: what compilers emit is clean on both."""
    monkeypatch.setattr(Loaded, "strict", request.param)


class Loaded:
    """A PTX text on a machine of its own, launched at a pace (see lanemap.emulator.host.run)."""

    pace = 0
    strict = False

    def __init__(
        self,
        text: str,
        hazards: str = "raise",
        models: dict[str, Any] | None = None,
        **machine: Any,
    ) -> None:
        given = {"strict": self.strict, "models": models or {}, **machine}
        settings = Settings(hazards, **given)
        self.machine = Launcher(settings)
        self.text = load(text, "test.ptx", settings)
        self.text.place_data(self.machine)
        require(self.text)

    def run(
        self, entry: str, grid: Sizes, block: Sizes, args: Sequence[Any], shared_bytes: int = 0
    ) -> list[Any]:
        """Launch; arrays go there and come back, in order, NumPy scalars and bytes by value."""
        kernel = self.text.kernels[entry]
        data = bytearray(sum(p.size for p in kernel.parameters) + 64)
        placed, end = [], 0
        for parameter, argument in zip(kernel.parameters, args, strict=True):
            if isinstance(argument, np.ndarray):
                allocation = self.machine.memory.allocate(argument.nbytes)
                self.machine.memory.write(allocation.base, argument.tobytes())
                placed.append((allocation, argument))
                value = allocation.base.to_bytes(8, "little")
            else:
                value = argument if isinstance(argument, bytes) else argument.tobytes()
            end = parameter.offset + parameter.size
            data[parameter.offset : parameter.offset + len(value)] = value
        kernel.check_launch(_three(grid), _three(block), shared_bytes, (1, 1, 1))
        self.machine.launch(
            kernel, _three(grid), _three(block), bytes(data[:end]), shared_bytes, pace=self.pace
        )
        results = []
        for allocation, argument in placed:
            self.machine.check_defined(allocation.base, argument.nbytes)
            got = allocation.data[: argument.nbytes].view(argument.dtype)
            results.append(got.reshape(argument.shape).copy())
        return results
