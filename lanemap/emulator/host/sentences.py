"""Hazard records of the runtime as hazards: their sentences, and the facts in these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from lanemap.emulator.codegen.checks import DECIDES
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.wording import Other, Quote, Told, quote_opcode, quote_text
from lanemap.emulator.host.arguments import Arguments
from lanemap.emulator.host.cluster import Shape
from lanemap.emulator.host.hazards import (
    KINDS,
    Access,
    Argument,
    Facts,
    Hazard,
    lanes_text,
    wave_text,
    who_text,
)
from lanemap.emulator.host.memory import GlobalMemory
from lanemap.emulator.host.origins import Origins
from lanemap.emulator.host.parameters import Parameter
from lanemap.emulator.runtime import abi, layout
from lanemap.emulator.runtime.records import HazardRecord

#: Upper halves of generic addresses that are not global.
_WINDOWS = (abi.SHARED_APERTURE, abi.PRIVATE_APERTURE)
_OUT_OF_BOUNDS = "the address is out of bounds"
#: Kinds that are not about an access of memory.
_NO_ACCESS = (abi.Hazard.UNDEFINED, abi.Hazard.RULE, abi.Hazard.QUEUE)


class Teller:
    """Says what the hazards of a launch are."""

    def __init__(
        self,
        program: Program,
        shape: Shape,
        memory: GlobalMemory,
        origins: Origins,
        parameters: Sequence[Parameter],
        data: bytes,
    ) -> None:
        """Keep what names an address, where undefined bits came from, and the parameter space."""
        self._program, self._shape = program, shape
        self._memory, self._origins = memory, origins
        self._arguments = Arguments(program, parameters, data, memory)
        self._operations = list(program.operations())

    def hazard(self, noted: abi.HazardRecord) -> Hazard:
        """Return the exception for a hazard record of the runtime."""
        record = HazardRecord.of(noted)
        program, shape = self._program, self._shape
        operation = self._operations[record.instruction]
        if record.kind == abi.Hazard.PENDING and not record.size:
            operation = self._toucher(record) or operation
        told = self._told(record, quote_text)
        who = f"{who_text(program, shape, record.cluster, record.wave)} {lanes_text(record.lanes)}"
        cta, wave = shape.number(record.cluster, record.wave)
        space, array, byte = self._accessed(record)
        other = self._side(record, told.other, array) if told.other else None
        argument = self._arguments.of(record.instruction) if array else None
        strayed = _strayed(told, array, argument, other)
        brief, whole = (
            f"{_derived(self._told(record, quote), array, argument, other)} ({who})"
            for quote in (quote_opcode, quote_text)
        )
        facts = Facts(
            brief,
            _OUT_OF_BOUNDS if strayed else told.cause,
            program.places(operation.line),
            space,
            array,
            byte,
            other,
            argument,
            strayed,
            self._origins.raced(record.origin),
        )
        return Hazard(
            told.kind,
            whole,
            file=program.file,
            line=operation.line,
            instruction=operation.text,
            cta=cta,
            wave=wave,
            lane=record.lane,
            lanes=record.lanes,
            count=record.count,
            facts=facts,
            note=program.wording.notes[record.note - 1] if record.note else "",
        )

    def _told(self, record: HazardRecord, quote: Quote) -> Told:
        """Say what a hazard is; `quote` writes instructions down."""
        sentences: dict[int, Callable[[], tuple[str, str, Other | None]]] = {
            abi.Hazard.OUT_OF_BOUNDS: lambda: (self._out_of_bounds(record), _OUT_OF_BOUNDS, None),
            abi.Hazard.MISALIGNED: lambda: (
                f"address {record.address:#x} in {self._program.wording.memory(record.space)} is "
                f"not a multiple of {record.size} bytes, which this instruction needs",
                "the address is misaligned",
                None,
            ),
            abi.Hazard.UNDEFINED: lambda: (
                f"undefined bits {record.info[0]:#x} decide the {self._decided(record.detail)}"
                f"{self._origins.describe(record.origin, quote)}",
                f"an undefined {self._decided(record.detail)}",
                None,
            ),
            abi.Hazard.PENDING: lambda: self._pending(record, quote),
            abi.Hazard.ORDER: lambda: self._order(record, quote),
            abi.Hazard.RULE: lambda: self._rule(record, quote),
            abi.Hazard.READ_ONLY: lambda: (
                f"writes {record.size} bytes of read-only memory at {record.address:#x} "
                f"({self._memory.describe(record.address)})",
                "the memory is read-only",
                None,
            ),
            abi.Hazard.QUEUE: lambda: (
                f"more than {abi.QUEUE} asynchronous operations are outstanding; wait for some",
                "too many outstanding operations",
                None,
            ),
            abi.Hazard.ENDED: lambda: (_ended(record), "the CTA has ended, or may", None),
        }
        if record.kind in sentences:
            return Told(KINDS[record.kind], *sentences[record.kind]())
        return self._program.wording.own_hazard(
            record,
            self._operations,
            lambda member: wave_text(self._program, self._shape, record.cluster, member),
            quote,
        )

    # -- the facts -------------------------------------------------------------------------------
    def _accessed(self, record: HazardRecord) -> tuple[str, str, int | None]:
        """Return the memory that a record names, the array in it and its byte."""
        space = record.space
        if record.kind in _NO_ACCESS or record.kind == abi.Hazard.PENDING and not record.size:
            return "", "", None
        if record.kind == abi.Hazard.ENGINE and space != abi.Space.SHARED:
            return self._program.wording.engine_memory, "", None
        generic = space == abi.Space.GENERIC and record.address >> 32 not in _WINDOWS
        if space != abi.Space.GLOBAL and not generic:
            return self._program.wording.memory(space), "", record.address
        found = self._memory.nearest(record.address)
        name = layout.SPACE_NAMES[abi.Space.GLOBAL]
        return (name, found.called, record.address - found.base) if found else (name, "", None)

    def _side(self, record: HazardRecord, other: Other, array: str) -> Access:
        """Return the other side as a report has it; `array`: what both accessed, if that is one."""
        operation = None if other.operation is None else self._operations[other.operation]
        cta = wave = None
        if other.member is not None:
            cluster = record.cluster if other.cluster is None else other.cluster
            cta, wave = self._shape.number(cluster, other.member)
        line, text = (operation.line, operation.text) if operation else (0, "")
        argument = None
        if other.operation is not None and array:
            argument = self._arguments.of(other.operation)
        places = self._program.places(line) if line else ()
        return Access(line, text, places, other.did, cta, wave, other.lane, argument)

    # -- the sentences ---------------------------------------------------------------------------
    def _decided(self, detail: int) -> str:
        decided = DECIDES[abi.Decides(detail)]
        if decided == "execution mask":
            return self._program.wording.execution_mask
        return decided

    def _rule(self, record: HazardRecord, quote: Quote) -> tuple[str, str, Other | None]:
        """Fill in the rule's sentence; its cause is the rule, or what two operations lack."""
        rule, other = self._program.rules[record.detail], None
        cause, first = self._program.pairs.get(record.detail, (rule, None))
        if first is not None:
            other = Other(first, "issued", record.wave)
        elif record.earlier:
            other = Other(record.earlier - 1, "waits")
        sentence = rule.format(*record.info, earlier=self._named(record.earlier, quote))
        return sentence, cause, other

    def _out_of_bounds(self, record: HazardRecord) -> str:
        space = self._program.wording.memory(record.space)
        generic = record.space == abi.Space.GENERIC
        if record.space == abi.Space.GLOBAL or generic and record.address >> 32 not in _WINDOWS:
            return (
                f"{record.size} bytes at {record.address:#x} are outside every allocation of "
                f"{layout.SPACE_NAMES[abi.Space.GLOBAL]} "
                f"({self._memory.describe(record.address)})"
            )
        ctas, own, rank = record.info[0], record.info[1], record.address >> abi.RANK_SHIFT & 0xFF
        if ctas > 1 and record.space != abi.Space.PRIVATE and rank >= ctas:
            return (
                f"{record.size} bytes at {record.address:#x} are in the shared memory of CTA "
                f"{rank} of the cluster, which has {ctas}"
            )
        if record.space == abi.Space.SHARED and rank != own:
            return (
                f"{record.size} bytes at {record.address:#x} are in the shared memory of CTA "
                f"{rank} of the cluster, but this instruction reaches only that of its own "
                f"CTA, {own}"
            )
        return f"{record.size} bytes at {record.address:#x} are outside the {space} of this launch"

    def _named(self, number: int, quote: Quote) -> str:
        """` at line 7 (`st.shared ..`)` for an operation's number from 1, "" for 0."""
        if not number:
            return ""
        operation = self._operations[number - 1]
        return f" at line {operation.line} ({quote(operation)})"

    def _order(self, record: HazardRecord, quote: Quote) -> tuple[str, str, Other]:
        """Name both accesses, the missing order, and where the value of a racing load was used."""
        shape, words = self._shape, self._program.wording
        stored = record.detail >> 8 & 0xFF == abi.AccessKind.STORE
        now = "writes" if record.detail & abi.AccessKind.STORE else "reads"
        where = f"byte {record.address:#x}"
        if record.space == abi.Space.GLOBAL:
            where = f"{record.address:#x} ({self._memory.describe(record.address)})"
        cta, wave = shape.number(record.info[0], record.info[1])
        other = f"{words.wave} {wave}"
        elsewhere = record.info[1] // shape.waves != record.wave // shape.waves
        if elsewhere or record.info[0] != record.cluster:
            other += f" of {words.cta} {cta}"
        lane = None
        if record.earlier_lane:
            lane, same = record.earlier_lane - 1, record.info[1] == record.wave
            other = f"lane {lane} of {f'the same {words.wave}' if same else other}"
        missing = f"{words.missing_order(record, elsewhere)} missing"
        return (
            f"{now} {layout.SPACE_NAMES[record.space]} at {where} without being ordered after the "
            f"{'write' if stored else 'read'} by {other}{self._named(record.earlier, quote)}: "
            f"{missing} between them{self._used(record, quote)}",
            missing,
            Other(
                record.earlier - 1 if record.earlier else None,
                "writes" if stored else "reads",
                record.info[1],
                record.info[0],
                lane,
            ),
        )

    def _used(self, record: HazardRecord, quote: Quote) -> str:
        """Say which decision used the value of a racing load."""
        if not record.use:
            return ""
        who = wave_text(self._program, self._shape, record.cluster, record.use_wave)
        place = ""
        if record.detail & abi.RACE_IN_PLACE:
            wave = self._program.wording.wave
            place = (
                f", and goes back to where it was read: redundant {wave}s race, each of which "
                "loads and stores the same elements in place"
            )
        return (
            f"; what was read decides the {self._decided(record.decides)} in {who} lane "
            f"{record.use_lane}{self._named(record.use, quote)}{place}"
        )

    def _toucher(self, record: HazardRecord) -> Operation | None:
        """Return the operation that accesses the pending register, if it is known."""
        if record.detail == 0xFFFFFFFF:
            return self._operations[record.info[2]]
        for operation in self._operations[record.detail :]:
            if any(r.tracked == record.info[0] for r in (*operation.reads, *operation.writes)):
                return operation
        return None

    def _pending(self, record: HazardRecord, quote: Quote) -> tuple[str, str, Other]:
        """Name the pending register, or bytes of memory (`record.size` of them), and the wait."""
        missing = f"a wait for {self._program.counters[record.info[1]]} is missing"
        if record.size:
            now = "writes" if record.detail & abi.AccessKind.STORE else "reads"
            issuer = record.earlier - 1 if record.earlier else None
            return (
                f"{now} {self._program.wording.memory(record.space)} at byte {record.address:#x} "
                f"while the access{self._named(record.earlier, quote)} has it pending: {missing} "
                "between them",
                missing,
                Other(issuer, "issued"),
            )
        operation = self._toucher(record)
        registers = (*operation.reads, *operation.writes) if operation else ()
        name = next((r.name for r in registers if r.tracked == record.info[0]), "a register")
        by = self._operations[record.instruction]
        return (
            f"{name} is accessed while {quote(by)} (line {by.line}) has it pending: {missing} "
            "between them",
            missing,
            Other(record.instruction, "issued", record.wave),
        )


def _strayed(
    told: Told, array: str, argument: Argument | None, other: Access | None
) -> Literal["", "here", "there"]:
    """Say which side's address lies in another array than that of its argument."""
    if told.kind == KINDS[abi.Hazard.OUT_OF_BOUNDS]:
        return ""  # it lies in none
    if argument and argument.array != array:
        return "here"
    return "there" if other and other.argument and other.argument.array != array else ""


def _derived(told: Told, array: str, argument: Argument | None, other: Access | None) -> str:
    """Return a sentence with the arguments that its addresses come from, where they say more.

    An address that left the array of its argument is the cause of all else, so that comes first.
    """
    strayed = _strayed(told, array, argument, other)
    if strayed == "there" and other:
        argument = other.argument
    if argument is None:
        return told.sentence
    derived = f"is derived from {argument.name}"
    if argument.array != array:
        derived += f", {argument.array} of {argument.size:,} bytes"
    if strayed:
        whose = "the address" if strayed == "here" else "the address of the other side"
        return f"{whose} {derived}, but lies in {array}: {told.sentence}"
    if told.kind == KINDS[abi.Hazard.OUT_OF_BOUNDS]:
        return f"{told.sentence}; the address {derived}"
    return told.sentence


def _ended(record: HazardRecord) -> str:
    rank = record.info[0]
    if record.info[1] == abi.Ended.UNFINISHED:
        return (
            f"CTA {rank} of the cluster may end before this has written its shared memory: a "
            "wait for its completion is missing in that CTA"
        )
    if record.info[1] == abi.Ended.BEFORE:
        return f"accesses the shared memory of CTA {rank} of the cluster after that CTA has ended"
    if record.info[1] == abi.Ended.ARRIVAL:
        return (
            f"CTA {rank} of the cluster may end before this arrival at shared address "
            f"{record.info[2]:#x} of it: a wait for the phase in which it counts, or a cluster "
            "barrier, is missing in that CTA"
        )
    return (
        f"CTA {rank} of the cluster may end before this access to its shared memory: a cluster "
        "barrier is missing between them"
    )
