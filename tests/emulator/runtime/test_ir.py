"""The IR in the tree is what clang makes of the C beside it."""

from __future__ import annotations

from lanemap.emulator.runtime import build


def test_runtime_ir_is_up_to_date() -> None:
    assert build.build() == build.IR.read_text(), "run `make runtime`"
