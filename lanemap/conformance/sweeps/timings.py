"""Timing probes on a GPU: the rows that they measure."""

from __future__ import annotations

from lanemap.sweeping.sweep import Found, Sweep, each
from lanemap.timing.find import find_probes
from lanemap.timing.run import measure


def _items() -> list[str]:
    """Every timing probe on every target, such as `smem/sm_90a`."""
    return [f"{name}/{target}" for name, each in find_probes().items() for target in each.targets]


def _one(item: str) -> Found:
    name, _, target = item.rpartition("/")
    return Found(item, value=measure(find_probes()[name], target).to_json())


SWEEP = Sweep(
    "timing probes on GPUs of their targets; the rows are kept, and none is compared",
    each(_one),
    _items,
    per_gpu=1,
)
