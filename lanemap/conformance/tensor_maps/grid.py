"""The parameters that the driver's encoding functions are asked for.

The grid changes one or two parameters of plain maps at a time, across every boundary that cuda.h
states and some that it does not. The random series change all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from lanemap.conformance.programs.chance import Chance
from lanemap.devices.tensor_maps import TensorMapParameters

#: Numbers of each enumeration in cuda.h, and numbers beyond.
TYPES, INTERLEAVES, SWIZZLES, PROMOTIONS, FILLS = range(16), range(3), range(7), range(4), range(2)
#: Bytes of an element by its type; of the packed types, those of 16 elements as 8 or 12.
TYPE_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 0.5, 0.5, 0.75)
ADDRESS = 0x7F3A5C6D7E80
SERIES, SERIES_MEMBERS = 12, 4096


def plain(mode: str, data_type: int, rank: int, inner: int = 0) -> TensorMapParameters:
    """A legal map; `inner` is boxDim[0] or channelsPerPixel, 16 bytes (a packed 128) by default."""
    size = TYPE_BYTES[data_type] if data_type < 16 else 2
    inner = inner or (128 if data_type in (14, 15) else int(16 / size))
    dims = (max(128, 4 * inner), 24, 20, 18, 12)[:rank]
    stride, strides = int(dims[0] * size + 31) // 32 * 32, []
    for dim in dims[1:]:
        strides.append(stride)
        stride *= dim
    parameters = TensorMapParameters(
        mode, data_type, rank, ADDRESS, dims, tuple(strides), (1,) * rank
    )
    if mode == "tiled":
        return replace(parameters, box=(inner, 8, 4, 2, 3)[:rank])
    corners = rank - 2 if mode == "im2col" else 1
    return replace(
        parameters,
        channels=inner,
        pixels=16,
        lower=(-2, -1, 0)[:corners],
        upper=(-1, -3, 1)[:corners],
        swizzle=3 if mode == "im2col_wide" else 0,
    )


def _at(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _boundaries(bits: int) -> list[int]:
    """Powers of two up to a width, their neighbors at the ends, and a number with mixed bits."""
    ends = [0, 1, 2, 3, (1 << bits) - 1, (1 << bits) + 1, 0x123456789ABCDEF0 % (1 << bits)]
    return sorted({*ends, *(1 << n for n in range(bits + 1))})


def _addresses(base: TensorMapParameters) -> Iterator[TensorMapParameters]:
    for address in [0, *(1 << n for n in range(64)), (1 << 57) - 16, (1 << 64) - 32]:
        yield replace(base, address=address)


def _dims(base: TensorMapParameters) -> Iterator[TensorMapParameters]:
    for index in range(base.rank):
        for value in _boundaries(33):
            yield replace(base, dims=_at(base.dims, index, value))


def _strides(base: TensorMapParameters) -> Iterator[TensorMapParameters]:
    for index in range(base.rank - 1):
        near = [base.strides[index] + step for step in (-32, -16, -8, 8, 16, 32)]
        for value in [*_boundaries(41), (1 << 40) - 16, (1 << 36) - 16, *near]:
            yield replace(base, strides=_at(base.strides, index, value))


def _steps(base: TensorMapParameters) -> Iterator[TensorMapParameters]:
    for index in range(base.rank):
        for value in [*range(10), 1 << 8, 1 << 31]:
            yield replace(base, element_strides=_at(base.element_strides, index, value))


def _enumerations(base: TensorMapParameters) -> Iterator[TensorMapParameters]:
    """Every pair of interleave and swizzle, every other pair, and undefined numbers."""
    for interleave, swizzle in product((*INTERLEAVES, 3), (*SWIZZLES, 7, 8)):
        yield replace(base, interleave=interleave, swizzle=swizzle)
    for promotion, fill in product((*PROMOTIONS, 4), (*FILLS, 2)):
        yield replace(base, l2_promotion=promotion, oob_fill=fill)


def _inner(base: TensorMapParameters, value: int) -> TensorMapParameters:
    if base.mode == "tiled":
        return replace(base, box=_at(base.box, 0, value))
    return replace(base, channels=value)


def _types(mode: str, ranks: range) -> Iterator[TensorMapParameters]:
    """Every type with every rank, swizzle, interleave and fill, and inner sizes around limits."""
    for data_type, rank in product((*TYPES, 16, 17, 255), ranks):
        yield plain(mode, data_type, rank)
    for data_type in (*TYPES, 16):
        base = plain(mode, data_type, 3)
        for swizzle, interleave in product(SWIZZLES, INTERLEAVES):
            yield replace(base, swizzle=swizzle, interleave=interleave)
        for fill in FILLS:
            yield replace(base, oob_fill=fill)
        size = TYPE_BYTES[data_type] if data_type < 16 else 2
        for swizzle in range(5):
            for inner_bytes in (8, 16, 24, 32, 48, 64, 80, 128, 144):
                inner = int(inner_bytes / size)
                yield replace(_inner(base, inner), swizzle=swizzle)
        for inner in (1, 64, 127, 128, 129, 255, 256, 257):
            yield _inner(base, inner)
        yield replace(base, dims=(base.dims[0] + 1, *base.dims[1:]))
        yield replace(base, dims=(base.dims[0] + 2, *base.dims[1:]))
        yield replace(base, address=base.address + 16)
        yield replace(base, strides=(base.strides[0] + 16, *base.strides[1:]))


def _tiled() -> Iterator[TensorMapParameters]:
    base = plain("tiled", 6, 5)
    for each in (_addresses, _dims, _strides, _steps, _enumerations):
        yield from each(base)
    for data_type, rank in ((0, 1), (2, 2), (8, 3), (9, 4)):
        yield from _enumerations(plain("tiled", data_type, rank))
    for index in range(5):
        for value in (*range(18), 31, 32, 33, 63, 64, 127, 128, 129, 248, 255, 256, 257, 1 << 16):
            yield replace(base, box=_at(base.box, index, value))
    for sizes in product((1, 16, 128, 256), repeat=4):
        yield replace(base, box=(8, *sizes))
    for rank in range(8):
        yield replace(base, rank=rank)
    for interleave, inner in product(INTERLEAVES, (8, 16, 32, 64, 256)):
        for swizzle in SWIZZLES:
            yield replace(plain("tiled", 6, 4, inner), interleave=interleave, swizzle=swizzle)
    yield from _types("tiled", range(1, 6))


def _im2col(mode: str) -> Iterator[TensorMapParameters]:
    base = plain(mode, 6, 5)
    for each in (_addresses, _dims, _strides, _steps, _enumerations):
        yield from each(base)
    for rank in range(8):
        yield replace(base, rank=rank, lower=base.lower, upper=base.upper)
    edges = [1 << n for n in range(17)]
    corners = sorted({0, *edges, *(-e for e in edges), *(e - 1 for e in edges),
                      *(-e - 1 for e in edges)})  # fmt: skip
    for rank in (3, 4, 5):
        wide = replace(plain(mode, 6, rank), dims=(128, *(1 << 20,) * (rank - 1)))
        for index in range(len(wide.lower)):
            for value in corners:
                yield replace(wide, lower=_at(wide.lower, index, value))
                yield replace(wide, upper=_at(wide.upper, index, value))
    for index, dim in product(range(len(base.lower)), (1, 2, 3, 4)):
        small = replace(base, dims=_at(base.dims, 1 + index, dim))
        for low, high in product((-2, -1, 0, 1, 2), repeat=2):
            yield replace(
                small, lower=_at(base.lower, index, low), upper=_at(base.upper, index, high)
            )
    for value in (*range(18), 31, 32, 33, 64, 127, 128, 255, 256, 257, 1 << 16):
        yield replace(base, channels=value)
    for value in (*_boundaries(11), 1023, 1025):
        yield replace(base, pixels=value)
    for interleave, inner, swizzle in product(INTERLEAVES, (8, 16, 32, 64, 256), SWIZZLES):
        yield replace(plain(mode, 6, 4, inner), interleave=interleave, swizzle=swizzle)
    yield from _types(mode, range(3, 6))


def _wide() -> Iterator[TensorMapParameters]:
    base = plain("im2col_wide", 6, 4)
    for mode, swizzle, pixels in product(range(3), SWIZZLES, (0, 1, 128, 1024, 1025)):
        yield replace(base, wide_mode=mode, swizzle=swizzle, pixels=pixels)


def grid(mode: str) -> list[TensorMapParameters]:
    """Every parameter set of the grid of one function, each once, in a fixed order."""
    sets = _tiled() if mode == "tiled" else _im2col(mode)
    more = _wide() if mode == "im2col_wide" else iter(())
    return list(dict.fromkeys([*sets, *more]))


# -- random series ---------------------------------------------------------------------------------
def _number(chance: Chance, most_bits: int) -> int:
    """A number of a random width, so that small and large ones are as likely."""
    return chance.bits(1 + chance.below(most_bits)) + 1


def _member(chance: Chance, mode: str) -> TensorMapParameters:
    data_type = chance.below(16)
    rank = chance.below(5) + 1 if mode == "tiled" else chance.below(3) + 3
    size, packed = TYPE_BYTES[data_type], data_type in (14, 15)
    dims = [_number(chance, 32) for _ in range(rank)]
    step = 32 if chance.one_in(2) else 16
    if packed:
        dims[0], step = -(-dims[0] // 128) * 128, 32
    dims[0] += dims[0] % 2
    strides = [_number(chance, 35) * step % (1 << 40) for _ in range(rank - 1)]
    swizzle, interleave = chance.below(7), chance.of((0, 0, 0, 0, 1, 2))
    if interleave == 2:
        swizzle = 1
    limit = (256, 32, 64, 128, 128, 128, 128)[swizzle] if interleave == 0 else 256
    units = max(1, int(min(limit, 256 * size)) // 16)
    inner = 128 if packed else min(256, max(1, int((chance.below(units) + 1) * 16 / size)))
    common = TensorMapParameters(
        mode,
        data_type,
        rank,
        (chance.bits(52) << 5) % (1 << 57),
        tuple(dims),
        tuple(strides),
        tuple(chance.below(8) + 1 for _ in range(rank)),
        interleave=interleave,
        swizzle=swizzle,
        l2_promotion=chance.below(4),
        oob_fill=chance.below(2) if 6 <= data_type <= 12 else 0,
    )
    if mode == "tiled":
        box = (inner, *(min(256, _number(chance, 8)) for _ in range(rank - 1)))
        return replace(common, box=box)
    corners = rank - 2 if mode == "im2col" else 1
    bits = (16, 8, 5)[corners - 1]
    lower, upper = (
        tuple(chance.bits(bits) - (1 << (bits - 1)) for _ in range(corners)) for _ in range(2)
    )
    wide_mode = chance.below(2) if mode == "im2col_wide" else 0
    return replace(
        common,
        channels=inner,
        pixels=min(1024, _number(chance, 10)),
        lower=lower,
        upper=upper,
        wide_mode=wide_mode,
    )


def _spoiled(chance: Chance, p: TensorMapParameters) -> TensorMapParameters:
    """A member with one parameter replaced by one that is often illegal."""
    index = chance.below(p.rank)
    which = chance.below(9)
    if which == 0:
        return replace(p, address=p.address + 16)
    if which == 1:
        return replace(p, dims=_at(p.dims, index, chance.bits(33)))
    if which == 2 and p.rank > 1:
        return replace(p, strides=_at(p.strides, index % (p.rank - 1), chance.bits(41) & ~7))
    if which == 3 and p.box:
        return replace(p, box=_at(p.box, index, chance.below(300)))
    if which == 4:
        return replace(p, element_strides=_at(p.element_strides, index, chance.below(10)))
    if which == 5:
        return replace(p, swizzle=chance.below(8))
    if which == 6:
        return replace(p, interleave=chance.below(4))
    if which == 7:
        return replace(p, data_type=chance.below(17))
    return replace(p, oob_fill=chance.below(3), l2_promotion=chance.below(5))


def series(mode: str, number: int) -> list[TensorMapParameters]:
    """The members of a random series; one in three has a parameter spoiled."""
    chance = Chance("tensor maps", mode, number)
    members = (_member(chance, mode) for _ in range(SERIES_MEMBERS))
    return [_spoiled(chance, each) if chance.one_in(3) else each for each in members]
