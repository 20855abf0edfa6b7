"""Names as people type and paste them, and what is answered to names of nothing."""

import pytest

from lanemap.errors import UserError
from lanemap.model import variant, variants, variants_named


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
            ["mma.sync.m16n8k16.f16:A", "mma.sync.m16n8k16.f16:B", "mma.sync.m16n8k16.f32:D"],
        ),
        (
            "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32",
            ["mma.sync.m16n8k32.u8:A", "mma.sync.m16n8k32.s8:B", "mma.sync.m16n8k32.s32:D"],
        ),
        # C and D of different types lie differently, so that both are named.
        (
            "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16",
            ["col.f16:A", "row.f16:B", "f16:D", "f32:D"],
        ),
        ("tcgen05.ld.sync.aligned.16x256b.x8.b32", ["tcgen05.ld.16x256b.x8"]),
        ("tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32", ["tcgen05.ld.32x32b.x2.pack::16b"]),
        ("tcgen05.st.sync.aligned.16x128b.x4.b32", ["tcgen05.st.16x128b.x4"]),
        ("tcgen05.cp.cta_group::1.128x256b", ["tcgen05.cp.128x256b"]),
        ("tcgen05.shift.cta_group::1.down", ["tcgen05.shift.down"]),
        ("v_mfma_f32_32x32x16_bf16", [f"v_mfma_f32_32x32x16_bf16:{x}" for x in "ABD"]),
        ("v_mfma_f32_32x32x16_bf16:C", ["v_mfma_f32_32x32x16_bf16:D"]),
        (
            "v_mfma_f32_16x16x128_f8f6f4:B",
            [f"v_mfma_f32_16x16x128_f8f6f4:B.{x}" for x in ("fp8", "bf8", "fp6", "bf6", "fp4")],
        ),
        # As CUTLASS writes it, and with the window of shared memory named.
        (
            "ldmatrix.sync.aligned.x4.m8n8.shared.b16",
            ["ldmatrix.sync.aligned.m8n8.x4.shared.b16"],
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16",
            ["ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"],
        ),
        (
            "wgmma.mma_async.sync.aligned.m64n40k16.f32.bf16.bf16",
            ["wgmma.m64k16.bf16:A", "wgmma.m64n40.f32:D"],
        ),
        ("wgmma.m64n40.f32", ["wgmma.m64n40.f32:D"]),
    ],
)
def test_an_instruction_names_its_operands(name: str, ours: list[str]) -> None:
    found = [each.name for each in variants_named(name)]
    assert [each.removeprefix("mma.sync.m8n8k4.") for each in found] == ours


def test_several_maps_are_not_one_variant() -> None:
    with pytest.raises(UserError, match=r"names 3 maps; choose one of v_mfma_f32_.*:A, .*:B, .*:D"):
        variant("v_mfma_f32_32x32x16_bf16")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        # One letter from the swizzle's `32b`, but the nearest are the transposing reads.
        ("ds_read_b64_trb8", "the nearest are ds_read_b64_tr_b8, ds_read_b64_tr_b4, "),
        ("v_mfma_f32_32x32x17_bf16", "the nearest are v_mfma_f32_32x32x16_bf16, "),
        ("tcgen05.ld.16x256b", "means 12 things: tcgen05.ld.16x256b.x1, .* and 4 more; name one"),
        ("tcgen05.ld.sync.aligned.16x256b.x3.b32", "16x256b has no x3; it has x1, x2, x4"),
        ("mma.sync.aligned.m16n8k24.row.col.f32.f16.f16.f32", "there is no variant"),
        ("mma.sync.aligned.m16n8k16.row.col.f64.f16.f16.f64", "there is no variant"),
        ("tcgen05.mma.cta_group::1.kind::f16", "means 24 things: .*cta_group::1.m128n16.f32:D"),
        ("tcgen05.cp.cta_group::2.128x256b", "no variant of .*: the pair also writes cells of the"),
        ("st.bulk", "no variant of 'st.bulk': no probe maps that instruction"),
        ("buffer_load_dwordx4 v[0:3], off, s[0:3], 0", "it keeps the order of the bytes"),
        ("zebra", "there is no variant 'zebra'; `lanemap list variants` shows all"),
        ("SM90_64x12x16_F32F16F16_SS", "N = 12 is illegal"),
    ],
)
def test_a_name_of_nothing_or_of_many_is_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        variants_named(name)


def test_no_more_than_four_names_are_offered() -> None:
    with pytest.raises(UserError) as caught:
        variants_named("v_mfma_f32_32x32x17_bf16")
    assert str(caught.value).count("v_") == 1 + 4


def test_every_listed_name_names_itself_alone() -> None:
    assert [variants_named(each.name) for each in variants()] == [(each,) for each in variants()]
