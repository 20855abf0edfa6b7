"""Other control words and guards for a window: its instructions issue under other rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lanemap.timing.window import Window
from lanemap.toolchain.control import NO_BARRIER, Control
from lanemap.toolchain.sass import SassInstruction

#: The guard @!PT: bits 12 to 14 name the predicate, and bit 15 negates it, as nvdisasm reads them.
_NEVER = 0xF << 12


@dataclass(frozen=True)
class Patch:
    """New fields for the control words of one opcode in a window.

    Attributes:
        opcode: The opcode whose control words change.
        fields: New fields, by the names of `Control`: stall, yields, read_barrier.
        waits: The mask of barriers that they wait for besides those that ptxas wrote.
        releases: The barriers that they release with their results, in turn. An instruction that
            waited for any barrier of theirs waits for all of these instead.
        off: Whether their guard becomes @!PT, so that no lane executes them.
    """

    opcode: str
    fields: Mapping[str, int] = field(default_factory=dict)
    waits: int = 0
    releases: tuple[int, ...] = ()
    off: bool = False

    def on(self, window: Window) -> Window:
        """The window with these control words."""
        released, mask = self._released(window), self._mask
        body: list[SassInstruction] = []
        for each in window.body:
            control = each.control
            if control.waits & released:
                control = replace(control, waits=control.waits & ~released | mask)
            if each.opcode == self.opcode:
                control = replace(control, **self.fields, waits=control.waits | self.waits)
                if self.releases:
                    number = sum(one.opcode == self.opcode for one in body) % len(self.releases)
                    control = replace(control, write_barrier=self.releases[number])
            word = control.put(each.word)
            if self.off and each.opcode == self.opcode:
                word |= _NEVER
            body.append(replace(each, word=word))
        return replace(window, body=tuple(body))

    @property
    def _mask(self) -> int:
        return sum(1 << barrier for barrier in set(self.releases))

    def _released(self, window: Window) -> int:
        """The mask of the barriers that the opcode releases as it was assembled."""
        own = {each.write_barrier for each in self._own(window)} - {NO_BARRIER}
        return sum(1 << barrier for barrier in own) if self.releases else 0

    def _own(self, window: Window) -> list[Control]:
        return [each.control for each in window.body if each.opcode == self.opcode]

    def missing(self, window: Window) -> str:
        """Why a window that was read back is not what this says; "" if it is."""
        own = self._own(window)
        if not own:
            return f"there is no {self.opcode} in the window"
        words = [each.word for each in window.body if each.opcode == self.opcode]
        if self.off and any(word & _NEVER != _NEVER for word in words):
            return f"the guard of {self.opcode} is not @!PT"
        for name, value in self.fields.items():
            if any(getattr(each, name) != value for each in own):
                return f"{name} of {self.opcode} is not {value}"
        if any(each.waits & self.waits != self.waits for each in own):
            return f"{self.opcode} does not wait for the barriers {self.waits:06b}"
        turns = [self.releases[n % len(self.releases)] for n in range(len(own)) if self.releases]
        if self.releases and [each.write_barrier for each in own] != turns:
            return f"{self.opcode} does not release the barriers {turns}"
        if not any(each.control.waits & self._mask == self._mask for each in window.body):
            return f"nothing waits for the barriers {turns}"
        return ""


def changed(patches: Sequence[Patch], window: Window) -> dict[int, int]:
    """By address, the words of a window that are others with these patches."""
    new = window
    for patch in patches:
        new = patch.on(new)
    return {
        each.address: each.word
        for each, old in zip(new.body, window.body, strict=True)
        if each.word != old.word
    }


def missing(patches: Sequence[Patch], window: Window) -> str:
    """Why a window that was read back is not what the patches say; "" if it is."""
    return next(filter(None, (patch.missing(window) for patch in patches)), "")
