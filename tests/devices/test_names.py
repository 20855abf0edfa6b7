"""What reports call an array: its name, else the line that made it; and addresses beside arrays."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable

import numpy as np
import pytest

import lanemap
from lanemap.devices import Device
from lanemap.devices.arrays import DeviceArray
from lanemap.errors import Disagreement
from tests import ptx

#: One thread reads four bytes at `at` and stores them to `y`.
PTX = ptx.entry(
    ".reg .b32 %r1; ld.global.u32 %r1, [%at]; st.global.u32 [%y], %r1;", "at y", name="take"
)
SIZE = 4096
Make = Callable[[Device, str | None], DeviceArray]


@pytest.fixture
def device() -> Device:
    return lanemap.open_device("sm_90a", "emulator")


def report_of(device: Device, address: int, result: DeviceArray) -> str:
    """What is reported when a kernel reads four bytes there."""
    with pytest.raises(Disagreement) as raised:
        device.load(PTX)["take"](1, 1, [np.uint64(address), result])
    return str(raised.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda device, name: device.array(np.zeros(SIZE, np.uint8), name=name),
        lambda device, name: device.zeros(SIZE, np.uint8, name=name),
        lambda device, name: device.empty(SIZE, np.uint8, name=name),
    ],
    ids=["array", "zeros", "empty"],
)
def test_reports_say_the_name_that_the_host_gave(device: Device, make: Make) -> None:
    q = make(device, "q")
    y = device.zeros(4, np.uint8, name="result")
    assert "(16 bytes before the start of array `q` of 4096 bytes)" in report_of(
        device, q.address - 16, y
    )
    assert "(64 bytes past the end of array `q` of 4096 bytes)" in report_of(
        device, q.address + SIZE + 64, y
    )


def test_an_array_without_a_name_is_known_by_the_line_that_made_it(device: Device) -> None:
    frame = inspect.currentframe()
    assert frame is not None
    q, line = device.zeros(SIZE, np.uint8), frame.f_lineno
    y = device.zeros(4, np.uint8)
    expected = f"0 bytes past the end of array made at test_names.py:{line} of 4096 bytes"
    assert expected in report_of(device, q.address + SIZE, y)


def test_the_nearer_of_two_arrays_is_named(device: Device) -> None:
    first = device.zeros(SIZE, np.uint8, name="first")
    second = device.zeros(SIZE, np.uint8, name="second")
    y = device.zeros(4, np.uint8)
    end = first.address + SIZE
    assert second.address - end >= 16
    middle = (end + second.address) // 2 // 4 * 4
    assert f"{middle - 4 - end} bytes past the end of array `first`" in report_of(
        device, middle - 4, y
    )
    assert f"{second.address - middle - 4} bytes before the start of array `second`" in report_of(
        device, middle + 4, y
    )


def test_arrays_of_one_line_are_told_apart_while_they_live(device: Device) -> None:
    y = device.zeros(4, np.uint8)
    two = [device.zeros(SIZE, np.uint8, name="part") for _ in range(2)]
    reports = [report_of(device, array.address + SIZE, y) for array in two]
    assert "array `part` of 4096" in reports[0] and "array `part` #2 of 4096" in reports[1]
    two.clear()
    gc.collect()  # the tracebacks hold the frames that hold the arrays
    again = device.zeros(SIZE, np.uint8, name="part")
    assert "array `part` of 4096" in report_of(device, again.address + SIZE, y)


def test_undefined_bytes_are_placed_in_the_array_that_the_host_reads(device: Device) -> None:
    y = device.empty(8, np.uint32, name="y")
    x = device.zeros(1, np.uint32)
    device.load(PTX)["take"](1, 1, [x, y])
    with pytest.raises(Disagreement, match="the first is byte 4 of array `y` of 32 bytes; nothing"):
        y.get()


def test_an_origin_names_its_array(device: Device) -> None:
    q, y = device.empty(4, np.uint32, name="q"), device.zeros(1, np.uint32)
    device.load(PTX)["take"](1, 1, [q.pointer(8), y])
    with pytest.raises(Disagreement, match="from global memory, byte 8 of array `q` of 16 bytes"):
        y.get()
