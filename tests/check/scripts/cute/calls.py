"""The calls around a kernel: cuda-bindings, streams, events, graphs, ahead of time, cooperative."""

import ctypes
import math
import tempfile
from pathlib import Path

import cutlass
import cutlass.cute as cute
import numpy as np
import torch
from cuda.bindings import driver, runtime
from cutlass.cute.runtime import from_dlpack, load_module, make_ptr
from cutlass.utils import HardwareInfo

TARGET_SMS = {(9, 0): 132, (10, 0): 148}


def done(result):
    """The results of a call of cuda-bindings that must succeed."""
    status, *values = result
    assert int(status) == 0, status
    return values[0] if len(values) == 1 else values


@cute.kernel
def add_kernel(x: cute.Tensor, y: cutlass.Float32, n: cutlass.Int32):
    i = cute.arch.block_idx()[0] * 128 + cute.arch.thread_idx()[0]
    if i < n:
        x[i] += y


@cute.jit
def add(x: cute.Tensor, y: cutlass.Float32, n: cutlass.Int32, stream: driver.CUstream):
    add_kernel(x, y, n).launch(
        grid=[(n + 127) // 128, 1, 1], block=[128, 1, 1], cooperative=True, stream=stream
    )


@cute.jit
def add_at(pointer: cute.Pointer, n: cutlass.Int32, stream: driver.CUstream):
    add(cute.make_tensor(pointer, cute.make_layout(n)), 1.0, n, stream)


n = 1000
x = torch.zeros(n, device="cuda")
done(driver.cuInit(0))
assert done(driver.cuDeviceGetCount()) == done(runtime.cudaGetDeviceCount()) == 1
sms = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
sms = done(driver.cuDeviceGetAttribute(sms, done(driver.cuDeviceGet(0))))
assert sms == TARGET_SMS[torch.cuda.get_device_capability()]
assert HardwareInfo().get_max_active_clusters(2) == sms // 2
assert HardwareInfo().get_l2_cache_size_in_bytes() > 10**7

# a stream, timed
stream = done(driver.cuStreamCreate(0))
compiled = cute.compile(add, from_dlpack(x), 1.0, n, stream)
start, end = (done(driver.cuEventCreate(0)) for _ in "ab")
done(driver.cuEventRecord(start, stream))
compiled(from_dlpack(x), 2.0, n, stream)
done(driver.cuEventRecord(end, stream))
done(driver.cuStreamSynchronize(stream))
assert (x == 2).all()
assert math.isnan(done(driver.cuEventElapsedTime(start, end)))

# a graph
mode = runtime.cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal
done(runtime.cudaStreamBeginCapture(int(stream), mode))
compiled(from_dlpack(x), 3.0, n, stream)
graph = done(runtime.cudaStreamEndCapture(int(stream)))
assert (x == 2).all(), "what is captured has not run"
assert done(runtime.cudaGraphGetNodes(graph))[1] == 1
executable = done(runtime.cudaGraphInstantiate(graph, 0))
for _ in range(2):
    done(runtime.cudaGraphLaunch(executable, int(stream)))
assert (x == 8).all()

# ahead of time
with tempfile.TemporaryDirectory() as folder:
    compiled.export_to_c(folder, "add", "add")
    loaded = load_module(str(Path(folder) / "add.o"))
    loaded.add(from_dlpack(x), 0.5, n, stream)
assert (x == 8.5).all()

# memory of cuda-bindings, and pointers
pointer = done(driver.cuMemAlloc(4 * n))
values = np.arange(n, dtype=np.float32)
done(driver.cuMemcpyHtoD(pointer, values, 4 * n))
add_at(make_ptr(cutlass.Float32, int(pointer), cute.AddressSpace.gmem), n, stream)
found = np.empty_like(values)
done(driver.cuMemcpyDtoH(found, pointer, 4 * n))
assert (found == values + 1).all()
done(driver.cuMemFree(pointer))

# managed memory, which the host reaches where kernels do
managed = done(runtime.cudaMallocManaged(4 * n, runtime.cudaMemAttachGlobal))
seen = np.ctypeslib.as_array((ctypes.c_float * n).from_address(managed))
seen[:] = values
add_at(make_ptr(cutlass.Float32, managed, cute.AddressSpace.gmem), n, stream)
assert (seen == values + 1).all()
done(runtime.cudaFree(managed))
properties = done(runtime.cudaGetDeviceProperties(0))
assert properties.multiProcessorCount == sms and properties.managedMemory == 1
assert (properties.major, properties.minor) == torch.cuda.get_device_capability()
status, _ = driver.cuEventElapsedTime(driver.CUevent(12345), end)
assert status == driver.CUresult.CUDA_ERROR_INVALID_HANDLE
print("right")
