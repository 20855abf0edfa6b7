"""How a report names the source line of an instruction within a sentence."""

from __future__ import annotations

from lanemap.emulator.codegen.wording import source_text


def test_a_second_access_is_named_by_its_source_line_too() -> None:
    """By the user's line, and the library's line within it, as the first access is."""
    assert source_text("race.cu:6") == "race.cu:6"
    inlined = "k.cu:5 inlines k.cu:9 inlines b.h:8 inlines c.h:4"
    assert source_text(inlined) == "k.cu:9, in c.h:4"
