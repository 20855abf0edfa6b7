"""The IR in the tree is what clang makes of the C beside it."""

from __future__ import annotations

from lanemap.emulator.core import runtime_build


def test_runtime_ir_is_up_to_date() -> None:
    assert runtime_build.build() == runtime_build.IR.read_text(), "run `make runtime`"
