"""One instruction during lowering: its modifiers and operands are consumed one by one."""

from __future__ import annotations

from typing import NoReturn

from lanemap.emulator.codegen.element_types import BITS as WIDTHS
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.ptx.lower.access import (
    Destination,
    Source,
    constant_source,
    nowhere,
    register_destination,
    register_source,
)
from lanemap.emulator.ptx.lower.names import Names
from lanemap.emulator.ptx.text.initialisers import float_bits
from lanemap.emulator.ptx.text.kinds import BITS, llvm_type
from lanemap.emulator.ptx.text.module import Instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import (
    Address,
    FunctionName,
    Immediate,
    Not,
    Operand,
    Pair,
    Sink,
    Special,
    Symbol,
    Vector,
)
from lanemap.emulator.ptx.text.operands import (
    Register as ParsedRegister,
)
from lanemap.emulator.ptx.text.variables import Variable
from lanemap.emulator.runtime.abi import Space

#: State spaces whose addresses have 32 bits, which are the low half of generic ones: an H200 reads
#: the low half of a register for them. Of local memory it reads something else, so that a generic
#: pointer is none of its addresses.
_NARROW_SPACES = (Space.SHARED, Space.CLUSTER)


class Statement:
    """One instruction, as passed to its function in the table.

    Attributes:
        reads, writes: The core's registers that the operands taken so far touch.
        undefines: Whether results may be undefined although everything read is defined.
        defines: Whether they are defined otherwise, whatever is read (see Operation).
        polls: Whether the instruction reads memory that others may change meanwhile.
    """

    def __init__(self, instruction: Instruction, names: Names, skip: int) -> None:
        """Begin with the modifiers after the first `skip` (those in the table's name)."""
        self.instruction = instruction
        self.names = names
        self.reads: list[Register] = []
        self.writes: list[Register] = []
        self.undefines = False
        self.defines = False
        self.polls = False
        #: Those of `reads` that hold addresses, and the kernel's parameter that an address names.
        self.addresses: list[Register] = []
        self.parameter: int | None = None
        self._words = list(instruction.modifiers[skip:])
        self._operands = list(instruction.operands)

    # -- modifiers -------------------------------------------------------------------------------
    def flag(self, name: str) -> bool:
        """Take a modifier that may be there."""
        if name not in self._words:
            return False
        self._words.remove(name)
        return True

    def choice(self, names: str, default: str | None = None) -> str:
        """Take one of several modifiers; without a default one must be there.

        Raises:
            OperandError: none is.
        """
        for name in names.split():
            if name in self._words:
                self._words.remove(name)
                return name
        if default is None:
            raise OperandError(
                f"`{self.instruction.name}` needs one of .{', .'.join(names.split())}"
            )
        return default

    def majors(self) -> tuple[str, str]:
        """Take the layouts of A and B, each row or col.

        Raises:
            OperandError: one is missing.
        """
        places = [i for i, word in enumerate(self._words) if word in ("row", "col")]
        if len(places) != 2:
            raise OperandError(f"`{self.instruction.name}` needs .row or .col for both A and B")
        second, first = self._words.pop(places[1]), self._words.pop(places[0])
        return first, second

    def type(self, allowed: str) -> str:
        """Take the last modifier, which must be one of the types allowed."""
        if not self._words:
            raise OperandError(f"`{self.instruction.name}` needs a type")
        word = self._words.pop()
        if word not in allowed.split():
            raise OperandError(
                f"`.{word}` is not a type of `{self.instruction.opcode}` that lanemap knows; "
                f"it knows .{', .'.join(allowed.split())}"
            )
        return word

    def first_type(self, allowed: str) -> str:
        """Take the first modifier that is a type."""
        for word in self._words:
            if word in allowed.split():
                self._words.remove(word)
                return word
        raise OperandError(f"`{self.instruction.name}` needs a type")

    def next_word(self, names: str) -> str:
        """Take the next modifier, which must be one of these, in the ISA's order.

        Raises:
            OperandError: it is another one, or none is left.
        """
        if not self._words or self._words[0] not in names.split():
            raise OperandError(
                f"`{self.instruction.name}` needs one of .{', .'.join(names.split())}"
                + (f" where it has .{self._words[0]}" if self._words else " behind it")
            )
        return self._words.pop(0)

    @property
    def words_left(self) -> int:
        """How many modifiers have not been taken."""
        return len(self._words)

    def has_type(self, *names: str) -> bool:
        """Whether the last modifier is one of these."""
        return bool(self._words) and self._words[-1] in names

    def peek(self, name: str) -> bool:
        """Whether a modifier is there, without taking it."""
        return name in self._words

    def refuse(self, word: str) -> NoReturn:
        """Refuse a modifier that does not go with the rest.

        Raises:
            OperandError: always.
        """
        raise OperandError(f"`.{word}` does not apply to `{self.instruction.name}`")

    def finish(self) -> None:
        """Refuse modifiers and operands that were not consumed.

        Raises:
            OperandError: a modifier or an operand is left.
        """
        if self._words:
            raise OperandError(f"`.{self._words[0]}` of `{self.instruction.name}` is not supported")
        if self._operands:
            raise OperandError(f"`{self.instruction.text}` has more operands than lanemap knows")

    def fetched(self) -> tuple[tuple[Register, int], ...]:
        """Return the registers that a load takes from the kernel's parameters, with their bytes."""
        if self.parameter is None or not self.undefines:
            return ()
        found, at = [], self.parameter
        for register in self.writes:
            found.append((register, at))
            at += WIDTHS[register.type] // 8
        return tuple(found)

    # -- operands --------------------------------------------------------------------------------
    @property
    def left(self) -> int:
        """How many operands have not been taken."""
        return len(self._operands)

    def holds_float(self) -> bool:
        """Whether the next operand is, or has, a float constant."""
        operand = self._operands[0] if self._operands else None
        parts = operand.elements if isinstance(operand, Vector) else (operand,)
        return any(isinstance(part, Immediate) and part.kind != "int" for part in parts)

    def operand(self) -> Operand:
        """Take the next operand as it was parsed."""
        if not self._operands:
            raise OperandError(f"`{self.instruction.text}` needs another operand")
        return self._operands.pop(0)

    def source(self, kind: str, wider: bool = False) -> Source:
        """Take a source; `wider` registers than the type are allowed to conversions and stores."""
        return self.source_of(self.operand(), kind, wider)

    def destination(self, kind: str, wider: bool = False) -> Destination:
        """Take a destination."""
        return self.destination_of(self.operand(), kind, wider)

    def predicate_pair(self) -> tuple[Destination, Destination]:
        """Take `p` or `p|q`."""
        operand = self.operand()
        if isinstance(operand, Pair):
            return (
                self.destination_of(operand.first, "pred"),
                self.destination_of(operand.second, "pred"),
            )
        return self.destination_of(operand, "pred"), nowhere("pred")

    def value_and_predicate(self, kind: str) -> tuple[Destination, Destination]:
        """Take `d` or `d|p`."""
        operand = self.operand()
        if isinstance(operand, Pair):
            return (
                self.destination_of(operand.first, kind),
                self.destination_of(operand.second, "pred"),
            )
        return self.destination_of(operand, kind), nowhere("pred")

    def sources(self, kind: str, count: int) -> list[Source]:
        """Take `{a, b, ..}` of `count` elements, or one operand where count is 1."""
        return [self.source_of(part, kind, True) for part in self._vector(count)]

    def stored(self, kind: str, count: int) -> list[Source | None]:
        """Take the elements of a vector store: None for `_`, whose bytes are not written."""
        parts = self._vector(count)
        if all(isinstance(part, Sink) for part in parts):
            raise OperandError(f"`{self.instruction.text}` stores nothing")
        return [
            None if isinstance(part, Sink) else self.source_of(part, kind, True) for part in parts
        ]

    def destinations(self, kind: str, count: int) -> list[Destination]:
        """Take `{d, e, ..}` of `count` elements, or one operand where count is 1."""
        return [self.destination_of(part, kind, True) for part in self._vector(count)]

    def carry(self) -> Destination:
        """Return the carry flag CC.CF as a destination."""
        register = self.names.carry
        self.writes.append(register)
        return register_destination(register, "pred")

    def carry_source(self) -> Source:
        """Return the carry flag CC.CF as a source."""
        self.reads.append(self.names.carry)
        return register_source(self.names.carry, "pred")

    def stack(self) -> Register:
        """Return the register with the end of the stack, which is read and written."""
        register = self.names.stack()
        self.reads.append(register)
        self.writes.append(register)
        return register

    def _vector(self, count: int) -> tuple[Operand, ...]:
        operand = self.operand()
        if isinstance(operand, Vector):
            if len(operand.elements) != count:
                raise OperandError(f"`{operand}` must have {count} elements")
            return operand.elements
        if count != 1:
            raise OperandError(f"`{operand}` must be a list of {count} elements")
        return (operand,)

    def give_back(self, *operands: Operand) -> None:
        """Put operands back at the front."""
        self._operands[:0] = operands

    def next_operand(self) -> Operand | None:
        """Return the next operand without taking it."""
        return self._operands[0] if self._operands else None

    def wide_destinations(self, count: int) -> list[Destination]:
        """Take registers of 128 bits as destinations of their low and high halves."""
        found = []
        for part in self._vector(count):
            if isinstance(part, Sink):
                found += [nowhere("b64"), nowhere("b64")]
                continue
            halves = self._halves(part)
            self.writes += halves
            found += [register_destination(half, "b64") for half in halves]
        return found

    def wide_sources(self, count: int) -> list[Source]:
        """Take registers of 128 bits as sources of their low and high halves."""
        halves = [half for part in self._vector(count) for half in self._halves(part)]
        self.reads += halves
        return [register_source(half, "b64") for half in halves]

    def _halves(self, operand: Operand) -> tuple[Register, Register]:
        if not isinstance(operand, ParsedRegister) or operand.type != "b128":
            raise OperandError(f"`{operand}` must be a register of 128 bits")
        return self.names.wide(operand)

    def immediate(self) -> int:
        """Take an integer constant."""
        operand = self.operand()
        if not isinstance(operand, Immediate) or operand.kind != "int":
            raise OperandError(f"`{operand}` must be an integer constant")
        return operand.value

    def source_of(self, operand: Operand, kind: str, wider: bool = False) -> Source:
        """Return an operand as a source of a type."""
        if isinstance(operand, ParsedRegister):
            self._check_width(operand, kind, wider)
            register = self.names.register(operand)
            self.reads.append(register)
            return register_source(register, kind)
        if isinstance(operand, Immediate):
            return constant_source(kind, self._constant(operand, kind))
        if isinstance(operand, Not) and kind == "pred":
            register = self.names.register(operand.operand)
            self.reads.append(register)
            return Source(kind, lambda b: b.alu.not_(b.registers.read(register)))
        if isinstance(operand, Special):
            special = self.names.special(operand.name)
            self.reads += special.registers
            return Source(
                kind,
                lambda b: b.alu.bitcast(
                    b.alu.resize(special.read(b), f"i{BITS[kind]}"), llvm_type(kind)
                ),
            )
        if isinstance(operand, Symbol):
            return self._symbol(operand.variable, operand.offset, kind)
        if isinstance(operand, FunctionName):
            return constant_source(kind, self.names.function_address(operand.name))
        raise OperandError(f"`{operand}` cannot be a source of `{self.instruction.name}`")

    def _symbol(self, variable: Variable, offset: int, kind: str) -> Source:
        place = self.names.place(variable)
        self.reads += place.registers
        return Source(
            kind,
            lambda b: b.alu.resize(
                b.alu.add(place.read(b), b.ir.constant("i64", offset)), f"i{BITS[kind]}"
            ),
        )

    def destination_of(self, operand: Operand, kind: str, wider: bool = False) -> Destination:
        """Return an operand as a destination of a type."""
        if isinstance(operand, Sink):
            return nowhere(kind)
        if not isinstance(operand, ParsedRegister):
            raise OperandError(f"`{operand}` cannot be a destination")
        self._check_width(operand, kind, wider)
        register = self.names.register(operand)
        self.writes.append(register)
        return register_destination(register, kind)

    def address(self, space: int) -> Source:
        """Take `[a+offset]`: an i64, in a state space, one of abi.Space."""
        operand = self.operand()
        if not isinstance(operand, Address):
            raise OperandError(f"`{operand}` must be an address in brackets")
        if operand.indices:
            raise OperandError(f"`{operand}` has coordinates, which this instruction does not take")
        return self.address_of(operand, space)

    def address_of(self, operand: Address, space: int) -> Source:
        """Return an address operand as an i64.

        A wider register is truncated to the width of the state space's addresses, so that a
        generic address stands for the one in its window (PTX ISA, Addresses as Operands).
        """
        offset = operand.offset
        if operand.base is None:
            return constant_source("b64", offset)
        if isinstance(operand.base, Variable):
            parameter = self.names.parameter(operand.base)
            self.parameter = None if parameter is None else parameter + offset
            return self._symbol(operand.base, offset, "b64")
        register = self.names.register(operand.base)
        if operand.base.type not in ("b32", "b64", "u32", "s32", "u64", "s64"):
            raise OperandError(f"`{operand.base}` of type .{operand.base.type} is not an address")
        self.reads.append(register)
        self.addresses.append(register)
        if space in _NARROW_SPACES:
            return Source(
                "b64",
                lambda b: b.alu.zext(
                    b.alu.add(
                        b.alu.trunc(b.registers.read(register), "i32"), b.ir.constant("i32", offset)
                    ),
                    "i64",
                ),
            )
        return Source(
            "b64",
            lambda b: b.alu.add(
                b.alu.zext(b.registers.read(register), "i64"), b.ir.constant("i64", offset)
            ),
        )

    def _constant(self, operand: Immediate, kind: str) -> int:
        if operand.kind == "int":
            if kind in ("f32", "f64", "f16", "bf16"):
                raise OperandError(
                    f"the constant {operand} of `{self.instruction.name}` must be a float"
                )
            return operand.value
        return float_bits(operand, kind)

    def _check_width(self, operand: ParsedRegister, kind: str, wider: bool) -> None:
        have, want = BITS[operand.type], BITS[kind]
        if (have == 1) != (want == 1) or have < want or (have > want and not wider):
            raise OperandError(
                f"`{operand}` of type .{operand.type} does not fit .{kind} of "
                f"`{self.instruction.name}`"
            )
