"""What decides which instructions a CTA executes: read from the PTX, without running it.

CTAs whose branches, guards and addresses in shared memory depend on neither their place in the grid
nor on what memory holds execute the same, but for the addresses in global memory.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

#: Values that differ between CTAs, by the register that has them.
_PLACES = {
    "%ctaid.x": "x", "%ctaid.y": "y", "%ctaid.z": "z",
    "%clusterid.x": "x", "%clusterid.y": "y", "%clusterid.z": "z",
}  # fmt: skip
#: What no reading of the text tells: the contents of memory, clocks, SMs.
DATA = "data"
_UNKNOWN = re.compile(r"%(clock|globaltimer|smid|warpid|gridid)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LABEL = re.compile(r"^([\s{}]*[\w$]+\s*:(?!:))*[\s{}]*")
_WORD = re.compile(r"%?[A-Za-z_$][\w$]*(?:\.[xyz]\b)?")
_READS = re.compile(r"(ld|ldu|atom|ldmatrix|tex|suld|multimem|mbarrier\.arrive)\b")
_SHARED = re.compile(
    r"(ld|st|atom|red)\.(volatile\.|relaxed\.\w+\.|acquire\.\w+\.)*shared|ldmatrix|stmatrix"
)
#: Instructions with a guard that is no branch cost the same either way.
_PLAIN = re.compile(
    r"(mov|add|sub|mul|mad|fma|and|or|xor|not|shl|shr|selp|setp|cvt|cvta|min|max)\b"
)


@dataclass(frozen=True)
class Statement:
    """An instruction: its guard, opcode and operands."""

    guard: str
    opcode: str
    operands: tuple[str, ...]


def statements(ptx: str, entry: str) -> Iterator[Statement]:
    """The instructions of a kernel."""
    text = _COMMENT.sub(" ", ptx)
    found = re.search(rf"\.entry\s+{re.escape(entry)}\b", text)
    if not found:
        return
    begin, depth = text.index("{", found.end()), 0
    for end in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if not depth:
            break
    body = re.sub(r"^\s*\.(loc|pragma|file)[^\n]*", "", text[begin + 1 : end], flags=re.MULTILINE)
    for part in body.split(";"):
        words = _LABEL.sub("", part.strip("{} \n\t"))
        guard = ""
        if words.startswith("@"):
            guard, _, words = words.partition(" ")
        opcode, _, rest = words.strip().partition(" ")
        if opcode and opcode[0].isalpha():
            yield Statement(guard.lstrip("@!"), opcode, tuple(_operands(rest)))


def _operands(text: str) -> Iterator[str]:
    """Operands, of which braces and brackets hold several words together."""
    depth, own = 0, ""
    for letter in text:
        depth += {"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            yield own.strip()
            own = ""
        else:
            own += letter
    if own.strip():
        yield own.strip()


def deciding(ptx: str, entry: str) -> frozenset[str]:
    """What decides the execution of a CTA: "x", "y", "z" of its place in the grid, and DATA."""
    code = list(statements(ptx, entry))
    depends: dict[str, frozenset[str]] = defaultdict(frozenset)
    while True:
        before = dict(depends)
        for each in code:
            _follow(each, depends)
        if depends == before:
            break
    found: frozenset[str] = frozenset()
    for each in code:
        found |= _decides(each, depends)
    return found


def _of(text: str, depends: dict[str, frozenset[str]]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for word in _WORD.findall(text):
        if word in _PLACES:
            found |= {_PLACES[word]}
        elif _UNKNOWN.match(word):
            found |= {DATA}
        elif word in depends:
            found |= depends[word]
    return found


def _follow(each: Statement, depends: dict[str, frozenset[str]]) -> None:
    """What an instruction writes depends on what it reads, and on what its address holds."""
    if not each.operands or each.opcode.startswith(("st.", "red.", "bra", "bar", "ret", "exit")):
        return
    own = _of(" ".join(each.operands[1:]), depends) | _of(each.guard, depends)
    if _READS.match(each.opcode) and ".param" not in each.opcode:
        own |= {DATA}
    if each.opcode.startswith("call"):
        own |= {DATA}
    first = each.operands[0]
    for word in _WORD.findall(first):
        if word not in _PLACES and not own <= depends[word]:
            depends[word] |= own


def _decides(each: Statement, depends: dict[str, frozenset[str]]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    if each.guard and not _PLAIN.match(each.opcode):
        found |= _of(each.guard, depends)
    if each.opcode.startswith(("brx", "call", "bar", "barrier")):
        found |= _of(" ".join(each.operands), depends)
    if _SHARED.match(each.opcode):
        found |= _of(" ".join(text for text in each.operands if text.startswith("[")), depends)
    # The sectors that lanes access follow from memory where an address does.
    if each.opcode.startswith(("ld", "st", "atom", "red")) and "shared" not in each.opcode:
        addresses = " ".join(text for text in each.operands if text.startswith("["))
        found |= _of(addresses, depends) & {DATA}
    return found
