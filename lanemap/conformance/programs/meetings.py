"""Forms that synchronize threads: warp collectives, CTA barriers and cluster barriers."""

from __future__ import annotations

from lanemap.conformance.programs.sites import Site

ALL = "0xffffffff"
#: Operand c of shfl: bits 12 to 8 are the segment mask, bits 4 to 0 the clamp.
_CLAMPS = (0x1F, 0x1F, 0x0, 0x181F, 0x1C03, 0x101F, 0x1E1F, 0x1F0F)


def collective(site: Site) -> None:
    """A collective of a whole warp."""
    target, found = site.destination(site.operands[0])
    sources = list(site.operands[1:])
    if site.opcode == "shfl":
        clamp = str(site.chance.of(_CLAMPS))
        sources = [site.pick("r"), site.pick("r", "s"), clamp, ALL]
    elif site.opcode == "match":
        letter = "d" if site.has("b64") else "r"
        few = site.pick("r", "m")
        if letter == "d":
            wide = site.writer.temporary("d")
            site.writer.line(f"mov.b64 {wide}, {{{site.pick('r', 'm')}, {few}}};")
            few = wide
        sources = [few, ALL]
    elif site.opcode != "activemask":
        sources = [*(site.source(operand) for operand in sources[:-1]), ALL]
    site.emit([target, *sources])
    site.results(found)


def warp_barrier(site: Site) -> None:
    """Synchronize the warp after a store that a neighbor then reads."""
    _around(site, lambda: site.emit([ALL]), "warp")


def barrier(site: Site) -> None:
    """Synchronize the CTA at a barrier of the form's own; a form that only arrives frees others."""
    number = str(1 + site.chance.below(15))
    if site.has("arrive"):
        _producer(site, number)
    elif site.has("red"):
        target, found = site.destination(site.operands[0])
        negated = site.chance.of(["", "!"])
        site.emit([target, number, negated + site.pick("p")])
        site.results(found)
    else:
        _around(site, lambda: site.emit([number]), "cta")


def cluster_barrier(site: Site) -> None:
    """Arrive and wait at the cluster barrier; the form does one of the two."""
    line = site.writer.line

    def meet() -> None:
        if site.has("relaxed"):
            line("fence.acq_rel.cluster;")
        if site.has("arrive"):
            site.emit([])
            line("barrier.cluster.wait;")
        else:
            line("barrier.cluster.arrive;")
            site.emit([])

    _around(site, meet, "cta")


def _around(site: Site, meet, reach: str) -> None:  # type: ignore[no-untyped-def]
    """Store a word, synchronize, read another thread's word, synchronize again."""
    line, temporary = site.writer.line, site.writer.temporary
    place, result = temporary("r"), temporary("r")
    step = 1 + site.chance.below(31 if reach == "warp" else 63)
    line(f"st.shared.b32 [%sw], {site.pick('r')};")
    line(f"xor.b32 {place}, %thread, {step};", f"shl.b32 {place}, {place}, 5;")
    line(f"add.u32 {place}, {place}, %cells;")
    meet()
    line(f"ld.shared.b32 {result}, [{place}];")
    line("bar.warp.sync 0xffffffff;" if reach == "warp" else "bar.sync 0;")
    site.results([("r", result)])


def _producer(site: Site, number: str) -> None:
    """Warp 0 stores and arrives; warp 1 waits for it and reads."""
    line, temporary = site.writer.line, site.writer.temporary
    result, first, other = temporary("r"), site.writer.label(), site.writer.label()
    line(f"mov.b32 {result}, 0;", f"@!%warp0 bra {first};")
    line(f"st.shared.b32 [%sw], {site.pick('r')};")
    site.emit([number, "64"])
    line(f"{first}: @!%warp1 bra {other};", f"barrier.sync {number}, 64;")
    line(f"ld.shared.b32 {result}, [%sw+-1024];", f"{other}: bar.sync 0;")
    site.results([("r", result)])


def registers(site: Site) -> None:
    """Change the number of registers of each warp and continue."""
    site.emit(site.operands)
    result = site.writer.temporary("r")
    site.writer.line(f"add.u32 {result}, {site.pick('r')}, {site.pick('r')};")
    site.results([("r", result)])
