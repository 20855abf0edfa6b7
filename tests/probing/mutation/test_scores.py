"""Mutation scores of the transpose probes, a few mutants executed and the rest composed."""

from __future__ import annotations

import pytest

from lanemap.probing.mutation import scores
from lanemap.records.files import read_record


def test_probes_that_settle_a_map_are_scored():
    assert set(scores.scored("gfx950")) >= {"tr4", "tr6", "tr8", "tr16"}
    assert "tr8_broadcast" not in scores.scored("gfx950")


@pytest.mark.slow
def test_no_mutant_of_a_read_survives_its_probe(tmp_path, capsys):
    assert scores.main(["tr8", "tr6", "--execute", "3", "--out", str(tmp_path)]) == 0
    row = read_record(tmp_path / "gfx950" / "emulator" / "mutation_scores.json").findings
    # tr8: 12 x 12 entries of the matrix on bits and 200 pairs; three executed.
    tr8 = row["tr8"]
    assert (tr8["executed"], tr8["composed"]) == (3, 144 + 200 - 3)
    assert tr8["executed_noticed"] == tr8["executed_identified"] == 3
    # tr6, on lanes, 16 elements and their 6 bits: 13 x 13 entries and 200 pairs; those that would
    # make bits 6 and 7 of an element lie outside.
    tr6 = row["tr6"]
    assert tr6["executed"] + tr6["composed"] + tr6["outside"] == 13 * 13 + 200
    for each in row.values():
        assert each["composed_noticed"] == each["composed"] and each["survivors"] == []
    assert "3 of 3 executed, 341 of 341 composed mutants" in capsys.readouterr().out


def test_an_unknown_probe_is_one_sentence(capsys):
    assert scores.main(["tr9"]) == 2
    assert "there is no probe 'tr9'" in capsys.readouterr().err
