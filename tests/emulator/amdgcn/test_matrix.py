"""Every MFMA through kernels: decoded by ml_dtypes, laid out by the model, summed by NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import lanemap
from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower.binding import bind
from lanemap.emulator.amdgcn.lower.table import SPELLINGS, TABLE, lookup
from lanemap.emulator.amdgcn.text.errors import AssemblyError, Place
from lanemap.emulator.amdgcn.text.parser import parse_module
from lanemap.emulator.codegen.operands import register_places, run_table
from lanemap.emulator.host.hazards import Hazard
from lanemap.layout import LayoutMap
from lanemap.model import variant
from tests.sampled import sampled

from .clang import assemble
from .machine import kernel, run
from .test_table import canonical

DTYPES: dict[str, Any] = {
    "fp8": ml_dtypes.float8_e4m3fn, "bf8": ml_dtypes.float8_e5m2, "fp6": ml_dtypes.float6_e2m3fn,
    "bf6": ml_dtypes.float6_e3m2fn, "fp4": ml_dtypes.float4_e2m1fn, "f16": np.float16,
    "bf16": ml_dtypes.bfloat16, "i8": np.int8, "f32": np.float32, "f64": np.float64,
}  # fmt: skip
MIXED = ("fp8", "bf8", "fp6", "bf6", "fp4")
NAMES = sorted(name for name in TABLE if name.startswith("v_mfma") and lookup(name) is TABLE[name])
PLAIN = [name for name in NAMES if "f8f6f4" not in name]
A, B, C, D = 10, 18, 26, 60  # first VGPRs; scales of A and B are in v58 and v59
Bits = NDArray[np.uint8]


def element_bits(words: NDArray[np.uint32], layout: LayoutMap) -> NDArray[np.uint64]:
    """Codes of matrix elements out of words[register, lane], in the order of the map's source."""
    lanes, registers = layout.destination.sizes[:2]
    place = np.arange(32, dtype=np.uint32)
    bits = words[:registers].T[..., None] >> place & 1
    assert bits.shape == (lanes, registers, 32)
    table = layout.table.reshape(-1)
    found = np.zeros(layout.source.size, np.uint64)
    found[table[table >= 0]] = bits.reshape(-1)[table >= 0]
    width = layout.source.sizes[-1]
    codes = (found.reshape(-1, width) << np.arange(width, dtype=np.uint64)).sum(1, dtype=np.uint64)
    return codes.reshape(layout.source.sizes[:-1])


def values_of(codes: NDArray[np.uint64], kind: str) -> NDArray[np.float64]:
    dtype = np.dtype(DTYPES[kind])
    return codes.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)


def registers_of(name: str, operand: str) -> int:
    return int(variant(f"{name}:{operand}").map.destination.axis_size("register"))


def expected(
    words: NDArray[np.uint32],
    name: str,
    kinds: tuple[str, str],
    suffixes: tuple[str, str],
    models: dict[str, LayoutMap],
    scale_bytes: tuple[int, int] | None,
    cbsz: int = 0,
    abid: int = 0,
) -> Any:
    """D as the instruction's registers should hold it: words[register, lane]."""
    plain = name.replace("scale_", "")
    maps = [
        models.get(each, variant(each).map)
        for each in (f"{plain}:A{suffixes[0]}", f"{plain}:B{suffixes[1]}", f"{plain}:D")
    ]
    a = values_of(element_bits(words[0:8], maps[0]), kinds[0])
    b = values_of(element_bits(words[8:16], maps[1]), kinds[1])
    result = {"i8": np.int32, "f64": np.float64}.get(kinds[0], np.float32)
    size = maps[2].source.sizes[-1] // 8
    c = element_bits(words[16:48], maps[2]).astype(f"u{size}").view(result).astype(np.float64)
    if scale_bytes is not None:
        for side, byte in enumerate(scale_bytes):
            layout = variant(f"{name}:scale_{'AB'[side]}.byte{byte}").map
            scale = 2.0 ** (element_bits(words[48 + side : 49 + side], layout).astype(int) - 127.0)
            scale = np.repeat(scale, 32, axis=1)
            a, b = (a * scale, b) if side == 0 else (a, b * scale.T)
    if cbsz:
        a = a[[block // 2**cbsz * 2**cbsz + abid for block in range(len(a))]]
    for k in range(a.shape[-1]):
        c = c + a[..., :, k, None] * b[..., None, k, :]
    if result is np.int32:
        c = (c.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    return in_registers(c.astype(result) if result is not np.int32 else c, maps[2])


def in_registers(matrix: NDArray[Any], layout: LayoutMap) -> NDArray[np.uint32]:
    lanes, registers = layout.destination.sizes[:2]
    bits = np.unpackbits(np.ascontiguousarray(matrix).view(np.uint8), bitorder="little")
    held = bits[layout.table.reshape(-1)].reshape(lanes, registers, 32)
    return np.packbits(held, axis=2, bitorder="little").view(np.uint32)[:, :, 0].T


def random_words(kinds: tuple[str, str], seed: int) -> NDArray[np.uint32]:
    """Words of A, B, C and scales: finite numbers of moderate size, whatever their width."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 1 << 32, (50, 64), dtype=np.uint32)
    for first, kind in ((0, kinds[0]), (8, kinds[1])):
        if kind in ("fp8", "bf8", "f16", "bf16"):
            words[first : first + 8] &= np.uint32(
                0xBFBFBFBF if "f8" in kind or kind == "fp8" else 0xBFFFBFFF
            )
    wide = {"f32": np.float32, "f64": np.float64}.get(kinds[0])
    if wide is not None:
        for first in (0, 8, 16, 32):
            floats = rng.normal(size=(64, 16)).astype(wide).view(np.uint32)
            words[first : first + 16] = floats[:, :16].T
    if kinds[0] not in ("f64", "i8"):
        words[16:48] = rng.normal(size=(32, 64)).astype(np.float32).view(np.uint32)
    words[48:] = rng.integers(120, 134, (2, 64, 4), dtype=np.uint8).view(np.uint32)[..., 0]
    return words


def text(name: str, registers: tuple[int, int, int], modifiers: str = "", c: str = "") -> str:
    a, b, d = (
        f"v[{first}:{first + count - 1}]" if count > 1 else f"v{first}"
        for first, count in zip((A, B, D), registers, strict=True)
    )
    c = c or f"v[{C}:{C + registers[2] - 1}]"
    return f"s_nop 8\n{name} {d}, {a}, {b}, {c}{modifiers}\ns_nop 15\ns_nop 15"


def outputs(count: int) -> list[str]:
    return [f"v{D + i}" for i in range(count)]


def kinds_of(name: str) -> tuple[str, str]:
    formats = [each for each in name.split("_")[4:] if each in DTYPES]
    return formats[0], formats[-1]


@pytest.mark.parametrize("name", PLAIN)
def test_one_format(name: str) -> None:
    kinds = kinds_of(name)
    registers = (registers_of(name, "A"), registers_of(name, "B"), registers_of(name, "D"))
    words = random_words(kinds, len(name))
    found = run(text(name, registers), list(words), outputs(registers[2]))
    np.testing.assert_array_equal(found, expected(words, name, kinds, ("", ""), {}, None))
    assert len(np.unique(found)) > 64


@pytest.mark.parametrize(
    ("name", "first", "second"),
    sampled(itertools.product([name for name in NAMES if "f8f6f4" in name], range(5), range(5)), 4),
)
def test_mixed_formats(name: str, first: int, second: int) -> None:
    plain = name.replace("scale_", "")
    kinds = MIXED[first], MIXED[second]
    registers = (
        registers_of(plain, f"A.{kinds[0]}"),
        registers_of(plain, f"B.{kinds[1]}"),
        registers_of(plain, "D"),
    )
    modifiers, scale_bytes = f" cbsz:{first} blgp:{second}", None
    if name != plain:
        scale_bytes = (1, 2)
        modifiers = f", v58, v59 op_sel:[1,0,0] op_sel_hi:[0,1,0]{modifiers}"
    words = random_words(kinds, first * 5 + second)
    found = run(text(name, registers, modifiers), list(words), outputs(registers[2]))
    wanted = expected(words, name, kinds, (f".{kinds[0]}", f".{kinds[1]}"), {}, scale_bytes)
    np.testing.assert_array_equal(found, wanted)


def shuffled(name: str, seed: int) -> LayoutMap:
    """The map of a variant with its lanes exchanged at random."""
    layout = variant(name).map
    table = layout.table.reshape(layout.destination.sizes)
    order = np.random.default_rng(seed).permutation(table.shape[0])
    return LayoutMap(layout.destination, layout.source, table[order].reshape(layout.table.shape))


@pytest.mark.parametrize(
    "name", ["v_mfma_f32_16x16x32_bf16", "v_mfma_f64_16x16x4_f64", "v_mfma_i32_32x32x16_i8"]
)
def test_lanes_need_not_follow_each_other(name: str) -> None:
    kind = name.split("_")[-1]
    models = {f"{name}:{x}": shuffled(f"{name}:{x}", seed) for seed, x in enumerate("ABD")}
    registers = (registers_of(name, "A"), registers_of(name, "B"), registers_of(name, "D"))
    words = random_words((kind, kind), 3)
    device = lanemap.open_device("gfx950", device="emulator", models=models)
    given, result = device.array(words.reshape(-1)), device.zeros(registers[2] * 64, np.uint32)
    source = kernel(text(name, registers), len(words), outputs(registers[2]), 64)
    scalars = device.zeros(8, np.uint32)
    device.load(source)["k"]((1, 1, 1), (64, 1, 1), (given, result, scalars))
    found = result.get().reshape(-1, 64)
    np.testing.assert_array_equal(
        found, expected(words, name, (kind, kind), ("", ""), models, None)
    )
    assert not np.array_equal(found, expected(words, name, (kind, kind), ("", ""), {}, None))


def run_form(name: str, words: NDArray[np.uint32], modifiers: str) -> NDArray[np.uint32]:
    registers = (registers_of(name, "A"), registers_of(name, "B"), registers_of(name, "D"))
    return run(text(name, registers, modifiers), list(words), outputs(registers[2]))


#: AMD, "Common MFMA parameters": with cbsz 2 and abid 1 blocks 0, 2 and 3 receive the values of
#: block 1, blocks 4, 6 and 7 those of block 5.
@pytest.mark.parametrize(("name", "cbsz", "abid"), [
    ("v_mfma_f32_4x4x1_16b_f32", 2, 1), ("v_mfma_f32_4x4x4_16b_bf16", 4, 13),
    ("v_mfma_i32_16x16x4_4b_i8", 1, 1), ("v_mfma_f32_16x16x4_4b_f16", 2, 3),
    ("v_mfma_f32_32x32x1_2b_f32", 1, 0), ("v_mfma_f32_32x32x4_2b_f16", 1, 1),
])  # fmt: skip
def test_blocks_of_a_are_broadcast(name: str, cbsz: int, abid: int) -> None:
    kinds = kinds_of(name)
    words = random_words(kinds, cbsz + abid)
    found = run_form(name, words, f" cbsz:{cbsz} abid:{abid}")
    wanted = expected(words, name, kinds, ("", ""), {}, None, cbsz, abid)
    np.testing.assert_array_equal(found, wanted)
    assert not np.array_equal(found, expected(words, name, kinds, ("", ""), {}, None))


#: Where lane l takes B from, by blgp: AMD, "Common MFMA parameters".
PATTERNS = {
    1: lambda n: n % 32, 2: lambda n: n % 32 + 32, 3: lambda n: (n + 16) % 64,
    4: lambda n: n % 16, 5: lambda n: n % 16 + 16, 6: lambda n: n % 16 + 32,
    7: lambda n: n % 16 + 48,
}  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_lanes_of_b_are_exchanged(pattern: int) -> None:
    name = "v_mfma_f32_32x32x4_2b_f16" if pattern % 2 else "v_mfma_i32_16x16x32_i8"
    kinds = kinds_of(name)
    words = random_words(kinds, pattern)
    found = run_form(name, words, f" blgp:{pattern}")
    words[8:16] = words[8:16][:, PATTERNS[pattern](np.arange(64))]
    np.testing.assert_array_equal(found, expected(words, name, kinds, ("", ""), {}, None))


@pytest.mark.parametrize("name", ["v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64"])
@pytest.mark.parametrize("signs", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)])
def test_operands_of_f64_are_negated(name: str, signs: tuple[int, int, int]) -> None:
    words = random_words(("f64", "f64"), sum(signs))
    found = run_form(name, words, f" neg:[{signs[0]},{signs[1]},{signs[2]}]")
    for place, (first, last) in enumerate(((0, 8), (8, 16), (16, 48))):
        words[first + 1 : last : 2] ^= np.uint32(signs[place] << 31)
    np.testing.assert_array_equal(found, expected(words, name, ("f64", "f64"), ("", ""), {}, None))


REFUSED = {
    "v_mfma_f32_4x4x1_16b_f32 v[0:3], v4, v5, v[0:3] cbsz:5": "A has 16 blocks",
    "v_mfma_f32_4x4x1_16b_f32 v[0:3], v4, v5, v[0:3] cbsz:1 abid:2": "number abid among them",
    "v_mfma_f32_4x4x1_16b_f32 v[0:3], v4, v5, v[0:3] abid:1": "number abid among them",
    "v_mfma_f32_16x16x32_f16 v[0:3], v[4:7], v[8:11], v[0:3] cbsz:1": "A has 1 block,",
    "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[8:9], v[10:11], v[0:1] cbsz:1": "A has 1 block,",
    "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3] cbsz:5": "cbsz must be 0 to 4",
    "v_mfma_f32_16x16x16_f16 a[0:3], v[4:5], v[6:7], v[0:3]": "C and D are both VGPRs or both",
    "v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v20 abid:2": "2 sets of 4 pairs",
    "v_smfmac_f32_32x32x64_fp8_fp8 v[0:15], v[16:19], v[20:27], v28 abid:1": "1 set of 8 pairs",
}  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_what_no_source_gives_a_meaning_is_refused(line: str) -> None:
    with pytest.raises(AssemblyError, match=REFUSED[line]):
        bind(parse_module(line, "k.s").instructions()[0], Place("k.s", 1))


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])  # gfx90a has the older ones
def test_older_spellings_are_those_that_clang_prints_in_the_new_form(target: str) -> None:
    own = {old: new for old, new in SPELLINGS.items() if lookup(old, target) is TABLE[new]}
    lines = [canonical(TABLE[new]).replace(new, old) for old, new in own.items()]
    printed, errors = assemble(lines, target)
    names = [line.split()[0] for line in printed if line.strip().startswith("v_")]
    assert not errors
    assert dict(zip(own, names, strict=True)) == own


def test_exec_is_ignored_and_c_may_be_a_constant() -> None:
    name, kinds = "v_mfma_f32_32x32x8_f16", ("f16", "f16")
    words = random_words(kinds, 4)
    body = "s_mov_b64 exec, 0x5\n" + text(name, (2, 2, 16), c="2.0")
    found = run(body, list(words), outputs(16))
    words[16:48] = np.float32(2).view(np.uint32)
    np.testing.assert_array_equal(found, expected(words, name, kinds, ("", ""), {}, None))


PARTS = {"A": "v13", "B": "v18", "C": "v27", "scale": "v59"}


@pytest.mark.parametrize("part", PARTS)
def test_undefined_operands_are_a_hazard(part: str) -> None:
    """One lane of one register that nothing wrote, where another product has none."""
    name = "v_mfma_scale_f32_16x16x128_f8f6f4"
    copy = "\n".join(f"v_mov_b32 v{100 + i}, v{i}" for i in range(10, 60) if f"v{i}" != PARTS[part])
    whole = f"""{copy}
s_mov_b32 exec_lo, -1
s_mov_b32 exec_hi, 0x7fffffff
v_mov_b32 v{100 + int(PARTS[part][1:])}, {PARTS[part]}
s_mov_b64 exec, -1
s_nop 8
{name} v[60:63], v[110:117], v[118:125], v[126:129], v158, v159
s_nop 15
s_nop 15"""
    words = random_words(("fp8", "fp8"), 5)
    with pytest.raises(Hazard) as caught:
        run(whole, list(words), outputs(4))
    assert "decide the matrix operand" in str(caught.value)
    assert f"register v{100 + int(PARTS[part][1:])}" in str(caught.value)
    assert caught.value.lanes == 1 << 63
    assert "mfma" in str(caught.value)


def test_runs_of_lanes() -> None:
    k, line = np.meshgrid(np.arange(4), np.arange(8), indexing="ij")
    beside = (k * 64 + line) * 32 + 16
    assert run_table(beside)[:3].tolist() == [8, 32, 16]
    pairs = (k * 64 + line // 2 * 8 + line % 2) * 32
    assert run_table(pairs)[:4].tolist() == [2, 32, 0, 256]
    assert run_table(beside[:, ::-1]).tolist()[0] == 1
    apart = (k * 64 + line * 4) * 32
    assert run_table(apart)[:2].tolist() == [1, 32]
    assert run_table(apart, (1, 4))[:4].tolist() == [8, 128, 0, 2048]
    assert run_table(beside, (1, 4))[:2].tolist() == [8, 32]


def test_places_in_rows_of_registers() -> None:
    found = register_places(np.array([0, (5 * 4 + 3) * 32 + 7]), 64, 4)
    assert found.tolist() == [0, (3 * 64 + 5) * 32 + 7]
    with pytest.raises(ValueError, match="outside 4 registers of 64 lanes"):
        register_places(np.array([64 * 4 * 32]), 64, 4)
