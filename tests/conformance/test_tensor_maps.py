"""The encoder of tensor maps against what the CUDA driver returned on an H200."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.conformance.tensor_maps import grid, trial
from lanemap.devices.tensor_maps import TENSOR_MAP_FUNCTIONS, TensorMapParameters
from lanemap.errors import UserError
from lanemap.paths import find

ROW = find("results") / "sm_90a" / "cuda" / "tensor_maps.json"
REFUSED = "CUDA_ERROR_INVALID_VALUE"


class Emulated:
    """The emulator, which raises where the driver returns a status."""

    def __init__(self) -> None:
        self.device: Any = lanemap.open_device("sm_90a", device="emulator")

    def encode_tensor_map(self, parameters: TensorMapParameters) -> tuple[str, bytes]:
        try:
            return self.device.encode_tensor_map(parameters)
        except UserError as error:
            assert REFUSED in str(error)
            return REFUSED, b""


@cache
def row() -> dict[str, Any]:
    return json.loads(ROW.read_text())["findings"]


@pytest.mark.parametrize("mode", TENSOR_MAP_FUNCTIONS)
def test_every_map_of_the_grid_has_the_drivers_bytes(mode: str) -> None:
    emulated, maps = Emulated(), row()[TENSOR_MAP_FUNCTIONS[mode]]["maps"]
    parts = [line.split(" = ") for line in maps]
    wrong = [
        line
        for (given, driver), line in zip(parts, maps, strict=True)
        if trial.outcome(emulated, trial.parameters(mode, given)) != driver
    ]
    assert not wrong, wrong[:5]
    assert 1000 < sum(driver == REFUSED for _, driver in parts) < len(maps) - 1000
    assert [given for given, _ in parts] == [trial.line(each) for each in grid.grid(mode)]


@pytest.mark.parametrize("number", [0, pytest.param(range(1, grid.SERIES), marks=pytest.mark.slow)])
@pytest.mark.parametrize("mode", TENSOR_MAP_FUNCTIONS)
def test_random_maps_have_the_drivers_bytes(mode: str, number: Any) -> None:
    emulated, series = Emulated(), row()[TENSOR_MAP_FUNCTIONS[mode]]["series"]
    for each in [number] if isinstance(number, int) else number:
        outcomes = [trial.outcome(emulated, given) for given in grid.series(mode, each)]
        assert trial.digest(outcomes) == series[each]["hash"], each
        assert outcomes.count(REFUSED) == series[each]["failed"]


#: A change of a legal call, and the parameter that the sentence names.
ILLEGAL = [
    ({"box": (8, 0)}, r"boxDim\[0\] 0 is not 1 to 256"),
    ({"box": (257, 8)}, r"boxDim\[1\] 257"),
    ({"box": (8, 4)}, r"boxDim\[0\] 4 is 8 bytes, not a multiple of 16"),
    ({"box": (8, 32), "swizzle": "32b"}, r"boxDim\[0\] 32 is 64 bytes, more than the 32"),
    ({"box": (256, 256), "dtype": "uint64"}, r"524288 bytes, more than 233472"),
    ({"strides": (72,)}, r"globalStrides\[0\] 72 is not a multiple of 16"),
    ({"sizes": (0, 32)}, r"globalDim\[1\] 0"),
    ({"element_strides": (9, 1)}, r"elementStrides\[1\] 9 is not 1 to 8"),
    ({"interleave": "16b"}, "tensorRank 2 is not 3 to 5"),
    ({"swizzle": "128b_atom_32b"}, "swizzle 4 is not below 4 on sm_90a"),
    ({"dtype": "16u4_align8b"}, "tensorDataType 13 is not below 13 on sm_90a"),
    ({"oob_fill": "nan_request_zero_fma"}, "oobFill NAN_REQUEST_ZERO_FMA needs a float"),
    ({"byte_offset": 8}, "globalAddress .* is not a multiple of 16"),
]


@pytest.mark.parametrize("change, sentence", ILLEGAL)
def test_a_refused_parameter_is_named(change: dict[str, Any], sentence: str) -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    array = device.zeros((64, 32), np.uint16)
    legal = {"box": (16, 8)}
    assert len(device.tensor_map(array, **legal).data) == 128
    with pytest.raises(UserError, match=f"cuTensorMapEncodeTiled: .*{sentence}.*{REFUSED}"):
        device.tensor_map(array, **{**legal, **change})


def test_names_and_shapes_are_checked() -> None:
    device: Any = lanemap.open_device("sm_100a", device="emulator")
    array = device.zeros((4, 6, 8, 16), np.float16)
    assert device.tensor_map(array, (1, 2, 4, 64), swizzle="128b_atom_64b")
    assert device.tensor_map_im2col(array, (-1, -1), (-1, -1), 16, 32)
    assert device.tensor_map_im2col(array, (-1,), (-1,), 16, 32, mode="w128")
    with pytest.raises(UserError, match="'256b' is not one of none, 32b"):
        device.tensor_map(array, (1, 1, 1, 8), swizzle="256b")
    with pytest.raises(UserError, match=r"box \[8, 8\] does not fit a tensor of 4 dimensions"):
        device.tensor_map(array, (8, 8))
    with pytest.raises(UserError, match="do not fit a tensor of 4 dimensions"):
        device.tensor_map_im2col(array, (-1,), (-1,), 16, 32)
    with pytest.raises(UserError, match=r"pixelBoxLowerCorner\[1\] -129 is not -128 to 127"):
        device.tensor_map_im2col(array, (-129, 0), (0, 0), 16, 32)
    with pytest.raises(UserError, match="no type for complex64"):
        device.tensor_map(device.zeros((4, 4), np.complex64), (4, 4))
    amd: Any = lanemap.open_device("gfx950", device="emulator")
    with pytest.raises(UserError, match="gfx950 has no tensor maps"):
        amd.tensor_map(amd.zeros((4, 16), np.uint8), (4, 16))
