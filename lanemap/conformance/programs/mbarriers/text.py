"""The text of a program around its parts: registers, addresses, columns of input, slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lanemap.conformance.programs.banks import LETTER_BITS
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.program import ENTRY, PARAMETER_BYTES, Program
from lanemap.conformance.programs.sites import Writer

#: Threads of a CTA.
THREADS = 128
NEAR = "shared::cta.b64"
STATE = "(state)"
_STRIDES = (1, 2, 4, 8, 16, 32)
#: Registers, their types and the lines that set them.
_BEGIN = (
    ("%in", "b64", "ld.param.u64 %in, [in];"),
    ("%out", "b64", "ld.param.u64 %out, [out];"),
    ("%number", "b32", "mov.u32 %number, %tid.x;"),
    ("%cta", "b32", "mov.u32 %cta, %cluster_ctarank;"),
    ("%thread", "b32", f"mad.lo.u32 %thread, %cta, {THREADS}, %number;"),
    ("%column", "b64", "mad.wide.u32 %column, %thread, 4, %in;"),
    *((f"%o{n}", "b64", f"mad.wide.u32 %o{n}, %thread, {n}, %out;") for n in _STRIDES),
    ("%first", "pred", "setp.eq.u32 %first, %number, 0;"),
    ("%other", "b32", "xor.b32 %other, %cta, OTHER;"),
    ("%base", "b32", "mov.u32 %base, m_;"),
    ("%mb", "b32", "mad.lo.u32 %mb, %number, 8, %base;"),
    ("%mbd", "b64", "cvt.u64.u32 %mbd, %mb;"),
    ("%mbg", "b64", "cvta.shared.u64 %mbg, %mbd;"),
    ("%own", "b32", "mapa.shared::cluster.u32 %own, %mb, %cta;"),
    ("%peer", "b32", "mapa.shared::cluster.u32 %peer, %mb, %other;"),
)
MEET = (
    "bar.warp.sync 0xffffffff;",
    "barrier.cluster.arrive.release;",
    "barrier.cluster.wait.acquire;",
)


@dataclass(frozen=True)
class Mbarriers(Program):
    """A program of one cluster.

    Attributes:
        expected: What `Counts` says of each slot, a number for each thread; None where it says
            nothing.
    """

    expected: tuple[tuple[int, ...] | None, ...] = ()


def words(form: str) -> list[str]:
    """Return the qualifiers of a form's mnemonic, `mbarrier` first."""
    return form.partition(" ")[0].split(".")


class Text:
    """A program that grows."""

    def __init__(self, seed: int, cluster: int) -> None:
        """Begin empty, for 1 or 2 CTAs."""
        self.seed, self.cluster = seed, cluster
        self.threads = THREADS * cluster
        self.writer = Writer(self.threads)
        self.variables: list[str] = []
        self._columns: list[Sequence[int]] = []
        self._expected: list[tuple[int, ...] | None] = []

    def line(self, *texts: str) -> None:
        """Append lines."""
        self.writer.line(*texts)

    def register(self, letter: str) -> str:
        """Return a fresh register."""
        return self.writer.temporary(letter)

    def column(self, values: Sequence[int]) -> str:
        """Return a register with a number of each thread's own."""
        name = self.register("r")
        self.line(f"ld.global.b32 {name}, [%column+{4 * self.threads * len(self._columns)}];")
        self._columns.append(values)
        return name

    def guard(self, lanes: Sequence[bool]) -> str:
        """Return `@%p ` for the threads of a list, "" where it has all."""
        if all(lanes):
            return ""
        name, word = self.register("p"), self.column([int(lane) for lane in lanes])
        self.line(f"setp.ne.u32 {name}, {word}, 0;")
        return f"@{name} "

    def keep(
        self, form: str, letter: str, name: str, expected: Sequence[int] | None = None
    ) -> None:
        """Store a register into a slot of a form."""
        self.writer.store(form, [(letter, name)])
        self._expected.append(None if expected is None else tuple(expected))

    def finished(self, name: str, forms: Sequence[str]) -> Mbarriers:
        """Return the whole program."""
        declared = [f".reg .{kind} {register};" for register, kind, _ in _BEGIN]
        for letter, count in sorted(self.writer.temporaries.items()):
            kind = "pred" if letter == "p" else f"b{LETTER_BITS[letter]}"
            declared.append(f".reg .{kind} %t{letter}<{count + 1}>;")
        begin = [text.replace("OTHER", str(self.cluster - 1)) for _, _, text in _BEGIN]
        text = "\n".join([
            ".version 9.0\n.target sm_90a\n.address_size 64",
            f".visible .entry {ENTRY}(.param .u64 in, .param .u64 out, "
            f".param .align 32 .b8 p[{PARAMETER_BYTES}])\n.maxntid {THREADS}, 1, 1\n{{",
            *declared, f".shared .align 8 .b64 m_[{THREADS}];", *self.variables,
            *begin, *self.writer.lines, "ret;", "}", "",
        ])  # fmt: skip
        inputs = b"".join(
            value.to_bytes(4, "little") for column in self._columns for value in column
        )
        slots = tuple(
            replace(slot, compared=slot.form != STATE) for slot in self.writer.slots
        )  # a state's bits are the GPU's own
        chance = Chance("parameters", self.seed)
        return Mbarriers(
            name,
            text,
            tuple(forms),
            self.threads,
            (THREADS, 1, 1),
            inputs,
            bytes(-(-self.writer.end // 32) * 32),
            bytes(chance.bits(8) for _ in range(PARAMETER_BYTES)),
            slots,
            (self.cluster, 1, 1),
            tuple(self._expected),
        )
