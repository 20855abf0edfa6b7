"""The comparison of paths through LDS: what the counts must be by hand, and who wins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lanemap.benching  # noqa: F401 (makes kernels/ a package)
from analysis import lds_sheets
from lanemap.records.files import read_record
from lanemap_kernels.lds_attention.paths import path
from lanemap_kernels.lds_attention.work import Work, measure

ROW = read_record(
    Path(__file__).resolve().parents[2] / "results" / "gfx950" / "emulator" / "lds_paths.json"
)


def tile(name: str, scores_only: bool = True) -> dict[str, Any]:
    (row,) = [each for each in lds_sheets.paths(ROW, scores_only) if each["path"] == name]
    return row["tile"]


def test_the_counts_of_a_tile_by_hand() -> None:
    """64 keys of 128 bytes: 8 KB are written once and read by each of four waves.

    8 bytes a lane are 512 bytes, in two passes of 64 banks or four of 32; a product of 32x32x64
    takes half of the depth, two of them for each 32 keys.
    """
    plain = tile("1")
    assert (plain["writes"], plain["reads"]) == ({"ds_write_b64": 16}, {"ds_read_b64": 4 * 16})
    assert (plain["write_passes"], plain["read_passes"]) == (4 * 16, 2 * 64)
    assert plain["mfma"] == {"v_mfma_f32_32x32x64_f8f6f4": 4 * 2 * 2}
    assert plain["cycles"]["LDS"] == 4 * 16 + 2 * 64
    assert plain["cycles"]["MFMA"] == 4 * 64
    # 16 bytes a lane: one copy, two writes, or 16 of bytes; a row of 128 bytes is 32 lanes' words.
    assert tile("1s")["writes"] == {"buffer_load_dwordx4 .. lds": 8}
    assert tile("1.copy_row")["writes"] == {"buffer_load_dword .. lds": 64}
    assert sum(tile("2.bytes")["writes"].values()) == 16 * 8
    assert tile("2.permute")["permutes"] == 8 * 8
    assert tile("2.transpose")["reads"] == {"ds_read_b64_tr_b8": 64 + 16}
    assert tile("2.transpose")["writes"]["ds_write_b64"] == 16


@pytest.mark.parametrize(
    ("name", "scores_only", "ways"),
    [("2.permute", True, 1), ("2.permute.dense", True, 4), ("2.permute.dense", False, 4)],
)
def test_reads_of_interleaved_blocks(name: str, scores_only: bool, ways: int) -> None:
    """A stride of 1024 bytes puts four blocks of 8 rows into the same banks; 1024 + 64 does not."""
    reads = sum(tile(name, scores_only)["reads"].values())
    assert tile(name, scores_only)["read_passes"] == 2 * ways * reads


@pytest.mark.parametrize(("name", "ways"), [("3.128", 4), ("3.136", 2), ("3.160", 1), ("1s", 1)])
def test_reads_of_row_major_v(name: str, ways: int) -> None:
    """What attention reads beside Q K^T are 64 transposing reads of V."""
    passes = tile(name, False)["read_passes"] - tile(name)["read_passes"]
    assert passes == 2 * ways * 64


def test_a_path_is_counted_as_the_row_says() -> None:
    call, each = measure(path("1s"), True)
    stored = tile("1s")
    assert each.cycles() == stored["cycles"]
    assert each.classes == stored["classes"] and call.reads == {"ds_read_b128": 16}


def test_the_bound_is_the_busiest_unit() -> None:
    work = Work(
        permutes=3, valu=8, transcendental=4, read_passes=5, write_passes=7, read_conflicts=1
    )
    cycles = work.cycles()
    assert cycles == {
        "LDS": 5 + 7 + 2 * 3,
        "MFMA": 0,
        "VALU": (4 * 4 + 16 * 4) / 4,
        "conflicts": 1,
        "bound": 20,
    }


def row(name: str, call: float, each: float) -> dict[str, Any]:
    return {"path": name, "call": {"cycles": {"LDS": call}}, "tile": {"cycles": {"LDS": each}}}


def test_winners_change_where_lines_cross() -> None:
    """10 + 5 n and 31 + 2 n cross between 7 and 8 tiles: at 7 both take 45."""
    found = lds_sheets.winners([row("a", 10, 5), row("b", 31, 2)], "LDS")
    assert found == [(1, ["a"]), (7, ["a", "b"]), (8, ["b"])]


def test_plain_reads_win_for_keys_at_every_length() -> None:
    for unit in ("LDS", "bound"):
        ((first, best),) = lds_sheets.winners(lds_sheets.paths(ROW, True), unit)
        assert first == 1 and not any(name.startswith("2.") for name in best)


def test_the_figure_is_drawn() -> None:
    assert lds_sheets.draw(ROW)["tiles.png"].startswith(b"\x89PNG")
