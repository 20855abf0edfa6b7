"""Subscribers that count and trace launches."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.host.counts import Counts
from lanemap.emulator.host.trace import Trace
from lanemap.model.banks import BankRule


@dataclass(frozen=True)
class Subscribers:
    """Those of one launch; `banks` replaces the bank rules of the program."""

    counts: tuple[Counts, ...] = ()
    trace: Trace | None = None
    banks: tuple[BankRule, ...] = ()

    @property
    def watch(self) -> Watch:
        """What the subscribers asked for."""
        if self.trace is not None:
            return Watch.TRACE
        return Watch.COUNT if self.counts else Watch.NOTHING

    def keep(self, counts: Counts) -> None:
        """A launch has ended with these counts."""
        for each in self.counts:
            each.add(counts)
        if self.trace is not None:
            self.trace.keep()


NOBODY = Subscribers()
