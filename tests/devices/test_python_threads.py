"""Python threads that launch: those of one device take turns, other devices do not wait."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.devices.emulator import EmulatorDevice
from lanemap.errors import UserError
from tests import ptx

ROOT = Path(__file__).resolve().parents[2]
#: Adds n to 128 words, through shared memory.
ADD = ptx.entry(
    """\
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  .shared .align 4 .b8 tile[512];
  mov.u32 %r2, %tid.x;
  mad.wide.u32 %rd3, %r2, 4, %y;
  mov.u32 %r4, tile;
  mad.lo.u32 %r4, %r2, 4, %r4;
  ld.global.u32 %r3, [%rd3];
  st.shared.u32 [%r4], %r3;
  bar.sync 0;
  ld.shared.u32 %r3, [%r4];
  add.u32 %r3, %r3, %n;
  st.global.u32 [%rd3], %r3;""",
    "y n:u32",
    name="add",
)
#: Counts to n, then stores it.
COUNT = ptx.entry(
    """\
  .reg .b32 %r<3>;
  .reg .pred %p;
  mov.u32 %r2, 0;
AGAIN:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, %n;
  @%p bra AGAIN;
  st.global.u32 [%y], %r2;""",
    "y n:u32",
    name="count",
)
#: Eight threads switch every few instructions; code of a process is made slowly, and counted.
LOAD = """
import sys, threading, time
import numpy as np
import lanemap
from lanemap.emulator.codegen import compiler
from tests.devices.test_python_threads import ADD

class Slow(compiler.Native):
    made = 0
    def __init__(self, *given):
        Slow.made += 1
        time.sleep(0.2)
        super().__init__(*given)

compiler.Native = Slow
sys.setswitchinterval(1e-5)
together, wrong = threading.Barrier(8), []
one = lanemap.open_device("sm_90a", "emulator") if "one" in sys.argv else None
module = one and one.load(ADD)

def work(number):
    try:
        together.wait()
        device = one or lanemap.open_device("sm_90a", "emulator")
        kernel = (module or device.load(ADD))["add"]
        for turn in range(25):
            there = device.array(np.arange(128, dtype=np.uint32))
            here = np.arange(128, dtype=np.uint32)
            for each in (there, device.adopt(here)):
                kernel(1, 128, (each, np.uint32(number)))
            for found in (there.get(), here):
                if not np.array_equal(found, np.arange(128) + number):
                    wrong.append(f"{number}: {found}")
    except BaseException as error:
        wrong.append(f"{number}: {type(error).__name__}: {error}")

threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(Slow.made, *wrong[:3], sep="\\n")
"""


@pytest.mark.parametrize("devices", ["one", "eight"])
def test_eight_threads_launch(devices: str, tmp_path: Path) -> None:
    """In processes of their own, which could crash, the first with an empty object cache."""
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", LOAD, devices], capture_output=True, text=True, cwd=ROOT,
            timeout=120, check=False,
            env={"PATH": "/usr/bin", "LANEMAP_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, "1\n"), done.stdout + done.stderr


def opened(text: str = COUNT) -> tuple[EmulatorDevice, Any]:
    device = lanemap.open_device("sm_90a", "emulator")
    assert isinstance(device, EmulatorDevice)
    module = device.load(text)
    return device, module[module.entries[0]]


class Launch:
    """A launch in a thread of its own that goes on until it is released: while it is counted."""

    def __init__(self, device: EmulatorDevice, kernel: Any) -> None:
        self._y = device.zeros(1, np.uint32)
        self._counting, self._released = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, args=(device, kernel))
        self._thread.start()
        assert self._counting.wait(60)

    def _run(self, device: EmulatorDevice, kernel: Any) -> None:
        with device.count() as counts:
            counts.add = self._add  # type: ignore[method-assign]
            kernel(1, 32, (self._y, np.uint32(9)))

    def _add(self, _: Any) -> None:
        self._counting.set()
        assert self._released.wait(60)

    def goes_on(self) -> bool:
        return self._thread.is_alive()

    def join(self) -> None:
        self._released.set()
        self._thread.join()
        assert self._y.get() == 9


def during_a_launch(act: Callable[[EmulatorDevice, Any], None]) -> bool:
    """Whether `act`, which gets the device and the kernel, is done while the launch goes on."""
    device, kernel = opened()
    launch = Launch(device, kernel)
    acting = threading.Thread(target=act, args=(device, kernel))
    acting.start()
    acting.join(0.5)
    if acting.is_alive():  # it waits
        launch.join()
        acting.join()
        return False
    launch.join()
    return True


def test_launches_of_one_device_queue() -> None:
    def launch(device: EmulatorDevice, kernel: Any) -> None:
        y = device.zeros(1, np.uint32)
        kernel(1, 32, (y, np.uint32(7)))
        assert y.get() == 7

    assert not during_a_launch(launch)
    other = opened()
    launch(*other)  # compiled before, so half a second is enough
    assert during_a_launch(lambda device, kernel: launch(*other)), "another device does not wait"


def test_an_array_that_is_collected_waits_for_nobody() -> None:
    """Its memory goes back after the launch of another thread."""
    host = np.zeros(100, np.uint32)
    device, kernel = opened()
    arrays = [device.zeros(1000, np.uint8), device.adopt(np.zeros(1000, np.uint8))]
    device.adopt(host)
    launch = Launch(device, kernel)
    assert device._adoptions.held_bytes == 1400
    address = arrays[0].address
    del arrays[:]
    gc.collect()
    assert launch.goes_on()
    launch.join()
    assert device._adoptions.held_bytes == 400
    assert device.adopt(host).get().shape == (100,)
    with pytest.raises(UserError, match="not inside an array"):
        device._machine.read(address, 1)


def test_counts_end_in_any_order() -> None:
    """Threads may begin and end to count as they like; each gets the launches in between."""
    device, kernel = opened(ADD)
    y = device.zeros(128, np.uint32)
    first, second = device.count(), device.count()
    counts = first.__enter__(), second.__enter__()
    first.__exit__(None, None, None)
    kernel(1, 128, (y, np.uint32(1)))
    second.__exit__(None, None, None)
    kernel(1, 128, (y, np.uint32(1)))
    warps, instructions = 4, 13
    assert [each.executed.waves for each in counts] == [0, warps * instructions]
