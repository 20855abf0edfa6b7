"""The PTX around the instruction that a probe of tensor memory asks about.

The reference, by which cells are named: `tcgen05.st.32x32b.x1` and `tcgen05.ld.32x32b.x1` with the
column in taddr. "Lane" l of a quadrant is where thread l of the reference reaches, "column" c what
it reaches at column c of taddr; what that leaves open is in `proof.renamings`.
"""

from __future__ import annotations

from lanemap.probing.tmem.forms import COLUMNS, LANES, Form

# Columns that a loop over tensor memory takes at a time.
UNROLLED = 8
HEAD = ".version 8.8\n.target sm_100a\n.address_size 64\n"


def kernel(
    name: str, pointers: tuple[str, ...], registers: int, body: str, declared: str = ""
) -> str:
    """A kernel of 128 threads that owns all of tensor memory while `body` runs.

    In the body `base` is taddr of the warp's quadrant; `offset` is the last argument but one, to be
    added to it, `turned` whether the last one is not zero; `thread`, `warp`, `lane` and `pass` (the
    CTA's number) are 32-bit registers; v0, v1, .. are free, and so are the others named below.
    `one` holds in thread 0. The mbarrier `bar` waits for one arrival. `declared` is put in front.
    """
    parameters = "".join(f"    .param .u64 {each}_at,\n" for each in pointers)
    loads = "".join(
        f"    ld.param.u64 {each}, [{each}_at];\n    cvta.to.global.u64 {each}, {each};\n"
        for each in pointers
    )
    named = ", ".join(pointers)
    return f"""
.visible .entry {name}(
{parameters}    .param .u32 offset_at,
    .param .u32 turned_at
)
.reqntid 128
{{
    .shared .align 8 .b64 bar;
    .shared .align 4 .b32 slot;
    {declared}
    .reg .b64 {named}, from, to, far;
    .reg .b32 thread, warp, lane, pass, offset, base, target, address, column, word;
    .reg .b32 v<{registers}>;
    .reg .pred others, more, turned, one;
{loads}    ld.param.u32 offset, [offset_at];
    ld.param.u32 word, [turned_at];
    setp.ne.u32 turned, word, 0;
    mov.u32 thread, %tid.x;
    mov.u32 pass, %ctaid.x;
    shr.u32 warp, thread, 5;
    and.b32 lane, thread, 31;
    setp.eq.u32 one, thread, 0;
    @one mbarrier.init.shared::cta.b64 [bar], 1;
    fence.proxy.async.shared::cta;
    setp.ne.u32 others, warp, 0;
    @others bra allocated;
    mov.u32 address, slot;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [address], {COLUMNS};
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
allocated:
{barrier()}    ld.shared.b32 base, [slot];
    shl.b32 address, warp, 21;
    add.u32 base, base, address;
{body}{barrier()}    @others bra done;
    ld.shared.b32 base, [slot];
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 base, {COLUMNS};
done:
    ret;
}}
"""


def fill(label: str, images: str = "images") -> str:
    """Write the image of the pass, words [pass][column][lane], by the reference store."""
    steps = "".join(
        f"    ld.global.b32 word, [from+{4 * LANES * i}];\n"
        f"    add.u32 target, address, {i};\n"
        "    tcgen05.st.sync.aligned.32x32b.x1.b32 [target], {word};\n"
        for i in range(UNROLLED)
    )
    walk = _walk(label, images, "from", steps, _of_pass("from"), 4 * LANES * UNROLLED)
    return f"{walk}    tcgen05.wait::st.sync.aligned;\n"


def fill_low(label: str, pairs: str) -> str:
    """Write low halves alone by unpacking stores, words [column pair][lane]."""
    steps = "".join(
        f"    ld.global.b32 word, [from+{4 * LANES * i}];\n"
        f"    add.u32 target, address, {2 * i};\n"
        "    tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [target], {word};\n"
        for i in range(UNROLLED // 2)
    )
    # An array of one image, at half the pace of one of whole words.
    walk = _walk(label, pairs, "from", steps, "mov.u64 from, 0;", 2 * LANES * UNROLLED)
    return f"{walk}    tcgen05.wait::st.sync.aligned;\n"


def read_back(label: str, output: str = "output") -> str:
    """Read all of tensor memory by the reference load, words [pass][column][lane]."""
    steps = "".join(
        f"    add.u32 target, address, {i};\n"
        "    tcgen05.ld.sync.aligned.32x32b.x1.b32 {word}, [target];\n"
        "    tcgen05.wait::ld.sync.aligned;\n"
        f"    st.global.b32 [to+{4 * LANES * i}], word;\n"
        for i in range(UNROLLED)
    )
    return _walk(label, output, "to", steps, _of_pass("to"), 4 * LANES * UNROLLED)


def _of_pass(at: str) -> str:
    """The offset of a pass in an array [pass][column][lane] of words."""
    return f"mul.wide.u32 {at}, pass, {4 * LANES * COLUMNS};"


def _walk(label: str, array: str, at: str, steps: str, start: str, pace: int) -> str:
    """A loop over all columns, some at a time, and over an array: from `start`, `pace` bytes on."""
    return f"""\
    {start}
    add.s64 {at}, {at}, {array};
    mul.wide.u32 far, thread, 4;
    add.s64 {at}, {at}, far;
    mov.u32 column, 0;
    mov.u32 address, base;
{label}:
{steps}\
    add.s64 {at}, {at}, {pace};
    add.u32 address, address, {UNROLLED};
    add.u32 column, column, {UNROLLED};
    setp.lt.u32 more, column, {COLUMNS};
    @more bra {label};
"""


def commit(label: str) -> str:
    """Let thread 0 commit what it handed to the tensor core, and wait for it in all threads."""
    return f"""\
    @one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
{label}:
    mbarrier.try_wait.parity.shared::cta.b64 more, [bar], 0;
    @!more bra {label};
    tcgen05.fence::after_thread_sync;
"""


def listed(count: int) -> str:
    """The registers v0, v1, .. as an operand."""
    return "{" + ", ".join(f"v{i}" for i in range(count)) + "}"


def barrier() -> str:
    """Let every warp see what the others did to tensor memory."""
    return """\
    tcgen05.fence::before_thread_sync;
    bar.sync 0;
    tcgen05.fence::after_thread_sync;
"""


def target(form: Form, column: int) -> str:
    """Put the taddr of a form that a batch places at a column into `target`."""
    return f"""\
    selp.b32 target, {COLUMNS - column - form.columns}, {column}, turned;
    add.u32 target, target, base;
    add.u32 target, target, offset;
"""
