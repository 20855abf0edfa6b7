"""`lanemap compare`: model, claims and observations of a variant side by side."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import targets, variants
from lanemap.cli.output import JSON_OPTION, VARIANT_HELP, console, show_json, table
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from rich.console import Console

    from lanemap.probing.compare.comparison import Comparison, Standing
    from lanemap.records.files import Roots

#: What compares cycle counts instead of maps.
TIMING = "timing"


def command(
    name: str = typer.Argument("", metavar="VARIANT", help=VARIANT_HELP, autocompletion=variants),
    every: bool = typer.Option(False, "--all", help="Every variant (of --target, if given)."),
    target: str = typer.Option(
        "", help="With --all: only this target, such as gfx950.", autocompletion=targets
    ),
    layout: str = typer.Option(
        "",
        help="Hold this layout against the variant's instead: CuTe's, as in "
        "'((4,8),(2,2)):((32,1),(16,8))', Triton's or Gluon's.",
    ),
    results: Path | None = RESULTS_OPTION,
    as_json: bool = JSON_OPTION,
) -> int:
    """Compare the model, claims and observations of a variant, and show where they first differ.

    With --layout: is that layout the instruction's, and where does it first differ.

    The exit status is 1 if an observation contradicts the model. A claim may dissent. `compare
    timing` compares published cycle counts with those of stored rows.
    """
    if layout:
        return _layout(name, layout, roots(results), as_json)
    if name == TIMING:
        return _timings(roots(results), as_json)
    from lanemap.devices import target_of_gpu
    from lanemap.probing.compare.comparison import compare

    target = target_of_gpu(target) or target
    if every == bool(name):
        raise UserError("name a variant or give --all, not both; see `lanemap list variants`")
    if every:
        return _all(target, roots(results), as_json)
    subjects, read_as = _subjects(name)
    found = [compare(each, results=roots(results)) for each in subjects]
    if read_as and not as_json:
        console().print(f"read as {read_as}", markup=False)
    if as_json:
        shown = [each.to_json() for each in found]
        show_json(shown if len(shown) > 1 else shown[0])
    else:
        for each in found:
            _show(each, console())
    return 0 if all(each.agrees for each in found) else Disagreement.exit_code


def _layout(name: str, text: str, results: Roots, as_json: bool) -> int:
    """Hold a pasted layout against a variant's map."""
    from lanemap.layout.pasted import read
    from lanemap.probing.compare.lowering import hold
    from lanemap.probing.pictures import only, subjects

    if not name:
        raise UserError("name the variant that --layout is held against")
    pasted = read(text)
    subject = only(name, subjects(name, results))
    found = hold(subject.name, subject.layout, pasted)
    if as_json:
        show_json(found.to_json(subject.name) | {"map": subject.notes[-1]})
    else:
        for line in (*found.sentences(subject.name), subject.notes[-1]):
            console().print(line, markup=False, soft_wrap=True)
    return 0 if found.first is None else Disagreement.exit_code


def _timings(results: Roots, as_json: bool) -> int:
    """Hold published cycle counts against ours."""
    from lanemap.claims.timings import TIMINGS
    from lanemap.records.lookup import of_kind
    from lanemap.timing.court import judge

    found = judge(TIMINGS, of_kind(TIMING, results))
    if as_json:
        show_json([each.to_json() for each in found])
        return 0
    out = console()
    columns = ["published", "chip", "cycles", "ours", "verdict"]
    title = "cycles of the SM clock, or ns"
    out.print(table(columns, [each.cells() for each in found], title=title))
    for each in found:
        for line in each.notes():
            out.print(line, markup=False)
    counts = Counter(each.verdict.value for each in found)
    out.print("; ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 0


def _all(target: str, results: Roots, as_json: bool) -> int:
    """Compare every variant, of a target if it is given."""
    from lanemap.cli.remembered import remembered
    from lanemap.probing.compare.comparison import compare_all

    def compared() -> list[dict[str, Any]]:
        return [each.to_json() for each in compare_all(target or None, results)]

    found = remembered(("compare --all", target), results, compared)
    if not found:
        raise UserError(f"there are no variants of target {target}")
    if as_json:
        show_json(found)
    else:
        _show_all(found, console())
    return 0 if all(each["agrees"] for each in found) else Disagreement.exit_code


def _subjects(name: str) -> tuple[list[str], str]:
    """Return what a name names, and what it was read as.

    It names a subject of claims that has no model, or variants.
    """
    from lanemap.claims import SUBJECTS
    from lanemap.model import named

    if name in SUBJECTS:
        return [name], ""
    found = named(name)
    return [each.name for each in found.operands()], found.read_as


def _show(found: Comparison, out: Console) -> None:
    reference = found.reference
    out.print(f"{found.variant}: held against {reference.name}", markup=False)
    if reference.citation:
        out.print(f"  {reference.rests_on}, {reference.citation}", markup=False)
    if found.standings:
        rows = [_row(each) for each in found.standings]
        columns = ["who", "evidence", "rests on", "agrees", "cells compared"]
        out.print(table(columns, rows))
    else:
        out.print("  no claims and no observations")
    for each in found.standings:
        for line in _details(each, reference.name):
            out.print(line, markup=False)
    if len(found.groups) > 1:
        for group in found.groups:
            out.print(f"together: {' = '.join(group)}", markup=False)
    if found.gauge:
        out.print(f"not observable: {found.gauge}", markup=False)
    support = found.support
    out.print(f"support: {support}", markup=False)
    for kind, names in (
        ("silicon", support.silicon),
        ("claims", support.claims),
        ("kernels", support.kernels),
    ):
        told = [f"{n}, PARTIAL: {support.partial[n]}" if n in support.partial else n for n in names]
        if told:
            out.print(f"  {kind}: {'; '.join(told)}", markup=False)


def _row(each: Standing) -> list[str]:
    relation = each.relation
    verdict = {True: "yes", False: "NO", None: "nothing in common"}[relation.agrees]
    if relation.gauge:
        verdict = "NO, except for a k permutation"
    if relation.agrees and relation.partial:
        verdict = "in part"
    cells = f"{relation.common - relation.differing} of {relation.common}"
    if relation.partial:
        cells += f" (PARTIAL: {relation.reach})"
    return [each.party.name, each.party.evidence, each.party.rests_on, verdict, cells]


def _details(each: Standing, reference: str) -> list[str]:
    """Return the details of a party beyond its row."""
    party, first = each.party, each.relation.first
    lines = []
    if first is not None:
        lines.append(
            f"{party.name}: {first.cell} {first.verb} {first.theirs}; {reference}: {first.mine}"
        )
    lines += [f"{party.name}: {party.citation}"] if party.citation else []
    return lines + [f"{party.name}: {note}" for note in party.notes]


def _show_all(found: list[dict[str, Any]], out: Console) -> None:
    rows = []
    for each in found:
        verdicts = [(standing["name"], standing["agrees"]) for standing in each["standings"]]
        dissent = "; ".join(name for name, agrees in verdicts if agrees is False)
        agreeing = sum(agrees is True for _, agrees in verdicts)
        verdict = "" if each["agrees"] else "OBSERVATION DISAGREES"
        rows.append([each["variant"], str(agreeing), dissent, each["support"]["words"], verdict])
    out.print(table(["variant", "agree", "dissent", "support", ""], rows))
    without = sum(not each["standings"] for each in found)
    wrong = sum(not each["agrees"] for each in found)
    out.print(
        f"{len(found)} compared; {without} without claims and observations; "
        f"{wrong} contradicted by an observation"
    )
