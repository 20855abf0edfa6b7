"""wmma.load and wmma.store against the hazards: one address for the warp, and lines of a stride.

Only the bytes of the lines are ever written: what lies before, between and behind them is undefined
in every launch, so a kernel that must run clean shows that these bytes are not touched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanemap.probing.wmma.forms import Matrix
from tests import ptx
from tests.emulator.access.cells import Cell, Fault, Launch
from tests.emulator.access.ptx_hazards import byte_named, others
from tests.emulator.access.ptx_kinds import GENERIC, GLOBAL, SHARED

TARGET, SIZE, START, NEVER, LANE = "sm_90a", 4096, 64, 3968, 5
Result = Cell | str


@dataclass(frozen=True)
class Kind:
    """One load or store: its matrix, its major."""

    matrix: Matrix
    major: str

    @property
    def name(self) -> str:
        """`wmma.load.a.row.m16n16k16.f16`."""
        of, verb = self.matrix, "store" if self.stores else "load"
        return f"wmma.{verb}.{of.operand}.{self.major}.{of.spelled}.{of.kind}"

    @property
    def stores(self) -> bool:
        """Whether it is wmma.store."""
        return self.matrix.operand == "d"

    @property
    def lines(self) -> int:
        """Rows, or columns."""
        return self.matrix.rows if self.major == "row" else self.matrix.columns

    @property
    def line(self) -> int:
        """Bytes of one."""
        return self.matrix.contiguous(self.major) * self.matrix.bits // 8

    @property
    def fragment(self) -> int:
        """Bytes of a thread's fragment, to which the ISA wants lines to be aligned."""
        return 4 * self.matrix.words

    @property
    def align(self) -> int:
        """What kernels keep: at most 16 bytes (CUDA C++ Programming Guide, wmma)."""
        return min(self.fragment, 16)

    @property
    def stride(self) -> int:
        """Bytes from line to line, with a gap of at least 32."""
        return -(-self.line // 32) * 32 + 32

    @property
    def registers(self) -> list[str]:
        """The fragment's."""
        wide = self.matrix.kind == "f64"
        return [f"%{'e' if wide else 'r'}{i}" for i in range(self.matrix.words // (1 + wide))]

    def text(self, space: str, back: bool = False) -> str:
        """The statement; `back` is the load of what it stored."""
        of = self.matrix
        listed, form = f"{{{', '.join(self.registers)}}}", f"{self.major}.{of.spelled}{space}"
        if self.stores and not back:
            return f"wmma.store.d.sync.aligned.{form}.{of.kind} [%a], {listed}, %st;"
        operand = "c" if self.stores else of.operand
        return f"wmma.load.{operand}.sync.aligned.{form}.{of.kind} {listed}, [%a], %st;"

    def elements(self, stride: int) -> int:
        """A stride of so many bytes, as the instruction takes it."""
        return stride * 8 // self.matrix.bits


_LARGE, _WIDE, _TALL = (16, 16, 16), (8, 32, 16), (32, 8, 16)
_ALL = (
    ("a", _LARGE, "f16", "row"), ("a", _LARGE, "f16", "col"), ("b", _WIDE, "f16", "col"),
    ("b", _TALL, "s8", "row"), ("a", (8, 8, 32), "s4", "row"), ("b", (8, 8, 128), "b1", "col"),
    ("a", (16, 16, 8), "tf32", "row"), ("b", (8, 8, 4), "f64", "col"), ("c", _LARGE, "f32", "row"),
    ("d", _LARGE, "f32", "row"), ("d", _LARGE, "f16", "col"),
    ("d", (8, 8, 4), "f64", "row"), ("d", (8, 8, 32), "s32", "row"),
)  # fmt: skip
_CONSTANTS = ".const .align 128 .b8 constants[1024] = {1};\n"
KINDS = {kind.name: kind for kind in (Kind(Matrix(*of), major) for *of, major in _ALL)}
#: A generic address differs in how it is resolved alone: one load and one store show that.
_GENERIC = ("wmma.load.a.row.m16n16k16.f16", "wmma.store.d.row.m16n16k16.f32")
ROWS = [(name, space) for name in KINDS for space in (GLOBAL, SHARED)]
ROWS += [(name, GENERIC) for name in _GENERIC]


def _kernel(kind: Kind, space: str, body: str) -> str:
    """The head: the array or shared memory, a fragment of which no byte is zero; then the body."""
    if space == GLOBAL:
        declared, base = "", "mov.b64 %base, %array;"
    else:
        declared, base = f".shared .align 128 .b8 data[{SIZE}];\n", "mov.u64 %base, data;"
        base += " cvta.shared.u64 %base, %base;" if space == GENERIC else ""
    wide = kind.matrix.kind == "f64"
    made = "".join(
        f"mov.b{64 if wide else 32} {register}, {'%d0' if wide else '%v0'};\n"
        for register in kind.registers
    )
    typed = "f32" if kind.matrix.kind == "f32" else "b32"
    text = f"""\
.reg .pred %p, %q, %me, %in; .reg .b16 %h<9>; .reg .b32 %n, %w, %lane, %c, %e, %u, %st, %v<9>;
.reg .b64 %a, %b, %base, %t, %d<9>; .reg .{typed} %r<16>; .reg .f64 %e<4>;
{declared}mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; and.b32 %lane, %n, 31;
mov.b32 %v0, 0x5a5a5a5a; mov.b16 %h0, 0x5a5a; mov.b64 %d0, {{%v0, %v0}}; mov.u32 %v8, 0;
{made}{base}
{body}"""
    return ptx.entry(text, "array x y z m", before=_CONSTANTS, target=TARGET)


def _strided(kind: Kind) -> str:
    return f"mov.u32 %st, {kind.elements(kind.stride)};\n"


def _fill(kind: Kind, space: str, hole: str = "-1") -> str:
    """Zeros in the bytes of the lines, but for the one that is `hole` bytes from %base."""
    return f"""mov.u32 %c, %n; mov.u32 %e, %ntid.x;
FILL: div.u32 %u, %c, {kind.line}; rem.u32 %v1, %c, {kind.line};
mad.lo.u32 %u, %u, {kind.stride}, %v1; add.u32 %u, %u, {START}; cvt.u64.u32 %t, %u;
add.u64 %b, %base, %t; setp.ne.u64 %q, %t, {hole};
@%q st{space}.b8 [%b], %v8;
add.u32 %c, %c, %e; setp.lt.u32 %p, %c, {kind.lines * kind.line}; @%p bra FILL;
bar.sync 0;
"""


def _touched(kind: Kind) -> list[int]:
    """The bytes of the lines, in order."""
    return [START + kind.stride * i + j for i in range(kind.lines) for j in range(kind.line)]


# -- one access by itself -------------------------------------------------------------------------
def bounds(kind: Kind, space: str) -> Result:
    """The last line reaches beyond the end, or the second, or all do."""
    body = f"cvt.u32.u64 %st, %y; add.u64 %a, %base, %x;\n{kind.text(space)} // hazard\n"
    last = SIZE - (kind.lines - 1) * kind.stride - kind.line
    usual = kind.elements(kind.stride)
    says = (r"\d bytes at 0x", "outside|past|reaches")
    far = 1 << 40 if space == GLOBAL else 1 << 31
    wrong = [(last + 32, usual, kind.lines - 1), (START, kind.elements(SIZE), 1), (SIZE, usual, 0),
             (far, usual, 0)]  # fmt: skip
    if space == GLOBAL:
        wrong.append((-32, usual, 0))
    launches = [Launch((x, y, 0, 0), Fault("out-of-bounds", lane, says)) for x, y, lane in wrong]
    good = [Launch((last, usual, 0, 0)), Launch((0, usual, 0, 0))]
    return Cell(TARGET, _kernel(kind, space, body), (*good, *launches), array_bytes=SIZE)


def alignment(kind: Kind, space: str) -> Result:
    """The address is not a multiple of what every line needs; or the stride is not."""
    body = f"cvt.u32.u64 %st, %y; add.u64 %a, %base, %x;\n{kind.text(space)} // hazard\n"
    usual, says = kind.elements(kind.stride), (rf"multiple of (?:{kind.align}|{kind.fragment}) b",)
    launches = [Launch((START, usual, 0, 0))]
    for k in sorted({1, kind.align // 2, kind.align - 1}):
        launches.append(Launch((START + k, usual, 0, 0), Fault("misaligned", 0, says)))
    if 8 <= kind.matrix.bits < 8 * kind.align:
        launches.append(Launch((START, usual + 1, 0, 0), Fault("misaligned", 1, says)))
    return Cell(TARGET, _kernel(kind, space, body), tuple(launches), array_bytes=SIZE)


def fragment_alignment(kind: Kind, space: str) -> Result:
    """The ISA's own rule, the strict emulator's: lines are aligned to the size of the fragment."""
    if kind.fragment <= kind.align:
        return "the fragment has no more than 16 bytes"
    body = f"{_strided(kind)}add.u64 %a, %base, %x;\n{kind.text(space)} // hazard\n"
    fault = Fault("misaligned", 0, (rf"multiple of {kind.fragment} bytes",))
    launches = (Launch((START, 0, 0, 0)), Launch((START + 16, 0, 0, 0), fault))
    return Cell(TARGET, _kernel(kind, space, body), launches, array_bytes=SIZE, strict=True)


def read_only(kind: Kind, space: str) -> Result:
    """A store to .const memory through a generic address."""
    if not kind.stores:
        return "it stores nothing"
    if space == SHARED:
        return "no shared memory is read-only"
    body = f"""setp.eq.u64 %p, %x, 1; @%p cvta.const.u64 %base, constants;
mov.u32 %st, {kind.elements(kind.line)}; mov.u64 %a, %base;
{kind.text(space)} // hazard
"""
    launches = (Launch((0, 0, 0, 0)), Launch((1, 0, 0, 0), Fault("read-only", 0, ("read-only",))))
    return Cell(TARGET, _kernel(kind, space, body), launches, array_bytes=SIZE)


# -- undefined bytes, and where they come from ----------------------------------------------------
def _decide(kind: Kind) -> str:
    lines = "mov.u32 %c, 0;\n"
    for register in kind.registers:
        if kind.matrix.kind == "f64":
            lines += f"mov.b64 {{%v4, %v5}}, {register}; or.b32 %c, %c, %v4; or.b32 %c, %c, %v5;\n"
        else:
            lines += f"mov.b32 %v4, {register}; or.b32 %c, %c, %v4;\n"
    return lines + "setp.ne.u32 %p, %c, 77;\n@%p bra END; // hazard\nEND:\n"


def undefined(kind: Kind, space: str) -> Result:
    """One byte of a line was never written; the fragment decides a branch."""
    if kind.stores:
        return "it loads nothing"
    body = f"{_fill(kind, space, '%z')}{_strided(kind)}add.u64 %a, %base, {START};\n"
    body += f"{kind.text(space)} // origin\n{_decide(kind)}"
    launches = [Launch((0, 0, SIZE, 0))]
    touched = _touched(kind)
    for hole in sorted({*touched[::13], touched[1], touched[-1]}):
        says = ("decide the branch", "line {origin}", byte_named(space, hole))
        launches.append(Launch((0, 0, hole, 0), Fault("undefined", None, says)))
    return Cell(
        TARGET, _kernel(kind, space, body), tuple(launches), array_bytes=SIZE, defined=False
    )


def origin_kept(kind: Kind, space: str) -> Result:
    """An undefined register is stored, loaded back and decides: its origin is its own load."""
    if not kind.stores:
        return "it stores nothing"
    first = kind.registers[0]
    wide = kind.matrix.kind == "f64"
    body = f"""mad.wide.u32 %b, %lane, 4, %base; setp.eq.u32 %me, %lane, {LANE};
setp.eq.and.u64 %me, %x, 1, %me; mov.u32 %u, 0;
@%me ld{space}.b32 %u, [%b + {NEVER}]; // origin
mov.b{64 if wide else 32} {first}, {"{%u, %u}" if wide else "%u"};
{_strided(kind)}add.u64 %a, %base, {START};
{kind.text(space)} // stored
bar.warp.sync 0xffffffff;
{kind.text(space, back=True)}
{_decide(kind)}"""
    says = ("decide the branch", "line {origin}", byte_named(space, NEVER + 4 * LANE),
            f"when lane {LANE} of warp 0")  # fmt: skip
    launches = (Launch((0, 0, 0, 0)), Launch((1, 0, 0, 0), Fault("undefined", LANE, says)))
    return Cell(TARGET, _kernel(kind, space, body), launches, array_bytes=SIZE, defined=False)


# -- order ----------------------------------------------------------------------------------------
def order(kind: Kind, space: str) -> Result:
    """Another warp accesses 1 to 16 bytes of a line, or of a gap, without a barrier or with one."""
    if space == GENERIC:
        return "the address is global or shared: those rows say it"
    body = f"""{_fill(kind, space)}{_strided(kind)}add.u64 %a, %base, {START};
setp.eq.u64 %me, %m, 1; setp.ne.u32 %q, %w, 0; and.pred %q, %q, %me;
@!%q bra MET;
bar.sync 1, 64;
MET:
setp.eq.u32 %in, %lane, 0; add.u64 %b, %base, %z;
cvt.u64.u32 %t, %w; setp.eq.u64 %p, %t, %x;
@!%p bra OTHER;
{kind.text(space)} // hazard
bra DONE;
OTHER:
{others(space)}DONE:
setp.eq.u32 %q, %w, 0; and.pred %q, %q, %me;
@!%q bra END;
bar.sync 1, 64;
END:
"""
    touched, launches = set(_touched(kind)), []
    fault = Fault("order", None, ("warp [01]", "without being ordered|not ordered"))
    for number in range(10):
        width, stores = 1 << number % 5, number >= 5
        for line in (0, kind.lines // 2, kind.lines - 1):
            at = START + line * kind.stride
            for place in (at - width, at, at + kind.line // 2, at + kind.line - 1, at + kind.line):
                place = place // width * width
                meets = not touched.isdisjoint(range(place, place + width))
                races = meets and (stores or kind.stores)
                role = (line + place // width) % 2
                launches.append(Launch((role, number, place, 0), fault if races else None))
                if races and place == at:
                    launches.append(Launch((role, number, place, 1)))
    return Cell(
        TARGET,
        _kernel(kind, space, body),
        tuple(launches),
        block=64,
        array_bytes=SIZE,
        defined=False,
        strict=True,
    )


def _inapplicable(why: str) -> Callable[[Kind, str], Result]:
    return lambda kind, space: why


HAZARDS: dict[str, Callable[[Kind, str], Result]] = {
    "bounds": bounds, "alignment": alignment, "fragment alignment": fragment_alignment,
    "read-only": read_only,
    "ended CTA": _inapplicable("wmma reaches the shared memory of its own CTA alone"),
    "undefined": undefined, "origin kept": origin_kept, "order": order,
    "scope": _inapplicable("a weak access has no scope"),
}  # fmt: skip
