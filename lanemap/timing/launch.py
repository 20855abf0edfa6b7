"""Launches of timing kernels: inputs, and what came back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lanemap.timing.text import INPUT_WORDS

Words = npt.NDArray[np.uint32]
#: Lanes of a warp.
WARP = 32
#: Lanes of a wave of AMD's targets.
WAVE = 64
#: Rounds of a window; those before WARM may wait for instructions.
ROUNDS, WARM = 6, 2


def lanes(target: str) -> int:
    """Lanes of a warp or of a wave."""
    return WAVE if target.startswith("gfx") else WARP


@dataclass(frozen=True)
class Outcome:
    """The results of one launch.

    Attributes:
        results: uint32[CTA, thread], the last value of each chain.
        clocks: uint64[CTA, warp, round, 2], the SM's clock before and after each window.
        places: uint32[CTA, warp], the SM of each warp.
    """

    results: Words
    clocks: npt.NDArray[np.uint64]
    places: Words

    def warm(self, ctas: range | None = None) -> dict[int, int]:
        """By SM, the cycles from the first clock read of a round to its last, in its best round.

        The rounds before WARM are left out: their instructions came from memory. `ctas` says which
        CTAs took part; all by default.
        """
        return self._least(ctas, slice(WARM, None))

    def cold(self, ctas: range | None = None) -> dict[int, int]:
        """The same of the first round, before which no warp has executed the window."""
        return self._least(ctas, slice(1))

    def _least(self, ctas: range | None, rounds: slice) -> dict[int, int]:
        took = slice(None) if ctas is None else slice(ctas.start, ctas.stop)
        clocks = self.clocks[took, :, rounds]
        least = (clocks[..., 1].max(axis=1) - clocks[..., 0].min(axis=1)).min(axis=1)
        places = self.places[took, 0]
        return {int(place): int(cycles) for place, cycles in zip(places, least, strict=True)}

    def histogram(self) -> dict[int, int]:
        """How many SMs took how many cycles."""
        return histogram(self.warm())


def histogram(by_sm: Mapping[int, int]) -> dict[int, int]:
    """How many SMs took how many cycles."""
    return dict(sorted(Counter(by_sm.values()).items()))


@dataclass(frozen=True)
class More:
    """Requirements of a launch besides its inputs.

    Attributes:
        arguments: After those of every timing kernel.
        cluster: CTAs of each cluster.
        shared_bytes: Dynamic shared memory of a CTA.
    """

    arguments: tuple[Any, ...] = ()
    cluster: int = 1
    shared_bytes: int = 0


NO_MORE = More()


class Loaded(Protocol):
    """A module whose kernels can be launched."""

    def launch(self, entry: str, inputs: Words, more: More = NO_MORE) -> Outcome:
        """Launch a kernel with uint32[CTA, thread, INPUT_WORDS] inputs, and return what it left."""


class Machine(Protocol):
    """A machine that executes cubins and reads its clock: a GPU, or one with planted timing."""

    def load(self, cubin: bytes | str) -> Loaded:
        """Load a cubin of `text.module`, or PTX where that is what the machine executes."""

    def arguments(self, make: Callable[[Any], Sequence[Any]]) -> Sequence[Any]:
        """Return the other arguments of a launch, made on the machine's device."""


class DeviceMachine:
    """A machine over a device of `lanemap.open_device`; its image may be a cubin or PTX text."""

    def __init__(self, device: Any) -> None:
        """Keep the device."""
        self.device = device

    def load(self, cubin: bytes | str) -> DeviceModule:
        """Load a cubin, or PTX on the emulator."""
        return DeviceModule(self.device, self.device.load(cubin))

    def arguments(self, make: Callable[[Any], Sequence[Any]]) -> Sequence[Any]:
        """Make them."""
        return make(self.device)


class DeviceModule:
    """A loaded module of a device."""

    def __init__(self, device: Any, module: Any) -> None:
        """Keep both."""
        self._device, self._module = device, module
        self._inputs: tuple[Words, Any] | None = None

    def launch(self, entry: str, inputs: Words, more: More = NO_MORE) -> Outcome:
        """Launch and wait; see `Loaded`."""
        shape, arguments = self._arguments(inputs, more)
        self._module[entry](*shape, arguments, more.shared_bytes, (more.cluster, 1, 1))
        return _outcome(arguments)

    def prepare(
        self, entry: str, inputs: Words, more: More = NO_MORE
    ) -> tuple[Callable[[int], None], Callable[[], Outcome]]:
        """Return what enqueues a launch on a stream of the GPU, and what then returns its rest."""
        shape, arguments = self._arguments(inputs, more)
        enqueue = self._module[entry].prepare(
            *shape, arguments, more.shared_bytes, (more.cluster, 1, 1)
        )
        return enqueue, lambda: _outcome(arguments)

    def _arguments(self, inputs: Words, more: More) -> tuple[tuple[int, int], tuple[Any, ...]]:
        """Grid and block, and arguments with fresh arrays for what a kernel leaves."""
        ctas, threads, _ = inputs.shape
        device = self._device
        warps = -(-threads // lanes(device.target))
        if self._inputs is None or self._inputs[0] is not inputs:
            self._inputs = inputs, device.array(inputs, name="inputs")
        results = device.zeros((ctas, threads), np.uint32, name="results")
        clocks = device.zeros((ctas, warps, ROUNDS, 2), np.uint64, name="clocks")
        places = device.zeros((ctas, warps), np.uint32, name="places")
        fixed = self._inputs[1], results, clocks, places, np.uint32(ROUNDS)
        return (ctas, threads), (*fixed, *more.arguments)


def _outcome(arguments: Sequence[Any]) -> Outcome:
    return Outcome(*(each.get() for each in arguments[1:4]))


def inputs(ctas: int, threads: int = WARP, seed: int = 1) -> Words:
    """Return uint32[CTA, thread, INPUT_WORDS]: x, four constants, 0, 1, unused.

    CTAs take turns: random bits; floats in [1, 2) with constants in [0.5, 2), which stay normal in
    chains of f32; random bits with constants 1 to 7, which are shift counts that keep bits. The
    same seed gives the same inputs on every machine.
    """
    draw = random.Random(seed)
    words = np.zeros((ctas, threads, INPUT_WORDS), np.uint32)
    for cta in range(ctas):
        for thread in range(threads):
            words[cta, thread, :5] = _words(draw, cta % 3)
    words[:, :, 6] = 1
    return words


def _words(draw: random.Random, family: int) -> list[int]:
    if family == 1:
        floats = [draw.uniform(1, 2), *(draw.uniform(0.5, 2) for _ in range(4))]
        return [int(word) for word in np.array(floats, np.float32).view(np.uint32)]
    first = draw.getrandbits(32)
    if family == 0:
        return [first, *(draw.getrandbits(32) for _ in range(4))]
    return [first, *(draw.randrange(1, 8) for _ in range(4))]
