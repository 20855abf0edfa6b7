"""The runtime's libraries: all define what the IR defines, and all that this machine runs agree."""

from __future__ import annotations

import ctypes
import dataclasses
import io
import re

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

from lanemap import cache
from lanemap.emulator.codegen.compiler import Native
from lanemap.emulator.codegen.processor import LEVELS, Processor, processor
from lanemap.emulator.runtime.built import IR, RUNTIMES

DEFINED = set(re.findall(r"^define [^@\n]*@([\w.$]+)\(", IR.read_text(), re.M))


@pytest.mark.parametrize("name", RUNTIMES)
def test_a_library_defines_every_function(name: str) -> None:
    file = ELFFile(io.BytesIO(RUNTIMES[name].read_bytes()))
    assert file.get_machine_arch() == ("AArch64" if name == "aarch64" else "x64")
    symbols = file.get_section_by_name(".dynsym").iter_symbols()
    found = {each.name for each in symbols if each["st_shndx"] != "SHN_UNDEF"}
    assert DEFINED and found >= DEFINED


def decoded(made_for: Processor) -> list[float]:
    """Every code of e4m3, as the runtime of a processor decodes it."""
    native = Native(made_for)
    decode = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_uint32, ctypes.c_uint32)
    function = decode(native.address("decode"))
    return [function(3, code) for code in range(256)]


def test_every_library_that_this_machine_runs_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    import ml_dtypes

    codes = np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e4m3fn)
    expected = codes.astype(np.float32)
    best = processor().level
    if best not in LEVELS:
        pytest.skip("levels are those of x86-64 on Linux")
    for level in list(LEVELS)[: list(LEVELS).index(best) + 1]:
        monkeypatch.setenv("LANEMAP_CPU", level)
        assert processor().level == level
        assert np.array_equal(decoded(processor()), expected, equal_nan=True)


def test_another_processor_gets_an_object_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    here, kept = processor(), dict[str, bytes]()
    monkeypatch.setattr(cache, "lookup", kept.get)
    monkeypatch.setattr(cache, "keep", kept.__setitem__)
    other = dataclasses.replace(here, level="")
    assert decoded(other)[0x38] == 1.0
    assert len(kept) == 1 and next(iter(kept.values()))[:4] == b"\x7fELF"
