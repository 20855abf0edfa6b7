"""Kernels with one tcgen05.mma, and its operands laid out from the documents.

Places in shared memory are those of NVIDIA/cutlass, cute/arch/mma_sm100_desc.hpp (canonical
layouts) and the PTX ISA's swizzling modes; those in tensor memory are the ISA's data path layouts
A to G, packing formats and layouts of scale factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

import lanemap
from tests import ptx

Array = NDArray[Any]
LANES, COLUMNS = 128, 512
#: Swizzle: code in the descriptor, bytes of a row, XORed bits, where they go, rows of a group of k.
SWIZZLES = {
    "none": (0, 16, 0, 4, 8), "32B": (6, 32, 1, 4, 8), "64B": (4, 64, 3, 4, 8),
    "128B": (2, 128, 7, 4, 8), "128B_32B": (1, 128, 3, 5, 4),
}  # fmt: skip
DTYPES = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32, "f32": np.float32,
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2, "s8": np.int8, "u8": np.uint8,
    "e2m3": ml_dtypes.float6_e2m3fn, "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn, "s32": np.int32, "ue8m0": ml_dtypes.float8_e8m0fnu,
    "ue4m3": ml_dtypes.float8_e4m3fn,
}  # fmt: skip
#: Kind: width of what holds an element, codes of its types in the instruction descriptor.
KINDS: dict[str, tuple[int, dict[str, int]]] = {
    "f16": (16, {"f16": 0, "bf16": 1}), "tf32": (32, {"tf32": 2}),
    "f8f6f4": (8, {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}),
    "i8": (8, {"u8": 0, "s8": 1}),
    "mxf8f6f4": (8, {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}),
    "mxf4": (4, {"e2m1": 1}), "mxf4nvf4": (4, {"e2m1": 1}),
}  # fmt: skip
WIDTHS = {"e2m3": 6, "e3m2": 6, "e2m1": 4}
RESULTS = {"f16": 0, "f32": 1, "s32": 2}


def codes(kind: str, values: Array) -> Array:
    """Values as unsigned integers of the element's width."""
    dtype = np.dtype(DTYPES[kind])
    return values.astype(dtype).view(f"u{dtype.itemsize}")


def depth_of(kind: str) -> int:
    """K of one instruction: 32 bytes of A."""
    return 256 // KINDS[kind][0]


@dataclass(frozen=True)
class Operand:
    """An operand in shared memory: how it lies there, from `start` on."""

    swizzle: str = "none"
    mn: bool = False
    start: int = 0
    base: int = 0

    def offsets(self, bits: int, lines: int, depth: int) -> tuple[int, int]:
        """LBO and SBO of a layout without overlap, neither of them the smallest that there is."""
        _, width, mask, _, group = SWIZZLES[self.swizzle]
        if not self.mn:
            if not mask:
                return 128, 128 * (depth * bits // 128) + 32
            return 16, 8 * width
        if not mask:
            return 128 * (lines * bits // 128) + 16, 128
        return depth * width, group * width

    def places(self, bits: int, lines: int, depth: int, kind: str = "") -> Array:
        """The bit of shared memory where each element lies, [line, k]; holders of `bits` bits.

        Elements of 4 and 6 bits in holders of 8 (`kind`) lie side by side from the beginning of
        their 16 bytes on (PTX ISA, packing formats of .kind::mxf8f6f4 in Shared Memory).
        """
        _, width, mask, shift, group = SWIZZLES[self.swizzle]
        leading, stride = self.offsets(bits, lines, depth)
        line, k = np.indices((lines, depth))
        unit = 128 // bits
        if not self.mn:
            step = k * bits // 8 // 16 * (16 if mask else leading)
            byte = line % 8 * width + line // 8 * stride + step
            bit = k % unit * bits
        else:
            across = width * 8 // bits
            outer, inner = (leading, stride) if mask else (stride, leading)
            bit = line % across * bits
            byte = line // across * outer + k % group * width + k // group * inner
        byte = byte + self.start + bit // 8
        byte = byte ^ ((byte // 128 - self.base) & mask) << shift
        if bits == 8 and kind in WIDTHS:
            return byte // 16 * 128 + byte % 16 * WIDTHS[kind]
        return byte * 8 + bit % 8

    def descriptor(self, bits: int, lines: int, depth: int) -> int:
        """The descriptor, with an address relative to the kernel's shared memory."""
        leading, stride = self.offsets(bits, lines, depth)
        word = self.start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | 1 << 46
        return word | self.base << 49 | SWIZZLES[self.swizzle][0] << 61


def put(image: Array, places: Array, values: Array, bits: int) -> None:
    """Store codes of `bits` bits at places, bits of an image of bytes."""
    if bits >= 8:
        image.reshape(-1).view(f"u{bits // 8}")[(places // bits).reshape(-1)] = values.reshape(-1)
        return
    single = np.unpackbits(image.reshape(-1).view(np.uint8), bitorder="little")
    for bit in range(bits):
        single[places.reshape(-1) + bit] = values.reshape(-1) >> bit & 1
    image.reshape(-1).view(np.uint8)[:] = np.packbits(single, bitorder="little")


@dataclass(frozen=True)
class Mma:
    """One instruction, and the fields of its instruction descriptor.

    Attributes:
        kind: .kind without "kind::"; `rows`, `columns`: M and N; `a`, `b`, `d`: types.
        ctas: 2 with .cta_group::2.
        words: Modifiers behind .kind.
        tensor: A lies in tensor memory.
        masks: disable-output-lane.
        shift: scale-input-d.
        fields: Further bits of the instruction descriptor.
    """

    kind: str
    rows: int
    columns: int
    a: str
    b: str
    d: str = "f32"
    ctas: int = 1
    ws: bool = False
    words: str = ""
    tensor: bool = False
    masks: tuple[int, ...] = ()
    shift: int | None = None
    fields: int = 0

    @property
    def scaled(self) -> bool:
        """Whether the kind has scales."""
        return self.kind.startswith("mx")

    @property
    def depth(self) -> int:
        """K."""
        return depth_of(self.kind)

    @property
    def bits(self) -> int:
        """Bits that hold an element of A or B."""
        return KINDS[self.kind][0]

    def idesc(self, a_mn: bool = False, b_mn: bool = False) -> int:
        """The instruction descriptor (PTX ISA, Instruction descriptor)."""
        types = KINDS[self.kind][1]
        word = types[self.a] << 7 | types[self.b] << 10 | a_mn << 15 | b_mn << 16
        word |= self.columns >> 3 << 17 | self.rows >> 4 << 24 | self.fields
        return word if self.scaled else word | RESULTS[self.d] << 4

    def statement(self) -> str:
        """The instruction."""
        ws = ".ws" if self.ws else ""
        a = "[%ta]" if self.tensor else "%a"
        scales = ", [%sa], [%sb]" if self.scaled else ""
        registers = [f"%m{number}" for number in range(len(self.masks))]
        masks = ", {" + ", ".join(registers) + "}" if self.masks else ""
        moved = [f"mov.b32 {m}, {value}; " for m, value in zip(registers, self.masks, strict=True)]
        shift = "" if self.shift is None else f", {self.shift}"
        block = ".block_scale" if self.scaled else ""
        name = f"tcgen05.mma{ws}.cta_group::{self.ctas}.kind::{self.kind}{block}{self.words}"
        return f"{''.join(moved)}{name} [%d], {a}, %b, %i{scales}{masks}, %adds{shift};"


#: Parameters behind the pointers: descriptors of A and B, then words.
WORDS = ("d", "ta", "sa", "sb", "i", "adds", "bytes", "keep")


def text(statement: str, ctas: int = 1, before: str = "") -> str:
    """A kernel of 128 threads that fills memories, multiplies, and stores all of tensor memory."""
    parameters = ", ".join(
        [*(f".param .u64 {name}" for name in ("image", "given", "result", "pa", "pb")),
         *(f".param .u32 p{name}" for name in WORDS)])  # fmt: skip
    meet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
    commit = f"tcgen05.commit.cta_group::{ctas}.mbarrier::arrive::one.shared::cluster"
    commit += ".multicast::cluster.b64 [bar], %both;" if ctas == 2 else ".b64 [bar];"
    whole = f"""\
.extern .shared .align 1024 .b8 source[];
.visible .entry kernel({parameters}) .explicitcluster .reqnctapercluster {ctas}, 1, 1 {{
.reg .pred %p, %first, %one, %lead, %adds; .reg .b32 %t, %c, %e, %n, %w, %k, %i, %d, %ta, %sa, %sb;
.reg .b32 %v<4>, %m<8>; .reg .b64 %g, %x, %a, %b; .reg .b16 %both;
.shared .align 8 .b64 bar; .shared .align 4 .b32 slot;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; mov.u32 %k, %cluster_ctarank; mov.b16 %both, 3;
setp.eq.u32 %first, %w, 0; setp.eq.u32 %one, %n, 0; setp.eq.and.u32 %lead, %k, 0, %one;
@%one mbarrier.init.shared::cta.b64 [bar], 1;
@%one fence.mbarrier_init.release.cluster;
{"barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;" * (ctas == 2)}
@%first tcgen05.alloc.cta_group::{ctas}.sync.aligned.shared::cta.b32 [slot], 512;
ld.param.u32 %v0, [pbytes]; ld.param.u64 %g, [image]; mul.wide.u32 %x, %k, %v0;
add.u64 %g, %g, %x; mul.wide.u32 %x, %n, 16; add.u64 %g, %g, %x; mov.u32 %c, source;
add.u32 %v0, %v0, %c; mad.lo.u32 %c, %n, 16, %c;
COPY: setp.ge.u32 %p, %c, %v0; @%p bra COPIED;
.reg .b32 %q<4>; ld.global.v4.b32 {{%q0, %q1, %q2, %q3}}, [%g];
st.shared.v4.b32 [%c], {{%q0, %q1, %q2, %q3}};
add.u64 %g, %g, 2048; add.u32 %c, %c, 2048; bra COPY;
COPIED: fence.proxy.async.shared::cta;
{meet}
ld.shared.b32 %t, [slot];
mad.lo.u32 %c, %k, 128, %n; mul.wide.u32 %x, %c, {COLUMNS * 4};
ld.param.u64 %g, [given]; add.u64 %g, %g, %x; shl.b32 %e, %w, 21; add.u32 %c, %t, %e;
FILL: ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%g];
tcgen05.st.sync.aligned.32x32b.x4.b32 [%c], {{%v0, %v1, %v2, %v3}};
add.u64 %g, %g, 16; add.u32 %c, %c, 4; and.b32 %e, %c, 0xffff; setp.lt.u32 %p, %e, {COLUMNS};
@%p bra FILL;
tcgen05.wait::st.sync.aligned;
tcgen05.fence::before_thread_sync;
{meet}
tcgen05.fence::after_thread_sync;
mov.u32 %c, source; shr.u32 %c, %c, 4; cvt.u64.u32 %x, %c;
ld.param.u64 %a, [pa]; add.u64 %a, %a, %x; ld.param.u64 %b, [pb]; add.u64 %b, %b, %x;
ld.param.u32 %d, [pd]; add.u32 %d, %d, %t; ld.param.u32 %ta, [pta]; add.u32 %ta, %ta, %t;
ld.param.u32 %sa, [psa]; add.u32 %sa, %sa, %t; ld.param.u32 %sb, [psb]; add.u32 %sb, %sb, %t;
ld.param.u32 %i, [pi]; ld.param.u32 %v0, [padds]; setp.ne.u32 %adds, %v0, 0;
@!%lead bra ISSUED;
{before}
{statement}
{commit}
ISSUED:
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0; @!%p bra WAIT;
tcgen05.fence::after_thread_sync;
mad.lo.u32 %c, %k, 128, %n; mul.wide.u32 %x, %c, {COLUMNS * 4};
.reg .b32 %keep; ld.param.u32 %keep, [pkeep];
ld.param.u64 %g, [result]; add.u64 %g, %g, %x; shl.b32 %e, %w, 21; add.u32 %c, %t, %e;
DUMP: tcgen05.ld.sync.aligned.32x32b.x4.b32 {{%v0, %v1, %v2, %v3}}, [%c];
tcgen05.wait::ld.sync.aligned;
and.b32 %v0, %v0, %keep; and.b32 %v1, %v1, %keep;
and.b32 %v2, %v2, %keep; and.b32 %v3, %v3, %keep;
st.global.v4.b32 [%g], {{%v0, %v1, %v2, %v3}};
add.u64 %g, %g, 16; add.u32 %c, %c, 4; and.b32 %e, %c, 0xffff; setp.lt.u32 %p, %e, {COLUMNS};
@%p bra DUMP;
tcgen05.fence::before_thread_sync;
{meet}
@%first tcgen05.dealloc.cta_group::{ctas}.sync.aligned.b32 %t, 512;
ret;
}}
"""
    return ptx.module(whole, "sm_100a")


@cache
def _loaded(statement: str, ctas: int, before: str) -> tuple[Any, Any]:
    device = lanemap.open_device("sm_100a", device="emulator")
    return device, device.load(text(statement, ctas, before))["kernel"]


def launch(
    statement: str,
    ctas: int,
    image: Array,
    given: Array,
    a: int,
    b: int,
    words: dict[str, int],
    before: str = "",
    kernel: Any = None,
) -> Array:
    """Tensor memory after the kernel, uint32[ctas, 128, 512], from what was there before.

    Args:
        image: uint8[ctas, bytes], shared memory of each CTA.
        a: Descriptor of A, relative to the shared memory's begin; `b`: of B.
        words: Of WORDS, where most have a default; "keep": bits of tensor memory that are stored.
    """
    device, entry = kernel or _loaded(statement, ctas, before)
    result = device.zeros((ctas, LANES, COLUMNS), np.uint32)
    given_words = {"adds": 1, "bytes": image.shape[1], "keep": 0xFFFFFFFF, **words}
    entry(
        (ctas, 1, 1),
        (LANES, 1, 1),
        [
            device.array(image),
            device.array(given),
            result,
            np.uint64(a),
            np.uint64(b),
            *(np.uint32(given_words.get(name, 0)) for name in WORDS),
        ],
        shared_bytes=image.shape[1],
        cluster=(ctas, 1, 1),
    )
    return result.get()
