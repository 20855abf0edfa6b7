"""`lanemap report`: figures, tables and pages from results/, or the notebooks."""

from __future__ import annotations

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
    notebooks: bool = typer.Option(
        False, help="Execute the notebooks instead of building the pages."
    ),
    as_json: bool = JSON_OPTION,
) -> None:
    """Build the pages of everything in results/, with figures and full tables (Parquet)."""
    from lanemap.cli.folders import module
    from lanemap.cli.told import faults
    from lanemap.cli.told.commands import commands
    from lanemap.cli.told.instructions import instructions
    from lanemap.conformance.forms.judged import judged_targets
    from lanemap.conformance.forms.summary import summary
    from lanemap.probing.compare.comparison import compare_observed

    try:
        if notebooks:
            written = module("analysis", "execute").build(roots(results), site)
        else:
            held = {each.variant: each.to_json() for each in compare_observed(roots(results))}
            covered = [summary(target, roots(results)).to_json() for target in judged_targets()]
            written = module("analysis", "report").build(
                roots(results),
                site,
                held,
                covered,
                _timings(roots(results)),
                module("analysis", "speed").runs(),
                url,
                instructions(roots(results), held, only),
                commands(),
                _known() if results is None else None,
                {
                    "museum": faults.museum(),
                    "hazards": faults.hazards(),
                    "kernels": faults.kernels(),
                },
            )
    except ImportError as error:
        raise MissingEnvironment(
            f"the report needs the package {error.name}: run {extra('analysis')}"
        ) from error
    if as_json:
        show_json([str(path) for path in written])
    else:
        console().print(f"wrote {len(written)} files; begin with {written[0]}", markup=False)


def _known() -> Any:
    """Return what is known of each variant; the observations of one folder say too little."""
    from lanemap.cli.folders import module
    from lanemap.cli.verbs.list import evidence_rows
    from lanemap.probing.compare.evidence import COLUMNS

    return module("analysis", "documents").Matrix(COLUMNS, evidence_rows(roots(None)))


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
