"""Descriptors against published values and fields, and encoded and decoded again."""

from __future__ import annotations

import pytest

from lanemap.errors import UserError
from lanemap.model.descriptors import (
    AB_TYPES,
    D_TYPES,
    InstructionDescriptor,
    ScaledDescriptor,
    SharedDescriptor,
    WgmmaDescriptor,
)


def test_instruction_descriptors_that_others_published() -> None:
    # fp16, 64x64, f32 accumulator, B N-major.
    fp16 = InstructionDescriptor(n=64, m=64, d=D_TYPES["f32"], b_mn_major=True)
    assert fp16.encode() == 68222992
    # nvfp4, 128x128, UE4M3 scales.
    e2m1 = AB_TYPES["mxf4"]["e2m1"]
    nvfp4 = ScaledDescriptor(n=128, m=128, a=e2m1, b=e2m1, scale_ue8m0=False)
    assert nvfp4.encode() == 136316032


def test_fields_of_the_instruction_descriptor() -> None:
    one = InstructionDescriptor(n=8, m=16, d=0)
    assert one.encode() == 1 << 17 | 1 << 24
    assert InstructionDescriptor(n=0, m=0, d=2, a=4, b=5).encode() == 2 << 4 | 4 << 7 | 5 << 10
    flags = InstructionDescriptor(
        n=0, m=0, d=0, sparse=True, saturate=True, negate_a=True, negate_b=True, a_mn_major=True
    )
    assert flags.encode() == 1 << 2 | 1 << 3 | 1 << 13 | 1 << 14 | 1 << 15


def test_fields_of_the_scaled_descriptor() -> None:
    ue8m0 = ScaledDescriptor(n=256, m=256, a=0, b=1, scale_ue8m0=True, sfa_id=3, sfb_id=2)
    assert ue8m0.encode() == 2 << 4 | 1 << 10 | 32 << 17 | 1 << 23 | 16 << 24 | 3 << 29


def test_fields_of_the_shared_descriptors() -> None:
    # DeepGEMM and CUTLASS: K-major bf16, 128-byte swizzle, SBO 1024.
    found = SharedDescriptor(start_bytes=0x2400, leading_bytes=16, stride_bytes=1024, swizzle=2)
    assert found.encode() == 0x240 | 1 << 16 | 64 << 32 | 1 << 46 | 2 << 61
    wgmma = WgmmaDescriptor(start_bytes=0x2400, leading_bytes=16, stride_bytes=1024, swizzle=1)
    assert wgmma.encode() == 0x240 | 1 << 16 | 64 << 32 | 1 << 62


@pytest.mark.parametrize(
    "descriptor",
    [
        InstructionDescriptor(n=96, m=128, d=1, a=1, b=1, a_mn_major=True, max_shift=2),
        ScaledDescriptor(n=64, m=128, a=5, b=3, scale_ue8m0=True, sfb_id=1, k96=True),
        SharedDescriptor(0x1230, 128, 256, 5, True, 6),
        WgmmaDescriptor(0x10, 0, 4096, 1, 3),
    ],
)
def test_decoding_undoes_encoding(descriptor: object) -> None:
    word = descriptor.encode()  # type: ignore[attr-defined]
    again = type(descriptor).decode(word)  # type: ignore[attr-defined]
    assert again == descriptor
    assert word < 1 << type(descriptor).BITS  # type: ignore[attr-defined]


def test_what_is_no_descriptor_is_refused() -> None:
    with pytest.raises(UserError, match="multiple of 16"):
        SharedDescriptor(start_bytes=8).encode()
    with pytest.raises(UserError, match="n = 264|n = 512"):
        InstructionDescriptor(n=512, m=64, d=1).encode()
    with pytest.raises(UserError, match="no SharedDescriptor"):
        SharedDescriptor.decode(0)  # bits 46 to 48 must be 0b001
    with pytest.raises(UserError, match="no InstructionDescriptor"):
        InstructionDescriptor.decode(1 << 23)
