"""The stand-ins for NVIDIA's compilers: their cubins carry PTX, and libcuda.so.1 runs them."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator
from ctypes import byref, c_char_p, c_size_t, c_uint, c_uint64, c_void_p, create_string_buffer
from pathlib import Path

import numpy as np
import pytest

from lanemap.check.cuda_api.calls import Calls
from lanemap.check.findings import Findings
from lanemap.check.launch import Emulated
from lanemap.check.libcuda import ptxas
from lanemap.check.libcuda.in_process import libcuda_in_process
from lanemap.check.libcuda.stand_ins import load_here, nvrtc_variable
from lanemap.devices import open_device
from lanemap.devices.emulator import driver_library
from lanemap.errors import UserError
from lanemap.targets import TARGETS
from tests.check.libcuda.driver import Driver
from tests.cli.processes import LANEMAP

HEAD = ".version 8.0\n.target sm_90a\n.address_size 64\n"
#: A function, and a kernel of another text that calls it.
CALLED = (
    HEAD
    + """.visible .func (.param .b32 out) seven()
{
    st.param.b32 [out], 7;
    ret;
}
"""
)
CALLER = (
    HEAD
    + """.extern .func (.param .b32 out) seven();
.visible .entry store(.param .u64 to)
{
    .reg .b32 %r;
    .reg .b64 %rd;
    ld.param.u64 %rd, [to];
    .param .b32 found;
    call (found), seven;
    ld.param.b32 %r, [found];
    st.global.u32 [%rd], %r;
    ret;
}
"""
)
PTX, LTO, LIBRARY = 2, 3, 6
MISSING_ARCH, INVALID_INPUT, FAILED = 2, 3, 4


@pytest.fixture(scope="module")
def cuda() -> Iterator[Driver]:
    """The driver of an H200, with the compilers beside it."""
    emulated = Emulated(open_device("sm_90a", "emulator", "report"), Findings(quiet=True))
    with libcuda_in_process(Calls(emulated, TARGETS["sm_90a"])):
        load_here()
        yield Driver()


def stored(cuda: Driver, image: bytes, name: str = "store") -> int:
    """What the kernel of an image stores."""
    address = cuda.allocate(4)
    function = cuda.function(cuda.module(image), name)
    cuda.launch(function, 1, 1, c_uint64(address))
    return int(cuda.get(address, 1, np.int32)[0])


class Linker:
    """nvJitLink as programs call it."""

    def __init__(self, *options: bytes) -> None:
        self.library = ctypes.CDLL(str(driver_library("libnvJitLink.so.13")))
        self.handle = c_void_p()
        given = (c_char_p * len(options))(*options)
        self.created = self.library.nvJitLinkCreate(byref(self.handle), len(options), given)

    def add(self, kind: int, data: bytes, name: bytes) -> int:
        """Add an input; the status."""
        return int(
            self.library.nvJitLinkAddData(self.handle, kind, data, c_size_t(len(data)), name)
        )

    def complete(self) -> int:
        """Link; the status."""
        return int(self.library.nvJitLinkComplete(self.handle))

    def bytes_of(self, what: str) -> bytes:
        """The cubin, or a log."""
        size = c_size_t()
        assert not getattr(self.library, f"nvJitLinkGet{what}Size")(self.handle, byref(size))
        data = create_string_buffer(size.value)
        assert not getattr(self.library, f"nvJitLinkGet{what}")(self.handle, data)
        return data.raw

    def destroy(self) -> None:
        """Give the handle back; it is none then."""
        assert not self.library.nvJitLinkDestroy(byref(self.handle)) and not self.handle


def test_nvjitlink_links_texts_that_call_each_other(cuda: Driver) -> None:
    linker = Linker(b"-arch=sm_90a", b"-O3")
    assert not linker.created
    assert not linker.add(PTX, CALLED.encode(), b"called") | linker.add(PTX, CALLER.encode(), b"b")
    assert not linker.complete()
    assert stored(cuda, linker.bytes_of("LinkedCubin")) == 7
    assert linker.bytes_of("ErrorLog") == b"\0"
    linker.destroy()


def test_nvjitlink_says_what_it_refuses(cuda: Driver) -> None:
    """By a status, and a sentence in its log."""
    assert Linker(b"-O3").created == MISSING_ARCH
    linker = Linker(b"-arch=sm_90a")
    assert linker.complete() == INVALID_INPUT
    assert linker.add(LTO, b"bitcode", b"input") == INVALID_INPUT
    assert b"input: LTO-IR is NVIDIA's own" in linker.bytes_of("ErrorLog")
    for _ in range(2):
        linker.add(PTX, CALLED.encode(), b"called")
    assert linker.complete() == FAILED
    assert b"two inputs of the linker define seven" in linker.bytes_of("ErrorLog")
    linker.destroy()
    for wrong in (b"!<arch>\n machine code", b"\x7fELF machine code", b"\x50\xed\x55\xba", b"\xff"):
        linker = Linker(b"-arch=sm_90a")
        linker.add(LIBRARY, wrong, b"lib.a")
        assert linker.complete() == FAILED and b"lib.a" in linker.bytes_of("ErrorLog")
        linker.destroy()


def test_a_cubin_of_nvrtc_carries_its_ptx(cuda: Driver) -> None:
    """As it does for a real architecture; a virtual one has none."""
    if not nvrtc_variable():
        pytest.skip("NVRTC comes with nvidia-cuda-nvrtc")
    nvrtc = ctypes.CDLL(str(driver_library("libnvrtc.so.13")))
    source = b'extern "C" __global__ void store(int *x) { *x = 11; }'
    major, minor = c_uint(), c_uint()
    assert not nvrtc.nvrtcVersion(byref(major), byref(minor)) and major.value == 13
    for architecture, has_cubin in ((b"sm_90a", True), (b"compute_90a", False)):
        program, size = c_void_p(), c_size_t()
        assert not nvrtc.nvrtcCreateProgram(byref(program), source, b"k.cu", 0, None, None)
        options = (c_char_p * 1)(b"--gpu-architecture=" + architecture)
        assert not nvrtc.nvrtcCompileProgram(program, 1, options)
        assert not nvrtc.nvrtcGetCUBINSize(program, byref(size))
        assert bool(size.value) == has_cubin
        if has_cubin:
            cubin = create_string_buffer(size.value)
            assert not nvrtc.nvrtcGetCUBIN(program, cubin)
            assert stored(cuda, cubin.raw) == 11
        assert not nvrtc.nvrtcDestroyProgram(byref(program))


def test_ptxas_makes_what_the_driver_loads(
    cuda: Driver, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever options compilers give it; several texts are linked."""
    called, caller, out = (tmp_path / name for name in ("called.ptx", "caller.ptx", "out.cubin"))
    called.write_text(CALLED)
    caller.write_text(CALLER)
    words = ["-lineinfo", "-v", "--fmad=false", "-O", "3", "--gpu-name=sm_90a"]
    assert ptxas.main([*words, str(called), str(caller), "-o", str(out)]) == 0
    assert stored(cuda, out.read_bytes()) == 7
    assert ptxas.main(["--version"]) == 0
    assert "release 13.0" in capsys.readouterr().out
    broken = tmp_path / "broken.ptx"
    broken.write_text(CALLED.replace("ret;", "ret"))
    for words, sentence in (
        (["-arch", "sm_90a", str(broken)], r"broken\.ptx:\d+: "),
        (["-arch=sm_80", str(called)], "is for sm_90, which sm_80 does not execute"),
        (["-arch=sm_90a", str(tmp_path / "none.ptx")], "cannot be read"),
        (["-arch=sm_90a"], "no input is named"),
        (["-arch=sm_1", str(called)], "knows no target sm_1"),
    ):
        with pytest.raises(UserError, match=sentence):
            ptxas.main([*words, "-o", str(tmp_path / "other")])
    assert not (tmp_path / "other").exists()


def test_programs_find_our_ptxas_first(tmp_path: Path) -> None:
    """On their PATH, under `lanemap exec`; a fault is a sentence and a status."""
    (tmp_path / "text.ptx").write_text(CALLED)
    script = "ptxas -arch=sm_90a text.ptx -o text.cubin && ptxas none.ptx"
    done = subprocess.run(
        [*LANEMAP, "exec", "--", "sh", "-c", script],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, (tmp_path / "text.cubin").is_file()) == (2, True)
    assert done.stderr.startswith("lanemap: ptxas: none.ptx cannot be read: No such file")
