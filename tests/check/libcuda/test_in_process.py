"""libcuda.so.1 in this process: what its functions answer, and what they refuse."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from ctypes import byref, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

import numpy as np
import pytest

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.check.libcuda.images import carrying
from lanemap.check.libcuda.in_process import libcuda_in_process
from lanemap.check.libcuda.serving import PROTOCOL, Operation, Serving
from lanemap.devices import open_device
from lanemap.targets import TARGETS
from tests.check.libcuda.driver import Driver, Refused

#: out[i] = x[i] * scale + table, by CTAs of any size; `scratch` is dynamic shared memory.
TEXT = b"""
.version 8.0
.target sm_90a
.address_size 64
.visible .global .align 4 .u32 table = 5;
.visible .entry scale(.param .u64 out, .param .u64 x, .param .u32 factor, .param .u32 n)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<6>;
    .reg .pred %p;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r1, %r2, %r3, %r1;
    ld.param.u32 %r4, [n];
    setp.ge.u32 %p, %r1, %r4;
    @%p ret;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [x];
    ld.param.u32 %r5, [factor];
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd1, %rd1, %rd3;
    add.u64 %rd2, %rd2, %rd3;
    ld.global.u32 %r6, [%rd2];
    ld.global.u32 %r7, [table];
    mad.lo.u32 %r6, %r6, %r5, %r7;
    st.global.u32 [%rd1], %r6;
    ret;
}
.visible .entry bounded() .maxntid 64, 1, 1
{
    ret;
}
"""


@pytest.fixture(scope="module")
def findings() -> Findings:
    """What is found by all tests of this file."""
    return Findings(quiet=True)


@pytest.fixture(scope="module")
def cuda(findings: Findings) -> Iterator[Driver]:
    """The driver of an H200."""
    emulated = Emulated(open_device("sm_90a", "emulator", "report"), findings)
    with libcuda_in_process(Calls(emulated, TARGETS["sm_90a"])):
        yield Driver()


@pytest.fixture(scope="module")
def module(cuda: Driver) -> c_void_p:
    """The text above, loaded."""
    return cuda.module(TEXT)


def status_of(cuda: Driver, *call: object) -> int:
    """The number that a call ends with."""
    try:
        cuda(*call)  # type: ignore[arg-type]
    except Refused as refused:
        return refused.status
    return 0


def test_a_kernel_runs(cuda: Driver, module: c_void_p, findings: Findings) -> None:
    """Memory, a variable of the module, a launch."""
    x = np.arange(100, dtype=np.uint32)
    out, source = cuda.allocate(400), cuda.put(x)
    address, size = c_uint64(), c_size_t()
    cuda("cuModuleGetGlobal_v2", byref(address), byref(size), module, b"table")
    assert size.value == 4
    cuda("cuMemcpyHtoD_v2", address, byref(c_uint(7)), c_size_t(4))
    scale = cuda.function(module, "scale")
    cuda.launch(scale, 4, 32, c_uint64(out), c_uint64(source), c_uint(3), c_uint(100))
    assert (cuda.get(out, 100, np.uint32) == 3 * x + 7).all()
    assert not findings.hazards


def test_a_read_past_the_end_is_found(cuda: Driver, module: c_void_p, findings: Findings) -> None:
    """The twin of the kernel's launch that is wrong: one element too many."""
    x = np.arange(64, dtype=np.uint32)
    out, source = cuda.allocate(65 * 4), cuda.put(x)
    scale = cuda.function(module, "scale")
    cuda.launch(scale, 3, 32, c_uint64(out), c_uint64(source), c_uint(3), c_uint(65))
    (found,) = findings.take().hazards
    assert found.kind == "out-of-bounds"


def test_undefined_memory_is_found_when_the_host_reads_it(cuda: Driver, findings: Findings) -> None:
    """Fresh memory has no values."""
    cuda.get(cuda.allocate(64), 16, np.uint32)
    (found,) = findings.take().hazards
    assert found.kind == "undefined"


def test_copies_and_fills(cuda: Driver) -> None:
    """Rows, fills of each width, and copies that go by what the addresses are."""
    base = cuda.allocate(64 * 8)
    cuda("cuMemsetD32_v2", c_uint64(base), 0x01020304, c_size_t(128))
    cuda("cuMemsetD2D8_v2", c_uint64(base), c_size_t(64), 9, c_size_t(3), c_size_t(8))
    found = cuda.get(base, (8, 64), np.uint8)
    wanted = np.tile(np.array([4, 3, 2, 1], np.uint8), (8, 16))
    wanted[:, :3] = 9
    assert (found == wanted).all()
    other, back = cuda.allocate(512), np.zeros(512, np.uint8)
    cuda("cuMemcpy", c_uint64(other), c_uint64(base), c_size_t(512))
    cuda("cuMemcpy", c_uint64(back.ctypes.data), c_uint64(other), c_size_t(512))
    assert (back.reshape(8, 64) == wanted).all()
    end = c_uint64(base + 1)
    assert status_of(cuda, "cuMemcpyDtoD_v2", end, c_uint64(other), c_size_t(512)) == 1


def test_memory_of_the_host_is_one_with_the_kernels(cuda: Driver, module: c_void_p) -> None:
    """What cuMemHostAlloc and cuMemAllocManaged give is read and written in place."""
    first, second = c_void_p(), c_uint64()
    cuda("cuMemHostAlloc", byref(first), c_size_t(256), 2)
    cuda("cuMemAllocManaged", byref(second), c_size_t(256), 1)
    source = (c_uint * 64).from_address(first.value or 0)
    out = (c_uint * 64).from_address(second.value)
    source[:] = range(64)
    scale = cuda.function(module, "scale")
    cuda.launch(scale, 2, 32, second, c_uint64(first.value or 0), c_uint(2), c_uint(64))
    assert out[10] - out[0] == 20
    assert cuda.number("cuPointerGetAttribute", 2, c_uint64(first.value or 0)) == 1
    assert cuda.number("cuPointerGetAttribute", 8, second) == 1
    cuda("cuMemFreeHost", first)
    cuda("cuMemFree_v2", second)
    assert status_of(cuda, "cuMemFree_v2", second) == 1


def test_streams_and_events_are_order(cuda: Driver) -> None:
    """All has happened when a call returns; there is no time."""
    stream, start, end, time = c_void_p(), c_void_p(), c_void_p(), c_float()
    cuda("cuStreamCreate", byref(stream), 1)
    cuda("cuEventCreate", byref(start), 0)
    cuda("cuEventCreate", byref(end), 0)
    assert status_of(cuda, "cuEventElapsedTime", byref(time), start, end) == 400
    cuda("cuEventRecord", start, stream)
    cuda("cuEventRecord", end, stream)
    cuda("cuStreamWaitEvent", stream, end, 0)
    cuda("cuEventElapsedTime", byref(time), start, end)
    assert math.isnan(time.value)
    capturing = c_int(1)
    cuda("cuStreamIsCapturing", stream, byref(capturing))
    assert capturing.value == 0
    called: list[int] = []
    function = ctypes.CFUNCTYPE(None, c_void_p)(lambda data: called.append(data or 0))
    cuda("cuLaunchHostFunc", stream, function, c_void_p(17))
    assert called == [17]
    cuda("cuStreamDestroy_v2", stream)
    assert status_of(cuda, "cuStreamSynchronize", stream) == 400


def test_attributes_of_kernels_bound_their_launches(cuda: Driver, module: c_void_p) -> None:
    """What CUDA refuses with a status is refused with it."""
    bounded, scale = cuda.function(module, "bounded"), cuda.function(module, "scale")
    assert cuda.number("cuFuncGetAttribute", 0, bounded) == 64
    assert cuda.number("cuFuncGetAttribute", 5, bounded) == 80
    with pytest.raises(Refused, match=": 1"):
        cuda.launch(bounded, 1, 65)
    with pytest.raises(Refused, match=": 1"):  # more than 48 KiB are asked for first
        cuda.launch(bounded, 1, 64, shared=50_000)
    cuda("cuFuncSetAttribute", bounded, 8, 50_000)
    cuda.launch(bounded, 1, 64, shared=50_000)
    blocks = cuda.number(
        "cuOccupancyMaxActiveBlocksPerMultiprocessor", scale, 1024, c_size_t(100_000)
    )
    assert blocks == 2
    grid = c_int()
    size = cuda.number("cuFuncGetAttribute", 0, scale)
    block = c_int()
    cuda("cuOccupancyMaxPotentialBlockSize", byref(grid), byref(block), scale, None, c_size_t(0), 0)
    assert (block.value, grid.value) == (size, 132 * 2)


def test_images_that_are_cut_off_are_refused(cuda: Driver, findings: Findings) -> None:
    """A sentence and a status; nothing else."""
    whole = carrying(TEXT.decode())
    cuda.function(cuda.module(whole), "scale")
    for image in (
        whole[:-70],  # its sections are not there
        b"\x7fELF" + bytes(100),
        b"no text at all\0",
        b"\x50\xed\x55\xba\x01\0\x10\0\xff\xff\xff\xff\xff\0\0\0",
    ):
        kept = ctypes.create_string_buffer(image, len(image))
        with pytest.raises(Refused, match=r": (200|218)$"):
            cuda.module(kept)  # type: ignore[arg-type]
    assert findings.take().refused


def test_two_texts_link_to_one_image(cuda: Driver) -> None:
    """cuLink makes what cuModuleLoadData takes."""
    caller = b"""
.version 8.0
.target sm_90a
.address_size 64
.extern .func (.param .b32 result) seven();
.visible .entry store(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    .param .b32 result;
    call.uni (result), seven, ();
    ld.param.b32 %r1, [result];
    ld.param.u64 %rd1, [out];
    st.global.u32 [%rd1], %r1;
    ret;
}
"""
    callee = b"""
.version 8.0
.target sm_90a
.address_size 64
.visible .func (.param .b32 result) seven()
{
    .reg .b32 %r<2>;
    mov.u32 %r1, 7;
    st.param.b32 [result], %r1;
    ret;
}
"""
    state, image, size = c_void_p(), c_void_p(), c_size_t()
    cuda("cuLinkCreate_v2", 0, None, None, byref(state))
    for text in (caller, callee):
        cuda("cuLinkAddData_v2", state, 1, text, c_size_t(len(text)), b"text", 0, None, None)
    cuda("cuLinkComplete", state, byref(image), byref(size))
    module = c_void_p()
    cuda("cuModuleLoadData", byref(module), image)
    cuda("cuLinkDestroy", state)
    out = cuda.allocate(4)
    cuda.launch(cuda.function(module, "store"), 1, 1, c_uint64(out))
    assert cuda.get(out, 1, np.uint32) == [7]


def test_addresses_of_functions_go_by_version(cuda: Driver) -> None:
    """cuGetProcAddress gives the newest symbol that a version of CUDA has."""
    found, result = c_void_p(), c_int()

    def ask(name: bytes, version: int) -> int:
        cuda("cuGetProcAddress_v2", name, byref(found), version, c_uint64(0), byref(result))
        return result.value

    assert ask(b"cuMemAlloc", 12000) == 0
    newest = ctypes.cast(cuda.library.cuMemAlloc_v2, c_void_p).value
    assert found.value == newest
    assert ask(b"cuLaunchKernelEx", 11000) == 2
    assert ask(b"cuNoSuchFunction", 13000) == 1


def test_what_is_not_served_says_so(cuda: Driver, findings: Findings) -> None:
    """No graphs, which is told; no private table, which is if the program comes to nothing."""
    findings.take()
    assert status_of(cuda, "cuGetExportTable", None, None) == 801
    assert status_of(cuda, "cuGraphCreate", None, 0) == 801
    found = findings.take()
    assert found.lacking == ["cuGraphCreate is not supported"]
    found.launched("a kernel")
    found.tell_withheld(failed=False)
    assert len(found.lacking) == 1
    found.tell_withheld(failed=True)
    sentence = "cuGetExportTable is not supported: tables that only NVIDIA knows are not imitated"
    assert found.lacking[1].startswith(sentence)


def test_memory_of_the_programs_own_is_registered(
    cuda: Driver, module: c_void_p, findings: Findings
) -> None:
    """Kernels read and write it where it lies, and not a byte beyond."""
    findings.take()
    memory, address = np.arange(130, dtype=np.uint32), c_uint64()
    start = c_void_p(memory[1:].ctypes.data)
    cuda("cuMemHostRegister_v2", start, c_size_t(512), 2)
    assert status_of(cuda, "cuMemHostRegister_v2", start, c_size_t(4), 0) == 712
    cuda("cuMemHostGetDevicePointer_v2", byref(address), start, 0)
    assert cuda.number("cuPointerGetAttribute", 2, address) == 1
    scale = cuda.function(module, "scale")
    out = c_uint64(address.value + 256)
    cuda.launch(scale, 2, 32, out, address, c_uint(2), c_uint(64))
    assert ((memory[65:129] - memory[65]) == 2 * np.arange(64)).all() and memory[129] == 129
    assert not findings.hazards
    cuda.launch(scale, 3, 32, out, address, c_uint(2), c_uint(65))
    (found,) = findings.take().hazards
    assert found.kind == "out-of-bounds" and "of registered memory" in str(found)
    cuda("cuMemHostUnregister", start)
    assert status_of(cuda, "cuMemHostUnregister", start) == 713


def test_a_library_of_another_version_is_refused() -> None:
    """It says its version first."""
    findings = Findings(quiet=True)
    device = open_device("sm_90a", "emulator", "report")
    serving = Serving(Calls(Emulated(device, findings), TARGETS["sm_90a"]))
    status, (_, told) = serving.answer(Operation.OPEN, [PROTOCOL + 1, *[0] * 15], b"")
    assert status and told.startswith(b"libcuda.so.1 is of another version of lanemap: start")


def test_handles_that_are_none_are_refused(cuda: Driver) -> None:
    """Numbers that no call gave, and handles of what is gone."""
    for wrong in (0, 3, 0x100, 2**63 + 5):
        assert status_of(cuda, "cuStreamSynchronize", c_void_p(wrong)) == (0 if not wrong else 400)
        assert status_of(cuda, "cuModuleUnload", c_void_p(wrong)) == 400
        assert status_of(cuda, "cuEventQuery", c_void_p(wrong)) == 400
