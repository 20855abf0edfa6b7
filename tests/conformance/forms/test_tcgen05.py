"""What ptxas takes of tcgen05's data movement, and that the tracked row says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lanemap.conformance.forms import single, tcgen05
from lanemap.devices import open_device
from lanemap.errors import Disagreement, MissingEnvironment, UserError
from lanemap.records.files import read_record, row_text
from lanemap.records.schema import Record

ROW = Path(__file__).resolve().parents[3] / "results" / "sm_100a" / "ptxas" / "tcgen05_forms.json"
MOST = {"32x32b": 128, "16x64b": 128, "16x128b": 64, "16x256b": 32, "16x32bx2": 128}
FINDINGS = read_record(ROW).findings


@pytest.mark.parametrize("op", ["ld", "st"])
def test_powers_of_two_up_to_the_largest_are_taken_and_nothing_else(op: str) -> None:
    own, wrong = (".pack::16b", ".unpack::16b") if op == "ld" else (".unpack::16b", ".pack::16b")
    total = 0
    for shape, most in MOST.items():
        count = most.bit_length()
        for modifier in ("", own):
            row = FINDINGS[f"tcgen05.{op}.{shape}.xN{modifier}"]
            # 0 to 129 and 256 were asked of.
            assert (row["accepted"], row["refused"]) == (count, 131 - count)
            assert row["accepted_n"].endswith(f", {most}")
            total += count
        assert FINDINGS[f"tcgen05.{op}.{shape}.xN{wrong}"]["accepted"] == 0
    assert total == 74


def test_the_machines_instruction_is_named() -> None:
    load = FINDINGS["tcgen05.ld.16x256b.xN.pack::16b"]["machine"].split("; ")
    assert load[:2] == ["LDTM.16dp256bit.PACK16BIT", "LDTM.16dp256bit.x2.PACK16BIT"]
    split = FINDINGS["tcgen05.st.16x32bx2.xN"]["machine"].split("; ")
    assert split[1] == "STTM.16dp32bit_t0_t15.x2, STTM.16dp32bit_t16_t31.x2"


def test_wrong_operands_other_copies_and_sizes_are_refused_with_a_reason() -> None:
    for name in (
        "tcgen05.ld.16x32bx2.xN without its immediate",
        "tcgen05.st.32x32b.xN with an immediate",
        "tcgen05.ld.16x64b without .num",
        "tcgen05.cp.64x128b.warpx4",
        "tcgen05.cp.128x256b.warpx4",
        "tcgen05.shift.up",
        "tcgen05.ld.red.32x32b.xN.min.f32",
    ):
        row = FINDINGS[name]
        assert row["accepted"] == 0 and row["refused"] == 1 and len(row["refused_n"]) > 20, name
    copies = [name for name, row in FINDINGS.items() if ".cp." in name and row["accepted"]]
    assert len(copies) == 6
    assert FINDINGS["tcgen05.alloc of N columns"]["accepted_n"] == "32, 64, 128, 256, 512"


def test_the_tracked_row_is_what_ptxas_says() -> None:
    try:
        found: Record = tcgen05.record()
    except MissingEnvironment as missing:
        pytest.skip(str(missing))
    if found.findings["assembler"] != FINDINGS["assembler"]:
        pytest.skip(f"the row was made by {FINDINGS['assembler']}")
    assert row_text(found) == ROW.read_text()


@pytest.mark.slow
def test_the_emulator_takes_and_refuses_the_same_forms() -> None:
    """All but sizes of allocations, which it refuses when they are asked for at run time."""
    device = open_device("sm_100a", "emulator")
    taken: dict[str, int] = {}
    asked = [*tcgen05.moves(), *tcgen05.others()]
    for each in asked:
        text = single.alone(each.line, "sm_100a")
        try:
            device.load(text)["k0"]
            taken[each.group] = taken.get(each.group, 0) + 1
        except UserError as error:
            # The line is named.
            assert str(error).startswith("the source:4: "), each.line
    sizes = "tcgen05.alloc of N columns"
    assert taken.pop(sizes) == sum(each.group == sizes for each in asked)
    wanted = {
        name: row["accepted"]
        for name, row in FINDINGS.items()
        if name not in ("assembler", sizes) and row["accepted"]
    }
    assert taken == wanted
    odd = single.alone(
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 48;", "sm_100a"
    )
    with pytest.raises(Disagreement, match="48 columns"):
        device.load(odd)["k0"]((1,), (32,), [np.uint32(0)])
