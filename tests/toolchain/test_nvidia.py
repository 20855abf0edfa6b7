"""NVRTC, ptxas, nvJitLink and nvdisasm: what they make and what a user reads when they refuse."""

import struct

import pytest

from lanemap.errors import MissingEnvironment, UserError
from lanemap.toolchain import nvrtc, places, ptxas, sass
from tests import ptx

SOURCE = '#include <cuda_fp16.h>\nextern "C" __global__ void k(__half *h) { h[0] = h[1] * h[2]; }\n'
PTX = ptx.entry("""\
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x;
  popc.b32 %r2, %r1;
  st.global.u32 [%out], %r2;""")
EM_CUDA = 190


def need(find: object, *names: str) -> None:
    try:
        find(*names)  # type: ignore[operator]
    except MissingEnvironment as missing:
        pytest.skip(str(missing))


@pytest.fixture
def with_nvrtc() -> None:
    need(places.find_library, "libnvrtc.so.13", nvrtc.PACKAGE)


@pytest.fixture
def with_ptxas() -> None:
    need(places.find_program, "ptxas", ptxas.PACKAGE)


@pytest.fixture
def with_nvdisasm() -> None:
    need(places.find_program, "nvdisasm", sass.PACKAGE)


def machine(cubin: bytes) -> int:
    """The ELF header's e_machine."""
    return int(struct.unpack_from("<H", cubin, 18)[0])


def test_nvrtc_writes_ptx_that_a_13_0_driver_loads(with_nvrtc: None) -> None:
    for target in ("sm_90a", "sm_100a", "sm_103a"):
        text = nvrtc.compile_cuda(SOURCE, target, name="mine.cu")
        assert f".target {target}" in text and ".visible .entry k(" in text
        version = text.split(".version ")[1].split()[0]
        assert tuple(map(int, version.split("."))) <= (9, 0)


def test_nvrtc_names_the_wrong_line(with_nvrtc: None) -> None:
    with pytest.raises(UserError, match=r'^mine\.cu:2: identifier "g" is undefined$'):
        nvrtc.compile_cuda("\n__device__ int f() { return g; }\n", "sm_90a", name="mine.cu")
    with pytest.raises(UserError, match="--no-such-option"):
        nvrtc.compile_cuda(SOURCE, "sm_90a", ["--no-such-option"])


def test_ptxas_assembles_and_names_the_wrong_line(with_ptxas: None) -> None:
    assert machine(ptxas.assemble(PTX, "sm_90a")) == EM_CUDA
    with pytest.raises(UserError, match=r"^mine\.ptx:7: Unknown modifier '\.b31'$"):
        ptxas.assemble(PTX.replace("popc.b32", "popc.b31"), "sm_90a", name="mine.ptx")
    cubin, found = ptxas.judge(
        PTX.replace("popc", "pope").replace("st.global", "st.globe"), "sm_90a"
    )
    assert cubin is None and {item.line for item in found if item.line} == {7, 8}


def test_nvjitlink_judges_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    need(places.find_library, "libnvJitLink.so.13", "nvidia-nvjitlink")

    def without_ptxas(name: str, package: str) -> str:
        raise MissingEnvironment(f"{name} is not here")

    monkeypatch.setattr(ptxas, "find_program", without_ptxas)
    assert machine(ptxas.assemble(PTX, "sm_90a")) == EM_CUDA
    with pytest.raises(UserError, match=r"^mine\.ptx:7: Unknown modifier '\.b31'$"):
        ptxas.assemble(PTX.replace("popc.b32", "popc.b31"), "sm_90a", name="mine.ptx")


def test_sass_says_what_is_executed(with_ptxas: None, with_nvdisasm: None) -> None:
    opcodes = sass.opcodes(ptxas.assemble(PTX, "sm_90a"), "k")
    assert "POPC" in opcodes and opcodes.index("POPC") < opcodes.index("EXIT")
    assert any(opcode.startswith("STG") for opcode in opcodes)
    listing = sass.disassemble(ptxas.assemble(PTX, "sm_90a"))["k"]
    assert [i.address for i in listing[:3]] == [0, 16, 32]
    with pytest.raises(UserError, match="has no function q; it has k"):
        sass.opcodes(ptxas.assemble(PTX, "sm_90a"), "q")
    with pytest.raises(UserError, match="nvdisasm cannot read the cubin"):
        sass.disassemble(b"no cubin")


@pytest.mark.parametrize("target", ["sm_1", "sm_999", "gfx950", ""])
def test_an_unknown_target_is_refused_before_the_tools_see_it(target: str) -> None:
    for use in (ptxas.judge, nvrtc.compile_cuda):
        with pytest.raises(UserError, match="is not known to CUDA 13.0"):
            use("", target)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "wheel_folder", lambda: None)
    monkeypatch.setattr(places, "toolkit_folders", list)
    monkeypatch.setenv("PATH", "")
    for find in (places.find_program, places.find_library):
        remedy = r"run pip install '\.\[nvidia\]' in lanemap's checkout"
        with pytest.raises(MissingEnvironment, match=remedy):
            find.__wrapped__("no-such-thing", "nvidia-nothing")
    assert places.include_folders() == []


def test_code_of_the_host_is_left_out_as_the_error_says(with_nvrtc: None) -> None:
    kernel = "__global__ void k(int* f) { *f = 3; }\n"
    with pytest.raises(UserError, match='^mine.cu:1: cannot .* "cstdint"; NVRTC has CUDA'):
        nvrtc.compile_cuda("#include <cstdint>\n" + kernel, "sm_90a", (), "mine.cu")
    host = "int main() { return 0; }\n"
    with pytest.raises(UserError, match=r"^mine.cu:2: .* not allowed in JIT mode; put host code"):
        nvrtc.compile_cuda(kernel + host, "sm_90a", (), "mine.cu")
    guarded = f"#ifndef __CUDACC_RTC__\n#include <cstdint>\n{host}#endif\n{kernel}"
    assert ".entry _Z1kPi" in nvrtc.compile_cuda(guarded, "sm_90a", (), "mine.cu")
    nvrtc.compile_cuda("#include <cuda/std/cstdint>\n" + kernel, "sm_90a", (), "mine.cu")
