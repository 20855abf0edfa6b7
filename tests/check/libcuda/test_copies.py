"""Copies and fills of libcuda.so.1, of any ranges: bytes, and which of them are defined."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from ctypes import byref, c_size_t, c_uint, c_uint64, c_void_p

import numpy as np
import pytest

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.check.libcuda.in_process import libcuda_in_process
from lanemap.devices import open_device
from lanemap.targets import TARGETS
from tests.check.libcuda.driver import Driver

PAGE = 4096
SEED = 34
ENDLESS = b"""
.version 8.0
.target sm_90a
.address_size 64
.visible .entry count(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    .reg .pred %p;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, 0;
AGAIN:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 100000;
    @%p bra AGAIN;
    st.global.u32 [%rd1], %r1;
    ret;
}
"""


@pytest.fixture
def findings() -> Findings:
    """What is found."""
    return Findings(quiet=True)


@pytest.fixture
def cuda(findings: Findings) -> Iterator[Driver]:
    """The driver of an H200."""
    emulated = Emulated(open_device("sm_90a", "emulator", "report"), findings)
    with libcuda_in_process(Calls(emulated, TARGETS["sm_90a"])):
        yield Driver()


class Buffer:
    """Memory of the GPU, and what NumPy says of its bytes."""

    def __init__(self, cuda: Driver, size: int) -> None:
        self.address, self.size = cuda.allocate(size), size
        self.values, self.defined = np.zeros(size, np.uint8), np.zeros(size, bool)


def ranges(chance: random.Random, *sizes: int) -> tuple[int, list[int]]:
    """A length, and a start for each buffer; edges of pages are as likely as all the rest."""
    length = chance.choice([1, 3, 8, PAGE, PAGE + 1, chance.randint(1, min(sizes))])
    length = min(length, *sizes)
    starts = []
    for size in sizes:
        most = size - length
        near = chance.randrange(most + 1) // PAGE * PAGE
        starts.append(chance.choice([0, most, near, chance.randrange(most + 1)]))
    return length, starts


def step(cuda: Driver, chance: random.Random, buffers: list[Buffer]) -> None:
    """Do one thing to the GPU, and the same to NumPy's arrays."""
    to, source = chance.choice(buffers), chance.choice(buffers)
    length, (at, begin) = ranges(chance, to.size, source.size)
    part, count = slice(at, at + length), c_size_t(length)
    what = chance.choice(["write", "fill", "copy", "copy"])
    if what == "write":
        data = np.frombuffer(chance.randbytes(length), np.uint8)
        cuda("cuMemcpyHtoD_v2", c_uint64(to.address + at), c_void_p(data.ctypes.data), count)
        to.values[part], to.defined[part] = data, True
    elif what == "fill":
        value = chance.randrange(256)
        cuda("cuMemsetD8_v2", c_uint64(to.address + at), value, count)
        to.values[part], to.defined[part] = value, True
    elif to is not source:
        cuda("cuMemcpyDtoD_v2", c_uint64(to.address + at), c_uint64(source.address + begin), count)
        to.values[part] = source.values[begin : begin + length]
        to.defined[part] = source.defined[begin : begin + length]


def test_any_copies_move_bytes_and_what_is_known_of_them(cuda: Driver, findings: Findings) -> None:
    """Some take no request of the emulator, and some do: each read says what NumPy knows."""
    chance = random.Random(SEED)
    buffers = [Buffer(cuda, size) for size in (1, 700, 2 * PAGE, 3 * PAGE + 5)]
    clean = 0
    for _ in range(400):
        step(cuda, chance, buffers)
        each = chance.choice(buffers)
        length, (at,) = ranges(chance, each.size)
        found = cuda.get(each.address + at, length, np.uint8)
        known = each.defined[at : at + length]
        assert (found == each.values[at : at + length])[known].all()
        hazards = findings.take().hazards
        assert [hazard.kind for hazard in hazards] == ([] if known.all() else ["undefined"])
        clean += bool(known.all())
    assert 50 < clean < 350


def test_fills_of_all_widths_write_whole_elements(cuda: Driver) -> None:
    address = cuda.allocate(64)
    cuda("cuMemsetD16_v2", c_uint64(address), 0x0102, c_size_t(16))
    cuda("cuMemsetD32_v2", c_uint64(address + 32), c_uint(0x03040506), c_size_t(8))
    found = cuda.get(address, 64, np.uint8)
    assert (found[:32].view("<u2") == 0x0102).all()
    assert (found[32:].view("<u4") == 0x03040506).all()


def test_copies_of_one_thread_and_launches_of_another_end(cuda: Driver) -> None:
    """A copy goes on beside a launch, and each gets its own result."""
    function = cuda.function(cuda.module(ENDLESS), "count")
    out, other = cuda.allocate(4), cuda.allocate(PAGE)
    ended = threading.Event()

    def launch() -> None:
        context = c_void_p()
        cuda("cuDevicePrimaryCtxRetain", byref(context), 0)
        cuda("cuCtxSetCurrent", context)
        for _ in range(3):
            cuda.launch(function, 1, 1, c_uint64(out))
        ended.set()

    thread = threading.Thread(target=launch)
    thread.start()
    times = 0
    while not ended.is_set() or times < 100:
        data = np.full(PAGE, times % 251, np.uint8)
        cuda("cuMemcpyHtoD_v2", c_uint64(other), c_void_p(data.ctypes.data), c_size_t(PAGE))
        assert (cuda.get(other, PAGE, np.uint8) == data).all()
        times += 1
    thread.join()
    assert cuda.get(out, 1, np.uint32)[0] == 100000
