"""Tables of kernels' times on a GPU: one row a problem, warm and cold beside the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanemap.records.schema import Record

Problem = Mapping[str, Any]
#: Axes in the order that people say them, before all others.
_SIZES = ("batch", "m", "n", "k", "queries", "keys", "heads", "kv_heads", "head_dim")


def times(record: Record) -> list[dict[str, str]]:
    """Return a row for each problem of a record of kind `kernel_times`, as text.

    Times are medians in microseconds; a ratio is the library's time over the kernel's, so more
    than 1 is faster than the library. TFLOP/s and GB/s are the warm kernel's.
    """
    problems = record.findings["problems"]
    varied = _varied([each["problem"] for each in problems])
    return [_row(each, varied) for each in problems]


def common(record: Record) -> str:
    """Return the axes that all problems share, in words."""
    axes = [each["problem"] for each in record.findings["problems"]]
    varied = _varied(axes)
    return _words({name: value for name, value in axes[0].items() if name not in varied})


def libraries(record: Record) -> list[str]:
    """Return the names and versions of the libraries that took turns with the kernel."""
    names = [each["library"] for each in record.findings["problems"]]
    return list(dict.fromkeys(name for name in names if name))


def _varied(axes: Sequence[Mapping[str, Any]]) -> list[str]:
    return [name for name in axes[0] if len({str(each.get(name)) for each in axes}) > 1]


def _row(problem: Problem, varied: Sequence[str]) -> dict[str, str]:
    warm, cold = problem["warm"], problem["cold"]
    seconds = warm["kernel"]["median"] * 1e-6
    wrong = sum(check["outside"] for check in problem["checks"])
    row = {
        "problem": _words({name: problem["problem"][name] for name in varied}),
        "checked": "right" if not wrong else f"{wrong} elements wrong",
        "warm, us": _time(warm, "kernel"),
        "library": _time(warm, "library"),
        "ratio": _ratio(warm),
        "cold, us": _time(cold, "kernel"),
        "library, cold": _time(cold, "library"),
        "ratio, cold": _ratio(cold),
        "TFLOP/s": f"{problem['flops'] / seconds / 1e12:,.1f}",
        "GB/s": f"{problem['bytes'] / seconds / 1e9:,.0f}",
    }
    if problem.get("alone"):
        row["alone, us"] = f"{problem['alone']['kernel']:,.2f}"
    return row


def _time(turns: Mapping[str, Any] | None, side: str) -> str:
    held = turns and turns[side]
    return f"{held['median']:,.2f}" if held else "-"


def _ratio(turns: Mapping[str, Any] | None) -> str:
    return f"{turns['ratio']:.3f}" if turns and turns["ratio"] else "-"


def _words(axes: Mapping[str, Any]) -> str:
    names = sorted(axes, key=lambda name: (_SIZES + (name,)).index(name))
    return ", ".join(f"{name} {axes[name]}" for name in names if axes[name] not in ("", None))
