"""`lanemap list`: the probes, kernels or variants that there are."""

from __future__ import annotations

from enum import Enum

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json, table


class What(str, Enum):
    """What can be listed."""

    probes = "probes"
    kernels = "kernels"
    variants = "variants"


def command(
    what: What = typer.Argument(What.probes, help="What to list."),
    target: str = typer.Option("", help="Only those of this target, as gfx950 or sm_100a."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List the probes, kernels or variants that there are."""
    rows = {What.probes: _probes, What.kernels: _kernels, What.variants: _variants}[what]()
    rows = [row for row in rows if not target or target in row.get("target", "").split(", ")]
    if as_json:
        show_json(rows)
    elif rows:
        columns = list(rows[0])
        console().print(table(columns, ([row[name] for name in columns] for row in rows)))
    else:
        console().print(f"there are no {what.value}" + (f" of target {target}" if target else ""))


def _probes() -> list[dict[str, str]]:
    from lanemap.probing.probe import find_probes

    return [
        {"name": p.name, "target": p.target, "variant": p.variant, "question": p.question}
        for p in find_probes().values()
    ]


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
