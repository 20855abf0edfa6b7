"""Allocations that libcuda.so.1 makes by itself: the emulator knows of them when it needs to."""

from __future__ import annotations

import re
import resource
import threading
from collections.abc import Iterator
from ctypes import c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path

import numpy as np
import pytest

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.check.libcuda.in_process import libcuda_in_process
from lanemap.devices import open_device
from lanemap.targets import TARGETS
from tests.check.libcuda.driver import Driver
from tests.check.libcuda.test_in_process import TEXT

MEGA = 1 << 20


class Gpu:
    """An H200, what is found on it, and a kernel: out[i] = x[i] * 3 + 5."""

    def __init__(self, findings: Findings) -> None:
        self.driver, self.findings = Driver(), findings
        self._scale = self.driver.function(self.driver.module(TEXT), "scale")

    def free(self, address: int) -> None:
        """Free an allocation."""
        self.driver("cuMemFree_v2", c_uint64(address))

    def scaled(self, out: int, x: int, count: int) -> None:
        """Launch the kernel."""
        given = c_uint64(out), c_uint64(x), c_uint(3), c_uint(count)
        self.driver.launch(self._scale, -(-count // 32), 32, *given)

    def kinds(self) -> set[str]:
        """The kinds of hazards since the last time."""
        return {each.kind for each in self.findings.take().hazards}


@pytest.fixture(scope="module")
def gpu() -> Iterator[Gpu]:
    findings = Findings(quiet=True)
    emulated = Emulated(open_device("sm_90a", "emulator", "report"), findings)
    with libcuda_in_process(Calls(emulated, TARGETS["sm_90a"])):
        yield Gpu(findings)


def test_more_allocations_than_the_ledger_has_rows(gpu: Gpu) -> None:
    """Those that are left are right, and those that were freed are gone."""
    x = np.arange(16, dtype=np.uint32)
    kept, gone = [], 0
    for number in range(5000):
        address = gpu.driver.put(x + number) if number % 1000 == 0 else gpu.driver.allocate(64)
        if number % 1000 == 0:
            kept.append(address)
        else:
            gpu.free(address)
            gone = address
    out = gpu.driver.allocate(64)
    for number, address in enumerate(kept):
        gpu.scaled(out, address, 16)
        found = gpu.driver.get(out, 16, np.uint32)
        assert (found == 3 * (x + 1000 * number) + 5).all()
    assert not gpu.kinds()
    gpu.scaled(out, gone, 16)
    assert "out-of-bounds" in gpu.kinds()


def test_more_memory_than_a_reserve_has(gpu: Gpu) -> None:
    """The next one is asked for; an allocation that is larger than any is a request."""
    x = np.arange(64, dtype=np.uint32)
    places = [gpu.driver.allocate(8 * MEGA) for _ in range(70)] + [gpu.driver.allocate(40 * MEGA)]
    assert len({*places}) == len(places)
    for address in (places[0], places[40], places[-2], places[-1]):
        source = c_uint64(address)
        gpu.driver("cuMemcpyHtoD_v2", source, c_void_p(x.ctypes.data), c_size_t(256))
        out = gpu.driver.allocate(256)
        gpu.scaled(out, address, 64)
        assert (gpu.driver.get(out, 64, np.uint32) == 3 * x + 5).all()
    gpu.scaled(places[5] + 8 * MEGA - 128, places[40], 64)
    assert "out-of-bounds" in gpu.kinds()
    for address in places:
        gpu.free(address)


def test_memory_that_is_freed_is_given_back(gpu: Gpu) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(60):
        address = gpu.driver.allocate(8 * MEGA)
        gpu.driver("cuMemsetD8_v2", c_uint64(address), 1, c_size_t(8 * MEGA))
        gpu.free(address)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10


def test_what_nothing_wrote_has_the_name_of_its_line(gpu: Gpu) -> None:
    """Part of it is written by the library, without the emulator, before that knows of it."""
    address = gpu.driver.allocate(3 * 4096)
    gpu.driver("cuMemsetD8_v2", c_uint64(address), 7, c_size_t(4096))
    assert (gpu.driver.get(address, 4096, np.uint8) == 7).all()
    assert not gpu.kinds()
    gpu.driver.get(address, 4097, np.uint8)
    (hazard,) = gpu.findings.take().hazards
    assert hazard.kind == "undefined"
    line = re.search(r"byte 4096 of array made at driver\.py:(\d+)", str(hazard))
    assert line, str(hazard)
    source = Path(__file__).with_name("driver.py").read_text().splitlines()
    assert "status = " in source[int(line[1]) - 1]


def test_threads_allocate_while_another_launches(gpu: Gpu) -> None:
    x = np.arange(64, dtype=np.uint32)
    out, source = gpu.driver.allocate(256), gpu.driver.put(x)
    right: list[bool] = []

    def work(seed: int) -> None:
        own = Driver()
        for step in range(50):
            address = own.put(x + seed + step)
            right.append(bool((own.get(address, 64, np.uint32) == x + seed + step).all()))
            own("cuMemFree_v2", c_uint64(address))

    threads = [threading.Thread(target=work, args=(1000 * n,)) for n in range(3)]
    for each in threads:
        each.start()
    for _ in range(20):
        gpu.scaled(out, source, 64)
    for each in threads:
        each.join()
    assert all(right) and len(right) == 150
    assert (gpu.driver.get(out, 64, np.uint32) == 3 * x + 5).all()
    assert not gpu.kinds()
