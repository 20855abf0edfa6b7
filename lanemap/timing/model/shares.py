"""What SMs share, read from rows: the way to L2 and memory, and what gives them CTAs."""

from __future__ import annotations

from fractions import Fraction

from lanemap.targets import TARGETS
from lanemap.timing.model.parameters import Parameters, Reading

#: The target whose rows the machine is made of.
TARGET = "sm_90a"
#: Bytes of a window's link in the row `traffic`.
_LINK = 65536


def traffic(parameters: Parameters, name: str, level: str, sms: int) -> Fraction | None:
    """Cycles of an SM for a byte while so many SMs move it; None where no row says.

    A byte of `copy` is read and written.
    """
    series = f"{name} of 16 bytes a lane residency={level}"
    found = []
    for which, share in (("all", Fraction(sms, TARGETS[TARGET].gpu.multiprocessors)), ("one", 1)):
        own = f"{series} SMs={which} bytes={_LINK}"
        if not parameters.rows.has("traffic", own):
            return None
        reading = Reading("traffic", own, over=Fraction(_LINK), how="bytes")
        label = f"a byte of {name} at {level}, {which} of the SMs"
        found.append(parameters.read(label, reading) * share)
    return max(found)


def replaced(parameters: Parameters, threads: int, cluster: int) -> Fraction:
    """Cycles from the end of a CTA to the first issue of the one that takes its place."""
    if cluster > 1:
        series = f"replacement of clusters threads=256 cluster={min(cluster, 8)}"
    else:
        series = f"replacement threads={min((32, 256, 1024), key=lambda n: abs(n - threads))}"
    why = "the nearest number of threads that a row has"
    return parameters.read("a CTA takes another's place", Reading("launch", series), why)


def begins(parameters: Parameters, threads: int, cluster: int) -> Fraction:
    """Cycles from the start of a CTA to that of the next on the SM, while all SMs get some."""
    if cluster > 1:
        series = "CTAs of an SM, of clusters threads=64 cluster=2"
    else:
        series = f"CTAs of an SM threads={min((32, 64, 128), key=lambda n: abs(n - threads))}"
    why = "the nearest number of threads that a row has"
    return parameters.read("a CTA begins after another", Reading("launch", series), why)


def launching(parameters: Parameters, ctas: int, threads: int, cluster: int) -> Fraction:
    """Nanoseconds from the start of an empty grid to that of the next in its stream."""
    if cluster > 1:
        series = f"empty grids of clusters ctas=128 cluster={cluster}"
    elif ctas <= 1:
        series = f"empty grids ctas=1 threads={32 if threads <= 512 else 1024}"
    elif ctas <= 594:
        series = f"empty grids ctas=132 threads={32 if threads <= 512 else 1024}"
    else:
        series = "empty grids ctas=1056 threads=128"
    why = "the nearest grid that a row has"
    return parameters.read("nanoseconds of an empty grid", Reading("launch", series), why)
