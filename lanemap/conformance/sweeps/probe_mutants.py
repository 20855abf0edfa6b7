"""Mutants of the maps that probes observe: each probe notices all that are executed."""

from __future__ import annotations

from lanemap.probing.mutation.scores import scored, scores_of
from lanemap.probing.probe import find_probe
from lanemap.sweeping.sweep import Found, Sweep, each


def _one(item: str) -> Found:
    name, _, target = item.rpartition("/")
    scores = scores_of(find_probe(name).on(target), None)
    survivors = [f"{score.variant}: {each}" for score in scores for each in score.survivors]
    counts = {
        kind: sum(getattr(score, kind) for score in scores)
        for kind in ("mutants", "executed", "noticed")
    }
    wrong = f"{len(survivors)} survive, as {survivors[0]}" if survivors else ""
    return Found(item, wrong, counts)


SWEEP = Sweep(
    "mutants of what each probe observes, on the emulator: does the probe notice?",
    each(_one),
    lambda: [f"{each.name}/{each.target}" for each in scored()],
)
