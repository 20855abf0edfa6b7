"""`lanemap where`: the cell that a cell maps to, in both directions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json, table

if TYPE_CHECKING:
    from lanemap.cli.cells import Run
    from lanemap.model import Variant

# Options are made from the axes of the variant's spaces, so typer hands unknown ones through.
CONTEXT_SETTINGS = {"allow_extra_args": True, "ignore_unknown_options": True}
TMEM_LANES, QUADRANT_LANES = 128, 32
MOST_ROWS = 64


def command(
    context: typer.Context,
    name: str = typer.Argument(..., metavar="VARIANT", help="As `lanemap list variants` says."),
    results: Path = typer.Option(Path("results"), help="Where observations lie."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Say which cell a cell comes from, or goes to.

    Forward, name the register cell: --lane 9 --reg 0 --bit 8. Back, name the source cell by its
    own axes: --chunk-lane 3 --chunk-bit 17, --tmem 37,12, --byte 96. Coordinates left out stand for
    all of their values; --byte, --half and --nibble select so many bits.
    """
    from lanemap.cli.cells import parse, runs, select
    from lanemap.model import variant

    found = variant(name)
    options, quadrant = _within_quadrant(found, parse(context.args))
    selection = select(found.map, options)
    answer = runs(found.map, selection)
    observed = _observed(found, results)
    if as_json:
        show_json(_as_json(found, answer, selection.side, observed))
        return
    out = console()
    backwards = selection.side == "source"
    if answer:
        out.print(_table(found, answer, backwards))
    if len(answer) > MOST_ROWS:
        out.print(f".. and {len(answer) - MOST_ROWS} rows more; name more coordinates, or --json")
    if not answer:
        out.print(f"nothing of {found.map.destination.name} receives it")
    for line in (
        *([quadrant] if quadrant else []),
        f"formula: {found.formula}",
        *([f"legal where: {found.legality}"] if found.legality else []),
        *([f"no execution can tell: {found.gauge}"] if found.gauge else []),
        *(f"documented: {citation}" for citation in found.citations),
        *(f"observed: {row['sentence']}" for row in observed),
    ):
        out.print(line, markup=False)


def _within_quadrant(
    variant: Variant, options: dict[str, str]
) -> tuple[dict[str, str], str | None]:
    """Turn a lane of the whole tensor memory into one of the quadrant that a warp reaches.

    The maps of tcgen05.ld and st count lanes from the first that an issue reaches: lane 37 is lane
    5 of the quadrant of warps 1, 5, ..; shapes of 16 lanes reach the quadrant's second half with
    taddr's lane at +16. Returned with the sentence that says so.
    """
    lane, comma, rest = options.get("tmem", "").partition(",")
    space = next(
        (s for s in (variant.map.source, variant.map.destination) if s.name == "tmem"), None
    )
    moves = variant.name.startswith(("tcgen05.ld.", "tcgen05.st."))
    if space is None or not moves or not lane.isdecimal() or int(lane) >= TMEM_LANES:
        return options, None
    reached = space.axis_size("lane")
    quadrant, within = divmod(int(lane), QUADRANT_LANES)
    first = within // reached * reached
    if not quadrant and not first:
        return options, None
    sentence = (
        f"tensor memory's lane {lane} is lane {within} of quadrant {quadrant}: warps w with "
        f"w%4 = {quadrant} reach it"
    )
    if first:
        sentence += f", with taddr's lane at +{first}, as lane {within - first} here"
    return options | {"tmem": f"{within - first}{comma}{rest}"}, sentence


def _table(variant: Variant, answer: list[Run], backwards: bool) -> Any:
    from lanemap.cli.cells import describe

    destination, source = variant.map.destination, variant.map.source
    columns = [f"{destination.name} cell", f"receives {source.name} cell"]
    rows = [
        [
            describe(destination, run.destination, run.count),
            describe(source, run.source, run.count),
        ]
        for run in answer[:MOST_ROWS]
    ]
    if backwards:
        columns = [f"{source.name} cell", f"goes to {destination.name} cell"]
        rows = [row[::-1] for row in rows]
    return table(columns, rows, title=variant.name)


def _as_json(
    variant: Variant, answer: list[Run], side: str, observed: list[dict[str, Any]]
) -> dict[str, Any]:
    destination, source = variant.map.destination, variant.map.source
    return {
        "variant": variant.name,
        "targets": list(variant.targets),
        "asked": side,
        "cells": [
            {
                "destination": destination.coords(run.destination),
                "source": source.coords(run.source) if run.source >= 0 else None,
                "count": run.count,
            }
            for run in answer
        ],
        "formula": variant.formula,
        "legality": variant.legality,
        "gauge": variant.gauge,
        "citations": list(variant.citations),
        "observed": observed,
    }


def _observed(variant: Variant, results: Path) -> list[dict[str, Any]]:
    """Hold the model against every observation of the variant in results/."""
    from lanemap.probing.compare.relations import relate_marked
    from lanemap.records.lookup import observations_of

    found = []
    for record, observation in observations_of(variant.name, results):
        relation = relate_marked(variant.map, observation.map, observation.without_source)
        same = f"PARTIAL, {relation.reach}: " if relation.partial else ""
        if relation.first is not None:
            first = relation.first
            same += f"another map: {first.cell} {first.verb} {first.theirs}, not {first.mine}"
        else:
            same += "as the model where it speaks" if relation.partial else "the same map"
        found.append(
            {
                "probe": record.probe,
                "device": record.device,
                "evidence": record.evidence,
                "agrees": relation.agrees,
                "partial": relation.partial,
                "cells": relation.common,
                "cells_of_model": relation.wanted,
                "sentence": f"{record.evidence}, probe {record.probe}: {same}",
            }
        )
    return found
