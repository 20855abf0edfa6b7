"""z = x + y with a layout of threads and values: JIT, AOT, a stream, and a timed call.

lanemap check examples/cute/elementwise.py
"""

import cutlass
import cutlass.cute as cute
import torch
from cuda.bindings import driver as cuda
from cutlass.cute.runtime import from_dlpack
from cutlass.testing import JitArguments, benchmark


@cute.kernel
def add_kernel(
    x: cute.Tensor,
    y: cute.Tensor,
    z: cute.Tensor,
    places: cute.Tensor,
    shape: cute.Shape,
    threads: cute.Layout,
    values: cute.Layout,
):
    """Each thread adds its values of a tile; `places` are the coordinates of the elements."""
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    at = ((None, None), block)
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), x.element_type)
    tiled = cute.make_tiled_copy_tv(atom, threads, values)
    mine = tiled.get_slice(thread)
    own_x, own_y, own_z, own_places = (mine.partition_S(each[at]) for each in (x, y, z, places))
    held_x, held_y, held_z = (cute.make_fragment_like(each) for each in (own_x, own_y, own_z))
    inside = cute.make_rmem_tensor(own_places.shape, cutlass.Boolean)
    for i in range(cute.size(inside)):
        inside[i] = cute.elem_less(own_places[i], shape)
    cute.copy(atom, own_x, held_x, pred=inside)
    cute.copy(atom, own_y, held_y, pred=inside)
    held_z.store(held_x.load() + held_y.load())
    cute.copy(atom, held_z, own_z, pred=inside)


@cute.jit
def add(x: cute.Tensor, y: cute.Tensor, z: cute.Tensor, stream: cuda.CUstream):
    """Launch a CTA for each 16 rows and 128 columns, of which a thread has 4 by 4."""
    threads = cute.make_ordered_layout((4, 32), order=(1, 0))
    values = cute.make_ordered_layout((4, 4), order=(1, 0))
    tiler, _ = cute.make_layout_tv(threads, values)
    tiles = [cute.zipped_divide(each, tiler) for each in (x, y, z)]
    places = cute.zipped_divide(cute.make_identity_tensor(z.shape), tiler)
    add_kernel(*tiles, places, z.shape, threads, values).launch(
        grid=[cute.size(tiles[0], mode=[1]), 1, 1],
        block=[cute.size(threads), 1, 1],
        stream=stream,
    )


def dynamic(x):
    """A tensor whose shape a compiled function does not fix."""
    return from_dlpack(x, assumed_align=16).mark_layout_dynamic()


torch.manual_seed(0)
stream = cuda.CUstream(torch.cuda.current_stream().cuda_stream)
x, y = torch.randn(100, 300, device="cuda"), torch.randn(100, 300, device="cuda")
z = torch.empty_like(x)
add(dynamic(x), dynamic(y), dynamic(z), stream)
assert torch.equal(z, x + y)

compiled = cute.compile(add, dynamic(x), dynamic(y), dynamic(z), stream)
x, y = torch.randn(33, 260, device="cuda"), torch.randn(33, 260, device="cuda")
z = torch.empty_like(x)
compiled(dynamic(x), dynamic(y), dynamic(z), stream)
assert torch.equal(z, x + y)

arguments = JitArguments(dynamic(x), dynamic(y), dynamic(z), stream)
time_us = benchmark(compiled, kernel_arguments=arguments)
print(f"sums of {x.numel()} elements are right; {time_us} us")
