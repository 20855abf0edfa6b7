"""The 128 bytes of a tensor map: which parameters are legal, and where each bit comes from.

The driver calls these bytes opaque. Their encoding (tensor_map_bits.py) equals what the driver
returned on an H200 (results/sm_90a/cuda/tensor_maps.json) for every parameter set of that row.
Types and swizzles that only Blackwell has are refused there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from lanemap.errors import UserError
from lanemap.model import tensor_map_bits
from lanemap.model.tensor_map_bits import ELEMENTS, FIELDS
from lanemap.targets import features_of

MAP_BYTES, MAP_ALIGNMENT = tensor_map_bits.BYTES, tensor_map_bits.ALIGNMENT
#: The driver's functions, by the way in which a map addresses its tensor.
FUNCTIONS = {
    "tiled": "cuTensorMapEncodeTiled",
    "im2col": "cuTensorMapEncodeIm2col",
    "im2col_wide": "cuTensorMapEncodeIm2colWide",
}
#: Members of the driver's enumerations in cuda.h without their prefixes, by their numbers.
DATA_TYPES = (
    "uint8", "uint16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64",
    "bfloat16", "float32_ftz", "tfloat32", "tfloat32_ftz", "16u4_align8b", "16u4_align16b",
    "16u6_align16b",
)  # fmt: skip
INTERLEAVES = ("none", "16b", "32b")
SWIZZLES = (
    "none", "32b", "64b", "128b", "128b_atom_32b", "128b_atom_32b_flip_8b", "128b_atom_64b",
)  # fmt: skip
L2_PROMOTIONS = ("none", "l2_64b", "l2_128b", "l2_256b")
OOB_FILLS = ("none", "nan_request_zero_fma")
#: What the map has for a type: float64 and bfloat16 come in another order, and the tf32 types are
#: f32 with a bit that asks for rounding.
TYPE_CODES = (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 7, 8, 11, 12, 13)
#: Bits of an element in global memory, by type.
TYPE_BITS = tuple(tuple(ELEMENTS.values())[code] for code in TYPE_CODES)
_ROUNDED, _FLOATS, _PACKED, _PADDED = (11, 12), range(6, 13), (13, 14, 15), (14, 15)
#: Bytes of shared memory of a multiprocessor: no box may be larger.
MOST_BOX_BYTES = 228 << 10
#: Bits of a corner of an im2col box, by rank.
CORNER_BITS = {rank: FIELDS[f"lower_{rank}"].width for rank in (3, 4, 5)}
_SWIZZLE_BYTES = (1 << 30, 32, 64, 128, 128, 128, 128)


@dataclass(frozen=True)
class TensorMapParameters:
    """Parameters of one of the driver's encoding functions; dimensions are innermost first.

    Enumerations are the driver's numbers (cuda.h, CUtensorMapDataType and the others), so that
    values which it does not define can be asked for as well.

    Attributes:
        mode: `tiled`, `im2col` or `im2col_wide`.
        data_type: CUtensorMapDataType.
        rank: tensorRank; `dims` has as many members, `strides` (in bytes) one fewer.
        address: globalAddress.
        dims: globalDim, in elements.
        strides: globalStrides, in bytes.
        box: boxDim, of a tiled map.
        lower: pixelBoxLowerCorner, of an im2col map; a wide one has that of W alone.
        upper: pixelBoxUpperCorner, likewise.
        channels: channelsPerPixel, of im2col maps.
        pixels: pixelsPerColumn, of im2col maps.
        element_strides: elementStrides.
        interleave: CUtensorMapInterleave.
        wide_mode: CUtensorMapIm2ColWideMode, of a wide im2col map.
        swizzle: CUtensorMapSwizzle.
        l2_promotion: CUtensorMapL2promotion.
        oob_fill: CUtensorMapFloatOOBfill.
    """

    mode: str
    data_type: int
    rank: int
    address: int
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    element_strides: tuple[int, ...]
    box: tuple[int, ...] = ()
    lower: tuple[int, ...] = ()
    upper: tuple[int, ...] = ()
    channels: int = 0
    pixels: int = 0
    interleave: int = 0
    wide_mode: int = 0
    swizzle: int = 0
    l2_promotion: int = 0
    oob_fill: int = 0

    @property
    def inner(self) -> int:
        """Elements of the box in the innermost dimension."""
        return self.box[0] if self.mode == "tiled" else self.channels

    @property
    def first_pixel(self) -> int:
        """The dimension of W; an interleaved tensor has its channels elsewhere."""
        return 0 if self.interleave else 1

    @property
    def corners(self) -> int:
        """How many dimensions have corners."""
        return 1 if self.mode == "im2col_wide" else self.rank - 2

    @property
    def box_bytes(self) -> int:
        """The bytes of a box as the driver computes them: fractions of a step are dropped."""
        if self.mode != "tiled":
            return self.channels * self.pixels * TYPE_BITS[self.data_type] // 8
        steps = zip(self.box[: self.rank], self.element_strides, strict=False)
        return prod(size // step for size, step in steps) * TYPE_BITS[self.data_type] // 8


def _i32(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def _enumeration_faults(p: TensorMapParameters, target: str) -> Iterator[str]:
    newer = "swizzle atomicity" in features_of(target)
    types, swizzles = (16, 7) if newer else (13, 4)
    on_target = "" if newer else f" on {target}"
    if not 0 <= p.data_type < types:
        yield f"tensorDataType {p.data_type} is not below {types}{on_target}"
        return
    least = 3 if p.mode != "tiled" or p.interleave else 1
    if not least <= p.rank <= 5:
        yield f"tensorRank {p.rank} is not {least} to 5"
    if not 0 <= p.interleave < len(INTERLEAVES):
        yield f"interleave {p.interleave} is not below {len(INTERLEAVES)}"
    if not 0 <= p.swizzle < swizzles:
        yield f"swizzle {p.swizzle} is not below {swizzles}{on_target}"
    if not 0 <= p.l2_promotion < len(L2_PROMOTIONS):
        yield f"l2Promotion {p.l2_promotion} is not below {len(L2_PROMOTIONS)}"
    if not 0 <= p.oob_fill < len(OOB_FILLS):
        yield f"oobFill {p.oob_fill} is not below {len(OOB_FILLS)}"
    elif p.oob_fill and p.data_type not in _FLOATS:
        yield f"oobFill NAN_REQUEST_ZERO_FMA needs a float, not {DATA_TYPES[p.data_type]}"
    if p.mode == "im2col_wide" and p.wide_mode not in (0, 1):
        yield f"mode {p.wide_mode} is not W or W128"


def _tensor_faults(p: TensorMapParameters) -> Iterator[str]:
    align = 32 if p.interleave == 2 or p.data_type in _PADDED else 16
    if p.address % align or p.address >> 57:
        yield f"globalAddress {p.address:#x} is not a multiple of {align} below 2^57"
    for i, dim in enumerate(p.dims[: p.rank]):
        if not 1 <= dim <= 1 << 32:
            yield f"globalDim[{i}] {dim} is not 1 to 2^32"
    for i, stride in enumerate(p.strides[: p.rank - 1]):
        if stride % align or not 0 <= stride < 1 << 40:
            yield f"globalStrides[{i}] {stride} is not a multiple of {align} below 2^40"
    for i, step in enumerate(p.element_strides[: p.rank]):
        if not 1 <= step <= 8:
            yield f"elementStrides[{i}] {step} is not 1 to 8"
    unit = 128 if p.data_type in _PADDED else 2 if p.data_type in _PACKED else 1
    if p.dims[0] % unit:
        yield f"globalDim[0] {p.dims[0]} is not a multiple of {unit}"


def _box_faults(p: TensorMapParameters) -> Iterator[str]:
    name = "boxDim[0]" if p.mode == "tiled" else "channelsPerPixel"
    for i, size in enumerate(p.box[: p.rank]):
        if not 1 <= size <= 256:
            yield f"boxDim[{i}] {size} is not 1 to 256"
    if p.mode != "tiled" and not 1 <= p.channels <= 256:
        yield f"channelsPerPixel {p.channels} is not 1 to 256"
    if p.mode != "tiled" and not 1 <= p.pixels <= 1024:
        yield f"pixelsPerColumn {p.pixels} is not 1 to 1024"
    if p.data_type in _PADDED and p.inner != 128:
        yield f"{name} {p.inner} is not 128, as {DATA_TYPES[p.data_type]} needs"
    inner_bytes = p.inner * TYPE_BITS[p.data_type] / 8
    if p.data_type not in _PADDED and inner_bytes % 16:
        yield f"{name} {p.inner} is {inner_bytes:g} bytes, not a multiple of 16"
    if not p.interleave and inner_bytes > _SWIZZLE_BYTES[p.swizzle]:
        yield (
            f"{name} {p.inner} is {inner_bytes:g} bytes, more than the "
            f"{_SWIZZLE_BYTES[p.swizzle]} of the swizzle"
        )


def _corner_faults(p: TensorMapParameters) -> Iterator[str]:
    half = 1 << (CORNER_BITS[p.rank] - 1)
    corners = (("pixelBoxLowerCorner", p.lower), ("pixelBoxUpperCorner", p.upper))
    for name, values in corners:
        for i, corner in enumerate(values[: p.corners]):
            if not -half <= corner < half:
                yield f"{name}[{i}] {corner} is not {-half} to {half - 1}"
    for i in range(p.rank - 2):
        dim = p.dims[p.first_pixel + i]
        lower, upper = (p.lower[i], p.upper[i]) if i < p.corners else (0, 0)
        if _i32(dim + upper) <= lower:
            yield (
                f"the corners {lower} and {upper} leave nothing of globalDim"
                f"[{p.first_pixel + i}] {dim}"
            )


def fault(p: TensorMapParameters, target: str) -> str:
    """Say which parameter the driver refuses for a target, and why; "" if it takes all.

    The rules are those of cuda.h where the driver on an H200 holds to them, and what it did
    elsewhere: with interleaved layouts it accepts every swizzle, and needs 16 bytes too.
    """
    for faults in (_enumeration_faults(p, target), _tensor_faults(p), _box_faults(p)):
        for sentence in faults:
            return sentence
    if p.mode != "tiled":
        for sentence in _corner_faults(p):
            return sentence
    if p.box_bytes > MOST_BOX_BYTES:
        return f"a box has {p.box_bytes} bytes, more than {MOST_BOX_BYTES}"
    return ""


class _Bits:
    """A map in the making."""

    def __init__(self) -> None:
        self.bits = 0

    def put(self, name: str, value: int, index: int = 0) -> None:
        field = FIELDS[name]
        self.bits |= (value & ((1 << field.width) - 1)) << field.at(index)


def encode(p: TensorMapParameters, target: str) -> bytes:
    """Return the 128 bytes of a map, as the driver's function encodes its parameters.

    Raises:
        UserError: the driver returns CUDA_ERROR_INVALID_VALUE; the sentence names a parameter.
    """
    if sentence := fault(p, target):
        raise UserError(f"{FUNCTIONS[p.mode]}: {sentence} (CUDA_ERROR_INVALID_VALUE)")
    m = _Bits()
    m.put("address", p.address)
    m.put("im2col", p.mode != "tiled")
    m.put("rank", p.rank - 1)
    m.put("type", TYPE_CODES[p.data_type])
    m.put("interleave", p.interleave)
    m.put("swizzle", min(p.swizzle, 3))
    m.put("fill", p.oob_fill)
    m.put("rounds", p.data_type in _ROUNDED)
    m.put("promotion", p.l2_promotion)
    m.put("atomicity", max(p.swizzle - 3, 0))
    for i, stride in enumerate(p.strides[: p.rank - 1]):
        m.put("stride", stride >> 4, i)
        m.put("stride_high", stride >> 4 >> FIELDS["stride"].width, i)
    for i, (dim, step) in enumerate(zip(p.dims[: p.rank], p.element_strides, strict=False)):
        m.put("size", dim - 1, i)
        m.put("step", step - 1, i)
    for i, size in enumerate((p.inner, *p.box[1 : p.rank])):
        m.put("box", size - 1, i)
    if p.mode != "tiled":
        for i in range(p.corners):
            m.put(f"lower_{p.rank}", p.lower[i], i)
            m.put(f"upper_{p.rank}", p.upper[i], i)
        m.put("pixels", p.pixels - 1)
    m.put("box_bytes", p.box_bytes)
    m.put("plain", p.swizzle == 0)
    m.put("span", (0, 1, 2, 4, 0, 0, 0)[p.swizzle])
    return m.bits.to_bytes(MAP_BYTES, "little")
