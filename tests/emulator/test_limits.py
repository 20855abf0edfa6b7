"""Sizes that no machine has, chains that are deep: one sentence, or they simply run."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.cli import main
from lanemap.emulator.host.hazards import Hazard
from lanemap.errors import UserError
from lanemap.toolchain.amdgcn_kernel import Kernel
from tests import ptx

HEAD = ptx.module("")
HUGE = 1 << 40


def assembly(lds_bytes: int = 0, scratch_bytes: int = 0) -> str:
    """A kernel of gfx950 that ends at once."""
    around = Kernel("k", (), (), lds_bytes, 8, 16, 64, scratch_bytes=scratch_bytes)
    return around.text("s_endpgm")


@pytest.fixture
def device() -> Any:
    return lanemap.open_device("sm_90a", "emulator")


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("make", [
    lambda d: d.empty(HUGE, np.uint8), lambda d: d.zeros(HUGE, np.uint8),
    lambda d: d.zeros((1 << 30, 1 << 30, 1 << 30), np.float64),
    lambda d: d.empty((1 << 40, 1 << 40), np.uint8),
    lambda d: d.zeros((1,) * 66, np.uint8), lambda d: d.empty((1,) * 66, np.uint8),
    lambda d: d.load(HEAD + f".global .b8 x[{HUGE}]; .entry k() {{ ret; }}")["k"](1, 1, ()),
    lambda d: d.load(HEAD + f".const .b8 x[{HUGE}]; .entry k() {{ ret; }}")["k"](1, 1, ()),
    lambda d: d.load(HEAD + f".entry k() {{ .local .b8 x[{HUGE}]; ret; }}")["k"](1, 1, ()),
    lambda d: d.load(HEAD + f".entry k() {{ .shared .b8 x[{HUGE}]; ret; }}")["k"](1, 1, ()),
    lambda d: d.load(HEAD + ".entry k() { ret; }")["k"](1, 1, (), HUGE),
    lambda d: d.load(HEAD + ".entry k() { ret; }")["k"](2**31 - 1, 1, ()),
])  # fmt: skip
def test_what_does_not_fit_is_one_sentence(device: Any, make: Callable[[Any], Any]) -> None:
    held = device.array(np.arange(3))
    before = peak_bytes()
    with pytest.raises(UserError) as refused:
        make(device)
    assert "\n" not in str(refused.value)
    assert peak_bytes() - before < 1 << 28
    assert held.get().tolist() == [0, 1, 2]
    assert device.zeros(1000, np.uint8).get().sum() == 0


@pytest.mark.parametrize("name", ["scratch_bytes", "lds_bytes"])
def test_the_same_of_assembly(name: str) -> None:
    device = lanemap.open_device("gfx950", "emulator")
    text = assembly(**{name: 4294967295})
    with pytest.raises(UserError, match="asks for 4294967295 bytes"):
        device.load(text)["k"](1, 64, ())


@pytest.mark.parametrize("grid", [1 << 26, 1 << 40, (1, 1, 1 << 33), (1 << 11, 1 << 11)])
def test_grids_that_no_gpu_takes(grid: Any) -> None:
    device = lanemap.open_device("gfx950", "emulator")
    text = assembly()
    with pytest.raises(UserError, match="grid"):
        device.load(text)["k"](grid, 64, ())


@pytest.mark.parametrize("argument", [
    f"zeros:f32:{HUGE}", f"empty:u8:{HUGE}", f"arange:u32:{HUGE}", f"full:f64:{HUGE}:1",
    f"random:f32:{HUGE}", "zeros:f32:" + "x".join(["1"] * 66), "zeros:f32:" + "x".join(["9"] * 66),
])  # fmt: skip
def test_the_command_line_says_so_too(
    argument: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.ptx").write_text(HEAD + ".entry k(.param .u64 x) { ret; }")
    before = peak_bytes()
    assert main.run(["run", str(tmp_path / "k.ptx"), "--arg", argument]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"lanemap: --arg {argument[:6]}") and error.count("\n") == 1
    assert peak_bytes() - before < 1 << 28


def chain(length: int, last: str) -> str:
    """A kernel that stores how many functions call one another, f0 first; `last` ends the chain."""
    function = (
        ".func (.param .b32 r) f{0}(.param .b32 a) {{ .reg .b32 x; .param .b32 s, b; "
        "ld.param.b32 x, [a]; add.u32 x, x, 1; st.param.b32 [b], x; {1} "
        "ld.param.b32 x, [s]; st.param.b32 [r], x; ret; }}\n"
    )
    declared = ".func (.param .b32 r) f{0}(.param .b32 a);\n"
    text = HEAD + "".join(declared.format(i) for i in range(length))
    for i in range(length):
        text += function.format(i, f"call (s), f{i + 1}, (b);" if i + 1 < length else last)
    return text + (
        ".visible .entry k(.param .u64 out) { .reg .b64 o; .reg .b32 x; .param .b32 s, b; "
        "ld.param.u64 o, [out]; st.param.b32 [b], 0; call (s), f0, (b); "
        "ld.param.b32 x, [s]; st.global.u32 [o], x; ret; }\n"
    )


def test_3000_functions_deep_are_lowered(device: Any) -> None:
    assert device.load(chain(3000, "st.param.b32 [s], x;"))["k"]


@pytest.mark.slow
def test_3000_functions_deep_run(device: Any) -> None:
    out = device.zeros(1, np.uint32)
    device.load(chain(3000, "st.param.b32 [s], x;"))["k"](1, 1, (out,))
    assert out.get().tolist() == [3000]


def test_a_ring_of_functions_uses_up_the_stack(device: Any) -> None:
    out = device.zeros(1, np.uint32)
    device.load(chain(40, "st.param.b32 [s], x;"))["k"](1, 1, (out,))
    assert out.get().tolist() == [40]
    with pytest.raises(Hazard, match="the stack of a lane, 16384 bytes"):
        device.load(chain(40, "call (s), f0, (b);"))["k"](1, 1, (out,))


PTX_DEEP = {
    "initial values": ".global .b32 x[4] = " + "{" * 3000 + "1" + "}" * 3000 + "; .entry k() {}",
    "signs": ".entry k() { .reg .b32 a; mov.u32 a, " + "-" * 3000 + "1; ret; }",
    "parentheses": ".entry k() { .reg .b32 a; mov.u32 a, " + "(" * 3000 + "1" + ")" * 3000 + "; }",
    "a large initial value": ".global .b32 x[274877906944] = {1}; .entry k() { ret; }",
    "a large parameter": ".func f(.param .b8 x[1073741824]) { ret; } "
                         ".entry k() { .param .b8 y[1073741824]; call f, (y); ret; }",
}  # fmt: skip
GFX_DEEP = {
    "a macro of itself": ".macro m\nm\n.endm\nm",
    "parentheses": ".data\n.long " + "(" * 3000 + "1" + ")" * 3000,
    "signs": ".data\n.long " + "-" * 3000 + "1",
    "conditions": ".if 1\n" * 500 + ".endif\n" * 500,
    "symbols": "\n".join(f".set x{i}, x{i + 1}" for i in range(3000)) + "\n.data\n.long x0",
    "symbols in a ring": ".set x, y\n.set y, x\n.data\n.long x",
    "repetitions of nothing": ".rept 1000000000\n.endr",
    "a large common": ".comm big, 1099511627776, 8",
    "a large alignment": ".data\n.byte 1\n.balign 1099511627776\n.byte 2",
}


@pytest.mark.parametrize("what", PTX_DEEP)
def test_hostile_ptx(device: Any, what: str) -> None:
    with pytest.raises(UserError, match="^the source|^k") as refused:
        device.load(HEAD + PTX_DEEP[what])["k"]
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("what", GFX_DEEP)
def test_hostile_assembly(what: str) -> None:
    text = assembly() + GFX_DEEP[what]
    opened = lanemap.open_device("gfx950", "emulator")
    with pytest.raises(UserError) as refused:
        opened.load(text)["k"]
    assert "\n" not in str(refused.value)


FORMAT = """
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[64] = {TEXT};
.visible .entry k(.param .u32 given) {
  .local .align 8 .b8 room[32];
  .reg .b64 f, a; .reg .b32 x; .param .b64 p, q; .param .b32 r;
  ld.param.u32 x, [given];
  mov.u64 a, room; st.local.u32 [a], x; st.local.u32 [a+4], 7;
  st.local.u64 [a+8], 99; st.local.u64 [a+16], 0; st.local.u64 [a+24], 0;
  cvta.local.u64 a, a; mov.u64 f, text; cvta.global.u64 f, f;
  st.param.b64 [p], f; st.param.b64 [q], a;
  call (r), vprintf, (p, q);
  ret;
}
"""


def printed(device: Any, template: str, given: int) -> None:
    codes = ", ".join(str(byte) for byte in template.encode())
    text = HEAD + FORMAT.replace("TEXT", codes)
    device.load(text)["k"](1, 1, (np.uint32(given & 0xFFFFFFFF),))


@pytest.mark.parametrize(("template", "given", "words"), [
    ("%1000000000d", 5, "printf's width 1000000000 is more"),
    ("%.1000000000d", 5, "printf's precision 1000000000 is more"),
    ("%*d", 2**31 - 1, "printf's width 2147483647 is more"),
    ("%*d", -(2**31), "printf's width -2147483648 is more"),
    ("%.*d", 2**31 - 1, "printf's precision 2147483647 is more"),
    ("%" + "9" * 50 + "d", 5, "printf's width 9999999999999999.. is more"),
    ("%n", 5, "printf's conversion %n is not supported"),
    ("%y", 5, "printf's conversion %y is not supported"),
    ("%d%s", 5, "1 bytes to be printed, at 0x63, lie in no memory"),
    ("%d%d%d%d%d%d%d%d%d", 5, "4 bytes to be printed, .*, lie in no memory"),
])  # fmt: skip
def test_hostile_formats(device: Any, template: str, given: int, words: str) -> None:
    before = peak_bytes()
    with pytest.raises(UserError, match=rf"^the source:\d+: {words}") as refused:
        printed(device, template, given)
    assert "\n" not in str(refused.value)
    assert peak_bytes() - before < 1 << 28


@pytest.mark.parametrize(("template", "given", "expected"), [
    ("%*d|", 4, "   7|"), ("%*d|", -4, "7   |"), ("%.*d|", 3, "007|"), ("%.*d|", -3, "7|"),
    ("%5%|%", 0, "%|%"), ("%70000", 0, "%70000"), ("%-08d|", 5, "5       |"),
])  # fmt: skip
def test_formats_as_c_has_them(
    device: Any, template: str, given: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(device, template, given)
    assert capsys.readouterr().out == expected


def test_a_kernel_that_prints_without_end(device: Any) -> None:
    codes = ", ".join(str(byte) for byte in b"%60000d")
    text = HEAD + FORMAT.replace("TEXT", codes).replace("  call", "AGAIN:\n  call")
    text = text.replace("  ret;", "  bra AGAIN;\n  ret;")
    before = peak_bytes()
    with pytest.raises(UserError, match=r"^the source:\d+: printf wrote more than 67108864"):
        device.load(text)["k"](1, 1, (np.uint32(5),))
    assert peak_bytes() - before < 1 << 29


def test_an_interpreter_with_little_memory_says_so(tmp_path: Path) -> None:
    """What the checks before cannot know, such as a limit of the shell."""
    (tmp_path / "k.ptx").write_text(HEAD + ".entry k(.param .u64 x) { ret; }")
    script = (
        "import resource, sys; from lanemap.cli.main import run; import lanemap.devices.emulator; "
        "resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30)); "
        f"sys.exit(run(['run', {str(tmp_path / 'k.ptx')!r}, '--arg', 'zeros:u8:5368709120']))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "memory" in done.stderr
