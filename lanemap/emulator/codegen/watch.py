"""What observers of a launch asked for."""

from __future__ import annotations

from enum import IntFlag

from lanemap.emulator.runtime.abi import Happening


class Watch(IntFlag):
    """What observers of a launch subscribe to: counts, and each happening of runtime/event.h."""

    NOTHING = 0
    COUNT = 1
    ISSUE = 1 << Happening.ISSUE
    ACCESS = 1 << Happening.ACCESS
    WAIT = 1 << Happening.WAIT
    COMPLETE = 1 << Happening.COMPLETE

    @property
    def events(self) -> Watch:
        """What is told event by event."""
        return self & ~Watch.COUNT

    @property
    def generated(self) -> Watch:
        """What generated code has to tell; the runtime tells the rest.

        Waits and completions need it too: they name the instruction that was issued last.
        """
        issues = self & (Watch.ISSUE | Watch.WAIT | Watch.COMPLETE)
        return self & Watch.COUNT | (Watch.ISSUE if issues else Watch.NOTHING)
