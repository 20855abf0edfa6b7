"""Control flow, waits, barriers, and what needs the program counter or the MODE register."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.indexed import relative_move
from lanemap.emulator.amdgcn.lower.registers import (
    EXEC_PAIR,
    IMAGE_BASE,
    SCC,
    VCC_PAIR,
)
from lanemap.emulator.amdgcn.lower.rules import LGKMCNT, VMCNT, Rule
from lanemap.emulator.amdgcn.lower.table import SOP1, SOPC, SOPK, SOPK_LITERAL, SOPP, instruction
from lanemap.emulator.amdgcn.text.modifiers import HARDWARE_REGISTERS
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.runtime import abi

_SOP1 = "AMD CDNA4 ISA, chapter 12, SOP1 instructions"
_SOPC = "AMD CDNA4 ISA, chapter 12, SOPC instructions"
_SOPK = "AMD CDNA4 ISA, chapter 12, SOPK instructions"
_SOPP = "AMD CDNA4 ISA, chapter 12, SOPP instructions"


# -- branches -------------------------------------------------------------------------------------


@instruction("s_branch", "label", SOPP, cite=_SOPP, raw=True, kind="branch")
def s_branch(c: Context) -> None:
    _give_way(c)
    c.b.flow.goto(c.values["target"], c.values["status"])


def _is_zero(c: Context, pair: tuple[Register, ...]) -> Value:
    wide = c.alu.join(*(c.b.registers.read(register) for register in pair))
    return c.alu.compare("eq", wide, c.constant("i64", 0))


@instruction(
    "s_cbranch_scc0 s_cbranch_scc1", "label (scc)", SOPP, cite=_SOPP, raw=True, kind="condition"
)
def s_cbranch_scc(c: Context) -> None:
    taken = c.b.registers.read(SCC)
    _branch(c, c.alu.not_(taken) if c.name[-1] == "0" else taken)


@instruction(
    "s_cbranch_vccz s_cbranch_vccnz", "label (vcc)", SOPP, cite=_SOPP, raw=True, kind="condition"
)
def s_cbranch_vcc(c: Context) -> None:
    zero = _is_zero(c, VCC_PAIR)
    _branch(c, zero if c.name.endswith("vccz") else c.alu.not_(zero))


@instruction(
    "s_cbranch_execz s_cbranch_execnz", "label (exec)", SOPP, cite=_SOPP, raw=True, kind="condition"
)
def s_cbranch_exec(c: Context) -> None:
    zero = _is_zero(c, EXEC_PAIR)
    _branch(c, zero if c.name.endswith("execz") else c.alu.not_(zero))


def _give_way(c: Context) -> None:
    """Let other waves run at each turn of a loop that reads memory: what it does may be a race."""
    if c.values["gives_way"]:
        c.b.runtime.set_field("gives_way", c.constant("i32", 1))


def _branch(c: Context, taken: Value) -> None:
    b = c.b
    _give_way(c)
    if c.values["status"] == abi.Run.ON:
        b.flow.branch(taken, c.values["target"], c.values["next"])
        return
    # A loop that polls may wait for other work-groups.
    b.checks.require_defined(taken, "branch")
    target = b.alu.select(
        Value(taken.operand, "i1", False),
        c.constant("i32", c.values["target"]),
        c.constant("i32", c.values["next"]),
    )
    c.jump(target, c.values["status"])


@instruction("s_endpgm", "", SOPP, cite=_SOPP, raw=True, kind="end")
def s_endpgm(c: Context) -> None:
    c.b.runtime.call("lm_end_scalar", c.b.runtime.index)
    c.b.flow.goto(c.b.plan.block, abi.Run.END)


# -- the program counter --------------------------------------------------------------------------


def _address(c: Context, offset: int) -> Value:
    """The address of a byte of the image."""
    return c.alu.add(c.b.registers.read(IMAGE_BASE), c.constant("i64", offset))


@instruction("s_getpc_b64", "=s:i64", SOP1, cite=_SOP1, counts_from=IMAGE_BASE)
def s_getpc(c: Context) -> Value:
    return _address(c, c.values["following"])


def _jump(c: Context, address: Value) -> None:
    """Go on at the block whose first instruction has the address.

    If there is none it is a hazard, and the wave ends.
    """
    b = c.b
    b.checks.require_defined(address, "branch")
    plain = Value(address.operand, "i64", False)
    offset = b.alu.sub(plain, b.registers.read(IMAGE_BASE))
    target = c.constant("i32", b.plan.block)
    unknown = c.constant("i1", 1)
    for place, block in c.values["targets"]:
        hit = b.alu.compare("eq", offset, c.constant("i64", place))
        target = b.alu.select(hit, c.constant("i32", block), target)
        unknown = b.alu.and_(unknown, b.alu.not_(hit))
    b.checks.rule(unknown, Rule.JUMP)
    ended = c.constant("i32", abi.Run.END)
    c.jump(target, b.alu.select(unknown, ended, c.constant("i32", abi.Run.ON)))


@instruction(
    "s_setpc_b64",
    "s:i64",
    SOP1,
    cite=_SOP1,
    raw=True,
    kind="jump",
    registers_only=True,
    counts_from=IMAGE_BASE,
)
def s_setpc(c: Context) -> None:
    _jump(c, c.read(0))


@instruction(
    "s_swappc_b64", "=s:i64 s:i64", SOP1, cite=_SOP1, raw=True, kind="jump", counts_from=IMAGE_BASE
)
def s_swappc(c: Context) -> None:
    target = c.read(1)
    c.write(0, _address(c, c.values["following"]))
    _jump(c, target)


@instruction(
    "s_call_b64", "=s:i64 label", SOPK, cite=_SOPK, raw=True, kind="call", counts_from=IMAGE_BASE
)
def s_call(c: Context) -> None:
    c.write(0, _address(c, c.values["following"]))
    c.b.flow.goto(c.values["target"])


# -- waits, barriers, and instructions that change only time --------------------------------------


@instruction("s_waitcnt", "simm", SOPP, cite=_SOPP + "; 4.4", raw=True, kind="wait")
def s_waitcnt(c: Context) -> None:
    """Bits: vmcnt [15:14|3:0], expcnt [6:4], lgkmcnt [11:8]; a full field waits for nothing.

    Before CDNA 3 a release to the agent is the wait alone (LLVM, AMDGPUUsage, "Memory Model
    gfx90a", fence release): what is complete lies in the one L2 cache. Any later store may be the
    flag.
    """
    bits = int(c.bound.operands[0].value)
    vector, local = bits & 15 | (bits >> 14 & 3) << 4, bits >> 8 & 15
    if vector < 63:
        c.b.pending.wait(VMCNT, vector)
    if vector == 0 and c.values["releases"]:
        c.b.runtime.call("lm_write_back")
    if local < 15:
        c.b.pending.wait(LGKMCNT, local)
    c.b.pending.begin_segment()


@instruction("s_barrier", "", SOPP, cite=_SOPP, raw=True, kind="barrier")
def s_barrier(c: Context) -> None:
    c.b.flow.goto(c.values["next"], abi.Run.BARRIER)


@instruction("s_sleep", "simm", SOPP, cite=_SOPP, raw=True, kind="barrier")
def s_sleep(c: Context) -> None:
    """Other waves run meanwhile."""
    c.b.flow.goto(c.values["next"], abi.Run.YIELD)


@instruction(
    "s_nop s_setprio s_sethalt s_incperflevel s_decperflevel", "simm", SOPP, cite=_SOPP, raw=True
)
@instruction("s_icache_inv s_wakeup s_ttracedata", "", SOPP, cite=_SOPP, raw=True)
def only_time(c: Context) -> None:
    """Changes when things happen or what a profiler sees, not what happens; no code is modified."""


@instruction("s_trap", "simm", SOPP, cite=_SOPP, raw=True, kind="end")
def s_trap(c: Context) -> None:
    """Without a trap handler a trap is where a launch fails."""
    c.b.checks.rule(c.constant("i1", 1), Rule.TRAP, int(c.bound.operands[0].value))
    c.b.flow.goto(c.b.plan.block, abi.Run.END)


# -- registers of the hardware --------------------------------------------------------------------


@instruction(
    "s_setreg_imm32_b32", "simm simm", SOPK_LITERAL, cite=_SOPK + "; 3.3.1", raw=True, kind="mode"
)
def s_setreg(c: Context) -> None:
    """The mode is followed when the program is built; see program.py."""


_SIMDS = 4  # of a compute unit


@instruction("s_getreg_b32", "=s:i32 simm", SOPK, cite=_SOPK + "; 3.3.1", kind="getreg")
def s_getreg(c: Context, field: Value) -> Value:
    """MODE; where the wave runs, as if the device had one compute unit of four SIMDs."""
    b, asked = c.b, int(c.bound.operands[1].value)
    number, offset, size = asked & 63, asked >> 6 & 31, (asked >> 11 & 31) + 1
    if number == HARDWARE_REGISTERS["HW_REG_MODE"]:
        return c.constant("i32", c.mode.field(asked))
    if number == HARDWARE_REGISTERS["HW_REG_XCC_ID"]:
        return c.constant("i32", 0)
    # HW_ID: WAVE_ID [3:0], SIMD_ID [5:4]; waves of a workgroup take the SIMDs in turn
    wave = b.runtime.field("index", "i32")
    simd = b.alu.and_(wave, c.constant("i32", _SIMDS - 1))
    slot = b.alu.and_(b.alu.lshr(wave, c.constant("i32", 2)), c.constant("i32", 15))
    word = b.alu.disjoint(slot, b.alu.shl(simd, c.constant("i32", 4)))
    moved = b.alu.lshr(word, c.constant("i32", offset))
    return b.alu.and_(moved, c.constant("i32", (1 << size) - 1))


# -- VGPRs by index -------------------------------------------------------------------------------


@instruction("s_set_gpr_idx_on", "s:i32 simm +(m0)", SOPC, cite=_SOPC, kind="index_on")
def s_set_gpr_idx_on(c: Context, index: Value, which: Value, m0: Value) -> Value:
    """M0[7:0] is the index, M0[15:12] which operands it is added to."""
    b = c.b
    kept = b.alu.and_(m0, c.constant("i32", 0xFFFF0F00))
    modes = c.constant("i32", int(c.bound.operands[1].value) << 12)
    return b.alu.disjoint(b.alu.disjoint(kept, b.alu.and_(index, c.constant("i32", 0xFF))), modes)


@instruction("s_set_gpr_idx_off", "", SOPP, cite=_SOPP, raw=True, kind="index_off")
def s_set_gpr_idx_off(c: Context) -> None:
    """The index is followed when the program is built; see program.py."""


@instruction("s_set_gpr_idx_idx", "s:i32 +(m0)", SOP1, cite=_SOP1)
def s_set_gpr_idx_idx(c: Context, index: Value, m0: Value) -> Value:
    kept = c.alu.and_(m0, c.constant("i32", 0xFFFFFF00))
    return c.alu.disjoint(kept, c.alu.and_(index, c.constant("i32", 0xFF)))


@instruction("s_set_gpr_idx_mode", "simm +(m0)", SOPP, cite=_SOPP, kind="index_mode")
def s_set_gpr_idx_mode(c: Context, which: Value, m0: Value) -> Value:
    """M0[15:12] alone."""
    modes = c.constant("i32", int(c.bound.operands[0].value) << 12)
    return c.alu.disjoint(c.alu.and_(m0, c.constant("i32", 0xFFFF0FFF)), modes)


# -- SGPRs by index -------------------------------------------------------------------------------

_RELATIVE = _SOP1 + ", S_MOVRELS_B32 and alike"


@instruction(
    "s_movrels_b32",
    "=s:i32 s:i32 (m0)",
    SOP1,
    cite=_RELATIVE,
    raw=True,
    kind="relative",
    registers_only=True,
)
@instruction(
    "s_movrels_b64",
    "=s:i64 s:i64 (m0)",
    SOP1,
    cite=_RELATIVE,
    raw=True,
    kind="relative",
    registers_only=True,
)
@instruction("s_movreld_b32", "=s:i32 s:i32 (m0)", SOP1, cite=_RELATIVE, raw=True, kind="relative")
@instruction("s_movreld_b64", "=s:i64 s:i64 (m0)", SOP1, cite=_RELATIVE, raw=True, kind="relative")
def s_movrel(c: Context) -> None:
    relative_move(c)
