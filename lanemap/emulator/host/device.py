"""State that the launches of a device share."""

from __future__ import annotations

from dataclasses import dataclass, field

from lanemap.emulator.host.launch_history import PagePool
from lanemap.emulator.host.memory import GlobalMemory
from lanemap.emulator.host.origins import Origins
from lanemap.emulator.host.rooms import Rooms
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

_CLUSTERS = (1 << abi.GROUP_BITS) - 1  # a stamp's bits for the cluster


@dataclass
class Device:
    """State that launches share and pass on to the next launch."""

    memory: GlobalMemory
    origins: Origins
    settings: Settings
    clusters: int = 1
    release_time: int = 0
    pool: PagePool = field(default_factory=PagePool)
    rooms: Rooms = field(default_factory=Rooms)

    @property
    def report(self) -> bool:
        """Whether hazards are collected; else the first one is raised."""
        return self.settings.hazards == "report"

    def take_clusters(self, count: int) -> int:
        """The first of `count` cluster numbers that no earlier launch had.

        Raises:
            UserError: no launch may have so many.
        """
        if count >= _CLUSTERS:
            raise UserError(
                f"the grid has {count} CTAs (or clusters of them); the emulator "
                f"supports at most {_CLUSTERS - 1} in one launch"
            )
        first = self.clusters
        self.clusters += count
        return first
