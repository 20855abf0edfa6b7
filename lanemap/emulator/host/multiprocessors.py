"""Placement of CTAs on multiprocessors, which decides which CTAs share an engine memory."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.host.contents import Bytes, aligned_bytes
from lanemap.errors import UserError


class Multiprocessors:
    """The multiprocessors of a GPU and the CTAs on each.

    A new CTA goes to the one with the fewest CTAs, of those to the first; CTAs of a cluster to
    different ones.
    """

    def __init__(self, count: int, word: str) -> None:
        """Make `count` of them, without CTAs; `word` is what the target's manuals call one."""
        self._residents = [0] * count
        self._memories: dict[int, Bytes] = {}
        self._word = word

    def enter(self, ctas: int) -> list[int]:
        """Return the multiprocessors that the CTAs of a new cluster go to.

        Raises:
            UserError: there are fewer of them.
        """
        if ctas > len(self._residents):
            raise UserError(
                f"a cluster of {ctas} CTAs needs as many {self._word}s; there are "
                f"{len(self._residents)}"
            )
        order = sorted(range(len(self._residents)), key=lambda number: self._residents[number])
        for number in order[:ctas]:
            self._residents[number] += 1
        return order[:ctas]

    def leave(self, numbers: Sequence[int]) -> None:
        """The CTAs of a cluster have ended."""
        for number in numbers:
            self._residents[number] -= 1

    def memory(self, number: int, size: int) -> int:
        """Return the address of `size` bytes that the CTAs of a multiprocessor share."""
        if number not in self._memories:
            self._memories[number] = aligned_bytes(size)
        return int(self._memories[number].ctypes.data)
