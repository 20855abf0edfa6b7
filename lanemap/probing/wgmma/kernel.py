"""The PTX around one `wgmma.mma_async`: a warpgroup, its operands, and D.

A CTA of 128 threads runs one case. It copies the case's image into shared memory, hands it to the
async proxy, loads C (and A, where that lies in registers), multiplies once, and stores D.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HEAD = ".version 8.4\n.target sm_90a\n.address_size 64\n"
THREADS, ROWS = 128, 64
#: K is so many bits of a row of A.
STEP_BITS = 256
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1": 1}
A_REGISTERS, GIVEN_REGISTERS = 4, 5


@dataclass(frozen=True)
class Form:
    """One exact instruction.

    Attributes:
        n: Columns of D.
        d: Type of D: f32, f16 or s32.
        a: Type of A.
        b: Type of B.
        registers: A lies in registers.
        a_mn: A is M-major.
        b_mn: B is N-major.
        scale_a: 1, or -1 to negate A.
        scale_b: The same for B.
        saturate: `.satfinite`.
        selector: For a sparse A, which threads of a quad give the metadata; None for dense.
    """

    n: int
    d: str
    a: str
    b: str
    registers: bool = False
    a_mn: bool = False
    b_mn: bool = False
    scale_a: int = 1
    scale_b: int = 1
    saturate: bool = False
    selector: int | None = None

    @property
    def depth(self) -> int:
        """K."""
        return STEP_BITS // BITS[self.a] * (1 if self.selector is None else 2)

    @property
    def instruction(self) -> str:
        """The instruction's name with its types."""
        saturate = ".satfinite" if self.saturate else ""
        sparse = "" if self.selector is None else ".sp"
        popc = ".and.popc" if self.a == "b1" else ""
        return (
            f"wgmma.mma_async{sparse}.sync.aligned.m{ROWS}n{self.n}k{self.depth}{saturate}"
            f".{self.d}.{self.a}.{self.b}{popc}"
        )

    @property
    def d_registers(self) -> int:
        """Registers of D in each thread."""
        return self.n // (4 if self.d == "f16" else 2)

    @property
    def name(self) -> str:
        """The kernel of the form."""
        flags = (
            ("rs", self.registers), ("am", self.a_mn), ("bn", self.b_mn),
            ("na", self.scale_a < 0), ("nb", self.scale_b < 0), ("s1", self.selector == 1),
        )  # fmt: skip
        chosen = "".join(f"_{flag}" for flag, on in flags if on)
        return re.sub(r"\W+", "_", self.instruction.removeprefix("wgmma.mma_async.")) + chosen

    @property
    def immediates(self) -> str:
        """The operands after scale-d."""
        found = []
        if self.d != "s32":
            found += [self.scale_a, self.scale_b]
        if BITS[self.a] == 16:
            found += [int(self.b_mn)] if self.registers else [int(self.a_mn), int(self.b_mn)]
        return "".join(f", {value}" for value in found)


def _fill(form: Form, declared: str) -> str:
    """The beginning: parameters, registers, and the image copied into shared memory."""
    return f"""
.visible .entry {form.name}(
    .param .u64 images, .param .u64 descriptors, .param .u64 a_at, .param .u64 c_at,
    .param .u64 d_at, .param .u32 bytes, .param .u32 count, .param .u32 scale
)
.reqntid {THREADS}
{{
    .reg .b64 %image, %from, %c, %d, %da, %db, %wide;
    .reg .b32 %thread, %case, %bytes, %at, %to, %scale, %w<4>, %a<{GIVEN_REGISTERS}>;
    {declared}
    .reg .pred %more, %adds;
    mov.u32 %thread, %tid.x;
    mov.u32 %case, %ctaid.x;
    ld.param.u32 %bytes, [bytes];
    ld.param.u32 %scale, [scale];
    setp.ne.u32 %adds, %scale, 0;
    ld.param.u64 %image, [images];
    cvta.to.global.u64 %image, %image;
    ld.param.u32 %at, [count];
    rem.u32 %at, %case, %at;
    mul.wide.u32 %wide, %at, %bytes;
    add.u64 %image, %image, %wide;
    mul.lo.u32 %at, %thread, 16;
filling:
    cvt.u64.u32 %wide, %at;
    add.u64 %from, %image, %wide;
    ld.global.v4.b32 {{%w0, %w1, %w2, %w3}}, [%from];
    mov.u32 %to, operands;
    add.u32 %to, %to, %at;
    st.shared.v4.b32 [%to], {{%w0, %w1, %w2, %w3}};
    add.u32 %at, %at, {16 * THREADS};
    setp.lt.u32 %more, %at, %bytes;
    @%more bra filling;
    fence.proxy.async.shared::cta;
    bar.sync 0;
"""


def _point(count: int) -> str:
    """Put descriptors into %da and %db; addresses of the thread's C, D, A into %c, %d, %from."""
    return f"""\
    ld.param.u64 %from, [descriptors];
    cvta.to.global.u64 %from, %from;
    mul.wide.u32 %wide, %case, 16;
    add.u64 %from, %from, %wide;
    ld.global.u64 %da, [%from];
    ld.global.u64 %db, [%from+8];
    mov.u32 %to, operands;
    and.b32 %to, %to, 0x3ffff;
    shr.u32 %to, %to, 4;
    cvt.u64.u32 %wide, %to;
    add.u64 %da, %da, %wide;
    add.u64 %db, %db, %wide;
    mad.lo.u32 %at, %case, {THREADS}, %thread;
    ld.param.u64 %c, [c_at];
    cvta.to.global.u64 %c, %c;
    ld.param.u64 %d, [d_at];
    cvta.to.global.u64 %d, %d;
    mul.wide.u32 %wide, %at, {4 * count};
    add.u64 %c, %c, %wide;
    add.u64 %d, %d, %wide;
    ld.param.u64 %from, [a_at];
    cvta.to.global.u64 %from, %from;
    mul.wide.u32 %wide, %at, {4 * GIVEN_REGISTERS};
    add.u64 %from, %from, %wide;
"""


def kernel(form: Form) -> str:
    """The kernel of a form.

    Its arguments: images uint8[image, bytes], of which case c uses number c % `count`; descriptors
    uint64[case, 2] of A and B without the address of the image; A uint32[case, thread, 5], the last
    one the metadata of a sparse A; C uint32[case, thread, register]; D the same; the bytes of an
    image (a multiple of 2048); `count`; and scale-d.
    """
    count, kind = form.d_registers, "f" if form.d == "f32" else "r"
    type_ = {"f32": "f32", "f16": "b32", "s32": "b32"}[form.d]
    d = [f"%{kind}{i}" for i in range(count)]
    a = [f"%a{i}" for i in range(GIVEN_REGISTERS)]
    loads = "".join(f"    ld.global.{type_} {r}, [%c+{4 * i}];\n" for i, r in enumerate(d))
    stores = "".join(f"    st.global.{type_} [%d+{4 * i}], {r};\n" for i, r in enumerate(d))
    loads += "".join(f"    ld.global.b32 {r}, [%from+{4 * i}];\n" for i, r in enumerate(a))
    first = f"{{{', '.join(a[:A_REGISTERS])}}}" if form.registers else "%da"
    sparse = "" if form.selector is None else f", {a[-1]}, {form.selector}"
    declared = f".reg .{type_} %{kind}<{count}>;"
    return f"""{_fill(form, declared)}{_point(count)}\
{loads}    wgmma.fence.sync.aligned;
    {form.instruction} {{{", ".join(d)}}}, {first}, %db{sparse}, %adds{form.immediates};
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
{stores}    ret;
}}
"""


def source(forms: list[Form] | tuple[Form, ...]) -> str:
    """A text with the kernels of several forms."""
    shared = ".extern .shared .align 1024 .b8 operands[];\n"
    return HEAD + shared + "".join(map(kernel, dict.fromkeys(forms)))
