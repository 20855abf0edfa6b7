"""What calls of each kernel can do, as docs/operators.md has it; test_calls.py holds it to that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import lanemap


@dataclass(frozen=True)
class Case:
    """Calls of one function.

    Attributes:
        name: As the page has it.
        function: Returns the function.
        given: Returns operands; called with functions that make them, see `test_calls.py`.
        result: Shapes of what `out=` takes, behind the element's type; () if there is no `out=`.
        operator: Name of the operator of PyTorch, "" if there is none.
        out_operator: Whether one writes what the caller gives.
        differentiates: Whether the operator has a backward pass.
        options: What else the function and the operator are called with.
        operands: Names of operands that the function takes by name.
        rows: How many rows of the result belong to a group; the others are never written.
    """

    name: str
    function: Callable[[], Any]
    given: Callable[[Any], list[Any]]
    result: tuple[tuple[str, tuple[int, ...]], ...] = ()
    operator: str = ""
    out_operator: bool = False
    differentiates: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    operands: tuple[str, ...] = ()
    rows: int | None = None


def _kernel(name: str) -> Callable[[], Any]:
    return lambda: lanemap.kernel(name)


_C = ("bfloat16", (72, 136))
_GROUPS = ("bfloat16", (100, 72))
_ATTENTION = {"causal": True}


def _attended(make: Any) -> list[Any]:
    """The operands of fmha's backward pass."""
    q, k, v, d_o = (make.normal(1, 70, 2, 64) for _ in range(4))
    return [d_o, q, k, v, *lanemap.kernel("fmha")(q, k, v, **_ATTENTION)]


CASES = (
    Case("ss_gemm", _kernel("ss_gemm"), lambda make: [make.normal(72, 96), make.normal(136, 96)],
         (_C,), "ss_gemm", True, True),
    Case("ts_gemm", _kernel("ts_gemm"), lambda make: [make.normal(72, 96), make.normal(136, 96)],
         (_C,)),
    Case("fp8_gemm", _kernel("fp8_gemm"),
         lambda make: [make.small(72, 160), make.small(136, 160), make.scales(72, 2),
                       make.scales(2, 2)],
         (_C,), "fp8_gemm"),
    Case("grouped_gemm", _kernel("grouped_gemm"),
         lambda make: [make.normal(100, 96), make.normal(3, 72, 96), make.integers(40, 0, 50)],
         (_GROUPS,), "grouped_gemm", rows=90),
    Case("grouped_gemm, FP8 with scales", _kernel("grouped_gemm"),
         lambda make: [make.small(100, 160), make.small(3, 72, 160), make.integers(40, 0, 50),
                       make.scales(100, 2), make.scales(3, 1, 2)],
         (_GROUPS,), "grouped_gemm", operands=("a_scales", "b_scales"), rows=90),
    Case("fmha", _kernel("fmha"),
         lambda make: [make.normal(1, 70, 2, 64) for _ in range(3)],
         operator="fmha", differentiates=True, options=_ATTENTION),
    Case("fmha's backward pass", lambda: lanemap.kernel("fmha").backward,  # type: ignore[attr-defined]
         _attended, operator="fmha_backward", options=_ATTENTION | {"deterministic": True}),
    Case("decode", _kernel("decode"),
         lambda make: [make.normal(2, 1, 4, 64), make.normal(4, 64, 2, 64),
                       make.normal(4, 64, 2, 64), make.integers(70, 100),
                       make.integers(0, 1, 2, 3).reshape(2, 2)],
         (("bfloat16", (2, 1, 4, 64)), ("float32", (2, 4, 1))), "decode",
         operands=("cache_seqlens", "block_table")),
)  # fmt: skip


def table() -> str:
    """Return the table of docs/operators.md."""
    rows = [
        "| function | current stream, graphs | `out=` | operator | `torch.compile` | backward |",
        "|---|---|---|---|---|---|",
    ]
    for each in CASES:
        operator = f"`{each.operator}`" if each.operator else "no"
        if each.out_operator:
            operator += f", `{each.operator}_out`"
        said = [
            each.name, "yes", _word(bool(each.result)), operator, _word(bool(each.operator)),
            _word(each.differentiates),
        ]  # fmt: skip
        rows.append(f"| {' | '.join(said)} |")
    return "\n".join(rows) + "\n"


def _word(yes: bool) -> str:
    return "yes" if yes else "no"
