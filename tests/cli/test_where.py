"""`lanemap where`: both directions, against values that others measured or that are worked out."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.cli import main
from lanemap.layout import LayoutMap, Space
from lanemap.model import variant
from lanemap.records.files import write_records
from lanemap.records.schema import Observation, Record
from tests.cli.processes import here, refusal
from tests.records.rows import ENVIRONMENT, HASH, findings

TR8 = "ds_read_b64_tr_b8"
MMA = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main.run(["where", TR8, *words, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


# sunxxuns/aiter at a5559151, on an MI355X: LDS[i] = i % 256, the address of lane l is 8 * l.
@pytest.mark.parametrize(
    ("lane", "measured"), [(0, range(0, 113, 16)), (1, range(1, 114, 16)), (8, range(8, 121, 16))]
)
def test_forward_is_what_was_measured(
    capsys: pytest.CaptureFixture[str], lane: int, measured: range
) -> None:
    answer = ask(capsys, "--lane", str(lane))
    assert [cell["count"] for cell in answer["cells"]] == [8] * 8
    sources = [cell["source"] for cell in answer["cells"]]
    assert [8 * cell["lane"] + cell["bit"] // 8 for cell in sources] == list(measured)


def test_one_bit_forward_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    # Lane 9 is lane 1 of the second octet: byte 1 of its register is byte 1 of lane 2 * 1 + 1.
    forward = ask(capsys, "--lane", "9", "--reg", "0", "--bit", "8")
    assert forward["cells"] == [
        {
            "destination": {"lane": 9, "register": 0, "bit": 8},
            "source": {"lane": 3, "bit": 8},
            "count": 1,
        }
    ]
    back = ask(capsys, "--chunk-lane", "3", "--chunk-bit", "8")
    assert back["cells"] == forward["cells"]
    assert (forward["asked"], back["asked"]) == ("destination", "source")


def test_the_answer_names_its_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["where", TR8, "--lane", "9", "--byte", "1"]) == 0
    out = capsys.readouterr().out
    assert "lane 9 register 0 bit 8..15" in out and "lane 3 bit 8..15" in out
    assert "formula: " in out and "documented: " in out and "legal where: " in out
    assert "verified" not in out.lower()


def test_observations_are_held_against_the_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    true = variant(TR8).map
    wrong = LayoutMap(true.destination, true.source, np.roll(true.table, 64))
    rows = [
        Record(
            name,
            "gfx950",
            "emulator",
            "emulator",
            (Observation(TR8, layout, HASH, HASH, 1),),
            findings(TR8),
        )
        for name, layout in (("right", true), ("wrong", wrong))
    ]
    write_records(rows, tmp_path)
    words = ["--lane", "0", "--results", str(tmp_path)]
    observed = ask(capsys, *words)["observed"]
    assert [(row["probe"], row["agrees"]) for row in observed] == [
        ("right", True),
        ("wrong", False),
    ]
    assert main.run(["where", TR8, *words]) == 0
    out = capsys.readouterr().out
    assert "observed: emulator, probe right on emulator (gfx950): the same map" in out
    wrong = "another map: register lane 0 register 0 bit 0 receives"
    assert f"observed: emulator, probe wrong on emulator (gfx950): {wrong}" in out


def test_an_unknown_variant_is_answered_with_close_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.run(["where", "ds_read_b64_trb8", "--lane", "0"]) == 2
    assert TR8 in capsys.readouterr().err


# The ISA's layouts: lane t/4 + 8*((r/2)%2), column r%2 + 2*(t%4) + 8*(r/4) for 16x256b; lane t,
# column r for 32x32b; a warp's quadrant begins at lane 32*(warp%4).
@pytest.mark.parametrize(
    ("name", "cell", "register", "words"),
    [
        ("tcgen05.ld.32x32b.x16", "37,12", (5, 12), "lane 5 of quadrant 1"),
        ("tcgen05.ld.16x256b.x4", "52,3", (17, 1), "lane 20 of quadrant 1: warps w with w%4 = 1"),
        ("tcgen05.ld.16x256b.x4", "20,3", (17, 1), "taddr's lane at +16, as lane 4 here"),
        ("tcgen05.ld.32x32b.x16", "5,12", (5, 12), ""),
    ],
)
def test_lanes_of_the_whole_tensor_memory(
    capsys: pytest.CaptureFixture[str], name: str, cell: str, register: tuple[int, int], words: str
) -> None:
    assert main.run(["where", name, "--tmem", cell]) == 0
    out = " ".join(capsys.readouterr().out.split())
    lane, number = register
    assert f"lane {lane} register {number} bit 0..31" in out and words in out
    assert ("quadrant " in out.split("formula")[0]) == bool(words)


def test_a_partial_observation_is_called_partial(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    true = variant(TR8).map
    for source, words in (
        (int(true.table[0]), "silicon, probe mine on hip (gfx950): PARTIAL, 1 of 4096 cells: as "),
        (4095, "PARTIAL, 1 of 4096 cells: another map: register lane 0 register 0 bit 0 receives"),
    ):
        table = np.full(4096, -1)
        table[0] = source
        layout = LayoutMap(true.destination, true.source, table)
        observation = Observation(TR8, layout, HASH, None, 1)
        row = Record("mine", "gfx950", "hip", "silicon", (observation,), findings(TR8), ENVIRONMENT)
        out = tmp_path / str(source)
        write_records([row], out)
        assert main.run(["where", TR8, "--lane", "0", "--results", str(out)]) == 0
        assert words in capsys.readouterr().out
        (seen,) = ask(capsys, "--lane", "0", "--results", str(out))["observed"]
        assert (seen["partial"], seen["cells"], seen["cells_of_model"]) == (True, 1, 4096)


# Worked out by hand from the fragments of PTX ISA 9.7.14.5 (g = lane/4, t = lane%4), from the ISA's
# accumulator of wgmma, and from CDNA4 ISA 7.1.5.1 (lane = i + 32*(k/8), element k%8).
@pytest.mark.parametrize(
    ("words", "variant_name", "destination"),
    [
        (f"{MMA} --m 3 --n 5", "mma.sync.m16n8k16.f32:D", {"lane": 14, "register": 1, "bit": 0}),
        (f"{MMA} --i 3 --j 5", "mma.sync.m16n8k16.f32:D", {"lane": 14, "register": 1, "bit": 0}),
        (
            f"{MMA} --row 11 --k 10",
            "mma.sync.m16n8k16.f16:A",
            {"lane": 13, "register": 3, "bit": 0},
        ),
        (f"{MMA} --k 5 --n 2", "mma.sync.m16n8k16.f16:B", {"lane": 10, "register": 0, "bit": 16}),
        (
            "v_mfma_f32_32x32x16_bf16 --i 3 --k 5",
            "v_mfma_f32_32x32x16_bf16:A",
            {"lane": 3, "register": 2, "bit": 16},
        ),
        (
            "wgmma.mma_async.sync.aligned.m64n40k16.f32.f16.f16:D --m 41 --n 5",
            "wgmma.m64n40.f32:D",
            {"warp": 2, "lane": 6, "register": 3, "bit": 0},
        ),
    ],
)
def test_pasted_instructions_and_matrix_coordinates(
    words: str, variant_name: str, destination: dict[str, int]
) -> None:
    status, out, err = here("where", *words.split(), "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    (one,) = answer.get("operands", [answer])
    assert one["variant"] == variant_name
    assert [cell["destination"] for cell in one["cells"]] == [destination]


def test_a_thread_of_a_warpgroup() -> None:
    # Thread 70 is warp 2, lane 6; register 3 holds row 32 + 6/4 + 8, column 2*(6%4) + 1.
    name = "wgmma.mma_async.sync.aligned.m64n40k16.f32.f16.f16:D"
    status, out, _ = here("where", name, "--thread", "70", "--reg", "3", "--json")
    (cell,) = json.loads(out)["cells"]
    assert status == 0 and cell["source"] == {"row": 41, "column": 5, "bit": 0}
    assert cell["destination"] == {"warp": 2, "lane": 6, "register": 3, "bit": 0}


def test_every_operand_answers_that_has_the_cell() -> None:
    status, out, err = here("where", MMA, "--thread", "13", "--reg", "3")
    assert (status, err) == (0, "")
    assert "row 11 k 10" in out and "row 11 column 3" in out
    assert "mma.sync.m16n8k16.f16:B: --reg 3 is outside 0 .. 1" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            f"{TR8} --n 3",
            "--n is not an axis of this map; its axes are --lane, --register (--reg), ",
        ),
        (f"{MMA} --m 3 --q 5", f"no operand of {MMA} has all of --m, --q; "),
        (f"{MMA}:A --n 3", "--n is not an axis of this map; its axes are "),
        (f"{MMA}:A --m 16", "--m 16 is outside 0 .. 15"),
        ("wgmma.m64n8.f32:D --thread 128", "--thread 128 is outside 0 .. 127"),
    ],
)
def test_coordinates_that_there_are_not(words: str, sentence: str) -> None:
    status, said = refusal("where", *words.split(), by=here)
    assert status == 2 and said.startswith(sentence)


def test_an_observation_with_other_axes_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    space = Space("register", (("thread", 4),))
    layout = LayoutMap(space, Space("chunk", (("byte", 4),)), np.arange(4))
    seen = (Observation(TR8, layout, HASH, None, 1),)
    write_records(
        [Record("mine", "gfx950", "hip", "silicon", seen, findings(TR8), ENVIRONMENT)], tmp_path
    )
    for words in (
        ["where", TR8, "--lane", "0"],
        ["emit", TR8],
        ["list", "variants", TR8],
        ["compare", TR8],
    ):
        assert main.run([*words, "--results", str(tmp_path)]) == 2
        assert f"probe mine on hip (gfx950) on {TR8}: cannot compare" in capsys.readouterr().err
