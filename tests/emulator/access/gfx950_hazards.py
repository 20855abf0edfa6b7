"""The hazards that every access kind of gfx950 is held against; see ptx_hazards.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lanemap.toolchain.amdgcn_kernel import Kernel
from tests.emulator.access.cells import Cell, Fault, Launch
from tests.emulator.access.gfx950_kinds import DMA, GLOBAL, LDS, SCRATCH, Kind

TARGET, LANE, WAVE, STRIDE = "gfx950", 5, 64, 16
#: Bytes of the memory; of them those that nothing writes begin at NEVER.
MEMORY, NEVER = 1201, 1040
_LDS_BYTES = DMA + 16 * WAVE
_BEGIN = """\
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_load_dwordx4 s[8:11], s[0:1], 0x10
s_load_dwordx2 s[12:13], s[0:1], 0x20
v_and_b32 v1, 63, v0
v_lshrrev_b32 v2, 6, v0
"""
_ZEROS = (14, 15, 17, 20, 21, 22, 23)
_OPERANDS = "".join(
    [f"v_mov_b32 v{register}, 0x5a5a5a5a\n" for register in (10, 11, 12, 13, 16)]
    + [f"v_mov_b32 v{register}, 0\n" for register in _ZEROS]
)
_DESCRIPTOR = """s_waitcnt lgkmcnt(0)
s_mov_b32 s24, s4
s_and_b32 s25, s5, 0xffff
s_mov_b32 s26, 0x7fffffff
s_mov_b32 s27, 0x00027000
"""
_END = "END:\ns_endpgm\n"
_WAIT = "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
Result = Cell | str
Hazard = Callable[[Kind, str], Result]


def _kernel(kind: Kind, body: str, chosen: str = "") -> str:
    """The whole text; `chosen` may replace the base in s[4:5] first."""
    lds = MEMORY if kind.memory == LDS else _LDS_BYTES
    around = Kernel("k", ("array", *"xyzm"), (), lds, 128, 98, 2 * WAVE, scratch_bytes=MEMORY)
    wait = "s_waitcnt lgkmcnt(0)\n"
    code = _BEGIN + wait + _OPERANDS + chosen + _DESCRIPTOR + body
    # wait states are another test's affair
    return around.text(re.sub(r"^(v_.*)$", r"\1\ns_nop 4", code, flags=re.MULTILINE) + _END)


def _flat(kind: Kind) -> str:
    """The flat address of v3 in v[4:5]."""
    if not kind.flat:
        return ""
    base = "src_shared_base" if kind.memory == LDS else "s[4:5]"
    return f"""s_mov_b64 s[34:35], {base}
v_add_co_u32 v4, vcc, s34, v3
v_mov_b32 v5, s35
v_addc_co_u32 v5, vcc, 0, v5, vcc
"""


def _access(kind: Kind, mark: str = "hazard", registers: bool = True) -> str:
    """The instruction, marked, with what must stand before it, and its completion behind it."""
    *before, access = kind.text.split("\n")
    flat = _flat(kind) if registers else ""
    lines = "".join(f"{line}\n" for line in before)
    written = "s_dcache_wb\n" if access.startswith("s_store") else ""
    return f"{flat}s_nop 4\n{lines}{access} ; {mark}\n{written}{_WAIT}"


def _slots(kind: Kind, at: str) -> str:
    """Every lane's slot of 16 bytes in v3, but `at` in lane LANE; alone if it must be."""
    only = f"s_mov_b64 exec, {1 << LANE}\ns_nop 4\n" if kind.alone else ""
    return f"""v_lshlrev_b32 v3, 4, v1
v_cmp_eq_u32 vcc, {LANE}, v1
v_mov_b32 v6, {at}
v_cndmask_b32 v3, v3, v6, vcc
s_mov_b32 s30, {at}
{only}"""


_PLAIN = {
    LDS: ("ds_read_{} {}, {}", "ds_write_{} {}, {}", ("u8", "u16", "b32", "b64", "b128")),
    GLOBAL: ("global_load_{} {}, {}, s[4:5]", "global_store_{} {}, {}, s[4:5]",
             ("ubyte", "ushort", "dword", "dwordx2", "dwordx4")),
    SCRATCH: ("scratch_load_{} {}, {}, off", "scratch_store_{} {}, {}, off",
              ("ubyte", "ushort", "dword", "dwordx2", "dwordx4")),
}  # fmt: skip


def _plain_load(memory: str, width: int, result: str, address: str) -> str:
    text, _, names = _PLAIN[memory]
    return text.format(names[width], result, address)


def _plain_store(memory: str, width: int, data: str, address: str) -> str:
    _, text, names = _PLAIN[memory]
    name = names[width].replace("ubyte", "byte").replace("ushort", "short").replace("u", "b")
    return text.format(name, address, data)


def _fill(kind: Kind, hole: str = "") -> str:
    """Zeros in every lane's slot, but for byte `hole` of that of lane LANE."""
    text = "v_lshlrev_b32 v31, 4, v1\n"
    if not hole:
        return f"{text}{_plain_store(kind.memory, 4, 'v[20:23]', 'v31')}\n{_WAIT}"
    text += f"v_mov_b32 v30, 99\nv_mov_b32 v34, {hole}\nv_cmp_eq_u32 vcc, {LANE}, v1\n"
    text += "v_cndmask_b32 v30, v30, v34, vcc\n"
    for byte in range(STRIDE):
        text += f"v_cmp_ne_u32 vcc, {byte}, v30\ns_and_saveexec_b64 s[40:41], vcc\n"
        text += f"{_plain_store(kind.memory, 0, 'v14', 'v31')} offset:{byte}\n"
        text += "s_mov_b64 exec, s[40:41]\n"
    return text + _WAIT


def _byte(kind: Kind, offset: int) -> str:
    if kind.memory == GLOBAL:
        return rf"byte {offset}\b"
    # a flat address may be named whole, with the window of LDS
    return rf"byte 0x(?:10+)?{offset:x}\b"


# -- one access by itself -------------------------------------------------------------------------


def bounds(kind: Kind, memory: str) -> Result:
    """Across the end, and far behind it."""
    body = _slots(kind, "s6") + _access(kind)
    step = kind.align
    last = (MEMORY - kind.size) // step * step
    lane = None if kind.scalar else LANE
    fault = Fault("out-of-bounds", lane, (r"\d bytes at 0x", "outside|past|reaches"))
    wrong = (last + step, MEMORY // 16 * 16 + 256, 1 << 28)
    launches = (Launch((last, 0, 0, 0)), *(Launch((x, 0, 0, 0), fault) for x in wrong))
    return Cell(TARGET, _kernel(kind, body), launches, block=WAVE, array_bytes=MEMORY)


def alignment(kind: Kind, memory: str) -> Result:
    """Every address that is not a multiple of what the kind needs."""
    if kind.scalar:
        return "the address of a scalar load is rounded down to a multiple of four (CDNA4, 8.2.1)"
    if kind.align == 1:
        return "unaligned accesses are legal (LLVM, AMDGPUUsage: unaligned-access-mode)"
    body = _slots(kind, "s6") + _access(kind)
    fault = Fault("misaligned", LANE, (rf"multiple of {kind.align} bytes",))
    step = kind.align
    launches = [Launch((16 * LANE + k, 0, 0, 0), fault) for k in (1, step // 2, step - 1)]
    return Cell(
        TARGET,
        _kernel(kind, body),
        (Launch((16 * LANE, 0, 0, 0)), *launches),
        block=WAVE,
        array_bytes=MEMORY,
    )


def read_only(kind: Kind, memory: str) -> Result:
    """Stores to the kernel's arguments."""
    if not kind.writes:
        return "it stores nothing"
    if memory != GLOBAL:
        return "no LDS or scratch memory is read-only"
    chosen = "s_cmp_eq_u32 s8, 1\ns_cselect_b64 s[4:5], s[0:1], s[4:5]\n"
    body = f"s_mov_b64 exec, {1 << LANE}\ns_nop 4\n{_slots(kind, '0')}{_access(kind)}"
    fault = Fault("read-only", None if kind.scalar else LANE, ("read-only",))
    launches = (Launch((0, 0, 0, 0)), Launch((0, 1, 0, 0), fault))
    return Cell(TARGET, _kernel(kind, body, chosen), launches, block=WAVE, array_bytes=MEMORY)


def ended(kind: Kind, memory: str) -> Result:
    """Nothing of one workgroup outlives it in reach of another."""
    return "gfx950 has no clusters: no wave reaches the LDS of another workgroup"


# -- undefined bytes, and where they come from ----------------------------------------------------


def _decide(kind: Kind) -> str:
    """A branch on all that was loaded."""
    if kind.scalar:
        joined = "".join(f"s_or_b32 s20, s20, s{20 + i}\n" for i in range(1, kind.result))
        return f"{joined}s_cmp_eq_u32 s20, 77\ns_cbranch_scc1 END ; hazard\n"
    back, count = "", kind.result
    if kind.dma:
        count = -(-kind.size // 4)
        back = (
            f"v_mov_b32 v36, {DMA}\n"
            + "".join(f"ds_read_b32 v{20 + i}, v36 offset:{4 * i}\n" for i in range(count))
            + _WAIT
        )
    joined = "".join(f"v_or_b32 v20, v20, v{20 + i}\n" for i in range(1, count))
    return f"{back}{joined}v_cmp_eq_u32 vcc, 77, v20\ns_nop 4\ns_cbranch_vccnz END ; hazard\n"


def undefined(kind: Kind, memory: str) -> Result:
    """One byte of what is loaded was never written; the value decides a branch."""
    if not kind.reads:
        return "it loads nothing"
    body = _fill(kind, "s8") + _slots(kind, str(STRIDE * LANE)) + _access(kind, "origin")
    launches = []
    for hole in range(kind.size):
        origin = ["line {origin}", _byte(kind, STRIDE * LANE + hole)]
        if not (kind.scalar or kind.stride):
            origin.append(f"when lane {LANE} of wave 0")
        fault = Fault("undefined", None, ("decide the branch", *origin))
        launches.append(Launch((0, hole, 0, 0), fault))
    text = _kernel(kind, body + _decide(kind))
    return Cell(
        TARGET,
        text,
        (Launch((0, 1000, 0, 0)), *launches),
        block=WAVE,
        defined=False,
        array_bytes=MEMORY,
    )


def origin_kept(kind: Kind, memory: str) -> Result:
    """An undefined value is stored, read back and decides: its origin is where it came from."""
    if not kind.writes:
        return "it stores nothing"
    spread = "".join(f"v_mov_b32 v{register}, v10\n" for register in (11, 12, 13, 16))
    load = _plain_load(memory, 2, "v10", "v31")
    if kind.dma:
        # what is loaded into LDS comes from global memory at v14
        load, spread = "s_nop 0", f"v_mov_b32 v14, {NEVER + 4 * LANE}\n"
    narrow = {1: 0, 2: 1}.get(kind.size, 2)
    when = "s_cmp_eq_u32 s6, 1\ns_cbranch_scc0 DEFINED\n"
    body = f"""{_fill(kind)}v_lshlrev_b32 v31, 2, v1
v_add_u32 v31, {NEVER}, v31
v_mov_b32 v10, 0
{when}s_mov_b64 exec, {1 << LANE}
s_nop 4
{load}{"" if kind.dma else " ; origin"}
{_WAIT}s_mov_b64 exec, -1
{spread if kind.dma else ""}DEFINED:
{"" if kind.dma else spread}{_slots(kind, str(STRIDE * LANE))}\
{_access(kind, "origin" if kind.dma else "stored")}\
s_mov_b64 exec, -1
v_lshlrev_b32 v3, 4, v1
{_plain_load(memory, narrow, "v20", "v3")}
{_WAIT}v_cmp_eq_u32 vcc, 77, v20
s_nop 4
s_cbranch_vccnz END ; hazard
"""
    named = rf"byte {NEVER + 4 * LANE}\b" if kind.dma else _byte(kind, NEVER + 4 * LANE)
    origin = ("line {origin}", named, f"when lane {LANE} of wave 0")
    fault = Fault("undefined", None, ("decide the branch", *origin))
    if kind.dma:
        body = f"v_mov_b32 v14, {STRIDE * LANE}\n{_global_fill()}{body}"
    launches = (Launch((0, 0, 0, 0)), Launch((1, 0, 0, 0), fault))
    return Cell(
        TARGET, _kernel(kind, body), launches, block=WAVE, defined=False, array_bytes=MEMORY
    )


def _global_fill() -> str:
    """Something in every lane's slot of the array that LDS does not hold."""
    return f"""v_lshlrev_b32 v31, 4, v1
global_store_dwordx4 v31, v[10:13], s[4:5]
{_WAIT}"""


# -- order ----------------------------------------------------------------------------------------

_BYTES = (1, 2, 4, 8, 16)


def _others(memory: str) -> str:
    """Plain accesses of 1 to 16 bytes at v35, of which s8 picks one: loads, then stores."""
    lines = "".join(f"v_not_b32 v{r}, v{r}\n" for r in range(10, 14))
    for number in range(10):
        width = number % 5
        count = max(_BYTES[width] // 4, 1)
        data = 40 if number < 5 else 10
        register = f"v{data}" if count == 1 else f"v[{data}:{data + count - 1}]"
        make = _plain_load if number < 5 else _plain_store
        lines += f"s_cmp_lg_u32 s8, {number}\ns_cbranch_scc1 SKIP{number}\n"
        lines += f"{make(memory, width, register, 'v35')} ; hazard\nSKIP{number}:\n"
    return lines + _WAIT


def _touches(kind: Kind, at: int, byte: int) -> bool:
    """Whether the access touches a byte of the memory."""
    lanes = WAVE if kind.stride else 1
    offset = byte - at
    return 0 <= offset < lanes * (kind.stride or kind.size) and (
        not kind.stride or offset % kind.stride < kind.size
    )


def _pairs(kind: Kind, at: int) -> Iterator[Launch]:
    fault = Fault("order", None, ("wave [01]", "without being ordered|not ordered"))
    end = at + (kind.stride * WAVE if kind.stride else kind.size)
    for number in range(10):
        width, stores = _BYTES[number % 5], number >= 5
        places = list(range(max(at - width, 0) // width * width, end + width, width))
        if len(places) > 20:
            places = [*places[:3], *range(at, at + 17, width), *places[-3:]]
        for place in places:
            meets = any(_touches(kind, at, byte) for byte in range(place, place + width))
            races = meets and (stores or kind.writes)
            roles = (0, 1) if width == 1 and not kind.stride else (place // width % 2,)
            for role in roles:
                yield Launch((role, number, place, 0), fault if races else None)
            if races and place == at // width * width:
                yield Launch((roles[0], number, place, 1))


def order(kind: Kind, memory: str) -> Result:
    """Another wave accesses 1 to 16 bytes that overlap, or lie beside, without a barrier."""
    if memory == SCRATCH:
        return "scratch memory belongs to one lane"
    at = 16
    body = f"""{_fill(kind)}{_global_fill() if kind.dma == "destination" else ""}{_WAIT}s_barrier
v_readfirstlane_b32 s14, v2
s_mov_b32 s15, s12
s_and_b32 s16, s15, s14
s_cmp_eq_u32 s16, 0
s_cbranch_scc1 MET
s_barrier
MET:
v_mov_b32 v35, s10
v_mul_u32_u24 v3, {kind.stride or 16}, v1
v_add_u32 v3, {at}, v3
s_mov_b32 s30, {at}
{"" if kind.stride else "s_mov_b64 exec, 1"}
s_cmp_eq_u32 s14, s6
s_cbranch_scc0 OTHER
{_access(kind)}s_branch DONE
OTHER:
s_mov_b64 exec, 1
s_nop 4
{_others(memory)}DONE:
s_xor_b32 s16, s14, 1
s_and_b32 s16, s15, s16
s_cmp_eq_u32 s16, 0
s_cbranch_scc1 END
s_barrier
"""
    return Cell(
        TARGET,
        _kernel(kind, body),
        tuple(_pairs(kind, at)),
        block=2 * WAVE,
        defined=False,
        array_bytes=MEMORY,
        strict=True,
    )


def unfinished(kind: Kind, memory: str) -> Result:
    """The wave accesses 1 to 16 bytes that overlap, or lie beside, those that it still copies."""
    if kind.dma != "destination":
        return "only a load into LDS writes memory after the wave has gone on"
    at = 16
    body = f"""{_fill(kind)}{_global_fill()}v_mov_b32 v35, s10
v_mov_b32 v3, {at}
s_mov_b64 exec, 1
s_nop 4
{_access(kind, "origin").removesuffix(_WAIT)}s_cmp_eq_u32 s12, 0
s_cbranch_scc1 GO
s_waitcnt vmcnt(0)
GO:
s_waitcnt lgkmcnt(0)
{_others(memory)}"""
    fault = Fault("pending", 0, ("has it pending", "line {origin}", "a wait for vmcnt is missing"))
    launches = []
    for number in range(10):
        width = _BYTES[number % 5]
        for place in range(max(at - width, 0) // width * width, at + kind.size + width, width):
            meets = place < at + kind.size and at < place + width
            launches += [
                Launch((0, number, place, 0), fault if meets else None),
                Launch((0, number, place, 1)),
            ]
    return Cell(
        TARGET, _kernel(kind, body), tuple(launches), block=WAVE, defined=False, array_bytes=MEMORY
    )


def scope(kind: Kind, memory: str) -> Result:
    """Atomics reach all of the agent; fences make scopes (tests/emulator/amdgcn/test_groups.py)."""
    return "an access of gfx950 has no scope of its own: fences around it make one (AMDGPUUsage)"


HAZARDS: dict[str, Hazard] = {
    "bounds": bounds, "alignment": alignment, "read-only": read_only, "ended CTA": ended,
    "undefined": undefined, "origin kept": origin_kept, "order": order,
    "unfinished": unfinished, "scope": scope,
}  # fmt: skip
