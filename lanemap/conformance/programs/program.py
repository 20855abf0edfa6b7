"""A program: one kernel that uses many forms, with its inputs and its output slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs import (
    addresses,
    banks,
    control,
    meetings,
    memory,
    objects,
    plain,
    prologue,
    structure,
)
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.sites import Site, Slot, Writer
from lanemap.conformance.programs.structure import Structure

ENTRY = "program"
PARAMETER_BYTES = 64
#: Shapes of a block by its number of threads.
SHAPES = {64: ((64, 1, 1), (16, 2, 2), (32, 2, 1)), 128: ((128, 1, 1), (32, 4, 1), (8, 8, 2))}
_LOOPED = 8


@dataclass(frozen=True)
class Choices:
    """The random choices of one program; `plan` assigns its forms."""

    seed: int
    threads: int
    shape: int
    structure: Structure | None


@dataclass(frozen=True)
class Program:
    """One kernel to be launched once, with one block or one cluster of blocks.

    Attributes:
        name: Its number, or that of the program that it was reduced from.
        text: The PTX.
        forms: Names of the forms in it, each once.
        threads: Threads of all blocks.
        block: Its shape.
        inputs: The input array; read only.
        output: The output array before the launch.
        parameters: 64 bytes by value.
        slots: Where results lie in the output.
        cluster: The CTAs that are launched, all of one cluster.
    """

    name: str
    text: str
    forms: tuple[str, ...]
    threads: int
    block: tuple[int, int, int]
    inputs: bytes
    output: bytes
    parameters: bytes
    slots: tuple[Slot, ...]
    cluster: tuple[int, int, int] = (1, 1, 1)


Arrange = Callable[[Site], None]
_ARRANGED: dict[str, Arrange] = {
    **dict.fromkeys(("ldu",), memory.load),
    "st": memory.store,
    **dict.fromkeys(("atom", "red"), memory.atomic),
    **dict.fromkeys(("prefetch", "prefetchu", "applypriority", "discard"), memory.cache_control),
    "createpolicy": memory.create_policy,
    **dict.fromkeys(("fence", "membar"), memory.fence),
    "cvta": addresses.convert,
    "isspacep": addresses.which_space,
    "istypep": addresses.which_kind,
    "mapa": addresses.map_address,
    "getctarank": addresses.rank,
    **dict.fromkeys(("alloca", "stacksave", "stackrestore"), addresses.stack),
    **dict.fromkeys(("shfl", "vote", "match", "redux", "elect", "activemask"),
                    meetings.collective),
    **dict.fromkeys(("nanosleep", "pmevent", "griddepcontrol"), plain.without_result),
    "setmaxnreg": meetings.registers,
    "mbarrier": objects.mbarrier,
    **dict.fromkeys(("trap", "brkpt"), plain.never),
    "bra": control.branch,
    "brx": control.indexed,
    "ret": control.leave,
    "exit": control.end,
}  # fmt: skip


def arrangement(form: Form) -> Arrange:
    """Return the function that writes a form, by its opcode."""
    tokens = form.name.partition(" ")[0].split(".")
    opcode = tokens[0]
    if opcode == "ld":
        return memory.load_parameter if form.context == "func" else memory.load
    if opcode in ("bar", "barrier"):
        if "warp" in tokens:
            return meetings.warp_barrier
        return meetings.cluster_barrier if "cluster" in tokens else meetings.barrier
    if opcode in ("addc", "subc", "madc") or (opcode in ("add", "sub", "mad") and "cc" in tokens):
        return plain.carrying
    if opcode == "mov" and "%" in form.statement:
        return plain.special_register
    return _ARRANGED.get(opcode, plain.plain)


def build(name: str, choices: Choices, forms: Sequence[Form]) -> Program:
    """Write a program. The text of a form does not depend on the other forms."""
    writer = Writer(choices.threads)
    order = Chance("order", choices.seed).shuffled(forms)
    last = [form for form in order if form.name == "exit"]
    rest = [form for form in order if form.name != "exit"]
    chosen = choices.structure
    looped: list[Form] = []
    if chosen is not None:
        looped = [form for form in rest if arrangement(form) is plain.plain][:_LOOPED]
        rest = [form for form in rest if form not in looped]
    quarter = len(rest) // 4
    parts = [rest[:quarter], rest[quarter:2 * quarter], rest[2 * quarter:3 * quarter],
             rest[3 * quarter:]]  # fmt: skip
    for number, part in enumerate(parts):
        for form in part:
            _write(form, writer, choices.seed)
        if chosen is not None and number == 0:
            body = [partial(_write, form, writer, choices.seed) for form in looped]
            structure.loop(writer, chosen, body)
        if chosen is not None and number == 1:
            structure.exchange(writer, chosen)
        if chosen is not None and number == 2:
            structure.collective(writer, chosen)
    for form in last:
        _write(form, writer, choices.seed)
    names = tuple(form.name for form in forms)
    return _finished(name, choices, names, writer)


def _write(form: Form, writer: Writer, seed: int) -> None:
    arrangement(form)(Site(form, writer, seed))


def _finished(name: str, choices: Choices, forms: tuple[str, ...], writer: Writer) -> Program:
    """Assemble the prologue, the body and the functions."""
    declared, begin = prologue.write(writer.lines, writer.threads)
    for letter, count in sorted(writer.temporaries.items()):
        kind = "pred" if letter == "p" else f"b{banks.LETTER_BITS[letter]}"
        declared.append(f".reg .{kind} %t{letter}<{count + 1}>;")
    registers = any(form.startswith("setmaxnreg") for form in forms)
    limits = f".maxntid {choices.threads}, 1, 1\n.maxnreg 128\n" if registers else ""
    text = "\n".join([
        ".version 9.0\n.target sm_90a\n.address_size 64",
        prologue.module_variables(choices.seed, writer.threads) + "\n".join(writer.functions),
        f".visible .entry {ENTRY}(.param .u64 in, .param .u64 out, "
        f".param .align 32 .b8 p[{PARAMETER_BYTES}])\n{limits}{{",
        *declared, prologue.entry_variables(writer.threads), *begin, *writer.lines, "ret;", "}", "",
    ])  # fmt: skip
    output = bytearray(-(-writer.end // 32) * 32)
    for offset, data in writer.initial.items():
        output[offset : offset + len(data)] = data
    chance = Chance("parameters", choices.seed)
    shape = SHAPES[choices.threads][0 if registers else choices.shape]
    return Program(
        name,
        text,
        forms,
        choices.threads,
        shape,
        banks.fill(choices.seed, choices.threads),
        bytes(output),
        bytes(chance.bits(8) for _ in range(PARAMETER_BYTES)),
        tuple(writer.slots),
    )
