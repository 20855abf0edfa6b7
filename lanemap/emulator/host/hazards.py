"""Hazards as exceptions, and the sentences that describe them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lanemap.emulator.codegen.checks import DECIDES
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.host.group import Shape
from lanemap.emulator.runtime import abi, layout
from lanemap.emulator.runtime.records import HazardRecord
from lanemap.errors import Disagreement

#: Names of the hazards that the core knows; the others are the front end's (Wording.own_hazard).
KINDS: dict[int, str] = {
    abi.Hazard.OUT_OF_BOUNDS: "out-of-bounds", abi.Hazard.MISALIGNED: "misaligned",
    abi.Hazard.UNDEFINED: "undefined", abi.Hazard.PENDING: "pending",
    abi.Hazard.ORDER: "order", abi.Hazard.RULE: "rule",
    abi.Hazard.READ_ONLY: "read-only", abi.Hazard.QUEUE: "too-many-outstanding",
    abi.Hazard.ENDED: "ended-cta",
}
#: Upper halves of generic addresses that are not global (run.SHARED_APERTURE and the other).
_WINDOWS = (0x0001_0000, 0x0002_0000)


class Hazard(Disagreement):
    """An action that the instruction set forbids or gives no guarantee for.

    `kind` is one of KINDS' values, "deadlock" or "endless-loop". `line` and `instruction` name the
    place in `file`. `group`, `wave` and `lane` identify the first lane; `lanes` is the mask of all.
    `note` is empty unless the action is only noted: then it says who provides what the instruction
    set does not guarantee. A note is never raised; in strict mode it is a hazard.
    """

    def __init__(self, kind: str, sentence: str, *, file: str = "", line: int = 0,
                 instruction: str = "", group: int = 0, wave: int = 0, lane: int = 0,
                 lanes: int = 0, count: int = 1, note: str = "") -> None:
        place = f"{file}:{line}: " if line else (f"{file}: " if file else "")
        text = f"`{instruction}`: " if instruction else ""
        if note:
            sentence = f"{sentence}; {note}"
        super().__init__(f"{place}{text}{sentence}")
        self.kind, self.sentence, self.file, self.line = kind, sentence, file, line
        self.instruction, self.group, self.wave = instruction, group, wave
        self.lane, self.lanes, self.count = lane, lanes, count
        self.note = note

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
    return name if shape.ctas == 1 else f"{name} of {program.wording.group} {cta}"


def who_text(program: Program, shape: Shape, cluster: int, member: int) -> str:
    """`CTA 3 wave 1`, with the rank in the cluster if clusters have more than one CTA."""
    cta, wave = shape.number(cluster, member)
    words = program.wording
    if shape.ctas == 1:
        return f"{words.group} {cta} {words.wave} {wave}"
    rank = member // shape.waves
    return f"{words.group} {cta} (rank {rank} of cluster {cluster}) {words.wave} {wave}"


def describe(program: Program, noted: abi.HazardRecord, shape: Shape,
             origin: Callable[[int], str], region: Callable[[int], str]) -> Hazard:
    """Return the exception for a hazard record of the runtime, in a launch of the given shape.

    `origin(number)` says where undefined bits came from; `region(address)` names what is there.
    """
    record = HazardRecord.of(noted)
    operations = list(program.operations())
    operation = operations[record.instruction]
    if record.kind == abi.Hazard.PENDING and not record.size:
        operation = _toucher(operations, record) or operation
    if record.kind in KINDS:
        kind = KINDS[record.kind]
        sentence = _sentence(program, record, operations, shape, origin, region)
    else:
        kind, sentence = program.wording.own_hazard(
            record, operations,
            lambda member: wave_text(program, shape, record.group, member))
    who = f"{who_text(program, shape, record.group, record.wave)} {lanes_text(record.lanes)}"
    group, wave = shape.number(record.group, record.wave)
    return Hazard(kind, f"{sentence} ({who})", file=program.file, line=operation.line,
                  instruction=operation.text, group=group, wave=wave, lane=record.lane,
                  lanes=record.lanes, count=record.count,
                  note=program.wording.notes[record.note - 1] if record.note else "")


def _sentence(program: Program, record: HazardRecord, operations: list[Operation], shape: Shape,
              origin: Callable[[int], str], region: Callable[[int], str]) -> str:
    """Return the sentence for a hazard that the core knows."""
    sentences: dict[int, Callable[[], str]] = {
        abi.Hazard.OUT_OF_BOUNDS: lambda: _out_of_bounds(program, record, region),
        abi.Hazard.MISALIGNED: lambda: (
            f"address {record.address:#x} in {program.wording.memory(record.space)} is not a "
            f"multiple of {record.size} bytes, which this instruction needs"),
        abi.Hazard.UNDEFINED: lambda: (
            f"undefined bits {record.info[0]:#x} decide the {_decided(program, record.detail)}"
            f"{origin(record.origin)}"),
        abi.Hazard.PENDING: lambda: _pending(program, operations, record),
        abi.Hazard.ORDER: lambda: _order(program, record, operations, shape, region),
        abi.Hazard.RULE: lambda: program.rules[record.detail].format(*record.info),
        abi.Hazard.READ_ONLY: lambda: f"writes {record.size} bytes of read-only memory at "
                                         f"{record.address:#x} ({region(record.address)})",
        abi.Hazard.QUEUE: lambda: f"more than {abi.QUEUE} asynchronous operations are "
                                     "outstanding; wait for some",
        abi.Hazard.ENDED: lambda: _ended(record),
    }
    return sentences[record.kind]()


def _decided(program: Program, detail: int) -> str:
    decided = DECIDES[detail]
    return program.wording.execution_mask if decided == "execution mask" else decided


def _out_of_bounds(program: Program, record: HazardRecord, region: Callable[[int], str]) -> str:
    space = program.wording.memory(record.space)
    generic = record.space == abi.Space.GENERIC
    if record.space == abi.Space.GLOBAL or generic and record.address >> 32 not in _WINDOWS:
        return (f"{record.size} bytes at {record.address:#x} are outside every allocation of "
                f"{layout.SPACE_NAMES[abi.Space.GLOBAL]} ({region(record.address)})")
    ctas, own, rank = record.info[0], record.info[1], record.address >> abi.RANK_SHIFT & 0xFF
    if ctas > 1 and record.space != abi.Space.PRIVATE and rank >= ctas:
        return (f"{record.size} bytes at {record.address:#x} are in the shared memory of CTA {rank}"
                f" of the cluster, which has {ctas}")
    if record.space == abi.Space.SHARED and rank != own:
        return (f"{record.size} bytes at {record.address:#x} are in the shared memory of CTA {rank}"
                f" of the cluster, but this instruction reaches only that of its own CTA, {own}")
    return f"{record.size} bytes at {record.address:#x} are outside the {space} of this launch"


def _ended(record: HazardRecord) -> str:
    rank = record.info[0]
    if record.info[1]:
        return f"accesses the shared memory of CTA {rank} of the cluster after that CTA has ended"
    return (f"CTA {rank} of the cluster may end before this access to its shared memory: a cluster "
            "barrier is missing between them")


def _named(operations: list[Operation], number: int) -> str:
    """` at line 7 (`st.shared ..`)` for an operation's number from 1, "" for 0."""
    if not number:
        return ""
    operation = operations[number - 1]
    return f" at line {operation.line} (`{operation.text}`)"


def _order(program: Program, record: HazardRecord, operations: list[Operation], shape: Shape,
           region: Callable[[int], str]) -> str:
    """Name both accesses, the missing order, and where the value of a racing load was used."""
    names: dict[int, str] = {abi.AccessKind.LOAD: "read", abi.AccessKind.STORE: "write"}
    now = "writes" if record.detail & abi.AccessKind.STORE else "reads"
    earlier = names[record.detail >> 8]
    space = layout.SPACE_NAMES[record.space]
    where = f"byte {record.address:#x}"
    if record.space == abi.Space.GLOBAL:
        where = f"{record.address:#x} ({region(record.address)})"
    cta, wave = shape.number(record.info[0], record.info[1])
    words = program.wording
    other = f"{words.wave} {wave}"
    elsewhere = record.info[1] // shape.waves != record.wave // shape.waves
    if elsewhere or record.info[0] != record.group:
        other += f" of {words.group} {cta}"
    if record.earlier_lane:
        same = record.info[1] == record.wave
        other = f"lane {record.earlier_lane - 1} of {f'the same {words.wave}' if same else other}"
    return (f"{now} {space} at {where} without being ordered after the {earlier} by {other}"
            f"{_named(operations, record.earlier)}: "
            f"{words.missing_order(record, elsewhere)} missing between them"
            f"{_used(program, record, operations, shape)}")


def _used(program: Program, record: HazardRecord, operations: list[Operation],
          shape: Shape) -> str:
    """Say which decision used the value of a racing load."""
    if not record.use:
        return ""
    who = wave_text(program, shape, record.group, record.use_wave)
    return (f"; what was read decides the {_decided(program, record.decides)} in {who} lane "
            f"{record.use_lane}{_named(operations, record.use)}")


def _toucher(operations: list[Operation], record: HazardRecord) -> Operation | None:
    """Return the operation that accesses the pending register, if it is known."""
    if record.detail == 0xFFFFFFFF:
        return operations[record.info[2]]
    for operation in operations[record.detail:]:
        if any(r.tracked == record.info[0] for r in (*operation.reads, *operation.writes)):
            return operation
    return None


def _pending(program: Program, operations: list[Operation], record: HazardRecord) -> str:
    """Name the pending register, or bytes of memory (`record.size` of them), and the wait."""
    if record.size:
        now = "writes" if record.detail & abi.AccessKind.STORE else "reads"
        return (f"{now} {program.wording.memory(record.space)} at byte {record.address:#x} while "
                f"the copy{_named(operations, record.earlier)} has it pending: "
                f"a wait for {program.counters[record.info[1]]} is missing between them")
    operation = _toucher(operations, record)
    name = next((r.name for r in (*operation.reads, *operation.writes)
                 if r.tracked == record.info[0]), "a register") if operation else "a register"
    issuer = operations[record.instruction]
    counter = program.counters[record.info[1]]
    return (f"{name} is accessed while `{issuer.text}` (line {issuer.line}) has it pending: "
            f"a wait for {counter} is missing between them")
