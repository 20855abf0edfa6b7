"""Calls of CUDA through the library that stands in for CuTe DSL's, made as compiled code does."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from ctypes import byref, c_float, c_int, c_size_t, c_uint, c_void_p
from typing import Any

import numpy as np
import pytest

from lanemap.check.cuda_api.calls import Calls, Status
from lanemap.check.cute.shims import Shims
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.devices import open_device
from lanemap.devices.emulator import EmulatorDevice, driver_library
from lanemap.errors import UserError
from lanemap.targets import TARGETS

TO_DEVICE, TO_HOST, ON_DEVICE, EITHER = 1, 2, 3, 4

#: Adds a number to each element, and stores how many CTAs the cluster has behind them.
TEXT = b"""
.version 8.8
.target sm_100a
.address_size 64
.visible .entry add(.param .u64 out, .param .u32 n, .param .u32 more)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    .reg .pred %p;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r1, %r2, %r3, %r1;
    ld.param.u32 %r4, [n];
    setp.ge.u32 %p, %r1, %r4;
    @%p bra done;
    ld.param.u64 %rd1, [out];
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    ld.param.u32 %r5, [more];
    ld.global.u32 %r6, [%rd2];
    add.u32 %r6, %r6, %r5;
    st.global.u32 [%rd2], %r6;
    setp.ne.u32 %p, %r1, 0;
    @%p bra done;
    mov.u32 %r7, %cluster_nctaid.x;
    mad.wide.u32 %rd3, %r4, 4, %rd1;
    st.global.u32 [%rd3], %r7;
done:
    ret;
}
"""


class Attribute(ctypes.Structure):
    """cudaLaunchAttribute, of 72 bytes."""

    _fields_ = [("number", c_int), ("padding", c_int), ("value", c_uint * 16)]


class Configuration(ctypes.Structure):
    """cudaLaunchConfig_t."""

    _fields_ = [
        ("grid", c_uint * 3), ("block", c_uint * 3), ("shared", c_size_t), ("stream", c_void_p),
        ("attributes", c_void_p), ("count", c_uint),
    ]  # fmt: skip


class Host:
    """Code of the host that calls the library; all but `status` must succeed."""

    def __init__(self) -> None:
        self.device = open_device("sm_100a", "emulator", "report")
        assert isinstance(self.device, EmulatorDevice)
        self.findings = Findings(quiet=True)
        target = TARGETS["sm_100a"]
        self.shims = Shims(Calls(Emulated(self.device, self.findings), target))
        path = str(driver_library("cute_dsl_runtime"))
        self.shims.serve(path)
        self._library = ctypes.CDLL(path)

    def status(self, name: str, *arguments: Any) -> int:
        function = getattr(self._library, f"_{name}")
        function.restype = c_int
        return int(function(*arguments))

    def call(self, name: str, *arguments: Any) -> None:
        status = self.status(name, *arguments)
        self.shims.raise_kept()
        assert status == 0, f"{name}: {status}"

    def made(self, name: str, *arguments: Any) -> c_void_p:
        """What a function stores through its first parameter."""
        found = c_void_p()
        self.call(name, byref(found), *arguments)
        return found

    def array(self, values: Any) -> c_void_p:
        address = self.made("cudaMalloc", c_size_t(values.nbytes))
        self.call("cudaMemcpy", address, _data(values), c_size_t(values.nbytes), TO_DEVICE)
        return address

    def read(self, address: c_void_p, like: Any) -> Any:
        found = np.empty_like(like)
        self.call("cudaMemcpy", _data(found), address, c_size_t(found.nbytes), TO_HOST)
        return found

    def kernel(self) -> c_void_p:
        code = ctypes.create_string_buffer(TEXT)
        library = self.made("cudaLibraryLoadData", code, None, None, 0, None, None, 0)
        return self.made("cudaLibraryGetKernel", library, b"add")

    def launch(self, *values: Any, stream: c_void_p | None = None, cluster: int = 0) -> None:
        """Launch `add` with 4 CTAs of 64 threads."""
        pointers = (c_void_p * len(values))(*[ctypes.addressof(each) for each in values])
        attribute = Attribute(4, 0, (c_uint * 16)(cluster, 1, 1))
        configuration = Configuration(
            (c_uint * 3)(4, 1, 1), (c_uint * 3)(64, 1, 1), 0, stream, ctypes.addressof(attribute),
            int(cluster > 0),
        )  # fmt: skip
        self.call("cudaLaunchKernelEx", byref(configuration), self.kernel(), pointers)


def _data(values: Any) -> c_void_p:
    return c_void_p(values.ctypes.data)


@pytest.fixture
def host() -> Host:
    return Host()


def test_memory_goes_there_and_back(host: Host) -> None:
    values = np.arange(100, dtype=np.int32)
    first = host.array(values)
    second = host.made("cudaMalloc", c_size_t(400))
    host.call("cudaMemcpy", second, first, c_size_t(400), ON_DEVICE)
    host.call("cudaMemsetAsync", second, 0x11, c_size_t(4), None)
    found = np.zeros_like(values)
    host.call("cudaMemcpyAsync", _data(found), second, c_size_t(400), EITHER, None)
    assert found[0] == 0x11111111
    assert (found[1:] == values[1:]).all()
    for each in (first, second):
        host.call("cudaFree", each)
    assert host.status("cudaFree", first) == Status.INVALID_VALUE


def test_copies_of_undefined_bytes_are_undefined(host: Host) -> None:
    first, second = (host.made("cudaMalloc", c_size_t(64)) for _ in "ab")
    host.call("cudaMemset", first, 0, c_size_t(32))
    host.call("cudaMemcpy", second, first, c_size_t(64), ON_DEVICE)
    assert not host.findings.hazards
    host.read(second, np.zeros(8, np.int32))
    assert not host.findings.hazards
    host.read(second, np.zeros(16, np.int32))
    (found,) = host.findings.hazards
    assert "32 of 64 bytes that the host reads are undefined, the first is byte 32" in str(found)


@pytest.mark.parametrize("cluster", [0, 2])
def test_a_kernel_runs_as_configured(host: Host, cluster: int) -> None:
    values = np.arange(201, dtype=np.int32)
    address = host.array(values)
    host.launch(address, c_uint(200), c_uint(5), cluster=cluster)
    found = host.read(address, values)
    assert (found[:200] == values[:200] + 5).all()
    assert found[200] == max(cluster, 1)
    assert host.findings.launches == {"add": 1}


def test_what_a_stream_is_given_while_captured_runs_with_its_graph(host: Host) -> None:
    values = np.zeros(201, np.int32)
    address, stream = host.array(values), host.made("cudaStreamCreate")
    assert host.status("cudaStreamBeginCapture", None, 0) == Status.CAPTURE_UNSUPPORTED
    host.call("cudaStreamBeginCapture", stream, 0)
    host.launch(address, c_uint(200), c_uint(3), stream=stream)
    graph = c_void_p()
    host.call("cudaStreamEndCapture", stream, byref(graph))
    assert host.read(address, values)[0] == 0
    executable = host.made("cudaGraphInstantiate", graph, ctypes.c_ulonglong(0))
    for _ in range(2):
        host.call("cudaGraphLaunch", executable, stream)
    assert host.read(address, values)[0] == 6


def test_events_have_no_time(host: Host) -> None:
    start, end = (host.made("cudaEventCreate") for _ in "ab")
    for event in (start, end):
        host.call("cudaEventRecord", event, None)
    time = c_float()
    host.call("cudaEventElapsedTime", byref(time), start, end)
    assert math.isnan(time.value)


def test_machine_code_is_refused(host: Host) -> None:
    code = ctypes.create_string_buffer(b"\x50\xed\x55\xba\x01\x00\x10\x00")
    with pytest.raises(UserError, match="machine code, and the emulator runs PTX"):
        host.made("cudaLibraryLoadData", code, None, None, 0, None, None, 0)


def test_the_gpu_is_the_targets(host: Host) -> None:
    value = c_int()
    host.call("cudaGetDeviceCount", byref(value))
    assert value.value == 1
    limits = TARGETS["sm_100a"].limits
    # cuda.h: CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    host.call("cudaDeviceGetAttribute", byref(value), 97, 0)
    assert value.value == limits.shared_bytes == 232448
    assert host.status("cudaDeviceGetAttribute", byref(value), 97, 1) == Status.INVALID_DEVICE
    assert host.status("cudaDeviceGetAttribute", byref(value), 9999, 0) == Status.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cudaLibraryUnload", (c_void_p(5),)),
        ("cudaStreamDestroy", (c_void_p(5),)),
        ("cudaEventRecord", (c_void_p(5), None)),
        ("cudaGraphLaunch", (c_void_p(5), None)),
    ],
)
def test_unknown_handles_are_invalid(host: Host, name: str, arguments: Any) -> None:
    assert host.status(name, *arguments) == Status.INVALID_HANDLE


def test_host_and_kernels_reach_managed_memory_at_one_address(host: Host) -> None:
    address = host.made("cudaMallocManaged", c_size_t(4 * 100 + 4), c_uint(1))
    assert address.value is not None
    seen = np.ctypeslib.as_array((c_uint * 101).from_address(address.value))
    assert not seen.any()
    seen[:] = np.arange(101)
    host.launch(address, c_uint(100), c_uint(7))
    assert seen.tolist() == [*range(7, 107), 1]
    other = host.made("cudaMallocManaged", c_size_t(1), c_uint(1))
    assert other.value is not None and other.value > address.value + 404
    del seen
    host.call("cudaFree", address)
    assert host.status("cudaFree", address) == Status.INVALID_VALUE
    host.call("cudaFree", other)
    assert host.status("cudaMallocManaged", byref(other), c_size_t(0), 1) == Status.INVALID_VALUE


def test_what_has_no_counterpart_is_refused_by_name(host: Host) -> None:
    with pytest.raises(UserError, match="cudaLibraryGetManaged has no counterpart"):
        host.call("cudaLibraryGetManaged", byref(c_void_p()), None, c_void_p(5), b"x")
    assert host.status("cudaGetDeviceProperties", None, 0) == Status.NOT_SUPPORTED


def test_a_variable_of_a_library_is_written_and_read(host: Host) -> None:
    text = TEXT.replace(
        b".visible .entry", b".visible .global .align 4 .b32 more[3];\n.visible .entry"
    )
    code = ctypes.create_string_buffer(text)
    library = host.made("cudaLibraryLoadData", code, None, None, 0, None, None, 0)
    size = c_size_t()
    address = host.made("cudaLibraryGetGlobal", byref(size), library, b"more")
    values = np.arange(3, dtype=np.int32)
    assert size.value == values.nbytes
    host.call("cudaMemcpy", address, _data(values), size, TO_DEVICE)
    assert np.array_equal(host.read(address, values), values)
    found = host.status("cuLibraryGetGlobal", byref(address), None, library, b"other")
    assert found == Status.NOT_FOUND


def test_a_tensor_map_is_the_one_that_the_device_encodes(host: Host) -> None:
    address = host.made("cudaMalloc", c_size_t(64 * 32 * 2))
    made = (ctypes.c_uint8 * 128)()

    def words(kind: Callable[..., Any], *values: int) -> Any:
        return (kind * len(values))(*values)  # type: ignore[operator]

    big, small = ctypes.c_uint64, ctypes.c_uint32
    host.call(
        "cuTensorMapEncodeTiled", made, 6, 2, address, words(big, 64, 32), words(big, 128),
        words(small, 64, 16), words(small, 1, 1), 0, 3, 2, 0,
    )  # fmt: skip
    array = np.zeros((32, 64), np.float16)
    adopted = host.device.adopt(array)
    expected = host.device.tensor_map(adopted, (16, 64), swizzle="128b", l2_promotion="l2_128b")
    differing = [at for at in range(128) if made[at] != expected.data[at]]
    assert set(differing) <= set(range(8)), "only the address may differ"
