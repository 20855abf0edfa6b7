"""The site: a page for every record of results/, and an index. Nothing here runs a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lanemap.records.files import dumps, write_files
from lanemap.records.schema import Record

from . import figures, tables

TEMPLATES = Path(__file__).resolve().parent / "templates"


def build(
    results: Path, site: Path, comparisons: Mapping[str, Mapping[str, Any]] | None = None
) -> list[Path]:
    """Build the site from results/.

    Args:
        results: the root of the records.
        site: the folder to write; files in it that the site does not have are left alone.
        comparisons: what `lanemap compare VARIANT --json` says, by variant: who else states a map,
            who agrees, what supports the model. None leaves those parts out.

    Returns:
        The files written, the index first.

    Raises:
        UserError: there are no records, one is malformed, or a file cannot be written.
    """
    found = tables.records(results)
    held = comparisons or {}
    environment = _templates()
    files: dict[Path, str | bytes] = {
        site / "index.html": environment.get_template("index.html").render(_index(found, held)),
        site / "style.css": (TEMPLATES / "style.css").read_text(),
    }
    for record in found:
        folder = site / record.target / record.device
        images = figures.draw(record)
        kind = _kind(record)
        shown = _page(record, sorted(images), held)
        shown["score"] = tables.scores(found).get((record.target, record.probe))
        page = environment.get_template(f"{kind}.html").render(shown)
        files[folder / f"{record.probe}.html"] = page
        files[folder / f"{record.probe}.json"] = dumps(record.to_json())
        for suffix, data in images.items():
            files[folder / f"{record.probe}.{suffix}"] = data
        if record.observations:
            table = tables.all_cells(record).to_parquet(index=False)
            files[folder / f"{record.probe}.parquet"] = table
    write_files(files)
    return list(files)


def _kind(record: Record) -> str:
    """The template of a record's page."""
    if tables.is_family(record):
        return "family"
    return "record" if tables.asks_of_a_variant(record) else "values"


def _templates() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _index(found: Sequence[Record], comparisons: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What the index's template asks for: the records of variants, and the others."""
    rows = tables.summary(found).to_dict("records")
    for row in rows:
        row["page"] = f"{row['target']}/{row['device']}/{row['probe']}.html"
        row["formula"] = row["fit"].split("; ") if row["fit"] else []
        row["support"] = _support(comparisons.get(row["variant"]))
    return {
        "rows": rows,
        "evidence": {row["evidence"] for row in rows},
        "others": [record for record in found if not tables.asks_of_a_variant(record)],
    }


def _support(comparison: Mapping[str, Any] | None) -> str:
    """How much speaks for a model without having been made from it, in words."""
    if comparison is None:
        return ""
    names = {"silicon": "row", "claims": "claim", "kernels": "kernel"}
    counts = [
        f"{len(found)} {'silicon ' if kind == 'silicon' else ''}{names[kind]}"
        + ("s" if len(found) > 1 else "")
        for kind, found in comparison["support"].items()
        if found
    ]
    return ", ".join(counts) or "none"


def _page(
    record: Record, images: Sequence[str], comparisons: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """What the template of a record's page asks for."""
    page: dict[str, Any] = {
        "record": record,
        "findings": record.findings,
        "observations": record.observations,
        "images": list(images),
        "environment": tables.environment(record),
    }
    if not tables.asks_of_a_variant(record):
        found = tables.values(record)
        rows = found.astype(object).where(found.notna(), "").to_numpy().tolist()
        return page | {
            "columns": list(found.columns),
            "rows": rows,
            "lists": tables.lists(record),
        }
    if tables.is_family(record):
        rows = tables.variants(record)
        for row in rows:
            row["support"] = _support(comparisons.get(str(row["variant"])))
        return page | {
            "certificates": tables.grouped_certificates(record),
            "variants": rows,
            "hashes": [each for each in _hashes(record) if each[0] == "source"],
        }
    return page | {
        "certificates": tables.certificates(record),
        "hashes": _hashes(record),
        "comparison": comparisons.get(record.findings["variant"]),
    }


def _hashes(record: Record) -> list[tuple[str, str]]:
    """The hashes of source and model, from the observation or, without one, the findings."""
    held = record.observations[0].to_json() if record.observations else record.findings
    names = {"source_hash": "source", "model_hash": "model"}
    return [(name, held[key]) for key, name in names.items() if held.get(key)]
