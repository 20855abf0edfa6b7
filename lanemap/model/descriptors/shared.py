"""Descriptors of operands in shared memory: of wgmma and of tcgen05."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import IntArray
from lanemap.model.descriptor_fields import TENSOR_SHARED, WGMMA_SHARED, Field, unused
from lanemap.model.descriptors.shown import (
    Descriptor,
    Shown,
    number,
    ordered,
    packed,
    set_bits,
    units,
)
from lanemap.model.shared_layout import dense_tile
from lanemap.model.shared_tiles import SWIZZLES, Tile

FIELDS = {"wgmma": WGMMA_SHARED, "tcgen05": TENSOR_SHARED}
_UNIT = 16
_IN_BYTES = ("start", "leading", "stride")
_PATTERN_ROWS = 128


def codes(kind: str) -> dict[str, int]:
    """The code of each swizzle; that of wgmma has not the lowest bit of tcgen05's."""
    found = {name: each.code for name, each in SWIZZLES.items()}
    return found if kind == "tcgen05" else {n: c >> 1 for n, c in found.items() if not c & 1}


def decode(kind: str, word: int, major: str = "", bits: int = 0) -> Descriptor:
    """Show a descriptor, and for a major and a width of elements the layout that it means.

    Args:
        kind: "wgmma" or "tcgen05".
        word: 64 bits.
        major: "k" or "mn"; "" if it is not known.
        bits: Width of an element; 0 if it is not known.
    """
    fields, names = FIELDS[kind], {code: name for name, code in codes(kind).items()}
    shown = []
    for name, field in fields.items():
        value = field.of(word)
        means = f"{value * _UNIT} bytes" if name in _IN_BYTES else ""
        if name == "start":
            means = f"{value * _UNIT:#x}"
        if name == "swizzle":
            means = names.get(value, "no mode")
        shown.append(Shown.of(name, field, word, means))
    faults = tuple(_faults(kind, fields, word, major, names))
    notes = tuple(_pattern(fields, word, names))
    if major and bits and not faults:
        notes += tuple(_layout(tile_of(kind, word, major, bits)))
    return Descriptor(
        f"shared-memory descriptor of {kind}", (f"{word:#018x}",), ordered(shown), faults, notes
    )


def _faults(
    kind: str, fields: Mapping[str, Field], word: int, major: str, names: Mapping[int, str]
) -> Iterator[str]:
    if stray := word & unused(dict(fields), 64):
        yield f"no field has {set_bits(stray)}, which must be 0"
    if word >> 64:
        yield "a descriptor has 64 bits"
    if kind == "tcgen05" and fields["version"].of(word) != 1:
        yield f"version (bits 46-48) is {fields['version'].of(word)}, and must be 1"
    if kind == "tcgen05" and fields["leading_mode"].of(word):
        yield "leading_mode (bit 52) is 1, an absolute address, which sm_103a alone has"
    code = fields["swizzle"].of(word)
    swizzle = names.get(code)
    if swizzle is None:
        yield f"swizzle {code} is no mode; the modes are " + ", ".join(
            f"{each} = {name}" for each, name in sorted(names.items())
        )
        return
    chosen = SWIZZLES[swizzle]
    if major and major not in chosen.majors:
        yield f"swizzle {swizzle} has atoms for {chosen.majors[0].upper()}-major operands alone"
    start, base = fields["start"].of(word) * _UNIT, fields["base"].of(word)
    if chosen.mask and base and ((start // _PATTERN_ROWS) - base) & chosen.mask:
        yield (
            f"start {start:#x} with base {base}: swizzle {swizzle} repeats every "
            f"{(chosen.mask + 1) * _PATTERN_ROWS} bytes, and an operand with a base offset starts "
            "in its first row"
        )


def _pattern(fields: Mapping[str, Field], word: int, names: Mapping[int, str]) -> Iterator[str]:
    """Where in the swizzle's pattern an operand without a base offset begins."""
    mask = SWIZZLES[names.get(fields["swizzle"].of(word), "none")].mask
    row = fields["start"].of(word) * _UNIT // _PATTERN_ROWS & mask
    if row and not fields["base"].of(word):
        yield f"the operand begins in row {row} of the swizzle's pattern, which goes by the address"


def _layout(tile: Tile) -> Iterator[str]:
    """The layout in words, and as CuTe writes it, in elements."""
    yield f"{tile.major.upper()}-major, elements of {tile.bits} bits: {cute(tile)}"
    where = f"shared.{tile.major}_major.{tile.swizzle}.{tile.bits}bit"
    dense = dense_tile(tile.major, tile.swizzle, tile.bits)
    same = (dense.leading_bytes, dense.stride_bytes) == (tile.leading_bytes, tile.stride_bytes)
    yield f"the map of {where}" + ("" if same else ", with other offsets")


def cute(tile: Tile) -> str:
    """The canonical layout as CuTe writes it, M or N first, then K, in elements.

    NVIDIA/cutlass, mma_sm100_desc.hpp and mma_traits_sm90_gmma.hpp: the canonical layouts.
    """
    chosen, unit = SWIZZLES[tile.swizzle], tile.unit
    width = 8 * chosen.width // tile.bits
    leading, stride = (8 * each // tile.bits for each in (tile.leading_bytes, tile.stride_bytes))
    if tile.major == "k" and not chosen.mask:
        text = f"((8,m),({unit},2)):(({unit},{stride}),(1,{leading}))"
    elif tile.major == "k":
        text = f"((8,m),{width}):(({width},{stride}),1)"
    elif not chosen.mask:
        text = f"(({unit},m),(8,k)):((1,{stride}),({unit},{leading}))"
    else:
        step = 4 if tile.swizzle == "128b_atom32b" else 8
        text = f"(({width},m),({step},k)):((1,{leading}),({width},{stride}))"
    base = 5 if chosen.shift == 5 else 4
    return f"Swizzle<{chosen.mask.bit_length()},{base},3> o {text}"


def tile_of(kind: str, word: int, major: str, bits: int) -> Tile:
    """The tile that a descriptor describes, of the rows and k of its dense tile.

    Raises:
        UserError: The descriptor has no swizzling mode, or none for the major.
    """
    fields, names = FIELDS[kind], {code: name for name, code in codes(kind).items()}
    swizzle = names.get(fields["swizzle"].of(word), "")
    if not swizzle or major not in SWIZZLES[swizzle].majors:
        raise UserError(f"{word:#x} describes no {major.upper()}-major operand")
    dense = dense_tile(major, swizzle, bits)
    leading, stride = (fields[name].of(word) * _UNIT for name in ("leading", "stride"))
    return replace(dense, leading_bytes=leading, stride_bytes=stride)


def encode(kind: str, values: Mapping[str, str]) -> int:
    """The word of a descriptor; start, leading and stride are given in bytes.

    Raises:
        UserError: There is no such field, or a value does not fit it.
    """
    numbers = {"version": 1} if kind == "tcgen05" else {}
    for name, text in values.items():
        value = number(name, text, codes(kind) if name == "swizzle" else None)
        numbers[name] = units(name, value, _UNIT) if name in _IN_BYTES else value
    return packed(FIELDS[kind], numbers)


def of_tile(kind: str, tile: Tile, start: int = 0) -> int:
    """The descriptor of a tile that begins at an address.

    Raises:
        UserError: The kind has not the tile's swizzle, or an offset does not fit.
    """
    if tile.swizzle not in codes(kind):
        raise UserError(f"wgmma has no swizzle {tile.swizzle}; it has {', '.join(codes(kind))}")
    values = {"start": start, "leading": tile.leading_bytes, "stride": tile.stride_bytes}
    return encode(
        kind, {name: str(value) for name, value in values.items()} | {"swizzle": tile.swizzle}
    )


#: Bits of K that one product takes: 32 bytes.
_STEP_BITS = 256


def tiles_of(places: IntArray, bits: int) -> Iterator[Tile]:
    """The canonical tiles that hold a matrix where a layout has it, for the first step of K.

    Args:
        places: The index of the element in shared memory, by row (M or N) and k.
        bits: Width of an element.
    """
    depth = min(places.shape[1], _STEP_BITS // bits)
    seen = places[:, :depth] * bits
    row, k = np.indices(seen.shape)
    for name, chosen in SWIZZLES.items():
        linear = 8 * chosen(seen // 8) + seen % 8
        for major in chosen.majors:
            if (bits < 8 and major == "mn") or (name == "128b_atom32b" and bits != 32):
                continue
            leading, stride = _offsets(linear, dense_tile(major, name, bits))
            tile = Tile(major, name, bits, places.shape[0], depth, leading, stride)
            fits = min(leading, stride) > 0 and not (leading | stride) % _UNIT
            if fits and (tile.bit_offset(row, k) == linear).all():
                yield tile


def _offsets(linear: IntArray, dense: Tile) -> tuple[int, int]:
    """LBO and SBO: how far the element lies with which each begins to count; those of `dense`.

    For elements that the matrix does not have, the offset has no effect.
    """
    width = 8 * SWIZZLES[dense.swizzle].width // dense.bits
    plain = not SWIZZLES[dense.swizzle].mask
    group = 4 if dense.swizzle == "128b_atom32b" else 8
    if dense.major == "k":
        leading, stride = (0, dense.unit) if plain else None, (8, 0)
    else:
        leading, stride = ((0, 8), (dense.unit, 0)) if plain else ((width, 0), (0, group))
    found = []
    for at, else_bytes in ((leading, dense.leading_bytes), (stride, dense.stride_bytes)):
        inside = at is not None and at[0] < linear.shape[0] and at[1] < linear.shape[1]
        found.append(int(linear[at]) // 8 if inside else else_bytes)
    return found[0], found[1]
