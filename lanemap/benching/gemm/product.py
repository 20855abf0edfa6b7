"""A product of a user's matrices: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product as every
from typing import Any, TypeAlias

from lanemap.benching.arrays import Operand, on_gpu, require_arrays, require_output, whole
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.matrices import Matrices, contiguous, matrices_of
from lanemap.benching.gemm.problem import TYPES, Problem, problem_of, type_name
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.homes import home_of, layout, require_no_capture
from lanemap.benching.launch import device_for, loaded, multiprocessors
from lanemap.benching.plans import Plan, Plans, stand_in
from lanemap.benching.scratch import scratch_of
from lanemap.errors import UserError

#: A type of NumPy or PyTorch, or its name.
Dtype: TypeAlias = Any


@dataclass(frozen=True)
class Products:
    """A kernel of C = A @ B.T, for one target or several, with the plans of its calls."""

    kernels: Sequence[GemmKernel]
    plans: Plans = field(default_factory=Plans)

    def __call__(
        self,
        a: Any,
        b: Any,
        out: Any = None,
        out_dtype: Dtype = None,
        accumulation: str = "fast",
        device: Any = None,
    ) -> Any:
        """Return A @ B.T; see `kernels/ss_gemm/host.py`."""
        given = None if out is None else layout(out)
        key = layout(a), layout(b), given, out_dtype, accumulation, device
        plan = self.plans.get(key)
        if plan is None:
            plan = self.plans.add(key, self.plan(a, b, out, out_dtype, accumulation, device))
        return plan.compute((a, b), out)

    def plan(
        self,
        a: Any,
        b: Any,
        out: Any = None,
        out_dtype: Dtype = None,
        accumulation: str = "fast",
        device: Any = None,
        tiling: Tiling | None = None,
    ) -> Plan:
        """Return what a call launches; `tiling` is that which should be fastest by default.

        Raises:
            UserError: shapes, types or alignments that no kernel supports, in a sentence.
            MissingEnvironment: NVRTC is not here.
        """
        require_arrays(A=a, B=b)
        if out is not None:
            require_output("out", out)
            out_dtype = type_name(out)
        problem, batch = problem_of(a, b, out_dtype and _named(out_dtype), accumulation)
        shape = (*batch, problem.m, problem.n)
        if out is not None and tuple(out.shape) != shape:
            raise UserError(f"out has shape {tuple(out.shape)}; it must have that of C, {shape}")
        element, kind = TYPES[problem.element], TYPES[problem.output]
        left, right = matrices_of(a, "A"), matrices_of(b, "B")
        result = contiguous(shape, kind.bytes) if out is None else matrices_of(out, "C")
        problem, (left, right, result) = _folded(problem, left, right, result)

        targets = [each.target for each in self.kernels]
        name = self.kernels[0].name
        device = device_for(name, device, targets, on_gpu(a))
        kernel = self.kernels[targets.index(device.target)]
        arrays = {"A": a, "B": b} | ({} if out is None else {"C": out})
        home = home_of(device, arrays, () if out is not None else ("C",), name)
        require_no_capture(device, home, name)
        count = multiprocessors(device)
        tiling = tiling or kernel.choose(problem, count)
        module = loaded(device, kernel.ptx(problem, tiling))
        dtype = home.dtype(kind.dtype, kind.name)
        there: list[Any] = [whole(device, a, "A"), whole(device, b, "B")]
        there += [whole(device, out, "C") if out is not None else
                  stand_in(device, home, a, shape, dtype, "C", kind.bytes)]  # fmt: skip
        in_a, in_b, in_c = (
            Operand(array, each.row_bytes)
            for array, each in zip(there, (left, right, result), strict=True)
        )
        launch = kernel.launch(
            device, module, problem, tiling, in_a, in_b, in_c, count, scratch_of(device)
        )
        device.synchronize()  # the schedule must be there before other streams begin
        return Plan(
            f"{name} of {problem.m} x {problem.n} x {problem.k}, {element.name} to {kind.name}",
            {"A": layout(a), "B": layout(b)},
            ((shape, dtype),),
            None if out is None else layout(out),
            device,
            home,
            launch,
            there,
            _steps(batch, left, right, result),
        )


def _named(dtype: Any) -> str:
    """Return the name of a type of NumPy or PyTorch."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype
    return str(name).removeprefix("torch.")


def _folded(
    problem: Problem, a: Matrices, b: Matrices, c: Matrices
) -> tuple[Problem, tuple[Matrices, Matrices, Matrices]]:
    """Make one matrix of all matrices of A, if their rows lie as those of one and B is one."""
    if not a.sizes or b.count > 1 or not (a.is_one and c.is_one):
        return problem, (a, b, c)
    whole = Problem(
        problem.m * a.count, problem.n, problem.k, problem.element, problem.output,
        problem.accumulation,
    )  # fmt: skip
    return whole, (a.folded, b.folded, c.folded)


def _steps(batch: tuple[int, ...], *operands: Matrices) -> list[tuple[int, ...]]:
    """Return what is added to the operands' addresses, for each product of a batch."""
    if not any(each.sizes for each in operands):
        return []
    return [tuple(each.step(index) for each in operands) for index in every(*map(range, batch))]
