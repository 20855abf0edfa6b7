"""Times of full kernels on the emulator, as a table or as JSON."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from machine import describe


def best(launch: Callable[[], Any], repeats: int) -> float:
    """Seconds that the fastest of so many launches took."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        launch()
        times.append(time.perf_counter() - start)
    return min(times)


def show(
    about: str | None, cases: Sequence[tuple[str, ...]], seconds: Callable[..., float]
) -> None:
    """Print the seconds of each case.

    Args:
        about: What `--help` says.
        cases: Arguments of `seconds`, which name the case.
        seconds: The time of a case, which also takes the number of launches.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {" ".join(case).strip(): seconds(*case, given.repeats) for case in cases}
    if given.json:
        print(json.dumps({"machine": describe(), "seconds": found}))
        return
    print(describe())
    for name, taken in found.items():
        print(f"{name:>30}  {taken:6.3f} s")
