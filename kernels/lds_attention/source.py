"""The text of lds_attention: C with the headers that it includes, and the assembly of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from lanemap import paths
from lanemap.benching import build
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.records.files import Roots
from lanemap.toolchain.amdgpu import compile_to_assembly

from .paths import Path

NAME, TARGET = "lds_attention", "gfx950"
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


def assembly(
    path: Path,
    head_dim: int,
    causal: bool = False,
    output: str = "bfloat16",
    scores_only: bool = False,
    results: Roots | None = None,
    texts: Mapping[str, str] | None = None,
) -> str:
    """Return the kernel's assembly; texts are kept.

    Args:
        path: The path of the operands.
        head_dim: 64 or 128.
        causal: Whether query i sees keys up to i + keys - queries alone.
        output: "bfloat16" or "float16".
        scores_only: Whether to stop at Q K^T.
        results: Folders of observations; by default what lanemap came with.
        texts: The result of `build.sources`, if they are not the kernel's own.

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
    return _compiled(tuple(given.items()), tuple(sorted(defines.items())))


@cache
def _compiled(texts: tuple[tuple[str, str], ...], defines: tuple[tuple[str, int], ...]) -> str:
    (name, source), *headers = texts
    options = [f"-D{each}={value}" for each, value in defines]
    return compile_to_assembly(source, TARGET, "c", name, options, dict(headers))
