"""What a report must say of a fault whose line bears a mark.

Faults of full kernels (tests/kernels/faults) and of random pipelines are edits: they say what to
change, and their lines depend on a compiler or on a seed. So they have types of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.ptx_text import marked


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        kind: the class of hazard that must be named.
        lane: the first lane at fault; None where all of a warp are, or any may be.
        patterns: regular expressions that the sentence must contain. `{origin}` stands for the
            numbers of the lines that bear the mark `origin`.
        marks: the marks of the lines of which one must be named.
        wave: the warp or wave at fault; None where any may be.
    """

    kind: str
    lane: int | None = None
    patterns: tuple[str, ...] = ()
    marks: tuple[str, ...] = ("hazard",)
    wave: int | None = None

    def wrong(self, hazard: Exception, text: str) -> str:
        """In what a report about a text differs from the fault; "" if it is the one."""
        kind, line, wave, lane = (
            getattr(hazard, name) for name in ("kind", "line", "wave", "lane")
        )
        lines = {number for mark in self.marks for number in marked(text, mark)}
        if kind != self.kind:
            return f"kind {kind}, not {self.kind}: {hazard}"
        if line not in lines:
            return f"line {line}, not {sorted(lines)}: {hazard}"
        if self.wave is not None and wave != self.wave:
            return f"wave {wave}, not {self.wave}: {hazard}"
        if self.lane is not None and lane != self.lane:
            return f"lane {lane}, not {self.lane}: {hazard}"
        origins = "|".join(str(number) for number in sorted(marked(text, "origin")))
        for pattern in self.patterns:
            if not re.search(pattern.replace("{origin}", f"(?:{origins})"), str(hazard)):
                return f"`{pattern}` is not in the sentence: {hazard}"
        return ""
