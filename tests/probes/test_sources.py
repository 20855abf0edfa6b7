"""The probes' texts, assembled by another's assembler and read back by another's reader."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap.probing.mfma.forms import PROBED as MATRIX_CORES
from lanemap.probing.mfma.forms import forms
from lanemap.probing.probe import find_probes

#: The probes of one instruction; lds_banks asks about many, and what it may do is its own.
PROBES = {
    name: p
    for name, p in find_probes().items()
    if p.target == "gfx950" and p.variant.startswith("ds_read")
}
WANTED = {"tr8", "tr16", "tr4", "tr6", "tr8_broadcast"}
# AMD CDNA4 ISA, opcodes of the DS format: bits 24 to 17 of the first dword, 110110 on top.
OPCODES = {
    "ds_read_b64_tr_b4": 224,
    "ds_read_b96_tr_b6": 225,
    "ds_read_b64_tr_b8": 226,
    "ds_read_b64_tr_b16": 227,
}


def assemble(text: str, folder: Path, target: str = "gfx950") -> bytes:
    (folder / "probe.s").write_text(text)
    subprocess.run(
        [
            *(sys.executable, "-m", "ziglang", "clang", "-target", "amdgcn-amd-amdhsa"),
            *(f"-mcpu={target}", "-Werror", "-c", "probe.s", "-o", "probe.o"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return (folder / "probe.o").read_bytes()


def test_the_probes_of_this_target_are_here():
    assert set(PROBES) >= WANTED


@pytest.mark.parametrize("name", sorted(WANTED))
def test_clang_assembles_the_text_to_the_instruction_that_is_asked_of(name, tmp_path):
    probe = PROBES[name]
    code = assemble(probe.source, tmp_path)
    opcode = OPCODES[probe.variant]
    heads = {
        (int.from_bytes(code[at : at + 4], "little") >> 17) & 0x7FFF
        for at in range(0, len(code) - 3, 4)
    }
    assert (0b110110 << 9 | opcode) in heads
    # The kernel and its descriptor, the symbol that a runtime looks up.
    assert name.encode() in code and f"{name}.kd".encode() in code


@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_code_object_says_what_the_kernel_takes(name, tmp_path):
    readelf = shutil.which("llvm-readelf") or shutil.which("readelf")
    if readelf is None:
        pytest.skip("no readelf here")
    assemble(PROBES[name].source, tmp_path)
    listed = subprocess.run(
        [readelf, "-s", "-W", "probe.o"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    (function,) = [line.split() for line in listed.splitlines() if line.endswith(f" {name}")]
    (descriptor,) = [line.split() for line in listed.splitlines() if line.endswith(f" {name}.kd")]
    # AMDGPU back end: a kernel descriptor is an object of 64 bytes.
    assert (function[3], descriptor[3], descriptor[2]) == ("FUNC", "OBJECT", "64")


@pytest.mark.parametrize("target", MATRIX_CORES)
def test_clang_assembles_every_kernel_of_a_probe_of_many(target, tmp_path):
    code = assemble(find_probes()["mfma_operands"].sources[target], tmp_path, target)
    for form in forms(target):
        assert f"{form.entry}\0".encode() in code and f"{form.entry}.kd\0".encode() in code


@pytest.mark.parametrize("name", sorted(PROBES))
def test_nothing_touches_exec_so_that_all_lanes_take_part(name):
    code = [line.split("//")[0] for line in PROBES[name].source.splitlines()]
    instructions = [
        line for line in code if line.startswith("    ") and not line.strip().startswith(".")
    ]
    assert not any("exec" in line for line in instructions)
    assert not any("v_cmpx" in line for line in instructions)
