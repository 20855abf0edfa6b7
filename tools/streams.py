"""Measures kernels that stream through arrays again and again, by their bytes, on a GPU.

    python -m tools.streams measure OUT.json    on a machine with an sm_90 GPU
    python -m tools.streams row OUT.json        here: results/sm_90a/cuda/streams.json

Each CTA of 256 threads reads 16 bytes a thread of some arrays, four times, and writes as much to
others. The same grid is launched again and again; of a later launch, each SM's cycles count from
the start of its first CTA to the end of its last, by its own clock.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.records.hashes import source_hash
from lanemap.targets import TARGETS
from tools.gpu_rows import main

TARGET, ROW = "sm_90a", "streams"
#: Threads of a CTA, bytes of a thread at once, and how often.
THREADS, WIDE, TIMES = 256, 16, 4
BLOCK = THREADS * WIDE * TIMES
#: Arrays that are read and written.
FORMS = ((1, 0), (1, 1), (2, 1), (0, 1))
#: Bytes of all arrays together, in MB.
MEGABYTES = (4, 8, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 128, 192, 256)
#: Launches, of which the first ones do not count.
LAUNCHES, WARM = 9, 3

_HEADER = """.version 8.0
.target sm_90a
.address_size 64
"""
_ENTRY = """
.visible .entry stream_{reads}_{writes}(.param .u64 from_at, .param .u64 to_at, .param .u64 size_of,
    .param .u64 out_at)
{{
    .reg .b64 source, target, size, out, at, begin, end, sum, word, wide;
    .reg .b64 v<{values}>;
    .reg .b32 thread, cta, sm, low, high;
    .reg .pred p;
    mov.u64 begin, %clock64;
    mov.u32 thread, %tid.x; mov.u32 cta, %ctaid.x; mov.u32 sm, %smid;
    ld.param.u64 source, [from_at]; ld.param.u64 target, [to_at]; ld.param.u64 size, [size_of];
    ld.param.u64 out, [out_at];
    mul.wide.u32 at, cta, {block}; mul.wide.u32 wide, thread, {wide}; add.u64 at, at, wide;
    add.u64 source, source, at; add.u64 target, target, at; mov.u64 sum, 0;
{body}
    setp.eq.u64 p, sum, 0x123456789; @p st.global.u64 [target], sum;
    bar.sync 0;
    setp.ne.u32 p, thread, 0; @p bra leave;
    mov.u64 end, %clock64;
    mul.wide.u32 wide, sm, 16; add.u64 out, out, wide;
    atom.global.min.u64 word, [out], begin; atom.global.max.u64 word, [out+8], end;
leave:
    ret;
}}
"""


def _body(reads: int, writes: int) -> str:
    lines, step = [], THREADS * WIDE
    for array in range(reads):
        for time in range(TIMES):
            pair = f"{{v{2 * (array * TIMES + time)}, v{2 * (array * TIMES + time) + 1}}}"
            lines.append(f"    ld.global.v2.b64 {pair}, [source+{time * step}];")
        lines.append("    add.u64 source, source, size;")
    for value in range(2 * TIMES * reads):
        lines.append(f"    xor.b64 sum, sum, v{value};")
    for _ in range(writes):
        lines += [f"    st.global.v2.b64 [target+{t * step}], {{sum, sum}};" for t in range(TIMES)]
    return "\n".join(lines)


def text() -> str:
    """The kernels."""
    return _HEADER + "".join(
        _ENTRY.format(
            reads=reads, writes=writes, values=max(2 * TIMES * reads, 1), block=BLOCK, wide=WIDE,
            body=_body(reads, writes),
        )
        for reads, writes in FORMS
    )  # fmt: skip


def streams(device: Any) -> list[dict[str, Any]]:
    """For each form and size, the cycles of SMs: the most, and the middle, of each launch."""
    module, sms, found = device.load(text()), TARGETS[TARGET].gpu.multiprocessors, []
    for reads, writes in FORMS:
        for megabytes in MEGABYTES:
            ctas = max(megabytes * 1_000_000 // (reads + writes) // BLOCK, 1)
            size = ctas * BLOCK
            source = device.zeros(max(size * reads, 16) // 8, np.uint64, name="source")
            target = device.zeros(max(size * max(writes, 1), 16) // 8, np.uint64, name="target")
            most, middle = [], []
            for _ in range(LAUNCHES):
                stamps = np.zeros((sms, 2), np.uint64)
                stamps[:, 0] = np.iinfo(np.uint64).max
                out = device.array(stamps)
                words = (source, target, np.uint64(size), out)
                module[f"stream_{reads}_{writes}"](ctas, THREADS, words)
                own = out.get()
                taken = (own[:, 1] - own[:, 0])[own[:, 1] > 0].astype(np.int64)
                most.append(int(taken.max()))
                middle.append(int(np.median(taken)))
            moved = size * (reads + writes)
            rate = moved / float(np.median(most[WARM:]))
            found.append(
                {
                    "reads": reads,
                    "writes": writes,
                    "ctas": ctas,
                    "bytes": moved,
                    "most": most[WARM:],
                    "middle": middle[WARM:],
                }
            )
            print(reads, writes, megabytes, ctas, round(rate, 1), flush=True)
    return found


def measured(device: Any) -> dict[str, Any]:
    """What the row holds."""
    return {
        "command": "python -m tools.streams measure OUT.json",
        "source": source_hash(text()),
        "threads": THREADS,
        "block": BLOCK,
        "streams": streams(device),
    }


if __name__ == "__main__":
    main(TARGET, ROW, measured)
