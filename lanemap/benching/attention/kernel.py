"""A kernel of attention: its text for a tile, and its launch on any device.

Sources for all targets take the same arguments (kernels/include/attention.h): tensor maps of Q,
K, V and O, `Sequence`s instead of them where sequences have lengths of their own, log_sum_exp, the
schedule, three arrays of descales for FP8, and `Shape`. Targets differ in tiles, macros and maps.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.additions import NOTHING, Additions
from lanemap.benching.attention.packed import Form, TableKernel
from lanemap.benching.attention.problem import ADDITIONS, ALL, Problem
from lanemap.benching.attention.tiling import Tiling, swizzle_bytes
from lanemap.benching.build import CompiledKernel
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import Launch
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.devices.arguments import ByValue
from lanemap.emission.wgmma_wrappers import wrapper
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.records.files import Roots

NAME = "fmha"
#: Alignment of a tensor map.
_MAP_ALIGNMENT = 64
#: Tiles by the elements of a row of Q and K, and of V.
_WIDE = {
    (96, 96): Tiling(96, consumers=3, registers=(160, 32)),
    (192, 128): Tiling(128, q_stages=1, turns=False),
    (192, 192): Tiling(112, q_stages=1),
    (256, 256): Tiling(80, q_stages=1),
}
#: Rows of a warp, which stores its own: queries of O, and queries or keys of gradients.
STORED_ROWS = 16


@dataclass(frozen=True)
class Arrays:
    """The operands on a device: Q, K, V, O of rows of a head dimension, and f32 of each row.

    Attributes:
        q: Rows of all sequences and heads.
        k: K.
        v: V.
        o: O.
        log_sum_exp: Logarithm of the sum of exponentials, for each head and query.
        descales: Scale factors of Q, K and V, each (batch, heads of K and V); only for FP8.
    """

    q: Operand
    k: Operand
    v: Operand
    o: Operand
    log_sum_exp: Operand
    descales: tuple[Operand, ...] = ()


@dataclass(frozen=True)
class AttentionKernel(CompiledKernel[Problem, Tiling]):
    """The kernel for sm_90a; another target's is a class of its own that says what differs."""

    target: str = "sm_90a"
    name: str = NAME

    def choose(self, problem: Problem) -> Tiling:
        """Return the tile that is fastest on an H200, of those of README.md.

        Raises:
            UserError: FP8 of rows for which shared memory is too small.
        """
        dims = problem.head_dim, problem.values
        if problem.element_bytes == 1:
            if max(dims[0] - 64, dims[1]) > 128:
                raise UserError(
                    f"the head dimension of {problem.element} is {dims[0]}, and {dims[1]} of v; "
                    "supported are 64, 96, 128, and 192 with 128 of v"
                )
            columns, q_stages = 128 if problem.values < 128 else 96, 1 if dims[0] == 192 else 2
            return Tiling(columns, 3, q_stages, registers=(160, 32), turns=problem.causal)
        many = problem.keys >= 8192
        if dims in _WIDE:
            return _WIDE[dims]
        if problem.head_dim == 128:
            wide = many and not problem.causal
            return Tiling(176, q_stages=1, turns=False) if wide else Tiling(128)
        if many:
            return Tiling(128, consumers=3, registers=(160, 32))
        return Tiling(64, consumers=4, registers=(112, 24))

    def layouts(self, problem: Problem) -> list[Layout]:
        """The maps that sm_90a.cu uses: README.md says where."""
        kind = TYPES[problem.element]
        if kind.bytes == 2:
            return layouts_of_16_bits(problem.element)
        swizzle = swizzle_bytes(problem.head_dim)
        return [
            *_LAYOUTS,
            Layout(f"wgmma.m64k32.{kind.ptx}:A", "fragment", "byte"),
            Layout("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "piece", "half"),
            Layout(f"shared.k_major.{swizzle}b.8bit", "operand", inverse=True),
            Layout("shared.k_major.128b.8bit", "value", inverse=True),
        ]

    def defines(self, problem: Problem, tiling: Tiling) -> dict[str, int]:
        """Return the macros of the source.

        Raises:
            UserError: the tile asks for more registers than there are.
        """
        tiling.check_registers()
        consumer, producer = tiling.registers
        return {
            **common_defines(problem, tiling),
            **{name.upper(): int(name in problem.additions) for name in ADDITIONS},
            "VALUE_DIM": problem.values,
            "CONSUMERS": tiling.consumers,
            "Q_STAGES": tiling.q_stages,
            "STAGES": tiling.stages,
            "TURNS": int(tiling.turns),
            "CONSUMER_REGISTERS": consumer,
            "PRODUCER_REGISTERS": producer,
        }

    def headers(self, problem: Problem, tiling: Tiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name: maps from `results`, and the wrappers of wgmma.

        Raises:
            UserError: a map was never observed.
        """
        kind = TYPES[problem.element]
        types = f"k{32 // kind.bytes}.f32.{kind.ptx}.{kind.ptx}"
        keys = wrapper(f"wgmma.m64n{tiling.columns}{types}", ("ss",))
        transposed = kind.bytes == 2
        values = wrapper(f"wgmma.m64n{problem.values}{types}", ("rs",), transposed_b=transposed)
        return {
            HEADER: header(self.layouts(problem), results),
            "wgmma.h": f"#pragma once\n\n{keys}\n{values}",
        }

    def boxes(self, tiling: Tiling) -> tuple[int, int, int]:
        """Return the rows of a copy's box of Q, of K and V, and of O."""
        return tiling.rows_of_copy, tiling.columns, STORED_ROWS

    def launch(
        self,
        device: Any,
        module: Any,
        problem: Problem,
        tiling: Tiling,
        arrays: Arrays,
        scale: float,
        multiprocessors: int,
        group: int,
        additions: Additions = NOTHING,
    ) -> Launch:
        """Return a launch that computes O and the logarithm of each row's sum.

        Args:
            device: A device from `lanemap.open_device`.
            module: The module that the device loaded from `ptx`.
            problem: Sizes and types.
            tiling: The tile that the text was made for.
            arrays: The operands.
            scale: Factor of the logits.
            multiprocessors: CTAs that run at once, one on each.
            group: See `Tiling.schedule`.
            additions: What is done to the logits, as `problem.added` says.
        """
        maps, sequences = _maps(device, problem, arrays, self.boxes(tiling))
        ctas = tiling.ctas(problem, multiprocessors)
        schedule = device.array(tiling.schedule(problem, ctas, group), name="schedule")
        tables = maps, sequences, schedule
        return self._launch(module, problem, tiling, arrays, scale, additions, tables, ctas)

    def packed_launches(
        self,
        device: Any,
        module: Any,
        problem: Problem,
        tiling: Tiling,
        arrays: Arrays,
        scale: float,
        multiprocessors: int,
        ends: tuple[Any, Any],
        additions: Additions = NOTHING,
    ) -> list[Launch]:
        """Return the launches for sequences whose lengths the device alone knows; see `launch`.

        Args:
            device: A device from `lanemap.open_device`.
            module: The module that the device loaded from `ptx`.
            problem: Sizes and types.
            tiling: The tile that the text was made for.
            arrays: The operands.
            scale: Factor of the logits.
            multiprocessors: CTAs that run at once, one on each.
            ends: cu_seqlens of queries and of keys on the device.
            additions: What is done to the logits, as `problem.added` says.
        """
        p, whole = problem, (1, problem.queries, problem.keys)
        maps = _four(device, p, arrays, self.boxes(tiling), whole, (0, 0))
        rows = [
            position_bytes(arrays.q, p.heads), position_bytes(arrays.k, p.kv_heads),
            position_bytes(arrays.v, p.kv_heads), position_bytes(arrays.o, p.heads),
        ]  # fmt: skip
        form, given = Form(4, 0b0110, tiling.rows), list(zip(maps, rows, strict=True))
        made = TableKernel(self.target).tables(
            device, p, form, given, ends, p.heads, multiprocessors
        )
        tables = maps, made.records, made.entries
        attend = self._launch(module, p, tiling, arrays, scale, additions, tables, made.ctas)
        return [made.make, attend]

    def _launch(
        self,
        module: Any,
        problem: Problem,
        tiling: Tiling,
        arrays: Arrays,
        scale: float,
        additions: Additions,
        tables: tuple[list[Any], Any, Any],
        ctas: int,
    ) -> Launch:
        """Return the launch; `tables` are the maps, the records of sequences and the schedule."""
        maps, sequences, schedule = tables
        shape = struct.pack(
            "<iiiiiif",
            problem.heads,
            problem.heads // problem.kv_heads,
            problem.queries,
            problem.keys,
            *problem.reach,
            (additions.softcap or scale) * math.log2(math.e),
        )
        descales = [operand.array.pointer().address for operand in arrays.descales] or [0, 0, 0]
        places = [(8 * i, operand.array, 0) for i, operand in enumerate(arrays.descales)]
        arguments = (
            *maps, sequences, arrays.log_sum_exp.array, schedule,
            ByValue(struct.pack("<3Q", *descales), 8, arrays.descales, places), ByValue(shape, 4),
            *additions.arguments(problem, scale),
        )  # fmt: skip
        return Launch(
            module[self.name],
            ctas,
            tiling.threads,
            arguments,
            tiling.shared_bytes(problem),
            (1, 1, 1),
        )


#: The maps of S and O in registers, and of O's way to memory.
_LAYOUTS = (
    Layout("wgmma.m64n256.f32:D", "d", "word"),
    Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
    Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
)


def layouts_of_16_bits(element: str) -> list[Layout]:
    """Return the maps of every attention of bf16 or fp16 on sm_90a: forward, backward, decode."""
    return [
        *_LAYOUTS,
        Layout(f"wgmma.m64k16.{TYPES[element].ptx}:A", "fragment", "half"),
        Layout("shared.k_major.128b.16bit", "operand", inverse=True),
        Layout("shared.mn_major.128b.16bit", "value", inverse=True),
    ]


def position_bytes(operand: Operand, heads: int) -> int:
    """Return the bytes from one position of packed sequences to the next."""
    return operand.strides[1] if operand.strides else heads * operand.row_bytes


def common_defines(problem: Problem, tiling: Tiling) -> dict[str, int]:
    """Return the macros of attention.h and of types, which sources for all targets have."""
    return {
        "HEAD_DIM": problem.head_dim,
        "ELEMENT_BYTES": problem.element_bytes,
        "TILE_N": tiling.columns,
        "SEES_LEFT": int(problem.left == ALL),
        "SEES_RIGHT": int(problem.right == ALL),
        "VARLEN": int(bool(problem.lengths)),
        "OUTPUT_F16": int(problem.output == "float16"),
    }


def _maps(
    device: Any, problem: Problem, arrays: Arrays, boxes: Sequence[int]
) -> tuple[list[Any], Any]:
    """Return the tensor maps that a kernel gets by value, and the array of its `Sequence`s."""
    if not problem.lengths:
        whole = (problem.batch, problem.queries, problem.keys)
        return _four(device, problem, arrays, boxes, whole, (0, 0)), np.uint64(0)
    records, maps = [], []
    for sizes, first in sequences(problem):
        maps = _four(device, problem, arrays, boxes, sizes, first)
        records.append((maps, struct.pack("<iii", *sizes[1:], first[0])))
    return maps, table_of(device, records)


def sequences(problem: Problem) -> Iterator[tuple[tuple[int, int, int], tuple[int, int]]]:
    """Yield (1, queries, keys) of each sequence, and its first row of queries and of keys."""
    first = 0, 0
    for queries, keys in problem.sequences:
        yield (1, queries, keys), first
        first = first[0] + queries, first[1] + keys


def table_of(device: Any, records: Iterable[tuple[Iterable[Any], bytes]]) -> Any:
    """Return the array of what a source has of each sequence: tensor maps, then integers."""
    table = b""
    for maps, numbers in records:
        record = b"".join(each.data for each in maps) + numbers
        table += record.ljust(-(-len(record) // _MAP_ALIGNMENT) * _MAP_ALIGNMENT, b"\0")
    return device.array(np.frombuffer(table, np.uint8), name="sequences")


def _four(
    device: Any,
    problem: Problem,
    arrays: Arrays,
    boxes: Sequence[int],
    sizes: tuple[int, int, int],
    first: tuple[int, int],
) -> list[Any]:
    """Return the maps of Q, K, V and O of (sequences, queries, keys), from given rows on."""
    batch, queries, keys = sizes
    p = problem
    return [
        tensor_map(device, arrays.q, p.element, (batch, queries, p.heads), boxes[0], first[0]),
        tensor_map(device, arrays.k, p.element, (batch, keys, p.kv_heads), boxes[1], first[1]),
        tensor_map(device, arrays.v, p.element, (batch, keys, p.kv_heads), boxes[1], first[1]),
        tensor_map(device, arrays.o, p.output, (batch, queries, p.heads), boxes[2], first[0]),
    ]


def tensor_map(
    device: Any, operand: Operand, element: str, sizes: tuple[int, int, int], rows: int, first: int
) -> Any:
    """Return a map of (batch, heads, length, ..) of an array of (batch, length, heads, ..).

    Args:
        device: A device from `lanemap.open_device`.
        operand: Rows of all heads.
        element: Name of their type.
        sizes: Sequences, their length and heads.
        rows: Of a box.
        first: Row of the first sequence's first element of the first head.
    """
    batch, length, heads = sizes
    row, item = operand.row_bytes, TYPES[element].bytes
    width = swizzle_bytes(row)
    whole = (length * heads * row or row, heads * row, row)
    of_sequence, of_position, of_head = operand.strides or whole
    # A sequence without rows has no copies; a map has at least one row.
    start = first * of_position if length else 0
    return device.tensor_map(
        operand.array,
        box=(1, 1, rows, width // item),
        dtype=TYPES[element].map_type,
        sizes=(batch, heads, max(1, length), row // item),
        strides=(of_sequence, of_head, of_position),
        swizzle=f"{width}b",
        l2_promotion="l2_256b",
        byte_offset=start,
    )
