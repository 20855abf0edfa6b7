"""What every planted device has: arrays in NumPy, and kernels that a rival answers.

A planted device takes the arguments of a probe's kernels and answers by a hypothesis that no
emulator holds: another layout, another meaning of a field, sums where there should be none. The
unchanged probe runs on it, decoding and certificates included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import Disagreement
from lanemap.layout import LayoutMap
from lanemap.probing.probe import Probe

Integers = NDArray[np.int64]
#: Bits of exponent and mantissa, and the bias, of the types that planted devices multiply.
FLOATS = {
    "f64": (11, 52, 1023), "f32": (8, 23, 127), "tf32": (8, 23, 127), "f16": (5, 10, 15),
    "bf16": (8, 7, 127), "e4m3": (4, 3, 7), "e5m2": (5, 2, 15), "e2m3": (2, 3, 1),
    "e3m2": (3, 2, 3), "e2m1": (2, 1, 1),
}  # fmt: skip


def value(kind: str, codes: NDArray[Any]) -> NDArray[np.float64]:
    """Values of finite codes: IEEE 754 and the OCP formats; integers are their own."""
    codes = codes.astype(np.int64)
    if kind not in FLOATS:
        return codes.astype(np.float64)
    exponent_bits, mantissa, bias = FLOATS[kind]
    exponent = codes >> mantissa & (1 << exponent_bits) - 1
    fraction = (codes & (1 << mantissa) - 1) / 2.0**mantissa
    normal = (1 + fraction) * 2.0 ** (np.maximum(exponent, 1) - bias)
    size = np.where(exponent > 0, normal, fraction * 2.0 ** (1 - bias))
    return np.where(codes >> mantissa + exponent_bits & 1, -size, size)


@dataclass
class Array:
    """An array of a planted device."""

    data: NDArray[Any]

    def get(self) -> NDArray[Any]:
        return self.data.copy()

    def undefined(self) -> None:
        """A GPU does not know which bits nothing wrote."""


@dataclass
class Planted:
    """A device whose kernels `launch` answers: (entry, arrays of the arguments)."""

    launch: Callable[[str, Sequence[NDArray[Any]]], None]
    hazards: tuple[str, ...] = ()
    name = "planted"

    def array(self, data: NDArray[Any]) -> Array:
        return Array(np.array(data))

    def zeros(self, shape: Any, dtype: Any) -> Array:
        return Array(np.zeros(shape, dtype))

    def load(self, source: str) -> Planted:
        return self

    def __getitem__(self, entry: str) -> Callable[..., None]:
        return partial(self._run, entry)

    def _run(self, entry: str, grid: Any, block: Any, args: Sequence[Any], **_: Any) -> None:
        self.launch(entry, [getattr(each, "data", each) for each in args])


@dataclass(frozen=True)
class Rival:
    """One hypothesis that a probe must find or refuse.

    Attributes:
        name: What is otherwise than usual, in words.
        open: Makes the device that answers by it.
        shows: The map that the probe must find; None if no map describes it.
        stated: What a certificate of the probe says of it, where no reading can show it; else "".
    """

    name: str
    open: Callable[[], Planted]
    shows: LayoutMap | None = None
    stated: str = ""


def verdict(probe: Probe, rival: Rival, usual: LayoutMap) -> str:
    """What the probe makes of a rival.

    Returns:
        "found", "refused", "stated" where a certificate names it, "unnoticed" where the probe
        finds the usual map, "misread" where it finds a third one.
    """
    try:
        readings = probe.readings(rival.open())
    except Disagreement:
        return "refused"
    finding = probe.analysis.explain(readings)
    if not finding.explained or not all(each.agrees for each in finding.patterns):
        return "refused"
    if rival.shows is not None and finding.map == rival.shows:
        return "found"
    left = " ".join(each.remaining or "" for each in finding.certificates)
    if finding.map == usual:
        return "stated" if rival.stated and rival.stated in left else "unnoticed"
    return "misread"
