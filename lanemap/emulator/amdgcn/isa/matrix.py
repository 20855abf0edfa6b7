"""MFMA and SMFMAC: one wave multiplies matrices that lie in its registers.

The model gives the position of each element (lanemap.model.mfma, smfmac), and for CDNA 2 and CDNA 3
how products add up (lanemap.model.mfma_sums). Other sums are computed in f64 and rounded once. The
ISA allows this result, since it does not say how the hardware rounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.amdgcn.lower.constants import constant_bits
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.table import MFMA_SCALE, VOP3P, Role, instruction, spelling
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime.abi import Decides, Format, Result, Row, Sum
from lanemap.model import mfma, smfmac
from lanemap.model.mfma_sums import mfma_sum
from lanemap.targets import Target

_ISA = "AMD CDNA4 ISA, 7.1 and chapter 12, V_MFMA instructions"
_SPARSE = "AMD CDNA4 ISA, chapter 7 and chapter 12, V_SMFMAC instructions"
#: cbsz (A) and blgp (B) of f8f6f4: format, registers of an operand, and its name in the model.
MIXED = (
    (Format.E4M3, 8, "fp8"),
    (Format.E5M2, 8, "bf8"),
    (Format.E2M3, 6, "fp6"),
    (Format.E3M2, 6, "bf6"),
    (Format.E2M1, 4, "fp4"),
)
_FORMATS = {
    "f64": Format.F64,
    "f32": Format.F32,
    "xf32": Format.TF32,
    "f16": Format.F16,
    "bf16": Format.BF16,
    "i8": Format.I8,
    "fp8": Format.E4M3,
    "bf8": Format.E5M2,
}
_FNUZ: dict[int, int] = {Format.E4M3: Format.E4M3_FNUZ, Format.E5M2: Format.E5M2_FNUZ}
_SUMS = {"fused": Sum.FUSED, "steps": Sum.STEPS, "half steps": Sum.HALF_STEPS, "trees": Sum.TREES}
_RESULTS = {"f32": Result.F32, "i32": Result.I32, "f64": Result.F64}
_SIGN = 0x80000000


@dataclass(frozen=True)
class Shape:
    """M = N = side, K = depth; formats of A and B; kind of the result; pairs of matrices.

    `kind`: the type of A where the sums of a dense instruction depend on the target.
    """

    side: int
    depth: int
    formats: tuple[int, int]
    result: int = Result.F32
    blocks: int = 1
    kind: str = ""

    @property
    def code(self) -> int:
        """As the runtime takes it (runtime/matrix.c, shape_of)."""
        return self.side | self.depth << 8 | self.blocks << 16

    def both_formats(self, target: Target) -> int:
        """Formats of A and of B, as the runtime takes them."""
        a, b = (_FNUZ.get(each, each) if target.fnuz else each for each in self.formats)
        return a | b << 8

    def summed(self, target: Target, registers: int) -> int:
        """The result and the rule of sums, as the runtime takes them; `registers`: those of A."""
        if self.result == Result.I32:
            return self.result | Sum.I32 << 8
        if not self.kind:
            return self.result | Sum.F64 << 8
        rule = mfma_sum(self.kind, target.tensor_cores, registers)
        return self.result | _SUMS.get(rule.way, Sum.F64) << 8 | rule.block << 16


def _words(c: Context, position: int) -> list[Value]:
    """The registers of an operand, or its inline constant in each of them."""
    role, operand = c.bound.roles[position], c.bound.operands[position]
    if operand.is_register:
        return c.words(position)
    bits = constant_bits(operand, c.extra["constant"])
    wide = c.extra["constant"] == "f64"
    return [
        c.constant("i32", bits >> 32 * (word % 2) if wide else bits) for word in range(role.words)
    ]


# -- modifiers ------------------------------------------------------------------------------------


def _number(text: Instruction, name: str) -> int:
    value = text.modifiers.get(name, 0)
    return value if isinstance(value, int) else 0


def _check_broadcast(text: Instruction, blocks: int) -> str:
    """Why cbsz and abid make no sense: 2**cbsz of the blocks read block abid among them of A."""
    cbsz, abid = _number(text, "cbsz"), _number(text, "abid")
    if blocks >> cbsz and not abid >> cbsz:
        return ""
    several = "s" * (blocks > 1)
    return (
        f"cbsz:{cbsz} abid:{abid}: A has {blocks} block{several}, 2**cbsz of which read the "
        "same one, number abid among them"
    )


def _lane_of_b(lane: int, pattern: int) -> int:
    """The lane of which `lane` takes B under blgp.

    AMD CDNA3 ISA, 7.1: 1 and 2 give the lower and the upper half to both, 3 rotates down by 16,
    4 to 7 give 16 lanes to all.
    """
    if pattern in (1, 2):
        return lane % 32 + 32 * (pattern - 1)
    if pattern == 3:
        return (lane + 16) % 64
    return lane % 16 + 16 * (pattern - 4) if pattern else lane


def _group_pattern(c: Context, words: list[Value]) -> list[Value]:
    pattern = c.modifier("blgp")
    if not pattern:
        return words
    lanes = [_lane_of_b(lane, pattern) for lane in range(64)]
    return [c.b.lanes.shuffled(word, lanes) for word in words]


def _with_sign(c: Context, words: list[Value], source: int) -> list[Value]:
    """An f64 operand, negated where `neg` says so for source 0 to 2."""
    if not c.bit("neg", source):
        return words
    sign = c.constant("i32", _SIGN)
    return [c.alu.xor(word, sign) if place % 2 else word for place, word in enumerate(words)]


# -- dense ----------------------------------------------------------------------------------------


def _operands(c: Context, operands: list[list[Value]], rows: list[int]) -> tuple[int, bool]:
    """Put operands where the runtime reads them.

    Returns:
        How many registers they have, 8 bits each, and whether some may be undefined.
    """
    checked = any(word.undefined is not None for words in operands for word in words)
    for row, words in zip(rows, operands, strict=True):
        c.b.rows.store(row, words, optional=not checked)  # else rows are looked at
    counts = [len(words) for words in operands[:3]] + [len(operands[3:])]
    return sum(count << 8 * place for place, count in enumerate(counts)), checked


def _write_result(c: Context) -> None:
    for number, register in enumerate(registers_of(c.bound.operands[0])):
        c.b.registers.write(register, c.b.rows.load(Row.C + number, defined=True))


_ROWS = [Row.A, Row.B, Row.C, Row.SCALES, Row.SCALES + 1]


def multiply(c: Context, shape: Shape) -> None:
    """D = A x B + C for every lane, whatever EXEC says."""
    b, mixed = c.b, bool(c.extra.get("mixed"))
    broadcast = 0 if mixed else c.modifier("cbsz") | c.modifier("abid") << 8
    with b.masks.all_lanes():
        operands = [_words(c, position) for position in range(1, len(c.bound.operands))]
        if shape.result == Result.F64:
            operands = [_with_sign(c, words, source) for source, words in enumerate(operands)]
        elif not mixed:
            operands[1] = _group_pattern(c, operands[1])
        registers, checked = _operands(c, operands, _ROWS[: len(operands)])
        b.runtime.call(
            "lm_matrix",
            b.runtime.index,
            c.values["table"],
            shape.code,
            broadcast,
            shape.both_formats(c.target),
            registers,
            shape.summed(c.target, len(operands[0])),
            int(checked),
            Decides.MATRIX,
        )
        _write_result(c)


def _define(form: mfma.Form) -> None:
    name, result = form.name, _RESULTS[form.result]
    shape = Shape(
        form.side,
        form.depth,
        (_FORMATS[form.kinds[0]], _FORMATS[form.kinds[1]]),
        result,
        form.blocks,
        "" if form.kinds[0] == "i8" else form.kinds[0],
    )
    d = form.side * form.side * form.blocks * form.result_bits // (64 * 32)
    registers = form.operand.registers
    # f64 has signs in place of patterns; broadcasts of its blocks: MLIR's amdgpu.mfma refuses them
    modifiers = "cbsz abid blgp" if form.result != "f64" else "neg"
    blocks = form.blocks if form.result != "f64" else 1
    if form.result == "f64" and form.blocks > 1:
        modifiers += " cbsz abid"

    @instruction(
        name,
        f"=va:w{d} va:w{registers} va:w{registers} vc:w{d}",
        VOP3P,
        cite=_ISA,
        raw=True,
        constant=form.result,
        tables=lambda _: [f"{name}:{x}" for x in "ABD"],
        modifiers=modifiers,
        check=lambda text: _check_broadcast(text, blocks),
        blocks=form.blocks,
        cores=form.cores,
    )
    def v_mfma(c: Context) -> None:
        multiply(c, shape)

    spelling(name, form.spellings)


for _dense in mfma.FORMS:
    _define(_dense)


# -- sparse ---------------------------------------------------------------------------------------


def _check_set(text: Instruction, form: smfmac.Form) -> str:
    if _number(text, "cbsz") or _number(text, "abid") < form.sets:
        return ""
    several = "s" * (form.sets > 1)
    return (
        f"abid:{_number(text, 'abid')}: the index register holds {form.sets} set{several} of "
        f"{form.kept // 2} pairs"
    )


def _define_sparse(form: smfmac.Form) -> None:
    name = form.name
    result = Result.I32 if form.kinds[0] == "i8" else Result.F32
    shape = Shape(form.side, form.depth, (_FORMATS[form.kinds[0]], _FORMATS[form.kinds[1]]), result)
    a = form.kept * form.bits // 32

    def tables(text: Instruction) -> list[str]:
        chosen = 0 if _number(text, "cbsz") else _number(text, "abid")
        return [*(f"{name}:{x}" for x in "ABD"), f"{name}:index.set{chosen}"]

    @instruction(
        name,
        f"+va:w{form.side * form.side // 64} va:w{a} va:w{2 * a} v:w1",
        VOP3P,
        cite=_SPARSE,
        raw=True,
        tables=tables,
        modifiers="cbsz abid",
        check=lambda text: _check_set(text, form),
    )
    def v_smfmac(c: Context) -> None:
        """D = A x B + D, where the index says which elements A keeps."""
        b = c.b
        with b.masks.all_lanes():
            d, *sources, index = (_words(c, position) for position in range(4))
            registers, checked = _operands(c, [*sources, d, index], _ROWS[:4])
            b.runtime.call(
                "lm_sparse_matrix",
                b.runtime.index,
                c.values["table"],
                shape.code,
                shape.both_formats(c.target),
                registers,
                shape.summed(c.target, len(sources[0])),
                int(checked),
                Decides.MATRIX,
            )
            _write_result(c)


for _sparse in smfmac.FORMS:
    _define_sparse(_sparse)


# -- formats of their own -------------------------------------------------------------------------


def _mixed_roles(text: Instruction, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """The registers of A and B depend on their formats (cbsz, blgp)."""
    changed = list(roles)
    for position, name in ((1, "cbsz"), (2, "blgp")):
        registers = MIXED[_format_of(text, name)][1]
        changed[position] = Role("va", f"w{registers}", True, False)
    return tuple(changed)


def _format_of(text: Instruction, name: str) -> int:
    value = text.modifiers.get(name, 0)
    return value if isinstance(value, int) and value < len(MIXED) else 0


def _check_formats(text: Instruction) -> str:
    wrong = [name for name in ("cbsz", "blgp") if _number(text, name) >= len(MIXED)]
    return f"{wrong[0]} must be 0 to {len(MIXED) - 1}" if wrong else ""


def _define_mixed(side: int, depth: int) -> None:
    plain = f"v_mfma_f32_{side}x{side}x{depth}_f8f6f4"
    scaled = f"v_mfma_scale_f32_{side}x{side}x{depth}_f8f6f4"
    d = side * side // 64

    def tables(text: Instruction) -> list[str]:
        formats = [MIXED[_format_of(text, name)][2] for name in ("cbsz", "blgp")]
        names = [f"{plain}:A.{formats[0]}", f"{plain}:B.{formats[1]}", f"{plain}:D"]
        if text.mnemonic == scaled:
            names += [f"{scaled}:scale_{x}.byte{_scale_byte(text, i)}" for i, x in enumerate("AB")]
        return names

    def shape(c: Context) -> Shape:
        text = c.bound.instruction
        return Shape(
            side, depth, (MIXED[_format_of(text, "cbsz")][0], MIXED[_format_of(text, "blgp")][0])
        )

    @instruction(
        plain,
        f"=va:w{d} va:w8 va:w8 vc:w{d}",
        VOP3P,
        cite=_ISA,
        raw=True,
        modifiers="cbsz blgp",
        constant="f32",
        mixed=True,
        tables=tables,
        roles=_mixed_roles,
        check=_check_formats,
    )
    def v_mfma_mixed(c: Context) -> None:
        multiply(c, shape(c))

    @instruction(
        scaled,
        f"=va:w{d} va:w8 va:w8 vc:w{d} v:w1 v:w1",
        MFMA_SCALE,
        cite=_ISA,
        raw=True,
        constant="f32",
        mixed=True,
        tables=tables,
        roles=_mixed_roles,
        check=_check_formats,
    )
    def v_mfma_scaled(c: Context) -> None:
        multiply(c, shape(c))


def _scale_byte(text: Instruction, position: int) -> int:
    """Byte of the scale register: op_sel is its low bit, op_sel_hi its high one, 0 unless said.

    Unlike that of packed instructions, an op_sel_hi left out is 0: so clang's assembler encodes.
    """
    bits = 0
    for place, name in enumerate(("op_sel", "op_sel_hi")):
        given = text.modifiers.get(name)
        if isinstance(given, tuple) and position < len(given):
            bits |= int(given[position]) << place
    return bits


for _side, _depth in ((16, 128), (32, 64)):
    _define_mixed(_side, _depth)
