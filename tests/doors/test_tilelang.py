"""Scripts of TileLang are right, and broken twins are found; `make tilelang` runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.check import tilelang
from lanemap.errors import MissingEnvironment
from tests.doors import pairs


@pytest.mark.slow
@pytest.mark.skipif(tilelang.installed() != tilelang.VERSION, reason="needs TileLang")
@pytest.mark.parametrize("script", pairs.scripts("tilelang"), ids=lambda path: path.stem)
def test_a_script_is_right_and_its_twins_are_found(script: Path, tmp_path: Path) -> None:
    pairs.judge(script, tmp_path, "sm_90a", apart=True)


def test_another_version_is_refused_in_a_sentence() -> None:
    with pytest.raises(MissingEnvironment) as refused:
        tilelang.refusing("0.1.2").replacements(None)
    assert str(refused.value) == (
        f"lanemap checks scripts with TileLang {tilelang.VERSION}; this is 0.1.2: run "
        f"pip install 'tilelang=={tilelang.VERSION}'"
    )
