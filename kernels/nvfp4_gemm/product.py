"""A block-scaled product of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lanemap.benching.arrays import (
    Operand,
    adopted,
    item_bytes,
    number,
    require_arrays,
    steps,
)
from lanemap.benching.gemm.call import Dtype, call_of, output_named, require_shape
from lanemap.benching.gemm.problem import TYPES, type_name
from lanemap.benching.homes import layout
from lanemap.benching.launch import loaded
from lanemap.benching.plans import Plan, Plans, stand_in
from lanemap.errors import UserError

from .kernel import KERNEL, Arrays
from .problem import Problem, problem_of
from .tiling import Tiling, choose


@dataclass(frozen=True)
class ScaledProducts:
    """The kernel with the plans of its calls."""

    plans: Plans = field(default_factory=Plans)

    def plan(
        self,
        a: Any,
        b: Any,
        sfa: Any,
        sfb: Any,
        out: Any = None,
        alpha: Any = 1.0,
        format: str = "nvfp4",
        out_dtype: Dtype = "float16",
        device: Any = None,
        tiling: Tiling | None = None,
    ) -> Plan:
        """Return what a call launches; `tiling` is that which should be fastest by default.

        Raises:
            UserError: shapes, types or alignments that the kernel does not support, in a sentence.
            MissingEnvironment: NVRTC is not here.
        """
        require_arrays(A=a, B=b, SFA=sfa, SFB=sfb)
        given = {"A": a, "B": b, "SFA": sfa, "SFB": sfb, **_alpha(alpha)}
        output = output_named(out, out_dtype) or "float16"
        problem = problem_of(a, b, sfa, sfb, format, output)
        kind, shape = TYPES[problem.output], (*(int(size) for size in a.shape[:-1]), problem.n)
        require_shape(out, shape)
        call = call_of(KERNEL.name, [KERNEL.target], given, out, device)
        device, home, count = call.device, call.home, call.multiprocessors
        tiling = tiling or choose(problem, count)
        module = loaded(device, KERNEL.ptx(problem, tiling))
        dtype = home.dtype(kind.dtype, kind.name)
        if out is None:
            row = problem.n * kind.bytes
            made = stand_in(device, home, a, shape, dtype, "C", kind.bytes)
            c = Operand(made, row), problem.m * row
        else:
            c = _matrices(device, problem, out, "C")
        arrays = Arrays(
            _matrices(device, problem, a, "A"), _matrices(device, problem, b, "B"), c,
            _scales(device, sfa, "SFA"), _scales(device, sfb, "SFB"),
        )  # fmt: skip
        factor = adopted(device, alpha.reshape(1, 1), "alpha").array if len(given) > 4 else alpha
        launch = KERNEL.launch(device, module, problem, tiling, arrays, factor, count)
        device.synchronize()  # the schedule must be there before other streams begin
        there = [arrays.a[0].array, arrays.b[0].array, arrays.sfa, arrays.sfb]
        there += [factor] if len(given) > 4 else []
        return Plan(
            f"{KERNEL.name} of {problem.batches} x {problem.m} x {problem.n} x {problem.k}, "
            f"{problem.format} to {kind.name}",
            call.inputs,
            ((shape, dtype),),
            None if out is None else layout(out),
            device,
            home,
            launch,
            [*there, arrays.c[0].array],
            loose=("alpha",),
        )


def _alpha(alpha: Any) -> dict[str, Any]:
    """Return alpha as an operand, if it is one, rather than a number.

    Raises:
        UserError: it is neither a number nor an f32 array of one element.
    """
    if not hasattr(alpha, "shape"):
        number(alpha, "alpha")
        return {}
    require_arrays(alpha=alpha)
    if np.prod(alpha.shape, dtype=int) != 1 or type_name(alpha) != "float32":
        raise UserError(
            f"alpha is {type_name(alpha)} of {tuple(alpha.shape)}; it must be a number, or float32 "
            "of one element"
        )
    return {"alpha": alpha}


def adopted_arrays(
    device: Any,
    problem: Problem,
    a: Any,
    b: Any,
    sfa: Any,
    sfb: Any,
    out: Any,
    fresh: bool = False,
) -> Arrays:
    """Return arrays as operands, without copying them; `fresh` if nothing has written C.

    Raises:
        UserError: elements of a row, or scales, are not contiguous.
    """
    return Arrays(
        _matrices(device, problem, a, "A"),
        _matrices(device, problem, b, "B"),
        _matrices(device, problem, out, "C", fresh),
        _scales(device, sfa, "SFA"),
        _scales(device, sfb, "SFB"),
    )


def _matrices(
    device: Any, problem: Problem, array: Any, name: str, fresh: bool = False
) -> tuple[Operand, int]:
    """Return matrices as an operand, and the bytes from one matrix to the next."""
    operand = adopted(device, array, name, fresh)
    if problem.batches > 1:
        return operand, steps(array)[0]
    # The map has one matrix, whatever is said of the next.
    return operand, operand.row_bytes * int(array.shape[-2])


def _scales(device: Any, array: Any, name: str) -> Any:
    """Return atoms on a device.

    Raises:
        UserError: they are not contiguous.
    """
    step = item_bytes(array)
    for size, stride in zip(reversed(tuple(array.shape)), reversed(steps(array)), strict=True):
        if size > 1 and stride != step:
            raise UserError(f"{name} is not contiguous; pass a contiguous copy of the scale atoms")
        step *= int(size)
    return adopted(device, array.reshape(1, -1), name).array
