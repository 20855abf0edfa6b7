"""Instructions as AMD's assembly text spells them, and as clang and LLVM name them.

LLVM, AMDGPU Usage and the lists of intrinsics: `llvm.amdgcn.mfma.f32.32x32x8f16` and
`__builtin_amdgcn_mfma_f32_32x32x8f16` are v_mfma_f32_32x32x8_f16.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lanemap.model import lds_transpose, mfma, smfmac
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

_FOREIGN = re.compile(r"(?:llvm\.amdgcn\.|__builtin_amdgcn_|rocdl\.)([\w.]+)")
_MATRIX = re.compile(r"(?:v_)?(s?mfma[c]?_\w+)")
# ds.read.tr8.b64 is ds_read_b64_tr_b8.
_TRANSPOSE = re.compile(r"ds_read_tr(\d+)_(b\d+)(?:_v\d\w+)?")


@cache
def _instructions() -> dict[str, tuple[str, ...]]:
    """The variants of each instruction, by every mnemonic that it has or had."""
    found: dict[str, list[str]] = {}
    for each in (*mfma.variants(), *smfmac.variants(), *lds_transpose.variants()):
        found.setdefault(each.name.partition(":")[0], []).append(each.name)
    for form in mfma.FORMS:
        for older in form.spellings:
            found.setdefault(older, found[form.name])
    return {name: tuple(names) for name, names in found.items()}


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read an instruction, an intrinsic or a builtin."""
    word, foreign = pasted.word.lower(), _FOREIGN.search(pasted.text.lower())
    if foreign:
        word = foreign[1].replace(".", "_")
    word = re.sub(r"(_vgprcd|_mac)?_e(32|64)$", "", word)
    if transposed := _TRANSPOSE.fullmatch(word):
        word = f"ds_read_{transposed[2]}_tr_b{transposed[1]}"
    elif matrix := _MATRIX.fullmatch(word):
        word = f"v_{matrix[1]}"
    names = _instructions().get(word, ())
    if names:
        yield Reading(_own(names), _of_formats(names, pasted.rest if not foreign else ""))


def _own(names: tuple[str, ...]) -> str:
    return names[0].partition(":")[0]


def _of_formats(names: tuple[str, ...], operands: str) -> tuple[str, ...]:
    """Only the formats that an instruction's cbsz and blgp choose; all where no operand is given.

    CDNA 4 ISA, 7.1.3: cbsz is the format of A, blgp that of B; a modifier left out is 0.
    """
    if not operands or not any(".fp4" in name for name in names):
        return names
    chosen = {}
    for modifier, letter in (("cbsz", "A"), ("blgp", "B")):
        code = re.search(rf"{modifier}:([0-4])", operands)
        chosen[letter] = tuple(mfma.FORMATS)[int(code[1]) if code else 0]
    return tuple(
        name
        for name in names
        if name.endswith(":D") or any(name.endswith(f":{x}.{kind}") for x, kind in chosen.items())
    )
