"""A product of a user's matrices: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import product as every
from typing import Any

from lanemap.benching.arrays import Operand, require_arrays, steps, whole
from lanemap.benching.gemm.call import Dtype, call_of, output_named, require_shape
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.matrices import Matrices, matrices_of, new
from lanemap.benching.gemm.problem import (
    PLAIN,
    TYPES,
    Epilogue,
    FinishedProblem,
    Problem,
    Type,
    problem_of,
    type_name,
)
from lanemap.benching.gemm.rows import RowsKernel, rows_of
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.gemm.tuning import tile_for
from lanemap.benching.homes import Home, layout
from lanemap.benching.launch import loaded
from lanemap.benching.plans import Copy, Plan, Plans, stand_in
from lanemap.benching.scratch import scratch_of
from lanemap.errors import UserError


@dataclass(frozen=True)
class Products:
    """A kernel of C = A @ B.T, for one target or several, with the plans of its calls."""

    kernels: Sequence[GemmKernel]
    plans: Plans = field(default_factory=Plans)

    def plan(
        self,
        a: Any,
        b: Any,
        out: Any = None,
        out_dtype: Dtype = None,
        accumulation: str = "fast",
        bias: Any = None,
        activation: str | None = None,
        device: Any = None,
        tiling: Tiling | None = None,
        tries: int = 1,
    ) -> Plan:
        """Return what a call launches.

        `tiling` is that which should be fastest by default, or of `tries` such tiles the one that
        proves so on the GPU.

        Raises:
            UserError: shapes, types or alignments that no kernel supports, in a sentence.
            MissingEnvironment: NVRTC is not here.
        """
        require_arrays(A=a, B=b)
        problem, batch = problem_of(a, b, output_named(out, out_dtype), accumulation)
        shape = (*batch, problem.m, problem.n)
        require_shape(out, shape)
        element, kind = TYPES[problem.element], TYPES[problem.output]
        targets = [each.target for each in self.kernels]
        name = self.kernels[0].name
        given = {"A": a, "B": b, **({} if bias is None else {"bias": bias})}
        call = call_of(name, targets, given, out, device)
        device, home, count = call.device, call.home, call.multiprocessors
        kernel = self.kernels[targets.index(device.target)]
        transposes = kernel.transposes and element.bytes == 2
        sides = (
            Side("A", a, element, transposes=transposes),
            Side("B", b, element, transposes=transposes),
            Side("C", out, kind, shape),
        )
        problem = _finished(problem, bias, activation, [each.transposed for each in sides[:2]])
        problem, lying = _folded(problem, *(each.lying for each in sides))
        tiling = tiling or tile_for(kernel, problem, device, tries)
        module = loaded(device, kernel.ptx(problem, tiling))
        there = [each.memory(device, home, a) for each in sides]
        in_a, in_b, in_c = (
            Operand(array, each.row_bytes) for array, each in zip(there, lying, strict=True)
        )
        columns = [] if bias is None else [whole(device, bias, "bias")]
        scratch = scratch_of(device)
        launch = kernel.launch(
            device, module, problem, tiling, in_a, in_b, in_c, count, scratch, *columns
        )
        device.synchronize()  # the schedule must be there before other streams begin
        return Plan(
            f"{name} of {problem.m} x {problem.n} x {problem.k}, {element.name} to {kind.name}",
            call.inputs,
            ((shape, home.dtype(kind.dtype, kind.name)),),
            None if out is None else layout(out),
            device,
            home,
            launch,
            [*there[:2], *columns, there[2]],
            _steps(batch, lying, len(columns)),
            copies=[*(each.copy(device, home) for each in sides[:2]), *[None for _ in columns],
                    sides[2].copy(device, home)],
        )  # fmt: skip


class Side:
    """A, B or C as a call has it, and as TMA reaches it: where it cannot, as a copy will lie."""

    def __init__(
        self,
        name: str,
        array: Any,
        kind: Type,
        shape: tuple[int, ...] | None = None,
        transposes: bool = False,
    ) -> None:
        """Look at an array, or at the shape of a result that the call makes.

        `transposes`: whether elements of a column may be adjacent, not those of a row.
        """
        self.name, self.array, self.kind = name, array, kind
        self._shape = tuple(int(size) for size in array.shape) if shape is None else shape
        found = None if array is None else matrices_of(array)
        self.transposed = False
        if found is None and transposes:
            found = matrices_of(array.swapaxes(-1, -2))
            self.transposed = found is not None
        self.lying = found or new(self._shape, kind.bytes)
        self._columns = self.lying.row_bytes // kind.bytes
        self._fits = found is not None or (array is None and self._columns == self._shape[-1])

    def copy(self, device: Any, home: Home) -> Copy | None:
        """Return the copy that is computed with, if one is."""
        if self._fits:
            return None
        item, enqueue = self.kind.bytes, None
        if home.on_gpu and device.name == "cuda":
            enqueue = self._copying(device, self._columns * item)
        return Copy(self._columns, home.dtype(self.kind.dtype, self.kind.name), enqueue)

    def _copying(self, device: Any, pitch: int) -> Callable[..., None] | None:
        """Return what copies the operand's rows to others so far apart, or a result's from them."""
        item = self.kind.bytes
        own = rows_of(self._shape, None if self.array is None else steps(self.array), item)
        if own is None:
            return None
        apart = (own.pitch, pitch) if self.name == "C" else (pitch, own.pitch)
        return RowsKernel(device.target).enqueue(device, own, *apart)

    def memory(self, device: Any, home: Home, like: Any) -> Any:
        """Return the memory as an array of the device, or what stands for it until a call."""
        if self.array is not None and self._fits:
            return whole(device, self.array, self.name)
        shape = (*self._shape[:-1], self._columns)
        kind = home.dtype(self.kind.dtype, self.kind.name)
        return stand_in(device, home, like, shape, kind, self.name, self.kind.bytes)


def _folded(
    problem: Problem, a: Matrices, b: Matrices, c: Matrices
) -> tuple[Problem, tuple[Matrices, Matrices, Matrices]]:
    """Make one matrix of all matrices of A, if their rows lie as those of one and B is one."""
    if not a.sizes or b.count > 1 or not (a.is_one and c.is_one) or problem.transposed[0]:
        return problem, (a, b, c)
    return replace(problem, m=problem.m * a.count), (a.folded, b.folded, c.folded)


def _steps(
    batch: tuple[int, ...], operands: Sequence[Matrices], between: int
) -> list[tuple[int, ...]]:
    """Return what is added to the operands' addresses, for each product of a batch.

    There are `between` operands before the last one, C, which all products have in common.
    """
    if not any(each.sizes for each in operands):
        return []
    a, b, c = operands
    return [
        (a.step(index), b.step(index), *(0 for _ in range(between)), c.step(index))
        for index in every(*map(range, batch))
    ]


def _finished(
    problem: Problem, bias: Any, activation: str | None, transposed: Sequence[bool]
) -> Problem:
    """Return the problem with a bias, an activation, and operands that lie transposed.

    Raises:
        UserError: the bias has not a number for each column, of C's type, or there is no such
            activation.
    """
    after = Epilogue(bias is not None, "none" if activation is None else activation)
    if bias is not None:
        require_arrays(bias=bias)
        apart = [step for size, step in zip(bias.shape, steps(bias), strict=True) if size > 1]
        if (
            tuple(bias.shape) != (problem.n,)
            or type_name(bias) != problem.output
            or apart not in ([], [TYPES[problem.output].bytes])
        ):
            raise UserError(
                f"bias is {type_name(bias)} of {tuple(bias.shape)}; it must be contiguous "
                f"{problem.output} of {(problem.n,)}, as C's columns"
            )
    if after == PLAIN and not any(transposed):
        return problem
    a_transposed, b_transposed = transposed
    return FinishedProblem(
        **asdict(problem), after=after, a_transposed=a_transposed, b_transposed=b_transposed
    )
