"""Which GPUs execute PTX of a target (PTX ISA, PTX Module Directives: .target)."""

from __future__ import annotations

import re

_TARGET = re.compile(r"sm_(\d+)([af]?)")


def _parts(target: str) -> tuple[int, str]:
    match = _TARGET.fullmatch(target)
    return (int(match[1]), match[2]) if match else (0, "")


def runs_on(target: str, gpu: str) -> bool:
    """Say whether PTX of a target, such as sm_90, runs on a GPU, such as sm_100a.

    That for sm_N runs on N and later ones, for sm_Nf on those of its family, for sm_Na on N alone.
    """
    (number, suffix), (own, _) = _parts(target), _parts(gpu)
    if not number:
        return False
    if suffix == "a":
        return number == own
    return number <= own and (not suffix or number // 10 == own // 10)


def reach(target: str) -> str:
    """Say in words where PTX of a target runs."""
    number, suffix = _parts(target)
    if suffix == "a":
        return f"sm_{number} alone"
    return f"sm_{number} and later GPUs" + (" of its family" if suffix else "")
