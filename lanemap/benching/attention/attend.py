"""Attention of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.benching.arrays import (
    Operand,
    empty_like,
    item_bytes,
    number,
    on_gpu,
    steps,
    whole,
)
from lanemap.benching.attention.additions import Additions
from lanemap.benching.attention.kernel import Arrays, AttentionKernel
from lanemap.benching.attention.operands import descale, with_additions
from lanemap.benching.attention.packed import ENDS
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.tiling import L2_BYTES, Tiling
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.homes import home_of, layout, require_no_capture
from lanemap.benching.launch import Launch, device_for, loaded, multiprocessors
from lanemap.benching.plans import ALIGNMENT_BYTES, Plan, stand_in
from lanemap.errors import UserError

_DESCALES = ("q_descale", "k_descale", "v_descale")
#: What a head has, or each head of a sequence; no tensor map describes it.
_OF_HEADS = (*_DESCALES, "alibi_slopes", "sinks")


@dataclass(frozen=True)
class Given:
    """What a caller gives beside Q, K, V and the mask.

    Attributes:
        softmax_scale: Factor of the logits.
        descales: Scale factors of q, k and v: numbers or arrays.
        softcap: As in `Additions`.
        alibi_slopes: Their array, where there is one.
        sinks: Likewise.
    """

    softmax_scale: Any = None
    descales: tuple[Any, Any, Any] = (None, None, None)
    softcap: float = 0
    alibi_slopes: Any = None
    sinks: Any = None

    def arrays(self) -> dict[str, Any]:
        """Those that are arrays, which are operands of a plan."""
        values = (*self.descales, self.alibi_slopes, self.sinks)
        named = zip(_OF_HEADS, values, strict=True)
        return {name: value for name, value in named if not is_number(value)}

    def additions(self, there: Mapping[str, Operand]) -> Additions:
        """Return what is done to the logits, with operands on a device by their names."""
        slopes, sinks = there.get("alibi_slopes"), there.get("sinks")
        apart = slopes is not None and len(self.alibi_slopes.shape) == 2
        return Additions(float(self.softcap), slopes, sinks, apart)

    def constants(self, device: Any, problem: Problem) -> dict[str, Operand]:
        """Return the descales on a device by name, of those that are no arrays.

        Raises:
            UserError: a shape or type that one must not have, or any where the type is not FP8.
        """
        scales = [
            descale(value, name, problem)
            for value, name in zip(self.descales, _DESCALES, strict=True)
        ]
        return {
            name: Operand(device.array(scale, name=name), 4)
            for value, scale, name in zip(self.descales, scales, _DESCALES, strict=True)
            if problem.element_bytes == 1 and is_number(value)
        }


def plan(
    kernels: Sequence[AttentionKernel],
    problem: Problem,
    arrays: tuple[Any, Any, Any],
    given: Given = Given(),
    device: Any = None,
    tiling: Tiling | None = None,
    outputs: tuple[Any, Any] | None = None,
    ends: tuple[Any, Any] | None = None,
) -> Plan:
    """Return what computes O and the logarithm of each row's sum; see `kernels/fmha/host.py`.

    Args:
        kernels: What computes it, one for each target; the first one's is the target by default.
        problem: The problem that the arrays' shapes and types state.
        arrays: Queries, keys and values.
        given: What else there is.
        device: A device from `lanemap.open_device`.
        tiling: A tile; by default the one that should be fastest.
        outputs: Arrays for the results, where the plan is for these arrays alone.
        ends: cu_seqlens of queries and keys, where `problem` does not know the lengths.

    Raises:
        UserError: shapes, types or a scale that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    scale = _scale(problem, given.softmax_scale)
    problem = with_additions(problem, given.softcap, given.alibi_slopes, given.sinks)
    q, k, v = arrays
    targets = [each.target for each in kernels]
    device = device_for(kernels[0].name, device, targets, on_gpu(q))
    kernel = kernels[targets.index(device.target)]
    named = {"q": q, "k": k, "v": v} | given.arrays() | dict(zip(ENDS, ends or (), strict=False))
    home = home_of(device, named, ("o", "log_sum_exp"), kernel.name)
    require_no_capture(device, home, kernel.name)
    tiling = tiling or kernel.choose(problem)
    constants = given.constants(device, problem)
    there = {
        name: Operand(whole(device, array, name), 4)
        if name in ENDS
        else rows_of(device, array, name)
        for name, array in named.items()
    }
    shapes = _results(q, problem)
    kinds = [(shape, home.dtype(dtype, name)) for shape, dtype, name in shapes]
    made = []
    for i, name in enumerate(("o", "log_sum_exp")):
        shape, kind = kinds[i]
        item = shapes[i][1].itemsize
        made.append(
            whole(device, outputs[i], name, fresh=True)
            if outputs
            else stand_in(device, home, q, shape, kind, name, item)
        )
    row = problem.values * TYPES[problem.output].bytes
    operands = Arrays(
        there["q"], there["k"], there["v"], Operand(made[0], row), Operand(made[1], 4),
        tuple((there | constants)[name] for name in _DESCALES if problem.element_bytes == 1),
    )  # fmt: skip
    module, count = loaded(device, kernel.ptx(problem, tiling)), multiprocessors(device)
    common = device, module, problem, tiling, operands, scale, count
    launches: Launch | list[Launch]
    if ends is None:
        launches = kernel.launch(*common, heads_together(problem), given.additions(there))
    else:
        lengths = there[ENDS[0]].array, there[ENDS[1]].array
        launches = kernel.packed_launches(*common, lengths, given.additions(there))
    device.synchronize()  # the schedule must be there before other streams begin
    return Plan(
        f"{kernel.name} of q {tuple(q.shape)}, k and v {tuple(k.shape)}, {problem.element}",
        {name: layout(array) for name, array in named.items()},
        kinds,
        None,
        device,
        home,
        launches,
        [*(each.array for each in there.values()), *made],
        loose=(*_OF_HEADS, *ENDS, "log_sum_exp"),
    )


def _scale(problem: Problem, given: Any) -> float:
    scale = problem.head_dim**-0.5 if given is None else number(given, "softmax_scale")
    if not 0 < scale < float("inf"):
        raise UserError(f"softmax_scale is {scale}; it must be positive and finite")
    return scale


def attend(
    kernels: Sequence[AttentionKernel],
    problem: Problem,
    q: Any,
    k: Any,
    v: Any,
    given: Given = Given(),
    device: Any = None,
    tiling: Tiling | None = None,
) -> tuple[tuple[Any, Any], Plan]:
    """Return O and the logarithm of each row's sum, and the plan, which must live until then."""
    outputs = new_outputs(q, problem)
    made = plan(kernels, problem, (q, k, v), given, device, tiling, outputs)
    made.run((q, k, v, *given.arrays().values(), *outputs), 2)
    return outputs, made


def is_number(value: Any) -> bool:
    """Whether it is a number, or not given, rather than an array."""
    return value is None or isinstance(value, (int, float))


def heads_together(problem: Problem) -> int:
    """Return how many heads of Q are worked at together.

    Without a mask all tiles are equal, and heads need not be mixed to share the work.
    """
    shared = problem.heads // problem.kv_heads
    if not problem.causal and not problem.lengths:
        return shared
    longest = max(keys for _, keys in problem.sequences)
    row = (problem.head_dim + problem.values) * problem.element_bytes
    each = max(1, longest) * row
    return max(1, L2_BYTES // each) * shared


def new_outputs(q: Any, problem: Problem) -> tuple[Any, Any]:
    """Return new arrays for O and log_sum_exp, of q's library and place."""
    o, sums = (empty_like(q, *each) for each in _results(q, problem))
    return o, sums


def _results(q: Any, problem: Problem) -> list[tuple[tuple[int, ...], np.dtype[Any], str]]:
    """Return shape and type of O and log_sum_exp."""
    kind = TYPES[problem.output]
    rows: tuple[int, ...] = (problem.batch, problem.heads, problem.queries)
    if problem.lengths:
        rows = rows[1:]
    shape = (*(int(size) for size in q.shape[:-1]), problem.values)
    return [(shape, kind.dtype, kind.name), (rows, np.dtype(np.float32), "float32")]


def rows_of(device: Any, array: Any, name: str) -> Operand:
    """Return an array of (.., length, heads, elements of a row) wherever its rows lie.

    Raises:
        UserError: elements of a row are not adjacent, or rows begin where TMA cannot reach them.
    """
    strides, item = steps(array), item_bytes(array)
    shape = [int(size) for size in array.shape]
    if name in _OF_HEADS:
        expected = (shape[-1] * item, item)[-len(shape) :]
        if any(n > 1 and s != e for n, s, e in zip(shape, strides, expected, strict=True)):
            raise UserError(f"{name} is not contiguous; pass a contiguous copy")
        return Operand(whole(device, array, name), item)
    row = shape[-1] * item
    if strides[-1] != item:
        raise UserError(f"elements of a row of {name} are not adjacent; pass a contiguous copy")
    for size, stride in zip(shape[:-1], strides[:-1], strict=True):
        if size > 1 and (stride % ALIGNMENT_BYTES or stride <= 0):
            raise UserError(
                f"rows of {name} lie {stride} bytes apart; TMA needs a positive multiple of "
                f"{ALIGNMENT_BYTES} bytes, so pass a contiguous copy"
            )
    # The stride of a dimension of one element counts for nothing, and may be anything.
    own = [stride if size > 1 else row for size, stride in zip(shape, strides, strict=True)][:-1]
    return Operand(whole(device, array, name), row, (row, *own)[-3:])
