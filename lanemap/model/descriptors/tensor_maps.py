"""The 128 bytes of a tensor map, which the driver calls opaque."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from lanemap.errors import UserError
from lanemap.model import tensor_map, tensor_map_bits
from lanemap.model.descriptors.shown import Descriptor, Shown, number, ordered, set_bits
from lanemap.model.tensor_map import (
    DATA_TYPES,
    FUNCTIONS,
    INTERLEAVES,
    L2_PROMOTIONS,
    OOB_FILLS,
    SWIZZLES,
    TensorMapParameters,
)
from lanemap.model.tensor_map_bits import BYTES, ELEMENTS, FIELDS

_SOURCE = "what cuTensorMapEncode* returned on an H200 (results/sm_90a/cuda/tensor_maps.json)"
_BLACKWELL = "the machine code that ptxas 13.0 makes of tensormap.replace for sm_100a"
_MEANINGS = {
    "address": "global address", "im2col": "im2col mode", "rank": "dimensions", "type": "type",
    "interleave": "interleaved layout", "swizzle": "swizzle", "fill": "out-of-bounds fill",
    "rounds": "f32 is rounded to tf32", "promotion": "L2 promotion", "atomicity": "swizzle atom",
    "unknown": "unknown; tensormap.replace of the swizzle clears it", "stride": "bytes to the next",
    "size": "elements of the dimension", "step": "element stride", "box": "elements of the box",
    "pixels": "pixels of a column", "box_bytes": "bytes of a box", "plain": "no swizzle",
    "span": "repeats the swizzle's width",
}  # fmt: skip
_WIDTHS = ("none", "32b", "64b", "128b")
_ATOMS = ("16b", "32b", "32b_flip_8b", "64b")


def decode(data: bytes) -> Descriptor:
    """Show a map: what is known of its bits.

    Raises:
        UserError: It has not 128 bytes.
    """
    if len(data) != BYTES:
        raise UserError(f"a tensor map has {BYTES} bytes, and this has {len(data)}")
    word = int.from_bytes(data, "little")
    shown = ordered(_fields(word))
    covered = sum(((1 << each.width) - 1) << each.low for each in _all_fields(word))
    stray = word & ~covered
    faults = tuple(_faults(word)) + (
        (f"no field that is known has {set_bits(stray)}",) if stray else ()
    )
    words = tuple(f"{word >> 64 * i & (1 << 64) - 1:#018x}" for i in range(BYTES // 8))
    return Descriptor("tensor map", words, shown, faults)


def _of(word: int, name: str, index: int = 0) -> int:
    field = FIELDS[name]
    return word >> field.at(index) & (1 << field.width) - 1


def _shown(word: int, name: str, index: int, label: str, means: str) -> Shown:
    field, value = FIELDS[name], _of(word, name, index)
    meaning = _MEANINGS.get(name.partition("_")[0] if name[:5] in ("lower", "upper") else name, "")
    meaning = meaning or "corner of an im2col box"
    source = _BLACKWELL if name == "atomicity" else _SOURCE
    return Shown(label, field.at(index), field.width, value, means or str(value), meaning, source)


def _fields(word: int) -> Iterator[Shown]:
    rank = _of(word, "rank") + 1
    yield _shown(word, "address", 0, "address", f"{_of(word, 'address'):#x}")
    yield _shown(word, "rank", 0, "rank", str(rank))
    names = tuple(ELEMENTS)
    kind = _of(word, "type")
    yield _shown(word, "type", 0, "type", names[kind].lower() if kind < len(names) else "no type")
    for name, words in (
        ("interleave", INTERLEAVES), ("swizzle", _WIDTHS), ("atomicity", _ATOMS),
        ("promotion", L2_PROMOTIONS), ("fill", OOB_FILLS),
    ):  # fmt: skip
        value = _of(word, name)
        yield _shown(word, name, 0, name, words[value] if value < len(words) else "")
    for name in ("im2col", "rounds", "unknown", "box_bytes", "plain", "span"):
        yield _shown(word, name, 0, name, "")
    for i in range(min(rank, 5)):
        yield _shown(word, "size", i, f"size[{i}]", str(_of(word, "size", i) + 1))
        yield _shown(word, "step", i, f"step[{i}]", str(_of(word, "step", i) + 1))
    for i in range(min(rank, 5) - 1):
        high = _of(word, "stride_high", i) << FIELDS["stride"].width
        yield _shown(
            word, "stride", i, f"stride[{i}]", f"{(_of(word, 'stride', i) | high) * 16} bytes"
        )
    if _of(word, "im2col") and rank in (3, 4, 5):
        for i in range(rank - 2):
            for side in ("lower", "upper"):
                field = FIELDS[f"{side}_{rank}"]
                value = _of(word, f"{side}_{rank}", i)
                signed = value - (value >> field.width - 1 << field.width)
                yield _shown(word, f"{side}_{rank}", i, f"{side}[{i}]", str(signed))
        yield _shown(word, "pixels", 0, "pixels", str(_of(word, "pixels") + 1))
        yield _shown(word, "box", 0, "channels", str(_of(word, "box") + 1))
    else:
        for i in range(min(rank, 5)):
            yield _shown(word, "box", i, f"box[{i}]", str(_of(word, "box", i) + 1))


def _all_fields(word: int) -> Iterator[Shown]:
    """The fields that are shown, and the high bits of strides."""
    yield from _fields(word)
    for i in range(4):
        field = FIELDS["stride_high"]
        yield Shown("", field.at(i), field.width, 0, "", "", "")


def _faults(word: int) -> Iterator[str]:
    rank, kind = _of(word, "rank") + 1, _of(word, "type")
    if rank > tensor_map_bits.DIMENSIONS:
        yield f"rank is {rank}, and at most {tensor_map_bits.DIMENSIONS}"
        return
    if kind >= len(ELEMENTS):
        yield f"type {kind} is none"
        return
    bits = tuple(ELEMENTS.values())[kind]
    swizzle, interleave = _of(word, "swizzle"), _of(word, "interleave")
    align = 32 if interleave == 2 else 16
    if _of(word, "address") % align:
        yield f"address {_of(word, 'address'):#x} is no multiple of {align}"
    row = (_of(word, "box") + 1) * bits // 8
    if swizzle and not interleave and row > 16 << swizzle:
        yield f"a row of the box has {row} bytes, more than the {16 << swizzle} of the swizzle"
    if _of(word, "atomicity") and swizzle != 3:
        yield "a swizzle atom is of the 128-byte swizzle alone"


_LISTS = ("dims", "strides", "box", "lower", "upper", "element_strides")
_NAMES = {
    "data_type": DATA_TYPES, "interleave": INTERLEAVES, "swizzle": SWIZZLES,
    "l2_promotion": L2_PROMOTIONS, "oob_fill": OOB_FILLS,
}  # fmt: skip


def encode(values: Mapping[str, str], target: str) -> bytes:
    """The 128 bytes that the driver makes of parameters, which have the names of its function.

    Dimensions are innermost first, strides in bytes. What is left out is 0 or, of element strides,
    1.

    Raises:
        UserError: There is no such parameter, one is missing, or the driver refuses them.
    """
    known = [each.name for each in fields(TensorMapParameters) if each.name != "rank"]
    if unknown := [name for name in values if name not in known]:
        raise UserError(f"there is no parameter {unknown[0]}; they are {', '.join(known)}")
    given: dict[str, Any] = {"mode": "tiled", "address": 0, "strides": ()}
    for name, text in values.items():
        if name in _LISTS:
            given[name] = tuple(number(name, part) for part in text.split(",") if part)
        elif name == "mode":
            given[name] = text
        else:
            names = {each: code for code, each in enumerate(_NAMES.get(name, ()))}
            given[name] = number(name, text, names or None)
    if missing := [name for name in ("data_type", "dims") if name not in given]:
        raise UserError(f"a tensor map needs {missing[0]}")
    if given["mode"] not in FUNCTIONS:
        raise UserError(f"mode={given['mode']} is none; the modes are {', '.join(FUNCTIONS)}")
    given["rank"] = len(given["dims"])
    given.setdefault("element_strides", (1,) * given["rank"])
    return tensor_map.encode(TensorMapParameters(**given), target)
