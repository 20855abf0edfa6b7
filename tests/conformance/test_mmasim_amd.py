"""Dense MFMA of the emulator beside mmasim's models of CDNA, written by others.

mmasim (PyPI, MIT) needs torch, and a C++ compiler when it is imported. It says nothing of SMFMAC,
nor of blocks: each of the matrices that an instruction multiplies is one of its products.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.layout.cells import LayoutMap
from lanemap.model import mfma, variant, variants
from lanemap.targets import TARGETS, instructions_of
from tests.emulator.amdgcn.machine import run
from tests.emulator.amdgcn.test_matrix import (
    element_bits,
    in_registers,
    outputs,
    registers_of,
    text,
)

#: Of a code: its unsigned type, bits of exponent and mantissa.
SHAPES: dict[str, tuple[Any, int, int]] = {
    "f64": (np.uint64, 11, 52), "f32": (np.uint32, 8, 23), "xf32": (np.uint32, 8, 23),
    "f16": (np.uint16, 5, 10), "bf16": (np.uint16, 8, 7), "fp8": (np.uint8, 4, 3),
    "bf8": (np.uint8, 5, 2),
}  # fmt: skip
ROUNDS = 24


def names(target: str) -> list[str]:
    found = {each.name.partition(":")[0] for each in variants(target)}
    return sorted(each for each in found if re.match(r"v_mfma_f\d\d_.*(?<!f8f6f4)$", each))


def kinds_of(name: str) -> tuple[str, str, str]:
    """The types of A, B and D."""
    match = re.fullmatch(r"v_mfma_(f\d\d)_\d+x\d+x\d+_?(?:\d+b_)?(\w+)", name)
    assert match is not None
    return match[2].partition("_")[0], match[2].rpartition("_")[2], match[1]


def named(name: str, target: str) -> str:
    """As the assembler of a target knows it; gfx90a has older names, with _1k of newer bf16."""
    listed = instructions_of(target)
    form = next(each for each in mfma.FORMS if each.name == name)
    return next(each for each in (name, *form.spellings[::-1]) if each in listed)


def simulated(name: str, target: str, a: Any, b: Any, c: Any) -> NDArray[Any]:
    """D[block, row, column] by mmasim: codes."""
    sim = pytest.importorskip("mmasim.amd.sim", exc_type=Exception)
    isa = pytest.importorskip("mmasim.amd.isa_mfma", exc_type=Exception)
    torch = pytest.importorskip("torch")
    cores = TARGETS[target].tensor_cores.replace(" ", "")
    short = named(name, target).removeprefix("v_mfma_")
    if short not in isa.arch_mfma_suffix[cores]:
        pytest.skip(f"mmasim has no {short} of {cores}")
    model = sim.MFMA(cores, short)
    signed = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}

    def tensor(codes: Any, kind: Any) -> Any:
        held = np.ascontiguousarray(codes).view(f"i{codes.dtype.itemsize}")
        return torch.from_numpy(held).to(signed[codes.dtype.itemsize]).view(kind)

    found = [
        model(*(tensor(x, t) for x, t in zip(each, types, strict=True)))
        for types in [(model.a_type, model.b_type, model.c_type)]
        for each in zip(a, b, c, strict=True)
    ]
    stacked = torch.stack(found)
    size = stacked.element_size()
    codes: NDArray[Any] = stacked.view(signed[size]).numpy().view(f"u{size}")
    return codes


def operand(rng: np.random.Generator, kind: str, shape: tuple[int, ...], way: int) -> NDArray[Any]:
    """Codes: any, of similar exponents, near the smallest or largest, or equal but for signs."""
    unsigned, exponent_bits, mantissa_bits = SHAPES[kind]
    bits = 1 + exponent_bits + mantissa_bits
    codes = rng.integers(0, 1 << bits, shape, dtype=np.uint64)
    top = (1 << exponent_bits) - 1
    middle = {0: (0, top), 1: (top // 2 - 2, top // 2 + 3), 2: (0, 2), 3: (top - 2, top)}
    low, high = middle.get(way, (top // 2 - 12, top // 2 + 12))
    low, high = max(low, 0), min(high, top)
    fields = rng.integers(low, high + 1, shape, dtype=np.uint64)
    codes &= ~np.uint64(top << mantissa_bits)
    codes |= fields << np.uint64(mantissa_bits)
    if way == 5:  # few bits, so that sums are ties and cancel
        codes &= ~np.uint64((1 << max(mantissa_bits - 2, 0)) - 1)
    if way != 3:  # infinities and NaN in one way only
        codes = np.where(
            (codes >> np.uint64(mantissa_bits) & np.uint64(top)) == top,
            codes & ~np.uint64(1 << mantissa_bits),
            codes,
        )
    codes[rng.random(shape) < 0.05] = 0
    return codes.astype(unsigned)


def agree(kind: str, theirs: NDArray[Any], ours: NDArray[Any], nan: bool) -> None:
    """Equal codes; `nan`: whichever NaN."""
    if nan:
        wide = np.float64 if kind == "f64" else np.float32
        both = np.isnan(theirs.view(wide)) & np.isnan(ours.view(wide))
        theirs, ours = np.where(both, 0, theirs), np.where(both, 0, ours)
    np.testing.assert_array_equal(ours, theirs)


def check(name: str, target: str) -> None:
    maps = {x: variant(f"{name}:{x}").map for x in "ABD"}
    kinds = kinds_of(name)
    registers = (registers_of(name, "A"), registers_of(name, "B"), registers_of(name, "D"))
    steps = target == "gfx942" and kinds[0] not in ("f64", "f32")
    rounds = [operands(name, way, maps) for way in range(ROUNDS)]
    words = np.zeros((48, ROUNDS, 64), np.uint32)  # a work-group for each round
    for way, codes in enumerate(rounds):
        for x, first in (("A", 0), ("B", 8), ("D", 16)):
            held = in_registers(codes[x], maps[x])
            words[first : first + len(held), way] = held
    rows = list(words.reshape(48, -1))
    found = run(text(named(name, target), registers), rows, outputs(registers[2]), target=target)
    for way, codes in enumerate(rounds):
        of_group = found.reshape(-1, ROUNDS, 64)[:, way]
        d = element_bits(of_group, maps["D"]).astype(SHAPES[kinds[2]][0])
        matrices = [each if each.ndim == 3 else each[None] for each in codes.values()]
        theirs = simulated(name, target, *matrices)
        agree(kinds[2], theirs.reshape(d.shape), d, nan=not steps)


def operands(name: str, way: int, maps: Mapping[str, LayoutMap]) -> dict[str, NDArray[Any]]:
    """Codes of A, B and D."""
    rng = np.random.default_rng(100 * way + len(name))
    codes = {
        x: operand(rng, kind, maps[x].source.sizes[:-1], way % 6)
        for x, kind in zip("ABD", kinds_of(name), strict=True)
    }
    if kinds_of(name)[0] in ("fp8", "bf8"):
        # mmasim takes the exponent of a NaN in C for 0, so that large sums hide it. Where A has
        # one, C of the second step is.
        odd = ~np.isfinite(codes["D"].view(np.float32))
        codes["D"][odd] = 0x3F800000
        for x in "AB":
            codes[x][codes[x] == 0x80] = 0
    return codes


@pytest.mark.parametrize("name", names("gfx90a"))
def test_gfx90a_adds_as_mmasim_says_of_cdna_2(name: str) -> None:
    check(name, "gfx90a")


@pytest.mark.parametrize("name", names("gfx942"))
def test_gfx942_adds_as_mmasim_says_of_cdna_3(name: str) -> None:
    check(name, "gfx942")
