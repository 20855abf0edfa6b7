"""PTX that executes one matrix instruction for each block of threads, on operands from memory.

Every operand comes as packed by `kinds.pack`: word w of thread t of tile n is at
(n * words + w) * threads + t. A and B of wgmma are copied to shared memory as they are.
"""

from __future__ import annotations

from lanemap.conformance.tensor_cores.kinds import FORMATS, Kind

_HEAD = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry dots(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)
{
"""
# The type of registers that an instruction wants; of all others it wants .b32.
_REGISTERS = {"f64": "f64", "f32": "f32", "s32": "s32"}


def _registers(kind: Kind, operand: str) -> int:
    bits: int = FORMATS[getattr(kind, operand)].bits
    return int(kind.places(operand).shape[1]) * bits // 32


def _names(kind: Kind, operand: str) -> str:
    count = _registers(kind, operand) // (2 if getattr(kind, operand) == "f64" else 1)
    return "{" + ", ".join(f"%{operand}{i}" for i in range(count)) + "}"


def declared(kind: Kind, operands: str) -> list[str]:
    """Registers for operands, and the thread and tile in %t and %n."""
    lines = [".reg .b32 %t, %n, %w, %lo, %hi;", ".reg .b64 %p, %o, %x, %y;", ".reg .pred %q;"]
    for operand in operands:
        register = _REGISTERS.get(getattr(kind, operand), "b32")
        lines.append(f".reg .{register} %{operand}<{max(_registers(kind, operand), 1)}>;")
    return [*lines, "mov.u32 %t, %tid.x;", "mov.u32 %n, %ctaid.x;"]


def _address(kind: Kind, operand: str) -> list[str]:
    """Set %p to the first word of this thread in an operand of registers."""
    words = _registers(kind, operand) * kind.threads
    return [
        f"ld.param.u64 %p, [{operand}];",
        f"mad.lo.u32 %w, %n, {words}, %t;",
        "mul.wide.u32 %o, %w, 4;",
        "add.u64 %p, %p, %o;",
    ]


def loaded(kind: Kind, operand: str, into: str = "") -> list[str]:
    """Load an operand to registers, of its own name unless given."""
    lines, into = _address(kind, operand), into or operand
    for i in range(_registers(kind, operand)):
        place = f"[%p+{i * kind.threads * 4}]"
        if getattr(kind, operand) != "f64":
            lines.append(f"ld.global.b32 %{into}{i}, {place};")
        elif i % 2:
            lines += [f"ld.global.b32 %hi, {place};", f"mov.b64 %{into}{i // 2}, {{%lo, %hi}};"]
        else:
            lines.append(f"ld.global.b32 %lo, {place};")
    return lines


def stored(kind: Kind) -> list[str]:
    """Store D, and end."""
    lines = _address(kind, "d")
    for i in range(_registers(kind, "d")):
        place = f"[%p+{i * kind.threads * 4}]"
        if kind.d != "f64":
            lines.append(f"st.global.b32 {place}, %d{i};")
            continue
        if i % 2 == 0:
            lines.append(f"mov.b64 {{%lo, %hi}}, %d{i // 2};")
        lines.append(f"st.global.b32 {place}, %{'hi' if i % 2 else 'lo'};")
    return [*lines, "ret;", "}", ""]


def instruction(kind: Kind) -> str:
    """The instruction of a kind of mma.sync."""
    before = ".satfinite" if kind.modifier == "satfinite" else ""
    after = f".{kind.modifier}" if kind.modifier.endswith("popc") else ""
    types = f"{kind.d}.{kind.a}.{kind.b}.{kind.c}"
    return f"mma.sync.aligned.{kind.shape}.row.col{before}.{types}{after}"


def _mma(kind: Kind) -> str:
    lines = declared(kind, "abcd")
    for operand in "abc":
        lines += loaded(kind, operand)
    operands = ", ".join(_names(kind, operand) for operand in "dabc")
    lines.append(f"{instruction(kind)} {operands};")
    return _HEAD + "\n".join(lines + stored(kind))


def copied(kind: Kind, operand: str, shared: str) -> list[str]:
    """Copy an operand to shared memory, 4 bytes of each thread at a time."""
    words = (kind.rows if operand == "a" else kind.columns) * 8
    lines = [
        f"ld.param.u64 %p, [{operand}];", f"mad.lo.u32 %w, %n, {words}, %t;",
        "mul.wide.u32 %o, %w, 4;", "add.u64 %p, %p, %o;",
        f"mov.u32 %w, {shared};", "mad.lo.u32 %w, %t, 4, %w;",
    ]  # fmt: skip
    guard = ""
    if words < kind.threads:
        lines.append(f"setp.lt.u32 %q, %t, {words};")
        guard = "@%q "
    for i in range(max(words // kind.threads, 1)):
        lines.append(f"{guard}ld.global.b32 %lo, [%p+{i * kind.threads * 4}];")
        lines.append(f"{guard}st.shared.b32 [%w+{i * kind.threads * 4}], %lo;")
    return lines


def descriptor(name: str, shared: str) -> list[str]:
    """A matrix descriptor: address, 128 bytes from half to half of K, 256 from 8 lines to 8."""
    return [
        f"mov.u32 %w, {shared};",
        "shr.u32 %w, %w, 4;",
        "and.b32 %w, %w, 0x3fff;",
        f"cvt.u64.u32 {name}, %w;",
        f"or.b64 {name}, {name}, {128 >> 4 << 16 | 256 >> 4 << 32};",
    ]


def _immediates(kind: Kind) -> str:
    """Signs of A and B, and that both lie K major, where an instruction has such operands."""
    if not FORMATS[kind.a].exponent:
        return ""
    signs = ", -1, 1" if kind.form == "negated" else ", 1, 1"
    if kind.a not in ("f16", "bf16"):
        return signs
    return signs + (", 0" if kind.form == "registers" else ", 0, 0")


def _wgmma(kind: Kind) -> str:
    in_registers = kind.form == "registers"
    lines = [
        ".shared .align 128 .b8 left[2048];",
        f".shared .align 128 .b8 right[{kind.columns * 32}];",
    ]
    lines += declared(kind, "ad" if in_registers else "d")
    lines += loaded(kind, "a") if in_registers else copied(kind, "a", "left")
    lines += copied(kind, "b", "right") + loaded(kind, "c", "d")
    lines += ["fence.proxy.async.shared::cta;", "bar.sync 0;"]
    lines += descriptor("%x", "left") + descriptor("%y", "right")
    before = ".satfinite" if kind.modifier == "satfinite" else ""
    after = f".{kind.modifier}" if kind.modifier.endswith("popc") else ""
    left = _names(kind, "a") if in_registers else "%x"
    lines += [
        f"setp.eq.u32 %q, 0, {int(kind.form == 'fresh')};",
        "wgmma.fence.sync.aligned;",
        f"wgmma.mma_async.sync.aligned.{kind.shape}{before}.{kind.d}.{kind.a}.{kind.b}{after} "
        f"{_names(kind, 'd')}, {left}, %y, %q{_immediates(kind)};",
        "wgmma.commit_group.sync.aligned;",
        "wgmma.wait_group.sync.aligned 0;",
    ]
    return _HEAD + "\n".join(lines + stored(kind))


def source(kind: Kind) -> str:
    """The PTX of a kind; its entry is `dots(a, b, c, d)`, a grid of tiles of `kind.threads`."""
    return _wgmma(kind) if kind.family == "wgmma" else _mma(kind)
