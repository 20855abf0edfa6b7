"""C headers made from lanemap/model and from the tables of rules (runtime/built.py)."""

from __future__ import annotations

import runpy
from collections.abc import Iterable
from itertools import takewhile
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


def _places(columns: Iterable[tuple[int, int, int]]) -> str:
    """Lane, column and bit that each bit of an index adds, as places in tensor memory."""
    return "{" + ", ".join(f"TENSOR_PLACE({', '.join(map(str, each))})" for each in columns) + "}"


def _run(lanes: Iterable[int]) -> int:
    """How many indices from a multiple of that number on lie in lanes next to each other."""
    return 1 << sum(1 for _ in takewhile(lambda lane: lane[1] == 1 << lane[0], enumerate(lanes)))


def _tensor_cells() -> str:
    """Operands of tcgen05.mma in tensor memory."""
    says = runpy.run_path(str(_MODEL / "tensor_cells.py"))
    rows, scales = says["ROWS"].values(), says["SCALES"]
    lines = [
        "#pragma once",
        '#include "tensor.h"',
        f"enum {{ A_COLUMNS = {says['STEP_COLUMNS']} }};",
        "/* Rows that follow each other lie in as many lanes that do. */",
        f"enum {{ RUN_ROWS = {min(_run(each.row) for each in rows)}, "
        f"RUN_SCALES = {min(_run(lane for lane, _ in each.row) for each in scales.values())} }};",
        "typedef struct RowCells { u32 fold, a_copies, other_lane, row[8], block[2]; } RowCells;",
        "static const RowCells ROW_CELLS[] = {",
    ]
    for each in rows:
        row, block = (_places((lane, 0, 0) for lane in part) for part in (each.row, each.block))
        lines.append(
            f"  ['{each.letter}' - 'A'] = "
            f"{{{each.fold}, {each.a_copies}, {each.other_lane}, {row}, {block}}},"
        )
    lines += [
        "};",
        "/* By the width of a holder, as a power of two; the shift by the width of an element. */",
        "typedef struct ElementCells { u32 k[8]; u8 shift[33]; } ElementCells;",
        "static const ElementCells ELEMENT_CELLS[] = {",
    ]
    for holder in sorted({each.holder for each in says["ELEMENTS"]}):
        k = _places((0, *place) for place in says["k_columns"](holder))
        shifts = {e.bits: e.shift for e in says["ELEMENTS"] if e.holder == holder}
        listed = ", ".join(f"[{bits}] = {shift}" for bits, shift in sorted(shifts.items()))
        lines.append(f"  [{holder.bit_length() - 1}] = {{{k}, {{{listed}}}}},")
    lines += [
        "};",
        "/* `group`: of a half and a copy, whose number is half * copies + copy. */",
        "typedef struct ScaleCells { u32 halves, copies, row[8], group[2], block[2]; } ScaleCells;",
        "static const ScaleCells SCALE_CELLS[] = {",
    ]
    for folded, each in scales.items():
        row = _places((*place, 0) for place in each.row)
        group = _places((lane, 0, 0) for lane in (*each.copy, *each.half))
        block = _places((0, 0, bit) for bit in each.block)
        numbers = f"{1 << len(each.half)}, {1 << len(each.copy)}"
        lines.append(f"  [{int(folded)}] = {{{numbers}, {row}, {group}, {block}}},")
    return "\n".join([*lines, "};", ""])


def _descriptor_fields() -> str:
    """Fields of descriptors, and the bits that none of them has."""
    says = runpy.run_path(str(_MODEL / "descriptor_fields.py"))
    lines = [
        "#pragma once",
        '#include "runtime.h"',
        "typedef struct BitField { u32 low, width; } BitField;",
        "static inline u32 field_of(u64 word, BitField f) {",
        "  return (u32)(word >> f.low) & ((1u << f.width) - 1);",
        "}",
    ]
    for name, width in says["WIDTHS"].items():
        fields = says[name]
        lines += [
            f"static const BitField {name}_{field.upper()} = {{{at.low}, {at.width}}};"
            for field, at in fields.items()
        ]
        kind, ending = ("u64", "ull") if width == 64 else ("u32", "u")
        none = says["unused"](fields, width)
        lines.append(f"static const {kind} {name}_UNUSED = {none:#x}{ending};")
    return "\n".join([*lines, ""])


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
        "descriptor_fields.h": _descriptor_fields(),
        "shared_layouts.h": _shared_layouts(),
        "tensor_cells.h": _tensor_cells(),
        "tensor_map_bits.h": "\n".join(lines) + "\n",
    }
