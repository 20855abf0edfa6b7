"""The path of each warp through the SASS, found from what it executed of the PTX.

The emulator executes PTX; ptxas moves, merges and removes instructions, but keeps what others can
see in order: stores, copies, barriers, mbarriers, matrix instructions, atomics. These are the
*effects* of a warp. Its path is the one through the flow graph that executes the same effects of
the same lines in the same order (within a block, in any order) and takes the same branches.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lanemap.timing.flow import END, Block, blocks_of, is_decision, is_guarded
from lanemap.toolchain.sass import SassInstruction

#: Of each kind of effect: its PTX, its SASS, and whether ptxas keeps the line. ptxas says of wgmma
#: in a row that all are of one line.
_EFFECTS: tuple[tuple[str, str, bool], ...] = (
    (r"st\.(?!bulk)", r"ST[GSL]?|STAS", True),
    (r"stmatrix", r"STSM", True),
    (r"red\.|atom\.|multimem\.red", r"RED[GS]?|REDAS|ATOM[GS]?", True),
    (r"cp\.async\.c[ag]", r"LDGSTS", True),
    (r"cp\.async\.commit", r"LDGDEPBAR", True),
    (r"cp\.async\.wait", r"DEPBAR", True),
    (r"cp\.async\.mbarrier", r"ARRIVES", True),
    (r"cp\.async\.bulk\.commit", r"UTMACMDFLUSH", True),
    (r"cp\.async\.bulk\.wait", r"DEPBAR", True),
    (r"cp(\.reduce)?\.async\.bulk", r"UBLKCP|UBLKRED|UBLKPF|UTMALDG|UTMASTG|UTMAREDG|UTMAPF", True),
    (r"barrier\.cluster\.arrive", r"UCGABAR_ARV", True),
    (r"barrier\.cluster\.wait", r"UCGABAR_WAIT", True),
    (r"bar\.(?!warp)|barrier\.", r"BAR", True),
    (r"mbarrier", r"SYNCS", True),
    (r"wgmma\.mma", r"[A-Z]GMMA", False),
    (r"fence\.proxy\.tensormap", r"UTMACCTL", True),
    (r"fence|membar", r"MEMBAR|FENCE", True),
    (r"setmaxnreg", r"USETMAXREG", True),
    (r"nanosleep", r"NANOSLEEP", True),
    (r"griddepcontrol\.wait", r"ACQBULK", True),
    (r"griddepcontrol\.launch", r"PREEXIT", True),
)  # fmt: skip
_PATTERNS = [
    (re.compile(ptx), re.compile(rf"({sass})(\.|$)"), keeps) for ptx, sass, keeps in _EFFECTS
]


@dataclass(frozen=True)
class Executed:
    """An instruction of PTX that a warp executed.

    Attributes:
        line: Its line.
        opcode: With its modifiers.
        lanes: The mask of lanes whose guard was true.
        after: The line of what the warp executed next; 0 for the last.
    """

    line: int
    opcode: str
    lanes: int
    after: int


#: An effect, by line or by kind (negative), or a branch: its line, and whether the warp fell
#: through.
_Item = int | tuple[int, bool]


def _kind(opcode: str) -> int | None:
    """The number of an effect's kind, by its opcode in PTX."""
    return next((k for k, (ptx, _, _) in enumerate(_PATTERNS) if ptx.match(opcode)), None)


#: How many instructions are looked at to tell the two ways of a branch apart.
_AHEAD = 40
_LABEL = re.compile(r"\s*([\w$%]+)\s*:")
_BRANCH = re.compile(r"\s*(@!?[\w%]+\s+)?bra(?:\.uni)?\s+([\w$%]+)\s*;")
_INSTRUCTION = re.compile(r"\s*(@!?[\w%]+\s+)?[a-z][\w.:]*.*;")


@dataclass(frozen=True)
class Arms:
    """The two ways of a branch that has a guard.

    Attributes:
        behind, target: The lines behind it and at its target, up to the next label or branch.
        first: The line of the first instruction at the target.
    """

    behind: range
    target: range
    first: int


def arms_of(ptx: str) -> dict[int, Arms]:
    """The arms of each branch with a guard, by its line."""
    lines = ptx.splitlines()
    labels = {m[1]: number for number, text in enumerate(lines, 1) if (m := _LABEL.match(text))}
    branches = {n: m for n, text in enumerate(lines, 1) if (m := _BRANCH.match(text))}
    ends = sorted({*labels.values(), *branches, len(lines)})

    def reach(first: int) -> range:
        return range(first, ends[min(bisect.bisect_left(ends, first), len(ends) - 1)] + 1)

    def instruction_from(number: int) -> int:
        """The first that is no branch, which the emulator executes without saying so."""
        for _ in lines:
            while number < len(lines) and not _INSTRUCTION.match(lines[number - 1]):
                number += 1
            jump = branches.get(number)
            if jump is None or jump[1] or jump[2] not in labels:
                break
            number = labels[jump[2]] + 1
        return number

    return {
        number: Arms(
            reach(number + 1), reach(labels[match[2]] + 1), instruction_from(labels[match[2]])
        )
        for number, match in branches.items()
        if match[1] and match[2] in labels
    }


def _share(lines: Sequence[int], of: range) -> float:
    return sum(line in of for line in lines) / max(len(lines), 1)


@dataclass(frozen=True)
class _Needs:
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


@dataclass(frozen=True)
class Path:
    """How a warp went through the SASS.

    Attributes:
        blocks: The blocks, in order; empty where none or several fit.
        reason: Why there is no path; "" if there is one.
    """

    blocks: tuple[int, ...]
    reason: str = ""


class Program:
    """The SASS of one kernel, to be matched with what warps executed of its PTX.

    Attributes:
        blocks: Its flow graph.
        unmatched: Lines of effects of which ptxas made no instruction of that kind, as it does
            where it merges stores; nothing is asked of them.
    """

    def __init__(
        self, code: Sequence[SassInstruction], ptx: str, executed: Mapping[int, str]
    ) -> None:
        """Read it.

        Args:
            code: Its instructions, with lines.
            ptx: The text that it was made of.
            executed: By line, the opcodes of PTX that warps executed.
        """
        self.blocks = blocks_of(code)
        kinds = {line: kind for line, op in executed.items() if (kind := _kind(op)) is not None}
        self._by_kind = {
            kind
            for kind, (_, sass, keeps) in enumerate(_PATTERNS)
            if not keeps and any(sass.match(each.opcode) for each in code)
        }
        self._opcodes: dict[int, str] = {}
        for each in code:
            kind = kinds.get(each.line)
            if kind is not None and _PATTERNS[kind][2] and _PATTERNS[kind][1].match(each.opcode):
                self._opcodes.setdefault(each.line, each.opcode)
        self._kinds = kinds
        self._arms = arms_of(ptx)
        self._decisions = Counter(each.line for each in code if is_decision(each))
        self._branches = self._decisions.keys() & self._arms.keys()
        self.unmatched = tuple(
            sorted(
                line
                for line, kind in kinds.items()
                if line not in self._opcodes and kind not in self._by_kind
            )
        )
        self._needs = tuple(self._needs_of(block) for block in self.blocks)

    def _item(self, instruction: SassInstruction) -> int | None:
        """The effect that an instruction of SASS has."""
        for kind in self._by_kind:
            if _PATTERNS[kind][1].match(instruction.opcode):
                return -1 - kind
        if self._opcodes.get(instruction.line) == instruction.opcode:
            return instruction.line
        return None

    def _needs_of(self, block: Block) -> _Needs:
        always: Counter[int] = Counter()
        maybe: Counter[int] = Counter()
        for each in block.code:
            item = self._item(each)
            if item is not None:
                (maybe if is_guarded(each) else always)[item] += 1
        last = block.code[-1]
        line = last.line if last.line in self._branches and is_decision(last) else 0
        return _Needs(always, maybe, line, self._falls(block, line) if line else None)

    def _falls(self, block: Block, line: int) -> bool | None:
        """Whether the next block is what stands behind the branch in the PTX too.

        Told by the lines that the two blocks which may follow are made of. Where ptxas makes
        several branches of one, as where it unrolls a loop, they may be of other conditions.
        """
        if block.next is None or len(block.jumps) != 1 or self._decisions[line] > 1:
            return None
        behind, target = self._arms[line].behind, self._arms[line].target
        here, there = (self._lines_from(n) for n in (block.next, block.jumps[0]))
        same = _share(here, behind) + _share(there, target)
        other = _share(here, target) + _share(there, behind)
        return None if same == other else same > other

    def _lines_from(self, number: int) -> list[int]:
        """The lines of a block, and of those that follow as long as only one can."""
        lines: list[int] = []
        while number != END and len(lines) < _AHEAD:
            block = self.blocks[number]
            lines += [each.line for each in block.code]
            if len(block.successors) != 1:
                break
            number = block.successors[0]
        return lines

    def path(self, walk: Sequence[Executed]) -> Path:
        """Return the path that fits what a warp did, if there is one and only one.

        Where ptxas has unrolled a loop, its branch executes less often than that of the PTX.
        Where none fits, the branch nearest to where it ended is not held to that of the PTX.
        """
        free: set[int] = set()
        while True:
            items = self._items(walk, free)
            path, farthest = self._search(items, free)
            if path.blocks or farthest is None:
                return path
            around = (*reversed(items[:farthest]), *items[farthest:])
            line = next((each[0] for each in around if isinstance(each, tuple)), None)
            if line is None:
                return path
            free.add(line)

    def _items(self, walk: Sequence[Executed], free: Collection[int]) -> tuple[_Item, ...]:
        """What of a warp's instructions must be on its path, in order."""
        found: list[_Item] = []
        for each in walk:
            if each.line in self._branches:
                if each.line not in free:
                    found.append((each.line, each.after != self._arms[each.line].first))
            elif not each.lanes:
                continue
            elif each.line in self._opcodes:
                found.append(each.line)
            elif self._kinds.get(each.line) in self._by_kind:
                found.append(-1 - self._kinds[each.line])
        return tuple(found)

    def _search(self, items: Sequence[_Item], free: Collection[int]) -> tuple[Path, int | None]:
        """The path, and where it ended too early if there is none."""
        start = (0, 0)
        parents: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        pending, seen, farthest = [start], {start}, 0
        for at in pending:
            for place, ways in self._after(at[0], items, at[1], free):
                farthest = max(farthest, place)
                for way in ways:
                    if way == END and place < len(items):
                        continue
                    state = (way, place)
                    parents[state].append(at)
                    if state not in seen and way != END:
                        seen.add(state)
                        pending.append(state)
        end = (END, len(items))
        if end not in parents:
            return Path((), self._missing(items, farthest)), farthest
        return _traced(parents, start, end), None

    def _missing(self, items: Sequence[_Item], place: int) -> str:
        if place == len(items):
            return "no path ends where the warp ended"
        item = items[place]
        line = item[0] if isinstance(item, tuple) else item
        what = f"line {line}" if line > 0 else _EFFECTS[-1 - line][0].replace("\\", "")
        return f"no path goes on with {what}"

    def _after(
        self, number: int, items: Sequence[_Item], place: int, free: Collection[int]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """How far a warp may have come after a block, and where it may go from there.

        What has a guard may be the block's or a later one's, so there may be several answers.
        """
        block, needs = self.blocks[number], self._needs[number]
        always, maybe = Counter(needs.always), Counter(needs.maybe)
        while True:
            if not +always:
                yield from self._leaving(block, needs, items, place, free)
            if place == len(items):
                return
            item = items[place]
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
        self,
        block: Block,
        needs: _Needs,
        items: Sequence[_Item],
        place: int,
        free: Collection[int],
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        if not needs.branch or needs.branch in free:
            yield place, block.successors
            return
        item = items[place] if place < len(items) else None
        if not isinstance(item, tuple) or item[0] != needs.branch:
            return
        if needs.falls is None or block.next is None:
            yield place + 1, block.successors
        else:
            yield place + 1, (block.next,) if item[1] == needs.falls else block.jumps


def _traced(
    parents: Mapping[tuple[int, int], list[tuple[int, int]]],
    start: tuple[int, int],
    end: tuple[int, int],
) -> Path:
    """The path back from the end."""
    blocks, at = [], end
    while at != start:
        if len(parents[at]) > 1:
            return Path((), "several paths fit")
        at = parents[at][0]
        blocks.append(at[0])
    return Path(tuple(reversed(blocks)))
