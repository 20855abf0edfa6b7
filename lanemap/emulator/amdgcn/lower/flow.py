"""Control flow of a kernel: which instructions it can reach, in which basic blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lanemap.emulator.amdgcn.lower.binding import Bound
from lanemap.emulator.amdgcn.lower.image import Image, Placed, references
from lanemap.emulator.amdgcn.text.expressions import Expression, ExpressionError
from lanemap.emulator.amdgcn.text.module import Data
from lanemap.emulator.refusals import Refusals

_STOPS = frozenset({"branch", "end", "jump"})
_ENDS_BLOCK = frozenset({"branch", "condition", "end", "jump", "call", "barrier", "host"})
_READS = frozenset({"load", "atomic", "ds_atomic", "fence"})
#: Of loads that others' stores may answer (independence.py); other loads may not race with these.
_MEETS = frozenset({"sc0", "sc1", "glc"})


@dataclass
class Flow:
    """The reachable code of one kernel.

    Attributes:
        image: Where the instructions lie.
        blocks: Indices of instructions, in order, of each block; block 0 is where a wave begins.
        block_of: The block that begins at an instruction.
        targets: Target of a branch or call, by the index of its instruction.
        indirect: Instructions that an address computed at run time may lead to.
    """

    image: Image
    entry: int
    blocks: list[list[int]] = field(default_factory=list)
    block_of: dict[int, int] = field(default_factory=dict)
    targets: dict[int, int] = field(default_factory=dict)
    indirect: list[int] = field(default_factory=list)

    def successors(self, block: int) -> tuple[int, ...]:
        """The blocks that may come after a block."""
        last = self.blocks[block][-1]
        placed = self.image.code[last]
        kind = placed.bound.definition.kind
        if kind == "end":
            return ()
        if kind == "jump":
            return tuple(self.block_of[index] for index in self.indirect)
        found = [self.targets[last]] if last in self.targets else []
        if kind not in _STOPS and kind != "call" and placed.following is not None:
            found.append(placed.following)
        return tuple(dict.fromkeys(self.block_of[index] for index in found))

    def bounds(self) -> Iterator[Bound]:
        """Yield the reachable instructions."""
        return (self.image.code[index].bound for block in self.blocks for index in block)

    def reads(self, index: int) -> bool:
        """Whether a branch goes back to the beginning of a loop that reads memory."""
        kinds = {bound.definition.kind for bound in self._loop(index)}
        return bool(kinds & _READS) and "barrier" not in kinds

    def polls(self, index: int) -> bool:
        """Whether such a loop reads what others may write meanwhile."""
        return self.reads(index) and any(
            bound.definition.kind in _READS - {"load"}
            or (bound.definition.kind == "load" and bound.instruction.modifiers.keys() & _MEETS)
            for bound in self._loop(index)
        )

    def _loop(self, index: int) -> list[Bound]:
        """From the target of a branch backward to the branch; none of another one."""
        target = self.targets.get(index)
        if target is None or target > index:
            return []
        return [placed.bound for placed in self.image.code[target : index + 1]]


def trace(image: Image, entry: int, refusals: Refusals) -> Flow:
    """Find the code reachable from the instruction `entry`.

    Noted as refused: instructions that are not executed, branches that lead nowhere, and control
    that runs into data or past the end.
    """
    flow = Flow(image, entry)
    reached: set[int] = set()
    leaders = {entry}
    work = [entry]
    taken = _addresses_in_data(image)
    jumps = False
    while work:
        index = work.pop()
        while index not in reached:
            reached.add(index)
            placed = image.code[index]
            kind = placed.bound.definition.kind
            found = _addresses_in_code(image, placed) - taken
            taken |= found
            if jumps:
                work += found
            if placed.bound.refusal:
                refusals.add(placed.bound.instruction.line, placed.bound.refusal)
            if kind in ("branch", "condition", "call"):
                with refusals.noting():
                    flow.targets[index] = _target(image, placed)
                    leaders.add(flow.targets[index])
                    work.append(flow.targets[index])
            if kind == "jump" and not jumps:
                jumps = True
                work += taken
            returns = kind == "call" or placed.bound.definition.name == "s_swappc_b64"
            if kind == "end" or (kind in _STOPS and not returns):
                break
            following = _following(image, placed, refusals)
            if following is None:
                break
            if kind in _ENDS_BLOCK:
                leaders.add(following)
            if returns:
                taken.add(following)
            index = following
    if jumps:
        flow.indirect = sorted(taken & reached)
        leaders |= set(flow.indirect)
    _split(flow, sorted(reached), leaders & reached)
    return flow


def _split(flow: Flow, reached: list[int], leaders: set[int]) -> None:
    """Cut the reached instructions into blocks, the entry's first."""
    code = flow.image.code
    blocks: list[list[int]] = []
    previous: int | None = None
    for index in reached:
        fresh = previous is None or index in leaders or code[previous].following != index
        if fresh or code[previous or 0].bound.definition.kind in _ENDS_BLOCK:
            blocks.append([])
        blocks[-1].append(index)
        previous = index
    blocks.sort(key=lambda block: block[0] != flow.entry)
    flow.blocks = blocks
    flow.block_of = {block[0]: number for number, block in enumerate(blocks)}


def _following(image: Image, placed: Placed, refusals: Refusals) -> int | None:
    if placed.following is None and not placed.bound.refusal:  # which may be what ends the kernel
        instruction = placed.bound.instruction
        refusals.add(
            instruction.line,
            f"after `{instruction.text}` control runs into data or past the end of the section; "
            "end the kernel with s_endpgm, and write instructions, not their encodings",
        )
    return placed.following


def _target(image: Image, placed: Placed) -> int:
    """The instruction that a branch names, by label or by a count of four bytes."""
    instruction = placed.bound.instruction
    operand = placed.bound.operands[
        next(i for i, role in enumerate(placed.bound.roles) if role.place == "label")
    ]
    if operand.expression is not None:
        value = image.evaluate(operand.expression, instruction.line)
        offset = value.offset
        known = value.base is not None
    else:
        offset = placed.offset + 4 + 4 * (((int(operand.value) + 0x8000) & 0xFFFF) - 0x8000)
        known = True
    index = image.at.get(offset) if known else None
    if index is None:
        index = _after_padding(image, offset) if known else None
    if index is None:
        raise image.module.place(instruction.line).error(
            f"{operand} is not the address of an instruction (`{instruction.text}`)"
        )
    return index


def _after_padding(image: Image, offset: int) -> int | None:
    """A label before an alignment: the padding executes as nothing."""
    for placed in image.code:
        if placed.offset > offset:
            return image.at[placed.offset] if placed.offset - offset < 256 else None
    return None


def _code_at(image: Image, expression: Expression) -> set[int]:
    """The instructions whose addresses an expression may take."""
    found = set()
    for name, _ in references(expression):
        try:
            value = image.value_of(name)
        except ExpressionError:
            continue
        index = image.at.get(value.offset) if value.base is not None else None
        if index is not None:
            found.add(index)
    return found


def _addresses_in_code(image: Image, placed: Placed) -> set[int]:
    found: set[int] = set()
    for role, operand in zip(placed.bound.roles, placed.bound.operands, strict=True):
        if operand.expression is not None and role.place != "label":
            found |= _code_at(image, operand.expression)
    return found


def _addresses_in_data(image: Image) -> set[int]:
    found: set[int] = set()
    for section in image.module.sections.values():
        if not section.allocated:
            continue
        for fragment in section.fragments:
            if isinstance(fragment, Data):
                for fixup in fragment.fixups:
                    found |= _code_at(image, fixup.expression)
    return found


def named(image: Image, flow: Flow) -> frozenset[str]:
    """Return the symbols that reachable instructions name."""
    operands = (
        operand
        for indices in flow.blocks
        for index in indices
        for operand in image.code[index].bound.operands
    )
    return frozenset(
        name
        for operand in operands
        if operand.expression is not None
        for name, _ in references(operand.expression)
    )
