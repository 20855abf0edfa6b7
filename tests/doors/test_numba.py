"""Scripts in the shape of numba-cuda's documentation are right, and broken twins are found.

They load libcuda.so.1, whose contexts numba keeps, so each runs in a process of its own.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from lanemap.check.driver_api import VERSIONS, installed
from lanemap.errors import UserError
from tests.doors import pairs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not installed("numba_cuda").startswith(VERSIONS["numba_cuda"][1])
        or importlib.util.find_spec("cutlass") is not None,
        reason="needs numba-cuda and no CuTe DSL: make doors",
    ),
]


@pytest.mark.parametrize("script", pairs.scripts("numba"), ids=lambda path: path.stem)
def test_a_script_is_right_and_its_twins_are_found(script: Path, tmp_path: Path) -> None:
    pairs.judge_right(script, "sm_90a", apart=True)
    twins = pairs.twins(script)
    assert twins, f"{script.name} has no broken twin"
    for twin in twins:
        pairs.judge_twin(twin, tmp_path, "sm_90a", apart=True)


def test_a_grid_that_synchronizes_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from numba import cuda\n"
        "@cuda.jit\n"
        "def meet(x):\n"
        "    cuda.cg.this_grid().sync()\n"
        "    x[0] = 1\n"
        "meet[2, 32](cuda.device_array(1))\n"
    )
    with pytest.raises(UserError, match=r"libcudadevrt\.a is an archive of machine code"):
        pairs.run(script, "sm_90a", apart=True)
