"""Instructions by the names that people paste: SASS with operands, PTX, or part of either.

Which SASS opcode an instruction of PTX becomes is taken from the probes themselves: the window of a
series or of a chain of one step holds PTX, and the stored row says what ptxas made of it. If a link
has several instructions of PTX, the one that no other link explains stands for the timed opcode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache

from lanemap.errors import UserError
from lanemap.records.schema import Record
from lanemap.timing.chains import Chains
from lanemap.timing.find import TimingProbe
from lanemap.timing.pipes import WITH
from lanemap.timing.series import SeriesProbe
from lanemap.timing.text import Step

_COMMENT = re.compile(r"/\*.*?\*/|//.*")
_BEFORE = re.compile(r"^(?:[\s{}]*[\w$]+:(?!:))?[\s{}]*(?:@!?%?\w+\s+)?")
_OPCODE = re.compile(r"[a-z][\w.:]*(?![\w.:])")
#: Columns of a product of a warpgroup, in SASS and in PTX: an axis of its series, not its name.
_COLUMNS_SASS, _COLUMNS_PTX = re.compile(r"(?<=GMMA\.64x)\d+(?=x)"), re.compile(r"(?<=m64n)\d+")
_SPARSE_COLUMNS = re.compile(r"(?<=GMMA\.SP\.64x)\d+(?=x)")
#: What says nothing of the opcode: state space details, hints, and types of one width.
_SILENT = {"volatile", "weak", "aligned", "rn"}
_WIDTHS = {f"{kind}{bits}": f"b{bits}" for kind in "usf" for bits in (8, 16, 32, 64)}
_UNTYPED = ("ld", "st", "shfl", "mov")
_UNSIGNED = {"s32": "u32", "s64": "u64"}
_SIGNLESS = ("add", "sub")
#: The number of a link in the text of a series.
_NUMBER = re.compile(r"\{i[^}]*\}")
#: What a link computes addresses and phases with, besides what it times.
_HELPERS = {"add", "and", "bra", "cvt", "elect", "lop3", "mad", "mov", "or", "selp", "xor"}
#: Parts of what ends an operation that another instruction began.
_ENDS = {"commit_group", "wait_group", "wait", "wait_all"}


def opcode(pasted: str) -> str:
    """The opcode of a pasted instruction: without comment, guard, operands and semicolon."""
    text = _BEFORE.sub("", _COMMENT.sub("", pasted).strip())
    return text.split(maxsplit=1)[0].rstrip(";,") if text.split() else ""


class Names:
    """The instructions of stored rows.

    Args:
        rows: the rows.
        probes: the probes that measured them.
    """

    def __init__(self, rows: Sequence[Record], probes: Iterable[TimingProbe]) -> None:
        self.sass = sorted(
            {each["instruction"] for row in rows for each in row.findings["figures"]}
        )
        self._made = _resolved([*_links(rows, probes)], set(self.sass))

    def ptx(self, instruction: str) -> list[str]:
        """The instructions of PTX of which the probes had ptxas make a SASS opcode, sorted."""
        return sorted(name for name, made in self._made.items() if instruction in made)

    def find(self, pasted: str) -> set[str]:
        """The SASS opcodes that a pasted name means; empty for none.

        It is a SASS opcode or its beginning, else an instruction of PTX or its beginning. With
        operands it is a whole opcode, if there is one.
        """
        name = opcode(pasted)
        wanted = _COLUMNS_SASS.sub("N", _SPARSE_COLUMNS.sub("N", name)).casefold()
        found = {each for each in self.sass if _begins(each.casefold(), wanted)}
        whole = {each for each in found if each.casefold() == wanted}
        if whole and len(pasted.split()) > 1:
            return whole
        if found:
            return found
        key = _key(name)
        exact = {each for ptx, made in self._made.items() if _key(ptx) == key for each in made}
        return exact or {
            each
            for ptx, made in self._made.items()
            if _begins(ptx, name.lower()) or _begins(_key(ptx), key)
            for each in made
        }

    def near(self, pasted: str) -> list[str]:
        """At most five names close to one that means nothing."""
        name = opcode(pasted)
        found = get_close_matches(name.upper(), self.sass, n=5)
        return found or get_close_matches(name.lower(), sorted(self._made), n=5)


def columns(pasted: str) -> int | None:
    """N of a pasted product of a warpgroup; None if the name has none."""
    name = opcode(pasted)
    for pattern in (_COLUMNS_SASS, _SPARSE_COLUMNS, _COLUMNS_PTX):
        if found := pattern.search(name):
            return int(found[0])
    return None


def _begins(name: str, start: str) -> bool:
    return bool(start) and (name == start or name.startswith(f"{start}."))


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    """An instruction of PTX without what says nothing of the opcode that it becomes."""
    words = _COLUMNS_PTX.sub("N", name.lower()).replace("::cta", "").split(".")
    kept = [word for word in words if word not in _SILENT]
    if words[0] in _UNTYPED:
        kept = [_WIDTHS.get(word, word) for word in kept]
    if words[0] in _SIGNLESS or "lo" in words:
        kept = [_UNSIGNED.get(word, word) for word in kept]
    return ".".join(kept)


def _links(
    rows: Sequence[Record], probes: Iterable[TimingProbe]
) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """The instructions of PTX of a link, and the SASS opcodes that it times."""
    chains = {
        chain["steps"][0]: chain
        for row in rows
        for chain in row.findings["chains"]
        if len(chain["steps"]) == 1 and chain["strands"] == 1
    }
    for probe in probes:
        if isinstance(probe, SeriesProbe):
            for series in probe.series:
                if WITH not in series.name:  # a link of two instructions explains neither
                    yield _opcodes(series.link), {series.instruction}
        elif isinstance(probe, Chains):
            for step in probe.steps:
                if step.name in chains:
                    yield _opcodes(step.text), _made(step, chains[step.name]["period"])


def _made(step: Step, period: Iterable[str]) -> set[str]:
    """The opcodes of a step, without the exclusive or of its link."""
    return set(period) - ({"LOP3.LUT"} if step.mixed else set())


def _opcodes(text: str) -> tuple[str, ...]:
    """The instructions in some lines of PTX, each once; labels and directives are none."""
    found: dict[str, None] = {}
    for part in re.split(r"[;\n]", _NUMBER.sub("0", _COMMENT.sub("", text))):
        match = _OPCODE.match(_BEFORE.sub("", part))
        if match:
            found[match[0]] = None
    return tuple(found)


def _resolved(
    links: Sequence[tuple[tuple[str, ...], set[str]]], measured: set[str]
) -> dict[str, set[str]]:
    """By instruction of PTX, the SASS opcodes that it becomes, of those that were measured.

    An instruction that no link explains has those of all links that it is a part of.
    """
    made: dict[str, set[str]] = {}
    links = [(names, opcodes & measured) for names, opcodes in links]
    for _ in range(max((len(names) for names, _ in links), default=0)):
        known = {_key(name): opcodes for name, opcodes in made.items()}
        for names, opcodes in links:
            rest = _candidates(names)
            unknown = [name for name in rest if _key(name) not in known]
            explained = any(known.get(_key(name), set()) & opcodes for name in rest)
            if len(names) == 1 or len(unknown) == 1 and not explained:
                made.setdefault((unknown or names)[0], set()).update(opcodes)
    known = {_key(name): opcodes for name, opcodes in made.items()}
    for names, opcodes in links:
        for name in names:
            if _key(name) not in known and name.partition(".")[0] not in _HELPERS:
                made.setdefault(name, set()).update(opcodes)
    return {name: opcodes for name, opcodes in made.items() if opcodes}


def _candidates(names: tuple[str, ...]) -> list[str]:
    """The instructions of a link that may stand for what it times."""
    rest = [name for name in names if name.partition(".")[0] not in _HELPERS]
    return [name for name in rest if not _ENDS & set(name.split("."))] or rest or list(names)


def unknown(name: str, groups: Sequence[str], names: Names) -> UserError:
    """The error of a name that means no timing."""
    near = names.near(name)
    said = f"the instruction {' or '.join(near)}" if near else "an instruction of SASS or PTX"
    return UserError(f"no timing matches {name!r}; name a group ({', '.join(groups)}) or {said}")
