"""`lanemap plan`: instructions that move a matrix between places, and a budget of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from lanemap.cli.completion import layouts
from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from lanemap.layout.planner import Plan

PLACE_HELP = (
    "d:128x128:f32 (accumulator; d/E: data path layout E), a:128x128:bf16 (operand A), sf:128x4 "
    "(scales), 16x256b@PLACE (the registers that such loads yield), or a variant's name."
)


def command(
    places: list[str] = typer.Argument(
        ..., metavar="FROM [TO]", help=PLACE_HELP, autocompletion=layouts
    ),
    load: str = typer.Option("", help="Use only loads of this shape, such as 16x256b."),
    store: str = typer.Option(
        "", help="Use only stores of this shape, such as 32x32b.unpack::16b."
    ),
    ptx: bool = typer.Option(False, help="Print the instructions of each warp as PTX."),
    budget: bool = typer.Option(
        False,
        help="Add up columns of tensor memory instead: S=d:128x128:f32*2 P=a:128x128:bf16@S "
        "SF=sf:128x256:mxf8.",
    ),
    as_json: bool = JSON_OPTION,
) -> int:
    """Plan the tcgen05.ld and st that take a matrix from one place to another.

    Without TO, the loads and stores that fit the place are listed; --load shows what registers hold
    after such loads, and --store what tensor memory holds after such stores. The exit status is 1
    if there is no plan or the budget does not fit.
    """
    if budget:
        return _budget(places, as_json)
    from lanemap.emission.copies import place, plan_copy, plan_load, plan_store
    from lanemap.layout.planner import NoPlan

    if len(places) == 2:
        plan = plan_copy(places[0], places[1], load=load or None, store=store or None)
    elif len(places) == 1 and bool(load) != bool(store):
        plan = plan_load(places[0], load) if load else plan_store(places[0], store)
    elif len(places) == 1 and not load and not store and not ptx:
        return _fitting(places[0], as_json)
    else:
        for each in places:
            place(each)  # a place that is not understood is the first thing to know
        raise UserError("give two places, or one and at most one of --load and --store")
    if isinstance(plan, NoPlan):
        if not as_json:
            raise Disagreement(str(plan))
        show_json({"plan": None, "cell": plan.cell, "reason": plan.reason})
        return Disagreement.exit_code
    fragment = _formula(plan) if len(places) == 1 else []
    if as_json:
        show_json({"plan": plan.to_json(), "destination": fragment})
    else:
        _show(plan, fragment, ptx)
    return 0


def _fitting(where: str, as_json: bool) -> int:
    """List the loads and stores that fit a place."""
    from lanemap.emission.copies import fitting

    found = fitting(where)
    rows = [
        [
            each.verb,
            each.shape,
            str(each.plan.instructions),
            str(each.registers),
            *each.plan.variants,
        ]
        for each in found
    ]
    columns = ["", "shape", "issues of a warp", "registers of a thread", "instruction"]
    if as_json:
        show_json(
            [
                {"verb": verb, "shape": shape, "issues": int(issues), "registers": int(registers),
                 "variants": names}
                for verb, shape, issues, registers, *names in rows
            ]
        )  # fmt: skip
    elif rows:
        listed = [[*row[:4], ", ".join(row[4:])] for row in rows]
        console().print(table(columns, listed))
    if not rows:
        raise Disagreement(f"no load and no store fits {where}")
    return 0


def _show(plan: Plan, fragment: list[str], ptx: bool) -> None:
    out = console()
    counts = {"issue": plan.instructions, "shuffle": plan.shuffles, "merge": plan.merges}
    words = ", ".join(f"{n} {what}{'' if n == 1 else 's'}" for what, n in counts.items())
    out.print(f"{words} in the busiest warp; exact on every cell of the model", markup=False)
    for line in (*plan.lines(), *(f"then: {line}" for line in fragment)):
        out.print(line, markup=False)
    if ptx:
        for names, instructions in _ptx(plan).items():
            out.print(f"// {names}", markup=False)
            out.print("\n".join(instructions), markup=False, soft_wrap=True)
    out.print(f"evidence: documented, by the model of {', '.join(plan.variants)}", markup=False)


def _ptx(plan: Plan) -> dict[str, tuple[str, ...]]:
    """The instructions, with the names of the warps that issue them."""
    warps: dict[tuple[str, ...], list[str]] = {}
    for (cta, warp), steps in plan.warps.items():
        issued = tuple(issue.ptx() for issue in steps.issues)
        warps.setdefault(issued, []).append(f"cta {cta} warp {warp}")
    return {", ".join(names): issued for issued, names in warps.items()}


def _formula(plan: Plan) -> list[str]:
    """The closed form of what the destination holds."""
    from lanemap.layout.fits import fit_layout

    return fit_layout(plan.destination.layout).formula().splitlines()


def _budget(operands: list[str], as_json: bool) -> int:
    from lanemap.emission.copies import column_budget

    found = column_budget(operands)
    if as_json:
        show_json(found.to_json())
    else:
        for line in found.lines():
            console().print(line, markup=False)
    return 0 if found.fits else Disagreement.exit_code
