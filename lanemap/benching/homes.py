"""Where arrays of a call lie, and how it gets their addresses, its stream and new arrays there."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol

import numpy as np

from lanemap.benching.arrays import is_tensor, on_gpu
from lanemap.errors import UserError

#: What arrays for which one plan does have in common: shape, strides, type and place.
Layout = Hashable


class _Layouts(dict[type, Callable[[Any], Layout]]):
    """What reads the layout of an array, by the array's type."""

    def __missing__(self, kind: type) -> Callable[[Any], Layout]:
        torch = sys.modules.get("torch")
        if torch is not None and kind in (torch.Tensor, torch.nn.Parameter):
            self[kind] = _of_tensor
        elif kind.__module__.startswith("cupy"):
            self[kind] = _of_cupy
        elif issubclass(kind, np.ndarray):
            self[kind] = _of_numpy
        else:
            return lambda _: f"a {kind.__name__}"
        return self[kind]


#: LAYOUTS[type(x)](x) is what a plan depends on, of an array of NumPy or CuPy or a tensor.
LAYOUTS = _Layouts()


def layout(array: Any) -> Layout:
    """Return what a plan depends on, of an array of NumPy or CuPy or a tensor; else its type."""
    return LAYOUTS[type(array)](array)


def layouts(arrays: Sequence[Any]) -> tuple[Layout, ...]:
    """Return the layout of each array."""
    return tuple([LAYOUTS[type(each)](each) for each in arrays])


def _of_tensor(array: Any) -> Layout:
    grad = array.requires_grad and sys.modules["torch"].is_grad_enabled()
    return array.shape, array.stride(), array.dtype, array.device, grad


def _of_numpy(array: Any) -> Layout:
    return array.shape, array.strides, array.dtype, array.flags.writeable


def _of_cupy(array: Any) -> Layout:
    return array.shape, array.strides, array.dtype, array.device.id


class Home(Protocol):
    """A library's arrays in one place."""

    @property
    def on_gpu(self) -> bool:
        """Whether it is a GPU's memory."""

    @property
    def forgets(self) -> bool:
        """Whether the library reuses memory of arrays that a graph was captured with."""

    def addresses(self, arrays: Sequence[Any], fresh: int) -> tuple[list[int], Any]:
        """Return the addresses, and what must live until the launch is enqueued.

        Nothing has written the last `fresh` arrays.
        """

    def stream(self) -> int:
        """Return the handle of the stream on which the library puts work now."""

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a new array of a type that `dtype` returned."""

    def maker(self, wanted: Sequence[tuple[tuple[int, ...], Any]]) -> Callable[[], list[Any]]:
        """Return what makes arrays as `empty` does, of these shapes and types; plans call it."""

    def assign(self, to: Any, values: Any) -> None:
        """Copy elements to an array of the same shape, on the stream."""

    def zeros(self, size: int) -> Any:
        """Return zeros of int32, made on the stream."""

    def dtype(self, dtype: np.dtype[Any], name: str) -> Any:
        """Return the library's own type: NumPy's `dtype`, which PyTorch calls `name`."""


class Host:
    """Memory of the host, which the emulator adopts."""

    on_gpu = forgets = False

    def __init__(self, device: Any, names: Sequence[str], tensors: bool) -> None:
        """Keep the device, what reports call the arrays, and whether new ones are tensors."""
        self._device, self._names, self._tensors = device, names, tensors

    def addresses(self, arrays: Sequence[Any], fresh: int) -> tuple[list[int], Any]:
        """Adopt the arrays; see `Home`."""
        known = len(arrays) - fresh
        kept = [
            self._device.adopt(array, name=name, **({} if i < known else {"defined": False}))
            for i, (array, name) in enumerate(zip(arrays, self._names, strict=True))
        ]
        return [each.address for each in kept], kept

    def stream(self) -> int:
        """Return 0: launches follow each other."""
        return 0

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a new array; see `Home`."""
        if self._tensors:
            return sys.modules["torch"].empty(shape, dtype=dtype)
        return np.empty(shape, dtype)

    def maker(self, wanted: Sequence[tuple[tuple[int, ...], Any]]) -> Callable[[], list[Any]]:
        """Return what makes arrays; see `Home`."""
        return lambda: [self.empty(*each) for each in wanted]

    def assign(self, to: Any, values: Any) -> None:
        """Copy elements; the emulator notes that they have values."""
        if self._tensors:
            to.copy_(values)
        else:
            to[...] = values
        if self._device.adopted(to):
            self._device.adopt(to).define()

    def zeros(self, size: int) -> Any:
        """Return zeros."""
        return np.zeros(size, np.int32)

    def dtype(self, dtype: np.dtype[Any], name: str) -> Any:
        """Return NumPy's or PyTorch's type."""
        return getattr(sys.modules["torch"], name) if self._tensors else dtype


class TorchGpu:
    """Tensors on a GPU."""

    on_gpu, forgets = True, False

    def __init__(self, index: int) -> None:
        """Find PyTorch's functions; the fast ones are those that its compiled code calls."""
        torch = sys.modules["torch"]
        self._torch, self._device = torch, torch.device("cuda", index)
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        device = self._device
        self._stream = raw or (lambda _: torch.cuda.current_stream(device).cuda_stream)
        self._index = index
        guards = getattr(getattr(torch._C, "_dynamo", None), "guards", None)
        # It allocates on the current GPU, without what torch.empty asks of its arguments.
        self._fast = getattr(guards, "_empty_strided_cuda", None)
        # `torch.cuda.current_device` without its check that CUDA has begun: tensors are there.
        self._current = getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device)

    def addresses(self, arrays: Sequence[Any], fresh: int) -> tuple[list[int], Any]:
        """Return the addresses; see `Home`."""
        return [each.data_ptr() for each in arrays], None

    def stream(self) -> int:
        """Return PyTorch's current stream."""
        return int(self._stream(self._index))

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a new tensor of PyTorch's allocator."""
        if self._fast is not None and self._current() == self._index:
            return self._fast(shape, _strides(shape), dtype)
        return self._torch.empty(shape, dtype=dtype, device=self._device)

    def maker(self, wanted: Sequence[tuple[tuple[int, ...], Any]]) -> Callable[[], list[Any]]:
        """Return what makes tensors; see `Home`."""
        fast, current, index = self._fast, self._current, self._index
        known = [(shape, _strides(shape), dtype) for shape, dtype in wanted]

        def make() -> list[Any]:
            if fast is not None and current() == index:
                return [fast(shape, strides, dtype) for shape, strides, dtype in known]
            return [self.empty(*each) for each in wanted]

        return make

    def assign(self, to: Any, values: Any) -> None:
        """Copy elements; see `Home`."""
        to.copy_(values)

    def zeros(self, size: int) -> Any:
        """Return zeros; while a graph is captured they lie in its own pool, as long as it does."""
        return self._torch.zeros(size, dtype=self._torch.int32, device=self._device)

    def dtype(self, dtype: np.dtype[Any], name: str) -> Any:
        """Return PyTorch's type."""
        return getattr(self._torch, name)


class CupyGpu:
    """Arrays of CuPy."""

    on_gpu = forgets = True

    def __init__(self) -> None:
        """Find CuPy's functions."""
        self._cupy = sys.modules["cupy"]
        self._current = self._cupy.cuda.get_current_stream

    def addresses(self, arrays: Sequence[Any], fresh: int) -> tuple[list[int], Any]:
        """Return the addresses; see `Home`."""
        return [each.data.ptr for each in arrays], None

    def stream(self) -> int:
        """Return CuPy's current stream."""
        return int(self._current().ptr)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a new array of CuPy's pool."""
        return self._cupy.empty(shape, dtype)

    def maker(self, wanted: Sequence[tuple[tuple[int, ...], Any]]) -> Callable[[], list[Any]]:
        """Return what makes arrays; see `Home`."""
        return lambda: [self.empty(*each) for each in wanted]

    def assign(self, to: Any, values: Any) -> None:
        """Copy elements; see `Home`."""
        to[...] = values

    def zeros(self, size: int) -> Any:
        """Return zeros; CuPy's pool does not know what a graph uses."""
        return self._cupy.zeros(size, np.int32)

    def dtype(self, dtype: np.dtype[Any], name: str) -> Any:
        """Return NumPy's type."""
        return dtype


@lru_cache(maxsize=4096)
def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a contiguous tensor, in elements."""
    return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))


@cache
def _torch_gpu(index: int) -> TorchGpu:
    return TorchGpu(index)


@cache
def _cupy_gpu() -> CupyGpu:
    return CupyGpu()


def home_of(device: Any, arrays: dict[str, Any], outputs: Sequence[str], kernel: str) -> Home:
    """Return where all arrays of a call lie.

    Args:
        device: The device of the call.
        arrays: By name; the first one says where the others must be.
        outputs: Names of results that have no array yet.
        kernel: Its name, for refusals.

    Raises:
        UserError: they lie in several places, or not where the device can reach them.
    """
    (first_name, first), *others = arrays.items()
    if not on_gpu(first):
        return Host(device, [*arrays, *outputs], is_tensor(first))
    place = _place(first)
    for name, array in others:
        if _place(array) != place:
            raise UserError(
                f"{first_name} lies on {_words(first)} and {name} on {_words(array)}; pass arrays "
                "of one library on one GPU"
            )
    library, index = place
    if index != 0 or device.name != "cuda":
        there = "the first GPU" if device.name == "cuda" else "the emulator"
        raise UserError(
            f"{first_name} lies on {_words(first)}, and this call of {kernel} runs on {there}"
        )
    return _torch_gpu(index) if library == "torch" else _cupy_gpu()


def capture(device: Any, stream: int) -> int:
    """Return the number of the capture that records a stream in a graph; 0 if none does.

    Default streams (0 to 2: cudaStreamLegacy, cudaStreamPerThread) cannot be captured.
    """
    return int(device.capture(stream)) if stream > 2 else 0


def require_no_capture(device: Any, home: Home, kernel: str, function: str = "") -> None:
    """Check that no graph is captured while a plan is made, since that copies and waits.

    Args:
        device: The device of the call.
        home: Where its arrays lie.
        kernel: Its name, for the refusal.
        function: How the function that has `plan` is called, if it is not the kernel's own.

    Raises:
        UserError: one is.
    """
    if capture(device, home.stream()):
        function = function or f"lanemap.kernel({kernel!r})"
        raise UserError(
            f"a graph is being captured, and {kernel} has no plan for such arrays yet; call it "
            f"once before, or {function}.plan(..) with the same arguments"
        )


def _place(array: Any) -> tuple[str, int]:
    if not on_gpu(array):
        return "host", 0
    if is_tensor(array):
        return "torch", int(array.device.index)
    return "cupy", int(array.device.id)


def _words(array: Any) -> str:
    library, index = _place(array)
    return "the host" if library == "host" else f"cuda:{index} ({library})"
