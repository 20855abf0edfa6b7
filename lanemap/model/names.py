"""Finds the variants for a name that a user types or pastes."""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from lanemap.errors import UserError
from lanemap.model import spellings
from lanemap.model.spellings import shapes
from lanemap.model.spellings.pasted import OPERAND
from lanemap.model.variant import Variant

#: How many names a sentence offers where none is meant, and where several are.
NEAREST, SHOWN = 4, 8
# Legal values of a modifier in upper case.
_UPPER = ((re.compile(r"scale_vec::(\d)x"), r"scale_vec::\1X"),)

Item = TypeVar("Item")
Find = Callable[[str], tuple[Variant, ...]]


def base(name: str) -> str:
    """The instruction of a name, without its operand."""
    return OPERAND.split(name)[0]


@dataclass(frozen=True)
class Meaning:
    """One thing that a name stands for: one map, or the operands of one instruction."""

    name: str
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class Name:
    """A name as it was given, and what it means.

    Attributes:
        given: What the user typed or pasted.
        meanings: One, or several where the name leaves something open.
    """

    given: str
    meanings: tuple[Meaning, ...]

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The variants of all meanings, each once."""
        return tuple({v.name: v for each in self.meanings for v in each.variants}.values())

    @property
    def read_as(self) -> str:
        """The instruction or map that a foreign name was read as; empty for lanemap's own names."""
        if len(self.meanings) > 1 or self.given.strip() == self.meanings[0].name:
            return ""
        found = self.meanings[0].variants
        return found[0].name if len(found) == 1 else self.meanings[0].name

    def operands(self) -> tuple[Variant, ...]:
        """The variants of the only meaning.

        Raises:
            UserError: The name means several things; the sentence lists them.
        """
        if len(self.meanings) == 1:
            return self.variants
        names = list(dict.fromkeys(each.name for each in self.meanings))
        listed = ", ".join(names[:SHOWN])
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        raise UserError(
            f"{self.given!r} means {len(names)} things: {listed}{more}; name one of them "
            f"(`lanemap list variants '{self.given}'` shows all)"
        )


def listed(name: str, known: Sequence[Variant]) -> tuple[Variant, ...]:
    """The listed variants that a name stands for.

    A name is that of one variant, of an instruction (all of its operands), or of an operand without
    its format (`v_mfma_f32_16x16x128_f8f6f4:A`). C of a matrix instruction lies as D does.
    """
    if name.endswith(":C"):
        name = f"{name[:-1]}D"
    begins = f"{name}." if OPERAND.search(name) else f"{name}:"
    exact = tuple(each for each in known if each.name == name)
    return exact or tuple(each for each in known if each.name.startswith(begins))


def one(name: str, found: Sequence[Variant]) -> Variant:
    """The only variant that a name stands for.

    Raises:
        UserError: It stands for several operands or formats.
    """
    if len(found) > 1:
        each = ", ".join(variant.name for variant in found)
        raise UserError(f"{name} names {len(found)} maps; choose one of {each}")
    return found[0]


def read(name: str, known: Sequence[Variant], find: Find) -> Name:
    """What a name means that is not lanemap's own.

    Args:
        name: What the user typed or pasted.
        known: All listed variants.
        find: Finds the variants of a name of lanemap's own; () if it is none.

    Raises:
        UserError: Nothing; the sentence says why, or names the nearest.
    """
    pasted = spellings.Pasted.of(name)
    folded = pasted.word.lower() + (f":{pasted.operand}" if pasted.operand else "")
    for pattern, upper in _UPPER:
        folded = pattern.sub(upper, folded)
    own = {each.name.lower(): each.name for each in known}
    ours = own.get(folded.lower(), folded)
    # The operands of an instruction may choose among its variants.
    if not pasted.rest and (found := find(ours)):
        return Name(name, (Meaning(ours, found),))
    meanings = []
    readings = spellings.readings(name) or shapes.read(pasted, own.values())
    for reading in readings:
        variants = tuple(v for each in reading.variants for v in find(each))
        if pasted.operand:
            variants = tuple(v for v in variants if _is_operand(v, pasted.operand))
        if variants:
            meanings.append(Meaning(reading.name, variants))
    glob = set(pasted.text) & set("*?")
    if not meanings and not glob and (reason := spellings.reason(name)):
        raise UserError(f"there is no variant of {pasted.word!r}: {reason}")
    if not meanings:
        found = find(ours)
        alone = [(each.name, (each,)) for each in _matching(pasted, known)]
        meanings = [Meaning(*each) for each in ([(ours, found)] if found else alone)]
    if not meanings:
        raise _unknown(name, pasted, known)
    return Name(name, tuple(dict.fromkeys(meanings)))


def _is_operand(variant: Variant, operand: str) -> bool:
    own = OPERAND.split(variant.name)[-1].partition(".")[0].lower()
    return own == operand.lower().replace("c", "d")


def _matching(pasted: spellings.Pasted, known: Sequence[Variant]) -> list[Variant]:
    """The variants that a name with `*`, `?` or `[` matches, or whose names begin with it."""
    word = pasted.text.lower()
    if set(word) & set("*?"):
        return globbed(word, known, lambda each: (each.name,))
    begins = re.compile(rf"{re.escape(pasted.word.lower())}(?=[.:_x])")
    return [each for each in known if begins.match(each.name.lower())] if pasted.word else []


def globbed(
    pattern: str, items: Iterable[Item], names: Callable[[Item], Sequence[str]]
) -> list[Item]:
    """The items with a name that a glob matches whole; where there is none, anywhere in it."""
    kept = list(items)
    for each in (pattern.lower(), f"*{pattern.lower()}*"):
        found = [x for x in kept if any(fnmatch.fnmatchcase(n.lower(), each) for n in names(x))]
        if found:
            return found
    return []


def _unknown(name: str, pasted: spellings.Pasted, known: Sequence[Variant]) -> UserError:
    """The error for a name of nothing, with the four nearest names."""
    whole = bool(OPERAND.search(pasted.text))
    names = {
        (n if whole else base(n)).lower(): n if whole else base(n) for n in (v.name for v in known)
    }
    close = difflib.get_close_matches(pasted.word.lower(), names, NEAREST, 0.5)
    sentence = f"there is no variant {pasted.word or name!r}; "
    if not close:
        return UserError(sentence + "`lanemap list variants` shows all")
    return UserError(f"{sentence}the nearest are {', '.join(names[each] for each in close)}")
