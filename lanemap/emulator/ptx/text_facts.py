"""What loading and launching a PTX text needs to know of it, and how it is kept.

The rest of a text is read again where a report, an observer or a compiler asks for it
(lanemap/emulator/codegen/kept.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from lanemap.emulator.codegen import kept
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.ptx.lower import cluster
from lanemap.emulator.ptx.lower.wording import PtxWording
from lanemap.emulator.ptx.text.variables import Relocation, Variable


@dataclass(frozen=True)
class EntryFacts:
    """A kernel as its signature declares it.

    Attributes:
        name: Its symbol.
        parameters: Name, first byte and size of each.
        parameter_bytes: Bytes of all parameters together.
        directives: Performance directives by name.
    """

    name: str
    parameters: tuple[tuple[str, int, int], ...]
    parameter_bytes: int
    directives: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class TextFacts:
    """A text.

    Attributes:
        target: What `.target` says, in line `target_line`.
        entries: Its kernels, in the text's order.
        variables: The variables of global and constant memory that it defines.
        functions: The names of all functions; addresses of functions are their numbers.
        aliases: `.alias`: name to name.
        meets_grid: Whether some function reads the barrier of a cooperative launch.
    """

    target: str
    target_line: int
    entries: tuple[EntryFacts, ...]
    variables: tuple[Variable, ...]
    functions: tuple[str, ...]
    aliases: Mapping[str, str]
    meets_grid: bool

    def record(self) -> dict[str, Any]:
        """The same in plain Python types."""
        return asdict(self)

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> TextFacts:
        """The facts of what `record` returned."""
        entries = tuple(EntryFacts(**each) for each in record["entries"])
        variables = []
        for each in record["variables"]:
            relocations = tuple(Relocation(**one) for one in each["relocations"])
            variables.append(Variable(**{**each, "relocations": relocations}))
        return cls(**{**record, "entries": entries, "variables": tuple(variables)})


@dataclass(frozen=True)
class KernelFacts:
    """A kernel that was lowered.

    Attributes:
        shared_bytes: Bytes of the shared memory that the text declares.
        private_bytes: Bytes of local memory of each lane, `fixed_private_bytes` of them for the
            variables that it declares.
        symbols: The names of the variables that the kernel names.
        timed_waits: Line and name of each wait that ptxas is known to miscompile, and those of the
            instruction behind it (timed_waits.py).
        program: The kernel as the core runs it.
    """

    shared_bytes: int
    private_bytes: int
    fixed_private_bytes: int
    symbols: tuple[str, ...]
    timed_waits: tuple[tuple[int, str, int, str], ...]
    program: Program

    def record(self) -> dict[str, Any]:
        """The same in plain Python types."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        extension = cluster.name_of(self.program.extension)
        return {**plain, "program": kept.record_of(self.program), "extension": extension}

    @classmethod
    def of_record(
        cls, record: Mapping[str, Any], file: str, lower: Callable[[], Program]
    ) -> KernelFacts:
        """The facts of what `record` returned; `lower` makes the program from its text."""
        plain = dict(record)
        given = {
            "file": file,
            "extension": cluster.named(plain.pop("extension")),
            "wording": PtxWording(),
        }
        return cls(**{**plain, "program": kept.kept_program(record["program"], given, lower)})
