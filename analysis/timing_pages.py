"""A page for each instruction that was timed, and an index of them by group with a search."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from lanemap.records.files import record_path
from lanemap.records.schema import Record

from . import timing_pictures
from .pages import Found, Site
from .timing_plots import over_n
from .timing_sources import Source, certificates, grouped, plain, sources

#: What the pages show besides the rows: `published` (verdicts on published figures), `ptx` (by SASS
#: opcode, instructions of PTX) and `pipes` (by target, what contention tells apart).
Told = Mapping[str, Any]
FOLDER, SECTION = "timing", "cycles.html"
#: A pair of events with more figures than this begins folded.
FEW = 3
_NUMERIC = re.compile(r"-?\d+")


def folder(record: Record) -> Path:
    """Where the pages of a target's rows lie, in the site."""
    return record_path(record, Path()).parent / FOLDER


def file_name(instruction: str) -> str:
    """The file of an instruction's page; names differ where instructions do."""
    return re.sub(r"[^\w.-]", lambda found: f"={ord(found[0]):02x}", instruction) + ".html"


def build(found: Sequence[Record], site: Site, told: Told) -> None:
    """Add the pages of all rows of timings, and their indexes."""
    places: dict[Path, list[Record]] = {}
    for record in found:
        if record.kind == "timing":
            places.setdefault(folder(record), []).append(record)
    for place, rows in places.items():
        index = (place / "index.html").as_posix()
        site.page(index, "timing_index.html", section=SECTION, **index_of(rows, told))
        for name, filled in pages(rows, told):
            page = (place / file_name(name)).as_posix()
            site.page(page, "timing_instruction.html", section=SECTION, **filled)
            words = ", ".join([rows[0].target, *filled["ptx"][:2]])
            site.found.append(Found("cycles", name, words, page))
    if places:
        targets = [(rows[0].target, place.as_posix()) for place, rows in places.items()]
        site.page(SECTION, SECTION, targets=targets)


def by_instruction(rows: Sequence[Record]) -> dict[str, list[tuple[Record, Source]]]:
    """Every figure of some rows by its instruction, sorted by name."""
    found: dict[str, list[tuple[Record, Source]]] = {}
    for record in rows:
        for source in sources(record):
            found.setdefault(source.figure["instruction"], []).append((record, source))
    return dict(sorted(found.items()))


def pages(
    rows: Sequence[Record], told: Told, only: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the data of each instruction's page, or of those named in `only`."""
    for name, own in by_instruction(rows).items():
        if not only or name in only:
            yield name, _page(name, own, told)


def _page(name: str, own: Sequence[tuple[Record, Source]], told: Told) -> dict[str, Any]:
    rows = {record.probe: record for record, _ in own}
    first = own[0][0]
    pairs = grouped(source for _, source in own)
    of = {id(source): record for record, source in own}
    known = {pair for pair, _ in pairs}
    return {
        "name": name,
        "ptx": told.get("ptx", {}).get(name, []),
        "target": first.target,
        "device": first.device,
        "evidence": first.evidence,
        "gpu": (first.environment or {}).get("before", {}).get("gpu", ""),
        "assembler": first.findings["assembler"],
        "rows": [
            (
                record_path(record, Path()).with_suffix("").name,
                group(record),
                record.findings["command"],
            )
            for record in rows.values()
        ],
        "again": [_again(record, name) for record in rows.values() if record.findings.get("again")],
        "pairs": [
            _pair(events, figures, of, number) for number, (events, figures) in enumerate(pairs)
        ],
        "published": [
            _published(each)
            for each in told.get("published", ())
            if known & {_events(each["called"]), _events(each["measured"])}
        ],
    }


def _again(record: Record, name: str) -> dict[str, Any]:
    """Return the results of later runs for a group, and for one instruction."""
    whose = {True: "the same GPU", False: "another GPU", None: "a GPU that has no name"}
    lines = []
    for each in record.findings["again"]:
        differ = [words for words in each["differing"] if name in words]
        lines.append(
            {
                "words": f"{each['time'][:10]}, {each['gpu']}, {whose[each['same_gpu']]}: "
                f"{each['figures']} figures of the group measured again, {len(each['differing'])} "
                f"differences, {len(differ)} of {name}",
                "differing": differ,
            }
        )
    return {"group": group(record), "lines": lines}


def group(record: Record) -> str:
    """The name of a row's group."""
    return record.probe.removeprefix("timing_")


def _pair(
    events: tuple[str, str], figures: Sequence[Source], of: Mapping[int, Record], number: int
) -> dict[str, Any]:
    ordered = sorted(figures, key=lambda each: _axes_order(each.figure.get("axes", {})))
    common = _common(figures)
    return {
        "anchor": f"pair-{number}",
        "from": events[0],
        "to": events[1],
        "at": axes(common),
        "axes": list(
            dict.fromkeys(
                name
                for each in ordered
                for name in each.figure.get("axes", {})
                if name not in common
            )
        ),
        "many": len(figures) > FEW,
        "figures": [_figure(each, of[id(each)], common) for each in ordered],
    }


def _common(figures: Sequence[Source]) -> dict[str, Any]:
    """The axes that are the same in all of some figures; of one figure alone, none."""
    every = [each.figure.get("axes", {}) for each in figures]
    if len(every) == 1:
        return {}
    return {
        name: value
        for name, value in every[0].items()
        if all(each.get(name) == value for each in every)
    }


def _axes_order(axes: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(
        (name, 0, int(value), "") if _NUMERIC.fullmatch(str(value)) else (name, 1, 0, str(value))
        for name, value in sorted(axes.items())
    )


def _figure(source: Source, record: Record, common: Mapping[str, Any]) -> dict[str, Any]:
    figure = source.figure
    own = {name: value for name, value in figure.get("axes", {}).items() if name not in common}
    return {
        "at": axes(own),
        "axes": own,
        "class": figure["kind"],
        "time": "none" if figure["value"] is None else plain(figure["value"]),
        "unit": source.unit,
        "over": source.over,
        "spread": spread(figure),
        "domain": figure.get("domain", "SM"),
        "explained": figure["explained"],
        "certificates": certificates(source),
        "plot": over_n(source.curves, source.unit, source.over, source.trips),
        "window": source.window(),
        "chain": figure["chain"],
        "assemble": f"lanemap timing {group(record)} --assemble",
    }


def axes(held: Mapping[str, Any]) -> str:
    """Return the parameters of a figure besides its events."""
    return "; ".join(f"{name} {value}" for name, value in held.items())


def spread(figure: Mapping[str, Any]) -> str:
    """The fastest SM (or run) and the slowest."""
    if not figure.get("spread"):
        return "all the same"
    least, _, most = (float(Fraction(each)) for each in figure["spread"])
    return "all the same" if least == most else f"{plain(least)} to {plain(most)}"


def _events(asked: Mapping[str, Any] | None) -> tuple[str, str]:
    return (asked["from_event"], asked["to_event"]) if asked else ("", "")


def _published(each: Mapping[str, Any]) -> dict[str, Any]:
    low, high = each["cycles"]
    ours = each["ours"] if each["ours"] is not None else each["other"]
    return {
        "source": each["source"],
        "citation": each["citation"],
        "chip": each["chip"],
        "words": each["words"],
        "cycles": (f"{low:g}" if low == high else f"{low:g} to {high:g}")
        + " ns" * (each.get("unit") == "ns"),
        "ours": "" if ours is None else f"{ours:.4g}",
        "verdict": each["verdict"],
        "reading": each["reading"],
    }


def index_of(rows: Sequence[Record], told: Told) -> dict[str, Any]:
    """Return the data of the index: by group the instructions, their cycles, and pictures."""
    groups = [
        {
            "name": group(record),
            "page": record_path(record, Path()).with_suffix(".html").name,
            "lines": [_line(name, own, told) for name, own in by_instruction([record]).items()],
        }
        for record in rows
    ]
    pipes = told.get("pipes", {}).get(rows[0].target)
    return {
        "target": rows[0].target,
        "device": rows[0].device,
        "evidence": rows[0].evidence,
        "groups": groups,
        "pictures": [timing_pictures.pipes(pipes), timing_pictures.contention(pipes)]
        if pipes
        else [],
    }


def _line(name: str, own: Sequence[tuple[Record, Source]], told: Told) -> dict[str, Any]:
    takes: dict[str, list[float]] = {}
    explained = 0
    for _, source in own:
        figure = source.figure
        if figure["explained"]:
            explained += 1
            kind = "latency" if figure["kind"].endswith("latency") else figure["kind"]
            takes.setdefault(f"{kind}|{source.unit}", []).append(figure["value"])
    return {
        "name": name,
        "page": file_name(name),
        "ptx": told.get("ptx", {}).get(name, []),
        "figures": explained,
        "open": len(own) - explained,
        "takes": [_takes(key, values) for key, values in sorted(takes.items())],
    }


def _takes(key: str, values: Sequence[float]) -> str:
    kind, unit = key.split("|")
    low, high = min(values), max(values)
    least, most = plain(low), plain(high)
    span = least if least == most else f"{least} to {most}"
    return f"{kind} {span}{' ns' if unit == 'ns' else ''}"
