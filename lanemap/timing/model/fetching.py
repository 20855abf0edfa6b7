"""The caches of instructions: how much they hold, and how fast what they lack comes.

As a kernel begins, the SM's cache has nothing of it, and the one behind it all that it can hold: so
it is when other kernels ran since the last launch. Nothing is fetched before it is needed.
"""

from __future__ import annotations

from fractions import Fraction

from lanemap.timing.model.machine import FRACTION
from lanemap.timing.model.parameters import Parameter, Parameters, Reading
from lanemap.timing.slope import fit

#: Instructions of a line: 128 bytes, of 16 each.
LINE = 8
_STRAIGHT = "straight FFMA instructions={0}"
#: Bands of the row `issue` in which instructions come from the SM's cache, from the one behind it
#: and from L2; and those in which the two caches end.
_HELD, _NEAR, _LAST, _FAR = "1536 to 1792", "4096 to 4608", "7168 to 7680", "10240 to 13312"
_FULL, _OUTER = "2048 to 2432", "8448 to 8704"


def fetching(parameters: Parameters) -> dict[str, int]:
    """The costs of machine.h that say how instructions come."""
    near = parameters.read("an instruction from the cache behind the SM's", _reading(_NEAR))
    far = parameters.read("an instruction from L2", _reading(_FAR))
    held = _bend(parameters, "instructions that the SM's cache holds", _HELD, _FULL)
    outer = _bend(parameters, "instructions that the cache behind it holds", _LAST, _OUTER)
    full = parameters.read("an instruction where the SM's cache ends", _reading(_FULL))
    return {
        "lines": round(held / LINE),
        # One more makes all of its set miss.
        "ways": round((full - near) / (near - 1)),
        "outer": round(outer / LINE),
        "near": round(near * FRACTION),
        "far": round(far * FRACTION),
    }


def _reading(band: str) -> Reading:
    return Reading("issue", _STRAIGHT.format(band))


def _bend(parameters: Parameters, name: str, before: str, band: str) -> Fraction:
    """The instructions of the window at which the lines through two bands' windows meet."""
    if name not in parameters.ledger:
        first, second = (
            fit(parameters.rows.windows("issue", _STRAIGHT.format(each))) for each in (before, band)
        )
        number = (first.offset - second.offset) / (second.cycles - first.cycles)
        reading = Reading(
            "issue", _STRAIGHT.format(band), how=f"where its line meets that of {before}"
        )
        parameters.ledger[name] = Parameter(name, number, None, reading)
    return parameters.ledger[name].value
