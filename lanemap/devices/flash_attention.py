"""FlashAttention's kernels, to be timed beside a kernel of ours.

Source: Dao-AILab/flash-attention, flash_attn/cute/interface.py (FlashAttention-4, the package
flash-attn-4) and flash_attn/flash_attn_interface.py (FlashAttention-2, the package flash-attn).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from lanemap.devices.arrays import DeviceArray
from lanemap.devices.torch_attention import Attention
from lanemap.errors import MissingEnvironment

#: Modules with a flash_attn_func, newest first, and the packages that they come in.
_MODULES = {"flash_attn.cute": "flash-attn-4", "flash_attn": "flash-attn"}


def _found() -> tuple[str, Callable[..., Any]]:
    """Return the newest FlashAttention's name with its version, and its function.

    Raises:
        MissingEnvironment: none is installed.
    """
    for module, package in _MODULES.items():
        try:
            function = importlib.import_module(module).flash_attn_func
            return f"{package} {version(package)}", function
        except (ImportError, AttributeError, PackageNotFoundError):
            continue
    raise MissingEnvironment(f"none of {', '.join(_MODULES.values())} is installed")


class FlashAttention(Attention):
    """softmax(q @ k.T / sqrt(head dimension)) @ v by FlashAttention."""

    def __init__(
        self,
        q: DeviceArray,
        k: DeviceArray,
        v: DeviceArray,
        shape: tuple[int, int, int, int],
        causal: bool,
    ) -> None:
        """Take the operands as PyTorch's tensors, (batch, length, heads, head dimension).

        Raises:
            MissingEnvironment: FlashAttention or PyTorch is not here, or PyTorch finds no GPU.
            UserError: the operands' type is not one of 16 bits.
        """
        self._name, self._function = _found()
        super().__init__(q, k, v, shape, causal)
        self._operands = [each.transpose(1, 2) for each in self._operands]

    @property
    def name(self) -> str:
        """With its version."""
        return self._name

    def enqueue(self, stream: int) -> None:
        """Put the work on a stream, named by its handle; O is PyTorch's own memory."""
        with self._torch.cuda.stream(self._torch.cuda.ExternalStream(stream)):
            self._function(*self._operands, causal=self._causal)
