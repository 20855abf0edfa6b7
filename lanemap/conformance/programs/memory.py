"""Loads, stores, atomics, cache control, and addresses of every space."""

from __future__ import annotations

import re

from lanemap.conformance.programs.banks import BYTES, LETTER_BITS
from lanemap.conformance.programs.edges import value
from lanemap.conformance.programs.sites import STORE, Site, Writer, stores

#: Registers that hold the address of readable bytes in each space; some hold the same one.
_READ = {
    "g": ["%ga"], "s": ["%sr", "%srd"], "l": ["%la", "%lad"], "c_": ["%ca"], "p": ["p"],
    "cluster": ["%sr"], "generic": ["%ga", "%sg", "%lg"],
}  # fmt: skip
#: Registers that hold the address of the cell that a thread may write.
_WRITE = {
    "s": ["%sw", "%swd"], "l": ["%lw", "%lwd"], "cluster": ["%sw"],
    "generic": ["%swg", "%lwg", "slot"],
}  # fmt: skip
_SPACE = {"%sw": "shared", "%swd": "shared", "%swg": "shared", "%lw": "local", "%lwd": "local",
          "%lwg": "local"}  # fmt: skip
_COMMUTATIVE = ("add", "and", "or", "xor", "min", "max")


def space_of(site: Site, operand: str) -> str:
    """Return the space that an address operand of a form stands for."""
    name = operand[1:-1]
    if site.has("global"):
        return "g"
    if re.fullmatch(r"d\d+", name):
        return "generic"
    return "cluster" if re.fullmatch(r"r\d+", name) else name


def width_of(operand: str) -> tuple[str, int, int]:
    """Return letter and number of the registers of an operand, and their bytes together."""
    letters = re.findall(r"\b([chrdq])\d+\b", operand)
    return letters[0], len(letters), len(letters) * LETTER_BITS[letters[0]] // 8


def policy(site: Site) -> list[str]:
    """Return the operand of a cache hint."""
    return [f"%policy{site.chance.below(3)}"] if site.has("L2::cache_hint") else []


def load(site: Site) -> None:
    """Load from the thread's own bytes, at any aligned offset."""
    size = width_of(site.operands[0])[2]
    target, found = site.destination(site.operands[0], widen=True)
    base = site.chance.of(_READ[space_of(site, site.operands[1])])
    room = 64 if base == "p" else BYTES
    offset = site.chance.below(room // size) * size
    site.emit([target, f"[{base}+{offset}]", *policy(site)])
    site.results(found)


def load_parameter(site: Site) -> None:
    """Load a function parameter: each form gets a function, called with bytes of a bank."""
    writer, number = site.writer, len(site.writer.functions)
    letter, count, size = width_of(site.operands[0])
    offset = site.chance.below(64 // size) * size
    body = Writer(writer.threads)
    inner = Site(site.form, body, 0)
    target, found = inner.destination(site.operands[0])
    lines = stores("global", "%to", STORE[letter], size // count, [name for _, name in found])
    writer.functions.append(
        f".func take{number}(.param .align 32 .b8 p[64], .param .b64 to)\n{{\n"
        f".reg .{STORE[letter]} %t{letter}<{count + 1}>;\n.reg .b64 %to;\n"
        f"ld.param.b64 %to, [to];\n{site.mnemonic} {target}, [p+{offset}];\n"
        + "\n".join(lines)
        + "\nret;\n}"
    )
    address, pointer = writer.slot(site.name, size), writer.temporary("d")
    base, _, place = address.partition("+")
    writer.line(f"add.u64 {pointer}, {base}, {place};", "{")
    writer.line(".param .align 32 .b8 a[64];", ".param .b64 b;")
    writer.line(*(f"st.param.b64 [a+{8 * i}], {site.pick('d')};" for i in range(8)))
    writer.line(f"st.param.b64 [b], {pointer};", f"call take{number}, (a, b);", "}")


def store(site: Site) -> None:
    """Store to the form's slot, or to a cell of the thread that is then read back."""
    letter, _, size = width_of(site.operands[1])
    space = space_of(site, site.operands[0])
    value_text = site.source(site.operands[1])
    base = "slot" if space == "g" else site.chance.of(_WRITE[space])
    if base == "slot":
        address = site.writer.slot(site.name, size)
        site.emit([f"[{address}]", value_text, *policy(site)])
        return
    offset = site.chance.below(BYTES // size) * size
    site.emit([f"[{base}+{offset}]", value_text, *policy(site)])
    read_back(site, base, offset, letter, size)


def read_back(site: Site, base: str, offset: int, letter: str, size: int) -> None:
    """Load what a form left in a cell, and store it in the form's slot."""
    width = min(size, LETTER_BITS[letter] // 8)
    names = [site.writer.temporary(letter) for _ in range(size // width)]
    own = {"%swg": "%sw", "%lwg": "%lw"}.get(base, base)
    for number, name in enumerate(names):
        place = f"[{own}+{offset + number * width}]"
        site.writer.line(f"ld.{_SPACE[base]}.{STORE[letter]} {name}, {place};")
    site.writer.store(site.name, [(letter, name) for name in names])


def atomic(site: Site) -> None:
    """Update the thread's own cell atomically, or a shared cell if the order does not matter."""
    returns = site.opcode == "atom"
    data = site.operands[2 if returns else 1]
    integer = not {"f16", "bf16", "f16x2", "bf16x2", "f32", "f64"} & set(site.tokens)
    if integer and set(_COMMUTATIVE) & set(site.tokens) and site.chance.one_in(5):
        _contended(site, data, returns)
        return
    letter, count, size = width_of(data)
    width = size // count
    space = space_of(site, site.operands[1 if returns else 0])
    bases = ["slot"] if space == "g" else _WRITE[space]
    bases = [name for name in bases if not name.startswith("%l")]
    if count > 1:
        bases = ["slot"]  # Vectors exist in global memory only.
    base = site.chance.of(bases)
    kind = site.kind_of(letter)
    offset = 0
    if base == "slot":
        address = site.writer.slot(site.name, size)
        _fill(site, kind, letter, count)
    else:
        offset = site.chance.below(BYTES // size) * size
        address = f"{base}+{offset}"
        for part in range(count):
            where = f"{'%sw'}+{offset + part * width}"
            site.writer.line(f"st.shared.{STORE[letter]} [{where}], {site.pick(letter, kind)};")
    target, found = site.destination(site.operands[0]) if returns else ("", [])
    operands = [target] if returns else []
    operands += [f"[{address}]", *(site.source(o, kind) for o in _data(site, returns))]
    site.emit(operands + policy(site))
    site.results(found)
    if base != "slot":
        read_back(site, "%sw", offset, letter, size)


def _data(site: Site, returns: bool) -> list[str]:
    """Return the operands after the address, without the cache policy."""
    operands = site.operands[2 if returns else 1 :]
    return operands[:-1] if site.has("L2::cache_hint") else operands


def _fill(site: Site, kind: str, letter: str, count: int) -> None:
    """Set the initial values of the last slot."""
    slot, width = site.writer.slots[-1], LETTER_BITS[letter]
    kind = "h" if (letter, kind) == ("h", "f") else kind
    for thread in range(site.writer.threads):
        data = b"".join(
            value(site.chance, kind, width).to_bytes(width // 8, "little") for _ in range(count)
        )
        site.writer.initial[slot.offset + thread * slot.stride] = data


def _contended(site: Site, data: str, returns: bool) -> None:
    """Let all threads update one cell; the final value does not depend on their order."""
    letter, _, size = width_of(data)
    space = space_of(site, site.operands[1 if returns else 0])
    kind = STORE[letter]
    line = site.writer.line
    target = [site.writer.temporary(letter)] if returns else []
    if space == "g" or (space == "generic" and site.chance.one_in(2)):
        address = site.writer.slot(site.name, size, common=True)
        offset = site.writer.slots[-1].offset
        site.writer.initial[offset] = value(site.chance, "i", 8 * size).to_bytes(size, "little")
        site.emit([*target, f"[{address}]", site.source(data, "i"), *policy(site)])
        return
    cell = {"generic": "%commong", "s": "common", "cluster": "%common"}[space]
    initial = site.pick(letter, "i")
    line(f"@%first st.shared.{kind} [common], {initial};", "bar.sync 0;")
    site.emit([*target, f"[{cell}]", site.source(data, "i"), *policy(site)])
    result = site.writer.temporary(letter)
    line("bar.sync 0;", f"ld.shared.{kind} {result}, [common];", "bar.sync 0;")
    site.results([(letter, result)])


def cache_control(site: Site) -> None:
    """Prefetch or discard 128 bytes of the thread's own that nothing reads."""
    address = {"[g]": "[%scratch]", "[l]": "[%lad]"}.get(site.operands[0], "[%scratch]")
    site.emit([address, *site.operands[1:]])


def fence(site: Site) -> None:
    """Fence; a fence of a tensor map names 128 bytes."""
    site.emit(["[%scratch]", "128"] if site.operands else [])


def create_policy(site: Site) -> None:
    """Make a cache policy."""
    target, found = site.destination(site.operands[0])
    if site.has("cvt"):
        operands = ["%policy0"]
    elif site.has("range"):
        operands = ["[%scratch]", *site.operands[2:]]
    else:
        operands = site.operands[1:]
    site.emit([target, *operands])
    site.results(found)
