"""What speaks for maps: the tables of docs/verified.md, docs/evidence.md and docs/tr8.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lanemap.cli.verbs.list import evidence_rows
from lanemap.conformance.forms.packing import pack
from lanemap.probing.compare.comparison import compare
from lanemap.probing.compare.evidence import COLUMNS, NONE
from lanemap.records.files import read_records
from lanemap.records.schema import Record
from tools.figures.words import RESULTS, filled, gpu

MOST_PARTS = 7  # of a brace in packed names


def verified(_: str) -> str:
    """Which layout maps silicon has shown, by probe and GPU, as a table."""
    rows, stored = [], read_records(RESULTS)
    for record in stored:
        if record.reservation or not record.observations:
            continue
        where = f"| `{record.probe}` | {record.target}, {gpu(record)} |"
        for partial in (False, True):
            names = [each.variant for each in record.observations if each.partial == partial]
            forms = ", ".join(f"`{_few(line)}`" for line in pack(names))
            if names:
                rows.append(f"{where} {len(names)}{' (partial)' if partial else ''} | {forms} |")
    if not rows:
        return filled("**No layout map has been verified on silicon by this project yet.**")
    said = filled(
        "These layout maps were verified on silicon, bit by bit. Those of `mma_sync_fragments` "
        "were verified element by element. A product stays the same if its operands share another "
        "order of rows, columns or k, so these maps hold up to such an order. `{a,b}` stands for "
        "either part."
    ).rstrip()
    head = "| probe | target, GPU | maps | instruction forms |\n|---|---|---|---|"
    return "\n".join([said, "", head, *rows]) + "\n" + _banks(stored)


def _banks(stored: list[Record]) -> str:
    """Return a paragraph on banks as silicon shows them; "" without rows."""
    said = ""
    for record in stored:
        if record.kind == "bank_rules" and not record.reservation:
            found = record.findings["variants"].values()
            whole = sum("rule" in each and not each["inputs_not_explained"] for each in found)
            inputs = sum(sum(each["inputs"].values()) for each in found)
            said += "\n" + filled(
                f"The probe `{record.probe}` timed accesses of shared memory on an {gpu(record)} "
                f"({record.target}). For {whole} of {len(found)} forms of access, one rule of "
                f"banks and phases explains every time. There were {inputs:,} inputs."
            )
    return said


def matrix(_: str) -> str:
    """How many variants of each family have which evidence, and why others have none."""
    families: dict[str, list[dict[str, str]]] = {}
    for row in evidence_rows(RESULTS):
        families.setdefault(row["family"], []).append(row)
    heads = [name.replace("_", " ") for name in COLUMNS]
    lines = [f"| variants | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for family, rows in sorted(families.items()):
        cells = [_cell([row[column] for row in rows]) for column in COLUMNS]
        lines.append(f"| {len(rows)}: {family} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(values: Sequence[str]) -> str:
    """How many have a value; the others' reasons, each with its count."""
    reasons = Counter(each for each in values if each.startswith(NONE))
    having = len(values) - reasons.total()
    said = [f"**{having}**"] if having else []
    said += [f"{count} {reason}" for reason, count in reasons.most_common()]
    return "; ".join(said)


def tr8_sources(_: str) -> str:
    """Who states which map of ds_read_b64_tr_b8, as a table."""
    others = [each for each in compare("ds_read_b64_tr_b8").standings if each.party.kind == "claim"]
    rows = ["| source | rests on | this map | bytes that agree |", "|---" * 4 + "|"]
    for each in others:
        said = each.relation
        verdict = "no" if said.agrees is False else "in part" if said.partial else "yes"
        equal = f"{(said.common - said.differing) // 8} of {said.common // 8}"
        rests_on = each.party.rests_on.partition(": ")[2]
        rows.append(f"| {each.party.name} | {rests_on} | {verdict} | {equal} |")
    sources = [each for each in others if not each.party.citation.startswith("nobody's text")]
    agree = sum(each.relation.agrees is True for each in sources)
    head = f"{agree} sources state this map, and {len(sources) - agree} state another.\n\n"
    return head + "\n".join(rows) + "\n"


def _few(line: str) -> str:
    """Packed names with at most seven parts in a brace: the first three, and the last."""

    def shortened(match: re.Match[str]) -> str:
        parts = match[1].split(",")
        few = parts if len(parts) <= MOST_PARTS else [*parts[:3], "..", parts[-1]]
        return "{" + ",".join(few) + "}"

    return re.sub(r"\{([^{}]*)\}", shortened, line)
