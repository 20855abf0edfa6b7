"""Texts of a layout map for other people's code: formula, C, Python, Triton, Gluon and CuTe."""

from __future__ import annotations

from dataclasses import replace

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap, Space
from lanemap.layout.cute import CuteFit, nested
from lanemap.layout.expressions import Constant, c_name, render
from lanemap.layout.f2 import F2Fit, axis_bits
from lanemap.layout.fits import Fit, fit_layout

FORMATS = ("formula", "c", "python", "triton", "gluon", "cute")
#: Axes of threads, as Gluon's layouts name them; all others are inside a thread.
_GLUON_THREADS = {"lane": "lane_bases", "warp": "warp_bases"}

_C_PROLOGUE = """\
#ifndef LANEMAP_FUNCTION
#if defined(__CUDACC__) || defined(__HIPCC__)
#define LANEMAP_FUNCTION static constexpr __host__ __device__ __forceinline__
#else
#define LANEMAP_FUNCTION static inline
#endif
#endif
"""


def emit(layout: LayoutMap, form: str, name: str = "source", comment: str = "") -> str:
    """The text of a layout map, made from a fit that was checked on every cell.

    Args:
        layout: The map; its functions take a destination cell and give the source cell.
        form: One of `FORMATS`. Triton takes maps that are linear over F2 (without offset, total),
            Gluon those of them that say which elements of a matrix threads hold, CuTe those with a
            shape:stride; the others take every map.
        name: Prefix of the emitted functions.
        comment: Lines put at the head of C and Python text, such as where the map was observed.

    Raises:
        UserError: The form is unknown, the name no identifier, or the map not of that form.
    """
    if form not in FORMATS:
        raise UserError(f"a layout is emitted as one of {', '.join(FORMATS)}, not {form!r}")
    if not name.isidentifier():
        raise UserError(f"{name!r} cannot begin the name of a C function")
    if form == "triton":
        return emit_triton(layout)
    if form == "gluon":
        return emit_gluon(layout)
    if form == "cute":
        return emit_cute(layout)
    fit = fit_layout(layout)
    if form == "formula":
        return fit.formula() + "\n"
    return emit_c(fit, name, comment) if form == "c" else emit_python(fit, name, comment)


def emit_c(fit: Fit, name: str, comment: str = "") -> str:
    """C99, CUDA and HIP functions: `<name>_<source axis>(..)`, and `<name>_defined(..)`.

    Arguments are the destination's coordinates, slowest axis first. Where `_defined`
    is false, the results of the others mean nothing.
    """
    arguments = ", ".join(f"int {c_name(axis)}" for axis in fit.destination.names)
    unused = " ".join(f"(void){c_name(axis)};" for axis in fit.destination.names)
    lines = [f"/* {line} */" for line in _heading(fit, comment)]
    lines.append(_C_PROLOGUE)
    bodies = {"defined": fit.condition() or Constant(1), **fit.expressions()}
    for axis, expression in bodies.items():
        lines += [
            f"LANEMAP_FUNCTION int {name}_{c_name(axis)}({arguments}) {{",
            f"    {unused}",
            f"    return {render(expression, 'c')};",
            "}",
        ]
    return "\n".join(lines) + "\n"


def emit_python(fit: Fit, name: str, comment: str = "") -> str:
    """A Python function `<name>(..)` of integers; it gives a dict by axis, None where undefined."""
    arguments = ", ".join(c_name(axis) for axis in fit.destination.names)
    lines = [f"# {line}" for line in _heading(fit, comment)]
    lines.append(f"def {name}({arguments}):")
    condition = fit.condition()
    if condition is not None:
        lines += [f"    if not ({render(condition, 'python')}):", "        return None"]
    lines.append("    return {")
    for axis, expression in fit.expressions().items():
        lines.append(f'        "{axis}": {render(expression, "python")},')
    lines.append("    }")
    return "\n".join(lines) + "\n"


def triton_bases(fit: F2Fit) -> list[tuple[str, list[list[int]]]]:
    """The bases of Triton's LinearLayout: for each input dimension, the image of each of its bits.

    Input dimensions are the destination's axes, the fastest first, as Triton orders them; images
    list the source's coordinates, slowest axis first.

    Raises:
        UserError: The map has an offset or undefined cells, which a LinearLayout cannot express.
    """
    if fit.offset.any():
        cell = fit.source.format(int(fit.to_map().table[0]))
        raise UserError(f"a Triton LinearLayout sends 0 to 0, but this map begins at {cell}")
    if fit.conditions.size:
        raise UserError("a Triton LinearLayout has no undefined cells, but this map does")
    for axis, size in (*fit.destination.axes, *fit.source.axes):
        if size & (size - 1):
            raise UserError(
                f"a Triton LinearLayout needs powers of two, but {axis} has size {size}"
            )
    rows, columns = axis_bits(fit.source), axis_bits(fit.destination)
    bases: list[tuple[str, list[list[int]]]] = []
    for axis in reversed(fit.destination.names):
        images = []
        for column in (i for i, (name, _) in enumerate(columns) if name == axis):
            image = dict.fromkeys(fit.source.names, 0)
            for row, (out, bit) in enumerate(rows):
                image[out] |= int(fit.matrix[row, column]) << bit
            images.append(list(image.values()))
        bases.append((axis, images))
    return bases


def emit_triton(layout: LayoutMap) -> str:
    """A Python expression that builds `triton.tools.LinearLayout` for a map linear over F2.

    Raises:
        UserError: The map is not linear over F2, has an offset or undefined cells.
    """
    fit = fit_layout(layout, "f2")
    if not isinstance(fit, F2Fit):
        raise TypeError("an F2 fit was asked for")
    lines = ["LinearLayout.from_bases(", "    ["]
    lines += [f'        ("{axis}", {images}),' for axis, images in triton_bases(fit)]
    names, sizes = list(fit.source.names), list(fit.source.sizes)
    lines += ["    ],", f"    {_quoted(names)},", f"    {sizes},", "    False,", ")"]
    return "\n".join(lines) + "\n"


def emit_gluon(layout: LayoutMap) -> str:
    """A `DistributedLinearLayout` of Triton's Gluon: the elements that registers hold.

    The elements are the cells of the source, which is a matrix; the parts of a register come before
    the registers, as in Triton.

    Raises:
        UserError: The destination is no registers, the cells are smaller than an element, or the
            map is not linear over F2, has an offset or undefined cells.
    """
    if layout.destination.name != "register" or layout.source.name != "matrix":
        raise UserError(
            f"Gluon's layouts say which elements of a matrix registers hold; this map has "
            f"{layout.source.name} cells in {layout.destination.name}"
        )
    if "bit" in layout.source.names:
        raise UserError("Gluon's layouts have whole elements, not bits; choose wider --cells")
    fit = fit_layout(layout, "f2")
    if not isinstance(fit, F2Fit):
        raise TypeError("an F2 fit was asked for")
    kept = [place for place, (_, size) in enumerate(fit.source.axes) if size > 1]
    parts: dict[str, list[list[int]]] = {
        "reg_bases": [], "lane_bases": [], "warp_bases": [], "block_bases": [],
    }  # fmt: skip
    for axis, images in triton_bases(fit):
        chosen = [[image[place] for place in kept] for image in images]
        parts[_GLUON_THREADS.get(axis, "reg_bases")] += chosen
    lines = ["gl.DistributedLinearLayout("]
    lines += [f"    {part}={bases}," for part, bases in parts.items()]
    lines += [f"    shape={[fit.source.sizes[place] for place in kept]},", ")"]
    return "\n".join(lines) + "\n"


def emit_cute(layout: LayoutMap) -> str:
    """CuTe's notation of a map from destination coordinates to the source cell's index.

    A comment before it names the coordinates and what the index counts. Where shared memory holds a
    matrix, the layout of its tensor comes first, from the matrix's coordinates to elements of
    shared memory.

    Raises:
        UserError: The map has no shape:stride (the message has the witness), or is defined on only
            a part of the destination, whose origin CuTe text cannot express.
    """
    return _shared_tensor(layout) + _shape_stride(layout)


def _shared_tensor(layout: LayoutMap) -> str:
    """The layout of the tensor in shared memory, "" where that holds no whole elements of a matrix.

    The swizzle is of byte addresses and the strides are elements, as in a ComposedLayout with
    smem_ptr_flag_bits (NVIDIA/cutlass, include/cute/pointer_flagged.hpp).
    """
    source = layout.source
    units = {"bit": 1, "nibble": 4, "byte": 8, "half": 16, "word": 32}
    unit, count = source.axes[-1] if source.axes else ("", 0)
    if layout.destination.name != "shared" or source.name != "matrix" or unit not in units:
        return ""
    bits = units[unit] * count
    cells = Space("shared", ((unit, layout.destination.size),))
    elements = layout.with_spaces(cells).coarsen(count, "element", unit, unit)
    matrix = Space("matrix", source.axes[:-1])
    fit = fit_layout(elements.with_spaces(source=matrix).inverse(), "cute")
    if not isinstance(fit, CuteFit):
        raise TypeError("a CuTe fit was asked for")
    shape, stride = (nested(part) for part in fit.shape_stride([(axis,) for axis in matrix.names]))
    text = f"{shape}:{stride}"
    if fit.swizzle is not None:
        of_bytes = replace(fit.swizzle, base=fit.swizzle.base + bits.bit_length() - 4)
        text = f"{of_bytes} o smem_ptr[{bits}b] o {text}"
    axes = ", ".join(matrix.names)
    return (
        f"// ({axes}) to the {bits}-bit element in shared memory; a swizzle is of byte addresses\n"
        f"{text}\n"
    )


def _shape_stride(layout: LayoutMap) -> str:
    fit = fit_layout(layout, "cute")
    if not isinstance(fit, CuteFit):
        raise TypeError("a CuTe fit was asked for")
    if any(low > 0 for low, _ in fit.box):
        raise UserError("CuTe text begins at coordinate 0, but there this map is undefined")
    modes = ", ".join("+".join(group) for group in fit.groups)
    return f"// ({modes}) to the index in {fit.source}, whose last axis is fastest\n{fit.text()}\n"


def _heading(fit: Fit, comment: str) -> list[str]:
    where = "defined cell" if fit.condition() is not None else "cell"
    return [
        f"{fit.source} cell of each {fit.destination} cell; exact on every {where}.",
        *comment.splitlines(),
    ]


def _quoted(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
