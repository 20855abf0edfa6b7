"""Ctrl-C ends a launch within a second, and the device stays usable."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.toolchain.amdgcn_kernel import Kernel
from tests import ptx

DELAY_SECONDS, MOST_SECONDS = 0.3, 1.0
ENDLESS = 1 << 60
_PTX = """
  .reg .b32 i;
  .reg .pred p;
  mov.u32 i, 0;
again:
  add.u32 i, i, 1;
  {more}
  setp.lt.u32 p, i, %turns;
  @p bra again;
  st.global.u32 [%out], i;
"""
_GFX950 = """
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  s_mov_b32 s7, 0
  s_waitcnt lgkmcnt(0)
again:
  s_add_u32 s7, s7, 1
  {more}
  s_cmp_lt_u32 s7, s6
  s_cbranch_scc1 again
  v_mov_b32 v1, 0
  v_mov_b32 v2, s7
  global_store_dword v1, v2, s[4:5]
  s_endpgm
"""
KERNELS = {
    "sm_90a": ("sm_90a", _PTX, ""),
    "sm_100a": ("sm_100a", _PTX, "bar.warp.sync 0xffffffff;"),
    "gfx950": ("gfx950", _GFX950, ""),
    "gfx950 that only yields": ("gfx950", _GFX950, "s_sleep 1"),
}


def text(target: str, body: str) -> str:
    if target == "gfx950":
        return Kernel("k", ("out",), ("turns",), 0, 8, 16, 128).text(body)
    return ptx.entry(body, "out turns:u32", target=target)


@pytest.fixture(params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    target, body, more = KERNELS[request.param]
    device = lanemap.open_device(target, "emulator")
    device.instruction_limit = ENDLESS
    return device, device.load(text(target, body.format(more=more)))["k"]


def launch(device: Any, kernel: Any, turns: int) -> int:
    out = device.zeros(1, np.uint32)
    kernel(1, 128 if device.target == "gfx950" else 64, (out, np.uint32(turns)))
    return int(out.get()[0])


@pytest.fixture
def signals() -> Iterator[Any]:
    """Sends this process a signal a while from now; gives back its handler and the descriptor."""
    timers: list[threading.Timer] = []

    def send(number: int) -> None:
        timers.append(threading.Timer(DELAY_SECONDS, os.kill, (os.getpid(), number)))
        timers[-1].start()

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGUSR1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield send
    for timer in timers:
        timer.join()
    signal.signal(signal.SIGINT, before[0])
    signal.signal(signal.SIGUSR1, before[1])
    found = signal.set_wakeup_fd(-1)
    assert found == -1, "a launch left its wakeup descriptor behind"


def test_a_launch_is_interrupted_within_a_second(kernel: Any, signals: Any) -> None:
    device, k = kernel
    assert launch(device, k, 5) == 5
    given = device.array(np.arange(7, dtype=np.uint32))
    signals(signal.SIGINT)
    begun = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        launch(device, k, 0xFFFFFFFF)
    assert time.perf_counter() - begun < DELAY_SECONDS + MOST_SECONDS
    assert given.get().tolist() == list(range(7))
    assert launch(device, k, 9) == 9


def test_a_handler_that_raises_nothing_lets_the_launch_go_on(kernel: Any, signals: Any) -> None:
    device, k = kernel
    seen: list[int] = []
    done = threading.Event()

    def handle(number: int, frame: object) -> None:
        seen.append(number)
        device.instruction_limit  # noqa: B018  the handler may use the device
        done.set()

    signal.signal(signal.SIGUSR1, handle)
    signals(signal.SIGUSR1)
    begun = time.perf_counter()
    turns = 1 << 12
    while not done.is_set():
        turns *= 2
        assert launch(device, k, turns) == turns
        assert time.perf_counter() - begun < 60
    assert seen == [signal.SIGUSR1]


def test_who_listened_for_signals_before_still_hears_of_them(signals: Any) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    try:
        target, body, more = KERNELS["sm_90a"]
        device = lanemap.open_device(target, "emulator")
        device.instruction_limit = ENDLESS
        signals(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            launch(device, device.load(text(target, body.format(more=more)))["k"], 0xFFFFFFFF)
        assert os.read(reading, 8) == bytes([signal.SIGINT])
        assert signal.set_wakeup_fd(writing) == writing
    finally:
        signal.set_wakeup_fd(-1)
        os.close(reading)
        os.close(writing)


def test_a_launch_of_another_thread_needs_no_signals() -> None:
    target, body, more = KERNELS["sm_90a"]
    device = lanemap.open_device(target, "emulator")
    found: list[int] = []
    k = device.load(text(target, body.format(more=more)))["k"]
    thread = threading.Thread(target=lambda: found.append(launch(device, k, 3)))
    thread.start()
    thread.join()
    assert found == [3]


def test_after_a_fork_signals_arrive_too(tmp_path: Path) -> None:
    target, body, more = KERNELS["sm_90a"]
    (tmp_path / "k.ptx").write_text(text(target, body.format(more=more)))
    script = f"""
import os, signal, threading
import numpy as np
import lanemap
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
device = lanemap.open_device("sm_90a", "emulator")
device.instruction_limit = 1 << 60
k = device.load({str(tmp_path / "k.ptx")!r})["k"]
out = device.zeros(1, np.uint32)
k(1, 32, (out, np.uint32(3)))
child = os.fork()
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    k(1, 32, (out, np.uint32(0xFFFFFFFF)))
except KeyboardInterrupt:
    if not child:
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "7\n", done.stderr
