"""tcgen05: tensor memory, its copies and its matrix multiplications, from issue to what waits.

`lanemap.timing.tensor_memory` has the kernel around each series.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lanemap.probing.tensor_core.kernel import Form as Product
from lanemap.probing.tensor_core.kernel import Shape
from lanemap.probing.tmem.forms import SHAPES, Form, forms
from lanemap.timing.series import Axis, Series, SeriesProbe
from lanemap.timing.tensor_memory import COLUMNS, TRY, Core

#: Columns behind D: A, and the scales of both operands.
_A, _SFA, _SFB = 256, 272, 288
_SHORT, _FEW, _LONG = (4, 6, 8, 12, 20), (2, 3, 4, 6, 8), (8, 12, 16, 24, 32)
#: Kinds: types of A and B and of D, and what ptxas makes of the instruction.
_KINDS: dict[str, tuple[str, str, str]] = {
    "f16": ("f16", "f32", "UTCHMMA"), "tf32": ("tf32", "f32", "UTCHMMA"),
    "f8f6f4": ("e4m3", "f32", "UTCQMMA"), "i8": ("s8", "s32", "UTCIMMA"),
    "mxf8f6f4": ("e4m3", "f32", "UTCQMMA"), "mxf4": ("e2m1", "f32", "UTCOMMA"),
    "mxf4nvf4": ("e2m1", "f32", "UTCOMMA.4X"),
}  # fmt: skip
_VECTORS = {"mxf8f6f4": 1, "mxf4": 2, "mxf4nvf4": 4}
#: Forms of copies, and how SASS spells them.
_COPIES = {
    "128x256b": "", "4x256b": ".4dp256bit", "128x128b": ".128dp128bit",
    "64x128b.warpx2::02_13": ".2x64dp128bit_lw02_lw13",
    "64x128b.warpx2::01_23": ".2x64dp128bit_lw01_lw23", "32x128b.warpx4": ".4x32dp128bit",
}  # fmt: skip
#: Links of a chase: not all multiples of the number of frames.
_ROUND = (5, 9, 14, 23, 38)


def _listed(name: str, count: int) -> str:
    return "{" + ", ".join(f"{name}{each}" for each in range(count)) + "}"


def _names(form: Form) -> dict[str, int]:
    """Return the SASS opcodes of a load or store, with their counts."""
    name = {"ld": "LDTM", "st": "STTM"}[form.op]
    more = f".x{form.repeat}" * (form.repeat > 1)
    more += {"ld": ".PACK16BIT", "st": ".EXPAND16BIT"}[form.op] * form.halves
    if form.shape == "16x32bx2":
        return {f"{name}.16dp32bit_{half}{more}": 1 for half in ("t0_t15", "t16_t31")}
    shape = "" if form.shape == "32x32b" else form.shape.replace("x", "dp", 1).replace("b", "bit")
    return {f"{name}{'.' * bool(shape)}{shape}{more}": 1}


def _axes(form: Form) -> dict[str, Axis]:
    return {"shape": form.shape, "repeat": form.repeat, "halves": int(form.halves)}


def _events(own: str, to: str, of: str = "") -> tuple[str, str]:
    return f"issue of {own}{of}", to


def _chase(form: Form) -> Series:
    """Every column of a frame holds where the next frame begins, as taddr."""
    names, count, width = _names(form), form.registers, form.columns
    own = list(names)[-1]  # what the wait is for
    pointers = f"""    add.u32 drawn, zero, 0;
chasing:
    and.b32 u0, drawn, {COLUMNS - width}; add.u32 u0, u0, {width}; and.b32 u0, u0, {COLUMNS - 1};
    add.u32 u0, u0, taddr; add.u32 tmem, taddr, drawn;
    tcgen05.st.sync.aligned.32x32b.x1.b32 [tmem], {{u0}};
    add.u32 drawn, drawn, 1; setp.lt.u32 p, drawn, {COLUMNS}; @p bra chasing;
    tcgen05.wait::st.sync.aligned;
"""
    wait = " tcgen05.wait::ld.sync.aligned;"
    # A load that packs has the low halves of two columns, which hold the same.
    lower = f"and.b32 tmem, v{count - 1}, {0xFFFF if form.halves else -1};"
    whole = count < 128
    return Core().series(
        f"{form.variant} chase",
        own,
        _events(own, f"issue of {own} at the column of its result, which R2UR made uniform"),
        "variable latency" if whole else "event",
        form.instruction(_listed("v", count), "tmem") + wait + lower,
        names | {"R2UR": 1} | ({"LOP3.LUT": 1} if form.halves else {}),
        axes=_axes(form),
        own=f".reg .b32 v<{count}>;",
        begun=pointers,
        begin="mov.b32 tmem, taddr;",
        first="and.b32 low, low, zero; add.u32 tmem, tmem, low;",
        lengths=_ROUND,
        last="sub.u32 tmem, tmem, taddr; xor.b32 x, x, tmem;",
        cut=form.instruction(_listed("v", count), "taddr") + f" xor.b32 x, x, v{count - 1};"
        if whole
        else "",
    )


def _load_rate(form: Form, warps: int) -> Series:
    """Loads, each to registers of its own; a last one comes after them in the window."""
    names, count = _names(form), form.registers
    own, lengths = next(iter(names)), _LENGTHS[count]
    into = "{" + ", ".join(f"w{{i}}_{number}" for number in range(count)) + "}"
    registers = [f"w{each}_{number}" for each in range(lengths[-1]) for number in range(count)]
    last = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {u0}, [tmem]; tcgen05.wait::ld.sync.aligned;"
    return Core(warps=warps).series(
        f"{form.variant} rate",
        own,
        _events(own, f"issue of the next independent {own} of the warp"),
        "rate",
        form.instruction(into, "tmem"),
        names | {"R2UR": 1},
        axes=_axes(form) | {"warps": warps},
        lengths=lengths,
        own=f".reg .b32 {', '.join(registers)};",
        begun=_ZEROS,
        begin="\n".join(f"mov.b32 {each}, zero;" for each in registers),
        last=last + " xor.b32 x, x, u0;",
        after="\n".join(f"xor.b32 x, x, {each};" for each in registers),
    )


#: Links of a rate, by registers of a link, or by how much of tensor memory it takes.
_LENGTHS = {1: _LONG, 4: _LONG, 16: (3, 4, 5, 6, 8), 32: (1, 2, 3, 4, 5)}
#: Tensor memory of zeros: each warp its own lanes.
_ZEROS = (
    """
    shl.b32 tmem, thread, 16; and.b32 tmem, tmem, 0x600000; add.u32 tmem, tmem, taddr;
"""
    + "".join(
        f"tcgen05.st.sync.aligned.32x32b.x32.b32 [tmem+{at}], {{{', '.join(['zero'] * 32)}}};\n"
        for at in range(0, COLUMNS, 32)
    )
    + "tcgen05.wait::st.sync.aligned;\n"
)


def _stores(form: Form) -> Iterator[Series]:
    """Stores with and without waiting for each."""
    names, count = _names(form), form.registers
    own = next(iter(names))
    # No two are the same, for which ptxas would make copies in the window.
    fill = "".join(f"xor.b32 v{each}, k{each % 4}, {each};" for each in range(count))
    more: dict[str, Any] = {"own": f".reg .b32 v<{count}>;", "begun": fill}
    wait = " tcgen05.wait::st.sync.aligned;"
    yield Core().series(
        f"{form.variant} and wait",
        own,
        _events(own, f"issue of the next {own}, after FENCE.VIEW.ASYNC.T waited for it"),
        "event",
        form.instruction(_listed("v", count), "taddr") + wait,
        names | {"FENCE.VIEW.ASYNC.T": 1},
        axes=_axes(form),
        lengths=_LONG,
        **more,
    )
    # No store of a window may go where another one of it went.
    fitting = [each for each in _LENGTHS.values() if each[-1] * form.columns <= COLUMNS]
    if fitting:
        yield Core().series(
            f"{form.variant} rate",
            own,
            _events(own, f"issue of the next {own} of the warp"),
            "rate",
            form.instruction(_listed("v", count), f"taddr+{{i*{form.columns}}}"),
            names,
            axes=_axes(form) | {"warps": 1},
            last=wait,
            lengths=fitting[0],
            **more,
        )


def _round_trip() -> Iterator[Series]:
    """A value that goes to tensor memory and back, and what waits for nothing."""
    yield Core().series(
        "tcgen05.st to tcgen05.ld",
        "STTM",
        _events("STTM", "issue of STTM of the value that LDTM read back and LOP3.LUT changed"),
        "event",
        "tcgen05.st.sync.aligned.32x32b.x1.b32 [taddr], {u0};"
        "tcgen05.wait::st.sync.aligned; tcgen05.ld.sync.aligned.32x32b.x1.b32 {u1}, [taddr];"
        "tcgen05.wait::ld.sync.aligned; lop3.b32 u0, u1, k0, k1, 0x6a;",
        {"STTM": 1, "LDTM": 1, "FENCE.VIEW.ASYNC.T": 1, "LOP3.LUT": 1},
        lengths=_LONG,
        first="mov.b32 u0, x;",
        last="xor.b32 x, x, u0;",
    )
    yield Core().series(
        "tcgen05.wait::st",
        "FENCE.VIEW.ASYNC.T",
        _events("FENCE.VIEW.ASYNC.T", "issue of the next FENCE.VIEW.ASYNC.T, no store on its way"),
        "event",
        "tcgen05.wait::st.sync.aligned;",
        {"FENCE.VIEW.ASYNC.T": 1},
        lengths=_LONG,
    )


def _committed(
    core: Core,
    name: str,
    sass: str,
    link: str,
    period: dict[str, int],
    count: int = 1,
    **more: Any,
) -> Series:
    """Some operations, their commit, and the wait for it."""
    bar = core.bar
    them = "it" if count == 1 else f"all {count}"
    return core.series(
        f"{name} and commit",
        sass,
        (
            f"issue of the first {sass} of a commit",
            f"issue of the next, after {TRY} found that {bar} had arrived for {them}",
        ),
        "event",
        link + core.commit + core.wait,
        core.voted(period, sass, 1) | core.committed,
        lengths=_FEW if count > 2 else _SHORT,
        **more,
    )


def _copies() -> Iterator[Series]:
    """From shared to tensor memory."""
    for shape, spelled in _COPIES.items():
        for ctas in (1, 2):
            core = Core(ctas, "f16")
            own = "UTCCP.T.S" + ".2CTA" * (ctas == 2) + spelled
            link = f"@lead tcgen05.cp.{core.group}.{shape} [taddr], da;\n"
            axes: dict[str, Axis] = {"shape": shape, "cta_group": ctas}
            yield _committed(core, f"tcgen05.cp {shape}", own, link, {own: 1}, axes=axes)
            yield core.series(
                f"tcgen05.cp {shape} rate",
                own,
                _events(own, f"issue of the next {own}"),
                "rate",
                link,
                core.voted({own: 1}, own, 0),
                axes=axes,
                lengths=_LONG,
                last=core.commit + core.wait,
            )
    core = Core(1, "f16", "@lead tcgen05.cp.cta_group::1.128x256b [taddr], da;\n")
    yield _committed(
        core,
        "tcgen05.shift",
        "UTCSHIFT.DOWN",
        "@lead tcgen05.shift.cta_group::1.down [taddr];\n",
        {"UTCSHIFT.DOWN": 1},
    )


@dataclass(frozen=True)
class Multiply:
    """tcgen05.mma of one form.

    Attributes:
        kind: A key of `_KINDS`.
        columns: N.
        rows: M.
        ctas: CTAs of a group.
        tensor: Whether A lies in tensor memory.
        ws: .ws.
        accumulators: How many D take turns.
    """

    kind: str
    columns: int
    rows: int = 128
    ctas: int = 1
    tensor: bool = False
    ws: bool = False
    accumulators: int = 1

    @property
    def form(self) -> Product:
        """The form of the instruction's text."""
        vector = _VECTORS.get(self.kind, 0)
        return Product(self.kind, self.ctas, self.ws, self.tensor, vector)

    @property
    def sass(self) -> str:
        """The opcode."""
        name, dot, scales = _KINDS[self.kind][2].partition(".")
        return name + ".2CTA" * (self.ctas == 2) + ".WS" * self.ws + dot + scales

    @property
    def axes(self) -> dict[str, Axis]:
        """All that its events do not say."""
        return {
            "kind": self.kind, "M": self.rows, "N": self.columns, "cta_group": self.ctas,
            "A": "tensor memory" if self.tensor else "shared memory", "swizzle": "128b",
            "accumulators": self.accumulators, "ws": int(self.ws), "values": "0 and 1",
        }  # fmt: skip

    def text(self, number: int = 0, accumulate: bool = True) -> str:
        """The instruction, on accumulator `number`, by the lane that leads."""
        a = "[ta]" if self.tensor else "da"
        scales = ", [tsa], [tsb]" if self.form.vector else ""
        enabled = "acc" if accumulate else "others"
        return f"@lead {self.form.opcode} [e{number}], {a}, db, idesc{scales}, {enabled};\n"

    @property
    def core(self) -> Core:
        """A kernel whose D, A and scales are defined."""
        operand, result, _ = _KINDS[self.kind]
        shape = Shape(self.form, self.rows, self.columns, operand, operand, result)
        copy = f"@lead tcgen05.cp.cta_group::{self.ctas}"
        scales = "".join(
            f"add.u32 tmem, taddr, {at}; {copy}.32x128b.warpx4 [tmem], ds;\n"
            for at in (_SFA, _SFB, _SFB + 4)
        )
        first = f"""mov.b32 idesc, {shape.descriptor}; setp.eq.u32 acc, 0, 0;
    add.u32 e0, taddr, 0; add.u32 e1, taddr, {_A // 2};
    add.u32 ta, taddr, {_A}; add.u32 tsa, taddr, {_SFA}; add.u32 tsb, taddr, {_SFB};
    {copy}.128x256b [ta], da;
    {scales * bool(self.form.vector)}"""
        first += "".join(self.text(each, False) for each in range(self.accumulators))
        return Core(self.ctas, operand, first, self.form.vector)

    @property
    def more(self) -> dict[str, Any]:
        """The further fields of its series."""
        return {
            "own": ".reg .b32 idesc, e<2>, ta, tsa, tsb, r<8>;", "first": _AFTER,
            # Of 64 rows, every second 16 lanes hold nothing.
            "after": _AFTER + Form("ld", "16x64b" if self.rows == 64 else "32x32b", 8).instruction(
                _listed("r", 8), "taddr") + " tcgen05.wait::ld.sync.aligned;\n"
            + "".join(f"xor.b32 x, x, r{each}; shf.l.wrap.b32 x, x, x, 5;\n" for each in range(8))
            + "tcgen05.fence::before_thread_sync;",
        }  # fmt: skip

    def period(self, count: int) -> dict[str, int]:
        """So many in SASS, each with the pair of uniform registers that holds its descriptor."""
        return {self.sass: count, "UMOV": 2 * count}

    def rate(self) -> Series:
        """Many with one commit."""
        core, turns = self.core, range(self.accumulators)
        return core.series(
            f"tcgen05.mma {self.sass} rate",
            self.sass,
            _events(self.sass, f"issue of the next {self.sass}, with one commit for all"),
            "rate",
            "".join(self.text(each) for each in turns),
            core.voted(self.period(len(turns)), self.sass, 0),
            axes=self.axes,
            per_link=len(turns),
            # ptxas has descriptors in 32 pairs of uniform registers, and fewer with scales.
            lengths=_SHORT[:-1] + (16,)
            if self.form.vector
            else tuple(each // len(turns) for each in _LONG),
            last=core.commit + core.wait + _AFTER,
            **(self.more),
        )

    def event(self, count: int = 1) -> Series:
        """Each or some with a commit, waited for."""
        return _committed(
            self.core,
            f"tcgen05.mma {self.sass}",
            self.sass,
            self.text() * count,
            self.period(count),
            count,
            axes=self.axes | {"in a commit": count},
            **self.more,
        )


_AFTER = "tcgen05.fence::after_thread_sync;\n"


def _products() -> Iterator[Series]:
    for kind in _KINDS:
        sizes = (16, 32, 64, 96, 128, 192, 256) if kind == "f16" else (64, 128, 256)
        for columns in sizes:
            for ctas, rows in ((1, 128), (2, 256)):
                if columns < 32 * ctas and ctas == 2:
                    continue
                own = Multiply(kind, columns, rows, ctas)
                yield own.rate()
                yield own.event()
                if kind in ("f16", "f8f6f4") and columns in (64, 128, 256):
                    of_tensor = Multiply(kind, columns, rows, ctas, tensor=True)
                    yield of_tensor.rate()
                    yield of_tensor.event()
    for columns in (64, 128, 256):
        yield Multiply("f16", columns, 64).rate()
        yield Multiply("f16", columns, 64).event()
        yield Multiply("f16", columns, ws=True).rate()
        for count in (2, 4):
            yield Multiply("f16", columns).event(count)
    for columns in (64, 128):
        yield Multiply("f16", columns, accumulators=2).rate()


def _commits() -> Iterator[Series]:
    for ctas in (1, 2):
        core = Core(ctas)
        bar = core.bar
        yield core.series(
            "tcgen05.commit",
            bar,
            (
                f"issue of {bar} with nothing pending",
                f"issue of the next, after {TRY} found the phase complete",
            ),
            "event",
            core.commit + core.wait,
            core.voted(core.committed, bar, 0) | ({"UMOV": 1} if ctas == 2 else {}),
            axes={"cta_group": ctas},
            lengths=_SHORT,
        )


#: What ptxas makes of an allocation, its result, and giving it back: it checks both.
_ALLOCATED = {
    "ATOMS.AND": 2, "ATOMS.OR": 2, "BRA": 7, "BRA.U": 2, "CALL.REL.NOINC": 3, "DEPBAR.LE": 2,
    "ELECT": 1, "IMAD.MOV.U32": 5, "IMAD.SHL.U32": 1, "IMAD.U32": 5, "ISETP.EQ.U32.AND": 1,
    "ISETP.NE.AND": 3, "LDS": 3, "LDS.U8": 1, "LOP3.LUT": 4, "MOV": 3, "NANOSLEEP": 1, "R2UR": 1,
    "REDUX": 2, "S2R": 1, "S2UR": 2, "SHF.L.U32": 4, "SHF.R.U32.HI": 1, "STS": 2, "UFLO.U32": 1,
    "ULEA": 2, "ULOP3.LUT": 1, "UMOV": 4, "UTCATOMSWS.AND": 1, "UTCATOMSWS.FIND_AND_SET.ALIGN": 2,
    "VOTEU.ANY": 1, "WARPSYNC.ALL": 1,
}  # fmt: skip


def _allocations() -> Iterator[Series]:
    take = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot+8], {};"
    give = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 tmem, {};"
    for columns in (64, 256):
        yield Core(columns=32).series(
            "tcgen05.alloc and dealloc",
            "UTCATOMSWS.FIND_AND_SET.ALIGN",
            (
                "issue of UTCATOMSWS.FIND_AND_SET.ALIGN",
                "issue of the next, after UTCATOMSWS.AND gave the columns back, with "
                "ptxas's checks",
            ),
            "event",
            take.format(columns) + "ld.volatile.shared.b32 tmem, [slot+8];" + give.format(columns),
            _ALLOCATED,
            axes={"columns": columns},
            lengths=_FEW,
        )


def _tensor_memory() -> Iterator[Series]:
    for shape in SHAPES:
        for form in forms("ld", shape):
            if shape == "32x32b" or form.repeat in (1, 4, 16):
                yield _chase(form)
        for form in forms("ld", shape):
            if form.registers in _LENGTHS and not form.halves:
                yield from (_load_rate(form, warps) for warps in (1, 4))
        for form in forms("st", shape):
            if form.repeat in (1, 4, 16) and form.registers <= 32:
                yield from _stores(form)
    yield from _round_trip()


tcgen05 = SeriesProbe(
    "tcgen05",
    (*_tensor_memory(), *_copies(), *_products(), *_commits(), *_allocations()),
    targets=("sm_100a",),
)
