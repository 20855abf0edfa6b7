"""What the tests of a file assemble, once for each series: ptxas and nvdisasm take a second."""

from __future__ import annotations

from lanemap.timing.series import Series, SeriesModule, SeriesProbe

_MADE: dict[str, SeriesModule] = {}


def assembled(series: Series, target: str) -> SeriesModule:
    """The module of a series, which is told by all of its fields."""
    key = f"{target} {series!r}"
    if key not in _MADE:
        _MADE[key] = series.assembled(target)
    return _MADE[key]


def prepare(probe: SeriesProbe, target: str) -> list[SeriesModule]:
    """Those of a probe."""
    return [assembled(each, target) for each in probe.series]
