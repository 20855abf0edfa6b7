"""The site: a page for every record of results/, and what leads to them. Nothing here runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from lanemap.records.files import Roots, beside, record_path, row_text
from lanemap.records.kinds import FILES
from lanemap.records.schema import Record

from . import (
    documents,
    explorer,
    fault_pages,
    figures,
    home,
    instruction_pages,
    instruction_timings,
    kernel_sheets,
    lds_sheets,
    speed,
    sweep_page,
    tables,
    timing_pages,
    timing_sheets,
)
from .pages import Found, Site

EVIDENCE = "evidence.html"
#: Pictures of instructions on the page of a row that observed many.
MOST_PREVIEWS = 4
ABOUT = (
    "Which lane and register holds which element, who checked it, and what is wrong in a kernel."
)
# What `lanemap compare VARIANT --json` says, by variant.
Comparisons: TypeAlias = Mapping[str, Mapping[str, Any]]


def build(
    results: Roots,
    folder: Path,
    comparisons: Comparisons | None = None,
    coverage: Sequence[Mapping[str, Any]] = (),
    timings: timing_pages.Told | None = None,
    history: Sequence[speed.Run] = (),
    url: str = "",
    instructions: Sequence[instruction_pages.Instruction] = (),
    commands: Sequence[Mapping[str, Any]] = (),
    matrix: documents.Matrix | None = None,
    faults: fault_pages.Told | None = None,
    made: Mapping[Path, Mapping[str, bytes]] | None = None,
    sweeps: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[Path]:
    """Build the site from results/.

    Args:
        results: the root of the records.
        folder: the folder to write; files in it that the site does not have are left alone.
        comparisons: the output of `lanemap compare VARIANT --json`, by variant: other sources,
            agreement, and support of the model. None leaves those parts out.
        coverage: for each target how much of each family of PTX the emulator executes, as
            `conformance.forms.summary` counts it; without any there is no such page.
        timings: what pages of instructions show besides the rows; see `timing_pages.Told`.
        history: runs of benchmarks of the emulator, as `speed.runs` reads them.
        url: where the site will be served; previews of links need it.
        instructions: every instruction with its maps, as `lanemap.cli.told` tells them.
        commands: the verbs of the command line, for their reference; without any, the site has no
            pages of docs/.
        matrix: what is known of each variant; see `documents.Matrix`.
        faults: the museum, kinds of hazards and kernels; see `fault_pages.Told`.
        made: what `made_from` makes of records, by their places, as far as it is made already.
        sweeps: summaries of sweeps by their names; see `sweep_page.summaries`.

    Returns:
        The files of the site, the index first.

    Raises:
        UserError: there are no records, one is malformed, or a file cannot be written.
    """
    found = tables.records(results)
    site = Site(folder, url)
    if coverage:
        site.page("coverage.html", "coverage.html", section=EVIDENCE, coverage=coverage)
    if history:
        site.page("speed.html", "speed.html", section=EVIDENCE, tables=speed.tables(history))
    for name, summary in (sweeps or {}).items():
        sweep_page.add(site, f"sweeps/{name}.html", summary, EVIDENCE)
    if matrix is not None:
        documents.known(site, matrix, EVIDENCE)
    if commands:
        documents.build(site, commands)
    pages = instruction_pages.pages(instructions)
    _evidence(site, found, results, comparisons or {}, coverage, pages, made or {})
    timing_pages.build(found, site, timings or {})
    timed = instruction_timings.Timings(found, (timings or {}).get("ptx", {}))
    instruction_pages.build(site, instructions, _rows(found), timed)
    fault_pages.build(site, faults or {}, found)
    explorer.build(site, {})
    site.page("index.html", "index.html", about=ABOUT, **home.shown(site))
    return site.write()


def _evidence(
    site: Site,
    found: Sequence[Record],
    results: Roots,
    held: Comparisons,
    coverage: Sequence[Mapping[str, Any]],
    pages: Mapping[str, str],
    made: Mapping[Path, Mapping[str, bytes]],
) -> None:
    """A page for every record with its data and figures, and the index of all."""
    index = _index(found, held) | {
        "covered": [each["target"] for each in coverage],
        "history": site.has("speed.html"),
        "matrix": site.has(documents.MATRIX),
        "sweeps": {page: page[7:-5] for page in site.places() if page.startswith("sweeps/")},
    }
    site.page(EVIDENCE, EVIDENCE, about="Every stored row, with its device and evidence.", **index)
    scores = tables.scores(found)
    for record in found:
        place = record_path(record, Path())
        data = made[place] if place in made else made_from(record)
        files = {beside(place, suffix): content for suffix, content in data.items()}
        drawn = [path for path in files if path.suffix != ".parquet"]
        template, fill = PAGES.get(record.kind, (VALUES, _values))
        shown = {
            "record": record,
            "findings": record.findings,
            "observations": record.observations,
            "partial": tables.reach(record.observations),
            "name": place.name.removesuffix(".json"),
            "images": sorted(path.name for path in drawn),
            "pages": pages,
            "previews": _previews(record, pages) if not drawn else [],
            "environment": tables.environment(record),
            "score": scores.get((record.target, record.probe)),
        } | fill(record, held)
        preview = next((path.as_posix() for path in drawn if path.suffix == ".png"), "")
        preview = preview or next((f"{page}.png" for _, page in shown["previews"]), "")
        shared = {"section": EVIDENCE, "about": _about(record), "preview": preview}
        site.page(_link(record), template, **shared, **shown)
        words = f"{record.target} on {record.device}, {record.evidence}. {_about(record)}"
        site.found.append(Found("row", record.probe, words, _link(record)))
        site.file(place.as_posix(), _text(record, results))
        for path, content in files.items():
            site.file(path.as_posix(), content)


def made_from(record: Record) -> dict[str, bytes]:
    """The figures and the full table of a record, by suffix."""
    made = figures.draw(record)
    if record.observations:
        made["parquet"] = tables.all_cells(record).to_parquet(index=False)
    return made


def _previews(record: Record, pages: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pages of instructions that stand for a record without figures of its own, each once."""
    names = [each.variant for each in record.observations if each.variant in pages]
    once = {pages[name]: name for name in reversed(names)}
    return [(name, page) for page, name in reversed(once.items())][:MOST_PREVIEWS]


def _rows(found: Sequence[Record]) -> dict[str, list[dict[str, str]]]:
    """By variant the pages of the rows that observed it."""
    rows: dict[str, list[dict[str, str]]] = {}
    for record in found:
        title = f"{record.probe} on {record.device}, {record.target}: {record.evidence}"
        for observation in record.observations:
            named = {"page": _link(record), "title": title}
            rows.setdefault(observation.variant, []).append(named)
    return rows


def _text(record: Record, results: Roots) -> str:
    """The text of a record's file."""
    for root in (results,) if isinstance(results, Path) else results:
        path = record_path(record, root)
        if path.is_file():
            return path.read_text()
    return row_text(record)


def _about(record: Record) -> str:
    """Return a sentence about a row: the question of its probe, else its kind's description."""
    words = (FILES[record.kind].__doc__ or "").partition("\n")[0]
    return str(record.findings.get("question") or words)


def _index(found: Sequence[Record], comparisons: Comparisons) -> dict[str, Any]:
    """Return the data of the index's template: records of variants, and the others."""
    asked = [record for record in found if tables.asks_of_a_variant(record)]
    rows = tables.summary(found).to_dict("records")
    for row, record in zip(rows, asked, strict=True):
        row["page"] = _link(record)
        row["record"] = record
        row["formula"] = row["fit"].split("; ") if row["fit"] else []
        row["support"] = _support(comparisons.get(row["variant"]))
    others = [each for each in found if not tables.asks_of_a_variant(each)]
    others.sort(key=lambda each: each.evidence != "silicon")
    # What silicon showed comes first, then each target's rows.
    parts = [("Observed on silicon", [row for row in rows if row["evidence"] == "silicon"])]
    for target in dict.fromkeys(row["target"] for row in rows):
        own = [r for r in rows if r["target"] == target and r["evidence"] != "silicon"]
        parts.append((f"{target}, emulator", own))
    return {
        "parts": [
            {"title": title, "anchor": f"part-{number}", "rows": own}
            for number, (title, own) in enumerate(parts)
            if own
        ],
        "evidence": {row["evidence"] for row in rows},
        "timings": {
            (timing_pages.folder(each) / "index.html").as_posix(): each.target
            for each in found
            if each.kind == "timing"
        },
        "others": [(_link(each), _about(each), each) for each in others],
    }


def _link(record: Record) -> str:
    """A record's page as seen from the index; file names need no quoting in a URL."""
    return beside(record_path(record, Path()), "html").as_posix()


def _support(comparison: Mapping[str, Any] | None) -> str:
    """The independent evidence for a model, in words."""
    if comparison is None:
        return ""
    return str(comparison["support"]["words"])


def _values(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """Return the data of a page with a table of values, besides those of every page."""
    found = tables.values(record)
    for name in found.columns[1:]:  # a form's name is often its entry too
        if found[name].equals(found[found.columns[0]]):
            found = found.drop(columns=name)
    return {
        "columns": list(found.columns),
        "rows": found.astype(object).where(found.notna(), "").to_numpy().tolist(),
        "lists": tables.lists(record),
    }


def _programs(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """The same for programs on the emulator and a GPU, with how they ended."""
    page = _values(record, comparisons)
    for table in page["lists"]:
        table["name"] = LIST_TITLES.get(table["name"], table["name"])
    return page | {
        "endings": tables.endings(record),
        "forms": tables.compared_forms(record),
    }


def _compiler_faults(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """A table for each fault: compilers with their options by programs."""
    faults = []
    for fault in record.findings["faults"]:
        programs = fault["programs"]
        results = zip(*(program["outcomes"] for program in programs), strict=True)
        promised = ["promised", "", *(_words(each["promise"]) for each in programs)]
        faults.append(
            {
                "name": fault["name"],
                "promise": fault["promise"],
                "first": programs[0],
                "columns": ["compiler", "options", *(each["name"] for each in programs)],
                "rows": [
                    promised,
                    *(
                        [each[0]["compiler"], each[0]["options"], *map(_outcome, each)]
                        for each in results
                    ),
                ],
            }
        )
    return _values(record, comparisons) | {"faults": faults, "lists": []}


def _tensor_cores(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """One row a kind: what was compared, the fitted rule, and what the certificate leaves."""
    rows = []
    for kind in record.findings["kinds"]:
        rule, certificate = kind["rule"], kind["certificate"]
        fitted = ", ".join(f"{key} {value}" for key, value in rule.items()) if rule else ""
        left = f"{certificate['left']} of {certificate['rules']}" if certificate else ""
        refuted = ", ".join(f"{name}: {count}" for name, count in kind["refuted"].items())
        rows.append(
            [
                kind["name"],
                f"{kind['dots']:,}",
                kind["unequal_chunks"],
                fitted,
                left,
                refuted,
            ]
        )
    columns = ["kind", "dot products", "chunks that differ", "rule", "rules left", "refuted"]
    sass = [(kind["name"], "\n".join(kind["sass"])) for kind in record.findings["kinds"]]
    return _values(record, comparisons) | {
        "columns": columns,
        "rows": rows,
        "sass": sass,
        "lists": [],
    }


def _instruction_mutants(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """One row a file, then the mutants that no test notices: argued ones, and the others."""
    found = record.findings
    columns = list(found["files"][0])
    columns.remove("sha256")
    argued = [[e["mutant"], e["argument"]] for e in found["survivors"] if e["argument"]]
    open_ = [e for e in found["survivors"] if not e["argument"]]
    rows = [[e["mutant"], "" if e["reached"] else "no test executes it"] for e in open_]
    return {
        "columns": columns,
        "rows": [[row[column] for column in columns] for row in found["files"]],
        "argued": argued,
        "open": rows,
        "noticed": [[e["mutant"], e["test"]] for e in found["noticed"]],
        "lists": [],
    }


def _outcome(outcome: Mapping[str, Any]) -> str:
    """Return the outcome of one compiler's translation of a program."""
    if "refused" in outcome:
        return f"refused: {outcome['refused']}"
    if "other" in outcome:
        return f"another fault: {outcome['other']}"
    error = outcome.get("error")
    if error:
        code = re.search(r"\((CUDA_\w+)\)", error)
        return code[1] if code else str(error)
    return "as promised" if outcome["as promised"] else _words(outcome["words"])


def _words(words: Sequence[int]) -> str:
    """The first words of an output and how many there are."""
    return f"{' '.join(f'{word:#x}' for word in words[:4])} .. ({len(words)} words)"


def _family(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """The same of a family of maps."""
    rows = tables.variants(record)
    for row in rows:
        row["support"] = _support(comparisons.get(str(row["variant"])))
    return {
        "certificates": tables.grouped_certificates(record),
        "variants": rows,
        "hashes": [each for each in _hashes(record) if each[0] == "source"],
    }


def _map(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """The same of one map, or of readings that settle none."""
    return {
        "certificates": tables.certificates(record),
        "hashes": _hashes(record),
        "comparison": comparisons.get(record.findings["variant"]),
    }


def _hashes(record: Record) -> list[tuple[str, str]]:
    """The hashes of source and model, from the observation or, without one, the findings."""
    held = record.observations[0].to_json() if record.observations else record.findings
    names = {"source_hash": "source", "model_hash": "model"}
    return [(name, held[key]) for key, name in names.items() if held.get(key)]


def _banks(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """The same of the rules of shared memory's banks."""
    return {"rows": tables.bank_rules(record), "certificates": tables.grouped_certificates(record)}


def _lds_paths(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """The tables of paths through LDS."""
    sections = (
        ("Q K^T alone: a tile of 32 x 128 bytes of K", lds_sheets.fills(record)),
        ("Attention: a tile of keys, and a call", lds_sheets.calls(record)),
        ("Ways of P and matrix instructions", lds_sheets.ways(record)),
        ("Instructions of a tile of keys by class", lds_sheets.classes(record)),
    )
    return {"said": lds_sheets.said(record), "sections": sections}


def _kernel_times(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """One row a problem, warm and cold beside the library."""
    rows = kernel_sheets.times(record)
    return _values(record, comparisons) | {
        "common": kernel_sheets.common(record),
        "libraries": kernel_sheets.libraries(record),
        "times": {"columns": list(rows[0]), "rows": [list(row.values()) for row in rows]},
        "lists": [],
    }


def _timing(record: Record, comparisons: Comparisons) -> dict[str, Any]:
    """Tables of latencies and intervals, and of what the assembler adds."""
    tabled = [
        {"title": title, "columns": list(rows[0]), "rows": [list(row.values()) for row in rows]}
        for title, rows in timing_sheets.sections(record)
    ]
    return {"sections": tabled, "instructions": f"{timing_pages.FOLDER}/index.html"}


# Headings for lists of findings whose key alone would be unclear on a page.
LIST_TITLES = {"disagreements": "results that differ, of the programs that ended well on both"}
# By kind of record: the template of its page, and what fills it.
VALUES = "values.html"
PAGES: dict[str, tuple[str, Callable[[Record, Comparisons], dict[str, Any]]]] = {
    "layout_map": ("record.html", _map),
    "readings": ("record.html", _map),
    "layout_family": ("family.html", _family),
    "bank_rules": ("banks.html", _banks),
    "lds_paths": ("lds_paths.html", _lds_paths),
    "programs": ("programs.html", _programs),
    "mbarriers": ("programs.html", _programs),
    "compiler_faults": ("compiler_faults.html", _compiler_faults),
    "instruction_mutants": ("instruction_mutants.html", _instruction_mutants),
    "tensor_cores": ("tensor_cores.html", _tensor_cores),
    "kernel_times": ("kernel_times.html", _kernel_times),
    "timing": ("timing.html", _timing),
}
