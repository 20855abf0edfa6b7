"""Which modifiers and types need a newer target than their instruction does.

PTX ISA, Target ISA Notes of each instruction, as ptxas 13.0 applies them: tests/targets hold the
table to ptxas. What a whole instruction needs, its `@instruction` says; of matrix instructions,
lanemap.model and their functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.module import Instruction

#: Features by one modifier, whatever the instruction.
_ANYWHERE = {
    "shared::cluster": "clusters", "cluster": "clusters", "bf16": "bf16", "bf16x2": "bf16",
    "tf32": "tf32", "L2::cache_hint": "cache policies", "L2::256B": "cache policies",
    "f32x2": "packed f32", "oob": "oob", "xorsign": "xorsign", "relu": "relu and NaN",
    "NaN": "relu and NaN", "expect_tx": "mbarrier.try_wait", "complete_tx": "mbarrier.try_wait",
    "e2m1x2": "narrow conversions", "e2m3x2": "narrow conversions", "e3m2x2": "narrow conversions",
    "ue8m0x2": "narrow conversions", "e4m3x2": "FP8", "e5m2x2": "FP8",
    "sync_restrict::shared::cta": "proxy fences", "sync_restrict::shared::cluster": "proxy fences",
}  # fmt: skip
#: Features by opcode and one modifier.
_OF_OPCODES = (
    ("add sub mul tanh ex2", "bf16 bf16x2", "bf16 arithmetic"),
    ("set setp", "bf16 bf16x2", "bf16 comparisons"),
    ("atom red", "bf16 bf16x2", "bf16 atomics"),
    ("atom red", "v2 v4 v8", "vector atomics"),
    ("atom", "b128", "128-bit atomics"),
    ("add min max", "s16x2 u16x2", "pairs of 16 bits"),
    ("min max", "f16 f16x2", "relu and NaN"),
    ("redux", "f32", "redux of f32"),
    ("fence", "async async.global async::generic tensormap::generic", "proxy fences"),
    ("prefetch", "tensormap", "proxy fences"),
    ("prefetch", "L2::evict_last L2::evict_normal", "cache policies"),
    ("createpolicy", "range fractional cvt", "cache policies"),
    ("tensormap", "replace", "tensormap.replace"),
    ("wmma", "f64 m16n16k8 and", "matrices of sm_80"),
    ("mbarrier", "relaxed", "mbarrier.try_wait"),
)
_BY_OPCODE = {
    opcode: [
        (set(words.split()), feature)
        for opcodes, words, feature in _OF_OPCODES
        if opcode in opcodes.split()
    ]
    for opcode in " ".join(opcodes for opcodes, _, _ in _OF_OPCODES).split()
}
_NARROW, _HALVES = {"f16", "bf16"}, {"f16", "f16x2"}


def _wide(words: set[str], kind: str) -> bool:
    """Whether an access has 256 bits."""
    count = next((int(each[1:]) for each in ("v2", "v4", "v8") if each in words), 1)
    return count * BITS.get(kind, 0) == 256


def _access(i: Instruction, words: set[str]) -> Iterator[str]:
    if _wide(words, i.modifiers[-1]):
        yield "256-bit accesses"


def _arithmetic(i: Instruction, words: set[str]) -> Iterator[str]:
    if "f32" in words and words & _NARROW:
        yield "mixed arithmetic"


def _extremum(i: Instruction, words: set[str]) -> Iterator[str]:
    if len(i.operands) == 4:
        yield "three operands"
    if words >= {"relu", "s32"}:
        yield "pairs of 16 bits"


def _conversion(i: Instruction, words: set[str]) -> Iterator[str]:
    to, source = i.modifiers[-2:] if len(i.modifiers) > 1 else ("", "")
    plain = (
        (to, source) == ("bf16", "f32") or (to, source) == ("f32", "bf16") and "ftz" not in words
    )
    if "bf16" in (to, source) and not plain:
        yield "bf16 conversions"
    if to == "tf32" and "rna" not in words:
        yield "tf32 roundings"
    if to == "tf32" and "satfinite" in words and "rna" not in words:
        yield "tf32.satfinite"


def _atomic(i: Instruction, words: set[str]) -> Iterator[str]:
    if words & _HALVES and words & {"min", "max"}:
        yield "bf16 atomics"


def _barrier(i: Instruction, words: set[str]) -> Iterator[str]:
    arrives = i.modifiers[0] in ("arrive", "arrive_drop")
    if arrives and "noComplete" not in words and len(i.operands) > 2:
        yield "mbarrier.try_wait"


def _copy(i: Instruction, words: set[str]) -> Iterator[str]:
    if "bulk" in words:
        yield "bulk copies"


_FUNCTIONS: dict[str, Callable[[Instruction, set[str]], Iterator[str]]] = {
    "ld": _access, "st": _access, "add": _arithmetic, "sub": _arithmetic, "fma": _arithmetic,
    "min": _extremum, "max": _extremum, "cvt": _conversion, "atom": _atomic, "red": _atomic,
    "mbarrier": _barrier, "cp": _copy,
}  # fmt: skip


def needed(instruction: Instruction) -> Iterator[str]:
    """Yield the features that an instruction's modifiers and operands need."""
    words, opcode = set(instruction.modifiers), instruction.opcode
    yield from (_ANYWHERE[word] for word in words if word in _ANYWHERE)
    for any_of, feature in _BY_OPCODE.get(opcode, ()):
        if words & any_of:
            yield feature
    function = _FUNCTIONS.get(opcode)
    if function is not None and instruction.modifiers:
        yield from function(instruction, words)
