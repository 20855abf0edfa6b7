"""tcgen05.cp, shift and commit against index formulas; what they must be ordered with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.text.errors import PtxError
from lanemap.layout import LayoutMap
from lanemap.model import variant
from tests.emulator.ptx.launching import require
from tests.emulator.ptx.tensor_texts import COLUMNS, HEAD, LANES, Text

GIVEN = np.random.default_rng(6).integers(0, 2**32, (LANES, COLUMNS), np.uint32)
SOURCE_BYTES = 32768
SOURCE = GIVEN.reshape(-1).view(np.uint8)[:SOURCE_BYTES]
#: Form: rows, bytes of a row, and the lanes that receive row r (PTX ISA, tcgen05.cp).
FORMS: dict[str, tuple[int, int, Any]] = {
    "128x256b": (128, 32, lambda r: [r]),
    "4x256b": (4, 32, lambda r: [32 * r]),
    "128x128b": (128, 16, lambda r: [r]),
    "64x128b.warpx2::02_13": (64, 16, lambda r: [r, r + 64]),
    "64x128b.warpx2::01_23": (64, 16, lambda r: [r % 32 + 64 * (r // 32) + d for d in (0, 32)]),
    "32x128b.warpx4": (32, 16, lambda r: [r, r + 32, r + 64, r + 96]),
}
#: Swizzle: code in the descriptor, bytes of a row of an atom, XORed bits.
SWIZZLES = {"none": (0, 16, 0), "32B": (6, 32, 1), "64B": (4, 64, 3), "128B": (2, 128, 7)}


def descriptor(swizzle: str, leading: int, stride: int, offset: int = 0) -> int:
    """All of a descriptor but the address of `source`, which the text adds, shifted by 4."""
    code = SWIZZLES[swizzle][0]
    return offset >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | 1 << 46 | code << 61


def source_row(swizzle: str, leading: int, stride: int, offset: int, row: int, size: int) -> Any:
    """The bytes of a row, by the canonical K-major layout."""
    _, width, mask = SWIZZLES[swizzle]
    found = []
    for byte in range(size):
        step = byte if mask else byte // 16 * leading + byte % 16
        at = offset + row // 8 * stride + row % 8 * width + step
        found.append(SOURCE[at ^ (at >> 7 & mask) << 4])
    return np.array(found, np.uint8).view(np.uint32)


def _copy(form: str, column: int, bits: int) -> list[str]:
    return [
        "mov.u32 %c, source;",
        "shr.u32 %c, %c, 4;",
        "cvt.u64.u32 %g, %c;",
        f"add.u64 %g, %g, {bits};",
        f"add.u32 %c, %base, {column};",
        f"@%one tcgen05.cp.cta_group::1.{form} [%c], %g;",
    ]


def _run(text: Text, dumps: int = 1, **options: Any) -> Any:
    device = lanemap.open_device("sm_100a", device="emulator", **options)
    result = device.zeros((dumps, LANES, COLUMNS), np.uint32)
    device.load(text.text())["kernel"]((1,), (LANES,), (device.array(GIVEN), result))
    return result.get()


def _copies(form: str, layouts: list[tuple[str, int, int, int]]) -> tuple[Text, list[int]]:
    """A text that copies with each layout to columns of its own, and those columns."""
    text, columns = Text(source_bytes=SOURCE_BYTES), []
    text.fill()
    text.meet()
    for i, (swizzle, leading, stride, offset) in enumerate(layouts):
        columns.append(16 * i + i % 3)
        text.add(*_copy(form, columns[-1], descriptor(swizzle, leading, stride, offset)))
    text.commit()
    text.dump()
    return text, columns


@pytest.mark.parametrize("form", FORMS)
def test_copies_bring_the_rows_of_the_descriptor(form: str) -> None:
    rows, size, lanes = FORMS[form]
    layouts = [
        ("none", 128, 256, 0), ("none", 2048, 128, 1024), ("none", 4096, 144, 48),
        ("32B", 0, 256, 256), ("64B", 0, 512, 32), ("64B", 0, 1024, 0), ("128B", 0, 1024, 96),
        ("128B", 0, 2048, 0),
    ]  # fmt: skip
    text, columns = _copies(form, layouts)
    got = _run(text)[0]
    expected = GIVEN.copy()
    for (swizzle, leading, stride, offset), column in zip(layouts, columns, strict=True):
        for row in range(rows):
            words = source_row(swizzle, leading, stride, offset, row, size)
            for lane in lanes(row):
                expected[lane, column : column + size // 4] = words
    assert np.array_equal(got, expected)


@pytest.mark.parametrize("swizzle", ["32B", "64B", "128B"])
def test_a_copy_may_begin_with_any_row_of_the_pattern(swizzle: str) -> None:
    """With base offset 0 the pattern goes by the address alone (PTX ISA, Matrix base offset)."""
    rows = SWIZZLES[swizzle][2] + 1
    text = Text(source_bytes=SOURCE_BYTES)
    text.fill()
    text.meet()
    for row in range(rows):
        bits = descriptor(swizzle, 0, 1024, 128 * row + 16)
        text.add(*_copy("32x128b.warpx4", 4 * row, bits))
    text.commit()
    text.dump()
    expected = GIVEN.copy()
    for row in range(rows):
        for lane in range(128):
            words = source_row(swizzle, 0, 1024, 128 * row + 16, lane % 32, 16)
            expected[lane, 4 * row : 4 * row + 4] = words
    assert np.array_equal(_run(text)[0], expected)


@pytest.mark.parametrize("column", [0, 40])
def test_a_shift_moves_a_quadrant_by_one_lane(column: int) -> None:
    text = Text()
    text.fill()
    text.meet()
    text.add(
        f"add.u32 %c, %base, {64 << 16 | column};",
        "@%one tcgen05.shift.cta_group::1.down [%c];",
        "@%one tcgen05.shift.cta_group::1.down [%c];",
    )
    text.commit()
    text.dump()
    expected = GIVEN.copy()
    here = slice(column, column + 8)
    for _ in range(2):
        expected[64:95, here] = expected[65:96, here].copy()
    assert np.array_equal(_run(text)[0], expected)


class ShortAddress(Text):
    """Commits to a 32-bit address of shared memory without its state space, as Triton 3.6 does."""

    def text(self) -> str:
        with_space = ".shared::cluster.b64 [bar];"
        assert with_space in super().text()
        short = ".b64 [%x];"
        return super().text().replace(with_space, short)


def test_a_commit_takes_an_address_of_shared_memory_as_triton_writes_it() -> None:
    text = ShortAddress()
    text.fill()
    text.meet()
    text.add(
        "add.u32 %c, %base, 0;",
        "@%one tcgen05.shift.cta_group::1.down [%c];",
        "mov.u32 %c, bar;",
        "cvt.u64.u32 %x, %c;",
    )
    text.commit()
    text.dump()
    assert np.array_equal(_run(text)[0, :31, :8], GIVEN[1:32, :8])
    with pytest.raises(Hazard, match=r"8 bytes at 0x.* are outside"):
        _run(text, strict=True)


def test_an_undefined_source_stays_undefined() -> None:
    """Nobody writes the second half of what is copied."""
    text = Text(source_bytes=0)
    text.fill()
    text.add(
        "mov.u32 %c, source;",
        "mad.lo.u32 %c, %n, 4, %c;",
        "setp.lt.u32 %p, %n, 64;",
        "@%p st.shared.b32 [%c], %n;",
        "fence.proxy.async;",
    )
    text.meet()
    text.add(*_copy("32x128b.warpx4", 4, descriptor("none", 0, 128)))
    text.commit()
    text.dump()
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    result = device.zeros((LANES, COLUMNS), np.uint32)
    device.load(text.text())["kernel"]((1,), (LANES,), (device.array(GIVEN), result))
    unknown = result.undefined()
    expected = np.zeros((LANES, COLUMNS), bool)
    for quadrant in range(4):
        expected[32 * quadrant + 16 : 32 * quadrant + 32, 4:8] = True
    assert unknown is not None and np.array_equal(unknown.any(-1), expected)
    assert result.get()[5, 4:8].tolist() == [20, 21, 22, 23]


@pytest.mark.parametrize("name", ["tcgen05.cp.32x128b.warpx4", "tcgen05.shift.down"])
def test_a_replaced_model_is_what_executes(name: str) -> None:
    """The rows upside down; shifted not at all."""
    model = variant(name).map
    if name.startswith("tcgen05.cp"):
        table = model.table.reshape(128, -1)[::-1].reshape(-1).copy()
    else:
        table = np.arange(model.table.size, dtype=model.table.dtype)
    text = Text(source_bytes=SOURCE_BYTES)
    text.fill()
    text.meet()
    if name.startswith("tcgen05.cp"):
        text.add(*_copy("32x128b.warpx4", 0, descriptor("none", 0, 128)))
    else:
        text.add("@%one tcgen05.shift.cta_group::1.down [%base];")
    text.commit()
    text.dump()
    models = {name: LayoutMap(model.destination, model.source, table)}
    got = _run(text, models=models)[0]
    expected = GIVEN.copy()
    if name.startswith("tcgen05.cp"):
        for lane in range(128):
            expected[127 - lane, :4] = source_row("none", 0, 128, 0, lane % 32, 16)
    assert np.array_equal(got, expected)


def test_without_a_swizzle_the_base_offset_says_nothing() -> None:
    """Triton 3.9 sets it to the number of the 128 bytes (matmul_described_mxfp4, tcgen05.cp)."""
    text = Text(source_bytes=SOURCE_BYTES)
    text.fill()
    text.meet()
    text.add(*_copy("32x128b.warpx4", 0, descriptor("none", 0, 128, 512) | 4 << 49))
    text.commit()
    text.dump()
    expected = GIVEN.copy()
    for lane in range(128):
        expected[lane, :4] = source_row("none", 0, 128, 512, lane % 32, 16)
    assert np.array_equal(_run(text)[0], expected)


#: What is wrong with a descriptor or an address, and the words of the hazard.
WRONG = {
    "no fixed bits": (0, "is not a shared-memory descriptor"),
    "unused bits": (descriptor("none", 0, 128) | 1 << 55, "is not a shared-memory descriptor"),
    "swizzle 3": (descriptor("none", 0, 128) | 3 << 61, "swizzle mode 3"),
    "swizzle of 32-byte atoms": (descriptor("none", 0, 128) | 1 << 61, "swizzle mode 1"),
    "base offset": (descriptor("128B", 0, 1024) | 1 << 49, "base offset 1"),
    "another row": (descriptor("128B", 0, 1024, 128) | 2 << 49, "base offset 2"),
    "beyond shared memory": (descriptor("none", 0, 128, 65536 * 3), "outside the shared memory"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_descriptor_cannot_mean_is_named(name: str) -> None:
    bits, words = WRONG[name]
    text = Text(source_bytes=SOURCE_BYTES)
    text.meet()
    text.add(*_copy("32x128b.warpx4", 0, bits))
    text.commit()
    with pytest.raises(Hazard, match=words) as caught:
        _run(text)
    assert "tcgen05.cp" in caught.value.instruction


ILLEGAL = [
    "tcgen05.cp.cta_group::1.128x128b.warpx4 [%t], %d;",
    "tcgen05.cp.cta_group::1.64x128b [%t], %d;",
    "tcgen05.cp.128x128b [%t], %d;",
    "tcgen05.shift.cta_group::1.up [%t];",
    "tcgen05.commit.cta_group::1.b64 [%d];",
]


@pytest.mark.parametrize(
    "statement",
    [
        *ILLEGAL,
        "tcgen05.cp.cta_group::1.128x256b.b8x16.b4x16_p64 [%t], %d;",
    ],
)
def test_illegal_forms_are_refused(statement: str) -> None:
    with pytest.raises(PtxError):
        require(load(_kernel(statement), "k.ptx"))


def _kernel(statement: str) -> str:
    return f"{HEAD}.entry k() {{ .reg .b32 %t; .reg .b64 %d; {statement} ret; }}"


def test_ptxas_agrees() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for statement in ILLEGAL:
        assert ptxas.judge(_kernel(statement), "sm_100a")[0] is None, statement
    for form in FORMS:
        text, _ = _copies(form, [("none", 128, 256, 0)])
        text.add("@%one tcgen05.shift.cta_group::1.down [%base];")
        text.commit()
        cubin, messages = ptxas.judge(text.text(), "sm_100a")
        assert cubin is not None, messages
