"""Forms that compute registers from registers."""

from __future__ import annotations

from lanemap.conformance.programs.sites import Site

#: Which operands, counted from the first source, are shift amounts, positions or lengths.
_POSITIONS = {
    "shl": (1,), "shr": (1,), "shf": (2,), "bfe": (1, 2), "bfi": (2, 3), "bmsk": (0, 1),
    "szext": (1,), "vshl": (1,), "vshr": (1,), "fns": (2,),
}  # fmt: skip


def plain(site: Site) -> None:
    """Read bank registers, write new registers, store them; sometimes under a guard."""
    positions = _POSITIONS.get(site.opcode, ())
    target, found = site.destination(site.operands[0], widen=site.opcode == "cvt")
    sources = [
        _immediate(site, operand) or site.source(operand, "s" if number in positions else None)
        for number, operand in enumerate(site.operands[1:])
    ]
    if site.opcode in ("min", "max") and sources[0] == sources[1]:
        # ptxas folds the minimum or maximum of a value with itself.
        sources[1] = site.other(sources[1])
    if site.opcode == "fns":
        sources[1] = "%lane"  # Positions above 31 are undefined.
    guard = ""
    if _may_be_guarded(site, found) and site.chance.one_in(8):
        guard = f"@{site.chance.of(['', '!'])}{site.pick('p')} "
        for letter, name in found:
            width = {"h": 16, "r": 32, "d": 64}[letter]
            site.writer.line(f"mov.b{width} {name}, {site.chance.bits(15)};")
    site.emit([target, *sources], guard)
    site.results(found)


def _may_be_guarded(site: Site, found: list[tuple[str, str]]) -> bool:
    """Return whether ptxas compiles a guard correctly; see exceptions.py."""
    if site.opcode == "set" and site.tokens[-2][0] in "fb":
        return False
    if site.opcode[0] == "v" and site.opcode[-1] in "24":
        return False
    return all(letter in "hrd" for letter, _ in found)


def _immediate(site: Site, operand: str) -> str | None:
    """Return an immediate; every value is a legal truth table of lop3."""
    return f"{site.chance.bits(8):#x}" if operand == "0x96" else None


def carrying(site: Site) -> None:
    """Extended precision: an addition before sets the carry, and one after uses it."""
    borrow = site.opcode in ("sub", "subc")
    before, after = ("sub", "subc") if borrow else ("add", "addc")
    line, temporary = site.writer.line, site.writer.temporary
    if site.opcode in ("addc", "subc", "madc"):
        x, y = site.pick("r", "i"), site.pick("r", "i")
        line(f"{before}.cc.u32 {temporary('r')}, {x}, {y};")
    target, found = site.destination(site.operands[0])
    site.emit([target, *(site.source(operand) for operand in site.operands[1:])])
    if site.has("cc"):
        carry = temporary("r")
        line(f"{after}.u32 {carry}, 0, 0;")
        found = [*found, ("r", carry)]
    site.results(found)


def special_register(site: Site) -> None:
    """Store the value of a special register."""
    target, found = site.destination(site.operands[0])
    site.emit([target, site.operands[1]])
    site.results(found)


def without_result(site: Site) -> None:
    """Run an instruction that has no result."""
    operands = [site.source(o) if o[0] in "rd" else o for o in site.operands]
    if site.opcode == "nanosleep":
        operands = [str(site.chance.below(40))]
    elif site.opcode == "pmevent":
        operands = [str(site.chance.below(16))]
    site.emit(operands)


def never(site: Site) -> None:
    """An instruction that would end the kernel, under a predicate that is always false."""
    site.emit([], "@%never ")
