"""The emulator's time for accesses of memory, next to the required time.

    python benchmarks/memory.py [--before PATH] [--only NAME] [--samples N] [--quick] [--json]

Figures are of processor time on one core, hazards on, everything compiled and in the object cache;
the cases of threads take the time of the clock (see benchmarks/pairs.py, also for `--before`).

* An access of a wave: the time of a loop of 2n unrolled accesses less that of n, over the accesses
  that make the difference, so that launch, loop and the first touch of a page cancel. The address
  arithmetic (a few integer instructions for four accesses), the addition that uses what was loaded
  and the waits of gfx950 are in it. sm_90a has 32 lanes, gfx950 64. The working set is 4 MB of
  global memory, walked in order and more than once, or 64 KB of shared memory; scattered ones are
  at random words of a lane's own part of 128 KB, or all 4 MB for each lane of 64 warps in 8 CTAs,
  with the instructions that make them random.
* Copy: 64 MiB by a grid-stride loop of 16 bytes a lane, over other bytes. Its GB/s count each byte
  once, although it is read and written; from the second launch on.
* CTAs: the time of 2n CTAs less that of n. Launches, zeros, matrix instructions: as named.

Every kernel's result is compared with what NumPy computes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from memory_kernels import (
    GROUP,
    INCREMENT,
    LANES,
    MULTIPLIER,
    PTX_ARITHMETIC,
    PTX_COPY,
    PTX_EMPTY,
    PTX_TRANSPOSE,
    SCATTER_BYTES,
    SHARED_BYTES,
    WORKING_SET_BYTES,
    Access,
    amd_copy,
    gathered,
    scattered,
)
from mfma import CASES as MFMA
from pairs import Case, Clock, Sampler, doubled, main, timed

REPETITIONS = 16
#: Iterations of the access loops: both walk the 4 MB at least twice.
ITERATIONS = 4096
COPY_BYTES = 64 << 20
COPY_CTAS, COPY_THREADS = 264, 256
Words = np.ndarray[Any, np.dtype[np.uint32]]


def _open(target: str) -> Any:
    import lanemap

    return lanemap.open_device(target, device="emulator")


def _words(count: int) -> Words:
    return np.random.default_rng(count).integers(0, 2**32, count, np.uint32)


def _same(got: Any, expected: Any, what: str) -> None:
    if not np.array_equal(got, expected):
        raise RuntimeError(f"{what}: the kernel's result is wrong")


# -- accesses of one wave --------------------------------------------------------------------------
def _expected_total(access: Access, data: Words, accesses: int) -> Words:
    """The sum of each lane's loads; `data` are the words of the working set."""
    slots = access.set_bytes // access.step
    values = data.reshape(slots, access.lanes, access.width // 4)
    # The i-th of four loads of 16 bytes adds its word i.
    column = np.arange(slots) % GROUP if access.width == 16 else np.zeros(slots, int)
    chosen = values[np.arange(slots), :, column]
    times = accesses // slots + (np.arange(slots) < accesses % slots)
    return (chosen * times[:, None].astype(np.uint32)).sum(0, dtype=np.uint32)


def _stored(access: Access, data: Words, accesses: int) -> Words:
    """The working set after the stores: group g of four stores writes lane + g."""
    slots = access.set_bytes // access.step
    values = data.copy().reshape(slots, access.lanes, access.width // 4)
    last = np.arange(slots) + (accesses - 1 - np.arange(slots)) // slots * slots
    lane = np.arange(access.lanes)
    words = (lane + last[:, None] // GROUP).astype(np.uint32)
    written = last >= 0
    values[written] = words[written, :, None]
    if access.width == 16:
        values[written, :, 1::2] = lane[:, None]
    return values.reshape(-1)


def access(kind: Access, divisor: int, clock: Clock) -> Sampler:
    """Prepare a coalesced access."""
    device = _open(kind.target)
    iterations = ITERATIONS // divisor
    shared = kind.space == "shared"
    count = SHARED_BYTES // 4
    data = _words(kind.set_bytes // 4)
    if shared:
        row, lane = np.divmod(np.arange(count, dtype=np.uint32), np.uint32(kind.lanes))
        data = row + lane
    given = device.array(data)
    out = device.zeros(kind.lanes, np.uint32)
    # On sm_90a the room is dynamic, on gfx950 the text declares it.
    room = SHARED_BYTES if shared and kind.target == "sm_90a" else 0

    def kernel(repetitions: int) -> Callable[[], None]:
        entry = device.load(kind.text(repetitions))["k"]
        return lambda: entry(1, kind.lanes, (given, out, np.uint32(iterations)), room)

    launches = {n: kernel(n) for n in (REPETITIONS, 2 * REPETITIONS)}
    for repetitions, launch in launches.items():
        launch()
        accesses = iterations * repetitions
        if kind.kind == "load":
            _same(out.get(), _expected_total(kind, data, accesses), f"{kind}")
        elif shared:
            left = _stored(kind, data, accesses).reshape(-1, kind.lanes)
            _same(out.get(), left.sum(0, dtype=np.uint32), f"{kind}")
        else:
            _same(given.get(), _stored(kind, data, accesses), f"{kind}")
            given.set(data)
    return doubled(clock, *launches.values(), iterations * REPETITIONS)


def _random_states(lanes: int, accesses: int) -> Words:
    """The generator's states after each access, of every lane: uint32[accesses, lanes]."""
    states = np.empty((accesses, lanes), np.uint32)
    state = np.arange(lanes, dtype=np.uint32)
    for i in range(accesses):
        state = state * np.uint32(MULTIPLIER) + np.uint32(INCREMENT)
        states[i] = state
    return states


def scatter(target: str, kind: str, divisor: int, clock: Clock) -> Sampler:
    """Prepare a scattered access of four bytes."""
    device, lanes = _open(target), LANES[target]
    iterations = ITERATIONS // 4 // divisor
    part = SCATTER_BYTES // 4 // lanes
    data = _words(lanes * part)
    given, out = device.array(data), device.zeros(lanes, np.uint32)
    launches = []
    for repetitions in (REPETITIONS, 2 * REPETITIONS):
        entry = device.load(scattered(target, kind, repetitions))["k"]
        launch = partial(entry, 1, lanes, (given, out, np.uint32(iterations)))
        launch()
        states = _random_states(lanes, iterations * repetitions)
        index = states // np.uint32(2**32 // part) + part * np.arange(lanes, dtype=np.uint32)
        if kind == "load":
            _same(out.get(), data[index].sum(0, dtype=np.uint32), "scattered load")
        else:
            left = data.copy()
            for where, what in zip(index, states, strict=True):
                left[where] = what
            _same(given.get(), left, "scattered store")
            given.set(data)
        launches.append(launch)
    return doubled(clock, launches[0], launches[1], iterations * REPETITIONS)


def gather(divisor: int, clock: Clock) -> Sampler:
    """Prepare loads of 64 warps, each lane at random words of the whole working set."""
    device, ctas, threads = _open("sm_90a"), 8, 256
    iterations = max(64 // divisor, 1)
    data = _words(WORKING_SET_BYTES // 4)
    given, out = device.array(data), device.zeros(ctas * threads, np.uint32)
    launches = []
    for repetitions in (REPETITIONS, 2 * REPETITIONS):
        entry = device.load(gathered(repetitions))["k"]
        launch = partial(entry, ctas, threads, (given, out, np.uint32(iterations)))
        launch()
        states = _random_states(ctas * threads, iterations * repetitions)
        words = data[states // np.uint32(2**32 // len(data))]
        _same(out.get(), words.sum(0, dtype=np.uint32), "gather")
        launches.append(launch)
    warps = ctas * threads // LANES["sm_90a"]
    return doubled(clock, launches[0], launches[1], warps * iterations * REPETITIONS)


# -- whole launches --------------------------------------------------------------------------------
def _sm_90a(text: str) -> tuple[Any, Any]:
    device = _open("sm_90a")
    return device, device.load(text)["k"]


def copy(target: str, divisor: int, clock: Clock) -> Sampler:
    """Prepare the copy: the time of COPY_BYTES, also where a quick run copies fewer."""
    device = _open(target)
    entry = device.load(PTX_COPY if target == "sm_90a" else amd_copy())["k"]
    data = _words(COPY_BYTES // 4 // divisor)
    given, out = device.array(data), device.zeros(len(data), np.uint32)
    arguments = [given, out, np.uint32(len(data) // 4)]
    if target == "gfx950":
        arguments.append(np.uint32(COPY_CTAS * COPY_THREADS))
    launch = partial(entry, COPY_CTAS, COPY_THREADS, arguments)
    launch()
    _same(out.get(), data, "copy")
    other = ~data

    def sample() -> float:
        out.set(other)  # a store of what is there already costs less
        return timed(clock, launch) * divisor

    return sample


def transpose(divisor: int, clock: Clock) -> Sampler:
    """Prepare the transpose of 1024 x 1024 words through shared memory."""
    device, entry = _sm_90a(PTX_TRANSPOSE)
    size = 1024 if divisor == 1 else 128
    data = _words(size * size).reshape(size, size)
    given, out = device.array(data), device.zeros((size, size), np.uint32)
    arguments = (given, out, np.uint32(size))
    launch = partial(entry, (size // 32, size // 32), (32, 8), arguments)
    launch()
    _same(out.get(), data.T, "transpose")
    return lambda: timed(clock, launch)


def empty(shared_bytes: int, divisor: int, clock: Clock) -> Sampler:
    """Prepare CTAs of four warps that end at once."""
    _, entry = _sm_90a(PTX_EMPTY)
    ctas = max(4096 // divisor, 16)
    less, more = (partial(entry, n, 128, (), shared_bytes) for n in (ctas, 2 * ctas))
    more()
    return doubled(clock, less, more, ctas)


def launch_beside(live_bytes: int, divisor: int, clock: Clock) -> Sampler:
    """Prepare one CTA of one warp that ends at once, while the host has written `live_bytes`."""
    device, entry = _sm_90a(PTX_EMPTY)
    part = np.ones((live_bytes >> 3) // 4 // divisor, np.uint32)
    arrays = [device.array(part) for _ in range(8)]
    entry(1, 32, ())

    def sample() -> float:
        seconds = timed(clock, lambda: entry(1, 32, ()))
        assert len(arrays) == 8  # holds them
        return seconds

    return sample


def first_touch(size_bytes: int, divisor: int, clock: Clock) -> Sampler:
    """Prepare making zeros, and a first launch that stores to 128 bytes of them."""
    device, entry = _sm_90a(PTX_ARITHMETIC)
    count = size_bytes // 4 // divisor
    small = device.zeros(32, np.uint32)
    entry(1, 32, (small, small, np.uint32(1)))

    def sample() -> float:
        start = clock()
        zeros = device.zeros(count, np.uint32)
        entry(1, 32, (zeros, zeros.pointer(count // 2 * 4), np.uint32(1)))
        seconds = clock() - start
        touched = zeros.get()[count // 2 - 1 : count // 2 + 33]
        _same(touched, np.concatenate([[0], small.get(), [0]]), "zeros")
        return seconds

    return sample


def arithmetic(divisor: int, clock: Clock) -> Sampler:
    """Prepare 64 CTAs of four warps that compute in registers."""
    device, entry = _sm_90a(PTX_ARITHMETIC)
    ctas, threads, iterations = 64, 128, max(8192 // divisor, 1)
    given, out = device.zeros(1, np.uint32), device.zeros(ctas * threads, np.uint32)
    launch = partial(entry, ctas, threads, (given, out, np.uint32(iterations)))
    launch()
    state = np.arange(ctas * threads, dtype=np.uint32)
    for _ in range(16 * iterations):
        state = state * np.uint32(MULTIPLIER) + np.uint32(INCREMENT)
    _same(out.get(), state, "arithmetic")
    return lambda: timed(clock, launch)


def _access_cases() -> list[Case]:
    cases = []
    for target in LANES:
        for space in ("global", "shared"):
            for kind in ("load", "store"):
                for width, asked in ((4, 100.0), (16, 160.0)):
                    prepare = partial(access, Access(target, kind, space, width))
                    name = f"{target} {space} {kind}, {width} bytes a lane"
                    cases.append(Case(name, "ns", asked, prepare))
        for kind in ("load", "store"):
            name = f"{target} global {kind}, scattered over 128 KB"
            cases.append(Case(name, "ns", 300.0, partial(scatter, target, kind)))
    return cases


CASES = [
    *_access_cases(),
    Case("sm_90a global load, scattered over 4 MB by 64 warps", "ns", 1000.0, gather),
    Case("sm_90a copy of 64 MB", "GB/s", 1.0, partial(copy, "sm_90a"), COPY_BYTES),
    Case("gfx950 copy of 64 MB", "GB/s", 1.0, partial(copy, "gfx950"), COPY_BYTES),
    Case("sm_90a transpose of 1024 x 1024 words", "s", 0.15, transpose),
    Case("sm_90a empty CTA of 4 warps", "us", 10.0, partial(empty, 0)),
    Case("sm_90a empty CTA, 200 KB of shared memory", "us", 30.0, partial(empty, 200 << 10)),
    Case("sm_90a launch beside 1 GB written", "ms", 1.0, partial(launch_beside, 1 << 30)),
    Case("sm_90a 512 MB of zeros and a first launch", "ms", 20.0, partial(first_touch, 512 << 20)),
    *MFMA,
    Case("two threads: sm_90a arithmetic", "x", 1.8, arithmetic, threads=True),
    Case("two threads: sm_90a copy of 64 MB", "x", 1.8, partial(copy, "sm_90a"), threads=True),
    Case("two threads: sm_90a transpose", "x", 1.8, transpose, threads=True),
]


if __name__ == "__main__":
    sys.exit(main(__doc__, CASES))
