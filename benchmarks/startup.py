"""From `import lanemap` to the first launch done, in a new process.

    python benchmarks/startup.py [--repeats R] [--json]

* cold: with an empty object cache; warm: with the cache that a cold run left.
* import: `import lanemap` alone; first launch: from before the import to the result on the host;
  process: the whole life of the process, the interpreter's start included.

Files are in the system's page cache: the first process of a benchmark is run once for nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from machine import describe

CHILD = """
import time
start = time.perf_counter()
import lanemap
imported = time.perf_counter()
import numpy as np
device = lanemap.open_device("gfx950", device="emulator")
result = device.zeros(64, np.uint32)
device.load(SOURCE)["tags"]((1, 1, 1), (64, 1, 1), (result,))
values = result.get()
done = time.perf_counter()
assert values.tolist() == [3 * lane + 1 for lane in range(64)], values
print(imported - start, done - start)
"""
INSTRUCTIONS = """\
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mul_u32_u24_e32 v2, 3, v0
    v_add_u32_e32 v2, 1, v2
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[4:5]
    s_endpgm
"""


def one_process(cache: str, text: str) -> dict[str, float]:
    """Seconds of one new process."""
    code = CHILD.replace("SOURCE", repr(text))
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"LANEMAP_CACHE": cache},
        check=True,
        capture_output=True,
        text=True,
    )
    process = time.perf_counter() - start
    imported, launched = map(float, done.stdout.split())
    return {"import": imported, "first launch": launched, "process": process}


def measure(repeats: int) -> dict[str, Any]:
    """Medians and extremes of every time, cold and warm."""
    from lanemap.toolchain.amdgcn_kernel import Kernel

    text = Kernel("tags", ("result",), (), 256, 8, 16, 64).text(INSTRUCTIONS)
    rows: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
    with tempfile.TemporaryDirectory() as cache:
        one_process(cache, text)
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            rows["cold"].append(one_process(cache, text))
            rows["warm"].append(one_process(cache, text))
    return {state: _summary(times) for state, times in rows.items()}


def _summary(times: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    return {
        key: {
            "median": statistics.median(t[key] for t in times),
            "least": min(t[key] for t in times),
            "most": max(t[key] for t in times),
        }
        for key in times[0]
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    machine = describe()
    rows = measure(options.repeats)
    if options.json:
        print(json.dumps({"machine": machine, "repeats": options.repeats, "rows": rows}))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(f"seconds, median (least to most) of {options.repeats} processes")
    for state, row in rows.items():
        for key, value in row.items():
            spread = f"({value['least']:.3f} to {value['most']:.3f})"
            print(f"{state:5} {key:13} {value['median']:.3f} {spread}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
