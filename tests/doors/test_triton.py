"""Scripts of Triton without PyTorch, on arrays of CuPy, are right, and broken twins are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.errors import MissingEnvironment
from lanemap.toolchain import nvrtc
from tests.doors import pairs

pytest.importorskip("triton", reason="needs Triton")
try:
    nvrtc.version()
except MissingEnvironment as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.mark.parametrize("script", pairs.scripts("triton"), ids=lambda path: path.stem)
def test_a_script_is_right_and_its_twins_are_found(script: Path, tmp_path: Path) -> None:
    pairs.judge(script, tmp_path, "sm_90a")


def test_a_script_needs_no_pytorch() -> None:
    """A process that cannot import PyTorch checks the same script."""
    pairs.judge_without(("torch",), pairs.HERE / "triton/vector_add.py")
