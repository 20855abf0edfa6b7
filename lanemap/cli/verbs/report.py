"""`lanemap report`: figures, tables and pages from results/, or the notebooks."""

from __future__ import annotations

from pathlib import Path

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import MissingEnvironment, extra


def command(
    results: Path | None = RESULTS_OPTION,
    site: Path = typer.Option(Path("site"), help="The folder to write the pages to."),
    notebooks: bool = typer.Option(
        False, help="Execute the notebooks instead of building the pages."
    ),
    as_json: bool = JSON_OPTION,
) -> None:
    """Build the pages of everything in results/, with figures and full tables (Parquet)."""
    from lanemap.conformance.forms.judged import judged_targets
    from lanemap.conformance.forms.summary import summary
    from lanemap.probing.compare.comparison import compare_observed
    from lanemap.probing.folders import module

    try:
        if notebooks:
            written = module("analysis", "execute").build(roots(results), site)
        else:
            held = {each.variant: each.to_json() for each in compare_observed(roots(results))}
            covered = [summary(target, roots(results)).to_json() for target in judged_targets()]
            written = module("analysis", "report").build(roots(results), site, held, covered)
    except ImportError as error:
        raise MissingEnvironment(
            f"the report needs the package {error.name}: {extra('analysis')}"
        ) from error
    if as_json:
        show_json([str(path) for path in written])
    else:
        console().print(f"wrote {len(written)} files; begin with {written[0]}", markup=False)
