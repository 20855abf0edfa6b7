"""A kernel of a program in this folder: how it is launched, and what NumPy says of its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.devices.arrays import DeviceArray
from lanemap.devices.emulator import EmulatorDevice
from lanemap.errors import MissingEnvironment

HERE = Path(__file__).parent
Arrays = Sequence[Any]


@dataclass(frozen=True)
class Empty:
    """An array that nothing has written."""

    count: int
    dtype: Any = np.float32


@dataclass(frozen=True)
class Case:
    """One launch.

    Attributes:
        file: The program.
        entry: The kernel, as a user names it.
        arguments: Arrays, which are copied to the device, `Empty` ones, and scalars.
        expected: From the host's arguments to the arrays after the launch, by their position.
        symbols: Values of variables, by name, before the launch.
        after: The same after it.
    """

    file: str
    entry: str
    grid: Any
    block: Any
    arguments: Arrays
    expected: Callable[..., Mapping[int, Any]]
    shared_bytes: int = 0
    options: tuple[str, ...] = ()
    symbols: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-6

    def run(self, target: str, language: str) -> EmulatorDevice:
        """Compile, launch and compare; every hazard is an error."""
        device = lanemap.open_device(target, "emulator")
        assert isinstance(device, EmulatorDevice)
        try:
            path = HERE / language / self.file
            module = device.compile(path, options=[*self.options])
        except MissingEnvironment as missing:
            pytest.skip(str(missing))
        for name, values in self.symbols.items():
            module.symbol(name, values.dtype).set(values)
        given = [_to_device(device, each) for each in self.arguments]
        module[self.entry](self.grid, self.block, given, self.shared_bytes)
        for position, expected in self.expected(*self.arguments).items():
            found = given[position].get()
            assert found.dtype == np.asarray(expected).dtype
            np.testing.assert_allclose(
                found.astype(np.float64), np.asarray(expected, np.float64), self.tolerance
            )
        for name, values in self.after.items():
            np.testing.assert_allclose(module.symbol(name, values.dtype).get(), values, 1e-6)
        return device


def _to_device(device: EmulatorDevice, argument: Any) -> Any:
    if isinstance(argument, Empty):
        return device.empty(argument.count, argument.dtype)
    if isinstance(argument, np.ndarray):
        return device.array(argument)
    assert not isinstance(argument, DeviceArray)
    return argument
