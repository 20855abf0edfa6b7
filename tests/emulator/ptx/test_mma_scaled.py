"""mma.sync of .kind::f8f6f4 and block-scaled mma.sync, dense and sparse.

Elements and scales lie as the PTX ISA says ("Matrix fragments", "Block Scaling for mma.sync").
Their values are ml_dtypes', and mmasim adds the products of dense forms.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests import ptx
from tests.sampled import sampled

Codes = NDArray[np.uint8]
Words = NDArray[np.uint32]
DTYPES = {
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
    "e3m2": ml_dtypes.float6_e3m2fn, "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn, "ue8m0": ml_dtypes.float8_e8m0fnu,
    "ue4m3": ml_dtypes.float8_e4m3fn,
}  # fmt: skip
BITS = {"e4m3": 8, "e5m2": 8, "e3m2": 6, "e2m3": 6, "e2m1": 4}
CORES = "RTX Blackwell"


def values(kind: str, codes: Codes) -> NDArray[np.float64]:
    """What codes mean, by ml_dtypes."""
    if kind == "ue4m3":
        codes = codes & 0x7F
    return codes.astype(np.uint8).view(DTYPES[kind]).astype(np.float64)


@dataclass(frozen=True)
class Form:
    """One instruction: .kind, types of A and B, of D; the number and the type of scales."""

    kind: str
    a: str
    b: str
    d: str = "f32"
    blocks: int = 0
    scale: str = ""
    sparse: bool = False

    @property
    def packed(self) -> bool:
        """Whether e2m1 lies in 4 bits."""
        return self.kind in ("mxf4", "mxf4nvf4")

    @property
    def depth(self) -> int:
        return (64 if self.packed else 32) * (2 if self.sparse else 1)

    @property
    def name(self) -> str:
        scales = f".block_scale.scale_vec::{self.blocks}X" if self.blocks else ""
        opcode = "mma.sp::ordered_metadata" if self.sparse else "mma"
        return (
            f"{opcode}.sync.aligned.m16n8k{self.depth}.row.col.kind::{self.kind}{scales}.{self.d}"
            f".{self.a}.{self.b}.{self.d}{f'.{self.scale}' if self.scale else ''}"
        )

    def text(self, selectors: str = "{0, 0} {0, 0}", target: str = "sm_120a") -> str:
        """A kernel that loads A, B, C, metadata and scales, a word of each lane after the other."""
        b = 4 if self.sparse else 2
        results = 4 if self.d == "f32" else 2
        body = ["mov.u32 t, %tid.x;"]
        for name, count in (("a", 4), ("b", b), ("c", results), ("e", 1), ("sa", 1), ("sb", 1)):
            body += [f"ld.param.u64 p, [{name}_];", "mad.wide.u32 p, t, 4, p;"]
            body += [f"ld.global.b32 {name}{i}, [p+{128 * i}];" for i in range(count)]
        d, a, b_, c = (
            "{" + ", ".join(f"{name}{i}" for i in range(count)) + "}"
            for name, count in (("d", results), ("a", 4), ("b", b), ("c", results))
        )
        first, second = (each.strip("{") for each in selectors.split("} "))
        further = ", e0, 0" if self.sparse else ""
        if self.blocks:
            further += f", sa0, {{{first}}}, sb0, {{{second}"
            further += "" if second.endswith("}") else "}"
        body += [f"{self.name} {d}, {a}, {b_}, {c}{further};", "ld.param.u64 p, [d_];"]
        body += ["mad.wide.u32 p, t, 4, p;"]
        body += [f"st.global.b32 [p+{128 * i}], d{i};" for i in range(results)]
        kind = "f32" if self.d == "f32" else "b32"
        return f""".version 9.0
.target {target}
.address_size 64
.visible .entry k(.param .u64 a_, .param .u64 b_, .param .u64 c_, .param .u64 e_, .param .u64 sa_,
                  .param .u64 sb_, .param .u64 d_, .param .u32 s_)
{{
.reg .b32 t, a<4>, b<4>, e<1>, sa<1>, sb<1>;
.reg .{kind} c<4>, d<4>;
.reg .b16 byte, thread;
.reg .b64 p;
ld.param.u16 byte, [s_];
ld.param.u16 thread, [s_+2];
{chr(10).join(body)}
ret;
}}
"""


def registers(form: Form, operand: str, codes: Codes) -> Words:
    """Words [register, lane] of A or B: codes [row or column, k] (stored k of a sparse A)."""
    bits = 4 if form.packed else 8
    each = 32 // bits
    halves = 2 if operand == "a" else 1
    shift = 2 if (form.a if operand == "a" else form.b) == "e2m1" and not form.packed else 0
    count = codes.size // 32 // each
    words = np.zeros((count, 32), np.uint32)
    for register, lane, i in itertools.product(range(count), range(32), range(each)):
        line = lane // 4 + 8 * (register % halves)
        k = each * (lane % 4) + i + 4 * each * (register // halves)
        words[register, lane] |= np.uint32(int(codes[line, k]) << bits * i + shift)
    return words


def results(form: Form, matrix: NDArray[Any]) -> Words:
    """Words [register, lane] of C [row, column]."""
    lane, i = np.indices((32, 4))
    taken = matrix[lane // 4 + 8 * (i // 2), 2 * (lane % 4) + i % 2]
    if form.d == "f16":
        return np.ascontiguousarray(taken.astype(np.float16)).view(np.uint32).T.copy()
    return taken.astype(np.float32).view(np.uint32).T.copy()


def matrix_of(form: Form, words: Words) -> NDArray[Any]:
    """D [row, column] as its type has it."""
    dtype = np.float16 if form.d == "f16" else np.float32
    found = np.ascontiguousarray(words.reshape(-1, 32).T).view(dtype)
    lane, i = np.indices((32, 4))
    matrix = np.zeros((16, 8), dtype)
    matrix[lane // 4 + 8 * (i // 2), 2 * (lane % 4) + i % 2] = found
    return matrix


def scale_words(form: Form, codes: Codes, byte: int, thread: int) -> Words:
    """A word of each lane; what the selectors do not select is noise."""
    words = np.full(32, 0xA5C3F1E7, np.uint32)
    rows = len(codes)
    for line, block in np.ndindex(codes.shape):
        lane = 4 * (line % 8) + (2 * thread + line // 8 if rows == 16 else thread)
        at = 8 * (byte + block)
        words[lane] = words[lane] & ~np.uint32(255 << at) | np.uint32(int(codes[line, block]) << at)
    return words


TYPES = tuple(BITS)
PLAIN = [Form("f8f6f4", a, b, d) for a in TYPES for b in TYPES for d in ("f32", "f16")]
SCALED = [Form("mxf8f6f4", a, b, "f32", 1, "ue8m0") for a in TYPES for b in TYPES] + [
    Form("mxf4", "e2m1", "e2m1", "f32", 2, "ue8m0"),
    Form("mxf4nvf4", "e2m1", "e2m1", "f32", 2, "ue8m0"),
    Form("mxf4nvf4", "e2m1", "e2m1", "f32", 4, "ue4m3"),
    Form("mxf4nvf4", "e2m1", "e2m1", "f32", 4, "ue8m0"),
]
SPARSE = [
    Form(each.kind, each.a, each.b, each.d, each.blocks, each.scale, sparse=True)
    for each in (*PLAIN, *SCALED)
]
#: PTX 9.1 has it, ptxas 13.0 does not.
NEWER = {each.name for each in (*SCALED, *SPARSE) if (each.blocks, each.scale) == (4, "ue8m0")}


def random_operands(form: Form, seed: int) -> tuple[Codes, Codes, NDArray[Any], Codes, Codes]:
    """Codes of A and B, C, and the scales of A and B."""
    rng = np.random.default_rng(seed)
    a, b = (
        rng.integers(0, 1 << BITS[kind], (lines, form.depth)).astype(np.uint8)
        for kind, lines in ((form.a, 16), (form.b, 8))
    )
    if seed % 2:  # else with infinities and NaN in some rows
        a[a & 0x7F >= (0x7C if form.a == "e5m2" else 0x7F)] = 1
        b[b & 0x7F >= (0x7C if form.b == "e5m2" else 0x7F)] = 1
    c = rng.standard_normal((16, 8)) * 2.0 ** rng.integers(-20, 12, (16, 8))
    c = np.where(rng.random((16, 8)) < 0.2, 0, c)
    near = rng.integers(100, 150, (24, form.blocks)) if form.scale == "ue8m0" else None
    scales = rng.integers(0, 256, (24, form.blocks)) if near is None else near
    if form.blocks and seed == 2:
        scales[3, 0], scales[20, -1] = 255, 0
    scales = scales.astype(np.uint8)
    return a, b, c.astype(np.float16 if form.d == "f16" else np.float32), scales[:16], scales[16:]


def run(form: Form, operands: Any, selectors: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Any:
    """D by the emulator, of dense operands."""
    a, b, c, scale_a, scale_b = operands
    given = [
        registers(form, "a", a), registers(form, "b", b), results(form, c), np.zeros(32, np.uint32),
        scale_words(form, scale_a, *selectors[:2]), scale_words(form, scale_b, *selectors[2:]),
        np.zeros((4 if form.d == "f32" else 2, 32), np.uint32),
    ]  # fmt: skip
    words = "{{{}, {}}} {{{}, {}}}".format(*selectors)
    return matrix_of(form, list(ptx.launch(form.text(words), *given, np.uint32(0)))[6])


def simulated(form: Form, operands: Any) -> Any:
    """D by mmasim's model."""
    sim = pytest.importorskip("mmasim.nv_ptx.sim", exc_type=Exception)
    torch = pytest.importorskip("torch")
    types = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2,
             "ue8m0": torch.float8_e8m0fnu, "ue4m3": torch.float8_e4m3fn}  # fmt: skip
    a, b, c, *scales = operands

    def tensor(codes: Codes, kind: str) -> Any:
        codes = np.ascontiguousarray(codes)
        if kind == "e2m1" and form.packed:
            codes = codes[:, ::2] << 4 | codes[:, 1::2]
        elif kind == "e2m1":
            codes = codes << 2
        found = torch.from_numpy(codes.copy())
        return found.view(types[kind]) if kind in types else found

    given = [tensor(a, form.a), tensor(b, form.b).T, torch.from_numpy(c)]
    shape = f"m16n8k{form.depth}.kind::{form.kind}"
    tail = f"{form.d}.{form.a}.{form.b}.{form.d}"
    if not form.blocks:
        return sim.MMA(CORES, f"{shape}.{tail}")(*given).numpy()
    given += [tensor(scales[0], form.scale), tensor(scales[1], form.scale).T]
    size = f"block{form.depth // form.blocks}"
    return sim.MMABlockScale(CORES, f"{shape}.{size}.{tail}.{form.scale}")(*given).numpy()


def same(ours: Any, theirs: Any) -> bool:
    """Whether two matrices have the same bits, whatever NaN they have."""
    kind = f"u{ours.dtype.itemsize}"
    none = np.isnan(ours) & np.isnan(theirs)
    return bool(((ours.view(kind) == theirs.view(kind)) | none).all())


@pytest.mark.parametrize("form", [*PLAIN, *SCALED], ids=lambda form: form.name)
def test_the_emulator_adds_as_mmasim_says(form: Form) -> None:
    for seed in range(4):
        operands = random_operands(form, seed)
        assert same(run(form, operands), simulated(form, operands)), seed


def small(form: Form, seed: int) -> tuple[Codes, Codes, NDArray[Any], Codes, Codes]:
    """Operands whose sums are exact in f32: few different elements, scales near 1."""
    rng = np.random.default_rng(seed)

    def codes(kind: str, lines: int) -> Codes:
        every = np.arange(1 << BITS[kind], dtype=np.uint8)
        whole = np.isin(values(kind, every), (-2, -1, 0, 1, 2))
        return rng.choice(every[whole], (lines, form.depth))

    ones = {"ue8m0": 126, "ue4m3": 0x30}.get(form.scale, 0)
    step = 8 if form.scale == "ue4m3" else 1
    scales = (ones + step * rng.integers(0, 3, (24, form.blocks))).astype(np.uint8)
    c = rng.integers(-8, 9, (16, 8))
    dtype = np.float16 if form.d == "f16" else np.float32
    return codes(form.a, 16), codes(form.b, 8), c.astype(dtype), scales[:16], scales[16:]


def product(form: Form, operands: Any, a: NDArray[np.float64] | None = None) -> Any:
    """D in f64 of decoded operands, each element with the scale of its block."""
    codes, b, c, scale_a, scale_b = operands
    left = values(form.a, codes) if a is None else a
    right = values(form.b, b)
    if form.blocks:
        size = form.depth // form.blocks
        left = left * np.repeat(values(form.scale, scale_a), size, 1)
        right = right * np.repeat(values(form.scale, scale_b), size, 1)
    return left @ right.T + c


LEGAL = {1: (0, 1, 2, 3), 2: (0, 2), 4: (0,)}


@pytest.mark.parametrize(
    "form", sampled([each for each in SCALED if each.a == each.b], 8, lambda form: form.name)
)
def test_every_pair_of_selectors(form: Form) -> None:
    """Against decoded operands, with noise in all bytes that are not selected."""
    pairs = itertools.product(LEGAL[form.blocks], (0, 1), LEGAL[form.blocks], (0, 1, 2, 3))
    for seed, selectors in enumerate(pairs):
        operands = small(form, seed)
        assert np.array_equal(run(form, operands, selectors), product(form, operands)), selectors


@pytest.mark.parametrize("form", SPARSE, ids=lambda form: form.name)
def test_sparse_products(form: Form) -> None:
    """Two of every four elements are stored, or two pairs of every eight of 4 bits."""
    rng = np.random.default_rng(1)
    a, b, c, scale_a, scale_b = small(form, 5)
    unit = 2 if form.packed else 1
    chunks = form.depth // (4 * unit)
    named = np.array(list(itertools.combinations(range(4), 2)))[rng.integers(0, 6, (16, chunks))]
    k = (4 * unit * np.arange(chunks)[None, :, None, None] + unit * named[..., None]) + np.arange(
        unit
    )
    k = k.reshape(16, -1)
    stored = np.take_along_axis(a, k, 1)
    dense = np.zeros((16, form.depth))
    np.put_along_axis(dense, k, values(form.a, stored), 1)
    metadata = np.zeros(32, np.uint32)
    for group, thread, place in itertools.product(range(8), range(4), range(8)):
        row, chunk = group + 8 * (thread % 2), 8 * (thread // 2) + place
        word = int(named[row, chunk, 0] | named[row, chunk, 1] << 2)
        metadata[4 * group + thread] |= np.uint32(word << 4 * place)
    given = [
        registers(form, "a", stored), registers(form, "b", b), results(form, c), metadata,
        scale_words(form, scale_a, 0, 1), scale_words(form, scale_b, 0, 2),
        np.zeros((4 if form.d == "f32" else 2, 32), np.uint32),
    ]  # fmt: skip
    got = list(ptx.launch(form.text("{0, 1} {0, 2}"), *given, np.uint32(0)))[6]
    expected = product(form, (a, b, c, scale_a, scale_b), dense)
    assert np.array_equal(matrix_of(form, got).astype(np.float64), expected)


@pytest.mark.parametrize("form", sampled((*PLAIN, *SCALED, *SPARSE), 4, lambda form: form.name))
def test_ptxas_takes_the_text(form: Form) -> None:
    cubin, messages = ptxas.judge(form.text("{0, 1} {0, 3}"), "sm_120a")
    assert (cubin is None) == (form.name in NEWER), messages


ONE = Form("mxf8f6f4", "e4m3", "e2m1", "f32", 1, "ue8m0")


def launched(form: Form, selectors: str, value: int = 0) -> Any:
    """D of ones, with scales of one."""
    ones = np.full((16, form.depth), 0x38, np.uint8), np.full((8, form.depth), 2, np.uint8)
    given = [
        registers(form, "a", ones[0]), registers(form, "b", ones[1]), np.zeros(128, np.uint32),
        np.zeros(32, np.uint32), np.full(32, 0x7F807F80, np.uint32),
        np.full(32, 0x7F807F80, np.uint32), np.zeros(128, np.uint32),
    ]  # fmt: skip
    return matrix_of(form, list(ptx.launch(form.text(selectors), *given, np.uint32(value)))[6])


def test_selectors_may_be_registers() -> None:
    assert (launched(ONE, "{byte, thread} {1, 0}", 0x1_0001) == 32).all()
    assert (launched(ONE, "{byte, thread} {1, 0}", 0x0_0002) == 64).all()
    with pytest.raises(Hazard, match="byte-id 0 and thread-id 2 do not select scales"):
        launched(ONE, "{byte, thread} {1, 0}", 0x2_0000)
    with pytest.raises(Hazard, match="byte-id 4 and thread-id 0 do not select scales"):
        launched(ONE, "{1, 0} {byte, thread}", 0x0_0004)


def test_lanes_must_agree_on_selectors() -> None:
    text = ONE.text("{byte, 0} {0, 0}").replace("ld.param.u16 byte, [s_];", "mov.u32 t, %tid.x;")
    text = text.replace(
        "ld.param.u16 thread, [s_+2];", "cvt.u16.u32 byte, t; and.b16 byte, byte, 1;"
    )
    given = [np.zeros(128, np.uint32) for _ in range(7)]
    with pytest.raises(Hazard, match="or the lanes of the warp differ"):
        ptx.launch(text, *given, np.uint32(0))


@pytest.mark.parametrize("byte, clean", [(0, True), (1, False)])
def test_only_selected_bytes_must_be_defined(byte: int, clean: bool) -> None:
    """The upper half of each register of scales was never written."""
    text = ONE.text(f"{{{2 * byte}, 0}} {{0, 0}}").replace(
        "ld.global.b32 sa0, [p+0];", ".reg .b16 lo, hi; mov.b32 {lo, hi}, t; mov.b32 sa0, {lo, no};"
    )
    text = text.replace(".reg .b64 p;", ".reg .b64 p; .reg .b16 no;")
    given = [np.zeros(256, np.uint32) for _ in range(7)]
    found = ptx.hazard(text, *given, np.uint32(0))
    assert (found is None) == clean
    assert clean or "undefined" in str(found)


@pytest.mark.parametrize(
    "form, selectors, target, message",
    [
        (ONE, "{4, 0} {0, 0}", "sm_120a", "byte-id of A is one of 0, 1, 2, 3 here, not 4"),
        (ONE, "{0, 2} {0, 0}", "sm_120a", "thread-id of A is one of 0, 1 here, not 2"),
        (SCALED[-4], "{1, 0} {0, 0}", "sm_120a", "byte-id of A is one of 0, 2 here, not 1"),
        (ONE, "{0, 0} {0, 0}", "sm_120", "sm_120 has no .kind::f8f6f4"),
        (PLAIN[-1], "{0, 0} {0, 0}", "sm_100a", "sm_100a has no block-scaled mma.sync"),
    ],
)
def test_what_is_refused(form: Form, selectors: str, target: str, message: str) -> None:
    text = form.text(selectors, target)
    assert ptxas.judge(text, target)[0] is None
    device = "sm_100a" if target == "sm_100a" else "sm_120a"
    with pytest.raises(UserError, match=message):
        ptx.launch(
            text,
            *[np.zeros(256, np.uint32)] * 7,
            np.uint32(0),
            device=lanemap.open_device(device, "emulator"),
        )
