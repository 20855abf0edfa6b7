"""Match an instruction to its definition: the role of each operand, and the encoding size.

Instructions that the hardware cannot encode are refused here, as LLVM's assembler does: wrong
widths, tuples that begin at an odd VGPR, unsupported modifiers, or two scalars where one fits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lanemap.emulator.amdgcn.lower.constants import ConstantError, constant_bits, is_inline
from lanemap.emulator.amdgcn.lower.refused import of_other_targets, why_refused
from lanemap.emulator.amdgcn.lower.table import (
    FLOAT_TYPES,
    VOP2_LITERAL,
    VOP3P,
    Definition,
    Role,
    lookup,
)
from lanemap.emulator.amdgcn.text import PROCESSOR
from lanemap.emulator.amdgcn.text.errors import AssemblyError, Place
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.amdgcn.text.operands import EXEC, M0, SCC, VCC, Operand

DPP_CONTROLS = frozenset(
    ["quad_perm", "row_shl", "row_shr", "row_ror", "row_bcast", "row_newbcast", "row_mirror",
     "row_half_mirror", "wave_shl", "wave_rol", "wave_shr", "wave_ror"]
)  # fmt: skip
DPP_MODIFIERS = DPP_CONTROLS | {"row_mask", "bank_mask", "bound_ctrl"}
SDWA_MODIFIERS = frozenset(["dst_sel", "dst_unused", "src0_sel", "src1_sel"])
_VOP = frozenset(["VOP1", "VOP2", "VOPC", "VOP3", "VOP3P"])
_CONSTANTS = frozenset(["integer", "float", "expression"])
_SPECIAL_WORDS = {
    "scc": 1, "vccz": 1, "execz": 1, "shared_base": 2, "shared_limit": 2, "private_base": 2,
    "private_limit": 2,
}  # fmt: skip
_IMPLIED = {
    "scc": Operand("special", SCC, name="scc"),
    "vcc": Operand("s", VCC, 2),
    "exec": Operand("s", EXEC, 2),
    "m0": Operand("s", M0, 1),
}


@dataclass(frozen=True, slots=True)
class Bound:
    """An instruction with its definition.

    Attributes:
        roles, operands: Pairs, in the order of the definition; implied operands included.
        encoding: "", "e32", "e64", "dpp" or "sdwa", as it is encoded.
        size: Bytes.
        refusal: Why the emulator does not execute it; "" where it does.
    """

    definition: Definition
    instruction: Instruction
    roles: tuple[Role, ...]
    operands: tuple[Operand, ...]
    encoding: str
    size: int
    refusal: str = ""


def bind(instruction: Instruction, place: Place, target: str = PROCESSOR) -> Bound:
    """Match an instruction of a target with its definition.

    Raises:
        AssemblyError: The emulator does not know it, or its operands do not fit.
    """
    definition = lookup(instruction.mnemonic, target)
    doubtful = definition is None or "lds" in instruction.modifiers
    if doubtful and (lacks := of_other_targets(instruction, target)):
        raise place.error(lacks)
    if definition is None:
        why = why_refused(instruction.mnemonic)
        reason = f", {why}" if why else ""
        raise place.error(
            f"the emulator does not execute {instruction.mnemonic}{reason} (`{instruction.text}`)"
        )
    try:
        return _bind(definition, instruction)
    except (_Misfit, ConstantError) as error:
        raise place.error(f"{error} (`{instruction.text}`)") from None


def bind_or_refuse(instruction: Instruction, place: Place, target: str) -> Bound:
    """Match an instruction with its definition, or return a placeholder with the refusal reason.

    A kernel that can reach the stand-in is refused when it is asked for; the others run.
    """
    try:
        return bind(instruction, place, target)
    except AssemblyError as error:
        return Bound(_UNKNOWN, instruction, (), (), "", _UNKNOWN.format.size, error.sentence)


def _refused(*_: Any) -> None:
    raise RuntimeError("an instruction that was refused is not executed")


#: What stands for instructions that are refused. Their size, which nothing but distances across
#: them could show, is that of most.
_UNKNOWN = Definition("", (), VOP3P, "", _refused, raw=True)


class _Misfit(ValueError):
    """An operand or modifier that does not fit; `bind` adds the line and the text."""


def _bind(definition: Definition, instruction: Instruction) -> Bound:
    if definition.extra.get("offset_optional") and len(instruction.operands) == 2:
        instruction = replace(instruction, operands=(*instruction.operands, Operand("integer")))
    roles = _roles(definition, instruction)
    explicit = [role for role in roles if not role.implied]
    written = list(instruction.operands)
    if definition.vcc_optional and len(written) == len(explicit) - 1:
        # LLVM's e32 comparisons may leave out the vcc that they write.
        written.insert(0, _IMPLIED["vcc"])
    if definition.extra.get("vcc_last") and len(written) == len(explicit) - 1:
        written.append(_IMPLIED["vcc"])
    if len(written) != len(explicit):
        raise _Misfit(f"{definition.name} takes {len(explicit)} operands here, not {len(written)}")
    given = iter(written)
    operands = []
    for role in roles:
        operand = _IMPLIED[role.place] if role.implied else next(given)
        if not role.implied:
            _check(definition, role, operand)
        operands.append(operand)
    bound = Bound(definition, instruction, roles, tuple(operands), "", 0)
    _check_together(bound)
    encoding, size = _encode(bound)
    check = definition.extra.get("check")
    if check is not None and (reason := check(instruction)):
        raise _Misfit(reason)
    return replace(bound, encoding=encoding, size=size)


def _roles(definition: Definition, instruction: Instruction) -> tuple[Role, ...]:
    """Return the operand roles; some modifiers remove the destination."""
    roles = definition.roles
    change = definition.extra.get("roles")
    if change is not None:
        roles = change(instruction, roles)
    return tuple(roles)


def _check(definition: Definition, role: Role, operand: Operand) -> None:
    """Check that an operand fits its role."""
    kind, place = operand.kind, role.place
    if (operand.negate or operand.absolute) and not _takes_sign(definition, role, operand):
        raise _Misfit(
            f"{operand}: {definition.name} does not read a float here, so - and |..| are not "
            "allowed"
        )
    if place in ("gaddr", "saddr", "baddr", "vaddr"):
        _check_address(place, operand)
        return
    if place in ("simm", "label"):
        if kind not in ("integer", "expression"):
            raise _Misfit(f"{operand} must be a number" + (" or a label" * (place == "label")))
        _check_range(operand, definition.extra.get("range"))
        return
    if place == "k" and kind not in _CONSTANTS:
        raise _Misfit(f"{operand} must be a constant")
    if kind in _CONSTANTS:
        register_only = place == "s" and (
            definition.format.name in ("SOPK", "SMEM", "MUBUF", "MTBUF")
            or bool(definition.extra.get("registers_only"))
        )
        if place not in ("x", "s", "soff", "vc", "k") or role.writes or register_only:
            raise _Misfit(f"{operand} must be a register")
        if kind != "expression":
            constant_bits(operand, role.type if place != "vc" else definition.extra["constant"])
        return
    if kind == "special":
        if place not in ("x", "s", "soff") or role.writes:
            raise _Misfit(f"{operand} is not allowed here")
        if _SPECIAL_WORDS.get(operand.name) != role.words:
            raise _Misfit(f"{operand} cannot be read as {role.words} registers")
        return
    _check_register(definition, role, operand)


def _takes_sign(definition: Definition, role: Role, operand: Operand) -> bool:
    """Whether `-` and `|..|` may stand before a source: packed halves have neg_lo and neg_hi."""
    if operand.absolute and any(r.place == "m" and r.writes for r in definition.roles):
        return role.type in FLOAT_TYPES and definition.format.name == "VOPC"
    if definition.format is VOP2_LITERAL:
        return False
    packed = definition.format.name == "VOP3P" and role.type not in ("f16", "f32")
    floats = role.type in FLOAT_TYPES and not packed
    return (
        role.reads and not role.writes and (floats or bool(definition.extra.get("float_modifiers")))
    )


def _check_range(operand: Operand, limits: tuple[int, int] | None) -> None:
    if limits and operand.kind == "integer" and not limits[0] <= operand.value <= limits[1]:
        raise _Misfit(f"{operand} is not in the range {limits[0]} to {limits[1]}")


_FILES = {"v": "v", "a": "a", "va": "va", "vc": "va", "x": "vs", "s": "s", "soff": "s", "m": "s"}


def _check_register(definition: Definition, role: Role, operand: Operand) -> None:
    if operand.kind not in _FILES[role.place]:
        names = {"v": "a VGPR", "a": "an AGPR", "s": "an SGPR"}
        wanted = " or ".join(names[one] for one in _FILES[role.place])
        raise _Misfit(f"{operand} must be {wanted}")
    data = role.writes or definition.format.name == "SMEM" and role.type[0] == "w"
    if data and operand.index in definition.extra.get("not_to", ()):
        raise _Misfit(f"{operand} cannot hold the data of this instruction")
    if operand.count != role.words:
        raise _Misfit(f"{operand} has {operand.count} registers where {role.words} are needed")
    if operand.kind in "va" and operand.count > 1 and operand.index % 2 and definition.even:
        raise _Misfit(f"{operand} must begin at an even register")


def _check_address(place: str, operand: Operand) -> None:
    if operand.kind == "special" and operand.name == "off":
        if place == "gaddr":
            raise _Misfit("off cannot be the address")
        return
    wanted = {"gaddr": "v", "baddr": "v", "vaddr": "v", "saddr": "s"}[place]
    if operand.kind != wanted:
        raise _Misfit(f"{operand} must be {'VGPRs' if wanted == 'v' else 'SGPRs'} or off")


def _check_together(bound: Bound) -> None:
    """Check constraints between operands: address widths, one kind of data register."""
    form = bound.definition.format.name
    if form in ("VOP3P", "VOP3PX2"):
        _check_accumulator(bound)
    if form not in ("DS", "FLAT", "MUBUF", "MTBUF"):
        return
    places = dict(zip((role.place for role in bound.roles), bound.operands, strict=True))
    data = {
        operand.kind
        for role, operand in zip(bound.roles, bound.operands, strict=True)
        if role.place == "va"
    }
    if len(data) > 1:
        raise _Misfit("the data and the result are both VGPRs or both AGPRs")
    for place, words in _address_words(bound, places).items():
        operand = places[place]
        if operand.is_register and operand.count != words:
            raise _Misfit(f"{operand} has {operand.count} registers where {words} are needed")
        if words == 0 and operand.is_register:
            raise _Misfit(f"{operand}: add offen or idxen, or write off instead")
        if place == "baddr" and words and not operand.is_register:
            raise _Misfit("offen and idxen need a VGPR in the place of off")
        if words > 1 and operand.kind == "v" and operand.index % 2:
            raise _Misfit(f"{operand} must begin at an even register")


def _check_accumulator(bound: Bound) -> None:
    """C and D of a matrix instruction are both VGPRs or both AGPRs."""
    pairs = list(zip(bound.roles, bound.operands, strict=True))
    c = [operand for role, operand in pairs if role.place == "vc" and operand.is_register]
    d = [operand for role, operand in pairs if role.writes]
    if c and c[0].kind != d[0].kind:
        raise _Misfit(f"{d[0]} and {c[0]}: C and D are both VGPRs or both AGPRs")


def _address_words(bound: Bound, places: dict[str, Operand]) -> dict[str, int]:
    """How many registers each address operand has here."""
    if "baddr" in places:
        modifiers = bound.instruction.modifiers
        return {"baddr": ("offen" in modifiers) + ("idxen" in modifiers)}
    if "vaddr" in places:
        return {"vaddr": 1, "saddr": 1}
    if "gaddr" not in places:
        return {}
    based = "saddr" in places and places["saddr"].is_register
    return {"gaddr": 1, "saddr": 2} if based else {"gaddr": 2}


# -- encodings ------------------------------------------------------------------------------------


def _encode(bound: Bound) -> tuple[str, int]:
    """The encoding and its size in bytes."""
    definition, form = bound.definition, bound.definition.format
    _check_modifiers(bound)
    literal = _literal(bound)
    if form.name not in _VOP:
        if literal is not None and not form.literal:
            raise _Misfit(f"{literal} is not an inline constant, and {form.name} takes no literal")
        asked = bound.instruction.encoding
        if asked:
            raise _Misfit(f"{definition.name} has one form only; leave _{asked} out")
        return "", form.size + 4 * (literal is not None)
    encoding = _vector_encoding(bound)
    if literal is not None and not (encoding in ("", "e32") and form.literal):
        raise _Misfit(
            f"{literal} is not an inline constant, and this form takes no literal; move it to a "
            "register first"
        )
    scalars = _scalar_sources(bound)
    literals = (literal is not None) + any(role.place == "k" for role in bound.roles)
    if len(scalars) + literals > definition.extra.get("scalar_sources", 1):
        raise _Misfit("a vector instruction reads at most one SGPR or literal; copy one to a VGPR")
    if form.size == 8:
        return encoding, 8
    return encoding, (4 if encoding == "e32" else 8) + 4 * (literal is not None)


def _vector_encoding(bound: Bound) -> str:
    form, asked = bound.definition.format, bound.instruction.encoding
    modifiers = bound.instruction.modifiers.keys() - set(bound.definition.modifiers)
    if asked == "dpp" or (modifiers & DPP_MODIFIERS):
        wide = _is_wide(bound)
        _demand(form.dpp and asked in ("", "dpp") and _masks_are_vcc(bound), bound, "DPP")
        _check_vgpr_sources(bound, "DPP")
        if len(modifiers & DPP_CONTROLS) != 1:
            raise _Misfit("a DPP instruction has one of quad_perm, row_shl, row_mirror, ..")
        if wide and not modifiers & {"row_newbcast"}:
            raise _Misfit("DPP of 64-bit operands supports only row_newbcast")
        return "dpp"
    if asked == "sdwa" or (modifiers & SDWA_MODIFIERS):
        wide = any(
            role.type in ("i64", "s64", "f64") and role.place in ("x", "v") for role in bound.roles
        )
        _demand(form.sdwa and asked in ("", "sdwa") and not wide, bound, "SDWA")
        _demand(form.name == "VOPC" or _masks_are_vcc(bound), bound, "SDWA")
        _check_selections(bound)
        return "sdwa"
    if form.name in ("VOP3", "VOP3P"):
        # What has one form only may carry no suffix, or the one that says so.
        _demand(asked in ("", "e64"), bound, asked)
        return "e64" if form.name == "VOP3" else ""
    short = _fits_short(bound)
    if asked == "e32":
        _demand(short, bound, "32-bit")
        return "e32"
    if asked == "e64" or not short:
        _demand(form.promotes, bound, "64-bit")
        return "e64"
    return "e32"


def _is_wide(bound: Bound) -> bool:
    """Whether a vector operand has 64 bits."""
    return any(role.words > 1 and role.place in ("x", "v") for role in bound.roles)


def _demand(holds: bool, bound: Bound, form: str) -> None:
    if not holds:
        raise _Misfit(f"{bound.definition.name} has no {form} form with these operands")


def _sources(bound: Bound) -> list[tuple[Role, Operand]]:
    """Explicit vector sources in order: src0, src1, src2."""
    return [
        (role, operand)
        for role, operand in zip(bound.roles, bound.operands, strict=True)
        if role.place in ("x", "v") and role.reads and not role.writes and not role.implied
    ]


def _fits_short(bound: Bound) -> bool:
    """Whether the 32-bit form can encode it."""
    if bound.instruction.modifiers:
        return False
    sources = _sources(bound)
    if any(operand.negate or operand.absolute for _, operand in sources):
        return False
    if len(sources) > 1 and sources[1][1].kind != "v":
        return False
    return _masks_are_vcc(bound)


def _masks_are_vcc(bound: Bound) -> bool:
    masks = (
        operand
        for role, operand in zip(bound.roles, bound.operands, strict=True)
        if role.place == "m"
    )
    return all(operand.index == VCC for operand in masks)


def _check_vgpr_sources(bound: Bound, form: str) -> None:
    for _, operand in _sources(bound):
        if operand.kind != "v":
            raise _Misfit(f"{operand}: every source of a {form} instruction is a VGPR")


def _check_selections(bound: Bound) -> None:
    """No source says what a part of a constant is."""
    for number, (_, operand) in enumerate(_sources(bound)):
        part = bound.instruction.modifiers.get(f"src{number}_sel", "DWORD")
        if operand.kind in _CONSTANTS and (operand.sext or part != "DWORD"):
            raise _Misfit(f"src{number}_sel picks a part of {operand}; move it to a register first")


def _literal(bound: Bound) -> Operand | None:
    """The operand that needs a literal, if any; two different ones cannot be encoded."""
    found: Operand | None = None
    for role, operand in zip(bound.roles, bound.operands, strict=True):
        if operand.kind not in _CONSTANTS or role.place in ("simm", "label", "k"):
            continue
        kind = bound.definition.extra.get("constant", role.type)
        if is_inline(operand, kind):
            continue
        if found is not None and found.value != operand.value:
            raise _Misfit(f"{found} and {operand} are two literals; only one can be encoded")
        found = operand
    return found


def _scalar_sources(bound: Bound) -> set[tuple[int, int] | str]:
    """Return the distinct SGPRs among the sources, which share one bus."""
    found: set[tuple[int, int] | str] = set()
    last = bound.roles[-1] if bound.roles else None
    for role, operand in zip(bound.roles, bound.operands, strict=True):
        if not role.reads:
            continue
        if operand.kind == "s" and role.place in ("x", "m", "vcc", "s"):
            if role is last and role.place == "s" and operand.index == M0:
                continue  # M0 as the selector of a lane comes another way
            found.add((operand.index, operand.count))
        elif operand.kind == "special" and role.place == "x":
            found.add(operand.name)
    return found


_ALLOWED = {
    "SOP1": "", "SOP2": "", "SOPC": "", "SOPK": "", "SOPP": "", "SMEM": "glc offset",
    "DS": "offset", "FLAT": "offset sc0 sc1 nt", "VOP3PX2": "op_sel op_sel_hi cbsz blgp",
    "MUBUF": "offset offen idxen sc0 sc1 nt", "MTBUF": "offset offen idxen sc0 sc1 nt format",
}  # fmt: skip


def _check_modifiers(bound: Bound) -> None:
    """Refuse modifiers that the instruction does not have."""
    definition = bound.definition
    allowed = _ALLOWED.get(definition.format.name)
    for name, value in bound.instruction.modifiers.items():
        low, high = _offset_range(definition, name)
        if isinstance(value, int) and not low <= value <= high:
            raise _Misfit(f"{name} must be {low} to {high}, not {value}")
        plain = _vector_modifier(bound, name) if allowed is None else name in allowed.split()
        plain = plain and name not in definition.extra.get("lacks", ())
        if not plain and name not in definition.modifiers:
            raise _Misfit(f"{definition.name} takes no {name}")


_OFFSETS = {
    "DS": (0, 65535),
    "MUBUF": (0, 4095),
    "MTBUF": (0, 4095),
    "SMEM": (-(1 << 20), (1 << 20) - 1),
}


def _offset_range(definition: Definition, name: str) -> tuple[int, int]:
    """The values that the encoding has room for."""
    if name in ("offset0", "offset1", "bitop3", "format"):
        return 0, 127 if name == "format" else 255
    if name != "offset":
        return 0, 65535
    if definition.name.startswith("s_buffer_"):
        return 0, (1 << 20) - 1
    if definition.format.name == "FLAT":
        return (0, 4095) if definition.name.startswith("flat") else (-4096, 4095)
    return _OFFSETS.get(definition.format.name, (0, 65535))


def _vector_modifier(bound: Bound, name: str) -> bool:
    form = bound.definition.format
    if name in DPP_MODIFIERS:
        return form.dpp
    if name in SDWA_MODIFIERS:
        if form.name == "VOPC" and name in ("dst_sel", "dst_unused"):
            return False
        return form.sdwa and (name != "src1_sel" or len(_sources(bound)) > 1)
    outputs = [role.type for role in bound.roles if role.writes and not role.implied]
    floats = bool(outputs) and outputs[0] in FLOAT_TYPES
    if name == "clamp":
        return floats and form != VOP2_LITERAL or bound.definition.integer_clamp
    if name in ("mul", "div"):
        return floats and form not in (VOP2_LITERAL, VOP3P)
    return False


__all__ = ["AssemblyError", "Bound", "bind", "bind_or_refuse"]
