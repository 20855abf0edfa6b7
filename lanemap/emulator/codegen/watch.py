"""The events that observers of a launch subscribe to."""

from __future__ import annotations

from enum import IntFlag

from lanemap.emulator.runtime.abi import Happening


class Watch(IntFlag):
    """A set of events: counts, and each happening of runtime/event.h."""

    NOTHING = 0
    COUNT = 1
    ISSUE = 1 << Happening.ISSUE
    ACCESS = 1 << Happening.ACCESS
    WAIT = 1 << Happening.WAIT
    COMPLETE = 1 << Happening.COMPLETE
    BARRIER = 1 << Happening.BARRIER
    #: No event: the address that each lane gives, of those that are recorded (Watched.addresses).
    ADDRESSES = 1 << 16

    @property
    def events(self) -> Watch:
        """The events that are reported one by one."""
        return self & ~(Watch.COUNT | Watch.ADDRESSES)

    @property
    def generated(self) -> Watch:
        """The events that generated code must report; the runtime reports the rest.

        Waits and completions need it too: they name the instruction that was issued last.
        """
        issues = self & (Watch.ISSUE | Watch.WAIT | Watch.COMPLETE)
        return self & Watch.COUNT | (Watch.ISSUE if issues else Watch.NOTHING)
