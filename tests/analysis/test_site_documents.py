"""docs/ and the reference as pages of the site."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

import lanemap
from lanemap.cli import main
from lanemap.cli.folders import module
from lanemap.cli.told.commands import commands
from tests.analysis.test_report import Links

documents = module("analysis", "documents")
pages = module("analysis", "pages")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site")
    made = pages.Site(folder)
    documents.build(made, commands())
    made.page("index.html", "document.html", heading="home", body="", headings=[])
    made.write()
    return folder


def test_every_page_of_docs_is_a_page_with_its_title(site: Path) -> None:
    index = (site / "docs/index.html").read_text()
    for path in (ROOT / "docs").rglob("*.md"):
        place = path.relative_to(ROOT / "docs").with_suffix(".html").as_posix().lower()
        title = re.search(r"^# (.+)$", path.read_text(), re.MULTILINE)
        assert title and f'<a href="../docs/{place}">' in index, path
        plain = re.sub(r"<[^>]+>", "", (site / "docs" / place).read_text())
        assert title[1].replace("`", "") in html.unescape(plain)


def test_every_link_leads_to_a_page_and_a_part_of_it(site: Path) -> None:
    texts = {path.resolve(): path.read_text() for path in site.rglob("*.html")}
    assert len(texts) > 40
    for path, text in texts.items():
        for link in Links(text).found:
            if re.match(r"\w+:", link):
                continue
            target, _, anchor = link.partition("#")
            there = (path.parent / target).resolve() if target else path
            assert there.is_file(), f"{path.name}: {link}"
            if anchor:
                assert f'id="{anchor}"' in texts[there], f"{path.name}: {link}"


def test_a_page_shows_its_tables_code_and_pictures(site: Path) -> None:
    text = (site / "docs/tr8.html").read_text()
    assert "<td>rocRoller</td>" in text and "figures: tr8" not in text
    assert (site / "docs/images/tr8.png").is_file() and 'src="images/tr8.png"' in text
    assert "lanemap draw ds_read_b64_tr_b8 --out tr8.png" in text


def test_the_reference_has_every_public_name_with_its_docstring(site: Path) -> None:
    text = html.unescape((site / "docs/reference.html").read_text())
    for name in dir(lanemap):
        assert f'<h2 id="{name}">' in text
        said = (getattr(lanemap, name).__doc__ or "").strip().partition("\n")[0]
        if name != "__version__":
            assert said in text, name
    assert "open_device(target: str, device: str = 'auto'" in " ".join(text.split())


def test_the_reference_of_commands_has_every_verb_and_option(site: Path) -> None:
    text = (site / "docs/commands.html").read_text()
    for verb in main.verbs():
        assert f'<h2 id="{verb}">' in text
    assert "<code>--hazards</code>" in text or "--strict" in text


def test_what_is_known_of_each_variant_is_a_page(tmp_path: Path) -> None:
    made = pages.Site(tmp_path)
    row = {"variant": "a<b>", "family": "f", "target": "sm_80", "silicon": "none: nobody has one"}
    documents.known(made, documents.Matrix({"silicon": "GPUs"}, [row]), "matrix.html")
    made.write()
    text = (tmp_path / "matrix.html").read_text()
    assert "<code>a&lt;b&gt;</code>" in text and "none: nobody has one" in text
    Links(text)


def test_every_page_of_docs_can_be_looked_for(tmp_path: Path) -> None:
    made = pages.Site(tmp_path)
    documents.build(made, ())
    found = {each.page: each.title for each in made.found if each.kind == "docs"}
    assert found == {each.place: each.title for each in documents.documents()}


def test_notebooks_are_linked_where_they_were_built(tmp_path: Path) -> None:
    place = tmp_path / "notebooks/hmma_latency.html"
    place.parent.mkdir()
    place.write_text("")
    made = pages.Site(tmp_path)
    documents.build(made, ())
    index = str(made.files()[tmp_path / documents.SECTION])
    assert 'href="../notebooks/hmma_latency.html"' in index
    assert "notebooks/kernels.html" not in index
