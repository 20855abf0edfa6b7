"""`lanemap banks`: bank conflicts of one access, without a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from lanemap.cli.completion import accesses, targets
from lanemap.cli.output import JSON_OPTION, console, show_json
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.probing.banks.conflicts import Conflicts

#: Of these targets are the accesses, if no other is named.
NVIDIA, AMD = "sm_90a", "gfx950"
MOST_CITATIONS = 3


def command(
    instruction: str = typer.Argument(
        ...,
        metavar="INSTRUCTION",
        help="An access of shared memory or LDS: ld.shared.v4.b32, ldmatrix.x4, ds_read_b128.",
        autocompletion=accesses,
    ),
    address: str = typer.Option(
        ...,
        help="The byte address that each lane gives, in C's operators: 'lane*272', "
        "'(lane%16)*128 + ((lane/16 ^ lane%8)*16)'.",
    ),
    target: str = typer.Option(
        "",
        help="The target or GPU; by default sm_90a, whose rules an H200 showed, or gfx950.",
        autocompletion=targets,
    ),
    as_json: bool = JSON_OPTION,
) -> None:
    """Count the passes and conflicts of one access of shared memory, and say who conflicts.

    The emulator makes the access and judges it by the rule that it judges kernels by; the rule's
    evidence is named.
    """
    from lanemap.devices import target_named
    from lanemap.layout.arithmetic import read
    from lanemap.probing.banks.conflicts import access_of, conflicts

    amd = instruction.startswith("ds_")
    chosen = target_named(target) if target else AMD if amd else NVIDIA
    if amd != chosen.startswith("gfx"):
        raise UserError(f"{instruction} is no instruction of {chosen}")
    access = access_of(instruction, chosen)
    expression = read(address, ("lane",))
    given = [expression.value(lane=lane) for lane in range(access.lanes)]
    found = conflicts(access, chosen, given)
    if as_json:
        show_json(found.to_json() | {"instruction": instruction, "address": address})
        return
    for line in _lines(instruction, address, found):
        console().print(line, markup=False, soft_wrap=True)


def _lines(instruction: str, address: str, found: Conflicts) -> list[str]:
    count = found.conflicts
    more = "no bank conflicts" if not count else (
        f"{count} more than without bank conflicts" if count > 1 else
        "1 more than without bank conflicts"
    )  # fmt: skip
    named = "" if found.access.name == instruction else f" (judged as {found.access.name})"
    passes = f"{found.passes} pass{'' if found.passes == 1 else 'es'}"
    head = f"{instruction}{named} at {address} on {found.target}: {passes}, {more}"
    rule = f"rule: {found.rule.form}, {found.rule.banks} banks of 4 bytes"
    return [
        head,
        *(f"  {each.sentence()}" for each in found.phases),
        f"{rule}; evidence: {found.rule.evidence}",
        *(f"  {citation}" for citation in found.rule.citations[:MOST_CITATIONS]),
    ]
