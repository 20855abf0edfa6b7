"""The series of issue: what ptxas makes of them."""

from __future__ import annotations

import pytest

from lanemap.timing.find import find_probes
from lanemap.timing.series import Series, SeriesProbe, assembled

PROBE = find_probes()["issue"]
assert isinstance(PROBE, SeriesProbe)


@pytest.mark.slow
@pytest.mark.parametrize("series", PROBE.series[::2], ids=lambda each: each.entry(0))
def test_ptxas_makes_of_it_what_is_declared(series: Series) -> None:
    assert assembled(series, "sm_90a").code.reason == ""
