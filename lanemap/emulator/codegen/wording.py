"""Terms a front end uses in reports, and the sentences for hazards that only it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.layout import SPACE_NAMES
from lanemap.emulator.runtime.records import HazardRecord

if TYPE_CHECKING:
    from lanemap.emulator.codegen.operation import Operation

#: Writes down an instruction within a sentence: its whole text, or its opcode alone.
Quote = Callable[["Operation"], str]
#: Between the text of an instruction and its source line, and between a line and what it inlines.
SOURCE, INLINES = " // ", " inlines "


def quote_text(operation: Operation) -> str:
    """The whole text of an instruction, as assembled, with its source line if that is known."""
    return f"`{operation.text}`"


def opcode(text: str) -> str:
    """The opcode of an instruction with its modifiers, without guard and operands."""
    words = text.split() or [""]
    return words[1 if len(words) > 1 and words[0].startswith("@") else 0].rstrip(";")


def quote_opcode(operation: Operation) -> str:
    """The opcode of an instruction, and where its source line is, if that is known."""
    source = operation.text.partition(SOURCE)[2]
    at = " " if source.startswith("called") else " at "
    return f"`{opcode(operation.text)}`" + (f"{at}{source_text(source)}" if source else "")


def source_text(source: str) -> str:
    """`k.cu:9, in c.h:4` for `k.cu:5 inlines k.cu:9 inlines b.h:8 inlines c.h:4`.

    The user's line is the innermost one in the file of the kernel; the innermost of all follows.
    """
    places = source.split(INLINES)
    kernel = places[0].rpartition(":")[0]
    own = next(each for each in reversed(places) if each.rpartition(":")[0] == kernel)
    return ", in ".join(dict.fromkeys((own, places[-1])))


@dataclass(frozen=True)
class Other:
    """The other side of a hazard: what was not waited for, or is not in order with it.

    Attributes:
        operation: Its number, from 0; None if it is not known.
        did: The verb: "reads", "writes" or "waits", or "issued" for a pending access.
        member: The wave, as a member of its cluster; None if it is not known.
        cluster: Its cluster; None for the one of the hazard.
        lane: Its lane; None if it is not known, or means nothing.
    """

    operation: int | None
    did: str
    member: int | None = None
    cluster: int | None = None
    lane: int | None = None


@dataclass(frozen=True)
class Told:
    """The parts of a report of a hazard.

    `cause` says what is missing or wrong in words that hazards of one fault share: it names no
    place and no number.
    """

    kind: str
    sentence: str
    cause: str
    other: Other | None = None


@dataclass(frozen=True)
class Apart:
    """Mask of waiting lanes: at the first operation of a block if `begins`, else before it."""

    mask: int
    block: int
    begins: bool


class Wording:
    """The terms of an instruction set; each front end derives its own from these neutral ones.

    Attributes:
        cta: The manuals' term for a CTA.
        wave: Their term for a wave.
        multiprocessor: Their term for the unit that CTAs run on.
        execution_mask: Their term for the mask of active lanes.
        engine_memory: Their term for the private memory of an engine.
        waits: The thing that a wave waits for, by the value of `Wave.barrier` during the wait.
            Other values are barriers.
        notes: Why what a note names works although the instruction set does not guarantee it, by
            the note's number.
    """

    cta = "workgroup"
    wave = "wave"
    multiprocessor = "compute unit"
    execution_mask = "execution mask"
    engine_memory = "engine memory"
    waits: Mapping[int, str] = {}
    notes: Mapping[int, str] = {
        abi.NOTE_REPLICAS: "no order is guaranteed, but both computed one value, equal or apart "
                           "by rounding, and either is right",
    }  # fmt: skip

    def memory(self, space: int) -> str:
        """Name a memory (`space` is one of abi.Space)."""
        return self.engine_memory if space == abi.Space.ENGINE else SPACE_NAMES[abi.Space(space)]

    def place(self, space: int, address: int) -> str:
        """Name a place in a memory other than global memory (`space` is one of abi.Space)."""
        return f"byte {address:#x}"

    def missing_order(self, record: HazardRecord, elsewhere: bool) -> str:
        """Name what would order two accesses, with a verb; `elsewhere`: of different CTAs."""
        return "a barrier, or release and acquire, is"

    def own_hazard(
        self,
        record: HazardRecord,
        operations: Sequence[Operation],
        name: Callable[[int], str],
        quote: Quote,
    ) -> Told:
        """Say what a hazard is that only the front end knows.

        `name` names a member of the cluster.
        """
        raise RuntimeError(f"no front end words hazards of kind {record.kind}")

    def apart(self, wave: abi.Wave) -> Sequence[Apart]:
        """Return where lanes wait if some wait for lanes elsewhere, the waiting ones first."""
        return ()

    def awaited(self, wave: abi.Wave) -> str:
        """Name what a blocked wave waits for."""
        return "the others"
