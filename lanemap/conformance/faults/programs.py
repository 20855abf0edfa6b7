"""The smallest programs that show each fault of ptxas, with the words that PTX promises.

Every program is a kernel `program(in, out, p)` of one warp. Thread t stores its result to word t of
`out`; where a wait is looked at too, its predicate goes to word 32 + t.
"""

from __future__ import annotations

from dataclasses import dataclass

LANES = 32
#: What `out` holds before the launch.
UNTOUCHED = 0xABCD


@dataclass(frozen=True)
class FaultProgram:
    """A kernel of one warp.

    Attributes:
        name: Short, unique.
        text: The PTX.
        promise: The words of `out` that PTX promises, from word 0 on.
        cure: What differs from the program that fails, so that this one does not; "" for that one.
    """

    name: str
    text: str
    promise: tuple[int, ...]
    cure: str = ""


@dataclass(frozen=True)
class Fault:
    """One fault of a compiler.

    Attributes:
        name: Short, unique; docs/found.md has it as an anchor.
        promise: What PTX says, with its section.
        programs: Those that fail first, then those that a change cures.
    """

    name: str
    promise: str
    programs: tuple[FaultProgram, ...]


_ODD = tuple(lane & 1 for lane in range(LANES))
_NEIGHBOR = tuple(lane ^ 1 for lane in range(LANES))
#: Registers that a body may use: %t thread, %o address of its result, %a address of its own
#: mbarrier, %odd and %first predicates of the lane. It leaves its result in %v; others are free.
_BEGIN = """\
.version 9.0
.target sm_90a
.address_size 64
{functions}.visible .entry program(.param .u64 in, .param .u64 out, .param .align 32 .b8 p[64])
.maxntid 32, 1, 1
{{
.reg .b32 %t, %a, %n, %v, %w, %x, %i;
.reg .b64 %o, %q, %low, %high;
.reg .pred %p, %odd, %first, %g, %again;
.shared .align 8 .b64 own[32];
.shared .align 8 .b64 common;
.shared .align 4 .b32 words[32];
ld.param.u64 %o, [out];
mov.u32 %t, %tid.x;
mad.wide.u32 %o, %t, 4, %o;
mov.u32 %a, own;
mad.lo.u32 %a, %t, 8, %a;
and.b32 %n, %t, 1;
setp.ne.u32 %odd, %n, 0;
setp.eq.u32 %first, %t, 0;
"""
_END = """\
st.global.b32 [%o], %v;
ret;
}
"""


def _kernel(body: str, functions: str = "") -> str:
    return _BEGIN.format(functions=functions) + body + _END


# -- a timed wait ----------------------------------------------------------------------------------
#: Every lane has an mbarrier of its own; odd lanes complete its phase.
_OWN_PHASE = """\
mbarrier.init.shared::cta.b64 [%a], 1;
@%odd mbarrier.arrive.shared::cta.b64 _, [%a];
"""
_KEEP_PREDICATE = """\
selp.u32 %x, 1, 0, %p;
st.global.b32 [%o+128], %x;
"""
#: How the phase is waited for, by the cure.
_WAITS = {
    "": "mbarrier.try_wait.parity.shared::cta.b64 %p, [%a], 0, 20000;\n",
    "no suspendTimeHint": "mbarrier.try_wait.parity.shared::cta.b64 %p, [%a], 0;\n",
    "the wait in a loop": """\
mov.u32 %i, 0;
again:
mbarrier.try_wait.parity.shared::cta.b64 %p, [%a], 0, 2000;
@%p bra over;
add.u32 %i, %i, 1;
setp.lt.u32 %again, %i, 3;
@%again bra again;
over:
""",
}
#: What needs the whole warp behind the wait, and the words that it promises.
_BEHIND = {
    "redux": ("redux.sync.add.u32 %v, %t, 0xffffffff;\n", (sum(range(LANES)),) * LANES),
    "shfl": ("shfl.sync.bfly.b32 %v, %t, 1, 31, 0xffffffff;\n", _NEIGHBOR),
    "exchange": (
        """\
mov.u32 %w, words;
mad.lo.u32 %w, %t, 4, %w;
st.shared.b32 [%w], %t;
bar.warp.sync 0xffffffff;
xor.b32 %w, %w, 4;
ld.shared.b32 %v, [%w];
""",
        _NEIGHBOR,
    ),
}
#: One lane makes an object for all behind the wait.
_MAKES_OBJECT = """\
@%first mbarrier.init.shared::cta.b64 [common], 32;
bar.warp.sync 0xffffffff;
mbarrier.arrive.shared::cta.b64 _, [common];
bar.warp.sync 0xffffffff;
selp.u32 %v, 1, 0, %p;
"""


def _timed_waits() -> tuple[FaultProgram, ...]:
    found = []
    for cure, wait in _WAITS.items():
        suffix = f", {cure}" if cure else ""
        text = _kernel(_OWN_PHASE + wait + _MAKES_OBJECT)
        found.append(FaultProgram(f"an object behind a timed wait{suffix}", text, _ODD, cure))
        for name, (behind, promise) in _BEHIND.items():
            text = _kernel(_OWN_PHASE + wait + _KEEP_PREDICATE + behind)
            title = f"{name} behind a timed wait{suffix}"
            found.append(FaultProgram(title, text, promise + _ODD, cure))
    return tuple(found)


# -- guards ----------------------------------------------------------------------------------------
def _guarded(instruction: str, promise: tuple[int, ...], cure: str) -> tuple[FaultProgram, ...]:
    """An instruction for odd lanes alone: under a guard, and behind a branch."""
    name = instruction.partition(" ")[0]
    begin = "mov.u32 %v, 7;\nmov.u32 %w, 0x01010101;\n"
    branch = f"@!%odd bra behind;\n{instruction}\nbehind:\n"
    return (
        FaultProgram(f"{name} under a guard", _kernel(f"{begin}@%odd {instruction}\n"), promise),
        FaultProgram(f"{name}, {cure}", _kernel(begin + branch), promise, cure),
    )


_SMALL = 0x01010101
_SET = tuple((0x3F800000 if lane < _SMALL else 0) if lane & 1 else 7 for lane in range(LANES))
_VADD4 = tuple(8 + lane if lane & 1 else 7 for lane in range(LANES))

# -- parameters ------------------------------------------------------------------------------------
_TAKES_128 = """\
.func (.param .b64 r) upper(.param .align 16 .b128 x)
{
.reg .b128 %f;
.reg .b64 %lower, %upper;
ld.param.b128 %f, [x];
mov.b128 {%lower, %upper}, %f;
st.param.b64 [r], %upper;
ret;
}
"""
_TAKES_TWO = """\
.func (.param .b64 r) upper(.param .align 16 .b8 x[16])
{
.reg .b64 %lower, %upper;
ld.param.v2.b64 {%lower, %upper}, [x];
st.param.b64 [r], %upper;
ret;
}
"""
_CALLS = """\
cvt.u64.u32 %low, %t;
add.u64 %high, %low, 100;
{{
.param .b64 r0;
.param {argument};
{store}
call (r0), upper, (x0);
ld.param.b64 %q, [r0];
}}
cvt.u32.u64 %v, %q;
"""
_UPPER = tuple(100 + lane for lane in range(LANES))


def _parameters() -> tuple[FaultProgram, ...]:
    whole = _CALLS.format(
        argument=".align 16 .b128 x0",
        store=".reg .b128 %wide;\nmov.b128 %wide, {%low, %high};\nst.param.b128 [x0], %wide;",
    )
    halves = _CALLS.format(
        argument=".align 16 .b8 x0[16]", store="st.param.v2.b64 [x0], {%low, %high};"
    )
    cure = "as two words of 64 bits"
    return (
        FaultProgram("ld.param.b128 of a function", _kernel(whole, _TAKES_128), _UPPER),
        FaultProgram(f"a parameter of 128 bits, {cure}", _kernel(halves, _TAKES_TWO), _UPPER, cure),
    )


FAULTS = (
    Fault(
        "timed-wait",
        "bar.warp.sync, shfl.sync and redux.sync wait until all threads of membermask execute the "
        "same instruction (PTX ISA, Parallel Synchronization and Communication; Data Movement: "
        "shfl.sync). mbarrier.try_wait gives every thread a predicate of its own (the same, "
        "mbarrier.try_wait).",
        _timed_waits(),
    ),
    Fault(
        "guarded-set",
        "An instruction under a guard that is false has no effect (PTX ISA, Predicated Execution).",
        _guarded("set.gt.f32.s32 %v, %w, %t;", _SET, "behind a branch"),
    ),
    Fault(
        "guarded-vadd4",
        "An instruction under a guard that is false has no effect (PTX ISA, Predicated Execution).",
        _guarded("vadd4.u32.u32.u32.add %v, %w, %w, %t;", _VADD4, "behind a branch"),
    ),
    Fault(
        "parameter-b128",
        "ld.param.b128 loads 128 bits (PTX ISA, Data Movement: ld).",
        _parameters(),
    ),
)
