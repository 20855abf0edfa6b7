import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.probing.tags.cells import Tagging, fields, whole_memory, word_bits


def test_a_byte_memory_of_512_cells_takes_two_slices_and_a_check():
    tagging = whole_memory(512, 8)
    images = tagging.images()
    assert images.shape == (3, 512)
    # Byte 300 = 0x12c: slices 0x2c and 0x01, check ~(0x2c ^ 0x01) = 0xd2.
    assert [hex(v) for v in images[:, 300]] == ["0x2c", "0x1", "0xd2"]


@pytest.mark.parametrize(("bits", "slices"), [(1, 12), (4, 3), (8, 2), (16, 1)])
def test_passes_follow_from_the_width_of_a_cell(bits, slices):
    assert whole_memory(512, bits).slices == slices


def test_six_bit_fields_begin_at_every_slot_and_leave_its_tail_alone():
    tagging = Tagging(64, 6, 16, 16)
    assert list(tagging.positions()[[0, 1, 16, 63]]) == [0, 6, 128, 3 * 128 + 15 * 6]
    assert not tagging.images()[:, 12:16].any()
    # Field 37 = 0b100101 lies in slot 2 at bits 30 to 35: byte 35 bits 6, 7 and byte 36 bits 0..3.
    octets = tagging.images()[0, 32:44]
    assert (int.from_bytes(octets.tobytes(), "little") >> 30) & 63 == 37


@given(
    bits=st.sampled_from([1, 2, 4, 6, 8, 16]),
    slots=st.integers(1, 40),
    data=st.data(),
)
def test_every_cell_is_named_by_what_it_holds(bits, slots, data):
    tagging = Tagging(16 * slots, bits, 16, 96 // bits)
    memory = np.unpackbits(tagging.images(), axis=1, bitorder="little")
    cell = data.draw(st.integers(0, tagging.cells - 1))
    start = tagging.positions()[cell]
    held = memory[:, start : start + bits] @ (1 << np.arange(bits))
    assert tagging.identify(held) == cell


@given(data=st.data())
def test_an_exclusive_or_of_two_cells_is_no_cell(data):
    tagging = whole_memory(64, 8)
    one = data.draw(st.integers(0, 63))
    two = data.draw(st.integers(0, 63).filter(lambda n: n != one))
    values = tagging.values()
    assert tagging.identify(values[:, one] ^ values[:, two]) == -1


def test_constants_are_no_cells():
    tagging = whole_memory(16384, 1)
    assert tagging.identify(np.zeros((18, 1), int)) == -1
    # Seventeen ones need the check 0 ^ 1 = complement of their exclusive or, which is 0.
    assert tagging.identify(np.ones((18, 1), int)) == -1


def test_a_number_beyond_the_last_cell_is_no_cell():
    tagging = whole_memory(48, 8)
    assert tagging.identify(np.array([[50], [50 ^ 0xFF]])) == -1


def test_words_are_cut_little_endian():
    words = np.array([[0x04030201, 0xF0E0D0C0]], np.uint32)
    assert list(fields(words, 8)[0]) == [1, 2, 3, 4, 0xC0, 0xD0, 0xE0, 0xF0]
    assert list(fields(words, 16)[0]) == [0x0201, 0x0403, 0xD0C0, 0xF0E0]
    assert list(np.flatnonzero(word_bits(words)[0])[:4]) == [0, 9, 16, 17]


def test_six_bit_fields_straddle_words():
    value = sum(n << (6 * n) for n in range(16))
    words = np.array([(value >> (32 * i)) & 0xFFFFFFFF for i in range(3)], np.uint32)
    assert list(fields(words, 6)) == list(range(16))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((16, 0, 16, 1), "1 to 16 bits"),
        ((16, 8, 5, 1), "do not tile"),
        ((16, 8, 8, 9), "do not fit"),
    ],
)
def test_a_tagging_that_does_not_fit_is_refused(arguments, words):
    with pytest.raises(UserError, match=words):
        Tagging(*arguments)


def test_cells_that_do_not_tile_a_memory_are_refused():
    with pytest.raises(UserError, match="6 bits do not tile"):
        whole_memory(16, 6)


def test_a_missing_pass_is_refused():
    with pytest.raises(UserError, match="3 passes, 2 were given"):
        whole_memory(512, 8).identify(np.zeros((2, 4), int))
