"""The IR in the tree, and the Python beside it, are what clang makes of the C."""

from __future__ import annotations

from lanemap.emulator.runtime import build


def test_runtime_ir_is_up_to_date() -> None:
    assert build.build() == build.IR.read_text(), "run `make runtime`"


def test_python_that_mirrors_the_c_is_up_to_date() -> None:
    for path, text in build.build_bindings().items():
        assert text == path.read_text(), f"{path}: run `make runtime`"
