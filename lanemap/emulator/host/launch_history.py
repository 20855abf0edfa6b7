"""State shared by the passes of one launch: saved pages, races, and a log of accesses."""

from __future__ import annotations

import ctypes
import weakref

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError


class PagePool:
    """Pool of at most abi.POOL_PAGES page buffers that the launches of a device reuse."""

    def __init__(self) -> None:
        """Begin empty; the buffers are freed with the object."""
        self._pages = abi.PagePool()
        weakref.finalize(self, _free, self._pages).atexit = False

    @property
    def address(self) -> int:
        """Address of the runtime's structure."""
        return ctypes.addressof(self._pages)


def _free(pool: abi.PagePool) -> None:
    # else there may be no native code, and none can be made any more
    if pool.batches or pool.chunks:
        native().function("lm_free_pages")(ctypes.addressof(pool))


class LaunchHistory:
    """State that is kept from the first pass of a launch to the last."""

    def __init__(self, pool: PagePool) -> None:
        """Begin without anything saved; `pool` must outlive it."""
        self._shared = abi.Shared()
        self._pool = pool
        self._shared.spare = pool.address
        self._races: int | None = None
        self._log: int | None = None

    def give(self, launch: abi.Launch, precise: bool) -> None:
        """Pass the addresses of this state to the runtime for one pass.

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
        """Set how many threads run clusters from now on."""
        self._shared.threads = threads

    def again(self) -> bool:
        """Whether a load raced and must be marked in another pass; call once per precise pass."""
        return bool(native().function("lm_races_again")(self._races))

    def undo(self) -> None:
        """Restore memory to its state before the launch."""
        native().function("lm_undo")(ctypes.addressof(self._shared))

    def close(self) -> None:
        """End the launch: keep memory as it is and free the saved state."""
        native().function("lm_keep")(ctypes.addressof(self._shared))
        native().function("lm_free_story")(self._races, self._log)
        self._races = self._log = None


#: The sentence for a launch that cannot allocate its shadow memory.
OUT_OF_MEMORY = (
    "the launch needs more memory than this machine has for its record of accesses; "
    "use smaller arrays or fewer CTAs"
)
