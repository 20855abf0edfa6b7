"""Which instructions complete the tcgen05.ld before them, each case worked out by hand."""

from __future__ import annotations

from textwrap import dedent

from lanemap.emulator.ptx.lower.tensor_reads import completing
from lanemap.emulator.ptx.text.parser import parse
from tests import ptx

_LOAD = "tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%v{}, %v{}}}, [%t];"
_FIRST, _SECOND = _LOAD.format(0, 1), _LOAD.format(2, 3)


def _found(body: str) -> dict[str, int]:
    """Instructions that complete loads, by their text, and how many each completes."""
    registers = ".reg .pred %p; .reg .b32 %t, %v<6>; .reg .b64 %x;\n"
    text = ptx.entry(registers + dedent(body), "", target="sm_100a")
    (function,) = parse(text, "test.ptx").functions.values()
    return {function.body[i].text: count for i, count in completing(function).items()}


def test_naming_one_register_completes_the_load() -> None:
    assert _found(f"{_FIRST}\nmov.b32 %v5, 1;\nneg.s32 %v4, %v1;") == {"neg.s32 %v4, %v1": 1}


def test_a_copy_of_a_register_completes_nothing_but_its_use_does() -> None:
    assert _found(f"{_FIRST}\nmov.b32 %v4, %v1;") == {}
    pack = "mov.b64 %x, {%v0, %v1};\nmov.b64 {%v4, %v5}, %x;"
    assert _found(f"{_FIRST}\n{pack}\nneg.s32 %v2, %v5;") == {"neg.s32 %v2, %v5": 1}


def test_so_does_writing_one_and_an_address() -> None:
    assert _found(f"{_FIRST}\nmov.b32 %v0, 1;") == {"mov.b32 %v0, 1": 1}
    assert _found(f"{_FIRST}\nld.shared.b32 %v4, [%v1];") == {"ld.shared.b32 %v4, [%v1]": 1}


def test_two_loads_are_complete_when_both_have_been_named() -> None:
    body = f"{_FIRST}\n{_SECOND}\nneg.s32 %v4, %v2;\nadd.u32 %v4, %v4, %v0;"
    assert _found(body) == {"add.u32 %v4, %v4, %v0": 2}
    assert _found(f"{_FIRST}\n{_SECOND}\nneg.s32 %v4, %v2;\nneg.s32 %v5, %v3;") == {}


def test_a_load_into_the_same_registers_completes_the_first() -> None:
    assert _found(f"{_FIRST}\n{_FIRST}\nneg.s32 %v4, %v0;") == {
        _FIRST.rstrip(";"): 1,
        "neg.s32 %v4, %v0": 1,
    }


def test_nothing_is_known_behind_a_label_or_a_barrier() -> None:
    assert _found(f"{_FIRST}\nAGAIN:\nneg.s32 %v4, %v0;\n@%p bra AGAIN;") == {}
    assert _found(f"{_FIRST}\nbar.sync 0;\nneg.s32 %v4, %v0;") == {}
    assert _found(f"{_FIRST}\n@%p bra OUT;\nneg.s32 %v4, %v0;\nOUT:") == {}
