"""A sweep: random C functions as NVRTC's PTX on a GPU and the emulator, against the host.

lanemap sweep tests/corpus/random_functions_on_gpus.py --count 100000
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import lanemap
from lanemap.sweeping.sweep import Found, Sweep
from tests.corpus import units
from tests.corpus.random_functions import TARGET, tried


@cache
def _devices() -> dict[str, Any]:
    kinds = {"GPU": "cuda", "emulator": "emulator"}
    return {name: lanemap.open_device(TARGET, device=kind) for name, kind in kinds.items()}


def _run(items: Sequence[str]) -> Iterator[Found]:
    return tried(items, _devices())


SWEEP = Sweep(
    "random C functions as NVRTC's PTX on a GPU and the emulator, against the same source on the "
    "host",
    _run,
    batch=100,
    files=lambda items: [*units.inputs(), Path("tests/corpus/random_functions.py")],
    per_gpu=16,
    ships=True,
)
