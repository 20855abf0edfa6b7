"""Every definition against clang's assembler: what it accepts, refuses, and how large it is."""

from __future__ import annotations

import functools
import itertools
import re

from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower.binding import bind
from lanemap.emulator.amdgcn.lower.table import TABLE, Definition, Role, lookup
from lanemap.emulator.amdgcn.text.errors import AssemblyError, Place
from lanemap.emulator.amdgcn.text.parser import parse_module

from .clang import assemble

PLACE = Place("k.s", 1)


def _vector(first: int, words: int, letter: str = "v") -> str:
    return f"{letter}{first}" if words == 1 else f"{letter}[{first}:{first + words - 1}]"


def _scalar(first: int, words: int) -> str:
    return f"s{first}" if words == 1 else f"s[{first}:{first + words - 1}]"


def _plain(role: Role, number: int, name: str) -> str:
    """An operand that fits the role, with registers that no other operand has."""
    words = role.words
    if role.place in ("v", "va", "x", "vc"):
        return _vector(32 * number, words)
    if role.place == "a":
        return _vector(32 * number, words, "a")
    if role.place in ("s", "m"):
        return _scalar(16 * number, words)
    if role.place == "simm":
        return "hwreg(HW_REG_MODE, 0, 4)" if "reg" in name and number != 1 else "7"
    constant = "0x3141" if role.type == "f16" else "0x11213141"
    return {
        "gaddr": "v[2:3]",
        "saddr": "off",
        "baddr": "off",
        "vaddr": "off",
        "soff": "s9",
        "k": constant,
        "label": "4",
    }[role.place]


#: What one SGPR source leaves no room for.
ALONE = {
    "v_writelane_b32": "v_writelane_b32 v0, s16, 3",
    "s_getreg_b32": "s_getreg_b32 s0, hwreg(HW_REG_MODE)",
}


def canonical(definition: Definition) -> str:
    """A line that uses an instruction as its definition says."""
    if definition.name in ALONE:
        return ALONE[definition.name]
    operands = [
        _plain(role, number, definition.name) for number, role in enumerate(definition.explicit)
    ]
    text = f"{definition.name} {', '.join(operands)}"
    if "_atomic_" in definition.name and definition.format.name == "FLAT":
        text += " sc0"
    return f"{text}{_format(definition)}".strip()


def _format(definition: Definition) -> str:
    """A format that the emulator executes, for typed buffers."""
    if definition.format.name != "MTBUF":
        return ""
    bits = 16 if "_d16_" in definition.name else 32
    count = 4 if definition.name.endswith("d16_xyz") else len(definition.name.rsplit("_", 1)[1])
    data = "_".join([str(bits)] * count)
    return f" format:[BUF_DATA_FORMAT_{data},BUF_NUM_FORMAT_UINT]"


def ours(line: str) -> int | None:
    """Size in bytes, None if refused."""
    try:
        (instruction,) = parse_module(line, "k.s").instructions()
        return bind(instruction, PLACE).size
    except AssemblyError:
        return None


def theirs(lines: list[str], target: str = "gfx950") -> list[int | None]:
    """The same from clang; one run for all lines."""
    _, errors = assemble(lines, target)
    good = [line for number, line in enumerate(lines) if number not in errors]
    printed, more = assemble(good, target)
    assert not more
    sizes = [
        encoding.count("0x") + encoding.count("A")
        for encoding in re.findall(r"encoding: \[([^]]*)\]", "\n".join(printed))
    ]
    given = iter(sizes)
    found = [None if number in errors else next(given) for number in range(len(lines))]
    assert next(given, None) is None
    return found


@functools.cache
def definitions() -> list[Definition]:
    return [TABLE[name] for name in sorted(TABLE) if lookup(name) is TABLE[name]]


def test_clang_accepts_every_definition_and_agrees_on_its_size() -> None:
    lines = [canonical(definition) for definition in definitions()]
    differ = [
        (line, mine, clang)
        for line, mine, clang in zip(lines, map(ours, lines), theirs(lines), strict=True)
        if mine != clang or clang is None
    ]
    assert not differ


#: Replacements of one operand, tried in every place of every instruction.
SUBSTITUTES = ("v1", "v[1:2]", "v[2:3]", "v[4:7]", "a1", "a[2:3]", "s1", "s[2:3]", "s[4:7]", "vcc",
               "exec", "m0", "1", "-17", "0x12345678", "1.0", "0.15915494", "-v1",
               "|v2|")  # fmt: skip


def _variants(definition: Definition) -> list[str]:
    operands = [
        _plain(role, number, definition.name) for number, role in enumerate(definition.explicit)
    ]
    lines = []
    for place, role in enumerate(definition.explicit):
        if role.place in ("simm", "label", "k"):
            continue
        for substitute in SUBSTITUTES:
            changed = [*operands[:place], substitute, *operands[place + 1 :]]
            lines.append(f"{definition.name} {', '.join(changed)}")
    lines.append(f"{definition.name} {', '.join(operands[:-1])}".strip())
    lines.append(f"{definition.name} {', '.join([*operands, 'v9'])}")
    return [line + _format(definition) for line in lines]


# -- what we refuse or take although clang does otherwise ------------------------------------------

KNOWN = (
    (r"\b(1\.0|0\.15915494)\b", r"_[bui]16\b(?<!v_pk_\w{7})|bitop3_b16|v_ldexp_f16",
     "floats where 16-bit integers are read: clang takes the f16 code, the ISA states none"),
    (r"\b(1|1\.0|0\.15915494)(,|$)", r"v_pk_\w+_f32", "the high word of a constant: no source"),
    (r"-v1|\|v2\|", r"v_cvt_scalef32_(pk|sr)_.*_b?f16|v_dot2c_f32",
     "signs of packed halves: the ISA states none"),
    (r"^v0, [-\d]", "v_cvt_scalef32_sr_pk_fp4_f32", "one constant for a pair of floats"),
    (r"\|v2\|", "v_div_scale", "VOP3B has no room for |..|; clang refuses it in some places only"),
    (r"\bv1\b|v\[[12]:[23]\]", "v_m?qsad",
     "a D that overlaps a source: LLVM never writes it (early clobber), the ISA says nothing"),
)  # fmt: skip


def _is_known(line: str) -> bool:
    name, _, rest = line.partition(" ")
    return any(re.search(what, rest) and re.search(who, name) for what, who, _ in KNOWN)


def test_other_operands_are_refused_exactly_where_clang_refuses_them() -> None:
    lines = list(itertools.chain.from_iterable(_variants(d) for d in definitions()))
    mine = [ours(line) for line in lines]
    clang = theirs(lines)
    differ = [
        (line, a, b)
        for line, a, b in zip(lines, mine, clang, strict=True)
        if a != b and not _is_known(line)
    ]
    assert not differ, f"{len(differ)} of {len(lines)}: {differ[:10]}"


# -- suffixes and modifiers ------------------------------------------------------------------------

SUFFIXES = ("_e32", "_e64", "_dpp", "_sdwa")
MODIFIERS = (
    "clamp", "mul:2", "div:2", "quad_perm:[0,1,2,3]", "row_newbcast:1", "row_shl:1 bound_ctrl:0",
    "row_bcast:15 row_mask:0xa", "dst_sel:WORD_1", "src0_sel:BYTE_1", "src1_sel:WORD_0",
    "dst_unused:UNUSED_SEXT", "op_sel:[1]", "op_sel:[1,0]", "op_sel:[0,1,0]", "op_sel:[0,1,0,1]",
    "op_sel_hi:[1,0]", "op_sel_hi:[1,0,1]", "neg:[1,0,1]", "neg_lo:[1,0]", "neg_hi:[1,0,1]",
    "offset:16", "offset:5000", "offset:-16", "offset0:1", "offset1:2", "sc0", "sc1", "nt", "glc",
    "gds", "lds", "offen", "idxen", "cbsz:1", "abid:1", "blgp:1", "fi:1", "bitop3:0x12",
)  # fmt: skip

#: Mnemonics with modifiers that clang takes and the emulator refuses, or the other way round.
NOT_DONE = (
    (r".*\b(mul|div):2", "v_cvt_|v_frexp_exp", "scaling of what are integers or pairs in the end"),
    (r".*\bclamp", "v_", "saturation of integers, where the ISA states no result"),
    (r".*\b(cbsz|abid):1", "v_mfma_", "broadcasts without blocks, or of a block not named"),
    (r".*\babid:1", "v_smfmac_", "sets of indices that the register has no room for"),
    (r".*\bneg_(lo|hi):", "v_dot|v_pk_", "signs of integers"),
    (r".*\bop_sel:", "v_alignb", "halves of 32-bit operands"),
    (r".*\bop_sel:\[[01,]*1", "v_cvt_(scalef32_)?sr_", "halves of sources that clang never picks"),
    (r".*", "v_pk_fmac_f16 |v_pk_fmac_f16_sdwa|v_nop", "forms that no compiler writes"),
    (r".*\boffset:5000", "t?buffer_", "clang keeps 12 bits of the offset and says nothing"),
    (r".*\blds", "buffer_load_format_", "formatted data into LDS"),
    (r".*", r"v_(read|write)lane_b32_e\d\d", "one form under two names"),
    (r".*", r"(?!v_)\w+_e32|v_mfma_scale_\w+_e64", "suffixes that mean nothing"),
)  # fmt: skip


def _is_not_done(line: str) -> bool:
    return any(re.match(who, line) and re.match(what, line) for what, who, _ in NOT_DONE)


def test_modifiers_and_suffixes_are_taken_exactly_where_clang_takes_them() -> None:
    lines = []
    for definition in definitions():
        line = canonical(definition)
        name, _, rest = line.partition(" ")
        lines += [f"{name}{suffix} {rest}".strip() for suffix in SUFFIXES]
        lines += [
            line.replace(" sc0", f" {m} sc0") if line.endswith(" sc0") else f"{line} {m}"
            for m in MODIFIERS
        ]
    differ = [
        (line, mine, clang)
        for line, mine, clang in zip(lines, map(ours, lines), theirs(lines), strict=True)
        if mine != clang and not _is_not_done(line)
    ]
    assert not differ, f"{len(differ)} of {len(lines)}: {differ[:10]}"
