"""The machinery of the site: pages share one base template, and the navigation names what there is.

    site = Site(Path("site"))
    site.page("docs/draw.html", "document.html", section="docs/index.html", body=html)
    site.file("docs/draw.svg", svg)
    site.write()

A template extends `base.html` and fills its blocks `title` and `main`. It finds `root`, which leads
from the page to the site's top (`<a href="{{ root }}explorer.html">`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from lanemap.drawing.palette import DIFFERENT, HUES, PALEST, SAME
from lanemap.records.files import write_files

TEMPLATES = Path(__file__).resolve().parent / "templates"
SCRIPTS = Path(__file__).resolve().parent / "scripts"
_NUMERIC = re.compile(r"-|-?[\d,]+(\.\d+)?( ?%)?")


class Entry(NamedTuple):
    """A part of the site, as the navigation names it."""

    title: str
    place: str


#: In this order; the navigation shows those whose page the site has.
NAVIGATION = (
    Entry("Explorer", "explorer.html"),
    Entry("Instructions", "v/index.html"),
    Entry("Hazards", "hazard/index.html"),
    Entry("Museum", "museum/index.html"),
    Entry("Kernels", "kernel/index.html"),
    Entry("Cycles", "cycles.html"),
    Entry("Evidence", "evidence.html"),
    Entry("Docs", "docs/index.html"),
)


class Found(NamedTuple):
    """Something that can be looked for.

    Attributes:
        kind: Such as "instruction".
        title: Its name.
        words: What else it is found by, and what a reader sees beside its name.
        page: Where its page lies.
        operands: Of an instruction, the operands that have maps.
    """

    kind: str
    title: str
    words: str
    page: str
    operands: Sequence[str] = ()


@dataclass(frozen=True)
class _Page:
    template: str
    data: dict[str, Any]


@dataclass
class Site:
    """Pages and files by place, which are collected first and then written together.

    A place is a path below the site's folder, with `/`.

    Attributes:
        folder: Where the site is written.
        url: Where it will be served. Previews of links need it, because they
            must name a picture by its whole address; "" leaves relative addresses.
        found: What the search finds; whoever adds a page adds its entry.
    """

    folder: Path
    url: str = ""
    found: list[Found] = field(default_factory=list)
    _pages: dict[str, _Page] = field(default_factory=dict)
    _files: dict[str, str | bytes] = field(default_factory=dict)

    def page(
        self,
        place: str,
        template: str,
        *,
        section: str = "",
        about: str = "",
        preview: str = "",
        **data: Any,
    ) -> None:
        """Add a page.

        Args:
            place: Where it lies, such as "v/index.html".
            template: A file of templates/.
            section: The place of the entry of `NAVIGATION` that it belongs to; by default its own.
            about: A sentence for search engines and previews of links.
            preview: The place of a PNG that previews of links show.
            data: What the template shows.
        """
        shared = {"section": section or place, "about": about, "preview": preview}
        self._pages[place] = _Page(template, data | shared)

    def file(self, place: str, content: str | bytes) -> None:
        """Add a file that is written as it is."""
        self._files[place] = content

    def places(self) -> list[str]:
        """The pages that were added."""
        return list(self._pages)

    def has(self, place: str) -> bool:
        """Whether a page or file of this place was added."""
        return place in self._pages or place in self._files

    def files(self) -> dict[Path, str | bytes]:
        """Every file of the site, with its content: pages first, in the order of adding."""
        environment = templates()
        url = self.url and self.url.rstrip("/") + "/"
        entries = [each for each in NAVIGATION if each.place in self._pages]
        found: dict[Path, str | bytes] = {}
        for place, page in self._pages.items():
            root = "../" * place.count("/")
            preview = page.data["preview"]
            shared = {
                "root": root,
                "navigation": entries,
                "place": place,
                "preview_url": preview and (url or root) + preview,
                "url": url and url + place,
                "searches": self.has("explorer.html"),
            }
            text = environment.get_template(page.template).render(page.data | shared)
            found[self.folder / place] = text
        for place, content in (*_assets(), *self._files.items()):
            found[self.folder / place] = content
        return found

    def write(self) -> list[Path]:
        """Write the site, and return every file of it, `index.html` first.

        A file that has its content already is left alone, and so are files that the site lacks.

        Raises:
            UserError: A file cannot be written.
        """
        files = self.files()
        write_files({path: text for path, text in files.items() if not _stands(path, text)})
        return sorted(files, key=lambda path: path != self.folder / "index.html")


def templates() -> Any:
    """The environment of the templates."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["counted"] = counted
    environment.tests["numeric"] = lambda value: bool(_NUMERIC.fullmatch(str(value)))
    return environment


def counted(value: Any) -> Any:
    """A whole number with its digits grouped; anything else as it is."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else value


def slug(name: str) -> str:
    """The file name of a thing's page without its suffix: readable, and the same for all time.

    `permalinks.tsv` lists those that were published, and a test keeps each of them reachable.
    """
    return re.sub(r"[^a-z0-9._]+", "-", name.lower()).strip("-.")


def _assets() -> Iterator[tuple[str, str]]:
    """Style and scripts of every site."""
    yield "style.css", (TEMPLATES / "style.css").read_text()
    for path in sorted(SCRIPTS.glob("*.js")):
        yield f"js/{path.name}", path.read_text()
    colors = {"hues": HUES, "palest": PALEST, "different": DIFFERENT, "same": SAME}
    yield "js/palette.js", f"lanemap.palette = {json.dumps(colors)};\n"


def _stands(path: Path, content: str | bytes) -> bool:
    data = content.encode() if isinstance(content, str) else content
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data
