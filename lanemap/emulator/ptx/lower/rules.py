"""Rules that a PTX kernel can break, and notes: what ptxas or hardware provides beyond the ISA.

notes.tsv says why each of these exceptions works; docs/emulator-order.md argues each of them.
"""

from __future__ import annotations

from pathlib import Path

from lanemap.emulator.runtime.rules import Rules

_FOLDER = Path(__file__).resolve().parents[1]
Rule = Rules(_FOLDER / "rules.tsv")
Note = Rules(_FOLDER / "notes.tsv")
#: Those of mbarrier objects, which the memory model keeps.
Mbarrier = Rules(_FOLDER.parent / "memory_model" / "rules.tsv")
