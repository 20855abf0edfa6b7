from __future__ import annotations

import re

import numpy as np

from lanemap.cli.folders import module
from tests.analysis.records import layout, record, settles_nothing

figures = module("analysis", "figures")
LANE, BYTE = np.meshgrid(np.arange(64), np.arange(8), indexing="ij")
TRANSPOSE = layout((LANE & 48) + 2 * BYTE + (LANE >> 3 & 1), LANE & 7, 8)


def test_the_same_record_gives_the_same_bytes():
    first, second = figures.draw(record(TRANSPOSE)), figures.draw(record(TRANSPOSE))
    assert sorted(first) == ["png", "svg"] and first == second
    assert not re.search(rb"\d{4}-\d\d-\d\d|matplotlib v|<dc:date>", first["svg"])


def test_a_record_without_a_map_has_no_map_to_draw():
    assert figures.draw(settles_nothing()) == {}
