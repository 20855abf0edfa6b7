"""How much of AMD's targets the emulator executes, as tables."""

from __future__ import annotations

from lanemap.conformance.instructions import Share, family, shares
from lanemap.emulator.api import executes, why_refused
from lanemap.targets import TARGETS, instructions_of


def share(each: Share) -> str:
    """The part that is executed, in percent."""
    return f"{100 * each.executed / each.accepted:.1f} %".replace(".0 %", " %")


def processors(_: str) -> str:
    """How much the emulator executes for each of AMD's targets, as a table."""
    rows = [
        "| target | GPUs | instructions that clang accepts | executed | share |",
        "|---" * 5 + "|",
    ]
    for target in TARGETS.values():
        if target.is_nvidia:
            continue
        total = shares(target.name, executes)[-1]
        rows.append(
            f"| {target.name} | {', '.join(target.products)} | {total.accepted:,} | "
            f"{total.executed:,} | {share(total)} |"
        )
    return "\n".join(rows) + "\n"


def instructions(target: str) -> str:
    """How much of each family of a target's instructions the emulator executes, as a table."""
    rows = [
        f"| family, {target} | instructions that clang accepts | executed | share |",
        "|---|---|---|---|",
    ]
    rows += [
        f"| {each.family} | {each.accepted:,} | {each.executed:,} | {share(each)} |"
        for each in shares(target, executes)
    ]
    return "\n".join(rows) + "\n"


def refused(_: str) -> str:
    """Every instruction of AMD's targets that the emulator refuses, by family, with the reason."""
    amd = [each.name for each in TARGETS.values() if not each.is_nvidia]
    missing: dict[tuple[str, str, str], list[str]] = {}
    for name in sorted({name for target in amd for name in instructions_of(target)}):
        of = [each for each in amd if name in instructions_of(each) and not executes(name, each)]
        if of:
            where = "all" if of == amd else ", ".join(of)
            missing.setdefault((family(name), where, why_refused(name)), []).append(name)
    rows = ["| family | instructions | targets | refused |", "|---" * 4 + "|"]
    for (kind, where, why), names in sorted(missing.items()):
        rows.append(f"| {kind} | {', '.join(f'`{each}`' for each in names)} | {where} | {why} |")
    return "\n".join(rows) + "\n"
