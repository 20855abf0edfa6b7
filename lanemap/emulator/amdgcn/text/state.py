"""Parser state: sections, symbols, the open kernel and the current line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lanemap.emulator.amdgcn.text.descriptor import check_key, make_descriptor
from lanemap.emulator.amdgcn.text.errors import AssemblyError
from lanemap.emulator.amdgcn.text.expressions import (
    Binary,
    Call,
    Expression,
    ExpressionError,
    Number,
    SymbolRef,
    Unary,
    Value,
    evaluate,
    parse_expression,
)
from lanemap.emulator.amdgcn.text.metadata import parse_arguments, parse_metadata, workgroup_limits
from lanemap.emulator.amdgcn.text.module import (
    Align,
    Data,
    Fixup,
    Fragment,
    Instruction,
    Kernel,
    Module,
    Section,
    Symbol,
)

_FLAGS = {".text": "ax", ".rodata": "a", ".data": "aw", ".bss": "aw", ".init_array": "aw",
          ".fini_array": "aw", ".tdata": "aw", ".tbss": "aw"}  # fmt: skip


class ParserState:
    """The module under construction.

    Attributes:
        line: Number of the line being read.
        skip_to: Lines up to this one were consumed by a directive (metadata).
        raw: The file's lines as they are, for blocks that are not assembly.
        source: What `.loc` said last.
        kernel: The open `.amdhsa_kernel` block: its name, line and keys; None outside one.
    """

    def __init__(self, file: str, raw: list[str], target: str) -> None:
        self.module = Module(file, target)
        self.raw = raw
        self.line = 0
        self.skip_to = 0
        self.source: tuple[str, int] | None = None
        self.files: dict[int, str] = {}
        self.kernel: tuple[str, int, dict[str, tuple[Expression, int]]] | None = None
        self.kernels: list[tuple[str, int, dict[str, tuple[Expression, int]]]] = []
        self.metadata: list[tuple[int, str]] = []
        self.section_stack: list[Section] = []
        self.previous = self.section = self.open_section(".text")
        self._local_labels: dict[str, int] = {}
        self._positions = 0

    def error(self, message: str, line: int | None = None) -> AssemblyError:
        """An error at the current line, or another."""
        return self.module.place(self.line if line is None else line).error(message)

    # Sections and what goes into them.

    def open_section(self, name: str, flags: str | None = None, zeros: bool = False) -> Section:
        """The section of this name, made at its first mention."""
        section = self.module.sections.get(name)
        if section is None:
            if flags is None:
                family = next((f for f in _FLAGS if name == f or name.startswith(f + ".")), "")
                flags = _FLAGS.get(family, "")
                zeros = family == ".bss"
            section = self.module.sections[name] = Section(name, flags, zeros)
        return section

    def enter(self, section: Section) -> None:
        """Make a section the current one."""
        self.previous, self.section = self.section, section

    def emit(self, fragment: Fragment) -> None:
        """Append to the current section."""
        if self.kernel is not None:
            raise self.error(f"the kernel block of {self.kernel[0]} needs .end_amdhsa_kernel")
        if isinstance(fragment, Align):
            self.section.alignment = max(self.section.alignment, fragment.alignment)
        self.section.fragments.append(fragment)

    def data(self) -> Data:
        """The data fragment at the end of the current section."""
        fragments = self.section.fragments
        if not fragments or not isinstance(fragments[-1], Data):
            self.emit(Data(self.line))
        last = fragments[-1]
        assert isinstance(last, Data)
        return last

    def emit_value(self, text: str, size: int) -> None:
        """Append an expression of `size` bytes."""
        expression = self.expression(text)
        data = self.data()
        if isinstance(expression, Number):
            value = expression.value
            if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size):
                raise self.error(f"{text} does not fit {size} bytes")
            data.content += (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")
            return
        data.fixups.append(Fixup(len(data.content), size, expression, self.line))
        data.content += bytes(size)

    # Symbols.

    def symbol(self, name: str) -> Symbol:
        """The symbol of this name, made at its first mention."""
        found = self.module.symbols.get(name)
        if found is None:
            found = self.module.symbols[name] = Symbol(name, line=self.line)
        return found

    def define_label(self, name: str) -> None:
        """Put a label at the end of the current section."""
        if name.isdigit():
            self._local_labels[name] = count = self._local_labels.get(name, 0) + 1
            name = f"{name}@{count}"
        symbol = self.symbol(name)
        if symbol.defined:
            raise self.error(f"{name} is defined twice; line {symbol.line} was the first time")
        symbol.line = self.line
        self.locate(symbol)

    def locate(self, symbol: Symbol) -> None:
        """Let a symbol stand for the current place."""
        fragments = self.section.fragments
        symbol.section = self.section.name
        symbol.fragment, symbol.delta = len(fragments), 0
        if fragments and isinstance(fragments[-1], Data):
            symbol.fragment, symbol.delta = len(fragments) - 1, len(fragments[-1].content)

    def assign(self, name: str, text: str) -> None:
        """`name = text` or `.set name, text`."""
        if name == ".":
            raise self.error("'.' cannot be assigned; use .skip or .p2align")
        expression = self.expression(text)
        symbol = self.symbol(name)
        if symbol.section is not None:
            raise self.error(f"{name} is a label, line {symbol.line}; it cannot be assigned")
        symbol.line = self.line
        symbol.expression = expression

    # Expressions.

    def constants(self, name: str) -> int | None:
        """The value of a symbol that is a plain number by now, else None."""
        symbol = self.module.symbols.get(name)
        if symbol is not None and isinstance(symbol.expression, Number):
            return symbol.expression.value
        return None

    def expression(self, text: str) -> Expression:
        """Parse an expression at the current line; `.` and `1b` become labels of their own."""
        try:
            return self.resolve(parse_expression(text, self.constants))
        except ExpressionError as error:
            raise self.error(str(error)) from None

    def resolve(self, expression: Expression) -> Expression:
        """The expression with `.` and local labels replaced by names."""
        if not isinstance(expression, SymbolRef):
            return _rebuild(expression, self.resolve)
        name = expression.name
        if name == ".":
            self._positions += 1
            symbol = self.symbol(f".@{self._positions}")
            self.locate(symbol)
            return SymbolRef(symbol.name)
        if name[0].isdigit():
            seen = self._local_labels.get(name[:-1], 0)
            if name[-1] == "b" and not seen:
                raise self.error(f"there is no label {name[:-1]}: before this line")
            return SymbolRef(f"{name[:-1]}@{seen + (name[-1] == 'f')}")
        return expression

    def constant(self, text: str, line: int) -> int:
        """The value of an expression that must be a number now.

        Raises:
            AssemblyError: It is malformed, or depends on what is not known yet.
        """
        try:
            value = evaluate(parse_expression(text, self.constants), self.value_of)
        except ExpressionError as error:
            raise self.error(str(error), line) from None
        if value.base is not None:
            raise self.error(f"{text!r} is an address; a number is needed here", line)
        return value.offset

    def value_of(self, name: str) -> Value:
        """The value of a symbol as far as it is known without addresses."""
        symbol = self.module.symbols.get(name)
        if symbol is None or not symbol.defined:
            raise ExpressionError(f"{name!r} is not defined")
        if symbol.expression is not None:
            return evaluate(symbol.expression, self.value_of)
        return Value(f"{symbol.section}#{symbol.fragment}", symbol.delta, symbol=name)

    # The end of the file.

    def finish(self) -> None:
        """Build the kernels, once every symbol is known."""
        if self.kernel is not None:
            raise self.error(
                f"the kernel block of {self.kernel[0]} needs .end_amdhsa_kernel", self.kernel[1]
            )
        entries: dict[str, dict[str, Any]] = {}
        for line, text in self.metadata:
            found, formats = parse_metadata(text, self.module.place(line))
            entries.update(found)
            self.module.formats.update(formats)
        for name, line, keys in self.kernels:
            self.module.kernels[name] = self._kernel(name, line, keys, entries.get(name, {}))
        for section in self.module.sections.values():
            for fragment in section.fragments:
                if isinstance(fragment, Instruction) and "x" not in section.flags:
                    raise self.error(
                        f"an instruction in section {section.name}, which holds no code; "
                        "write .text before it",
                        fragment.line,
                    )

    def _kernel(
        self,
        name: str,
        line: int,
        keys: dict[str, tuple[Expression, int]],
        entry: dict[str, Any],
    ) -> Kernel:
        place = self.module.place(line)
        symbol = self.module.symbols.get(name)
        if symbol is None or symbol.section is None:
            raise place.error(f"kernel {name} has no label {name}: before its first instruction")
        values: dict[str, int] = {}
        for key, (expression, key_line) in keys.items():
            try:
                value = evaluate(expression, self.value_of)
            except ExpressionError as error:
                raise self.error(str(error), key_line) from None
            check_key(key, value.offset, self.module.place(key_line), self.module.target)
            values[key] = value.offset
        required, most = workgroup_limits(entry, place)
        return Kernel(
            name=name,
            descriptor=make_descriptor(name, values, place),
            arguments=parse_arguments(name, entry, place),
            reqd_workgroup_size=required,
            max_flat_workgroup_size=most,
            metadata=entry,
            line=symbol.line,
        )


def _rebuild(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The same expression with every symbol passed through `change`."""
    if isinstance(expression, Unary):
        return replace(expression, operand=change(expression.operand))
    if isinstance(expression, Binary):
        return replace(expression, left=change(expression.left), right=change(expression.right))
    if isinstance(expression, Call):
        return replace(expression, arguments=tuple(change(part) for part in expression.arguments))
    return expression
