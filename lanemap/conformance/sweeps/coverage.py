"""All forms that ptxas accepts: the emulator refuses those that are stored as not executed."""

from __future__ import annotations

from functools import cache

from lanemap.conformance.forms.coverage import refusal, unsupported
from lanemap.conformance.forms.judged import accepted, all_forms
from lanemap.conformance.sweeps.forms import items
from lanemap.devices import Device, open_device
from lanemap.sweeping.sweep import Found, Sweep, each


@cache
def _device(target: str) -> Device:
    return open_device(target, device="emulator")


def _one(item: str) -> Found:
    target, _, family = item.partition("/")
    stored, wrong, executed = unsupported(target), [], 0
    names = [name for name in accepted(target) if all_forms()[name][0] == family]
    for name in names:
        reason = refusal(all_forms()[name][1], _device(target))
        executed += reason is None
        if reason != stored.get(name):
            wrong.append(f"{name}: {reason or 'executed'}, stored: {stored.get(name, 'executed')}")
    more = f"; and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    counts = {"forms": len(names), "executed": executed}
    return Found(item, wrong[0] + more if wrong else "", counts)


SWEEP = Sweep(
    "every form that ptxas accepts, loaded by the emulator, against the stored refusals",
    each(_one),
    items,
)
