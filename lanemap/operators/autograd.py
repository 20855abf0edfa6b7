"""Backward passes of operators, at a part of what `torch.library.register_autograd` costs a call.

A call that needs no gradient computes at once, instead of through the dispatcher again; one that
does goes through an `autograd.Function` that does no more than PyTorch asks. Wherever somebody
watches (fake tensors, tracing, tensor subclasses, functorch), the call is dispatched again, as
`torch._library.autograd` does it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import torch

_C: Any = torch._C
#: What remains of a call when no key but these is left, so that nobody else wants to see it.
_PLAIN = (_C.DispatchKey.CPU, _C.DispatchKey.CUDA)
#: Whether that is so, by the bits of a call's keys.
_ALONE: dict[int, bool] = {}


class Save(Protocol):
    """Keeps on `ctx` what gradients need of a call, whose defaults may be left out."""

    def __call__(
        self, ctx: Any, inputs: tuple[Any, ...], options: dict[str, Any], output: Any
    ) -> None:
        """Keep it."""


def call_in_backward(
    overload: Any, compute: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any]
) -> Any:
    """Call an operator in a backward pass; where nobody watches, its implementation at once.

    Args:
        overload: The operator.
        compute: Its implementation.
        inputs: Its tensors, of which the first is the gradient of an output.
        options: Its other arguments.
    """
    if (
        type(inputs[0]) is torch.Tensor
        and not _C._len_torch_dispatch_stack()
        and _C._functorch.peek_interpreter_stack() is None
        and not torch.is_grad_enabled()
    ):
        return compute(*inputs, **options)
    return overload(*inputs, **options)


def _alone(keys: Any) -> bool:
    """Whether nobody but the implementation wants to see a call with these keys."""
    bits = keys.raw_repr()
    found = _ALONE.get(bits)
    if found is None:
        left = keys & _C._after_autograd_keyset
        found = _ALONE[bits] = left.highestPriorityTypeId() in _PLAIN
    return found


def register(
    library: torch.library.Library,
    name: str,
    compute: Callable[..., Any],
    save: Save,
    gradients: Callable[..., tuple[Any, ...]],
) -> None:
    """Give an operator a backward pass.

    Args:
        library: What defined it.
        name: Its name there.
        compute: Its implementation for tensors on the CPU and on a GPU.
        save: Called with `ctx` behind `compute`.
        gradients: Called with `ctx`, which inputs need a gradient, and the gradients of the
            outputs; returns one for each input, or None.
    """
    overload = getattr(getattr(torch.ops, library.ns), name).default

    def below(keys: Any, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if _alone(keys):
            return compute(*inputs, **options)
        with _C._AutoDispatchBelowAutograd():
            keys = keys & _C._after_autograd_keyset
            return overload.redispatch(keys, *inputs, **options)

    class Node(torch.autograd.Function):  # type: ignore[misc]  # without torch it is Any
        @staticmethod
        def forward(ctx: Any, keys: Any, options: dict[str, Any], *inputs: Any) -> Any:
            ctx.set_materialize_grads(False)  # else zeros are made for outputs without a gradient
            output = below(keys, inputs, options)
            save(ctx, inputs, options, output)
            return output

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
            needed = ctx.needs_input_grad[2:]
            if all(grad is None for grad in grads):
                return (None,) * (2 + len(needed))
            return None, None, *gradients(ctx, needed, *grads)

    def call(keys: Any, *inputs: Any, **options: Any) -> Any:
        if _C.is_grad_enabled() and _C._any_requires_grad(*inputs):
            return Node.apply(keys, options, *inputs)
        return below(keys, inputs, options)

    library.impl(name, call, "Autograd", with_keyset=True)
