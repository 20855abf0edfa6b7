"""Which pipe each SASS opcode takes, and which row says how long.

No opcode is guessed: one that no row measures stands beside the measured one that it is taken for,
with the reason; one that stands nowhere is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

#: The pipes of a scheduler. FFMA goes to either of the two of FMA: FADD and FFMA together take the
#: sum of their times, FFMA and IMAD do not (timing_contention).
PIPES = ("alu", "fma heavy", "fma lite", "half", "transcendental", "fp64", "tensor")


@dataclass(frozen=True)
class Rule:
    """Opcodes that are timed alike.

    Attributes:
        opcodes: What they begin with; a longer beginning goes before a shorter one.
        pipes: The pipes of which they take one; () for the issue slot alone.
        like: The opcode whose rate and latency count for those that no row has.
        why: Why it may.
        unit: The kind of unit besides the pipe, as machine.h names it.
    """

    opcodes: tuple[str, ...]
    pipes: tuple[str, ...] = ()
    like: str = ""
    why: str = ""
    unit: str = "NOTHING"


_SIBLING = "another form of the measured opcode"
_PAIR = "with SEL or FSEL it takes two issues of this pipe (timing_alu_rates)"
_MOVES = "an operation of 32 bits without a multiplier, as those measured of this pipe"
_UNIFORM = "the uniform data path: only stall counts are known, and no rate is below one a cycle"
_CONTROL = "control flow, which its stall count and the rows of branches time"

RULES = (
    Rule(("IADD3", "LOP3", "PRMT", "SHF", "SGXT", "BMSK", "VABSDIFF", "VIADDMNMX", "VIMNMX3",
          "VIADD.", "FMNMX", "F2FP", "I2FP", "FSET.", "VHMNMX"), ("alu",), "LOP3.LUT", _SIBLING),
    Rule(("ISETP", "SEL", "FSETP", "FSEL"), ("alu",), "LOP3.LUT", _PAIR),
    Rule(("LEA", "MOV", "IABS", "IMNMX", "VIMNMX", "PLOP3", "P2R", "R2P", "VOTE", "LOP", "CSEL",
          "F2FP.", "I2I", "VABSDIFF4", "HSETP2", "HMNMX2"), ("alu",), "LOP3.LUT", _MOVES),
    Rule(("FFMA", "FADD", "FMUL"), ("fma lite", "fma heavy"), "FFMA", _SIBLING),
    Rule(("IMAD", "IDP"), ("fma heavy",), "IMAD", _SIBLING),
    Rule(("VIADD",), ("fma heavy",), "IMAD",
         "LOP3 issues in the cycle behind it (pipelines, loop); ptxas spaces it from IMAD"),
    Rule(("IMAD.HI", "IMAD.WIDE"), ("fma heavy",), "IMAD.HI.U32", _SIBLING),
    Rule(("HADD2", "HFMA2", "HMUL2"), ("fma heavy",), "HADD2.F32",
         "HADD2.F32 shares the pipe of IMAD (timing_contention)"),
    Rule(("HFMA2.MMA",), ("half",), "HADD2.F32",
         "with HFMA2, HADD2 or HMUL2 in turn it issues in each cycle, so its pipe is another one"),
    Rule(("MUFU", "POPC", "FLO", "BREV", "F2I", "FRND", "I2F", "F2F"), ("transcendental",),
         "MUFU.EX2", _SIBLING),
    Rule(("FCHK",), ("transcendental",), "MUFU.EX2",
         "the check of a quotient's range, beside the MUFU.RCP of each division"),
    Rule(("F2F.F32.F64", "F2F.F64.F32", "F2I.F64", "I2F.F64"), ("transcendental",), "MUFU.EX2",
         "it takes the pipe as MUFU does, within 8 % (timing_alu_rates)"),
    Rule(("DADD", "DFMA", "DMUL", "DSETP"), ("fp64",), "DFMA", _SIBLING),
    Rule(("U", "R2UR", "VOTEU"), why=_UNIFORM),
    Rule(("BRA", "BRX", "JMP", "EXIT", "BSSY", "BSYNC", "BREAK", "WARPSYNC", "NOP", "CALL", "RET",
          "ELECT", "BMOV", "YIELD", "KILL", "PREEXIT", "ACQBULK", "PMTRIG", "WARPGROUP.ARRIVE",
          "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "NANOSLEEP", "LEPC", "MEMBAR", "B2R", "USETMAXREG",
          "FENCE.VIEW.ASYNC"),
         why=_CONTROL),
    Rule(("MEMBAR.ALL.GPU", "MEMBAR.SC.GPU"), unit="FENCE"),
    Rule(("DEPBAR.LE",), unit="PENDING"),
    Rule(("WARPGROUP.DEPBAR.LE",), unit="MATRIX_WAIT"),
    Rule(("UCGABAR_ARV",), unit="CLUSTER_ARRIVE"),
    Rule(("UCGABAR_WAIT",), unit="CLUSTER_WAIT"),
    Rule(("BAR.SYNC", "BAR.RED"), unit="BARRIER"),
    Rule(("BAR.ARV",), unit="BARRIER_ARRIVE"),
    Rule(("CS2R", "S2R", "S2UR"), why="special registers"),
)  # fmt: skip
