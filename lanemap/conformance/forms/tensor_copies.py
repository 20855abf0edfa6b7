"""Syntax tables of the PTX ISA: tensor copies and tensor maps.

NVIDIA PTX ISA 9.0, Data Movement and Conversion Instructions: cp.async.bulk.tensor,
cp.reduce.async.bulk.tensor, cp.async.bulk.prefetch.tensor, tensormap.replace, prefetch.tensormap;
Parallel Synchronization and Communication: tensormap.cp_fenceproxy.
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

_SETS: Sets = {
    "near_or_far": "shared::cta shared::cluster", "multicast": "multicast::cluster",
    "group": "cta_group::1 cta_group::2", "hint": "L2::cache_hint",
    "wide": "im2col::w im2col::w::128",
    "op": "add min max inc dec and or xor", "ss": "global shared::cta", "where": "const param",
    "dims": "box_dim global_dim element_stride", "scope": "cta cluster gpu sys",
}  # fmt: skip
_END = "multicast?b16 hint?b64"
#: Immediates of the fields that take one.
_VALUES = {"elemtype": 16, "interleave_layout": 3, "swizzle_mode": 4, "swizzle_atomicity": 4,
           "fill_mode": 2}  # fmt: skip


def _map(rank: int) -> str:
    """A tensor map with coordinates, as one word."""
    return "=[d1,{" + ",".join(f"r{i}" for i in range(rank)) + "}]"


def _halves(count: int) -> str:
    return "={" + ",".join(f"h{i}" for i in range(count)) + "}"


def _load(rank: int, mode: str, coordinates: int, offsets: str = "") -> Row:
    name = f"cp.async.bulk.tensor.{rank}d.near_or_far.global{mode}.mbarrier::complete_tx::bytes"
    return Row(
        name + "{.multicast}{.group}{.hint}",
        f"=[s] {_map(coordinates)} =[s] {offsets} {_END}",
        _SETS,
    )


def _loads() -> list[Row]:
    rows = [_load(2, ".tile::gather4", 5)]
    rows += [_load(rank, "{.tile}", rank) for rank in range(1, 6)]
    for rank in range(3, 6):
        rows.append(_load(rank, ".im2col", rank, _halves(rank - 2)))
        rows.append(_load(rank, ".wide", rank, _halves(2)))
    return rows


def _stores() -> list[Row]:
    copy = "cp.async.bulk.tensor.{}d.global.shared::cta{}.bulk_group{{.hint}}"
    reduce = "cp.reduce.async.bulk.tensor.{}d.global.shared::cta.op{}.bulk_group{{.hint}}"
    rows = [Row(copy.format(2, ".tile::scatter4"), f"{_map(5)} =[s] hint?b64", _SETS)]
    for rank in range(1, 6):
        for mode in ("{.tile}", ".im2col_no_offs")[: 1 + (rank > 2)]:
            rows += [
                Row(name.format(rank, mode), f"{_map(rank)} =[s] hint?b64", _SETS)
                for name in (copy, reduce)
            ]
    return rows


def _prefetches() -> list[Row]:
    name = "cp.async.bulk.prefetch.tensor.{}d.L2.global{}{{.hint}}"
    rows = [Row(name.format(2, ".tile::gather4"), f"{_map(5)} hint?b64", _SETS)]
    for rank in range(1, 6):
        rows.append(Row(name.format(rank, "{.tile}"), f"{_map(rank)} hint?b64", _SETS))
    for rank in range(3, 6):
        for mode, count in ((".im2col", rank - 2), (".wide", 2)):
            operands = f"{_map(rank)} {_halves(count)} hint?b64"
            rows.append(Row(name.format(rank, mode), operands, _SETS))
    return rows


def _maps() -> list[Row]:
    name = "tensormap.replace.tile.{}{{.ss}}.b1024.{}"
    rows = [
        Row(name.format("global_address", "b64"), "[ss] b64", _SETS),
        Row(name.format("global_stride", "b64"), "[ss] #0 b64", _SETS),
        Row(name.format("rank", "b32"), "[ss] b32", _SETS),
        Row(name.format("dims", "b32"), "[ss] #0 b32", _SETS),
    ]
    for field, count in _VALUES.items():
        for value in range(count):
            rows.append(Row(name.format(field, "b32"), f"[ss] #{value}", _SETS, str(value)))
    return rows


TENSOR_ROWS = [
    *_loads(), *_stores(), *_prefetches(), *_maps(),
    Row("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned",
        "=[g] =[s] #128", _SETS),
    Row("prefetch{.where}.tensormap", "[where]", _SETS),
]  # fmt: skip
