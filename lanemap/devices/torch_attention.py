"""PyTorch's attention by cuDNN, to be timed beside a kernel.

Source: PyTorch 2.11, torch.nn.functional.scaled_dot_product_attention and
torch.nn.attention.sdpa_kernel.
"""

from __future__ import annotations

import importlib
from typing import Any

from lanemap.devices.arrays import DeviceArray
from lanemap.errors import MissingEnvironment, UserError

#: PyTorch's types of 16 bits, by NumPy's and ml_dtypes' names.
_TYPES = {"bfloat16": "bfloat16", "float16": "float16"}


class TensorMemory:
    """An array as PyTorch finds it through `__cuda_array_interface__`, which has no bf16 or FP8."""

    def __init__(self, array: DeviceArray, shape: tuple[int, ...]) -> None:
        """Show an array of 8 or 16 bits as integers of a shape."""
        self._array = array
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": f"<i{array.dtype.itemsize}",
            "data": (array.address, False), "version": 3,
        }  # fmt: skip


class Attention:
    """softmax(q @ k.T / sqrt(head dimension)) @ v by cuDNN through PyTorch."""

    def __init__(
        self,
        q: DeviceArray,
        k: DeviceArray,
        v: DeviceArray,
        shape: tuple[int, int, int, int],
        causal: bool,
        of_keys: tuple[int, int, int, int] | None = None,
    ) -> None:
        """Take the operands as PyTorch's tensors.

        Args:
            q: Queries, of 16 bits.
            k: Keys.
            v: Values.
            shape: Shape of each operand: (batch, length, heads, head dimension).
            causal: Whether query i sees keys up to i alone.
            of_keys: Shape of `k` and `v`, if it is another one.

        Raises:
            MissingEnvironment: PyTorch is not here, or finds no GPU.
            UserError: the operands' type is not one of 16 bits.
        """
        try:
            self._torch: Any = importlib.import_module("torch")
            self._kinds: Any = importlib.import_module("torch.nn.attention")
        except ImportError as error:
            raise MissingEnvironment(
                "PyTorch is not installed; it is what calls cuDNN's attention"
            ) from error
        if not self._torch.cuda.is_available():
            raise MissingEnvironment(
                "PyTorch finds no GPU; cuDNN's attention, which it calls, needs one"
            )
        if q.dtype.name not in _TYPES:
            raise UserError(f"PyTorch has no attention of {q.dtype.name} by cuDNN")
        kind = getattr(self._torch, _TYPES[q.dtype.name])
        self._operands = [
            self._torch.as_tensor(TensorMemory(each, own), device="cuda").view(kind).transpose(1, 2)
            for each, own in ((q, shape), (k, of_keys or shape), (v, of_keys or shape))
        ]
        self._causal = causal

    @property
    def name(self) -> str:
        """The library's name, with versions."""
        torch = self._torch
        return (
            f"cuDNN {torch.backends.cudnn.version()}, through PyTorch {torch.__version__}'s "
            "scaled_dot_product_attention"
        )

    def enqueue(self, stream: int) -> None:
        """Put the work on a stream, named by its handle; O is PyTorch's own memory."""
        torch, kinds = self._torch, self._kinds
        with (
            torch.cuda.stream(torch.cuda.ExternalStream(stream)),
            kinds.sdpa_kernel([kinds.SDPBackend.CUDNN_ATTENTION]),
        ):
            torch.nn.functional.scaled_dot_product_attention(
                *self._operands, is_causal=self._causal
            )


class DefaultAttention(Attention):
    """The same by the kernel that PyTorch chooses; heads of q may share one of k and v."""

    @property
    def name(self) -> str:
        """The library's name, with its version."""
        return f"PyTorch {self._torch.__version__}'s scaled_dot_product_attention"

    def enqueue(self, stream: int) -> None:
        """Put the work on a stream; see `Attention`."""
        torch = self._torch
        q, k, _ = self._operands
        with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
            torch.nn.functional.scaled_dot_product_attention(
                *self._operands, is_causal=self._causal, enable_gqa=q.shape[1] != k.shape[1]
            )
