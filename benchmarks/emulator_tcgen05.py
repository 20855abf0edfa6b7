"""The emulator's time for one tcgen05.mma, on one core, with hazards on.

    python benchmarks/emulator_tcgen05.py [--repeats R] [--json]

One thread multiplies again and again, D in 256 or fewer columns of tensor memory, A and B in shared
memory, and commits at the end. Times are processor time of the best repeat, less that of a launch
without products.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from machine import describe

import lanemap

TIMES, IMAGE, B_START = 100, 131072, 65536
#: Types in the instruction descriptor (PTX ISA), without M and N: D in f32 or s32.
_PLAIN = {"f16": 1 << 4 | 1 << 7 | 1 << 10, "tf32": 1 << 4 | 2 << 7 | 2 << 10, "f8f6f4": 1 << 4,
          "i8": 2 << 4 | 1 << 7 | 1 << 10}  # fmt: skip
_SCALED = {"mxf8f6f4": (1 << 23, ""), "mxf4": (1 << 23 | 1 << 7 | 1 << 10, ""),
           "mxf4nvf4": (1 << 7 | 1 << 10, ".scale_vec::4X")}  # fmt: skip
#: Bytes of scales that are 1: E8M0, and UE4M3.
_ONE = {"mxf8f6f4": 0x7F7F7F7F, "mxf4": 0x7F7F7F7F}
#: SBO 1024, the swizzle of 128 bytes.
_DESCRIPTOR = 1 << 46 | 64 << 32 | 2 << 61


@dataclass(frozen=True)
class Case:
    """One instruction: .kind, M, N, and whether A lies in tensor memory."""

    kind: str
    rows: int
    columns: int
    tensor: bool = False

    @property
    def name(self) -> str:
        """As the table has it: shape and kind."""
        depth = {"f16": 16, "tf32": 8, "mxf4": 64, "mxf4nvf4": 64}.get(self.kind, 32)
        where = ", A in tensor memory" if self.tensor else ""
        return f"{self.rows}x{self.columns}x{depth} {self.kind}{where}"

    def idesc(self) -> int:
        """The instruction descriptor."""
        types = _PLAIN[self.kind] if self.kind in _PLAIN else _SCALED[self.kind][0]
        return types | self.columns >> 3 << 17 | self.rows >> 4 << 24

    def statement(self) -> str:
        """The instruction."""
        a = "[%ta]" if self.tensor else "%a"
        block, scales = "", ""
        if self.kind in _SCALED:
            block, scales = f".block_scale{_SCALED[self.kind][1]}", ", [%sc], [%sc]"
        return (
            f"tcgen05.mma.cta_group::1.kind::{self.kind}{block} [%t], {a}, %b, %i{scales}, %adds;"
        )


CASES = (
    Case("f16", 128, 256), Case("f16", 128, 128), Case("f16", 128, 64), Case("f16", 64, 256),
    Case("f16", 128, 256, tensor=True), Case("tf32", 128, 256), Case("f8f6f4", 128, 256),
    Case("i8", 128, 256), Case("mxf8f6f4", 128, 256), Case("mxf4", 128, 256),
    Case("mxf4nvf4", 128, 256), Case("mxf4nvf4", 128, 128),
)  # fmt: skip


def text(case: Case) -> str:
    """A kernel of 128 threads: fill both memories, multiply `times` times, commit and wait."""
    return f""".version 8.8
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 source[];
.visible .entry kernel(.param .u64 image, .param .u32 times) {{
.reg .pred %p, %first, %one, %adds, %more; .reg .b32 %t, %c, %e, %n, %w, %i, %ta, %sc, %at, %times;
.reg .b32 %v<4>; .reg .b64 %g, %x, %a, %b;
.shared .align 8 .b64 bar; .shared .align 4 .b32 slot;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; setp.eq.u32 %first, %w, 0; setp.eq.u32 %one, %n, 0;
@%one mbarrier.init.shared::cta.b64 [bar], 1;
@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;
ld.param.u64 %g, [image]; mul.wide.u32 %x, %n, 16; add.u64 %g, %g, %x; mov.u32 %c, source;
add.u32 %e, %c, {IMAGE}; mad.lo.u32 %c, %n, 16, %c;
COPY: ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%g];
st.shared.v4.b32 [%c], {{%v0, %v1, %v2, %v3}};
add.u64 %g, %g, 2048; add.u32 %c, %c, 2048; setp.lt.u32 %p, %c, %e; @%p bra COPY;
fence.proxy.async.shared::cta;
bar.sync 0;
ld.shared.b32 %t, [slot]; shl.b32 %e, %w, 21; add.u32 %c, %t, %e;
mov.b32 %v0, {_ONE.get(case.kind, 0x38383838)};
FILL: tcgen05.st.sync.aligned.32x32b.x4.b32 [%c], {{%v0, %v0, %v0, %v0}};
add.u32 %c, %c, 4; and.b32 %e, %c, 0xffff; setp.lt.u32 %p, %e, 512; @%p bra FILL;
tcgen05.wait::st.sync.aligned;
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
mov.u32 %c, source; shr.u32 %c, %c, 4; cvt.u64.u32 %x, %c;
add.u64 %a, %x, {_DESCRIPTOR}; add.u64 %b, %x, {_DESCRIPTOR | B_START >> 4};
add.u32 %ta, %t, 300; add.u32 %sc, %t, 400; mov.b32 %i, {case.idesc()};
mov.u32 %at, 0; ld.param.u32 %times, [times];
setp.eq.u32 %p, %times, 0; @%p bra ISSUED; @!%one bra ISSUED;
AGAIN: setp.ne.u32 %adds, %at, 0;
{case.statement()}
add.u32 %at, %at, 1; setp.lt.u32 %more, %at, %times; @%more bra AGAIN;
ISSUED: @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0; @!%p bra WAIT;
tcgen05.fence::after_thread_sync;
bar.sync 0;
@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 512;
ret;
}}
"""


def seconds(case: Case, repeats: int, image: np.ndarray[Any, Any] | None = None) -> float:
    """Processor time of one product, of operands in an image of IMAGE bytes."""
    device: Any = lanemap.open_device("sm_100a", device="emulator")
    if image is None:  # around 1 in every type, so that no product is too small for f32
        image = np.random.default_rng(0).integers(0x30, 0x40, IMAGE, dtype=np.uint8)
    given = device.array(image)
    kernel = device.load(text(case))["kernel"]
    best: dict[int, float] = {}
    for times in (0, TIMES):
        found = []
        for _ in range(repeats + 1):
            start = time.process_time()
            kernel(1, 128, (given, np.uint32(times)), shared_bytes=IMAGE)
            found.append(time.process_time() - start)
        best[times] = min(found[1:])
    return (best[TIMES] - best[0]) / TIMES


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {case.name: seconds(case, given.repeats) * 1e6 for case in CASES}
    if given.json:
        print(json.dumps({"machine": describe(), "microseconds": found}))
        return
    print(describe())
    for name, microseconds in found.items():
        print(f"{name:>36}  {microseconds:7.1f} us")


if __name__ == "__main__":
    main()
