"""Faults of tensor copies: each is one change of a kernel that is clean and right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests import ptx

TILE = np.arange(32 * 64, dtype=np.uint32).reshape(32, 64) * 7
_HEAD = """\
.visible .entry copy(.param .align 64 .b8 map[128], .param .u64 out, .param .u64 maps)
{
.reg .b64 %map, %out, %maps; .reg .b32 %t, %x, %y, %v, %s, %b, %m; .reg .pred %p, %w;
.shared .align 1024 .b8 tile[1024]; .shared .align 1024 .b8 other[1024];
.shared .align 128 .b8 made[128]; .shared .align 8 .b64 bar[2];
ld.param.u64 %out, [out]; ld.param.u64 %maps, [maps];
mov.u32 %t, %tid.x; mov.u32 %s, tile; mov.u32 %b, bar; mov.u32 %m, made;
mul.wide.u32 %map, %t, 4; add.u64 %out, %out, %map;
mov.b64 %map, map; cvta.param.u64 %map, %map;
mov.u32 %x, 8; mov.u32 %y, 4;
setp.ne.u32 %p, %t, 0;
"""
#: Loads 8x8 words, waits, and stores the first 32 of them.
LOAD = (
    _HEAD
    + """@%p bra READY;
mbarrier.init.shared.b64 [bar], 1;
mbarrier.init.shared.b64 [bar+8], 1;
fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
mbarrier.arrive.shared.b64 _, [bar+8];
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
  [%s], [%map, {%x, %y}], [%b];
READY:
bar.sync 0;
WAIT:
mbarrier.try_wait.parity.shared.b64 %w, [bar], 0;
@!%w bra WAIT;
shl.b32 %v, %t, 2; add.u32 %v, %v, %s;
ld.shared.b32 %v, [%v];
st.global.b32 [%out], %v;
ret;
}
"""
)
#: Stores 8x8 words that the threads write, and writes them again once they are read.
STORE = (
    _HEAD
    + """shl.b32 %v, %t, 2; add.u32 %v, %v, %s;
st.shared.b32 [%v], %t; st.shared.b32 [%v+128], %t;
fence.proxy.async.shared::cta;
bar.sync 0;
@%p bra DONE;
cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {%x, %y}], [%s];
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
DONE:
bar.sync 0;
st.shared.b32 [%v], %s;
ret;
}
"""
)
#: As Triton does: copies the map, points it elsewhere on the device, and uses it there.
MADE = LOAD.replace(
    "@%p bra READY;\nmbarrier.init",
    """shl.b32 %v, %t, 2; add.u32 %v, %v, %m;
mul.wide.u32 %map, %t, 4; .reg .b64 %at; mov.b64 %at, map; cvta.param.u64 %at, %at;
add.u64 %map, %map, %at; ld.b32 %x, [%map]; st.shared.b32 [%v], %x; mov.u32 %x, 8;
bar.sync 0;
@%p bra REPLACED;
tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%m], 1, 8;
REPLACED:
bar.sync 0;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
  [%maps], [%m], 128;
mov.u64 %map, %maps;
fence.proxy.tensormap::generic.acquire.gpu [%map], 128;
@%p bra READY;
mbarrier.init""",
    1,
)


@dataclass(frozen=True)
class Fault:
    """One change of a kernel.

    Attributes:
        text: The kernel.
        old, new: What is changed.
        kind: The class of hazard that the emulator must name.
        words: What the sentence must mention.
        line: A part of the faulty line.
        map: Changes of the map's parameters.
        damage: A byte of the map, and what it becomes.
    """

    text: str
    old: str
    new: str
    kind: str
    words: str
    line: str
    map: tuple[tuple[str, Any], ...] = ()
    damage: tuple[int, int] = (0, -1)


_LOADS = "cp.async.bulk.tensor.2d.shared::cluster"
_STORES = "cp.async.bulk.tensor.2d.global"
_SAME = ("ret;", "ret;")
FAULTS = {
    "missing_expect_tx": Fault(LOAD, "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;",
                               "", "deadlock", "256", "try_wait"),
    "wrong_bytes": Fault(LOAD, "[bar], 256;", "[bar], 512;", "deadlock", "256", "try_wait"),
    "no_wait": Fault(LOAD, "mbarrier.try_wait.parity.shared.b64 %w, [bar], 0;\n@!%w bra WAIT;", "",
                     "pending", "nothing orders this after phase 0", "ld.shared"),
    "wrong_barrier": Fault(LOAD, "%w, [bar], 0;", "%w, [bar+8], 0;", "pending",
                           "nothing orders this after phase 0", "ld.shared"),
    "no_mbarrier": Fault(LOAD, "mbarrier.init.shared.b64 [bar], 1;\n", "", "rule",
                         "no mbarrier object", "expect_tx"),
    "misaligned_destination": Fault(LOAD, "@%p bra READY;\nmbarrier.init.shared.b64 [bar],",
                                    "add.u32 %s, %s, 64;\n@%p bra READY;\nmbarrier.init.shared"
                                    ".b64 [bar],", "misaligned", "128", _LOADS),
    "misaligned_coordinate": Fault(LOAD, "mov.u32 %x, 8;", "mov.u32 %x, 6;", "rule",
                                   "8 bytes after a multiple of 16", _LOADS),
    "beyond_shared_memory": Fault(LOAD, "@%p bra READY;\nmbarrier.init.shared.b64 [bar],",
                                  "add.u32 %s, %s, 65536;\n@%p bra READY;\nmbarrier.init.shared"
                                  ".b64 [bar],", "out-of-bounds", "shared", _LOADS),
    "unordered_destination": Fault(LOAD, "@%p bra READY;\nmbarrier.init.shared.b64 [bar],",
                                   "shl.b32 %v, %t, 2; add.u32 %v, %v, %s; st.shared.b32 [%v], %t;"
                                   "\n@%p bra READY;\nmbarrier.init.shared.b64 [bar],", "order",
                                   "", _LOADS),
    "wrong_rank": Fault(LOAD,
                        "2d.shared::cluster.global.mbarrier::complete_tx::bytes\n"
                        "  [%s], [%map, {%x, %y}]",
                        "1d.shared::cluster.global.mbarrier::complete_tx::bytes\n"
                        "  [%s], [%map, {%x}]",
                        "rule", "2 dimensions, but the instruction gives 1", "tensor.1d"),
    "bad_type": Fault(LOAD, *_SAME, "rule", "element type 14", _LOADS, damage=(9, 0x07)),
    "bad_address": Fault(LOAD, *_SAME, "rule", "global address", _LOADS, damage=(0, 0x04)),
    "bad_mode": Fault(LOAD, *_SAME, "rule", "the other mode", _LOADS, damage=(8, 0x11)),
    "map_not_aligned": Fault(LOAD, "cvta.param.u64 %map, %map;",
                             "cvta.param.u64 %map, %map;\nadd.u64 %map, %map, 16;", "misaligned",
                             "64", _LOADS),
    "map_in_shared_memory": Fault(LOAD, "cvta.param.u64 %map, %map;", "cvta.param.u64 %map, %map;"
                                  "\ncvt.u64.u32 %map, %m; cvta.shared.u64 %map, %map;", "rule",
                                  "not in global, constant or parameter memory", _LOADS),
    "missing_proxy_fence": Fault(STORE, "fence.proxy.async.shared::cta;\n", "", "order",
                                 "fence.proxy.async is missing", _STORES),
    "source_overwritten": Fault(STORE, "cp.async.bulk.wait_group.read 0;\n", "", "pending",
                                "wait_group.read by its own warp is missing",
                                "st.shared.b32 [%v], %s"),
    "negative_coordinate": Fault(STORE, "mov.u32 %x, 8;", "mov.u32 %x, -8;", "rule", "-8 of dim",
                                 _STORES),
    "undefined_source": Fault(STORE, "st.shared.b32 [%v+128], %t;", "", "undefined", "", ""),
    "missing_map_fence": Fault(MADE, "fence.proxy.tensormap::generic.acquire.gpu [%map], 128;", "",
                               "rule", "no fence.proxy.tensormap", _LOADS),
    "map_changed_after_fence": Fault(MADE, "[%map], 128;\n@%p bra READY;\nmbarrier.init.shared"
                                     ".b64 [bar], 1;",
                                     "[%map], 128;\n@%p bra READY;\ntensormap.replace.tile.box_dim"
                                     ".global.b1024.b32 [%map], 1, 4;\nmbarrier.init.shared.b64 "
                                     "[bar], 1;", "rule", "no fence.proxy.tensormap", _LOADS),
    "map_copied_before_lanes_meet": Fault(MADE, "REPLACED:\nbar.sync 0;\n", "REPLACED:\n", "order",
                                          "__syncwarp", "cp_fenceproxy"),
    "map_replaced_before_lanes_meet": Fault(MADE, "st.shared.b32 [%v], %x; mov.u32 %x, 8;\n"
                                            "bar.sync 0;\n@%p bra REPLACED;",
                                            "mov.u32 %x, 8;\n@%p bra OTHERS;\nst.shared.b32 [%v], "
                                            "%x;\nbra WROTE;\nOTHERS:\nst.shared.b32 [%v], %x;\n"
                                            "WROTE:\n@%p bra REPLACED;", "order",
                                            "__syncwarp", "tensormap.replace"),
    "undefined_map": Fault(MADE, "st.shared.b32 [%v], %x;", "", "undefined", "",
                           "tensormap.replace"),
}  # fmt: skip


def run(text: str, fault: Fault | None = None, hazards: str = "raise") -> tuple[Any, ...]:
    """The device, what was stored, and the tensor afterward."""
    device: Any = lanemap.open_device("sm_90a", device="emulator", hazards=hazards)
    tensor, out = device.array(TILE), device.zeros(32, np.uint32)
    data = bytearray(device.tensor_map(tensor, (8, 8)).data)
    if fault and fault.damage[1] >= 0:
        data[fault.damage[0]] = fault.damage[1]
    maps = device.zeros(128, np.uint8)
    device.load(ptx.module(text))["copy"](1, 32, (bytes(data), out, maps))
    return device, out, tensor


@pytest.mark.parametrize("text", [LOAD, STORE, MADE], ids=["load", "store", "made"])
def test_the_kernels_are_clean_and_right(text: str) -> None:
    device, out, tensor = run(text, hazards="report")
    assert [str(hazard) for hazard in device.hazards] == []
    if text is STORE:
        wanted = TILE.copy()
        wanted[4:12, 8:16] = np.tile(np.arange(32).reshape(4, 8), (2, 1))
        assert np.array_equal(tensor.get(), wanted)
    else:
        assert np.array_equal(out.get().reshape(4, 8), TILE[4:8, 8:16])


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_caught(name: str) -> None:
    fault = FAULTS[name]
    text = fault.text.replace(fault.old, fault.new, 1)
    assert fault.damage[1] >= 0 or text != fault.text
    with pytest.raises(Hazard) as caught:
        _, _, tensor = run(text, fault)
        tensor.get()
    assert caught.value.kind == fault.kind, str(caught.value)
    assert fault.words in str(caught.value)
    assert fault.line in str(caught.value)


@pytest.mark.parametrize("name", FAULTS)
def test_ptxas_accepts_the_fault(name: str) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    fault = FAULTS[name]
    text = fault.text.replace(fault.old, fault.new, 1)
    cubin, messages = ptxas.judge(ptx.module(text), "sm_90a")
    assert cubin is not None, messages
