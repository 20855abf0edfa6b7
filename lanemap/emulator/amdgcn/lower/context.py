"""The interface of instruction semantics: operand values with modifiers applied."""

from __future__ import annotations

from typing import Any

from lanemap.emulator.amdgcn.lower import lanes
from lanemap.emulator.amdgcn.lower.constants import APERTURES, HALVES, constant_bits
from lanemap.emulator.amdgcn.lower.emission import Emission
from lanemap.emulator.amdgcn.lower.registers import EXEC_PAIR, SCC, VCC_PAIR, registers_of
from lanemap.emulator.amdgcn.lower.table import FLOAT_TYPES, LLVM_TYPES, Role
from lanemap.emulator.amdgcn.text.operands import Operand
from lanemap.emulator.codegen.values import Register, Value

#: High halves of the addresses of LDS and scratch in flat accesses; the low halves are zero.


class Context(Emission):
    """An instruction with its operands, as semantics reads and writes them."""

    # -- running -----------------------------------------------------------------------------------
    def run(self) -> None:
        """Emit the instruction."""
        definition = self.bound.definition
        if definition.raw:
            definition.function(self)
            return
        pairs = list(enumerate(zip(self.bound.roles, self.bound.operands, strict=True)))
        guard = None
        if self.bound.encoding == "dpp":
            guard = lanes.dpp_guard(self)
        inputs = [self.read(i) for i, (role, _) in pairs if role.reads]
        results = definition.function(self, *inputs)
        if not isinstance(results, tuple):
            results = (results,)
        outputs = [i for i, (role, _) in pairs if role.writes]
        if guard is None:
            for i, value in zip(outputs, results, strict=True):
                self.write(i, value)
            return
        with self.b.guarded(guard):
            for i, value in zip(outputs, results, strict=True):
                self.write(i, value)

    # -- reading -----------------------------------------------------------------------------------
    def read(self, position: int) -> Any:
        """The value that the role at `position` reads, with its modifiers."""
        role, operand = self.bound.roles[position], self.bound.operands[position]
        if role.place == "scc":
            return self.b.registers.read(SCC)
        if role.place in ("m", "vcc"):
            return self.b.lanes.of_mask(self.alu.join(*self.pair(operand)))
        if role.place == "exec":
            return self.alu.join(*(self.b.registers.read(r) for r in EXEC_PAIR))
        value = self._typed(position, role, operand)
        if role.type in FLOAT_TYPES or self.extra.get("float_modifiers"):
            value = self._float_modifiers(role, operand, value)
        return value

    def pair(self, operand: Operand) -> tuple[Value, Value]:
        """Both words of a scalar pair."""
        low, high = (self.b.registers.read(register) for register in registers_of(operand))
        return low, high

    def words(self, position: int) -> list[Value]:
        """The 32-bit words of an operand as i32, lowest first."""
        role, operand = self.bound.roles[position], self.bound.operands[position]
        if operand.is_register:
            return [self.b.registers.read(register) for register in registers_of(operand)]
        bits = self._constant(position, role.type, operand)
        return [self.constant("i32", bits >> 32 * word) for word in range(role.words)]

    def _constant(self, position: int, kind: str, operand: Operand) -> int:
        if self.bound.roles[position].place == "simm" and operand.kind == "integer":
            value = int(operand.value)
            # SOPK immediates have 16 bits, written with or without sign.
            return ((value + 0x8000) & 0xFFFF) - 0x8000 if self.sopk else value
        if operand.kind == "expression":
            return int(self.values[f"operand{position}"])
        if operand.kind == "special":
            if operand.name in APERTURES:
                return APERTURES[operand.name] << 32
            raise ValueError(f"{operand} is no constant")
        return constant_bits(operand, kind)

    def _special(self, operand: Operand) -> Value | None:
        """A one-bit source as i32."""
        if operand.name == "scc":
            return self.alu.zext(self.b.registers.read(SCC), "i32")
        pairs = {"vccz": VCC_PAIR, "execz": EXEC_PAIR}
        if operand.name in pairs:
            wide = self.alu.join(*(self.b.registers.read(r) for r in pairs[operand.name]))
            return self.alu.zext(self.alu.compare("eq", wide, self.constant("i64", 0)), "i32")
        return None

    def _typed(self, position: int, role: Role, operand: Operand) -> Any:
        kind = role.type
        if operand.kind == "special" and role.words == 1:
            special = self._special(operand)
            if special is not None:
                return special if kind == "i32" else self.alu.bitcast(special, LLVM_TYPES[kind])
        if not operand.is_register and kind in LLVM_TYPES:
            bits = self._constant(position, kind, operand)
            high = kind in HALVES and self._picks_high(position)
            return self.constant(LLVM_TYPES[kind], bits >> 16 if high else bits)
        words = self.words(position)
        if kind[0] == "w" and kind[1:].isdigit():
            return words
        if kind in ("pkf32", "pk32"):
            return words
        words = self._rearranged(position, words)
        if kind in ("i64", "s64", "f64"):
            return self.alu.bitcast(self.alu.join(words[0], words[1]), LLVM_TYPES[kind])
        if kind in HALVES:
            return self.alu.bitcast(self._half(position, words[0]), LLVM_TYPES[kind])
        return self.alu.bitcast(words[0], LLVM_TYPES[kind])

    def source_number(self, position: int) -> int:
        """0 for src0, 1 for src1, ..: counted over explicit vector sources."""
        return sum(
            role.reads and not role.writes and role.place in ("x", "v") and not role.implied
            for role in self.bound.roles[:position]
        )

    def is_source(self, position: int, number: int) -> bool:
        """Whether the role at `position` is the vector source of that number."""
        role = self.bound.roles[position]
        plain = role.reads and not role.writes and not role.implied
        return plain and role.place in ("x", "v") and self.source_number(position) == number

    def _rearranged(self, position: int, words: list[Value]) -> list[Value]:
        """DPP moves src0 between lanes; SDWA selects bytes or halves."""
        role = self.bound.roles[position]
        if role.writes or role.implied or role.place not in ("x", "v"):
            return words
        number = self.source_number(position)
        if self.bound.encoding == "dpp" and number == 0:
            return [lanes.dpp_source(self, word) for word in words]
        if self.bound.encoding == "sdwa":
            return [lanes.sdwa_source(self, words[0], number, self.bound.operands[position].sext)]
        return words

    def _half(self, position: int, word: Value) -> Value:
        """The low half of a register, or the high one where op_sel says so."""
        if self._picks_high(position):
            word = self.alu.lshr(word, self.constant("i32", 16))
        return self.alu.trunc(word, "i16")

    def _picks_high(self, position: int) -> bool:
        """Whether op_sel picks the high half of a 16-bit source."""
        form = self.bound.encoding or self.bound.definition.format.name
        reads = form in ("e64", "VOP3P") and not self.bound.roles[position].writes
        return reads and bool(self.bit("op_sel", self.source_number(position)))

    def _float_modifiers(self, role: Role, operand: Operand, value: Any) -> Any:
        b = self.b
        if isinstance(value, list):
            return value
        kind = role.type
        if not role.writes and (operand.absolute or operand.negate):
            plain = value
            if kind == "i32":
                plain = b.alu.bitcast(value, "float")
            if operand.absolute:
                plain = b.alu.fabs(plain)
            if operand.negate:
                plain = b.alu.fneg(plain)
            value = b.alu.bitcast(plain, value.type)
        if self.mode.flushes(kind, False) and not self.extra.get("keeps_subnormals"):
            value = b.alu.flushed(value)
        return value

    # -- writing -----------------------------------------------------------------------------------
    def write(self, position: int, value: Any) -> None:
        """Write what the role at `position` writes."""
        role, operand = self.bound.roles[position], self.bound.operands[position]
        b = self.b
        if role.place == "scc":
            b.registers.write(SCC, value)
        elif role.place in ("m", "vcc"):
            self.write_mask(operand, value)
        elif role.place == "exec":
            self.write_words(EXEC_PAIR, self.split(value))
        else:
            self.write_words(registers_of(operand), self._result_words(position, role, value))

    def split(self, wide: Value) -> list[Value]:
        """Return low and high words; words of a constant stay constant for the EXEC analysis."""
        if wide.constant is None:
            return list(self.alu.split(wide))
        return [self.constant("i32", wide.constant), self.constant("i32", wide.constant >> 32)]

    def write_mask(self, operand: Operand, condition: Value) -> None:
        """Write an i1 of every lane to a scalar pair; lanes that do not execute give 0."""
        b = self.b
        mask = b.masks.active()
        flags = b.lanes.ballot(condition)
        if mask is not None:
            flags = b.alu.and_(flags, mask)
        self.write_words(registers_of(operand), list(b.alu.split(flags)))

    def write_words(self, registers: tuple[Register, ...], words: list[Value]) -> None:
        """Write i32 words to registers."""
        for register, word in zip(registers, words, strict=True):
            if register in EXEC_PAIR:
                # Undefined bits are a hazard here and now; none are left to be followed.
                word = self.b.checks.require_defined(word, "execution mask")
            self.b.registers.write(register, word)

    def _result_words(self, position: int, role: Role, value: Any) -> list[Value]:
        b = self.b
        if isinstance(value, list):
            return [b.alu.bitcast(word, "i32") for word in value]
        kind = role.type
        if kind in FLOAT_TYPES and kind not in ("pkf16", "pkf32"):
            value = self.float_result(kind, value)
        if kind in ("i64", "s64", "f64"):
            return self.split(value)
        if kind in HALVES:
            return [self._half_result(position, value)]
        word = b.alu.bitcast(value, "i32")
        return [lanes.sdwa_result(self, position, word) if self.bound.encoding == "sdwa" else word]

    def float_result(self, kind: str, value: Value) -> Value:
        """A float result with subnormals flushed, scaled and clamped as modes and modifiers ask.

        The output modifiers mul and div do nothing where subnormal results are kept or MODE.ieee
        is set, and turn -0 into +0 (AMD CDNA3 ISA, 6.2.2).
        """
        b, flushes = self.b, self.mode.flushes(kind, True)
        if flushes and not self.extra.get("keeps_subnormals"):
            value = b.alu.flushed(value)
        factor = self.modifier("mul", 1) / self.modifier("div", 1)
        if factor != 1 and flushes and not self.mode.ieee:
            value = b.alu.float_op("fmul", value, lanes.float_constant(self, kind, factor))
            value = b.alu.float_op(
                "fadd", b.alu.flushed(value), lanes.float_constant(self, kind, 0.0)
            )
        if self.modifier("clamp"):
            value = lanes.clamped(self, kind, value)
        return value

    def write_half(self, position: int, value: Value, high: bool) -> None:
        """Replace one half of a register by a 16-bit value."""
        (register,) = registers_of(self.bound.operands[position])
        half = self.alu.zext(self.alu.bitcast(value, "i16"), "i32")
        self.b.registers.write(
            register, lanes.with_half(self, self.b.registers.read(register), half, high)
        )

    def _half_result(self, position: int, value: Value) -> Value:
        """A 16-bit result in its register: the other half zero or kept."""
        b = self.b
        word = b.alu.zext(b.alu.bitcast(value, "i16"), "i32")
        if self.bound.encoding == "sdwa":
            return lanes.sdwa_result(self, position, word)
        sources = sum(
            role.reads and not role.writes and role.place in ("x", "v") for role in self.bound.roles
        )
        high = bool(self.bit("op_sel", sources))
        if not high and self.bound.definition.high_half == "zero":
            return word
        (register,) = registers_of(self.bound.operands[position])
        return lanes.with_half(self, b.registers.read(register), word, high)
