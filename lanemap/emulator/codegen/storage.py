"""Registers, masks, scratch rows and calls of the runtime: the lower half of the Builder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.program import Block, Program
from lanemap.emulator.codegen.values import BITS, Register, Value, integer_of
from lanemap.emulator.runtime import layout

#: Parameter types of the runtime's functions, after the wave (runtime/*.c).
RUNTIME = {
    "lm_load": "i32 i32 i64 i32 i32 i32 i32", "lm_store": "i32 i32 i64 i32 i32 i32 i32",
    "lm_load_uniform": "i32 i32 i32 i32 i32",
    "lm_atomic": "i32 i32 i64 i32 i32 i32 i32 i32 i32",
    "lm_gather": "i64 i64 i32 i32 i32 i32", "lm_scatter": "i64 i32 i32 i32",
    "lm_matrix": " ".join(["i32"] * 14),
    "lm_gather_chunks": "i32 i32 i32 i32 i32 i32",
    "lm_segment": "i32", "lm_issue": "i32 i32 i32 i32 i32 i32", "lm_wait": "i32 i32",
    "lm_undefined_row": "i32 i64 i32 i32", "lm_undefined_uniform": "i32 i32 i64 i32",
    "lm_write_back": "", "lm_acquire_all": "",
    "lm_rule": "i32 i64 i32 i64", "lm_touch_pending": "i32 i32",
}

#: What undefined bits decided (the `detail` of an undefined hazard); sentences in hazards.py.
DECIDES = ("address", "branch", "EXEC", "barrier operand", "matrix operand", "operand", "mask")


class Storage(Arithmetic):
    """Registers, masks, scratch rows and calls on top of Arithmetic."""

    def __init__(self, program: Program, block: Block, precise: bool) -> None:
        """Make the function of one block of a program."""
        super().__init__(program.lanes, precise)
        self.program = program
        self.block = block
        self.index = block.first            # number of the operation being emitted
        self._mask_full = program.mask_full(block)
        self._cache: dict[Register, Value] = {}
        self._dirty: dict[Register, None] = {}
        self._kept_lanes: str | None = None
        self._guard: Value | None = None
        self._base: Value | None = None
        self._base_known = False
        self._segment = block.first
        self._issued: set[int] = set()
        self.segments: dict[int, set[int]] = {}
        self._finished = False

    # -- the wave --------------------------------------------------------------------------------
    def _field(self, offset: int) -> str:
        return self.emit(f"getelementptr i8, ptr %w, i64 {offset}")

    def wave_field(self, name: str, kind: str, element: int = 0) -> Value:
        """A field of the runtime's Wave (layout.Wave) as a uniform value."""
        offset = layout.field_offset(name) + element * BITS[kind] // 8
        return Value(self.emit(f"load {kind}, ptr {self._field(offset)}"), kind, False)

    def set_wave_field(self, name: str, value: Value, element: int = 0) -> None:
        """Store a uniform value to a field of the runtime's Wave."""
        offset = layout.field_offset(name) + element * value.bits // 8
        self.do(f"store {value.type} {value.name}, ptr {self._field(offset)}")

    # -- masks -----------------------------------------------------------------------------------
    def mask(self) -> Value | None:
        """The lanes that execute, as a uniform integer; None where all lanes provably do."""
        if not self._base_known:
            self._base_known = True
            self._base = None if self._mask_full else self._read_mask()
        if self._guard is None:
            return self._base
        guard = self.ballot(self._guard)
        return guard if self._base is None else self.and_(self._base, guard)

    def _read_mask(self) -> Value:
        registers = self.program.mask_registers
        if registers is None:
            active = self.wave_field("active", "i64")
            return self.trunc(active, self.mask_type)
        parts = [self.read(register) for register in registers]
        return self.join(*parts) if len(parts) == 2 else parts[0]

    def mask_or_all(self) -> Value:
        """The lanes that execute, as a uniform integer in any case.

        The last wave of a workgroup may have fewer lanes; those that do not exist never count.
        """
        mask = self.mask()
        return self.trunc(self.wave_field("full", "i64"), self.mask_type) if mask is None else mask

    @contextlib.contextmanager
    def guarded(self, condition: Value) -> Iterator[None]:
        """Within, only lanes where the i1 `condition` holds execute (PTX's @p)."""
        previous, self._guard = self._guard, condition
        self.require_defined(condition, "mask")
        try:
            yield
        finally:
            self._guard = previous

    @contextlib.contextmanager
    def all_lanes(self) -> Iterator[None]:
        """Within, writes and accesses ignore the mask (instructions that disregard EXEC)."""
        previous = self._base, self._base_known, self._guard
        self._base, self._base_known, self._guard = None, True, None
        try:
            yield
        finally:
            self._base, self._base_known, self._guard = previous

    # -- registers -------------------------------------------------------------------------------
    def _touch(self, register: Register) -> None:
        if register.tracked < 0:
            return
        if register.tracked in self._issued:
            self.call("lm_touch_pending", self.index, register.tracked)
        self.segments.setdefault(self._segment, set()).add(register.tracked)

    def read(self, register: Register) -> Value:
        """The register's value; a hazard where an asynchronous operation has it pending."""
        self._touch(register)
        return self._current(register)

    def _current(self, register: Register) -> Value:
        value = self._cache.get(register)
        if value is None:
            value = self._load_slot(register)
            self._cache[register] = value
        return value

    def _slot_type(self, register: Register) -> tuple[str, int]:
        """The type in the slot (a mask for i1 of every lane) and its bytes."""
        if register.type == "i1":
            return (self.mask_type, self.lanes // 8) if register.lanes else ("i8", 1)
        width = BITS[register.type] // 8
        return self.typed(register.type, register.lanes), width * (
            self.lanes if register.lanes else 1)

    def _load_slot(self, register: Register) -> Value:
        offset = self.program.slots[register]
        kind, size = self._slot_type(register)
        name = self._from_slot(register, self.emit(f"load {kind}, ptr {self._field(offset)}, "
                                                   "align 4"))
        program, precise = self.program, self.precise
        if program.clean(self.block, register, precise) or not program.shadowed(register, precise):
            return Value(name, register.type, register.lanes)
        shadow = integer_of(register.type)
        kind = self.mask_type if kind == self.mask_type else (
            "i8" if kind == "i8" else self.typed(shadow, register.lanes))
        undefined = self._from_slot(
            register, self.emit(f"load {kind}, ptr {self._field(offset + size)}, align 4"))
        origin = None
        if self.precise:
            origin = self.emit(f"load {self.typed('i32', register.lanes)}, "
                               f"ptr {self._field(offset + 2 * size)}, align 4")
        return Value(name, register.type, register.lanes, undefined, origin)

    def _from_slot(self, register: Register, name: str) -> str:
        if register.type != "i1":
            return name
        if register.lanes:
            return self.emit(f"bitcast {self.mask_type} {name} to {self.typed('i1', True)}")
        return self.emit(f"trunc i8 {name} to i1")

    def _to_slot(self, register: Register, name: str) -> str:
        if register.type != "i1":
            return name
        if register.lanes:
            return self.emit(f"bitcast {self.typed('i1', True)} {name} to {self.mask_type}")
        return self.emit(f"zext i1 {name} to i8")

    def write(self, register: Register, value: Value) -> None:
        """Set the register: of every lane that executes, or the uniform one."""
        if value.type != register.type:
            raise ValueError(f"{register.name} has type {register.type}, not {value.type}")
        if value.lanes and not register.lanes:
            raise ValueError(f"{register.name} is uniform, the value is not")
        self._touch(register)
        if self.program.mask_registers and register in self.program.mask_registers:
            # undefined bits of the mask are a hazard here and now, so that it is defined after
            self.require_defined(value, "EXEC")
            value = Value(value.name, value.type, value.lanes, constant=value.constant)
        if register.lanes:
            value = self._into_lanes(register, self.spread(value))
        self._cache[register] = value
        self._dirty[register] = None
        if self.program.mask_registers and register in self.program.mask_registers:
            self._base_known = False
            self._mask_full = all(
                r in self._cache and self._cache[r].constant == (1 << BITS[r.type]) - 1
                for r in self.program.mask_registers)

    def _into_lanes(self, register: Register, value: Value) -> Value:
        """The register's value after a write to the lanes that execute.

        Where lanes part (PTX), the block's other lanes read nothing here: only a guard counts, and
        `keep` leaves those lanes alone.
        """
        mask = None
        if self.program.masked:
            mask = self.mask()
        elif self._guard is not None:
            mask = self._guard
        if mask is None or (register not in self._cache and register not in self.program.slots):
            return value
        flags = self.spread(mask) if mask.type == "i1" else self.lanes_of(mask)
        return self._merge(flags, value, self._current(register))

    def keep(self, pointer: str, kind: str, name: str) -> None:
        """Store a vector (or an integer that is a mask) to a slot, in the lanes that run here."""
        base = None if self.program.masked else self.mask()
        if base is None:
            self.do(f"store {kind} {name}, ptr {pointer}, align 4")
            return
        if kind == self.mask_type:
            old = self.emit(f"load {kind}, ptr {pointer}, align 4")
            differ = self.emit(f"xor {kind} {old}, {name}")
            change = self.emit(f"and {kind} {differ}, {base.name}")
            both = self.emit(f"xor {kind} {old}, {change}")
            self.do(f"store {kind} {both}, ptr {pointer}, align 4")
            return
        if self._kept_lanes is None:
            self._kept_lanes = self.lanes_of(base).name
        flags = f"{self.typed('i1', True)} {self._kept_lanes}"
        bits = kind.split()[-1].rstrip(">")
        if BITS[bits] < 32:
            old = self.emit(f"load {kind}, ptr {pointer}, align 4")
            both = self.emit(f"select {flags}, {kind} {name}, {kind} {old}")
            self.do(f"store {kind} {both}, ptr {pointer}, align 4")
            return
        suffix = {"float": "f32", "double": "f64"}.get(bits, bits)
        function = f"@llvm.masked.store.v{self.lanes}{suffix}.p0"
        self.declarations[function] = (
            f"declare void {function}({kind}, ptr, i32, {self.typed('i1', True)})")
        self.do(f"call void {function}({kind} {name}, ptr {pointer}, i32 4, {flags})")

    def _merge(self, mask: Value, new: Value, old: Value) -> Value:
        """New where the mask is set, else old, each with its own undefined bits."""
        plain = Value(mask.name, "i1", True)
        return self.select(plain, new, old)

    def require_defined(self, value: Value, decides: str) -> None:
        """A hazard if undefined bits of the value (in lanes that execute) decide something.

        `decides` is one of DECIDES.
        """
        if value.undefined is None:
            return
        detail = DECIDES.index(decides)
        if value.lanes:
            row = layout.SCRATCH_ROWS - 1
            self._store_row("undefined", row, self._widened(value.undefined, value.type))
            self._store_row("origin", row, self.origin_of(value, True))
            self.call("lm_undefined_row", self.index, self._mask64(), row, detail)
            return
        wide = value.undefined
        if value.bits < 64:
            wide = self.emit(f"zext {integer_of(value.type)} {wide} to i64")
        origin = Value(self.origin_of(value, False), "i32", False)
        self.call("lm_undefined_uniform", self.index, detail, Value(wide, "i64", False), origin)

    def _widened(self, undefined: str, kind: str) -> str:
        source, target = self.typed(integer_of(kind), True), self.typed("i32", True)
        if BITS[kind] < 32:
            return self.emit(f"sext {source} {undefined} to {target}")
        if BITS[kind] == 64:
            amount = "splat (i64 32)"
            high = self.emit(f"lshr {source} {undefined}, {amount}")
            both = self.emit(f"or {source} {undefined}, {high}")
            return self.emit(f"trunc {source} {both} to {target}")
        return undefined

    def _mask64(self) -> Value:
        mask = self.mask_or_all()
        return self.zext(Value(mask.name, mask.type, False), "i64")

    # -- calls of the runtime --------------------------------------------------------------------
    def call(self, function: str, *arguments: int | Value, returns: str = "void") -> str:
        """Call a runtime function with the wave and uniform arguments; gives the result operand."""
        types = RUNTIME[function].split()
        if len(types) != len(arguments):
            raise ValueError(f"{function} takes {len(types)} arguments")
        parts = ["ptr %w"]
        for kind, argument in zip(types, arguments, strict=True):
            if isinstance(argument, Value):
                value = argument if kind == "ptr" else self.resize(argument, kind)
                parts.append(f"{kind} {value.name}")
            else:
                parts.append(f"{kind} {argument}")
        self.declarations[function] = (
            f"declare {returns} @{function}({', '.join(['ptr', *types])})")
        text = f"call {returns} @{function}({', '.join(parts)})"
        if returns == "void":
            self.do(text)
            return ""
        return self.emit(text)

    def lane_call(self, function: str, inputs: Sequence[Value], outputs: Sequence[str],
                  row: int = 0, *arguments: int | Value) -> list[Value]:
        """Call `void function(Wave *, u32 instruction, u64 mask, u32 row, ..)` on lanes.

        `inputs` go to scratch rows from `row` (64-bit ones take two), results of the types
        `outputs` are read back from the same rows. Undefined: all or none of each result, from all
        inputs. For functions of the runtime that compute lane by lane (numeric.c, matrix.c).
        """
        self.store_rows(row, inputs)
        kinds = " ".join("i64" if isinstance(a, Value) and a.type == "i64" else "i32"
                         for a in arguments)
        RUNTIME.setdefault(function, f"i32 i64 i32 {kinds}".strip())
        self.call(function, self.index, self._mask64(), row, *arguments)
        results, at = [], row
        for kind in outputs:
            plain = self._row_value(kind, at)
            at += 2 if BITS[kind] == 64 else 1
            undefined = self.all_or_none(tuple(inputs), kind, True) if inputs else None
            results.append(self.result(plain.name, kind, True, undefined, tuple(inputs)))
        return results

    # -- scratch rows ----------------------------------------------------------------------------
    def _row_pointer(self, field: str, row: int) -> str:
        return self._field(layout.field_offset(field) + row * layout.MAX_LANES * 4)

    def _store_row(self, field: str, row: int, name: str) -> None:
        self.do(f"store {self.typed('i32', True)} {name}, ptr {self._row_pointer(field, row)}, "
                "align 64")

    def _words(self, value: Value) -> list[Value]:
        value = self.bitcast(self.spread(value), integer_of(value.type))
        if value.bits == 64:
            return list(self.split(value))
        return [self.zext(value, "i32")]

    def store_rows(self, row: int, values: Sequence[Value]) -> None:
        """Put values (with undefined bits and origins) into scratch rows from `row`."""
        for value in values:
            for word in self._words(value):
                self._store_row("value", row, word.name)
                self._store_row("undefined", row, self.undefined_or_zero(word, True))
                if self.precise:
                    self._store_row("origin", row, self.origin_of(word, True))
                row += 1

    def _load_lanes(self, field: str, row: int) -> str:
        return self.emit(f"load {self.typed('i32', True)}, ptr {self._row_pointer(field, row)}, "
                         "align 64")

    def _load_word(self, field: str, row: int) -> str:
        return self.emit(f"load i32, ptr {self._row_pointer(field, row)}")

    def _row_value(self, kind: str, row: int) -> Value:
        low = Value(self._load_lanes("value", row), "i32", True)
        if BITS[kind] == 64:
            high = Value(self._load_lanes("value", row + 1), "i32", True)
            return self.bitcast(self.join(low, high), kind)
        if BITS[kind] < 32:
            return self.bitcast(self.trunc(low, integer_of(kind)), kind)
        return self.bitcast(low, kind)

    def load_row(self, row: int, defined: bool = False) -> Value:
        """The i32 of a scratch row with the undefined bits that the runtime left there."""
        value = self._row_value("i32", row)
        if defined:
            return value
        undefined = self._load_lanes("undefined", row)
        origin = self._load_lanes("origin", row) if self.precise else None
        return Value(value.name, "i32", True, undefined, origin)
