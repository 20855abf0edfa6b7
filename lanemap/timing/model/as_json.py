"""A prediction as values that JSON can hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lanemap.timing.model.answer import Prediction, Wait
from lanemap.timing.model.envelope import outside
from lanemap.timing.model.shares import TARGET


def to_json(found: Prediction) -> dict[str, Any]:
    """A prediction for programs."""
    code, own = found.trace.code, found.joined.certificate

    def waits(of: Sequence[Wait]) -> list[dict[str, Any]]:
        return [
            {
                "address": code[each.place].address,
                "opcode": code[each.place].opcode,
                "ptx_line": code[each.place].line,
                "reason": each.reason.value,
                "cycles": each.cycles,
                "cause": None if each.cause < 0 else code[each.cause].address,
            }
            for each in of
        ]

    return {
        "evidence": "predicted",
        "target": TARGET,
        "cycles": found.cycles,
        "interval": None if found.interval is None else [found.interval.least, found.interval.most],
        "microseconds": list(found.clock().microseconds(found.active)),
        "clock": found.clock().activity,
        "active_cycles": found.active,
        "outside_envelope": list(outside(found)),
        "bounds": found.bounds(),
        "launch_ns": float(found.launch_ns()),
        "warps": len(found.result.warps),
        "ctas": len(found.trace.grid),
        "grid": {
            "sms": found.grid.sms,
            "resident": found.grid.resident,
            "resident_limited_by": found.grid.limit,
            "ctas_of_last_sm": len(found.grid.kinds),
            "simulated": found.grid.simulated,
            "cycles_of_traffic": found.grid.moved,
            "executed": found.executed(),
        },
        "reads_behind_l1": found.behind.name,
        "why_behind_l1": found.why_behind,
        "account": waits(found.waits()),
        "lines": [
            {"ptx_line": line, "cycles": cycles} for line, cycles in sorted(found.by_line().items())
        ],
        "chain": waits(found.chain()),
        "needs": {name: float(value) for name, value in found.needs().items()},
        "changes": [{"what": each.what, "cycles": each.cycles} for each in found.changes],
        "approximate_loads": dict(found.joined.approximate),
        "certificate": None if own is None else {"lines": own.lines, "executions": own.executions},
        "unmatched_lines": list(found.joined.unmatched),
        "parameters": [each.to_json() for each in found.parameters.lines()],
    }
