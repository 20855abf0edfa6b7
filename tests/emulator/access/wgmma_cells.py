"""The operands of wgmma in shared memory, each byte against each hazard, and its registers.

One text for each pair of majors: its parameters say which byte is not written, who touches which
byte how and when, and who waits. Which bytes an operand has is worked out from CUTLASS
(tests/emulator/ptx/wgmma_operands.py). Layouts have gaps: LBO and SBO are twice what they need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tests import ptx
from tests.emulator.access.cells import Cell, Fault, Launch
from tests.emulator.access.test_async import tensor_map
from tests.emulator.ptx.wgmma_operands import WIDTH, bit_place, descriptor

TARGET, THREADS, LINES, N = "sm_90a", 160, 64, 16
#: Where B begins, and how many bytes there are for both.
B_AT, SIZE = 16384, 20480
NOWHERE, UNIT = 1 << 20, 16
#: Shape, types, bits of an element, K, and what follows scale-d for the majors of A and B.
FORMS = {
    "K-major f16": ("m64n16k16.f32.f16.f16", 16, 16, ", 1, 1, 0, 0", (False, False)),
    "MN-major f16": ("m64n16k16.f32.f16.f16", 16, 16, ", 1, 1, 1, 1", (True, True)),
    "K- and MN-major f16": ("m64n16k16.f32.f16.f16", 16, 16, ", 1, 1, 0, 1", (False, True)),
    "K-major e4m3": ("m64n16k32.f32.e4m3.e4m3", 8, 32, ", 1, 1", (False, False)),
}
SWIZZLES = {0: "none", 3: "32B", 2: "64B", 1: "128B"}
ROWS = [(form, swizzle) for form in FORMS for swizzle in SWIZZLES]


@dataclass(frozen=True)
class Operand:
    """A or B: how it lies, from byte `start` of `data` on."""

    form: str
    swizzle: int
    letter: str
    start: int

    @property
    def _mn(self) -> bool:
        return FORMS[self.form][4]["AB".index(self.letter)]

    @property
    def _offsets(self) -> tuple[int, int]:
        """LBO and SBO that leave gaps as long as what they step over."""
        atom = 8 * WIDTH[self.swizzle]
        if self.swizzle == 0:
            return 256, 512
        return (4 * atom, 2 * atom) if self._mn else (16, 2 * atom)

    @property
    def descriptor(self) -> int:
        """The descriptor, as if `data` were at 0."""
        return descriptor(self.start, *self._offsets, self.swizzle)

    def lines(self, first: int = 0, count: int = 0) -> set[int]:
        """The bytes of some rows of A, or columns of B, or of all."""
        count = count or (LINES if self.letter == "A" else N)
        line, k = np.ogrid[first : first + count, : FORMS[self.form][2]]
        bits = FORMS[self.form][1]
        low = bit_place(self.swizzle, self._mn, bits, line, k, self.start, *self._offsets) // 8
        return set((low.reshape(-1, 1) + np.arange(bits // 8)).ravel().tolist())


def _operands(form: str, swizzle: int, a: int = 0, b: int = B_AT) -> tuple[Operand, Operand]:
    return Operand(form, swizzle, "A", a), Operand(form, swizzle, "B", b)


_COPY = {
    1: "st.shared.b8 [%at], %h0;",
    2: "cp.async.ca.shared.global [%at], [%ga], 4;",
    3: "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%at], [%ga], 16, [bar];",
    4: "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
       "[%at], [%tm, {%zero}], [bar];",
}  # fmt: skip
STORE, CP_ASYNC, BULK, TMA = _COPY
#: What a place must be a multiple of; TMA writes 16 bytes of the 128.
_STEP = {STORE: 1, CP_ASYNC: 4, BULK: 16, TMA: 128}
_PARAMS = ("a", "b", "mask", "hole", "how", "at", "who", "late", "over", "fenced", "met", "waited")


def _act(when: str) -> str:
    """Thread %who does what %how says at byte %at; %over says whether it waits for that."""
    lines = f"setp.ne.u32 %p, %n, %who; @%p bra {when}_NOT; setp.ne.u32 %p, %late, "
    lines += f"{int(when == 'late')}; @%p bra {when}_NOT;\n"
    for how, text in _COPY.items():
        lines += f"setp.ne.u32 %p, %how, {how}; @%p bra {when}_{how};\n"
        if how >= BULK:
            lines += "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n"
        lines += f"{text} // {when}\n{when}_{how}:\n"
    return (
        lines
        + f"""setp.eq.u32 %p, %over, 0; @%p bra {when}_DONE;
setp.eq.u32 %p, %how, {CP_ASYNC}; @%p cp.async.wait_all;
setp.lt.u32 %p, %how, {BULK}; @%p bra {when}_DONE;
{when}_WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0; @!%p bra {when}_WAIT;
{when}_DONE: setp.eq.u32 %p, %fenced, 0; @%p bra {when}_NOT;
fence.proxy.async.shared::cta;
{when}_NOT: bar.warp.sync 0xffffffff;
"""
    )


def _masks(form: str) -> str:
    """For each swizzle a bit for each 16 bytes of `data`, and everything at last."""
    words: list[int] = []
    for swizzle in range(4):
        units = np.zeros(SIZE // UNIT, np.uint8)
        for operand in _operands(form, swizzle):
            units[[byte // UNIT for byte in operand.lines()]] = 1
        words += np.packbits(units, bitorder="little").view(np.uint32).tolist()
    words += [0xFFFFFFFF] * (SIZE // UNIT // 32)
    return f".global .align 16 .b32 masks[{len(words)}] = {{{', '.join(map(str, words))}}};\n"


def _head(form: str) -> str:
    parameters = ", ".join(f".param .u64 {name}" for name in ("array", *_PARAMS))
    taken = "".join(
        f"ld.param.u64 %x, [{name}]; cvt.u32.u64 %{name}, %x;\n" for name in _PARAMS[2:]
    )
    return f""".global .align 128 .b8 made[128];
{_masks(form)}.visible .entry k({parameters}) {{
.reg .pred %p, %q, %true; .reg .b16 %h0; .reg .b32 %n, %w, %c, %e, %s, %u, %zero, %one, %base;
.reg .b32 {", ".join("%" + name for name in _PARAMS[2:])};
.reg .f32 %f<8>; .reg .b64 %a, %b, %ga, %tm, %x;
.shared .align 8 .b64 bar; .shared .align 1024 .b8 data[{SIZE}];
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; mov.b32 %zero, 0; mov.b32 %one, 0x3c3c3c3c;
mov.b16 %h0, 0x77; mov.u32 %base, data; setp.eq.u32 %true, %n, %n;
ld.param.u64 %ga, [array];
{taken}add.u32 %at, %at, %base; shr.u32 %s, %base, 4; cvt.u64.u32 %x, %s;
ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; add.u64 %a, %a, %x; add.u64 %b, %b, %x;
setp.ne.u32 %p, %n, %who; @%p bra BEGUN;
mbarrier.init.shared::cta.b64 [bar], 1;
{tensor_map("0").replace("0, 48", "0, 16")}BEGUN:
"""


#: 16 bytes at a time, those that the mask names; the ones with the hole byte by byte.
_FILL = f"""mov.u32 %c, %n;
FILL: shr.u32 %e, %c, 5; mad.lo.u32 %e, %mask, {SIZE // UNIT // 32}, %e;
mul.wide.u32 %x, %e, 4; mov.u64 %tm, masks; add.u64 %tm, %tm, %x; ld.global.b32 %e, [%tm];
and.b32 %s, %c, 31; shr.u32 %e, %e, %s; and.b32 %e, %e, 1; setp.eq.u32 %p, %e, 0; @%p bra NEXT;
mad.lo.u32 %s, %c, {UNIT}, %base; shr.u32 %e, %hole, 4; setp.eq.u32 %p, %e, %c; @%p bra SINGLE;
st.shared.v4.b32 [%s], {{%one, %one, %one, %one}};
bra NEXT;
SINGLE: and.b32 %u, %hole, 15; mov.u32 %e, 0;
BYTE: setp.ne.u32 %p, %e, %u; @%p st.shared.b8 [%s], %one;
add.u32 %s, %s, 1; add.u32 %e, %e, 1; setp.lt.u32 %p, %e, {UNIT}; @%p bra BYTE;
NEXT: add.u32 %c, %c, {THREADS}; setp.lt.u32 %p, %c, {SIZE // UNIT}; @%p bra FILL;
fence.proxy.async.shared::cta;
bar.sync 0;
mov.u64 %tm, made;
"""
_MEET = "setp.eq.u32 %p, %met, 0; @%p bra {0};\nbar.sync 0;\n{0}:\n"


def text(form: str) -> str:
    """Fill, act, meet, multiply, wait, meet, act."""
    shape, _, _, end, _ = FORMS[form]
    sums = ", ".join(f"%f{i}" for i in range(8))
    group = f"""setp.eq.u32 %p, %w, 4; @%p bra MULTIPLIED;
setp.ne.u32 %p, %over, 2; @%p bra ARRIVED;
ALL: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0; @!%p bra ALL;
ARRIVED: wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.{shape} {{{sums}}}, %a, %b, %q{end}; // wgmma
wgmma.commit_group.sync.aligned;
setp.eq.u32 %p, %waited, 0; @%p bra MULTIPLIED;
wgmma.wait_group.sync.aligned 0;
MULTIPLIED:
"""
    return ptx.module(
        _head(form)
        + _FILL
        + _act("early")
        + _MEET.format("MET")
        + "not.pred %q, %true;\n"
        + group
        + _MEET.format("AGAIN")
        + _act("late")
        + "setp.eq.u32 %p, %w, 4; @%p bra END;\nwgmma.wait_group.sync.aligned 0;\nEND:\n"
        + f"setp.ne.u32 %p, %n, %who; @%p bra OUT; setp.lt.u32 %p, %how, {BULK}; @%p bra OUT;\n"
        + "LAST: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0; @!%p bra LAST;\n"
        + "OUT: ret;\n}\n"
    )


def _launch(operands: tuple[Operand, Operand], fault: Fault | None = None, **given: int) -> Launch:
    """One launch, in which all is filled, met and waited for that is not said."""
    usual = {
        "a": operands[0].descriptor, "b": operands[1].descriptor, "mask": 4, "hole": NOWHERE,
        "how": 0, "at": 0, "who": 128, "late": 0, "over": 1, "fenced": 1, "met": 1, "waited": 1,
    }  # fmt: skip
    return Launch(tuple({**usual, **given}[name] for name in _PARAMS), fault)


def _cell(form: str, launches: list[Launch]) -> Cell:
    return Cell(TARGET, text(form), tuple(launches), block=THREADS)


def _places(
    operands: tuple[Operand, Operand], size: int = 1, step: int = 1
) -> Iterator[tuple[int, bool]]:
    """Multiples of `size` in all rows of both operands, then beside: place, if touched."""
    touched = operands[0].lines() | operands[1].lines()
    inside = sorted(byte for byte in touched if byte % size == 0)
    beside = sorted(
        byte
        for byte in range(0, SIZE, size)
        if byte not in touched and touched & {byte - size, byte + size}
    )
    if size == 128 or not beside:
        beside = [byte for byte in range(0, SIZE, size) if byte not in touched]
    for found, hit, each in ((inside, True, step), (beside, False, max(step, 16))):
        yield from ((byte, hit) for byte in sorted({*found[::each], *found[:2], *found[-1:]}))


# -- what was never written, and what is not there ------------------------------------------------
def undefined(form: str, swizzle: int) -> Cell:
    """One byte was never written; or all that do not belong to an operand."""
    operands = _operands(form, swizzle)
    fault = Fault("undefined", None, ("matrix operand",), ("wgmma",))
    launches = [_launch(operands, mask=swizzle)]
    for hole, touched in _places(operands, step=53):
        patterns = (*fault.patterns, rf"byte {hole + 1024:#x}\b")
        said = Fault("undefined", None, patterns, ("wgmma",))
        launches.append(_launch(operands, said if touched else None, hole=hole))
    return _cell(form, launches)


def bounds(form: str, swizzle: int) -> Cell:
    """An operand ends with shared memory, reaches beyond it by one unit, or lies behind it."""
    launches = []
    for number in (0, 1):
        end = max(_operands(form, swizzle, 0, 0)[number].lines()) + 1
        last = SIZE - end
        for start in (last // 1024 * 1024, last, last + UNIT, SIZE - UNIT, SIZE, SIZE + 16384):
            at = (start, 0) if number == 0 else (0, start)
            operands = _operands(form, swizzle, *at)
            beyond = max(operands[number].lines()) >= SIZE
            fault = Fault("out-of-bounds", None, ("outside|past|reaches",), ("wgmma",))
            launches.append(_launch(operands, fault if beyond else None))
    return _cell(form, launches)


# -- order before ---------------------------------------------------------------------------------
_EARLY = ("wgmma", "early")


def stored_before(form: str, swizzle: int) -> Cell:
    """A byte is stored without the fence between proxies, or by a warp that is not met, or well."""
    operands = _operands(form, swizzle)
    proxy = Fault("order", None, ("fence.proxy.async",), ("wgmma",))
    order = Fault("order", None, ("order|missing",), _EARLY)
    launches = []
    for at, touched in _places(operands, step=251):
        store = {"how": STORE, "at": at}
        for who in (37, 128):
            launches += [
                _launch(operands, proxy if touched else None, **store, who=who, fenced=0),
                _launch(operands, None, **store, who=who),
            ]
        launches.append(_launch(operands, order if touched else None, **store, met=0))
    return _cell(form, launches)


def own_rows(form: str, swizzle: int) -> Cell:
    """A warp stores into A and does not meet the others: well in its own rows, not in others'."""
    operands = _operands(form, swizzle)
    order = Fault("order", None, ("order|missing",), _EARLY)
    launches = []
    for warp in range(4):
        for rows in range(4):
            at = sorted(operands[0].lines(16 * rows, 16))[100]
            launches.append(
                _launch(
                    operands,
                    None if rows == warp else order,
                    how=STORE,
                    at=at,
                    who=32 * warp,
                    met=0,
                )
            )
        at = sorted(operands[1].lines())[100]
        launches.append(_launch(operands, order, how=STORE, at=at, who=32 * warp, met=0))
    return _cell(form, launches)


#: The wgmma reads what a copy may still bring.
_ARRIVING = Fault("pending", None, ("reads shared memory", "asynchronously"), ("wgmma",))


def arriving(form: str, swizzle: int) -> Cell:
    """cp.async, a bulk copy or TMA writes; it is not waited for, or by its thread, or by all."""
    operands = _operands(form, swizzle)
    launches = []
    for how, size in list(_STEP.items())[1:]:
        for at, touched in _places(operands, size, 801 // size + 1):
            for who in (0, 128):
                copy = {"how": how, "at": at, "who": who}
                launches.append(_launch(operands, _ARRIVING if touched else None, **copy, over=0))
                launches.append(_launch(operands, None, **copy))
            if how != CP_ASYNC:
                launches.append(_launch(operands, None, **copy, over=2, met=0))
    return _cell(form, launches)


# -- order after ----------------------------------------------------------------------------------
def overwritten(form: str, swizzle: int) -> Cell:
    """A store or copy writes after the wgmma: before wait_group, after it, or without a meeting."""
    operands = _operands(form, swizzle)
    fault = Fault("order", None, ("wgmma.wait_group|order|missing",), ("late",))
    apart = Fault("order", None, ("order|missing",), ("late", "wgmma"))
    launches = []
    for how, size in _STEP.items():
        # A warp that meets nobody goes first: its copy is under way when the wgmma reads.
        first = _ARRIVING if how >= BULK else apart
        for at, touched in _places(operands, size, 1201 // size + 1):
            for who in (0, 128):
                act = {"how": how, "at": at, "who": who, "late": 1}
                launches.append(_launch(operands, fault if touched else None, **act, waited=0))
                launches.append(_launch(operands, None, **act))
            launches.append(_launch(operands, first if touched else None, **act, met=0))
    return _cell(form, launches)


HAZARDS: dict[str, Callable[[str, int], Cell]] = {
    "undefined": undefined, "bounds": bounds, "stored before": stored_before,
    "own rows": own_rows, "arriving": arriving, "overwritten": overwritten,
}  # fmt: skip


# -- registers ------------------------------------------------------------------------------------
_TOUCHES = ("add.f32 %x, %x, {};", "mov.f32 {}, 0f00000000;",
            "add.u32 %c, %c, {};", "mov.b32 {}, 0;")  # fmt: skip
_FIRST, _SECOND = 0, 1


def registers(way: str) -> Cell:
    """D and A of two groups are read and written: before any wait, after the first, after all.

    Args:
        way: Who does not touch a register branches around it, or its guard is false: "branches" or
            "guards".
    """
    lines, launches = "", []
    for second in (_FIRST, _SECOND):
        for what, touch in enumerate(_TOUCHES):
            for i in range(8 if what < 2 else 4):
                name = f"%{'fgrs'[what // 2 * 2 + second]}{i}"
                lines += f"setp.eq.and.u64 %p, %what, {second * 100 + what * 10 + i}, %in;\n"
                if way == "guards":
                    lines += f"@%p {touch.format(name)} // hazard\n"
                else:
                    lines += f"@!%p bra PAST_{name[1:]}_{what};\n{touch.format(name)} // hazard\n"
                    lines += f"PAST_{name[1:]}_{what}:\n"
                for waited in range(3):
                    over = waited == 2 or (waited == 1 and second == _FIRST)
                    says = (rf"{name}\b", "wgmma.(wait|commit)_group")
                    fault = None if over or what == 2 else Fault("pending", None, says)
                    number = second * 100 + what * 10 + i
                    launches.append(Launch((number, waited, i % 4), fault))
                launches.append(Launch((number, 0, 9)))
    sums = [", ".join(f"%{d}{i}" for i in range(8)) for d in "fg"]
    near = [", ".join(f"%{a}{i}" for i in range(4)) for a in "rs"]
    made = "".join(f"mov.b32 %{a}{i}, 0;\n" for a in "rs" for i in range(4))
    made += "".join(f"mov.f32 %{d}{i}, 0f00000000;\n" for d in "fg" for i in range(8))
    both = "".join(
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{{d}}}, {{{a}}}, %b, %true, "
        f"1, 1, 0;\nwgmma.commit_group.sync.aligned;\n"
        for d, a in zip(sums, near, strict=True)
    )
    return Cell(
        TARGET,
        ptx.entry(
            f"""\
.reg .pred %p, %in, %true; .reg .b32 %n, %w, %v, %c, %r<4>, %s<4>; .reg .f32 %x, %f<8>, %g<8>;
.reg .b64 %b, %e;
.shared .align 1024 .b8 data[512];
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; cvt.u64.u32 %e, %w; setp.eq.u64 %in, %e, %warp;
setp.eq.u32 %true, %n, %n; mov.u32 %v, data; mad.lo.u32 %v, %n, 4, %v; mov.u32 %c, 0;
mov.f32 %x, 0f00000000; st.shared.b32 [%v], %c;
mov.u32 %v, data; shr.u32 %v, %v, 4; cvt.u64.u32 %b, %v; or.b64 %b, %b, 0x1000080000;
{made}fence.proxy.async.shared::cta;
bar.sync 0;
wgmma.fence.sync.aligned;
{both}setp.ne.u64 %p, %waited, 1; @%p bra NOT_ONE;
wgmma.wait_group.sync.aligned 1;
NOT_ONE: setp.ne.u64 %p, %waited, 2; @%p bra TOUCH;
wgmma.wait_group.sync.aligned 0;
TOUCH:
{lines}wgmma.wait_group.sync.aligned 0;
""",
            "array what waited warp",
        ),
        tuple(launches),
        block=128,
    )
