"""Timing probes, found by path: every `Chains`, `SeriesProbe` and `GridProbe` of probes/timing/."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from lanemap import paths
from lanemap.errors import UserError
from lanemap.timing.chains import Chains
from lanemap.timing.grids import GridProbe
from lanemap.timing.series import SeriesProbe

TimingProbe = Chains | SeriesProbe | GridProbe


@cache
def find_probes(folder: Path | None = None) -> Mapping[str, TimingProbe]:
    """Every timing probe by name, sorted; files are imported once.

    Raises:
        UserError: a file cannot be imported, or two probes have one name.
    """
    found: dict[str, TimingProbe] = {}
    for path in sorted((folder or paths.find("probes") / "timing").glob("[!_]*.py")):
        values = vars(paths.import_file(path, "lanemap_timing")).values()
        for each in (value for value in values if isinstance(value, TimingProbe)):
            if each.name in found:
                raise UserError(f"{path} defines the timing probe {each.name} a second time")
            found[each.name] = each
    return MappingProxyType(dict(sorted(found.items())))
