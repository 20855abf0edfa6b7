"""Tensor copies against index arithmetic in NumPy; what an H200 showed stands in probes' rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from lanemap.errors import UserError
from tests import ptx

LOAD = """
.extern .shared .align 1024 .b8 buffer[];
.visible .entry copy(.param .align 64 .b8 map[128], .param .u64 coordinates, .param .u64 out,
                     .param .u32 bytes)
{{
.reg .b64 %map, %c, %out, %a; .reg .b32 %x<5>, %t, %i, %n, %v, %s; .reg .pred %p;
.reg .b16 %h<3>;
.shared .align 8 .b64 bar;
ld.param.u64 %c, [coordinates]; ld.param.u64 %out, [out]; ld.param.u32 %n, [bytes];
{loads}
mov.b64 %map, map; cvta.param.u64 %map, %map;
mov.u32 %t, %tid.x; mov.u32 %s, buffer;
setp.ne.u32 %p, %t, 0;
@%p bra READY;
mbarrier.init.shared.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared.b64 _, [bar], %n;
cp.async.bulk.tensor.{form} [%s], [%map, {{{coordinates}}}], [bar]{more};
READY:
bar.sync 0;
WAIT:
mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
@!%p bra WAIT;
shl.b32 %i, %t, 2;
DUMP:
setp.ge.u32 %p, %i, %n; @%p bra END;
add.u32 %v, %s, %i; ld.shared.b32 %v, [%v];
cvt.u64.u32 %a, %i; add.u64 %a, %a, %out; st.global.b32 [%a], %v;
add.u32 %i, %i, 128; bra DUMP;
END: ret;
}}
"""
STORE = """
.extern .shared .align 1024 .b8 buffer[];
.visible .entry copy(.param .align 64 .b8 map[128], .param .u64 coordinates, .param .u64 from,
                     .param .u32 bytes)
{{
.reg .b64 %map, %c, %from, %a; .reg .b32 %x<5>, %t, %i, %n, %v, %w, %s; .reg .pred %p;
ld.param.u64 %c, [coordinates]; ld.param.u64 %from, [from]; ld.param.u32 %n, [bytes];
{loads}
mov.b64 %map, map; cvta.param.u64 %map, %map;
mov.u32 %t, %tid.x; mov.u32 %s, buffer;
shl.b32 %i, %t, 2;
FILL:
setp.ge.u32 %p, %i, %n; @%p bra FILLED;
cvt.u64.u32 %a, %i; add.u64 %a, %a, %from; ld.global.b32 %w, [%a];
add.u32 %v, %s, %i; st.shared.b32 [%v], %w;
add.u32 %i, %i, 128; bra FILL;
FILLED:
fence.proxy.async.shared::cta;
bar.sync 0;
setp.ne.u32 %p, %t, 0;
@%p bra END;
{form} [%map, {{{coordinates}}}], [%s];
cp.async.bulk.commit_group;
cp.async.bulk.wait_group 0;
END: ret;
}}
"""


def coordinates(count: int, offsets: int = 0) -> dict[str, str]:
    loads = [f"ld.global.b32 %x{i}, [%c+{4 * i}];" for i in range(count)]
    loads += [f"ld.global.b16 %h{i}, [%c+{4 * (count + i)}];" for i in range(offsets)]
    names = ", ".join(f"%x{i}" for i in range(count))
    more = ", {" + ", ".join(f"%h{i}" for i in range(offsets)) + "}" if offsets else ""
    return {"loads": "\n".join(loads), "coordinates": names, "more": more}


def load(
    device: Any,
    tensor_map: Any,
    form: str,
    start: list[int],
    size: int,
    offsets: tuple[int, ...] = (),
) -> np.ndarray:
    """The bytes of shared memory after a load."""
    names = coordinates(len(start), len(offsets))
    text = ptx.module(LOAD.format(form=form, **names), device.target)
    out = device.zeros(size, np.uint8)
    place = device.array(np.array([*start, *offsets], np.int32))
    device.load(text)["copy"](1, 32, (tensor_map, place, out, np.uint32(size)), shared_bytes=size)
    return out.get()


def store(device: Any, tensor_map: Any, form: str, start: list[int], data: np.ndarray) -> None:
    names = coordinates(len(start))
    text = ptx.module(STORE.format(form=form, **names), device.target)
    place = device.array(np.array(start, np.int32))
    arguments = (tensor_map, place, device.array(data), np.uint32(data.nbytes))
    device.load(text)["copy"](1, 32, arguments, shared_bytes=data.nbytes)


def tile_form(rank: int) -> str:
    return f"{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"


def tensor(rank: int, dtype: Any = np.uint16) -> np.ndarray:
    shape = (3, 4, 6, 10, 48)[-rank:]
    return np.arange(np.prod(shape)).astype(dtype).reshape(shape)


def box_of(values: np.ndarray, start: list[int], box: tuple[int, ...], fill: Any = 0) -> np.ndarray:
    """A box by NumPy: `start` is outermost first, and may lie outside."""
    padded = np.pad(values, [(n, n) for n in box], constant_values=fill)
    return padded[tuple(slice(s + n, s + 2 * n) for s, n in zip(start, box, strict=True))]


@pytest.mark.parametrize("rank", range(1, 6))
@pytest.mark.parametrize("inside", [True, False])
def test_a_tile_of_every_rank(rank: int, inside: bool) -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    values, box = tensor(rank), (2, 2, 3, 4, 16)[-rank:]
    start = [1, 1, 2, 3, 8][-rank:] if inside else [2, -1, 5, -2, 40][-rank:]
    wanted = box_of(values, start, box)
    map_ = device.tensor_map(device.array(values), box)
    found = load(device, map_, tile_form(rank), start[::-1], wanted.nbytes)
    assert np.array_equal(found.view(np.uint16).reshape(box), wanted)


@pytest.mark.parametrize("rank", range(1, 6))
def test_a_store_of_every_rank_is_clipped_at_the_end(rank: int) -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    values, box = tensor(rank), (2, 2, 3, 4, 16)[-rank:]
    start = [2, 3, 5, 8, 40][-rank:]
    data = (np.arange(np.prod(box)) + 30000).astype(np.uint16)
    array = device.array(values)
    store(
        device,
        device.tensor_map(array, box),
        f"cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group",
        start[::-1],
        data,
    )
    wanted = np.pad(values, [(0, n) for n in box])
    wanted[tuple(slice(s, s + n) for s, n in zip(start, box, strict=True))] = data.reshape(box)
    assert np.array_equal(array.get(), wanted[tuple(slice(n) for n in values.shape)])


#: By hand from the PTX ISA's tables of swizzling modes: the first unit of 16 bytes of each row.
FIRST_UNITS = {
    "128b": [0, 1, 2, 3, 4, 5, 6, 7], "128b_atom_32b": [0, 2, 4, 6, 0, 2, 4, 6],
    "128b_atom_64b": [0, 4, 0, 4, 0, 4, 0, 4],
}  # fmt: skip


@pytest.mark.parametrize("swizzle", FIRST_UNITS)
def test_the_first_unit_of_a_row_lies_where_the_isa_says(swizzle: str) -> None:
    device: Any = lanemap.open_device("sm_100a", device="emulator")
    values = (np.arange(8)[:, None] * 8 + np.arange(128)[None, :] // 16).astype(np.uint8)
    map_ = device.tensor_map(device.array(values), (8, 128), swizzle=swizzle)
    found = load(device, map_, tile_form(2), [0, 0], 1024).reshape(8, 8, 16)
    assert [list(row[:, 0]).index(8 * i) for i, row in enumerate(found)] == FIRST_UNITS[swizzle]
    assert np.array_equal(np.sort(found, axis=1).reshape(8, 128), values)


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
@pytest.mark.parametrize("swizzle, width", [("none", 64), ("32b", 16), ("64b", 32), ("128b", 64)])
def test_a_map_with_bit_21_of_the_word_at_byte_8(swizzle: str, width: int, target: str) -> None:
    """CuTe DSL 4.8.1 sets it in maps of 128 KiB or more, and Blackwell's driver in others too.

    NVIDIA's release notes of driver 595.71.05 (known issues) have programs clear it where the
    memory is smaller: so it says nothing about the copy. ptxas 13.0 gives
    tensormap.replace.swizzle_atomicity the bits 19 and 20 alone.
    """
    device: Any = lanemap.open_device(target, device="emulator")
    values = np.arange(8 * 64, dtype=np.uint16).reshape(8, 64)
    array = device.array(values)
    plain = device.tensor_map(array, (8, width), swizzle=swizzle)
    marked = bytearray(plain.data)
    marked[8 + 2] |= 1 << 21 - 16
    size = 8 * width * 2
    seen = [
        load(device, each, tile_form(2), [0, 0], size)
        for each in (plain, replace(plain, data=bytes(marked)))
    ]
    assert np.array_equal(*seen)


@pytest.mark.parametrize("swizzle, width", [("none", 64), ("32b", 16), ("64b", 32), ("128b", 64)])
def test_sm_90_ignores_the_swizzle_atomicity(swizzle: str, width: int) -> None:
    """An H200 loaded and stored the same bytes with each combination of these bits set."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    values = np.arange(8 * 64, dtype=np.uint16).reshape(8, 64)
    array = device.array(values)
    plain = device.tensor_map(array, (8, width), swizzle=swizzle)
    wanted = load(device, plain, tile_form(2), [0, 0], 8 * width * 2)
    for bits in range(1, 4):
        data = bytearray(plain.data)
        data[8 + 2] |= bits << 19 - 16
        marked = replace(plain, data=bytes(data))
        assert np.array_equal(load(device, marked, tile_form(2), [0, 0], wanted.size), wanted)
        array[...] = 0
        store(
            device,
            marked,
            "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group",
            [0, 0],
            wanted,
        )
        assert np.array_equal(array.get()[:, :width], values[:, :width])
        array[...] = values


def test_swizzle_atomicities_that_no_source_settles_are_refused() -> None:
    """Bit 20 alone is the 128-byte swizzle with a flip of 8 bytes; others need 128 bytes."""
    device: Any = lanemap.open_device("sm_100a", device="emulator")
    array = device.array(np.zeros((8, 64), np.uint16))
    for swizzle, bits in (("128b", 2), ("64b", 1), ("none", 3)):
        plain = device.tensor_map(array, (8, 32), swizzle=swizzle)
        data = bytearray(plain.data)
        data[8 + 2] |= bits << 19 - 16
        with pytest.raises(Hazard, match=f"swizzle atomicity {bits}"):
            load(device, replace(plain, data=bytes(data)), tile_form(2), [0, 0], 512)


def test_gather_and_scatter_of_four_rows() -> None:
    device: Any = lanemap.open_device("sm_100a", device="emulator")
    values, rows = tensor(2), [7, 0, 3, 9]
    array = device.array(values)
    form = "2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes"
    found = load(device, device.tensor_map(array, (1, 16)), form, [8, *rows], 128)
    assert np.array_equal(found.view(np.uint16).reshape(4, 16), values[rows, 8:24])
    data = np.arange(64, dtype=np.uint16) + 9000
    store(
        device,
        device.tensor_map(array, (1, 16)),
        "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group",
        [8, *rows],
        data,
    )
    values[rows, 8:24] = data.reshape(4, 16)
    assert np.array_equal(array.get(), values)


def test_im2col_gives_the_windows_of_a_filter() -> None:
    """Column by column: what a 3x3 filter with padding 1 meets at offset (2, 0), by NumPy."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    values = np.arange(2 * 5 * 6 * 8, dtype=np.uint16).reshape(2, 5, 6, 8) + 1
    map_ = device.tensor_map_im2col(device.array(values), (-1, -1), (-1, -1), 8, 60)
    form = "4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
    found = load(device, map_, form, [0, -1, -1, 0], 60 * 16, offsets=(0, 2))
    padded = np.pad(values, [(0, 0), (1, 1), (1, 1), (0, 0)])
    wanted = np.stack([padded[:, 2 + y, x] for y in range(5) for x in range(6)], axis=1)
    assert np.array_equal(found.view(np.uint16).reshape(60, 8), wanted.reshape(60, 8))


MULTICAST = """
.extern .shared .align 1024 .b8 buffer[];
.visible .entry copy(.param .align 64 .b8 map[128], .param .u64 out)
{{
.reg .b64 %map, %out, %a; .reg .b32 %t, %v, %s, %z, %r, %n; .reg .pred %p, %q; .reg .b16 %mask;
.shared .align 8 .b64 bar;
ld.param.u64 %out, [out];
mov.b64 %map, map; cvta.param.u64 %map, %map;
mov.u32 %t, %tid.x; mov.u32 %s, buffer; mov.u32 %r, %cluster_ctarank; mov.u32 %z, 0;
setp.ne.u32 %p, %t, 0;
@%p bra READY;
mbarrier.init.shared.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
{expected}
mbarrier.arrive.expect_tx.shared.b64 _, [bar], %n;
READY:
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
setp.ne.or.u32 %q, %r, 0, %p;
@%q bra WAIT;
mov.b16 %mask, 15;
cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster{group}
  [%s], [%map, {{%z}}], [bar], %mask;
WAIT:
mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
@!%p bra WAIT;
{reads}
shl.b32 %v, %t, 2; add.u32 %v, %v, %s; ld.shared.b32 %v, [%v];
mad.lo.u32 %n, %r, 32, %t; mul.wide.u32 %a, %n, 4; add.u64 %a, %a, %out; st.global.b32 [%a], %v;
OVER:
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
ret;
}}
"""


def test_multicast_reaches_each_cta_and_its_mbarrier() -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    values = np.arange(32, dtype=np.uint32) + 7
    map_, out = device.tensor_map(device.array(values), (32,)), device.zeros((4, 32), np.uint32)
    text = MULTICAST.format(expected="mov.u32 %n, 128;", group="", reads="")
    module = device.load(ptx.module(text))
    module["copy"](4, 32, (map_, out), shared_bytes=128, cluster=4)
    assert np.array_equal(out.get(), np.tile(values, (4, 1)))


def test_cta_group_2_signals_the_even_cta_of_each_pair() -> None:
    """The even CTAs expect the bytes of both of their pair; the odd ones expect none."""
    device: Any = lanemap.open_device("sm_100a", device="emulator")
    values = np.arange(32, dtype=np.uint32) + 7
    map_, out = device.tensor_map(device.array(values), (32,)), device.zeros((4, 32), np.uint32)
    expected = "and.b32 %n, %r, 1; xor.b32 %n, %n, 1; mul.lo.u32 %n, %n, 256;"
    even = "and.b32 %n, %r, 1; setp.ne.u32 %p, %n, 0; @%p bra OVER;"
    text = MULTICAST.format(expected=expected, group=".cta_group::2", reads=even)
    module = device.load(ptx.module(text, "sm_100a"))
    module["copy"](4, 32, (map_, out), shared_bytes=128, cluster=4)
    assert np.array_equal(out.get(), np.stack([values, 0 * values] * 2))


@pytest.mark.parametrize("form, sentence", [
    (tile_form(3), "must have 3 coordinates"),
    ("2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes", "needs 3 to 5 dimensions"),
    ("2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes", "has no tile::gather4"),
    (tile_form(2) + ".cta_group::2", "has no cta_group::2"),
    ("3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes", "no source says"),
])  # fmt: skip
def test_forms_that_are_not_there_are_refused(form: str, sentence: str) -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    text = ptx.module(LOAD.format(form=form, **coordinates(2)))
    with pytest.raises(UserError, match=sentence):
        device.load(text)["copy"]
