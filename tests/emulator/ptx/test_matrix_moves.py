"""ldmatrix, stmatrix and movmatrix executed, against the fragments of the PTX ISA in NumPy.

PTX ISA, Warp-level Matrix Instructions: of an 8x8 matrix of 16-bit elements lane T holds row T/4,
columns 2*(T%4) and the next; lanes 8*i to 8*i+7 give the addresses of the rows of matrix i.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests import ptx

Array = NDArray[np.uint32]
SPACES = {"shared": "%row", "shared::cta": "%row", "": "%generic"}

BODY = """\
.reg .b64 %generic, %far; .reg .b32 %lane, %row, %own, %s, %r<5>, %i<5>;
.shared .align 16 .b8 rows[512];
mov.u32 %lane, %tid.x;
mul.wide.u32 %far, %lane, 16;
add.u64 %in, %in, %far; add.u64 %out, %out, %far;
mov.u32 %s, rows;
shl.b32 %own, %lane, 4; add.u32 %own, %own, %s;
ld.global.v4.b32 {{%i0, %i1, %i2, %i3}}, [%in];
xor.b32 %row, %lane, 5; shl.b32 %row, %row, 4; add.u32 %row, %row, %s;
cvt.u64.u32 %generic, %row; cvta.shared.u64 %generic, %generic;
mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;
{body}
st.global.v4.b32 [%out], {{%r0, %r1, %r2, %r3}};"""
FILL = "st.shared.v4.b32 [%own], {%i0, %i1, %i2, %i3}; bar.warp.sync 0xffffffff;\n"
BACK = "\nbar.warp.sync 0xffffffff; ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [%own];"
LANES = np.arange(32)


def execute(body: str, given: Array, target: str = "sm_90a") -> Array:
    """Four registers of each lane, as uint32[32, 4]; `given` are %i0 to %i3."""
    text = ptx.entry(BODY.format(body=body), "out in", target=target)
    out, _ = ptx.launch(text, np.zeros((32, 4), np.uint32), given)
    return out


def given_words(seed: int) -> Array:
    return np.random.default_rng(seed).integers(0, 1 << 32, (32, 4), dtype=np.uint32)


def registers(count: int) -> str:
    names = ", ".join(f"%r{i}" for i in range(count))
    return f"{{{names}}}"


def fragments(matrices: NDArray[np.uint16]) -> Array:
    """uint16[n, 8, 8] -> what each lane holds of each, uint32[32, n]."""
    row, column = LANES // 4, 2 * (LANES % 4)
    low, high = (matrices[:, row, column + i].T.astype(np.uint32) for i in (0, 1))
    result: Array = low | high << np.uint32(16)
    return result


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_ldmatrix(count: int, trans: str, space: str) -> None:
    given = given_words(count)
    where = f".{space}" if space else ""
    body = f"{FILL}ldmatrix.sync.aligned.m8n8.x{count}{trans}{where}.b16 {registers(count)}, "
    found = execute(f"{body}[{SPACES[space]}];", given)
    rows = given[LANES ^ 5].view(np.uint16).reshape(4, 8, 8)[:count]
    expected = fragments(rows.transpose(0, 2, 1) if trans else rows)
    assert np.array_equal(found[:, :count], expected)
    assert not found[:, count:].any()


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_stmatrix(count: int, trans: str, space: str) -> None:
    given = given_words(10 + count)
    where = f".{space}" if space else ""
    zero = "st.shared.v4.b32 [%own], {%r0, %r1, %r2, %r3}; bar.warp.sync 0xffffffff;\n"
    sources = registers(count).replace("%r", "%i")
    body = f"{zero}stmatrix.sync.aligned.m8n8.x{count}{trans}{where}.b16 [{SPACES[space]}], "
    found = execute(f"{body}{sources};{BACK}", given)
    halves = given[:, :count].copy().view(np.uint16).reshape(32, count, 2)
    matrices = np.zeros((count, 8, 8), np.uint16)
    for lane in LANES:
        for i in (0, 1):
            matrices[:, lane // 4, 2 * (lane % 4) + i] = halves[lane, :, i]
    if trans:
        matrices = matrices.transpose(0, 2, 1)
    expected = np.zeros((32, 8), np.uint16)
    expected[(LANES ^ 5)[: 8 * count]] = matrices.reshape(-1, 8)
    assert np.array_equal(found.view(np.uint16), expected)


def test_movmatrix() -> None:
    given = given_words(20)
    found = execute("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %i0;", given)
    halves = given[:, 0].copy().view(np.uint16).reshape(1, 8, 8)  # four lanes hold a row
    assert np.array_equal(found[:, :1], fragments(halves.transpose(0, 2, 1)))


@pytest.mark.parametrize("count", [1, 2])
def test_ldmatrix_of_bytes_transposed(count: int) -> None:
    """m16n16: lane T holds rows T/4 and T/4 + 8, columns 4*(T%4) to the third next."""
    given = given_words(30 + count)
    name = f"ldmatrix.sync.aligned.m16n16.x{count}.trans.shared.b8"
    found = execute(f"{FILL}{name} {registers(2 * count)}, [%row];", given, "sm_100a")
    matrices = given[LANES ^ 5].view(np.uint8).reshape(2, 16, 16).transpose(0, 2, 1)
    for register in range(2 * count):
        row, column = LANES // 4 + 8 * (register % 2), 4 * (LANES % 4)
        held = np.stack([matrices[register // 2, row, column + i] for i in range(4)], axis=1)
        assert np.array_equal(found[:, register], np.ascontiguousarray(held).view(np.uint32)[:, 0])


@pytest.mark.parametrize(("kind", "bits"), [("b6x16_p32", 6), ("b4x16_p64", 4)])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_ldmatrix_unpacks_small_elements(count: int, kind: str, bits: int) -> None:
    """m8n16.b8x16: a row is 16 elements without gaps, then padding; each becomes a byte."""
    given = given_words(40 + count)
    name = f"ldmatrix.sync.aligned.m8n16.x{count}.shared.b8x16.{kind}"
    found = execute(f"{FILL}{name} {registers(count)}, [%row];", given, "sm_100a")
    stream = np.unpackbits(given[LANES ^ 5].view(np.uint8), axis=1, bitorder="little")
    weights = 1 << np.arange(bits)
    elements = (stream[:, : 16 * bits].reshape(32, 16, bits) * weights).sum(axis=2)
    for matrix in range(count):
        rows = elements[8 * matrix : 8 * matrix + 8].astype(np.uint8)
        held = np.stack([rows[LANES // 4, 4 * (LANES % 4) + i] for i in range(4)], axis=1)
        assert np.array_equal(found[:, matrix], np.ascontiguousarray(held).view(np.uint32)[:, 0])
