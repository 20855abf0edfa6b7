"""Descriptors against what others make: CUTLASS's bit fields, compilers' PTX, the driver's maps."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanemap import paths
from lanemap.errors import UserError
from lanemap.model import descriptor_fields
from lanemap.model.descriptors import buffers, instruction, mfma_modifiers, shared, tensor_maps

PTX = Path(__file__).parents[1] / "emulator" / "ptx"
#: NVIDIA/cutlass 4.2.0, cute/arch/mma_sm100_desc.hpp: widths of the bit fields, lowest first; ""
#: is unused, and bit 48 belongs to the version of the PTX ISA, whose three bits are 0b001.
CUTLASS = {
    "TENSOR_SHARED": "start 14, 2, leading 14, 2, stride 14, version 3, base 3, leading_mode 1, 8, "
    "swizzle 3",
    "INSTRUCTION": "selector 2, sparse 1, saturate 1, d_type 2, 1, a_type 3, b_type 3, negate_a 1, "
    "negate_b 1, a_mn 1, b_mn 1, n 6, 1, m 5, 1, max_shift 2",
    # CUTLASS has a sparsity selector at bits 0 and 1; the ISA has none there.
    "SCALED_INSTRUCTION": "2, sparse 1, 1, sfb_id 2, 1, a_type 3, b_type 3, negate_a 1, "
    "negate_b 1, a_mn 1, b_mn 1, n 6, scale_type 1, m 5, sfa_id 2, k96 1",
}


def test_fields_lie_where_cutlass_has_them() -> None:
    for name, text in CUTLASS.items():
        fields, low = getattr(descriptor_fields, name), 0
        for part in text.split(", "):
            *named, width = part.split()
            if named:
                field = fields[named[0]]
                assert (field.low, field.width) == (low, int(width)), named
            low += int(width)
        assert low == descriptor_fields.WIDTHS[name]
        assert len(fields) == len(re.findall(r"[a-z]\w*", text))


def products() -> Iterator[tuple[str, str, int]]:
    """File, instruction and instruction descriptor of stored PTX, where that is a constant."""
    for folder in ("triton", "cute_dsl", "cute_examples", "tensor_pipelines"):
        for file in sorted((PTX / folder).glob("*.ptx")):
            text = file.read_text()
            constants = dict(re.findall(r"mov\.[bu]32\s+(%\w+), (-?\w+);", text))
            line = r"(tcgen05\.mma[\w.:]*)\s*\[[^]]*\],\s*[^,]+,\s*[^,]+,\s*(%?-?\w+)"
            for name, word in re.findall(line, text):
                if number := re.fullmatch(r"-?\d+", constants.get(word, word)):
                    yield file.name, name, int(number[0]) & 0xFFFFFFFF


def test_instruction_descriptors_of_compilers_are_clean() -> None:
    """Triton's and CuTe DSL's, each held against the instruction that takes it."""
    seen = list(dict.fromkeys(products()))
    for file, name, word in seen:
        form = instruction.Form.of(name)
        found = instruction.decode(word, form)
        assert not found.faults, (file, name, hex(word), found.faults)
        values = {each.name: each.means for each in found.fields}
        again = {n: v.split()[0] for n, v in values.items() if n != "max_shift"}
        assert instruction.encode(again, form) == word, (file, values)
    assert len({file for file, _, _ in seen}) >= 3 and len(seen) >= 4


def test_a_shared_memory_descriptor_of_triton() -> None:
    """Triton's attention joins the address with 0x40004040: 128-byte swizzle, SBO 1024."""
    text = (PTX / "triton" / "attention_bf16_128.sm_100a.ptx").read_text()
    (high,) = set(re.findall(r"mov\.b32\s+%\w+, (10737\d+);", text))
    found = shared.decode("tcgen05", int(high) << 32, "k", 16)
    values = {each.name: each.means for each in found.fields}
    assert (values["swizzle"], values["stride"], values["version"]) == ("128b", "1024 bytes", "1")
    assert not found.faults
    assert (
        found.notes[0] == "K-major, elements of 16 bits: Swizzle<3,4,3> o ((8,m),64):((64,512),1)"
    )


@pytest.mark.parametrize("kind", ["wgmma", "tcgen05"])
@pytest.mark.parametrize("major", ["k", "mn"])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_layout_and_its_descriptor_lead_to_each_other(kind: str, major: str, bits: int) -> None:
    for swizzle in ("none", "32b", "64b", "128b"):
        tile = shared.dense_tile(major, swizzle, bits)
        word = shared.of_tile(kind, tile, start=0x2000)
        assert shared.tile_of(kind, word, major, bits) == tile
        assert not shared.decode(kind, word, major, bits).faults


@pytest.mark.parametrize(
    ("kind", "word", "major", "fault"),
    [
        ("tcgen05", 1 << 46 | 1 << 14, "", "no field has bit 14, which must be 0"),
        ("tcgen05", 0, "", r"version \(bits 46-48\) is 0, and must be 1"),
        ("tcgen05", 1 << 46 | 1 << 52, "", "sm_103a alone"),
        ("tcgen05", 1 << 46 | 7 << 61, "", "swizzle 7 is no mode; the modes are 0 = none"),
        ("tcgen05", 1 << 46 | 1 << 61, "k", "has atoms for MN-major operands alone"),
        ("tcgen05", 1 << 46 | 2 << 61 | 1 << 49 | 0x40, "", "repeats every 1024 bytes"),
        ("wgmma", 1 << 46, "", "no field has bit 46, which must be 0"),
    ],
)
def test_contradictions_of_shared_descriptors(kind: str, word: int, major: str, fault: str) -> None:
    (found,) = shared.decode(kind, word, major).faults
    assert re.search(fault, found)


def test_the_drivers_maps_show_their_parameters() -> None:
    """Every map that an H200's driver encoded (results/sm_90a/cuda/tensor_maps.json)."""
    row = json.loads((paths.find("results") / "sm_90a/cuda/tensor_maps.json").read_text())
    decoded = 0
    for function, found in row["findings"].items():
        columns = found["columns"].split()
        for line in found["maps"]:
            given, _, data = line.partition(" = ")
            if not re.fullmatch(r"[0-9a-f]+", data):
                continue
            p = dict(zip(columns, given.split(), strict=True))
            found_map = tensor_maps.decode(bytes.fromhex(data.ljust(256, "0")))
            shown = {each.name: each.means for each in found_map.fields}
            assert not [f for f in found_map.faults if "no field" in f], (function, line)
            rank = int(p["rank"])
            sizes = [shown[f"size[{i}]"] for i in range(rank)]
            assert (shown["rank"], sizes) == (p["rank"], p["dims"].split(",")[:rank])
            strides = [shown[f"stride[{i}]"].split()[0] for i in range(rank - 1)]
            assert strides == p["strides"].split(",")[: rank - 1]
            assert shown["address"] == f"{int(p['address'], 16):#x}"
            if "box" in p and p["interleave"] == "0":
                box = [shown[f"box[{i}]"] for i in range(rank)]
                assert box == p["box"].split(",")[:rank]
            if "upper" in p and "wide_mode" not in p:
                corners = [shown[f"upper[{i}]"] for i in range(rank - 2)]
                assert corners == p["upper"].split(",")[: rank - 2]
                assert shown["pixels"] == p["pixels"]
            decoded += 1
    assert decoded > 100


def test_a_map_is_encoded_as_the_driver_does() -> None:
    """A row of that file: f16, 5 dimensions, box 8 x 8 x 4 x 2 x 3, no swizzle."""
    values = {
        "data_type": "float16", "dims": "128,24,20,18,12", "strides": "256,6144,122880,2211840",
        "box": "8,8,4,2,3",
    }  # fmt: skip
    data = tensor_maps.encode(values, "sm_90a")
    driver = (
        "0000000000000000400300001000000080010000001e0000001c0200000000007f0000001700000013000000"
        "110000000b000000000000070703010200000000000c00000000000010"
    )
    assert data.hex() == driver.ljust(256, "0")
    with pytest.raises(UserError, match="there is no parameter boxes"):
        tensor_maps.encode({"boxes": "1"}, "sm_90a")


@pytest.mark.parametrize(
    ("name", "modifiers", "means", "fault"),
    [
        ("v_mfma_f32_4x4x4_16b_f16", {"cbsz": 2, "abid": 1}, "4 blocks read the same A", ""),
        ("v_mfma_f32_4x4x4f16", {"cbsz": 4, "blgp": 3}, "16 blocks read the same A", ""),
        ("v_mfma_f32_4x4x4_16b_f16", {"cbsz": 5}, "32 blocks", "joins 32 blocks, and A has 16"),
        (
            "v_mfma_f32_4x4x4_16b_f16",
            {"cbsz": 1, "abid": 2},
            "2 blocks",
            "no block of a group of 2",
        ),
        ("v_mfma_f32_16x16x128_f8f6f4", {"cbsz": 4, "blgp": 2}, "fp4", ""),
        ("v_mfma_f32_16x16x128_f8f6f4", {"cbsz": 5}, "no format", "cbsz:5 is no format"),
        ("v_mfma_f64_16x16x4_f64", {"blgp": 5}, "A and C", ""),
        ("v_smfmac_f32_16x16x32_f16", {"abid": 3}, "set abid", ""),
    ],
)
def test_modifiers_of_mfma(name: str, modifiers: dict[str, int], means: str, fault: str) -> None:
    found = mfma_modifiers.decode(name, modifiers)
    assert means in found.fields[0].means
    assert [fault in each for each in found.faults] == ([True] if fault else [])


def test_the_buffer_that_compilers_make() -> None:
    """LLVM's AMDGPUToROCDL and Triton: 7 << 12 is float, 4 << 15 is 32 bits."""
    found = buffers.decode((0x12345678, 0x00040009, 4096, 7 << 12 | 4 << 15))
    values = {each.name: each.means for each in found.fields}
    assert (values["base"], values["stride"]) == ("0x912345678", "4")
    assert (values["num_format"], values["data_format"]) == ("float", "32")
    assert not found.faults and "4096 records of 4 bytes" in found.notes[0]
    again = buffers.encode(
        {n: values[n] for n in ("base", "stride", "records", "num_format")} | {"data_format": "4"}
    )
    assert again == (0x12345678, 0x00040009, 4096, 7 << 12 | 4 << 15)
    faults = buffers.decode((0, 1 << 31, 0, 1 << 30 | 1 << 26)).faults
    assert len(faults) == 4
