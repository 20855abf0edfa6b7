"""Packed names of forms: names that differ in one part share a line, as `add.{u16,u32}`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping

_GROUP = re.compile(r"\{([^{}]*)\}")


def pack(names: Iterable[str]) -> list[str]:
    """Return sorted lines that `unpack` turns back into the names."""
    parts = {tuple(name.split(".")) for name in names}
    table: set[tuple[tuple[str, ...], ...]] = {tuple((word,) for word in name) for name in parts}
    longest = max((len(name) for name in parts), default=0)
    for position in range(longest - 1, -1, -1):
        merged: dict[tuple[object, ...], set[str]] = {}
        for row in table:
            if position >= len(row):
                merged.setdefault((row,), set())
                continue
            merged.setdefault((row[:position], row[position + 1 :]), set()).update(row[position])
        table = set()
        for key, words in merged.items():
            if len(key) == 1:
                table.add(key[0])  # type: ignore[arg-type]
            else:
                before, after = key
                table.add((*before, tuple(sorted(words)), *after))  # type: ignore[misc]
    return sorted(".".join(_written(words) for words in row) for row in table)


def _written(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else "{" + ",".join(words) + "}"


def unpack(lines: Iterable[str]) -> Iterator[str]:
    """Yield the names that packed lines stand for."""
    for line in lines:
        pieces = _GROUP.split(line)
        choices = [piece.split(",") if i % 2 else [piece] for i, piece in enumerate(pieces)]
        for chosen in itertools.product(*choices):
            yield "".join(chosen)


def pack_reasons(reasons: Mapping[str, str]) -> list[str]:
    """Return lines for `unpack_reasons`: each reason, then the names that it applies to."""
    names: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names.setdefault(reason, []).append(name)
    return [line for reason in sorted(names) for line in (f"= {reason}", *pack(names[reason]))]


def unpack_reasons(lines: Iterable[str]) -> dict[str, str]:
    """Return the reason of every name."""
    found: dict[str, str] = {}
    reason = ""
    for line in lines:
        if line.startswith("= "):
            reason = line[2:]
        else:
            found.update(dict.fromkeys(unpack([line]), reason))
    return found
