"""What Nsight Compute says of a kernel's launches, and what it is if there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from lanemap.benching import profiler
from lanemap.errors import MissingEnvironment

#: Nsight Compute's page of all metrics: a line of its own, heads, units, launches.
PROFILED = """==PROF== Disconnected from process 1
"ID","Kernel Name",{heads}
"","",{units}
"0","fill(int *)",{first}
"1","ss_gemm",{second}
"2","ss_gemm(Map, Map)",{first}
"""


def _profiled(**of_each: Sequence[str]) -> str:
    rows = {name: ",".join(f'"{each}"' for each in values) for name, values in of_each.items()}
    return PROFILED.format(**rows)


def test_counters_belong_to_the_launches_of_the_kernel_in_their_order() -> None:
    """Other kernels are left out, and a launch that was not counted is said."""
    count = len(profiler.METRICS)
    text = _profiled(
        heads=list(profiler.METRICS.values()), units=["%"] * count,
        first=["1,000.04"] * count, second=[str(each) for each in range(count)],
    )  # fmt: skip
    found = profiler._percent(text, ["ss_gemm", "ss_gemm"])
    assert [list(each.values()) for each in found] == [list(range(count)), [1000.0] * count]
    with pytest.raises(MissingEnvironment, match="ncu counted 2 of 3 launches"):
        profiler._percent(text, ["ss_gemm"] * 3)


def test_a_profile_without_ncu_is_a_sentence(monkeypatch: Any) -> None:
    monkeypatch.setattr(profiler.shutil, "which", lambda name: None)
    with pytest.raises(MissingEnvironment, match="--profile needs Nsight Compute's ncu"):
        profiler.program()
