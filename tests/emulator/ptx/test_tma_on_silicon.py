"""Tensor copies against what an H200 left in shared memory.

Each case is a map, coordinates, im2col offsets, the bytes that the mbarrier expects, where the box
begins, and a hash of all of shared memory afterward. The tensor's words have their own numbers, and
shared memory is filled with 0xee before.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.conformance.tensor_maps import trial
from tests import ptx

SEEN = json.loads(Path(__file__).with_name("tma_on_h200.json").read_text())
TEXT = """\
.extern .shared .align 1024 .b8 buf[];
.visible .entry copy(.param .align 64 .b8 map[128], .param .u64 numbers, .param .u64 out,
                     .param .u32 dst, .param .u32 expect, .param .u32 size)
{{
.reg .b64 %numbers, %out, %m, %a; .reg .b32 %c<5>, %t, %n, %d, %e, %s, %v, %k, %buf;
.reg .b16 %h<3>; .reg .pred %p, %q;
.shared .align 8 .b64 bar;
ld.param.u64 %numbers, [numbers]; ld.param.u64 %out, [out];
ld.param.u32 %d, [dst]; ld.param.u32 %e, [expect]; ld.param.u32 %s, [size];
{loads}
mov.u32 %t, %tid.x; mov.u32 %buf, buf;
mov.b64 %m, map; cvta.param.u64 %m, %m;
shl.b32 %n, %t, 2;
FILL:
setp.ge.u32 %p, %n, %s; @%p bra FILLED;
add.u32 %v, %buf, %n; st.shared.b32 [%v], 0xEEEEEEEE;
add.u32 %n, %n, 512; bra FILL;
FILLED:
setp.ne.u32 %p, %t, 0;
@%p bra READY;
mbarrier.init.shared.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
READY:
fence.proxy.async.shared::cta;
bar.sync 0;
@%p bra WAIT;
mbarrier.arrive.expect_tx.shared.b64 _, [bar], %e;
add.u32 %v, %buf, %d;
cp.async.bulk.tensor.{rank}d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes
  [%v], [%m, {{{coordinates}}}], [bar]{offsets};
WAIT:
mbarrier.try_wait.parity.shared.b64 %q, [bar], 0;
@!%q bra WAIT;
shl.b32 %n, %t, 2;
DUMP:
setp.ge.u32 %p, %n, %s; @%p bra END;
add.u32 %v, %buf, %n; ld.shared.b32 %k, [%v];
cvt.u64.u32 %a, %n; add.u64 %a, %a, %out; st.global.b32 [%a], %k;
add.u32 %n, %n, 512; bra DUMP;
END: ret;
}}
"""


@cache
def device() -> Any:
    return lanemap.open_device("sm_90a", device="emulator")


@cache
def kernel(rank: int, mode: str, offsets: int) -> Any:
    loads = [f"ld.global.b32 %c{i}, [%numbers+{4 * i}];" for i in range(rank)]
    loads += [f"ld.global.b16 %h{i}, [%numbers+{32 + 4 * i}];" for i in range(offsets)]
    more = ", {" + ", ".join(f"%h{i}" for i in range(offsets)) + "}" if offsets else ""
    text = TEXT.format(
        rank=rank,
        mode=mode,
        loads="\n".join(loads),
        offsets=more,
        coordinates=", ".join(f"%c{i}" for i in range(rank)),
    )
    return device().load(ptx.module(text))["copy"]


@cache
def tensor() -> Any:
    return device().array(np.arange(1 << 19, dtype=np.uint32))


def load(
    map_: Any, start: list[int], offsets: list[int], expect: int, dst: int, size: int, array: Any
) -> np.ndarray:
    """All words of shared memory after a load."""
    numbers = np.zeros(16, np.int32)
    numbers[: len(start)], numbers[8 : 8 + len(offsets)] = start, offsets
    status, data = device().encode_tensor_map(replace(map_, address=array.pointer().address))
    assert status == trial.SUCCESS
    out = device().zeros(size // 4, np.uint32)
    mode = "tile" if map_.mode == "tiled" else map_.mode
    kernel(map_.rank, mode, len(offsets))(
        1,
        128,
        (data, device().array(numbers), out, np.uint32(dst), np.uint32(expect), np.uint32(size)),
        shared_bytes=size,
    )
    return out.get()


@pytest.mark.parametrize("number", range(len(SEEN["cases"])))
def test_shared_memory_is_what_the_gpu_left(number: int) -> None:
    mode, line, start, offsets, expect, dst, size, digest = SEEN["cases"][number]
    found = load(trial.parameters(mode, line), start, offsets, expect, dst, size, tensor())
    assert hashlib.sha256(found.tobytes()).hexdigest()[:16] == digest, (line, start, offsets)


@pytest.mark.parametrize("number", range(len(SEEN["tf32"]["received"])))
def test_tf32_is_rounded_as_the_gpu_does(number: int) -> None:
    """Ties, subnormals, infinities and NaN among them."""
    data_type, first, received = SEEN["tf32"]["received"][number]
    given = device().array(np.array(SEEN["tf32"]["given"], np.uint32))
    line = f"{data_type} 1 0 1024 - 1 32 0 0 0 0"
    found = load(trial.parameters("tiled", line), [first], [], 128, 0, 128, given)
    assert found.tolist() == received
