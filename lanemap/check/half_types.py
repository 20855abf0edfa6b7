"""Half types as a GPU computes with them: in f32, and rounded once, at the end of an operation.

PyTorch's CUDA kernels compute on Half and BFloat16 in float (`at::opmath_type`, ATen/OpMathType.h)
and accumulate in float (`at::acc_type<.., true>`, ATen/AccumulateType.h), as cuBLAS and cuDNN do.
Some of its kernels for the host round a sum to the half type after every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map, tree_map_only

_HALF = frozenset((torch.float16, torch.bfloat16))


def _is_half(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype in _HALF


def accumulates(operation: Any, given: Sequence[torch.Tensor]) -> bool:
    """Whether a function of ATen may sum elements of half types.

    Not if it computes each element by itself: the host's kernels do that in f32, too. Functions of
    others than ATen are what they say.
    """
    pointwise = torch.Tag.pointwise in operation.tags
    drawn = torch.Tag.nondeterministic_seeded in operation.tags
    ours = operation.namespace == "aten" and not operation.is_view and not pointwise and not drawn
    return ours and any(map(_is_half, given))


def in_f32(
    operation: Any, args: Sequence[Any], kwargs: Any, written: Sequence[torch.Tensor]
) -> Any:
    """Call a function of ATen with f32 in place of half types; round what it returns or writes.

    Args:
        operation: The function.
        args: By position.
        kwargs: By name.
        written: Those of the arguments that it writes.
    """
    types = _types(operation, args, kwargs)
    if types is None:
        return operation(*args, **kwargs)
    wide: dict[int, torch.Tensor] = {}

    def widened(value: Any) -> Any:
        if _is_half(value):
            return wide.setdefault(id(value), value.float())
        return torch.float32 if isinstance(value, torch.dtype) and value in _HALF else value

    wide_args, wide_kwargs = tree_map(widened, (tuple(args), dict(kwargs)))
    result = operation(*wide_args, **wide_kwargs)
    originals = {}
    for each in written:
        computed = wide.get(id(each))
        if computed is not None:
            each.resize_(computed.shape).copy_(computed)
            originals[id(computed)] = each
    left = iter(types)

    def rounded(value: torch.Tensor) -> torch.Tensor:
        wanted = next(left)
        return originals[id(value)] if id(value) in originals else value.to(wanted)

    return tree_map_only(torch.Tensor, rounded, result)


def _types(operation: Any, args: Sequence[Any], kwargs: Any) -> list[torch.dtype] | None:
    """Return the types of the tensors that a GPU returns; None where PyTorch cannot say.

    Without elements, an operation says what a GPU returns: such as statistics in f32, which the
    host has in the half type.
    """
    shapes = tree_map_only(torch.Tensor, lambda value: value.to("meta"), (tuple(args), kwargs))
    try:
        result = operation(*shapes[0], **shapes[1])
    except Exception:  # PyTorch has many classes for what it cannot do without elements
        return None
    return [each.dtype for each in tree_leaves(result) if isinstance(each, torch.Tensor)]
