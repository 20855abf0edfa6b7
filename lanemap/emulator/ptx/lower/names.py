"""Symbol resolution of a kernel: registers, special registers and addresses.

Shared and local variables lie at fixed offsets of their windows; global and constant ones at
addresses that a launch knows, held in uniform registers. A shared address has the rank of its CTA
in the cluster in bits 24 to 31 (`abi.RANK_SHIFT`), as on the GPU: ptxas 13.0 for sm_90a puts
SR_CgaCtaId there, and an H200 shows it. So an address of the CTA's own window is one of the
cluster's window too. A generic address of the shared or local window has the window's number in its
upper half (`SHARED_APERTURE`, `PRIVATE_APERTURE` of the runtime).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.extension import MakeExtension
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.ptx.lower.cluster import Mbarriers, TensorMemories, Warpgroups
from lanemap.emulator.ptx.lower.reaching import named_shared
from lanemap.emulator.ptx.lower.reserved import (
    GRID_WORKSPACE,
    PARAMETERS,
    RECURSION_BYTES,
    RESERVED_SHARED,
    RESERVED_SHARED_BYTES,
    SHARED_BASE,
    STACK,
    STACK_BYTES,
    WORKSPACE_HALVES,
    function_address,
    symbol,
)
from lanemap.emulator.ptx.lower.special_registers import (
    SHARED_UNIT,
    SPECIALS,
    Readable,
    constant,
    value_of,
)
from lanemap.emulator.ptx.lower.tables import gather
from lanemap.emulator.ptx.lower.tracked import is_zero, number_tracked, zero_registers
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.module import Function, Module
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Operand, Special
from lanemap.emulator.ptx.text.operands import Register as ParsedRegister
from lanemap.emulator.ptx.text.variables import Variable
from lanemap.emulator.runtime.abi import ASYNC_CLOCKS, ENGINE_CLOCKS, PLAIN_CLOCKS
from lanemap.targets import FEATURES, defined_for, features_of, having

if TYPE_CHECKING:
    from lanemap.layout import LayoutMap

Table = NDArray[np.int32]


@dataclass(frozen=True)
class Frame:
    """Stack frame of an activation; `register` holds the previous end of the stack."""

    register: Register
    size: int
    align: int

    def start(self, b: Builder) -> Value:
        """Return the address of its first byte, an i32."""
        top = b.alu.add(b.registers.read(self.register), b.ir.constant("i32", self.align - 1))
        return b.alu.and_(top, b.ir.constant("i32", -self.align))


def _names_reserved(functions: Iterable[Function]) -> bool:
    """Whether functions ask where the system's shared memory is."""
    return any(
        isinstance(operand, Special) and operand.name == RESERVED_SHARED
        for function in functions
        for instruction in function.body
        for operand in instruction.operands
    )


class Names:
    """The names of one kernel and of the functions that it reaches."""

    def __init__(
        self, module: Module, entry: Function, functions: Iterable[Function],
        settings: Settings, recursive: Collection[str], gpu: str,
    ) -> None:  # fmt: skip
        """Lay out shared and local memory and number the functions."""
        self.settings = settings
        self.tensor_memory = False
        self.mbarriers = False
        self._cta_group = 0
        self._frames: dict[str, Frame] = {}
        self._framed: dict[int, Frame] = {}
        self._recursive = recursive
        self.tables: list[NDArray[np.int32]] = []
        self.slots: dict[int, tuple[Register, ...]] = {}
        self._tables: dict[tuple[str, str], int] = {}
        self.warpgroups = False
        self.carry = Register("CC.CF", "i1", True)
        self._module, self.target, self.gpu = module, module.target, gpu
        self._registers: dict[int, Register] = {}
        #: What operands read; whole when all statements are taken.
        self.read: set[Register] = set()
        #: What atomics that other clusters may see found in memory.
        self.drawn: set[Register] = set()
        self._taken: dict[str, int] = {}
        self._prefixes: dict[int, str] = {}
        self._offsets: dict[int, int] = {}
        self._symbols: dict[str, Register] = {}
        self._parameters: dict[int, int] = {}
        self._functions = {name: number for number, name in enumerate(module.functions)}
        self._parameter_bytes = entry.parameter_bytes
        self._most_registers = entry.directives.get("maxnreg", (0,))[0]
        for parameter, offset in zip(entry.prototype.parameters, entry.offsets, strict=True):
            self._parameters[id(parameter)] = offset
        reached = list(functions)
        self._tracked = number_tracked(reached, settings)
        self._zeros = zero_registers(reached) if self._tracked else frozenset[int]()
        for function in reached:
            prefix = "" if function is entry else f"{function.name}: "
            for register in function.registers:
                self._prefixes[id(register)] = prefix
        self._reserved_at = 0
        self.shared_bytes, self.fixed_private_bytes = self._lay_out(reached)
        self._uses_stack = False

    def _lay_out(self, functions: list[Function]) -> tuple[int, int]:
        shared = named_shared(self._module, functions)
        private: list[Variable] = []
        for function in functions:
            mine = [v for v in function.variables if v.space == "local"]
            if function.name in self._recursive:
                self._add_frame(function, mine)
            elif any(i.opcode == "alloca" for i in function.body):
                self._add_frame(function, [])
                private += mine
            else:
                private += mine
        private += [v for v in self._module.variables.values() if v.space == "local"]
        dynamic = [v for v in shared if v.linkage == "extern"]
        end = self._place([v for v in shared if v.linkage != "extern"], 0)
        if _names_reserved(functions):
            self._reserved_at = -(-end // SHARED_UNIT) * SHARED_UNIT
            end = self._reserved_at + RESERVED_SHARED_BYTES
        align = max((v.align for v in dynamic), default=1)
        end = -(-end // align) * align
        for variable in dynamic:
            self._offsets[id(variable)] = end
        return end, self._place(private, 0)

    def _add_frame(self, function: Function, variables: list[Variable]) -> None:
        if function.is_entry:
            return
        register = self.fresh(f"frame of {function.name}", "i32")
        size = self._place(variables, 0)
        align = max((v.align for v in variables), default=8)
        self._frames[function.name] = frame = Frame(register, size, align)
        self._framed.update(dict.fromkeys(map(id, variables), frame))

    def frame(self, function: Function) -> Frame | None:
        """Return the frame of a function that needs one: it recurs, or takes bytes by alloca."""
        return self._frames.get(function.name)

    def _place(self, variables: list[Variable], end: int) -> int:
        for variable in variables:
            offset = -(-end // variable.align) * variable.align
            self._offsets[id(variable)] = offset
            end = offset + variable.size
        return end

    # -- registers -------------------------------------------------------------------------------
    def register(self, parsed: ParsedRegister) -> Register:
        """Return the core's register of a virtual one (not of 128 bits)."""
        return self.part(parsed, "", f"i{BITS[parsed.type]}")

    def wide(self, parsed: ParsedRegister) -> tuple[Register, Register]:
        """Return the low and high half of a register of 128 bits."""
        return self.part(parsed, ".lo", "i64"), self.part(parsed, ".hi", "i64")

    def part(self, parsed: ParsedRegister, suffix: str, kind: str) -> Register:
        """Return (a part of) a virtual register; two of one name get different names."""
        key = id(parsed) if suffix != ".hi" else ~id(parsed)
        found = self._registers.get(key)
        if found is None:
            if kind == "i128":
                raise OperandError(f"`{parsed}` of 128 bits is not supported here")
            found = Register(self._unique(self._prefixes[id(parsed)] + parsed.name + suffix), kind,
                             True, self._tracked.get(key, -1))  # fmt: skip
            self._registers[key] = found
        return found

    def fresh(self, name: str, kind: str) -> Register:
        """Return a per-lane register that the text does not name."""
        return Register(self._unique(name), kind, True)

    def _unique(self, name: str) -> str:
        count = self._taken.get(name, 0)
        self._taken[name] = count + 1
        return f"{name} ({count + 1})" if count else name

    def stack(self) -> Register:
        """Return the register with the end of the stack, from which alloca takes bytes."""
        self._uses_stack = True
        return STACK

    @property
    def private_bytes(self) -> int:
        """Bytes of local memory of each lane."""
        stack = STACK_BYTES if self._uses_stack else 0
        return self.fixed_private_bytes + (RECURSION_BYTES if self._recursive else stack)

    # -- everything else -------------------------------------------------------------------------
    def special(self, name: str) -> Readable:
        """Return a special register.

        Raises:
            OperandError: lanemap does not model it, or the target lacks it.
        """
        if "cluster" in name:
            self.require("clusters")
        if name in WORKSPACE_HALVES:
            symbol, shift = self._symbol(GRID_WORKSPACE), WORKSPACE_HALVES[name]
            return Readable(
                lambda b: b.alu.trunc(
                    b.alu.lshr(b.registers.read(symbol), b.ir.constant("i64", shift)), "i32"
                ),
                (symbol,),
            )
        if name == RESERVED_SHARED:
            return Readable(
                lambda b: b.alu.trunc(
                    b.alu.add(
                        b.registers.read(SHARED_BASE), b.ir.constant("i64", self._reserved_at)
                    ),
                    "i32",
                ),
                (SHARED_BASE,),
            )
        if name not in SPECIALS:
            raise OperandError(
                f"special register `{name}` is not supported: the driver sets its value"
            )
        return SPECIALS[name]

    def parameter(self, variable: Variable) -> int | None:
        """Return the first byte of a parameter of the kernel; None if it is something else."""
        return self._parameters.get(id(variable))

    def place(self, variable: Variable) -> Readable:
        """Return the address of a variable in its own state space, an i64."""
        if id(variable) in self._framed:
            frame, offset = self._framed[id(variable)], self._offsets[id(variable)]
            return Readable(
                lambda b: b.alu.add(
                    b.alu.zext(frame.start(b), "i64"), b.ir.constant("i64", offset)
                ),
                (frame.register,),
            )
        if id(variable) in self._offsets:
            offset = self._offsets[id(variable)]
            if variable.space != "shared":
                return constant(offset, "i64")
            return Readable(
                lambda b: b.alu.add(b.registers.read(SHARED_BASE), b.ir.constant("i64", offset)),
                (SHARED_BASE,),
            )
        if id(variable) in self._parameters:
            offset = self._parameters[id(variable)]
            return Readable(
                lambda b: b.alu.add(b.registers.read(PARAMETERS), b.ir.constant("i64", offset)),
                (PARAMETERS,),
            )
        if variable.space in ("global", "const"):
            if variable.linkage == "extern":
                raise OperandError(f"`{variable.name}` is extern, and this text does not define it")
            return value_of(self._symbol(variable.name))
        raise OperandError(f"the address of parameter `{variable.name}` is not supported")

    def _symbol(self, name: str) -> Register:
        """Return the uniform register with the address of something in global memory."""
        return self._symbols.setdefault(name, symbol(name))

    @property
    def symbols(self) -> dict[str, Register]:
        """Uniform registers that hold the addresses of global and constant variables."""
        return self._symbols

    def table(
        self, variant: str, make: Callable[[str, Mapping[str, LayoutMap]], Table] = gather,
        use: str = "",
    ) -> int:  # fmt: skip
        """Return the number of the program's table that `make` builds of a variant's layout map.

        `use` tells tables apart that are made of one map in several ways.
        """
        number = self._tables.get((variant, use))
        if number is None:
            number = self._tables[variant, use] = len(self.tables)
            self.tables.append(make(variant, self.settings.models))
        return number

    # -- tensor memory ---------------------------------------------------------------------------
    def use_tensor_memory(self) -> None:
        """Note that the kernel has tcgen05 instructions."""
        self.tensor_memory = True

    def use_mbarriers(self) -> None:
        """Note that the kernel has mbarriers, or asynchronous copies, which complete at them."""
        self.mbarriers = True

    def require(self, feature: str, what: str = "") -> None:
        """Refuse what the text's target lacks.

        Args:
            feature: One of `targets.FEATURES`.
            what: What messages call it, where that is not what `FEATURES` says.

        Raises:
            OperandError: the target has no such feature.
        """
        if feature not in features_of(self.target):
            raise OperandError(
                f"{self.target} has no {what or FEATURES[feature].words}; {having(feature)} has"
            )

    @property
    def tensor_cores(self) -> str:
        """The generation of the GPU's tensor cores, by whose rule products of floats are added.

        Raises:
            OperandError: nobody says how they add.
        """
        gpu = defined_for(self.gpu)
        if not gpu.tensor_cores:
            raise OperandError(
                f"how the tensor cores of {gpu.name} add products of floats is not known"
            )
        return gpu.tensor_cores

    @property
    def most_registers(self) -> int:
        """The number of registers that the kernel asks for (.maxnreg); 0 if it does not."""
        return self._most_registers

    @property
    def clocks(self) -> int:
        """Return what the clocks of its waves count (enum Clock in runtime.h)."""
        if self.mbarriers:
            return ASYNC_CLOCKS
        engine = self.tensor_memory or self.warpgroups
        return ENGINE_CLOCKS if engine else PLAIN_CLOCKS

    @property
    def extension(self) -> MakeExtension | None:
        """Return the extra state that clusters of the kernel need."""
        if self.tensor_memory:
            return TensorMemories
        if self.warpgroups:
            return functools.partial(Warpgroups, len(self._tracked))
        return Mbarriers if self.mbarriers else None

    def use_warpgroups(self) -> None:
        """Note that the kernel has wgmma instructions."""
        self.warpgroups = True

    @property
    def written(self) -> str:
        """Return the function that hears of writes to tracked registers; "" for none."""
        return "lm_wgmma_written" if self.warpgroups else ""

    def tracked(self, operand: object) -> int:
        """Return the number of a tracked virtual register, -1 for anything else."""
        return self._tracked.get(id(operand), -1)

    def is_zero(self, operand: Operand) -> bool:
        """Whether an operand is zero wherever the kernel reads it, in one that has tracked ones."""
        return is_zero(operand, self._zeros)

    def replaced(self, variant: str, make: Callable[[str, Mapping[str, LayoutMap]], Table]
                 ) -> Table:  # fmt: skip
        """Return the table of a map that takes the place of the model's; nothing if none does."""
        models = self.settings.models
        return make(variant, models) if variant in models else np.zeros(0, np.int32)

    def add_table(self, table: NDArray[np.int32]) -> int:
        """Return the number of a table that belongs to one instruction."""
        self.tables.append(table)
        return len(self.tables) - 1

    def add_slots(self, registers: Sequence[Register], more: Sequence[int]) -> int:
        """Return the number of a table of an instruction: where registers lie in a wave, and more.

        The registers live where a block begins; the program fills in the places.
        """
        number = self.add_table(np.array([*(0 for _ in registers), *more], np.int32))
        self.slots[number] = tuple(registers)
        return number

    def use_cta_group(self, group: int) -> None:
        """Hold .cta_group to one value in a kernel (PTX ISA, tcgen05.alloc).

        Raises:
            OperandError: another one was met before.
        """
        if self._cta_group not in (0, group):
            raise OperandError("tcgen05 instructions of one kernel must have the same .cta_group")
        self._cta_group = group

    @property
    def tracks(self) -> bool:
        """Whether registers can be pending."""
        return bool(self._tracked)

    def ranges(self, space: str) -> list[tuple[Readable, int]]:
        """Return where variables of a space (const, param) lie and how many bytes each has."""
        if space != "const":
            return [(value_of(PARAMETERS), self._parameter_bytes)]
        constants = [v for v in self._module.variables.values() if v.space == "const"]
        return [(self.place(variable), variable.size) for variable in constants]

    def function_number(self, name: str) -> int:
        """Return a function's number in the module."""
        return self._functions[name]

    def function_address(self, name: str) -> int:
        """Return the number that stands for a function's address."""
        return function_address(self._functions[name])
