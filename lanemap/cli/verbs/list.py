"""`lanemap list`: the probes, kernels or variants that there are."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json, table


class What(str, Enum):
    """What can be listed."""

    probes = "probes"
    kernels = "kernels"
    variants = "variants"
    scores = "scores"


def command(
    what: What = typer.Argument(What.probes, help="What to list."),
    target: str = typer.Option("", help="Only those of this target, as gfx950 or sm_100a."),
    results: Path = typer.Option(Path("results"), help="Where scores lie."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List the probes, kernels or variants that there are, or the mutation scores of probes.

    With the variants, whose maps are modelled, stands how much of PTX the emulator executes.
    """
    rows = _scores(results) if what is What.scores else _LISTED[what]()
    rows = [row for row in rows if not target or target in row.get("target", "").split(", ")]
    forms = _forms(target) if what is What.variants else {}
    if as_json:
        show_json({"variants": rows, "forms": forms} if what is What.variants else rows)
        return
    if rows:
        columns = list(rows[0])
        console().print(table(columns, ([row[name] for name in columns] for row in rows)))
    else:
        console().print(f"there are no {what.value}" + (f" of target {target}" if target else ""))
    for name, counted in forms.items():
        _print_forms(name, counted)


def _forms(target: str) -> dict[str, dict[str, Any]]:
    """Return what is known of the PTX forms of one target, or of all."""
    from lanemap.devices.coverage import coverage, judged_targets, refused, unsupported

    return {
        name: {
            "families": [asdict(count) for count in coverage(name)],
            "not executed": dict(sorted(unsupported(name).items())),
            "refused by ptxas": len(refused(name)),
        }
        for name in judged_targets()
        if target in ("", name)
    }


def _print_forms(target: str, forms: dict[str, Any]) -> None:
    """Print the counts by family, then what the emulator refuses, with its reason."""
    families, missing = forms["families"], forms["not executed"]
    columns = ("family", "accepted", "executed")
    counts = [[family[column] for column in columns] for family in families]
    counts.append(["all", *(sum(count[i] for count in counts) for i in (1, 2))])
    console().print(
        f"\nPTX forms of {target}, generated from the syntax tables: ptxas refused "
        f"{forms['refused by ptxas']} of them; of those that it accepted the emulator executes:"
    )
    console().print(table(columns, ([str(cell) for cell in count] for count in counts)))
    if missing:
        rows = ([name, reason] for name, reason in missing.items())
        console().print(table(("not executed", "why"), rows))


def _probes() -> list[dict[str, str]]:
    from lanemap.probing.probe import find_probes

    return [
        {"name": p.name, "target": p.target, "variant": p.variant, "question": p.question}
        for p in find_probes().values()
    ]


def _scores(results: Path) -> list[dict[str, str]]:
    """Return the stored mutation scores, a row for each probe."""
    from lanemap.records.files import read_record

    found = []
    for path in sorted(results.glob("*/emulator/mutation_scores.json")):
        record = read_record(path)
        for probe, score in record.findings.items():
            found.append(
                {
                    "probe": probe,
                    "target": record.target,
                    "variant": score["variant"],
                    "executed, noticed": f"{score['executed_noticed']} of {score['executed']}",
                    "composed, noticed": f"{score['composed_noticed']} of {score['composed']}",
                    "survivors": str(len(score["survivors"])),
                }
            )
    return found


def _kernels() -> list[dict[str, str]]:
    from lanemap import paths

    folders = [path for path in sorted(paths.find("kernels").iterdir()) if path.is_dir()]
    found = []
    for folder in folders:
        readme = folder / "README.md"
        if readme.exists():
            title = readme.read_text().splitlines()[0].lstrip("# ")
            found.append({"name": folder.name, "title": title})
    return found


def _variants() -> list[dict[str, str]]:
    from lanemap.model import variants

    return [
        {"name": v.name, "target": ", ".join(v.targets), "family": v.family, "formula": v.formula}
        for v in sorted(variants(), key=lambda v: (v.target, v.family, v.name))
    ]


_LISTED = {What.probes: _probes, What.kernels: _kernels, What.variants: _variants}
