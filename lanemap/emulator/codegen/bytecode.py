"""Bytecode: a block's operations, which the runtime interprets (runtime/interpreter.c).

A block runs as bytecode until it has run long enough to be worth LLVM's time. Each operation is a
call of its primitive (primitives.py) with the places of its result and operands. A place is in the
wave, in the block's frame, or among constants.
"""

from __future__ import annotations

import functools
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lanemap.emulator.codegen import primitives
from lanemap.emulator.codegen.element_types import bytes_of, element_of
from lanemap.emulator.codegen.ops import Kind, Op, Operand, needed, write_shuffle
from lanemap.emulator.runtime.abi import StepKind
from lanemap.emulator.runtime.layout import SLOTS

#: The bases of places in runtime/interpreter.c.
_WAVE, _FRAME, _CONSTANTS = (base << 30 for base in range(3))
_NUMBER = re.compile(r"-?\d+(?=[,>])")
_CAST = re.compile(r"bitcast \(i\d+ (\d+) to \w+\)")
_ALIGNMENT = 64
#: Bytes of the wave whose loads are looked for together.
_GRANULE = 64
_DO, _LEAVE, _LEAVE_UNLESS = (int(kind) for kind in StepKind)


@dataclass
class Bytecode:
    """The code of some blocks.

    Attributes:
        words: 32-bit words; of a step the first is the number of its primitive.
        constants: What the blocks have in common.
        primitives: The number of each primitive and an operation that needs it, by name.
        starts: The first word of each block.
        steps: Words that are to become the address of a primitive, of two words each.
    """

    words: array[int] = field(default_factory=lambda: array("I"))
    constants: bytearray = field(default_factory=bytearray)
    primitives: dict[str, tuple[int, Op]] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)
    steps: list[int] = field(default_factory=list)
    _numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    _places: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, block: int, ops: Sequence[Op]) -> None:
        """Append a block."""
        if len(self.words) % 2:
            self.words.append(0)
        self.starts[block] = len(self.words)
        self.words.extend((0, 0, 0, 0))
        self.words[self.starts[block]] = _Block(self, needed(ops)).frame_bytes

    def constant(self, text: str, type: str) -> int:
        """The place of a constant."""
        place = self._places.get((text, type))
        if place is None:
            data = _constant_bytes(text, type)
            self.constants.extend(bytes(-len(self.constants) % min(len(data), _ALIGNMENT)))
            place = self._places[text, type] = _CONSTANTS | len(self.constants)
            self.constants.extend(data)
        return place

    def step(self, kind: int, op: Op, places: Sequence[int]) -> None:
        """Append a step with the place of its result and those of its operands."""
        words = self.words
        number = 0
        if kind == _DO:
            number = self._number(op)
            self.steps.append(len(words))
        words.extend((number, 0, kind, len(places), *places))
        if len(places) % 2:
            words.append(0)

    def _number(self, op: Op) -> int:
        """The number of an operation's primitive."""
        what = (op.opcode, op.type, op.types)
        number = self._numbers.get(what)
        if number is None:
            known = (len(self.primitives), op)
            number = self.primitives.setdefault(primitives.name_of(op), known)[0]
            self._numbers[what] = number
        return number


def _constant_bytes(text: str, type: str) -> bytes:
    """A constant in memory, of what the Emitter writes."""
    element = element_of(type)
    if not element:
        return _number(text).to_bytes(16, "little")[: primitives.bytes_of(type)]
    lanes = int(type[1 : type.index(" ")])
    if text == "zeroinitializer":
        return bytes(primitives.bytes_of(type))
    if text[0] == "<":
        values = [int(number) for number in _NUMBER.findall(text)]
    else:
        values = [_number(text[len(f"splat ({element} ") : -1])] * lanes
    if element == "i1":
        return sum((value & 1) << lane for lane, value in enumerate(values)).to_bytes(
            lanes // 8, "little"
        )
    size = bytes_of(element)
    most = (1 << 8 * size) - 1
    return b"".join([(value & most).to_bytes(size, "little") for value in values])


def _number(text: str) -> int:
    if text in ("true", "false"):
        return int(text == "true")
    cast = _CAST.fullmatch(text)
    return int(cast[1] if cast else text) & (1 << 128) - 1


class _Block:
    """One block: where its values lie, and its steps.

    What was loaded from the wave stays there if nothing writes to it before its last use.
    """

    def __init__(self, code: Bytecode, ops: Sequence[Op]) -> None:
        self._code = code
        self.frame_bytes = 0
        self._places: dict[Op, int] = {}
        #: The value that each one is the same as, in memory.
        self._same: dict[Op, Operand] = {}
        self._last: dict[Op, int] = {}
        #: The first operation that may write to where a load is from.
        self._written: dict[Op, int] = {}
        self._free: dict[int, list[int]] = {}
        self._look(ops)
        ends: dict[int, list[Op]] = {}
        for op, at in self._last.items():
            ends.setdefault(at, []).append(op)
        for at, op in enumerate(ops):
            self._step(op)
            for over in ends.get(at, ()):
                self._release(over)

    # -- what is known before ----------------------------------------------------------------------
    def _look(self, ops: Sequence[Op]) -> None:
        """Find the last use of each value, and when what loads are from may be written."""
        rows: list[Op] = []
        loads: dict[int, list[Op]] = {}
        last = self._last
        for at, op in enumerate(ops):
            kind = op.kind
            if op.opcode == "bitcast" and _is_same(op):
                self._same[op] = op.operands[0]
            for operand in op.operands:
                if not isinstance(operand, str):
                    if operand.opcode == "bitcast" or operand.kind is Kind.BROADCAST:
                        self._use(operand, at)
                    else:
                        last[operand] = at
            if kind is Kind.LOAD or kind is Kind.READ:
                if op.offset < SLOTS:
                    rows.append(op)
                for granule in _granules(op):
                    loads.setdefault(granule, []).append(op)
            elif kind is Kind.STORE or kind is Kind.WRITE:
                first, end = op.offset, op.offset + op.size
                for granule in _granules(op):
                    for load in loads.get(granule, ()):
                        if load.offset < end and first < load.offset + load.size:
                            self._written.setdefault(load, at)
            elif kind is Kind.FENCE and op.operands[0] == "%w":
                for load in rows:
                    self._written.setdefault(load, at)
                rows.clear()

    def _use(self, operand: Op, at: int) -> None:
        root: Operand = operand
        while not isinstance(root, str) and root in self._same:
            root = self._same[root]
        if isinstance(root, str):
            return
        self._last[root] = at
        if root.kind is Kind.BROADCAST and not isinstance(root.operands[0], str):
            self._use(root.operands[0], at)

    # -- steps -------------------------------------------------------------------------------------
    def _step(self, op: Op) -> None:
        kind, code = op.kind, self._code
        if op in self._same:
            return
        if kind is Kind.LOAD or kind is Kind.READ:
            place = _WAVE | op.offset
            if self._written.get(op, 1 << 60) < self._last[op]:
                self._places[op] = self._make(op)
                code.step(_DO, primitives.copy(op.type), (self._places[op], place))
            else:
                self._places[op] = place
        elif kind is Kind.STORE or kind is Kind.WRITE:
            type = op.types[0]
            operand = self._place(op.operands[0], type)
            code.step(_DO, primitives.copy(type), (_WAVE | op.offset, operand))
        elif kind is Kind.LEAVE:
            how = _LEAVE if op.opcode == "ret" else _LEAVE_UNLESS
            places = [self._place(x, t) for x, t in zip(op.operands, op.types, strict=True)]
            code.step(how, op, (0, *places))
        elif op.write is write_shuffle and op.element != "i1":
            source = self._place(op.operands[0], op.type)
            lanes = primitives.gather(op.type)
            table = code.constant(f"<{op.opcode}>", lanes.types[1])
            self._places[op] = self._make(op)
            code.step(_DO, lanes, (self._places[op], source, table))
        else:
            operands: Iterable[tuple[Operand, str]] = zip(op.operands, op.types, strict=True)
            if kind is Kind.FENCE or op.mangled:
                operands = [(op.operands[n], type) for n, type in primitives.operands_of(op)]
            places = [self._place(operand, type) for operand, type in operands]
            if op.type:
                self._places[op] = self._make(op)
            code.step(_DO, op, (self._places.get(op, 0), *places))

    def _place(self, operand: Operand, type: str) -> int:
        """Where an operand lies; a uniform one in every lane is made when it is first used."""
        if isinstance(operand, str):
            return self._code.constant(operand, type)
        place = self._places.get(operand)
        if place is not None:
            return place
        root = operand
        while root in self._same:
            type, same = root.types[0], self._same[root]
            if isinstance(same, str):
                return self._code.constant(same, type)
            root = same
        place = self._places.get(root)
        if place is not None:
            self._places[operand] = place
            return place
        if root.kind is Kind.TABLE:
            place = self._code.constant(root.opcode, root.type)
        elif root.kind is Kind.BROADCAST:
            uniform = self._place(root.operands[0], root.types[0])
            place = self._make(root)
            self._code.step(_DO, root, (place, uniform))
        else:
            raise RuntimeError(f"{root.name} is used before it is made")
        self._places[root] = place
        return place

    # -- the frame ---------------------------------------------------------------------------------
    def _make(self, op: Op) -> int:
        """A place in the frame for a result."""
        size = _room(op.type)
        spare = self._free.get(size)
        if spare:
            return spare.pop()
        place = self.frame_bytes
        place += -place % min(size, _ALIGNMENT)
        self.frame_bytes = place + size
        return _FRAME | place

    def _release(self, op: Op) -> None:
        place = self._places.get(op, 0)
        if place & _FRAME and op.kind is not Kind.TABLE:
            self._free.setdefault(_room(op.type), []).append(place)


@functools.cache
def _room(type: str) -> int:
    """Bytes of the frame for a value."""
    return -(-primitives.bytes_of(type) // 8) * 8


def _granules(op: Op) -> range:
    return range(op.offset // _GRANULE, (op.offset + op.size - 1) // _GRANULE + 1)


def _is_same(op: Op) -> bool:
    """Has the result of a bitcast the bytes that its operand has in memory?"""
    masks = op.kind is Kind.BALLOT or op.kind is Kind.UNPACK
    return masks or "i1" not in (op.element, element_of(op.types[0]))
