"""Certificates of random classes and inputs, against enumeration of every member of the class.

The oracle is plain Python: it lists the maps of a class, writes down what each would show, and
counts those that show the same.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from lanemap.probing.lds import free_offsets
from lanemap.probing.lds.chunk_rules import AMBIGUOUS, ChunkClass, Reading
from lanemap.probing.proof.certificates import (
    NEVER_WRITTEN,
    AffineMaps,
    NamedRules,
    Partition,
    Permutations,
)
from lanemap.probing.proof.gauges import mma_gauge
from lanemap.probing.proof.renamings import Relation, Renamings
from lanemap.probing.tags.cells import whole_memory

SEEDS = [
    pytest.param(range(30), id="few"),
    pytest.param(range(30, 1000), id="many", marks=pytest.mark.slow),
]


def sizes(shown: Iterable[object]) -> list[int]:
    """How many members of a class show the same, in ascending order."""
    return sorted(Counter(shown).values())


# ---- reads through the addresses of lanes --------------------------------------------------------
def random_reading(rng: np.random.Generator, lanes: int, chunk_bytes: int, passes: int) -> Reading:
    """Random addresses, which may overlap, into a memory of few or of many different bytes."""
    memory_bytes = int(rng.integers(2, 5)) * chunk_bytes
    addresses = rng.integers(0, memory_bytes - chunk_bytes + 1, lanes)
    if rng.random() < 0.2:
        addresses[:] = addresses[0]
    memory = rng.integers(0, rng.choice([2, 4, 256]), (passes, memory_bytes)).astype(np.uint8)
    written = rng.random(memory_bytes) < 0.8 if rng.random() < 0.4 else None
    nothing = np.zeros((passes, lanes, chunk_bytes // 4), np.uint32)
    return Reading("random", 0, addresses, memory, nothing, written=written)


def shown_by_rule(reading: Reading, lane: int, offset: int, width: int) -> tuple[int, ...]:
    """What the cell at an offset of a lane's chunk holds in each pass."""
    first = 8 * int(reading.addresses[lane]) + offset * width
    bits = range(first, first + width)
    if reading.written is not None and not all(reading.written[bit // 8] for bit in bits):
        return (NEVER_WRITTEN,) * len(reading.memory)
    return tuple(
        sum((int(image[bit // 8]) >> bit % 8 & 1) << place for place, bit in enumerate(bits))
        for image in reading.memory
    )


def enumerated(readings: Sequence[Reading], chunk: ChunkClass) -> list[tuple[int, ...]]:
    """What every rule of a chunk class shows in all readings."""
    return [
        tuple(
            value
            for reading in readings
            for value in shown_by_rule(reading, lane, offset, chunk.cell_bits)
        )
        for lane in range(chunk.lanes)
        for offset in range(chunk.chunk_bits // chunk.cell_bits)
    ]


@pytest.mark.parametrize("seeds", SEEDS)
def test_rules_of_reads_are_divided_as_enumeration_divides_them(seeds: range) -> None:
    complete = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        chunk_bytes = int(rng.choice([4, 8, 12]))
        width = int(rng.choice([w for w in (1, 4, 6, 8, 16) if chunk_bytes * 8 % w == 0]))
        lanes, passes = int(rng.integers(1, 5)), int(rng.integers(1, 4))
        readings = [
            random_reading(rng, lanes, chunk_bytes, passes) for _ in range(rng.integers(1, 4))
        ]
        chunk = ChunkClass(lanes, chunk_bytes * 8, width)
        shown = enumerated(readings, chunk)
        certificate = chunk.certificate(readings)
        assert certificate.rules == len(shown), seed
        assert certificate.parts == len(set(shown)), seed
        assert certificate.complete == (len(set(shown)) == len(shown)), seed
        partition = Partition.from_outcomes(chunk.all_outcomes(readings))
        assert sorted(partition.sizes.tolist()) == sizes(shown), seed
        complete += certificate.complete
    # Classes of both kinds occur, so that neither answer is always right.
    assert 0 < complete < len(seeds)


@pytest.mark.parametrize("seeds", SEEDS)
def test_a_cell_is_decoded_where_its_rule_shows_what_no_other_does(seeds: range) -> None:
    for seed in seeds:
        rng = np.random.default_rng(seed)
        lanes, width = int(rng.integers(1, 5)), int(rng.choice([4, 8, 16]))
        chunk = ChunkClass(lanes, 32, width)
        blank = [random_reading(rng, lanes, 4, 2) for _ in range(2)]
        readings = [Reading("whole", 0, r.addresses, r.memory, r.output) for r in blank]
        rules = rng.integers(0, chunk.rules, lanes * chunk.cells)
        shown = enumerated(readings, chunk)
        for number, reading in enumerate(readings):
            values = np.array([shown[rule][2 * number : 2 * number + 2] for rule in rules])
            words = np.zeros((2, lanes, 1), np.uint32)
            for cell, value in enumerate(values):
                shift = np.uint32(cell % chunk.cells * width)
                words[:, cell // chunk.cells, 0] |= value.astype(np.uint32) << shift
            readings[number] = Reading("whole", 0, reading.addresses, reading.memory, words)
        alike = Counter(shown)
        wanted = [rule if alike[shown[rule]] == 1 else AMBIGUOUS for rule in rules]
        assert chunk.decode(readings).rule.tolist() == wanted, seed


@pytest.mark.parametrize("seeds", SEEDS)
def test_rules_of_any_offset_are_divided_by_where_they_read(seeds: range) -> None:
    for seed in seeds:
        rng = np.random.default_rng(seed)
        lanes, tagging = int(rng.integers(1, 6)), whole_memory(64, 8)
        count = int(rng.integers(1, 4))
        # Lanes whose addresses differ by the same amount in every reading are what can be left.
        base = rng.integers(0, 64, (count, 1)) + rng.integers(0, 64, lanes) * (rng.random() < 0.5)
        addresses = (base + rng.integers(0, 2, (count, lanes)) * (rng.random() < 0.7)).astype(int)
        readings = [
            Reading("tags", 0, each, tagging.images(), np.zeros((2, lanes, 1), np.uint32), tagging)
            for each in addresses
        ]
        certificate = free_offsets.certificate(readings, 8)
        assert certificate is not None
        # A rule is a lane and the byte that it reads first; later it reads as its address moves.
        read = {
            tuple(first + int(each[lane] - addresses[0][lane]) for each in addresses)
            for lane in range(lanes)
            for first in range(tagging.cells)
        }
        assert certificate.parts == len(read), seed
        assert certificate.rules == lanes * tagging.cells
        assert certificate.complete == (len(read) == certificate.rules), seed


# ---- whole maps ----------------------------------------------------------------------------------
def random_shown(rng: np.random.Generator, cells: int) -> np.ndarray:
    """What cells hold: random values of a small set, or slices of their numbers."""
    passes = int(rng.integers(1, 4))
    if rng.random() < 0.5:
        return rng.integers(0, rng.integers(1, 5), (cells, passes))
    return (np.arange(cells)[:, None] >> rng.integers(0, 3, passes)) & 1


@pytest.mark.parametrize("seeds", SEEDS)
def test_permutations_are_counted_as_enumeration_counts_them(seeds: range) -> None:
    for seed in seeds:
        rng = np.random.default_rng(seed)
        cells = int(rng.integers(1, 6))
        shown = random_shown(rng, cells)
        found = Permutations(shown)
        parts = sizes(
            tuple(map(tuple, shown[list(order)].tolist()))
            for order in itertools.permutations(range(cells))
        )
        assert parts == [found.part_size] * found.part_count, seed
        certificate = found.certificate()
        assert (certificate.parts, certificate.complete) == (len(parts), parts[-1] == 1), seed


def affine_values(columns: Sequence[int], offset: int) -> tuple[int, ...]:
    """The source cell of every destination cell of an affine map."""
    values = [offset]
    for column in columns:
        values += [value ^ column for value in values]
    return tuple(values)


@pytest.mark.parametrize("seeds", SEEDS)
def test_affine_maps_are_divided_as_enumeration_divides_them(seeds: range) -> None:
    uniform = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        source_bits, destination_bits = int(rng.integers(0, 4)), int(rng.integers(0, 3))
        shown = random_shown(rng, 1 << source_bits)
        found = AffineMaps(destination_bits, shown)
        maps = list(itertools.product(range(1 << source_bits), repeat=destination_bits + 1))
        looks = {
            (offset, *columns): tuple(
                tuple(shown[value].tolist()) for value in affine_values(columns, offset)
            )
            for offset, *columns in maps
        }
        offset, *columns = chosen = maps[int(rng.integers(len(maps)))]
        alike = sorted(each for each, look in looks.items() if look == looks[chosen])
        assert found.mates(columns, offset) == alike, seed
        if found.uniform:
            uniform += 1
            certificate = found.certificate()
            assert sizes(looks.values()) == [found.part_size] * int(certificate.parts), seed
    assert 0 < uniform < len(seeds)


@pytest.mark.parametrize("seeds", SEEDS)
def test_named_rules_are_grouped_by_what_they_show(seeds: range) -> None:
    for seed in seeds:
        rng = np.random.default_rng(seed)
        count = int(rng.integers(1, 8))
        outcomes = rng.integers(0, 2, (count, int(rng.integers(1, 4)), 2))
        names = tuple(map(str, range(count)))
        groups: dict[str, list[str]] = {}
        for name, outcome in zip(names, outcomes, strict=True):
            groups.setdefault(str(outcome.tolist()), []).append(name)
        assert NamedRules(names, outcomes).groups() == [tuple(g) for g in groups.values()], seed


# ---- what no input can split ---------------------------------------------------------------------
def keeps(order: Sequence[int], relation: Relation) -> bool:
    """Whether renaming cell c to order[c] leaves a relation as it is."""
    cells = range(len(order))
    if relation.reaches is not None and any(
        relation.reaches[order[cell]] != relation.reaches[cell] for cell in cells
    ):
        return False
    moves = relation.moves_from
    return moves is None or all(moves[order[cell]] == order[int(moves[cell])] for cell in cells)


@pytest.mark.parametrize("seeds", SEEDS)
def test_renamings_are_those_that_keep_every_relation(seeds: range) -> None:
    exact = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 6))
        relations = []
        if rng.random() < 0.7:
            relations.append(Relation("reach", reaches=rng.integers(0, 3, size)))
        if rng.random() < 0.6:
            relations.append(Relation("move", moves_from=rng.integers(0, size, size)))
        found = Renamings("cells", size, tuple(relations))
        left = sum(
            all(keeps(order, relation) for relation in relations)
            for order in itertools.permutations(range(size))
        )
        moving = any(relation.moves_from is not None for relation in relations)
        assert found.order >= left, seed
        if not moving or found.order == 1:
            exact += 1
            assert found.order == left, seed
    assert exact > len(seeds) // 3


@pytest.mark.parametrize("seeds", SEEDS)
def test_gauges_are_the_renamings_of_k_that_keep_every_product(seeds: range) -> None:
    for seed in seeds:
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 6))
        a, b = rng.permutation(size), rng.permutation(size)
        block = int(rng.choice([n for n in range(1, size + 1) if size % n == 0]))
        for scale in (None, block):
            kept = 0
            for order in itertools.permutations(range(size)):
                rename = np.array(order)
                # Which slots meet never changes; which scale multiplies a slot must not.
                kept += scale is None or all(
                    np.array_equal(rename[side] // scale, side // scale) for side in (a, b)
                )
            assert mma_gauge(a, b, scale).order == kept, (seed, scale)
