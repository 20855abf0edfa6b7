"""mma.sync: when its result can be an operand, and how often one issues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.timing.elements import DOUBLE, ONES, drawn
from lanemap.timing.series import Series, SeriesProbe


@dataclass(frozen=True)
class Sync:
    """One mma.sync.

    Attributes:
        sass: What ptxas makes of it.
        shape: The shape in PTX.
        types: Types of D and of A and B.
        registers: Registers of D, A and B in each thread.
        more: Modifiers after the types.
        sparse: Whether A is sparse.
    """

    sass: str
    shape: str
    types: tuple[str, str]
    registers: tuple[int, int, int]
    more: str = ""
    sparse: bool = False

    @property
    def f64(self) -> bool:
        """Whether it is of doubles, whose results release a barrier."""
        return self.types[1] == "f64"

    def text(self, d: str, a: str, b: str, c: str) -> str:
        """The instruction with the operands' names, each register of which has a number."""
        result, kind = self.types
        saturates = ".satfinite" if self.sass.endswith("SAT") else ""
        name = "mma.sp::ordered_metadata" if self.sparse else "mma"
        operands = ", ".join(
            "{" + ", ".join(each.split() if " " in each else _numbered(each, count)) + "}"
            for each, count in zip((d, a, b, c), (*self.registers, self.registers[0]), strict=True)
        )
        return (
            f"{name}.sync.aligned.{self.shape}.row.col{saturates}.{result}.{kind}.{kind}.{result}"
            f"{self.more} {operands}{', sparsity, 0x0' * self.sparse};"
        )

    @property
    def declared(self) -> str:
        """Its registers: four accumulators, A, B, C and what selects."""
        width = "b64" if self.f64 else "b32"
        names = [f"{name}<{max(self.registers)}>" for name in ("v", "w", "r", "s", "fa", "fb", "c")]
        return f".reg .{width} {', '.join(names)}, ones, z; .reg .b32 lane, group, sparsity, drawn;"


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name}{number}" for number in range(count)]


_F16, _F32, _S32 = ("f16", "f16"), ("f32", "f16"), ("s32", "s8")
_BF16, _TF32, _F64 = ("f32", "bf16"), ("f32", "tf32"), ("f64", "f64")
_SYNC = (
    Sync("HMMA.1688.F16", "m16n8k8", _F16, (2, 2, 1)),
    Sync("HMMA.16816.F16", "m16n8k16", _F16, (2, 4, 2)),
    Sync("HMMA.1688.F32", "m16n8k8", _F32, (4, 2, 1)),
    Sync("HMMA.16816.F32", "m16n8k16", _F32, (4, 4, 2)),
    Sync("HMMA.1688.F32.BF16", "m16n8k8", _BF16, (4, 2, 1)),
    Sync("HMMA.16816.F32.BF16", "m16n8k16", _BF16, (4, 4, 2)),
    Sync("HMMA.1684.F32.TF32", "m16n8k4", _TF32, (4, 2, 1)),
    Sync("HMMA.1688.F32.TF32", "m16n8k8", _TF32, (4, 4, 2)),
    Sync("IMMA.8816.S8.S8", "m8n8k16", _S32, (2, 1, 1)),
    Sync("IMMA.16816.S8.S8", "m16n8k16", _S32, (4, 2, 1)),
    Sync("IMMA.16832.S8.S8", "m16n8k32", _S32, (4, 4, 2)),
    Sync("IMMA.16832.S8.S8.SAT", "m16n8k32", _S32, (4, 4, 2)),
    Sync("IMMA.16832.U8.U8", "m16n8k32", ("s32", "u8"), (4, 4, 2)),
    Sync("BMMA.88128.AND.POPC", "m8n8k128", ("s32", "b1"), (2, 1, 1), ".and.popc"),
    Sync("BMMA.168128.AND.POPC", "m16n8k128", ("s32", "b1"), (4, 2, 1), ".and.popc"),
    Sync("BMMA.168256.AND.POPC", "m16n8k256", ("s32", "b1"), (4, 4, 2), ".and.popc"),
    Sync("DMMA.8x8x4", "m8n8k4", _F64, (2, 1, 1)),
    Sync("DMMA.16x8x4", "m16n8k4", _F64, (4, 2, 1)),
    Sync("DMMA.16x8x8", "m16n8k8", _F64, (4, 4, 2)),
    Sync("DMMA.16x8x16", "m16n8k16", _F64, (4, 8, 4)),
    Sync("HMMA.SP.16816.F16", "m16n8k16", _F16, (2, 2, 2), sparse=True),
    Sync("HMMA.SP.16832.F16", "m16n8k32", _F16, (2, 4, 4), sparse=True),
    Sync("HMMA.SP.16816.F32", "m16n8k16", _F32, (4, 2, 2), sparse=True),
    Sync("HMMA.SP.16832.F32", "m16n8k32", _F32, (4, 4, 4), sparse=True),
    Sync("HMMA.SP.16816.F32.BF16", "m16n8k16", _BF16, (4, 2, 2), sparse=True),
    Sync("HMMA.SP.16832.F32.BF16", "m16n8k32", _BF16, (4, 4, 4), sparse=True),
    Sync("HMMA.SP.1688.F32.TF32", "m16n8k8", _TF32, (4, 2, 2), sparse=True),
    Sync("HMMA.SP.16816.F32.TF32", "m16n8k16", _TF32, (4, 4, 4), sparse=True),
    Sync("IMMA.SP.16832.S8.S8", "m16n8k32", _S32, (4, 2, 2), sparse=True),
    Sync("IMMA.SP.16864.S8.S8", "m16n8k64", _S32, (4, 4, 4), sparse=True),
)


def _operands(form: Sync) -> str:
    """Random A and B, once."""
    return (
        _LANE
        + "mov.u32 sparsity, 0x44444444;\n"
        + "".join(
            drawn(form.types[1], f"{name}{number}", 16 * salt + number)
            for salt, (name, count) in enumerate(zip(("fa", "fb"), form.registers[1:], strict=True))
            for number in range(count)
        )
    )


_LANE = "and.b32 lane, thread, 3; shr.u32 group, thread, 2; and.b32 group, group, 7;\n"


def _zeroed(form: Sync, names: str) -> str:
    """Accumulators of 0, which nothing can compute before the clock is read."""
    # Equal accumulators would be merged into one, and equal words copied.
    zero = "and.b32 {to}, low, {odd};"
    if form.f64:
        zero = "and.b32 u0, low, {odd}; and.b32 u1, low, {more}; mov.b64 {to}, {{u0, u1}};"
    every = [f"{name}{number}" for name in names for number in range(form.registers[0])]
    return "and.b32 low, low, zero;\n" + "\n".join(
        zero.format(to=to, odd=4 * number + 1, more=4 * number + 3)
        for number, to in enumerate(every)
    )


def _folded(form: Sync, names: str) -> str:
    """Every accumulator in x."""
    fold = "mov.b64 {{u0, u1}}, {of}; xor.b32 x, x, u0; xor.b32 x, x, u1;"
    if not form.f64:
        fold = "xor.b32 x, x, {of};"
    # x goes round, so that equal accumulators do not cancel.
    return "\n".join(
        fold.format(of=f"{name}{number}") + " shf.l.wrap.b32 x, x, x, 5;"
        for name in names
        for number in range(form.registers[0])
    )


def _latency(form: Sync, operand: str, a: str, b: str, c: str, setup: str) -> Series:
    """A chain whose every link reads D as that operand.

    Doubles take turns between two D: ptxas would copy one that is A or B too.
    """
    turns = [("v", "v")] if not form.f64 else [("v", "w"), ("w", "v")]
    links = [form.text(d, *(each.replace("v", last) for each in (a, b, c))) for d, last in turns]
    return Series(
        f"{form.sass} D to {operand}",
        form.sass,
        (f"issue of {form.sass}", f"issue of {form.sass} with D as {operand}"),
        "variable latency" if form.f64 else "fixed latency",
        link="\n".join(links),
        period={form.sass: len(turns)},
        per_link=len(turns),
        lengths=(2, 4, 6, 8, 10) if form.f64 else (8, 12, 16, 28, 44),
        registers=form.declared,
        setup=_operands(form) + setup,
        first=_zeroed(form, "vw"[: len(turns)]),
        last=_folded(form, turns[-1][0]),
        ptx="8.5",
    )


def _one(kind: str, to: str, condition: str, half: str = "") -> str:
    """1 where lane and group, the row or column of an operand, meet the condition; else 0.

    `half` says which half of the register: "low", "high".
    """
    _, value = ONES[kind]
    value <<= 16 * (half == "high")
    test = {
        "same": "mov.u32 drawn, lane;",
        "next": "add.u32 drawn, lane, 4;",
        "even": "add.u32 drawn, lane, lane;",
        "odd": "mad.lo.u32 drawn, lane, 2, 1;",
        "quad": "and.b32 u0, group, 3; sub.u32 drawn, group, u0; add.u32 drawn, drawn, lane;",
    }[condition]
    text = f"{test} setp.eq.u32 p, drawn, group; selp.u32 drawn, {value}, 0, p; "
    if kind == "f64":
        return text + DOUBLE.format(to=to)
    return f"{text}mov.b32 {to}, drawn;\n"


def _nothing(form: Sync, to: str) -> str:
    return f"mov.u32 drawn, 0; {DOUBLE.format(to=to)}" if form.f64 else f"mov.b32 {to}, zero;\n"


def _ones(form: Sync) -> str:
    """C of ones."""
    result = form.types[0]
    bits, one = ONES[result]
    copy = DOUBLE if result == "f64" else "mov.b32 {to}, drawn;\n"
    return f"mov.u32 drawn, {bits * one};\n" + "".join(
        copy.format(to=f"c{number}") for number in range(form.registers[0])
    )


def _selecting(form: Sync, name: str, count: int) -> str:
    """An operand that selects: D of the next link is D of this one in another order, plus 1."""
    kind = form.types[1]
    # A has two registers for each of B: its other eight rows are the same.
    wide = name == "fa" and count > 1
    chosen = ["quad"] if count == 1 + wide else ["same", "next"]
    if kind == "f16":
        low, high = (
            _one(kind, to, odd, half)
            for to, odd, half in (
                ("fb0" if name == "fa" else "fa0", "even", "low"),
                (f"{name}0", "odd", "high"),
            )
        )
        other = "fb0" if name == "fa" else "fa0"
        text = low + high + f"or.b32 {name}0, {name}0, {other};\n"
        rest = range(1, count)
        if not wide:
            return text + "".join(_nothing(form, f"{name}{each}") for each in rest)
        own = {count - 1}
        return text + "".join(
            f"mov.b32 {name}{each}, {name}0;\n" if each in own else _nothing(form, f"{name}{each}")
            for each in rest
        )
    text = ""
    for number in range(count):
        place = number // (1 + wide)
        text += (
            _one(kind, f"{name}{number}", chosen[place], "high" * (kind == "bf16"))
            if place < len(chosen)
            else _nothing(form, f"{name}{number}")
        )
    return text


def _reused(form: Sync) -> Iterator[Series]:
    """Chains through A and through B, where the type of D, or its bits, can be theirs.

    D of f32 is read as tf32, or as pairs of bf16 of which the lower is 0: small integers are exact.
    """
    d, a, b = form.registers
    if form.sparse or form.types == _F32:
        return
    integers = form.types[0] == "s32"
    ones = "" if integers else _ones(form)
    if integers:
        ones = "".join(drawn("s32", f"c{number}", 99 + number) for number in range(d))
    for operand, name, count, other, size in (("A", "fa", a, "fb", b), ("B", "fb", b, "fa", a)):
        given = " ".join([*_numbered("v", min(d, count)), *(f"{name}{i}" for i in range(d, count))])
        setup = ones
        if not integers:
            setup += _selecting(form, other, size)
            setup += "".join(_nothing(form, f"{name}{i}") for i in range(d, count))
        given = given if " " in given else f"{given} "
        if operand == "A" and a == 8:
            continue  # ptxas copies what A has besides D.
        pair = (given, other) if operand == "A" else (other, given)
        yield _latency(form, operand, *pair, "c", setup)


def _chains(form: Sync, chains: int, warps: int) -> Series:
    """Independent accumulators in turn."""
    names = "vwrs"[:chains]
    return Series(
        f"{form.sass} rate",
        form.sass,
        (f"issue of {form.sass}", f"issue of the next {form.sass} of the warp"),
        "rate",
        link="\n".join(form.text(name, "fa", "fb", name) for name in names),
        period={form.sass: chains},
        axes={"accumulators": chains, "warps": warps, "values": "0 and 1, integers random"},
        warps=warps,
        per_link=chains,
        lengths=tuple(each // chains for each in (8, 16, 24, 32, 40)),
        # In a loop ptxas moves the accumulators of sparse forms.
        trips=1 if ".SP." in form.sass else 16,
        registers=form.declared,
        setup=_operands(form),
        first=_zeroed(form, names),
        last=_folded(form, names),
        exact=False,
        ptx="8.5",
    )


#: Accumulators and warps of the rates.
_RATES = ((1, 1), (2, 1), (4, 1), (1, 8), (4, 4), (4, 8))


def _sync() -> Iterator[Series]:
    for form in _SYNC:
        yield _latency(form, "C", "fa", "fb", "v", "")
        yield from _reused(form)
        for chains, warps in _RATES:
            # ptxas copies several accumulators of doubles of 16 rows.
            if chains == 1 or not form.sass.startswith("DMMA.16"):
                yield _chains(form, chains, warps)


mma = SeriesProbe("mma", series=tuple(_sync()))


def _eight_bits() -> Iterator[Series]:
    """f8, of which ptxas makes f16: it unpacks both halves of A and B, and adds C afterwards.

    Every operand depends on the link before, so that all of that is in each link.
    """
    for kind, sass in (("e4m3", "E4M3"), ("e5m2", "E5M2")):
        form = Sync("HMMA.16816.F32", "m16n8k32", ("f32", kind), (4, 4, 2))
        unpack = f"F2FP.F16.{sass}.UNPACK_B"
        parts = {unpack: 12, "HMMA.16816.F32": 2, "FADD": 4, "LOP3.LUT": 6}
        given = [*(f"fa{n}" for n in range(4)), *(f"fb{n}" for n in range(2))]
        mixed = [each.replace("f", "m") for each in given]
        links = {
            "D to A and B": (
                "event",
                "".join(
                    f"lop3.b32 {to}, {of}, v{n % 4}, zero, 0x78; "
                    for n, (to, of) in enumerate(zip(mixed, given, strict=True))
                ),
            ),
            "rate": (
                "rate",
                "".join(f"lop3.b32 {each}, {each}, k{{i%4}}, zero, 0x78; " for each in mixed),
            ),
        }
        copies = "".join(f"mov.b32 {to}, {of};\n" for to, of in zip(mixed, given, strict=True))
        what = f"{unpack}, HMMA.16816.F32, FADD and LOP3.LUT of an mma.sync.m16n8k32 of {kind}"
        for name, (cls, mix) in links.items():
            for warps in (1,) if cls == "event" else (1, 4, 8):
                yield Series(
                    f"mma.sync.m16n8k32.{kind} {name}",
                    unpack,
                    (
                        f"issue of the first of {what}",
                        "issue of the first of the next, all of whose operands depend on D"
                        if cls == "event"
                        else "issue of the first of the next by the warp",
                    ),
                    cls,
                    mix + form.text("v", "ma", "mb", "v"),
                    parts,
                    {"warps": warps},
                    warps=warps,
                    lengths=(2, 4, 6, 8, 10),
                    trips=1 if cls == "event" else 8,
                    registers=form.declared + ".reg .b32 ma<4>, mb<2>;",
                    setup=_operands(form) + copies,
                    first=_zeroed(form, "v"),
                    last=_folded(form, "v"),
                    exact=cls == "event",
                    ptx="8.5",
                )


mma_fp8 = SeriesProbe("mma_fp8", series=tuple(_eight_bits()), targets=("sm_90a",))
