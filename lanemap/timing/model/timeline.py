"""A prediction as a timeline for Perfetto (ui.perfetto.dev): a nanosecond there is a cycle."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lanemap.errors import MissingEnvironment, extra
from lanemap.timing.model import machine
from lanemap.timing.model.answer import Prediction
from lanemap.timing.model.simulate import Reason, asks_of
from lanemap.timing.model.trace import WarpTrace

#: What names the packets of one writer.
_SEQUENCE = 1
#: What a warp does besides arithmetic, by the SASS that it issues.
_ROLES = (
    (r"UBLKCP\.S\.G|UTMALDG", "loads by TMA"),
    (r"LDGSTS", "loads by cp.async"),
    (r"\w*GMMA", "wgmma"),
    (r"[HIDQ]MMA|IMMA", "mma"),
    (r"UTMASTG|UTMAREDG|UBLKCP\.G|UBLKRED", "stores by TMA"),
    (r"UBLKCP\.S\.S|STAS|REDAS", "sends to peers"),
    (r"STG|REDG|ATOMG", "stores"),
)
_GRID, _SM = "grid: CTAs by SM", "the SM that ends last"


@dataclass(frozen=True)
class Slice:
    """Something that takes time on one track: from `begin` to before `end`, in cycles.

    Attributes:
        track: The names of the track and of those that it lies in, the outermost first.
        name: What it is.
        begin: Its first cycle.
        end: The one behind its last.
        notes: More about it.
    """

    track: tuple[str, ...]
    name: str
    begin: int
    end: int
    notes: tuple[tuple[str, str | int], ...] = ()


def slices(found: Prediction) -> Iterator[Slice]:
    """The CTAs of all SMs; and of the SM that ends last its warps, and what is on its way.

    Matrix instructions and copies overlap, so each has the first track that is free, from its issue
    until it is done. `tensor cores` and `copies begin` are busy with one at a time.
    """
    yield from _ctas(found)
    yield from _warps(found)
    yield from _told(found)


def role(found: Prediction, warp: WarpTrace) -> str:
    """What a warp does."""
    code = found.trace.code
    opcodes = {code[place].opcode for place in set(warp.issued.tolist())}
    names = [name for text, name in _ROLES if any(re.match(text, each) for each in opcodes)]
    return ", ".join(names) or "arithmetic"


def _named(found: Prediction) -> list[str]:
    """The names of the simulated warps."""
    members, result = found.members(), found.result.warps
    return [
        f"CTA {own.cta} warp {own.warp}: {role(found, found.trace.warps[number])}"
        for number, own in zip(members, result, strict=True)
    ]


def _ctas(found: Prediction) -> Iterator[Slice]:
    for sm, spans in enumerate(found.grid.spans):
        tracks = _apart((each.begin, each.end, f"CTA {each.cta}") for each in spans)
        for place, begin, end, name in tracks:
            yield Slice((_GRID, f"SM {sm}", f"place {place}"), name, begin, end)


def _warps(found: Prediction) -> Iterator[Slice]:
    reasons = machine.reasons()
    for name, number, own in zip(_named(found), found.members(), found.result.warps, strict=True):
        track, before = (_SM, name), int(own.cycles[0]) if len(own.cycles) else 0
        issued = found.trace.warps[number].issued.tolist()
        for place, cycle, reason in zip(
            issued, own.cycles.tolist(), own.reasons.tolist(), strict=True
        ):
            each = found.trace.code[place]
            if cycle > before:
                yield Slice(track, Reason[reasons[reason]].value, before, cycle)
            notes = ("operands", each.operands), ("PTX line", each.line)
            yield Slice(track, each.opcode, cycle, cycle + 1, notes)
            before = cycle + 1


def _told(found: Prediction) -> Iterator[Slice]:
    things, members = machine.things(), found.members()
    told = found.result.told

    def opcode(each: Any) -> str:
        place = found.trace.warps[members[int(each["number"])]].issued[int(each["place"])]
        name: str = found.trace.code[place].opcode
        return name

    for thing, unit, many in (
        ("MATRIX", "tensor cores", "wgmma in flight"), ("COPY", "copies begin", "copies in flight"),
    ):  # fmt: skip
        own = told[told["what"] == things[thing]]
        names = [opcode(each) for each in own]
        yield from _one_by_one(unit, own, names)
        spans = zip(own["begin"].tolist(), own["end"].tolist(), names, strict=True)
        for place, begin, end, name in _apart(spans):
            yield Slice((_SM, many, f"{place}"), name, begin, end)
    yield from _phases(found, told[told["what"] == things["PHASE"]])


def _one_by_one(unit: str, own: Any, names: list[str]) -> Iterator[Slice]:
    """What a unit is busy with, in turn."""
    before = 0
    for begin, end, name in sorted(
        zip(own["from"].tolist(), own["until"].tolist(), names, strict=True)
    ):
        first, last = max(begin, before), max(end, begin + 1, before + 1)
        yield Slice((_SM, unit), name, first, last)
        before = last


def _phases(found: Prediction, own: Any) -> Iterator[Slice]:
    """Each mbarrier's phases: each from the end of the one before to its own."""
    objects = asks_of(found.trace, found.behind)[1]
    ends: dict[int, list[int]] = defaultdict(list)
    for number, end in zip(own["number"].tolist(), own["end"].tolist(), strict=True):
        ends[number].append(end)
    for number, each in sorted(ends.items()):
        name = f"CTA {number // objects} mbarrier {number % objects}"
        before = 0
        for phase, end in enumerate(each):
            if end > before:
                yield Slice((_SM, "mbarriers", name), f"phase {phase}", before, end)
            before = max(end, before)


def _apart(spans: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, int, str]]:
    """Spans, each with the first of as many places as overlap that is free."""
    free: list[int] = []
    for begin, end, name in sorted(spans):
        place = next((n for n, until in enumerate(free) if until <= begin), len(free))
        last = max(end, begin + 1)
        free[place : place + 1] = [last]
        yield place + 1, begin, last, name


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
    tracks: dict[tuple[str, ...], int] = {(): 0}

    def number(track: tuple[str, ...]) -> int:
        if track not in tracks:
            parent = number(track[:-1])
            tracks[track] = len(tracks)
            descriptor = builder.add_packet().track_descriptor
            descriptor.uuid, descriptor.name = tracks[track], track[-1]
            if parent:
                descriptor.parent_uuid = parent
        return tracks[track]

    for each in sorted(slices(found), key=lambda each: (each.track, each.begin)):
        track = number(each.track)
        for kind, time in (
            (TrackEvent.TYPE_SLICE_BEGIN, each.begin),
            (TrackEvent.TYPE_SLICE_END, each.end),
        ):
            packet = builder.add_packet()
            packet.timestamp = time
            packet.trusted_packet_sequence_id = _SEQUENCE
            event = packet.track_event
            event.type, event.track_uuid = kind, track
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
