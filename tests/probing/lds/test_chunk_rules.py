"""The chunk class against brute force on a small analogue: two or three lanes, tiny chunks."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.probing.lds.chunk_rules import AMBIGUOUS, UNEXPLAINED, ChunkClass, Reading, spans
from lanemap.probing.tags.cells import whole_memory

MEMORY = 16


def obey(memory, addresses, lane, byte, size):
    """What a cell of `size` bytes shows under the rule (lane, byte), by plain indexing."""
    start = addresses[lane] + byte
    return [int.from_bytes(row[start : start + size].tobytes(), "little") for row in memory]


def reading(memory, addresses, output=None):
    memory = np.asarray(memory, np.uint8)
    if output is None:
        output = np.zeros((len(memory), len(addresses), 1), np.uint32)
    return Reading("given", 0, np.asarray(addresses, np.int64), memory, output)


def images(draw, passes):
    return np.array(
        draw(
            st.lists(
                st.lists(st.integers(0, 3), min_size=MEMORY, max_size=MEMORY),
                min_size=passes,
                max_size=passes,
            )
        ),
        np.uint8,
    )


@st.composite
def readings(draw, lanes, most=3):
    return [
        reading(
            images(draw, draw(st.integers(1, 2))),
            draw(st.lists(st.integers(0, MEMORY - 4), min_size=lanes, max_size=lanes)),
        )
        for _ in range(draw(st.integers(1, most)))
    ]


@settings(max_examples=60)
@given(readings(lanes=3))
def test_rules_are_together_exactly_when_they_show_the_same(given_readings):
    chunk = ChunkClass(lanes=3, chunk_bits=32, cell_bits=8)
    shows = [
        tuple(value for r in given_readings for value in obey(r.memory, r.addresses, lane, byte, 1))
        for lane, byte in itertools.product(range(3), range(4))
    ]
    certificate = chunk.certificate(given_readings)
    assert (certificate.rules, certificate.parts) == (12, len(set(shows)))
    assert certificate.complete == (len(set(shows)) == 12)


@settings(max_examples=25)
@given(readings(lanes=2, most=2))
def test_the_whole_class_has_as_many_parts_as_maps_that_show_something_else(given_readings):
    """256 maps of four halves: distinct observations number parts ** cells."""
    chunk = ChunkClass(lanes=2, chunk_bits=32, cell_bits=16)
    rules = list(itertools.product(range(2), (0, 2)))
    show = {
        rule: tuple(tuple(obey(r.memory, r.addresses, *rule, 2)) for r in given_readings)
        for rule in rules
    }
    seen = {tuple(show[rule] for rule in choice) for choice in itertools.product(rules, repeat=4)}
    certificate = chunk.certificate(given_readings)
    assert certificate.cells == 4
    assert len(seen) == certificate.parts**certificate.cells


@settings(max_examples=60)
@given(readings(lanes=3), st.data())
def test_decoding_finds_the_rule_or_says_that_several_remain(given_readings, data):
    chunk = ChunkClass(lanes=3, chunk_bits=32, cell_bits=8)
    rules = [(data.draw(st.integers(0, 2)), data.draw(st.integers(0, 3))) for _ in range(12)]
    seen = [
        reading(
            r.memory,
            r.addresses,
            np.array([obey(r.memory, r.addresses, *rule, 1) for rule in rules], np.uint8)
            .T.reshape(len(r.memory), 3, 4)
            .copy()
            .view("<u4"),
        )
        for r in given_readings
    ]
    decoded = chunk.decode(seen)
    assert decoded.explained
    shows = {
        (lane, byte): [obey(r.memory, r.addresses, lane, byte, 1) for r in given_readings]
        for lane, byte in itertools.product(range(3), range(4))
    }
    for cell, rule in enumerate(rules):
        alike = sum(shown == shows[rule] for shown in shows.values())
        assert decoded.rule[cell] == (4 * rule[0] + rule[1] if alike == 1 else AMBIGUOUS)


def test_a_value_that_no_rule_gives_is_unexplained():
    memory = np.arange(MEMORY, dtype=np.uint8)[None]
    chunk = ChunkClass(lanes=2, chunk_bits=32, cell_bits=8)
    output = np.array([[[0x03020177], [0x07060504]]], np.uint32)
    decoded = chunk.decode([reading(memory, [0, 4], output)])
    assert list(decoded.rule) == [UNEXPLAINED, 1, 2, 3, 4, 5, 6, 7]
    assert not decoded.explained and not decoded.complete
    assert chunk.layout_map(decoded).table[0] == -1


def test_a_uniform_address_hides_the_lane_and_another_address_shows_it():
    memory = whole_memory(MEMORY, 8).images()
    chunk = ChunkClass(lanes=2, chunk_bits=32, cell_bits=8)
    other = Reading("pattern=apart", 0, np.array([0, 4]), memory, np.zeros((2, 2, 1), np.uint32))
    certificate = chunk.certificate([reading(memory, [4, 4])], lambda: [other])
    assert (certificate.parts, certificate.rules, certificate.complete) == (4, 8, False)
    assert certificate.remaining == "4 parts of every lane at one offset"
    assert certificate.splits == "pattern=apart (2 passes)"


def test_never_written_bytes_are_one_value_that_nothing_decides():
    memory = np.zeros((1, MEMORY), np.uint8)
    memory[0, 0] = 9
    written = np.zeros(MEMORY, bool)
    written[0] = True
    given_reading = Reading(
        "", 0, np.array([0, 0]), memory, np.zeros((1, 2, 1), np.uint32), written=written
    )
    certificate = ChunkClass(2, 32, 8).certificate([given_reading])
    assert certificate.parts == 2
    assert (
        certificate.remaining
        == "1 part of every lane at one offset; 1 part of every lane at bytes 1 to 3"
    )


def test_an_address_outside_the_memory_is_refused():
    with pytest.raises(UserError, match="outside its memory"):
        ChunkClass(2, 32, 8).certificate([reading(np.zeros((1, MEMORY)), [0, 13])])


def test_numbers_are_written_as_spans():
    assert spans(np.array([0, 1, 2, 5, 7, 8])) == "0 to 2, 5, 7 to 8"
