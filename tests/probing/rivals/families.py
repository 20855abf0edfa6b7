"""The families of rivals of each probe: for each variant asked, its usual map and its rivals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from lanemap.layout import LayoutMap
from lanemap.model import variant as modelled
from lanemap.probing.mfma.forms import every_form
from lanemap.probing.mfma.kernel import meetings
from lanemap.probing.mma.fragments import names
from lanemap.probing.probe import Probe, find_probe
from lanemap.probing.tensor_core.descriptors import TensorFields
from lanemap.probing.tensor_core.kernel import GIVEN_COLUMNS, SFA_COLUMN, SFB_COLUMN, Form
from lanemap.probing.tensor_core.scales import Asked
from lanemap.probing.wgmma.layouts import bit_meanings, meanings

from . import matrix_core, tensor_core, warpgroup
from .planted import Integers, Planted, Rival, verdict
from .products import map_of, of_d, sample
from .tensor_core import Behavior, Shape


@dataclass(frozen=True)
class Family:
    """The rivals of one variant.

    Attributes:
        variant: As the probe's axis names it.
        probe: The probe, of this variant alone.
        usual: Makes the device that answers as the documents say.
        rivals: What answers otherwise.
    """

    variant: str
    probe: Probe
    usual: Planted
    rivals: list[Rival]


def _own(name: str, axis: str, variant: str) -> tuple[Probe, dict[str, Any]]:
    found = find_probe(name)
    return found.with_axes({axis: [variant]}), found.function.__globals__


# ---- D in tensor memory --------------------------------------------------------------------------
def _clobbered(row: slice, column: int, words: Any, own: int) -> None:
    words[:, row, own + column : own + column + 8] = 0


def _upper_half(words: Any, own: int) -> None:
    words[..., :own] = words[..., :own] << 16 | words[..., :own] >> 16


#: Changes of the words: columns behind those of D, and halves of a word.
_WORDS = {
    "8 columns behind D are written": partial(_clobbered, slice(None), 0),
    "one lane writes 8 columns far behind D": partial(_clobbered, slice(77, 78), 24),
    "the halves of a word are exchanged": _upper_half,
}


def mma_d(variant: str) -> Family:
    """Rivals of D of tcgen05.mma."""
    probe, named = _own("mma_d", "form", variant)
    own = named["SHAPES"][variant]
    geometry, forms = named["GEOMETRY"][variant], [own.form]
    shape = tensor_core.shape_of(own.form, own.descriptor)
    usual = tensor_core.elements(shape)

    def opened(behavior: Behavior) -> Any:
        return partial(tensor_core.device, forms, behavior)

    rivals = []
    for each in of_d(usual, own.columns):
        if each.elements is not None:
            behavior = Behavior(elements=lambda _, found=each.elements: found)
            shows = map_of(geometry, each.elements, 32)
            rivals.append(Rival(each.name, opened(behavior), shows))
        else:
            rivals.append(Rival(each.name, opened(Behavior(product=each.product))))
    for name, words in _WORDS.items():
        if "behind" not in name or own.d_columns + 32 <= 256:
            rivals.append(Rival(name, opened(Behavior(words=words))))
    return Family(variant, probe, opened(Behavior())(), rivals)


# ---- D in registers ------------------------------------------------------------------------------
def wgmma_d(variant: str) -> Family:
    """Rivals of D of wgmma."""
    probe, named = _own("wgmma_d", "form", variant)
    form, geometry = named["FORMS"][variant], named["GEOMETRY"][variant]
    usual, width = warpgroup.elements(form), named["WIDTHS"][form.d]

    def opened(elements: Integers, product: Any = None) -> Any:
        return partial(warpgroup.device, form, elements, product)

    rivals = [
        Rival(each.name, opened(each.elements), map_of(geometry, each.elements, width))
        if each.elements is not None
        else Rival(each.name, opened(usual, each.product))
        for each in of_d(usual, form.n)
    ]
    return Family(variant, probe, opened(usual)(), rivals)


# ---- scale factors -------------------------------------------------------------------------------
def _scales_of(asked: Asked, shape: Shape, places: Integers) -> LayoutMap | None:
    """The map of scales at these bytes, in every group of lanes that holds a copy; None if none."""
    first = SFB_COLUMN if asked.of_b else SFA_COLUMN
    word, byte = np.divmod(places, 4)
    lane, column = word // GIVEN_COLUMNS, word % GIVEN_COLUMNS - first
    if column.min() < 0 or column.max() >= asked.columns or np.unique(places).size < places.size:
        return None
    geometry = asked.geometry
    found = np.full((128, asked.columns, 4), -1)
    element = np.arange(places.size).reshape(places.shape)
    across = 128 // asked.groups
    for copy in range(0, across, 32):
        at = lane // across * across + (lane + copy) % across
        found[at, column, byte] = element
    bits = np.where(found[..., None] >= 0, found[..., None] * 8 + np.arange(8), -1)
    return LayoutMap(geometry.destination, geometry.source, bits.reshape(-1))


def _block_of(name: str, shape: Shape, k: Integers) -> Integers:
    """Other ways in which k have scales."""
    vector, size = shape.form.vector, shape.depth // shape.form.vector
    usual = k // size
    if name == "blocks interleaved":
        return k % vector
    if name == "blocks the other way":
        return vector - 1 - usual
    if name == "two k inside blocks exchange scales":
        return np.where(k == 5, usual[size + 5], np.where(k == size + 5, usual[5], usual))
    if name == "one k inside a block has the scale of the next block":
        return np.where(k == size // 2, 1, usual)
    if name == "the last k of block 0 has the scale of block 1":
        return np.where(k == size - 1, 1, usual)
    if name == "all k inside a block have the scale of block 0":
        return np.where((k % size > 0) & (k % size < size - 1), 0, usual)
    return np.zeros_like(k)


_BLOCKS = (
    "blocks interleaved", "blocks the other way", "two k inside blocks exchange scales",
    "one k inside a block has the scale of the next block", "block 0 scales every k",
    "the last k of block 0 has the scale of block 1",
    "all k inside a block have the scale of block 0",
)  # fmt: skip
#: What is made of the scales [row, block] and of all bytes given to a CTA.
_SCALES: dict[str, Any] = {
    "scales are ignored": lambda own, every: np.ones_like(own),
    "scales are zero": lambda own, every: np.zeros_like(own),
    "scales are squared": lambda own, every: own**2,
    "the exponent of a scale is one too high": lambda own, every: 2 * own,
    "the greatest scale of a row counts for its blocks": lambda own, every: np.broadcast_to(
        own.max(1, keepdims=True), own.shape),
    "scales of a row and the next are multiplied": lambda own, every: own * np.roll(own, -1, 0),
    "the scale of row 0 multiplies the others": lambda own, every: np.concatenate(
        [own[:1], own[1:] * own[:1]]),
    "scales above 12 become 12": lambda own, every: np.minimum(own, 12),
    "the lowest bit of a scale's exponent is lost": lambda own, every: 2.0 ** (
        np.floor(np.log2(np.maximum(own, 1e-30))) // 2 * 2),
}  # fmt: skip


def _first_byte(of_b: bool, own: Any, every: Any) -> Any:
    """Every scale is multiplied by the first byte of its operand's columns."""
    return own * every[4 * (SFB_COLUMN if of_b else SFA_COLUMN)]


def scale_factors(variant: str) -> Family:
    """Rivals of scale factors."""
    probe, named = _own("scale_factors", "scales", variant)
    asked: Asked = named["VARIANTS"][variant]
    forms, of_b = [asked.shape.form], asked.of_b
    shape = tensor_core.shape_of(asked.shape.form, asked.shape.descriptor)
    places = tensor_core.scale_place(shape, of_b)

    def opened(behavior: Behavior) -> Any:
        return partial(tensor_core.device, forms, behavior)

    def placed(name: str, other: Integers) -> Rival:
        def where(each: Shape, b: bool) -> Integers:
            return other if b == of_b else tensor_core.scale_place(each, b)

        return Rival(name, opened(Behavior(scale_place=where)), _scales_of(asked, shape, other))

    row, block = np.indices(places.shape)
    rows, vector = places.shape
    moved = {
        f"bit {to} of the byte's number flips with bit {by} of the row": places
        ^ (row >> by & 1) << to
        for to in (0, 1, *range(2, 6), *range(7, 12))
        for by in range((rows - 1).bit_length())
    }
    moved |= {
        f"bit {to} of the byte's number flips with bit {by} of the block": places
        ^ (block >> by & 1) << to
        for to in (0, 1, *range(2, 6), *range(7, 12))
        for by in range((vector - 1).bit_length())
    }
    moved |= {
        "rows the other way": places[::-1],
        "blocks the other way in a word": places[:, ::-1],
        "rows 32 and on take the scales of rows 0 to 31": places[row % 32, block],
        "the two halves of the rows exchanged": np.roll(places, rows // 2, 0),
        "the next byte of the word": places ^ 1,
        "the scale factor ID ignored": places - shape.ids[of_b],
        "the next column": places + 4,
        "row 1 takes the scale of row 0": places[np.where(row == 1, 0, row), block],
        "pairs of rows exchanged": places[row ^ 1, block],
    }
    rivals = [placed(*each) for each in moved.items() if not np.array_equal(each[1], places)]
    if vector > 1:
        # Blocks in another order are the same scales in other bytes.
        shows = {"blocks the other way": _scales_of(asked, shape, places[:, ::-1])}
        rivals += [
            Rival(name, opened(Behavior(scale_block=partial(_block_of, name))), shows.get(name))
            for name in _BLOCKS
        ]
    multiplied = _SCALES | {"every scale times the first byte": partial(_first_byte, of_b)}
    for name, change in multiplied.items():
        if vector > 1 or "greatest" not in name:
            rivals.append(Rival(name, opened(Behavior(scales=change))))
    return Family(variant, probe, opened(Behavior())(), rivals)


# ---- descriptors ---------------------------------------------------------------------------------
def _flipped(to: int, by: int, of_k: bool, fields: Any, line: Any, k: Any) -> Integers:
    return fields.place(line, k) ^ ((k if of_k else line) >> by & 1) << to + 3


def _ored(fields: Any, line: Any, k: Any) -> Integers:
    inside = replace(fields, start=0).place(line, k)
    return inside // 8 * 8 | 8 * fields.start | inside % 8


def _pattern_of(change: str, fields: TensorFields, line: Integers, k: Integers) -> Integers:
    """Another pattern of the swizzle than that of the field."""
    pattern, plain = fields.pattern, fields.place(line, k)
    byte = plain >> 3
    # XOR is its own inverse: the rows of 128 bytes stay where they are.
    byte = byte ^ ((byte >> 7) - fields.base & pattern.mask) << pattern.shift
    row = (byte >> 7) - fields.base
    mixed = {
        "the row of 256 bytes counts": (row >> 1 & pattern.mask) << pattern.shift,
        "one bit fewer of the row counts": (row & pattern.mask >> 1) << pattern.shift,
        "the bits of the row count in the other order": sum(
            (row >> bit & 1) << pattern.shift + pattern.mask.bit_length() - 1 - bit
            for bit in range(pattern.mask.bit_length())
        ),
        "the row is added instead of XORed": (
            ((byte >> pattern.shift) + (row & pattern.mask) & pattern.mask)
            ^ (byte >> pattern.shift & pattern.mask)
        )
        << pattern.shift,
    }[change]
    return (byte ^ mixed) * 8 + plain % 8


_PATTERNS = ("the row of 256 bytes counts", "one bit fewer of the row counts",
             "the bits of the row count in the other order",
             "the row is added instead of XORed")  # fmt: skip


def _lines(name: str, fields: Any, line: Any, k: Any) -> Integers:
    """Other lines and k: what a kernel sees as another matrix."""
    last = 256 // fields.bits - 1
    changed = {
        "lines the other way in 8": (line ^ 7, k),
        "groups of 8 lines wrap at 4": (line % 32, k),
        "k the other way": (line, last - k),
        "k exchanged in pairs": (line, k ^ 1),
        "line 1 reads line 0": (np.where(line == 1, 0, line), k),
        "the last k reads k = 0": (line, np.where(k == last, 0, k)),
    }[name]
    return fields.place(*changed)


_LINES = ("lines the other way in 8", "groups of 8 lines wrap at 4", "k the other way",
          "k exchanged in pairs", "line 1 reads line 0", "the last k reads k = 0")  # fmt: skip


def _placings(fields: TensorFields) -> Iterator[tuple[str, Any, str]]:
    """Names, places, and what a certificate may call them where no descriptor shows them."""
    for name, place in bit_meanings(fields).items():
        yield name, place, name
    for name, place in list(meanings(fields).items())[1:]:
        yield name, place, ""
    yield "start address ORed instead of added", _ored, ""
    if fields.pattern.mask:
        for name in _PATTERNS:
            yield name, partial(_pattern_of, name), ""
    for name in _LINES:
        yield name, partial(_lines, name), ""
    for to in range(14):
        for of_k, count in ((False, 6), (True, (256 // fields.bits - 1).bit_length())):
            for by in range(count):
                what = "k" if of_k else "line"
                yield (
                    f"bit {to} of the address flips with bit {by} of the {what}",
                    partial(_flipped, to, by, of_k),
                    "",
                )


def smem_descriptor(variant: str) -> Family:
    """Rivals of descriptors: the tested operand obeys them, the one that names does not.

    The operand that names rows, columns and k lies K-major without a swizzle, eight rows 384 bytes
    apart; its fields are those of no tested descriptor.
    """
    probe, named = _own("smem_descriptor", "layout", variant)
    mn, swizzle, bits = named["VARIANTS"][variant]
    forms: list[Form] = [named["form_of"](bits)]
    fields = TensorFields(mn, swizzle, bits, 0, 0, 0)

    def opened(place: Any) -> Any:
        def where(own: TensorFields, line: Integers, k: Integers) -> Integers:
            naming = (own.swizzle, own.mn, own.leading, own.stride) == ("none", False, 128, 384)
            return own.place(line, k) if naming else place(own, line, k)

        return partial(tensor_core.device, forms, Behavior(place=where))

    rivals = [
        Rival(name, opened(place), None, stated)
        for name, place, stated in _placings(fields)
        if not _same(fields, place)
    ]
    return Family(variant, probe, opened(TensorFields.place)(), rivals)


def _same(fields: TensorFields, place: Any) -> bool:
    """Whether a rival gives every place that the fields give, for any of them."""
    rng = np.random.default_rng(1)
    line, k = np.indices((64, 256 // fields.bits))
    unit = 1 if fields.pattern.mask == 0 else 8
    for _ in range(50):
        draw = (16 * unit * rng.integers(0, 1 << 14, 3) // unit).tolist()
        start, leading, stride = (each // (16 * unit) * 16 * unit for each in draw)
        own = replace(
            fields,
            start=start,
            leading=leading,
            stride=stride,
            base=start >> 7 & fields.pattern.mask,
        )
        if not np.array_equal(place(own, line, k), own.place(line, k)):
            return False
    return True


# ---- MFMA ----------------------------------------------------------------------------------------
#: Random exchanges of elements of each operand.
PAIRS = 20


def mfma_operands(entry: str, wanted: int | None) -> tuple[int, list[tuple[str, str]]]:
    """How many rivals one form has; names of those that ran, and what the probe makes of each.

    A rival is found if A, B and D, as the probe names them, meet as the rival has it: names of
    rows, columns and k are open, and no product shows them. A rival that meets as usual is none.
    """
    form = next(each for each in every_form() if each.entry == entry and not each.fnuz)
    maps = {operand: modelled(form.variant(operand)).map for operand in "ABD"}
    usual = matrix_core.product(form, *map(matrix_core.numbers, maps.values()))
    made = [
        each
        for each in matrix_core.rivals(form, maps, PAIRS, SEED)
        if each.read is not None or not np.array_equal(each.met, usual[None])
    ]
    found = []
    for each in sample(made, wanted, SEED):
        device = matrix_core.device(form, each)
        named = names(form, meetings(device, device[form.entry], form))
        if named is None:
            found.append((each.name, "refused"))
            continue
        shown = matrix_core.product(form, *(named[operand] for operand in "ABD"))
        right = each.read is None and np.array_equal(each.met, shown[None])
        third = "unnoticed" if np.array_equal(shown, usual) else "misread"
        found.append((each.name, "found" if right else third))
    return len(made), found


# ---- all -----------------------------------------------------------------------------------------
SEED = 950
FAMILIES = {
    "mma_d": mma_d, "scale_factors": scale_factors, "smem_descriptor": smem_descriptor,
    "wgmma_d": wgmma_d,
}  # fmt: skip
#: Variants whose rivals are executed, and how many of each: all for None.
EXECUTED: dict[str, tuple[tuple[str, ...], int | None]] = {
    "mma_d": ((
        "tcgen05.mma.cta_group::2.m256n16.f32:D", "tcgen05.mma.cta_group::2.m128n32.s32:D",
        "tcgen05.mma.cta_group::1.m128n8.f32:D", "tcgen05.mma.cta_group::1.m64n32.f16:D",
        "tcgen05.mma.ws.cta_group::1.m128n64.f16:D", "tcgen05.mma.ws.cta_group::1.m64n64.s32:D",
        "tcgen05.mma.ws.cta_group::1.m32n64.f32:D",
    ), None),
    "scale_factors": ((
        "tcgen05.mma.cta_group::1.m128.scale_vec::1X.id1:SFA",
        "tcgen05.mma.cta_group::1.m128.scale_vec::2X.id2:SFA",
        "tcgen05.mma.cta_group::1.n64.scale_vec::4X.id0:SFB",
        "tcgen05.mma.cta_group::2.m128.n256.scale_vec::2X.id0:SFB",
    ), 60),
    "smem_descriptor": ((
        "shared.k_major.none.8bit", "shared.k_major.128b.16bit", "shared.k_major.64b.4bit",
        "shared.mn_major.none.16bit", "shared.mn_major.32b.8bit",
        "shared.mn_major.128b_atom32b.32bit",
    ), 60),
    "wgmma_d": (("wgmma.m64n8.f32:D", "wgmma.m64n80.f16:D", "wgmma.m64n16.s32:D"), None),
    "mfma_operands": ((
        "v_mfma_f32_16x16x16_f16", "v_mfma_f32_4x4x4_16b_f16", "v_mfma_i32_16x16x4_4b_i8",
        "v_mfma_f64_4x4x4_4b_f64", "v_mfma_f32_16x16x128_f8f6f4_fp8_fp4",
        "v_mfma_f32_32x32x2_f32",
    ), 60),
}  # fmt: skip


def verdicts(probe: str, variant: str, wanted: int | None) -> tuple[int, list[tuple[str, str]]]:
    """How many rivals a variant has; names of those that ran, and what the probe makes of each.

    Raises:
        AssertionError: The device that answers as the documents say is not explained by them.
    """
    if probe == "mfma_operands":
        return mfma_operands(variant, wanted)
    family = FAMILIES[probe](variant)
    usual = family.probe.analysis.explain(family.probe.readings(family.usual))
    assert usual.explained and all(each.agrees for each in usual.patterns)
    assert usual.map == modelled(variant).map
    ran = sample(family.rivals, wanted, SEED)
    return len(family.rivals), [(each.name, verdict(family.probe, each, usual.map)) for each in ran]
