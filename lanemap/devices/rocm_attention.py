"""PyTorch's attention on an AMD GPU, to be timed beside a kernel.

Source: PyTorch 2.11, torch.nn.functional.scaled_dot_product_attention, and its "HIP (ROCm)
semantics": torch.cuda stands for AMD GPUs too, and torch.version.hip tells them apart.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lanemap.devices.arrays import DeviceArray
from lanemap.devices.torch_attention import TensorMemory
from lanemap.errors import MissingEnvironment

#: The libraries that a process has loaded.
_MAPS = Path("/proc/self/maps")


class RocmAttention:
    """softmax(q @ k.T / sqrt(head dimension)) @ v by PyTorch.

    PyTorch's attention takes no FP8. It gets the operands in the result's type of 16 bits, which
    has every value of e4m3.
    """

    def __init__(
        self, operands: Sequence[tuple[DeviceArray, tuple[int, ...]]], output: str, causal: bool
    ) -> None:
        """Convert the operands; what they hold later is not seen.

        Args:
            operands: Q, K and V of e4m3 (OCP), each with its shape: (batch, length, heads, head
                dimension). Adjacent heads of Q share one of K and V.
            output: "bfloat16" or "float16".
            causal: Whether query i sees keys up to i alone.

        Raises:
            MissingEnvironment: PyTorch is not here, is none for ROCm, finds no GPU, or has a HIP
                runtime of its own, which knows nothing of another one's streams.
        """
        try:
            self._torch: Any = importlib.import_module("torch")
        except ImportError as error:
            raise MissingEnvironment("PyTorch is not installed") from error
        torch = self._torch
        if not torch.version.hip:
            raise MissingEnvironment(f"PyTorch {torch.__version__} is not built for ROCm")
        if not torch.cuda.is_available():
            raise MissingEnvironment("PyTorch finds no GPU")
        runtimes = sorted(set(re.findall(r"\S*/libamdhip64\.so\S*", _MAPS.read_text())))
        if len(runtimes) > 1:
            raise MissingEnvironment(
                f"PyTorch and hip-python loaded two HIP runtimes, {' and '.join(runtimes)}; "
                "ROCM_PATH must lead hip-python to PyTorch's"
            )
        kind = getattr(torch, output)
        self._operands = [
            torch.as_tensor(TensorMemory(array, shape), device="cuda")
            .view(torch.float8_e4m3fn)
            .to(kind)
            .transpose(1, 2)
            for array, shape in operands
        ]
        torch.cuda.synchronize()
        self._causal = causal
        self.name = (
            f"PyTorch {torch.__version__}'s scaled_dot_product_attention on HIP "
            f"{torch.version.hip}, operands in {output}"
        )

    def enqueue(self, stream: int) -> None:
        """Put the work on a stream, named by its handle; O is PyTorch's own memory."""
        torch = self._torch
        with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
            torch.nn.functional.scaled_dot_product_attention(
                *self._operands, is_causal=self._causal, enable_gqa=True
            )
