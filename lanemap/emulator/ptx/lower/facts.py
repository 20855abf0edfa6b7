"""Headers of C that say what lanemap/model and the tables of rules say (runtime/built.py)."""

from __future__ import annotations

import runpy
from pathlib import Path

from lanemap.emulator.runtime.rules import Rules

_FRONT_END = Path(__file__).resolve().parents[1]
_MODEL = Path(__file__).resolve().parents[3] / "model"


#: Bits of a line's and k's number: an operand has at most 256 lines, a step of k fewer elements.
_INDEX_BITS = 9
#: Widths of elements, in bits, as powers of two.
_WIDTHS = range(6)


def _shared_layouts() -> str:
    """Canonical layouts by major, the swizzle's code in a tcgen05 descriptor, and width."""
    says = runpy.run_path(str(_MODEL / "shared_tiles.py"))
    lines = [
        "#pragma once",
        '#include "runtime.h"',
        f"enum {{ INDEX_BITS = {_INDEX_BITS} }};",
        "typedef struct LayoutColumn { u32 bits, leading, stride; } LayoutColumn;",
        "typedef struct LayoutColumns {",
        "  u32 mask, shift, width;",
        "  LayoutColumn line[INDEX_BITS], k[INDEX_BITS];",
        "} LayoutColumns;",
        f"static const LayoutColumns SHARED_LAYOUTS[2][8][{len(_WIDTHS)}] = {{",
    ]
    for swizzle in says["SWIZZLES"].values():
        for major in swizzle.majors:
            for width in _WIDTHS:
                found = says["columns"](major, swizzle.name, 1 << width, _INDEX_BITS)
                line, k = (
                    ", ".join(f"{{{c.bits}, {c.leading}, {c.stride}}}" for c in found[index])
                    for index in ("row", "k")
                )
                lines.append(
                    f"  [{int(major == 'mn')}][{swizzle.code}][{width}] = {{{swizzle.mask}, "
                    f"{swizzle.shift}, {swizzle.width}, {{{line}}}, {{{k}}}}},"
                )
    return "\n".join([*lines, "};", ""])


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
        "shared_layouts.h": _shared_layouts(),
        "tensor_map_bits.h": "\n".join(lines) + "\n",
    }
