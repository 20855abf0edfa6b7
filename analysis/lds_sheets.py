"""The comparison of paths through LDS: tables, which path wins from how many tiles on, a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lanemap.records.schema import Record

if TYPE_CHECKING:
    from lanemap.drawing.canvas import Canvas

#: Tiles of keys up to which winners are looked for: 65,536 keys.
MOST_TILES = 1024
UNITS = ("LDS", "MFMA", "VALU")
COLORS = {"LDS": "#2f6f8f", "MFMA": "#c9803a", "VALU": "#8a8f98"}
CONFLICTS = "#b3413b"
MARGIN, HEADER, NAMES, WIDE, ROW, BAR = 0.5, 1.5, 1.9, 7.2, 0.62, 0.16
Row = dict[str, Any]


def paths(record: Record, scores_only: bool) -> list[Row]:
    """The rows of Q K^T alone or of attention, with one way of P and one MFMA."""
    return [
        row
        for row in record.findings["paths"]
        if (row["scores_only"], row["p_way"], row["mfma_k"]) == (scores_only, "k_rows", 64)
    ]


def _total(counts: Mapping[str, float]) -> float:
    return sum(counts.values())


def _text(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


def fills(record: Record) -> list[dict[str, str]]:
    """A row for each path: what K's way through LDS takes, from Q K^T alone."""
    found = []
    for row in paths(record, True):
        tile = row["tile"]
        writes, reads = _total(tile["writes"]), _total(tile["reads"])
        # A tile has 64 keys of 128 bytes: 8 times 16 bytes a lane, and 2 tiles of 32 x 128.
        cells = {
            "path": f"`{row['path']}`",
            "writes for 16 bytes a lane": writes / 8,
            "writes, 32x128": writes / 2,
            "reads and permutes, 32x128, four waves": (reads + tile["permutes"]) / 2,
            "VALU, 32x128": tile["valu"] / 2,
            "conflict cycles": tile["cycles"]["conflicts"] / 2,
            "LDS cycles": tile["cycles"]["LDS"] / 2,
            "VALU cycles": tile["cycles"]["VALU"] / 2,
            "MFMA cycles": tile["cycles"]["MFMA"] / 2,
            "bound": tile["cycles"]["bound"] / 2,
        }
        found.append({k: v if isinstance(v, str) else _text(v) for k, v in cells.items()})
    return found


def calls(record: Record, tiles: int = 16) -> list[dict[str, str]]:
    """A row for each path: attention, by tile and as a call with so many tiles of keys."""
    found = []
    for row in paths(record, False):
        call, tile = row["call"], row["tile"]
        cells = {
            "path": f"`{row['path']}`",
            "LDS writes": _total(tile["writes"]),
            "LDS reads": _total(tile["reads"]),
            "permutes": tile["permutes"],
            "VALU": tile["valu"],
            "conflict cycles": tile["cycles"]["conflicts"],
            **{f"{unit} cycles": tile["cycles"][unit] for unit in UNITS},
            "bound": tile["cycles"]["bound"],
            f"LDS cycles of {tiles} tiles": _cycles(row, "LDS", tiles),
            f"bound of {tiles} tiles": call["cycles"]["bound"] + tiles * tile["cycles"]["bound"],
        }
        found.append({k: v if isinstance(v, str) else _text(v) for k, v in cells.items()})
    return found


def ways(record: Record) -> list[dict[str, str]]:
    """A row for each way of P and MFMA, on the path that is measured with all of them."""
    rows = [
        row for row in record.findings["paths"] if row["path"] == "1s" and not row["scores_only"]
    ]
    return [
        {
            "`p_way`": f"`{row['p_way']}`",
            "MFMA": f"`{next(iter(row['tile']['mfma']))}`",
            "MFMA instructions": _text(_total(row["tile"]["mfma"])),
            "VALU": _text(row["tile"]["valu"]),
            "LDS reads": _text(_total(row["tile"]["reads"])),
            "MFMA cycles": _text(row["tile"]["cycles"]["MFMA"]),
            "VALU cycles": _text(row["tile"]["cycles"]["VALU"]),
        }
        for row in sorted(rows, key=lambda row: (-row["mfma_k"], row["p_way"]))
    ]


def classes(record: Record) -> list[dict[str, str]]:
    """A row for each path: instructions of a tile by class, Q K^T alone and attention."""
    rows = [row for only in (True, False) for row in paths(record, only)]
    kinds = sorted({kind for row in rows for kind in row["tile"]["classes"]})
    return [
        {"path": f"`{row['path']}`", "computes": "Q K^T" if row["scores_only"] else "attention"}
        | {kind: _text(row["tile"]["classes"].get(kind, 0)) for kind in kinds}
        for row in rows
    ]


def _cycles(row: Row, unit: str, tiles: int) -> float:
    """Cycles of one unit, or the bound, of a call with so many tiles."""
    cycles: float = row["call"]["cycles"][unit] + tiles * row["tile"]["cycles"][unit]
    return cycles


def winners(rows: Sequence[Row], unit: str) -> list[tuple[int, list[str]]]:
    """The paths with the fewest cycles, each time with the number of tiles from which on.

    Args:
        rows: The result of `paths`.
        unit: One of `UNITS`, or "bound".
    """
    found: list[tuple[int, list[str]]] = []
    for tiles in range(1, MOST_TILES + 1):
        cycles = {row["path"]: _cycles(row, unit, tiles) for row in rows}
        least = min(cycles.values())
        best = [name for name, each in cycles.items() if each == least]
        if not found or found[-1][1] != best:
            found.append((tiles, best))
    return found


def said(record: Record) -> list[str]:
    """Which path wins from how many tiles of keys on, in sentences."""
    sets: tuple[tuple[str, bool, Callable[[str], bool]], ...] = (
        ("Q K^T alone", True, lambda name: True),
        ("attention", False, lambda name: True),
        ("Q K^T alone, of the fills of interleaved-8", True, lambda name: name.startswith("2.")),
        ("attention, of the fills of interleaved-8", False, lambda name: name.startswith("2.")),
    )
    lines = []
    for what, only, chosen in sets:
        rows = [row for row in paths(record, only) if chosen(row["path"])]
        for unit, words in (("LDS", "LDS cycles"), ("bound", "bound in cycles")):
            parts = [
                f"from {tiles} {'tile' if tiles == 1 else 'tiles'} on "
                + ", ".join(f"`{name}`" for name in best)
                for tiles, best in winners(rows, unit)
            ]
            lines.append(f"{what}, fewest {words}: {'; '.join(parts)}.")
    return lines


def draw(record: Record) -> dict[str, bytes]:
    """The figure of a record, by suffix: the cycles that a tile of keys keeps each unit busy."""
    return {"tiles.png": _bars(record).files(("png",))["png"]}


def _bars(record: Record) -> Canvas:
    from lanemap.drawing.canvas import Canvas
    from lanemap.drawing.palette import INK, QUIET, rgba

    rows = paths(record, False)
    most = max(row["tile"]["cycles"]["bound"] for row in rows)
    canvas = Canvas(2 * MARGIN + NAMES + WIDE + 0.8, HEADER + len(rows) * ROW + MARGIN)
    canvas.text(
        MARGIN, 0.38, "Attention: cycles that a tile of 64 keys takes", 15, fontweight="bold"
    )
    where = f"{record.target} on {record.device}, evidence: {record.evidence}"
    canvas.text(MARGIN, 0.72, f"{where}: counted work and stated rates, no times.", 9, QUIET)
    left = MARGIN + NAMES
    for place, (name, color) in enumerate({**COLORS, "bank conflicts": CONFLICTS}.items()):
        canvas.boxes([left + 1.5 * place], [1.0], 0.14, 0.14, rgba(color).reshape(1, -1))
        canvas.text(left + 1.5 * place + 0.22, 1.07, name, 9)
    for number, row in enumerate(rows):
        top, cycles = HEADER + number * ROW, row["tile"]["cycles"]
        canvas.text(MARGIN, top + 1.5 * BAR, row["path"], 10)
        for place, unit in enumerate(UNITS):
            y, width = top + place * BAR, WIDE * cycles[unit] / most
            canvas.boxes([left], [y], width, BAR - 0.02, rgba(COLORS[unit]).reshape(1, -1))
            if unit == "LDS" and cycles["conflicts"]:
                part = WIDE * cycles["conflicts"] / most
                shade = rgba(CONFLICTS).reshape(1, -1)
                canvas.boxes([left + width - part], [y], part, BAR - 0.02, shade)
            canvas.text(left + width + 0.06, y + BAR / 2, _text(cycles[unit]), 7.5, INK)
    return canvas
