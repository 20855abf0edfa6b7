"""CUDA C++'s warp matrices, and clang's builtins for them: wmma::fragment, __hmma_m16n16k16_ld_a.

CUDA C++ Programming Guide, Warp Matrix Functions; LLVM, BuiltinsNVPTX.td.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lanemap.model import wmma
from lanemap.model.spellings import ptx
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

_BUILTIN = re.compile(
    r"__(?P<unit>hmma|imma|dmma|bmma|mma_tf32|mma_bf16|mma)_(?P<shape>m\d+n\d+k\d+)_"
    r"(?P<verb>ld_[abc]|st_c|mma)(?P<rest>\w*)"
)
_FRAGMENT = re.compile(
    r"fragment\s*<\s*(?:\w+::)*(matrix_a|matrix_b|accumulator)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*"
    r",\s*([\w:]+)"
)
_FUNCTION = re.compile(r"wmma::(load_matrix_sync|store_matrix_sync|mma_sync|bmma_sync|fragment)")
_KINDS = {
    "half": "f16", "__half": "f16", "nv_bfloat16": "bf16", "__nv_bfloat16": "bf16", "float": "f32",
    "double": "f64", "int": "s32", "char": "s8", "b1": "b1", "s4": "s4", "u4": "u4", "tf32": "tf32",
    "i32": "s32",
}  # fmt: skip
_OF_UNIT = {
    "hmma": ("f16", "f32"), "imma": ("s8", "s32"), "dmma": ("f64", "f64"), "bmma": ("b1", "s32"),
    "mma_tf32": ("tf32", "f32"), "mma_bf16": ("bf16", "f32"), "mma": ("f32", "f32"),
}  # fmt: skip


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read a builtin, a fragment's type or a function."""
    if builtin := _BUILTIN.search(pasted.text):
        yield from ptx.read(Pasted.of(_builtin(builtin)))
    elif fragment := _FRAGMENT.search(pasted.text):
        operand = {"matrix_a": "A", "matrix_b": "B"}.get(fragment[1], "D")
        kind = fragment[5].rpartition("::")[2]
        kind = {"precision": ""}.get(kind, _KINDS.get(kind, kind))
        yield Reading.one(f"wmma.m{fragment[2]}n{fragment[3]}k{fragment[4]}.{kind}:{operand}")
    elif _FUNCTION.search(pasted.text):
        for each in wmma.variants():
            yield Reading.one(each.name)


def _builtin(match: re.Match[str]) -> str:
    """The PTX of a builtin; __hmma_.._mma_f32f16 is one of D f32 and C f16."""
    kind, result = _OF_UNIT[match["unit"]]
    named = [_KINDS.get(each, each) for each in re.findall(r"[a-z]+\d+", match["rest"])]
    if match["verb"] == "mma":
        if match["unit"] == "hmma":
            kinds = [named[0], "f16", "f16", named[1]]
        else:
            kind = named[-1] if match["unit"] in ("imma", "bmma") else kind
            kinds = [result, kind, kind, result]
        return f"wmma.mma.sync.aligned.row.col.{match['shape']}.{'.'.join(kinds)}"
    operand = match["verb"][-1]
    own = named[0] if named else (result if operand == "c" else kind)
    verb = "store.d" if match["verb"] == "st_c" else f"load.{operand}"
    return f"wmma.{verb}.sync.aligned.row.{match['shape']}.{own}"
