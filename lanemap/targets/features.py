"""What only some NVIDIA targets have, and which texts may use it.

An instruction names the feature that it needs (`@instruction(.., needs="wgmma")`,
`s.names.require("cp_mask")`). A text gets what its own `.target` has: of sm_100 fewer features than
of sm_100f or sm_100a. PTX ISA, Target ISA Notes of the instructions; ptxas agrees (tests/targets).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

_NAME = re.compile(r"sm_(\d+)([af]?)")
_RANKS = ("", "f", "a")


def target_parts(target: str) -> tuple[int, str]:
    """Return number and suffix of an NVIDIA target: 100 and "f" of sm_100f; 0 of any other name."""
    match = _NAME.fullmatch(target)
    return (int(match[1]), match[2]) if match else (0, "")


@dataclass(frozen=True)
class Feature:
    """A feature.

    Attributes:
        words: Its name in messages.
        since: The first compute capability that has it: 90 of 9.0.
        suffix: What `.target` must say at least: "" for every text, "f" for texts of a family or of
            one target, "a" for texts of one target.
        families: The families that have it: 10 of 10.0 and 10.3; none: all.
        numbers: The compute capabilities that have it; none: all.
    """

    words: str
    since: int
    suffix: str = ""
    families: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    def belongs_to(self, target: str) -> bool:
        """Whether a text of a target may use it."""
        number, suffix = target_parts(target)
        return (
            number >= self.since
            and _RANKS.index(suffix) >= _RANKS.index(self.suffix)
            and (not self.families or number // 10 in self.families)
            and (not self.numbers or number in self.numbers)
        )

    @property
    def oldest(self) -> str:
        """The oldest `.target` with it."""
        return f"sm_{self.since}{'a' if self.suffix else ''}"


_TENSOR_MEMORY = (10, 11)
FEATURES: Mapping[str, Feature] = {
    # Every text of a later target.
    "matrices of sm_80": Feature("matrix instructions of sm_80", 80),
    "bf16": Feature("bf16 types", 80),
    "tf32": Feature("tf32 types", 80),
    "relu and NaN": Feature(".relu and .NaN", 80),
    "cache policies": Feature("cache policies", 80),
    "cp.async": Feature("asynchronous copies", 80),
    "mbarrier": Feature("mbarriers", 80),
    "redux": Feature("redux", 80),
    "xorsign": Feature(".xorsign.abs", 86),
    "FP8": Feature("FP8 types", 89),
    "clusters": Feature("clusters", 90),
    "bulk copies": Feature("bulk copies and tensor copies", 90),
    "mbarrier.try_wait": Feature("mbarriers of transactions, try_wait", 90),
    "elect": Feature("elect.sync", 90),
    "griddepcontrol": Feature("griddepcontrol", 90),
    "stmatrix": Feature("stmatrix", 90),
    "bf16 arithmetic": Feature("bf16 arithmetic", 90),
    "bf16 comparisons": Feature("comparisons of bf16", 90),
    "bf16 conversions": Feature("conversions between bf16 and types other than f32", 90),
    "bf16 atomics": Feature("atomics of bf16, and min and max of f16", 90),
    "vector atomics": Feature("vector atomics", 90),
    "128-bit atomics": Feature("128-bit atomics", 90),
    "pairs of 16 bits": Feature("integer arithmetic on pairs of 16 bits, and .relu of s32", 90),
    "oob": Feature(".oob", 90),
    "tf32 roundings": Feature("roundings to tf32 other than .rna", 90),
    "f64 matrices of sm_90": Feature("f64 shapes of 16 rows of mma.sync", 90),
    "proxy fences": Feature("fences of the async proxy and of tensor maps", 90),
    "256-bit accesses": Feature("accesses of 256 bits", 100),
    "packed f32": Feature("arithmetic on f32x2", 100),
    "mixed arithmetic": Feature("arithmetic on f32 and a narrower type", 100),
    "three operands": Feature("min and max of three operands", 100),
    "tf32.satfinite": Feature(".satfinite of tf32", 100),
    "tile::gather4": Feature("tile::gather4", 100),
    "release to global": Feature(".async.release", 100),
    "st.bulk": Feature("st.bulk", 100),
    "clusterlaunchcontrol": Feature("clusterlaunchcontrol", 100),
    "cp_mask": Feature(".cp_mask", 100),
    "swizzle atomicity": Feature("swizzle atomicities of tensor maps", 100),
    # Texts of a family or of one target.
    "wgmma": Feature("wgmma instructions", 90, "f", families=(9,)),
    "setmaxnreg": Feature("setmaxnreg", 90, "f"),
    "tensormap.replace": Feature("tensormap.replace", 90, "f"),
    "tcgen05": Feature("tcgen05 instructions", 100, "f", families=_TENSOR_MEMORY),
    "tile::scatter4": Feature("tile::scatter4", 100, "f", families=_TENSOR_MEMORY),
    "gather4 to a cluster": Feature(
        "tile::gather4 to .shared::cluster or as a prefetch", 100, "f", families=_TENSOR_MEMORY
    ),
    "tensor copies of pairs": Feature(
        ".cta_group of tensor copies", 100, "f", families=_TENSOR_MEMORY
    ),
    "redux of f32": Feature("redux of f32", 100, "f", families=(10,)),
    "tensor map fields": Feature("fields of tensormap.replace that came with sm_100", 100, "f"),
    "matrices of bytes": Feature("ldmatrix and stmatrix of bytes", 100, "f"),
    "narrow conversions": Feature("conversions to and from 8, 6 and 4 bits of sm_100a", 100, "f"),
    "mma.sync.kind::f8f6f4": Feature(".kind::f8f6f4 of mma.sync", 100, "f"),
    "block-scaled mma.sync": Feature(
        "block-scaled mma.sync and its types of 6 and 4 bits", 120, "f", families=(12,)
    ),
    # Texts of one target.
    "tcgen05.kind::i8": Feature("kind::i8 of tcgen05.mma", 100, "a", numbers=(100, 110)),
}


@cache
def features_of(target: str) -> frozenset[str]:
    """Return the features that PTX of a target has."""
    return frozenset(name for name, each in FEATURES.items() if each.belongs_to(target))


def having(feature: str) -> str:
    """Return the oldest target whose PTX has a feature, as `.target` names it."""
    return FEATURES[feature].oldest
