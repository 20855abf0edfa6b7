"""Every tcgen05.ld and st form moves what the ISA's figures say; illegal forms are refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

import lanemap
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.text.errors import PtxError
from lanemap.layout import LayoutMap
from lanemap.model import variant
from tests.emulator.ptx.launching import require
from tests.emulator.ptx.tensor_texts import (
    COLUMNS,
    HEAD,
    LANES,
    SHAPES,
    WARP,
    Text,
    forms,
    places,
    registers,
)

GIVEN = np.random.default_rng(5).integers(0, 2**32, (LANES, COLUMNS), np.uint32)


def _base(form: int, columns: int, shape: str) -> tuple[int, int]:
    """Where to put a form: a lane of the quadrant and a column that leave room."""
    lane = 0 if shape == "32x32b" else 16 * (form % 2)
    return lane, (7 * form) % (COLUMNS - columns + 1)


def _columns(shape: str, count: int, halves: bool) -> int:
    per_register = SHAPES[shape][1] / SHAPES[shape][0]
    return int(count * per_register) * (2 if halves else 1)


def _load_text(shape: str) -> str:
    text = Text()
    text.fill()
    for i, (form, count, halves, offset) in enumerate(forms(shape, "ld")):
        lane, column = _base(i, _columns(shape, count, halves), shape)
        imm = f", {offset}" if offset else ""
        text.add(
            f"add.u32 %c, %t, {lane << 16 | column};",
            f"tcgen05.ld.sync.aligned.{form}.b32 {registers('v', count)}, [%c]{imm};",
            "tcgen05.wait::ld.sync.aligned;",
            "mov.b64 %g, %result;",
        )
        text.add(*[f"st.global.b32 [%g+{4 * r}], %v{r};" for r in range(count)])
        text.add(f"add.u64 %result, %result, {4 * LANES * COLUMNS};")
    return text.text()


def _store_text(shape: str) -> str:
    text = Text()
    for i, (form, count, halves, offset) in enumerate(forms(shape, "st")):
        lane, column = _base(i, _columns(shape, count, halves), shape)
        imm = f", {offset}" if offset else ""
        text.fill()
        text.add("mul.lo.u32 %e, %n, 40503;", f"add.u32 %c, %t, {lane << 16 | column};")
        text.add(*[f"add.u32 %v{r}, %e, {r * 0x10000 + r + 1};" for r in range(count)])
        text.add(
            f"tcgen05.st.sync.aligned.{form}.b32 [%c]{imm}, {registers('v', count)};",
            "tcgen05.wait::st.sync.aligned;",
        )
        text.dump()
    return text.text()


def _stored(thread: np.ndarray, register: np.ndarray) -> np.ndarray:
    return (thread * 40503 + register * 0x10000 + register + 1).astype(np.uint32)


@pytest.mark.parametrize("shape", SHAPES)
def test_loads_bring_the_cells_of_the_isa(shape: str) -> None:
    device = lanemap.open_device("sm_100a", device="emulator")
    chosen = forms(shape, "ld")
    result = device.zeros((len(chosen), LANES, COLUMNS), np.uint32)
    device.load(_load_text(shape))["kernel"]((1,), (LANES,), (device.array(GIVEN), result))
    got = result.get()
    for i, (form, count, halves, offset) in enumerate(chosen):
        lane, column = _base(i, _columns(shape, count, halves), shape)
        expected = np.zeros((4, WARP, count), np.uint32)
        for lanes, columns, bits, shift in places(shape, count, halves, offset):
            for quadrant in range(4):
                word = GIVEN[WARP * quadrant + lane + lanes, column + columns]
                expected[quadrant] |= (word & np.uint32(2**bits - 1)) << np.uint32(shift)
        assert np.array_equal(got[i, :, :count], expected.reshape(LANES, count)), form


@pytest.mark.parametrize("shape", SHAPES)
def test_stores_fill_the_cells_of_the_isa(shape: str) -> None:
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    chosen = forms(shape, "st")
    result = device.zeros((len(chosen), LANES, COLUMNS), np.uint32)
    device.load(_store_text(shape))["kernel"]((1,), (LANES,), (device.array(GIVEN), result))
    unknown = result.undefined()
    got = result.get()
    assert {hazard.kind for hazard in device.hazards} <= {"undefined"}
    for i, (form, count, halves, offset) in enumerate(chosen):
        lane, column = _base(i, _columns(shape, count, halves), shape)
        expected, undefined = GIVEN.copy(), np.zeros((LANES, COLUMNS, 32), bool)
        for lanes, columns, bits, shift in places(shape, count, halves, offset):
            for quadrant in range(4):
                thread = np.arange(WARP)[:, None] + WARP * quadrant
                word = _stored(thread, np.arange(count)) >> np.uint32(shift)
                at = WARP * quadrant + lane + lanes, column + columns
                expected[at] = word & np.uint32(2**bits - 1)
                undefined[at] = np.arange(32) >= bits
        assert unknown is not None and np.array_equal(unknown[i], undefined), form
        known = np.packbits(~undefined, axis=-1, bitorder="little").view(np.uint32)[..., 0]
        assert np.array_equal(got[i] & known, expected & known), form


def _kernel(statement: str) -> str:
    return f"{HEAD}.entry k() {{ .reg .b32 %v<130>; .reg .b32 %t; {statement} ret; }}"


ILLEGAL = [
    *[f"tcgen05.ld.sync.aligned.{shape}.x{2 * most}.b32 {registers('v', 128)}, [%t];"
      for shape, (_, _, most) in SHAPES.items() if shape != "16x32bx2"],
    "tcgen05.ld.sync.aligned.32x32b.x3.b32 {%v0, %v1, %v2}, [%t];",
    "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%v0, %v1, %v2}, [%t];",
    "tcgen05.ld.sync.aligned.32x32b.x1.unpack::16b.b32 {%v0}, [%t];",
    "tcgen05.st.sync.aligned.32x32b.x1.pack::16b.b32 [%t], {%v0};",
    "tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%v0}, [%t];",
    "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%t], 4;",
    "tcgen05.ld.aligned.32x32b.x1.b32 {%v0}, [%t];",
    "tcgen05.ld.sync.aligned.32x32b.x1.f32 {%v0}, [%t];",
    "tcgen05.ld.red.sync.aligned.32x32b.x2.max.u32 {%v0, %v1}, %v2, [%t];",
    "tcgen05.store.sync.aligned.32x32b.x1.b32 [%t], {%v0};",
]  # fmt: skip


@pytest.mark.parametrize("statement", ILLEGAL)
def test_illegal_forms_are_refused_with_their_line(statement: str) -> None:
    with pytest.raises(PtxError, match=r"k\.ptx:4: "):
        require(load(_kernel(statement), "k.ptx"))


def test_other_targets_have_no_tensor_memory() -> None:
    text = _kernel("tcgen05.wait::ld.sync.aligned;").replace("sm_100a", "sm_90a")
    with pytest.raises(PtxError, match="sm_90a has no tcgen05"):
        require(load(text, "k.ptx"))


@pytest.mark.parametrize("verb", ["ld", "st"])
def test_ptxas_accepts_the_texts_and_refuses_the_illegal_forms(verb: str) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    make = {"ld": _load_text, "st": _store_text}[verb]
    for shape in SHAPES:
        cubin, messages = ptxas.judge(make(shape), "sm_100a")
        assert cubin is not None, messages
    for statement in ILLEGAL:
        if re.match(rf"tcgen05\.{verb}\b", statement):
            assert ptxas.judge(_kernel(statement), "sm_100a")[0] is None, statement


def test_the_second_half_of_16x32bx2_lies_where_imm_says() -> None:
    text = Text()
    text.fill()
    text.add(
        "tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%v0, %v1}, [%t+3], 100;",
        "tcgen05.wait::ld.sync.aligned;",
        "tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%t+200], 1, {%v0, %v1};",
        "tcgen05.wait::st.sync.aligned;",
    )
    text.dump()
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    result = device.zeros((LANES, COLUMNS), np.uint32)
    device.load(text.text())["kernel"]((1,), (LANES,), (device.array(GIVEN), result))
    unknown = result.undefined()
    expected = GIVEN.copy()
    for quadrant in range(4):
        low = slice(WARP * quadrant, WARP * quadrant + 16)
        expected[low, 200] = GIVEN[low, 3]
        expected[low, 202] = GIVEN[low, 104]
        # column 201 is written by both halves: nobody says which one wins
        assert unknown is not None and unknown[low, 201].all()
        expected[low, 201] = result.get()[low, 201]
        assert not unknown[low, 200].any() and not unknown[low, 202].any()
    assert np.array_equal(result.get(), expected)


@pytest.mark.parametrize("name", ["tcgen05.ld.32x32b.x4", "tcgen05.st.32x32b.x4"])
def test_a_replaced_model_is_what_executes(name: str) -> None:
    table = variant(name).map.table.copy()
    table[:32], table[32:64] = table[32:64].copy(), table[:32].copy()
    model = LayoutMap(variant(name).map.destination, variant(name).map.source, table)
    text = Text()
    text.fill()
    text.dump()
    device = lanemap.open_device("sm_100a", device="emulator", models={name: model})
    result = device.zeros((LANES, COLUMNS), np.uint32)
    device.load(text.text())["kernel"]((1,), (LANES,), (device.array(GIVEN), result))
    expected = GIVEN.copy()
    for lane in range(0, LANES, WARP):  # the first two words of lane 0 of each quadrant
        for column in range(0, COLUMNS, 4):
            expected[lane, [column, column + 1]] = GIVEN[lane, [column + 1, column]]
    assert np.array_equal(result.get(), expected)


#: 16 columns (of halves: 8) of every shape; 16-lane ones reach half of the lanes.
_SIXTEEN = {"32x32b": 16, "16x64b": 8, "16x128b": 4, "16x256b": 2, "16x32bx2": 8}


def _sixteen(shape: str, verb: str, halves: bool) -> tuple[str, int, int]:
    """A form that covers 16 columns: its spelling, registers, and imm."""
    repeat = _SIXTEEN[shape] // (2 if halves else 1)
    word = {"ld": ".pack::16b", "st": ".unpack::16b"}[verb] if halves else ""
    return f"{shape}.x{repeat}{word}", SHAPES[shape][0] * repeat, 8 if shape == "16x32bx2" else 0


_PAIRS = [(a, b) for a in SHAPES for b in SHAPES]
_ZEROS = "{" + ", ".join(["%v127"] * 16) + "}"


@pytest.mark.parametrize("halves", [False, True], ids=["words", "halves"])
def test_what_one_shape_stores_another_one_loads(halves: bool) -> None:
    """All pairs of shapes, through 16 columns of tensor memory."""
    text = Text()
    text.add("mul.lo.u32 %e, %n, 40503;", "mov.b32 %v127, 0;")
    for first, second in _PAIRS:
        form, count, offset = _sixteen(first, "st", halves)
        imm = f" {offset}," if offset else ""
        text.add(
            f"tcgen05.st.sync.aligned.32x32b.x16.b32 [%t], {_ZEROS};",
            "tcgen05.wait::st.sync.aligned;",
        )
        text.add(*[f"add.u32 %v{r}, %e, {r * 0x10000 + r + 1};" for r in range(count)])
        text.add(
            f"tcgen05.st.sync.aligned.{form}.b32 [%t],{imm} {registers('v', count)};",
            "tcgen05.wait::st.sync.aligned;",
        )
        form, count, offset = _sixteen(second, "ld", halves)
        imm = f", {offset}" if offset else ""
        text.add(
            f"tcgen05.ld.sync.aligned.{form}.b32 {registers('v', count)}, [%t]{imm};",
            "tcgen05.wait::ld.sync.aligned;",
        )
        text.add(*[f"st.global.b32 [%result+{4 * r}], %v{r};" for r in range(count)])
        text.add("add.u64 %result, %result, 64;")
    device = lanemap.open_device("sm_100a", device="emulator")
    result = device.zeros((LANES, COLUMNS), np.uint32)
    device.load(text.text())["kernel"]((1,), (LANES,), (device.array(GIVEN), result))
    got = result.get()
    for i, (first, second) in enumerate(_PAIRS):
        _, count, offset = _sixteen(first, "st", halves)
        memory = np.zeros((LANES, 16), np.uint32)
        thread = np.arange(LANES).reshape(4, WARP, 1)
        word = _stored(thread, np.arange(count))
        for lanes, columns, bits, shift in places(first, count, halves, offset):
            for quadrant in range(4):
                part = word[quadrant] >> np.uint32(shift) & np.uint32(2**bits - 1)
                memory[WARP * quadrant + lanes, columns] = part
        _, count, offset = _sixteen(second, "ld", halves)
        expected = np.zeros((4, WARP, count), np.uint32)
        for lanes, columns, bits, shift in places(second, count, halves, offset):
            for quadrant in range(4):
                part = memory[WARP * quadrant + lanes, columns] & np.uint32(2**bits - 1)
                expected[quadrant] |= part << np.uint32(shift)
        at = got[:, 16 * i : 16 * i + count]
        assert np.array_equal(at, expected.reshape(LANES, count)), (first, second)
