"""Compares two runs of one observation."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from lanemap.conformance.faults import trial as faults
from lanemap.records.schema import Json, Record
from lanemap.timing.agreement import differing

#: Keys that say who ran a row, and on what, where the row of the emulator has others: those of the
#: row itself, and those that stand deeper.
_WHO = frozenset(("environment", "device", "evidence"))
_HOW = frozenset(("command", "model_hash"))
#: Keys that hold what a second run may find otherwise, wherever they stand in the findings.
#: `measured` is a time. Compilers make other machine code; the texts of kernels, and the fields of
#: their tiles, go on changing; a reason is a sentence of ours. Bits of an mbarrier's state and of
#: its object differ from run to run. What a fault does is a matter of luck.
_MAY_DIFFER: Mapping[str, frozenset[str]] = {
    "bank_rules": frozenset(("measured",)),
    "programs": frozenset(("compiler", "cubin", "reason")),
    "mbarriers": frozenset(("compiler", "cubin", "opaque", "the same each time")),
    "copies": frozenset(("compiler", "cubin")),
    "earlier_targets": frozenset(("compiler", "proves", "proves_not")),
    "tensor_cores": frozenset(("compiler", "cubin", "sass")),
    "kernel_products": frozenset(("compiler", "ptx", "tile")),
    "kernel_attentions": frozenset(("compiler", "ptx", "tile")),
    "museum": frozenset(("faulty", "elements", "compute_sanitizer", "own_compiler")),
}


def essence(data: Mapping[str, Json]) -> Json:
    """Return what a second run must reproduce of a row, given as its JSON."""
    kind = data["kind"]
    own = {key: each for key, each in data.items() if key not in _WHO}
    row = _without(own, _HOW | _MAY_DIFFER.get(kind, frozenset()))
    findings = row["findings"]
    if kind == "programs":
        # Which device a program stopped; the sentences are ours.
        stops = findings["stops"].items()
        findings["stops"] = {form: [bool(each) for each in pair] for form, pair in stops}
    if kind == "compiler_faults":
        row["findings"] = [fault["name"] for fault in findings["faults"]]
    return row


def agree(stored: Record, seen: Record) -> bool:
    """Return whether two runs of one observation found the same.

    Faults are compared for the compilers that both runs had; there must be one. Of programs, those
    series are compared that both ran, and the first is always run. Timings agree as
    `timing.agreement` says.
    """
    if stored.kind == seen.kind == "timing":
        return not differing(stored, seen)
    first, second = essence(stored.to_json()), essence(seen.to_json())
    if stored.kind == seen.kind == "compiler_faults":
        mine, theirs = faults.outcomes(stored.findings), faults.outcomes(seen.findings)
        common = mine.keys() & theirs.keys()
        if not common or any(mine[key] != theirs[key] for key in common):
            return False
    if stored.kind == seen.kind == "programs":
        both = _series(first) & _series(second)
        for each in (first["findings"], second["findings"]):
            each["further"] = [one for one in each["further"] if one["series"] in both]
    return bool(first == second)


def _series(row: Json) -> set[int]:
    return {each["series"] for each in row["findings"]["further"]}


def _without(value: Json, keys: Collection[str]) -> Any:
    """Return a copy of JSON without these keys, at any depth."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        return {k: _without(each, keys) for k, each in value.items() if k not in keys}
    return [_without(each, keys) for each in value]
