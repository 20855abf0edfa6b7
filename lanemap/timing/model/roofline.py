"""What each part of an SM needs at least for what its CTAs issue: the bounds of their cycles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lanemap.timing.model import machine
from lanemap.timing.model.opcodes import PIPES
from lanemap.timing.model.operations import Operations
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.simulate import GROUP, SCHEDULERS, Level, asks_of, warps_of
from lanemap.timing.model.trace import Trace


def roofline(
    trace: Trace,
    parameters: Parameters,
    kinds: Sequence[int],
    behind: Level,
    sms: int,
    together: int = 1,
) -> dict[str, int]:
    """Cycles by part of the SM, if nothing but that part counted; the largest first.

    Args:
        trace: What the CTAs issue.
        parameters: Where all numbers come from.
        kinds: The CTAs of the SM.
        behind: What answers reads that L1 does not.
        sms: How many SMs share the way to L2 and memory.
        together: How many of them read the same from L2 together.
    """
    level = "memory" if behind == Level.MEMORY else "L2"
    operations = Operations(parameters, trace.cluster, sms, trace.threads, level, together)
    warps, (issued, asked) = warps_of(trace, kinds)
    code = operations.table(trace.code, np.unique(issued).tolist())
    asks, costs, units = asks_of(trace, behind)[0], operations.costs[0], machine.units()
    pipes = np.zeros((SCHEDULERS, len(PIPES)))
    slots = np.zeros(SCHEDULERS)
    data = matrix = way = engine = 0.0
    for warp in warps:
        own = slice(int(warp["begin"]), int(warp["begin"]) + int(warp["count"]))
        rows, scheduler = code[issued[own]], int(warp["scheduler"])
        asking = asks[np.maximum(asked[own], 0)] if len(asks) else np.zeros(len(rows), asks.dtype)
        on = (asked[own] >= 0) & (asking["off"] == 0)
        slots[scheduler] += len(rows)
        for name in ("pipe", "other"):
            has = rows[name] >= 0
            share = np.where(rows["other"] >= 0, 0.5, 1) * rows["interval"]
            pipes[scheduler] += np.bincount(rows[name][has], share[has], len(PIPES))
        data += float((rows["data_pass"] * np.where(on, asking["passes"], 0)).sum())
        matrix += float(rows["interval"][rows["unit"] == units["MATRIX"]].sum()) / GROUP
        far = on & (rows["unit"] == units["GLOBAL"]) & (asking["level"] > Level.L1)
        each = costs["second"] if behind == Level.L2 else costs["third"]
        way += float(asking["sectors"][far].sum()) * float(each)
        bulk = on & np.isin(rows["unit"], (units["BULK_LOAD"], units["BULK_STORE"]))
        engine += float((asking["bytes"][bulk] * rows["byte_rate"][bulk]).sum())
    found = {
        "issue slots of a scheduler": slots.max(),
        **{
            f"{name} pipe of a scheduler": pipes[:, number].max() / machine.FRACTION
            for number, name in enumerate(PIPES)
        },
        "shared memory": data / machine.FRACTION,
        "tensor cores, wgmma": matrix / machine.FRACTION,
        "the SM's way to L2 and memory": way / machine.FRACTION,
        "bulk copies": engine / machine.BYTE_FRACTION,
    }
    rounded = {name: round(float(cycles)) for name, cycles in found.items()}
    return dict(sorted(((n, c) for n, c in rounded.items() if c), key=lambda each: -each[1]))
