"""Argument packing, sources and the choice of a device."""

from pathlib import Path

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.devices.arguments import ByValue, Parameter, dimensions, pack, parameter_block
from lanemap.devices.arrays import DeviceArray
from lanemap.devices.sources import read_source
from lanemap.errors import UserError


class HostMemory:
    """Memory at made-up addresses, to see what arrays do with it."""

    def __init__(self) -> None:
        self.blocks: dict[int, bytearray] = {}

    def allocate(self, size_bytes: int, name: str) -> int:
        address = 0x1000 * (len(self.blocks) + 1)
        self.blocks[address] = bytearray(size_bytes)
        return address

    def free(self, address: int) -> None:
        del self.blocks[address]

    def write(self, address: int, data: bytes) -> None:
        self.blocks[address][:] = data

    def zero(self, address: int, size_bytes: int) -> None:
        self.blocks[address][:size_bytes] = bytes(size_bytes)

    def read(self, address: int, size_bytes: int) -> bytes:
        return bytes(self.blocks[address][:size_bytes])

    def undefined(self, address: int, size_bytes: int) -> bytes:
        return bytes([0x80] + [0] * (size_bytes - 1))


def test_every_kind_of_argument_becomes_its_bytes() -> None:
    array = DeviceArray(HostMemory(), (4,), np.float32)
    parameters = [
        Parameter("p", 0, 8),
        Parameter("q", 8, 8),
        Parameter("h", 16, 2),
        Parameter("map", 64, 128),
        Parameter("s", 192, 3),
    ]
    args = [array, array.pointer(4), np.float16(1), ByValue(bytes(range(128)), 64), b"abc"]
    packed = pack(args, parameters, "k")
    assert packed[0] == bytes.fromhex("0010000000000000")
    assert packed[1] == bytes.fromhex("0410000000000000")
    assert packed[2] == bytes.fromhex("003c")
    block = parameter_block(packed, parameters)
    assert len(block) == 195
    assert block[16:18] == packed[2] and block[18:64] == bytes(46)
    assert block[64:192] == bytes(range(128)) and block[192:] == b"abc"


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        (1.5, r"argument 0 of k is a Python float: .*write numpy\.float32\(1\.5\)"),
        (2, r"argument 0 of k is a Python int: .*write numpy\.int32\(2\)"),
        (np.zeros(2), r"argument 0 of k is a Python ndarray: .*device\.array"),
        ("x", r"argument 0 of k is a Python str"),
        (np.int64(1), "argument 0 of k has 8 bytes where parameter n has 4"),
    ],
)
def test_an_argument_of_unknown_width_is_refused(argument: object, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        pack([argument], [Parameter("n", 0, 4)], "k")


def test_too_many_arguments_are_counted() -> None:
    with pytest.raises(UserError, match=r"k takes 0 arguments, 2 were given; .*none"):
        pack([b"", b""], [], "k")
    with pytest.raises(UserError, match=r"^the arguments of k are a float; pass a tuple"):
        pack(1.5, [], "k")


def test_an_unnamed_parameter_is_no_parameter_called_argument() -> None:
    with pytest.raises(UserError, match=r"^argument 0 of k has 2 bytes where the kernel's has 4$"):
        pack([b"ab"], [Parameter("argument 0", 0, 4)], "k")


def test_an_array_keeps_shape_dtype_and_lifetime() -> None:
    memory = HostMemory()
    array = DeviceArray(memory, (2, 3), np.int16)
    array.set(np.arange(6, dtype=np.int16).reshape(2, 3))
    assert array.get().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert (array.nbytes, array.size) == (12, 6)
    with pytest.raises(UserError, match="byte offset 13 lies outside an array of 12 bytes"):
        array.pointer(13)
    with pytest.raises(UserError, match="does not fit"):
        array.set(np.zeros((2, 3)))
    undefined = array.undefined()
    assert undefined is not None and undefined.shape == (2, 3, 16)
    assert np.argwhere(undefined).tolist() == [[0, 0, 7]]
    pointer = array.pointer(4)
    del array
    assert len(memory.blocks) == 1, "a pointer keeps its array alive"
    del pointer
    assert not memory.blocks


def test_dimensions_are_filled_with_ones() -> None:
    assert dimensions("grid", 7) == (7, 1, 1)
    assert dimensions("grid", (np.int32(7), 2)) == (7, 2, 1)
    for wrong in ((), (1, 2, 3, 4), (0,), (1.5,), -1, 1.5, None):
        with pytest.raises(UserError, match="grid .* is not one to three positive integers"):
            dimensions("grid", wrong)  # type: ignore[arg-type]


def test_sources_are_text_bytes_or_files(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("s_endpgm\n")
    assert read_source("s_endpgm\n") == ("s_endpgm\n", "the source")
    assert read_source(b"s_endpgm\n") == ("s_endpgm\n", "the source")
    assert read_source(path) == read_source(str(path)) == ("s_endpgm\n", str(path))
    assert read_source(b"\x7fELF\xff")[0] == b"\x7fELF\xff"
    path.write_bytes(b"")
    with pytest.raises(UserError, match=r"k\.s is empty"):
        read_source(path)
    with pytest.raises(UserError, match=r"cannot read .*none\.s: No such file"):
        read_source(tmp_path / "none.s")
    with pytest.raises(UserError, match=r"^the source:2: byte 3 \(0xff\) is not UTF-8"):
        read_source(b"a\nb\xff\n")
    assert read_source("\ufeffs_endpgm\n".encode())[0] == "s_endpgm\n", "without its mark"
    assert read_source("// \xe9\n".encode("latin-1"), compiled=True)[0] == "// \xe9\n"
    with pytest.raises(UserError, match=r"^the source:2: the text contains a zero byte"):
        read_source(b"s_endpgm\n\0\0")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"target": "gfx1250"}, "no device executes target 'gfx1250'; the targets are gfx9"),
        ({"target": "gfx950", "device": "cuba"}, "device 'cuba' is not one of auto, emulator, "),
        ({"target": "gfx950", "device": "cuda"}, "not execute gfx950; devices that do are hip and"),
        ({"target": "gfx950", "hazards": "off"}, "neither 'raise' nor 'report'"),
        ({"target": "gfx950", "device": "hip", "strict": True}, "are for the emulator only"),
    ],
)
def test_the_legal_values_are_named(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        open_device(**arguments)  # type: ignore[arg-type]


def test_parameters_that_repeat_the_name_of_the_kernel_are_short() -> None:
    declared = [Parameter("k_param_0", 0, 4)]
    with pytest.raises(UserError, match=r"k takes 1 argument, 0 .*: param_0 \(4 bytes\)"):
        pack([], declared, "k")
    with pytest.raises(UserError, match="has 8 bytes where parameter param_0 has 4"):
        pack([np.int64(1)], declared, "k")
