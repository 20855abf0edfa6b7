"""PyTorch without a GPU: `cuda` means the host's tensors, whose storages the emulator adopts."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

from lanemap.check.cuda_module import INDUCTOR, patches
from lanemap.check.dlpack import ON_CUDA, place_on_gpu
from lanemap.check.script_threads import in_threads, redirected
from lanemap.check.tensors import Operations, Tensors, tensors_in

if TYPE_CHECKING:
    from lanemap.check.findings import Findings
    from lanemap.devices.emulator import EmulatorDevice
    from lanemap.targets import Target

_Tensor = torch.Tensor
_CUDA = re.compile(r"cuda(?::(\d+))?")
_HOST = torch.device("cpu")
#: Before what `repr` of a tensor has behind its elements.
_SUFFIXES = re.compile(r"(?=(?:,\s+(?:size|dtype|grad_fn|requires_grad|tangent)=|\)\Z))")
#: They make tensors, on the default device unless told otherwise.
_FACTORIES = frozenset(_device_constructors())
#: They return a tensor over the memory that they are given, where its device is that of the result.
_ALIASING = frozenset((torch.as_tensor, torch.asarray))
#: They take a device that stays what it is.
_OTHER_DEVICES = frozenset((torch.device, torch._C._nn._parse_to))
_of_thread = threading.local()


def _gpu(device: Any) -> bool | None:
    """Whether a device is the GPU; None for no device.

    Raises:
        RuntimeError: it is a GPU that does not exist, as PyTorch says it.
    """
    if device is None:
        return None
    name = f"cuda:{device}" if isinstance(device, int) else str(device)
    found = _CUDA.fullmatch(name)
    if found is not None and int(found[1] or 0) > 0:
        raise RuntimeError(f"{name} is an invalid device: the emulator is one GPU, cuda:0")
    return found is not None


def _is_device(value: Any) -> bool:
    known = isinstance(value, (torch.device, str, int)) and not isinstance(value, bool)
    return known and not (isinstance(value, str) and value.startswith("torch."))


class Redirection(TorchFunctionMode):  # type: ignore[misc]  # without torch it is Any
    """Makes `cuda` mean tensors of the host that the emulator adopts.

    It does so in a thread for which it is the active mode.
    """

    def __init__(self, tensors: Tensors) -> None:
        """Redirect; `tensors` knows which are on the GPU."""
        super().__init__()
        self._tensors = tensors
        gpu = torch.device("cuda", 0)
        here = tensors.here
        self._special: dict[Any, Callable[..., Any]] = {
            _Tensor.device.__get__: lambda x, *_: gpu if here(x) else _device_of(x),
            _Tensor.is_cuda.__get__: lambda x, *_: here(x),
            _Tensor.is_cpu.__get__: lambda x, *_: not here(x) and _device_of(x).type == "cpu",
            _Tensor.get_device: lambda x: 0 if here(x) else x.get_device(),
            _Tensor.data_ptr: lambda x: tensors.address(x) if here(x) else x.data_ptr(),
            _Tensor.cuda: self._cuda,
            _Tensor.cpu: self._cpu,
            _Tensor.to: self._move,
            _Tensor.type: self._type,
            _Tensor.numpy: self._numpy,
            _Tensor.__array__: self._numpy_array,
            _Tensor.tolist: self._read(_Tensor.tolist),
            _Tensor.__repr__: self._read(self._text),
            _Tensor.__format__: self._read(_Tensor.__format__),
            _Tensor.pin_memory: lambda x, *_, **__: x.clone(),
            _Tensor.is_pinned: lambda *_, **__: False,
            _Tensor.__dlpack__: self._dlpack,
            _Tensor.__dlpack_device__: self._dlpack_device,
            _Tensor.record_stream: lambda *_: None,
            _Tensor.backward: self._backward,
            torch.autograd.backward: self._differentiate(torch.autograd.backward),
            torch.autograd.grad: self._differentiate(torch.autograd.grad),
        }

    def __torch_function__(
        self, function: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Call a function of PyTorch with the host in place of the GPU."""
        kwargs = dict(kwargs or {})
        special = self._special.get(function)
        if special is not None:
            return special(*args, **kwargs)
        device = kwargs.get("device")
        if function in _FACTORIES:
            kwargs.pop("pin_memory", None)  # memory of the host is memory of the host
            if device is None and next(tensors_in(args), None) is None:
                device = self._tensors.default
        on_gpu = None if function in _OTHER_DEVICES else _gpu(device)
        if on_gpu is None:
            return function(*args, **kwargs)
        kwargs["device"] = _HOST if on_gpu else device
        with self._tensors.results(on_gpu):
            result = function(*args, **kwargs)
        return self._placed(function, result) if on_gpu else result

    def _placed(self, function: Any, result: Any) -> Any:
        """Put on the GPU what a function made without an operation that could be seen."""
        if function in _ALIASING and not self._tensors.here(result):
            return self._cuda(result)
        for each in tensors_in(result):
            self._tensors.place(each)
        return result

    # -- from one memory to the other --------------------------------------------------------------
    def _cuda(self, x: torch.Tensor, device: Any = None, *_: Any, **kwargs: Any) -> torch.Tensor:
        """Return a tensor on the GPU: itself, or a copy."""
        return self._move(x, "cuda" if device is None else device, **kwargs)

    def _cpu(self, x: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        """Return a tensor on the host: itself, or a copy."""
        return self._move(x, "cpu", **kwargs)

    def _move(self, x: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        """Do what `Tensor.to` does."""
        device: Any = kwargs.pop("device", None)
        if args and _is_device(args[0]):
            device, args = args[0], args[1:]
        elif args and args[0] is None:
            args = args[1:]
        other = kwargs.pop("other", args[0] if args else None)
        if isinstance(other, torch.Tensor):
            args = (other.dtype, *args[1:])
            device = "cuda" if self._tensors.here(other) else _device_of(other)
        on_gpu = _gpu(device)
        if on_gpu is None:
            return x.to(*args, **kwargs)
        target = _HOST if on_gpu else device
        if on_gpu == self._tensors.here(x):
            return x.to(target, *args, **kwargs)
        with self._tensors.results(on_gpu):
            return x.to(target, *args[:2], **{**kwargs, "copy": True})

    def _type(self, x: torch.Tensor, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Do what `Tensor.type` does, with names of types such as `torch.cuda.FloatTensor`."""
        if dtype is None:
            name = str(x.type())
            return name.replace("torch.", "torch.cuda.", 1) if self._tensors.here(x) else name
        if isinstance(dtype, str) and dtype.startswith("torch.cuda."):
            return self._cuda(x.type(dtype.replace(".cuda", "", 1)))
        return x.type(dtype, *args, **kwargs)

    # -- what the host reads -----------------------------------------------------------------------
    def _read(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that reads a tensor where no operation can be seen."""

        def reading(x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            self._tensors.read(x)
            return function(x, *args, **kwargs)

        return reading

    def _text(self, x: torch.Tensor, **kwargs: Any) -> str:
        """Return what `repr` of a tensor is, with the device where PyTorch puts it."""
        text = _Tensor.__repr__(x, **kwargs)
        return _SUFFIXES.sub(", device='cuda:0'", text, count=1) if self._tensors.here(x) else text

    def _on_host(self, x: torch.Tensor) -> None:
        if self._tensors.here(x):
            raise TypeError(
                "a tensor on cuda:0 has no NumPy array; Tensor.cpu() copies it to the host first"
            )

    def _numpy(self, x: torch.Tensor, *args: Any, force: bool = False, **kwargs: Any) -> Any:
        """Do what `Tensor.numpy` does: a tensor on the GPU must come to the host first."""
        if force and self._tensors.here(x):
            return self._cpu(x.detach()).numpy(force=True)
        self._on_host(x)
        return x.numpy(*args, force=force, **kwargs)

    def _numpy_array(self, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        self._on_host(x)
        return x.__array__(*args, **kwargs)

    # -- tensors for other libraries ---------------------------------------------------------------
    def _dlpack(self, x: torch.Tensor, *, stream: Any = None, **given: Any) -> Any:
        """Return the capsule of DLPack; a tensor on the GPU is passed by its address there."""
        if not self._tensors.here(x):
            return x.__dlpack__(stream=stream, **given)
        capsule = x.__dlpack__(**given)
        place_on_gpu(capsule, self._tensors.address(x))
        return capsule

    def _dlpack_device(self, x: torch.Tensor) -> tuple[Any, int]:
        """Return DLPack's number of the device's kind, and the device's own."""
        return ON_CUDA if self._tensors.here(x) else x.__dlpack_device__()

    # -- functions that call back into the script --------------------------------------------------
    def _backward(
        self,
        x: torch.Tensor,
        gradient: Any = None,
        retain_graph: Any = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Do what `Tensor.backward` does."""
        self._differentiate(torch.autograd.backward)(
            x, gradient, retain_graph, create_graph, inputs=inputs
        )

    def _differentiate(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of autograd that keeps `cuda` redirected in the script's own ones."""

        def differentiating(*args: Any, **kwargs: Any) -> Any:
            before = getattr(_of_thread, "differentiates", False)
            _of_thread.differentiates = True
            try:
                with self:
                    return function(*args, **kwargs)
            finally:
                _of_thread.differentiates = before

        return differentiating


def _device_of(x: torch.Tensor) -> torch.device:
    """Return PyTorch's own answer, from a function that is not redirected."""
    with torch._C.DisableTorchFunction():
        return x.device


def _to_dlpack(x: torch.Tensor) -> Any:
    """Return the capsule as `Tensor.__dlpack__` does, which knows where a tensor lies."""
    return x.__dlpack__()


@contextlib.contextmanager
def cuda_on_host(device: EmulatorDevice, target: Target, findings: Findings) -> Iterator[None]:
    """Redirect PyTorch's `cuda` to host memory while the context lasts; see `lanemap.check`.

    `torch.cuda` answers for the target's GPU. Its events give NaN for a time: the emulator has no
    clock. What the host reads of memory that nothing has written is noted in `findings`.
    """
    tensors = Tensors(device, findings)
    asks = torch.autograd.has_torch_function

    def asks_again(given: Any) -> bool:
        """Keep autograd's functions, once redirected, from coming to the redirection again."""
        return not getattr(_of_thread, "differentiates", False) and asks(given)

    @contextlib.contextmanager
    def modes() -> Iterator[None]:
        with Redirection(tensors), Operations(tensors):
            yield

    consumes = torch.from_dlpack

    def from_dlpack(given: Any, **options: Any) -> torch.Tensor:
        """Return PyTorch's own tensor on the GPU as it is: there is no GPU to ask."""
        if isinstance(given, torch.Tensor) and tensors.here(given):
            return given.detach()
        return consumes(given, **options)

    new = patches(device, target, findings, tensors)
    if os.environ.get(INDUCTOR) == "1":
        from lanemap.check.inductor import Inductor

        new.append((torch, "compile", Inductor(target, tensors, findings, modes).compile))
    new += [(holder, "from_dlpack", from_dlpack) for holder in (torch, torch.utils.dlpack)]
    new += [(holder, "to_dlpack", _to_dlpack) for holder in (torch, torch.utils.dlpack)]
    new.append((torch.autograd, "has_torch_function", asks_again))
    old = [(holder, name, getattr(holder, name)) for holder, name, _ in new]
    try:
        for holder, name, value in new:
            setattr(holder, name, value)
        with redirected(modes()), in_threads(modes, findings):
            yield
    finally:
        for holder, name, value in old:
            setattr(holder, name, value)
