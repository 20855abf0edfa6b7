"""Packed sequences whose lengths only the device knows: a launch that makes their tables there.

`kernels/include/packed_sequences.h` makes a record of each sequence, with tensor maps that end
where it does, and the list of tiles. Both are as long as any lengths of the same total can make
them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanemap.benching.arrays import on_gpu, steps
from lanemap.benching.attention.problem import UNKNOWN, Problem
from lanemap.benching.build import CompiledKernel
from lanemap.benching.gemm.problem import type_name
from lanemap.benching.launch import Launch, loaded
from lanemap.benching.scratch import scratch_of
from lanemap.devices.arguments import ByValue
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.records.files import Roots

#: The arguments that say where packed sequences begin.
ENDS = ("cu_seqlens_q", "cu_seqlens_k")
_MAP_BYTES, _RECORD_STEP = 128, 64
#: Warps of a CTA, each with a sequence.
_WARPS = 4


@dataclass(frozen=True)
class Form:
    """What is #defined in the source.

    Attributes:
        maps: Tensor maps of a sequence.
        key_maps: A bit for each of them that is one of keys.
        listed: Rows of a tile of the list.
        of_keys: Whether these are keys.
        descending: Whether a head's last tile comes first.
        query_rows: Rows of a tile of queries, where a second list has these; else 0.
    """

    maps: int
    key_maps: int
    listed: int
    of_keys: bool = False
    descending: bool = True
    query_rows: int = 0

    @property
    def record_bytes(self) -> int:
        """Bytes of a sequence's record: its maps, and integers."""
        return self.maps * _MAP_BYTES + _RECORD_STEP


@dataclass(frozen=True)
class Tables:
    """What a kernel reads of packed sequences, in memory of the device.

    Attributes:
        make: The launch that makes it.
        records: Of sequences.
        entries: The list of tiles, in turns of as many as there are CTAs.
        query_tiles: The list of tiles of queries, if there is one.
        ctas: How many CTAs share `entries`.
    """

    make: Launch
    records: Any
    entries: Any
    query_tiles: Any
    ctas: int


@dataclass(frozen=True)
class TableKernel(CompiledKernel[Problem, Form]):
    """The kernel that makes tables, for one target."""

    target: str
    name: str = "fmha"

    @property
    def stem(self) -> str:
        """Name of its source."""
        return f"packed_{self.target}"

    def defines(self, problem: Problem, tiling: Form) -> dict[str, int]:
        """Return the macros of the source."""
        return {
            "MAPS": tiling.maps,
            "KEY_MAPS": tiling.key_maps,
            "LISTED": tiling.listed,
            "OF_KEYS": int(tiling.of_keys),
            "DESCENDING": int(tiling.descending),
            "QUERY_ROWS": tiling.query_rows,
        }

    def headers(self, problem: Problem, tiling: Form, results: Roots) -> dict[str, str]:
        """Return no headers: no layout decides anything here."""
        return {}

    def tables(
        self,
        device: Any,
        problem: Problem,
        form: Form,
        maps: Sequence[tuple[Any, int]],
        ends: tuple[Any, Any],
        heads: int,
        multiprocessors: int | None = None,
    ) -> Tables:
        """Return the tables.

        Args:
            device: A device from `lanemap.open_device`.
            problem: Its batch, queries and keys, of all sequences together.
            form: The maps and the list.
            maps: Tensor maps of whole arrays, each with the bytes from one position to the next.
            ends: cu_seqlens of queries and of keys, arrays of the device.
            heads: Of a sequence in the list.
            multiprocessors: CTAs that share the list in turns; by default each entry has its own.
        """
        p = problem
        most = heads * most_tiles(p.batch, p.keys if form.of_keys else p.queries, form.listed)
        ctas = min(multiprocessors or most, most)
        entries = most if multiprocessors is None else (-(-most // ctas) + 1) * ctas
        tiles = most_tiles(p.batch, p.queries, form.query_rows) if form.query_rows else 0
        records = (p.batch + bool(tiles)) * form.record_bytes
        scratch = scratch_of(device).of(0, records // 4 + entries + tiles, 1)
        made = [scratch[0].pointer(each) for each in (0, records, records + 4 * entries)]
        packing = struct.pack(
            "<8i", p.batch, p.queries, p.keys, heads, ctas, entries, form.record_bytes, tiles
        )
        make = Launch(
            loaded(device, self.ptx(problem, form))["fmha_sequences"],
            -(-(p.batch + 1) // _WARPS),
            32 * _WARPS,
            (*ends, _whole(maps), *made, ByValue(packing, 4)),
            scratch=tuple(scratch),
        )
        return Tables(make, made[0], made[1], made[2], ctas)


def most_tiles(sequences: int, total: int, rows: int) -> int:
    """Return how many tiles sequences of any lengths have at most, which have so many rows."""
    return total // rows + min(sequences, total)


def _whole(maps: Sequence[tuple[Any, int]]) -> ByValue:
    """Return the source's `Whole`."""
    data = b"".join(each.data for each, _ in maps)
    data += b"".join(struct.pack("<q", row_bytes) for _, row_bytes in maps)
    places = [
        (i * _MAP_BYTES + byte, array, added)
        for i, (each, _) in enumerate(maps)
        for byte, array, added in each.addresses
    ]
    padded = data.ljust(-(-len(data) // _RECORD_STEP) * _RECORD_STEP, b"\0")
    return ByValue(padded, _RECORD_STEP, [each for each, _ in maps], places)


def stays_there(q: Any, ends: Sequence[Any]) -> bool:
    """Whether cu_seqlens are read where q lies: both are int32 and contiguous, and lie there."""
    return all(
        hasattr(each, "shape")
        and on_gpu(each) == on_gpu(q)
        and type(each).__module__.partition(".")[0] == type(q).__module__.partition(".")[0]
        and type_name(each) == "int32"
        and len(each.shape) == 1
        and int(each.shape[0]) > 1
        and steps(each) == (4,)
        for each in ends
    )


def require_there(problem: Problem) -> None:
    """Check that a plan depends on no lengths.

    Raises:
        UserError: cu_seqlens would be read on the host.
    """
    if problem.lengths != UNKNOWN:
        raise UserError(
            "a plan holds for any lengths, so cu_seqlens_q and cu_seqlens_k must be contiguous "
            "int32 arrays that lie where q does"
        )
