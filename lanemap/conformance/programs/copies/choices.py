"""The parts of a program of asynchronous copies, drawn from a seed.

`text` writes them as PTX, and `oracle` computes with NumPy what they leave.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.conformance.programs.chance import Chance

#: Threads of a CTA.
THREADS = 128
WARP = 32


@dataclass(frozen=True)
class Ring:
    """A ring of stages that cp.async fills and all threads of the CTA read.

    Attributes:
        stages: Stages of the ring.
        trips: How often a stage is filled, in all.
        size: Bytes that a thread copies (cp-size).
        cache: "ca" or "cg".
        spaces: "shared" or "shared::cta".
        prefetch: A prefetch size, or "".
        counts: For each trip, the bytes read from the source (src-size); None: all.
        ignored: For each trip, whether odd threads ignore their source.
        write, read: Thread t copies to the place of thread t ^ write, and reads that of t ^ read.
        completion: "group", or an mbarrier: "noinc" or "inc".
    """

    stages: int
    trips: int
    size: int
    cache: str
    spaces: str
    prefetch: str
    counts: tuple[int | None, ...]
    ignored: tuple[bool, ...]
    write: int
    read: int
    completion: str


@dataclass(frozen=True)
class BulkRing:
    """A ring of stages that one thread of a CTA fills with bulk copies; other warps read.

    Attributes:
        stages, trips: As of a `Ring`.
        words: That each of the threads reads of a stage.
        pieces: Bytes of the copies that fill a stage.
        multicast: Whether the CTAs of the cluster share the copies, each to all.
        near: Whether the destination is named as shared::cta.
        producer: The warp that copies.
        read: Thread t reads the words of thread t ^ read.
    """

    stages: int
    trips: int
    words: int
    pieces: tuple[int, ...]
    multicast: bool
    near: bool
    producer: int
    read: int


@dataclass(frozen=True)
class Store:
    """Bulk stores or reductions of 16 bytes a thread to global memory.

    Attributes:
        operation: "" for a copy, or an operation and a type: "add.u32".
        pieces: Bytes of each of the operations.
        together: Whether all CTAs reduce into one place.
        groups: Whether each piece is a group of its own.
    """

    operation: str
    pieces: tuple[int, ...]
    together: bool
    groups: bool


@dataclass(frozen=True)
class Exchange:
    """Data that each CTA sends to its neighbor's shared memory, whose mbarrier counts the bytes.

    Attributes:
        kind: "st.async", "red.async", "copy" or "reduce" (bulk).
        suffix: The type of a store ("v2.b32"), or an operation and its type.
        words: Number of 32-bit words that a thread sends.
        read: Thread t reads the place of thread t ^ read.
    """

    kind: str
    suffix: str
    words: int
    read: int


Part = Ring | BulkRing | Store | Exchange

_REDUCTIONS = (
    "add.u32", "add.s32", "add.u64", "min.u32", "min.s32", "min.u64", "min.s64", "max.u32",
    "max.s32", "max.u64", "max.s64", "and.b32", "or.b32", "xor.b32", "and.b64", "or.b64",
    "xor.b64", "inc.u32", "dec.u32", "add.f32", "add.f64", "add.noftz.f16", "add.noftz.bf16",
    "min.f16", "max.f16", "min.bf16", "max.bf16",
)  # fmt: skip
#: Those whose result does not depend on the order of several CTAs, with any operands.
_COMMUTES = ("add.u32", "add.s32", "add.u64", "min.", "max.", "and.", "or.", "xor.")
_STORES = ("b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64", "v2.b32", "v2.f32", "v2.b64",
           "v2.u64", "v4.b32", "v4.s32")  # fmt: skip
_SENT_REDUCTIONS = (
    "add.u32", "add.s32", "add.u64", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32",
    "or.b32", "xor.b32", "inc.u32", "dec.u32",
)  # fmt: skip


def _split(chance: Chance, total: int, most: int) -> tuple[int, ...]:
    """Cut a number of bytes into 1 to `most` pieces of multiples of 16."""
    cuts = {16 * (1 + chance.below(total // 16 - 1)) for _ in range(chance.below(most))}
    edges = [0, *sorted(cuts), total]
    return tuple(b - a for a, b in zip(edges, edges[1:], strict=False))


def _ring(chance: Chance) -> Ring:
    cache = chance.of(("ca", "cg"))
    size = 16 if cache == "cg" else chance.of((4, 8, 16))
    trips = 3 + chance.below(6)
    counts = [chance.below(size + 1) if chance.one_in(3) else None for _ in range(trips)]
    return Ring(
        2 + chance.below(3),
        trips,
        size,
        cache,
        chance.of(("shared", "shared::cta")),
        chance.of(("", "L2::64B", "L2::128B", "L2::256B")),
        tuple(counts),
        tuple(count is None and chance.one_in(3) for count in counts),
        chance.below(THREADS),
        chance.below(THREADS),
        chance.of(("group", "noinc", "inc")),
    )


def _bulk_ring(chance: Chance, cluster: int) -> BulkRing:
    words = chance.of((1, 2, 4))
    return BulkRing(
        1 + chance.below(4),
        3 + chance.below(6),
        words,
        _split(chance, 4 * words * THREADS, 4),
        cluster > 1 and bool(chance.below(2)),
        bool(chance.below(2)),
        chance.below(THREADS // WARP),
        chance.below(THREADS),
    )


def _store(chance: Chance, cluster: int) -> Store:
    operation = chance.of((*_REDUCTIONS, *[""] * 8))
    together = cluster > 1 and operation.startswith(_COMMUTES)
    return Store(operation, _split(chance, 16 * THREADS, 4), together, bool(chance.below(2)))


def _exchange(chance: Chance) -> Exchange:
    kind = chance.of(("st.async", "red.async", "copy", "reduce"))
    suffix, words = "", 4
    if kind == "st.async":
        suffix = chance.of(_STORES)
        words = int(suffix[1] if suffix[0] == "v" else 1) * (2 if suffix.endswith("64") else 1)
    elif kind != "copy":
        suffix = chance.of(_SENT_REDUCTIONS)
        if kind == "red.async":
            words = 2 if suffix.endswith("64") else 1
    return Exchange(kind, suffix, words, chance.below(THREADS))


def draw(chance: Chance, cluster: int) -> tuple[Part, ...]:
    """Draw the parts of a program of one cluster."""
    parts: list[Part] = [_ring(chance), _bulk_ring(chance, cluster), _store(chance, cluster)]
    parts += [_exchange(chance) for _ in range(2)] if cluster > 1 else [_ring(chance)]
    return tuple(chance.shuffled(parts))
