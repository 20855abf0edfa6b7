"""The stored assembly is what Triton 3.9 makes of the sources stored beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.evidence import build


@pytest.fixture(scope="module")
def triton() -> Any:
    module = pytest.importorskip("triton", reason="pip install triton==3.9.0 regenerates these")
    if not module.__version__.startswith(build.TRITON + "."):
        pytest.skip(f"the stored assembly is of triton {build.TRITON}, not {module.__version__}")
    return module


@pytest.mark.slow
@pytest.mark.parametrize("name", build.ENTRIES)
def test_the_stored_assembly_is_regenerated(name: str, triton: Any) -> None:
    text, made = build.compile_entry(name)
    stored: Path = build.HERE / build.ENTRIES[name].folder / name
    assert text == stored.with_suffix(".amdgcn").read_text()
    made["triton"] = triton.__version__
    assert json.loads(stored.with_suffix(".json").read_text()) | {"triton": ""} == made | {
        "triton": ""
    }


def test_nothing_is_stored_that_the_script_does_not_make() -> None:
    stored = {path.stem for path in build.HERE.rglob("*.amdgcn")}
    assert stored == set(build.ENTRIES)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "compiles"), [(4, False), (8, True)])
def test_triton_names_another_product_for_bf16_with_k_4(
    depth: int, compiles: bool, triton: Any, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    """docs/found.md: CDNA 2's product of K 4 with two elements for each lane has no _1k."""
    entry = build._matmul("bf16", "fp32", 32, 32, depth, num_warps=1, matrix_instr_nonkdim=32)
    monkeypatch.setitem(build.ENTRIES, "short", replace(entry, target="gfx90a"))
    if compiles:
        assert "v_mfma_f32_32x32x8bf16_1k" in build.compile_entry("short")[0]
        return
    with pytest.raises(RuntimeError):
        build.compile_entry("short")
    assert "'rocdl.mfma.f32.32x32x4bf16.1k' op operand #0 must be" in capfd.readouterr().err
