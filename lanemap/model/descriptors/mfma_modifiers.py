"""cbsz, abid and blgp of MFMA and SMFMAC: what they broadcast, or which formats they choose."""

from __future__ import annotations

from collections.abc import Mapping

from lanemap.errors import UserError
from lanemap.model import mfma, smfmac
from lanemap.model.descriptors.shown import Descriptor, Shown, number

_DENSE = "AMD CDNA 3 ISA, 7.1, Broadcasting values"
_MIXED = "AMD CDNA 4 ISA, 7.1, V_MFMA_*_F8F6F4"
_SPARSE = "AMD CDNA 3 ISA, V_SMFMAC instructions"
_WIDTHS = {"cbsz": 3, "abid": 4, "blgp": 3}
_PATTERNS = (
    "B as it is", "lanes 0-31 of B to both halves", "lanes 32-63 of B to both halves",
    "B rotated down by 16 lanes", *(f"lanes {16 * i}-{16 * i + 15} of B to all" for i in range(4)),
)  # fmt: skip
_NEGATED = ("A", "B", "C")


def decode(name: str, values: Mapping[str, int]) -> Descriptor:
    """Show the modifiers of an instruction.

    Raises:
        UserError: There is no such instruction.
    """
    given = {each: values.get(each, 0) for each in _WIDTHS}
    for modifier, value in given.items():
        if not 0 <= value < 1 << _WIDTHS[modifier]:
            raise UserError(f"{modifier}:{value} does not fit its {_WIDTHS[modifier]} bits")
    shown, faults = _of_instruction(name, given)
    words = " ".join(f"{each}:{value}" for each, value in given.items())
    return Descriptor(f"modifiers of {name}", (words,), tuple(shown), tuple(faults))


def encode(values: Mapping[str, str]) -> dict[str, int]:
    """The modifiers' numbers; a format of f8f6f4 by its name.

    Raises:
        UserError: There is no such modifier.
    """
    formats = {name: code for code, name in enumerate(mfma.FORMATS)}
    for name in values:
        if name not in _WIDTHS:
            raise UserError(f"there is no modifier {name}; they are {', '.join(_WIDTHS)}")
    return {name: number(name, text, formats) for name, text in values.items()}


def _of_instruction(name: str, given: Mapping[str, int]) -> tuple[list[Shown], list[str]]:
    if any(name == each or name == each.replace("mfma_", "mfma_scale_") for each, *_ in mfma.MIXED):
        return _mixed(given)
    for form in mfma.FORMS:
        if name in (form.name, *form.spellings):
            return _dense(form.blocks, form.result, given)
    for sparse in smfmac.FORMS:
        if name == sparse.name:
            return _sparse(sparse.sets, given)
    raise UserError(f"{name} is no MFMA and no SMFMAC; `lanemap list variants 'v_*mf*'` shows them")


def _shown(name: str, value: int, means: str, meaning: str, source: str) -> Shown:
    return Shown(name, 0, _WIDTHS[name], value, means, meaning, source)


def _mixed(given: Mapping[str, int]) -> tuple[list[Shown], list[str]]:
    formats = tuple(mfma.FORMATS)
    shown, faults = [], []
    for name, letter in (("cbsz", "A"), ("blgp", "B")):
        value = given[name]
        means = formats[value] if value < len(formats) else "no format"
        shown.append(_shown(name, value, means, f"format of {letter}", _MIXED))
        if value >= len(formats):
            faults.append(f"{name}:{value} is no format: {', '.join(formats)} are 0 to 4")
    if given["abid"]:
        faults.append("abid is not of f8f6f4")
    return shown, faults


def _dense(blocks: int, result: str, given: Mapping[str, int]) -> tuple[list[Shown], list[str]]:
    cbsz, abid, blgp = given["cbsz"], given["abid"], given["blgp"]
    if result == "f64":
        negated = [letter for bit, letter in enumerate(_NEGATED) if blgp >> bit & 1]
        shown = [
            _shown("blgp", blgp, " and ".join(negated) or "nothing", "what is negated", _DENSE)
        ]
        return shown, ["cbsz and abid are not of f64"] if cbsz or abid else []
    faults = []
    if not blocks >> cbsz:
        faults.append(f"cbsz:{cbsz} joins {1 << cbsz} blocks, and A has {blocks}")
    elif abid >> cbsz:
        faults.append(f"abid:{abid} is no block of a group of {1 << cbsz}")
    group = f"{1 << cbsz} blocks" if cbsz else "every block its own A"
    means = f"{group} read the same A" if cbsz else group
    return [
        _shown("cbsz", cbsz, means, "log2 of the blocks that share A", _DENSE),
        _shown("abid", abid, f"block {abid} of the group", "which block they read", _DENSE),
        _shown("blgp", blgp, _PATTERNS[blgp], "lanes of B", _DENSE),
    ], faults


def _sparse(sets: int, given: Mapping[str, int]) -> tuple[list[Shown], list[str]]:
    chosen = 0 if given["cbsz"] else given["abid"]
    shown = [
        _shown("cbsz", given["cbsz"], "set 0" if given["cbsz"] else "set abid",
               "whether abid chooses the set of indices", _SPARSE),
        _shown("abid", given["abid"], f"set {chosen}", "set of indices", _SPARSE),
    ]  # fmt: skip
    faults = [f"abid:{chosen}: the index register holds {sets} sets"] if chosen >= sets else []
    return shown, faults + (["blgp is not of SMFMAC"] if given["blgp"] else [])
