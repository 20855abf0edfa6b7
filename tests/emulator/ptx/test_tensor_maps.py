"""Tensor maps that a kernel makes, and reductions by the type of their elements."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests import ptx
from tests.emulator.ptx.test_tma import store

MAKE = """.visible .entry make(.param .u64 out, .param .u64 tensor)
{{
.reg .b64 %out, %tensor, %s; .reg .b32 %m, %t, %v; .reg .pred %p;
.shared .align 128 .b8 map[128];
ld.param.u64 %out, [out]; ld.param.u64 %tensor, [tensor];
mov.u32 %t, %tid.x; mov.u32 %m, map; shl.b32 %v, %t, 2; add.u32 %v, %v, %m;
st.shared.b32 [%v], 0;
bar.sync 0;
setp.ne.u32 %p, %t, 0;
@%p bra MADE;
{fields}
MADE:
bar.sync 0;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
  [%out], [%m], 128;
ret;
}}
"""
#: As Triton does for a map of 3 dimensions, in memory that is zero.
FIELDS = """global_address.shared::cta.b1024.b64 [%m], %tensor
rank.shared::cta.b1024.b32 [%m], 2
box_dim.shared::cta.b1024.b32 [%m], 0, 16
box_dim.shared::cta.b1024.b32 [%m], 1, 8
box_dim.shared::cta.b1024.b32 [%m], 2, 3
global_dim.shared::cta.b1024.b32 [%m], 0, 64
global_dim.shared::cta.b1024.b32 [%m], 1, 30
global_dim.shared::cta.b1024.b32 [%m], 2, 7
global_stride.shared::cta.b1024.b64 [%m], 0, 0x1000000080
global_stride.shared::cta.b1024.b64 [%m], 1, 3840
element_stride.shared::cta.b1024.b32 [%m], 0, 1
element_stride.shared::cta.b1024.b32 [%m], 1, 2
element_stride.shared::cta.b1024.b32 [%m], 2, 8
elemtype.shared::cta.b1024.b32 [%m], 10
interleave_layout.shared::cta.b1024.b32 [%m], 0
swizzle_mode.shared::cta.b1024.b32 [%m], 1
fill_mode.shared::cta.b1024.b32 [%m], 1"""


def test_a_map_made_field_by_field_is_the_drivers() -> None:
    """All but what repeats other fields, from byte 0x40 on, which no instruction writes."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    fields = "\n".join(f"tensormap.replace.tile.{line};" for line in FIELDS.splitlines())
    out, tensor = device.zeros(128, np.uint8), device.zeros(64, np.uint16)
    text = ptx.module(MAKE.format(fields=fields))
    device.load(text)["make"](1, 32, (out, tensor))
    wanted = device.tensor_map(
        tensor,
        (3, 8, 16),
        dtype="bfloat16",
        sizes=(7, 30, 64),
        strides=(3840, 0x1000000080),
        element_strides=(8, 2, 1),
        swizzle="32b",
        oob_fill="nan_request_zero_fma",
    )
    assert out.get().tobytes()[:0x40] == wanted.data[:0x40]


#: The ISA's types of elements, by number, as the driver calls them.
TILES = ("none", "32b", "64b", "128b")
TYPES = ("uint8 uint16 uint32 int32 uint64 int64 float16 float32 float32_ftz float64 bfloat16 "
         "tfloat32 tfloat32_ftz").split()  # fmt: skip


@pytest.mark.parametrize(
    ("field", "number", "given"),
    [
        *(("elemtype", number, {"dtype": name}) for number, name in enumerate(TYPES)),
        *(("swizzle_mode", n, {"swizzle": s}) for n, s in enumerate(TILES)),
        ("interleave_layout", 1, {"interleave": "16b", "swizzle": "none"}),
        ("interleave_layout", 2, {"interleave": "32b", "swizzle": "32b"}),
    ],
)
def test_each_value_of_a_field_is_the_drivers(
    field: str, number: int, given: dict[str, str]
) -> None:
    parameters = {"dtype": "bfloat16", "swizzle": "32b"} | given
    bits = int(re.sub(r"\D", "", parameters["dtype"]) or 16)
    values = {"fill_mode": 0, "swizzle_mode": TILES.index(parameters["swizzle"]), field: number}
    fields = ""
    for line in FIELDS.replace("[%m], 0, 16", f"[%m], 0, {256 // bits}").splitlines():
        words, _, last = line.rpartition(", ")
        value = values.get(words.partition(".")[0], last)
        fields += f"tensormap.replace.tile.{words}, {value};\n"
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    out, tensor = device.zeros(128, np.uint8), device.zeros(64, np.uint16)
    device.load(ptx.module(MAKE.format(fields=fields)))["make"](1, 32, (out, tensor))
    wanted = device.tensor_map(
        tensor,
        (3, 8, 256 // bits),
        sizes=(7, 30, 64),
        strides=(3840, 0x1000000080),
        element_strides=(8, 2, 1),
        **parameters,
    )
    assert out.get().tobytes()[:0x40] == wanted.data[:0x40]


USE = """.visible .entry use(.param .u64 map_at)
{{
.reg .b64 %map; .reg .b32 %t, %s; .reg .pred %p;
.shared .align 128 .b8 rows[1024]; .shared .align 8 .b64 full;
ld.param.u64 %map, [map_at];
mov.u32 %t, %tid.x; mov.u32 %s, rows;
setp.ne.u32 %p, %t, 0; @%p bra END;
mbarrier.init.shared.b64 [full], 1;
fence.proxy.async.shared::cta;
mbarrier.arrive.expect_tx.shared.b64 _, [full], 512;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
  [%s], [%map, {{0, 0}}], [full];
WAIT: mbarrier.try_wait.parity.shared.b64 %p, [full], 0; @!%p bra WAIT;
END: ret;
}}
"""
#: A map that begins as another one, given by value, of which only so many bytes are copied.
BEGIN = """.visible .entry make(.param .align 64 .b8 given[128], .param .u64 out,
                                 .param .u64 tensor)
{{
.reg .b64 %out, %tensor, %wide; .reg .b32 %m, %t, %v; .reg .pred %p;
.shared .align 128 .b8 map[128];
ld.param.u64 %out, [out]; ld.param.u64 %tensor, [tensor];
mov.u32 %t, %tid.x; mov.u32 %m, map;
setp.ge.u32 %p, %t, {words}; @%p bra COPIED;
mov.b64 %wide, given; mad.wide.u32 %wide, %t, 4, %wide; ld.param.b32 %v, [%wide];
mad.lo.u32 %m, %t, 4, %m; st.shared.b32 [%m], %v;
COPIED: bar.warp.sync -1;
mov.u32 %m, map;
setp.ne.u32 %p, %t, 0;
@!%p tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%m], %tensor;
bar.warp.sync -1;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
  [%out], [%m], 128;
ret;
}}
"""


def begun(words: int) -> None:
    """Make a map of which so many words are written, and use it in the next launch."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    tensor = device.array(np.zeros((8, 32), np.uint16))
    given = device.tensor_map(tensor, (8, 32))
    out = device.empty(128, np.uint8)
    module = device.load(ptx.module(BEGIN.format(words=words) + USE.format()))
    module["make"](1, 32, (given, out, tensor))
    module["use"](1, 32, (out,))


def test_the_second_half_of_a_map_may_be_anything() -> None:
    """CuTe DSL copies 64 bytes of a map to shared memory, and replaces fields there."""
    begun(16)


def test_every_byte_of_the_first_half_decides() -> None:
    with pytest.raises(Hazard, match="undefined bits 0xff decide the operand"):
        begun(15)


_KINDS: dict[str, Any] = {
    "uint32": np.uint32, "int32": np.int32, "uint64": np.uint64, "int64": np.int64,
    "float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32,
}  # fmt: skip
#: PTX ISA, cp.reduce.async.bulk.tensor: which types each operation has, and what it is in NumPy.
REDUCTIONS: dict[str, tuple[str, Any]] = {
    "add": ("uint32 int32 uint64 float16 bfloat16 float32", lambda a, b: a + b),
    "min": ("uint32 int32 uint64 int64 float16 bfloat16", np.minimum),
    "max": ("uint32 int32 uint64 int64 float16 bfloat16", np.maximum),
    "inc": ("uint32", lambda a, b: np.where(a >= b, 0, a + 1)),
    "dec": ("uint32", lambda a, b: np.where((a == 0) | (a > b), b, a - 1)),
    "and": ("uint32 int32 uint64", np.bitwise_and),
    "or": ("uint32 int32 uint64", np.bitwise_or),
    "xor": ("uint32 int32 uint64", np.bitwise_xor),
}


def _random(kind: Any, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    if np.issubdtype(kind, np.integer):
        info = np.iinfo(kind)
        return random.integers(info.min, info.max, 64, kind, endpoint=True)
    return np.concatenate([random.normal(size=60) * 100, [0, 1e-6, -3e4, 1]]).astype(kind)


@pytest.mark.parametrize("operation", REDUCTIONS)
def test_a_reduction_of_every_type_against_numpy(operation: str) -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    names, function = REDUCTIONS[operation]
    for name in _KINDS:
        old, operand = _random(_KINDS[name], 1), _random(_KINDS[name], 2)
        array = device.array(old.view(np.uint8))
        map_ = device.tensor_map(array, (64,), dtype=name, sizes=(64,))
        form = f"cp.reduce.async.bulk.tensor.1d.global.shared::cta.{operation}.tile.bulk_group"
        if name not in names.split():
            with pytest.raises(Hazard, match="not defined for element type"):
                store(device, map_, form, [0], operand.view(np.uint8))
            continue
        store(device, map_, form, [0], operand.view(np.uint8))
        with np.errstate(over="ignore"):
            wanted = function(old, operand).astype(_KINDS[name])
        assert np.array_equal(array.get(), wanted.view(np.uint8)), name
