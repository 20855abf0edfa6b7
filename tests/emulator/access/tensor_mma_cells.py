"""The operands of tcgen05.mma, each place against each hazard: shared memory by byte, tensor memory
by column and quarter of the lanes.

One text for each form of the instruction: its parameters say where operands lie, what was never
written, who touches which place how and when, and who waits. Which bytes an operand in shared
memory has is worked out from CUTLASS (tests/emulator/ptx/wgmma_operands.py; tcgen05 has the same
layouts). In tensor memory D has N columns, A 8, SFA 4 and SFB 1 of all lanes (PTX ISA, Data Path
Layout D; packing formats; Scale Factor A ID, Scale Factor B ID).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tests import ptx
from tests.emulator.access.cells import Cell, Fault, Launch
from tests.emulator.ptx.wgmma_operands import WIDTH, bit_place

TARGET, THREADS, M, N, K, COLUMNS = "sm_100a", 160, 128, 16, 16, 64
B_AT, SIZE, NOWHERE, UNIT = 16384, 20480, 1 << 20, 16
_IDESC = M // 16 << 24 | N // 8 << 17
#: Operands of each form behind D's address; instruction descriptor; operands in tensor memory with
#: the parameter that has their first column, and how many they have.
FORMS = {
    "A in shared memory": ("kind::f16 [%td], %a, %b, %idesc, %q", _IDESC | 1 << 4, {}),
    "A in tensor memory": ("kind::f16 [%td], [%ta], %b, %idesc, %q", _IDESC | 1 << 4, {"a": 8}),
    "scales": (
        "kind::mxf8f6f4.block_scale [%td], %a, %b, %idesc, [%ta], [%tb], %q", _IDESC | 1 << 23,
        {"a": 4, "b": 1},
    ),
}  # fmt: skip
#: Name of a layout: codes of the swizzle of wgmma and of tcgen05, and whether it is MN-major.
LAYOUTS = {
    "K-major": (0, 0, False), "K-major 32B": (3, 6, False), "K-major 64B": (2, 4, False),
    "K-major 128B": (1, 2, False), "MN-major 128B": (1, 2, True), "MN-major": (0, 0, True),
}  # fmt: skip
_PARAMS = (
    "da", "db", "idesc", "hole", "how", "at", "who", "fenced",
    "d", "ca", "cb", "gap", "quarter", "verb", "column", "warp",
    "late", "over", "met", "waited", "adds",
)  # fmt: skip
_WAIT = "{0}: mbarrier.try_wait.parity.shared::cta.b64 %p, [{1}], 0; @!%p bra {0};\n"
_MEET = """tcgen05.fence::before_thread_sync;
bar.sync 0;
tcgen05.fence::after_thread_sync;
"""
_BULK = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%at], [%ga], 16, [bar+8];"
STORE, BULK = 1, 2
ST, LD = 1, 2


@dataclass(frozen=True)
class Operand:
    """A or B in shared memory, of 16-bit elements, from byte `start` of `data` on."""

    layout: str
    lines: int
    start: int

    @property
    def _offsets(self) -> tuple[int, int]:
        """LBO and SBO; those of K-major and MN-major operands without a swizzle leave gaps."""
        swizzle, _, mn = LAYOUTS[self.layout]
        if swizzle == 0:
            return (2304, 128) if mn else (160, 320)
        return (2048, 1024) if mn else (16, 8 * WIDTH[swizzle])

    @property
    def descriptor(self) -> int:
        """The descriptor, as if `data` were at 0."""
        leading, stride = self._offsets
        word = self.start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | 1 << 46
        return word | LAYOUTS[self.layout][1] << 61

    def bytes(self) -> set[int]:
        """The bytes that it has."""
        swizzle, _, mn = LAYOUTS[self.layout]
        line, k = np.ogrid[: self.lines, :K]
        low = bit_place(swizzle, mn, 16, line, k, self.start, *self._offsets) // 8
        return set((low.reshape(-1, 1) + np.arange(2)).ravel().tolist())


def _operands(layout: str, a: int = 0, b: int = B_AT) -> tuple[Operand, Operand]:
    return Operand(layout, M, a), Operand(layout, N, b)


def _act(when: str) -> str:
    """Thread %who touches byte %at, warp %warp column %column, and they wait for that if %over."""
    return f"""setp.ne.u32 %p, %late, {int(when == "late")}; @%p bra {when}_DONE;
setp.ne.u32 %p, %n, %who; @%p bra {when}_FENCED;
setp.eq.u32 %p, %how, {STORE}; @%p st.shared.b8 [%at], %h0; // {when}
setp.ne.u32 %p, %how, {BULK}; @%p bra {when}_STORED;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar+8], 16;
{_BULK} // {when}
setp.eq.u32 %p, %over, 0; @%p bra {when}_STORED;
{_WAIT.format(when + "_WAIT", "bar+8")}{when}_STORED: setp.eq.u32 %p, %fenced, 0;
@!%p fence.proxy.async.shared::cta;
{when}_FENCED: bar.warp.sync 0xffffffff;
setp.ne.u32 %p, %w, %warp; @%p bra {when}_DONE;
setp.ne.u32 %p, %verb, {ST}; @%p bra {when}_LOAD;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%tc], {{%one}}; // {when}
setp.eq.u32 %p, %over, 0; @%p bra {when}_LOAD;
tcgen05.wait::st.sync.aligned;
{when}_LOAD: setp.ne.u32 %p, %verb, {LD}; @%p bra {when}_DONE;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%v}}, [%tc]; // {when}
setp.eq.u32 %p, %over, 0; @%p bra {when}_DONE;
tcgen05.wait::ld.sync.aligned;
{when}_DONE:
"""


def _head() -> str:
    parameters = ", ".join(f".param .u64 {name}" for name in ("array", *_PARAMS))
    taken = "".join(
        f"ld.param.u64 %x, [{name}]; cvt.u32.u64 %{name}, %x;\n" for name in _PARAMS[2:]
    )
    return f""".visible .entry k({parameters}) {{
.reg .pred %p, %q, %first, %me; .reg .b16 %h0; .reg .b32 %n, %w, %c, %e, %s, %u, %one, %v;
.reg .b32 %t, %tc, %td, %ta, %tb, %data, {", ".join("%" + name for name in _PARAMS[2:])};
.reg .b64 %a, %b, %ga, %x;
.shared .align 8 .b64 bar[2]; .shared .b32 slot; .shared .align 1024 .b8 data[{SIZE}];
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; mov.b32 %one, 0x3c3c3c3c; mov.b16 %h0, 0x77;
setp.eq.u32 %first, %w, 0; setp.eq.u32 %me, %n, 0;
ld.param.u64 %ga, [array];
{taken}mov.u32 %data, data; add.u32 %at, %at, %data; shr.u32 %s, %data, 4; cvt.u64.u32 %x, %s;
ld.param.u64 %a, [da]; ld.param.u64 %b, [db]; add.u64 %a, %a, %x; add.u64 %b, %b, %x;
setp.ne.u32 %q, %adds, 0;
@%me mbarrier.init.shared::cta.b64 [bar], 1;
@%me mbarrier.init.shared::cta.b64 [bar+8], 1;
@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], {COLUMNS};
"""


#: Shared memory 16 bytes at a time, those with the hole byte by byte; then tensor memory.
_FILL = f"""mov.u32 %c, %n;
FILL: mad.lo.u32 %s, %c, {UNIT}, %data; shr.u32 %e, %hole, 4;
setp.eq.u32 %p, %e, %c; @%p bra SINGLE;
st.shared.v4.b32 [%s], {{%one, %one, %one, %one}};
bra NEXT;
SINGLE: and.b32 %u, %hole, 15; mov.u32 %e, 0;
BYTE: setp.ne.u32 %p, %e, %u; @%p st.shared.b8 [%s], %one;
add.u32 %s, %s, 1; add.u32 %e, %e, 1; setp.lt.u32 %p, %e, {UNIT}; @%p bra BYTE;
NEXT: add.u32 %c, %c, {THREADS}; setp.lt.u32 %p, %c, {SIZE // UNIT}; @%p bra FILL;
fence.proxy.async.shared::cta;
bar.sync 0;
ld.shared.b32 %t, [slot]; add.u32 %td, %t, %d; add.u32 %ta, %t, %ca; add.u32 %tb, %t, %cb;
shl.b32 %e, %w, 21; and.b32 %e, %e, 0x600000; add.u32 %t, %t, %e; add.u32 %tc, %t, %column;
setp.eq.u32 %p, %w, 4; @%p bra FILLED;
mov.u32 %c, 0;
COLUMN: setp.eq.u32 %p, %c, %gap; setp.eq.and.u32 %p, %w, %quarter, %p; @%p bra SKIP;
add.u32 %s, %t, %c;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%s], {{%one}};
SKIP: add.u32 %c, %c, 1; setp.lt.u32 %p, %c, {COLUMNS}; @%p bra COLUMN;
tcgen05.wait::st.sync.aligned;
FILLED:
"""


def text(form: str) -> str:
    """Fill, act, meet, multiply, wait, act, end."""
    return ptx.module(
        _head()
        + _FILL
        + _MEET
        + _act("early")
        + f"setp.eq.u32 %p, %met, 0; @%p bra MET;\n{_MEET}MET:\n"
        + f"@!%me bra ISSUED;\ntcgen05.mma.cta_group::1.{FORMS[form][0]}; // mma\n"
        + "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];\n"
        + "ISSUED: bar.sync 0;\nsetp.eq.u32 %p, %waited, 0; @%p bra WAITED;\n"
        + _WAIT.format("WAIT", "bar")
        + "tcgen05.fence::after_thread_sync;\nWAITED:\n"
        + _act("late")
        + _WAIT.format("LAST", "bar")
        + "tcgen05.wait::ld.sync.aligned;\ntcgen05.wait::st.sync.aligned;\n"
        + f"setp.ne.u32 %p, %n, %who; @%p bra OUT; setp.ne.u32 %p, %how, {BULK}; @%p bra OUT;\n"
        + _WAIT.format("COPIED", "bar+8")
        + "OUT:\n"
        + _MEET
        + "mov.u32 %s, slot; ld.shared.b32 %t, [%s];\n"
        + f"@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, {COLUMNS};\nret;\n}}\n",
        TARGET,
    )


#: Where operands lie in tensor memory unless a launch says otherwise.
_AT = {"d": 0, "ca": 16, "cb": 28}


def _launch(
    form: str, operands: tuple[Operand, Operand], fault: Fault | None = None, **given: int
) -> Launch:
    """One launch, in which all is filled, met and waited for that is not said."""
    mn = LAYOUTS[operands[0].layout][2]
    usual = {
        "da": operands[0].descriptor, "db": operands[1].descriptor,
        "idesc": FORMS[form][1] | (3 << 15 if mn else 0), "hole": NOWHERE, "how": 0, "at": 0,
        "who": 128, "fenced": 1, **_AT, "gap": NOWHERE, "quarter": 0, "verb": 0, "column": 0,
        "warp": 4, "late": 0, "over": 1, "met": 1, "waited": 1, "adds": 0,
    }  # fmt: skip
    return Launch(tuple({**usual, **given}[name] for name in _PARAMS), fault)


def _cell(form: str, launches: list[Launch]) -> Cell:
    return Cell(TARGET, text(form), tuple(launches), block=THREADS)


# -- shared memory --------------------------------------------------------------------------------
SHARED_FORM = "A in shared memory"


def _places(operands: tuple[Operand, Operand], size: int, step: int) -> Iterator[tuple[int, bool]]:
    """Multiples of `size` in both operands, then beside them: place, and whether it is touched."""
    touched = operands[0].bytes() | operands[1].bytes()
    inside = sorted(byte for byte in touched if byte % size == 0)
    beside = [byte for byte in range(0, SIZE, size) if byte not in touched]
    for found, hit, each in ((inside, True, step), (beside, False, 4 * step)):
        yield from ((byte, hit) for byte in sorted({*found[::each], *found[:2], *found[-2:]}))


def undefined(layout: str) -> Cell:
    """One byte was never written."""
    operands = _operands(layout)
    launches = []
    for hole, touched in _places(operands, 1, 97):
        fault = Fault("undefined", None, ("matrix operand", rf"byte {hole + 1024:#x}\b"), ("mma",))
        launches.append(_launch(SHARED_FORM, operands, fault if touched else None, hole=hole))
    return _cell(SHARED_FORM, launches)


def bounds(layout: str) -> Cell:
    """An operand ends with shared memory, or reaches beyond it."""
    launches = []
    for number in (0, 1):
        end = max(_operands(layout, 0, 0)[number].bytes()) + 1
        last = (SIZE - end) // 1024 * 1024
        for start in (last, last + 1024, SIZE, SIZE + 16384):
            operands = _operands(layout, *((start, B_AT) if number == 0 else (0, start)))
            beyond = max(operands[number].bytes()) >= SIZE
            fault = Fault("out-of-bounds", None, ("outside|past|reaches",), ("mma",))
            launches.append(_launch(SHARED_FORM, operands, fault if beyond else None))
    return _cell(SHARED_FORM, launches)


def stored_before(layout: str) -> Cell:
    """A byte is stored without the fence between proxies, or by a warp that is not met, or well."""
    operands = _operands(layout)
    proxy = Fault("order", None, ("fence.proxy.async",), ("mma",))
    order = Fault("order", None, ("order|missing",), ("mma", "early"))
    launches = []
    for at, touched in _places(operands, 1, 401):
        store = {"how": STORE, "at": at}
        for who in (0, 37, 128):
            launches.append(
                _launch(
                    SHARED_FORM, operands, proxy if touched else None, **store, who=who, fenced=0
                )
            )
            launches.append(_launch(SHARED_FORM, operands, None, **store, who=who))
        launches.append(_launch(SHARED_FORM, operands, order if touched else None, **store, met=0))
        launches.append(_launch(SHARED_FORM, operands, None, **store, who=0, met=0))
    return _cell(SHARED_FORM, launches)


def arriving(layout: str) -> Cell:
    """A bulk copy writes; it is not waited for, or by its thread."""
    operands = _operands(layout)
    late = Fault("pending", None, ("reads shared memory", "asynchronously"), ("mma",))
    launches = []
    for at, touched in _places(operands, 16, 61):
        for who in (0, 128):
            copy = {"how": BULK, "at": at, "who": who}
            fault = late if touched else None
            launches.append(_launch(SHARED_FORM, operands, fault, **copy, over=0))
            launches.append(_launch(SHARED_FORM, operands, None, **copy))
    return _cell(SHARED_FORM, launches)


def overwritten(layout: str) -> Cell:
    """A store or copy writes before the commit's mbarrier is waited for, or after."""
    operands = _operands(layout)
    fault = Fault("order", None, ("tcgen05.commit",), ("late",))
    launches = []
    for how, size in ((STORE, 1), (BULK, 16)):
        for at, touched in _places(operands, size, 601 // size + 1):
            for who in (0, 128):
                act = {"how": how, "at": at, "who": who, "late": 1}
                launches.append(
                    _launch(SHARED_FORM, operands, fault if touched else None, **act, waited=0)
                )
                launches.append(_launch(SHARED_FORM, operands, None, **act))
    return _cell(SHARED_FORM, launches)


SHARED: dict[str, Callable[[str], Cell]] = {
    "undefined": undefined, "bounds": bounds, "stored before": stored_before,
    "arriving": arriving, "overwritten": overwritten,
}  # fmt: skip


# -- tensor memory --------------------------------------------------------------------------------
_USUAL = _operands("K-major")


def _columns(form: str) -> dict[int, str]:
    """The columns that the instruction touches, and of which operand they are."""
    found = dict.fromkeys(range(N), "d")
    for name, count in FORMS[form][2].items():
        found |= dict.fromkeys(range(_AT[f"c{name}"], _AT[f"c{name}"] + count), name)
    return found


def _edges(form: str) -> Iterator[tuple[int, str]]:
    """Columns at both ends of each operand and just beside them, with the operand or ""."""
    columns = _columns(form)
    ends = {column + i for column in columns for i in (-1, 0, 1)}
    near = sorted(
        c
        for c in ends
        if 0 <= c < COLUMNS
        and ({columns.get(c - 1, ""), columns.get(c + 1, "")} != {columns.get(c, "")})
    )
    yield from ((column, columns.get(column, "")) for column in near)


def undefined_columns(form: str) -> Cell:
    """Nothing has written a column of a quarter of the lanes; D counts only as an addend."""
    launches = []
    for column, name in _edges(form):
        for quarter in range(4):
            fault = Fault("undefined", None, ("matrix operand", rf"column {column}\b"), ("mma",))
            for adds in (0, 1):
                read = name and (name != "d" or adds)
                launches.append(
                    _launch(
                        form,
                        _USUAL,
                        fault if read else None,
                        gap=column,
                        quarter=quarter,
                        adds=adds,
                    )
                )
    return _cell(form, launches)


def outside(form: str) -> Cell:
    """An operand ends with the allocation, or reaches beyond it."""
    fault = Fault("rule", None, (rf"column {COLUMNS}\b", "not allocated"), ("mma",))
    launches = [
        _launch(form, _USUAL, None, d=COLUMNS - N, ca=0, cb=8),
        _launch(form, _USUAL, fault, d=COLUMNS - N + 1, ca=0, cb=8),
    ]
    for name, count in FORMS[form][2].items():
        launches.append(_launch(form, _USUAL, None, **{f"c{name}": COLUMNS - count}))
        launches.append(_launch(form, _USUAL, fault, **{f"c{name}": COLUMNS - count + 1}))
    return _cell(form, launches)


def accessed_before(form: str) -> Cell:
    """A warp stores or loads a column: it waits for that or not, and meets the issuer or not."""
    launches = []
    for (column, name), verb, warp in (
        (edge, verb, warp) for edge in _edges(form) for verb in (ST, LD) for warp in (0, 2, 4)
    ):
        conflicts = bool(name) and (verb == ST or name == "d")
        act = {"verb": verb, "column": column, "warp": warp}
        kind = "pending" if warp == 0 else "order"
        late = Fault(kind, None, (f"tcgen05.wait::{'st' if verb == ST else 'ld'} by",), ("mma",))
        apart = Fault("order", None, ("missing",), ("mma", "early"))
        launches += [
            _launch(form, _USUAL, late if conflicts else None, **act, over=0),
            _launch(form, _USUAL, None, **act),
            _launch(form, _USUAL, apart if conflicts and warp else None, **act, met=0),
        ]
    return _cell(form, launches)


def accessed_after(form: str) -> Cell:
    """A warp stores or loads a column before it waits for the commit's mbarrier, or after."""
    launches = []
    for (column, name), verb, warp in (
        (edge, verb, warp) for edge in _edges(form) for verb in (ST, LD) for warp in (0, 2, 4)
    ):
        conflicts = bool(name) and (verb == ST or name == "d")
        act = {"verb": verb, "column": column, "warp": warp, "late": 1}
        fault = Fault("order", None, ("tcgen05.commit",), ("late",))
        launches.append(_launch(form, _USUAL, fault if conflicts else None, **act, waited=0))
        launches.append(_launch(form, _USUAL, None, **act))
    return _cell(form, launches)


TENSOR: dict[str, Callable[[str], Cell]] = {
    "undefined": undefined_columns, "bounds": outside, "accessed before": accessed_before,
    "accessed after": accessed_after,
}  # fmt: skip
