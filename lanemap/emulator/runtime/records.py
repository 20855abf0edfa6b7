"""Hazard records, copied so that they outlive the runtime's memory."""

from __future__ import annotations

from dataclasses import dataclass, fields

from lanemap.emulator.runtime import abi


@dataclass(frozen=True, slots=True)
class HazardRecord:
    """One hazard; see HazardRecord in runtime/runtime.h.

    `kind` is one of abi.Hazard; `instruction`, `cluster` and `wave` number the operation, the
    cluster in its launch and the member that met it, in the lanes of the mask `lanes` (`lane` is
    the first), `count` times. `address`, `size` (bytes) and `space` say what was accessed; `origin`
    numbers where undefined bits came from; what `detail` and the four numbers of `info` say depends
    on the kind. Of two accesses without order, `earlier` numbers the operation of the first one and
    `earlier_lane` its lane, both from 1; 0 is unknown. Where the value of a racing load is what
    is reported, `use` numbers, from 1, the operation that used it, which decided `decides`, in
    lane `use_lane` of member `use_wave`. `note` numbers a note, from 1; 0 is a hazard.
    """

    kind: int
    instruction: int
    cluster: int
    wave: int
    lane: int
    lanes: int
    count: int
    address: int
    size: int
    space: abi.Space
    origin: int
    detail: int
    info: tuple[int, int, int, int]
    earlier: int = 0
    earlier_lane: int = 0
    use: int = 0
    decides: int = 0
    use_wave: int = 0
    use_lane: int = 0
    note: int = 0

    @staticmethod
    def of(record: abi.HazardRecord) -> HazardRecord:
        """Copy the runtime's structure."""
        same = [field.name for field in fields(HazardRecord) if field.name != "cluster"]
        values = {name: getattr(record, name) for name in same}
        values.update(cluster=record.group, space=abi.Space(record.space), info=tuple(record.info))
        return HazardRecord(**values)
