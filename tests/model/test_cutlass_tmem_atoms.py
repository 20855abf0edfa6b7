"""tcgen05.ld and st against all 74 SM100_TMEM_LOAD atoms of CUTLASS, evaluated here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.model import variant
from tests.model import cute

DATA = Path(lanemap.__file__).parent / "claims" / "cutlass_sm100_tmem.json"
ATOMS = json.loads(DATA.read_text())["atoms"]
LANE_BITS, COLUMN_BITS = 1 << 21, 32


def test_the_evaluator_agrees_with_tensor_layouts() -> None:
    shape, stride = ((4, 8), (16, 2, 4)), ((256, 16), (1, 128, 1024))
    table = cute.table(shape, stride)
    index = np.arange(table.size)
    np.testing.assert_array_equal(cute.evaluate(shape, stride, index), table.T.reshape(-1))


def test_there_is_an_atom_for_every_form() -> None:
    assert len(ATOMS) == 74
    assert [variant(f"tcgen05.ld.{form}").name for form in ATOMS]


@pytest.mark.parametrize("form", ATOMS)
def test_registers_lie_where_the_atom_says(form: str) -> None:
    register_shape, register_stride, tmem_shape, tmem_stride = ATOMS[form]
    load = variant(f"tcgen05.ld.{form}").map
    values = load.destination.size // 32
    thread, value = np.divmod(np.arange(load.destination.size), values)
    place = cute.evaluate(register_shape, register_stride, thread + 32 * value)
    address = cute.evaluate(tmem_shape, tmem_stride, place)
    lane, rest = np.divmod(address, LANE_BITS)
    expected = load.source.index(lane=lane, column=rest // COLUMN_BITS, bit=rest % COLUMN_BITS)
    np.testing.assert_array_equal(load.table, expected)
    store = variant(f"tcgen05.st.{form.replace('pack', 'unpack')}").map
    np.testing.assert_array_equal(store.table[expected], np.arange(expected.size))
