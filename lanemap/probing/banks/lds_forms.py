"""The accesses of gfx950's LDS whose bank conflicts are probed, and the kernel that repeats them.

As for shared memory (`forms`): all waves of a workgroup repeat one access at the same addresses, n
and 2n times, so that LDS is the bottleneck and everything else cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.probing.banks.forms import COPIES, MEMORY_BYTES, Access
from lanemap.toolchain.amdgcn_kernel import WAVE_LANES, Kernel, file

_THREADS = 1024
#: Registers: addresses of the copies, data of stores, then those of loads.
_ADDRESS, _DATA, _LOADED = 4, 12, 16
_WORDS = 4


@dataclass(frozen=True)
class LdsAccess(Access):
    """One form of access of LDS."""

    def instruction(self, address: str) -> str:
        """The access of copy n at the address "an"."""
        copy = int(address.removeprefix("a"))
        first = _LOADED + _WORDS * copy if self.direction == "load" else _DATA
        words = self.registers
        data = f"v{first}" if words == 1 else f"v[{first}:{first + words - 1}]"
        place = f"v{_ADDRESS + copy}"
        operands = (data, place) if self.direction == "load" else (place, data)
        return f"{self.name} {', '.join(operands)}"


def _accesses() -> tuple[LdsAccess, ...]:
    plain = [
        LdsAccess(
            f"ds_{verb}_{suffix}", direction, size, -(-size // 4), WAVE_LANES, False, WAVE_LANES
        )
        for verb, direction, kinds in (
            ("read", "load", {"u8": 1, "u16": 2, "b32": 4, "b64": 8, "b128": 16}),
            ("write", "store", {"b8": 1, "b16": 2, "b32": 4, "b64": 8, "b128": 16}),
        )
        for suffix, size in kinds.items()
    ]
    # The ISA wants EXEC to be all ones.
    transposing = [
        LdsAccess(f"ds_read_b64_tr_b{bits}", "load", 8, 2, WAVE_LANES, True, WAVE_LANES)
        for bits in (16, 8, 4)
    ]
    return (*plain, *transposing)


LDS_ACCESSES = {access.name: access for access in _accesses()}
_TEXT = """
    s_load_dwordx4 s[4:7], s[0:1], 0x0          // offsets, cycles
    s_load_dwordx4 s[8:11], s[0:1], 0x10        // inputs, trips, rounds, 0
    v_and_b32_e32 v0, 0x3ff, v0                 // thread
    v_and_b32_e32 v1, 63, v0
    v_lshlrev_b32_e32 v2, 2, v1                 // lane * 4
    v_readfirstlane_b32 s12, v0                 // first thread of the wave
    v_mov_b32_e32 v12, 0
    v_mov_b32_e32 v13, 0
    v_mov_b32_e32 v14, 0
    v_mov_b32_e32 v15, 0
    s_waitcnt lgkmcnt(0)
    s_mul_i32 s13, s2, s8
    s_mul_i32 s13, s13, s10
    s_lshl_b32 s13, s13, 3
    s_add_u32 s6, s6, s13                       // cycles of [workgroup][input][round]
    s_addc_u32 s7, s7, 0
    s_cmp_lg_u32 s12, 0
    s_cbranch_scc1 .L{entry}_filled
    v_lshlrev_b32_e32 v3, 4, v1
    s_mov_b32 s13, {vectors}
.L{entry}_fill:
    ds_write_b128 v3, v[12:15]
    v_add_u32_e32 v3, {step}, v3
    s_sub_u32 s13, s13, 1
    s_cmp_lg_u32 s13, 0
    s_cbranch_scc1 .L{entry}_fill
    s_waitcnt lgkmcnt(0)
.L{entry}_filled:
    s_mov_b32 s13, 0                            // input
.L{entry}_input:
    global_load_dword v3, v2, s[4:5]
    s_mov_b32 s14, 0                            // round
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32_e64 s[20:21], -1, v3           // lanes that are not inactive
{addresses}
.L{entry}_round:
    s_lshl_b32 s15, s9, s14
    s_barrier
    s_memtime s[16:17]
    s_waitcnt lgkmcnt(0)
{narrow}.L{entry}_again:
{accesses}
    s_sub_u32 s15, s15, 1
    s_waitcnt lgkmcnt(0)
    s_cmp_lg_u32 s15, 0
    s_cbranch_scc1 .L{entry}_again
    s_mov_b64 exec, -1
    s_barrier
    s_memtime s[18:19]
    s_waitcnt lgkmcnt(0)
    s_sub_u32 s18, s18, s16
    s_subb_u32 s19, s19, s17
    s_cmp_lg_u32 s12, 0
    s_cbranch_scc1 .L{entry}_stored
    v_mov_b32_e32 v48, s18
    v_mov_b32_e32 v49, s19
    s_mov_b64 exec, 1
    global_store_dwordx2 v12, v[48:49], s[6:7]
    s_mov_b64 exec, -1
    s_waitcnt vmcnt(0)
.L{entry}_stored:
    s_add_u32 s6, s6, 8
    s_addc_u32 s7, s7, 0
    s_add_u32 s14, s14, 1
    s_cmp_lt_u32 s14, s10
    s_cbranch_scc1 .L{entry}_round
    s_add_u32 s4, s4, 256
    s_addc_u32 s5, s5, 0
    s_add_u32 s13, s13, 1
    s_cmp_lt_u32 s13, s8
    s_cbranch_scc1 .L{entry}_input
    s_endpgm
"""


def kernel(access: LdsAccess) -> tuple[Kernel, str]:
    """The kernel that times one access for a list of inputs, and its instructions."""
    copies = range(COPIES)
    step = 16 * WAVE_LANES
    body = _TEXT.format(
        entry=access.entry,
        vectors=MEMORY_BYTES // step,
        step=step,
        addresses="\n".join(f"    v_mov_b32_e32 v{_ADDRESS + i}, v3" for i in copies),
        narrow="" if access.aligned else "    s_mov_b64 exec, s[20:21]\n",
        accesses="\n".join(f"    {access.instruction(f'a{i}')}" for i in copies),
    )
    made = Kernel(
        access.entry,
        ("offsets", "cycles"),
        ("inputs", "trips", "rounds", "zero"),
        MEMORY_BYTES,
        50,
        22,
        _THREADS,
    )
    return made, body


def source() -> str:
    """The text of all kernels."""
    return file([kernel(access) for access in LDS_ACCESSES.values()])
