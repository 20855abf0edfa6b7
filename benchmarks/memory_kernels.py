"""Assembly texts for benchmarks/memory.py: accesses of one wave, copies, a transpose.

Every text has the kernel `k`. An access loop repeats its body, `repetitions` accesses in groups of
four, `iterations` times; two loops that differ in `repetitions` alone differ in nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Accesses that share one address computation, and on AMD one wait.
GROUP = 4
SHARED_BYTES = 64 << 10
WORKING_SET_BYTES = 4 << 20
SCATTER_BYTES = 128 << 10
LANES = {"sm_90a": 32, "gfx950": 64}
#: Numerical Recipes' linear congruential generator: the scattered accesses' indices.
MULTIPLIER, INCREMENT = 1664525, 1013904223


@dataclass(frozen=True)
class Access:
    """A coalesced access: `load` or `store`, `global` or `shared`, bytes a lane (4 or 16)."""

    target: str
    kind: str
    space: str
    width: int

    @property
    def lanes(self) -> int:
        """Lanes of a wave."""
        return LANES[self.target]

    @property
    def step(self) -> int:
        """Bytes of one access."""
        return self.lanes * self.width

    @property
    def set_bytes(self) -> int:
        """The working set."""
        return WORKING_SET_BYTES if self.space == "global" else SHARED_BYTES

    def text(self, repetitions: int) -> str:
        """The kernel: k(data, out, iterations)."""
        return (_ptx_access if self.target == "sm_90a" else _amd_access)(self, repetitions)


def _ptx(parameters: str, body: str, before: str = "") -> str:
    return f"""\
.version 8.5
.target sm_90a
.address_size 64
{before}.visible .entry k({parameters})
{{
    .reg .b32 %r<20>, %off, %n, %i, %x, %t, %sum, %base;
    .reg .b64 %rd<12>, %data, %out, %a;
    .reg .pred %p;
{body}    ret;
}}
"""


_PTX_POINTERS = ".param .u64 data, .param .u64 out, .param .u32 iterations"
_PTX_HEAD = """\
    ld.param.u64 %data, [data];
    ld.param.u64 %out, [out];
    ld.param.u32 %n, [iterations];
    cvta.to.global.u64 %data, %data;
    cvta.to.global.u64 %out, %out;
    mov.u32 %t, %tid.x;
    mov.u32 %x, %t;
    mov.u32 %sum, 0;
"""
_PTX_NEXT = """\
    sub.s32 %n, %n, 1;
    setp.gt.s32 %p, %n, 0;
    @%p bra AGAIN;
"""
_PTX_OUT = """\
    mul.wide.u32 %rd1, %t, 4;
    add.u64 %rd1, %out, %rd1;
    st.global.u32 [%rd1], %sum;
"""
# Shared memory is filled with thread + row before the loop and summed up after it.
_PTX_EACH_WORD = """\
    mov.u32 %base, room;
    shl.b32 %r1, %t, 2;
    add.u32 %base, %base, %r1;
    mov.u32 %i, 0;
{name}:
{body}    add.u32 %base, %base, 128;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, {rows};
    @%p bra {name};
    bar.sync 0;
"""


def _ptx_access(access: Access, repetitions: int) -> str:
    shared = access.space == "shared"
    room = ".extern .shared .align 16 .b8 room[];\n" if shared else ""
    rows = SHARED_BYTES // 128
    fill = "    add.u32 %r1, %t, %i;\n    st.shared.u32 [%base], %r1;\n"
    total = "    ld.shared.u32 %r1, [%base];\n    add.u32 %sum, %sum, %r1;\n"
    before = _PTX_EACH_WORD.format(name="FILL", body=fill, rows=rows) if shared else ""
    after = _PTX_EACH_WORD.format(name="TOTAL", body=total, rows=rows) if shared else ""
    start = f"    mul.lo.u32 %off, %t, {access.width};\n"
    address = "    cvt.u64.u32 %rd2, %off;\n    add.u64 %a, %data, %rd2;\n"
    if shared:
        start += "    mov.u32 %base, room;\n"
        address = "    add.u32 %r12, %base, %off;\n"
    body = ""
    for _ in range(repetitions // GROUP):
        body += address
        for i in range(GROUP):
            place = f"[{'%r12' if shared else '%a'}+{i * access.step}]"
            body += _ptx_one(access, place, i)
        body += "    add.u32 %x, %x, 1;\n" if access.kind == "store" else ""
        body += f"    add.u32 %off, %off, {GROUP * access.step};\n"
        body += f"    and.b32 %off, %off, {access.set_bytes - 1};\n"
    end = "    bar.sync 0;\n" + after if access.kind == "store" else ""
    text = f"{_PTX_HEAD}{before}{start}AGAIN:\n{body}{_PTX_NEXT}{end}{_PTX_OUT}"
    return _ptx(_PTX_POINTERS, text, room)


def _ptx_one(access: Access, place: str, i: int) -> str:
    wide = access.width == 16
    if access.kind == "store":
        value = "{%x, %t, %x, %t}" if wide else "%x"
        return f"    st.{access.space}.{'v4.' if wide else ''}u32 {place}, {value};\n"
    if wide:
        load = f"    ld.{access.space}.v4.u32 {{%r2, %r3, %r4, %r5}}, {place};\n"
        return load + f"    add.u32 %sum, %sum, %r{2 + i};\n"
    return f"    ld.{access.space}.u32 %r2, {place};\n    add.u32 %sum, %sum, %r2;\n"


def _amd(
    body: str, lds_bytes: int = 0, threads: int = 64, words: tuple[str, ...] = ("iterations",)
) -> str:
    from gfx950_text import Kernel

    return Kernel("k", ("data", "out"), words, lds_bytes, 40, 24, threads).text(body)


_AMD_HEAD = """\
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dword s8, s[0:1], 0x10
    v_mov_b32_e32 v5, v0
    v_mov_b32_e32 v6, v0
    v_mov_b32_e32 v7, v0
    v_mov_b32_e32 v8, v0
    v_mov_b32_e32 v9, v0
    v_mov_b32_e32 v3, 0
    s_waitcnt lgkmcnt(0)
"""
_AMD_NEXT = """\
    s_sub_i32 s8, s8, 1
    s_cmp_gt_i32 s8, 0
    s_cbranch_scc1 .Lagain
"""
_AMD_OUT = """\
    v_lshlrev_b32_e32 v1, 2, v0
    global_store_dword v1, v3, s[6:7]
    s_endpgm
"""
_AMD_EACH_WORD = """\
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 s9, 0
.L{name}:
{body}    v_add_u32_e32 v1, 0x100, v1
    s_add_i32 s9, s9, 1
    s_cmp_lt_i32 s9, {rows}
    s_cbranch_scc1 .L{name}
    s_waitcnt lgkmcnt(0)
    s_barrier
"""
_AMD_FILL = """\
    v_add_u32_e32 v4, s9, v0
    ds_write_b32 v1, v4
    s_waitcnt lgkmcnt(0)
"""
_AMD_TOTAL = """\
    ds_read_b32 v4, v1
    s_waitcnt lgkmcnt(0)
    v_add_u32_e32 v3, v3, v4
"""


def _amd_access(access: Access, repetitions: int) -> str:
    shared = access.space == "shared"
    rows = SHARED_BYTES // 256
    before = _AMD_EACH_WORD.format(name="fill", body=_AMD_FILL, rows=rows) if shared else ""
    after = _AMD_EACH_WORD.format(name="total", body=_AMD_TOTAL, rows=rows) if shared else ""
    wait = "    s_waitcnt lgkmcnt(0)\n" if shared else "    s_waitcnt vmcnt(0)\n"
    body = ""
    for _ in range(repetitions // GROUP):
        body += "".join(_amd_one(access, i) for i in range(GROUP)) + wait
        body += f"    v_add_u32_e32 v2, {GROUP * access.step:#x}, v2\n"
        body += f"    v_and_b32_e32 v2, {access.set_bytes - 1:#x}, v2\n"
        if access.kind == "store":
            # Two wait states lie between a wide store and a change of its data (ISA, table 11).
            body += "    v_add_u32_e32 v6, 1, v6\n"
            body += "    v_add_u32_e32 v8, 1, v8\n" if access.width == 16 else ""
        else:
            registers = [12 + (5 * i if access.width == 16 else i) for i in range(GROUP)]
            body += "".join(f"    v_add_u32_e32 v3, v3, v{r}\n" for r in registers)
    start = f"    v_mul_u32_u24_e32 v2, {access.width}, v0\n"
    end = "    s_barrier\n" + after if access.kind == "store" else ""
    text = f"{_AMD_HEAD}{before}{start}.Lagain:\n{body}{_AMD_NEXT}{end}{_AMD_OUT}"
    return _amd(text, SHARED_BYTES if shared else 0)


def _amd_one(access: Access, i: int) -> str:
    wide, shared = access.width == 16, access.space == "shared"
    count = 4 if wide else 1
    first = 6 if access.kind == "store" else 12 + count * i
    registers = f"v[{first}:{first + 3}]" if wide else f"v{first}"
    name = {"load": "read", "store": "write"}[access.kind]
    size = ("b128" if wide else "b32") if shared else ("dwordx4" if wide else "dword")
    offset = f" offset:{i * access.step}" if i else ""
    if shared and access.kind == "load":
        return f"    ds_{name}_{size} {registers}, v2{offset}\n"
    if shared:
        return f"    ds_{name}_{size} v2, {registers}{offset}\n"
    if access.kind == "load":
        return f"    global_load_{size} {registers}, v2, s[4:5]{offset}\n"
    return f"    global_store_{size} v2, {registers}, s[4:5]{offset}\n"


def scattered(target: str, kind: str, repetitions: int) -> str:
    """k(data, out, iterations): a lane's accesses are random words of its own part of 128 KB."""
    words = SCATTER_BYTES // 4 // LANES[target]
    shift = 32 - (words.bit_length() - 1)
    if target == "sm_90a":
        access = "    st.global.u32 [%a], %x;\n"
        if kind == "load":
            access = "    ld.global.u32 %r2, [%a];\n    add.u32 %sum, %sum, %r2;\n"
        body = (
            f"""\
    mad.lo.u32 %x, %x, {MULTIPLIER}, {INCREMENT};
    shr.u32 %r1, %x, {shift};
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %a, %rd3, %rd2;
{access}"""
            * repetitions
        )
        start = f"    mul.wide.u32 %rd3, %t, {4 * words};\n    add.u64 %rd3, %data, %rd3;\n"
        return _ptx(_PTX_POINTERS, f"{_PTX_HEAD}{start}AGAIN:\n{body}{_PTX_NEXT}{_PTX_OUT}")
    body = ""
    for _ in range(repetitions // GROUP):
        for i in range(GROUP):
            # Each store keeps its value and address until the wait: registers of its own.
            value, address = 20 + i, 24 + i
            body += f"""\
    v_mul_lo_u32 v5, v5, s10
    v_add_u32_e32 v5, s11, v5
    v_lshrrev_b32_e32 v4, {shift}, v5
    v_lshl_add_u32 v{address}, v4, 2, v2
"""
            if kind == "load":
                body += f"    global_load_dword v{value}, v{address}, s[4:5]\n"
            else:
                body += f"    v_mov_b32_e32 v{value}, v5\n"
                body += f"    global_store_dword v{address}, v{value}, s[4:5]\n"
        body += "    s_waitcnt vmcnt(0)\n"
        if kind == "load":
            body += "".join(f"    v_add_u32_e32 v3, v3, v{20 + i}\n" for i in range(GROUP))
    start = f"""\
    v_lshlrev_b32_e32 v2, {(4 * words).bit_length() - 1}, v0
    s_mov_b32 s10, {MULTIPLIER:#x}
    s_mov_b32 s11, {INCREMENT:#x}
"""
    return _amd(f"{_AMD_HEAD}{start}.Lagain:\n{body}{_AMD_NEXT}{_AMD_OUT}")


def gathered(repetitions: int) -> str:
    """k(data, out, iterations): every thread loads random words of the whole 4 MB."""
    body = (
        f"""\
    mad.lo.u32 %x, %x, {MULTIPLIER}, {INCREMENT};
    shr.u32 %r1, %x, {32 - (WORKING_SET_BYTES // 4).bit_length() + 1};
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %a, %data, %rd2;
    ld.global.u32 %r2, [%a];
    add.u32 %sum, %sum, %r2;
"""
        * repetitions
    )
    start = """\
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mad.lo.u32 %t, %r1, %r2, %t;
    mov.u32 %x, %t;
"""
    return _ptx(_PTX_POINTERS, f"{_PTX_HEAD}{start}AGAIN:\n{body}{_PTX_NEXT}{_PTX_OUT}")


#: A thread begins at its number in the grid, and goes on by the size of the grid.
_PTX_STRIDE = """\
    ld.param.u64 %data, [data];
    ld.param.u64 %out, [out];
    ld.param.u32 %n, [count];
    cvta.to.global.u64 %data, %data;
    cvta.to.global.u64 %out, %out;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %i, %r1, %r2, %r3;
    mov.u32 %r4, %nctaid.x;
    mul.lo.u32 %r5, %r4, %r2;
    setp.ge.u32 %p, %i, %n;
    @%p bra DONE;
AGAIN:
"""
PTX_COPY = _ptx(
    ".param .u64 data, .param .u64 out, .param .u32 count",
    _PTX_STRIDE
    + """\
    mul.wide.u32 %rd1, %i, 16;
    add.u64 %rd2, %data, %rd1;
    ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd2];
    add.u64 %rd3, %out, %rd1;
    st.global.v4.u32 [%rd3], {%r6, %r7, %r8, %r9};
    add.u32 %i, %i, %r5;
    setp.lt.u32 %p, %i, %n;
    @%p bra AGAIN;
DONE:
""",
)

#: Counts words by their upper 12 bits.
PTX_HISTOGRAM = _ptx(
    ".param .u64 data, .param .u64 out, .param .u32 count",
    _PTX_STRIDE
    + """\
    mul.wide.u32 %rd1, %i, 4;
    add.u64 %rd2, %data, %rd1;
    ld.global.u32 %r6, [%rd2];
    shr.u32 %r6, %r6, 20;
    mul.wide.u32 %rd3, %r6, 4;
    add.u64 %rd3, %out, %rd3;
    red.global.add.u32 [%rd3], 1;
    add.u32 %i, %i, %r5;
    setp.lt.u32 %p, %i, %n;
    @%p bra AGAIN;
DONE:
""",
)

PTX_TRANSPOSE = _ptx(
    ".param .u64 data, .param .u64 out, .param .u32 size",
    """\
    ld.param.u64 %data, [data];
    ld.param.u64 %out, [out];
    ld.param.u32 %n, [size];
    cvta.to.global.u64 %data, %data;
    cvta.to.global.u64 %out, %out;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ctaid.y;
    shl.b32 %r3, %r3, 5;
    shl.b32 %r4, %r4, 5;
    add.u32 %r5, %r4, %r2;
    add.u32 %r6, %r3, %r1;
    mad.lo.u32 %r7, %r5, %n, %r6;
    add.u32 %r5, %r3, %r2;
    add.u32 %r6, %r4, %r1;
    mad.lo.u32 %r8, %r5, %n, %r6;
    shl.b32 %r9, %n, 3;
    mov.u32 %base, tile;
    mad.lo.u32 %r10, %r2, 33, %r1;
    shl.b32 %r10, %r10, 2;
    add.u32 %r10, %base, %r10;
    mad.lo.u32 %r11, %r1, 33, %r2;
    shl.b32 %r11, %r11, 2;
    add.u32 %r11, %base, %r11;
"""
    + "".join(
        f"""\
    mul.wide.u32 %rd1, %r7, 4;
    add.u64 %rd1, %data, %rd1;
    ld.global.u32 %r12, [%rd1];
    st.shared.u32 [%r10+{8 * 33 * 4 * i}], %r12;
    add.u32 %r7, %r7, %r9;
"""
        for i in range(4)
    )
    + "    bar.sync 0;\n"
    + "".join(
        f"""\
    ld.shared.u32 %r12, [%r11+{8 * 4 * i}];
    mul.wide.u32 %rd1, %r8, 4;
    add.u64 %rd1, %out, %rd1;
    st.global.u32 [%rd1], %r12;
    add.u32 %r8, %r8, %r9;
"""
        for i in range(4)
    ),
    ".shared .align 4 .b8 tile[4224];\n",
)

PTX_EMPTY = _ptx("", "", ".extern .shared .align 16 .b8 room[];\n")

#: k(data, out, iterations): every thread writes one word of its own, from integer arithmetic.
PTX_ARITHMETIC = _ptx(
    _PTX_POINTERS,
    _PTX_HEAD
    + """\
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mad.lo.u32 %t, %r1, %r2, %t;
    mov.u32 %sum, %t;
AGAIN:
"""
    + f"    mad.lo.u32 %sum, %sum, {MULTIPLIER}, {INCREMENT};\n" * 16
    + _PTX_NEXT
    + _PTX_OUT,
)


def amd_copy() -> str:
    """k(data, out, count, stride): as PTX_COPY, the threads of all workgroups given as `stride`."""
    return _amd(
        """\
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dwordx2 s[8:9], s[0:1], 0x10
    s_lshl_b32 s10, s2, 8
    v_add_u32_e32 v1, s10, v0
    s_waitcnt lgkmcnt(0)
    v_cmp_gt_u32_e32 vcc, s8, v1
    s_and_b64 exec, exec, vcc
    s_cbranch_execz .Ldone
.Lagain:
    v_lshlrev_b32_e32 v2, 4, v1
    global_load_dwordx4 v[4:7], v2, s[4:5]
    s_waitcnt vmcnt(0)
    global_store_dwordx4 v2, v[4:7], s[6:7]
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v1, s9, v1
    v_cmp_gt_u32_e32 vcc, s8, v1
    s_and_b64 exec, exec, vcc
    s_cbranch_execnz .Lagain
.Ldone:
    s_endpgm
""",
        threads=256,
        words=("count", "stride"),
    )
