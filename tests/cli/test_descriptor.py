"""`lanemap descriptor` on the command line."""

from __future__ import annotations

import json

import pytest

from lanemap.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main.run(["descriptor", *words])
    told = capsys.readouterr()
    return status, told.out, told.err


def test_a_layout_becomes_a_descriptor_and_is_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("wgmma", "GMMA::Layout_K_SW128_Atom<half_t>", "start=0x400", "--json")
    status, out, _ = run(capsys, *words)
    (word,) = json.loads(out)["words"]
    assert (status, word) == (0, "0x4000004000010040")
    status, out, _ = run(capsys, "wgmma", word, "--major", "k", "--bits", "16")
    assert status == 0 and "the map of shared.k_major.128b.16bit\n" in out


@pytest.mark.parametrize(
    ("layout", "fields"),
    [
        # A tile of 128 x 128: 8 rows of 128 bytes are an atom, whose neighbors are 1024 bytes on.
        ("Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,2)):((64,512),(1,8192))",
         ("128b", "16 bytes", "1024 bytes")),
        # N-major, 64 of them in a row: 8 rows of k are 1024 bytes, the next 64 of N 8192.
        ("Sw<3,4,3> o smem_ptr[16b](unset) o ((64,2),(8,8)):((1,4096),(64,512))",
         ("128b", "8192 bytes", "1024 bytes")),
        # Core matrices of 8 x 16 bytes, one after the other along M, then along K.
        ("((8,8),(8,2)):((8,64),(1,512)) --bits 16", ("none", "1024 bytes", "128 bytes")),
        ("Sw<1,4,3> o smem_ptr[32b](unset) o ((8,8),8):((8,64),1)",
         ("32b", "16 bytes", "256 bytes")),
    ],
)  # fmt: skip
def test_a_layout_of_cute_becomes_a_descriptor(
    capsys: pytest.CaptureFixture[str], layout: str, fields: tuple[str, str, str]
) -> None:
    text, _, bits = layout.partition(" --bits ")
    words = ["tcgen05", text, "--json", *(["--bits", bits] if bits else [])]
    status, out, _ = run(capsys, *words)
    means = {each["name"]: each["means"] for each in json.loads(out)["fields"]}
    assert (means["swizzle"], means["leading"], means["stride"]) == fields and status == 0


def test_a_layout_that_no_descriptor_has(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "wgmma", "(64,16):(17,1)", "--bits", "16")
    assert status == 2 and "(64,16):(17,1) is no canonical layout of wgmma" in err


def test_contradictions_are_named_and_the_status_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "instruction", "0x08400491", "--of", "kind::f16")
    assert (status, err) == (1, "")
    assert "contradiction: selector 1, but A is dense\n" in out
    assert "source: PTX ISA 9.0, 9.7.16.4.2, Instruction descriptor, table 42\n" in out


def test_a_pasted_instruction_of_amd(capsys: pytest.CaptureFixture[str]) -> None:
    line = "v_mfma_f32_4x4x4_16b_f16 a[0:3], v[0:1], v[2:3], a[0:3] cbsz:2 abid:1"
    status, out, _ = run(capsys, "mfma", line)
    assert status == 0 and "4 blocks read the same A" in out and "block 1 of the group" in out


def test_a_tensor_map_is_encoded_and_decoded(capsys: pytest.CaptureFixture[str]) -> None:
    words = "data_type=bfloat16 dims=1024,512 strides=2048 box=64,128 swizzle=128b".split()
    status, out, _ = run(capsys, "tensormap", *words, "--json")
    found = json.loads(out)
    assert status == 0 and len(found["words"]) == 16
    status, out, _ = run(capsys, "tensormap", *found["words"], "--json")
    assert json.loads(out) == found


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("tcgen05 zebra", "there is no variant 'zebra'"),
        ("tcgen05 m16n8k16", "means 34 things"),
        ("tcgen05 tcgen05.ld.32x32b.x1", "tcgen05.ld.32x32b.x1 is no operand in shared memory"),
        ("tcgen05 1 2", "one word is decoded at a time, and 2 are given"),
        ("tcgen05 start=8", "start is 8, which is no multiple of 16"),
        ("tcgen05 start=x", "start=x is not a number"),
        ("tcgen05 swizzle=256b", "swizzle=256b is not a number, or one of none, 32b"),
        ("tcgen05 strat=16", "there is no field strat; the fields are start"),
        ("tcgen05 start=16 start=32", "start is given twice"),
        ("tcgen05 start=16 7", "give numbers to decode or NAME=VALUE to encode, not both"),
        ("tcgen05 stride=0x100000", "stride is 65536, and its 14 bits hold 0 to 16383"),
        ("wgmma 1 --major k", "--major and --bits go together"),
        ("instruction 1", "name the instruction or its kind, as in --of kind::f16"),
        ("instruction 1 --of kind::f12", "'kind::f12' is no kind of tcgen05.mma"),
        ("instruction m=100 --of kind::f16", "m is 100, which is no multiple of 16"),
        ("tensormap 00ff", "'00ff' is not a number"),
        ("tensormap 0x1", "a tensor map has 128 bytes, and this has 8"),
        ("tensormap dims=8", "a tensor map needs data_type"),
        ("mfma v_add_f32", "v_add_f32 is no MFMA and no SMFMAC"),
        ("mfma cbsz=1", "cbsz=1 is not understood"),
        ("buffer 1 2 3", "a buffer resource has four words of 32 bits"),
    ],
)
def test_what_is_wrong_is_a_sentence(
    capsys: pytest.CaptureFixture[str], words: str, sentence: str
) -> None:
    status, out, err = run(capsys, *words.split())
    assert (status, out) == (2, "")
    assert sentence in err and err.count("\n") == 1
