"""What is known of each variant, in one row each: the matrix of docs/evidence.md and of the site.

A cell is a value, or "none" with the reason why there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lanemap import model
from lanemap.model import spellings
from lanemap.probing.compare.comparison import Comparison, Observed, Standing, Support, compare
from lanemap.records.files import Roots, read_records
from lanemap.records.lookup import Seen
from lanemap.records.schema import Observation, Record

#: The columns of a row after its variant, with what stands in them.
COLUMNS = {
    "model": "the sources that our statement cites",
    "certificate": "what the probe's inputs can tell apart",
    "mutants": "mutants of the model that the probe noticed",
    "emulator": "the targets whose probe read the model back on the emulator: no support",
    "silicon": "the GPUs that showed the map",
    "claims_for": "independent sources that state the same map",
    "claims_against": "sources that state another map",
    "timing": "measured cycles of the instruction on an H200",
    "kernels": "others' compiled kernels that are right only under the map",
}
NONE = "none: "
#: Of products whose columns are an axis of one probe, N as names of variants have it.
_COLUMNS_OF_D = ("8", "16", "64", "80", "128", "256")


@dataclass(frozen=True)
class Evidence:
    """What is known of a variant; each field but the first three is a value, or "none: " and why.

    Attributes:
        variant: Its name.
        family: The variants that share one formula.
        targets: The targets that have it.
        model: Sources that our statement cites.
        certificate: How many classes of hypotheses its probe's inputs decide.
        mutants: Mutants of the model that the probe noticed.
        emulator: Targets with a row of the emulator.
        silicon: GPUs that showed the map.
        claims_for: Independent sources that state the same map.
        claims_against: Sources that state another.
        timing: SASS opcodes of it with measured cycles.
        kernels: Others' compiled kernels that are right only under the map.
    """

    variant: str
    family: str
    targets: tuple[str, ...]
    model: str
    certificate: str
    mutants: str
    emulator: str
    silicon: str
    claims_for: str
    claims_against: str
    timing: str
    kernels: str

    def to_json(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        return asdict(self) | {"targets": list(self.targets)}


def evidence(
    results: Roots, timed: Iterable[str], names: Collection[str] | None = None
) -> list[Evidence]:
    """What is known of variants, in the order of the model.

    Args:
        results: The root of the records.
        timed: SASS opcodes whose cycles were measured.
        names: The variants; every listed one by default.

    Raises:
        UserError: A file under `results` is not a record.
    """
    seen: dict[str, list[Seen]] = {}
    scores: dict[str, list[str]] = {}
    for record in read_records(results, variants=names):
        for observation in record.observations:
            seen.setdefault(observation.variant, []).append((record, observation))
        if record.kind == "mutation_scores":
            for name, said in _scores(record):
                scores.setdefault(name, []).append(said)
    cycles = _timed(timed)
    rows = []
    for variant in model.variants():
        if names is not None and variant.name not in names:
            continue
        own = seen.get(variant.name, [])
        compared = compare(variant.name, [Observed.of(*each) for each in own])
        rows.append(_row(variant, compared, own, scores, cycles))
    return rows


def _row(
    variant: model.Variant,
    compared: Comparison,
    seen: Sequence[Seen],
    scores: Mapping[str, Sequence[str]],
    cycles: Mapping[str, Sequence[str]],
) -> Evidence:
    unasked = NONE + "no probe asks it"
    certified = [_certificate(each) for _, each in seen if each.certificate]
    emulated = sorted({r.target for r, _ in seen if r.evidence == "emulator"})
    said = [each for each in compared.standings if each.party.kind == "claim"]
    against = [each.party.name for each in said if each.relation.agrees is False]
    # A GPU of sm_90a has been asked; it has the instructions of the targets before it.
    timeless = "no H200 has it" if "sm_90a" not in variant.targets else "no series times it"
    cited = len(variant.citations)
    support = compared.support
    return Evidence(
        variant.name,
        variant.family,
        variant.targets,
        f"{cited} source{'' if cited == 1 else 's'}" if cited else NONE + "no citation",
        certified[-1] if certified else unasked if not seen else NONE + "the row has none",
        (scores.get(variant.name) or [NONE + _unscored(seen)])[-1],
        ", ".join(emulated) or unasked,
        _silicon(variant.targets, seen, compared.standings),
        _for(support, said),
        ", ".join(against) or NONE + ("nobody contradicts it" if said else "nobody states it"),
        ", ".join(cycles.get(variant.name, ())) or NONE + timeless,
        ", ".join(support.kernels) or NONE + "no kernel was run under rivals of it",
    )


def _for(support: Support, said: Sequence[Standing]) -> str:
    """Independent claims that agree; copies of one source count once."""
    if support.claims:
        partial = sum(each in support.partial for each in support.claims)
        return f"{len(support.claims)}" + (f" ({partial} in part)" if partial else "")
    return NONE + ("those who state it disagree" if said else "nobody states it")


def _certificate(observation: Observation) -> str:
    classes: Any = observation.certificate["classes"]
    complete = sum(each["complete"] for each in classes)
    return f"{complete} of {len(classes)} classes decided"


def _scores(record: Record) -> Iterable[tuple[str, str]]:
    """By variant, how many mutants its probe noticed."""
    for score in record.findings.values():
        if by_variant := score.get("by_variant"):
            yield from by_variant.items()
        else:
            executed, noticed = score["executed"], score["executed_noticed"]
            yield score["variant"], f"{noticed} of {executed} executed, {score['mutants']} mutants"


def _unscored(seen: Sequence[Seen]) -> str:
    return "its probe has no stored score" if seen else "no probe asks it"


def _silicon(
    targets: Sequence[str],
    seen: Sequence[Seen],
    standings: Sequence[Standing],
) -> str:
    shown: dict[str, None] = {}
    for record, observation in seen:
        if record.evidence == "silicon":
            environment = record.environment or {}
            gpu = str(environment.get("after", environment)["gpu"])
            part = ", in part" if observation.partial else ""
            doubt = ", contributed" if record.unconfirmed else ""
            shown[f"{gpu} ({record.target}){part}{doubt}"] = None
    if shown:
        differs = any(
            each.party.evidence == "silicon" and each.relation.agrees is False for each in standings
        )
        return ", ".join(shown) + (", and it DIFFERS" if differs else "")
    if "sm_90a" in targets:
        return NONE + ("its probe has not run on one" if seen else "no probe asks it")
    return NONE + "no GPU that has it was at hand"


def _timed(opcodes: Iterable[str]) -> dict[str, list[str]]:
    """By variant, the SASS opcodes that it becomes, of those that were measured."""
    found: dict[str, list[str]] = {}
    for opcode in opcodes:
        for size in _COLUMNS_OF_D if "xNx" in opcode else ("",):
            for reading in spellings.readings(opcode.replace("xNx", f"x{size}x")):
                for name in reading.variants:
                    for each in model.variants_named(name):
                        if opcode not in found.setdefault(each.name, []):
                            found[each.name].append(opcode)
    return found
