"""Launches of kernels on any device, and what devices have loaded for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import lanemap
from lanemap.benching.compiled import COMPILED, Wanted
from lanemap.errors import MissingEnvironment, UserError
from lanemap.records.hashes import source_hash
from lanemap.targets import TARGETS
from lanemap.toolchain.ptxas import assemble


@dataclass(frozen=True)
class Launch:
    """A kernel with its arguments.

    Attributes:
        kernel: As a device's module returns it.
        grid: CTAs.
        block: Threads of a CTA.
        arguments: Arguments of the entry.
        shared_bytes: Dynamic shared memory.
        cluster: CTAs of a cluster.
        overlaps: Whether it may begin before earlier work of the stream ends (programmatic
            dependent launch).
        scratch: Arrays among the arguments that a launch needs for itself while it runs. What it
            needs as zeros is zeros again when it ends.
    """

    kernel: Any
    grid: int | tuple[int, int, int]
    block: int
    arguments: tuple[Any, ...]
    shared_bytes: int = 0
    cluster: tuple[int, int, int] = (1, 1, 1)
    overlaps: bool = False
    scratch: tuple[Any, ...] = ()

    def run(self) -> None:
        """Launch and wait."""
        self.kernel(self.grid, self.block, self.arguments, self.shared_bytes, self.cluster)

    def enqueue(self, operands: Sequence[Any] = ()) -> Callable[..., None]:
        """Return a function that puts the launch on a GPU's stream, named by its handle.

        Behind the stream it takes addresses of `operands`, arrays among the arguments, if they
        shall be others than those. On the emulator it launches, and waits.
        """
        sizes = self.grid, self.block, self.arguments, self.shared_bytes, self.cluster
        prepared: Callable[..., None] = self.kernel.prepare(*sizes, self.overlaps, operands)
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
    gpu = "hip" if targets[0].startswith("gfx") else "cuda"
    for target in targets[:-1]:
        try:
            return opened(target, gpu)
        except MissingEnvironment:
            continue
    return opened(targets[-1], gpu)


def device_for(kernel: str, given: Any, targets: Sequence[str], on_gpu: bool) -> Any:
    """Return the device of a call: the one given, else as `opened_for`.

    Args:
        kernel: Its name.
        given: The caller's `device`, or None.
        targets: Those that the kernel has a source for.
        on_gpu: Whether the arrays lie on a GPU.

    Raises:
        UserError: what was given is no device, or one that the kernel has no source for.
        MissingEnvironment: the arrays lie on a GPU that executes none of the targets.
    """
    if given is None:
        return opened_for(targets, on_gpu)
    if not hasattr(given, "adopt"):
        raise UserError(f"device is {given!r}; pass what lanemap.open_device returns")
    if given.target not in targets:
        known = " and ".join(targets)
        raise UserError(f"{kernel} has no source for {given.target}; it has one for {known}")
    return given


def assembled(text: str, target: str) -> bytes:
    """Return what ptxas makes of PTX, made once.

    Raises:
        UserError: ptxas refuses it, or the folder of compiled code that is in use lacks it.
        MissingEnvironment: ptxas is not here.
    """
    wanted = Wanted("cubin", "PTX", target, (source_hash(text),))
    return COMPILED.get(wanted, [text], lambda: assemble(text, target))


def compile_ahead(texts: Sequence[Callable[[], str | None]], target: str) -> None:
    """Compile and assemble on all processors, so that no GPU waits for it.

    Args:
        texts: Each returns PTX, or None for what is compiled when it is first needed.
        target: An instruction set.
    """

    def compile_one(make: Callable[[], str | None]) -> None:
        text = make()
        if text is not None:
            assembled(text, target)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, texts))


@cache
def loaded(device: Any, text: str) -> Any:
    """Return a text as a device's module; an NVIDIA GPU gets what ptxas makes of it."""
    return device.load(assembled(text, device.target) if device.name == "cuda" else text)


@cache
def multiprocessors(device: Any) -> int:
    """Return how many SMs a device has; asked once, since an environment takes long to describe."""
    there = device.environment().get("multiprocessors")
    return int(there or TARGETS[device.target].gpu.multiprocessors)
