"""`lanemap report`: figures, tables and pages from results/, or the notebooks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import MissingEnvironment, extra

if TYPE_CHECKING:
    from lanemap.records.files import Roots


def command(
    results: Path | None = RESULTS_OPTION,
    site: Path = typer.Option(Path("site"), help="The folder to write the pages to."),
    url: str = typer.Option(
        "", help="Where the site will be served, so that previews of links have a picture."
    ),
    only: str = typer.Option(
        "",
        help="Make pages of the instructions alone whose name has this text, or one of several "
        "with commas between, as in wgmma,ldmatrix.",
    ),
    sweeps: Path = typer.Option(
        Path("sweeps"), help="The folder of results of sweeps, of which each gets a page."
    ),
    notebooks: bool = typer.Option(
        False, help="Execute the notebooks instead of building the pages."
    ),
    as_json: bool = JSON_OPTION,
) -> None:
    """Build the pages of everything in results/, with figures and full tables (Parquet)."""
    from lanemap.cli.folders import module

    try:
        if notebooks:
            written = module("analysis", "execute").build(roots(results), site)
        else:
            written = _pages(roots(results), site, url, only, results is None, sweeps)
    except ImportError as error:
        raise MissingEnvironment(
            f"the report needs the package {error.name}: run {extra('analysis')}"
        ) from error
    if as_json:
        show_json([str(path) for path in written])
    else:
        console().print(f"wrote {len(written)} files; begin with {written[0]}", markup=False)


def _pages(results: Roots, site: Path, url: str, only: str, own: bool, sweeps: Path) -> list[Path]:
    """Build the pages; `own` observations are not those of one folder alone."""
    from lanemap.cli.folders import module
    from lanemap.cli.told.commands import commands
    from lanemap.cli.told.instructions import instructions
    from lanemap.cli.verbs.list import evidence_rows
    from lanemap.probing.compare.evidence import COLUMNS
    from lanemap.records.files import record_places
    from lanemap.sweeping.executors import side_by_side

    # One that is missing is told of before the work begins.
    for package in ("griffe", "jinja2", "mistune", "pandas", "pyarrow"):
        import_module(package)
    report, documents = module("analysis", "report"), module("analysis", "documents")
    files = record_places(results)
    # What is known of each variant: the observations of one folder say too little.
    known: list[Callable[[], Any]] = [partial(evidence_rows, roots(None))] if own else []
    calls = [partial(each, results) for each in (_held, _covered, _timings)]
    with side_by_side(
        [*calls, _faults, *known, *(partial(_made, each) for each in files.values())]
    ) as done:
        held, covered, timings, faults = (next(done) for _ in range(4))
        matrix = documents.Matrix(COLUMNS, next(done)) if own else None
        made = dict(zip(files, done, strict=True))
    written: list[Path] = report.build(
        results,
        site,
        held,
        covered,
        timings,
        module("analysis", "speed").runs(),
        url,
        instructions(results, held, only),
        commands(),
        matrix,
        faults,
        made,
        module("analysis", "sweep_page").summaries(sweeps),
    )
    return written


def _made(path: Path) -> dict[str, bytes]:
    """Return the figures and the table of a record; other processes call this and what follows."""
    from lanemap.cli.folders import module
    from lanemap.records.files import read_record

    made: dict[str, bytes] = module("analysis", "report").made_from(read_record(path))
    return made


def _held(results: Roots) -> dict[str, Any]:
    """Return what `lanemap compare --json` says of each observed variant."""
    from lanemap.probing.compare.comparison import compare_observed

    return {each.variant: each.to_json() for each in compare_observed(results)}


def _covered(results: Roots) -> list[dict[str, Any]]:
    """Return how much of each family of PTX the emulator executes."""
    from lanemap.conformance.forms.judged import judged_targets
    from lanemap.conformance.forms.summary import summary

    return [summary(target, results).to_json() for target in judged_targets()]


def _faults() -> dict[str, Any]:
    """Return the museum, the kinds of hazards, and the kernels."""
    from lanemap.cli.told import faults

    return {"museum": faults.museum(), "hazards": faults.hazards(), "kernels": faults.kernels()}


def _timings(results: Roots) -> dict[str, Any]:
    """Return the data of instruction pages besides the rows: published figures, PTX, pipes."""
    from lanemap.claims.timings import TIMINGS
    from lanemap.records.lookup import of_kind
    from lanemap.timing.court import judge
    from lanemap.timing.find import find_probes
    from lanemap.timing.names import Names
    from lanemap.timing.pipes import GROUPS, pipes_of
    from lanemap.timing.row import name

    rows = of_kind("timing", results)
    names = Names(rows, find_probes().values())
    return {
        "published": [each.to_json() for each in judge(TIMINGS, rows)],
        "ptx": {each: names.ptx(each) for each in names.sass},
        "pipes": {
            row.target: pipes_of(row).to_json() for row in rows if row.probe in map(name, GROUPS)
        },
    }
