"""The Builder: what an instruction's semantics is written with.

One Builder makes one block's function, `i32 block(ptr %w)`. A front end gives each Operation an
`emit(builder)` that reads registers and memory, computes, and writes; the Builder masks the writes,
carries undefined bits, and reports hazards with the operation's line; see docs/emulator.md.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from lanemap.emulator.codegen.program import Operation
from lanemap.emulator.codegen.storage import Storage
from lanemap.emulator.codegen.values import Register, Value, integer_of
from lanemap.emulator.runtime import layout

#: Read-modify-write operations, in the order of runtime/atomics.c.
ATOMICS = ("add", "sub", "rsub", "smin", "smax", "umin", "umax", "and", "or", "xor", "inc", "dec",
           "exchange", "cas", "fadd", "fmin", "fmax", "ptx_fadd")


def _kind(relaxed: bool, narrow: bool) -> int:
    return (layout.ACCESS_RELAXED if relaxed else 0) | (layout.ACCESS_NARROW if narrow else 0)


class Builder(Storage):
    """Memory, asynchronous operations and control flow on top of Storage."""

    # -- memory ----------------------------------------------------------------------------------
    def set_addresses(self, address: Value) -> None:
        """Give every lane's address (i32 or i64) to the runtime; undefined bits are a hazard."""
        self.require_defined(address, "address")
        wide = self.zext(self.spread(Value(address.name, address.type, address.lanes,
                                           constant=address.constant)), "i64")
        self.do(f"store {self.typed('i64', True)} {wide.name}, "
                f"ptr {self._field(layout.field_offset('address'))}, align 64")

    def load(self, space: int, address: Value, size: int, *, align: int = 1, relaxed: bool = False,
             narrow: bool = False, defined: bool = False) -> list[Value]:
        """Load `size` bytes (1, 2 or whole 32-bit words) a lane: i32 words, zero-extended.

        `space` is one of layout.SPACE_*. `align` > 1 makes misalignment a hazard. `relaxed` marks
        atomic or volatile accesses, which may race; `narrow` those that are so only within their
        CTA or cluster. `defined` promises that memory is (parameters).
        """
        self.set_addresses(address)
        kind = _kind(relaxed, narrow)
        self.call("lm_load", self.index, space, self._mask64(), size, align, 0, kind)
        known = defined or not self.precise
        return [self.load_row(row, known) for row in range((size + 3) // 4)]

    def load_uniform(self, space: int, address: Value, size: int, *, align: int = 4) -> list[Value]:
        """Load `size` bytes at one uniform address: uniform i32 words."""
        self.require_defined(address, "address")
        wide = self.zext(Value(address.name, address.type, False), "i64")
        self.set_wave_field("address", wide)
        self.call("lm_load_uniform", self.index, space, size, align, 0)
        words = []
        for row in range((size + 3) // 4):
            name = self._load_word("value", row)
            undefined = origin = None
            if self.precise:
                undefined = self._load_word("undefined", row)
                origin = self._load_word("origin", row)
            words.append(Value(name, "i32", False, undefined, origin))
        return words

    def store(self, space: int, address: Value, values: Sequence[Value], size: int, *,
              align: int = 1, relaxed: bool = False, narrow: bool = False) -> None:
        """Store the low `size` bytes of i32 words; undefined bits go to memory with them."""
        self.set_addresses(address)
        self.store_rows(0, values)
        kind = _kind(relaxed, narrow)
        self.call("lm_store", self.index, space, self._mask64(), size, align, 0, kind)

    def load_chunks(self, address: Value, size: int, registers: int, table: int, *,
                    align: int) -> list[Value]:
        """Every lane reads `size` bytes of shared memory; the layout map says who receives what.

        `table` is the number of a program table made by `gather_table`. All lanes take part; gives
        `registers` i32 values (the LDS transpose reads of gfx950).
        """
        with self.all_lanes():
            self.set_addresses(address)
            self.call("lm_gather_chunks", self.index, size, registers, align, 0, table)
        return [self.load_row(row, not self.precise) for row in range(registers)]

    def atomic(self, space: int, operation: str, address: Value, operand: Value,
               compare: Value | None = None, *, align: int = 1, narrow: bool = False) -> Value:
        """Read-modify-write of i32/i64 (float operations: the bits of f32/f64): the old value.

        `operation` is one of ATOMICS; `compare` is for cas.
        """
        self.set_addresses(address)
        self.store_rows(0, [operand])
        if compare is not None:
            self.store_rows(2, [compare])
        self.call("lm_atomic", self.index, space, self._mask64(), operand.bits // 8, align, 0, 2,
                  ATOMICS.index(operation), _kind(False, narrow))
        known = not self.precise
        low = self.load_row(0, known)
        return low if operand.bits == 32 else self.join(low, self.load_row(1, known))

    # -- asynchronous operations -----------------------------------------------------------------
    def issue(self, counter: int, registers: Sequence[Register], space: int = 2,
              out_of_order: bool = False) -> None:
        """The registers (consecutive `tracked` numbers) are pending until a wait on `counter`.

        Call it after the registers were written. `space` 0 or 1 ties the latest access there to the
        same completion, so that a barrier before the wait does not order it.
        """
        first = registers[0].tracked if registers else 0
        self.call("lm_issue", counter, self.index, first, len(registers), space, int(out_of_order))
        self._issued.update(register.tracked for register in registers)

    @contextlib.contextmanager
    def untouched(self) -> Iterator[None]:
        """Within, writes are those of an asynchronous operation (to be followed by `issue`)."""
        tracked = self._touch
        self._touch = lambda register: None  # type: ignore[method-assign]
        try:
            yield
        finally:
            self._touch = tracked  # type: ignore[method-assign]

    def write_issued(self, register: Register, value: Value) -> None:
        """Write a register that an asynchronous operation fills (to be followed by `issue`)."""
        with self.untouched():
            self.write(register, value)

    def wait(self, counter: int, allowed: int) -> None:
        """Wait until at most `allowed` operations of `counter` are outstanding."""
        self.call("lm_wait", counter, allowed)

    def begin_segment(self) -> None:
        """After the waits of an operation: registers touched from here are checked anew."""
        self._segment = self.index + 1
        self._issued.clear()
        self.call("lm_segment", self._segment)
        self.segments.setdefault(self._segment, set())

    def rule(self, condition: Value, detail: int, value: int | Value = 0,
             lanes: Value | None = None) -> None:
        """A hazard of the front end (number `detail` of its rules) if uniform i1 `condition` holds.

        It names `lanes` (a uniform i64 mask), those that execute by default. The call is made in
        any case; the runtime looks at the lanes, which are 0 if the condition does not hold.
        """
        named = self._mask64() if lanes is None else lanes
        lanes = self.select(condition, named, self.constant("i64", 0))
        self.call("lm_rule", self.index, lanes, detail, value)

    # -- control flow ----------------------------------------------------------------------------
    def begin(self) -> None:
        """Open the block: count its operations, check the registers that its first part touches."""
        executed = self.wave_field("executed", "i64")
        self.set_wave_field("executed", self.add(executed,
                                                 self.constant("i64", len(self.block.operations))))
        if self.program.asynchronous:
            self.call("lm_segment", self._segment)
            self.segments.setdefault(self._segment, set())

    def emit_operation(self, operation: Operation) -> None:
        """Emit one operation of the block."""
        operation.emit(self)
        self.index += 1

    def flush(self) -> None:
        """Store the registers that later blocks may read."""
        for register in self._dirty:
            if not self.program.live_out(self.block, register):
                continue
            value = self._cache[register]
            offset = self.program.slots[register]
            kind, size = self._slot_type(register)
            name = self._to_slot(register, self.operand(value, register.lanes))
            store = self.keep if register.lanes else self._store_slot
            store(self._field(offset), kind, name)
            if not self.program.shadowed(register, self.precise):
                if value.undefined is not None:
                    raise RuntimeError(f"{register.name} is undefined after block "
                                       f"{self.block.index} against the analysis")
                continue
            shadow_kind = kind if register.type == "i1" else self.typed(
                integer_of(register.type), register.lanes)
            shadow = self._to_slot(register, self.undefined_or_zero(value, register.lanes))
            store(self._field(offset + size), shadow_kind, shadow)
            if self.precise:
                store(self._field(offset + 2 * size), self.typed("i32", register.lanes),
                      self.origin_of(value, register.lanes))
        self._dirty.clear()

    def _store_slot(self, pointer: str, kind: str, name: str) -> None:
        self.do(f"store {kind} {name}, ptr {pointer}, align 4")

    def _leave(self, block: Value, status: int) -> None:
        self.flush()
        self.set_wave_field("block", block)
        self.do(f"ret i32 {status}")
        self._finished = True

    def goto(self, block: int, status: int = layout.RUN_ON) -> None:
        """End the block; the wave goes on at `block`, after `status` (layout.RUN_*) is handled."""
        self._leave(self.constant("i32", block), status)

    def branch(self, condition: Value, then: int, otherwise: int) -> None:
        """End the block with a uniform branch; an undefined condition is a hazard."""
        self.require_defined(condition, "branch")
        target = self.select(Value(condition.name, "i1", False), self.constant("i32", then),
                             self.constant("i32", otherwise))
        self._leave(target, layout.RUN_ON)

    # Lanes that part (PTX): what runs next is decided at run time (runtime/ptx_lanes.c).

    def end_with(self, function: str, *arguments: int | Value) -> None:
        """End the block with a function of the runtime that says what the wave does next."""
        self.flush()
        self.do(f"ret i32 {self.call(function, *arguments, returns='i32')}")
        self._finished = True

    def host(self, next_block: int) -> None:
        """End the block; the operation's `host` function runs before the wave goes on."""
        self.set_wave_field("host_instruction", self.constant("i32", self.index))
        self.goto(next_block, layout.RUN_HOST)

    @property
    def finished(self) -> bool:
        """Whether a terminator was emitted."""
        return self._finished
