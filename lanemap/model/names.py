"""Finds the variants for a name that a user types or pastes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lanemap.errors import UserError
from lanemap.model.variant import Variant

SHOWN = 4
# The operand of a matrix instruction comes after one colon; `cta_group::1` has two.
_OPERAND = re.compile(r"(?<!:):(?!:)")


def base(name: str) -> str:
    """The instruction of a name, without its operand."""
    return _OPERAND.split(name)[0]


def listed(name: str, known: Sequence[Variant]) -> tuple[Variant, ...]:
    """The listed variants that a name stands for.

    A name is that of one variant, of an instruction (all of its operands), or of an operand without
    its format (`v_mfma_f32_16x16x128_f8f6f4:A`). C of a matrix instruction lies as D does.
    """
    if name.endswith(":C"):
        name = f"{name[:-1]}D"
    begins = f"{name}." if _OPERAND.search(name) else f"{name}:"
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


def unknown(name: str, known: Sequence[Variant]) -> UserError:
    """The error for an unknown name; it lists variants of the instruction's family."""
    sentence = f"there is no variant {name!r}; "
    words = _words(name)
    best = sorted(known, key=lambda each: _common(words, _words(each.name)), reverse=True)
    if len(name.split()) > 1:
        return UserError(sentence + "give the name of the instruction alone, without its operands")
    if not _common(words, _words(best[0].name))[0]:
        families = ", ".join(dict.fromkeys(each.family for each in known))
        return UserError(sentence + f"the families are {families} (`lanemap list variants FAMILY`)")
    family = best[0].family
    whole = bool(_OPERAND.search(name))
    names = dict.fromkeys(
        each.name if whole else base(each.name) for each in best if each.family == family
    )
    shown = ", ".join(list(names)[:SHOWN])
    if len(names) <= SHOWN:
        return UserError(sentence + f"the family {family} has {shown}")
    return UserError(
        sentence + f"the nearest of the family {family} are {shown} "
        f"(`lanemap list variants '{family}'` shows all {len(names)})"
    )


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())


def _common(ours: list[str], theirs: list[str]) -> tuple[int, int]:
    """How many leading words two names share, and how many in all."""
    pairs = zip(ours, theirs, strict=False)
    differ = (i for i, (mine, other) in enumerate(pairs) if mine != other)
    leading = next(differ, min(len(ours), len(theirs)))
    return leading, len(set(ours) & set(theirs))
