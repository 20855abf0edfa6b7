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
from .timing_plots import over_n
from .timing_sources import Source, certificates, grouped, sources

#: What the pages show besides the rows: `published` (verdicts on published figures), `ptx` (by SASS
#: opcode, instructions of PTX) and `pipes` (by target, what contention tells apart).
Told = Mapping[str, Any]
FOLDER = "timing"
#: A pair of events with more figures than this begins folded.
FEW = 3
_NUMERIC = re.compile(r"-?\d+")


def folder(record: Record, site: Path) -> Path:
    """Where the pages of a target's rows lie."""
    return record_path(record, site).parent / FOLDER


def file_name(instruction: str) -> str:
    """The file of an instruction's page; names differ where instructions do."""
    return re.sub(r"[^\w.-]", lambda found: f"={ord(found[0]):02x}", instruction) + ".html"


def build(
    found: Sequence[Record], site: Path, environment: Any, told: Told
) -> dict[Path, str | bytes]:
    """The pages of all rows of timings, by place, and their indexes."""
    files: dict[Path, str | bytes] = {}
    places: dict[Path, list[Record]] = {}
    for record in found:
        if record.kind == "timing":
            places.setdefault(folder(record, site), []).append(record)
    for place, rows in places.items():
        index = environment.get_template("timing_index.html").render(index_of(rows, told))
        files[place / "index.html"] = index
        template = environment.get_template("timing_instruction.html")
        for name, filled in pages(rows, told):
            files[place / file_name(name)] = template.render(filled)
    return files


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
    """What each instruction's page is filled with; of those named in `only`, if there are any."""
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
            (record_path(record, Path()).with_suffix("").name, group(record),
             record.findings["command"])
            for record in rows.values()
        ],
        "pairs": [
            _pair(events, figures, of, number) for number, (events, figures) in enumerate(pairs)
        ],
        "published": [
            _published(each)
            for each in told.get("published", ())
            if known & {_events(each["called"]), _events(each["measured"])}
        ],
    }  # fmt: skip


def group(record: Record) -> str:
    """The name of a row's group."""
    return record.probe.removeprefix("timing_")


def _pair(
    events: tuple[str, str], figures: Sequence[Source], of: Mapping[int, Record], number: int
) -> dict[str, Any]:
    ordered = sorted(figures, key=lambda each: _axes_order(each.figure.get("axes", {})))
    return {
        "anchor": f"pair-{number}",
        "from": events[0],
        "to": events[1],
        "figures": [_figure(each, of[id(each)], len(figures) <= FEW) for each in ordered],
    }


def _axes_order(axes: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(
        (name, 0, int(value), "") if _NUMERIC.fullmatch(str(value)) else (name, 1, 0, str(value))
        for name, value in sorted(axes.items())
    )


def _figure(source: Source, record: Record, is_open: bool) -> dict[str, Any]:
    figure = source.figure
    return {
        "at": axes(figure),
        "class": figure["kind"],
        "time": "none" if figure["value"] is None else f"{figure['value']:.4g}",
        "unit": source.unit,
        "over": spread(figure),
        "domain": figure.get("domain", "SM"),
        "explained": figure["explained"],
        "certificates": certificates(source),
        "plot": over_n(source.curves, source.unit, source.over, source.trips),
        "window": source.window(),
        "chain": figure["chain"],
        "assemble": f"lanemap timing {group(record)} --assemble",
        "open": is_open,
    }


def axes(figure: Mapping[str, Any]) -> str:
    """What a figure was measured at besides its events."""
    return ", ".join(f"{name} {value}" for name, value in figure.get("axes", {}).items())


def spread(figure: Mapping[str, Any]) -> str:
    """The fastest SM (or run) and the slowest."""
    if not figure.get("spread"):
        return "all the same"
    least, _, most = (float(Fraction(each)) for each in figure["spread"])
    return "all the same" if least == most else f"{least:.4g} to {most:.4g}"


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
        "cycles": f"{low:g}" if low == high else f"{low:g} to {high:g}",
        "ours": "" if ours is None else f"{ours:.4g}",
        "verdict": each["verdict"],
        "reading": each["reading"],
    }


def index_of(rows: Sequence[Record], told: Told) -> dict[str, Any]:
    """What the index is filled with: by group the instructions, what they take, and pictures."""
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
        if pipes else [],
    }  # fmt: skip


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
    span = f"{low:.4g}" if f"{low:.4g}" == f"{high:.4g}" else f"{low:.4g} to {high:.4g}"
    return f"{kind} {span}{' ns' if unit == 'ns' else ''}"
