"""The class of each instruction, used by counters.

Vector arithmetic is classed by element type: integer, half (any 16-bit float), float, double.
Arithmetic for the whole wave is "scalar". Accesses are classed by memory and direction, and all
other instructions by purpose.
"""

from __future__ import annotations

import re

from lanemap.emulator.amdgcn.lower.table import Definition

#: Of instructions without a vector operation: by their kind in the table.
_CONTROL = {
    "branch": "control", "condition": "control", "end": "control", "jump": "control",
    "call": "control", "wait": "wait", "fence": "fence", "mode": "control", "host": "control",
}  # fmt: skip
_SPACES = {"global": "global", "buffer": "global", "tbuffer": "global",
           "scratch": "private", "flat": "generic",
           "ds": "shared"}  # fmt: skip
_DIRECTIONS = {"load": "load", "store": "store", "atomic": "atomic", "ds_atomic": "atomic"}
_SPECIAL = re.compile(r"v_(rcp|rsq|sqrt|exp|log|sin|cos|prng|div_(scale|fmas|fixup))(_|$)")
_EXCHANGE = re.compile(r"v_(readlane|readfirstlane|writelane|permlane)|ds_(b?permute|swizzle)_b32$")
_MOVE = re.compile(r"v_(pk_mov|mov|accvgpr|swap)_")
_TYPES = re.compile(r"_(?:pk_)?(b?f16|f32|f64)")
_FLOATS = {"f16": "half", "bf16": "half", "f32": "float", "f64": "double"}
_SHAPE = re.compile(r"v_(s?)mfmac?_(?:scale_)?\w\d\d_(\d+)x(\d+)x(\d+)_?(?:(\d+)b_)?")


def kind_of(definition: Definition) -> str:
    """The class of an instruction."""
    name, form = definition.name, definition.format.name
    if definition.kind in _CONTROL:
        return _CONTROL[definition.kind]
    if name.startswith("s_"):
        return _of_scalar(name, form)
    if name in ("v_nop", "v_clrexcp", "ds_nop"):
        return "control"
    if _EXCHANGE.match(name):
        return "exchange"
    if definition.kind in _DIRECTIONS:
        return f"{_SPACES[name.split('_')[0]]} {_DIRECTIONS[definition.kind]}"
    return _of_vector(name, form)


def _of_scalar(name: str, form: str) -> str:
    if form == "SMEM":
        directions = [word for word in ("load", "store", "atomic") if f"_{word}_" in name]
        return f"scalar {directions[0]}" if directions else "fence"
    if name == "s_barrier":
        return "barrier"
    return "control" if form == "SOPP" else "scalar"


def _of_vector(name: str, form: str) -> str:
    if name.startswith(("v_mfma", "v_smfmac")):
        return "matrix"
    if form == "VOPC" or name.startswith("v_cndmask"):
        return "compare"
    for kind, words in (("special function", _SPECIAL), ("move", _MOVE)):
        if words.match(name):
            return kind
    if name.startswith("v_cvt"):
        return "conversion"
    types = _TYPES.findall(name)
    return _FLOATS[types[0]] if types else "integer"


def of_wave(definition: Definition) -> bool:
    """Whether an instruction executes once per wave, so that lane counts do not apply."""
    return definition.name.startswith("s_")


def products_of(definition: Definition) -> int:
    """The multiplications of a matrix instruction, 0 for any other."""
    shape = _SHAPE.match(definition.name)
    if shape is None:
        return 0
    m, n, k = (int(shape[number]) for number in (2, 3, 4))
    return (
        m * n * k * int(shape[5] or definition.extra.get("blocks", 1)) // (2 if shape[1] else 1)
    )  # of four k A keeps two
