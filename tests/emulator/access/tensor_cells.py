"""The access kinds of tensor memory and the hazards that each is held against.

Addresses are lanes and columns, whatever their number: so there is no alignment, nothing is
read-only, no other CTA's memory is in reach, and no access has a scope. `tcgen05.cp` has two sides,
shared memory that the async proxy reads, and tensor memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests import ptx
from tests.emulator.access.cells import Cell, Fault, Launch

TARGET, COLUMNS, LANE = "sm_100a", 64, 5
#: Bytes of shared memory that a copy may read; all but `hole` are written.
DATA = 2048


@dataclass(frozen=True)
class Kind:
    """A load or store of the warp's own quadrant.

    Attributes:
        shape: of the instruction, with its repetition.
        registers: that each thread moves.
        columns: that it touches.
        writes: whether it stores.
        offset: the immediate of 16x32bx2.
    """

    shape: str
    registers: int
    columns: int
    writes: bool = False
    offset: str = ""

    @property
    def text(self) -> str:
        """The instruction; %t is taddr, %v4.. are loaded, %v20.. stored."""
        first = 20 if self.writes else 4
        registers = ", ".join(f"%v{first + i}" for i in range(self.registers))
        if self.writes:
            return f"tcgen05.st.sync.aligned.{self.shape}.b32 [%t]{self.offset}, {{{registers}}};"
        return f"tcgen05.ld.sync.aligned.{self.shape}.b32 {{{registers}}}, [%t]{self.offset};"


_SHAPES = (
    ("32x32b.x1", 1, 1, ""), ("32x32b.x8", 8, 8, ""), ("16x64b.x2", 2, 4, ""),
    ("16x128b.x1", 2, 4, ""), ("16x256b.x1", 4, 8, ""), ("16x32bx2.x2", 2, 4, ", 2"),
)  # fmt: skip
KINDS = {
    f"tcgen05.{verb}.{shape}": Kind(shape, registers, columns, verb == "st", offset)
    for verb in ("ld", "st")
    for shape, registers, columns, offset in _SHAPES
}
CP = "tcgen05.cp.32x128b.warpx4"
ROWS = [*KINDS, f"{CP} source", f"{CP} destination"]
_CP_BYTES, _CP_COLUMNS = 512, 4

_BEGIN = f"""\
.reg .pred %p, %q, %me, %first, %one, %mine; .reg .b32 %n, %w, %lane, %t, %base, %c, %e, %s;
.reg .b32 %cx, %cy, %cz, %u, %v<40>; .reg .b64 %d, %a;
.shared .align 1024 .b8 data[{DATA}];
.shared .align 8 .b64 bar; .shared .b32 slot;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; and.b32 %lane, %n, 31;
cvt.u32.u64 %cx, %x; cvt.u32.u64 %cy, %y; cvt.u32.u64 %cz, %z;
setp.eq.u32 %first, %w, 0; setp.eq.u32 %one, %n, 0; setp.eq.u64 %me, %m, 1;
"""
_ALLOCATE = f"""@%one mbarrier.init.shared::cta.b64 [bar], 1;
@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], {COLUMNS};
bar.sync 0;
ld.shared.b32 %base, [slot];
and.b32 %e, %w, 3; shl.b32 %e, %e, 21; add.u32 %base, %base, %e;
"""
#: The warps of the first quadrant but the first leave what is there to that one.
_FILL = f"""mov.b32 %c, 0; setp.ge.u32 %q, %w, 4;
@%q bra FILLED;
FILL:
setp.eq.u32 %p, %c, %cy; add.u32 %t, %base, %c; add.u32 %c, %c, 1;
@%p bra NEXT;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%t], {{%v39}};
NEXT:
setp.lt.u32 %p, %c, {COLUMNS};
@%p bra FILL;
tcgen05.wait::st.sync.aligned;
FILLED:
"""
_MEET = "tcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\n"
_END = f"""END:
tcgen05.wait::ld.sync.aligned;
tcgen05.wait::st.sync.aligned;
tcgen05.fence::before_thread_sync;
bar.sync 0;
tcgen05.fence::after_thread_sync;
@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, {COLUMNS};
"""
_REGISTERS = "".join(f"mov.b32 %v{i}, 0x5a5a5a5a; " for i in range(20, 39)) + "mov.b32 %v39, 0;\n"
Result = Cell | str
Hazard = Callable[[str], Result]


def _kernel(body: str) -> str:
    whole = _BEGIN + _REGISTERS + _ALLOCATE + _FILL + _MEET + body + _END
    return ptx.entry(whole, "array x y z m", target=TARGET)


def _wait(kind: Kind) -> str:
    return f"tcgen05.wait::{'st' if kind.writes else 'ld'}.sync.aligned;\n"


#: Copies from data + %x to columns %z of the tensor memory, by the first thread.
_COPY = f"""mov.u32 %s, data; add.u32 %s, %s, %cx; shr.u32 %s, %s, 4; cvt.u64.u32 %d, %s;
or.b64 %d, %d, 0x400800000000; add.u32 %t, %base, %cz;
@%one {CP.replace("cp", "cp.cta_group::1")} [%t], %d; // hazard origin
"""
_COMMIT = """@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
@!%p bra WAIT;
tcgen05.fence::after_thread_sync;
"""
#: Zeros in all of data but byte %y; then the async proxy may read it.
_SHARED = f"""mov.u32 %c, %n;
BYTES:
mov.u32 %s, data; add.u32 %s, %s, %c; setp.ne.u32 %p, %c, %cy;
@%p st.shared.b8 [%s], %v39;
add.u32 %c, %c, 128; setp.lt.u32 %p, %c, {DATA};
@%p bra BYTES;
fence.proxy.async.shared::cta;
bar.sync 0;
"""


# -- one access by itself -------------------------------------------------------------------------


def bounds(name: str) -> Result:
    """Columns beyond the allocation; bytes beyond shared memory."""
    if name.endswith("source"):
        fault = Fault("out-of-bounds", None, ("outside|past",))
        good, bad = Launch((0, 9999, 0, 0)), (1 << 18) - 1024
        text = _kernel(_SHARED + _COPY + _COMMIT)
        return Cell(TARGET, text, (good, Launch((bad, 9999, 0, 0), fault)), block=128)
    if name.endswith("destination"):
        body, columns = _SHARED + _COPY + _COMMIT, _CP_COLUMNS
    else:
        kind = KINDS[name]
        body = f"add.u32 %t, %base, %cz;\n{kind.text} // hazard\n{_wait(kind)}"
        columns = kind.columns
    fault = Fault("rule", None, (rf"column {COLUMNS}\b", "allocat"))
    launches = [Launch((0, 9999, COLUMNS - columns, 0)), Launch((0, 9999, COLUMNS, 0), fault)]
    if columns > 1:
        launches.append(Launch((0, 9999, COLUMNS - columns // 2, 0), fault))
    return Cell(TARGET, _kernel(body), tuple(launches), block=128)


def _inapplicable(why: str) -> Hazard:
    return lambda name: why


# -- undefined cells, and where they come from ----------------------------------------------------


def _decide(registers: int) -> str:
    joined = "".join(f"or.b32 %v4, %v4, %v{4 + i};\n" for i in range(1, registers))
    return f"{joined}setp.ne.u32 %p, %v4, 77;\n@%p bra END; // hazard\n"


def undefined(name: str) -> Result:
    """A column that nothing wrote, or a byte of shared memory that was copied, decides a branch."""
    if name.endswith("destination"):
        return "what a copy writes is what its source holds"
    if name.endswith("source"):
        body = (
            _SHARED
            + _COPY
            + _COMMIT
            + (
                "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%v4, %v5, %v6, %v7}, [%base];\n"
                "tcgen05.wait::ld.sync.aligned;\n" + _decide(4)
            )
        )
        launches = [Launch((0, 9999, 0, 0))]
        for hole in (0, 1, 15, 16 * LANE + 6, _CP_BYTES - 1):
            patterns = ("decide the branch", "line {origin}", rf"byte {hole:#x}\b")
            launches.append(Launch((0, hole, 0, 0), Fault("undefined", hole // 16, patterns)))
        return Cell(TARGET, _kernel(body), tuple(launches), block=128)
    kind = KINDS[name]
    if kind.writes:
        return "it loads nothing"
    body = f"mov.b32 %t, %base;\n{kind.text} // origin\n{_wait(kind)}{_decide(kind.registers)}"
    launches = [Launch((0, 9999, 0, 0))]
    for hole in range(kind.columns):
        patterns = ("decide the branch", "line {origin}", "tensor memory", rf"column {hole}\b")
        launches.append(Launch((0, hole, 0, 0), Fault("undefined", None, patterns)))
    return Cell(TARGET, _kernel(body), tuple(launches), block=32)


def origin_kept(name: str) -> Result:
    """An undefined register is stored, loaded back and decides."""
    if name not in KINDS or not KINDS[name].writes:
        return "it stores no register"
    kind = KINDS[name]
    loaded = Kind(kind.shape, kind.registers, kind.columns, False, kind.offset)
    body = f"""setp.eq.and.u32 %q, %lane, {LANE}, %me;
mov.u32 %s, data; mad.lo.u32 %s, %lane, 4, %s;
@%q ld.shared.b32 %v20, [%s]; // origin
mov.b32 %t, %base;
{kind.text} // stored
{_wait(kind)}{loaded.text}
{_wait(loaded)}{_decide(kind.registers)}"""
    place = rf"byte {4 * LANE:#x}\b"
    patterns = ("decide the branch", "line {origin}", place, f"when lane {LANE} of warp 0")
    fault = Fault("undefined", LANE, patterns)
    launches = (Launch((0, 9999, 0, 0)), Launch((0, 9999, 0, 1), fault))
    return Cell(TARGET, _kernel(body), launches, block=32)


# -- order ----------------------------------------------------------------------------------------


def order(name: str) -> Result:
    """Warp 4, of the same quadrant, accesses columns that overlap, or lie beside."""
    if name.endswith("source"):
        return _source_order()
    if name.endswith("destination"):
        access, columns, writes = _COPY, _CP_COLUMNS, True
        orderly, late = _COMMIT, _COMMIT.replace("WAIT", "WAIT_LATE")
    else:
        kind = KINDS[name]
        late, access, orderly = "", f"add.u32 %t, %base, 8;\n{kind.text} // hazard\n", ""
        columns, writes = kind.columns, kind.writes
        access += _wait(kind)
    at = 8
    # %x is 0 (the first column of a copy is %z); %y says who goes first and is no column
    body = f"""mov.b32 %cz, {at}; mov.b32 %cx, 0; cvt.u32.u64 %e, %z; and.b32 %e, %e, 255;
shr.u64 %d, %z, 8; setp.eq.u64 %mine, %d, 1; setp.ge.u64 %q, %y, 1000;
add.u32 %e, %base, %e;
setp.eq.u32 %p, %w, 4;
@%p bra OTHER;
@!%first bra END;
{access}@%me bra MET_FIRST;
{late}bra END;
MET_FIRST:
{orderly}tcgen05.fence::before_thread_sync;
bar.sync 1, 64;
bra END;
OTHER:
@!%me bra AT_ONCE;
bar.sync 1, 64;
tcgen05.fence::after_thread_sync;
AT_ONCE:
@%mine bra STORE;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%v4}}, [%e]; // hazard
tcgen05.wait::ld.sync.aligned;
bra END;
STORE:
not.b32 %v20, %v20;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%e], {{%v20}}; // hazard
tcgen05.wait::st.sync.aligned;
"""
    fault = Fault("order", None, ("missing",))
    launches = []
    for stores in (0, 1):
        for column in (at - 1, at, at + columns // 2, at + columns - 1, at + columns):
            meets = at <= column < at + columns
            where = stores << 8 | column
            races = meets and bool(stores or writes)
            launches.append(Launch((0, 9999, where, 0), fault if races else None))
            launches.append(Launch((0, 9999, where, 1)))
    return Cell(TARGET, _kernel(body), tuple(launches), block=160)


def _source_order() -> Result:
    """Another warp stores a byte of what is copied, before or after, with and without a fence."""
    body = f"""{_SHARED}mov.b32 %cz, 0; mov.b32 %cx, 128;
mov.u32 %s, data; cvt.u32.u64 %c, %z; and.b32 %c, %c, 0xffff; add.u32 %s, %s, %c;
setp.eq.u32 %q, %n, 32;
@%q st.shared.b8 [%s], %v20; // hazard
@!%me bra COPY;
fence.proxy.async.shared::cta;
bar.sync 0;
COPY:
{_COPY.replace("%s", "%u")}{_COMMIT}"""
    fault = Fault("order", None, ("missing",))
    launches = []
    for byte in (127, 128, 131, 128 + _CP_BYTES - 1, 128 + _CP_BYTES):
        races = 128 <= byte < 128 + _CP_BYTES
        launches.append(Launch((0, 9999, byte, 0), fault if races else None))
        launches.append(Launch((0, 9999, byte, 1)))
    return Cell(TARGET, _kernel(body), tuple(launches), block=64)


HAZARDS: dict[str, Hazard] = {
    "bounds": bounds,
    "alignment": _inapplicable("lanes and columns need no alignment; a descriptor holds 16 bytes"),
    "read-only": _inapplicable("no tensor memory is read-only"),
    "ended CTA": _inapplicable("tensor memory belongs to its own CTA, which gives it back"),
    "undefined": undefined, "origin kept": origin_kept, "order": order,
    "scope": _inapplicable("an access of tensor memory has no scope"),
}  # fmt: skip
