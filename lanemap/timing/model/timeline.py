"""A prediction as a timeline for Perfetto (ui.perfetto.dev): a nanosecond there is a cycle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lanemap.errors import MissingEnvironment, extra
from lanemap.timing.model import machine
from lanemap.timing.model.answer import Prediction
from lanemap.timing.model.simulate import Reason
from lanemap.timing.model.trace import Unit

#: What names the packets of one writer.
_SEQUENCE = 1


@dataclass(frozen=True)
class Slice:
    """Something that takes time on one track: from `begin` to before `end`, in cycles."""

    track: str
    name: str
    begin: int
    end: int
    notes: tuple[tuple[str, str | int], ...] = ()


def slices(found: Prediction) -> Iterator[Slice]:
    """What each warp issues, what it waits for before, and what is on its way meanwhile.

    Matrix instructions and bulk copies overlap, so each has the first track that is free: from the
    issue to the end of the first wait of the warp, or of any warp for the copy's mbarrier.
    """
    names = machine.reasons()
    for warp, number in enumerate(found.members()):
        issued = found.trace.warps[number].issued.tolist()
        own = found.result.warps[warp]
        before = 0
        for place, cycle, reason in zip(
            issued, own.cycles.tolist(), own.reasons.tolist(), strict=True
        ):
            each = found.trace.code[place]
            if cycle > before:
                yield Slice(f"warp {warp}", Reason[names[reason]].value, before, cycle)
            notes = ("operands", each.operands), ("PTX line", each.line)
            yield Slice(f"warp {warp}", each.opcode, cycle, cycle + 1, notes)
            before = cycle + 1
    yield from _apart("wgmma", _matrix(found))
    yield from _apart("bulk copies", _copies(found))


def _matrix(found: Prediction) -> Iterator[tuple[int, int, str]]:
    """Matrix instructions of warpgroups, by the first warp of each."""
    for warp, number in enumerate(found.members()):
        if warp % 4:
            continue
        open_since: list[tuple[int, str]] = []
        cycles = found.result.warps[warp].cycles.tolist()
        for place, cycle in zip(found.trace.warps[number].issued.tolist(), cycles, strict=True):
            opcode = found.trace.code[place].opcode
            if "GMMA" in opcode:
                open_since.append((cycle, opcode))
            elif opcode.startswith("WARPGROUP.DEPBAR"):
                yield from ((begin, cycle, name) for begin, name in open_since)
                open_since = []


def _copies(found: Prediction) -> Iterator[tuple[int, int, str]]:
    """Bulk copies, until the first wait for their mbarrier is over."""
    waits: dict[int, list[int]] = {}
    begun: list[tuple[int, int, str]] = []
    for warp, number in enumerate(found.members()):
        own = found.trace.warps[number]
        cycles = found.result.warps[warp].cycles.tolist()
        for place, work, cycle in zip(own.issued.tolist(), own.works.tolist(), cycles, strict=True):
            if work < 0:
                continue
            asked = found.trace.works[work]
            if asked["unit"] == Unit.MBARRIER_WAIT:
                waits.setdefault(int(asked["object"]), []).append(cycle)
            elif asked["unit"] == Unit.BULK_LOAD:
                begun.append((cycle, int(asked["object"]), found.trace.code[place].opcode))
    for begin, place, name in begun:
        end = min((cycle for cycle in waits.get(place, ()) if cycle > begin), default=begin + 1)
        yield begin, end, name


def _apart(track: str, spans: Iterator[tuple[int, int, str]]) -> Iterator[Slice]:
    """Spans on as many tracks as overlap."""
    free: list[int] = []
    for begin, end, name in sorted(spans):
        place = next((n for n, until in enumerate(free) if until <= begin), len(free))
        free[place : place + 1] = [end]
        yield Slice(f"{track} {place + 1}", name, begin, end)


def timeline(found: Prediction) -> bytes:
    """Return a trace in Perfetto's protobuf.

    Raises:
        MissingEnvironment: the package perfetto is not here.
    """
    try:
        from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent
        from perfetto.trace_builder.proto_builder import TraceProtoBuilder
    except ImportError as error:
        raise MissingEnvironment(
            f"a timeline needs the package perfetto: run {extra('time')}"
        ) from error
    builder: Any = TraceProtoBuilder()
    tracks: dict[str, int] = {}
    for each in sorted(slices(found), key=lambda each: (each.track, each.begin)):
        if each.track not in tracks:
            tracks[each.track] = len(tracks) + 1
            packet = builder.add_packet()
            packet.track_descriptor.uuid = tracks[each.track]
            packet.track_descriptor.name = each.track
        for kind, time in (
            (TrackEvent.TYPE_SLICE_BEGIN, each.begin),
            (TrackEvent.TYPE_SLICE_END, each.end),
        ):
            packet = builder.add_packet()
            packet.timestamp = time
            packet.trusted_packet_sequence_id = _SEQUENCE
            event = packet.track_event
            event.type, event.track_uuid = kind, tracks[each.track]
            if kind == TrackEvent.TYPE_SLICE_BEGIN:
                event.name = each.name
                for name, value in each.notes:
                    note = event.debug_annotations.add()
                    note.name = name
                    if isinstance(value, int):
                        note.int_value = value
                    else:
                        note.string_value = value
    found_bytes: bytes = builder.serialize()
    return found_bytes
