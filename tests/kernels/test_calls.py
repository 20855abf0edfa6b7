"""The table of docs/operators.md: streams, graphs, `out=`, operators, compiled code and gradients.

A GPU is asked where there is one; else the emulator, which has neither streams nor graphs.
"""

from __future__ import annotations

import inspect
from typing import Any

import pytest

torch = pytest.importorskip("torch")
operators = pytest.importorskip("lanemap.operators")
from tests.kernels.calls import CASES, Case  # noqa: E402 - PyTorch may be missing

GPU = torch.cuda.is_available()
ON_GPU = pytest.mark.skipif(not GPU, reason="no GPU is here")
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
#: What keeps a stream busy for some ten milliseconds.
_CYCLES = 30_000_000


class Make:
    """Operands, the same every time."""

    def __init__(self) -> None:
        self._generator = torch.Generator().manual_seed(5)

    def normal(self, *shape: int) -> Any:
        return self._there(torch.randn(shape, generator=self._generator).to(torch.bfloat16))

    def small(self, *shape: int) -> Any:
        drawn = torch.randint(-2, 3, shape, generator=self._generator)
        return self._there(drawn.float().to(torch.float8_e4m3fn))

    def scales(self, *shape: int) -> Any:
        return self._there(torch.rand(shape, generator=self._generator) + 0.5)

    def integers(self, *values: int) -> Any:
        return self._there(torch.tensor(values, dtype=torch.int32))

    @staticmethod
    def _there(x: Any) -> Any:
        return x.cuda() if GPU else x


def call(case: Case, given: list[Any], **more: Any) -> list[Any]:
    """What the function returns, as a list."""
    first = len(given) - len(case.operands)
    named = dict(zip(case.operands, given[first:], strict=True))
    return listed(case.function()(*given[:first], **named, **case.options, **more))


def listed(results: Any) -> list[Any]:
    return list(results) if isinstance(results, tuple) else [results]


def same(case: Case, found: list[Any], right: list[Any]) -> bool:
    """Whether the rows that a call must write are the same, bit for bit."""
    rows = slice(case.rows)
    pairs = zip(found, right, strict=True)
    return all(torch.equal(a[rows].float(), b[rows].float()) for a, b in pairs)


@EACH
def test_functions_and_operators_have_what_the_table_says(case: Case) -> None:
    function = case.function()
    assert callable(function.plan)
    assert ("out" in inspect.signature(function).parameters) == bool(case.result)
    names = set(torch._C._dispatch_get_all_op_names())
    name = f"lanemap::{case.operator or case.name}"
    assert (name in names) == bool(case.operator)
    assert (f"{name}_out" in names) == case.out_operator
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    assert not case.operator or has(name, "Autograd") == case.differentiates


def test_every_operator_is_in_the_table_or_needs_blackwell() -> None:
    names = {each for each in torch._C._dispatch_get_all_op_names() if each.startswith("lanemap::")}
    told = {f"lanemap::{each.operator}" for each in CASES if each.operator}
    told |= {f"lanemap::{each.operator}_out" for each in CASES if each.out_operator}
    assert names == told | {"lanemap::nvfp4_gemm"}


@EACH
@pytest.mark.slow
def test_a_call_writes_what_it_is_given(case: Case) -> None:
    given = case.given(Make())
    right = call(case, given)
    if not case.result:
        return
    out = [Make._there(torch.zeros(shape, dtype=getattr(torch, kind)))
           for kind, shape in case.result]  # fmt: skip
    found = call(case, given, out=tuple(out) if len(out) > 1 else out[0])
    assert all(mine is there for mine, there in zip(found, out, strict=True))
    assert same(case, out, right)


@pytest.mark.parametrize("case", [each for each in CASES if each.operator], ids=lambda c: c.name)
@pytest.mark.slow
def test_compiled_code_and_the_operator_compute_the_same(case: Case) -> None:
    given, operator = case.given(Make()), getattr(torch.ops.lanemap, case.operator)
    right = call(case, given)
    assert same(case, listed(operator(*given, **case.options)), right)

    @torch.compile(fullgraph=True, backend="aot_eager")
    def compiled(*given: Any) -> Any:
        return operator(*given, **case.options)

    assert same(case, listed(compiled(*given)), right)


@ON_GPU
@EACH
def test_a_call_follows_the_stream_and_waits_for_nothing(case: Case) -> None:
    given = case.given(Make())
    right, stream = call(case, given), torch.cuda.Stream()
    with torch.cuda.stream(stream):
        call(case, given)  # what a stream has for itself is made
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(_CYCLES)
        found = call(case, given)
        assert not stream.query(), "the call waited, or went to another stream"
    stream.synchronize()
    assert same(case, found, right)


@ON_GPU
@EACH
def test_a_graph_computes_what_operands_hold_when_it_runs(case: Case) -> None:
    given = case.given(Make())
    call(case, given)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = call(case, given)
    changed = given[0].view(torch.uint8)
    changed.copy_(changed.flip(0))
    graph.replay()
    torch.cuda.synchronize()
    assert same(case, found, call(case, given))
