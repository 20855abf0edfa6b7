"""PyTorch's product of FP8 matrices with scales of blocks, to be timed beside a kernel.

Source: PyTorch 2.9 and newer, torch._scaled_mm with scales of 1 x 128 and 128 x 128 elements
(ATen/native/cuda/ScaledBlas.cpp): those of A lie in columns. It is cuBLASLt's, for sm_90.
"""

from __future__ import annotations

import importlib
from typing import Any

from lanemap.devices.arrays import DeviceArray
from lanemap.devices.torch_attention import TensorMemory
from lanemap.errors import MissingEnvironment


class ScaledProduct:
    """A @ B.T in bf16 of e4m3 with scales."""

    def __init__(
        self, a: DeviceArray, b: DeviceArray, a_scales: DeviceArray, b_scales: DeviceArray
    ) -> None:
        """Take the operands as PyTorch's tensors.

        Args:
            a: (M, K), bytes.
            b: (N, K), bytes.
            a_scales: (ceil(K / 128), M) of f32.
            b_scales: (ceil(N / 128), ceil(K / 128)) of f32.

        Raises:
            MissingEnvironment: PyTorch is not here, or has no such product.
        """
        try:
            self._torch: Any = importlib.import_module("torch")
        except ImportError as error:
            raise MissingEnvironment(
                "PyTorch is not installed; it is what has a scaled product to compare with"
            ) from error
        torch = self._torch
        self.name = f"torch._scaled_mm of PyTorch {torch.__version__}"

        def tensor(array: DeviceArray) -> Any:
            return torch.as_tensor(TensorMemory(array, array.shape), device="cuda")

        self._a, self._b = (tensor(each).view(torch.float8_e4m3fn) for each in (a, b))
        self._of_a, self._of_b = (
            tensor(each).view(torch.float32).t() for each in (a_scales, b_scales)
        )
        try:
            self._multiply()
        except (RuntimeError, ValueError, NotImplementedError) as error:
            raise MissingEnvironment(
                f"PyTorch {torch.__version__} has no product with scales of 1 x 128 and 128 x 128 "
                f"elements on this GPU: {str(error).splitlines()[0]}"
            ) from error

    def enqueue(self, stream: int) -> None:
        """Put the product on a stream, named by its handle."""
        torch = self._torch
        with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
            self._multiply()

    def _multiply(self) -> None:
        torch = self._torch
        torch._scaled_mm(self._a, self._b.t(), self._of_a, self._of_b, out_dtype=torch.bfloat16)
