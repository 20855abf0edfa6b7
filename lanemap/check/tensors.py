"""Which tensors lie on the GPU that the emulator stands for, and which of their bytes have values.

A tensor is on the GPU if its storage is adopted. PyTorch computes on the host as it always does; a
TorchDispatchMode of each thread sees every operation below autograd. The results of tensors on the
GPU go there too. What `torch.empty` and its relatives return is undefined until an operation of
PyTorch or a kernel writes it; an operation that reads undefined elements hands them to the host,
which is a hazard. Copies (`clone`, `copy_`, `to`) of undefined elements on the GPU are undefined
instead.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from lanemap.check.findings import Findings
from lanemap.check.half_types import accumulates, in_f32
from lanemap.check.host_reads import hand_over
from lanemap.check.scaled_products import ScaledProducts
from lanemap.check.unwritten import Unwritten
from lanemap.devices.adoption import AdoptedArray
from lanemap.devices.emulator import EmulatorDevice

#: Operations of ATen, by name: what they return has no values yet.
_EMPTY = frozenset(
    ("empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided")
)
#: They ask a tensor for its shape and type alone.
_SHAPE_ONLY = _EMPTY | frozenset(
    "zeros_like ones_like full_like rand_like randn_like randint_like new_zeros new_ones new_full "
    "resize_ set_ is_same_size".split()
)
#: They write a tensor without reading it.
_OVERWRITE = frozenset(
    "copy_ fill_ zero_ normal_ uniform_ random_ bernoulli_ exponential_ geometric_ cauchy_ "
    "log_normal_ _foreach_copy_ _foreach_zero_".split()
)
#: They write some elements of a tensor and leave the others: the argument that holds the values.
_WRITE_SOME = {
    "index_put_": 2, "masked_fill_": 2, "scatter_": 3, "index_fill_": 3, "index_copy_": 3,
    "masked_scatter_": 2,
}  # fmt: skip
#: They copy elements one by one: the argument that they copy.
_COPY = {"clone": 0, "_to_copy": 0, "copy_": 1}


def _as_it_lies(tensor: torch.Tensor) -> torch.Tensor:
    """Return a view of a tensor without the conjugation or negation that is pending."""
    plain = torch._neg_view(tensor) if tensor.is_neg() else tensor
    return plain.conj() if plain.is_conj() else plain


def tensors_in(values: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors among arguments or results, in lists and tuples too."""
    if isinstance(values, torch.Tensor):
        yield values
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from tensors_in(value)


class Operations(TorchDispatchMode):  # type: ignore[misc]  # without torch it is Any
    """Lets `Tensors` follow the operations of a thread while it is the active mode there."""

    def __init__(self, tensors: Tensors) -> None:
        """Follow for `tensors`."""
        super().__init__()
        self._tensors = tensors

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Return False: PyTorch would import its compiler, which takes seconds, to leave us out."""
        return False

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Run an operation of ATen, and follow what it reads and writes."""
        with torch._C.DisableTorchFunction():  # autograd calls with the redirection of `cuda` on
            return self._tensors.follow(operation, args, kwargs or {})


class Tensors:
    """The tensors on the GPU, of all threads."""

    def __init__(self, device: EmulatorDevice, findings: Findings) -> None:
        """Adopt into `device`; note what the host reads of undefined memory in `findings`."""
        self._device, self._findings = device, findings
        self._of_thread = threading.local()
        self._scaled = ScaledProducts(device.target)
        self._unwritten = Unwritten(device.target)
        self.peak_bytes = 0

    @property
    def default(self) -> torch.device | None:
        """The device that `torch.set_default_device` set in this thread, if it is the GPU."""
        return getattr(self._of_thread, "default", None)

    @default.setter
    def default(self, device: torch.device | None) -> None:
        self._of_thread.default = device

    # -- where tensors lie -------------------------------------------------------------------------
    @staticmethod
    def _plain(tensor: torch.Tensor) -> bool:
        """Whether the elements lie in a storage on the host, as those of a sparse one do not."""
        dense = bool(tensor.layout == torch.strided)
        return dense and bool(tensor.untyped_storage().device.type == "cpu")

    def here(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor is on the GPU."""
        return self._plain(tensor) and self._device.adopted(tensor)

    def place(self, tensor: torch.Tensor, defined: bool = True) -> None:
        """Put a tensor's storage on the GPU, where it lies on the host."""
        if self._plain(tensor) and not self._device.adopted(tensor):
            self._device.adopt(_as_it_lies(tensor), defined=defined)
            self.peak_bytes = max(self.peak_bytes, self._device.adopted_bytes)

    @contextlib.contextmanager
    def results(self, on_gpu: bool) -> Iterator[None]:
        """Place new tensors on the GPU, or not, wherever the arguments lie."""
        before = self._to
        self._of_thread.to = on_gpu
        try:
            yield
        finally:
            self._of_thread.to = before

    @property
    def _to(self) -> bool | None:
        """The device of new tensors of this thread; None for that of the arguments."""
        return getattr(self._of_thread, "to", None)

    def _array(self, tensor: torch.Tensor) -> AdoptedArray:
        """Return the array of a tensor's elements as they lie."""
        return self._device.adopt(_as_it_lies(tensor))

    def address(self, tensor: torch.Tensor) -> int:
        """Return the address of the first element on the GPU."""
        return self._array(tensor).address

    # -- which elements have values ----------------------------------------------------------------
    def read(self, tensor: torch.Tensor) -> None:
        """Hand a tensor's elements to the host: if some are undefined, that is a hazard.

        Raises:
            Stopped: the hazard was told, unless hazards are reported.
        """
        if not self._plain(tensor) or not self._device.has_undefined(tensor):
            return
        hand_over(self._device, self._findings, self._array(tensor), "PyTorch")

    def _undefined(self, tensor: torch.Tensor) -> AdoptedArray | None:
        """Return the array of a tensor that has undefined elements, be it on the GPU or not."""
        if not self._plain(tensor):
            return None
        if not self._device.has_undefined(tensor):
            return self._unwritten.array(_as_it_lies(tensor))
        array = self._array(tensor)
        return None if array.all_defined else array

    def follow(self, operation: Any, args: Sequence[Any], kwargs: Any) -> Any:
        """Run an operation of ATen; what it reads and writes is seen to."""
        name = operation._schema.name.partition("::")[2]
        given = list(tensors_in((args, list(kwargs.values()))))
        on_gpu = any(map(self.here, given)) if self._to is None else self._to
        storages = {id(each.untyped_storage()) for each in given if self._plain(each)}
        written = _written(operation, args, kwargs)
        moved = [each for each in written if self.here(each)]
        some = name in _WRITE_SOME and not _accumulates(name, args, kwargs)
        self._check_reads(operation, name, args, given, written, on_gpu, some)
        if on_gpu and operation in self._scaled:
            result = self._scaled(operation, args, kwargs)
        elif on_gpu and _computes(operation, name) and accumulates(operation, given):
            result = in_f32(operation, args, kwargs, written)
        else:
            result = operation(*args, **kwargs)
        for each in tensors_in(result):
            if on_gpu and self._plain(each) and id(each.untyped_storage()) not in storages:
                self.place(each, name not in _EMPTY)
            elif name in _EMPTY and self._plain(each) and not self.here(each):
                self._unwritten.add(each)
        for each in moved:
            self.place(each)  # an operation with `out=` may have given it a new storage
        targets = list(tensors_in(result)) if name in ("clone", "_to_copy") else written
        self._note_writes(operation, name, args, kwargs, targets, some)
        return result

    def _check_reads(
        self,
        operation: Any,
        name: str,
        args: Sequence[Any],
        given: Sequence[torch.Tensor],
        written: Sequence[torch.Tensor],
        on_gpu: bool,
        some: bool,
    ) -> None:
        """Hand to the host what an operation reads and does not copy; `some`: it writes a part."""
        if _shape_only(operation, name):
            return
        unread = set()
        if some or name in _OVERWRITE or not name.endswith("_"):
            unread = {id(each) for each in written}
        if name in _COPY and (on_gpu if name != "copy_" else self.here(args[0])):
            unread.add(id(args[_COPY[name]]))
        for each in given:
            if id(each) not in unread:
                self.read(each)

    def _note_writes(
        self,
        operation: Any,
        name: str,
        args: Sequence[Any],
        kwargs: Any,
        written: Sequence[torch.Tensor],
        some: bool,
    ) -> None:
        """Define what was written, as far as it has values."""
        source = None
        if name in _COPY:
            copied = args[_COPY[name]]
            if self._plain(copied):
                self._unwritten.judge(_as_it_lies(copied))
            source = self._undefined(copied)
        for each in written:
            if source is not None and self.here(each):
                undefined = torch.from_numpy(source.undefined_elements())
                values = ~undefined.expand(each.shape).numpy()
                self._array(each).define(values)
                continue
            if source is not None and name != "copy_" and source.undefined_elements().all():
                self._unwritten.add(each)  # a copy on the host
                continue
            array = self._undefined(each)
            if array is None or _shape_only(operation, name):
                continue
            if some:
                undefined = torch.from_numpy(array.undefined_elements())
                _write_some(operation, name, undefined, args, kwargs)
                array.define(~undefined.numpy())
            else:
                array.define()


def _written(operation: Any, args: Sequence[Any], kwargs: Any) -> list[torch.Tensor]:
    """Return the tensors that an operation writes, as its schema says."""
    found: list[torch.Tensor] = []
    for position, declared in enumerate(operation._schema.arguments):
        if declared.alias_info is not None and declared.alias_info.is_write:
            value = args[position] if position < len(args) else kwargs.get(declared.name)
            found += tensors_in(value)
    return found


def _shape_only(operation: Any, name: str) -> bool:
    """Whether an operation touches no element: a view, a new shape, a change of shape in place."""
    return name in _SHAPE_ONLY or operation.is_view or torch.Tag.inplace_view in operation.tags


def _computes(operation: Any, name: str) -> bool:
    """Whether an operation does more than to copy, fill or view elements."""
    moves = name in _COPY or name in _OVERWRITE or name in _WRITE_SOME
    return not moves and not _shape_only(operation, name)


def _accumulates(name: str, args: Sequence[Any], kwargs: Any) -> bool:
    """Whether `index_put_` adds to what is there; the others have no such argument."""
    given = args[3] if len(args) > 3 else kwargs.get("accumulate", False)
    return name == "index_put_" and bool(given)


def _write_some(
    operation: Any, name: str, flags: torch.Tensor, args: Sequence[Any], kwargs: Any
) -> None:
    """Clear the flags of the elements that an operation writes, by letting it write zeros."""
    replaced = [
        value
        if position != _WRITE_SOME[name]
        else torch.zeros_like(value, dtype=torch.bool)
        if isinstance(value, torch.Tensor)
        else False
        for position, value in enumerate(args)
    ]
    operation(flags, *replaced[1:], **kwargs)
