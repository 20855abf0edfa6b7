"""Lowers a kernel's reachable code to the core's Program: operations, modes, tables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.amdgcn.lower import functions, heap
from lanemap.emulator.amdgcn.lower.arguments import addresses, fetches, preloaded
from lanemap.emulator.amdgcn.lower.binding import SDWA_MODIFIERS, Bound
from lanemap.emulator.amdgcn.lower.classes import kind_of, of_wave, products_of
from lanemap.emulator.amdgcn.lower.constants import HALVES
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.emission import Mode
from lanemap.emulator.amdgcn.lower.flow import Flow, named, trace
from lanemap.emulator.amdgcn.lower.image import Image, Placed
from lanemap.emulator.amdgcn.lower.independence import independent, meetings
from lanemap.emulator.amdgcn.lower.indexed import indexed_move
from lanemap.emulator.amdgcn.lower.registers import (
    EXEC_PAIR,
    M0_REGISTER,
    SCC,
    VCC_PAIR,
    registers_of,
    scalar,
    vgpr,
)
from lanemap.emulator.amdgcn.lower.rules import COUNTERS, WAIT_STATES, Rule, capacities
from lanemap.emulator.amdgcn.lower.table import SMEM
from lanemap.emulator.amdgcn.lower.tables import table_of
from lanemap.emulator.amdgcn.lower.wait_flow import WaitStates
from lanemap.emulator.amdgcn.lower.wording import AmdWording
from lanemap.emulator.amdgcn.text.errors import AssemblyError
from lanemap.emulator.amdgcn.text.modifiers import HARDWARE_REGISTERS
from lanemap.emulator.amdgcn.text.module import Kernel
from lanemap.emulator.amdgcn.text.operands import LAST_SGPR, Operand
from lanemap.emulator.codegen.operation import Block, Operation
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.runtime_functions import FUNCTIONS
from lanemap.emulator.codegen.sources import source_hash
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.refusals import Refusals
from lanemap.emulator.runtime import abi
from lanemap.model import banks
from lanemap.targets import TARGETS

if TYPE_CHECKING:
    from lanemap.emulator.codegen.builder import Builder

_FRONT_END = Path(__file__).parent.parent
_FRONT_END_CALLS = {"flag": "lm_release_written", "conflict": "lm_own_conflict"}
_UNSCOPED_CALLS = {**_FRONT_END_CALLS, "meets": "lm_store_meets"}
_SPECIAL_READS = {"scc": (SCC,), "vccz": VCC_PAIR, "execz": EXEC_PAIR}
_UNDEFINING = frozenset({"load", "atomic", "ds_atomic"})
_MODE_REGISTER = HARDWARE_REGISTERS["HW_REG_MODE"]
_READABLE = {HARDWARE_REGISTERS[f"HW_REG_{name}"] for name in ("MODE", "HW_ID", "XCC_ID")}


@dataclass
class _State:
    """State carried from instruction to instruction while the program is built.

    `index`: operands that VGPR indexing is on for (bits of gpr_idx), None while it is off. `left`:
    how many instructions of the block have not been executed.
    """

    mode: Mode
    index: int | None = None
    left: int = 0


@dataclass
class ProgramMaker:
    """Makes the Program of one kernel.

    Attributes:
        image, kernel: What it is made from.
        text: The file, for the object cache's key.
        settings: Maps that replace the model's, and whether wait states are missing where only one
            of their sources asks for them (`strict`).
        full_waves: Whether every wave has 64 work-items.
        initial: Registers that are defined when a wave begins.
    """

    image: Image
    kernel: Kernel
    text: str
    settings: Settings
    full_waves: bool
    initial: frozenset[Register]
    named: frozenset[str] = frozenset()  # symbols that the code names; known once it is made
    _tables: list[NDArray[np.int32]] = field(default_factory=list)
    _table_numbers: dict[tuple[str, ...], int] = field(default_factory=dict)
    _refusals: Refusals = field(default_factory=Refusals)
    _flags: bool = False  # whether it acquires from other work-groups, so that flags matter

    def make(self) -> Program:
        """The Program.

        Raises:
            AssemblyError: Instructions, control flow, registers or modes are not what can be
                executed; the message names all of them, with their lines.
        """
        self._check_rounding()
        flow = trace(self.image, self._entry(), self._refusals)
        self.named = named(self.image, flow)
        self._flags = _acquires(flow)
        blocks, first = [], 0
        numbers: dict[int, int] = {}  # of operations, by the index of an instruction
        bodies = [
            self._body(flow, indices, mode)
            for indices, mode in zip(flow.blocks, self._states(flow), strict=True)
        ]
        self._refusals.check(self.image.module.file, AssemblyError)
        waits = WaitStates(flow, self.settings)
        for number, body in enumerate(bodies):
            operations = [] if number or self.full_waves else [_any_lanes()]
            numbers |= {
                index: at for at, index in enumerate(flow.blocks[number], first + len(operations))
            }
            operations += [
                waits.checked(index, operation, WAIT_STATES)
                for index, operation in zip(flow.blocks[number], body, strict=True)
            ]
            blocks.append(Block(number, first, operations, flow.successors(number)))
            first += len(operations)
        target = TARGETS[self.image.module.target]
        told = (self.kernel.name, self.full_waves, self.settings.strict, self.image.module.target)
        content = "\0".join([*map(str, told), self.text])
        meeting = meetings(flow)
        return Program(
            name=self.kernel.name,
            file=self.image.module.file,
            lanes=64,
            blocks=blocks,
            initial=self.initial | waits.counters,
            mask_registers=EXEC_PAIR,
            masked=True,
            asynchronous=True,
            # Waves of a workgroup share a CU, which keeps their vector accesses of global memory in
            # order (LLVM, AMDGPUUsage, "Memory Model gfx942", threadgroup split mode off; clang
            # waits for LDS alone before s_barrier), as the runtime takes it.
            synchronous_memory=False,
            front_end=_FRONT_END_CALLS if target.names_scopes else _UNSCOPED_CALLS,
            clocks=abi.ASYNC_CLOCKS if _copies(flow) else abi.PLAIN_CLOCKS,
            tables=self._tables,
            counters=COUNTERS,
            rules={**Rule.sentences, **dict(enumerate(waits.sentences(), WAIT_STATES))},
            pairs={
                rule: ("wait states are missing", numbers[index])
                for rule, index in enumerate(waits.firsts(), WAIT_STATES)
            },
            functions={**FUNCTIONS, **functions.FUNCTIONS},
            independent=independent(meeting),
            releases=bool(meeting),
            allocates=any(heap.allocates(bound.definition) for bound in flow.bounds()),
            banks=banks.rules_of(self.image.module.target),
            wording=AmdWording(target.names_scopes),
            places=self.image.module.places,
            preloaded=preloaded(self.kernel.descriptor),
            key=f"{source_hash(_FRONT_END)} {hashlib.sha256(content.encode()).hexdigest()}",
        )

    def _entry(self) -> int:
        """The first instruction; it is at byte 256 if arguments are preloaded into SGPRs.

        LLVM, AMDGPUUsage, "Preloaded Kernel Arguments": the code before is for older firmware.
        """
        label = self.image.label(self.kernel.name)
        if label is None:
            raise self.image.module.place(self.kernel.line).error(
                f"kernel {self.kernel.name} has no label of that name in a section with code"
            )
        offset = label
        if self.kernel.descriptor.kernarg_preload_length:
            offset += 256
        index = self.image.at.get(offset)
        if index is None:
            raise self.image.module.place(self.kernel.line).error(
                f"kernel {self.kernel.name} has no instruction where a wave begins (byte {offset})"
            )
        return index

    def _refuse(self, index: int, message: str) -> None:
        instruction = self.image.code[index].bound.instruction
        self._refusals.add(instruction.line, f"{message} (`{instruction.text}`)")

    # -- modes -------------------------------------------------------------------------------------
    def _check_rounding(self) -> None:
        """Refuse a kernel that begins in another rounding mode."""
        for name in ("float_round_mode_32", "float_round_mode_16_64"):
            mode = getattr(self.kernel.descriptor, name)
            if mode:
                self._refusals.add(
                    self.kernel.line,
                    f"only rounding to nearest even is emulated (`.amdhsa_{name} {mode}`)",
                )

    def _states(self, flow: Flow) -> list[Mode]:
        """The float mode at the beginning of each block: the same on every path to it."""
        modes: dict[int, Mode] = {0: Mode.of(self.kernel.descriptor)}
        work = [0]
        while work:
            block = work.pop()
            mode = modes[block]
            for index in flow.blocks[block]:
                mode = self._mode_after(index, mode)
            for successor in flow.successors(block):
                if successor not in modes:
                    modes[successor] = mode
                    work.append(successor)
                elif modes[successor] != mode:
                    self._refuse(
                        flow.blocks[successor][0],
                        "the float mode differs between the paths that lead here; set it on each "
                        "of them alike",
                    )
        return [modes.get(number, modes[0]) for number in range(len(flow.blocks))]

    def _mode_after(self, index: int, mode: Mode) -> Mode:
        bound = self.image.code[index].bound
        if bound.definition.kind == "getreg" and int(bound.operands[1].value) & 63 not in _READABLE:
            self._refuse(
                index,
                "of the hardware registers only HW_REG_MODE, HW_REG_HW_ID and "
                "HW_REG_XCC_ID can be read",
            )
        if bound.definition.kind != "mode":
            return mode
        field_bits, value = (int(operand.value) for operand in bound.operands[:2])
        if field_bits & 63 != _MODE_REGISTER:
            self._refuse(index, "of the hardware registers only HW_REG_MODE can be written")
        offset, size = field_bits >> 6 & 31, (field_bits >> 11) + 1
        mask = ((1 << size) - 1) << offset
        after = Mode.of_bits(mode.bits() & ~mask | value << offset & mask)
        if after is None:
            self._refuse(index, "only rounding to nearest even is emulated")
        return after or mode

    # -- operations --------------------------------------------------------------------------------
    def _body(self, flow: Flow, indices: Sequence[int], mode: Mode) -> list[Operation]:
        """Return the operations of a block; errors in them are recorded."""
        state, operations = _State(mode), []
        for place, index in enumerate(indices):
            state.left = len(indices) - place
            with self._refusals.noting():
                operations.append(self._operation(flow, index, state))
        if state.index is not None:
            self._refuse(indices[-1], "s_set_gpr_idx_off is missing in this block")
        return operations

    def _operation(self, flow: Flow, index: int, state: _State) -> Operation:
        placed = self.image.code[index]
        bound, definition = placed.bound, placed.bound.definition
        self._check_allocation(index, bound)
        values = self._values(flow, index, placed) | {"left": state.left}
        values["scratch"] = self.kernel.descriptor.has_scratch_buffer
        target = TARGETS[self.image.module.target]
        values["releases"] = self._flags and not target.names_scopes
        reads, writes = _touched(bound)
        run: Callable[[Context], None] = Context.run
        if definition.kind == "index_on":
            state.index = int(bound.operands[1].value)
        elif definition.kind == "index_mode" and state.index is not None:
            state.index = int(bound.operands[0].value)
        elif definition.kind == "index_off":
            state.index = None
        elif definition.kind == "relative":
            reads, writes = self._relative(index, bound, values, reads, writes)
        elif state.index and any(operand.kind == "v" for operand in bound.operands):
            run, reads, writes = self._indexed(index, state.index, values, reads, writes)
        mode = state.mode
        state.mode = self._mode_after(index, mode)
        counted = capacities(definition.name, definition.format.name)

        def emit(b: Builder) -> None:
            if counted:
                b.pending.make_room(counted)
            run(Context(b, bound, mode, values, target))

        return Operation(
            text=bound.instruction.shown,
            line=bound.instruction.line,
            emit=emit,
            reads=reads,
            writes=writes,
            undefines=definition.kind in _UNDEFINING,
            partial=_is_partial(bound),
            fills_mask=_fills_mask(bound),
            waits=definition.kind == "wait",
            kind=kind_of(definition),
            products=products_of(definition),
            uniform=of_wave(definition),
            addresses=addresses(bound),
            fetches=fetches(bound, self.kernel.descriptor),
            host=heap.host(definition, self.image.module.file, self.image.before),
        )

    def _values(self, flow: Flow, index: int, placed: Placed) -> dict[str, Any]:
        """Values that an instruction takes from the rest of the program."""
        values: dict[str, Any] = {"following": placed.offset + placed.bound.size}
        for position, (role, operand) in enumerate(
            zip(placed.bound.roles, placed.bound.operands, strict=True)
        ):
            if operand.expression is not None and role.place != "label":
                values[f"operand{position}"] = self.image.literal(operand.expression, placed)
        for name, value in placed.bound.instruction.modifiers.items():
            if not isinstance(value, (int, str, tuple)):
                line = placed.bound.instruction.line
                values[name] = self.image.evaluate(value, line).offset
        if index in flow.targets:
            values["target"] = flow.block_of[flow.targets[index]]
            values["status"] = abi.Run.YIELD if flow.polls(index) else abi.Run.ON
            values["gives_way"] = flow.reads(index) and not flow.polls(index)
        if placed.following is not None and placed.following in flow.block_of:
            values["next"] = flow.block_of[placed.following]
        if placed.bound.definition.kind == "jump":
            values["targets"] = [
                (self.image.code[one].offset, flow.block_of[one]) for one in flow.indirect
            ]
        if placed.bound.definition.extra.get("half"):
            values["keeps_halves"] = "sramecc-" in self.image.module.features
        names = placed.bound.definition.extra.get("tables")
        if names is not None:
            values["table"] = self._table(tuple(names(placed.bound.instruction)))
        return values

    def _table(self, names: tuple[str, ...]) -> int:
        """The number of the first of consecutive tables of the model."""
        if names not in self._table_numbers:
            self._table_numbers[names] = len(self._tables)
            self._tables += [table_of(name, self.settings.models) for name in names]
        return self._table_numbers[names]

    def _indexed(
        self,
        index: int,
        which: int,
        values: dict[str, Any],
        reads: tuple[Register, ...],
        writes: tuple[Register, ...],
    ) -> tuple[Callable[[Context], None], tuple[Register, ...], tuple[Register, ...]]:
        """v_mov_b32 under s_set_gpr_idx_on: any VGPR from the named one on may be meant."""
        bound = self.image.code[index].bound
        plain = bound.definition.name == "v_mov_b32" and bound.encoding in ("e32", "e64")
        if not plain or which not in (1, 8):
            self._refuse(index, "VGPR indexing is emulated for v_mov_b32 with SRC0 or DST")
            return Context.run, reads, writes
        position = 1 if which == 1 else 0
        if bound.operands[position].kind != "v":
            return Context.run, reads, writes
        base = bound.operands[position].index
        window = tuple(vgpr(number) for number in range(base, max(self._vgprs(), base + 1)))
        values["window"] = window
        values["indexes"] = "source" if which == 1 else "destination"
        reads = (*reads, M0_REGISTER, *window)
        return indexed_move, reads, writes if which == 1 else window

    def _relative(
        self,
        index: int,
        bound: Bound,
        values: dict[str, Any],
        reads: tuple[Register, ...],
        writes: tuple[Register, ...],
    ) -> tuple[tuple[Register, ...], tuple[Register, ...]]:
        """s_movrels, s_movreld: any SGPR from the named one on may be meant."""
        written = bound.definition.name.startswith("s_movreld")
        base = bound.operands[0 if written else 1].index
        if base > LAST_SGPR:
            self._refuse(index, "s_movrel is emulated from s0 to s101")
        window = tuple(scalar(number) for number in range(base, LAST_SGPR + 1))
        values["window"] = window
        return (*reads, *window), window if written else writes

    # -- registers ---------------------------------------------------------------------------------
    def _vgprs(self) -> int:
        """How many VGPRs the kernel has: up to where AGPRs begin, allocated by eights."""
        descriptor = self.kernel.descriptor
        allocated = -(-descriptor.next_free_vgpr // 8) * 8
        return min(
            allocated, 256 if allocated <= descriptor.accum_offset else descriptor.accum_offset
        )

    def _check_allocation(self, index: int, bound: Bound) -> None:
        """Refuse registers that the descriptor does not allocate."""
        descriptor = self.kernel.descriptor
        agprs = max(-(-descriptor.next_free_vgpr // 8) * 8 - descriptor.accum_offset, 0)
        for operand in bound.operands:
            if operand.kind == "v" and operand.index + operand.count > self._vgprs():
                self._refuse(
                    index,
                    f"{operand} is beyond the {self._vgprs()} VGPRs that the kernel allocates; "
                    "raise .amdhsa_next_free_vgpr or .amdhsa_accum_offset",
                )
            if operand.kind == "a" and operand.index + operand.count > agprs:
                self._refuse(
                    index,
                    f"{operand} is beyond the {agprs} AGPRs that the kernel allocates; raise "
                    ".amdhsa_next_free_vgpr",
                )


def _acquires(flow: Flow) -> bool:
    """Whether a reachable instruction may acquire from other work-groups."""
    names = (flow.image.code[index].bound.definition for block in flow.blocks for index in block)
    return any(each.kind == "fence" for each in names)


def _copies(flow: Flow) -> bool:
    """Whether reachable instructions load into LDS, or write through the scalar cache."""
    return any(
        "load_lds_" in bound.instruction.mnemonic
        or bound.instruction.modifiers.get("lds")
        or (bound.definition.format is SMEM and bound.definition.kind in ("store", "atomic"))
        for bound in flow.bounds()
    )


def _any_lanes() -> Operation:
    """Tell the analysis that a wave may begin with inactive lanes."""

    def emit(b: Builder) -> None:
        for register in EXEC_PAIR:
            b.registers.write(register, b.registers.read(register))

    return Operation("the kernel begins", 0, emit, EXEC_PAIR, EXEC_PAIR)


def _registers(operand: Operand) -> tuple[Register, ...]:
    if operand.kind == "special":
        return _SPECIAL_READS.get(operand.name, ())
    return registers_of(operand)


def _touched(bound: Bound) -> tuple[tuple[Register, ...], tuple[Register, ...]]:
    """The registers that an instruction reads and writes."""
    reads: list[Register] = []
    writes: list[Register] = []
    base = bound.definition.extra.get("counts_from")
    if base is not None:
        reads.append(base)
    for role, operand in zip(bound.roles, bound.operands, strict=True):
        registers = _registers(operand)
        if role.reads or (role.writes and _keeps_bits(bound, role.type)):
            reads += registers
        if role.writes:
            writes += registers
    return tuple(reads), tuple(writes)


def _keeps_bits(bound: Bound, kind: str) -> bool:
    """Whether part of the destination keeps its old value."""
    if bound.encoding == "sdwa":
        return bool(set(bound.instruction.modifiers) & SDWA_MODIFIERS)
    if kind not in HALVES:
        return False
    return bound.definition.high_half == "keep" or "op_sel" in bound.instruction.modifiers


def _is_partial(bound: Bound) -> bool:
    """Whether active lanes may keep their old value."""
    return bound.encoding == "dpp" or bool(bound.definition.extra.get("partial"))


def _fills_mask(bound: Bound) -> bool:
    """`s_mov_b64 exec, -1` and `s_or_saveexec_b64 s, -1`."""
    source = bound.operands[-1] if bound.operands else None
    if bound.definition.name == "s_or_saveexec_b64":
        source = bound.operands[3]
        return source.kind == "integer" and source.value == -1
    if bound.definition.name != "s_mov_b64" or source is None:
        return False
    ones = source.kind == "integer" and source.value == -1
    return ones and registers_of(bound.operands[0]) == EXEC_PAIR
