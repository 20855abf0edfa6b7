"""The rows of mutation scores, and the program that writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.probing.mutation import scores
from lanemap.probing.mutation.scoring import PAIRS, SEED, MutationScore
from lanemap.probing.mutation.subjects import subjects_of
from lanemap.probing.probe import Probe, find_probe, find_probes
from lanemap.records.files import read_record

RESULTS = Path(__file__).resolve().parents[3] / "results"
TARGETS = ("gfx90a", "gfx942", "gfx950", "sm_90a", "sm_100a")


def test_every_probe_has_a_score() -> None:
    for target in TARGETS:
        # What TMA does with bytes outside a tensor has no model, so there is nothing to mutate.
        own = [
            each.name
            for each in find_probes().values()
            if target in each.targets and each.name != "tma_fill"
        ]
        assert [each.name for each in scores.scored(target)] == own
        stored = read_record(RESULTS / target / "emulator" / "mutation_scores.json").findings
        assert set(stored) == set(own)


def test_stored_scores_are_of_mutants_that_were_executed() -> None:
    for path in RESULTS.glob("*/emulator/mutation_scores.json"):
        for name, row in read_record(path).findings.items():
            told = row["executed_noticed"] + len(row["survivors"]) + len(row["stopped"])
            assert 0 < row["executed"] == told <= row["mutants"], name
            assert row["executed_identified"] <= row["executed_noticed"]


#: Those that take more than half a second to make.
MANY_MUTANTS = {
    "mfma_operands",
    "smfmac_operands",
    "mma_a_tmem",
    "mma_d",
    "mma_sync_fragments",
    "scale_factors",
    "smem_descriptor",
    "tcgen05_cp",
    "tcgen05_cp_pair",
    "tmem_lanes",
    "wgmma_d",
    "tcgen05_ld",
    "tcgen05_st",
}
SCORED = [
    pytest.param(
        probe, id=f"{target} {probe.name}", marks=[pytest.mark.slow] * (probe.name in MANY_MUTANTS)
    )
    for target in TARGETS
    for probe in scores.scored(target)
]


@pytest.mark.parametrize("probe", SCORED)
def test_stored_scores_are_of_the_mutants_that_the_code_makes(probe: Probe) -> None:
    """A change of the models or of the mutants asks for the scores to be written anew."""
    path = RESULTS / probe.target / "emulator" / "mutation_scores.json"
    row = read_record(path).findings[probe.name]
    variants = list(row.get("by_variant", ())) or [row["variant"]]
    subjects = subjects_of(probe, variants, PAIRS, SEED)
    made = [
        sum(len(each.changes) for each in subjects),
        sum(len(each.equivalent) for each in subjects),
        sum(len(each.outside) for each in subjects),
    ]
    assert made == [row["mutants"], row["equivalent"], row["outside"]]


def test_a_family_is_told_from_a_variant() -> None:
    families = {"tcgen05_ld", "tcgen05_st", "tcgen05_pack", "tcgen05_unpack", "tcgen05_cp",
                "tcgen05_cp_pair", "ldmatrix", "stmatrix", "smem_banks",
                "wgmma_a", "wgmma_d", "wgmma_descriptor", "mma_d",
                "mma_a_tmem", "scale_factors", "smem_descriptor"}  # fmt: skip
    found = {name for name, each in find_probes().items() if scores.asks_of_a_family(each)}
    assert found >= families
    # These ask about one variant, or about no variant of the model.
    assert not found & {"tr8", "movmatrix", "tcgen05_shift", "tcgen05_alloc", "tmem_lanes"}


def test_the_row_of_a_family_counts_all_and_names_each(tmp_path: Path) -> None:
    own = [
        MutationScore("tcgen05.ld.a", 30, 4, 3, 2, ("x gains y",)),
        MutationScore("tcgen05.ld.b", 20, 4, 3, 3, (), ("y loses z: it hangs",)),
    ]
    found = scores.record("sm_100a", {"tcgen05_ld": own}, tmp_path).findings["tcgen05_ld"]
    assert (found["variant"], found["variants"], found["mutants"]) == ("tcgen05.ld", 2, 50)
    assert (found["executed"], found["executed_noticed"], found["executed_identified"]) == (8, 6, 5)
    assert found["survivors"] == ["tcgen05.ld.a: x gains y"]
    assert found["stopped"] == ["tcgen05.ld.b: y loses z: it hangs"]
    assert found["by_variant"]["tcgen05.ld.b"] == "3 of 4 executed, 20 mutants"
    assert scores.sentence("tcgen05_ld", own) == (
        "tcgen05_ld: noticed 6 of 8 executed mutants of 2 variants (there are 50); "
        "1 stopped the probe"
    )


def test_the_program_writes_the_row_and_keeps_what_it_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("tr8", "tr6"):
        assert scores.main([name, "--execute", "3", "--out", str(tmp_path)]) == 0
    assert "tr8: noticed 3 of 3 executed mutants (there are 344)" in capsys.readouterr().out
    row = read_record(tmp_path / "gfx950" / "emulator" / "mutation_scores.json").findings
    # tr8: 12 x 12 entries of the matrix on bits and 200 pairs.
    assert row["tr8"]["mutants"] == 144 + 200
    # tr6, on lanes, 16 elements and their 6 bits: 13 x 13 entries and 200 pairs; those that would
    # make bits 6 and 7 of an element lie outside.
    assert row["tr6"]["mutants"] + row["tr6"]["outside"] == 13 * 13 + 200


def test_a_survivor_is_status_1(tmp_path: Path) -> None:
    arguments = ["tr8_broadcast", "--execute", "2", "--out", str(tmp_path)]
    assert scores.main(arguments) == 1


def test_an_unknown_probe_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert scores.main(["tr9"]) == 2
    assert "there is no probe 'tr9'" in capsys.readouterr().err


def test_one_variant_has_all_its_mutants_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, int | None] = {}
    monkeypatch.setattr(scores, "score", lambda probe, n: asked.setdefault(probe.name, n) or [])
    for name in ("tr8", "tcgen05_ld"):
        scores.scores_of(find_probe(name), None)
    scores.scores_of(find_probe("tcgen05_st"), 7)
    assert asked == {"tr8": None, "tcgen05_ld": scores.FAMILY_EXECUTED, "tcgen05_st": 7}
    assert find_probe("tr8").name == "tr8"
