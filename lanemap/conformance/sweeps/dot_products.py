"""Dot products of every kind of matrix instruction: the emulator gives an H200's hashes."""

from __future__ import annotations

from functools import cache

import lanemap
from lanemap.conformance.tensor_cores import inputs, kernels, trial
from lanemap.conformance.tensor_cores.kinds import KINDS
from lanemap.paths import find
from lanemap.records.files import read_record
from lanemap.sweeping.sweep import Found, Sweep, each

ROW = find("results") / trial.TARGET / "cuda" / "tensor_cores.json"


@cache
def _observed() -> dict[str, list[str]]:
    """The hashes of each kind's groups."""
    return {each["name"]: each["outputs"] for each in read_record(ROW).findings["kinds"]}


def _items() -> list[str]:
    """Every group of every kind, in turns, so that a part of them has all kinds."""
    observed = _observed()
    most = max(map(len, observed.values()))
    return [
        f"{name}/{group}"
        for group in range(most)
        for name, hashes in observed.items()
        if group < len(hashes)
    ]


@cache
def _runner(name: str) -> trial.Runner:
    kind = KINDS[name]
    device = lanemap.open_device(trial.TARGET, device="emulator")
    return trial.Runner(device, kind, kernels.source(kind))


def _one(item: str) -> Found:
    name, _, group = item.rpartition("/")
    first, found = int(group) * trial.GROUP, []
    for number in range(first, first + trial.GROUP):
        found.append(trial.digest(_runner(name).run(*inputs.chunk(KINDS[name], number))))
    same = trial.grouped(found) == [_observed()[name][int(group)]]
    wrong = "" if same else f"the H200 has another hash in {ROW.name}"
    return Found(item, wrong, {"dot products": trial.GROUP * inputs.CHUNK})


SWEEP = Sweep(
    "1.14 billion dot products on the emulator, against an H200's hashes of groups of them",
    each(_one),
    _items,
    files=lambda items: [ROW],
)
