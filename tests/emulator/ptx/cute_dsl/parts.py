"""What our kernels for sm_100a have in common: loads by TMA, groups of threads, the last write."""

from __future__ import annotations

from typing import Any

import cutlass
import cutlass.cute as cute
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, tcgen05


def threads(count: int = 0) -> pipeline.CooperativeGroup:
    """The group of so many threads that take part in a pipeline; 0 for the one that issues."""
    agent = pipeline.Agent.Thread
    return pipeline.CooperativeGroup(agent, count) if count else pipeline.CooperativeGroup(agent)


def one_stage(layout: Any) -> Any:
    """The layout of one stage of an operand in shared memory."""
    return cute.select(layout, mode=[0, 1, 2])


def stage_bytes(*operands: tuple[Any, Any]) -> int:
    """The bytes that one stage of each (type, layout) takes."""
    return sum(cute.size_in_bytes(kind, one_stage(layout)) for kind, layout in operands)


def in_shared(allocator: Any, kind: Any, layout: Any) -> cute.Tensor:
    """Allocate an operand with all its stages."""
    return allocator.allocate_tensor(kind, layout.outer, 1024, layout.inner)


def loading(
    atom: cute.CopyAtom, shared: cute.Tensor, part: cute.Tensor, rank: Any = 0, ctas: int = 1
) -> Any:
    """Where a TMA load writes in each stage, and what it reads of each tile: (to, from).

    CTA `rank` of `ctas` loads its share of a tile that all of them get.
    """
    return cpasync.tma_partition(
        atom,
        rank,
        cute.make_layout(ctas),
        cute.group_modes(shared, 0, 3),
        cute.group_modes(part, 0, 3),
    )


@cute.jit
def write_sums(sums: cute.Tensor, part_c: cute.Tensor, ready: Any, thread: cutlass.Int32):
    """Wait for float32 sums in tensor memory and write a thread's row of them."""
    load = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), cutlass.Float32)
    reader = tcgen05.make_tmem_copy(load, sums)
    own = reader.get_slice(thread)
    to_c = own.partition_D(part_c)
    out = cute.make_rmem_tensor(to_c.shape, cutlass.Float32)
    done = ready.wait_and_advance()
    cute.copy(reader, own.partition_S(sums), out)
    cute.arch.fence_view_async_tmem_load()
    done.release()
    cute.autovec_copy(out, to_c)
