"""The PTX around one `tcgen05.mma`: operands in shared and tensor memory, and D.

A CTA of 128 threads, or a pair of them, runs one case. It copies the case's image into shared
memory, stores the columns of D as a pattern that is no number and the case's words behind them,
multiplies once, and reads the columns of D. Loads and stores of tensor memory are the reference
pair of `probing/tmem/kernel.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lanemap.probing.tmem import kernel as tensor_memory
from lanemap.probing.tmem.forms import LANES
from lanemap.probing.tmem.kernel import HEAD, Piece, barrier, commit

#: Where words of a case lie in tensor memory: behind the most columns of D.
FIRST_GIVEN, GIVEN_COLUMNS = 256, 32
#: Of those, where A and the scales of both operands begin.
A_COLUMN, SFA_COLUMN, SFB_COLUMN = 0, 8, 16
#: A step of K is so many bytes of A in a row.
STEP_BYTES = 32
#: An image is a multiple of this: what a CTA copies at once.
IMAGE_UNIT = 2048
#: Width of what holds an element of A or B.
HOLDERS = {
    "f16": 16, "tf32": 32, "f8f6f4": 8, "i8": 8, "mxf8f6f4": 8, "mxf4": 4, "mxf4nvf4": 4
}  # fmt: skip
#: Types by kind: codes in the instruction descriptor (NVIDIA PTX ISA, Instruction descriptor).
TYPES = {
    "f16": {"f16": 0, "bf16": 1}, "tf32": {"tf32": 2},
    "f8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}, "i8": {"u8": 0, "s8": 1},
    "mxf8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5},
    "mxf4": {"e2m1": 1}, "mxf4nvf4": {"e2m1": 1},
}  # fmt: skip
RESULTS = {"f16": 0, "f32": 1, "s32": 2}


@dataclass(frozen=True)
class Form:
    """The choices in the text of an instruction.

    Attributes:
        kind: .kind without "kind::".
        ctas: 2 with .cta_group::2.
        ws: .ws.
        tensor: A lies in tensor memory.
        vector: Scales of a row: 1, 2 or 4 as .scale_vec says; 0 for kinds without scales.
    """

    kind: str
    ctas: int = 1
    ws: bool = False
    tensor: bool = False
    vector: int = 0

    @property
    def opcode(self) -> str:
        """The instruction's name."""
        scaled = f".block_scale.scale_vec::{self.vector}X" if self.vector else ""
        ws = ".ws" if self.ws else ""
        return f"tcgen05.mma{ws}.cta_group::{self.ctas}.kind::{self.kind}{scaled}"

    @property
    def name(self) -> str:
        """The kernel of the form."""
        opcode = re.sub(r"\W+", "_", self.opcode.removeprefix("tcgen05."))
        return opcode + ("_tensor" if self.tensor else "")


@dataclass(frozen=True)
class Shape:
    """The choices in the instruction descriptor.

    Attributes:
        form: The instruction.
        rows: M.
        columns: N.
        a: Type of A.
        b: Type of B.
        d: Type of D: f32, f16 or s32.
        a_mn: A is M-major.
        b_mn: B is N-major.
        sfa_id: Byte of its column where the scales of a row of A begin.
        sfb_id: The same for B.
    """

    form: Form
    rows: int
    columns: int
    a: str
    b: str
    d: str = "f32"
    a_mn: bool = False
    b_mn: bool = False
    sfa_id: int = 0
    sfb_id: int = 0

    @property
    def depth(self) -> int:
        """K."""
        return 8 * STEP_BYTES // HOLDERS[self.form.kind]

    @property
    def fold(self) -> int:
        """Blocks of D's columns that lie above each other (PTX ISA, Data Path Layout)."""
        lanes = self.rows // self.form.ctas
        return LANES // lanes if self.form.ws or (self.form.ctas == 2 and lanes == 64) else 1

    @property
    def d_columns(self) -> int:
        """Columns of tensor memory that D takes in a CTA."""
        return self.columns // self.fold

    @property
    def descriptor(self) -> int:
        """The instruction descriptor; scales are UE8M0 but for 4X, where they are UE4M3."""
        codes = TYPES[self.form.kind]
        word = codes[self.a] << 7 | codes[self.b] << 10 | self.a_mn << 15 | self.b_mn << 16
        word |= self.columns >> 3 << 17 | self.rows >> 4 << 24
        if not self.form.vector:
            return word | RESULTS[self.d] << 4
        return word | self.sfb_id << 4 | (self.form.vector < 4) << 23 | self.sfa_id << 29


def _share() -> Piece:
    """Copy the CTA's image into shared memory, and hand it to the async proxy."""
    text = f"""\
    ld.global.u32 most, [sizes];
    mul.wide.u32 from, pass, most;
    add.s64 from, from, images;
    mul.wide.u32 far, thread, 16;
    add.s64 from, from, far;
    mul.lo.u32 column, thread, 16;
sharing:
    ld.global.v4.b32 {{v0, v1, v2, v3}}, [from];
    mov.u32 address, operands;
    add.u32 address, address, column;
    st.shared.v4.b32 [address], {{v0, v1, v2, v3}};
    add.s64 from, from, {IMAGE_UNIT};
    add.u32 column, column, {IMAGE_UNIT};
    setp.lt.u32 more, column, most;
    @more bra sharing;
    fence.proxy.async.shared::cta;
"""
    return Piece(text, "pass thread images sizes", "most from far column address v more")


def _store() -> Piece:
    """Store the pattern in D's columns, and the case's words behind the most that D can have."""
    pattern = "".join(f"    mov.b32 v{i}, -1;\n" for i in range(8))
    text = f"""\
{pattern}    ld.global.u32 most, [sizes+4];
    mov.u32 column, 0;
    mov.u32 target, base;
emptying:
    tcgen05.st.sync.aligned.32x32b.x8.b32 [target], {{v0, v1, v2, v3, v4, v5, v6, v7}};
    add.u32 target, target, 8;
    add.u32 column, column, 8;
    setp.lt.u32 more, column, most;
    @more bra emptying;
    mul.wide.u32 from, pass, {4 * LANES * GIVEN_COLUMNS};
    add.s64 from, from, given;
    mul.wide.u32 far, thread, {4 * GIVEN_COLUMNS};
    add.s64 from, from, far;
    mov.u32 column, 0;
    add.u32 target, base, {FIRST_GIVEN};
giving:
    ld.global.v4.b32 {{v0, v1, v2, v3}}, [from];
    tcgen05.st.sync.aligned.32x32b.x4.b32 [target], {{v0, v1, v2, v3}};
    add.s64 from, from, 16;
    add.u32 target, target, 4;
    add.u32 column, column, 4;
    setp.lt.u32 more, column, {GIVEN_COLUMNS};
    @more bra giving;
    tcgen05.wait::st.sync.aligned;
"""
    return Piece(text, "pass thread base given sizes", "v most column target from far more")


def _multiply(form: Form) -> Piece:
    """Issue the instruction from thread 0 of the first CTA, with the operands of the case."""
    a = "[at]" if form.tensor else "near"
    scales = ", [sfa], [sfb]" if form.vector else ""
    text = f"""\
    shr.u32 word, pass, {form.ctas - 1};
    mul.wide.u32 from, word, 32;
    add.s64 from, from, cases;
    ld.global.u64 near, [from];
    ld.global.u64 away, [from+8];
    ld.global.u32 shape, [from+16];
    mov.u32 address, operands;
    and.b32 address, address, 0x3ffff;
    shr.u32 address, address, 4;
    cvt.u64.u32 far, address;
    add.u64 near, near, far;
    add.u64 away, away, far;
    ld.shared.b32 target, [slot];
    add.u32 at, target, {FIRST_GIVEN + A_COLUMN};
    add.u32 sfa, target, {FIRST_GIVEN + SFA_COLUMN};
    add.u32 sfb, target, {FIRST_GIVEN + SFB_COLUMN};
    setp.ne.u32 more, thread, thread;
    @one {form.opcode} [target], {a}, away, shape{scales}, more;
"""
    writes = "word from near away shape address far target at sfa sfb more"
    return Piece(text, "pass one thread cases", writes)


def _read() -> Piece:
    """Read D's columns, words [pass][lane][column]."""
    listed = [f"v{i}" for i in range(8)]
    text = f"""\
    ld.global.u32 most, [sizes+4];
    mul.lo.u32 word, most, {4 * LANES};
    mul.wide.u32 to, pass, word;
    add.s64 to, to, output;
    shl.b32 word, most, 2;
    mul.wide.u32 far, thread, word;
    add.s64 to, to, far;
    mov.u32 column, 0;
    mov.u32 target, base;
reading:
    tcgen05.ld.sync.aligned.32x32b.x8.b32 {{{", ".join(listed)}}}, [target];
    tcgen05.wait::ld.sync.aligned;
    st.global.v4.b32 [to], {{{", ".join(listed[:4])}}};
    st.global.v4.b32 [to+16], {{{", ".join(listed[4:])}}};
    add.s64 to, to, 32;
    add.u32 target, target, 8;
    add.u32 column, column, 8;
    setp.lt.u32 more, column, most;
    @more bra reading;
"""
    return Piece(text, "pass thread base output sizes", "most word to far column target v more")


_MEET = """\
    tcgen05.fence::before_thread_sync;
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
    tcgen05.fence::after_thread_sync;
"""
_FIRST = """\
    mov.u32 word, %cluster_ctarank;
    setp.eq.u32 more, word, 0;
    and.pred one, one, more;
"""
_COMMIT = """\
    mov.u16 both, 3;
    @one tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 \
[bar], both;
committing:
    mbarrier.try_wait.parity.shared::cta.b64 more, [bar], 0;
    @!more bra committing;
    tcgen05.fence::after_thread_sync;
"""


def text(form: Form) -> str:
    """The kernel of a form.

    Its arguments: images uint8[pass, bytes], where passes count cases and the CTAs of each; words
    uint32[pass, lane, GIVEN_COLUMNS]; cases uint64[case, 4] of the descriptors of A and B without
    the address of the image, and the instruction descriptor; D uint32[pass, lane, column]; sizes
    uint32[2]: bytes of an image and columns of D; and two zeros.
    """
    pair = form.ctas == 2
    first = [Piece("    @one fence.mbarrier_init.release.cluster;\n", "one")] if pair else []
    meet = Piece(_MEET) if pair else barrier()
    body = [
        *first,
        _share(),
        _store(),
        meet,
        *([Piece(_FIRST, "one", "word more one")] if pair else []),
        _multiply(form),
        Piece(_COMMIT, "one", "both more") if pair else commit("committing"),
        _read(),
        *([meet] if pair else []),
    ]
    own = dict.fromkeys(("near", "away"), "b64")
    own |= dict.fromkeys(("most", "shape", "at", "sfa", "sfb"), "b32")
    own |= {"both": "b16"} if pair else {}
    pointers = ("images", "given", "cases", "output", "sizes")
    return tensor_memory.kernel(form.name, pointers, 8, body, "", own, form.ctas)


def source(forms: Iterable[Form]) -> str:
    """A text with the kernels of several forms."""
    shared = ".extern .shared .align 1024 .b8 operands[];\n"
    return HEAD + shared + "".join(map(text, dict.fromkeys(forms)))
