"""The museum's exhibits, kinds of hazards and kernels, as the pages of the site show them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lanemap import paths
from lanemap.check.sarif import RULES
from lanemap.conformance.museum.exhibit import Exhibit, exhibits
from lanemap.conformance.museum.reports import examples

_CONDITION = re.compile(r"\s*#\s*(ifdef|ifndef|if|else|endif)\b\s*(.*)")
#: The beginning of a paragraph of Markdown: no code, table, list, heading or comment.
_PROSE = re.compile(r"\n?[A-Z`]\w")
#: A line of a text: its number in the file, and what stands there.
Line = tuple[int, str]


def museum() -> list[dict[str, Any]]:
    """Every exhibit with the lines of both versions."""
    return [_exhibit(name, one) for name, one in exhibits().items()]


def hazards() -> list[dict[str, Any]]:
    """Every kind of hazard: what it is, and its own example, faulty and fixed, if it has one."""
    found = []
    shown = examples()
    for kind, sentence in RULES.items():
        told: dict[str, Any] = {"kind": kind, "sentence": sentence, "example": None}
        if kind in shown:
            fixed, faulty = shown[kind]
            told["example"] = {"fixed": _numbered(fixed), "faulty": _numbered(faulty)}
        found.append(told)
    return found


def kernels() -> list[dict[str, Any]]:
    """Every kernel of kernels/: its title, the targets that have a source, how its page begins."""
    from lanemap.targets import TARGETS

    found = []
    for readme in sorted(paths.find("kernels").glob("*/README.md")):
        sources = {path.stem for path in readme.parent.iterdir() if path.suffix != ".py"}
        heading, _, rest = readme.read_text().partition("\n")
        paragraph = next((each for each in rest.split("\n\n") if _PROSE.match(each)), "")
        found.append(
            {
                "name": readme.parent.name,
                "title": heading.partition(": ")[2],
                "targets": [target for target in TARGETS if target in sources],
                "about": " ".join(paragraph.replace("`", "").split()),
            }
        )
    return found


def _exhibit(name: str, one: Exhibit) -> dict[str, Any]:
    if one.is_script:
        fixed = faulty = _numbered(one.source)
    elif one.source.suffix in (".cu", ".hip"):
        lines = _numbered(one.source)
        fixed, faulty = (list(_preprocessed(lines, each)) for each in (False, True))
    else:
        fixed, faulty = (_numbered(path) for path in one.texts())
    return {
        "name": name,
        "title": one.title,
        "cause": one.cause,
        "threads": list(one.threads),
        "kind": one.kind,
        "strict": one.strict,
        "target": one.target,
        "language": one.language,
        "file": one.source.relative_to(paths.find("museum")).as_posix(),
        "marked": sorted(one.marked()),
        "fixed": fixed,
        "faulty": faulty,
    }


def _numbered(path: Any) -> list[Line]:
    return [*enumerate(path.read_text().splitlines(), 1)]


def _preprocessed(lines: list[Line], faulty: bool) -> Iterator[Line]:
    """The lines that a compiler sees, where conditions ask for FAULTY alone; others stay."""
    kept: list[bool | None] = []  # None: a condition on something else, whose lines all stay
    for number, text in lines:
        found = _CONDITION.match(text)
        if found is None:
            if False not in kept:
                yield number, text
            continue
        word, what = found[1], found[2].strip()
        if word in ("ifdef", "ifndef", "if"):
            about = what in ("FAULTY", "defined(FAULTY)", "!defined(FAULTY)")
            wanted = faulty != (word == "ifndef" or what.startswith("!"))
            kept.append(wanted if about else None)
        elif word == "else" and kept[-1] is not None:
            kept[-1] = not kept[-1]
        last = kept[-1] if word != "endif" else kept.pop()
        if last is None and False not in kept:
            yield number, text
