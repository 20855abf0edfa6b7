"""Passes of one access of shared memory at given addresses, with who conflicts with whom.

The passes are the emulator's: a kernel makes the access, and the emulator judges it by the rules of
`lanemap.model.banks`, as it judges every kernel's. The phases and banks beside them say why.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.devices import open_device
from lanemap.errors import UserError
from lanemap.model.banks import WORD_BYTES, BankRule, rules_of
from lanemap.probing.banks import lds_forms
from lanemap.probing.banks.analysis import counted
from lanemap.probing.banks.forms import ACCESSES, MEMORY_BYTES, Access, text_of
from lanemap.probing.banks.lds_forms import LDS_ACCESSES, LdsAccess
from lanemap.probing.banks.rules import agrees, spans
from lanemap.toolchain.amdgcn_kernel import WAVE_LANES, file

Integers = npt.NDArray[np.int64]
#: Bank numbers and words repeat after so many bytes for every number of banks.
PERIOD_BYTES = 256
MOST_ADDRESS = 1 << 30
_SCALAR = re.compile(
    r"(ld|st)(?:\.\w+)*?\.shared(?:::(?:cta|cluster))?(?:\.v(\d))?\.[busf](8|16|32|64)"
)
_MATRIX = re.compile(
    r"(ldmatrix|stmatrix)(?:\.sync)?(?:\.aligned)?(?:\.m8n8)?\.x([124])(\.trans)?"
    r"(?:\.shared(?:::cta)?)?(?:\.b16)?"
)
_DS = re.compile(r"ds_(read|load|write|store)_([bui])(8|16|32|64|96|128)(?:_d16(?:_hi)?)?")
_TRANSPOSE = re.compile(r"ds_read_b64_tr_b(4|8|16)")
_TWO = re.compile(r"ds_(read|write)2(st64)?_b(32|64)")
_SHARED_ATOMIC = re.compile(r"(?:atom|red)\b.*\.shared\b.*")
_LDS_ATOMIC = re.compile(
    r"ds_(?:add|sub|rsub|inc|dec|min|max|and|or|xor|mskor|cmpst|wrxchg|pk_add)\d?_\w+"
)


def access_of(name: str, target: str) -> Access:
    """The access that an instruction makes on a target.

    Raises:
        UserError: The instruction is no access of shared memory that can be asked about, or the
            target has no rule for it.
    """
    _refuse(name)
    found = _lds(name) if target.startswith("gfx") else _shared(name)
    if found is None:
        kinds = (
            "ds_read_b128, ds_write_b64, ds_read_b64_tr_b8" if target.startswith("gfx")
            else "ld.shared.v4.b32, st.shared.b32, ldmatrix.x4.trans"
        )  # fmt: skip
        raise UserError(
            f"{name!r} is no access of shared memory on {target} that can be asked about; name one "
            f"such as {kinds}"
        )
    if not _rules(found, target):
        raise UserError(f"no source says how banks of {target} serve {name}")
    return found


def _refuse(name: str) -> None:
    """Say what is known of instructions that are more than one access, or an atomic one.

    Raises:
        UserError: The instruction is one of them.
    """
    if two := _TWO.fullmatch(name):
        unit = int(two[3]) // 8 * (64 if two[2] else 1)
        raise UserError(
            f"{name} makes two accesses, which are counted one by one: ask about "
            f"ds_{two[1]}_b{two[3]} at the address + {unit}*offset0 and at the address + "
            f"{unit}*offset1, and add the passes"
        )
    if _SHARED_ATOMIC.fullmatch(name):
        raise UserError(
            f"no passes of {name} are counted: `lanemap time` has the cycles of shared atomics on "
            "an H200, by banks, but no source gives their passes"
        )
    if _LDS_ATOMIC.fullmatch(name):
        raise UserError(f"no source says how banks serve the atomic {name}")


def _shared(name: str) -> Access | None:
    matrix, scalar = _MATRIX.fullmatch(name), _SCALAR.fullmatch(name)
    if matrix:
        verb, count, trans = matrix.groups()
        return ACCESSES[f"{verb}.sync.aligned.m8n8.x{count}{trans or ''}.shared.b16"]
    if not scalar:
        return None
    size = int(scalar[2] or 1) * int(scalar[3]) // 8
    verb = "load" if scalar[1] == "ld" else "store"
    plain = (each for each in ACCESSES.values() if not each.aligned)
    return next((each for each in plain if (each.direction, each.size) == (verb, size)), None)


def _lds(name: str) -> Access | None:
    plain = _DS.fullmatch(name)
    if _TRANSPOSE.fullmatch(name):
        return LDS_ACCESSES[name]
    if plain is None:
        return None
    size = int(plain[3]) // 8
    verb = "load" if plain[1] in ("read", "load") else "store"
    if size == 12:
        own = f"ds_{'read' if verb == 'load' else 'write'}_b96"
        return LdsAccess(own, verb, 12, 3, WAVE_LANES, False, WAVE_LANES)
    each = LDS_ACCESSES.values()
    return next((a for a in each if not a.aligned and (a.direction, a.size) == (verb, size)), None)


def _rules(access: Access, target: str) -> list[BankRule]:
    """The rule of an access: that of its direction, size and elements."""
    elements = re.search(r"_tr_b(\d+)$", access.name)
    bits = int(elements[1]) if elements else 16 if access.aligned else 0
    return [
        rule
        for rule in rules_of(target)
        if (rule.direction, rule.element_bits) == (access.direction, bits)
        and rule.sizes[0] <= access.size <= rule.sizes[1]
    ]


@dataclass(frozen=True)
class Phase:
    """Lanes that are served together.

    Attributes:
        lanes: The lanes.
        passes: The passes that they take: the most words of one bank.
        bank: The first bank that has so many words.
        words: Of each of these words, its number (address / 4) and the lanes that want it.
    """

    lanes: tuple[int, ...]
    passes: int
    bank: int
    words: tuple[tuple[int, tuple[int, ...]], ...]

    def sentence(self) -> str:
        """Why the phase takes as many passes."""
        served = f"lanes {spans(self.lanes)}"
        if self.passes < 2:
            return f"{served}: {self.passes} pass{'' if self.passes == 1 else 'es'}"
        shown = [
            f"word {word} (lane{'s' if len(lanes) > 1 else ''} {spans(lanes)})"
            for word, lanes in self.words[:4]
        ]
        more = f" and {len(self.words) - 4} more" if len(self.words) > 4 else ""
        return f"{served}: {self.passes} passes, bank {self.bank} has {', '.join(shown)}{more}"


@dataclass(frozen=True)
class Conflicts:
    """Passes of an access.

    Attributes:
        access: The form of access.
        target: The target.
        rule: The rule by which it was judged.
        addresses: The byte address of each lane that gives one.
        passes: Passes that the emulator counts.
        least: Passes that it would take without conflicts.
        phases: The phases, joined where they are.
    """

    access: Access
    target: str
    rule: BankRule
    addresses: tuple[int, ...]
    passes: int
    least: int
    phases: tuple[Phase, ...]

    @property
    def conflicts(self) -> int:
        """Passes more than without conflicts."""
        return self.passes - self.least

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        return {
            "access": self.access.name,
            "target": self.target,
            "bytes": self.access.size,
            "addresses": list(self.addresses),
            "passes": self.passes,
            "least": self.least,
            "conflicts": self.conflicts,
            "banks": self.rule.banks,
            "phases": [
                {
                    "lanes": list(each.lanes),
                    "passes": each.passes,
                    "bank": each.bank,
                    "words": [{"word": w, "lanes": list(lanes)} for w, lanes in each.words],
                }
                for each in self.phases
            ],
            "evidence": self.rule.evidence,
            "citations": list(self.rule.citations),
        }


def conflicts(access: Access, target: str, addresses: Sequence[int]) -> Conflicts:
    """What an access takes at the byte address that each lane gives.

    Args:
        access: The form, from `access_of`.
        target: The target whose rules judge it.
        addresses: A byte address for each lane whose address counts, `access.lanes` of them.

    Raises:
        UserError: An address is negative, too large or no multiple of the access's size.
    """
    align = 4 if access.size == 12 else access.size
    for lane, address in enumerate(addresses):
        if not 0 <= address < MOST_ADDRESS:
            raise UserError(f"lane {lane} gives the address {address}, which is no byte of memory")
        if address % align:
            raise UserError(
                f"lane {lane} gives the address {address}, which is no multiple of {align} as "
                f"{access.name} needs"
            )
    (rule,) = _rules(access, target)
    row = np.zeros(access.wave, np.int64)
    row[: len(addresses)] = _closer(np.array(addresses, np.int64), access.size)
    if row.max() + access.size > MEMORY_BYTES:
        raise UserError("the addresses touch too many lines of 256 bytes to be judged together")
    passes = _counted(access, target, row[None])
    own = np.array(addresses, np.int64)
    phases = tuple(_phase(each, own, access, rule) for each in _phases(rule, own))
    if passes != sum(each.passes for each in phases):
        raise AssertionError(f"the emulator counts {passes} passes, the phases are {phases}")
    return Conflicts(access, target, rule, tuple(addresses), passes, len(phases), phases)


def _closer(addresses: Integers, size: int) -> Integers:
    """Addresses with the same banks, and equal and adjacent words as before, near zero."""
    first, last = addresses // PERIOD_BYTES, (addresses + size - 1) // PERIOD_BYTES
    used = np.unique(np.concatenate([first, last]))
    moved: Integers = np.searchsorted(used, first) * PERIOD_BYTES + addresses % PERIOD_BYTES
    return moved


def _counted(access: Access, target: str, rows: Integers) -> int:
    """The passes that the emulator counts."""
    device = open_device(target, device="emulator", hazards="report")
    if isinstance(access, LdsAccess):
        text = file([lds_forms.kernel(access)], target)
    else:
        text = text_of([access], target)
    passes, _, _ = counted(device, device.load(text)[access.entry], access, rows)
    return int(passes[0])


def _phases(rule: BankRule, addresses: Integers) -> list[tuple[int, ...]]:
    """The phases that have lanes with an address, joined where the rule joins them."""
    count = len(addresses)
    own = [tuple(lane for lane in phase if lane < count) for phase in rule.phases]
    own = [phase for phase in own if phase]
    if any(agrees(addresses, mask) for mask in rule.joining):
        return [tuple(sum(own[at : at + 2], ())) for at in range(0, len(own), 2)]
    return own


def _phase(lanes: tuple[int, ...], addresses: Integers, access: Access, rule: BankRule) -> Phase:
    wanted: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for lane in lanes:
        start = int(addresses[lane])
        for word in range(start // WORD_BYTES, (start + access.size - 1) // WORD_BYTES + 1):
            wanted[word % rule.banks][word].append(lane)
    bank = max(sorted(wanted), key=lambda each: len(wanted[each]))
    words = tuple((word, tuple(own)) for word, own in sorted(wanted[bank].items()))
    return Phase(lanes, len(words), bank, words)
