"""`--arg` of `lanemap run`: every form against the value that it stands for."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from lanemap.cli.kernel_arguments import parse
from lanemap.errors import UserError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i32:-7", np.int32(-7)),
        ("u64:0x10", np.uint64(16)),
        ("f16:1.5", np.float16(1.5)),
        ("bf16:0.5", ml_dtypes.bfloat16(0.5)),
        ("e4m3:448", ml_dtypes.float8_e4m3fn(448)),
        ("null", np.uint64(0)),
    ],
)
def test_scalars(text: str, expected: np.generic) -> None:
    value = parse(text).value
    assert isinstance(value, np.generic)
    assert (value.dtype, value.tobytes()) == (expected.dtype, expected.tobytes())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zeros:f32:2x3", np.zeros((2, 3), np.float32)),
        ("full:i8:4:-1", np.full(4, -1, np.int8)),
        ("arange:u16:2x2", np.array([[0, 1], [2, 3]], np.uint16)),
        ("arange:bf16:3", np.arange(3).astype(ml_dtypes.bfloat16)),
    ],
)
def test_arrays(text: str, expected: np.ndarray) -> None:
    value = parse(text).value
    assert value.dtype == expected.dtype
    assert np.array_equal(value, expected)


def test_random_arrays_repeat() -> None:
    values = parse("random:f32:1000:7").value
    assert np.array_equal(values, parse("random:f32:1000:7").value)
    assert not np.array_equal(values, parse("random:f32:1000").value)
    assert 0 <= values.min() < 0.1 and 0.9 < values.max() <= 1
    bytes_seen = parse("random:u8:100000").value
    assert len(np.unique(bytes_seen)) == 256


def test_an_infinity_that_was_asked_for_stays() -> None:
    assert parse("f16:inf").value == np.inf
    assert parse("full:f32:2:-inf").value.tolist() == [-np.inf, -np.inf]
    assert parse("f16:65519").value == 65504, "rounded to nearest, the largest of float16"


def test_empty_arrays_are_not_written() -> None:
    assert not parse("empty:f32:4").written
    assert parse("zeros:f32:4").written


def test_files_in_and_out(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.arange(5, dtype=np.int16))
    argument = parse(f"{path}@{tmp_path / 'y.npy'}")
    assert argument.value.tolist() == [0, 1, 2, 3, 4]
    assert argument.output == tmp_path / "y.npy"
    assert parse("bytes:00ff10").value == b"\x00\xff\x10"
    half = tmp_path / "bf16.npy"
    np.save(half, np.array([1, -2], ml_dtypes.bfloat16))
    assert parse(str(half)).value.dtype.kind == "V", "what NumPy makes of it"
    assert parse(f"bf16:{half}").value.astype(float).tolist() == [1, -2]
    with pytest.raises(UserError, match=r"elements of int16, not of bfloat16"):
        parse(f"bf16:{path}")
    with pytest.raises(UserError, match=r"not of float32"):
        parse(f"f32:{half}")
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(UserError, match=r"x\.npy is not a complete \.npy file"):
        parse(str(path))
    for wrong, why in (([{}], "it holds Python objects"), (["x"], "<U1, which are no numbers")):
        np.save(path, np.array(wrong), allow_pickle=True)
        with pytest.raises(UserError, match=why):
            parse(str(path))
    path.write_bytes(b"PK no array")
    with pytest.raises(UserError, match=r"not a complete \.npy file: it does not begin as one$"):
        parse(str(path))
    np.save(path, np.array([1, 2], ">u4"))
    assert parse(str(path)).value.tobytes() == b"\1\0\0\0\2\0\0\0"
    with pytest.raises(UserError, match=r"cannot read .*none\.npy: No such file"):
        parse(str(tmp_path / "none.npy"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("7", "a number needs a type, such as i32:7 or f32:7; the types are i8, i16"),
        ("0x10", "a number needs a type, such as i32:0x10"),
        ("i32", "write one number behind the type, such as i32:7$"),
        ("i33:7", "'i33' is not a type; the types are i8, i16"),
        ("zeros:u99:4", "'u99' is not a type; the types are i8, i16"),
        ("zeros", "write a type and a shape, such as zeros:f32:32x64"),
        ("none", "write i32:7, zeros"),
        ("i8:128", "128 is outside -128 .. 127"),
        ("i8:x", "'x' is not an integer"),
        ("f32:x", "'x' is not a number"),
        ("zeros:f32", "write a type and a shape, such as zeros:f32:32x64"),
        ("zeros:f32:-4", "a size is negative"),
        ("zeros:f32:4xy", "'4xy' is not a shape such as 32x64"),
        ("zeros:f32:4:1", "nothing may follow the shape, but 1 does"),
        ("full:f32:4", "the value is missing"),
        ("bytes:0", "'0' is not hexadecimal bytes"),
        ("random:f32:4:-3", "the seed -3 is negative"),
        ("f16:70000", "70000 is too large for float16"),
        ("full:e4m3:4:500", "500 is too large for float8_e4m3fn"),
        ("arange:f16:70000", "65520 is too large for float16"),
        ("arange:u8:300", "299 is more than 255, the most of uint8"),
        ("f32:1@x.npy", "@ writes an array"),
        ("zeros:f32:4@x.txt", r"to a \.npy file"),
    ],
)
def test_what_is_wrong_is_named(text: str, sentence: str) -> None:
    with pytest.raises(UserError, match=f"^--arg .*({sentence})"):
        parse(text)
