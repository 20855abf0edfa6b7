"""The site in a real browser: cells are those of `lanemap where`, and layouts are read as ours.

Playwright drives Debian's Chromium, or the one that CHROMIUM names.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from analysis import report
from lanemap.cli import main
from lanemap.cli.told import faults
from lanemap.cli.told.instructions import instructions
from lanemap.drawing.grid import composed, drawn_units, grid_of
from lanemap.errors import UserError
from lanemap.layout.pasted import read
from lanemap.model import variant
from lanemap.probing.compare.lowering import hold

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
if not CHROMIUM and os.environ.get("LANEMAP_BROWSER") != "required":
    pytest.skip("there is no Chromium; install it, or name it in CHROMIUM", allow_module_level=True)
WANTED = (
    "mma.sync.m16n8k16.f16,m16n8k8.tf32,m8n8.x4.shared.b16,m8n8.x4.trans,"
    "m8n16.x1.shared.b8x16.b4,tr_b8,k_major.128b.16bit,tcgen05.ld.16x256b.x4,"
    "tcgen05.ld.32x32b.x8,mma.cta_group::1.m64n64.f32,wgmma.m64n16.f32,"
    "v_mfma_f32_32x32x16_bf16"
)
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of few rows and few instructions."""
    folder = tmp_path_factory.mktemp("site")
    for row in ("gfx950/emulator/tr8", "sm_90a/cuda/ldmatrix", "sm_90a/cuda/timing_clocks",
                "sm_90a/emulator/museum_reports"):  # fmt: skip
        place = folder / "results" / f"{row}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "results" / f"{row}.json", place)
    told = instructions(folder / "results", {}, WANTED)
    found = {"museum": faults.museum(), "hazards": faults.hazards(), "kernels": faults.kernels()}
    report.build(folder / "results", folder / "site", instructions=told, faults=found)
    return folder / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        found = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page on which an error of the console fails the test."""
    context = browser.new_context(viewport=DESKTOP)
    found = context.new_page()
    said: list[str] = []
    found.on("pageerror", lambda error: said.append(str(error)))
    found.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    yield found
    context.close()
    assert said == []


def opened(page: Any, site: Path, place: str) -> None:
    page.goto(f"{(site / place.partition('#')[0].partition('?')[0]).as_uri()}"
              f"{place[len(place.partition('#')[0].partition('?')[0]):]}")  # fmt: skip
    page.wait_for_selector("[data-ready]")


def where(capsys: pytest.CaptureFixture[str], name: str, *options: str) -> dict[str, Any]:
    assert main.run(["where", name, *options, "--json"]) == 0
    (cell,) = json.loads(capsys.readouterr().out)["cells"]
    found: dict[str, Any] = cell
    return found


def answer(page: Any, operand: str) -> str:
    return str(page.inner_text(f"#{operand} .answer"))


CELLS = [
    ("mma.sync.m16n8k16.f16", "A", "thread 13 register 2 bit 16",
     ["--thread", "13", "--reg", "2", "--half", "1"], ("row", "k")),
    ("mma.sync.m16n8k16.f16", "D", "thread 31 register 1 bit 16",
     ["--thread", "31", "--reg", "1", "--half", "1"],
     ("row", "column")),
    ("v_mfma_f32_32x32x16_bf16", "B", "thread 40 register 1 bit 0",
     ["--thread", "40", "--reg", "1", "--half", "0"], ("k", "column")),
    ("wgmma.m64n16.f32", "D", "thread 100 register 5", ["--thread", "100", "--reg", "5"],
     ("row", "column")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "operand", "cell", "options", "axes"), CELLS)
def test_a_named_cell_is_that_of_where(
    page: Any, site: Path, capsys: pytest.CaptureFixture[str], name: str, operand: str, cell: str,
    options: list[str], axes: tuple[str, ...],
) -> None:  # fmt: skip
    """Named in the field, in the address, and by the other side."""
    source = where(capsys, f"{name}:{operand}", *options)["source"]
    told = ", ".join(f"{axis} {source[axis]}" for axis in axes)
    opened(page, site, f"v/{name}.html")
    page.fill(f"#{operand} form input", cell)
    page.press(f"#{operand} form input", "Enter")
    assert answer(page, operand).endswith(f": {told}")
    own = answer(page, operand).partition(":")[0]
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    assert answer(page, operand) == f"{own}: {told}"
    page.fill(f"#{operand} form input", told)
    page.press(f"#{operand} form input", "Enter")
    assert answer(page, operand) == f"{told}: {own}"


def test_keys_move_and_pointing_lights_up_the_other_side(page: Any, site: Path) -> None:
    opened(page, site, "v/mma.sync.m16n8k16.f16.html")
    page.focus("#D .here")
    for key in ("Home", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    assert answer(page, "D") == "row 1, column 1: thread 4, register 0, bits 16 to 31"
    page.hover("#D .there", position={"x": 70, "y": 45})
    assert answer(page, "D").startswith("thread 0, register 0, bits 0 to 15: row 0, column 0")


NAMED = (
    "mma.sync.m16n8k16.f16:A", "mma.sync.m16n8k16.f16:B", "ds_read_b64_tr_b8",
    "tcgen05.ld.16x256b.x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "tcgen05.mma.cta_group::1.m64n64.f32:D",
)  # fmt: skip
LABELS = """async (name) => {
  const { map } = await lanemap.explorer.mapOf(name);
  return { rows: map.here.rows, columns: map.here.columns,
           colors: map.colors, color: [...map.color],
           labels: [...map.to].map((place) => lanemap.maps.label(map.there, place)) };
}"""


def test_labels_and_colors_are_those_of_draw(page: Any, site: Path) -> None:
    opened(page, site, "explorer.html")
    for name in NAMED:
        grid = grid_of(variant(name).map, name)
        found = page.evaluate(LABELS, name)
        assert found["labels"] == [label for row in grid.labels for label in row], name
        assert (found["rows"], found["columns"]) == ([*grid.rows], [*grid.columns]), name
        assert (found["colors"], found["color"]) == (grid.colors, grid.color.ravel().tolist()), name


A16 = "mma.sync.m16n8k16.f16:A"
#: `held`: layouts and what each is held against; `read`: layouts that are drawn. Some are none.
PASTED = json.loads(Path(__file__).with_name("pasted_layouts.json").read_text())
MISTAKEN = "((4,8),(2,2,2)):((32,1),(16,128,8))"
HELD = """async ([name, text]) => {
  const { map } = await lanemap.explorer.mapOf(name);
  try {
    const found = lanemap.compare.hold(map, lanemap.layouts.read(text));
    return found.sentences;
  } catch (error) {
    if (error instanceof lanemap.layouts.Wrong) return ["error"];
    throw error;
  }
}"""
READ = """(text) => {
  try {
    const { destination, source, table } = lanemap.layouts.read(text).map;
    return { destination: destination.axes, source: source.axes, table: [...table] };
  } catch (error) {
    if (error instanceof lanemap.layouts.Wrong) return null;
    throw error;
  }
}"""


def test_pasted_layouts_get_the_answer_of_compare(page: Any, site: Path) -> None:
    opened(page, site, "explorer.html")
    for name, text in PASTED["held"]:
        try:
            expected = [*hold(name, variant(name).map, read(text)).sentences(name)]
        except UserError:
            expected = ["error"]
        assert page.evaluate(HELD, [name, text]) == expected, text


def test_pasted_layouts_are_read_as_draw_reads_them(page: Any, site: Path) -> None:
    opened(page, site, "explorer.html")
    for text in PASTED["read"]:
        try:
            layout = read(text).layout
        except UserError:
            assert page.evaluate(READ, text) is None, text
            continue
        found = page.evaluate(READ, text)
        assert found["table"] == layout.table.tolist(), text
        for side, space in (("destination", layout.destination), ("source", layout.source)):
            assert [tuple(axis) for axis in found[side]] == [*space.axes], text


COMPOSED = """async ([one, two]) => {
  const [a, b] = [await lanemap.explorer.mapOf(one), await lanemap.explorer.mapOf(two)];
  const found = lanemap.compare.composed(a.map, b.map);
  return [found.middle, found.destination.unit, [...found.table]];
}"""


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", A16),
        ("tcgen05.ld.16x256b.x4", "tcgen05.mma.cta_group::1.m64n64.f32:D"),
        ("tcgen05.ld.32x32b.x8", "tcgen05.mma.cta_group::1.m64n64.f32:D"),
    ],
)
def test_two_maps_are_composed_as_draw_composes_them(
    page: Any, site: Path, one: str, two: str
) -> None:
    layout, middle = composed(variant(one).map, variant(two).map)
    opened(page, site, "explorer.html")
    through, unit, table = page.evaluate(COMPOSED, [one, two])
    assert through == middle
    cells = layout.table.reshape(-1, unit)[:, 0]
    assert [place * unit if place >= 0 else -1 for place in table] == cells.tolist()
    assert drawn_units(layout).here.unit % unit == 0


def test_the_explorers_state_is_its_address(page: Any, site: Path) -> None:
    state = {"q": "ldmatrix", "layout": MISTAKEN, "against": A16}
    opened(page, site, f"explorer.html?{urlencode(state)}")
    assert page.inner_text("#found li a") == "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
    expected = hold(A16, variant(A16).map, read(state["layout"])).sentences(A16)
    assert page.locator("#verdict p").all_inner_texts() == [*expected]
    page.fill("#q", "tr_b8")
    page.click("text=TR8's chunks")
    page.wait_for_selector("#composed .picture")
    assert "q=tr_b8" in page.url and "a=ds_read_b64_tr_b8" in page.url
    page.fill("#a", "no.such")
    page.press("#a", "Enter")
    page.wait_for_selector("#composed .wrong")
    assert "there is no instruction no.such" in page.inner_text("#composed")


def test_an_exhibit_switches_between_its_versions(page: Any, site: Path) -> None:
    page.goto((site / "museum/uneven_barrier.html").as_uri())
    assert page.is_visible("#faulty") and not page.is_visible("#fixed")
    assert "continue;" in page.inner_text("#faulty pre")
    assert page.locator("#faulty .named").count() == 2
    assert "lanemap: order: " in page.inner_text("#faulty .report")
    page.click("text=side by side")
    assert page.is_visible("#faulty") and page.is_visible("#fixed")
    assert "continue;" not in page.inner_text("#fixed pre")
    page.click("button[data-version=fixed]")
    page.reload()
    assert page.is_visible("#fixed") and not page.is_visible("#faulty")


def test_pages_fit_a_phone_and_their_fields_have_names(browser: Any, site: Path) -> None:
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    kinds = {path.parent.relative_to(site): path for path in sorted(site.rglob("*.html"))}
    some = {*kinds.values(), *(site / "v").glob("*.html"), *site.glob("*.html")}
    for path in sorted(some):
        page.goto(path.as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], path
        unnamed = page.evaluate(
            "[...document.querySelectorAll('input, textarea, button, img')].filter((each) => !("
            "each.labels?.length || each.ariaLabel || each.textContent.trim() || each.alt)).length"
        )
        assert unnamed == 0, path
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_systems_until_one_is_chosen(
    browser: Any, site: Path, scheme: str
) -> None:
    context = browser.new_context(viewport=PHONE, color_scheme=scheme)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
    assert dark == (scheme == "dark")
    page.click("#theme")
    page.reload()
    again = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
    assert again != dark
    context.close()
