"""The PTX around the instruction that a probe of tensor memory asks about.

The reference, by which cells are named, is the pair `tcgen05.st.32x32b.x1` and
`tcgen05.ld.32x32b.x1` with the column in taddr. "Lane" l of a quadrant is the lane that thread l of
the reference reaches; "column" c is what it reaches at column c of taddr. `proof.renamings` says
what these names leave open.

A kernel is a sequence of pieces. Each piece states which registers it reads and which it changes;
`kernel` refuses a piece that reads what nothing before it has written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lanemap.probing.tmem.forms import COLUMNS, LANES, Form

# Columns that one iteration over tensor memory covers.
UNROLLED = 8
HEAD = ".version 8.8\n.target sm_100a\n.address_size 64\n"
#: The registers of every kernel by type; `v` stands for v0, v1, ..
REGISTERS = {
    "b64": "from to far",
    "b32": "thread warp lane pass offset base target address column word v",
    "pred": "others more turned one",
}
#: Set before the first piece: the thread, its warp and lane; the CTA (`pass`);
#: `base`, the taddr of the warp's quadrant; the arguments `offset` and `turned`; `one`, which is
#: true in thread 0.
PROVIDED = "thread warp lane pass base offset turned one"
#: Registers that the end of a kernel needs.
KEPT = "others"


@dataclass(frozen=True)
class Piece:
    """Lines of PTX, and the names of the registers that they use, separated by spaces.

    Attributes:
        text: The lines.
        reads: Registers and pointers that earlier pieces must have set.
        writes: Registers that it changes, including scratch registers.
    """

    text: str
    reads: str = ""
    writes: str = ""


def _check(
    name: str, pointers: Sequence[str], body: Sequence[Piece], own: Mapping[str, str]
) -> None:
    """Check the registers of all pieces.

    Raises:
        ValueError: A piece reads a register that nothing has written, or may not change one.
    """
    known = {*" ".join(REGISTERS.values()).split(), *own} - set(KEPT.split())
    holds = {*PROVIDED.split(), *pointers}
    for piece in body:
        unset = set(piece.reads.split()) - holds
        if unset:
            raise ValueError(f"{name} reads {', '.join(sorted(unset))}, which nothing has written")
        foreign = set(piece.writes.split()) - known
        if foreign:
            raise ValueError(f"{name} may not change {', '.join(sorted(foreign))}")
        holds |= set(piece.writes.split())


def kernel(
    name: str,
    pointers: Sequence[str],
    values: int,
    body: Sequence[Piece],
    declared: str = "",
    own: Mapping[str, str] | None = None,
    ctas: int = 1,
) -> str:
    """A kernel of 128 threads that owns all of tensor memory while its body runs.

    Its arguments are the pointers, then `offset` (to be added to taddr) and `turned` (a flag). The
    mbarrier `bar` waits for one arrival.

    Args:
        name: The kernel's name.
        pointers: Names of the pointers, which are registers of the same names.
        values: The number of registers v0, v1, ..
        body: The pieces.
        declared: Further declarations, for instance of shared memory.
        own: Further registers, from name to type.
        ctas: 2 for a pair of CTAs: then all .cta_group::1 become .cta_group::2.

    Raises:
        ValueError: A piece reads a register that nothing before it has written.
    """
    own = own or {}
    _check(name, pointers, body, own)
    declared += "".join(f" .reg .{kind} {each};" for each, kind in own.items())
    types = {kind: ", ".join(names.split()) for kind, names in REGISTERS.items()}
    plain = types["b32"].removesuffix(", v")
    parameters = "".join(f"    .param .u64 {each}_at,\n" for each in pointers)
    loads = "".join(
        f"    ld.param.u64 {each}, [{each}_at];\n    cvta.to.global.u64 {each}, {each};\n"
        for each in pointers
    )
    named = ", ".join(pointers)
    text = f"""
.visible .entry {name}(
{parameters}    .param .u32 offset_at,
    .param .u32 turned_at
)
.reqntid 128
{{
    .shared .align 8 .b64 bar;
    .shared .align 4 .b32 slot;
    {declared}
    .reg .b64 {named}, {types["b64"]};
    .reg .b32 {plain};
    .reg .b32 v<{values}>;
    .reg .pred {types["pred"]};
{loads}{_begin(ctas)}{"".join(piece.text for piece in body)}{_end()}}}
"""
    return text.replace("cta_group::1", f"cta_group::{ctas}")


#: tcgen05.alloc of a pair wants to know that the peer CTA runs (PTX ISA, tcgen05.alloc).
_PEER_RUNS = """\
    barrier.cluster.arrive.relaxed.aligned;
    barrier.cluster.wait.aligned;
"""


def _begin(ctas: int) -> str:
    """Set the registers that a kernel provides, and allocate all of tensor memory."""
    return f"""\
    ld.param.u32 offset, [offset_at];
    ld.param.u32 word, [turned_at];
    setp.ne.u32 turned, word, 0;
    mov.u32 thread, %tid.x;
    mov.u32 pass, %ctaid.x;
    shr.u32 warp, thread, 5;
    and.b32 lane, thread, 31;
    setp.eq.u32 one, thread, 0;
    @one mbarrier.init.shared::cta.b64 [bar], 1;
    fence.proxy.async.shared::cta;
{_PEER_RUNS if ctas == 2 else ""}    setp.ne.u32 others, warp, 0;
    @others bra allocated;
    mov.u32 address, slot;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [address], {COLUMNS};
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
allocated:
{barrier().text}    ld.shared.b32 base, [slot];
    shl.b32 address, warp, 21;
    add.u32 base, base, address;
"""


def _end() -> str:
    """Free tensor memory."""
    return f"""\
{barrier().text}    @others bra done;
    ld.shared.b32 base, [slot];
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 base, {COLUMNS};
done:
    ret;
"""


def fill(label: str, images: str = "images") -> Piece:
    """Fill tensor memory with the pass's image, [pass][column][lane], by the reference store."""
    steps = "".join(
        f"    ld.global.b32 word, [from+{4 * LANES * i}];\n"
        f"    add.u32 target, address, {i};\n"
        "    tcgen05.st.sync.aligned.32x32b.x1.b32 [target], {word};\n"
        for i in range(UNROLLED)
    )
    walk = _walk(label, images, "from", steps, _of_pass("from"), 4 * LANES * UNROLLED)
    text = f"{walk}    tcgen05.wait::st.sync.aligned;\n"
    return Piece(text, f"pass thread base {images}", f"from {WALK}")


def fill_low(label: str, pairs: str) -> Piece:
    """Fill only the low halves by unpacking stores, words [column pair][lane]."""
    steps = "".join(
        f"    ld.global.b32 word, [from+{4 * LANES * i}];\n"
        f"    add.u32 target, address, {2 * i};\n"
        "    tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [target], {word};\n"
        for i in range(UNROLLED // 2)
    )
    # This array has one image and half as many words.
    walk = _walk(label, pairs, "from", steps, "mov.u64 from, 0;", 2 * LANES * UNROLLED)
    text = f"{walk}    tcgen05.wait::st.sync.aligned;\n"
    return Piece(text, f"thread base {pairs}", f"from {WALK}")


def read_back(label: str, output: str = "output") -> Piece:
    """Read all of tensor memory with the reference load, words [pass][column][lane]."""
    steps = "".join(
        f"    add.u32 target, address, {i};\n"
        "    tcgen05.ld.sync.aligned.32x32b.x1.b32 {word}, [target];\n"
        "    tcgen05.wait::ld.sync.aligned;\n"
        f"    st.global.b32 [to+{4 * LANES * i}], word;\n"
        for i in range(UNROLLED)
    )
    text = _walk(label, output, "to", steps, _of_pass("to"), 4 * LANES * UNROLLED)
    return Piece(text, f"pass thread base {output}", f"to {WALK}")


#: What a loop over tensor memory changes, in addition to its array register.
WALK = "far column address target word more"


def _of_pass(at: str) -> str:
    """The offset of a pass in an array [pass][column][lane] of words."""
    return f"mul.wide.u32 {at}, pass, {4 * LANES * COLUMNS};"


def _walk(label: str, array: str, at: str, steps: str, start: str, pace: int) -> str:
    """A loop over all columns and an array, from `start`, with `pace` bytes per iteration."""
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


def commit(label: str) -> Piece:
    """Let thread 0 commit its asynchronous operations, and let all threads wait for them."""
    text = f"""\
    @one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
{label}:
    mbarrier.try_wait.parity.shared::cta.b64 more, [bar], 0;
    @!more bra {label};
    tcgen05.fence::after_thread_sync;
"""
    return Piece(text, "one", "more")


def listed(count: int) -> str:
    """A list of the registers v0, v1, .. as an operand."""
    return "{" + ", ".join(f"v{i}" for i in range(count)) + "}"


def barrier() -> Piece:
    """Order all warps' accesses to tensor memory."""
    return Piece("""\
    tcgen05.fence::before_thread_sync;
    bar.sync 0;
    tcgen05.fence::after_thread_sync;
""")


def target(form: Form, column: int) -> Piece:
    """Set `target` to the taddr of a form that a batch places at a column."""
    text = f"""\
    selp.b32 target, {COLUMNS - column - form.columns}, {column}, turned;
    add.u32 target, target, base;
    add.u32 target, target, offset;
"""
    return Piece(text, "turned base offset", "target")
