"""mma.sp: every form against NumPy, by the sparse storage of the PTX ISA."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.host.hazards import Hazard
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests import ptx

from .launching import Loaded
from .mma_texts import BITS, Form, by_lane, by_word, text
from .test_mma import small

Words = NDArray[np.uint32]


@dataclass(frozen=True)
class Sparse:
    """One form: the dense form of its D, B and C, how A is stored, the selector."""

    depth: int
    d: str
    a: str
    b: str
    selectors: int
    middle: str = ""

    def name(self, ordered: bool = True) -> str:
        return (
            f"mma.sp{'::ordered_metadata' if ordered else ''}.sync.aligned.m16n8k{self.depth}"
            f".row.col{self.middle}.{self.d}.{self.a}.{self.b}.{self.d}"
        )

    @property
    def dense(self) -> Form:
        """B, C and D, as in a dense product with all of K."""
        return Form(16, self.depth, self.d, self.a, self.b, self.d)

    @property
    def stored(self) -> Form:
        """A, as in a dense product with half of K."""
        return Form(16, self.depth // 2, self.d, self.a, self.b, self.d)

    @property
    def chunk(self) -> int:
        return {32: 2, 4: 8}.get(BITS[self.a], 4)


def forms() -> list[Sparse]:
    found = [Sparse(k, d, "f16", "f16", n) for k, n in ((16, 4), (32, 2)) for d in ("f16", "f32")]
    found += [Sparse(k, "f32", "bf16", "bf16", n) for k, n in ((16, 4), (32, 2))]
    found += [Sparse(k, "f32", "tf32", "tf32", n) for k, n in ((8, 4), (16, 2))]
    fp8 = itertools.product(("e4m3", "e5m2"), repeat=2)
    found += [Sparse(64, "f32", a, b, 1) for a, b in fp8]
    for kinds, sizes in ((("s8", "u8"), ((32, 2), (64, 1))), (("s4", "u4"), ((64, 2), (128, 1)))):
        for a, b in itertools.product(kinds, repeat=2):
            found += [
                Sparse(k, "s32", a, b, n, end) for k, n in sizes for end in ("", ".satfinite")
            ]
    return found


def metadata(form: Sparse, selector: int, named: NDArray[np.int64]) -> Words:
    """The metadata of each lane, of names [row, chunk, 2] (PTX ISA, figures of mma.sp)."""
    words = np.full(32, 0xDEADBEEF, np.uint32)
    chunks = form.depth // form.chunk
    if form.chunk == 2:
        nibbles = np.where(named[..., 0], 0b1110, 0b0100)
    else:
        nibbles = named[..., 0] | named[..., 1] << 2
    threads = 4 // form.selectors
    for group, thread in itertools.product(range(8), range(threads)):
        word = 0
        for place in range(8):
            if BITS[form.a] >= 16:
                row, chunk = group + 8 * (place // 4), 4 * thread + place % 4
            else:
                row, chunk = group + 8 * (thread % 2), 8 * (thread // 2) + place
            assert chunk < chunks
            word |= int(nibbles[row, chunk]) << 4 * place
        words[4 * group + threads * selector + thread] = word
    return words


def chosen(form: Sparse, rng: np.random.Generator) -> NDArray[np.int64]:
    """Two names in ascending order for each chunk; one of two for tf32."""
    pairs = np.array(list(itertools.combinations(range(4), 2)))
    shape = (16, form.depth // form.chunk)
    if form.chunk == 2:
        return rng.integers(0, 2, (*shape, 1))
    return pairs[rng.integers(0, len(pairs), shape)]


def places(form: Sparse, named: NDArray[np.int64]) -> NDArray[np.int64]:
    """The k of each stored element, [row, slot]."""
    start = form.chunk * np.arange(form.depth // form.chunk)[None, :, None]
    if form.chunk == 8:
        both = 2 * named[..., None] + np.arange(2)
        return (start[..., None] + both).reshape(16, -1)
    return (start + named).reshape(16, -1)


def sparse_text(form: Sparse, selector: int, ordered: bool = True) -> str:
    """The kernel of the dense form with A's registers of the stored one, and metadata."""
    whole, half = text(form.dense), form.stored
    registers = "{" + ", ".join(f"a{i}" for i in range(half.words("a"))) + "}"
    lines = []
    for line in whole.splitlines():
        if (
            line.startswith("ld.global")
            and line.split()[1].startswith("a")
            and int(line.split()[1][1:-1]) >= half.words("a")
        ):
            continue
        if line.startswith("mma.sync"):
            d, _, b, c = (each + "}" for each in line.split(" ", 1)[1].rstrip(";").split("}")[:4])
            b, c = b.lstrip(", "), c.lstrip(", ")
            lines += [
                "ld.param.u64 p, [e_];",
                "mad.wide.u32 p, t, 4, p;",
                ".reg .b32 e;",
                "ld.global.b32 e, [p];",
            ]
            line = f"{form.name(ordered)} {d}, {registers}, {b}, {c}, e, {selector};"
        lines.append(line.replace(".param .u64 d_)", ".param .u64 d_, .param .u64 e_)"))
    return "\n".join(lines) + "\n"


CASES = [(form, selector) for form in forms() for selector in range(form.selectors)]


@pytest.mark.parametrize(
    "form, selector", CASES, ids=lambda x: x.name() if isinstance(x, Sparse) else f"selector{x}"
)
def test_products_of_small_integers(form: Sparse, selector: int) -> None:
    rng = np.random.default_rng(selector)
    stored = small(form.a, (1, 16, form.depth // 2), rng)
    b = small(form.b, (1, 8, form.depth), rng)
    c = rng.integers(-8, 9, (1, 16, 8)).astype(np.float64)
    named = chosen(form, rng)
    dense = np.zeros((16, form.depth))
    np.put_along_axis(dense, places(form, named), stored[0], 1)
    arrays = [
        by_word(form.stored, "a", form.stored.packed("a", stored)),
        *(by_word(form.dense, x, form.dense.packed(x, y)) for x, y in (("b", b), ("c", c))),
    ]
    d = np.zeros(32 * form.dense.words("d"), np.uint32)
    for ordered in (True, False):
        given = [*arrays, d, metadata(form, selector, named)]
        got = list(ptx.launch(sparse_text(form, selector, ordered), *given))[3]
        expected = dense @ b[0].T + c[0]
        assert np.array_equal(form.dense.unpacked(by_lane(form.dense, got))[0], expected)


HALF = Sparse(32, "f32", "f16", "f16", 2)


def test_ptxas_takes_the_texts() -> None:
    for form in forms():
        cubin, messages = ptxas.judge(sparse_text(form, form.selectors - 1), "sm_90a")
        assert cubin is not None, (form, messages)


def test_an_infinity_that_no_stored_element_meets_counts_for_nothing() -> None:
    stored, b, c = np.ones((1, 16, 16)), np.ones((1, 8, 32)), np.zeros((1, 16, 8))
    b[0, :, 3::4] = np.inf
    named = np.tile([0, 1], (16, 8, 1))
    arrays = [
        by_word(HALF.stored, "a", HALF.stored.packed("a", stored)),
        *(by_word(HALF.dense, x, HALF.dense.packed(x, y)) for x, y in (("b", b), ("c", c))),
    ]
    given = [*arrays, np.zeros(128, np.uint32), metadata(HALF, 0, named)]
    got = list(ptx.launch(sparse_text(HALF, 0), *given))[3]
    assert (HALF.dense.unpacked(by_lane(HALF.dense, got)) == 16).all()


@pytest.mark.parametrize(
    "names, ordered, clean",
    [([0, 1], True, True), ([1, 0], True, False), ([1, 0], False, True), ([2, 2], False, False)],
)
def test_metadata_must_be_valid(names: list[int], ordered: bool, clean: bool) -> None:
    given = [np.zeros(32 * n, np.uint32) for n in (4, 4, 4, 4)]
    words = metadata(HALF, 1, np.tile(names, (16, 8, 1)))
    kernel = Loaded(sparse_text(HALF, 1, ordered))
    if clean:
        kernel.run("k", 1, 32, [*given, words])
        return
    with pytest.raises(Hazard, match="the metadata .* of row 0, chunk 0"):
        kernel.run("k", 1, 32, [*given, words])


def test_a_selector_that_the_shape_lacks_is_refused() -> None:
    with pytest.raises(UserError, match="2 is not a sparsity selector of .m16n8k32"):
        Loaded(sparse_text(HALF, 2))
