"""The CUDA driver's answers to every parameter set of the grid, and the part a row keeps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from lanemap.conformance.tensor_maps import grid
from lanemap.devices.tensor_maps import TENSOR_MAP_FUNCTIONS, TensorMapParameters

SUCCESS = "CUDA_SUCCESS"
#: What a line of the row says of a parameter set, in this order.
COLUMNS = {
    "tiled": "data_type rank address dims strides element_strides box interleave swizzle "
             "l2_promotion oob_fill",
    "im2col": "data_type rank address dims strides element_strides lower upper channels pixels "
              "interleave swizzle l2_promotion oob_fill",
    "im2col_wide": "data_type rank address dims strides element_strides lower upper channels "
                   "pixels interleave wide_mode swizzle l2_promotion oob_fill",
}  # fmt: skip


class Encoder(Protocol):
    """A device that encodes tensor maps."""

    def encode_tensor_map(self, parameters: TensorMapParameters) -> tuple[str, bytes]:
        """Return the driver's status by its name, and the 128 bytes."""


def line(parameters: TensorMapParameters) -> str:
    """The parameters as a line of the row; the address is hexadecimal."""
    words = []
    for name in COLUMNS[parameters.mode].split():
        value = getattr(parameters, name)
        if isinstance(value, tuple):
            words.append(",".join(map(str, value)) or "-")
        else:
            words.append(f"{value:x}" if name == "address" else str(value))
    return " ".join(words)


def parameters(mode: str, text: str) -> TensorMapParameters:
    """Return the parameters that `line` was made from."""
    values: dict[str, Any] = {}
    for name, word in zip(COLUMNS[mode].split(), text.split(), strict=True):
        if name == "address":
            values[name] = int(word, 16)
        elif name in ("dims", "strides", "element_strides", "box", "lower", "upper"):
            values[name] = () if word == "-" else tuple(map(int, word.split(",")))
        else:
            values[name] = int(word)
    return TensorMapParameters(mode, **values)


def outcome(device: Encoder, given: TensorMapParameters) -> str:
    """The bytes of a map in hexadecimal without trailing zeros, or the status of a failure."""
    status, data = device.encode_tensor_map(given)
    return data.rstrip(b"\0").hex() if status == SUCCESS else status


def digest(outcomes: Iterable[str]) -> str:
    """One hash of the outcomes of a series."""
    return "sha256:" + hashlib.sha256("\n".join(outcomes).encode()).hexdigest()


def observe(device: Encoder) -> Mapping[str, Any]:
    """Ask the driver for every map; return the findings of the row."""
    findings: dict[str, Any] = {}
    for mode, function in TENSOR_MAP_FUNCTIONS.items():
        members = [(each, outcome(device, each)) for each in grid.grid(mode)]
        series = []
        for number in range(grid.SERIES):
            outcomes = [outcome(device, each) for each in grid.series(mode, number)]
            failed = sum(text.startswith("CUDA") for text in outcomes)
            series.append({"members": len(outcomes), "failed": failed, "hash": digest(outcomes)})
        refused = sum(text.startswith("CUDA") for _, text in members)
        print(f"{function}: {len(members)} parameter sets, {refused} refused", flush=True)
        findings[function] = {
            "columns": COLUMNS[mode],
            "maps": [f"{line(each)} = {text}" for each, text in members],
            "series": series,
        }
    return findings
