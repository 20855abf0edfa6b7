"""`lanemap explain`: which known mistake makes a wrong result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import variants
from lanemap.cli.output import JSON_OPTION, console, show_json
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from lanemap.probing.explain import Explanation


def command(
    wrong: Path = typer.Argument(..., help="The wrong result, M x N: a file of numpy.save."),
    right: Path = typer.Argument(..., help="The right result."),
    a: Path | None = typer.Option(None, "--a", help="Operand A, M x K, if it is a product."),
    b: Path | None = typer.Option(None, "--b", help="Operand B, K x N."),
    used: list[str] = typer.Option(
        [],
        "--used",
        help="An instruction or variant that the kernel uses; also several times.",
        autocompletion=variants,
    ),
    element_bytes: int = typer.Option(
        0, min=0, max=8, help="Bytes of an element of A and B in memory; by default of A's file."
    ),
    tolerance: float = typer.Option(
        2e-3, help="Equal values differ by less than this share of the largest one."
    ),
    as_json: bool = JSON_OPTION,
) -> int:
    """Say which known mistake makes a wrong result out of the right one.

    The result alone shows where its elements were taken from, and factors. With --a and --b each
    mistake of a library is made in the operands and compared: transposed, another order of k, a
    swizzle on one side, a stale stage, a step left out or added twice, replicated rows. The exit
    status is 1 if the results differ and no mistake that is known makes the wrong one.
    """
    import numpy as np

    from lanemap.model import named
    from lanemap.probing.explain import explain

    arrays = [None if path is None else _array(path) for path in (wrong, right, a, b)]
    own = [each for name in used for each in named(name).operands()]
    size = element_bytes or (np.asarray(arrays[2]).itemsize if a is not None else 2)
    found = explain(*arrays, used=own, element_bytes=size, tolerance=tolerance)
    if as_json:
        show_json(_as_json(found))
    else:
        _show(found)
    return Disagreement.exit_code if found.wrong and not found.findings else 0


def _array(path: Path) -> Any:
    """The array of a file.

    Raises:
        UserError: It is no file of numpy.save.
    """
    import numpy as np

    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is no array that numpy.save wrote: {error}") from None


def _show(found: Explanation) -> None:
    out = console()
    if not found.wrong:
        out.print("the results are equal")
        return
    row, column, value, should = found.first or (0, 0, 0.0, 0.0)
    out.print(
        f"{found.wrong} of {found.elements} elements differ, the first at row {row}, column "
        f"{column}: {value:.6g}, not {should:.6g}",
        markup=False,
    )
    for each in found.findings:
        out.print(f"{each.name}: {each.sentence}", markup=False)
        out.print(f"  to mend it: {each.change}", markup=False)
    if not found.findings:
        tried = f" of {found.tried} that were made in A and B" if found.tried else ""
        out.print(f"no known mistake{tried} makes this result", markup=False)


def _as_json(found: Explanation) -> dict[str, Any]:
    return {
        "differing": found.wrong,
        "elements": found.elements,
        "first": found.first,
        "tried": found.tried,
        "findings": [
            {"name": each.name, "sentence": each.sentence, "change": each.change}
            for each in found.findings
        ],
    }
