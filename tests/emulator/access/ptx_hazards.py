"""The hazards that every access kind of PTX is held against.

Each hazard is a function from a kind and a state space to a cell, or to the reason why the hazard
does not apply to that kind there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests import ptx
from tests.emulator.access.cells import Cell, Fault, Launch
from tests.emulator.access.ptx_kinds import GENERIC, GLOBAL, KINDS, LOCAL, SHARED, Kind

TARGET, LANE, ARRAY, STRIDE = "sm_100a", 5, 1009, 16
#: Where nothing is written by the kernels that read undefined bytes, in bytes of the memory used.
NEVER = 768
_CONSTANTS = ".const .align 16 .b8 constants[1024] = {1};\n"
_REGISTERS = """\
.reg .pred %p, %q, %me, %in; .reg .b16 %h<9>; .reg .b32 %n, %w, %lane, %c, %e, %u, %v<9>;
.reg .b64 %a, %b, %base, %t, %d<9>; .reg .b128 %o<9>;
"""
_BEGIN = """mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; and.b32 %lane, %n, 31;
mov.b32 %v0, 0x5a5a5a5a; mov.b32 %v1, %v0; mov.b32 %v2, %v0; mov.b32 %v3, %v0;
mov.b16 %h0, 0x5a5a; mov.b64 %d0, {%v0, %v0}; mov.b128 %o0, {%d0, %d0};
mov.b32 %v8, 0; mov.b16 %h8, 0; mov.b64 %d8, 0; mov.b128 %o8, {%d8, %d8};
"""
MEMORY = {
    GLOBAL: ("", "mov.b64 %base, %array;"),
    SHARED: (f".shared .align 16 .b8 data[{ARRAY}];\n", "mov.u64 %base, data;"),
    LOCAL: (f".local .align 16 .b8 data[{ARRAY}];\n", "mov.u64 %base, data;"),
    GENERIC: (f".shared .align 16 .b8 data[{ARRAY}];\n",
              "mov.u64 %base, data; cvta.shared.u64 %base, %base;"),
}  # fmt: skip
_NAMES = {GLOBAL: "global memory", SHARED: "shared memory", LOCAL: "", GENERIC: "shared memory"}
Result = Cell | str
Hazard = Callable[[Kind, str], Result]


def _kernel(space: str, body: str) -> str:
    declared, base = MEMORY[space]
    body = f"{_REGISTERS}{declared}{_BEGIN}{base}\n{body}"
    return ptx.entry(body, "array x y z m", before=_CONSTANTS, target=TARGET)


def _access(kind: Kind, space: str, scope: str = "", guard: str = "", mark: str = "hazard") -> str:
    """The statement, marked. A relaxed kind has the scope of the GPU where none is asked for."""
    scope = scope or (".relaxed.gpu" if kind.relaxed else "")
    return f"{guard}{kind.text.format(space=space, scope=scope)} // {mark}\n"


def every_access() -> str:
    """One text with every access kind in every space that it is tested in."""
    lines = [_access(kind, space) for kind in KINDS.values() for space in kind.spaces]
    return _kernel(SHARED, "mov.u64 %a, %base;\n" + "".join(lines))


def _slots(kind: Kind, at: str) -> str:
    """Every lane's slot of 16 bytes in %a, but `at` from the beginning in lane LANE.

    A hint of 128 bytes is given by that lane alone.
    """
    return f"""mad.wide.u32 %a, %lane, {STRIDE}, %base;
setp.eq.u32 %me, %lane, {LANE};
@%me add.u64 %a, %base, {at};
"""


def _alone(kind: Kind) -> str:
    """The guard of what one lane executes."""
    return "@%me " if kind.hint else ""


def _fill(space: str, hole: str = "") -> str:
    """Zeros in every lane's slot, but for byte `hole` of that of lane LANE."""
    skip = (
        f"setp.ne.or.u32 %q, %c, %e, %q; // the hole\n@%q st{space}.b8 [%b], %v8;"
        if hole
        else (f"st{space}.b8 [%b], %v8;")
    )
    number = f"cvt.u32.u64 %e, {hole};\n" if hole else ""
    return f"""{number}mad.wide.u32 %b, %lane, {STRIDE}, %base; mov.u32 %c, 0;
FILL:
setp.ne.u32 %q, %lane, {LANE};
{skip}
add.u64 %b, %b, 1; add.u32 %c, %c, 1; setp.lt.u32 %p, %c, {STRIDE}; @%p bra FILL;
"""


def byte_named(space: str, offset: int) -> str:
    """How a sentence names a byte of the memory that is used."""
    if space == GLOBAL:
        return rf"byte {offset}\b"
    # a generic address may be named whole, with the window of shared memory
    return rf"byte 0x(?:10+)?{offset:x}\b"


# -- one access by itself -------------------------------------------------------------------------


def bounds(kind: Kind, space: str) -> Result:
    """Across the end, behind it, before the beginning, and nowhere at all."""
    body = _slots(kind, "%x") + _access(kind, space, guard=_alone(kind))
    size = kind.alignment
    crossing = ARRAY // size * size
    fault = Fault("out-of-bounds", LANE, (r"\d bytes at 0x", "outside|past|reaches"))
    wrong = [crossing, crossing + 16 * size, 1 << 31 if space != GLOBAL else 1 << 40]
    if space == GLOBAL:
        wrong.append(-size)
    launches = [Launch((place, 0, 0, 0), fault) for place in wrong]
    inside = Launch((crossing - size, 0, 0, 0))
    return Cell(TARGET, _kernel(space, body), (inside, *launches))


def alignment(kind: Kind, space: str) -> Result:
    """Every address that is not a multiple of what the kind needs."""
    if kind.alignment == 1:
        return "every address is a multiple of one byte"
    body = _slots(kind, "%x") + _access(kind, space, guard=_alone(kind))
    fault = Fault("misaligned", LANE, (rf"multiple of {kind.alignment} bytes",))
    step = kind.alignment
    launches = [Launch((step + k, 0, 0, 0), fault) for k in {1, step // 2, step - 1}]
    return Cell(TARGET, _kernel(space, body), (Launch((step, 0, 0, 0)), *launches))


def read_only(kind: Kind, space: str) -> Result:
    """Stores to .const memory and to the parameters, through generic addresses."""
    if not kind.writes:
        return "it stores nothing"
    if space in (SHARED, LOCAL):
        return "no shared or local memory is read-only"
    chosen = """setp.eq.u64 %p, %y, 1; setp.eq.u64 %q, %y, 2;
@%p cvta.const.u64 %base, constants;
@%q mov.b64 %base, array; @%q cvta.param.u64 %base, %base;
"""
    body = chosen + "setp.eq.u32 %me, %lane, 5;\nmov.u64 %a, %base;\n"
    body += _access(kind, space, guard="@%me ")
    fault = Fault("read-only", LANE, ("read-only",))
    launches = [Launch((0, 0, 0, 0)), Launch((0, 1, 0, 0), fault)]
    if kind.size <= 32:
        launches.append(Launch((0, 2, 0, 0), fault))
    return Cell(TARGET, _kernel(space, body), tuple(launches))


def ended(kind: Kind, space: str) -> Result:
    """CTA 1 of a cluster has ended, or may have, when CTA 0 accesses its shared memory."""
    if space != SHARED:
        return "only the shared memory of another CTA can outlive or precede its CTA"
    if kind.rows:
        return "ldmatrix and stmatrix reach the shared memory of their own CTA alone"
    body = f"""mov.u32 %c, %cluster_ctarank; setp.eq.u32 %q, %c, 1; setp.eq.u64 %in, %x, 1;
{_fill(SHARED)}barrier.cluster.arrive; barrier.cluster.wait;
@%q bra LEAVE;
mapa.shared::cluster.u64 %base, %base, 1;
{_slots(kind, f"{STRIDE * LANE}")}{_access(kind, SHARED + "::cluster")}LEAVE:
@!%in bra END;
barrier.cluster.arrive; barrier.cluster.wait;
END:
"""
    launches = (Launch((1, 0, 0, 0)), Launch((0, 0, 0, 0), Fault("ended-cta", None, ("CTA 1",))))
    return Cell(TARGET, _kernel(SHARED, body), launches, grid=2, cluster=2)


# -- undefined bytes, and where they come from ----------------------------------------------------


def _decide(kind: Kind) -> str:
    """A branch on all that was loaded."""
    lines = "mov.u32 %c, 0;\n"
    for register in kind.result:
        if register.startswith("%o"):
            lines += f"mov.b128 {{%d5, %d6}}, {register}; or.b64 %d4, %d5, %d6;\n"
            register = "%d4"
        if register.startswith("%d"):
            lines += f"mov.b64 {{%v4, %v5}}, {register}; or.b32 %c, %c, %v4; or.b32 %c, %c, %v5;\n"
        elif register.startswith("%h"):
            lines += f"cvt.u32.u16 %v4, {register}; or.b32 %c, %c, %v4;\n"
        else:
            lines += f"or.b32 %c, %c, {register};\n"
    return lines + "setp.ne.u32 %p, %c, 77;\n@%p bra END; // hazard\nEND:\n"


def undefined(kind: Kind, space: str) -> Result:
    """One byte of what is loaded was never written; the value decides a branch."""
    if not kind.reads:
        return "it loads nothing"
    body = _fill(space, "%y") + ("bar.warp.sync 0xffffffff;\n" if kind.rows else "")
    body += _slots(kind, str(STRIDE * LANE)) + _access(kind, space, mark="origin") + _decide(kind)
    launches = []
    for hole in range(kind.size):
        origin = ["line {origin}", byte_named(space, STRIDE * LANE + hole)]
        if not kind.rows:
            origin.append(f"when lane {LANE} of warp 0")
        fault = Fault("undefined", None if kind.rows else LANE, ("decide the branch", *origin))
        launches.append(Launch((0, hole, 0, 0), fault))
    whole = Launch((0, 1000, 0, 0))
    return Cell(TARGET, _kernel(space, body), (whole, *launches), defined=False)


_OPERANDS = {
    "%v0": "mov.b32 %v0, %u;", "%h0": "cvt.u16.u32 %h0, %u;", "%d0": "mov.b64 %d0, {%u, %u};",
    "%o0": "mov.b64 %d0, {%u, %u}; mov.b128 %o0, {%d0, %d0};",
}  # fmt: skip


def origin_kept(kind: Kind, space: str) -> Result:
    """An undefined value is stored, read back and decides: its origin is where it came from."""
    if not kind.writes:
        return "it stores nothing"
    if kind.hint:
        return _discarded(kind, space)
    narrow = min(kind.size, 4)
    place = f"{STRIDE * LANE}"
    back = f"mad.wide.u32 %a, %lane, {4 if kind.rows else STRIDE}, %base;\n"
    sync = "bar.warp.sync 0xffffffff;\n" if kind.rows else ""
    body = f"""{_fill(space)}{sync}mad.wide.u32 %b, %lane, 4, %base; setp.eq.u32 %me, %lane, {LANE};
setp.eq.and.u64 %me, %x, 1, %me;
mov.u32 %u, 0;
@%me ld{space}.b32 %u, [%b + {NEVER}]; // origin
{_OPERANDS[kind.operand]}
{_slots(kind, place)}{_access(kind, space, mark="stored")}bar.warp.sync 0xffffffff;
{back}ld{space}.b{8 * narrow} %c, [%a];
setp.ne.u32 %p, %c, 77;
@%p bra END; // hazard
END:
"""
    if narrow == 2:
        body = body.replace(f"ld{space}.b16 %c, [%a]", f"ld{space}.u16 %c, [%a]")
    origin = ("line {origin}", byte_named(space, NEVER + 4 * LANE), f"when lane {LANE} of warp 0")
    lane = None if kind.rows else LANE
    fault = Fault("undefined", lane, ("decide the branch", *origin))
    launches = (Launch((0, 0, 0, 0)), Launch((1, 0, 0, 0), fault))
    return Cell(TARGET, _kernel(space, body), launches, defined=False)


def _discarded(kind: Kind, space: str) -> Result:
    """What discard leaves is undefined because of it."""
    if space != GLOBAL:
        return "discard knows global memory alone"
    body = f"""setp.eq.u64 %me, %x, 1; mov.u64 %a, %base;
{_access(kind, space, guard="@%me ", mark="origin")}ld.global.b32 %c, [%a + 4];
setp.ne.u32 %p, %c, 77;
@%p bra END; // hazard
END:
"""
    fault = Fault("undefined", 0, ("decide the branch", "line {origin}", r"\bbyte 4\b"))
    return Cell(TARGET, _kernel(space, body), (Launch((0, 0, 0, 0)), Launch((1, 0, 0, 0), fault)))


# -- order ----------------------------------------------------------------------------------------

_WIDTHS = (1, 2, 4, 8, 16)
_PLAIN = ("b8 {}, %v0", "b16 {}, %h0", "b32 {}, %v0", "b64 {}, %d0", "v2.b64 {}, {{%d0, %d0}}")
_LOADS = ("b8 %v4, {}", "b16 %h4, {}", "b32 %v4, {}", "b64 %d4, {}", "v2.b64 {{%d4, %d5}}, {}")


def others(space: str) -> str:
    """Plain accesses of 1 to 16 bytes at %b, of which %y picks one: loads, then stores."""
    lines = "not.b64 %d0, %d0; not.b32 %v0, %v0; not.b16 %h0, %h0;\n"
    for number, text in enumerate((*_LOADS, *_PLAIN)):
        verb = "ld" if number < len(_LOADS) else "st"
        lines += f"setp.eq.and.u64 %p, %y, {number}, %in;\n"
        lines += f"@%p {verb}{space}.{text.format('[%b]')}; // hazard\n"
    return lines


def _offsets(first: int, end: int, width: int) -> list[int]:
    """Aligned places of an access of `width` bytes that touch first..end, and its neighbors."""
    places = range(max(first - width, 0) // width * width, end + width, width)
    if len(places) <= 20:
        return list(places)
    return [*places[:3], places[len(places) // 2], *places[-3:]]


def _pairs(kind: Kind, at: int) -> Iterator[Launch]:
    """Every plain access, before and after, ordered and not."""
    first, end = at, at + kind.bytes_touched
    fault = Fault("order", None, ("warp [01]", "without being ordered|not ordered"))
    for number in range(2 * len(_WIDTHS)):
        width, stores = _WIDTHS[number % len(_WIDTHS)], number >= len(_WIDTHS)
        for place in _offsets(first, end, width):
            meets = place < end and place + width > first
            races = meets and (stores or kind.writes)
            roles = (0, 1) if width == 1 else (place // width % 2,)
            for role in roles:
                yield Launch((role, number, place, 0), fault if races else None)
            if races and place == first // width * width:
                yield Launch((roles[0], number, place, 1))


def order(kind: Kind, space: str) -> Result:
    """Another warp accesses 1 to 16 bytes that overlap, or lie beside, without a barrier."""
    if space == LOCAL:
        return "local memory belongs to one thread"
    at = max(STRIDE, kind.alignment)
    whole = bool(kind.rows)
    guard = "" if whole else "@%in "
    body = f"""mad.wide.u32 %b, %n, 4, %base; mov.u32 %c, %n;
FILL: st{space}.b32 [%b], %v8; add.u64 %b, %b, 256; add.u32 %c, %c, 64;
setp.lt.u32 %p, %c, {ARRAY // 4}; @%p bra FILL;
bar.sync 0;
setp.eq.u64 %me, %m, 1; setp.ne.u32 %q, %w, 0; and.pred %q, %q, %me;
@!%q bra MET;
bar.sync 1, 64;
MET:
setp.eq.u32 %in, %lane, 0;
add.u64 %b, %base, %z; add.u64 %a, %base, {at};
cvt.u64.u32 %t, %w; setp.eq.u64 %p, %t, %x;
@!%p bra OTHER;
{"mad.wide.u32 %a, %lane, 16, %a;" if whole else ""}
{_access(kind, space, guard=guard)}bra DONE;
OTHER:
{others(space)}DONE:
setp.eq.u32 %q, %w, 0; and.pred %q, %q, %me;
@!%q bra END;
bar.sync 1, 64;
END:
"""
    return Cell(
        TARGET, _kernel(space, body), tuple(_pairs(kind, at)), block=64, defined=False, strict=True
    )


def scope(kind: Kind, space: str) -> Result:
    """Two CTAs access one word, atomically for their own CTA alone, or for all of the GPU."""
    if not (kind.atomic or kind.relaxed):
        return "a weak access has no scope"
    if space == LOCAL:
        return "local memory belongs to one thread"
    if space == GENERIC:
        return "the address is global or shared: those rows say it"
    reader = not kind.writes
    stored = Kind(
        kind.text.replace("ld{", "st{").split(" ")[0] + " [%a], "
        f"{'%d0' if kind.size == 8 else '%v0'};",
        kind.size,
        writes=True,
    )
    name = "%ctaid.x" if space == GLOBAL else "%cluster_ctarank"
    where = space if space == GLOBAL else SHARED + "::cluster"
    away = (
        ""
        if space == GLOBAL
        else """barrier.cluster.arrive; barrier.cluster.wait;
mapa.shared::cluster.u64 %base, %base, 0;
"""
    )
    leave = "" if space == GLOBAL else "barrier.cluster.arrive; barrier.cluster.wait;\n"
    lines = ""
    for number, word in ((0, "gpu"), (1, "cta")):
        lines += f"setp.eq.and.u64 %p, %m, {number}, %me;\n"
        lines += _access(kind, where, f".relaxed.{word}", "@%p ")
        if reader:
            lines += f"setp.eq.and.u64 %p, %m, {number}, %q;\n"
            lines += _access(stored, where, f".relaxed.{word}", "@%p ")
    # %y is 1 where the CTAs change roles; %x and %z say who has the narrow scope
    body = f"""{_fill(space) if space == SHARED else ""}{away}mov.u32 %c, {name};
cvt.u64.u32 %t, %c; setp.eq.u32 %in, %lane, 0;
setp.eq.u64 %p, %t, 0; selp.b64 %m, %x, %z, %p;
add.u32 %v0, %v0, %c; mov.b64 %d0, {{%v0, %v0}};
setp.eq.and.u64 %me, %t, %y, %in; setp.ne.and.u64 %q, %t, %y, %in;
{"" if reader else "mov.pred %me, %in;"}
mov.u64 %a, %base;
{lines}{leave}"""
    fault = Fault("order", 0, ("scope|ordered",))
    launches = [Launch((0, role, 0, 0)) for role in (0, 1)]
    launches += [
        Launch((x, role, z, 0), fault) for x, z in ((1, 1), (1, 0), (0, 1)) for role in (0, 1)
    ]
    cluster = 1 if space == GLOBAL else 2
    return Cell(TARGET, _kernel(space, body), tuple(launches), grid=2, cluster=cluster, strict=True)


HAZARDS: dict[str, Hazard] = {
    "bounds": bounds, "alignment": alignment, "read-only": read_only, "ended CTA": ended,
    "undefined": undefined, "origin kept": origin_kept, "order": order, "scope": scope,
}  # fmt: skip
