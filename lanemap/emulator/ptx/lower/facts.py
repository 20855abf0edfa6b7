"""Headers of C that say what lanemap/model and the tables of rules say (runtime/built.py)."""

from __future__ import annotations

import runpy
from pathlib import Path

from lanemap.emulator.runtime.rules import Rules

_FRONT_END = Path(__file__).resolve().parents[1]
_MODEL = Path(__file__).resolve().parents[3] / "model"


def headers() -> dict[str, str]:
    """Each header by its name. The model runs by its path: a build has none of its packages."""
    says = runpy.run_path(str(_MODEL / "tensor_map_bits.py"))
    elements = says["ELEMENTS"]
    lines = [
        f"enum {{ MAP_BYTES = {says['BYTES']}, MAP_ALIGN = {says['ALIGNMENT']}, "
        f"MAP_DIMS = {says['DIMENSIONS']} }};",
        f"enum MapType {{ {', '.join(f'MAP_{name}' for name in elements)} }};",
        f"static const u8 TYPE_BITS[] = {{{', '.join(str(bits) for bits in elements.values())}}};",
        "typedef struct MapField { u32 bit, width, step; } MapField;",
    ]
    lines += [
        f"static const MapField MAP_FIELD_{name.upper()} = {{{', '.join(map(str, field))}}};"
        for name, field in says["FIELDS"].items()
    ]
    return {
        "rule_numbers.h": "#pragma once\n"
        + Rules(_FRONT_END / "rules.tsv").header("Rule")
        + Rules(_FRONT_END / "notes.tsv").header("Note"),
        "tensor_map_bits.h": "\n".join(lines) + "\n",
    }
