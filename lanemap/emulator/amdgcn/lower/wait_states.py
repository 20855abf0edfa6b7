"""Software wait states of CDNA: hazards without hardware interlocks, as one table of rules.

Sources: AMD CDNA4 ISA (4.5, tables 11 and 12; 7.3; 7.6, table 38) and LLVM, which puts the `s_nop`s
into compiled code (GCNHazardRecognizer.cpp; passes: SISchedule.td, models SIDPGFX950FullSpeedModel,
SIDPGFX942FullSpeedModel and SIDPFullSpeedModel). Generations of matrix cores differ in passes, in
the wait states that follow them, and in the rules that are theirs alone (`Rule.cores`); the numbers
of CDNA 2 and CDNA 3 are LLVM's. Of CDNA 4 both sources must ask for a wait; where they differ,
`strict` asks for the longer one too:

| case | ISA | LLVM | here | strict |
|---|---|---|---|---|
| SrcC that is exactly the D of another kind or number of passes | as overlapped | 0 | 0 | as ISA |
| SrcC that is exactly D of a 2-pass SGEMM, read by an XDL | 0 | 2 | 0 | 0 |
| f64 16x16x4 D, then a VALU write of it | 19 | 11 | 11 | 19 |
| dot product, then a matrix instruction that reads its result | 3 | 0 | 0 | 3 |
| D, then a load into it | not named | as VALU | 0 | as LLVM |
| f64 matrix instruction, then v_fma_f64 or v_fmac_f64 | not named | 2 | 0 | 2 |
| carry-in and v_cndmask's lanes, from a VALU | 0 | 2 | 0 | 2 |
| v_cmpx, then a VMEM access | not named | 5 | 0 | 5 |
| load into the data registers of a store in flight | 1 | 0 | 0 | 1 |
| `old` of a DPP instruction (not a source) | not named | 2 | 0 | 2 |
| packed instruction (VOP3P) with op_sel_hi, then a reader | not named | 1 | 0 | 0 |
| load after one whose address or data it overwrites (XNACK) | not named | 1 | 0 | 0 |
| v_readfirstlane of a VGPR that a VALU wrote | v_readlane named | 1 | 1 | 1 |
| conversion to FP4, whatever byte op_sel picks, then a reader | 7.3: no forwarding | 1 | 1 | 1 |

A wait state is one instruction issued, whichever it is and however long it takes (neither source
lets a branch or s_waitcnt count for more); `s_nop N` is N + 1. LLVM counts a matrix instruction
once too, and lets a write in between remove no rule. Here, but not under strict, a matrix
instruction counts for as long as it stands before a busy matrix unit, and an SGPR that was
overwritten is no concern any more (wait_flow.py). Not here: what the emulator
refuses (VSKIP, TRAPSTS, s_sendmsg) and VCC under the number of an
SGPR, which the assembler cannot express. VGPRs are not checked under VGPR indexing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanemap.emulator.amdgcn.lower.wait_traits import (
    EXEC_BITS,
    M0_BIT,
    VCC_BITS,
    VECTORS,
    Matrix,
    Traits,
)
from lanemap.emulator.host.settings import Settings

_LANES = frozenset(["v_readlane_b32", "v_readfirstlane_b32", "v_writelane_b32"])
#: Wait states that the second needs after the first, and the registers that it is about.
Needed = tuple[int, int]
_NOTHING: Needed = (0, 0)


@dataclass(frozen=True)
class Rule:
    """Two instructions that must not follow each other too soon.

    Attributes:
        reach: The most wait states that it asks for after `first`; 0 where `first` is no concern.
        pair: The wait states between two instructions, of which the first has a reach.
        why: The action of the second instruction, as a clause.
        source: Where the number stands.
        cores: The generations of `Target.tensor_cores` that need it; () for all.
    """

    reach: Callable[[Traits], int]
    pair: Callable[[Traits, Traits], Needed]
    why: str
    source: str
    cores: tuple[str, ...] = ()


def _longer(first: Matrix) -> int:
    """Wait states by which XDL instructions of CDNA 4 take longer than those of CDNA 3."""
    return int(first.cores == "CDNA 4" and first.passes > 2)


def _after_matrix(first: Matrix) -> int:
    """Wait states until D is in the registers, for all but memory and f64's rewriting."""
    if first.kind == "DGEMM":
        return 6 if first.passes == 4 else first.passes + 3
    if first.kind == "SGEMM" and first.cores != "CDNA 2":
        return first.passes + 2
    return first.passes + 3 + _longer(first)


def _matrix_sources(first: Traits, second: Traits) -> Needed:
    hit = first.writes & second.sources
    if first.matrix is None or second.matrix is None or not hit:
        return _NOTHING
    return _after_matrix(first.matrix), hit


def _matrix_accumulator(first: Traits, second: Traits) -> Needed:
    hit = first.writes & second.accumulator
    if first.matrix is None or second.matrix is None or not hit:
        return _NOTHING
    kind, passes, xdl = first.matrix.kind, first.matrix.passes, second.matrix.kind == "XDL"
    if first.writes == second.accumulator:
        if kind == "DGEMM":
            return (4 if passes == 4 and second.matrix == first.matrix else 0), hit
        short = passes == 2 and first.matrix.cores != "CDNA 2"
        return (2 if short and not (kind == "SGEMM" and xdl) else 0), hit
    return _overlapped(first.matrix, second.matrix), hit


def _overlapped(first: Matrix, second: Matrix) -> int:
    """Wait states until SrcC that overlaps an earlier D may be read."""
    if first.cores == "CDNA 2":
        if first.kind == "DGEMM" and second.kind != "DGEMM":
            return 0
        if first.kind != "DGEMM":
            return first.passes + (second.kind == "DGEMM")
    elif first.kind == "XDL":
        both = first.cores == "CDNA 4" and second.kind == "XDL"
        return first.passes + 1 + (1 if both else _longer(first))
    elif second.kind == "XDL":
        return 0
    return first.passes if first.kind == "SGEMM" or first.passes == 4 else first.passes + 1


def _matrix_vector(first: Traits, second: Traits) -> Needed:
    if first.matrix is None or not second.plain:
        return _NOTHING
    if hit := first.writes & second.reads:
        return _after_matrix(first.matrix), hit
    needed = _after_matrix(first.matrix)
    return (min(needed, 11) if first.matrix.kind == "DGEMM" else needed), (
        first.writes & second.writes
    )


def _matrix_memory(first: Traits, second: Traits) -> Needed:
    hit = first.writes & second.reads
    if first.matrix is None or not second.memory or not hit:
        return _NOTHING
    if first.matrix.kind == "DGEMM":
        return (9 if first.matrix.passes == 4 else 18), hit
    return _after_matrix(first.matrix), hit


def _matrix_overwritten(first: Traits, second: Traits) -> Needed:
    hit = first.accumulator & second.writes
    if first.matrix is None or not second.plain or first.matrix.kind == "DGEMM":
        return _NOTHING
    if first.matrix.kind == "SGEMM" and first.matrix.cores != "CDNA 2":
        return _NOTHING
    return first.matrix.passes - 1, hit


def _dot(first: Traits, second: Traits) -> Needed:
    if first.opcode == second.opcode:
        return 3, first.writes & second.sources
    if second.plain:
        return 3, first.writes & (second.reads | second.writes)
    return (3, first.writes & second.reads) if second.memory else _NOTHING


def _vector_matrix(first: Traits, second: Traits) -> Needed:
    if second.matrix is None:
        return _NOTHING
    return 2, first.writes & (second.sources | second.accumulator)


def _exec_matrix(first: Traits, second: Traits) -> Needed:
    return (4, first.writes & EXEC_BITS) if second.matrix is not None else _NOTHING


def _exec_dpp(first: Traits, second: Traits) -> Needed:
    return (5, first.writes & EXEC_BITS) if second.dpp else _NOTHING


def _exec_lanes(first: Traits, second: Traits) -> Needed:
    return (4, first.writes & EXEC_BITS) if second.name in _LANES else _NOTHING


def _is_permlane(second: Traits) -> bool:
    return second.name.startswith("v_permlane")


def _exec_permlane(first: Traits, second: Traits) -> Needed:
    return (4, first.writes & EXEC_BITS) if _is_permlane(second) else _NOTHING


def _vector_permlane(first: Traits, second: Traits) -> Needed:
    return (2, first.writes & second.reads & VECTORS) if _is_permlane(second) else _NOTHING


def _vector_dpp(first: Traits, second: Traits) -> Needed:
    if not second.dpp:
        return _NOTHING
    return 2, first.writes & second.reads & VECTORS


def _vector_readlane(first: Traits, second: Traits) -> Needed:
    if second.name not in ("v_readlane_b32", "v_readfirstlane_b32"):
        return _NOTHING
    return 1, first.writes & second.reads & VECTORS


def _scalar_constant(first: Traits, second: Traits) -> Needed:
    return (2, first.writes & second.constants) if second.vector else _NOTHING


def _scalar_select(first: Traits, second: Traits) -> Needed:
    return 4, first.writes & second.selector


def _scalar_memory(first: Traits, second: Traits) -> Needed:
    if not second.memory or second.lds:
        return _NOTHING
    return 5, first.writes & second.constants


def _scalar_fmas(first: Traits, second: Traits) -> Needed:
    return (4, first.writes & VCC_BITS) if second.name.startswith("v_div_fmas") else _NOTHING


def _scalar_zero(first: Traits, second: Traits) -> Needed:
    return (5, first.writes & second.zeros) if second.vector else _NOTHING


def _store_overwritten(first: Traits, second: Traits) -> Needed:
    return (2, first.data & second.writes) if second.vector else _NOTHING


def _store_overwritten_first(first: Traits, second: Traits) -> Needed:
    return (1, first.data & second.writes) if second.vector else _NOTHING


def _trans(first: Traits, second: Traits) -> Needed:
    if not second.vector or second.trans:
        return _NOTHING
    return 1, first.writes & second.reads


def _shifted(first: Traits, second: Traits) -> Needed:
    return (1, first.shifted & (second.reads | second.kept)) if second.vector else _NOTHING


def _hardware_register(first: Traits, second: Traits) -> Needed:
    # no register of the wave is concerned: bit 0 only says that there is something
    return (2, 1) if first.hardware == second.hardware else _NOTHING


def _m0(first: Traits, second: Traits) -> Needed:
    if not second.memory and not second.name.startswith("s_movrel"):
        return _NOTHING
    return 1, M0_BIT & second.reads


def _is_matrix(first: Traits) -> int:
    return 20 if first.matrix is not None else 0


def _writes_vectors(first: Traits) -> int:
    return 2 if first.plain and first.writes & VECTORS else 0


def _writes_scalars(first: Traits) -> int:
    return 5 if first.vector and first.writes & ~VECTORS else 0


def _writes_exec(first: Traits) -> int:
    return 5 if first.vector and first.writes & EXEC_BITS else 0


#: Rules of those that forward results of transcendental and moved values late (LLVM,
#: GCNSubtarget.h: hasTransForwardingHazard, hasDstSelForwardingHazard, hasVDecCoExecHazard).
_LATER = ("CDNA 3", "CDNA 4")
_ISA, _ISA_MATRIX = "AMD CDNA4 ISA, 4.5, table 11", "AMD CDNA4 ISA, 7.6, table 38"
RULES = (
    Rule(_is_matrix, _matrix_sources,
         "it reads {registers} as SrcA, SrcB or a scale, which a matrix instruction writes",
         _ISA_MATRIX),
    Rule(_is_matrix, _matrix_accumulator,
         "its SrcC overlaps {registers}, which a matrix instruction writes", _ISA_MATRIX),
    Rule(_is_matrix, _matrix_vector,
         "a VALU instruction reads or writes {registers}, which a matrix instruction writes",
         _ISA_MATRIX),
    Rule(_is_matrix, _matrix_memory,
         "a memory instruction reads {registers}, which a matrix instruction writes", _ISA_MATRIX),
    Rule(_is_matrix, _matrix_overwritten,
         "a VALU instruction writes {registers}, which a matrix instruction reads as SrcC",
         _ISA_MATRIX),
    Rule(lambda first: 3 if first.dot else 0, _dot,
         "it uses {registers}, which a dot product writes", _ISA_MATRIX),
    Rule(lambda first: _writes_vectors(first) and (0 if first.dot else 2), _vector_matrix,
         "a matrix instruction reads {registers}, which a VALU instruction writes", _ISA_MATRIX),
    Rule(_writes_exec, _exec_matrix,
         "a matrix instruction follows a VALU instruction that writes EXEC", _ISA_MATRIX),
    Rule(_writes_exec, _exec_dpp,
         "a DPP instruction follows a VALU instruction that writes EXEC", _ISA),
    Rule(_writes_exec, _exec_lanes,
         "v_readlane, v_readfirstlane or v_writelane follows a VALU instruction that writes EXEC",
         _ISA),
    Rule(_writes_exec, _exec_permlane,
         "v_permlane* follows a VALU instruction that writes EXEC", _ISA),
    Rule(_writes_vectors, _vector_permlane,
         "v_permlane* reads {registers}, which a VALU instruction writes", _ISA),
    Rule(_writes_vectors, _vector_dpp,
         "a DPP instruction reads {registers}, which a VALU instruction writes", _ISA),
    Rule(_writes_vectors, _vector_readlane,
         "a lane of {registers} is read, which a VALU instruction writes", _ISA, _LATER),
    Rule(_writes_scalars, _scalar_constant,
         "a VALU instruction reads {registers} as a constant, which a VALU instruction writes",
         _ISA, _LATER),
    Rule(_writes_scalars, _scalar_select,
         "it selects a lane by {registers}, which a VALU instruction writes", _ISA),
    Rule(_writes_scalars, _scalar_memory,
         "a VMEM instruction reads {registers}, which a VALU instruction writes", _ISA),
    Rule(_writes_scalars, _scalar_fmas,
         "v_div_fmas reads VCC, which a VALU instruction writes", _ISA),
    Rule(_writes_scalars, _scalar_zero,
         "it reads VCCZ or EXECZ of {registers}, which a VALU instruction writes", _ISA),
    Rule(lambda first: 2 if first.data else 0, _store_overwritten,
         "a VALU instruction writes {registers}, data of a store of more than 64 bits", _ISA,
         _LATER),
    Rule(lambda first: 1 if first.data else 0, _store_overwritten_first,
         "a VALU instruction writes {registers}, data of a store of more than 64 bits",
         "LLVM, GCNHazardRecognizer.cpp", ("CDNA 2",)),
    Rule(lambda first: int(first.trans), _trans,
         "it uses {registers}, the result of a transcendental instruction", f"{_ISA} and 12",
         _LATER),
    Rule(lambda first: 1 if first.shifted else 0, _shifted,
         "it uses {registers}, a result that op_sel or SDWA moved", f"{_ISA}, and 7.3", _LATER),
    Rule(lambda first: 2 if first.writes_mode else 0, _hardware_register,
         "it names the hardware register that s_setreg writes", _ISA),
    Rule(lambda first: 1 if not first.vector and first.writes & M0_BIT else 0, _m0,
         "an address or a register depends on M0, which a SALU instruction writes", _ISA),
)  # fmt: skip


def _exact_accumulator(first: Traits, second: Traits) -> Needed:
    one, other = first.matrix, second.matrix
    if one is None or other is None or first.writes != second.accumulator or one == other:
        return _NOTHING
    return _overlapped(one, other), first.writes


def _f64_rewritten(first: Traits, second: Traits) -> Needed:
    if first.matrix is None or not second.plain:
        return _NOTHING
    return _after_matrix(first.matrix), first.writes & second.writes


def _dot_matrix(first: Traits, second: Traits) -> Needed:
    return (3, first.writes & second.reads) if second.matrix is not None else _NOTHING


def _matrix_loaded(first: Traits, second: Traits) -> Needed:
    if first.matrix is None or not second.memory:
        return _NOTHING
    needed = _after_matrix(first.matrix)
    return (min(needed, 11) if first.matrix.kind == "DGEMM" else needed), (
        first.writes & second.writes
    )


def _f64_fma(first: Traits, second: Traits) -> Needed:
    return (2, first.writes) if second.name in ("v_fma_f64", "v_fmac_f64") else _NOTHING


def _lane_masks(first: Traits, second: Traits) -> Needed:
    return 2, first.writes & second.lane_masks


def _exec_memory(first: Traits, second: Traits) -> Needed:
    return (5, first.writes & EXEC_BITS) if second.memory and not second.lds else _NOTHING


def _store_loaded(first: Traits, second: Traits) -> Needed:
    return (1, first.data & second.writes) if second.memory else _NOTHING


def _dpp_old(first: Traits, second: Traits) -> Needed:
    return (2, first.writes & second.writes & VECTORS) if second.dpp else _NOTHING


def _is_f64(first: Traits) -> int:
    return 19 if first.matrix is not None and first.matrix.kind == "DGEMM" else 0


_LLVM = "LLVM, GCNHazardRecognizer.cpp"
#: Those that one source has and the other has not.
STRICT_RULES = (
    Rule(_is_matrix, _exact_accumulator,
         "its SrcC is {registers}, which a matrix instruction of another kind writes", _ISA_MATRIX),
    Rule(_is_f64, _f64_rewritten,
         "a VALU instruction writes {registers}, which an f64 matrix instruction writes",
         _ISA_MATRIX),
    Rule(lambda first: 3 if first.dot else 0, _dot_matrix,
         "a matrix instruction reads {registers}, which a dot product writes", _ISA_MATRIX),
    Rule(_is_matrix, _matrix_loaded,
         "a load writes {registers}, which a matrix instruction writes", _LLVM),
    Rule(_is_f64, _f64_fma, "an f64 fma follows an f64 matrix instruction", _LLVM),
    Rule(_writes_scalars, _lane_masks,
         "a VALU instruction reads {registers} as a mask of lanes, which a VALU instruction writes",
         _LLVM, _LATER),
    Rule(_writes_exec, _exec_memory,
         "a VMEM instruction follows a VALU instruction that writes EXEC", _LLVM),
    Rule(lambda first: 1 if first.data else 0, _store_loaded,
         "a load writes {registers}, data of a store of more than 64 bits", _ISA),
    Rule(_writes_vectors, _dpp_old,
         "a DPP instruction may keep {registers}, which a VALU instruction writes", _LLVM),
)  # fmt: skip


def source_of(rule: Rule, cores: str) -> str:
    """Where a rule's number stands: those of earlier generations are LLVM's."""
    return rule.source if cores == "CDNA 4" else _LLVM


def rules_of(first: Traits, settings: Settings, cores: str) -> tuple[tuple[Rule, ...], int]:
    """The rules that an instruction starts, and for how many wait states the longest lasts.

    `cores`: `Target.tensor_cores`.
    """
    if not (first.vector or first.data or first.hardware >= 0 or first.writes & M0_BIT):
        return (), 0
    rules = RULES + STRICT_RULES if settings.strict else RULES
    started = [
        (rule, reach)
        for rule in rules
        if (not rule.cores or cores in rule.cores) and (reach := rule.reach(first))
    ]
    return tuple(rule for rule, _ in started), max((reach for _, reach in started), default=0)
