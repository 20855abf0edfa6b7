"""All probes on the hardware that is here: which it executes, and which need not run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap.devices import open_device
from lanemap.errors import MissingEnvironment, UserError
from lanemap.probing.probe import AxisValue, Probe
from lanemap.probing.run import row_name
from lanemap.records.files import row_path
from lanemap.targets import TARGETS


@dataclass(frozen=True)
class Present:
    """Probes by what becomes of them.

    Attributes:
        run: The probes to run.
        elsewhere: Probes of targets that the device does not execute.
        known: Probes whose row from silicon is there already; it is never overwritten.
    """

    run: tuple[Probe, ...]
    elsewhere: tuple[Probe, ...] = ()
    known: tuple[Probe, ...] = ()

    def left_out(self) -> str:
        """Say how many are left out, and why; "" for none."""
        said = []
        if self.elsewhere:
            targets = ", ".join(dict.fromkeys(each.target for each in self.elsewhere))
            said.append(f"{len(self.elsewhere)} of targets that are not here ({targets})")
        if self.known:
            said.append(
                f"{len(self.known)} whose rows are there already (move them away to ask again)"
            )
        return " and ".join(said)


def present(
    probes: Sequence[Probe],
    device: str,
    out: Path,
    axes: Mapping[str, Sequence[AxisValue | str]] | None = None,
) -> Present:
    """Divide probes, each on one target, by what the device that is here executes.

    Args:
        probes: The requested probes.
        device: "cuda" or "hip".
        out: Folder of the rows.
        axes: Other values for some of their axes.

    Raises:
        MissingEnvironment: the device is not here, or it executes none of them.
        UserError: no target of theirs is one of the device.
    """
    refusal: MissingEnvironment | None = None
    opened = {}
    executed = [each for each in probes if device in TARGETS[each.target].devices]
    for target in dict.fromkeys(each.target for each in executed):
        try:
            opened[target] = open_device(target, device)
        except MissingEnvironment as error:
            refusal = refusal or error
    if not opened:
        raise refusal or UserError(f"device {device} executes none of these probes")
    run, elsewhere, known = [], [], []
    for each in probes:
        here = opened.get(each.target)
        if here is None:
            elsewhere.append(each)
        elif here.evidence == "silicon" and _row(each, here.name, out, axes or {}).exists():
            known.append(each)
        else:
            run.append(each)
    return Present(tuple(run), tuple(elsewhere), tuple(known))


def _row(
    probe: Probe, device: str, out: Path, axes: Mapping[str, Sequence[AxisValue | str]]
) -> Path:
    """Return where the row of a probe goes; a probe that lacks an axis fails when it runs."""
    own = {name: values for name, values in axes.items() if name in dict(probe.axes)}
    return row_path(out, probe.target, device, row_name(probe.with_axes(own)))
