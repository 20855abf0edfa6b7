"""Tables of timings: latencies between instructions, events, rates, and what was withheld."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lanemap.records.schema import Record

Rows = list[dict[str, str]]


def sections(record: Record) -> list[tuple[str, Rows]]:
    """A title and a table for each class of figures, then the figures that are not explained."""
    figures = record.findings["figures"]
    found: list[tuple[str, Rows]] = []
    for kind in ("fixed latency", "variable latency", "interval", "event", "rate"):
        rows = [_row(each) for each in figures if each["kind"] == kind and each["explained"]]
        if rows:
            found.append((f"{kind}: {len(rows)}", rows))
    above = assembled_above(record)
    if above:
        found.append(("Where the assembler writes more cycles than the chains need", above))
    open_rows = [_open(each) for each in figures if not each["explained"]]
    if open_rows:
        found.append((f"not explained: {len(open_rows)}", open_rows))
    return found


def assembled_above(record: Record) -> Rows:
    """Edges for which the assembler wrote more cycles than the proof needs, by producer.

    The compiler may add cycles for reasons that a chain of two instructions does not show.
    """
    most: dict[tuple[str, str], list[str]] = {}
    explained = {
        (each["from_event"], each["to_event"])
        for each in record.findings["figures"]
        if each["explained"]
    }
    for chain in record.findings["chains"]:
        for edge in chain["edges"]:
            read = f"operand {edge['operand']}" if edge["operand"] else "guard"
            events = (
                f"issue of {edge['producer']}",
                f"issue of {edge['consumer']} with the result as {read}",
            )
            if edge["fixed"] and events in explained and min(edge["assembled"]) > edge["least"]:
                words = f"{edge['least']} needed, {min(edge['assembled'])} written"
                key = (edge["producer"], words)
                most.setdefault(key, []).append(edge["consumer"])
    return [
        {"producer": producer, "cycles": words, "consumers": ", ".join(sorted(set(consumers)))}
        for (producer, words), consumers in sorted(most.items())
    ]


def _row(each: Mapping[str, Any]) -> dict[str, str]:
    return {
        "from": each["from_event"],
        "to": each["to_event"],
        "at": ", ".join(f"{name} {value}" for name, value in each.get("axes", {}).items()),
        "cycles": f"{each['value']:.4g}" + " ns" * (each.get("unit") == "ns"),
        "over SMs": _spread(each.get("spread")),
        "chain": each["chain"],
    }


def _spread(spread: list[str] | None) -> str:
    """The fastest SM and the slowest."""
    if not spread:
        return "all the same"
    least, most = (float(Fraction(each)) for each in (spread[0], spread[2]))
    return "all the same" if least == most else f"{least:.4g} to {most:.4g}"


def _open(each: Mapping[str, Any]) -> dict[str, str]:
    failed = [f"{name}: {why}" for name, why in each["certificates"].items() if why]
    return {
        "from": each["from_event"],
        "to": each["to_event"],
        "class": each["kind"],
        "why not": "; ".join(failed) or "nothing determines its cycles",
    }
