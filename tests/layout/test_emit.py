"""Every emitted text, run: C by a compiler, Python by exec, Triton and CuTe by their packages."""

from __future__ import annotations

import ast
import ctypes
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.emission.layouts import FORMATS, emit
from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space

REGISTER = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))
CHUNK = Space("chunk", (("lane", 64), ("bit", 64)))
THREADS = Space("register", (("thread", 32), ("register", 80)))
TMEM = Space("tmem", (("lane", 128), ("column", 512)))


def transpose_b8() -> LayoutMap:
    """AMD's b8 transpose read: linear over F2."""
    return LayoutMap.from_function(
        REGISTER,
        CHUNK,
        lambda lane, register, bit: {
            "lane": (lane & 48) + 2 * (register * 4 + bit // 8) + (lane >> 3 & 1),
            "bit": 8 * (lane & 7) + bit % 8,
        },
    )


def folded_columns() -> LayoutMap:
    """80 columns on two blocks of lanes: strides, no powers of two."""
    return LayoutMap.from_function(
        THREADS,
        TMEM,
        lambda thread, register: {"lane": thread + 64 * (register // 40), "column": register % 40},
    )


def swizzled() -> LayoutMap:
    """A tile under the 128-byte swizzle whose rows are no power of two."""
    tile = Space("matrix", (("row", 24), ("byte", 128)))
    return LayoutMap.from_function(
        tile,
        Space("shared", (("byte", 24 * 128),)),
        lambda row, byte: {"byte": 128 * row + (byte ^ ((row % 8) << 4))},
    )


def six_bit() -> LayoutMap:
    """AMD's b6 transpose read: fields across register edges."""
    register = Space("register", (("lane", 64), ("register", 3), ("bit", 32)))

    def source(lane: np.ndarray, register: np.ndarray, bit: np.ndarray) -> dict[str, np.ndarray]:
        field, low = divmod(register * 32 + bit, 6)
        return {"lane": (lane & 48) + field, "bit": 6 * (lane & 15) + low}

    return LayoutMap.from_function(register, Space("chunk", (("lane", 64), ("bit", 96))), source)


def two_issues() -> LayoutMap:
    """80 columns as 64 and 16 in swapped order: pieces."""
    return LayoutMap.from_function(
        THREADS,
        TMEM,
        lambda thread, register: {
            "lane": thread,
            "column": np.where(register < 16, register + 64, register - 16),
        },
    )


def low_halves() -> LayoutMap:
    """A store that leaves high halves undefined: parity conditions."""
    return LayoutMap.from_function(
        Space("tmem", (("lane", 32), ("column", 16), ("half", 2))),
        Space("register", (("thread", 32), ("register", 8), ("half", 2))),
        lambda lane, column, half: {
            "thread": lane,
            "register": np.where(half == 0, column // 2, UNDEFINED),
            "half": column % 2,
        },
    )


def split_columns() -> LayoutMap:
    """A store of two runs of columns with a hole between: pieces and undefined cells."""

    def source(lane: np.ndarray, column: np.ndarray) -> dict[str, np.ndarray]:
        upper = (column >= 24) & (column < 30)
        written = (lane < 16) & ((column < 6) | upper)
        return {"thread": np.where(written, lane + 16 * upper, -1), "register": column % 6}

    tmem = Space("tmem", (("lane", 32), ("column", 40)))
    return LayoutMap.from_function(
        tmem, Space("register", (("thread", 32), ("register", 6))), source
    )


def offset_xor() -> LayoutMap:
    """Affine with an offset."""
    line = Space("line", (("cell", 64),))
    return LayoutMap.from_function(line, line, lambda cell: {"cell": cell ^ 21})


MAPS: list[Callable[[], LayoutMap]] = [
    transpose_b8,
    folded_columns,
    swizzled,
    six_bit,
    two_issues,
    low_halves,
    split_columns,
    offset_xor,
]
every_map = pytest.mark.parametrize("make", MAPS, ids=lambda make: make.__name__)


def compilers() -> list[list[str]]:
    found = [[path] for path in (shutil.which("gcc"), shutil.which("clang")) if path]
    try:
        import ziglang  # noqa: F401  (asked for by `python -m`)
    except ImportError:
        return found
    return [*found, [sys.executable, "-m", "ziglang", "cc"]]


COMPILERS = compilers()


@pytest.mark.skipif(not COMPILERS, reason="needs gcc, clang or the package ziglang")
@every_map
def test_c_run_by_a_compiler(make: Callable[[], LayoutMap], tmp_path: Path) -> None:
    layout = make()
    header = emit(layout, "c", "where", comment="a comment\nof two lines")
    axes = layout.source.names
    names = ", ".join(f"a{i}" for i in range(len(layout.destination.axes)))
    loops = "".join(
        f"for (int a{i} = 0; a{i} < {size}; a{i}++) "
        for i, size in enumerate(layout.destination.sizes)
    )
    calls = " ".join(f"*out++ = d ? where_{axis}({names}) : -1;" for axis in axes)
    names_c = [("reg" if axis == "register" else axis) for axis in axes]
    for axis, c_axis in zip(axes, names_c, strict=True):
        calls = calls.replace(f"where_{axis}(", f"where_{c_axis}(")
    (tmp_path / "where.h").write_text(header)
    (tmp_path / "fill.c").write_text(
        '#include "where.h"\nvoid fill(int *out) {\n'
        f"    {loops}{{ int d = where_defined({names}); {calls} }}\n}}\n"
    )
    library = tmp_path / "fill.so"
    flags = ["-std=c99", "-Wall", "-Werror", "-O1", "-shared", "-fPIC"]
    command = [*COMPILERS[0], *flags, str(tmp_path / "fill.c"), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    out = np.empty((layout.destination.size, len(axes)), dtype=np.int32)
    ctypes.CDLL(str(library)).fill(out.ctypes.data_as(ctypes.c_void_p))
    assert np.array_equal(out[:, 0] == -1, layout.table == UNDEFINED)
    defined = layout.defined
    coords = {axis: out[defined, i] for i, axis in enumerate(axes)}
    assert np.array_equal(layout.source.index(**coords), layout.table[defined])


@every_map
def test_python_run_by_exec(make: Callable[[], LayoutMap]) -> None:
    layout = make()
    scope: dict[str, Any] = {}
    exec(emit(layout, "python", "where"), scope)
    for cell in range(layout.destination.size):
        coords = layout.destination.coords(cell).values()
        assert scope["where"](*coords) == layout.source_of(**layout.destination.coords(cell))


@pytest.mark.parametrize("make", [transpose_b8], ids=lambda make: make.__name__)
def test_triton_bases_run_by_triton(make: Callable[[], LayoutMap]) -> None:
    tools = pytest.importorskip("triton.tools")
    layout = make()
    built = eval(emit(layout, "triton"), {"LinearLayout": tools.LinearLayout})
    for cell in range(0, layout.destination.size, 7):
        coords = layout.destination.coords(cell)
        assert built.apply(coords) == layout.source_of(**coords)


def test_triton_runs_the_published_atoms(cutlass_atoms: list[Any]) -> None:
    tools = pytest.importorskip("triton.tools")
    for atom in cutlass_atoms:
        if not atom.ptx.endswith((".x4", ".x4.pack::16b")):
            continue
        layout = atom.layout
        built = eval(emit(layout, "triton"), {"LinearLayout": tools.LinearLayout})
        for cell in range(0, layout.destination.size, 37):
            coords = layout.destination.coords(cell)
            assert built.apply(coords) == layout.source_of(**coords), atom.name


@pytest.mark.parametrize(
    "make", [transpose_b8, folded_columns, swizzled, six_bit], ids=lambda make: make.__name__
)
def test_cute_text_run_by_tensor_layouts(make: Callable[[], LayoutMap]) -> None:
    cute = pytest.importorskip("tensor_layouts")
    layout = make()
    comment, text = emit(layout, "cute").strip().split("\n")
    assert comment.startswith("// (") and f"in {layout.source}, whose last" in comment
    swizzle = None
    if text.startswith("Sw<"):
        head, offset, text = text.split(" o ")
        assert offset == "0"
        swizzle = cute.Swizzle(*(int(number) for number in head[3:-1].split(",")))
    shape, stride = (ast.literal_eval(part) for part in text.split(":"))
    oracle = cute.Layout(shape, stride)
    # Modes take the axes in order; six-bit fields have register and bit as one.
    sizes = tuple(cute.size(cute.mode(oracle, i)) for i in range(cute.rank(oracle)))
    cells = range(0, layout.destination.size, 5)
    for cell in cells:
        value = oracle(*(int(i) for i in np.unravel_index(cell, sizes)))
        assert (value if swizzle is None else swizzle(value)) == layout.table[cell]


def test_what_a_form_cannot_say_is_refused() -> None:
    with pytest.raises(UserError, match="sends 0 to 0, but this map begins at cell 21"):
        emit(offset_xor(), "triton")
    with pytest.raises(UserError, match="no undefined cells"):
        emit(low_halves(), "triton")
    with pytest.raises(UserError, match="not affine over F2"):
        emit(six_bit(), "triton")
    with pytest.raises(UserError, match="powers of two"):
        emit(LayoutMap.identity(THREADS), "triton")
    with pytest.raises(UserError, match="no shape:stride"):
        emit(two_issues(), "cute")
    with pytest.raises(UserError, match=f"one of {', '.join(FORMATS)}, not 'rust'"):
        emit(six_bit(), "rust")
    with pytest.raises(UserError, match="cannot begin the name"):
        emit(six_bit(), "c", "7up")
    rows = Space("matrix", (("row", 4), ("column", 8)))
    lower = LayoutMap.identity(rows).restrict(rows.grid()["row"] >= 2)
    with pytest.raises(UserError, match="begins at coordinate 0"):
        emit(lower, "cute")
