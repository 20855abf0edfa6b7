"""The parsed form of PTX text: functions and instructions with names resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from lanemap.emulator.ptx.text.operands import Operand, Register
from lanemap.emulator.ptx.text.variables import Variable

#: Bytes of a scalar type; `.pred` has none.
TYPE_BYTES = {
    **{f"{kind}{bits}": bits // 8 for kind in "bsu" for bits in (8, 16, 32, 64)},
    "b128": 16, "f16": 2, "f16x2": 4, "f32": 4, "f64": 8, "bf16": 2, "bf16x2": 4, "tf32": 4,
    "u16x2": 4, "s16x2": 4, "f32x2": 8, "e4m3": 1, "e5m2": 1, "e4m3x2": 2, "e5m2x2": 2,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the CUDA, Python or other source, as `.loc` gives it.

    Attributes:
        file: Number that a `.file` directive gives a name to.
        caller: Where the line was inlined, or None.
    """

    file: int
    line: int
    column: int
    caller: SourceLine | None = None


@dataclass(frozen=True, slots=True)
class CallTarget:
    """The target of a call, besides its operands.

    Attributes:
        results, arguments: Registers, immediates or variables of space "param", in order.
        prototype: For an indirect call, the signature that `.callprototype` gave.
        candidates: For an indirect call, the functions that `.calltargets` listed.
    """

    results: tuple[Register | Variable, ...]
    arguments: tuple[Operand | Variable, ...]
    prototype: Prototype | None = None
    candidates: tuple[str, ...] = ()


@dataclass(slots=True)
class Instruction:
    """One instruction as written.

    Attributes:
        opcode: Up to the first dot: "add", "tcgen05".
        modifiers: What follows, in order: ("rn", "ftz", "f32"), ("wait::ld", "sync", "aligned").
        operands: In the order written; of a call, the callee alone.
        guard: The predicate of `@p` or `@!p`, else None.
        guard_negated: True for `@!p`.
        line: Line in the PTX text, from 1.
        raw: The statement as written.
        source: The source line of the last `.loc`, if any.
        call: For `call`, its parameters.
    """

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Register | None
    guard_negated: bool
    line: int
    raw: str
    source: SourceLine | None = None
    call: CallTarget | None = None

    @property
    def name(self) -> str:
        """The opcode with its modifiers, "add.rn.ftz.f32"."""
        return ".".join((self.opcode, *self.modifiers))

    @property
    def text(self) -> str:
        """The statement on one line, for messages."""
        return " ".join(self.raw.split())


@dataclass(frozen=True, slots=True)
class Prototype:
    """Results and parameters of a function, by position."""

    results: tuple[Register | Variable, ...]
    parameters: tuple[Register | Variable, ...]
    noreturn: bool = False


@dataclass(slots=True)
class Function:
    """An entry (kernel) or a device function.

    Attributes:
        linkage: "", "visible", "extern" or "weak".
        prototype: Results and parameters; of an entry, variables of space "param".
        offsets: For an entry, the byte offset of each parameter.
        directives: Performance directives by name: {"maxntid": (128, 1, 1), "explicitcluster": ()}.
        defined: False for a declaration.
        body: The instructions in order.
        labels: Name of the label before an instruction, by index into body; debug labels too.
        registers: Every register that the body names.
        variables: `.local`, `.shared` and `.param` variables that the body declares.
        end_line: Line of the closing brace.
    """

    name: str
    is_entry: bool
    linkage: str
    prototype: Prototype
    line: int
    offsets: tuple[int, ...] = ()
    directives: dict[str, tuple[int, ...]] = field(default_factory=dict)
    defined: bool = False
    body: list[Instruction] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    registers: list[Register] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    end_line: int = 0

    @property
    def parameter_bytes(self) -> int:
        """Bytes of an entry's parameters together."""
        sizes = [item.size for item in self.prototype.parameters if isinstance(item, Variable)]
        return self.offsets[-1] + sizes[-1] if sizes else 0


@dataclass(slots=True)
class Module:
    """A parsed PTX text.

    Attributes:
        file: Name for messages.
        version: (major, minor).
        target: "sm_90a", of line `target_line`; `options` has what follows, ("debug",).
        address_size: 64 or 32 bits.
        variables: Module-scope variables by name.
        functions: Entries and device functions by name, declarations included.
        aliases: `.alias`: name to name.
        files: What `.file` says, by number.
    """

    file: str
    version: tuple[int, int] = (0, 0)
    target: str = ""
    target_line: int = 1
    options: tuple[str, ...] = ()
    address_size: int = 32
    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[int, str] = field(default_factory=dict)

    @property
    def entries(self) -> tuple[Function, ...]:
        """The kernels, in the order of the text."""
        return tuple(item for item in self.functions.values() if item.is_entry and item.defined)

    def source_name(self, source: SourceLine) -> str:
        """Name a source line as `file:line`; `k.cu:5 inlines b.h:8` begins with the kernel's."""
        name = f"{self.files.get(source.file, '?').rpartition('/')[2]}:{source.line}"
        caller = source.caller
        return f"{self.source_name(caller)} inlines {name}" if caller else name

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source lines that a line of the text stands for, as paths and numbers.

        The innermost comes first, then the line where that was inlined, and so on.
        """
        here = (i for function in self.functions.values() for i in function.body if i.line == line)
        source = next((i.source for i in here if i.source is not None), None)
        found = []
        while source is not None:
            found.append((self.files.get(source.file, "?"), source.line))
            source = source.caller
        return tuple(found)
