"""The public face of the emulator: what it promises to programs outside."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator import api

ROOT = Path(__file__).resolve().parents[2]
RACE, ORDERED = ((ROOT / f"examples/{name}.ptx").read_text() for name in ("race", "ordered"))


def launched(text: str, settings: api.Settings, *observers: api.Observer) -> api.Machine:
    """A machine after one launch of 64 threads, and each word what the kernel wrote."""
    machine = api.Machine("sm_90a", settings)
    output = machine.allocate(256, "output")
    kernel = machine.load(text, "k.ptx").kernels["hand_on"]
    for observer in observers:
        machine.settings = replace(
            machine.settings, observers=(*machine.settings.observers, observer)
        )
    kernel.launch((1, 1, 1), (64, 1, 1), output.to_bytes(8, "little"))
    if text is ORDERED:  # thread t receives the word of the next one
        words = np.frombuffer(machine.read(output, 256), np.uint32)
        assert words.tolist() == [(t + 1) % 64 for t in range(64)]
    return machine


def test_every_name_is_there_and_has_a_docstring() -> None:
    for name in api.__all__:
        found = getattr(api, name)
        if isinstance(found, type):
            assert found.__doc__, name
    with pytest.raises(AttributeError, match="nothing"):
        _ = api.nothing


def test_importing_it_loads_no_llvm() -> None:
    code = "import sys, lanemap.emulator.api; assert 'llvmlite' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_hazards_are_raised_or_reported_as_the_settings_say() -> None:
    with pytest.raises(api.Hazard, match="without being"):
        launched(RACE, api.Settings())
    hazards = launched(RACE, api.Settings(hazards="report")).hazards
    assert isinstance(hazards, tuple) and hazards[0].kind == "order"
    other = hazards[0].facts.other
    assert isinstance(other, api.Access) and other.did in ("reads", "writes")
    assert launched(ORDERED, api.Settings()).hazards == ()


def test_the_limit_holds_from_the_next_launch_on() -> None:
    machine = launched(ORDERED, api.Settings())
    kernel = machine.load(ORDERED, "k.ptx").kernels["hand_on"]
    output = machine.allocate(256, "output")
    machine.settings = replace(machine.settings, limit=1)
    with pytest.raises(api.Hazard, match="more than 1 instructions"):
        kernel.launch((1, 1, 1), (64, 1, 1), output.to_bytes(8, "little"))


class Told:
    """An observer that keeps all it is told."""

    watch = api.Watch.ISSUE

    def __init__(self) -> None:
        self.began = 0
        self.opcodes: list[str] = []
        self.waves: set[tuple[int, int]] = set()
        self.counts: list[api.Counts] = []

    def begin(self) -> None:
        self.began += 1
        self.opcodes, self.waves = [], set()

    def record(self, launch: api.Watched, records: NDArray[Any]) -> None:
        assert launch.kernel == "hand_on" and records.dtype == api.RECORD
        for one in records:
            self.opcodes.append(launch.instruction(int(one["operation"])).opcode)
            self.waves.add((int(one["cta"]), int(one["wave"])))

    def end(self, counts: api.Counts) -> None:
        self.counts.append(counts)


def test_an_observer_is_told_every_instruction_of_every_warp_once() -> None:
    """examples/ordered.ptx has 17 instructions without branches; two warps execute each once."""
    told, counting = Told(), api.Counting()
    launched(ORDERED, api.Settings(), told, counting)
    assert told.began >= 1 and told.waves == {(0, 0), (0, 1)}
    assert told.opcodes.count("st.shared.u32") == told.opcodes.count("bar.sync") == 2
    (counts,) = told.counts
    assert counts.launches == counting.counts.launches == 1
    assert counts.executed.waves == counting.counts.executed.waves == len(told.opcodes)


def test_an_observer_watches_as_long_as_its_context_lasts() -> None:
    machine = api.Machine("sm_90a")
    one, two = Told(), Told()
    with machine.observe(one), machine.observe(two):
        assert machine.settings.observers == (one, two)
    assert machine.settings.observers == ()
