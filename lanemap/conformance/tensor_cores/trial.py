"""Dot products on a GPU: the rule that designed ones leave, and all others compared with it."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np

import lanemap
from lanemap.conformance.tensor_cores import certificate, designs, inputs, kernels, lowering
from lanemap.conformance.tensor_cores.kinds import FORMATS, KINDS, Codes, Kind, pack, unpack
from lanemap.conformance.tensor_cores.rule import NOTHING, Rule
from lanemap.devices import Device
from lanemap.records.hashes import source_hash
from lanemap.toolchain import ptxas, sass

TARGET = "sm_90a"
#: Chunks of every kind: more than 10^7 dot products.
CHUNKS = 154
#: Chunks that share a hash in the row.
GROUP = 22
#: Machine instructions that only move operands and addresses, and are not kept.
_MOVES = ("LD", "ST", "ULD", "S2", "BRA", "NOP", "EXIT", "CS2R")


class Runner:
    """One kind on one device."""

    def __init__(self, device: Device, kind: Kind, source: Any) -> None:
        """Load the kernel of a kind from PTX or from its cubin."""
        self.kind = kind
        self._device = device
        self._entry = device.load(source)["dots"]
        self._places = {operand: kind.places(operand) for operand in "abcd"}

    def run(self, a: Codes, b: Codes, c: Codes) -> Codes:
        """D of operands as `inputs.chunk` gives them: [tile, row, column]."""
        kind, tiles = self.kind, len(a) // self.kind.products
        arguments = [
            self._device.array(pack(
                operand.reshape(tiles, -1), self._places[name],
                FORMATS[getattr(kind, name)].bits))
            for name, operand in zip("abc", (a, b, c), strict=True)
        ]  # fmt: skip
        f = FORMATS[kind.d]
        words = self._places["d"].shape[1] * f.bits // 32
        d = self._device.zeros((tiles, words, kind.threads), np.uint32)
        self._entry(tiles, kind.threads, (*arguments, d))
        return unpack(d.get(), self._places["d"], f.dtype).reshape(-1, kind.rows, kind.columns)

    def designed(self, dots: tuple[Codes, ...]) -> Codes:
        """Results of single dot products, which lie on the diagonal of tiles."""
        kind, a, b, c = self.kind, *dots
        side, tiles = kind.columns, -(-len(c) // kind.columns)
        tiles = -(-tiles // kind.products) * kind.products
        rows = np.zeros((tiles, kind.rows, kind.depth), a.dtype)
        columns = np.zeros((tiles, side, kind.depth), b.dtype)
        addends = np.zeros((tiles, kind.rows, side), c.dtype)
        tile, place = np.divmod(np.arange(len(c)), side)
        rows[tile, place], columns[tile, place], addends[tile, place, place] = a, b, c
        return np.asarray(self.run(rows, columns, addends)[tile, place, place])


def digest(outputs: Iterable[Codes]) -> str:
    """The hash of D of chunks, in the order of tile, row and column."""
    found = hashlib.sha256()
    for codes in outputs:
        found.update(np.ascontiguousarray(codes).tobytes())
    return f"sha256:{found.hexdigest()}"


def machine_code(cubin: bytes) -> list[str]:
    """The machine instructions that compute, with their operands."""
    return [
        " ".join((each.opcode, each.operands)).strip()
        for function in sass.disassemble(cubin).values()
        for each in function
        if not each.opcode.startswith(_MOVES)
    ]


def written(rule: Rule) -> dict[str, Any]:
    """A rule as the row has it."""
    fields = asdict(rule)
    return fields | {"zero": None if rule.zero == NOTHING else rule.zero}


def certified(kind: Kind) -> bool:
    """Whether a kind has a certificate: one operation that aligns, in its plainest form."""
    return lowering.is_aligned(kind) and not lowering.is_split(kind) and not (
        kind.form or kind.columns == 256
    )


def _left_together(rules: certificate.Grid, part: certificate.Partition) -> dict[str, int]:
    """How many rules share their part, by the parameters in which the rules of a part differ."""
    names, columns = rules.columns()
    order = np.argsort(part.part, kind="stable")
    starts = np.flatnonzero(np.diff(part.part[order], prepend=-1))
    sizes = np.diff(np.append(starts, rules.size))
    differs = np.stack([
        np.maximum.reduceat(column[order], starts) != np.minimum.reduceat(column[order], starts)
        for column in columns
    ])  # fmt: skip
    found: Counter[str] = Counter()
    for size, which in zip(sizes.tolist(), differs.T.tolist(), strict=True):
        if size > 1:
            found[", ".join(n for n, yes in zip(names, which, strict=True) if yes)] += size
    return dict(found.most_common())


def certify(kind: Kind, dots: tuple[Codes, ...], seen: Codes) -> tuple[list[Rule], dict[str, Any]]:
    """The rules that designed dot products leave, and the certificate."""
    rules = certificate.grid(kind)
    left = certificate.surviving(kind, rules, dots, seen)
    few = certificate.chosen(kind, rules, dots)
    part = certificate.partition(kind, rules, tuple(operand[few] for operand in dots))
    return [rules.rule(number) for number in left.tolist()], {
        "rules": rules.size,
        "dots": len(seen),
        "left": len(left),
        "chosen": len(few),
        "parts": part.parts,
        "alone": part.single,
        "left_together": _left_together(rules, part),
        "not_varied": rules.unseen,
    }


@cache
def _device() -> Device:
    return lanemap.open_device(TARGET, device="cuda")


def _rule_of(kind: Kind, rules: Mapping[str, Rule | None]) -> Rule | None:
    """The rule fitted to the operation that a kind without a certificate executes."""
    if not lowering.is_aligned(kind):
        return None
    if lowering.is_split(kind):
        return rules[f"mma.sync.m16n8k{kind.depth // 2}.{kind.d}.f16.f16.{kind.d}"]
    return rules[f"wgmma.m64n8k{kind.depth}.{kind.d}.{kind.a}.{kind.b}"]


def fit(name: str) -> tuple[str, Rule | None, dict[str, Any]]:
    """Run the designed dot products of a kind; its rule, if just one is left."""
    kind = KINDS[name]
    runner = Runner(_device(), kind, ptxas.assemble(kernels.source(kind), TARGET))
    dots = designs.designed(kind)
    left, found = certify(kind, dots, runner.designed(dots))
    rule = certificate.settled(kind, left)
    return name, rule, found | {"settled": rule is not None}


def compare(name: str, rule: Rule | None, chunks: int) -> dict[str, Any]:
    """Run the chunks of a kind and compare them with what is predicted."""
    kind = KINDS[name]
    source = kernels.source(kind)
    cubin = ptxas.assemble(source, TARGET)
    runner = Runner(_device(), kind, cubin)
    outputs, wrong, refuted = [], 0, {}
    for number in range(chunks):
        operands = inputs.chunk(kind, number)
        seen = runner.run(*operands)
        outputs.append(seen)
        wrong += int((seen != lowering.predicted(kind, *operands, rule)).sum())
        if number == 0:
            refuted = {other: int((seen != function(*operands)).sum())
                       for other, function in lowering.alternatives(kind).items()}  # fmt: skip
    return {
        "name": name,
        "ptx": source_hash(source),
        "cubin": source_hash(cubin),
        "sass": machine_code(cubin),
        "rule": written(rule) if rule else None,
        "dots": chunks * inputs.CHUNK,
        "disagreements": wrong,
        "refuted": refuted,
        "first": digest(outputs[:1]),
        "outputs": [digest(outputs[n : n + GROUP]) for n in range(0, chunks, GROUP)],
    }


def observe(names: Iterable[str] = tuple(KINDS), chunks: int = CHUNKS) -> dict[str, Any]:
    """Fit and compare every kind, on several processes that share the GPU.

    Returns:
        The findings of the row.
    """
    context = multiprocessing.get_context("spawn")
    # One thread each: the processes share the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    names = list(names)
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 14), mp_context=context) as pool:
        fitted = list(pool.map(fit, [name for name in names if certified(KINDS[name])]))
        rules = {name: rule for name, rule, _ in fitted}
        own = [rules[name] if name in rules else _rule_of(KINDS[name], rules) for name in names]
        found = list(pool.map(compare, names, own, [chunks] * len(names)))
    certificates = {name: each for name, _, each in fitted}
    return {
        "compiler": ptxas.version(),
        "kinds": [each | {"certificate": certificates.get(each["name"])} for each in found],
    }


def disagreements(findings: Mapping[str, Any]) -> int:
    """How many kinds disagree with their rule, or have none where one should be fitted."""
    return sum(
        each["disagreements"] > 0 or not (each["certificate"] or {"settled": True})["settled"]
        for each in findings["kinds"]
    )
