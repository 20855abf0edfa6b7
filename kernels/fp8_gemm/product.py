"""An FP8 product of a user's arrays with scales of blocks: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lanemap.benching.arrays import Operand, require_arrays
from lanemap.benching.gemm.call import Dtype, call_of, output_named, require_shape
from lanemap.benching.gemm.problem import TYPES, Problem, type_name
from lanemap.benching.gemm.product import Side
from lanemap.benching.gemm.scales import BLOCK, ELEMENT, check_scales, scales_on
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.homes import layout
from lanemap.benching.launch import loaded
from lanemap.benching.plans import Plan, Plans
from lanemap.benching.scratch import scratch_of
from lanemap.errors import UserError

from .kernel import ScaledKernel


def problem_of(a: Any, b: Any, a_scales: Any, b_scales: Any, output: str) -> Problem:
    """Return the product of arrays.

    Raises:
        UserError: they do not fit each other, or have other types.
    """
    require_arrays(A=a, B=b, a_scales=a_scales, b_scales=b_scales)
    shapes = [tuple(int(size) for size in each.shape) for each in (a, b)]
    if any(len(shape) != 2 for shape in shapes) or shapes[0][1] != shapes[1][1]:
        raise UserError(f"A @ B.T needs A of (M, K) and B of (N, K), not {shapes[0]}, {shapes[1]}")
    for name, array in (("A", a), ("B", b)):
        if type_name(array) != ELEMENT:
            raise UserError(f"{name} is of dtype {type_name(array)}; it must be {ELEMENT}")
    (m, k), n = shapes[0], shapes[1][0]
    blocks = -(-k // BLOCK)
    check_scales(
        {"a_scales": a_scales, "b_scales": b_scales}, ((m, blocks), (-(-n // BLOCK), blocks))
    )
    return Problem(m, n, k, ELEMENT, output, "two_level")


@dataclass(frozen=True)
class ScaledProducts:
    """The kernel for one target or several, with the plans of its calls."""

    kernels: Sequence[ScaledKernel]
    plans: Plans = field(default_factory=Plans)

    def plan(
        self,
        a: Any,
        b: Any,
        a_scales: Any,
        b_scales: Any,
        out: Any = None,
        out_dtype: Dtype = None,
        device: Any = None,
        tiling: Tiling | None = None,
    ) -> Plan:
        """Return what a call launches; `tiling` is that which should be fastest by default.

        Raises:
            UserError: shapes, types or alignments that no kernel supports, in a sentence.
            MissingEnvironment: NVRTC is not here.
        """
        output = output_named(out, out_dtype) or "bfloat16"
        problem = problem_of(a, b, a_scales, b_scales, output)
        shape = (problem.m, problem.n)
        require_shape(out, shape)
        element, kind = TYPES[ELEMENT], TYPES[problem.output]
        sides = Side("A", a, element), Side("B", b, element), Side("C", out, kind, shape)
        scales = {"a_scales": a_scales, "b_scales": b_scales}
        targets = [each.target for each in self.kernels]
        name = self.kernels[0].name
        call = call_of(name, targets, {"A": a, "B": b, **scales}, out, device)
        device, home, count = call.device, call.home, call.multiprocessors
        kernel = self.kernels[targets.index(device.target)]
        tiling = tiling or kernel.choose(problem, count)
        module = loaded(device, kernel.ptx(problem, tiling))
        there = [each.memory(device, home, a) for each in sides]
        in_a, in_b, in_c = (
            Operand(array, each.lying.row_bytes) for array, each in zip(there, sides, strict=True)
        )
        of_a, of_b = (scales_on(device, array, each) for each, array in scales.items())
        launch = kernel.launch(
            device, module, problem, tiling, in_a, in_b, in_c, count, scratch_of(device),
            (of_a, of_b),
        )  # fmt: skip
        device.synchronize()  # the schedule must be there before other streams begin
        return Plan(
            f"{name} of {problem.m} x {problem.n} x {problem.k} to {kind.name}",
            call.inputs,
            ((shape, home.dtype(kind.dtype, kind.name)),),
            None if out is None else layout(out),
            device,
            home,
            launch,
            [*there[:2], of_a.array, of_b.array, there[2]],
            loose=tuple(scales),
            copies=[
                *(each.copy(device, home) for each in sides[:2]),
                None,
                None,
                sides[2].copy(device, home),
            ],
        )
