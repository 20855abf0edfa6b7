"""PyTorch's grouped product, to be timed beside a kernel.

Source: PyTorch 2.8 and newer, torch._grouped_mm: `offs` are where groups end, and B is (groups, K,
N). On sm_90 it is CUTLASS's grouped GEMM.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.devices.arrays import DeviceArray
from lanemap.devices.torch_attention import TensorMemory
from lanemap.errors import MissingEnvironment


class GroupedProduct:
    """A @ B[g].T of each group g of rows, in bf16."""

    def __init__(self, a: DeviceArray, b: DeviceArray, sizes: Sequence[int]) -> None:
        """Take the operands as PyTorch's tensors.

        Args:
            a: (rows, K) of bf16.
            b: (groups, N, K) of bf16.
            sizes: Rows of each group.

        Raises:
            MissingEnvironment: PyTorch is not here, or has no grouped product.
        """
        try:
            self._torch: Any = importlib.import_module("torch")
        except ImportError as error:
            raise MissingEnvironment(
                "PyTorch is not installed; it is what has a grouped product to compare with"
            ) from error
        torch = self._torch
        if not hasattr(torch, "_grouped_mm"):
            raise MissingEnvironment(
                f"PyTorch {torch.__version__} has no grouped product (torch._grouped_mm); install "
                "2.8 or newer"
            )
        self.name = f"torch._grouped_mm of PyTorch {torch.__version__}"
        self._a, self._b = (
            torch.as_tensor(TensorMemory(each, each.shape), device="cuda").view(torch.bfloat16)
            for each in (a, b)
        )
        ends = np.cumsum(np.array(sizes)).astype(np.int32)
        self._ends = torch.as_tensor(ends, device="cuda")

    def enqueue(self, stream: int) -> None:
        """Put the product on a stream, named by its handle."""
        torch = self._torch
        with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
            torch._grouped_mm(self._a, self._b.transpose(1, 2), offs=self._ends)
