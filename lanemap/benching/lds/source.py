"""The text of lds_attention: C with the headers that it includes, and the assembly of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from lanemap import paths
from lanemap.benching import build
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.benching.lds.paths import Path
from lanemap.records.files import Roots
from lanemap.toolchain.amdgpu import compile_to_assembly

NAME, TARGET = "lds_attention", "gfx950"
_INCLUDE = re.compile(r'^#include "(\w+\.h)"$', re.MULTILINE)
_MFMA = {16: "v_mfma_f32_32x32x16_fp8_fp8", 64: "v_mfma_f32_32x32x64_f8f6f4"}


def layouts(mfma_k: int) -> list[Layout]:
    """The maps that the source uses: README.md says where."""
    name, kind = _MFMA[mfma_k], ".fp8" if mfma_k == 64 else ""
    return [
        Layout("ds_read_b64_tr_b8", "tr8", "byte", inverse=True),
        Layout(f"{name}:A{kind}", "a", "byte"),
        Layout(f"{name}:B{kind}", "b", "byte"),
        Layout(f"{name}:D", "d", "word"),
        Layout(f"{name}:D", "d_at", "word", inverse=True),
    ]


def joined(texts: Mapping[str, str]) -> str:
    """Return one text of the first file and what it includes, in which lines keep their names."""
    seen: set[str] = set()

    def expand(name: str) -> str:
        if name in seen:
            return ""
        seen.add(name)
        lines, result = texts[name].splitlines(), [f'#line 1 "{name}"']
        for number, line in enumerate(lines, 1):
            found = _INCLUDE.match(line)
            if found:
                result += [expand(found[1]), f'#line {number + 1} "{name}"']
            elif line != "#pragma once":
                result.append(line)
            else:
                result.append("")
        return "\n".join(result)

    return expand(next(iter(texts))) + "\n"


def assembly(
    path: Path, head_dim: int, causal: bool = False, output: str = "bfloat16",
    scores_only: bool = False, results: Roots | None = None,
    texts: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """Return the kernel's assembly; texts are kept.

    Args:
        path: Of the operands.
        head_dim: 64 or 128.
        causal: Whether query i sees keys up to i + keys - queries alone.
        output: "bfloat16" or "float16".
        scores_only: Whether to stop at Q K^T.
        results: Where observations lie; by default what lanemap came with.
        texts: As `build.sources` returns them, if they are not the kernel's own.

    Raises:
        UserError: a map was never observed, or clang refuses the source.
        MissingEnvironment: there is no clang.
    """
    defines = {
        **path.defines(head_dim), "HEAD_DIM": head_dim, "CAUSAL": int(causal),
        "OUTPUT_BF16": int(output == "bfloat16"), "QK_ONLY": int(scores_only),
    }  # fmt: skip
    maps = header(layouts(path.mfma_k), results or paths.find("results"))
    given = {**(texts or build.sources(NAME, TARGET)), HEADER: maps}
    return _compiled(joined(given), tuple(sorted(defines.items())))


@cache
def _compiled(text: str, defines: tuple[tuple[str, int], ...]) -> str:
    macros = "".join(f"#define {name} {value}\n" for name, value in defines)
    return compile_to_assembly(macros + text, TARGET, "c", f"{NAME}.c")
