"""Pasted layouts, held against tensor-layouts' CuTe algebra and Triton's own LinearLayout."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
import tensor_layouts as cute

from lanemap.emission.layouts import emit
from lanemap.errors import UserError
from lanemap.layout.pasted import is_layout, read
from lanemap.layout.pasted.cute import read as read_cute
from lanemap.model import variant

LAYOUTS = [
    (((4, 8), (2, 2)), ((32, 1), (16, 8))),
    ((8, 8), (8, 1)),
    ((4, (2, 3)), (2, (1, 24))),
    (((2, (2, 2)), 3, 5), ((1, (0, 7)), 11, 100)),
    (12, 3),
]


def values(layout: Any) -> np.ndarray:
    """The value at every coordinate of the top-level modes."""
    shape = layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)
    sizes = [cute.size(each) for each in shape]
    found = [layout(*map(int, at)) for at in np.ndindex(*sizes)]
    return np.array(found).reshape(sizes)


@pytest.mark.parametrize(("shape", "stride"), LAYOUTS, ids=str)
def test_cute_layouts_have_the_values_of_cute(shape: Any, stride: Any) -> None:
    layout = cute.Layout(shape, stride)
    wanted = values(layout)
    for text in (str(layout), f"{shape}:{stride}", f"cute.make_layout({shape}, stride={stride})"):
        assert is_layout(text)
        np.testing.assert_array_equal(read_cute(text).values(), wanted)


def typed(value: Any, name: str) -> str:
    if isinstance(value, int):
        return f"_{value}" if value % 2 else f"Int<{value}>"
    return f"{name}<{','.join(typed(each, name) for each in value)}>"


@pytest.mark.parametrize(("shape", "stride"), LAYOUTS[:4], ids=str)
def test_types_of_cpp_are_read(shape: Any, stride: Any) -> None:
    text = f"cute::Layout<{typed(shape, 'cute::Shape')}, {typed(stride, 'Stride')}>"
    np.testing.assert_array_equal(read_cute(text).values(), values(cute.Layout(shape, stride)))


def test_a_shape_alone_is_compact_and_the_first_mode_the_fastest() -> None:
    assert read_cute("(4,(2,3))").values().tolist() == values(cute.Layout((4, (2, 3)))).tolist()


@pytest.mark.parametrize("parts", [(3, 4, 3), (2, 0, 3), (1, 2, -2), (2, 3, 3)])
def test_swizzles_have_the_values_of_cute(parts: tuple[int, int, int]) -> None:
    wanted = values(cute.compose(cute.Swizzle(*parts), cute.Layout((8, 64), (64, 1))))
    b, m, s = parts
    for text in (
        f"Sw<{b},{m},{s}> o 0 o (8,64):(64,1)",
        f"Swizzle<{b},{m},{s}> o _0 o (_8,_64):(_64,_1)",
        f"ComposedLayout<Swizzle<{b},{m},{s}>, _0, Layout<Shape<_8,_64>,Stride<_64,_1>>>",
    ):
        np.testing.assert_array_equal(read_cute(text).values(), wanted)


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_swizzle_of_byte_addresses_moves_elements(bits: int) -> None:
    """CUTLASS's recast: Sw<3,4,3> of bytes is Sw<3,4-log2(bytes),3> of elements."""
    columns = 1024 // bits
    own = read_cute(f"Sw<3,4,3> o smem_ptr[{bits}b](unset) o (8,{columns}):({columns},1)")
    swizzle = cute.Swizzle(3, 4 - (bits // 8).bit_length() + 1, 3)
    wanted = values(cute.compose(swizzle, cute.Layout((8, columns), (columns, 1))))
    np.testing.assert_array_equal(own.values(), wanted)


BASES = {
    "register": [[0, 1], [8, 0], [0, 8]],
    "lane": [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
    "warp": [[16, 0], [33, 3]],
}


def shuffled(seed: int) -> dict[str, list[list[int]]]:
    """Bases of a bijection that XORs bits: products of elementary matrices."""
    draw = random.Random(seed)
    images = [1 << bit for bit in range(10)]
    for _ in range(30):
        one, two = draw.sample(range(10), 2)
        images[one] ^= images[two]
    pairs = [[image >> 4, image & 15] for image in images]
    return {"register": pairs[:3], "lane": pairs[3:8], "warp": pairs[8:]}


@pytest.mark.parametrize("seed", range(3))
def test_linear_layouts_are_those_of_triton(seed: int) -> None:
    linear = pytest.importorskip("triton.tools").LinearLayout
    bases = shuffled(seed)
    theirs = linear.from_bases(list(bases.items()), ["dim0", "dim1"], [64, 16], True)
    attribute = ", ".join(f"{name} = {value}" for name, value in bases.items())
    gluon = (
        f"gl.DistributedLinearLayout(reg_bases={bases['register']}, lane_bases={bases['lane']}, "
        f"warp_bases={bases['warp']}, block_bases=[], shape=[64, 16])"
    )
    pasted = (
        str(theirs),
        f"#ttg.linear<{{{attribute}, block = []}}>",
        f"LinearLayout.from_bases({list(bases.items())}, ['dim0', 'dim1'], [64, 16], True)",
        gluon,
    )
    maps = [read(text).layout for text in pasted]
    for warp in range(4):
        for lane in range(32):
            for register in range(8):
                out = theirs.apply({"register": register, "lane": lane, "warp": warp})
                wanted = {"row": out["dim0"], "column": out["dim1"]}
                for each in maps:
                    assert each.source_of(warp=warp, lane=lane, register=register) == wanted


def test_blocked_layouts_hold_the_elements_of_triton() -> None:
    """TritonGPUAttrDefs.td's example: 16 x 16 for sizePerThread 2x2, 8 x 4 threads, 1 x 2 warps.

    Thread 0 has rows 0, 1 and columns 0, 1; thread 1 columns 2, 3; warp 1 begins at column 8.
    """
    text = "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 2], "
    text += "order = [1, 0]}>"
    found = read(text).layout
    held = [found.source_of(warp=0, lane=0, register=r) for r in range(4)]
    assert held == [{"row": r, "column": c} for r in (0, 1) for c in (0, 1)]
    assert found.source_of(warp=0, lane=1, register=0) == {"row": 0, "column": 2}
    assert found.source_of(warp=0, lane=4, register=0) == {"row": 2, "column": 0}
    assert found.source_of(warp=1, lane=0, register=0) == {"row": 0, "column": 8}
    twice = read(text, (32, 16)).layout
    assert twice.source_of(warp=0, lane=0, register=4) == {"row": 16, "column": 0}
    gluon = "BlockedLayout(size_per_thread=[2, 2], threads_per_warp=[8, 4], warps_per_cta=[1, 2],"
    assert read(gluon + " order=[1, 0])").layout == found


def test_swizzled_shared_layouts_are_those_of_triton() -> None:
    """TritonGPUAttrDefs.td, example 2: vec 1, perPhase 1, maxPhase 4, order [1, 0]."""
    found = read("#ttg.swizzled_shared<{vec=1, perPhase=1, maxPhase=4, order=[1,0]}>", (4, 4))
    columns = found.layout.source.coords(found.layout.table)["column"].reshape(4, 4)
    assert columns.tolist() == [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]


@pytest.mark.parametrize("name", ["wgmma.m64n64.f32:D", "v_mfma_f32_16x16x16_f16:A"])
@pytest.mark.parametrize("form", ["triton", "gluon"])
def test_what_emit_writes_is_read_back(name: str, form: str) -> None:
    map_ = variant(name).map
    bits = map_.source.sizes[-1]
    elements = map_.coarsen(bits, "word" if bits == 32 else "half")
    matrix = elements.source.axes[:-1]
    elements = elements.with_spaces(source=type(elements.source)("matrix", matrix))
    back = read(emit(elements, form)).layout
    np.testing.assert_array_equal(back.table, elements.table)


@pytest.mark.parametrize("text", ["f2 110;010;001", "[[1,1,0],[0,1,0],[0,0,1]]", "110\n010\n001"])
def test_rows_of_a_matrix_over_f2_are_read(text: str) -> None:
    matrix = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    for cell, value in enumerate(read(text).layout.table):
        bits = matrix @ [cell >> bit & 1 for bit in range(3)] % 2
        assert value == sum(int(bit) << at for at, bit in enumerate(bits))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(4,8):(8)", "shape and stride are not nested alike"),
        ("(4,8):(8,1", "is no CuTe layout: ')' was expected at its end"),
        ("(4,8):(8,x)", "an integer was expected at 'x'"),
        ("(4,0):(8,1)", "each extent of a shape must be positive"),
        ("(4,8):(8,-1)", "the layout has the negative value -7"),
        ("(4096,4096):(1,4096)", "the layout has 16,777,216 cells"),
        ("(4,8):(8,1) and more", "nothing may follow, but something does, at 'and'"),
        ("Sw<3,4,1> o 0 o (8,8):(8,1)", "Swizzle<3,4,1> is none"),
        ("Sw<3,0,3> o smem_ptr[16b] o (8,8):(8,1)", "moves parts of an element of 16 bits"),
        ("(" * 40 + "1" + ")" * 40, "it is nested more than 24 deep"),
        ("#ttg.linear<{register = [[0, 1], [8]]}>", "each basis must have 2 coordinates"),
        ("#ttg.linear<{register = [[0, 1]}>", "']' was expected at '}'"),
        ("#ttg.nvidia_mma<{versionMajor = 3}>", "the layout nvidia_mma has no instrShape"),
        ("#ttg.nvidia_mma<{versionMajor = 1, instrShape = [16, 8]}>", "version 1 of nvidia_mma"),
        ("#ttg.nvidia_mma<{versionMajor = 2, instrShape = [16, 8], warpsPerCTA = [3, 1]}>",
         "warpsPerCTA is [3, 1], but Triton's sizes are powers of two"),
        ("#ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [4, 4, 4], isTransposed = "
         "true}>", "32 x 32 and 16 x 16 with one tile a warp are"),
        ("#ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>", "write that layout in its place"),
        ("#ttg.amd_wmma<{version = 1}>", "is no layout that can be read"),
        ("#ttg.linear<{}>", "it names no bases of register, lane, warp or offset"),
        ("#ttg.blocked<{sizePerThread = [1, 3], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], "
         "order = [1, 0]}>", "sizePerThread has 3, but Triton's sizes are powers of two"),
        ("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [2, 1, 0]}>",
         "is not of two dimensions"),
        ("- register=1 -> (0, 1)\n  register=4 -> (8, 0)", "register=4 was expected to be "
         "register=2"),
        ("10;1", "the rows of a matrix over F2 must have one length"),
        ("10;11;01;10", ""),
        ("__import__('os').getcwd()", "is no layout; paste CuTe's"),
    ],
)  # fmt: skip
def test_what_is_no_layout_is_refused_in_a_sentence(text: str, said: str) -> None:
    if not said:
        assert read(text).layout.destination.size == 4
        return
    with pytest.raises(UserError, match=re.escape(said)) as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_a_name_is_no_layout() -> None:
    assert not any(map(is_layout, ("ds_read_b64_tr_b8", "shared.k_major.128b.16bit", "wmma", "")))
