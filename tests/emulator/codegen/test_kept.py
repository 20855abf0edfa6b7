"""What a launch needs of a text is kept, and a later process tells what the first one told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.emulator import amdgcn
from lanemap.emulator import ptx as front_end
from lanemap.emulator.codegen import kept
from lanemap.emulator.codegen.kept import KeptProgram
from lanemap.emulator.host.contents import pattern
from lanemap.emulator.host.settings import Settings
from lanemap.toolchain import amdgcn_kernel
from tests import ptx

#: Two kernels, a variable with the address of another one, and a table of a layout map.
TEXT = """\
.version 8.0
.target sm_90a
.address_size 64
.global .align 4 .u32 five = 5;
.global .align 8 .u64 there = five;
.visible .entry good(.param .u64 out)
{
    .reg .b32 %r<8>; .reg .b64 %w<4>;
    .shared .align 16 .b8 tile[128];
    ld.param.u64 %w1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 2;
    add.u32 %r3, %r3, %r2;
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    and.b32 %r4, %r1, 7;
    shl.b32 %r4, %r4, 4;
    add.u32 %r4, %r4, %r2;
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r4];
    ld.global.u64 %w2, [there];
    ld.global.u32 %r6, [%w2];
    mul.lo.u32 %r5, %r5, %r6;
    mul.wide.u32 %w3, %r1, 4;
    add.u64 %w3, %w1, %w3;
    st.global.u32 [%w3], %r5;
    ret;
}
.visible .entry beyond(.param .u64 out)
{
    .reg .b32 %r<3>; .reg .b64 %w<4>;
    ld.param.u64 %w1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %w2, %r1, 8;
    add.u64 %w3, %w1, %w2;
    st.global.u32 [%w3], %r1;
    ret;
}
.visible .entry undefined(.param .u64 out)
{
    .reg .b32 %r<3>; .reg .b64 %w<4>; .reg .pred %p;
    ld.param.u64 %w1, [out];
    ld.global.u32 %r1, [%w1];
    setp.eq.u32 %p, %r1, 0;
    @%p bra END;
    st.global.u32 [%w1], %r1;
END:
    ret;
}
.visible .entry apart(.param .u64 out)
{
    .reg .b32 %r<3>; .reg .pred %p;
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p, %r1, 32;
    @%p bra END;
    bar.sync 1, 96;
END:
    ret;
}
"""


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LANEMAP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def told() -> list[object]:
    """What launches of each kernel, and observers and counts of the good one, tell."""
    device = lanemap.open_device("sm_90a", "emulator")
    module = device.load(TEXT)
    found: list[object] = [module.entries, module.symbols]
    out = device.zeros(32, np.uint32, name="out")
    with device.count() as counts:
        module["good"](1, 32, (out,))
    found += [out.get().tolist(), counts.by_kind(), counts.traffic()]
    for name, block in (("beyond", 32), ("undefined", 32), ("apart", 64)):
        into = device.empty(32, np.uint32, name="into")
        with pytest.raises(lanemap.Hazard) as raised:
            module[name](1, block, (into,))
        hazard = raised.value
        found += [str(hazard), hazard.line, hazard.instruction, hazard.facts, hazard.kind]
    return found


def test_a_kept_text_tells_what_it_told(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = told()
    made: list[Callable[[], object]] = []
    program = kept.kept_program
    monkeypatch.setattr(kept, "kept_program", lambda *of: made.append(of[2]) or program(*of))
    assert told() == first
    assert len(made) == 4


def test_a_kept_program_has_what_lowering_gives_it(cache: Path) -> None:
    for entry in ("good", "apart"):
        whole = front_end.load(TEXT, "a").kernels[entry].program
        found = front_end.load(TEXT, "b").kernels[entry].program
        assert isinstance(found, KeptProgram) and not isinstance(whole, KeptProgram)
        for name in (*kept._PLAIN, "start_slots", "front_end"):
            assert getattr(found, name) == getattr(whole, name), name
        assert [each.tolist() for each in found.tables] == [t.tolist() for t in whole.tables]
        assert found.file == "b"
        assert [o.text for o in found.operations()] == [o.text for o in whole.operations()]
        assert found.slots == whole.slots


def test_what_decides_the_code_decides_what_is_kept(cache: Path) -> None:
    def program(settings: Settings, gpu: str) -> object:
        return front_end.load(TEXT, "k", settings, gpu).kernels["good"].program

    assert not isinstance(program(Settings(), "sm_90a"), KeptProgram)
    assert isinstance(program(Settings(), "sm_90a"), KeptProgram)
    assert not isinstance(program(Settings(strict=True), "sm_90a"), KeptProgram)
    model = {"ldmatrix.m8n8.x1": lanemap.model.variant("ldmatrix.m8n8.x1").map}
    assert not isinstance(program(Settings(models=model), "sm_90a"), KeptProgram)


@pytest.mark.parametrize(
    "damaged",
    [lambda data: data[:-1], lambda data: data[:10], lambda data: b"", lambda data: data + b"\0"],
)
def test_damaged_entries_are_made_again(cache: Path, damaged: Callable[[bytes], bytes]) -> None:
    def result() -> list[int]:
        device = lanemap.open_device("sm_90a", "emulator")
        out = device.zeros(32, np.uint32)
        device.load(TEXT)["good"](1, 32, (out,))
        return out.get().tolist()

    first = result()
    whole = {path: path.read_bytes() for path in cache.glob("*/*")}
    assert whole
    for path, data in whole.items():
        path.write_bytes(damaged(data))
    assert result() == first
    again = {path: path.read_bytes() for path in cache.glob("*/*")}
    assert sum(again[path] == data for path, data in whole.items()) >= 2  # text and kernel


LAUNCH = f"""
import sys, numpy as np, lanemap
device = lanemap.open_device("sm_90a", device="emulator")
out = device.zeros(32, np.uint32)
device.load({TEXT!r})["good"](1, 32, (out,))
print(out.get().tolist())
print(*sorted(name for name in sys.modules if name.startswith(("lanemap.", "llvmlite", "ml_"))))
"""
#: Modules of another process that finds all of it: neither front end, nor code generator, nor LLVM.
HEAVY = (
    "llvmlite", "ml_dtypes", "lanemap.layout", "lanemap.toolchain", "lanemap.emulator.ptx.isa",
    "lanemap.emulator.ptx.text.parser", "lanemap.emulator.ptx.lower.lowering",
    "lanemap.emulator.codegen.builder", "lanemap.emulator.codegen.unit", "lanemap.emulator.amdgcn",
)  # fmt: skip


def test_a_later_process_imports_neither_front_end_nor_llvm(cache: Path) -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", LAUNCH], env=dict(os.environ), capture_output=True, text=True
        )
        for _ in range(2)
    ]
    (first, loaded), (again, fewer) = (run.stdout.splitlines() for run in runs)
    assert first == again
    assert set(HEAVY[6:9]) <= set(loaded.split())
    assert not [name for name in fewer.split() if name.startswith(HEAVY)]


ASSEMBLY = {
    name: amdgcn_kernel.Kernel(name, ("result",), (), 256, 8, 16, 64).text(f"""\
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[4:5] offset:{offset}
    s_endpgm
""")
    for name, offset in (("good", 0), ("beyond", 128))
}


def test_kept_assembly_tells_what_it_told(cache: Path) -> None:
    def told() -> list[object]:
        device, found = lanemap.open_device("gfx950", "emulator"), []
        for name, text in ASSEMBLY.items():
            module, out = device.load(text), device.zeros(64, np.uint32, name="out")
            with device.count() as counts:
                if name == "good":
                    module[name](1, 64, (out,))
                    found += [out.get().tolist(), counts.by_kind(), counts.traffic()]
                    continue
                with pytest.raises(lanemap.Hazard) as raised:
                    module[name](1, 64, (out,))
            found += [str(raised.value), raised.value.line, raised.value.instruction]
        return found

    first = told()
    assert told() == first
    whole, found = (amdgcn.load(ASSEMBLY["good"], "a").kernels["good"].program for _ in range(2))
    assert isinstance(found, KeptProgram)
    for name in (*kept._PLAIN, "start_slots", "front_end", "preloaded", "slots"):
        assert getattr(found, name) == getattr(whole, name), name


AMD_LAUNCH = f"""
import sys, numpy as np, lanemap
device = lanemap.open_device("gfx950", device="emulator")
out = device.zeros(64, np.uint32)
device.load({ASSEMBLY["good"]!r})["good"](1, 64, (out,))
assert out.get().tolist() == list(range(64))
print(*sorted(sys.modules))
"""


def test_a_later_process_launches_assembly_without_its_front_end(cache: Path) -> None:
    runs = [
        subprocess.run([sys.executable, "-c", AMD_LAUNCH], capture_output=True, text=True).stdout
        for _ in range(2)
    ]
    heavy = {"yaml", "lanemap.layout", "lanemap.emulator.codegen.builder"} | {
        f"lanemap.emulator.amdgcn.{name}"
        for name in ("isa", "text.parser", "lower.program", "lower.binding", "lower.table")
    }
    assert heavy - set(runs[0].split()) == set()
    assert (heavy | {"llvmlite"}) & set(runs[1].split()) == set()


def test_texts_of_two_gpus_are_kept_apart(cache: Path) -> None:
    text = ptx.entry("", "").replace("sm_90a", "sm_80").replace("sm_100a", "sm_80")
    for gpu in ("sm_80", "sm_90a"):
        program = front_end.load(text, "k", Settings(), gpu).kernels["k"].program
        assert not isinstance(program, KeptProgram)


def test_undefined_registers_hold_the_same_bytes_as_ever(cache: Path) -> None:
    for size in (0, 5, 1000, (1 << 16) + 3):
        numbers = np.random.Generator(np.random.PCG64(0xACE5)).integers(0, 256, size, np.uint8)
        assert [pattern(size, 0xACE5).tolist() for _ in range(2)] == [numbers.tolist()] * 2
