"""The table of docs/found.md: which releases of its compiler have each fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lanemap.conformance.faults.history import WRONG, History, histories
from lanemap.conformance.forms.packing import unpack
from lanemap.records.lookup import of_kind
from tools.figures.kernels import RESULTS


def releases(_: str) -> str:
    """A line for each program: the releases that are wrong at each option, of those asked."""
    lines = ["| fault | program | releases asked | wrong in | evidence |", "|---|---|---|---|---|"]
    for each in histories(of_kind("compiler_faults", RESULTS)):
        names = list(each.states)
        asked = f"{len(names)}: {names[0]} to {names[-1].partition(' ')[2]}"
        wrong: dict[str, list[str]] = {}
        for option in each.options:
            wrong.setdefault(_wrong(each, option), []).append(f"`{option}`")
        said = "; ".join(f"{', '.join(options)}: {where}" for where, options in wrong.items())
        lines.append(
            f"| [{each.fault}]({_link(each)}) | {each.program} | {asked} | {said} | "
            f"{each.evidence}, {each.target} |"
        )
    return "\n".join([*lines, ""])


def _link(each: History) -> str:
    """From docs/found.md."""
    here, _, anchor = each.page.partition("#")
    return f"#{anchor}" if here == "docs/found.md" else f"../{here}"


def ptx_releases(_: str) -> str:
    """A line for each release of ptxas: forms that it accepts, and what it makes of texts."""
    (row,) = (each for each in of_kind("compiler_releases", RESULTS) if each.device == "ptxas")
    forms, texts = row.findings["forms"], row.findings["texts"]
    heads = "| ptxas | forms accepted | more | fewer | texts | refused | other SASS than the"
    lines = [f"{heads} release before | instructions |", "|---" * 8 + "|"]
    counted = {each["compiler"]: each for each in forms["releases"]}
    names = [each["compiler"] for each in texts[0]["outcomes"]]
    for number, name in enumerate(names):
        now = [text["outcomes"][number] for text in texts]
        before = [text["outcomes"][max(0, number - 1)] for text in texts]
        other = sum(
            "sass" in old and "sass" in new and new["sass"] != old["sass"]
            for new, old in zip(now, before, strict=True)
        )
        own = counted.get(name)
        told = [f"{own['accepted']:,}" if own else "", *_changes(own)]
        told += [f"{len(texts):,}", f"{sum('refused' in each for each in now):,}", f"{other:,}"]
        told.append(f"{sum(each.get('instructions', 0) for each in now):,}")
        lines.append(f"| {name.split()[1]} | {' | '.join(told)} |")
    return "\n".join([*lines, ""])


def clang_releases(_: str) -> str:
    """A line for each release of clang: AMD's instructions that it knows, by target."""
    rows = [each for each in of_kind("compiler_releases", RESULTS) if each.device == "clang"]
    targets = [each.target for each in rows]
    lines = [f"| clang | {' | '.join(targets)} |", "|---" * (1 + len(rows)) + "|"]
    for told in zip(*(each.findings["forms"]["releases"] for each in rows), strict=True):
        counts = (f"{each['accepted']:,}" if each["accepted"] else "none" for each in told)
        lines.append(f"| {told[0]['compiler'].split()[1]} | {' | '.join(counts)} |")
    return "\n".join([*lines, ""])


def _changes(release: Mapping[str, Any] | None) -> list[str]:
    """How many forms a release accepts that the one before refuses, and the other way around."""
    if release is None or release["accepted"] == len(list(unpack(release["gained"]))):
        return ["", ""]
    return [f"{len(list(unpack(release[way]))):,}" for way in ("gained", "lost")]


def _wrong(each: History, option: str) -> str:
    runs = [
        first.split()[1] if first == last else f"{first.split()[1]} to {last.split()[1]}"
        for state, first, last in each.ranges(option)
        if state == WRONG
    ]
    return ", ".join(runs) or "none"
