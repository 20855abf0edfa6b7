"""Scripts of Triton without PyTorch, on arrays of CuPy, are right, and broken twins are found."""

from __future__ import annotations

import subprocess
import sys
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
    pairs.judge_right(script, "sm_90a")
    twins = pairs.twins(script)
    assert twins, f"{script.name} has no broken twin"
    for twin in twins:
        pairs.judge_twin(twin, tmp_path, "sm_90a")


def test_a_script_needs_no_pytorch() -> None:
    """A process that cannot import PyTorch checks the same script."""
    code = (
        "import sys, importlib.util as u\n"
        "real = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'torch' else real(name, *a)\n"
        "from lanemap.cli import main\n"
        f"status = main.run(['check', {str(pairs.HERE / 'triton/vector_add.py')!r}])\n"
        "assert 'torch' not in sys.modules\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "1 launch of 1 kernel, no hazards" in done.stderr
