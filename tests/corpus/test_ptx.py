"""NVRTC takes the same sources; what PTX makes of them is run where PTX runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.errors import MissingEnvironment
from lanemap.toolchain import nvrtc
from tests.corpus.harness import HERE, cases, ptx_text


@pytest.fixture(scope="module", autouse=True)
def _nvrtc_is_here() -> None:
    try:
        nvrtc.version()
    except MissingEnvironment as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("path", sorted(HERE.glob("*.c")), ids=lambda path: path.name)
def test_nvrtc_compiles_it(path: Path) -> None:
    text = ptx_text(path.read_text(), "sm_90a")
    for case in cases().values():
        if case.file == path.name:
            assert f".visible .entry {case.name}(" in text
