"""Tensors of the host that `torch.empty` made, and which of their elements nothing has written.

The host may use them as it likes, but copies of them on the GPU are undefined. Writes that are no
operations of PyTorch (NumPy, an extension in C++) cannot be seen. So what nothing has written holds
a pattern, and if a byte of it has changed, the whole storage counts as written.
"""

from __future__ import annotations

import functools

import torch

from lanemap.devices import open_device
from lanemap.devices.adoption import AdoptedArray
from lanemap.devices.emulator import EmulatorDevice

_LEFT = 0xA5


class Unwritten:
    """Those tensors; a memory apart from the GPU's knows their bytes."""

    def __init__(self, target: str) -> None:
        """Know none; `target` is any that the emulator has."""
        self._target = target

    @functools.cached_property
    def _memory(self) -> EmulatorDevice:
        opened = open_device(self._target, "emulator", "report")
        assert isinstance(opened, EmulatorDevice)
        return opened

    def add(self, tensor: torch.Tensor) -> None:
        """Note that nothing has written a new tensor."""
        if tensor.untyped_storage().nbytes():
            self._memory.adopt(tensor, defined=False)
            _bytes_of(tensor).fill_(_LEFT)

    def array(self, tensor: torch.Tensor) -> AdoptedArray | None:
        """Return the array of a tensor's elements if some are not written, as far as is seen."""
        if "_memory" not in self.__dict__ or not self._memory.has_undefined(tensor):
            return None
        array = self._memory.adopt(tensor)
        return None if array.all_defined else array

    def judge(self, tensor: torch.Tensor) -> None:
        """Look for writes that could not be seen, before a tensor is copied."""
        if self.array(tensor) is None:
            return
        whole = _bytes_of(tensor)
        storage = self._memory.adopt(whole)
        left = torch.from_numpy(storage.undefined_elements())
        if bool((whole[left] != _LEFT).any()):
            storage.define()


def _bytes_of(tensor: torch.Tensor) -> torch.Tensor:
    """View the storage of a tensor as bytes."""
    return torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage())
