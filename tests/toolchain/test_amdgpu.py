"""Assembling for AMD GPUs: what is wrong is named with its line."""

import pytest

from lanemap.errors import UserError
from lanemap.toolchain.amdgpu import assemble, compile_to_assembly
from lanemap.toolchain.codeobject import read_code_object

KERNEL = "__attribute__((amdgpu_kernel)) void fill(int *out, long n) { out[n] = 1; }\n"


def test_a_wrong_line_is_named() -> None:
    with pytest.raises(UserError, match=r"^mine\.s:2: invalid instruction"):
        assemble("s_nop 0\ns_nup 0\n", "gfx950", "mine.s")
    with pytest.raises(UserError, match=r"^the source:1: use of undeclared identifier 'g'"):
        compile_to_assembly("int f() { return g; }\n", "gfx950", "c")
    with pytest.raises(UserError, match="language 'cuda' is not one of c, hip"):
        compile_to_assembly("", "gfx950", "cuda")


def test_an_object_of_another_kind_is_refused() -> None:
    whole = assemble(compile_to_assembly(KERNEL, "gfx950", "c"), "gfx950")
    kernel = read_code_object(whole).kernels[0]
    assert (kernel.name, kernel.max_threads) == ("fill", 1024)
    assert [(a.offset, a.size) for a in kernel.arguments] == [(0, 8), (8, 8)]
    for wrong in (whole[:100], whole[:-100], b"\x7fELF" + bytes(60)):
        with pytest.raises(UserError, match="not a complete ELF object|is an ELF object for"):
            read_code_object(wrong)
    # e_machine is the half word at byte 18; 62 is x86-64.
    with pytest.raises(UserError, match="for EM_X86_64, not for an AMD GPU"):
        read_code_object(whole[:18] + b"\x3e\0" + whole[20:])


@pytest.mark.parametrize("language", ["c", "hip"])
def test_the_same_source_gives_the_same_text(language: str) -> None:
    """The text is what the emulator keeps its objects by."""
    source = "__attribute__((global)) void fill(int *out) { *out = 1; }\n"
    texts = [
        compile_to_assembly(KERNEL if language == "c" else source, "gfx950", language, "fill.hip")
        for _ in range(2)
    ]
    assert texts[0] == texts[1] and "fill.hip" in texts[0]


def test_given_headers_are_included_and_named() -> None:
    source = '#include "a.h"\n#include "b.h"\n' + KERNEL.replace("1;", "ONE + one(out);")
    headers = {
        "a.h": "#pragma once\nstatic int one(int *at) { return *at; }\n",
        "b.h": '#include "a.h"\n',
    }
    text = compile_to_assembly(source, "gfx950", "c", "fill.c", ["-DONE=1"], headers)
    assert '"a.h"' in text and "fill.c:3:" in text
    headers["b.h"] += "nonsense x;\n"
    with pytest.raises(UserError, match=r"b\.h:2: unknown type .* from fill\.c:2\)$"):
        compile_to_assembly(source, "gfx950", "c", "fill.c", ["-DONE=1"], headers)
