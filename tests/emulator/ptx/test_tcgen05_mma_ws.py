"""tcgen05.mma.ws against NumPy; D in layouts D, E and G of the PTX ISA, written out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.text.errors import PtxError
from tests.emulator.ptx.launching import require
from tests.emulator.ptx.mma_kernels import COLUMNS, LANES, Mma, Operand, codes, launch, put, text
from tests.emulator.ptx.test_tcgen05_mma import kept, stored, values

IMAGE, B_START = 65536, 32768
NEAR, FAR = Operand("128B"), Operand("32B", start=B_START)
TYPES = [("f16", "bf16", "bf16", "f32"), ("f16", "f16", "f16", "f16"), ("tf32", "tf32", "tf32",
         "f32"), ("f8f6f4", "e4m3", "e5m2", "f32"), ("i8", "s8", "u8", "s32")]  # fmt: skip


@pytest.mark.parametrize("rows", [32, 64, 128])
@pytest.mark.parametrize("types", TYPES, ids=".".join)
def test_every_layout(types: tuple[str, str, str, str], rows: int) -> None:
    kind, a_type, b_type, d_type = types
    for columns in (64, 128, 256):
        m = Mma(kind, rows, columns, a_type, b_type, d_type, ws=True)
        rng = np.random.default_rng(columns)
        a, b = values(m.a, (rows, m.depth), rng), values(m.b, (columns, m.depth), rng)
        c = rng.integers(-9, 10, (rows, columns))
        image = rng.integers(0, 256, (1, IMAGE), dtype=np.uint8)
        given = rng.integers(0, 2**32, (LANES, COLUMNS), dtype=np.uint32)
        put(image, NEAR.places(m.bits, rows, m.depth), codes(m.a, a), m.bits)
        put(image, FAR.places(m.bits, columns, m.depth), codes(m.b, b), m.bits)
        row, n = np.indices(c.shape)
        each = columns * rows // 128
        place = row + rows * (n // each), 3 + n % each
        given[place] = stored(m.d, c, given[place])
        words = {"i": m.idesc(), "d": 3, "keep": kept(m.d)}
        got = launch(
            m.statement(),
            1,
            image,
            given[None],
            NEAR.descriptor(m.bits, rows, m.depth),
            FAR.descriptor(m.bits, columns, m.depth),
            words,
        )[0]
        want = given.copy()
        want[place] = stored(m.d, a.astype(float) @ b.T + c, given[place])
        assert np.array_equal(got, want & np.uint32(kept(m.d))), (rows, columns)


@pytest.mark.parametrize("rows", [64, 128])
@pytest.mark.parametrize("types", TYPES, ids=".".join)
def test_a_in_tensor_memory(types: tuple[str, str, str, str], rows: int) -> None:
    """Each block of D's lanes has an A of its own: of M = 64 the second one lies 64 lanes on, so
    that two different ones make two products (FlashMLA at 9241ae3, kerutils/device/sm100/gemm.cuh).
    """
    kind, a_type, b_type, d_type = types
    for columns in (64, 256):
        m = Mma(kind, rows, columns, a_type, b_type, d_type, ws=True, tensor=True)
        rng = np.random.default_rng(columns)
        blocks = 128 // rows
        a, b = values(m.a, (128, m.depth), rng), values(m.b, (columns, m.depth), rng)
        image = rng.integers(0, 256, (1, IMAGE), dtype=np.uint8)
        given = rng.integers(0, 2**32, (LANES, COLUMNS), dtype=np.uint32)
        given[:, 400:408] = np.ascontiguousarray(codes(m.a, a)).view(np.uint32)
        put(image, FAR.places(m.bits, columns, m.depth), codes(m.b, b), m.bits)
        each = columns // blocks
        words = {"i": m.idesc(), "ta": 400, "adds": 0, "keep": kept(m.d)}
        statement = m.statement().replace(", %adds;", ", %adds, 0;")  # as FlashMLA writes it
        got = launch(
            statement, 1, image, given[None], 0, FAR.descriptor(m.bits, columns, m.depth), words
        )[0]
        for block in range(blocks):
            lanes = slice(block * rows, block * rows + rows)
            sums = a[lanes].astype(float) @ b[block * each :][:each].T
            want = stored(m.d, sums, given[lanes, :each]) & np.uint32(kept(m.d))
            assert np.array_equal(got[lanes, :each], want), (columns, block)


def test_a_of_32_rows_in_tensor_memory_is_a_hazard() -> None:
    m = Mma("f16", 32, 64, "f16", "f16", ws=True, tensor=True)
    image, given = np.zeros((1, IMAGE), np.uint8), np.zeros((1, LANES, COLUMNS), np.uint32)
    with pytest.raises(Hazard, match="on which lanes"):
        launch(m.statement(), 1, image, given, 0, FAR.descriptor(16, 64, 16), {"i": m.idesc()})


@pytest.mark.parametrize("buffer", range(4))
@pytest.mark.parametrize("use", ["fill", "use", "lastuse", "discard"])
def test_buffers_of_b_are_accepted(use: str, buffer: int) -> None:
    m = Mma("f16", 32, 64, "f16", "f16", ws=True, words=f".collector::b{buffer}::{use}")
    require(load(text(m.statement()), "k.ptx"))


REFUSED = {
    "tcgen05.mma.sp.cta_group::1.kind::f16 [%d], %a, %b, [%ta], %i, %adds;": "metadata",
    "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%d], %a, %b, [%ta], %i, %adds;": "metadata",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_no_source_settles_is_refused(statement: str) -> None:
    with pytest.raises(PtxError, match=REFUSED[statement]):
        require(load(text(statement), "k.ptx"))


ILLEGAL = [
    "tcgen05.mma.ws.cta_group::1.kind::mxf4.block_scale [%d], %a, %b, %i, [%sa], [%sb], %adds;",
    "tcgen05.mma.cta_group::1.kind::f16.ashift [%d], %a, %b, %i, %adds;",
    "tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::use [%d], [%ta], %b, %i, %adds;",
    "tcgen05.mma.cta_group::1.kind::f16.collector::b0::use [%d], %a, %b, %i, %adds;",
    "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale [%d], %a, %b, %i, [%sa], [%sb], %adds;",
    "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::4X [%d], %a, %b, %i, [%sa], [%sb], "
    "%adds;",
    "tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %i, {%m0, %m1}, %adds;",
    "tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %i, %adds, 16;",
    "tcgen05.mma.cta_group::1.kind::f8f6f4 [%d], %a, %b, %i, %adds, 1;",
    "tcgen05.mma.cta_group::1 [%d], %a, %b, %i, %adds;",
]


@pytest.mark.parametrize("statement", ILLEGAL)
def test_illegal_forms_are_refused(statement: str) -> None:
    with pytest.raises(PtxError):
        require(load(text(statement), "k.ptx"))


def test_sm_103a_has_no_integers() -> None:
    statement = Mma("i8", 128, 64, "s8", "s8", "s32").statement()
    with pytest.raises(PtxError, match="sm_103a has no kind::i8"):
        require(load(text(statement).replace("sm_100a", "sm_103a"), "k.ptx"))


def test_ptxas_agrees() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for statement in ILLEGAL:
        assert ptxas.judge(text(statement), "sm_100a")[0] is None, statement
    integers = text(Mma("i8", 128, 64, "s8", "s8", "s32").statement())
    assert ptxas.judge(integers.replace("sm_100a", "sm_103a"), "sm_103a")[0] is None
    legal = [
        Mma("f16", 32, 64, "f16", "f16", ws=True, words=".collector::b3::use").statement(),
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%d], [%ta], %b, %i, %adds, 0;",
        *REFUSED,
    ]
    for statement in legal:
        cubin, messages = ptxas.judge(text(statement), "sm_100a")
        assert cubin is not None, messages
