"""The start of a program: variables, addresses, and the banks that its body reads."""

from __future__ import annotations

import re

from lanemap.conformance.programs import banks
from lanemap.conformance.programs.chance import Chance

_NAME = re.compile(r"%[a-z]\w*")
_CONSTANT_BYTES = 256

#: Registers that a body may name, their type, and the lines that set them, in order; in the lines
#: names that begin with % are registers, THREADS stands for the number of threads.
_ADDRESSES: tuple[tuple[str, str, str], ...] = (
    ("%in", "b64", "ld.param.u64 %in, [in];"),
    ("%out", "b64", "ld.param.u64 %out, [out];"),
    ("%tx", "b32", "mov.u32 %tx, %tid.x;"),
    ("%ty", "b32", "mov.u32 %ty, %tid.y;"),
    ("%tz", "b32", "mov.u32 %tz, %tid.z;"),
    ("%nx", "b32", "mov.u32 %nx, %ntid.x;"),
    ("%ny", "b32", "mov.u32 %ny, %ntid.y;"),
    ("%row", "b32", "mad.lo.u32 %row, %tz, %ny, %ty;"),
    ("%thread", "b32", "mad.lo.u32 %thread, %row, %nx, %tx;"),
    *((f"%i{n}", "b64", f"mad.wide.u32 %i{n}, %thread, {n}, %in;") for n in (1, 2, 4, 8, 16)),
    *((f"%o{n}", "b64", f"mad.wide.u32 %o{n}, %thread, {n}, %out;")
      for n in (1, 2, 4, 8, 16, 32, 64)),
    ("%ga", "b64", "mad.wide.u32 %ga, %thread, 32, %in; add.u64 %ga, %ga, BYTES;"),
    ("%off", "b32", "shl.b32 %off, %thread, 5;"),
    ("%shared", "b32", "mov.u32 %shared, s_;"),
    ("%sr", "b32", "add.u32 %sr, %shared, %off;"),
    ("%srd", "b64", "cvt.u64.u32 %srd, %sr;"),
    ("%sg", "b64", "cvta.shared.u64 %sg, %srd;"),
    ("%cells", "b32", "mov.u32 %cells, w_;"),
    ("%sw", "b32", "add.u32 %sw, %cells, %off;"),
    ("%swd", "b64", "cvt.u64.u32 %swd, %sw;"),
    ("%swg", "b64", "cvta.shared.u64 %swg, %swd;"),
    ("%common", "b32", "mov.u32 %common, common;"),
    ("%commond", "b64", "cvt.u64.u32 %commond, %common;"),
    ("%commong", "b64", "cvta.shared.u64 %commong, %commond;"),
    ("%moff", "b32", "shl.b32 %moff, %thread, 3;"),
    ("%mshared", "b32", "mov.u32 %mshared, m_;"),
    ("%mb", "b32", "add.u32 %mb, %mshared, %moff;"),
    ("%mbd", "b64", "cvt.u64.u32 %mbd, %mb;"),
    ("%mbg", "b64", "cvta.shared.u64 %mbg, %mbd;"),
    ("%lad", "b64", "mov.u64 %lad, l_;"),
    ("%la", "b32", "cvt.u32.u64 %la, %lad;"),
    ("%lg", "b64", "cvta.local.u64 %lg, %lad;"),
    ("%lwd", "b64", "add.u64 %lwd, %lad, 32;"),
    ("%lw", "b32", "cvt.u32.u64 %lw, %lwd;"),
    ("%lwg", "b64", "cvta.local.u64 %lwg, %lwd;"),
    ("%coff", "b32", "and.b32 %coff, %thread, 7;"),
    ("%ca", "b64", "mov.u64 %ca, c_; mad.wide.u32 %ca, %coff, 32, %ca;"),
    ("%cg", "b64", "cvta.const.u64 %cg, %ca;"),
    ("%pa", "b64", "mov.b64 %pa, p;"),
    ("%pg", "b64", "cvta.param.u64 %pg, %pa;"),
    ("%line", "b32", "shl.b32 %line, %thread, 7;"),
    ("%scratch", "b64", "mov.u64 %scratch, scratch; mad.wide.u32 %scratch, %line, 1, %scratch;"),
    ("%policy0", "b64", "createpolicy.fractional.L2::evict_first.b64 %policy0;"),
    ("%policy1", "b64", "createpolicy.fractional.L2::evict_last.b64 %policy1, 0.5;"),
    ("%policy2", "b64", "createpolicy.fractional.L2::evict_normal.b64 %policy2, 1.0;"),
    ("%chosen", "b32", "ld.param.b32 %chosen, [p];"),
    ("%bit", "b32", "and.b32 %bit, %chosen, 16;"),
    ("%uniform", "pred", "setp.ne.u32 %uniform, %bit, 0;"),
    ("%never", "pred", "setp.eq.u32 %never, %thread, 0xffffffff;"),
    ("%first", "pred", "setp.eq.u32 %first, %thread, 0;"),
    ("%warp", "b32", "shr.u32 %warp, %thread, 5;"),
    ("%lane", "b32", "and.b32 %lane, %thread, 31;"),
    ("%warp0", "pred", "setp.eq.u32 %warp0, %warp, 0;"),
    ("%warp1", "pred", "setp.eq.u32 %warp1, %warp, 1;"),
)  # fmt: skip
_LOADS = {"c": "u8", "h": "b16", "r": "b32", "d": "b64", "q": "b128"}


def named(lines: list[str]) -> set[str]:
    """Return the registers that appear in lines."""
    return {name for line in lines for name in _NAME.findall(line)}


def _candidates(threads: int) -> list[tuple[str, str, str]]:
    """Return every register that the prologue can set: name, type, lines."""
    start = str(banks.bytes_offset(threads))
    found = [(name, kind, text.replace("BYTES", start)) for name, kind, text in _ADDRESSES]
    for bank in banks.registers(threads):
        width = banks.LETTER_BITS[bank.letter]
        load = f"ld.global.{_LOADS[bank.letter]} {bank.name}, [%i{width // 8}+{bank.offset}];"
        found.append((bank.name, f"b{width}", load))
    for number in range(banks.PREDICATES):
        found.append((f"%pb{number}", "b32", f"and.b32 %pb{number}, %pbits, {1 << 3 * number};"))
        found.append((f"%p{number}", "pred", f"setp.ne.u32 %p{number}, %pb{number}, 0;"))
    return found


def _copies(used: set[str]) -> list[str]:
    """Return the lines that fill shared and local memory, if the body reads them."""
    lines: list[str] = []
    spaces = []
    if used & {"%sr", "%srd", "%sg"}:
        spaces.append(("shared", "%sr"))
    if used & {"%la", "%lad", "%lg", "%lw", "%lwd", "%lwg"}:
        spaces.append(("local", "%lad"))
    for space, base in spaces:
        for half in (0, 16):
            vector = "{%z0, %z1, %z2, %z3}"
            lines.append(f"ld.global.v4.b32 {vector}, [%ga+{half}];")
            lines.append(f"st.{space}.v4.b32 [{base}+{half}], {vector};")
    return [*lines, "bar.sync 0;"] if lines else []


def write(body: list[str], threads: int) -> tuple[list[str], list[str]]:
    """Return the declarations of registers, and the lines that set those that the body uses."""
    candidates = _candidates(threads)
    copies = _copies(named(body))
    used = named([*body, *copies])
    chosen: list[tuple[str, str, str]] = []
    for name, kind, text in reversed(candidates):
        if name in used:
            used |= named([text])
            chosen.append((name, kind, text))
    chosen.reverse()
    declared = [f".reg .{kind} {name};" for name, kind, _ in chosen]
    lines = [text for _, _, text in chosen]
    if copies:
        declared.append(".reg .b32 %z<4>;")
    return declared, [*lines, *copies]


def module_variables(seed: int, threads: int) -> str:
    """Return the module's variables; constant memory has its own values."""
    chance = Chance("constants", seed)
    data = ", ".join(str(chance.bits(8)) for _ in range(_CONSTANT_BYTES))
    return (
        f".const .align 32 .b8 c_[{_CONSTANT_BYTES}] = {{{data}}};\n"
        f".global .align 128 .b8 scratch[{128 * threads}];\n"
    )


def entry_variables(threads: int) -> str:
    """Return the variables of the entry."""
    return (
        f".shared .align 32 .b8 s_[{banks.BYTES * threads}];\n"
        f".shared .align 32 .b8 w_[{banks.BYTES * threads}];\n"
        ".shared .align 32 .b8 common[32];\n"
        f".shared .align 8 .b64 m_[{threads}];\n"
        f".local .align 32 .b8 l_[{2 * banks.BYTES}];\n"
    )
