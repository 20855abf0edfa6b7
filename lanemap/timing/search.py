"""The search for the ways through a flow graph on which a warp has the effects that it had."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lanemap.timing.flow import END, Block

#: What must be on a way, in order: an effect, by line or by kind (negative), or a branch: its line,
#: and whether the warp fell through.
Item = int | tuple[int, bool]
#: A block, and how many items were before it.
State = tuple[int, int]


@dataclass(frozen=True)
class Needs:
    """What a warp must have done in a block, and what it may have done.

    Attributes:
        always, maybe: Effects, and how often; those with a guard may not execute.
        branch: The line of the PTX branch that its last instruction was made of, or 0.
        falls: Whether this goes on with the next block where that of the PTX does; None if both
            ways look alike.
    """

    always: Mapping[int, int]
    maybe: Mapping[int, int]
    branch: int
    falls: bool | None


class Search:
    """All ways from the entry on which these items are met.

    Attributes:
        ended: Whether one of them ends with all items met.
        farthest: How many items were met by that which met most.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        needs: Sequence[Needs],
        items: Sequence[Item],
        free: Collection[int],
    ) -> None:
        """Search; `free` are the lines of branches that may go either way, which are no items."""
        self._blocks, self._needs, self._items, self._free = blocks, needs, items, free
        self._start: State = (0, 0)
        self._end: State = (END, len(items))
        self._parents: dict[State, list[State]] = defaultdict(list)
        self.farthest = 0
        pending, seen = [self._start], {self._start}
        for at in pending:
            for place, ways in self._after(*at):
                self.farthest = max(self.farthest, place)
                for way in ways:
                    if way == END and place < len(items):
                        continue
                    state = (way, place)
                    self._parents[state].append(at)
                    if state not in seen and way != END:
                        seen.add(state)
                        pending.append(state)
        self.ended = self._end in self._parents

    def only(self) -> list[State] | None:
        """The states of the only way, and the end's; None if there are several."""
        found = [self._end]
        while found[-1] != self._start:
            before = self._parents[found[-1]]
            if len(before) > 1:
                return None
            found.append(before[0])
        return found[::-1]

    def cheapest(self, costs: Sequence[int], guarded: int, meeting: int) -> list[State]:
        """The states of the way whose blocks cost least, and the end's.

        Each effect that has a guard and was not turned off costs `guarded` on top, and each time
        that a block has effects costs `meeting`.
        """
        following: dict[State, State] = {}
        pending: list[tuple[int, State, State]] = [(0, self._end, self._end)]
        while pending:
            cost, at, after = heapq.heappop(pending)
            if at in following:
                continue
            following[at] = after
            if at == self._start:
                break
            for before in self._parents[at]:
                if before not in following:
                    met = self._met(before, at)
                    own = met - sum(self._needs[before[0]].always.values())
                    more = costs[before[0]] + guarded * own + meeting * (met > 0)
                    heapq.heappush(pending, (cost + more, before, at))
        found = [self._start]
        while found[-1] != self._end:
            found.append(following[found[-1]])
        return found

    def _met(self, before: State, after: State) -> int:
        """How many effects were met in a block."""
        needs = self._needs[before[0]]
        branches = needs.branch != 0 and needs.branch not in self._free
        return after[1] - before[1] - branches

    def _after(self, number: int, place: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """How far a warp may have come after a block, and where it may go from there.

        What has a guard may be the block's or a later one's, so there may be several answers.
        """
        block, needs = self._blocks[number], self._needs[number]
        always, maybe = Counter(needs.always), Counter(needs.maybe)
        while True:
            if not +always:
                yield from self._leaving(block, needs, place)
            if place == len(self._items):
                return
            item = self._items[place]
            if isinstance(item, tuple):
                return
            if always[item] > 0:
                always[item] -= 1
            elif maybe[item] > 0:
                maybe[item] -= 1
            else:
                return
            place += 1

    def _leaving(
        self, block: Block, needs: Needs, place: int
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        if not needs.branch or needs.branch in self._free:
            yield place, block.successors
            return
        item = self._items[place] if place < len(self._items) else None
        if not isinstance(item, tuple) or item[0] != needs.branch:
            return
        if needs.falls is None or block.next is None:
            yield place + 1, block.successors
        else:
            yield place + 1, (block.next,) if item[1] == needs.falls else block.jumps
