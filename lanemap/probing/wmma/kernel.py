"""PTX around one wmma instruction: fragments as words of memory, matrices as they lie there.

Word r of lane l of a fragment is at (r * 32 + l) * 4 bytes; of fragments of f64, word r is the half
r % 2 of register r / 2, at (r / 2 * 32 + l) * 8 + r % 2 * 4 bytes.
"""

from __future__ import annotations

from lanemap.probing.wmma.forms import Matrix

HEAD = ".version 9.0\n.target {target}\n.address_size 64\n"


def register_type(matrix: Matrix) -> str:
    """The PTX type of the registers of a fragment."""
    return {"f64": "f64", "f32": "f32"}.get(matrix.kind, "b32")


def registers(matrix: Matrix, letter: str) -> tuple[str, int]:
    """The list of a fragment's registers, and how many it has."""
    count = matrix.words // (2 if matrix.kind == "f64" else 1)
    return "{" + ", ".join(f"{letter}{i}" for i in range(count)) + "}", count


def _declared(matrix: Matrix, letter: str) -> str:
    return f".reg .{register_type(matrix)} {letter}<{registers(matrix, letter)[1]}>; "


def _words(matrix: Matrix, letter: str, base: str, stored: bool) -> str:
    """Move the registers of this thread from or to memory."""
    kind, size = register_type(matrix), 8 if matrix.kind == "f64" else 4
    lines = [f"mad.wide.u32 q, t, {size}, {base};"]
    for i in range(registers(matrix, letter)[1]):
        place = f"[q+{i * 32 * size}]"
        lines.append(
            f"st.global.{kind} {place}, {letter}{i};"
            if stored
            else f"ld.global.{kind} {letter}{i}, {place};"
        )
    return " ".join(lines)


_BEGIN = (
    ".reg .b32 t, n; .reg .b64 q, from, to; ld.param.u64 from, [i]; ld.param.u64 to, [o]; "
    "mov.u32 t, %tid.x; mov.u32 n, %ctaid.x; "
)


def load(matrix: Matrix, major: str, stride: int, name: str) -> str:
    """An entry (in, out): each CTA of one warp loads a matrix and stores its fragment."""
    listed, _ = registers(matrix, "r")
    return (
        f".visible .entry {name}(.param .u64 i, .param .u64 o) {{ {_declared(matrix, 'r')}{_BEGIN}"
        f"mad.wide.u32 from, n, {matrix.bytes_of(major, stride)}, from; "
        f"mad.wide.u32 to, n, {matrix.words * 128}, to; "
        f"wmma.load.{matrix.operand}.sync.aligned.{major}.{matrix.spelled}.global.{matrix.kind} "
        f"{listed}, [from], {stride}; {_words(matrix, 'r', 'to', True)} ret; }}\n"
    )


def store(matrix: Matrix, major: str, stride: int, name: str) -> str:
    """An entry (in, out): each CTA of one warp loads a fragment as words and stores its matrix."""
    listed, _ = registers(matrix, "r")
    return (
        f".visible .entry {name}(.param .u64 i, .param .u64 o) {{ {_declared(matrix, 'r')}{_BEGIN}"
        f"mad.wide.u32 from, n, {matrix.words * 128}, from; "
        f"mad.wide.u32 to, n, {matrix.bytes_of(major, stride)}, to; "
        f"{_words(matrix, 'r', 'from', False)} wmma.store.d.sync.aligned.{major}."
        f"{matrix.spelled}.global.{matrix.kind} [to], {listed}, {stride}; ret; }}\n"
    )


def instruction(
    shape: tuple[int, int, int],
    kind: str,
    d: str,
    c: str,
    majors: tuple[str, str] = ("row", "col"),
    end: str = "",
    bits: str = "",
) -> str:
    """The name of a product: `end` stands behind it, `bits` is the operation of b1."""
    first, second = majors
    m, n, k = shape
    types = f"{d}.{c}" if kind == "f16" else f"{d}.{kind}.{kind}.{c}"
    operation = f".{bits}.popc" if bits else ""
    return f"wmma.mma{operation}.sync.aligned.{first}.{second}.m{m}n{n}k{k}.{types}{end}"


def product(
    name: str,
    shape: tuple[int, int, int],
    kinds: tuple[str, str, str],
    majors: tuple[str, str],
    entry: str,
) -> str:
    """An entry (a, b, c, d): one warp loads dense matrices, multiplies them and stores D.

    Args:
        name: Name of the instruction.
        shape: M, N, K.
        kinds: Types of A and B, of C, of D.
        majors: Layouts of A and B; C and D are row by row.
        entry: The entry's name.
    """
    a, b = Matrix("a", shape, kinds[0]), Matrix("b", shape, kinds[0])
    c, d = Matrix("c", shape, kinds[1]), Matrix("d", shape, kinds[2])
    lists = {x.operand: registers(x, f"{x.operand}r")[0] for x in (a, b, c, d)}
    parameters = ", ".join(f".param .u64 {each}" for each in "abcd")
    text = f".visible .entry {entry}({parameters}) {{ "
    text += ".reg .b64 p; " + "".join(_declared(x, f"{x.operand}r") for x in (a, b, c, d))
    for each, major in ((a, majors[0]), (b, majors[1]), (c, "row")):
        letter = each.operand
        text += (
            f"ld.param.u64 p, [{letter}]; wmma.load.{letter}.sync.aligned.{major}.{each.spelled}"
            f".global.{each.kind} {lists[letter]}, [p]; "
        )
    return text + (
        f"{name} {lists['d']}, {lists['a']}, {lists['b']}, {lists['c']}; ld.param.u64 p, [d]; "
        f"wmma.store.d.sync.aligned.row.{d.spelled}.global.{d.kind} [p], {lists['d']}; ret; }}\n"
    )
