"""Timelines, read by a decoder of protobuf's wire format that knows Perfetto's field numbers.

Fields: Perfetto's trace_packet.proto, track_descriptor.proto and track_event.proto.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from lanemap.timing.model.answer import Prediction, predicted
from lanemap.timing.model.launched import Joined
from lanemap.timing.model.timeline import timeline
from lanemap.timing.model.trace import Trace, Unit
from tests.timing.test_machine import instruction, trace

pytest.importorskip("perfetto")
PACKET, TIME, EVENT, DESCRIPTOR = 1, 8, 11, 60
TYPE, TRACK, NAME = 9, 11, 23
BEGIN, END = 1, 2
PRODUCTS, COPIES = 4, 3


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where the next field begins."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        if data[at] < 128:
            return value, at + 1
        at, shift = at + 1, shift + 7


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Numbers and values of a message; https://protobuf.dev/programming-guides/encoding."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        size, at = varint(data, at)
        if key & 7 == 0:
            yield key >> 3, size
        else:
            assert key & 7 == 2
            yield key >> 3, data[at : at + size]
            at += size


@dataclass
class Track:
    name: str = ""
    parent: int = 0
    spans: list[tuple[str, int, int]] = field(default_factory=list)


def tracks(data: bytes) -> dict[int, Track]:
    """The tracks by their numbers; each event that begins ends, the last one first."""
    found: dict[int, Track] = defaultdict(Track)
    begun: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for number, packet in fields(data):
        assert number == PACKET
        own = dict(fields(packet))
        if DESCRIPTOR in own:
            said = dict(fields(own[DESCRIPTOR]))
            found[said[1]].name, found[said[1]].parent = said[2].decode(), said.get(5, 0)
            continue
        event = dict(fields(own[EVENT]))
        assert event[TRACK] in found
        if event[TYPE] == BEGIN:
            begun[event[TRACK]].append((event[NAME].decode(), own[TIME]))
        else:
            assert event[TYPE] == END
            name, begin = begun[event[TRACK]].pop()
            found[event[TRACK]].spans.append((name, begin, own[TIME]))
    assert not any(begun.values())
    return found


def multiplying() -> Trace:
    """Four warps with one group of products; the first copies three times before them."""
    code = [
        instruction(0, "SYNCS.EXCH.64", "URZ, [UR4], UR6", stall=4),
        instruction(1, "SYNCS.ARRIVE.TRANS64", "RZ, [UR4], R2", stall=4),
        *(instruction(2 + n, "UBLKCP.S.G", "[UR8], [UR10], UR12", stall=4) for n in range(COPIES)),
        *(
            instruction(5 + n, "HGMMA.64x256x16.F32", "R8, gdesc[UR4], R8", stall=4)
            for n in range(PRODUCTS - 1)
        ),
        instruction(8, "HGMMA.64x256x16.F32", "R8, gdesc[UR4], R8, gsb0", stall=4),
        instruction(9, "WARPGROUP.DEPBAR.LE", "gsb0, 0x0", stall=4),
        instruction(10, "EXIT"),
    ]
    works = [
        {"unit": Unit.MBARRIER_INIT, "amount": 1},
        {"unit": Unit.MBARRIER_ARRIVE, "amount": 1, "bytes": 4096 * COPIES},
        {"unit": Unit.BULK_LOAD, "bytes": 4096},
    ]
    asked = {0: 0, 1: 1} | dict.fromkeys(range(2, 2 + COPIES), 2)
    own = trace(code, [range(11), range(5, 11)], works, asked)
    return replace(own, ctas=((0, 1, 1, 1),), threads=128)


@pytest.fixture(scope="module")
def found() -> tuple[Prediction, dict[int, Track]]:
    prediction = predicted(Joined(multiplying(), (), {}), changes=False)
    return prediction, tracks(timeline(prediction))


def test_warps_have_the_names_of_their_roles(found: tuple[Prediction, dict[int, Track]]) -> None:
    names = {each.name for each in found[1].values()}
    assert {"CTA 0 warp 0: loads by TMA, wgmma", "CTA 0 warp 3: wgmma"} <= names


def test_products_and_copies_that_overlap_stand_beside_each_other(
    found: tuple[Prediction, dict[int, Track]],
) -> None:
    by_name = {each.name: number for number, each in found[1].items()}
    for name, many in (("wgmma in flight", PRODUCTS), ("copies in flight", COPIES)):
        own = [each for each in found[1].values() if each.parent == by_name[name]]
        assert [len(each.spans) for each in own] == [1] * many
        begins, ends = zip(*(each.spans[0][1:] for each in own), strict=True)
        assert max(begins) < min(ends)


def test_the_tensor_cores_work_at_one_product_at_a_time(
    found: tuple[Prediction, dict[int, Track]],
) -> None:
    """64x256x16 takes 128 cycles: 8192 operations a cycle (NVIDIA H100 white paper)."""
    (own,) = (each for each in found[1].values() if each.name == "tensor cores")
    spans = sorted(own.spans, key=lambda each: each[1])
    assert len(spans) == PRODUCTS
    assert all(end - begin == pytest.approx(128, abs=1) for _, begin, end in spans)
    assert all(a[2] <= b[1] for a, b in zip(spans, spans[1:], strict=False))


def test_perfettos_own_reader_finds_the_same_events(
    found: tuple[Prediction, dict[int, Track]],
) -> None:
    """The classes that Perfetto's package makes of its protobuf read the file to its end."""
    messages = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    data = timeline(found[0])
    read = messages.Trace.FromString(data)
    assert read.SerializeToString() == data
    names = {
        each.track_descriptor.uuid: each.track_descriptor.name
        for each in read.packet
        if each.HasField("track_descriptor")
    }
    assert names == {number: each.name for number, each in found[1].items()}
    begun = [each for each in read.packet if each.track_event.type == BEGIN]
    assert len(begun) == sum(len(each.spans) for each in found[1].values())
    products = [each for each in begun if each.track_event.name.startswith("HGMMA")]
    assert len({each.track_event.track_uuid for each in products}) > 1


def test_without_latency_a_copy_takes_what_its_rate_says() -> None:
    """Bytes arrive at once then, and products begin as soon as they are issued."""
    own = predicted(Joined(multiplying(), (), {}))
    changes = {each.what: each.cycles for each in own.changes}
    less = changes["no latency of loads by TMA"]
    assert less <= changes["copies by TMA and cp.async twice as fast"] <= own.active


def test_a_phase_ends_with_the_last_copy(found: tuple[Prediction, dict[int, Track]]) -> None:
    (phase,) = (each for each in found[1].values() if "mbarrier 0" in each.name)
    copies = [e for each in found[1].values() for e in each.spans if e[0] == "UBLKCP.S.G"]
    assert phase.spans == [("phase 0", 0, max(end for _, _, end in copies))]


def test_each_sm_of_the_grid_has_its_cta(found: tuple[Prediction, dict[int, Track]]) -> None:
    spans = [e for each in found[1].values() for e in each.spans if e[0].startswith("CTA")]
    assert [(name, begin) for name, begin, _ in spans] == [("CTA 0", 0)]
