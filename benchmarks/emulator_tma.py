"""The emulator's time for a tensor copy of 16 KB, with hazards on.

    python benchmarks/emulator_tma.py [--repeats R] [--json]

One thread of a warp loads a box of 128 rows of 128 bytes, swizzled, and waits for it, again and
again; the same loop without the copy is taken off. Times are processor time of the best repeat.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
from machine import describe

import lanemap

COPIES, ROWS, WIDTH = 400, 128, 128
TEXT = """.version 8.6
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry loop(.param .align 64 .b8 map[128], .param .u32 times, .param .u32 bytes)
{{
.reg .b64 %map; .reg .b32 %i, %n, %s, %z, %phase, %bytes; .reg .pred %p, %done;
.shared .align 8 .b64 bar;
mov.b64 %map, map; cvta.param.u64 %map, %map;
ld.param.u32 %n, [times]; ld.param.u32 %bytes, [bytes];
mov.u32 %i, %tid.x; setp.ne.u32 %p, %i, 0; @%p bra END;
mbarrier.init.shared.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
mov.u32 %s, tile; mov.u32 %i, 0; mov.u32 %z, 0;
NEXT:
mbarrier.arrive.expect_tx.shared.b64 _, [bar], %bytes;
{copy}
and.b32 %phase, %i, 1;
WAIT:
mbarrier.try_wait.parity.shared.b64 %done, [bar], %phase;
@!%done bra WAIT;
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, %n; @%p bra NEXT;
END: ret;
}}
"""
COPY = """cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
  [%s], [%map, {%z, %z}], [bar];"""


def seconds(swizzle: str, repeats: int) -> float:
    """Processor time of one copy."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    array = device.zeros((ROWS, WIDTH), np.uint8)
    map_ = device.tensor_map(array, (ROWS, WIDTH), swizzle=swizzle)
    best = []
    for copy, bytes_ in ((COPY, ROWS * WIDTH), ("", 0)):
        kernel = device.load(TEXT.format(copy=copy))["loop"]
        times = []
        for _ in range(repeats + 1):
            start = time.process_time()
            kernel(1, 32, (map_, np.uint32(COPIES), np.uint32(bytes_)), shared_bytes=ROWS * WIDTH)
            times.append(time.process_time() - start)
        best.append(min(times[1:]))
    return (best[0] - best[1]) / COPIES


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {name: seconds(name, given.repeats) * 1e6 for name in ("none", "128b")}
    if given.json:
        print(json.dumps({"machine": describe(), "microseconds": found}))
        return
    print(describe())
    for name, microseconds in found.items():
        print(f"swizzle {name:5} {microseconds:8.1f} us for {ROWS * WIDTH} bytes")


if __name__ == "__main__":
    main()
