"""`cuda` as tensors of the host: what scripts ask of PyTorch, and what the emulator knows then."""

from __future__ import annotations

import gc
import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.check.findings import Findings, Stopped
from lanemap.devices import HazardMode
from lanemap.devices.emulator import EmulatorDevice
from lanemap.errors import UserError
from lanemap.targets import TARGETS
from tests import ptx

torch: Any = pytest.importorskip("torch")

#: Thread i stores 7 at word i of y, if i < n.
FILL = ptx.entry(
    """\
  .reg .b64 %at;
  .reg .b32 %thread;
  .reg .pred %p;
  mov.u32 %thread, %tid.x;
  setp.ge.u32 %p, %thread, %n;
  @%p bra DONE;
  mad.wide.u32 %at, %thread, 4, %y;
  st.global.b32 [%at], 7;
DONE:""",
    "y n:u32",
    name="fill",
)


class Gpu:
    """An emulator whose memory `cuda` means."""

    def __init__(self, hazards: HazardMode) -> None:
        opened = lanemap.open_device("sm_90a", "emulator", hazards=hazards)
        assert isinstance(opened, EmulatorDevice)
        self.device, self.findings = opened, Findings(quiet=True)
        self._module = opened.load(FILL)

    def fill(self, y: Any, n: int) -> None:
        """Let a kernel write 7 to the first n words, at the address that PyTorch gives."""
        self._module["fill"](1, 32, [np.uint64(y.data_ptr()), np.uint32(n)])

    def sentences(self) -> list[str]:
        """What was found so far."""
        return [str(each) for each in self.findings.hazards]


def redirected(hazards: HazardMode) -> Iterator[Gpu]:
    from lanemap.check.torch_cuda import cuda_on_host

    gpu = Gpu(hazards)
    with cuda_on_host(gpu.device, TARGETS["sm_90a"], gpu.findings):
        yield gpu


@pytest.fixture
def gpu() -> Iterator[Gpu]:
    yield from redirected("raise")


@pytest.fixture
def reporting() -> Iterator[Gpu]:
    yield from redirected("report")


def line() -> int:
    """The line that asks."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


CUDA0 = "cuda:0"
MAKERS: dict[str, Callable[[], Any]] = {
    "a name": lambda: torch.zeros(3, device="cuda"),
    "a number": lambda: torch.ones(3, device=0),
    "a device": lambda: torch.rand(3, device=torch.device("cuda", 0)),
    "data": lambda: torch.tensor([1, 2], device="cuda"),
    "cuda()": lambda: torch.zeros(3).cuda(),
    "cuda(non_blocking)": lambda: torch.zeros(3).pin_memory().cuda(0, non_blocking=True),
    "to a name": lambda: torch.zeros(3).to("cuda", torch.float16),
    "to a device": lambda: torch.zeros(3).to(device="cuda:0", non_blocking=True),
    "to another": lambda: torch.zeros(3).to(torch.zeros(1, device="cuda")),
    "NumPy": lambda: torch.from_numpy(np.arange(3)).to(0),
    "as_tensor": lambda: torch.as_tensor(np.arange(3), device="cuda"),
    "a generator": lambda: torch.randn(3, generator=torch.Generator("cuda"), device="cuda"),
    "like another": lambda: torch.empty_like(torch.zeros(3, device="cuda")),
    "new": lambda: torch.zeros(3, device="cuda").new_zeros(4),
    "like, elsewhere": lambda: torch.zeros_like(torch.zeros(3), device="cuda"),
    "a type": lambda: torch.zeros(3).type("torch.cuda.HalfTensor"),
    "a view": lambda: torch.zeros(3, 4, device="cuda")[1:].t(),
    "a result": lambda: torch.zeros(3, device="cuda") @ torch.ones(3, device="cuda"),
    "a product with a number": lambda: 2 * torch.zeros(3, device="cuda"),
    "a module": lambda: torch.nn.Linear(3, 4).cuda().weight,
    "a module's result": lambda: torch.nn.Linear(3, 4, device="cuda")(
        torch.ones(2, 3, device="cuda")
    ),
    "out=": lambda: torch.add(
        torch.ones(8, device="cuda"), 1, out=torch.empty(0, device="cuda")
    ),
    "a block": lambda: in_block(),
}  # fmt: skip


def in_block() -> Any:
    with torch.device("cuda"):
        return torch.arange(5)


@pytest.mark.parametrize("how", MAKERS)
def test_a_tensor_is_on_cuda(gpu: Gpu, how: str) -> None:
    x = MAKERS[how]()
    assert x.device == torch.device(CUDA0) and str(x.device) == CUDA0
    assert x.is_cuda and not x.is_cpu and x.get_device() == 0
    assert gpu.device.adopted(x)
    assert x.data_ptr() == gpu.device.adopt(x).address


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros(3),
        lambda: torch.zeros(3, device="cuda").cpu(),
        lambda: torch.zeros(3, device="cuda").to("cpu"),
        lambda: torch.zeros_like(torch.zeros(3, device="cuda"), device="cpu"),
        lambda: torch.nn.Linear(3, 4).cuda().cpu().weight,
    ],
)
def test_a_tensor_is_on_the_host(gpu: Gpu, make: Callable[[], Any]) -> None:
    x = make()
    assert x.device == torch.device("cpu") and not x.is_cuda and x.is_cpu
    assert not gpu.device.adopted(x)


def test_what_moves_is_a_copy_and_what_stays_is_not(gpu: Gpu) -> None:
    host = torch.arange(4)
    there = host.cuda()
    host[0] = 9
    assert there.tolist() == [0, 1, 2, 3]
    back = there.cpu()
    there[1] = 8
    assert back.tolist() == [0, 1, 2, 3]
    assert there.cuda() is there and there.to("cuda") is there and host.cpu() is host
    assert there.to(CUDA0, torch.int64) is there
    values = np.arange(3.0)
    torch.as_tensor(values, device="cuda").add_(1)
    assert values.tolist() == [0, 1, 2]


def test_pointers_lead_to_the_tensors(gpu: Gpu) -> None:
    x, y = torch.zeros(8, device="cuda"), torch.zeros(8, 4, dtype=torch.int32, device="cuda")
    assert x.data_ptr() % 256 == 0
    assert y[2:, 1:].data_ptr() - y.data_ptr() == 4 * (2 * 4 + 1)
    stored = torch.tensor([x.data_ptr(), y.data_ptr()], device="cuda")
    assert stored.tolist() == [x.data_ptr(), y.data_ptr()]
    gpu.fill(y[1], 4)
    assert y.sum().item() == 28 and torch.equal(y[1], torch.full((4,), 7, device="cuda"))


def test_numpy_wants_the_host(gpu: Gpu) -> None:
    x = torch.arange(3, device="cuda")
    for ask in (x.numpy, lambda: np.asarray(x), lambda: np.add(x, 1)):
        with pytest.raises(TypeError, match=r"Tensor\.cpu\(\) copies it"):
            ask()
    assert x.cpu().numpy().tolist() == x.numpy(force=True).tolist() == [0, 1, 2]


def test_the_default_device_can_be_cuda(gpu: Gpu) -> None:
    torch.set_default_device("cuda")
    try:
        assert torch.zeros(3).is_cuda and torch.get_default_device().type == "cuda"
        assert not torch.zeros(3, device="cpu").is_cuda
    finally:
        torch.set_default_device(None)
    assert not torch.zeros(3).is_cuda and torch.get_default_device().type == "cpu"


def test_there_is_one_gpu(gpu: Gpu) -> None:
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1
    for ask in (
        lambda: torch.zeros(3, device="cuda:1"),
        lambda: torch.zeros(3).cuda(1),
        lambda: torch.cuda.get_device_name(1),
        lambda: torch.cuda.set_device("cuda:2"),
        lambda: torch.cuda.device(1),
        lambda: torch.cuda.device("cuda:2"),
    ):
        with pytest.raises(RuntimeError, match=r"cuda:1|GPU [12]"):
            ask()


def test_torch_cuda_says_what_the_target_is(gpu: Gpu) -> None:
    about = torch.cuda.get_device_properties("cuda")
    assert torch.cuda.get_device_capability() == (about.major, about.minor) == (9, 0)
    assert about.multi_processor_count == 132  # NVIDIA H200, as its own driver says
    assert torch.cuda.get_device_name(0) == about.name == "NVIDIA H200"
    assert torch.cuda.current_device() == 0
    with torch.cuda.device(-1), torch.cuda.device(None):
        assert torch.cuda.current_device() == 0
    with torch.cuda.device(0), torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda.synchronize()
    torch.cuda.current_stream().synchronize()
    torch.cuda.empty_cache()
    with torch.cuda.nvtx.range("part"):
        torch.cuda.nvtx.range_push("inner")
        torch.cuda.nvtx.range_pop()
    assert torch.accelerator.current_accelerator().type == "cuda"


def test_an_event_has_no_time(gpu: Gpu) -> None:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    end.record()
    end.synchronize()
    assert math.isnan(start.elapsed_time(end))


def test_memory_is_what_tensors_hold(gpu: Gpu) -> None:
    gc.collect()
    before = torch.cuda.memory_allocated()
    x = torch.zeros(1000, device="cuda")
    assert torch.cuda.memory_allocated() - before == 4000
    assert torch.cuda.max_memory_allocated() >= before + 4000
    del x
    assert torch.cuda.memory_allocated() == before


def test_seeds_repeat_random_numbers(gpu: Gpu) -> None:
    for seed in (torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all):
        runs = []
        for _ in range(2):
            seed(5)
            runs.append(torch.rand(4, device="cuda"))
        assert torch.equal(*runs)
    made = [
        torch.rand(3, device="cuda", generator=torch.Generator("cuda").manual_seed(1))
        for _ in range(2)
    ]
    assert torch.equal(*made)


def test_what_has_no_counterpart_is_refused(gpu: Gpu) -> None:
    place = rf"^test_torch_cuda\.py:{line() + 2}: "
    with pytest.raises(UserError, match=place + r"torch\.cuda\.CUDAGraph has no counterpart"):
        torch.cuda.CUDAGraph()
    place = rf"^test_torch_cuda\.py:{line() + 3}: "
    refused = pytest.raises(UserError, match=place + "PyTorch asks .* lanemap does not redirect")
    with refused, torch._C.DisableTorchFunction():
        torch.zeros(3, device="cuda")


def test_autograd_functions_of_a_script_are_redirected(gpu: Gpu) -> None:
    seen = []

    class Double(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            made = torch.empty_like(gradient, device="cuda")
            seen.append(
                (gradient.is_cuda, made.device, made.data_ptr() == gpu.device.adopt(made).address)
            )
            made.copy_(gradient * 2)
            return made

    x = torch.ones(3, device="cuda", requires_grad=True)
    Double.apply(x).sum().backward()
    torch.autograd.backward(Double.apply(x).sum())
    assert x.grad.tolist() == [4, 4, 4] and x.grad.is_cuda
    (gradient,) = torch.autograd.grad(Double.apply(x).sum(), x)
    assert gradient.tolist() == [2, 2, 2]
    assert seen == [(True, torch.device(CUDA0), True)] * 3


def undefined(gpu: Gpu, x: Any) -> list[bool]:
    """Which elements have undefined bits."""
    return list(gpu.device.adopt(x).undefined().reshape(x.numel(), -1).any(-1).tolist())


def test_what_empty_left_is_undefined_until_it_is_written(gpu: Gpu) -> None:
    x, made = torch.empty(4, dtype=torch.int32, device="cuda"), line()
    assert undefined(gpu, x) == [True] * 4
    gpu.fill(x[1:], 2)
    assert undefined(gpu, x) == [True, False, False, True]
    with pytest.raises(Stopped) as raised:
        x.tolist()
    what = f"8 of 16 bytes that the host reads are undefined, the first is byte 0 of array made at test_torch_cuda.py:{made} of 16 bytes; nothing has written it"  # noqa: E501
    assert what in str(raised.value)
    assert x[1:3].tolist() == [7, 7]
    x[0] = 5
    assert undefined(gpu, x) == [False, False, False, True]
    x[3:] = x[:1]
    assert x.tolist() == [5, 7, 7, 5]


READERS: dict[str, Callable[[Any], Any]] = {
    "item": lambda x: x[0].item(),
    "print": lambda x: str(x),
    "format": lambda x: f"{x}",
    "cpu": lambda x: x.cpu(),
    "sum": lambda x: x + 1,
    "in place": lambda x: x.add_(1),
    "compare": lambda x: torch.equal(x, x),
    "assert_close": lambda x: torch.testing.assert_close(x, torch.zeros_like(x)),
    "copy to host": lambda x: torch.zeros(4).copy_(x),
    "accumulate": lambda x: x.index_put_((torch.tensor([0]),), torch.ones(1), accumulate=True),
    "reshape and sum": lambda x: x.reshape(2, 2).t().sum(),
}  # fmt: skip


@pytest.mark.parametrize("how", READERS)
def test_reading_undefined_elements_is_a_hazard(gpu: Gpu, how: str) -> None:
    x = torch.empty(4, device="cuda")
    with pytest.raises(Stopped, match=r"test_torch_cuda\.py:\d+: PyTorch: .* undefined, the first"):
        READERS[how](x)


WRITERS: dict[str, tuple[Callable[[Any], Any], list[bool]]] = {
    "fill": (lambda x: x.fill_(3), [False] * 4),
    "copy": (lambda x: x.copy_(torch.ones(4)), [False] * 4),
    "random": (lambda x: x.normal_(), [False] * 4),
    "out": (lambda x: torch.add(torch.ones(4), 1, out=x), [False] * 4),
    "slice": (lambda x: x[1:3].zero_(), [True, False, False, True]),
    "steps": (lambda x: x[::2].fill_(1), [False, True, False, True]),
    "index": (lambda x: x.__setitem__(torch.tensor([3, 1]), 2.0), [True, False, True, False]),
    "mask": (
        lambda x: x.masked_fill_(torch.tensor([True, False, False, True]), 0),
        [False, True, True, False],
    ),
    "scatter": (
        lambda x: x.scatter_(0, torch.tensor([2]), torch.ones(1)),
        [True, True, False, True],
    ),
    "index_copy": (
        lambda x: x.index_copy_(0, torch.tensor([0]), torch.ones(1)),
        [False, True, True, True],
    ),
    "shape": (lambda x: torch.zeros_like(x), [True] * 4),
    "shape in place": (lambda x: x.unsqueeze_(0).t_().squeeze_(), [True] * 4),
    "several": (lambda x: torch._foreach_copy_([x[:1], x[1:2]], [torch.ones(1)] * 2),
                [False, False, True, True]),
    "view": (lambda x: x.view(2, 2).t(), [True] * 4),
    "from undefined": (lambda x: x.copy_(torch.empty_like(x)), [True] * 4),
}  # fmt: skip


@pytest.mark.parametrize("how", WRITERS)
def test_an_operation_defines_what_it_writes(gpu: Gpu, how: str) -> None:
    write, expected = WRITERS[how]
    x = torch.empty(4, device="cuda")
    write(x)
    assert undefined(gpu, x) == expected


def test_copies_on_the_gpu_are_as_undefined_as_what_they_copy(gpu: Gpu) -> None:
    x = torch.empty(2, 3, device="cuda")
    x[:, 1] = 4
    expected = [True, False, True] * 2
    for copied in (x.clone(), x.to(torch.float16), x.t().contiguous().t()):
        assert undefined(gpu, copied.contiguous()) == expected
    wide = torch.zeros(2, 2, 3, device="cuda")
    wide[:] = x
    assert undefined(gpu, wide) == expected * 2


def test_autocast_casts(gpu: Gpu) -> None:
    x = torch.ones(4, 4, device="cuda")
    with torch.autocast("cuda"):
        assert (x @ x).dtype == torch.float16
    with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
        assert (x @ x).dtype == torch.bfloat16 and (x @ x).is_cuda
    assert (x @ x).dtype == torch.float32


def test_repr_names_the_device(gpu: Gpu) -> None:
    x = torch.tensor([1.5, 2.0], device="cuda", dtype=torch.float16)
    assert repr(x) == "tensor([1.5000, 2.0000], device='cuda:0', dtype=torch.float16)"
    assert repr(x.requires_grad_()).replace("\n      ", "") == (
        "tensor([1.5000, 2.0000], device='cuda:0', dtype=torch.float16, requires_grad=True)"
    )
    assert str(torch.arange(2, device="cuda")) == "tensor([0, 1], device='cuda:0')"


def test_tensors_that_share_memory_share_the_place(gpu: Gpu) -> None:
    x = torch.zeros(4, device="cuda")
    same = torch.from_dlpack(x)
    assert same.is_cuda and same.data_ptr() == x.data_ptr()
    address = same.data_ptr()
    del x
    gc.collect()
    assert gpu.device.adopt(same).get().tolist() == [0] * 4, f"nothing is left at {address:#x}"


def test_pending_conjugations_and_negations_are_followed(gpu: Gpu) -> None:
    x = torch.tensor([1 + 2j, 3 - 4j], device="cuda").conj()
    assert x.is_conj() and x.is_cuda and x.tolist() == [1 - 2j, 3 + 4j]
    assert x.imag.is_neg() and (x.imag + 1).tolist() == [-1, 5]
    assert x.data_ptr() == x.conj().data_ptr()
    y = torch.empty(2, dtype=torch.complex64, device="cuda").conj()
    with pytest.raises(Stopped, match="16 of 16 bytes"):
        y.sum()
    y.copy_(x)
    assert y.tolist() == x.tolist() and y.imag.neg().tolist() == [2, -4]


def test_inference_mode_is_followed(gpu: Gpu) -> None:
    with torch.inference_mode():
        x = torch.empty(3, device="cuda")
        with pytest.raises(Stopped):
            x.sum()
        assert (torch.ones(3, device="cuda") * 2).is_cuda


def test_a_storage_that_grows_stays_on_the_gpu(gpu: Gpu) -> None:
    x = torch.arange(4, device="cuda")
    before = x.data_ptr()
    x.resize_(1 << 14)
    assert x.is_cuda and x.data_ptr() != before and x[:4].tolist() == [0, 1, 2, 3]


def test_what_is_defined_is_what_numpy_says(gpu: Gpu) -> None:
    """Random writes and copies; a mask of NumPy follows what has a value."""
    chance = np.random.default_rng(1)
    shape = (7, 11)
    tensors = [torch.empty(shape, device="cuda") for _ in range(3)]
    masks = [np.zeros(shape, bool) for _ in tensors]
    for _ in range(150):
        i, j = chance.integers(0, 3, 2)
        part = tuple(
            slice(*sorted(chance.integers(0, n + 1, 2)), int(chance.integers(1, 4))) for n in shape
        )
        x, mask = tensors[i], masks[i]
        what = chance.integers(0, 6)
        if what == 0:
            x[part], mask[part] = 1.0, True
        elif what == 1:
            x[part] = tensors[j][part].clone()
            mask[part] = masks[j][part].copy()
        elif what == 2:
            rows = chance.integers(0, 7, 2)
            x[torch.from_numpy(rows)], mask[rows] = 2.0, True
        elif what == 3:
            chosen = chance.random(shape) < 0.1
            x.masked_fill_(torch.from_numpy(chosen).cuda(), 3.0)
            mask |= chosen
        elif what == 4:
            x.copy_(tensors[j])
            mask[...] = masks[j].copy()
        else:
            tensors[i], masks[i] = torch.empty(shape, device="cuda"), np.zeros(shape, bool)
    for x, mask in zip(tensors, masks, strict=True):
        assert undefined(gpu, x) == (~mask).reshape(-1).tolist()
    assert {True, False} <= {bool(flag) for mask in masks for flag in mask.flat}


def test_a_report_names_undefined_bytes_once(reporting: Gpu) -> None:
    x = torch.empty(4, device="cuda")
    for _ in range(3):
        x.sum()
    assert len(reporting.sentences()) == 1
    assert "PyTorch: 16 of 16 bytes that the host reads are undefined" in reporting.sentences()[0]


def test_pytorch_is_itself_again_afterwards() -> None:
    before = torch.cuda.is_available, torch.Generator, torch.set_default_device
    for gpu in redirected("raise"):
        assert torch.cuda.is_available() and gpu is not None
    assert before == (torch.cuda.is_available, torch.Generator, torch.set_default_device)
    assert not torch.zeros(3).is_cuda
