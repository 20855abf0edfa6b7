"""What Python knows of the C: checked by the C compiler, and loud where the two part."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from enum import IntEnum
from pathlib import Path
from types import ModuleType

import pytest

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.wording import quote_text
from lanemap.emulator.host.hazards import KINDS
from lanemap.emulator.ptx.lower import abi as ptx_abi
from lanemap.emulator.ptx.lower.wording import PtxWording
from lanemap.emulator.runtime import abi, bindings, build, dwarf, events_abi
from lanemap.emulator.runtime.records import HazardRecord
from lanemap.emulator.runtime.signature import Signature
from tests.emulator.codegen.toy import ToyEntry, op


def members(module: ModuleType, kind: type) -> list[type]:
    return [
        item
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, kind) and item.__module__ == module.__name__
    ]


#: The word that members of each named enum begin with, read from the C.
WORDS = dict(
    re.findall(
        r"\benum (\w+) \{\s*(?:/\*.*?\*/\s*)?([A-Z0-9]+)_",
        "".join(
            path.read_text() for module in build.MODULES for path in module.folder.glob("*.[ch]")
        ),
    )
)


def statements(module: ModuleType) -> list[str]:
    """Everything a module says of the C, as assertions in C."""
    lines = []
    for item in members(module, ctypes.Structure):
        lines.append(f"sizeof({item.__name__}) == {ctypes.sizeof(item)}")
        for name, *_ in item._fields_:
            if not name.startswith("unused_"):
                field = getattr(item, name)
                lines.append(f"__builtin_offsetof({item.__name__}, {name}) == {field.offset}")
                lines.append(f"sizeof((({item.__name__} *)0)->{name}) == {field.size}")
    for enum in members(module, IntEnum):
        word = WORDS[enum.__name__]
        lines += [f"{word}_{m.name} == {m.value}" for m in enum]  # type: ignore[attr-defined]
    for name, value in vars(module).items():
        if isinstance(value, int) and not isinstance(value, IntEnum):
            lines.append(f"(long)({name}) == {value}")
    return lines


def test_the_compiler_agrees_with_python() -> None:
    asked = list[str]()
    for module in (abi, events_abi, ptx_abi):
        of_module = statements(module)
        assert len(of_module) > 40
        asked += of_module
    text = "".join(f'_Static_assert({line}, "{number}");\n' for number, line in enumerate(asked))
    build.compiled([*build.DEBUG_FLAGS, "-Wno-everything"], text)


C = """
typedef unsigned int u32;
enum Colour {{ {} }};
typedef struct {{ {} }} Wave;
void lm_paint(Wave *w, u32 colour, {} depth) {{}}
"""


def written(
    tmp_path: Path,
    enum: str = "COLOUR_RED, COLOUR_BLUE",
    fields: str = "char *a; u32 b;",
    depth: str = "double",
) -> dict[str, object]:
    """The modules that a small header gives, executed."""
    folder = tmp_path / "lanemap" / "c"
    folder.mkdir(parents=True)
    (folder / "small.h").write_text(C.format(enum, fields, depth))
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "clang",
        *build.DEBUG_FLAGS,
        f"-I{folder}",
        "-x",
        "c",
        "-",
        "-o",
        str(tmp_path / "o"),
    ]
    subprocess.run(command, input='#include "small.h"\nWave one;\n', text=True, check=True)
    found = dwarf.read((tmp_path / "o").read_bytes())
    names: dict[str, object] = {}
    for text in bindings.texts(found, [bindings.Module(folder, folder, "Small")]).values():
        exec(text, names)
    return names


def test_a_header_becomes_python(tmp_path: Path) -> None:
    names = written(tmp_path)
    wave, colour = names["Wave"], names["Colour"]
    assert isinstance(wave, type) and wave.b.offset == 8  # type: ignore[attr-defined]
    assert ctypes.sizeof(wave) == 16  # type: ignore[arg-type]
    assert [(m.name, m.value) for m in colour] == [("RED", 0), ("BLUE", 1)]  # type: ignore
    assert names["FUNCTIONS"]["lm_paint"] == Signature(  # type: ignore[index]
        "Wave", "void", {"w": "ptr", "colour": "i32", "depth": "double"}
    )


def test_padding_that_ctypes_would_not_make_is_written(tmp_path: Path) -> None:
    names = written(tmp_path, fields="char a; _Alignas(32) u32 b;")
    wave = names["Wave"]
    assert wave.b.offset == 32  # type: ignore[attr-defined]
    assert ctypes.sizeof(wave) == 64  # type: ignore[arg-type]


@pytest.mark.parametrize(("changed", "message"), [
    ({"enum": "COLOUR_RED, SHADE_BLUE"}, "begin with different words"),
    ({"enum": "COLOUR_RED = 1, COLOUR_BLUE = 1"}, "two members have one value"),
    ({"enum": "COLOUR_4, COLOUR_5"}, "no name in Python"),
    ({"fields": "u32 a : 3;"}, "bit-field"),
    ({"depth": "short"}, "passes something"),
])  # fmt: skip
def test_what_has_no_counterpart_is_refused(
    tmp_path: Path, changed: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        written(tmp_path, **changed)


def test_arguments_go_by_order_or_by_name() -> None:
    signature = Signature.parse("i32(Wave w, i32 block, i64 lanes)")
    assert signature.arguments("f", [1, 2], {}) == [1, 2]
    assert signature.arguments("f", [], {"lanes": 2, "block": 1}) == [1, 2]
    for given, named in (([1], {}), ([1, 2, 3], {}), ([1], {"mask": 2}), ([1, 2], {"block": 1})):
        with pytest.raises(ValueError, match=r"f takes 2 arguments \(block, lanes\)"):
            signature.arguments("f", given, named)


def test_a_wrong_call_of_the_runtime_is_refused(builder: Builder) -> None:
    with pytest.raises(ValueError, match=r"lm_wait takes 2 arguments \(counter, allowed\)"):
        builder.runtime.call("lm_wait", 1)
    for name in ("lm_nothing", "lm_run_group"):
        with pytest.raises(ValueError, match=f"{name} is no function of the runtime"):
            builder.runtime.call(name)


@pytest.fixture
def builder() -> Builder:
    program = ToyEntry([([op("nothing", lambda b: None)], ())]).program
    return Builder(program.plan(program.blocks[0], False))


def test_every_hazard_has_its_words() -> None:
    here = Operation("an operation", 7, lambda b: None, (), ())
    for kind in set(abi.Hazard) - set(KINDS):
        record = HazardRecord(kind, 0, 0, 0, 0, 1, 1, 0, 4, abi.Space.SHARED, 0, 0, (0, 1, 0, 0))
        told = PtxWording().own_hazard(record, [here], lambda member: f"warp {member}", quote_text)
        assert told.kind in ("order", "pending")
        assert "missing" in told.sentence and "missing" in told.cause
    assert len(set(KINDS.values())) == len(KINDS)
