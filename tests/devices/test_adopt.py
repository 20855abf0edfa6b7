"""Memory of NumPy arrays and CPU tensors as arrays of the emulator; NumPy and torch are judges."""

from __future__ import annotations

import gc
import inspect
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.devices.arrays import ForeignArray
from lanemap.devices.emulator import EmulatorDevice
from lanemap.errors import Disagreement, UserError
from tests import ptx

#: Thread i copies word i of x to word i of y, if i < n.
COPY = ptx.entry(
    """\
  .reg .b64 %rd<6>;
  .reg .b32 %r<4>;
  .reg .pred %p;
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %n;
  @%p bra DONE;
  mad.wide.u32 %rd4, %r2, 4, %x;
  mad.wide.u32 %rd5, %r2, 4, %y;
  ld.global.b32 %r3, [%rd4];
  st.global.b32 [%rd5], %r3;
DONE:""",
    "x y n:u32",
    name="copy",
)


@pytest.fixture
def device() -> EmulatorDevice:
    opened = lanemap.open_device("sm_90a", "emulator")
    assert isinstance(opened, EmulatorDevice)
    return opened


def copy(device: EmulatorDevice, x: Any, y: Any, n: int) -> None:
    device.load(COPY)["copy"](1, 32, [x, y, np.uint32(n)])


def line() -> int:
    """The line that asks."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


def test_a_kernel_reads_and_writes_the_memory_of_numpy_arrays(device: EmulatorDevice) -> None:
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    copy(device, device.adopt(x), device.adopt(y), 20)
    assert y.tolist() == [*range(20), *[0] * 12]
    x[0] = 7  # the host goes on using its memory
    copy(device, device.adopt(x), device.adopt(y), 1)
    assert y[0] == 7 and device.adopt(y).get().tolist() == y.tolist()


def test_views_point_into_one_memory(device: EmulatorDevice) -> None:
    whole = np.arange(48, dtype=np.int32).reshape(6, 8)
    base = device.adopt(whole)
    assert device.adopt(whole).address == base.address
    for view, first in ((whole[2:, 3:], 2 * 8 + 3), (whole.T, 0), (whole[::-1, ::2], 5 * 8)):
        adopted = device.adopt(view)
        assert adopted.address == base.address + 4 * first
        assert np.array_equal(adopted.get(), view)
        assert adopted.strides == view.strides
    with pytest.raises(UserError, match="byte offset -4 lies outside the array's memory of 192"):
        base.pointer(-4)
    assert device.adopt(whole[1]).pointer(-32).address == base.address


def test_set_writes_through_a_view(device: EmulatorDevice) -> None:
    whole = np.zeros((3, 4), np.int32)
    device.adopt(whole.T).set(np.arange(12, dtype=np.int32).reshape(4, 3))
    assert whole.tolist() == np.arange(12).reshape(4, 3).T.tolist()


def test_neighbors_on_the_host_are_apart_on_the_device(device: EmulatorDevice) -> None:
    room = np.zeros(32, np.float32)  # two tensors of an allocator lie like this, wall to wall
    halves = [np.frombuffer(memoryview(room)[at : at + 16], np.float32) for at in (0, 16)]
    (first, made), second = (device.adopt(halves[0]), line()), device.adopt(halves[1])
    assert abs(second.address - first.address) > first.nbytes
    where = f"0 bytes past the end of array made at test_adopt.py:{made} of 64 bytes"
    with pytest.raises(Disagreement, match=where):
        copy(device, first, second, 17)


def test_an_array_leaves_with_the_memory_behind_it(device: EmulatorDevice) -> None:
    y = device.zeros(32, np.float32, name="y")
    x = np.zeros(32, np.float32)
    view = x[8:]
    pointer = np.uint64(device.adopt(x, name="x").address)
    del x
    gc.collect()
    copy(device, pointer, y, 32)  # the view holds the memory
    del view
    gc.collect()
    with pytest.raises(Disagreement, match=r"before the start of|past the end of"):
        copy(device, pointer, y, 1)
    kept = device.adopt(np.ones(32, np.float32))  # the adopted array holds it
    gc.collect()
    copy(device, kept, y, 32)
    assert y.get().tolist() == [1] * 32


def test_read_only_memory_may_not_be_written(device: EmulatorDevice) -> None:
    x = np.arange(32, dtype=np.float32)
    x.flags.writeable = False
    y = np.zeros(32, np.float32)
    copy(device, device.adopt(x), device.adopt(y), 32)
    with pytest.raises(Disagreement, match="read-only memory"):
        copy(device, device.adopt(y), device.adopt(x), 1)
    with pytest.raises(UserError, match="read-only"):
        device.adopt(x).set(y)


def test_memory_without_values_is_undefined_until_somebody_writes_it(
    device: EmulatorDevice,
) -> None:
    x = np.zeros((4, 8), np.float32)
    adopted = device.adopt(x, name="x", defined=False)
    assert adopted.undefined().all()
    y = np.zeros(32, np.float32)
    copy(device, adopted, device.adopt(y, name="y"), 2)
    first = "8 of 128 bytes .* undefined, the first is byte 0 of array `y` of 128 bytes; they come"
    with pytest.raises(Disagreement, match=first):
        device.adopt(y).get()
    assert np.flatnonzero(device.adopt(y).undefined().any(-1)).tolist() == [0, 1]

    x[1:3, 2:4] = 5
    device.adopt(x[1:3, 2:4]).define()
    expected = np.ones((4, 8), bool)
    expected[1:3, 2:4] = False
    assert np.array_equal(adopted.undefined().any(-1), expected)
    assert device.adopt(x[1:3, 2:4]).get().tolist() == [[5, 5], [5, 5]]
    with pytest.raises(Disagreement, match="first is byte 48 of array `x` of 128 bytes; nothing"):
        device.adopt(x[1:3, 2:5]).get()
    device.adopt(x.T).define(np.arange(32).reshape(8, 4) > 0)
    assert np.argwhere(adopted.undefined().any(-1)).tolist() == [[0, 0]]


def test_any_pattern_of_values_is_kept(device: EmulatorDevice) -> None:
    chance = np.random.default_rng(0)
    x = np.zeros((3, 4099), np.uint8)  # several pages, and rows that begin anywhere
    adopted = device.adopt(x, defined=False)
    expected = np.ones(x.shape, bool)
    for _ in range(20):
        begin, end = np.sort(chance.integers(0, x.shape[1], 2))
        values = chance.random((3, int(end - begin))) < 0.5
        device.adopt(x[:, begin:end]).define(values)
        expected[:, begin:end] = ~values
        assert np.array_equal(adopted.undefined().all(-1), expected)
    device.adopt(x[1]).define()
    expected[1] = False
    assert np.array_equal(adopted.undefined().any(-1), expected)


def test_what_a_faulty_launch_began_is_undone_in_the_memory_of_the_host() -> None:
    """Undefined bits make the launch begin again: its first pass must leave nothing."""
    device = lanemap.open_device("sm_90a", "emulator", hazards="report")
    decide = "ld.global.b32 %r3, [%rd4]; setp.eq.u32 %p, %r3, 0; @%p bra DONE;"
    text = COPY.replace("[%rd4]", "[%rd5]").replace("st.global", "add.s32 %r3, %r3, 1; st.global")
    text = text.replace("DONE:", f"{decide}\nDONE:")
    x, y = np.zeros(32, np.int32), np.arange(32, dtype=np.int32)
    undefined = device.adopt(x, defined=False)
    device.load(text)["copy"](1, 32, [undefined, device.adopt(y), np.uint32(32)])
    assert any("undefined bits" in str(hazard) for hazard in device.hazards)
    assert y.tolist() == list(range(1, 33)), "added once"


@pytest.mark.parametrize(
    ("host", "sentence"),
    [
        ([1, 2], "a list cannot be adopted; a NumPy array or a CPU tensor can"),
        (np.array([None]), "dtype object holds Python objects"),
        (np.frombuffer(bytes(64), np.uint8)[1:].view(), None),
        (np.frombuffer(bytearray(64), np.uint8, offset=3), "is not a multiple of 16 bytes"),
    ],
)
def test_what_cannot_be_adopted_is_refused(
    device: EmulatorDevice, host: Any, sentence: str | None
) -> None:
    if sentence is None:
        assert device.adopt(host).get().tolist() == [0] * 63
        return
    with pytest.raises(UserError, match=sentence):
        device.adopt(host)


def test_the_whole_of_a_memory_comes_before_its_parts(device: EmulatorDevice) -> None:
    room = np.zeros(32, np.float32)
    part = np.frombuffer(memoryview(room)[16:], np.float32)  # NumPy does not say whose it is
    kept = device.adopt(part)
    with pytest.raises(UserError, match="part of this memory has been adopted already"):
        device.adopt(room)
    del kept, part
    gc.collect()
    whole = device.adopt(room)
    part = np.frombuffer(memoryview(room)[16:], np.float32)
    assert device.adopt(part).address == whole.address + 64


def test_an_empty_array_has_an_address(device: EmulatorDevice) -> None:
    adopted = device.adopt(np.zeros((0, 3), np.float32))
    assert adopted.get().shape == (0, 3) and adopted.undefined().shape == (0, 3, 32)
    copy(device, adopted, adopted, 0)


def test_a_tensor_map_takes_the_strides_of_a_view(device: EmulatorDevice) -> None:
    x = np.zeros((16, 64), np.float16)
    of_view = device.tensor_map(device.adopt(x[:, :32]), box=(8, 16))
    base = device.adopt(x)
    assert of_view.data == device.tensor_map(base, box=(8, 16), sizes=(16, 32), strides=(128,)).data
    with pytest.raises(UserError, match="innermost dimension of a tensor map must be contiguous"):
        device.tensor_map(device.adopt(x.T), box=(8, 8))


def test_a_tensor_is_its_storage(device: EmulatorDevice) -> None:
    torch = pytest.importorskip("torch")
    x = torch.arange(96, dtype=torch.float32).reshape(12, 8)
    view = x[2:, 4:].t()
    adopted = device.adopt(view)
    assert adopted.address == device.adopt(x).address + 4 * (2 * 8 + 4)
    assert np.array_equal(adopted.get(), view.numpy())
    assert device.adopt(x.numpy()[1]).address == device.adopt(x).address + 32
    y = torch.zeros(32)
    copy(device, device.adopt(x[1:]), device.adopt(y), 32)
    assert torch.equal(y, x.flatten()[8:40])
    with pytest.raises(Disagreement, match="past the end of array made at test_adopt.py:.* of 384"):
        copy(device, device.adopt(x[10:]), device.adopt(y), 17)


def test_a_storage_that_torch_frees_or_moves_is_gone(device: EmulatorDevice) -> None:
    torch = pytest.importorskip("torch")
    y = torch.zeros(32)
    x = torch.ones(32, requires_grad=True)
    held = (x * 2).exp()
    address = np.uint64(device.adopt(held.detach()).address)
    graph = held.sum()
    del held
    gc.collect()
    copy(device, address, device.adopt(y), 32)  # torch holds the storage to differentiate
    assert torch.equal(y, torch.full((32,), 2.0).exp())
    del graph
    gc.collect()
    with pytest.raises(Disagreement):
        copy(device, address, device.adopt(y), 1)
    z = torch.ones(32)
    before = device.adopt(z)
    z.resize_(1 << 16)
    with pytest.raises(Disagreement):
        copy(device, before, device.adopt(y), 1)
    assert device.adopt(z).address != before.address


def test_tensors_of_narrow_types_have_the_types_of_ml_dtypes(device: EmulatorDevice) -> None:
    torch = pytest.importorskip("torch")
    for kind in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        x = torch.tensor([1.5, -2.0]).to(getattr(torch, kind))
        adopted = device.adopt(x)
        assert adopted.dtype == np.dtype(getattr(ml_dtypes, kind))
        assert adopted.get().astype(np.float32).tolist() == [1.5, -2.0]
    assert device.adopt(torch.tensor([True])).dtype == np.bool_
    pairs = device.adopt(torch.full((4,), 0x21, dtype=torch.uint8).view(torch.float4_e2m1fn_x2))
    assert pairs.get().tobytes() == b"\x21" * 4
    for refused, sentence in (
        (torch.eye(2).to_sparse(), "layout torch.sparse_coo cannot be adopted"),
        (torch.tensor([1j]).conj(), "conjugation or negation pending"),
        (torch.empty(2, device="meta"), "tensor on meta cannot be adopted"),
    ):
        with pytest.raises(UserError, match=sentence):
            device.adopt(refused)


class OnGpu:
    """What CuPy and PyTorch offer for memory of a GPU (CUDA Array Interface, version 3)."""

    def __init__(self, **changes: Any) -> None:
        self.__cuda_array_interface__ = {
            "shape": (2, 3), "typestr": "<f4", "data": (0x7000, False), "version": 3,
            "strides": None, **changes,
        }  # fmt: skip


def test_a_gpu_adopts_what_offers_the_cuda_array_interface(device: EmulatorDevice) -> None:
    memory: Any = None  # is not touched
    array = ForeignArray(memory, OnGpu())
    assert (array.address, array.shape, array.nbytes) == (0x7000, (2, 3), 24)
    assert ForeignArray(memory, OnGpu(strides=(12, 4))).strides == (12, 4)
    with pytest.raises(UserError, match="C-contiguous"):
        ForeignArray(memory, OnGpu(strides=(4, 8)))
    with pytest.raises(UserError, match="a ndarray cannot be adopted by a GPU"):
        ForeignArray(memory, np.zeros(3))
