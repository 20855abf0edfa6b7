"""The runtime's IR in parts, so that a process compiles only the helpers that its kernels call.

Part 0 has what every launch needs, part 1 what loads and stores need. Other functions share a part
if the same kernel-called functions need them.
"""

from __future__ import annotations

import functools
import re

from lanemap.emulator.runtime.built import IR

#: What Python calls, then what nearly every kernel calls: with all that they call, parts 0 and 1.
ROOTS = (
    ("lm_run_clusters", "lm_run_group", "lm_begin", "lm_uncompiled"),
    ("lm_load", "lm_store", "lm_undefined_row", "lm_undefined_uniform"),
)
_FUNCTION = re.compile(r"^(define [^@\n]*@([\w.$]+)\([^\n]*)\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_SYMBOL = re.compile(r"@([\w.$]+)")


class Parts:
    """The functions of an IR text and the part that each belongs to."""

    def __init__(self, text: str) -> None:
        """Divide `text`, which has no metadata and no attribute groups (runtime_build.portable)."""
        self._heads: dict[str, str] = {}
        self._bodies: dict[str, str] = {}
        for match in _FUNCTION.finditer(text):
            self._heads[match[2]], self._bodies[match[2]] = match[1], match[0]
        rest = _FUNCTION.sub("", text).splitlines()
        self._types = [line for line in rest if line.startswith("%")]
        named = [line for line in rest if line.startswith(("@", "declare"))]
        self._others = {_SYMBOL.findall(line)[0]: line for line in named}
        self._uses = {
            name: set(_SYMBOL.findall(body)) - {name} for name, body in self._bodies.items()
        }
        #: The number of every function's part.
        self.numbers = self._divide()

    def _divide(self) -> dict[str, int]:
        numbers: dict[str, int] = {}
        for part, roots in enumerate(ROOTS):
            for name in self._reached(roots):
                numbers.setdefault(name, part)
        rest = [name for name in self._bodies if name not in numbers]
        called = set().union(*(self._uses[name] for name in rest))
        entries = [name for name in rest if name.startswith("lm_") or name not in called]
        reached_by: dict[str, list[str]] = {name: [] for name in rest}
        for entry in entries:
            for name in self._reached((entry,)):
                if name in reached_by:
                    reached_by[name].append(entry)
        together: dict[tuple[str, ...], int] = {}
        for name in rest:
            numbers[name] = together.setdefault(tuple(reached_by[name]), len(ROOTS) + len(together))
        return numbers

    def needs(self) -> dict[int, list[int]]:
        """The parts that each part calls, itself not among them."""
        found: dict[int, set[int]] = {number: set() for number in self.numbers.values()}
        for name, part in self.numbers.items():
            found[part] |= {self.numbers[used] for used in self._uses[name] & self.numbers.keys()}
        return {part: sorted(others - {part}) for part, others in found.items()}

    def _reached(self, roots: tuple[str, ...]) -> list[str]:
        found: dict[str, None] = {}
        work = list(roots)
        while work:
            name = work.pop()
            if name not in found and name in self._bodies:
                found[name] = None
                work += self._uses[name]
        return list(found)

    def text(self, part: int) -> str:
        """The IR of one part: its functions, and declarations of others that they call."""
        mine = [name for name, number in self.numbers.items() if number == part]
        used = sorted(set().union(*(self._uses[name] for name in mine)) - set(mine))
        lines = list(self._types)
        for name in used:
            if name in self._bodies:
                lines.append(_declaration(self._heads[name]))
            else:
                lines.append(self._shared(self._others[name], part))
        lines += [re.sub(r"^define internal", "define", self._bodies[name]) for name in mine]
        return "\n".join(lines)

    def _shared(self, line: str, part: int) -> str:
        """A constant is repeated in every part that uses it; a variable is part 0's."""
        if line.startswith("declare") or " constant " in line:
            return line
        if part == 0:
            return line.replace("internal global", "global")
        return re.sub(r"= internal global (%?[\w.]+) .*", r"= external global \1", line)


def _declaration(head: str) -> str:
    text = re.sub(r"^define (?:internal )?", "declare ", head)
    return re.sub(r"\)[^)]*$", ")", text)


@functools.cache
def parts() -> Parts:
    """Those of the emulator's runtime."""
    return Parts(IR.read_text())
