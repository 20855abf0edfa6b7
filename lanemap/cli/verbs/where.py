"""`lanemap where`: the cell that a cell maps to, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import variants
from lanemap.cli.output import JSON_OPTION, VARIANT_HELP, console, show_json, table
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from lanemap.cli.cells import Run
    from lanemap.model import Variant
    from lanemap.records.files import Roots

# Options are made from the axes of the variant's spaces, so typer hands unknown ones through.
CONTEXT_SETTINGS = {"allow_extra_args": True, "ignore_unknown_options": True}
EPILOG = """Options that name a cell (`lanemap where VARIANT` alone names those of one variant):

Registers: --lane, --reg (--register), --warp, --thread (of a warpgroup), --bit.

Matrices: --row (--m, --i), --column (--col, --n, --j), --k, --bit; also --block, --product, --kept,
--chunk, --group, where an instruction has them.

Tensor memory: --lane, --column (--col), --cta, --bit, or together as --tmem 37,12.

Shared memory: --byte, --bit, --line, --unit, --row.

Parts: --nibble, --byte, --half count through the bits of a cell.

The name of a space before an axis says which side is meant: --register-lane, --chunk-lane,
--tmem-column, --matrix-row, --scales-block, --shared-byte, --linear-byte, --index-group; and
--from-lane where bits move between registers. A space's name alone takes all of its coordinates:
--chunk 3,17."""
TMEM_LANES, QUADRANT_LANES = 128, 32
MOST_ROWS = 64


@dataclass(frozen=True)
class Answer:
    """One variant's answer for the given cells; `side` is "destination" or "source"."""

    variant: Variant
    side: str
    cells: list[Run]
    quadrant: str | None


def command(
    context: typer.Context,
    name: str = typer.Argument(..., metavar="VARIANT", help=VARIANT_HELP, autocompletion=variants),
    results: Path | None = RESULTS_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Show which cell a cell comes from or goes to.

    Name a register cell: --lane 9 --reg 0 --bit 8, or --thread 70 of a warpgroup. Or name the cell
    on the other side by its axes: --row 3 --k 5 (also --m, --n, --k and --i, --j),
    --chunk-lane 3 --chunk-bit 17, --tmem 37,12, --byte 96. A coordinate that is left out stands for
    all of its values; --byte, --half and --nibble select that many bits. For an instruction without
    an operand, every operand that has the coordinates answers.
    """
    from lanemap.cli.cells import parse
    from lanemap.model import named

    meant = named(name)
    found = meant.operands()
    answers, refusals = _answers(name, found, parse(context.args))
    if as_json:
        shown = [_as_json(each, roots(results)) for each in answers]
        show_json(shown[0] if len(found) == 1 else {"instruction": name, "operands": shown})
        return
    out = console()
    # Read first: a damaged record must not leave half an answer on stdout.
    observed = [_observed(each.variant, roots(results)) for each in answers]
    if meant.read_as:
        out.print(f"read as {meant.read_as}", markup=False)
    for each, rows in zip(answers, observed, strict=True):
        _show(each, rows, out)
    for refusal in refusals:
        out.print(refusal, markup=False)


def _answers(
    name: str, variants: tuple[Variant, ...], options: dict[str, str]
) -> tuple[list[Answer], list[str]]:
    """Ask each variant that has the coordinates; those outside its ranges are put into words.

    Raises:
        UserError: no variant has the coordinates.
    """
    from lanemap.cli.cells import legal_options, runs, select

    found, errors = [], []
    asked = [each for each in variants if set(options) <= set(legal_options(each.map))]
    if not asked and len(variants) > 1:
        shown = ", ".join(f"--{option}" for option in options)
        raise UserError(f"no operand of {name} has all of {shown}; {_operand_axes(variants)}")
    for each in asked or variants:
        try:
            own, quadrant = _within_quadrant(each, options)
            selection = select(each.map, own)
        except UserError as error:
            errors.append((each, error))
        else:
            found.append(Answer(each, selection.side, runs(each.map, selection), quadrant))
    if not found:
        raise errors[0][1]
    return found, [f"{each.name}: {error}" for each, error in errors]


def _operand_axes(variants: tuple[Variant, ...]) -> str:
    """Return the axes of the other side of each operand, in words."""
    return "; ".join(f"{each.name} has {each.map.source}" for each in variants)


def _show(answer: Answer, observed: list[dict[str, Any]], out: Console) -> None:
    variant, cells = answer.variant, answer.cells
    if cells:
        out.print(_table(variant, cells, backwards=answer.side == "source"))
    if len(cells) > MOST_ROWS:
        out.print(
            f".. and {len(cells) - MOST_ROWS} more rows; name more coordinates, or use --json"
        )
    if not cells:
        out.print(f"{variant.name}: no cell of {variant.map.destination.name} receives it")
    for line in (
        *([answer.quadrant] if answer.quadrant else []),
        f"formula: {variant.formula}",
        *([f"legal where: {variant.legality}"] if variant.legality else []),
        *([f"not observable: {variant.gauge}"] if variant.gauge else []),
        *(f"documented: {citation}" for citation in variant.citations),
        *(f"observed: {row['sentence']}" for row in observed),
    ):
        out.print(line, markup=False)


def _within_quadrant(
    variant: Variant, options: dict[str, str]
) -> tuple[dict[str, str], str | None]:
    """Turn a lane of the whole tensor memory into a lane of the quadrant that a warp reaches.

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


def _as_json(answer: Answer, results: Roots) -> dict[str, Any]:
    variant = answer.variant
    destination, source = variant.map.destination, variant.map.source
    return {
        "variant": variant.name,
        "targets": list(variant.targets),
        "asked": answer.side,
        "cells": [
            {
                "destination": destination.coords(run.destination),
                "source": source.coords(run.source) if run.source >= 0 else None,
                "count": run.count,
            }
            for run in answer.cells
        ],
        "formula": variant.formula,
        "legality": variant.legality,
        "gauge": variant.gauge,
        "citations": list(variant.citations),
        "observed": _observed(variant, results),
    }


def _observed(variant: Variant, results: Roots) -> list[dict[str, Any]]:
    """Hold the model against every observation of the variant in results/."""
    from lanemap.probing.compare.relations import relate_observed
    from lanemap.records.lookup import observations_of

    found = []
    for record, observation in observations_of(variant.name, results):
        relation = relate_observed(variant.map, record, observation)
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
                "sentence": f"{record.evidence}, {record.origin}: {same}",
            }
        )
    return found
