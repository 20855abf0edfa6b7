"""The parsed form of assembly text: instructions, sections, symbols and kernels.

Addresses are not known yet: a section is a list of fragments, and the instruction table gives
instruction sizes when the image is laid out (`lanemap.emulator.amdgcn.lower.image`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lanemap.emulator.amdgcn.text import PROCESSOR
from lanemap.emulator.amdgcn.text.errors import Place
from lanemap.emulator.amdgcn.text.expressions import Expression
from lanemap.emulator.amdgcn.text.modifiers import ModifierValue
from lanemap.emulator.amdgcn.text.operands import Operand


@dataclass(slots=True)
class Instruction:
    """One instruction as written.

    Attributes:
        mnemonic: Without the encoding suffix: "v_add_u32".
        encoding: The suffix: "", "e32", "e64", "dpp", "sdwa".
        operands: In the order written.
        modifiers: By name: {"offset": 16, "sc0": True, "quad_perm": (0, 1, 2, 3)}.
        line: Line number in the file, from 1.
        text: The statement without comment, for messages.
        source: File and line that `.loc` named last, or None.
    """

    mnemonic: str
    encoding: str
    operands: tuple[Operand, ...]
    modifiers: dict[str, ModifierValue]
    line: int
    text: str
    source: tuple[str, int] | None = None

    @property
    def shown(self) -> str:
        """Its text, with the line of C, HIP or Python that it stands for."""
        if self.source is None:
            return self.text
        file, line = self.source
        return f"{self.text} // {file}:{line}"


@dataclass(slots=True)
class Fixup:
    """Bytes of a data fragment whose value is an expression.

    Attributes:
        offset: Where in the fragment, in bytes.
        size: 1, 2, 4 or 8 bytes, little-endian.
        expression: What to store.
        line: Where it was written.
    """

    offset: int
    size: int
    expression: Expression
    line: int


@dataclass(slots=True)
class Data:
    """Bytes between two instructions or alignments, with what must be filled in later."""

    line: int
    content: bytearray = field(default_factory=bytearray)
    fixups: list[Fixup] = field(default_factory=list)


@dataclass(slots=True)
class Align:
    """Padding up to a multiple of `alignment` bytes."""

    alignment: int
    fill: int
    line: int


Fragment = Instruction | Data | Align


@dataclass(slots=True)
class Section:
    """A section: its fragments in order, and what its flags say.

    Attributes:
        flags: ELF flags as letters: "a" allocated, "w" writable, "x" code.
        zeros: True for `@nobits` (.bss).
    """

    name: str
    flags: str = ""
    zeros: bool = False
    fragments: list[Fragment] = field(default_factory=list)
    alignment: int = 1

    @property
    def allocated(self) -> bool:
        """Whether the section is part of the image in memory."""
        return "a" in self.flags


@dataclass(slots=True)
class Symbol:
    """A label or an assigned name.

    Attributes:
        section: Section of a label; None for an assigned or undefined symbol.
        fragment: Index of the fragment that the label precedes or lies in.
        delta: Bytes into that fragment.
        expression: Value of an assigned symbol (`.set`), else None.
        binding: "local", "global" or "weak".
        kind: "notype", "function" or "object".
        size: What `.size` gave, or None.
    """

    name: str
    section: str | None = None
    fragment: int = 0
    delta: int = 0
    expression: Expression | None = None
    binding: str = "local"
    kind: str = "notype"
    size: Expression | None = None
    line: int = 0

    @property
    def defined(self) -> bool:
        """Whether the text gives the symbol a place or a value."""
        return self.section is not None or self.expression is not None


@dataclass(frozen=True)
class Argument:
    """A kernel argument as the metadata describes it: bytes `offset` to `offset + size`."""

    name: str
    offset: int
    size: int
    value_kind: str
    address_space: str = ""
    alignment: int = 0

    @property
    def hidden(self) -> bool:
        """Whether the runtime, not the caller, fills it in."""
        return self.value_kind.startswith("hidden_")


@dataclass(frozen=True)
class Descriptor:
    """The kernel descriptor: what a launch sets up (LLVM, AMDGPUUsage, "Kernel Descriptor").

    Attributes:
        group_segment_bytes: LDS that the kernel declares.
        private_segment_bytes: Scratch for each lane.
        kernarg_bytes: Size of the kernarg segment.
        user_sgprs: What lies in the first SGPRs, in order, as (name, registers); the names are
            those of the directives: "dispatch_ptr", "kernarg_segment_ptr", "kernarg_preload", ..
        user_sgpr_count: How many SGPRs come before the system SGPRs.
        kernarg_preload_offset: First dword of the kernarg segment that is preloaded.
        system_sgprs: Names after the user SGPRs: "workgroup_id_x", .., "workgroup_info".
        workitem_id_dimensions: 1, 2 or 3 ids packed in v0, ten bits each.
        next_free_vgpr: One more than the highest VGPR used, AGPRs counted in.
        next_free_sgpr: One more than the highest SGPR used.
        accum_offset: VGPR number of a0 in the unified file; a multiple of 4.
        float_round_mode_32, float_round_mode_16_64: 0 nearest even, 1 up, 2 down, 3 to zero.
        float_denorm_mode_32, float_denorm_mode_16_64: Bit 0 keeps denormal sources, bit 1 results
            (LLVM, AMDGPUUsage, "Floating Point Denorm Mode Enumeration Values").
        values: Every `.amdhsa_` key that was given, by its name without the prefix.
    """

    group_segment_bytes: int
    private_segment_bytes: int
    kernarg_bytes: int
    user_sgprs: tuple[tuple[str, int], ...]
    user_sgpr_count: int
    kernarg_preload_offset: int
    system_sgprs: tuple[str, ...]
    workitem_id_dimensions: int
    next_free_vgpr: int
    next_free_sgpr: int
    accum_offset: int
    float_round_mode_32: int
    float_round_mode_16_64: int
    float_denorm_mode_32: int
    float_denorm_mode_16_64: int
    dx10_clamp: bool
    ieee_mode: bool
    fp16_overflow: bool
    tg_split: bool
    enable_private_segment: bool
    uses_dynamic_stack: bool
    values: dict[str, int]

    @property
    def has_scratch_buffer(self) -> bool:
        """Whether it reaches scratch through a buffer, as where that is not architected."""
        return any(name == "private_segment_buffer" for name, _ in self.user_sgprs)

    @property
    def kernarg_preload_length(self) -> int:
        """How many dwords of the kernarg segment are preloaded into SGPRs."""
        return dict(self.user_sgprs).get("kernarg_preload", 0)


@dataclass(frozen=True)
class Kernel:
    """A function that can be launched.

    Attributes:
        name: Symbol of its first instruction.
        descriptor: From `.amdhsa_kernel`.
        arguments: From the metadata, hidden ones included, in order; () without metadata.
        reqd_workgroup_size: (x, y, z) if the text demands one, else None.
        max_flat_workgroup_size: Work-items at most, 1024 where the text does not say.
        metadata: The kernel's entry of the metadata as parsed.
    """

    name: str
    descriptor: Descriptor
    arguments: tuple[Argument, ...]
    reqd_workgroup_size: tuple[int, int, int] | None
    max_flat_workgroup_size: int
    metadata: dict[str, Any]
    line: int


@dataclass
class Module:
    """A parsed file.

    Attributes:
        file: Name for messages.
        target: Processor that `.amdgcn_target` names, or that of the device.
        features: Settings that it names, such as "sramecc+".
        lds: LDS symbols of `.amdgpu_lds`, as name -> (bytes, alignment).
        formats: Formats of printf by their hashes, from the metadata.
    """

    file: str
    target: str = PROCESSOR
    features: frozenset[str] = frozenset()
    sections: dict[str, Section] = field(default_factory=dict)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    kernels: dict[str, Kernel] = field(default_factory=dict)
    lds: dict[str, tuple[int, int]] = field(default_factory=dict)
    formats: dict[int, bytes] = field(default_factory=dict)

    def place(self, line: int) -> Place:
        """A line of this file, for messages."""
        return Place(self.file, line)

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source line that a line of the text stands for, as path and number."""
        source = next((each.source for each in self.instructions() if each.line == line), None)
        return () if source is None else (source,)

    def instructions(self) -> list[Instruction]:
        """Every instruction, section by section, in order."""
        return [
            fragment
            for section in self.sections.values()
            for fragment in section.fragments
            if isinstance(fragment, Instruction)
        ]
