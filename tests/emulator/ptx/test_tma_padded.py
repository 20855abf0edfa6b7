"""Tensor copies of elements of 4 and 6 bits, which shared memory has in units of 16 bytes.

CUDA Driver API, cuTensorMapEncodeTiled: 16U4_ALIGN16B copies 16 packed elements to 16 bytes with
gaps of 8 bytes, 16U6_ALIGN16B with gaps of 4; rows of a box have 128 elements. An mbarrier counts
the bytes of the tensor, as Triton 3.9 expects of an mxfp8 x mxfp4 product (25,600 bytes a stage:
128 x 128, 128 x 64 and two times 512).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from tests import ptx
from tests.emulator.ptx.test_tma import LOAD, STORE, coordinates, tile_form

ROWS, K, BOX = 40, 256, 32
TYPES = {"16u4_align16b": 4, "16u6_align16b": 6}


def _launch(device: Any, made: Any, start: list[int], counted: int) -> Any:
    """Load a box of 32 rows of 128 bytes, of which the mbarrier counts so many; they come back."""
    text = ptx.module(LOAD.format(form=tile_form(2), **coordinates(2)), device.target)
    expects = "expect_tx.shared.b64 _, [bar], "
    text = text.replace(f"{expects}%n", f"{expects}{counted}")
    out, size = device.zeros(BOX * 128, np.uint8), BOX * 128
    place = device.array(np.array(start, np.int32))
    device.load(text)["copy"](1, 32, (made, place, out, np.uint32(size)), shared_bytes=size)
    return out


def _made(device: Any, given: Any, kind: str, swizzle: str) -> Any:
    width = K * TYPES[kind] // 8
    return device.tensor_map(
        device.array(given),
        (BOX, 128),
        dtype=kind,
        sizes=(ROWS, K),
        strides=(width,),
        swizzle=swizzle,
    )


@pytest.mark.parametrize("swizzle", ["none", "128b"])
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("start", [(0, 0), (128, 24), (256, 8)])
def test_units_are_padded(kind: str, swizzle: str, start: tuple[int, int]) -> None:
    """Rows and elements outside of the tensor are zeros; the padding is undefined."""
    device = lanemap.open_device("sm_100a", "emulator", hazards="report")
    unit = 2 * TYPES[kind]
    given = np.random.default_rng(4).integers(0, 256, (ROWS, K // 16, unit)).astype(np.uint8)
    counted = BOX * 8 * unit
    out = _launch(device, _made(device, given, kind, swizzle), list(start), counted)
    expected = np.zeros((BOX, 8, 16), np.uint8)
    inside = given[start[1] : start[1] + BOX, start[0] // 16 : start[0] // 16 + 8]
    expected[: len(inside), : inside.shape[1], :unit] = inside
    if swizzle == "128b":  # PTX ISA, Swizzling modes: unit j of row i lies at j ^ i % 8
        row, column = np.indices((BOX, 8))
        expected = expected[row, column ^ row % 8]
    got, undefined = out.get().reshape(BOX, 8, 16), out.undefined()
    assert np.array_equal(got[..., :unit], expected[..., :unit])
    assert undefined is not None
    unknown = undefined.reshape(BOX, 8, 16, 8).any(axis=-1)
    assert unknown[..., unit:].all() and not unknown[..., :unit].any()


def test_the_mbarrier_counts_bytes_of_the_tensor() -> None:
    """Bytes of shared memory are twice as many, and never come."""
    device = lanemap.open_device("sm_100a", "emulator")
    made = _made(device, np.zeros((ROWS, K // 2), np.uint8), "16u4_align16b", "none")
    with pytest.raises(Hazard) as caught:
        _launch(device, made, [0, 0], BOX * 128)
    assert caught.value.kind == "deadlock"


def test_a_coordinate_inside_a_row_of_128_is_a_hazard() -> None:
    device = lanemap.open_device("sm_100a", "emulator")
    made = _made(device, np.zeros((ROWS, K // 2), np.uint8), "16u4_align16b", "none")
    with pytest.raises(Hazard, match="coordinate"):
        _launch(device, made, [64, 0], BOX * 64)


def test_a_store_is_not_known() -> None:
    device = lanemap.open_device("sm_100a", "emulator")
    made = _made(device, np.zeros((ROWS, K // 2), np.uint8), "16u4_align16b", "none")
    form = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
    text = ptx.module(STORE.format(form=form, **coordinates(2)), "sm_100a")
    place, data = device.array(np.zeros(2, np.int32)), device.zeros(BOX * 128, np.uint8)
    with pytest.raises(Hazard, match="element type 12, which the emulator does not copy"):
        device.load(text)["copy"](
            1, 32, (made, place, data, np.uint32(BOX * 128)), shared_bytes=BOX * 128
        )
