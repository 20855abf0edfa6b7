"""A sweep: random C functions as NVRTC's PTX on the emulator, against the same source on the host.

lanemap sweep tests/corpus/random_functions.py --count 1000000
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import lanemap
from lanemap.errors import LanemapError, MissingEnvironment
from lanemap.sweeping.sweep import Found, Sweep
from tests.corpus import units
from tests.corpus.harness import DTYPES, Case, differences, input_values, ptx_text, run_device

TARGET = "sm_90a"


@cache
def _device() -> Any:
    return lanemap.open_device(TARGET, device="emulator")


def on_the_host(library: Any, case: Case, values: Any) -> Any:
    """The outputs of a case by this machine's processor."""
    out = np.zeros(case.elements * case.outputs, DTYPES[case.output_type])
    pointers = [np.ctypeslib.as_ctypes(each) for each in (values, out)]
    getattr(library, case.name)(*pointers, case.elements)
    return out


def judged(case: Case, loaded: dict[str, Any], library: Any) -> str:
    """What is wrong with a case on devices, by their names, if anything is."""
    values = input_values(case)
    expected = on_the_host(library, case, values)
    for name, (device, module) in loaded.items():
        try:
            wrong = differences(case, expected, run_device(case, values, device, module))
        except LanemapError as error:
            return f"{name}: {error}"
        if wrong:
            return f"{name}: {len(wrong)} outputs differ, as {wrong[0]}"
    return ""


def tried(items: Sequence[str], devices: dict[str, Any]) -> Iterator[Found]:
    """Compile the functions once for each machine, run them, and compare."""
    cases = [units.case(int(item)) for item in items]
    source = units.unit(cases)
    try:
        text = ptx_text(source, TARGET)
        library = units.host_library(source, 0)
        loaded = {name: (device, device.load(text)) for name, device in devices.items()}
    except MissingEnvironment:
        raise
    except (LanemapError, RuntimeError) as error:
        yield from (Found(item, f"its unit: {error}") for item in items)
        return
    for item, case in zip(items, cases, strict=True):
        outputs = case.elements * case.outputs * len(devices)
        wrong = judged(case, loaded, library)
        yield Found(item, wrong, {"groups": int(case.group), "outputs compared": outputs})


SWEEP = Sweep(
    "random C functions as NVRTC's PTX on the emulator, against the same source on the host",
    lambda items: tried(items, {"emulator": _device()}),
    batch=100,
    files=lambda items: units.inputs(),
    ships=True,
)
