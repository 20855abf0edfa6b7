"""The path of each warp through the SASS, found from what it executed of the PTX.

The emulator executes PTX; ptxas moves, merges and removes instructions, but keeps what others can
see in order: stores, copies, barriers, mbarriers, matrix instructions, atomics. These are the
*effects* of a warp. Its path is the one through the flow graph that executes the same effects of
the same lines in the same order (within a block, in any order) and takes the same branches.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from lanemap.timing.flow import END, Block, blocks_of, is_decision, is_guarded
from lanemap.timing.search import Item, Needs, Search, State
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


#: Instructions without effects of which ptxas makes one instruction each, where it keeps them:
#: their PTX and SASS, those first that it changes least.
_KEPT: tuple[tuple[str, str], ...] = (
    (r"mma\.", r"[HIDQ]MMA|IMMA"),
    (r"shfl", r"SHFL"),
    (r"vote|activemask", r"VOTEU?"),
    (r"(ex2|lg2|rcp|rsqrt|sqrt|sin|cos|tanh)\.approx", r"MUFU"),
    (r"fma\..*f64", r"DFMA"),
    (r"fma\..*f32", r"FFMA"),
    (r"(add|sub)\..*f32", r"FADD"),
    (r"mul\..*f32", r"FMUL"),
    (r"fma\..*f16", r"HFMA2"),
    (r"(mad|mul)\.", r"IMAD"),
    (r"(xor|and|or|lop3)\.", r"LOP3"),
    (r"sh[lrf]\.", r"SHF"),
    (r"prmt", r"PRMT"),
    (r"ld\.(?!param)", r"LD[GSL]?"),
    (r"ldmatrix", r"LDSM"),
    (r"setp\.", r"[FID]SETP"),
    (r"add\.", r"U?IADD3|VIADD"),
)
_MARKS = [(re.compile(ptx), re.compile(rf"({sass})(\.|$)")) for ptx, sass in _KEPT]
#: How many of a loop's instructions of a kind are tried, and what one of a line that the warp did
#: not execute costs, beside 1 for another one; an effect that a guard could have turned off; and
#: each time that a block has effects.
_TRIES, _STRANGE, _GUARDED, _TURN = 2, 50, 1000, 1_000_000


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


def _kind(opcode: str, alone: bool = False) -> int | None:
    """The number of an effect's kind, by its opcode in PTX; `alone`: see `Program`."""
    if alone and opcode.startswith("barrier.cluster"):
        if "arrive" in opcode:
            return None
        opcode = "barrier.sync"
    return next((k for k, (ptx, _, _) in enumerate(_PATTERNS) if ptx.match(opcode)), None)


#: The word by which the driver tells a kernel that it is launched with clusters, and what it does
#: then. Without, a barrier of the CTA stands for that of the cluster.
_WITH_CLUSTERS, _OF_CLUSTERS = "c[0x0][0x140]", "UCGABAR"
#: An effect that no warp has.
_NEVER = 0


#: PTX that waits for a phase of an mbarrier by polling.
POLLS = ("mbarrier.try_wait", "mbarrier.test_wait")
#: How many instructions are looked at to tell the two ways of a branch apart.
_AHEAD = 40
_POLL = "SYNCS.PHASECHK"
_JUMP = re.compile(r"\.L_x_\d+")
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


def _with_lines_of_polls(
    code: Sequence[SassInstruction], executed: Mapping[int, str]
) -> list[SassInstruction]:
    """Give the first poll of a wait, which ptxas says to be of another line, that of the second.

    ptxas takes the first turn out of the loop, and a wait that succeeds at once does not enter it.
    """
    polls = [
        place
        for place, each in enumerate(code)
        if each.opcode.startswith(_POLL) and executed.get(each.line, "").startswith(POLLS)
    ]
    labels = {each.label: place for place, each in enumerate(code) if each.label}
    found = list(code)
    for place, each in enumerate(code):
        if not each.opcode.startswith(_POLL) or place in polls:
            continue
        branch = next((other for other in code[place:] if is_decision(other)), None)
        target = _JUMP.search(branch.operands) if branch else None
        start = labels.get(target[0], len(code)) if target else len(code)
        loop = bisect.bisect_left(polls, start)
        if loop < len(polls) and polls[loop] < start + _AHEAD:
            found[place] = replace(each, line=code[polls[loop]].line)
    return found


def _loops(arms: Mapping[int, Arms]) -> dict[int, list[int]]:
    """Of each branch that goes back, the lines of its loop that are in no inner loop."""
    whole = {line: range(each.first, line + 1) for line, each in arms.items() if each.first <= line}
    return {
        line: [
            at
            for at in own
            if not any(at in inner and len(inner) < len(own) for inner in whole.values())
        ]
        for line, own in whole.items()
    }


def _share(lines: Sequence[int], of: range) -> float:
    return sum(line in of for line in lines) / max(len(lines), 1)


@dataclass(frozen=True)
class Path:
    """How a warp went through the SASS.

    Attributes:
        blocks: The blocks, in order; empty where none fits.
        reason: Why there is no path; "" if there is one.
        effects: For each block, the effects that the warp had in it, in order: places in its walk.
    """

    blocks: tuple[int, ...]
    reason: str = ""
    effects: tuple[tuple[int, ...], ...] = ()


class Program:
    """The SASS of one kernel, to be matched with what warps executed of its PTX.

    Attributes:
        blocks: Its flow graph.
        unmatched: Lines of effects of which ptxas made no instruction of that kind, as it does
            where it merges stores; nothing is asked of them.
        alone: Whether its barriers of the cluster are barriers of the CTA in this launch.
    """

    def __init__(
        self,
        code: Sequence[SassInstruction],
        ptx: str,
        executed: Mapping[int, str],
        clusters: bool = False,
    ) -> None:
        """Read it.

        Args:
            code: Its instructions, with lines.
            ptx: The text that it was made of.
            executed: By line, the opcodes of PTX that warps executed.
            clusters: Whether it was launched with clusters of several CTAs.
        """
        self.blocks = blocks_of(_with_lines_of_polls(code, executed))
        self.alone = not clusters and any(_WITH_CLUSTERS in each.operands for each in code)
        kinds = {
            line: kind
            for line, op in executed.items()
            if (kind := _kind(op, self.alone)) is not None
        }
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
        self._marks = {
            line: number
            for line, opcode in executed.items()
            if (number := next((n for n, each in enumerate(_MARKS) if each[0].match(opcode)), -1))
            >= 0
        }
        self._loops = _loops(self._arms)
        self._polling = {
            branch
            for branch, loop in self._loops.items()
            if [executed[line] for line in loop if line in kinds]
            and all(executed[line].startswith(POLLS) for line in loop if line in kinds)
        }
        self._needs = tuple(self._needs_of(block, ()) for block in self.blocks)

    def item(self, instruction: SassInstruction) -> int | None:
        """The effect that an instruction of SASS has."""
        if self.alone and instruction.opcode.startswith(_OF_CLUSTERS):
            return _NEVER
        for kind in self._by_kind:
            if _PATTERNS[kind][1].match(instruction.opcode):
                return -1 - kind
        if self._opcodes.get(instruction.line) == instruction.opcode:
            return instruction.line
        return None

    def _needs_of(self, block: Block, marks: Collection[int]) -> Needs:
        always: Counter[int] = Counter()
        maybe: Counter[int] = Counter()
        for each in block.code:
            item = self.item(each)
            if item is None and each.line in marks and self._is_mark(each):
                item = each.line
            if item is not None:
                (maybe if is_guarded(each) else always)[item] += 1
        last = block.code[-1]
        line = last.line if last.line in self._branches and is_decision(last) else 0
        return Needs(always, maybe, line, self._falls(block, line) if line else None)

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
        """Return the path that fits what a warp did.

        Where ptxas has unrolled a loop, its branch executes less often than that of the PTX.
        Where none fits, the branch nearest to where it ended is not held to that of the PTX.
        Where several fit, loops without effects must execute an instruction as often as the warp
        did, and of what still fits it is the path that turns least: the code that ptxas unrolls a
        loop to turns as often as it can.
        """
        free = set(self._polling)
        while True:
            items, places = self._items(walk, free, ())
            search = Search(self.blocks, self._needs, items, free)
            if search.ended:
                break
            around = (*reversed(items[: search.farthest]), *items[search.farthest :])
            line = next((each[0] for each in around if isinstance(each, tuple)), None)
            if line is None:
                return Path((), self._missing(items, search.farthest))
            free.add(line)
        only = search.only()
        if only is not None:
            return self._along(only, items, places)
        return self._fewest(walk, free)

    def _fewest(self, walk: Sequence[Executed], free: Collection[int]) -> Path:
        """The path that turns least, of several that fit."""
        marks: tuple[int, ...] = ()
        executed = {each.line for each in walk if each.lanes}
        for branch, loop in self._loops.items():
            own = [line for line in loop if line in executed]
            if not own or any(self._kinds.get(line) is not None for line in own):
                continue
            for line, more in itertools.product(self._tried(own), (set(), {branch})):
                if self._marked(walk, {*free, *more}, (*marks, line))[0].ended:
                    marks, free = (*marks, line), {*free, *more}
                    break
            else:
                return Path(
                    (),
                    f"several paths fit: the loop of lines {loop[0]} to {loop[-1]} has "
                    "no instruction that tells how often it turned",
                )
        search, items, places = self._marked(walk, free, marks)
        costs = [
            sum(1 if each.line in executed else _STRANGE for each in block.code)
            for block in self.blocks
        ]
        return self._along(search.cheapest(costs, _GUARDED, _TURN), items, places)

    def _tried(self, lines: Sequence[int]) -> list[int]:
        """Lines that may tell how often they were executed, a few of each kind."""
        by_kind: dict[int, list[int]] = {}
        for line in lines:
            if line in self._marks:
                by_kind.setdefault(self._marks[line], []).append(line)
        return [line for kind in sorted(by_kind) for line in by_kind[kind][:_TRIES]]

    def _marked(
        self, walk: Sequence[Executed], free: Collection[int], marks: Collection[int]
    ) -> tuple[Search, list[Item], list[int]]:
        """The search where executions of some lines without effects are held to the walk, too."""
        needs = [self._needs_of(block, marks) for block in self.blocks]
        items, places = self._items(walk, free, marks)
        return Search(self.blocks, needs, items, free), items, places

    def _is_mark(self, instruction: SassInstruction) -> bool:
        """Whether it is what ptxas makes of the instruction of its line, one for each."""
        mark = self._marks.get(instruction.line)
        return mark is not None and bool(_MARKS[mark][1].match(instruction.opcode))

    def _items(
        self, walk: Sequence[Executed], free: Collection[int], marks: Collection[int]
    ) -> tuple[list[Item], list[int]]:
        """What of a warp's instructions must be on its path, in order, and where in the walk."""
        found: list[Item] = []
        places: list[int] = []
        for place, each in enumerate(walk):
            item = self._walked(each, free)
            if item is None and each.lanes and each.line in marks:
                item = each.line
            if item is not None:
                found.append(item)
                places.append(place)
        return found, places

    def _walked(self, each: Executed, free: Collection[int]) -> Item | None:
        """What an executed instruction of PTX is on a path."""
        if each.line in self._branches:
            falls = each.after != self._arms[each.line].first
            return None if each.line in free else (each.line, falls)
        return self.effect(each) if each.lanes else None

    def effect(self, each: Executed) -> int | None:
        """The effect of an instruction of PTX, as `item` has that of one of SASS."""
        if each.line in self._opcodes:
            return each.line
        kind = self._kinds.get(each.line)
        return -1 - kind if kind in self._by_kind else None

    def _missing(self, items: Sequence[Item], place: int) -> str:
        if place == len(items):
            return "no path ends where the warp ended"
        item = items[place]
        line = item[0] if isinstance(item, tuple) else item
        what = f"line {line}" if line > 0 else _EFFECTS[-1 - line][0].replace("\\", "")
        return f"no path goes on with {what}"

    def _along(self, states: Sequence[State], items: Sequence[Item], places: Sequence[int]) -> Path:
        """The path through these states."""
        effects = [
            tuple(places[n] for n in range(at, after) if self._is_effect(items[n]))
            for (_, at), (_, after) in zip(states, states[1:], strict=False)
        ]
        return Path(tuple(block for block, _ in states[:-1]), effects=tuple(effects))

    def _is_effect(self, item: Item) -> bool:
        return not isinstance(item, tuple) and (item < 0 or item in self._opcodes)
