"""What a launch runs: an entry as its front end describes it, with sizes and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lanemap.emulator.host.cluster import Initial, Place, Shape, Size
from lanemap.emulator.host.parameters import Parameter
from lanemap.emulator.host.printing import Prints

if TYPE_CHECKING:
    from lanemap.emulator.codegen.program import Program


class Entry(Prints, Protocol):
    """A front end's description of one kernel."""

    name: str
    parameters: Sequence[Parameter]
    """In the order of the text, without hidden ones."""

    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory that the text declares."""

    @property
    def private_bytes(self) -> int:
        """Bytes of private memory of each lane."""

    @property
    def program(self) -> Program:
        """The Program that is compiled; built at the first launch."""

    def initial(self, place: Place) -> Initial:
        """The registers that are defined when the waves of a CTA begin, and their values."""

    def parameter_block(
        self, arguments: bytes, grid: Size, block: Size, shared_bytes: int
    ) -> bytes:
        """The parameter (kernarg) segment for a launch."""

    @property
    def multiprocessors(self) -> int:
        """How many multiprocessors (compute units) the target's GPU has."""

    def resident(self, waves: int, shared_bytes: int) -> tuple[int, str]:
        """How many CTAs of that size a GPU of the target runs at once, and which GPU that is."""


@dataclass
class Work:
    """One launch: the entry, its sizes, its parameter space and where that lies."""

    entry: Entry
    shape: Shape
    parameters: int
    shared_bytes: int
    arguments: bytes
