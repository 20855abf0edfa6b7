"""Banks of shared memory (LDS), and which lanes of an access they serve at once.

An access of a whole wave takes a pass for each phase. If lanes of a phase access different words of
one bank, the phase takes as many passes as the busiest bank has words to serve. Lanes that access
the same word share it, in loads and in stores. An access that no source describes has no rule here,
and lanemap reports no conflicts for it. Rules give conflicts, never cycles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WORD_BYTES = 4


@dataclass(frozen=True)
class BankRule:
    """How banks serve one form of access.

    Attributes:
        form: The access in the words of its instruction set.
        direction: "load" or "store".
        sizes: Bytes per lane, from the smallest to the largest.
        element_bits: Width of an element of a transposing read; 16 for a load or store of matrices;
            0 for any other access.
        banks: How many, each `WORD_BYTES` wide: word w lies in bank w % banks.
        phases: The lanes that are served at once, phase by phase.
        evidence: "silicon" if a probe observed it, "documented" by the vendor, "published" by
            its measurer or modeler, or "assumed" without any of these.
        citations: The sources, each with its place.
        idle: Whether an access takes at least as many passes as it has phases; otherwise a phase
            without an active lane takes none.
        joining: Phases 2i and 2i + 1 are served together if, for one of these masks, every lane and
            the lane whose number differs by the mask give one address, or one of them is inactive.
    """

    form: str
    direction: Literal["load", "store"]
    sizes: tuple[int, int]
    element_bits: int
    banks: int
    phases: tuple[tuple[int, ...], ...]
    evidence: Literal["silicon", "documented", "published", "assumed"]
    citations: tuple[str, ...]
    idle: bool = False
    joining: tuple[int, ...] = ()


def _consecutive(lanes: int, each: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(range(first, first + each)) for first in range(0, lanes, each))


def _both_halves(*phases: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
    """Phases of lanes 0 to 31 as (first, last) ranges, and the same of lanes 32 to 63."""
    low = tuple(
        tuple(lane for first, last in phase for lane in range(first, last + 1)) for phase in phases
    )
    return (*low, *(tuple(lane + 32 for lane in phase) for phase in low))


_Evidence = Literal["silicon", "documented", "published", "assumed"]
_ROW = "results/sm_90a/cuda/smem_banks.json: probe smem_banks on an NVIDIA H200"
_GUIDE = (
    "NVIDIA CUDA C++ Programming Guide, Compute Capability 5.x, Shared Memory (32 banks of 32 "
    "bits; lanes that access one 32-bit word do not conflict), to which 7.x, 9.0 and 10.0 refer"
)
_HALVES = (
    "NVIDIA CUDA C Programming Guide 8.0, Compute Capability 2.x, Shared Memory (64 bits a lane "
    "conflict within half warps); later guides are silent",
    "NVIDIA developer forums, topic 77228, an NVIDIA engineer (7.x returns 128 bytes a cycle; "
    "pairs of lanes that agree may halve the requests)",
)
_QUARTERS = (
    "NVIDIA/cutlass at 0e137486, media/docs/implicit_gemm_convolution.md, Shared Memory Layouts "
    "(128 bits a lane, ldmatrix included, conflict within 8 consecutive lanes)"
)
_KITTENS = (
    "HazyResearch/HipKittens at f09e968, analysis/paper_experiments/phases/{} (measured, MI355X)"
)
_ROCROLLER = (
    "rocRoller (ROCm/rocm-libraries, pull requests 1481 and 2157), LDSBankModel.cpp: threads a "
    "clock by direction and dwords; 64 banks for ds_read_b64 and b128 of gfx950, else 32"
)
_TILE = (
    "AMD, CK-Tile documentation, Understanding AMD GPU LDS and Bank Conflicts (ds_read_b128, "
    "ds_write_b128)"
)


def nvidia(target: str) -> tuple[BankRule, ...]:
    """The rules of sm_90a, sm_100a and sm_103a, for loads, stores, ldmatrix and stmatrix.

    An H200 showed them (sm_90a). No document says when the phases of wide loads join and what
    phases without an active lane cost; for the other targets, what the H200 showed is assumed.
    """
    forms: tuple[tuple[str, tuple[int, int], int, int, _Evidence, tuple[str, ...]], ...] = (
        ("at most 32 bits a lane", (1, 4), 0, 32, "documented", (_GUIDE,)),
        ("64 bits a lane", (8, 8), 0, 16, "published", (_GUIDE, *_HALVES)),
        ("128 bits a lane", (16, 16), 0, 8, "published", (_GUIDE, _QUARTERS)),
        ("8x8 matrices", (16, 16), 16, 8, "published", (_GUIDE, _QUARTERS)),
    )
    directions: tuple[Literal["load", "store"], ...] = ("load", "store")
    silicon = target.startswith("sm_90")
    return tuple(
        BankRule(
            f"{direction} of {form}",
            direction,
            sizes,
            element_bits,
            32,
            _consecutive(32, each),
            evidence="silicon" if silicon else evidence,
            citations=(_ROW, *citations) if silicon else (*citations, _ROW),
            idle=not element_bits,
            joining=(1, 2) if direction == "load" and sizes[0] >= 8 and not element_bits else (),
        )
        for direction in directions
        for form, sizes, element_bits, each, evidence, citations in forms
    )


def rules_of(target: str) -> tuple[BankRule, ...]:
    """The rules of a target."""
    if not target.startswith("gfx"):
        return nvidia(target)
    return gfx950() if target == "gfx950" else gfx942()


def _rule(
    form: str,
    sizes: tuple[int, int],
    element_bits: int,
    banks: int,
    phases: tuple[tuple[int, ...], ...],
    evidence: _Evidence,
    *citations: str,
) -> BankRule:
    """Return a rule of an AMD target, whose form says in which direction it goes."""
    direction: Literal["load", "store"] = "load" if form.startswith("ds_read") else "store"
    cited = tuple(citation.format(form) for citation in citations)
    return BankRule(form, direction, sizes, element_bits, banks, phases, evidence, cited)


def gfx942() -> tuple[BankRule, ...]:
    """The rules of gfx942, and of gfx90a: their LDS has 32 banks.

    Loads of 96 bits are assumed to be served as those of 128 bits are.
    """
    halves, quarters, eighths = (_consecutive(64, each) for each in (32, 16, 8))
    wide = _both_halves(
        ((0, 3), (20, 23)), ((4, 7), (16, 19)), ((8, 11), (28, 31)), ((12, 15), (24, 27))
    )
    return (
        _rule("ds_read_b32 and narrower", (1, 4), 0, 32, halves, "published", _ROCROLLER),
        _rule("ds_read_b64", (8, 8), 0, 32, quarters, "published", _ROCROLLER),
        _rule("ds_read_b96", (12, 12), 0, 32, wide, "assumed", _TILE),
        _rule("ds_read_b128", (16, 16), 0, 32, wide, "documented", _TILE),
        _rule("ds_write_b32 and narrower", (1, 4), 0, 32, halves, "published", _ROCROLLER),
        _rule("ds_write_b64", (8, 8), 0, 32, quarters, "published", _ROCROLLER),
        _rule("ds_write_b96", (12, 12), 0, 32, eighths, "published", _ROCROLLER),
        _rule("ds_write_b128", (16, 16), 0, 32, eighths, "documented", _TILE, _ROCROLLER),
    )


def gfx950() -> tuple[BankRule, ...]:
    """The rules of gfx950; `ds_read_b96_tr_b6` has none.

    Nobody has published a measurement of `ds_read_b64_tr_b8` and `_tr_b4`. They are assumed to be
    served as `ds_read_b64` and `ds_read_b64_tr_b16`, which read 8 bytes a lane too.
    Accesses of less than 32 bits are taken to occupy the bank of their word, as a dword does.
    """
    halves = _consecutive(64, 32)
    wide = _both_halves(((0, 3), (12, 15), (20, 27)), ((4, 11), (16, 19), (28, 31)))
    three = _both_halves(
        ((0, 3), (20, 23)), ((4, 7), (16, 19)), ((8, 11), (28, 31)), ((12, 15), (24, 27))
    )
    quarters, eighths = _consecutive(64, 16), _consecutive(64, 8)
    transposing = "ds_read_b64_tr_b16"
    return (
        _rule("ds_read_b32 and narrower", (1, 4), 0, 32, halves, "published", _ROCROLLER),
        _rule("ds_read_b64", (8, 8), 0, 64, halves, "published", _KITTENS, _ROCROLLER),
        _rule("ds_read_b96", (12, 12), 0, 32, three, "published", _KITTENS, _ROCROLLER),
        _rule("ds_read_b128", (16, 16), 0, 64, wide, "published", _KITTENS, _ROCROLLER),
        _rule(transposing, (8, 8), 16, 64, halves, "published", _KITTENS),
        _rule("ds_read_b64_tr_b8", (8, 8), 8, 64, halves, "assumed", _KITTENS.format(transposing)),
        _rule("ds_read_b64_tr_b4", (8, 8), 4, 64, halves, "assumed", _KITTENS.format(transposing)),
        _rule("ds_write_b32 and narrower", (1, 4), 0, 32, halves, "published", _ROCROLLER),
        _rule("ds_write_b64", (8, 8), 0, 32, quarters, "published", _KITTENS, _ROCROLLER),
        _rule("ds_write_b96", (12, 12), 0, 32, eighths, "published", _ROCROLLER),
        _rule("ds_write_b128", (16, 16), 0, 32, eighths, "documented", _TILE, _ROCROLLER),
    )  # fmt: skip
