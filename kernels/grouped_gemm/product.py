"""A grouped product of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lanemap.benching.arrays import Operand, steps, whole
from lanemap.benching.gemm.call import Dtype, call_of, output_named, require_shape
from lanemap.benching.gemm.matrices import matrices_of
from lanemap.benching.gemm.problem import ALIGNMENT, TYPES
from lanemap.benching.gemm.scales import scales_on
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.homes import layout
from lanemap.benching.launch import loaded
from lanemap.benching.plans import Plan, Plans, stand_in
from lanemap.benching.scratch import scratch_of
from lanemap.errors import UserError

from .kernel import GroupedKernel, Matrices
from .problem import Problem, problem_of


@dataclass(frozen=True)
class GroupedProducts:
    """The kernel of grouped products, for one target or several, with the plans of its calls."""

    kernels: Sequence[GroupedKernel]
    plans: Plans = field(default_factory=Plans)

    def plan(
        self,
        a: Any,
        b: Any,
        sizes: Any,
        out: Any = None,
        out_dtype: Dtype = None,
        device: Any = None,
        a_scales: Any = None,
        b_scales: Any = None,
        tiling: Tiling | None = None,
    ) -> Plan:
        """Return what a call launches; `tiling` is that which should be fastest by default.

        Raises:
            UserError: shapes, types or alignments that no kernel supports, in a sentence.
            MissingEnvironment: NVRTC is not here.
        """
        output = output_named(out, out_dtype)
        problem = problem_of(a, b, sizes, output, (a_scales, b_scales))
        kind = TYPES[problem.output]
        shape = (*(int(size) for size in a.shape[:-1]), problem.n)
        require_shape(out, shape)
        if steps(sizes)[0] != 4 and problem.groups > 1:
            raise UserError("sizes is not contiguous; pass a contiguous copy")
        lying = [_lying("A", a), _lying("B", b), _made(out, shape, kind.bytes)]
        targets = [each.target for each in self.kernels]
        name = self.kernels[0].product.name
        scales = {"a_scales": a_scales, "b_scales": b_scales} if problem.scaled else {}
        arrays = {"A": a, "B": b, "sizes": sizes, **scales}
        call = call_of(name, targets, arrays, out, device)
        device, home, count = call.device, call.home, call.multiprocessors
        kernel = self.kernels[targets.index(device.target)]
        arrays |= {} if out is None else {"C": out}
        tiling = tiling or kernel.choose(problem, count)
        module = loaded(device, kernel.ptx(problem, tiling))
        dtype = home.dtype(kind.dtype, kind.name)
        of_scales = [scales_on(device, array, each) for each, array in scales.items()]
        there = {
            each: whole(device, array, each) for each, array in arrays.items() if each not in scales
        }
        if out is None:
            there["C"] = stand_in(device, home, a, shape, dtype, "C", kind.bytes)
        of_a, of_b, of_c = (
            Matrices(Operand(there[each], row_bytes), group_bytes)
            for each, (row_bytes, group_bytes) in zip("ABC", lying, strict=True)
        )
        launch = kernel.launch(
            device, module, problem, tiling, of_a, of_b, of_c, there["sizes"], count,
            scratch_of(device), (of_scales[0], of_scales[1]) if of_scales else None,
        )  # fmt: skip
        return Plan(
            f"{name} of {_words(problem)}",
            call.inputs,
            ((shape, dtype),),
            None if out is None else layout(out),
            device,
            home,
            launch,
            [*(there[each] for each in ("A", "B", "sizes")), *(each.array for each in of_scales),
             there["C"]],
            loose=("sizes", *scales),
        )  # fmt: skip


def _words(p: Problem) -> str:
    rows = f"{p.groups} x {p.rows}" if p.masked else f"{p.rows} in {p.groups} groups"
    return f"{rows} x {p.n} x {p.k}, {p.element}{' with scales' * p.scaled} to {p.output}"


def _lying(name: str, array: Any) -> tuple[int, int]:
    """Return the bytes from one row to the next, and from one group's matrix; 0 for one matrix.

    Raises:
        UserError: TMA cannot reach the rows.
    """
    found = matrices_of(array)
    if found is None:
        raise UserError(
            f"rows of {name} with strides of {steps(array)} bytes are not what TMA reaches: "
            f"adjacent elements, rows at multiples of {ALIGNMENT} bytes; pass a contiguous copy, "
            "with more columns if need be"
        )
    if not found.sizes:
        return found.row_bytes, 0
    apart = found.strides[0] if found.sizes[0] > 1 else found.rows * found.row_bytes
    return found.row_bytes, apart


def _made(out: Any, shape: tuple[int, ...], item: int) -> tuple[int, int]:
    """The same of C; of one that the call makes, which is contiguous.

    Raises:
        UserError: TMA cannot reach its rows.
    """
    if out is not None:
        return _lying("out", out)
    row = shape[-1] * item
    if row % ALIGNMENT:
        raise UserError(
            f"N is {shape[-1]}, so rows of C have {row} bytes; TMA needs a multiple of "
            f"{ALIGNMENT}, so pass such an out, or more rows of B"
        )
    return row, row * shape[-2] if len(shape) > 2 else 0
