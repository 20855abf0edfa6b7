"""Forms of a drawing: letters, SVG, PNG, CSV, Markdown and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

import lanemap
from lanemap.drawing import Drawing, Part, grid_of
from lanemap.drawing.palette import colors
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.model import variant
from tests.analysis.records import layout

LANE, BYTE = np.meshgrid(np.arange(64), np.arange(8), indexing="ij")


def drawing(name: str) -> Drawing:
    layout_ = variant(name).map
    return Drawing((Part(grid_of(layout_, name), (layout_,)),))


def pixels(png: bytes) -> np.ndarray:
    from matplotlib.image import imread

    return imread(io.BytesIO(png))[..., :3]


def share(image: np.ndarray, color: np.ndarray) -> int:
    return int((np.abs(image - color[:3]).max(axis=-1) < 0.02).sum())


def test_a_cell_has_the_color_of_the_lane_that_it_came_from() -> None:
    """Every byte from lane 5's chunk: its color fills the picture."""
    one = layout(0 * LANE + 5, BYTE, 8)
    image = pixels(Drawing((Part(grid_of(one, "mine"), (one,)),)).png())
    assert share(image, colors(64)[5]) > image[..., 0].size / 16
    assert share(image, colors(64)[40]) == 0


def test_the_same_drawing_gives_the_same_bytes_without_a_date() -> None:
    first, second = drawing("ds_read_b64_tr_b8"), drawing("ds_read_b64_tr_b8")
    assert first.png() == second.png() and first.svg() == second.svg()
    assert not re.search(r"\d{4}-\d\d-\d\d|matplotlib v|<dc:date>", first.svg())


def test_an_svg_has_the_title_and_no_larger_width_than_a_screen() -> None:
    for name in ("tcgen05.mma.cta_group::1.m128n256.f32:D", "wgmma.m64n256.f32:D"):
        found = ElementTree.fromstring(drawing(name).svg())
        assert name in "".join(found.itertext())
        assert float(found.get("width", "").removesuffix("pt")) <= 15.6 * 72


def test_a_large_tile_is_shown_in_part_and_says_so() -> None:
    text = drawing("tcgen05.mma.cta_group::1.m128n256.f32:D").text()
    lines = text.splitlines()
    assert max(map(len, lines)) <= 160 and len(lines) < 60
    assert "left out: lane 36 to 115; column " in lines[-1]
    assert re.search(r"^127 +127,0 +127,1 .*127,255$", text, re.MULTILINE)


def test_a_narrow_terminal_gets_bands() -> None:
    text = drawing("mma.sync.m16n8k16.f16:A").text(60)
    assert max(map(len, text.splitlines()[2:])) <= 60 and text.count("row ") == 2


def test_a_terminal_with_colors_gets_them() -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=True, color_system="truecolor")
    drawing("mma.sync.m16n8k16.f16:A").show(console)
    red, green, blue = (round(255 * part) for part in colors(32)[13][:3])
    assert f"48;2;{red};{green};{blue}m13.0 " in stream.getvalue()


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(drawing(name).csv())))


def test_a_table_has_every_cell() -> None:
    found = rows("mma.sync.m16n8k16.f16:A")
    assert len(found) == 32 * 8
    assert found[13 * 8 + 5] == {
        "register.lane": "13", "register.register": "2", "register.bit": "16",
        "matrix.row": "3", "matrix.k": "11", "matrix.bit": "0", "count": "16",
    }  # fmt: skip


def test_a_table_gives_the_map_back() -> None:
    packed = "tcgen05.mma.cta_group::1.m64n16.f16:D"
    for name in ("ds_read_b64_tr_b8", "shared.k_major.64b.8bit", packed):
        map_ = variant(name).map
        table = np.full(map_.destination.size, -1)
        for row in rows(name):
            count, cells = int(row.pop("count")), list(row.values())
            half = len(map_.destination.names)
            place = map_.destination.index(
                **dict(zip(map_.destination.names, map(int, cells[:half]), strict=True))
            )
            if cells[half]:
                source = map_.source.index(
                    **dict(zip(map_.source.names, map(int, cells[half:]), strict=True))
                )
                table[place : place + count] = source + np.arange(count)
        assert LayoutMap(map_.destination, map_.source, table) == map_


def test_json_and_markdown_say_the_same() -> None:
    found = drawing("shared.swizzle.32b")
    told = json.loads(found.json())
    assert told["columns"] == ["shared.byte", "linear.byte", "count"]
    assert told["rows"][8] == [128, 144, 16]
    assert "| 128 | 144 | 16 |" in found.markdown()


def test_a_file_has_the_form_that_its_suffix_names(tmp_path: Path) -> None:
    found = lanemap.draw("shared.swizzle.32b")
    assert found.save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert found._repr_svg_() == found.save(str(tmp_path / "a.svg")).read_text()
    assert found.save(tmp_path / "a.txt").read_text() == str(found)
    with pytest.raises(UserError, match=r"a\.gif: a drawing is written to a file that ends in"):
        found.save(tmp_path / "a.gif")
    with pytest.raises(UserError, match="cannot write .*missing/a.csv"):
        found.save(tmp_path / "missing" / "a.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "a.svg", "a.txt"]


def test_an_instruction_is_drawn_with_all_of_its_operands() -> None:
    found = lanemap.draw("v_mfma_f32_16x16x16_f16")
    assert [grid.title[-2:] for grid in found.grids] == [":A", ":B", ":D"]
    assert "evidence" in found.grids[0].notes[-1]
    with pytest.raises(UserError, match="names 3 maps; choose one of"):
        lanemap.draw("v_mfma_f32_16x16x16_f16", "ds_read_b64_tr_b8")
