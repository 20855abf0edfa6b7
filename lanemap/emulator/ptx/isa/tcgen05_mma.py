"""tcgen05.mma: the tensor core multiplies matrices of shared and tensor memory, asynchronously.

NVIDIA PTX ISA, TensorCore 5th Generation Matrix Multiply and Accumulate Operations. The text gives
the kind, and where operands lie; shape and types are in the instruction descriptor, so that
ptx/c/tensor_shape.c decodes them when the instruction executes. ptx/c/tensor_mma.c and
tensor_operands.c place elements as lanemap/model/tensor_cells.py and shared_tiles.py say.
"""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.ptx.isa.async_copies import defined
from lanemap.emulator.ptx.isa.tcgen05 import begin, take_group
from lanemap.emulator.ptx.lower.abi import Collector, MmaForm, MmaKind, MmaRow
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.mma_maps import replaced_maps
from lanemap.emulator.ptx.lower.runtime import mask64
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.sums import RESULTS, tcgen05_rules
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Address, Vector
from lanemap.emulator.runtime.abi import Space, SumRule

_CITE = "PTX ISA, TensorCore 5th Generation Family Instructions: {}"
_KINDS = {kind.name.lower(): kind for kind in MmaKind}
#: Scales of a row for each way to write their number, by the kinds that have it.
_VECTORS = {
    "mxf8f6f4": {"scale_vec::1X": 1, "block32": 1},
    "mxf4": {"scale_vec::2X": 2, "block32": 2},
    "mxf4nvf4": {"scale_vec::2X": 2, "block32": 2, "scale_vec::4X": 4, "block16": 4},
}
_SPARSE = (
    "{} is not supported: no public source settles which bits of tensor memory are the metadata of "
    "a sparse A for every M and every sparsity selector"
)
#: Kinds without scales; only the first two divide D, and .ws has them all.
_DIVIDE, _PLAIN = ("f16", "tf32"), ("f16", "tf32", "f8f6f4", "i8")


def _kind(s: Statement, ws: bool) -> tuple[str, int]:
    """Take .kind and what says how many scales a row has, 0 where the kind alone says it.

    Raises:
        OperandError: they do not go together.
    """
    kinds = _PLAIN if ws else tuple(_KINDS)
    kind = s.choice(" ".join(f"kind::{name}" for name in kinds)).removeprefix("kind::")
    if kind == "i8":
        s.names.require("tcgen05.kind::i8")
    if kind in _PLAIN:
        return kind, 0
    s.choice("block_scale")
    words = _VECTORS[kind]
    word = s.choice(" ".join(words), None if kind == "mxf4nvf4" else "")
    return kind, words[word] if word else 0


def _collector(s: Statement, ws: bool, ashift: bool) -> tuple[Collector, int]:
    """Take .collector: its use, and the number of the buffer of B.

    Raises:
        OperandError: it does not go with .ashift.
    """
    buffers = [f"b{number}" for number in range(4)] if ws else ["a"]
    words = {
        f"collector::{buffer}::{use.name.lower()}": (use, number)
        for number, buffer in enumerate(buffers)
        for use in Collector
    }
    word = s.choice(" ".join(words), "")
    use, number = words.get(word, (Collector.DISCARD, 0))
    if ashift and use in (Collector.USE, Collector.FILL):
        raise OperandError(f"`{s.instruction.name}`: .ashift cannot be combined with .{word}")
    return use, number


def _disabled(s: Statement, lanes: int) -> list[Source]:
    """Take the mask of lanes that D does not change, of 4 words, or of 8 for two CTAs."""
    return s.sources("b32", lanes) if isinstance(s.next_operand(), Vector) else []


def _scale_d(s: Statement, kind: str) -> int:
    """Take scale-input-d, if it is there.

    Raises:
        OperandError: it is out of range, or the kind has none.
    """
    if not s.left:
        return 0
    shift = s.immediate()
    if kind not in _DIVIDE or not 0 <= shift <= 15:
        raise OperandError(
            f"`{s.instruction.text}`: scale-input-d must be 0 to 15 and needs kind::f16 or "
            "kind::tf32"
        )
    return shift


def _rules(kind: str) -> ctypes.Array[SumRule]:
    """The rules of sums by the type of D; types that the kind does not have keep zeros."""
    rules = (SumRule * (max(RESULTS.values()) + 1))()
    for result, rule in tcgen05_rules(kind).items():
        rules[RESULTS[result]] = rule
    return rules


def _take(s: Statement, ws: bool) -> Emit:
    """Take one tcgen05.mma, and return what emits it."""
    begin(s)
    pair = take_group(s) == 2
    if ws and pair:
        raise OperandError("tcgen05.mma.ws has .cta_group::1 only")
    kind, vector = _kind(s, ws)
    ashift = s.flag("ashift")
    use, buffer = _collector(s, ws, ashift)
    d = s.address(Space.ENGINE)
    in_tensor_memory = isinstance(s.next_operand(), Address)
    if ashift and not in_tensor_memory:
        raise OperandError(f"`{s.instruction.name}`: .ashift needs A in tensor memory")
    a = s.address(Space.ENGINE) if in_tensor_memory else s.source("b64")
    far, descriptor = s.source("b64"), s.source("b32")
    scaled = vector or kind not in _PLAIN
    scales = [s.address(Space.ENGINE) for _ in range(2)] if scaled else []
    disabled = _disabled(s, 8 if pair else 4) if not scales and not ws else []
    adds = s.source("pred")
    zeros = [s.source("b64")] if ws and s.left else []
    divide = _scale_d(s, kind) if not scales else 0
    form = MmaForm(
        kind=_KINDS[kind],
        ws=int(ws),
        pair=int(pair),
        vector=vector,
        a_in_tensor_memory=int(in_tensor_memory),
        ashift=int(ashift),
        collector=use,
        buffer=buffer,
        disables=int(bool(disabled)),
        zeros=int(bool(zeros)),
        scale_d=divide,
        rules=_rules(kind),
    )
    table = s.names.add_table(np.frombuffer(bytes(form), np.int32))
    maps = s.names.add_table(_maps(s, kind, ws, pair))

    def emit(b: Builder) -> None:
        rows = {MmaRow.ROW_D: d, MmaRow.ROW_A: a, MmaRow.ROW_B: far, MmaRow.ROW_IDESC: descriptor}
        rows |= dict(zip((MmaRow.ROW_SFA, MmaRow.ROW_SFB), scales, strict=False))
        for row, source in rows.items():
            value = defined(b, source, "operand" if source is descriptor else "address")
            wide = source in (a, far) and not (source is a and in_tensor_memory)
            b.rows.store(row, [value if wide else b.alu.resize(value, "i32")])
        b.rows.store(MmaRow.ROW_ADDS, [b.alu.zext(defined(b, adds, "operand"), "i32")])
        masks = [defined(b, source, "operand") for source in disabled]
        if masks:
            b.rows.store(MmaRow.ROW_DISABLED, masks)
        if zeros:
            b.rows.store(MmaRow.ROW_COLUMNS, [defined(b, zeros[0], "operand")])
        b.runtime.call("lm_tensor_mma", b.index, mask64(b), table, maps)

    return emit


def _maps(s: Statement, kind: str, ws: bool, pair: bool) -> NDArray[np.int32]:
    form = f"tcgen05.mma{'.ws' if ws else ''}.cta_group::{2 if pair else 1}"
    return replaced_maps(s.names.settings.models, form, kind)


@instruction(
    "tcgen05.mma",
    "tcgen05.mma.cta_group.kind{.block_scale{.scale_vec}}{.ashift}{.collector} [d-tmem], "
    "a-desc|[a-tmem], b-desc, idesc{, [scale-A-tmem], [scale-B-tmem]}{, disable-output-lane}, "
    "enable-input-d{, scale-input-d}",
    cite=_CITE.format("tcgen05.mma"),
    needs="tcgen05",
)
def multiply(s: Statement) -> Emit:
    """D = A x B + D, or A x B, of one CTA or of a pair."""
    if s.peek("sp"):
        raise OperandError(_SPARSE.format("tcgen05.mma.sp"))
    return _take(s, ws=False)


@instruction(
    "tcgen05.mma.ws",
    "tcgen05.mma.ws.cta_group::1.kind{.collector} [d-tmem], a-desc|[a-tmem], b-desc, idesc, "
    "enable-input-d{, zero-column-mask}",
    cite=_CITE.format("tcgen05.mma.ws"),
    needs="tcgen05",
)
def multiply_stationary(s: Statement) -> Emit:
    """D = A x B + D, or A x B, where B stays in one of four buffers."""
    if s.peek("sp"):
        raise OperandError(_SPARSE.format("tcgen05.mma.ws.sp"))
    return _take(s, ws=True)
