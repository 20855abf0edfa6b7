"""Tables from results/: one row a record, or one row a cell (the full tables, as Parquet)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.errors import UserError
from lanemap.records.files import Roots, read_records
from lanemap.records.schema import Observation, Record

if TYPE_CHECKING:
    import pandas as pd

PLAIN = (bool, int, float, str, type(None))
MOST_ROWS = 20  # of a list that a page shows
MOST_CHARACTERS = 160  # of a cell
_MOST_COLUMNS = 6  # that values by name become
_HASH_CHARACTERS = len("sha256:") + 10


def records(results: Roots) -> list[Record]:
    """The records under results/.

    Raises:
        UserError: there are none, or one is malformed.
    """
    found = read_records(results)
    if not found:
        roots = ", ".join(map(str, (results,) if isinstance(results, Path) else results))
        raise UserError(f"there are no records under {roots}; run lanemap probe --all first")
    return found


def asks_of_a_variant(record: Record) -> bool:
    """Whether a record is about where an instruction moves bits; others are tables of values."""
    return record.kind in ("layout_map", "layout_family", "readings")


def reach(observations: Sequence[Observation]) -> str:
    """The number of cells that partial observations define, in words; "" if all are whole."""
    open_ones = [each.cells() for each in observations if each.partial]
    if not open_ones:
        return ""
    defined, known, cells = (
        sum(each[key] for each in open_ones) for key in ("defined", "without_source", "all")
    )
    maps = f" in {len(open_ones)} of {len(observations)} maps" if len(observations) > 1 else ""
    return f"partial: {defined + known} of {cells} bits{maps}"


def summary(found: Sequence[Record]) -> pd.DataFrame:
    """One row for each record of a variant: question, device, and how far the answer reaches."""
    import pandas as pd

    rows = []
    for record in filter(asks_of_a_variant, found):
        maps = [observation for observation in record.observations if observation.fit]
        # The formulas of a family stand on its page.
        shown = [] if record.kind == "layout_family" else maps
        classes = certificates(record)
        rows.append(
            {
                "probe": record.probe,
                "variant": record.findings["variant"],
                "target": record.target,
                "device": record.device,
                "evidence": record.evidence,
                "cells": sum(int(o.map.defined.sum()) for o in record.observations),
                "maps": len(record.observations),
                "partial": reach(record.observations),
                "fit": "; ".join(line for o in shown for line in o.fit["formula"]),
                "rank": max((o.fit["rank"] for o in maps if "rank" in o.fit), default=None),
                "certificate": "complete" if all(c["complete"] for c in classes) else "incomplete",
            }
        )
    return pd.DataFrame(rows).convert_dtypes()


def scores(found: Sequence[Record]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """The mutation scores of probes, by target and probe."""
    return {
        (record.target, probe): score
        for record in found
        if record.kind == "mutation_scores"
        for probe, score in record.findings.items()
    }


def certificates(record: Record) -> list[dict[str, object]]:
    """The certificates of a record, those of its maps or, without one, of its findings."""
    found = record.findings
    held = [o.certificate for o in record.observations]
    if record.kind in ("readings", "bank_rules"):
        told = [found, *found.get("variants", {}).values()]
        held = [each["certificate"] for each in told if "certificate" in each]
    return [each for certificate in held for each in certificate.get("classes", ())]


def grouped_certificates(record: Record) -> list[dict[str, object]]:
    """The certificates of a family, those that say the same once, with the number of variants."""
    groups: dict[tuple[object, ...], dict[str, object]] = {}
    said = ("hypotheses", "complete", "remaining", "cheapest_split")
    for each in certificates(record):
        key = tuple(each[name] for name in said)
        groups.setdefault(key, {name: each[name] for name in said} | {"variants": 0})
        groups[key]["variants"] = int(str(groups[key]["variants"])) + 1
    return list(groups.values())


def variants(record: Record) -> list[dict[str, object]]:
    """A row for each variant of a family: its bits, its formula, what was found besides."""
    besides = record.findings.get("variants", {})
    return [
        {
            "variant": observation.variant,
            "cells": int(observation.map.defined.sum()),
            "partial": reach([observation]),
            "formula": list(observation.fit.get("formula", ())),
            "besides": [
                _besides(key, value) for key, value in besides.get(observation.variant, {}).items()
            ],
        }
        for observation in record.observations
    ]


IDLE = {
    "least": "counts: the access takes at least one pass for each phase",
    "none": "takes no pass",
    "each": "takes a pass",
}


def bank_rules(record: Record) -> list[dict[str, object]]:
    """A row for each form of access: its banks, phases and what joins them, in words."""
    rows: list[dict[str, object]] = []
    for name, found in record.findings["variants"].items():
        rule = found.get("rule", {})
        masks = [f"lane XOR {mask}" for mask in rule.get("masks", ())]
        rows.append(
            {
                "form": name.removesuffix(":banks"),
                "banks": f"{rule['banks']} of {rule['word_bytes']} bytes" if rule else "unclear",
                "phases": "; ".join(rule.get("phases", ())),
                "joins": f"every lane agrees with {' or every lane with '.join(masks)}"
                if masks
                else "",
                "idle": IDLE.get(rule.get("idle") or "", ""),
                "inputs": sum(found["inputs"].values()),
                "wrong": sum(found["inputs_not_explained"].values()),
            }
        )
    return rows


def values(record: Record) -> pd.DataFrame:
    """The findings of another record: one row for each entry, its plain values as columns.

    Entries that are lists are left to `lists`.
    """
    import pandas as pd

    rows = []
    for name, found in record.findings.items():
        if isinstance(found, list):
            continue
        held = found if isinstance(found, Mapping) else {"value": found}
        plain = {k: v for k, v in held.items() if isinstance(v, PLAIN)}
        # Lists of plain values, such as what the emulator and the GPU said, are read as one text.
        texts = {
            k: _short(v)
            for k, v in held.items()
            if isinstance(v, list) and v and all(isinstance(each, PLAIN) for each in v)
        }
        rows.append({"entry": name} | plain | texts)
    return pd.DataFrame(rows).convert_dtypes()


def lists(record: Record) -> list[dict[str, Any]]:
    """The findings of another record that are lists of entries, as tables to show.

    Each has its name, columns, the first rows as text, and how many rows are left out.
    """
    tables = []
    for name, found in record.findings.items():
        if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
            continue
        found = [_flat(each) for each in found]
        columns = list(dict.fromkeys(key for each in found for key in each))
        rows = [[_short(each.get(column, "")) for column in columns] for each in found[:MOST_ROWS]]
        tables.append(
            {"name": name, "columns": columns, "rows": rows, "more": len(found) - len(rows)}
        )
    return tables


def _flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry whose few values by name are columns of their own: "milliseconds, cudnn"."""
    flat: dict[str, Any] = {}
    for key, value in entry.items():
        few = isinstance(value, Mapping) and len(value) <= _MOST_COLUMNS
        flat |= {f"{key}, {name}": each for name, each in value.items()} if few else {key: value}
    return flat


def endings(record: Record) -> dict[str, Any]:
    """How the programs of a record ended on the emulator and on the GPU.

    Returns the number of programs, of those that ended well on both, and a row (program, what the
    emulator said, what the GPU said) for every other.
    """
    programs = record.findings["programs"]
    stopped = [
        [each["name"], *(said or "ends well" for said in each["errors"])]
        for each in programs
        if any(each["errors"])
    ]
    alone = sum(not emulator and bool(gpu) for emulator, gpu in (e["errors"] for e in programs))
    return {
        "programs": len(programs),
        "well": len(programs) - len(stopped),
        "gpu_alone": alone,
        "stopped": stopped,
    }


def compared_forms(record: Record) -> dict[str, int]:
    """How many forms were compared in programs, and how many gave the same in every lane."""
    groups = [each for each in record.findings["forms"] if each["lanes"]]
    return {
        "compared": sum(each["forms"] for each in groups),
        "equal": sum(each["forms"] for each in groups if each["equal"] == each["lanes"]),
        "any_nan": sum(
            each["forms"]
            for each in groups
            if each["equal"] == each["lanes"] and each["kind"] == "any NaN"
        ),
    }


#: What becomes of destination bits that receive nothing of the source.
_LEFT = {"undefined": "left undefined", "unchanged": "left unchanged", "zero": "made zero",
         "one": "made one"}  # fmt: skip


def _besides(key: str, value: object) -> str:
    """A finding beside the map, in words: "1,024 bits receive nothing and are left undefined"."""
    if key.endswith("bits_without_source") and isinstance(value, Mapping):
        return "; ".join(
            f"{count:,} bits receive nothing and are {_LEFT.get(kind, kind)}"
            for kind, count in value.items()
        )
    if isinstance(value, Mapping):
        value = ", ".join(f"{count} {kind}" for kind, count in value.items())
    return f"{key.replace('_', ' ')}: {value}"


def _short(value: object) -> str:
    """A value in a table's cell: long values are cut; the record has the whole value."""
    text = _text(value)
    if text.startswith("sha256:"):
        return f"{text[:_HASH_CHARACTERS]}.."
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} .."


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_text(each)}" for name, each in value.items())
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value)


def environment(record: Record) -> list[tuple[str, str]]:
    """The environment of a row of silicon as (dotted name, value), sorted; empty for others."""
    flat: list[tuple[str, str]] = []

    def walk(prefix: str, value: object) -> None:
        if isinstance(value, Mapping):
            for key in sorted(value):
                walk(f"{prefix}.{key}" if prefix else key, value[key])
        else:
            flat.append((prefix, str(value)))

    walk("", record.environment or {})
    return flat


def cells(observation: Observation) -> pd.DataFrame:
    """One row for each destination cell with its coordinates and its source's; -1 is undefined."""
    import pandas as pd

    layout = observation.map
    sources = layout.source.coords(np.maximum(layout.table, 0))
    columns = {f"{layout.destination.name}_{k}": v for k, v in layout.destination.grid().items()}
    for axis, values in sources.items():
        columns[f"{layout.source.name}_{axis}"] = np.where(layout.defined, values, -1)
    return pd.DataFrame(columns).astype("int32")


def all_cells(record: Record) -> pd.DataFrame:
    """The cells of every observation of a record, with the variant where there are several."""
    import pandas as pd

    if len(record.observations) == 1:
        return cells(record.observations[0])
    tables = [cells(observation) for observation in record.observations]
    names = [observation.variant for observation in record.observations]
    sizes = [len(table) for table in tables]
    column = pd.Categorical.from_codes(np.repeat(np.arange(len(names)), sizes), categories=names)
    return pd.concat(tables, ignore_index=True).assign(variant=column)
