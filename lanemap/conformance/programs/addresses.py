"""Addresses: conversions between spaces, addresses in a cluster, the stack."""

from __future__ import annotations

from lanemap.conformance.programs.banks import BYTES
from lanemap.conformance.programs.sites import Site

#: The register that holds an address in each space, and the one with its generic address.
_BOTH = {
    "global": ("%ga", "%ga"), "const": ("%ca", "%cg"), "local": ("%lad", "%lg"),
    "shared": ("%srd", "%sg"), "shared::cta": ("%srd", "%sg"), "shared::cluster": ("%srd", "%sg"),
    "param": ("%pa", "%pg"), "param::entry": ("%pa", "%pg"),
}  # fmt: skip


def _space(site: Site) -> str:
    return next(token for token in site.tokens if token in _BOTH)


def convert(site: Site) -> None:
    """Convert an address and load through it."""
    space, temporary, line = _space(site), site.writer.temporary, site.writer.line
    inside, generic = _BOTH[space]
    found, result = temporary("d"), temporary("r")
    offset = 4 * site.chance.below(BYTES // 4)
    back = site.has("to")
    site.emit([found, generic if back else inside])
    if space.startswith("param") and back:
        # Only this load accepts a register as an address in an entry's .param space.
        line(f"ld.param.b32 {result}, [{found}+{offset}];")
    else:
        line(f"ld{'.' + space if back else ''}.b32 {result}, [{found}+{offset}];")
    site.results([("r", result)])


def which_space(site: Site) -> None:
    """Ask whether a generic address lies in the form's space."""
    target, found = site.destination(site.operands[0])
    site.emit([target, site.chance.of(["%ga", "%sg", "%lg", "%cg"])])
    site.results(found)


def which_kind(site: Site) -> None:
    """Ask whether an address of plain memory is a texture's."""
    target, found = site.destination(site.operands[0])
    site.emit([target, "%ga"])
    site.results(found)


def map_address(site: Site) -> None:
    """Map an address of the CTA's own shared memory into the cluster, and load from it."""
    temporary, line = site.writer.temporary, site.writer.line
    wide, near = site.has("u64"), site.has("shared::cluster")
    found, result = temporary("d" if wide else "r"), temporary("r")
    offset = 4 * site.chance.below(BYTES // 4)
    site.emit([found, _shared(site), "0"])
    if not wide and not near:
        return  # A 32-bit value is not a generic address here, so there is nothing to load from.
    line(f"ld{'.shared::cluster' if near else ''}.b32 {result}, [{found}+{offset}];")
    site.results([("r", result)])


def rank(site: Site) -> None:
    """Ask which CTA of the cluster a shared address belongs to."""
    target, found = site.destination(site.operands[0])
    site.emit([target, _shared(site)])
    site.results(found)


def _shared(site: Site) -> str:
    if site.has("shared::cluster"):
        return "%srd" if site.has("u64") else "%sr"
    return "%sg" if site.has("u64") else "%sr"


def stack(site: Site) -> None:
    """Allocate bytes on the stack, write and read them, and free them."""
    line, temporary = site.writer.line, site.writer.temporary
    kind, letter = ("u64", "d") if site.has("u64") else ("u32", "r")
    saved, place, result = temporary(letter), temporary(letter), temporary("r")
    line(f"stacksave.{kind} {saved};", f"alloca.{kind} {place}, 64;")
    line(f"st.local.b32 [{place}+{4 * site.chance.below(16)}], {site.pick('r', 'i')};")
    line(f"st.local.b32 [{place}], {site.pick('r', 'i')};")
    line(f"ld.local.b32 {result}, [{place}];", f"stackrestore.{kind} {saved};")
    site.results([("r", result)])
