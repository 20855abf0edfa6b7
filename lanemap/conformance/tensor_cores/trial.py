"""Dot products on a GPU: the rules that fit the designed ones, and all others compared with them.

A GPU gives readings: the results of designed dot products, and a hash of the results of each chunk
of the others. They are analyzed without the GPU.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

import lanemap
from lanemap.conformance.tensor_cores import certificate, designs, inputs, kernels, lowering
from lanemap.conformance.tensor_cores.kinds import FORMATS, KINDS, Codes, Kind, pack, unpack
from lanemap.conformance.tensor_cores.rule import NOTHING, Rule
from lanemap.devices import Device
from lanemap.records.hashes import source_hash
from lanemap.sweeping.executors import spread
from lanemap.toolchain import ptxas, sass

TARGET = "sm_90a"
#: Chunks whose hashes share a hash in the row.
GROUP = 22
#: Chunks of every kind, more than 10^7 dot products; other forms of a kind have one group.
CHUNKS = 7 * GROUP
#: Processes that share the GPU at most.
_PROCESSES = 14
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
            self._device.array(
                pack(
                    operand.reshape(tiles, -1),
                    self._places[name],
                    FORMATS[getattr(kind, name)].bits,
                )
            )
            for name, operand in zip("abc", (a, b, c), strict=True)
        ]
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


@dataclass(frozen=True)
class Readings:
    """The results of a GPU for one kind.

    Attributes:
        name: Name of the kind.
        cubin: Hash of what ran.
        sass: Machine instructions that compute.
        designed: Results of the designed dot products; None for a kind without a certificate.
        chunks: The hash of the results of each chunk.
    """

    name: str
    cubin: str
    sass: list[str]
    designed: Codes | None
    chunks: list[str]


def digest(codes: Codes) -> str:
    """The hash of D of a chunk, in the order of tile, row and column."""
    return f"sha256:{hashlib.sha256(np.ascontiguousarray(codes).tobytes()).hexdigest()}"


def grouped(chunks: Sequence[str]) -> list[str]:
    """A hash for the hashes of each group of chunks."""
    return [source_hash("\n".join(chunks[n : n + GROUP])) for n in range(0, len(chunks), GROUP)]


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
    return (
        lowering.is_aligned(kind)
        and not lowering.is_split(kind)
        and not (kind.form or kind.columns == 256)
    )


def _left_together(rules: certificate.Grid, part: certificate.Partition) -> dict[str, int]:
    """How many rules share their part, by the parameters in which the rules of a part differ."""
    names, columns = rules.columns()
    order = np.argsort(part.part, kind="stable")
    starts = np.flatnonzero(np.diff(part.part[order], prepend=-1))
    sizes = np.diff(np.append(starts, rules.size))
    differs = np.stack(
        [
            np.maximum.reduceat(column[order], starts) != np.minimum.reduceat(column[order], starts)
            for column in columns
        ]
    )
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


def read(name: str, chunks: int, cubin: bytes | None = None) -> Readings:
    """Run a kind on the GPU: its designed dot products and its first chunks."""
    kind = KINDS[name]
    cubin = cubin or ptxas.assemble(kernels.source(kind), TARGET)
    runner = Runner(_device(), kind, cubin)
    designed = runner.designed(designs.designed(kind)) if certified(kind) else None
    found = [digest(runner.run(*inputs.chunk(kind, number))) for number in range(chunks)]
    return Readings(name, source_hash(cubin), machine_code(cubin), designed, found)


def fit(readings: Readings) -> tuple[str, Rule | None, dict[str, Any]]:
    """The rule that the designed dot products of a kind leave, if it is one; the certificate."""
    kind = KINDS[readings.name]
    assert readings.designed is not None
    left, found = certify(kind, designs.designed(kind), readings.designed)
    rule = certificate.settled(kind, left)
    return kind.name, rule, found | {"settled": rule is not None}


def _rule_of(kind: Kind, rules: Mapping[str, Rule | None]) -> Rule | None:
    """The rule of a kind's hardware operation, fitted to this kind or to one that executes it."""
    if kind.name in rules:
        return rules[kind.name]
    if not lowering.is_aligned(kind):
        return None
    if lowering.is_split(kind):
        return rules[f"mma.sync.m16n8k{kind.depth // 2}.{kind.d}.f16.f16.{kind.d}"]
    return rules[f"wgmma.m64n8k{kind.depth}.{kind.d}.{kind.a}.{kind.b}"]


def refute(
    kind: Kind, operands: tuple[Codes, ...], predicted: Codes, refuted: dict[str, int]
) -> None:
    """Count the results of a chunk that refute lowerings which no chunk before did."""
    for other, function in lowering.alternatives(kind).items():
        if not refuted[other]:
            refuted[other] = int((predicted != function(*operands)).sum())


def judge(readings: Readings, rule: Rule | None) -> dict[str, Any]:
    """Compare the chunks of a kind with what is predicted."""
    kind, unequal = KINDS[readings.name], 0
    refuted = dict.fromkeys(lowering.alternatives(kind), 0)
    for number, seen in enumerate(readings.chunks):
        operands = inputs.chunk(kind, number)
        predicted = lowering.predicted(kind, *operands, rule)
        unequal += digest(predicted) != seen
        refute(kind, operands, predicted, refuted)
    return {
        "name": kind.name,
        "ptx": source_hash(kernels.source(kind)),
        "cubin": readings.cubin,
        "sass": readings.sass,
        "rule": written(rule) if rule else None,
        "dots": len(readings.chunks) * inputs.CHUNK,
        "unequal_chunks": unequal,
        "refuted": refuted,
        "first": readings.chunks[0],
        "outputs": grouped(readings.chunks),
    }


def findings(
    readings: Sequence[Readings],
    run: Callable[..., Iterable[Any]] = map,
    compiler: str | None = None,
) -> dict[str, Any]:
    """The findings of the row: rules fitted to readings, and all chunks compared with them.

    Args:
        readings: Readings of every kind, those with a certificate included.
        run: Computes as `map` does; in this process unless given.
        compiler: The ptxas that made what ran; the one that is here unless given.
    """
    fitted = list(run(fit, [each for each in readings if each.designed is not None]))
    rules = {name: rule for name, rule, _ in fitted}
    own = [_rule_of(KINDS[each.name], rules) for each in readings]
    certificates = {name: each for name, _, each in fitted}
    judged = run(judge, readings, own)
    return {
        "compiler": compiler or ptxas.version(),
        "kinds": [each | {"certificate": certificates.get(each["name"])} for each in judged],
    }


def observe() -> dict[str, Any]:
    """Run every kind on several processes that share the GPU; return the findings of the row."""
    chunks = [GROUP if kind.form else CHUNKS for kind in KINDS.values()]
    # One thread each: the processes share the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    readings = spread(read, KINDS, chunks, most=_PROCESSES)
    return findings(readings, run=spread)


def disagreements(found: Mapping[str, Any]) -> int:
    """How many kinds disagree with their rule, or have none where one should be fitted."""
    return sum(
        each["unequal_chunks"] > 0 or not (each["certificate"] or {"settled": True})["settled"]
        for each in found["kinds"]
    )
