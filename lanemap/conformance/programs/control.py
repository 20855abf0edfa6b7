"""Branches, returns and exits."""

from __future__ import annotations

from lanemap.conformance.programs.sites import Site


def branch(site: Site) -> None:
    """Jump over a move, in some lanes; with .uni in all lanes or none."""
    line, over = site.writer.line, site.writer.label()
    result = site.writer.temporary("r")
    guard = "@%uniform " if site.has("uni") else f"@{site.pick('p')} "
    line(f"mov.b32 {result}, {site.pick('r')};")
    site.emit([over], guard)
    line(f"mov.b32 {result}, {site.pick('r')};", f"{over}:")
    site.results([("r", result)])


def indexed(site: Site) -> None:
    """Jump by a number to one of four places."""
    line, label = site.writer.line, site.writer.label
    index, result, join, table = *(site.writer.temporary("r") for _ in "ab"), label(), label()
    places = [label() for _ in range(4)]
    number = "%chosen" if site.has("uni") else site.pick("r", "i")
    line(f"and.b32 {index}, {number}, 3;", f"{table}: .branchtargets {', '.join(places)};")
    site.emit([index, table])
    for place in places:
        line(f"{place}: mov.b32 {result}, {site.pick('r')};", f"bra {join};")
    line(f"{join}:")
    site.results([("r", result)])


def leave(site: Site) -> None:
    """Return early from a function, in some lanes; with .uni in all lanes or none."""
    writer = site.writer
    name, result = f"leave{len(writer.functions)}", writer.temporary("r")
    uniform = site.has("uni")
    test = "%chosen" if uniform else site.pick("r", "i")
    writer.functions.append(
        f".func (.param .b32 r) {name}(.param .b32 x, .param .b32 y)\n{{\n"
        ".reg .b32 %x, %y, %z;\n.reg .pred %p;\n"
        "ld.param.b32 %x, [x];\nld.param.b32 %y, [y];\nadd.u32 %z, %y, 1;\n"
        "st.param.b32 [r], %z;\nand.b32 %x, %x, 1;\nsetp.eq.u32 %p, %x, 0;\n"
        f"@%p {site.mnemonic};\nxor.b32 %z, %y, -1;\nst.param.b32 [r], %z;\nret;\n}}"
    )
    writer.line("{", ".param .b32 a;", ".param .b32 b;", ".param .b32 c;")
    writer.line(f"st.param.b32 [a], {test};", f"st.param.b32 [b], {site.pick('r')};")
    writer.line(f"call (c), {name}, (a, b);", f"ld.param.b32 {result}, [c];", "}")
    site.results([("r", result)])


def end(site: Site) -> None:
    """Exit some threads; the others record that they continued."""
    result = site.writer.temporary("r")
    site.emit([], f"@{site.pick('p')} ")
    site.writer.line(f"mov.b32 {result}, {site.pick('r')};")
    site.results([("r", result)])
