"""Finds kernels: folders of kernels/ with a host.py, without a registry."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lanemap import paths
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.benching.benchmark import Benchmark

HOST = "host.py"


def names() -> list[str]:
    """Return the names of all kernels."""
    return sorted(path.parent.name for path in paths.find("kernels").glob(f"*/{HOST}"))


def host(name: Any) -> ModuleType:
    """Import a kernel's host side.

    Raises:
        UserError: there is no such kernel.
    """
    known = names()
    if not isinstance(name, str):
        raise UserError(f"{name!r} is not a kernel name; use one such as {known[0]!r}")
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise UserError(f"there is no kernel {name!r}{hint}; the kernels are {', '.join(known)}")
    return importlib.import_module(f"lanemap_kernels.{name}.host")


def benchmarks(name: str, target: str = "") -> list[Benchmark]:
    """Return a kernel's benchmarks, in its own order; those of one target if it is given.

    Raises:
        UserError: there is no such kernel, or none of its benchmarks is for the target.
    """
    found: Sequence[Benchmark] = getattr(host(name), "BENCHMARKS", ())
    if not found:
        raise UserError(f"{name} has nothing to bench: its {HOST} lists no BENCHMARKS")
    chosen = [each for each in found if target in ("", each.target)]
    if not chosen:
        known = " and ".join(each.target for each in found)
        raise UserError(f"{name} has no benchmarks for {target}; it has some for {known}")
    return chosen


def all_benchmarks(target: str = "") -> list[Benchmark]:
    """Return the benchmarks of all kernels; those of one target if it is given."""
    return [
        each
        for name in names()
        for each in getattr(host(name), "BENCHMARKS", ())
        if target in ("", each.target)
    ]


def kernel(name: str) -> Callable[..., Any]:
    """Return a kernel's host function, such as `ss_gemm(a, b)`.

    Raises:
        UserError: there is no such kernel.
    """
    function: Callable[..., Any] = getattr(host(name), name)
    return function
