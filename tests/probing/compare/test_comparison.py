"""Who agrees with whom: on maps small enough to work out, and on the sources' own table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.cli.main import run
from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.model import variant
from lanemap.probing.compare.comparison import Comparison, Observed, compare, compare_all
from lanemap.probing.compare.relations import aligned, relate
from lanemap.records.files import read_records, write_records
from lanemap.records.schema import Observation, Record
from tests.records.rows import ENVIRONMENT, HASH, findings

RESULTS = Path(__file__).resolve().parents[3] / "results"
TR8 = "ds_read_b64_tr_b8"
OUT = Space("register", (("lane", 4),))
IN = Space("chunk", (("lane", 4),))


def line(*sources: int) -> LayoutMap:
    return LayoutMap(OUT, IN, np.array(sources))


def standing(found: Comparison, name: str):
    (each,) = [each for each in found.standings if each.party.name == name]
    return each


def octets() -> LayoutMap:
    """Byte j of lane l is byte l & 7 of lane (l & ~7) + j."""
    register = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 64)))
    return LayoutMap.from_function(
        register,
        chunk,
        lambda lane, register, bit: {
            "lane": (lane & ~7) + 4 * register + bit // 8,
            "bit": 8 * (lane & 7) + bit % 8,
        },
    )


def sixteens() -> LayoutMap:
    """Lane i of 16 receives column i of the 8 x 16 bytes that their chunks are."""
    register = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 64)))
    table = np.arange(4096).reshape(4, 8, 16, 8).transpose(0, 2, 1, 3).reshape(-1)
    return LayoutMap(register, chunk, table)


def test_partial_maps_agree_where_both_speak() -> None:
    relation = relate(line(0, 1, 2, 3), line(-1, 1, -1, -1))
    assert (relation.agrees, relation.common, relation.said) == (True, 1, 1)
    assert relate(line(0, -1, -1, -1), line(-1, 1, -1, -1)).agrees is None


def test_the_first_contradiction_is_named_with_both_values() -> None:
    relation = relate(line(0, 1, 2, 3), line(0, 1, 3, 2))
    assert (relation.agrees, relation.differing) == (False, 2)
    assert relation.first is not None
    assert (relation.first.cell, relation.first.mine, relation.first.theirs) == (
        "register lane 2",
        "chunk lane 2",
        "chunk lane 3",
    )


def test_one_source_in_two_places_is_a_contradiction_too() -> None:
    """They share no destination: but source 0 goes to lane 0 for one, to lane 3 for the other."""
    mine, theirs = line(0, 1, -1, -1), line(-1, -1, 2, 0)
    relation = relate(mine, theirs)
    assert relation.common == 0 and relation.agrees is False
    assert relation.first is not None and relation.first.backwards
    assert (relation.first.mine, relation.first.theirs) == ("register lane 0", "register lane 3")
    assert relate(mine, theirs, moves=False).agrees is None


def test_replicated_sources_may_have_several_places() -> None:
    assert relate(line(0, 0, -1, -1), line(0, -1, 0, -1)).agrees is True


def test_maps_of_other_sizes_meet_in_the_larger_space() -> None:
    small = LayoutMap(
        Space("register", (("lane", 2),)), Space("chunk", (("lane", 2),)), np.array([1, 0])
    )
    one, two = aligned([small, line(1, 2, 3, 0)])
    assert one.destination == two.destination == OUT
    assert one.table.tolist() == [1, 0, -1, -1]
    with pytest.raises(UserError, match="their axes differ"):
        aligned([small, LayoutMap(OUT, Space("tmem", (("lane", 4),)), np.arange(4))])


def test_a_permutation_of_k_is_told_from_other_differences() -> None:
    matrix = Space("matrix", (("row", 2), ("k", 2)))
    mine = LayoutMap(OUT, matrix, np.array([0, 1, 2, 3]))
    swapped = LayoutMap(OUT, matrix, np.array([1, 0, 3, 2]))
    by_row = LayoutMap(OUT, matrix, np.array([1, 0, 2, 3]))
    assert relate(mine, swapped).gauge and relate(mine, swapped).agrees is False
    assert not relate(mine, by_row).gauge
    half = LayoutMap(OUT, matrix, np.array([1, -1, 3, -1]))
    assert not relate(mine, half).gauge, "half of it may lose elements"


def test_the_sources_of_the_byte_transpose_stand_as_their_table_says() -> None:
    found = compare(TR8)
    assert found.reference.name == "model" and found.agrees
    assert {each.party.name for each in found.dissenting} == {
        "rocjitsu, uncorrected",
        "Modular",
        "the octet rule",
        "design notes, stride-8 gather",
        "design notes, broadcast",
        "sunxxuns/aiter, .lessons",
    }
    first = {each.party.name: each.relation.first for each in found.dissenting}
    # Byte 1 of lane 0: lane 2's for 16 lanes, lane 1's for octets and for fours.
    for name in ("the octet rule", "rocjitsu, uncorrected"):
        witness = first[name]
        assert witness is not None and witness.cell == "register lane 0 register 0 bit 8"
        assert (witness.mine, witness.theirs) == ("chunk lane 2 bit 0", "chunk lane 1 bit 0")
    # Byte 0 of lane 1 is byte 1 of lane 0; Modular's odd lane keeps to odd lanes.
    witness = first["Modular"]
    assert witness is not None and witness.cell == "register lane 1 register 0 bit 0"
    assert (witness.mine, witness.theirs) == ("chunk lane 0 bit 8", "chunk lane 1 bit 0")
    # The formula holds for the first 16 lanes.
    witness = first["sunxxuns/aiter, .lessons"]
    assert witness is not None and witness.cell == "register lane 16 register 0 bit 0"


def test_a_partial_claim_joins_every_group_that_it_fits() -> None:
    groups = compare(TR8).groups
    measured = "sunxxuns/aiter, measured lanes"
    assert groups[0][0] == "model" and measured in groups[0]
    assert [group for group in groups if "sunxxuns/aiter, .lessons" in group] == [
        ("sunxxuns/aiter, .lessons", measured)
    ]
    assert ("Modular",) in groups


def test_support_counts_a_source_once_and_kernels_apart() -> None:
    support = compare(TR8).support
    assert [each.rsplit(" (", 1)[0] for each in support.claims] == [
        "sunxxuns/aiter, measured lanes",
        "AITER opus MLA",
        "Primus-Turbo",
        "rocRoller",
        "Triton, AMD back end",
        "rocjitsu",
    ]
    assert support.kernels == ("Triton 3.9's compiled FP8 P @ V",)
    assert support.silicon == ()
    assert str(support) == "6 claims (1 partial), 1 kernel"
    # It lists the 8 bytes of 3 lanes.
    assert support.partial == {"sunxxuns/aiter, measured lanes (HW)": "192 of 4096 cells"}


def test_the_emulator_is_never_support_and_silicon_is() -> None:
    seen = [
        Observed("emulator", sixteens(), "probe a"),
        Observed("silicon", sixteens(), "probe b"),
    ]
    found = compare(TR8, seen)
    assert found.agrees and found.support.silicon == ("probe b",)
    assert found.standings[0].party.name == "probe b", "silicon first"
    assert "probe a" not in json.dumps(found.support.to_json())


@pytest.mark.parametrize("evidence", ["silicon", "emulator"])
def test_an_observation_that_contradicts_the_model_is_a_disagreement(evidence: str) -> None:
    found = compare(TR8, [Observed(evidence, octets(), "probe x")])
    assert not found.agrees
    first = standing(found, "probe x").relation.first
    assert first is not None and first.theirs == "chunk lane 1 bit 0"
    assert found.support.silicon == ()
    (group,) = [group for group in found.groups if "probe x" in group]
    assert set(group) == {"probe x", "the octet rule"}


def test_an_observation_between_other_spaces_is_refused() -> None:
    with pytest.raises(UserError, match="probe x on ds_read_b64_tr_b8: cannot compare"):
        compare(TR8, [Observed("silicon", line(0, 1, 2, 3), "probe x")])


def test_a_store_onto_lanes_that_nobody_else_names_still_contradicts() -> None:
    """The figure of 16x32bx2 puts threads 16 to 31 on lanes 16 to 31, which the model lacks."""
    found = compare("tcgen05.st.16x32bx2.x2")
    (dissent,) = found.dissenting
    assert dissent.party.name == "PTX ISA, figure of 16x32bx2"
    first = dissent.relation.first
    assert first is not None and first.cell == "register lane 16 register 0 bit 0"
    assert first.mine == "tmem lane 0 column 2 bit 0"
    assert first.theirs == "tmem lane 16 column 2 bit 0"


def test_an_operand_that_differs_by_k_alone_is_marked() -> None:
    """tinygrad deals k evenly; AMD's document gives each group two runs. No product shows it."""
    found = compare("v_mfma_f32_16x16x128_f8f6f4:A.fp8")
    relation = standing(found, "tinygrad").relation
    assert relation.agrees is False and relation.gauge
    wrong = standing(compare("v_mfma_f32_32x32x16_f16:D"), "tinygrad").relation
    assert wrong.agrees is False and not wrong.gauge


def test_p_stored_with_unpack_is_shown_by_its_cell() -> None:
    found = compare("tcgen05.mma.cta_group::1.kind::f16.m128.bf16:A")
    (dissent,) = found.dissenting
    first = dissent.relation.first
    assert dissent.party.name == "design notes, TileLang" and first is not None
    assert first.cell == "tmem lane 0 column 1 bit 0"
    assert (first.mine, first.theirs) == ("matrix row 0 k 2 bit 0", "matrix row 0 k 1 bit 0")


def test_a_subject_without_a_model_is_held_against_its_strongest_claim() -> None:
    found = compare("tcgen05.ld.32x32b:taddr")
    assert found.reference.name == "TVM" and not found.dissenting
    support = found.support
    assert (support.silicon, support.claims, support.kernels) == ((), (), ())


def test_what_nobody_speaks_of_has_no_support() -> None:
    found = compare("v_mfma_scale_f32_16x16x128_f8f6f4:scale_A.byte0")
    assert found.standings == () and str(found.support) == "none" and found.agrees


def test_an_unknown_variant_is_answered_with_close_ones() -> None:
    with pytest.raises(UserError, match="ds_read_b64_tr_b8"):
        compare("ds_read_b64_tr_8")


def test_all_of_a_target_are_compared() -> None:
    found = {each.variant: each for each in compare_all("gfx950")}
    assert {TR8, "v_mfma_f32_32x32x16_f16:D"} <= set(found)
    assert all(each.agrees for each in found.values())
    expected = {v.name for v in map(variant, found) if "gfx950" in v.targets}
    assert set(found) == expected


def record(layout: LayoutMap, device: str, evidence: str) -> Record:
    hashes = HASH, None if evidence == "silicon" else HASH
    row = Observation(TR8, layout, *hashes, 1)
    environment = ENVIRONMENT if evidence == "silicon" else None
    return Record("tr8", "gfx950", device, evidence, (row,), findings(TR8), environment)


def one_bit(layout: LayoutMap) -> LayoutMap:
    """What a layout says of its first cell, and nothing of the others."""
    table = np.full(layout.table.size, -1)
    table[0] = layout.table[0]
    return LayoutMap(layout.destination, layout.source, table)


def test_a_row_of_one_bit_is_partial_support() -> None:
    seen = Observed("silicon", one_bit(sixteens()), "probe x")
    found = compare(TR8, [seen])
    assert found.agrees
    assert str(found.support).startswith("1 partial silicon row, 6 claims")
    assert found.support.partial["probe x"] == "1 of 4096 cells"
    both = compare(TR8, [seen, Observed("silicon", sixteens(), "probe y")])
    assert str(both.support).startswith("2 silicon rows (1 partial), ")
    shown = standing(found, "probe x").to_json()
    assert (shown["partial"], shown["cells_compared"], shown["cells_of_reference"]) == (
        True,
        1,
        4096,
    )
    assert found.to_json()["support"]["words"] == str(found.support)


def test_a_cell_that_is_seen_to_receive_nothing_contradicts_a_model_that_fills_it() -> None:
    layout = one_bit(sixteens())
    found = compare(TR8, [Observed("silicon", layout, "probe x", ~layout.defined)])
    first = standing(found, "probe x").relation.first
    assert not found.agrees and first is not None
    assert first.cell == "register lane 0 register 0 bit 1"
    assert (first.mine, first.theirs) == ("chunk lane 0 bit 1", "nothing of chunk")
    # Of a store that leaves half of each word alone the same statement makes the row whole.
    unpacking = variant("tcgen05.st.32x32b.x1.unpack::16b")
    observed = Observed("silicon", unpacking.map, "probe x", ~unpacking.map.defined)
    assert not standing(compare(unpacking.name, [observed]), "probe x").relation.partial


def test_a_row_of_a_smaller_space_is_partial_though_it_is_total() -> None:
    register = Space("register", (("lane", 1), ("register", 1), ("bit", 8)))
    chunk = Space("chunk", (("lane", 1), ("bit", 8)))
    small = LayoutMap(register, chunk, np.arange(8))
    found = compare(TR8, [Observed("silicon", small, "probe x")])
    assert found.support.partial["probe x"] == "8 of 4096 cells"


NVIDIA = {key: value for key, value in ENVIRONMENT.items() if key != "architecture"}


@pytest.mark.parametrize(("changes", "words"), [
    ({"findings": findings(TR8, explained=False)}, "the probe could not explain all that it saw"),
    ({"environment": {**ENVIRONMENT, "architecture": "gfx942:sramecc+:xnack-"}},
     "a test's GPU is gfx942, not gfx950"),
    ({"environment": NVIDIA}, "a test's GPU is of no known architecture, not gfx950"),
    ({"environment": {**NVIDIA, "compute_capability": "9.0"}}, "is sm_90, not gfx950"),
])  # fmt: skip
def test_a_row_of_silicon_is_support_only_if_explained_and_of_its_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], words: str
) -> None:
    """It still contradicts, and is shown; it does not count for the model."""
    good = record(sixteens(), "hip", "silicon")
    write_records([good], tmp_path / "good")
    assert compare(TR8, results=tmp_path / "good").support.silicon == (good.origin,)
    write_records([replace(good, **changes)], tmp_path / "bad")
    found = compare(TR8, results=tmp_path / "bad")
    assert found.agrees and found.support.silicon == ()
    assert standing(found, good.origin).relation.agrees
    run(["compare", TR8, "--results", str(tmp_path / "bad")])
    said = " ".join(capsys.readouterr().out.split())
    assert "no support: " in said and words in said
    write_records([replace(record(octets(), "hip", "silicon"), **changes)], tmp_path / "other")
    assert not compare(TR8, results=tmp_path / "other").agrees


@pytest.mark.parametrize(("target", "capability", "counts"), [
    ("sm_90a", "9.0", True), ("sm_100a", "10.0", True), ("sm_103a", "10.3", True),
    ("sm_100a", "10.3", False), ("sm_100a", "9.0", False), ("sm_90a", None, False),
])  # fmt: skip
def test_a_gpu_is_of_a_target_by_its_compute_capability(
    target: str, capability: str | None, counts: bool
) -> None:
    environment = {**NVIDIA, "compute_capability": capability} if capability else NVIDIA
    for each in (environment, {"before": environment, "after": environment}):
        row = Record("mine", target, "cuda", "silicon", (), findings(TR8), each)
        assert (row.reservation == "") == counts


def test_every_stored_row_of_silicon_is_explained_and_of_its_target() -> None:
    rows = [row for row in read_records(RESULTS) if row.observations and row.environment]
    assert rows and not [row.reservation for row in rows if row.reservation]


def test_the_command_calls_a_partial_row_partial(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_records([record(one_bit(sixteens()), "hip", "silicon")], tmp_path)
    where = ["--results", str(tmp_path)]
    assert run(["compare", TR8, *where]) == 0
    text = capsys.readouterr().out
    (row,) = [line for line in text.splitlines() if line.startswith("probe tr8 on hip (gfx950) ")]
    assert "in part" in row and "1 of 1 (PARTIAL: 1 of 4096 cells)" in row
    assert "support: 1 partial silicon row, 6 claims" in text
    assert "silicon: probe tr8 on hip (gfx950), PARTIAL: 1 of 4096 cells" in text
    assert run(["compare", "--all", "--target", "gfx950", *where]) == 0
    text = capsys.readouterr().out
    (row,) = [line for line in text.splitlines() if line.startswith(f"{TR8} ")]
    assert "1 partial silicon row" in row


@pytest.mark.parametrize(("layout", "status"), [(sixteens, 0), (octets, 1)])
def test_the_command_reads_results_and_exits_by_them(
    layout, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_records([record(layout(), "hip", "silicon")], tmp_path)
    assert run(["compare", TR8, "--results", str(tmp_path), "--json"]) == status
    shown = json.loads(capsys.readouterr().out)
    assert shown["agrees"] is (status == 0)
    assert shown["standings"][0]["name"] == "probe tr8 on hip (gfx950)"
    assert shown["support"]["silicon"] == (["probe tr8 on hip (gfx950)"] if status == 0 else [])
    assert run(["compare", TR8, "--results", str(tmp_path)]) == status
    text = capsys.readouterr().out
    assert "probe tr8 on hip (gfx950)" in text


def test_the_command_wants_a_variant_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare"]) == 2
    assert run(["compare", TR8, "--all"]) == 2
    assert run(["compare", "--all", "--target", "gfx906"]) == 2
    assert run(["compare", "nothing"]) == 2
    assert all(line.startswith("lanemap: ") for line in capsys.readouterr().err.splitlines())


def test_the_command_lists_every_variant_of_a_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_records([record(octets(), "hip", "silicon")], tmp_path)
    assert run(["compare", "--all", "--target", "gfx950", "--results", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    (row,) = [line for line in text.splitlines() if line.startswith(f"{TR8} ")]
    assert "OBSERVATION DISAGREES" in row and "6 claims (1 partial), 1 kernel" in row
    assert "1 contradicted by an observation" in text
