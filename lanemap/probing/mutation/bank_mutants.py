"""Mutants of the rules of shared memory's banks (lanemap/model/banks.py)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lanemap.model.banks import BankRule, rules_of
from lanemap.probing.banks.forms import ACCESSES
from lanemap.probing.banks.lds_forms import LDS_ACCESSES

SUFFIX = ":banks"
EXCHANGES = 8
#: What the emulator can count with, besides the model's number.
BANKS = (8, 16, 32, 64)


@dataclass(frozen=True)
class BankMutant:
    """One changed rule, with what was changed in words."""

    name: str
    rule: BankRule


def rule_of(variant: str, target: str) -> BankRule:
    """The model's rule of the form that a probe calls `ld.shared.u8:banks` or `ds_read_b64:banks`.

    Raises:
        KeyError: the model has no rule for it.
    """
    name = variant.removesuffix(SUFFIX)
    access = {**ACCESSES, **LDS_ACCESSES}[name]
    transposed = re.search(r"_tr_b(\d+)", name)
    matrix = name.startswith(("ldmatrix", "stmatrix"))
    element_bits = int(transposed[1]) if transposed else 16 if matrix else 0
    for rule in rules_of(target):
        least, most = rule.sizes
        of_kind = (rule.direction, rule.element_bits) == (access.direction, element_bits)
        if of_kind and least <= access.size <= most:
            return rule
    raise KeyError(variant)


def bank_mutants(rule: BankRule, lanes: int, seed: int) -> Iterator[BankMutant]:
    """Changes of a rule that accesses can show.

    Args:
        rule: The rule.
        lanes: How many lanes the form addresses; changes among the others show nothing.
        seed: The seed of the lanes that are exchanged.
    """
    for banks in (each for each in BANKS if each != rule.banks):
        yield BankMutant(f"{banks} banks", replace(rule, banks=banks))
    served = [phase for phase in rule.phases if phase[0] < lanes]
    if len(served) < 2:
        return
    draw = random.Random(seed)
    for _ in range(EXCHANGES):
        first, second = draw.sample(range(len(served)), 2)
        one, two = draw.choice(served[first]), draw.choice(served[second])
        yield BankMutant(f"lanes {one} and {two} exchanged", _exchanged(rule, one, two))
    whole = tuple(lane for phase in rule.phases for lane in phase)
    yield BankMutant("one phase for all lanes", replace(rule, phases=(whole,), joining=()))
    strided = tuple(whole[first :: len(rule.phases)] for first in range(len(rule.phases)))
    yield BankMutant("lanes dealt to the phases in turn", replace(rule, phases=strided))
    if rule.element_bits:
        return
    yield BankMutant("idle phases the other way", replace(rule, idle=not rule.idle))
    for mask in range(1, len(whole)):
        joining = tuple(sorted({*rule.joining} ^ {mask}))
        verb = "no longer join" if mask in rule.joining else "join"
        name = f"phases {verb} where lanes agree with lane XOR {mask}"
        yield BankMutant(name, replace(rule, joining=joining))


def _exchanged(rule: BankRule, one: int, two: int) -> BankRule:
    other = {one: two, two: one}
    phases = tuple(tuple(sorted(other.get(lane, lane) for lane in p)) for p in rule.phases)
    return replace(rule, phases=phases)
