"""What the passes of one launch share: saved pages, races, and a log of accesses."""

from __future__ import annotations

import ctypes
import weakref

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError


class Spare:
    """Room for saved pages that a device's launches hand on: at most abi.SPARE_PAGES of them."""

    def __init__(self) -> None:
        """Begin without any; what there is at the end is freed with the object."""
        self._spare = abi.Spare()
        weakref.finalize(self, _free, self._spare).atexit = False

    @property
    def address(self) -> int:
        """Where the runtime finds it."""
        return ctypes.addressof(self._spare)


def _free(spare: abi.Spare) -> None:
    if spare.pages:  # else there may be no native code, and none can be made any more
        native().function("lm_free_spare")(ctypes.addressof(spare))


class Story:
    """Kept from the first pass of a launch to its last one."""

    def __init__(self, spare: Spare) -> None:
        """Begin without anything saved; `spare` must outlive it."""
        self._shared = abi.Shared()
        self._spare = spare
        self._shared.spare = spare.address
        self._races: int | None = None
        self._log: int | None = None

    def give(self, launch: abi.Launch, precise: bool) -> None:
        """Tell the runtime where these are, for one pass.

        Raises:
            UserError: no memory is left.
        """
        self.share_among(1)
        launch.shared = ctypes.addressof(self._shared)
        if not precise:
            return
        if self._races is None:
            self._races = native().function("lm_new_races")()
            self._log = native().function("lm_new_log")()
        if not self._races or not self._log:
            raise UserError(OUT_OF_MEMORY)
        launch.races, launch.log = self._races, self._log

    def share_among(self, threads: int) -> None:
        """So many threads run clusters from now on."""
        self._shared.threads = threads

    def again(self) -> bool:
        """Whether a load raced that did not know it; asked once a pass of precise code."""
        return bool(native().function("lm_races_again")(self._races))

    def undo(self) -> None:
        """Put memory back as it was before the launch."""
        native().function("lm_undo")(ctypes.addressof(self._shared))

    def close(self) -> None:
        """The launch is over; memory stays as it is."""
        native().function("lm_keep")(ctypes.addressof(self._shared))
        native().function("lm_free_story")(self._races, self._log)
        self._races = self._log = None


#: What a launch says that found no memory for its shadows.
OUT_OF_MEMORY = ("the launch needs more memory than this machine can give for what it remembers of "
                 "accesses; use smaller arrays, or fewer CTAs")
