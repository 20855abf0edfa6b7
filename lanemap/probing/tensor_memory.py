"""Tensor memory in probes: its forms of load and store, and the PTX around the one in question.

A shape's name says how many lanes and bits of each one access has; a warp's registers hold as many
bits, and a thread gives at most 128 (NVIDIA PTX ISA, tcgen05.ld and tcgen05.st). From that
follow the registers and the frame of lanes and columns of every form, and which xN there are.

The reference, by which cells are named: `tcgen05.st.32x32b.x1` and `tcgen05.ld.32x32b.x1` with the
column in taddr. "Lane" l of a quadrant is where thread l of the reference reaches, "column" c what
it reaches at column c of taddr; what that leaves open is in `renamings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.errors import UserError
from lanemap.layout import Space
from lanemap.probing.bit_tags import BitTags

LANES, COLUMNS, WARPS, THREADS = 128, 512, 4, 32
CTA_THREADS = WARPS * THREADS
MOST_REGISTERS = 128
SHAPES = ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")
MEMORY = BitTags(LANES * COLUMNS)
HALVES = {"ld": ".pack::16b", "st": ".unpack::16b"}
# Columns that a loop over tensor memory takes at a time.
UNROLLED = 8
_SHAPE = re.compile(r"(\d+)x(\d+)b(?:x(\d))?")
HEAD = ".version 8.8\n.target sm_100a\n.address_size 64\n"


@dataclass(frozen=True)
class Form:
    """One form of a load or store.

    Attributes:
        op: "ld" or "st".
        shape: As the instruction spells it.
        repeat: N of xN.
        halves: Whether .pack::16b or .unpack::16b is given.
        imm: Columns from the first half's to the second half's of a shape in two parts; None for
            the listed variant, where the second half follows the first.
    """

    op: str
    shape: str
    repeat: int
    halves: bool = False
    imm: int | None = None

    @property
    def parts(self) -> int:
        """Accesses that the name says: two for 16x32bx2."""
        return self._sizes[2]

    @property
    def lanes(self) -> int:
        """Lanes of one access."""
        return self._sizes[0]

    @property
    def registers(self) -> int:
        """Registers of a thread."""
        lanes, bits, parts = self._sizes
        return lanes * bits * parts * self.repeat // (THREADS * 32)

    @property
    def offset(self) -> int:
        """The immediate of a shape in two parts, in columns."""
        return self._part_columns if self.imm is None else self.imm

    @property
    def columns(self) -> int:
        """Columns of the frame: from taddr to the last one that the name speaks of."""
        return self._part_columns + (self.offset if self.parts == 2 else 0)

    @property
    def variant(self) -> str:
        """As lanemap names it."""
        suffix = "" if self.imm is None else f"+{self.imm}"
        return f"tcgen05.{self.op}.{self.shape}.x{self.repeat}{self._modifier}{suffix}"

    @property
    def order(self) -> tuple[bool, int, int]:
        """The order in which the forms of a shape are listed."""
        return self.halves, self.imm or 0, self.repeat

    @property
    def entry(self) -> str:
        """The kernel that asks of it."""
        return re.sub(r"\W+", "_", self.variant)

    def instruction(self, registers: str, address: str) -> str:
        """The instruction on a list of registers, `{v0, v1}`, and an address, `target`."""
        name = f"tcgen05.{self.op}.sync.aligned.{self.shape}.x{self.repeat}{self._modifier}.b32"
        place = f"[{address}]" + (f", {self.offset}" if self.parts == 2 else "")
        return (
            f"{name} {registers}, {place};" if self.op == "ld" else f"{name} {place}, {registers};"
        )

    def frame(self) -> tuple[Space, Space]:
        """The registers of a warp, and tensor memory from taddr on."""
        register = (("lane", THREADS), ("register", self.registers), ("bit", 32))
        tmem = (("lane", self.lanes), ("column", self.columns), ("bit", 32))
        return Space("register", register), Space("tmem", tmem)

    @property
    def _modifier(self) -> str:
        return HALVES[self.op] if self.halves else ""

    @property
    def _part_columns(self) -> int:
        return self._sizes[1] // 32 * self.repeat * (2 if self.halves else 1)

    @property
    def _sizes(self) -> tuple[int, int, int]:
        match = _SHAPE.fullmatch(self.shape)
        if match is None:
            raise UserError(f"{self.shape!r} is no shape; there are {', '.join(SHAPES)}")
        return int(match[1]), int(match[2]), int(match[3] or 1)


def forms(op: str, shape: str) -> Iterator[Form]:
    """Every legal form of a shape: xN is a power of two, and a thread's registers at most 128."""
    for halves in (False, True):
        repeat = 1
        while Form(op, shape, repeat).registers <= MOST_REGISTERS:
            yield Form(op, shape, repeat, halves)
            repeat *= 2


def offset_forms(op: str) -> Iterator[Form]:
    """Forms of 16x32bx2 whose second half does not follow the first."""
    for repeat in (1, 4, 16):
        for halves in (False, True):
            yield Form(op, "16x32bx2", repeat, halves, 100)


@dataclass(frozen=True)
class Batch:
    """Forms that are asked in one launch, side by side in tensor memory.

    Attributes:
        name: The kernel's.
        placed: The forms, each with the column at which its frame begins; frames do not meet.
    """

    name: str
    placed: tuple[tuple[Form, int], ...]

    @property
    def op(self) -> str:
        """The operation, ld or st."""
        return self.placed[0][0].op

    @property
    def registers(self) -> int:
        """Registers of a thread, all forms together."""
        return sum(form.registers for form, _ in self.placed)

    @property
    def halves(self) -> bool:
        """Whether its forms have .pack::16b or .unpack::16b."""
        return self.placed[0][0].halves


def batches(op: str, shape: str) -> list[Batch]:
    """What a probe asks of a shape: every legal form, and some with another immediate.

    Forms of the same modifier share launches as far as their frames fit into tensor memory, the
    widest first.
    """
    every = [*forms(op, shape), *(offset_forms(op) if shape == "16x32bx2" else ())]
    found: list[Batch] = []
    for halves in (False, True):
        for split in (False, True):
            own = [f for f in every if (f.halves, f.imm is not None) == (halves, split)]
            bins: list[list[tuple[Form, int]]] = []
            for form in sorted(own, key=lambda form: -form.columns):
                for each in bins:
                    last, column = each[-1]
                    if column + last.columns + form.columns <= COLUMNS:
                        each.append((form, column + last.columns))
                        break
                else:
                    bins.append([(form, 0)])
            found += [Batch(f"{each[0][0].entry}_and_on", tuple(each)) for each in bins]
    return found


@dataclass(frozen=True)
class Base:
    """Where taddr points in a launch.

    Attributes:
        name: As the axis calls it.
        description: The same in words.
        lane: Lane of taddr, counted from the first of each warp's quadrant.
        turned: Whether frames are counted from the last column instead of the first.
    """

    name: str
    description: str
    lane: int
    turned: bool

    def column(self, form: Form, column: int) -> int:
        """Column of taddr for a form that a batch places at a column."""
        return COLUMNS - column - form.columns if self.turned else column

    def fits(self, batch: Batch) -> bool:
        """Whether a batch can be asked there, and there is anything new to ask."""
        moved = any(self.column(form, column) != column for form, column in batch.placed)
        return (moved or not self.turned) and self.lane + batch.placed[0][0].lanes <= THREADS


BASES = {
    base.name: base
    for base in (
        Base("first", "the first lane of each warp's quadrant, frames from column 0 on", 0, False),
        Base("last", "that lane, frames from column 511 down", 0, True),
        Base("lane16", "lane 16 of each warp's quadrant, frames from column 0 on", 16, False),
    )
}


# ---- PTX -----------------------------------------------------------------------------------------
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
