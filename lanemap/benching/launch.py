"""Launches of kernels on any device, and what devices have loaded for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import lanemap
from lanemap.errors import MissingEnvironment
from lanemap.toolchain.ptxas import assemble

#: SMs of the GPU that the emulator stands for.
MULTIPROCESSORS = {"sm_90a": 132, "sm_100a": 148}


@dataclass(frozen=True)
class Launch:
    """A kernel with its arguments.

    Attributes:
        kernel: As a device's module returns it.
        grid: CTAs.
        block: Threads of a CTA.
        arguments: Of the entry.
        shared_bytes: Dynamic shared memory.
        cluster: CTAs of a cluster.
        overlaps: Whether it may begin before earlier work of the stream ends (programmatic
            dependent launch).
    """

    kernel: Any
    grid: int | tuple[int, int, int]
    block: int
    arguments: tuple[Any, ...]
    shared_bytes: int = 0
    cluster: tuple[int, int, int] = (1, 1, 1)
    overlaps: bool = False

    def run(self) -> None:
        """Launch and wait."""
        self.kernel(self.grid, self.block, self.arguments, self.shared_bytes, self.cluster)

    def enqueue(self) -> Callable[[int], None]:
        """Return a function that puts the launch on a GPU's stream, named by its handle."""
        prepared: Callable[[int], None] = self.kernel.prepare(
            self.grid, self.block, self.arguments, self.shared_bytes, self.cluster, self.overlaps
        )
        return prepared


@cache
def opened(target: str, device: str) -> Any:
    """Return a device, opened once."""
    return lanemap.open_device(target, device)


def opened_for(targets: Sequence[str], on_gpu: bool) -> Any:
    """Return the GPU, which executes one of these targets, or the emulator of the first one.

    Raises:
        MissingEnvironment: there is no GPU, or it executes none of them.
    """
    if not on_gpu:
        return opened(targets[0], "emulator")
    for target in targets[:-1]:
        try:
            return opened(target, "cuda")
        except MissingEnvironment:
            continue
    return opened(targets[-1], "cuda")


@cache
def assembled(text: str, target: str) -> bytes:
    """Return what ptxas makes of PTX, made once."""
    return assemble(text, target)


def compile_ahead(texts: Sequence[str], target: str) -> None:
    """Assemble texts on all processors, so that no GPU waits for it."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda text: assembled(text, target), texts))


@cache
def loaded(device: Any, text: str) -> Any:
    """Return a text as a device's module; an NVIDIA GPU gets what ptxas makes of it."""
    return device.load(assembled(text, device.target) if device.name == "cuda" else text)


def multiprocessors(device: Any) -> int:
    """Return how many SMs a device has."""
    return int(device.environment().get("multiprocessors") or MULTIPROCESSORS[device.target])
