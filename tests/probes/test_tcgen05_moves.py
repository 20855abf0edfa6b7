"""tcgen05.ld and st on the emulator against the ISA's fragments in NumPy; their machine code."""

from __future__ import annotations

import re

import pytest

from lanemap.devices import open_device
from lanemap.errors import MissingEnvironment
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe
from lanemap.toolchain import places, ptxas, sass
from tests.probing.tmem.standin import TensorStandIn
from tests.sampled import sampled

# What nvdisasm calls the shapes, by their PTX names.
DATA_PATHS = {
    "32x32b": "",
    "16x64b": ".16dp64bit",
    "16x128b": ".16dp128bit",
    "16x256b": ".16dp256bit",
    "16x32bx2": ".16dp32bit",
}


MOVES = [
    (name, shape) for shape in ("16x128b", "16x32bx2") for name in ("tcgen05_ld", "tcgen05_st")
]


@pytest.mark.parametrize(("name", "shape"), sampled(MOVES, 3))
def test_the_emulator_moves_what_the_isa_says(name: str, shape: str) -> None:
    probe = find_probe(name).with_axes({"shape": [shape], "base": ["lane16"]})
    found = observe(probe, open_device("sm_100a", "emulator", hazards=probe.hazards))
    wanted = observe(probe, TensorStandIn())
    assert found.agrees
    assert len(found.parts) == (14 if shape == "16x128b" else 22)
    for mine, theirs in zip(found.parts, wanted.parts, strict=True):
        assert mine.variant == theirs.variant
        assert mine.finding.map == theirs.finding.map
        assert mine.finding.facts == theirs.finding.facts


def machine(op: str, shape: str, repeat: str, modifier: str, imm: str) -> list[str]:
    """Opcodes of one form: 16x32bx2 is two instructions, one for each half of the warp."""
    opcode = {"ld": "LDTM", "st": "STTM"}[op] + DATA_PATHS[shape]
    packed = {"": "", ".pack::16b": ".PACK16BIT", ".unpack::16b": ".EXPAND16BIT"}[modifier]
    times = (f".x{repeat}" if repeat != "1" else "") + packed
    halves = ("_t0_t15", "_t16_t31") if imm else ("",)
    return [opcode + half + times for half in halves]


@pytest.mark.parametrize("name", ["tcgen05_ld", "tcgen05_st"])
def test_the_machine_executes_the_forms_that_are_asked_of(name: str) -> None:
    try:
        places.find_program("ptxas", ptxas.PACKAGE)
        places.find_program("nvdisasm", sass.PACKAGE)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))
    source = find_probe(name).source
    functions = sass.disassemble(ptxas.assemble(source, "sm_100a"))
    forms = set()
    for text in source.split(".visible .entry ")[1:]:
        kernel = text.partition("(")[0]
        asked = re.findall(
            r"selp[^;]*turned;[^{]*?tcgen05\.(ld|st)\.sync\.aligned\.(\w+)\.x(\d+)"
            r"(\.(?:un)?pack::16b)?\.b32 [^;]*?(?:\], (\d+))?[^\];]*;",
            text,
        )
        wanted = [opcode for form in asked for opcode in machine(*form)]
        found = [i.opcode for i in functions[kernel] if i.opcode.startswith(("LDTM", "STTM"))]
        # The reference fills and reads back around what is asked.
        reference = {"LDTM", "STTM"}
        kept = [opcode for opcode in found if opcode not in reference]
        assert kept == [opcode for opcode in wanted if opcode not in reference], kernel
        assert "UTCATOMSWS.FIND_AND_SET.ALIGN" in {i.opcode for i in functions[kernel]}
        forms |= {form[:4] for form in asked}
    assert len(forms) == 74
