"""Fat binaries that nobody should load, by way of libcudart.so.13: one sentence, nothing lost."""

from __future__ import annotations

import ctypes
import mmap
import random
import re
import struct
import time
from collections.abc import Iterator
from ctypes import byref, c_uint64, c_void_p

import numpy as np
import pytest

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.check.libcuda.device_runtime import TEXT as DEVICE_RUNTIME
from lanemap.check.libcuda.images import linked, ptx_in
from lanemap.check.libcuda.in_process import libcuda_in_process
from lanemap.devices import open_device
from lanemap.devices.emulator import driver_library
from lanemap.errors import UserError
from lanemap.targets import TARGETS

SEED = 34
TEXT = b".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry nothing()\n{\nret;\n}\n\0"
MAGIC, WRAPPER_MAGIC = b"\x50\xed\x55\xba", 0x466243B1
#: What nvcc's host code registers: that number, a version, where the fat binary lies, a name.
WRAPPER = struct.Struct("<IIQQ")
PTX, MACHINE_CODE = 1, 2
LZ4, ZSTD = 0x2000, 0x8000


def entry(
    data: bytes, kind: int = PTX, flags: int = 0, whole: int = 0, stored: int | None = None
) -> bytes:
    """One entry of a fat binary."""
    size = len(data) if stored is None else stored
    head = (kind, 0x101, 64, size, len(data) if flags else 0, 0, 8, 90, 0, 0, 0, flags, 0, whole)
    return struct.pack("<HHIQIIHHIIIQQQ", *head) + data


def fatbin(*entries: bytes, size: int | None = None, header: int = 16) -> bytes:
    """A fat binary of entries."""
    body = b"".join(entries)
    return struct.pack("<4sHHQ", MAGIC, 1, header, len(body) if size is None else size) + body


def literals(data: bytes) -> bytes:
    """A block of LZ4 that has no matches."""
    rest = len(data) - 15
    return bytes([0xF0, *[255] * (rest // 255), rest % 255]) + data


#: A match of distance 1 and of about the bytes that are claimed: one byte becomes millions.
BOMB = b"\x1fA\x01\x00" + b"\xff" * 250_000 + b"\x00"
RAW, PACKED = fatbin(entry(TEXT)), fatbin(entry(literals(TEXT), flags=LZ4, whole=len(TEXT)))
HOSTILE = {
    "of another magic": (b"\x50\xed\x55\xbb" + RAW[4:], "neither PTX nor any that is known"),
    "cut in its header": (RAW[:10], ""),
    "cut in its text": (RAW[:-20], ""),
    "larger than memory": (fatbin(entry(TEXT), size=2**63), ""),
    "of a header beyond its end": (fatbin(entry(TEXT), header=65535), "cut off"),
    "of an entry beyond its end": (fatbin(entry(TEXT, stored=2**62)), "cut off"),
    "of machine code": (fatbin(entry(TEXT, MACHINE_CODE)), "machine code alone"),
    "empty": (fatbin(), "no PTX that sm_90a runs"),
    "of LZ4 that claims a terabyte": (
        fatbin(entry(literals(TEXT), flags=LZ4, whole=2**40)), "claims 1099511627776 bytes"),
    "of LZ4 that grows": (fatbin(entry(BOMB, flags=LZ4, whole=1 << 28)), "damaged"),
    "of LZ4 that reaches back too far": (
        fatbin(entry(b"\x10A\xff\xff\x00", flags=LZ4, whole=100)), "damaged"),
    "of LZ4 without an end": (
        fatbin(entry(b"\xff" * 300_000, flags=LZ4, whole=1000)), "damaged"),
    "of Zstandard that is none": (
        fatbin(entry(TEXT, flags=ZSTD, whole=1000)), "damaged|compressed by Zstandard"),
}  # fmt: skip


class Runtime:
    """libcudart.so.13, as nvcc's host code calls it."""

    def registered(self, start: int) -> int:
        """Ask for a kernel of a fat binary at an address; the status."""
        call = self._library
        wrapper = ctypes.create_string_buffer(WRAPPER.pack(WRAPPER_MAGIC, 1, start, 0))
        stub, found = c_uint64(), c_void_p()
        register_binary = call["__cudaRegisterFatBinary"]
        register_binary.restype = c_void_p
        binary = c_void_p(register_binary(wrapper))
        register = call["__cudaRegisterFunction"]
        register(binary, byref(stub), b"nothing", b"nothing", -1, *[None] * 5)
        try:
            return int(call.cudaGetFuncBySymbol(byref(found), byref(stub)))
        finally:
            call["__cudaUnregisterFatBinary"](binary)

    def __init__(self, findings: Findings) -> None:
        self._library = ctypes.CDLL(str(driver_library("libcudart.so.13")))
        self._findings = findings

    def load(self, image: bytes) -> tuple[int, str]:
        """Register an image that ends where memory ends, and ask for a kernel of it.

        Returns the status, and what is told.
        """
        pages = -(-len(image) // mmap.PAGESIZE)
        room = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
        base = ctypes.addressof((ctypes.c_char * len(room)).from_buffer(room))
        libc = ctypes.CDLL(None)
        end = base + pages * mmap.PAGESIZE
        start = end - len(image)
        ctypes.memmove(start, image, len(image))
        libc.mprotect(c_void_p(end), ctypes.c_size_t(mmap.PAGESIZE), 0)
        status = self.registered(start)
        libc.mprotect(c_void_p(end), ctypes.c_size_t(mmap.PAGESIZE), 3)
        taken = self._findings.take()
        assert not taken.hazards
        return status, " ".join([*map(str, taken.refused), *taken.lacking])


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    """The runtime of an H200."""
    findings = Findings(quiet=True)
    emulated = Emulated(open_device("sm_90a", "emulator", "report"), findings)
    with libcuda_in_process(Calls(emulated, TARGETS["sm_90a"])):
        yield Runtime(findings)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_fat_binary_is_refused(name: str, runtime: Runtime) -> None:
    """Soon, and with a sentence; another one is loaded afterwards."""
    image, sentence = HOSTILE[name]
    began = time.process_time()
    status, told = runtime.load(image)
    assert time.process_time() - began < 5
    assert status and told
    assert re.search(sentence, told), told
    assert runtime.load(RAW) == (0, "")


@pytest.mark.parametrize("image", [RAW, PACKED], ids=["raw", "packed"])
def test_images_with_bytes_that_chance_changed_do_no_harm(image: bytes, runtime: Runtime) -> None:
    """Each is loaded or refused; the same seed gives the same images."""
    chance = random.Random(SEED)
    assert runtime.load(image) == (0, "")
    loaded = 0
    for _ in range(150):
        damaged = bytearray(image)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(90)] = chance.choice([0, 255, chance.randrange(256)])
        if chance.random() < 0.3:
            damaged = damaged[: chance.randrange(1, len(damaged))]
        status, told = runtime.load(bytes(damaged))
        assert bool(status) == bool(told)
        loaded += not status
    assert 0 < loaded < 150
    assert runtime.load(image) == (0, "")


def packed(name: str, data: bytes) -> bytes:
    """An input of the linker, as linking.c packs it."""
    return struct.pack("<QQ", len(data), 4) + name.encode() + b"\0" + data


def test_the_archive_of_the_device_runtime_becomes_our_text() -> None:
    """Its barrier of a grid keeps rounds apart; any other archive is refused."""
    kernel = """.version 8.0
.target sm_90a
.address_size 64
.extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.visible .entry turns(.param .u64 out, .param .u32 scope)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    .reg .pred %p;
    .param .b64 handle;
    .param .b32 scope_, flags, status;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [scope];
    st.param.b32 [scope_], %r1;
    call.uni (handle), cudaCGGetIntrinsicHandle, (scope_);
    ld.param.b64 %rd2, [handle];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %nctaid.x;
    sub.u32 %r4, %r3, %r2;
    sub.u32 %r4, %r4, 1;
    mul.wide.u32 %rd3, %r2, 4;
    add.u64 %rd3, %rd1, %rd3;
    mul.wide.u32 %rd4, %r4, 4;
    add.u64 %rd4, %rd1, %rd4;
    mov.u32 %r5, 0;
AGAIN:
    ld.global.u32 %r6, [%rd4];
    st.param.b64 [handle], %rd2;
    mov.u32 %r7, 0;
    st.param.b32 [flags], %r7;
    call.uni (status), cudaCGSynchronize, (handle, flags);
    add.u32 %r6, %r6, 1;
    st.global.u32 [%rd3], %r6;
    st.param.b64 [handle], %rd2;
    call.uni (status), cudaCGSynchronize, (handle, flags);
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p, %r5, 5;
    @%p bra AGAIN;
    ret;
}
"""
    target = TARGETS["sm_90a"]
    archive = packed("/somewhere/libcudadevrt.a", b"!<arch>\nmachine code")
    image = linked(packed("kernel.ptx", kernel.encode()) + archive, target)
    assert DEVICE_RUNTIME.encode()[-200:] in image
    device = open_device("sm_90a", "emulator")
    out = device.zeros(6, "uint32")
    device.load(ptx_in(image, target))["turns"]((6,), (1,), [out, np.uint32(1)])
    assert (out.get() == 5).all()
    with pytest.raises(UserError, match="other.a is an archive of machine code"):
        linked(packed("other.a", b"!<arch>\n"), target)


def test_a_wrapper_that_points_nowhere_is_refused(runtime: Runtime) -> None:
    """Its data are not mapped."""
    assert runtime.registered(4096) == 200
    assert runtime.load(RAW) == (0, "cuModuleLoadData: the image is cut off, or is none")
