"""`lanemap adopt`: judge what a capsule brought back, and make rows of it in a branch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from lanemap.conformance.capsules.adopt import Judged
    from lanemap.conformance.capsules.branch import Checkout
    from lanemap.conformance.capsules.result import Result
    from lanemap.records.schema import Record

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
_MOST_LETTERS = 40


def command(
    file: Path = typer.Argument(..., metavar="FILE", help="The JSON file that a capsule wrote."),
    by: str = typer.Option(
        ...,
        "--from",
        metavar="WORD",
        help="Who sent it, in one word. Rows of one sender never verify each other.",
    ),
    as_json: bool = JSON_OPTION,
) -> int:
    """Check a capsule's result, say what it confirms or refutes, and commit its rows to a branch.

    The launches, the code and the judgement are this checkout's own; of the file only bytes that a
    GPU computed are used. Rows are marked as contributed, and count as verified once a second,
    independent card gave the same. The working tree stays as it is. The exit status is 1 if the
    result refutes a model or contradicts a stored row.
    """
    from lanemap import paths
    from lanemap.conformance.capsules.adopt import judge
    from lanemap.conformance.capsules.branch import Checkout
    from lanemap.conformance.capsules.result import read_result

    if not 0 < len(by) <= _MOST_LETTERS or by.strip(_LETTERS):
        raise UserError("--from is one word of letters, digits, '-', '_' and '.'")
    result = read_result(file)
    checkout = Checkout(paths.find("results"))
    found = judge(result, by, lambda row: _stored(checkout, row))
    branch, commit = _commit(checkout, result, by, found)
    if as_json:
        show_json(
            {
                "branch": branch,
                "commit": commit,
                "entries": {
                    each.name: {
                        "agrees": each.verdict.agrees if each.verdict else None,
                        "fault": each.fault,
                        "row": each.told,
                        "sentences": list(each.verdict.sentences) if each.verdict else [],
                    }
                    for each in found
                },
            }
        )
    else:
        for line in (line for each in found for line in each.lines()):
            console().print(line, markup=False, soft_wrap=True)
        said = f"branch {branch}: look at it, run `make figures` there, and merge it"
        console().print(said if branch else "no rows to write", markup=False, soft_wrap=True)
    wrong = any(each.conflicts or (each.verdict and not each.verdict.agrees) for each in found)
    return Disagreement.exit_code if wrong else 0


def _stored(checkout: Checkout, row: Record) -> Record | None:
    """Return the row of HEAD that stands where another would be written."""
    from lanemap.records.files import parse_record

    place = _place(row)
    text = checkout.text(place)
    return None if text is None else parse_record(text, place)


def _place(row: Record) -> str:
    from lanemap.records.files import record_path

    return record_path(row, Path("results")).as_posix()


def _commit(
    checkout: Checkout, result: Result, by: str, found: list[Judged]
) -> tuple[str | None, str | None]:
    """Commit the rows to a branch; return its name and its commit, None where there are no rows."""
    from lanemap.records.files import row_text
    from lanemap.records.kinds import hold_to_schema

    files = {}
    for each in found:
        if each.row is not None:
            text = row_text(each.row)
            hold_to_schema(text, each.row.kind)
            files[_place(each.row)] = text
    if not files:
        return None, None
    branch = f"contributed/{result.capsule.target}-{by}-{result.hash[:8]}"
    report = "\n".join(line for each in found for line in each.lines())
    head = f"results: {len(files)} rows of {result.capsule.target}, contributed by {by}"
    about = f"A capsule ran on {result.device.gpu} at {result.time}."
    return branch, checkout.write(branch, files, f"{head}\n\n{about}\n\n{report}\n")
