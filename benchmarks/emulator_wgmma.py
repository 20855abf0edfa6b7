"""The emulator's time for one wgmma, on one core, with hazards on.

    python benchmarks/emulator_wgmma.py [--repeats R] [--json]

A warpgroup multiplies 64 x N x K again and again, bf16 with a sum in f32, operands in shared memory
with the 128-byte swizzle: fence, wgmma, commit and wait. Times are processor time of the best
repeat, less that of a tenth of the turns.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
from machine import describe

import lanemap
from lanemap.probing.wgmma.kernel import THREADS, Form, source

TIMES, IMAGE = 200, 65536
COLUMNS = (64, 128, 256)
#: LBO 16, SBO 1024, 128-byte swizzle; A begins at 0, B at 16384.
A = 1 << 16 | 64 << 32 | 1 << 62
B = A | 16384 >> 4


def looped(form: Form, times: int) -> str:
    """The form's kernel with its wgmma in a loop."""
    wait = "    wgmma.wait_group.sync.aligned 0;\n"
    text = source([form]).replace(
        "    wgmma.fence.sync.aligned;\n",
        "    mov.u32 %at, 0;\nagain:\n    wgmma.fence.sync.aligned;\n",
    )
    again = (
        f"    add.u32 %at, %at, 1;\n    setp.lt.u32 %more, %at, {times};\n    @%more bra again;\n"
    )
    return text.replace(wait, wait + again)


def bf16_image() -> np.ndarray[Any, Any]:
    """Bytes of normally distributed bf16."""
    values = np.random.default_rng(0).standard_normal(IMAGE // 2).astype(np.float32)
    return (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)


def seconds_of(form: Form, image: np.ndarray[Any, Any], repeats: int) -> float:
    """Processor time of one wgmma of a form, whose operands lie in the image."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    registers = device.zeros((THREADS, form.d_registers), np.uint32)
    arguments = (
        device.array(image),
        device.array(np.array([A, B], np.uint64)),
        device.zeros((THREADS, 5), np.uint32),
        registers,
        registers,
        np.uint32(IMAGE),
        np.uint32(1),
        np.uint32(1),
    )
    least = {}
    for turns in (TIMES // 10, TIMES):
        kernel = device.load(looped(form, turns))[form.name]
        found = []
        for _ in range(repeats + 1):
            start = time.process_time()
            kernel(1, THREADS, arguments, shared_bytes=IMAGE)
            found.append(time.process_time() - start)
        least[turns] = min(found[1:])
    return (least[TIMES] - least[TIMES // 10]) / (TIMES - TIMES // 10)


def seconds(columns: int, repeats: int) -> float:
    """Processor time of one wgmma."""
    return seconds_of(Form(columns, "f32", "bf16", "bf16"), bf16_image(), repeats)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {f"64x{n}x16": seconds(n, given.repeats) * 1e6 for n in COLUMNS}
    if given.json:
        print(json.dumps({"machine": describe(), "microseconds": found}))
        return
    print(describe())
    for shape, microseconds in found.items():
        print(f"{shape:>10}  {microseconds:6.1f} us")


if __name__ == "__main__":
    main()
