"""C_i = A_i B_i^T for groups of different sizes on sm_90a: each CTA makes its own tensor maps.

    lanemap check --target sm_90a examples/cute/gemm_grouped.py

The host passes tables: sizes and addresses of each group, and the group and tile of each CTA. A CTA
copies the tensor maps that the host made, writes its group's addresses and sizes into the copies,
and loads through them.
"""

import cutlass
import cutlass.cute as cute
import cutlass.utils.hopper_helpers as sm90
import torch
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, warpgroup
from cutlass.cute.runtime import from_dlpack
from cutlass.tensor_utils import LayoutEnum
from cutlass.tensor_utils.tensormap import TensorMapManager, TensorMapUpdateMode

TILE = (64, 64, 64)
STAGES, THREADS, MAP_BYTES = 2, 128, 128
HALF = cutlass.Float16
MAPS = TensorMapManager(TensorMapUpdateMode.SMEM, MAP_BYTES)


def matrix(address, rows, columns):
    """A row-major matrix of the group, from its address."""
    pointer = cute.make_ptr(HALF, address, cute.AddressSpace.gmem, assumed_align=16)
    return cute.make_tensor(pointer, cute.make_layout((rows, columns), stride=(columns, 1)))


@cute.kernel
def grouped_kernel(
    multiply: cute.TiledMma,
    atom_a: cute.CopyAtom,
    a: cute.Tensor,
    atom_b: cute.CopyAtom,
    b: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
    sizes: cute.Tensor,
    addresses: cute.Tensor,
    tiles: cute.Tensor,
    maps: cute.Tensor,
):
    """One tile of one group."""
    thread, _, _ = cute.arch.thread_idx()
    cta, _, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    group, row, column = tiles[cta, 0], tiles[cta, 1], tiles[cta, 2]
    m, n, k = sizes[group, 0], sizes[group, 1], sizes[group, 2]

    @cute.struct
    class Storage:
        maps: cute.struct.Align[cute.struct.MemRange[cutlass.Int64, 2 * MAP_BYTES // 8], 128]
        barriers: cute.struct.MemRange[cutlass.Int64, 2 * STAGES]
        a: cute.struct.Align[cute.struct.MemRange[HALF, cute.cosize(layout_a)], 1024]
        b: cute.struct.Align[cute.struct.MemRange[HALF, cute.cosize(layout_b)], 1024]

    storage = cutlass.memory.SmemAllocator().allocate(Storage)
    held_a = storage.maps.data_ptr()
    held_b = held_a + MAP_BYTES // 8
    map_a, map_b = (MAPS.get_tensormap_ptr(maps[cta, i, None].iterator) for i in (0, 1))
    load_a, load_b = (
        MAPS.get_tensormap_ptr(maps[cta, i, None].iterator, cute.AddressSpace.generic)
        for i in (0, 1)
    )
    MAPS.init_tensormap_from_atom(atom_a, held_a, 0)
    MAPS.init_tensormap_from_atom(atom_b, held_b, 0)
    MAPS.fence_tensormap_initialization()
    own = matrix(addresses[group, 0], m, k), matrix(addresses[group, 1], n, k)
    MAPS.update_tensormap(own, (atom_a, atom_b), (map_a, map_b), 0, (held_a, held_b))
    MAPS.fence_tensormap_update(map_a)
    MAPS.fence_tensormap_update(map_b)

    shared_a = storage.a.get_tensor(layout_a.outer, swizzle=layout_a.inner)
    shared_b = storage.b.get_tensor(layout_b.outer, swizzle=layout_b.inner)
    one = cute.slice_(layout_a, (None, None, 0)), cute.slice_(layout_b, (None, None, 0))
    loads = pipeline.PipelineTmaAsync.create(
        num_stages=STAGES,
        producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, THREADS // 32),
        tx_count=sum(cute.size_in_bytes(HALF, each) for each in one),
        barrier_storage=storage.barriers.data_ptr(),
        cta_layout_vmnk=cute.make_layout((1, 1, 1, 1)),
    )
    alone = cute.make_layout(1)
    to_a, from_a = cpasync.tma_partition(
        atom_a, 0, alone, cute.group_modes(shared_a, 0, 2),
        cute.group_modes(cute.local_tile(a, (TILE[0], TILE[2]), (row, None)), 0, 2),
    )  # fmt: skip
    to_b, from_b = cpasync.tma_partition(
        atom_b, 0, alone, cute.group_modes(shared_b, 0, 2),
        cute.group_modes(cute.local_tile(b, (TILE[1], TILE[2]), (column, None)), 0, 2),
    )  # fmt: skip
    mine = multiply.get_slice(thread)
    own_a = multiply.make_fragment_A(mine.partition_A(shared_a))
    own_b = multiply.make_fragment_B(mine.partition_B(shared_b))
    sums = cute.make_rmem_tensor(multiply.partition_shape_C(TILE[:2]), cutlass.Float32)
    sums.fill(0.0)
    ahead = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
    reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
    multiply.set(warpgroup.Field.ACCUMULATE, True)
    for step in cutlass.range(cute.ceil_div(k, TILE[2]), unroll=1):
        if warp == 0:
            loads.producer_acquire(ahead)
            bar, to = loads.producer_get_barrier(ahead), (None, ahead.index)
            cute.copy(atom_a, from_a[None, step], to_a[to], tma_bar_ptr=bar, tma_desc_ptr=load_a)
            cute.copy(atom_b, from_b[None, step], to_b[to], tma_bar_ptr=bar, tma_desc_ptr=load_b)
            loads.producer_commit(ahead)
            ahead.advance()
        loads.consumer_wait(reads)
        warpgroup.fence()
        for part in cutlass.range_constexpr(cute.size(own_a, mode=[2])):
            at = (None, None, part, reads.index)
            cute.gemm(multiply, sums, own_a[at], own_b[at], sums)
        warpgroup.commit_group()
        warpgroup.wait_group(0)
        loads.consumer_release(reads)
        reads.advance()
    c = matrix(addresses[group, 2], m, n)
    own_c = mine.partition_C(cute.local_tile(c, TILE[:2], (row, column)))
    places = mine.partition_C(
        cute.local_tile(cute.make_identity_tensor(c.shape), TILE[:2], (row, column))
    )
    for i in cutlass.range_constexpr(cute.size(sums)):
        if cute.elem_less(places[i], c.shape):
            own_c[i] = sums[i].to(HALF)


@cute.jit
def grouped(
    first_a: cute.Tensor,
    first_b: cute.Tensor,
    sizes: cute.Tensor,
    addresses: cute.Tensor,
    tiles: cute.Tensor,
    maps: cute.Tensor,
):
    """Launch a CTA for each row of `tiles`; `first_a` and `first_b` stand for all groups'."""
    rows, k_major = LayoutEnum.ROW_MAJOR, cute.nvgpu.OperandMajorMode.K
    multiply = sm90.make_trivial_tiled_mma(
        HALF, HALF, k_major, k_major, cutlass.Float32, (1, 1, 1), (64, TILE[1])
    )
    layout_a = sm90.make_smem_layout_a(rows, TILE, HALF, STAGES)
    layout_b = sm90.make_smem_layout_b(rows, TILE, HALF, STAGES)
    load, stage = cpasync.CopyBulkTensorTileG2SOp(), (None, None, 0)
    atom_a, view_a = cpasync.make_tiled_tma_atom(
        load, first_a, cute.slice_(layout_a, stage), (TILE[0], TILE[2])
    )
    atom_b, view_b = cpasync.make_tiled_tma_atom(
        load, first_b, cute.slice_(layout_b, stage), (TILE[1], TILE[2])
    )
    grouped_kernel(
        multiply, atom_a, view_a, atom_b, view_b, layout_a, layout_b, sizes, addresses, tiles, maps
    ).launch(grid=[tiles.shape[0], 1, 1], block=[THREADS, 1, 1])


torch.manual_seed(0)
problems = [(128, 64, 128), (72, 136, 64), (64, 64, 200)]
groups = [
    (
        torch.randint(-4, 5, (m, k), device="cuda").half(),
        torch.randint(-4, 5, (n, k), device="cuda").half(),
        torch.empty(m, n, dtype=torch.float16, device="cuda"),
    )
    for m, n, k in problems
]
sizes = torch.tensor(problems, dtype=torch.int32, device="cuda")
addresses = torch.tensor([[x.data_ptr() for x in group] for group in groups], device="cuda")
tiles = torch.tensor(
    [
        (group, row, column)
        for group, (m, n, _) in enumerate(problems)
        for row in range(-(-m // TILE[0]))
        for column in range(-(-n // TILE[1]))
    ],
    dtype=torch.int32,
    device="cuda",
)
maps = torch.empty(len(tiles), 2, MAP_BYTES // 8, dtype=torch.int64, device="cuda")
# Of no fixed size: a layout of one tile would have no step to the next one.
given = [from_dlpack(x, assumed_align=16).mark_layout_dynamic() for x in groups[0][:2]]
given += [from_dlpack(x, assumed_align=16) for x in (sizes, addresses, tiles)]
grouped(*given, from_dlpack(maps, assumed_align=128))
for a, b, c in groups:
    expected = (a.double() @ b.double().T).half()
    assert torch.equal(c, expected), (c - expected).abs().max()
print(f"{len(groups)} groups are right")
