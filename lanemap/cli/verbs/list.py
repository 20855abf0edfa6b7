"""`lanemap list`: the probes, kernels or variants that there are."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import targets
from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.model import Variant
    from lanemap.records.files import Roots

PATTERN_HELP = (
    "Only those whose name or family contains this text or matches it as a glob, such as "
    "'ld*x4'; of variants, also what assembly text, compilers and libraries call them: m16n8k16, "
    "HMMA.16816.F32, SM100_TMEM_LOAD_32dp32b4x."
)


class What(str, Enum):
    """The kinds of things that can be listed."""

    probes = "probes"
    kernels = "kernels"
    variants = "variants"
    scores = "scores"
    evidence = "evidence"


def command(
    what: What = typer.Argument(What.probes, help="What to list."),
    pattern: str = typer.Argument("", metavar="PATTERN", help=PATTERN_HELP),
    target: str = typer.Option(
        "", help="Only those of this target, such as gfx950 or sm_100a.", autocompletion=targets
    ),
    results: Path | None = RESULTS_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """List probes, kernels, variants that have a model, or what speaks for these and against them.

    The whole list of variants ends with how much of PTX the emulator executes. `scores` are the
    mutation scores of probes; `evidence` is a row for each variant, whose cells are values or say
    why there is none.
    """
    from lanemap.devices import target_of_gpu

    target = target_of_gpu(target) or target
    if what is What.variants and not pattern:
        from lanemap.cli.remembered import remembered

        where = roots(results)

        def computed() -> Any:
            forms = _forms(target, where)
            packed = {name: _packed(each["not executed"]) for name, each in forms.items()}
            return _listed(what, "", target, where), forms, packed

        rows, forms, packed = remembered(("list variants", target), where, computed)
    else:
        rows, forms, packed = _listed(what, pattern, target, roots(results)), {}, {}
    if as_json:
        show_json({"variants": rows, "forms": forms} if what is What.variants else rows)
        return
    if rows:
        columns = list(rows[0])
        console().print(table(columns, ([row[name] for name in columns] for row in rows)))
    else:
        console().print(f"there are no {what.value}" + (f" of target {target}" if target else ""))
    for name, counted in forms.items():
        _print_forms(name, counted, packed[name])


def _listed(what: What, pattern: str, target: str, results: Roots) -> list[dict[str, str]]:
    """Return the rows of a list that the pattern and the target choose.

    Raises:
        UserError: nothing matches the pattern.
    """
    tables = {What.scores: _scores, What.evidence: evidence_rows}
    rows = tables[what](results) if what in tables else _LISTED[what]()
    rows = [row for row in rows if not target or target in row.get("target", "").split(", ")]
    if pattern:
        rows = _matching(what, rows, pattern, target)
    if what is What.variants:
        _add_observed(rows, results)
    return rows


def _matching(
    what: What, rows: list[dict[str, str]], pattern: str, target: str
) -> list[dict[str, str]]:
    """Return the rows whose name or family the pattern fits; of variants, also what it names.

    Raises:
        UserError: there is none.
    """
    from lanemap.model.names import globbed

    searched = ("name", "probe", "family") + (("variant",) if what is What.evidence else ())
    columns = [column for column in searched if rows and column in rows[0]]
    wild = pattern if set(pattern) & set("*?[") else f"*{glob.escape(pattern)}*"
    found = globbed(wild, rows, lambda row: [row[column] for column in columns])
    if found or what is not What.variants:
        if not found:
            raise UserError(
                f"no {what.value} match {pattern!r}; `lanemap list {what.value}` shows all"
            )
        return found
    from lanemap.model import named

    meant = [each for each in named(pattern).variants if not target or target in each.targets]
    if not meant:
        raise UserError(f"{target} has no variant {pattern!r}")
    return [_row(each) for each in meant]


def _add_observed(rows: list[dict[str, str]], results: Roots) -> None:
    """Say of each variant what it was observed on, and how far where that is not every cell."""
    from lanemap.model import variant
    from lanemap.probing.compare.relations import relate_observed
    from lanemap.records.lookup import all_observations

    seen = all_observations({row["name"] for row in rows}, results)
    for row in rows:
        told: dict[str, None] = {}
        for record, observation in seen.get(row["name"], ()):
            relation = relate_observed(variant(row["name"]).map, record, observation)
            part = f" (partial: {relation.reach})" if relation.partial else ""
            where = f" ({record.target})" if record.evidence == "silicon" else ""
            told[f"{record.evidence}{where}{part}"] = None
        row["observed"] = ", ".join(told)


def _forms(target: str, results: Roots) -> dict[str, dict[str, Any]]:
    """Return what is known of the PTX forms of one target, or of all."""
    from lanemap.conformance.forms.coverage import unsupported
    from lanemap.conformance.forms.judged import accepted, all_forms, judged_targets
    from lanemap.conformance.forms.summary import summary

    found: dict[str, dict[str, Any]] = {}
    for name in judged_targets():
        if target not in ("", name):
            continue
        counts = summary(name, results).to_json()
        found[name] = {
            "families": counts["families"],
            "total": counts["total"],
            "not executed": dict(sorted(unsupported(name).items())),
            "refused by ptxas": len(all_forms()) - len(accepted(name)),
            "equal on": counts["gpu"],
        }
    return found


def _packed(missing: dict[str, str]) -> list[tuple[str, int, list[str]]]:
    """Return each reason for which forms are not executed, how many they are, and their names."""
    from lanemap.conformance.forms.packing import pack

    by_reason: dict[str, list[str]] = {}
    for name, why in missing.items():
        by_reason.setdefault(why, []).append(name)
    return [(why, len(names), list(pack(names))) for why, names in sorted(by_reason.items())]


def _print_forms(target: str, forms: dict[str, Any], packed: Sequence[Any]) -> None:
    """Print the counts by family, then what the emulator refuses, with its reason."""
    gpu, out = forms["equal on"], console()
    columns = ["family", "accepted", "executed", *(["equal"] if gpu else []), "share"]
    counts = [
        ["-" if each[column] is None else str(each[column]) for column in columns]
        for each in (*forms["families"], forms["total"])
    ]
    out.print(
        f"\nPTX forms of {target}, generated from the syntax tables: ptxas refused "
        f"{forms['refused by ptxas']} of them; of those that it accepted the emulator executes:"
    )
    out.print(table(columns, counts))
    if gpu:
        out.print(
            f"equal: in generated programs the emulator's results equal those of an {gpu} "
            "(evidence: silicon);\n-: these programs do not use the family. Where the ISA leaves "
            "the bits of a NaN open, any NaN\ncounts as equal. Clocks, cache policies, "
            "approximations and forms without a result are not\ncompared"
        )
    for reason, count, lines in packed:
        out.print(f"\nnot executed ({count}): {reason}")
        text = "\n".join(f"    {line}" for line in lines)
        out.print(text, markup=False, soft_wrap=True)


def _probes() -> list[dict[str, str]]:
    from lanemap.probing.probe import find_probes

    return [
        {
            "name": p.name,
            "target": ", ".join(p.targets),
            "variant": p.variant,
            "question": p.question,
        }
        for p in find_probes().values()
    ]


def _scores(results: Roots) -> list[dict[str, str]]:
    """Return the stored mutation scores, a row for each probe."""
    from lanemap.records.lookup import of_kind

    found = []
    for record in of_kind("mutation_scores", results):
        for probe, score in record.findings.items():
            found.append(
                {
                    "probe": probe,
                    "target": record.target,
                    "variant": score["variant"],
                    "mutants": str(score["mutants"]),
                    "executed": str(score["executed"]),
                    "noticed": str(score["executed_noticed"]),
                    "survivors": str(len(score["survivors"])),
                }
            )
    return found


def evidence_rows(results: Roots) -> list[dict[str, str]]:
    """Return what is known of each variant; kept in the cache."""
    from lanemap.cli.remembered import remembered

    def computed() -> list[Any]:
        from lanemap.conformance.evidence import matrix  # and all models; not where it is kept

        return [each.to_json() for each in matrix(results)]

    rows = remembered(("evidence",), results, computed)
    return [row | {"target": ", ".join(row.pop("targets"))} for row in rows]


def _kernels() -> list[dict[str, str]]:
    from lanemap import paths
    from lanemap.targets import TARGETS

    found = []
    for readme in sorted(paths.find("kernels").glob("*/README.md")):
        folder = readme.parent
        sources = {path.stem for path in folder.iterdir() if path.suffix != ".py"}
        found.append(
            {
                "name": folder.name,
                "target": ", ".join(target for target in TARGETS if target in sources),
                "title": readme.read_text().splitlines()[0].partition(": ")[2],
                "page": str(readme),
            }
        )
    return found


def _variants() -> list[dict[str, str]]:
    from lanemap.model import variants

    return [_row(v) for v in sorted(variants(), key=lambda v: (v.target, v.family, v.name))]


def _row(v: Variant) -> dict[str, str]:
    targets = ", ".join(v.targets)
    return {"name": v.name, "target": targets, "family": v.family, "formula": v.formula}


_LISTED = {What.probes: _probes, What.kernels: _kernels, What.variants: _variants}
