"""What loading and launching an AMDGCN text needs to know of it, and how it is kept.

The rest of a text is read again where a report, an observer or a compiler asks for it
(lanemap/emulator/codegen/kept.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from lanemap.emulator.amdgcn.lower.contents import Contents
from lanemap.emulator.amdgcn.lower.wording import AmdWording
from lanemap.emulator.codegen import kept
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.values import Register
from lanemap.targets import TARGETS


@dataclass(frozen=True)
class Argument:
    """A kernel argument: bytes `offset` to `offset + size`.

    `kind` is its value kind in the metadata; the runtime fills in those that are `hidden_`.
    """

    name: str
    offset: int
    size: int
    kind: str

    @property
    def hidden(self) -> bool:
        """Whether the runtime, not the caller, fills it in."""
        return self.kind.startswith("hidden_")


@dataclass(frozen=True)
class EntryFacts:
    """A kernel as its descriptor and its metadata declare it.

    Attributes:
        name: Its symbol, declared in `line`.
        arguments: In order, hidden ones included.
        described: Whether the metadata has the kernel.
        required_block: (x, y, z) if the text demands one, else None.
        most_threads: Work-items of a group at most.
        shared_bytes, private_bytes: LDS and scratch that it declares, `dynamic_stack`: and more.
        argument_bytes, user_sgprs, user_sgpr_count, preload_offset, system_sgprs,
        workitem_id_dimensions: See `Descriptor`.
    """

    name: str
    line: int
    arguments: tuple[Argument, ...]
    described: bool
    required_block: tuple[int, int, int] | None
    most_threads: int
    shared_bytes: int
    private_bytes: int
    dynamic_stack: bool
    argument_bytes: int
    user_sgprs: tuple[tuple[str, int], ...]
    user_sgpr_count: int
    preload_offset: int
    system_sgprs: tuple[str, ...]
    workitem_id_dimensions: int


@dataclass(frozen=True)
class VariableFacts:
    """A variable of the image; see `host.variables.Variable`."""

    name: str
    offset: int
    size: int
    constant: bool
    initial: bool


@dataclass(frozen=True)
class TextFacts:
    """A text.

    Attributes:
        target: The processor that it is for.
        lds_bytes: Bytes of its LDS symbols.
        formats: Formats of printf by their hashes.
        entries: Its kernels, in the text's order.
        read_only_bytes, variables_at, variable_bytes: The two parts of the image.
        contents: What is in them; code has no contents.
        variables: What symbols name as objects.
        managed: Offsets of pointers, and of the variables that they must point to.
    """

    target: str
    lds_bytes: int
    formats: Mapping[int, bytes]
    entries: tuple[EntryFacts, ...]
    read_only_bytes: int
    variables_at: int
    variable_bytes: int
    contents: tuple[Contents, ...]
    variables: tuple[VariableFacts, ...]
    managed: tuple[tuple[int, int], ...]

    def record(self) -> dict[str, Any]:
        """The same in plain Python types."""
        return asdict(self)

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> TextFacts:
        """The facts of what `record` returned."""
        entries = []
        for each in record["entries"]:
            arguments = tuple(Argument(**one) for one in each["arguments"])
            entries.append(EntryFacts(**{**each, "arguments": arguments}))
        contents = tuple(Contents(**each) for each in record["contents"])
        variables = tuple(VariableFacts(**each) for each in record["variables"])
        parts = {"entries": tuple(entries), "contents": contents, "variables": variables}
        return cls(**{**record, **parts})


@dataclass(frozen=True)
class KernelFacts:
    """A kernel that was lowered.

    Attributes:
        named: Symbols that its code names.
        counters: Registers that begin with 0, beside what the descriptor asks for.
        program: The kernel as the core runs it.
    """

    named: frozenset[str]
    counters: frozenset[Register]
    program: Program

    def record(self) -> dict[str, Any]:
        """The same in plain Python types."""
        counters = [(each.name, each.type, each.lanes, each.tracked) for each in self.counters]
        return {
            "named": sorted(self.named),
            "counters": sorted(counters),
            "program": kept.record_of(self.program),
        }

    @classmethod
    def of_record(
        cls, record: Mapping[str, Any], file: str, target: str, lower: Callable[[], Program]
    ) -> KernelFacts:
        """The facts of what `record` returned; `lower` makes the program from its text."""
        wording = AmdWording(TARGETS[target].names_scopes)
        given = {"file": file, "extension": None, "wording": wording}
        return cls(
            frozenset(record["named"]),
            frozenset(Register(*words) for words in record["counters"]),
            kept.kept_program(record["program"], given, lower),
        )
