"""The pages of docs/ in the site, and the reference: Python's names by their docstrings, and verbs.

Pages are Markdown, rendered by mistune. Names are read by griffe, which imports nothing.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lanemap import paths
from lanemap.errors import UserError

from .execute import notebooks
from .pages import Found, Site

SECTION = "docs/index.html"
PYTHON = "docs/reference.html"
COMMANDS = "docs/commands.html"
#: Parts of the index: a title, and pages by their names in docs/; what is in none comes last.
PARTS = (
    ("Begin", ("README", "examples/README", "check", "cute", "triton", "cuda", "hip", "ci")),
    ("Layouts", ("layouts", "draw", "descriptors", "explain", "tr8")),
    ("Counting and time", ("counting", "sass", "time", "timing")),
    ("Evidence", ("verified", "evidence", "probes", "silicon", "tensor-core-numerics", "found")),
    (
        "The emulator",
        (
            "emulator", "emulator-api", "emulator-order", "emulator-memory",
            "emulator-scheduling", "emulator-tensor-memory", "coverage", "toolchain", "interop",
        ),
    ),
    ("Kernels and faults", ("kernels/README", "museum/README")),
)  # fmt: skip
MATRIX = "matrix.html"
_IMAGES = (".png", ".svg")


class Matrix(NamedTuple):
    """What is known of each variant.

    Attributes:
        columns: Names of columns, with what stands in them.
        rows: A row for each variant, with its family and targets, in the order of the page.
    """

    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Document:
    """A page of Markdown.

    Attributes:
        name: Its path from the repository's root, or from docs/, without the suffix.
        path: The file.
        place: Where the site has it.
    """

    name: str
    path: Path
    place: str

    @property
    def text(self) -> str:
        """Its Markdown."""
        return self.path.read_text(encoding="utf-8")

    @property
    def title(self) -> str:
        """Its first heading, as plain text."""
        found = re.search(r"^# (.+)$", self.text, re.MULTILINE)
        return found[1].replace("`", "") if found else self.name


def build(site: Site, commands: Sequence[Mapping[str, Any]]) -> None:
    """Add every page of docs/ and of the folders that it leads to, and the reference.

    Args:
        site: The site.
        commands: The verbs of the command line, as `lanemap.cli.told.commands` tells of them.
    """
    found = documents()
    places = {each.path: each.place for each in found}
    for each in found:
        body, headings = rendered(each, places)
        about = _first_sentence(each.text)
        site.found.append(Found("docs", each.title, about, each.place))
        site.page(
            each.place,
            "document.html",
            section=SECTION,
            about=about,
            heading=each.title,
            body=body,
            headings=headings,
        )
        for picture in _pictures(each):
            site.file(_place_of_picture(picture), picture.read_bytes())
    site.page(PYTHON, "reference.html", section=SECTION, names=list(names()))
    site.page(COMMANDS, "commands.html", section=SECTION, commands=commands)
    parts = [*_parts(found), *_notebooks(site)]
    site.page(SECTION, "documents.html", about="Every page of lanemap's docs.", parts=parts)


def known(site: Site, matrix: Matrix, section: str) -> None:
    """Add the page of what is known of each variant."""
    families: dict[str, list[Mapping[str, Any]]] = {}
    for row in matrix.rows:
        families.setdefault(str(row["family"]), []).append(row)
    site.page(
        MATRIX,
        "matrix.html",
        section=section,
        about="What speaks for the map of each instruction form, and what against it.",
        columns=matrix.columns,
        families=families,
    )


def documents() -> list[Document]:
    """Every page, sorted by name; of a wheel, those that it holds."""
    docs = paths.find("docs")
    around = paths.find("museum").parent
    found = [
        Document(path.relative_to(docs).with_suffix("").as_posix(), path, "")
        for path in docs.rglob("*.md")
    ]
    for pattern in ("*.md", "kernels/**/*.md", "museum/*.md", "examples/*.md"):
        for path in around.glob(pattern):
            found.append(Document(path.relative_to(around).with_suffix("").as_posix(), path, ""))
    return [
        Document(each.name, each.path, f"docs/{each.name.lower()}.html")
        for each in sorted(found, key=lambda each: each.name)
    ]


def _parts(found: Sequence[Document]) -> list[dict[str, Any]]:
    by_name = {each.name: each for each in found}
    parts = [(title, [by_name.pop(n) for n in names if n in by_name]) for title, names in PARTS]
    parts.append(("More", list(by_name.values())))
    return [
        {"title": title, "pages": [{"place": each.place, "title": each.title} for each in own]}
        for title, own in parts
        if own
    ]


def _notebooks(site: Site) -> list[dict[str, Any]]:
    """The notebooks whose pages `lanemap report --notebooks` has put into the site's folder."""
    pages = []
    for path in notebooks():
        place = f"notebooks/{path.stem}.html"
        if (site.folder / place).is_file():
            title = re.search(r"^# # (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            pages.append({"place": place, "title": title[1] if title else path.stem})
    return [{"title": "Notebooks", "pages": pages}] if pages else []


def rendered(document: Document, places: Mapping[Path, str]) -> tuple[str, list[tuple[str, str]]]:
    """A page as HTML, and its headings: the anchor and the text of each.

    Args:
        document: The page.
        places: By file, where the site has its page. A link to any other file of the repository
            keeps its text alone.
    """
    import mistune

    headings: list[tuple[str, str]] = []

    class Renderer(mistune.HTMLRenderer):
        """Links between pages, anchors of headings as GitHub makes them."""

        def heading(self, text: str, level: int, **_: Any) -> str:
            plain = html.unescape(re.sub(r"<[^>]+>", "", text))
            anchor = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
            if level == 2:
                headings.append((anchor, plain))
            return f'<h{level} id="{anchor}">{text}</h{level}>\n'

        def link(self, text: str, url: str, title: str | None = None) -> str:
            target, _, anchor = url.partition("#")
            if re.match(r"\w+:", url):
                return f'<a href="{html.escape(url)}">{text}</a>'
            if not target:
                return f'<a href="#{anchor}">{text}</a>'
            path = Path(os.path.normpath(document.path.parent / target))
            place = places.get(path) or places.get(path / "README.md")
            if place is None:
                return text
            there = _relative(document.place, place) + (f"#{anchor}" if anchor else "")
            return f'<a href="{there}">{text}</a>'

        def image(self, text: str, url: str, title: str | None = None) -> str:
            path = Path(os.path.normpath(document.path.parent / url))
            there = _relative(document.place, _place_of_picture(path))
            return f'<img src="{there}" alt="{html.escape(text)}">'

        def block_code(self, code: str, info: str | None = None) -> str:
            return f"<pre><code>{html.escape(code)}</code></pre>\n"

        def table(self, text: str) -> str:
            return f'<div class="scroll"><table>\n{text}</table></div>\n'

        def block_html(self, html: str) -> str:
            return "" if html.startswith("<!--") else html

    markdown = mistune.create_markdown(renderer=Renderer(escape=False), plugins=["table"])
    return str(markdown(document.text)), headings


def _relative(source: str, target: str) -> str:
    return os.path.relpath(target, os.path.dirname(source))


def _pictures(document: Document) -> Iterator[Path]:
    for url in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", document.text):
        path = Path(os.path.normpath(document.path.parent / url))
        if path.suffix in _IMAGES and path.is_file():
            yield path


def _place_of_picture(path: Path) -> str:
    return f"docs/images/{path.name}"


def _first_sentence(text: str) -> str:
    """The first sentence after the title, as plain text."""
    body = re.sub(r"^#.*$|```.*?```|<!--.*?-->", "", text, flags=re.MULTILINE | re.DOTALL).strip()
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", body.split("\n\n")[0])
    return re.split(r"(?<=[.?!])\s", " ".join(plain.split()))[0]


def names() -> Iterator[dict[str, Any]]:
    """The public names of `lanemap`: signature, docstring by section, and members.

    Raises:
        UserError: A name has no docstring.
    """
    for name in sorted(map(str, _module("lanemap").exports)):
        found = _resolved(f"lanemap.{name}")
        if found.docstring is None and not found.is_attribute:
            raise UserError(f"{found.path} has no docstring")
        members = list(_members(found)) if found.is_class else []
        yield _told(found) | {"name": name, "members": members}


@cache
def _module(path: str) -> Any:
    """A module of lanemap as griffe sees it: read, and not imported."""
    import griffe

    place = Path(paths.__file__).resolve().parents[1].joinpath(*path.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return griffe.visit(path, file, file.read_text(), docstring_parser=griffe.Parser.google)


def _resolved(path: str) -> Any:
    """What a dotted name is, through imports of other modules."""
    module, _, name = path.rpartition(".")
    found = _module(module)[name]
    while found.is_alias:
        module, _, name = found.target_path.rpartition(".")
        found = _module(module)[name]
    return found


def _members(found: Any) -> Iterator[dict[str, Any]]:
    """Public methods and properties with a docstring, those of base classes after its own."""
    seen = set()
    classes = [found]
    while classes:
        own = classes.pop(0)
        for name, member in own.members.items():
            if name.startswith("_") and name != "__call__" or member.is_alias or name in seen:
                continue
            seen.add(name)
            if member.docstring is not None and not member.is_class:
                yield _told(member) | {"name": name}
        paths_of_bases = (str(getattr(base, "canonical_path", "")) for base in own.bases)
        classes += [_resolved(path) for path in paths_of_bases if path.startswith("lanemap.")]


def _told(found: Any) -> dict[str, Any]:
    """The signature of a name and its docstring, section by section."""
    sections = found.docstring.parse("google", warnings=False) if found.docstring else []
    words = [each.value for each in sections if each.kind.value == "text"]
    lists = [
        {
            "title": each.kind.value,
            "entries": [
                {
                    "name": getattr(entry, "name", "") or "",
                    "type": str(entry.annotation or ""),
                    "says": entry.description,
                }
                for entry in each.value
            ],
        }
        for each in sections
        if each.kind.value in ("parameters", "attributes", "raises", "returns", "yields")
    ]
    return {
        "kind": found.kind.value,
        "signature": _signature(found),
        "says": "\n\n".join(words),
        "lists": lists,
        "module": found.module.path,
    }


def _signature(found: Any) -> str:
    if not found.is_function:
        return str(getattr(found, "annotation", "") or "")
    shown = []
    star = False
    for each in found.parameters:
        if each.name in ("self", "cls"):
            continue
        kind = each.kind.value if each.kind else ""
        if kind == "keyword-only" and not star:
            shown.append("*")
            star = True
        star = star or kind == "variadic positional"
        mark = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        text = f"{mark}{each.name}" + (f": {each.annotation}" if each.annotation else "")
        shown.append(text + (f" = {each.default}" if each.default and not mark else ""))
    returned = f" -> {found.returns}" if found.returns else ""
    return f"({', '.join(shown)}){returned}"
