"""Hazards as exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lanemap.emulator.codegen.wording import opcode
from lanemap.emulator.host.cluster import Shape
from lanemap.emulator.runtime import abi
from lanemap.errors import Disagreement

if TYPE_CHECKING:
    from lanemap.emulator.codegen.program import Program

#: Names of the hazards that the core knows; the others are the front end's (Wording.own_hazard).
KINDS: dict[int, str] = {
    abi.Hazard.OUT_OF_BOUNDS: "out-of-bounds",
    abi.Hazard.MISALIGNED: "misaligned",
    abi.Hazard.UNDEFINED: "undefined",
    abi.Hazard.PENDING: "pending",
    abi.Hazard.ORDER: "order",
    abi.Hazard.RULE: "rule",
    abi.Hazard.READ_ONLY: "read-only",
    abi.Hazard.QUEUE: "too-many-outstanding",
    abi.Hazard.ENDED: "ended-cta",
}


@dataclass(frozen=True)
class Argument:
    """The argument of a launch that an address was computed from.

    Attributes:
        number: Its place, from 0.
        name: The parameter's name in the text.
        array: The array that it points into.
        size: Bytes of that array.
    """

    number: int
    name: str
    array: str
    size: int


@dataclass(frozen=True)
class Access:
    """One of the two accesses of a hazard, as far as it is known.

    Attributes:
        line: Line of the text; 0 if it is not known.
        instruction: What stands there.
        places: The source lines that the line stands for, innermost first: (path, number).
        did: "reads" or "writes"; "issued" for an operation whose result was not waited for.
        cta: Its number in the grid; None if it is not known.
        wave: The wave in it; None if it is not known.
        lane: None if it is not known, or means nothing.
        argument: What its address comes from; None if that is not known.
    """

    line: int
    instruction: str
    places: tuple[tuple[str, int], ...]
    did: str
    cta: int | None = None
    wave: int | None = None
    lane: int | None = None
    argument: Argument | None = None


@dataclass(frozen=True)
class Facts:
    """The parts of a hazard's sentence.

    Attributes:
        brief: The sentence with opcodes in place of whole instructions; "" if it has none.
        cause: What is missing or wrong, in words that hazards of one fault share.
        places: The source lines that the hazard's line stands for, innermost first.
        space: The memory that was accessed; "" if it was none.
        array: The array of global memory that was accessed, or is nearest.
        byte: Its byte; of another memory, the address. None if nothing was accessed.
        other: The other side.
        argument: The kernel argument that the address comes from; None if that is not known.
        strayed: "here" or "there" (the other side) if an address lies in another array than that of
            its argument.
        raced: The line of the read whose race left the bits undefined; 0 if none did.
    """

    brief: str = ""
    cause: str = ""
    places: tuple[tuple[str, int], ...] = ()
    space: str = ""
    array: str = ""
    byte: int | None = None
    other: Access | None = None
    argument: Argument | None = None
    strayed: Literal["", "here", "there"] = ""
    raced: int = 0


_NO_FACTS = Facts()


class Hazard(Disagreement):
    """An action that the instruction set forbids or gives no guarantee for.

    `kind` is one of KINDS' values, "deadlock" or "endless-loop". `line` and `instruction` name the
    place in `file`. `cta`, `wave` and `lane` identify the first lane; `lanes` is the mask of all.
    `facts` are what the sentence is made of; `brief` is it with opcodes for instructions.
    `note` is empty unless the action is only noted: then it says what provides what the instruction
    set does not guarantee. A note is never raised; in strict mode it is a hazard.
    """

    def __init__(
        self,
        kind: str,
        sentence: str,
        *,
        file: str = "",
        line: int = 0,
        instruction: str = "",
        cta: int = 0,
        wave: int = 0,
        lane: int = 0,
        lanes: int = 0,
        count: int = 1,
        note: str = "",
        facts: Facts = _NO_FACTS,
    ) -> None:
        place = f"{file}:{line}: " if line else (f"{file}: " if file else "")
        text = f"`{instruction}`: " if instruction else ""
        brief = facts.brief or sentence
        if note:
            sentence, brief = f"{sentence}; {note}", f"{brief}; {note}"
        super().__init__(f"{place}{text}{sentence}")
        self.kind, self.sentence, self.file, self.line = kind, sentence, file, line
        self.brief = brief
        self.instruction, self.cta, self.wave = instruction, cta, wave
        self.lane, self.lanes, self.count = lane, lanes, count
        self.note, self.facts = note, facts

    @property
    def opcode(self) -> str:
        """The instruction without its operands; "" if there is none."""
        return opcode(self.instruction)

    @property
    def severity(self) -> Literal["hazard", "note"]:
        """Whether this is a hazard, or what is only noted."""
        return "note" if self.note else "hazard"


def lanes_text(lanes: int) -> str:
    """`lane 3` or `lanes 0-31, 40`."""
    numbers = [lane for lane in range(abi.MAX_LANES) if lanes >> lane & 1]
    runs: list[list[int]] = []
    for lane in numbers:
        if runs and lane == runs[-1][1] + 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    parts = [str(a) if a == b else f"{a}-{b}" for a, b in runs]
    return ("lane " if len(numbers) == 1 else "lanes ") + ", ".join(parts)


def wave_text(program: Program, shape: Shape, cluster: int, member: int) -> str:
    """`wave 1`, followed by its CTA if clusters have more than one."""
    cta, wave = shape.number(cluster, member)
    name = f"{program.wording.wave} {wave}"
    return name if shape.ctas == 1 else f"{name} of {program.wording.cta} {cta}"


def who_text(program: Program, shape: Shape, cluster: int, member: int) -> str:
    """`CTA 3 wave 1`, with the rank in the cluster if clusters have more than one CTA."""
    cta, wave = shape.number(cluster, member)
    words = program.wording
    if shape.ctas == 1:
        return f"{words.cta} {cta} {words.wave} {wave}"
    rank = member // shape.waves
    return f"{words.cta} {cta} (rank {rank} of cluster {cluster}) {words.wave} {wave}"
