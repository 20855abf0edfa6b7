"""What of a large grid is shown: all of it, or its beginning and its end."""

from __future__ import annotations

#: A place where rows or columns are left out.
GAP = None


def window(count: int, most: int) -> list[int | None]:
    """All of some rows or columns, or as many of the first and the last with a gap between."""
    if count <= most:
        return list(range(count))
    last = most // 4
    return [*range(most - last), GAP, *range(count - last, count)]


def bands(columns: list[int | None], most: int) -> list[list[int | None]]:
    """Columns in bands of at most some, of a multiple of eight where there are several."""
    if len(columns) <= most:
        return [columns]
    each = most // 8 * 8 or most
    return [columns[at : at + each] for at in range(0, len(columns), each)]


def left_out(name: str, shown: list[int | None], labels: tuple[str, ...]) -> str:
    """The rows or columns that a window leaves out, in words; "" for none."""
    if GAP not in shown:
        return ""
    at = shown.index(GAP)
    before, after = shown[at - 1], shown[at + 1]
    if before is None or after is None:
        raise AssertionError("a gap has a neighbor on either side")
    return f"{name} {labels[before + 1]} to {labels[after - 1]}"
