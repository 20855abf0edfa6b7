"""The targets that devices execute, and the names of their GPUs."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping
from typing import Any

from lanemap.errors import UserError

# Which devices execute kernels of a target; hardware comes before the emulator.
TARGETS: Mapping[str, tuple[str, ...]] = {
    "gfx950": ("hip", "emulator"),
    "sm_90a": ("cuda", "emulator"),
    "sm_100a": ("cuda", "emulator"),
    "sm_103a": ("cuda", "emulator"),
}
# NVIDIA, "CUDA GPU Compute Capability"; LLVM, "User Guide for AMDGPU Backend", processors.
PRODUCTS: Mapping[str, str] = {
    "H100": "sm_90a",
    "H200": "sm_90a",
    "GH200": "sm_90a",
    "B200": "sm_100a",
    "GB200": "sm_100a",
    "B300": "sm_103a",
    "GB300": "sm_103a",
    "MI350X": "gfx950",
    "MI355X": "gfx950",
}


def target_named(name: Any) -> str:
    """Return the target of a name: its own, or that of a GPU, such as "H200" or "mi355x".

    Raises:
        UserError: no device executes it; the sentence says which target is meant, or which exist.
    """
    if not isinstance(name, str):
        raise UserError(f"a target is a name, such as 'sm_90a'; {reprlib.repr(name)} is none")
    found = name if name in TARGETS else target_of_gpu(name)
    if found is not None:
        return found
    meant = _meant(name)
    if meant is not None:
        raise UserError(f"no device executes target {name!r}; did you mean {meant}?")
    known = []
    for target in TARGETS:
        gpus = [gpu for gpu, its in PRODUCTS.items() if its == target]
        known.append(f"{target} ({', '.join(gpus)})")
    raise UserError(
        f"no device executes target {name!r}; the targets are {', '.join(known)}"
    )


def target_of_gpu(name: str) -> str | None:
    """Return the target of a GPU by its name, such as "NVIDIA H100 80GB HBM3"; None if unknown."""
    words = re.findall(r"[A-Z0-9]+", name.upper())
    found = {PRODUCTS[word] for word in words if word in PRODUCTS}
    return found.pop() if len(found) == 1 else None


def _meant(name: str) -> str | None:
    """Return the target that a near miss means: "sm_90", "SM100a", "sm90a", "9.0", "gfx950:xnack-".

    Only the spelling is forgiven. Another number is another instruction set.
    """
    digits = re.fullmatch(r"(?:sm|compute)?[_ -]?(\d+)\.?(\d?)[af]?", name.strip().lower())
    if digits and f"sm_{digits[1]}{digits[2]}a" in TARGETS:
        return f"sm_{digits[1]}{digits[2]}a"
    amd = name.strip().lower().partition(":")[0]
    return amd if amd in TARGETS else None
