"""The functions of our libcuda.so.1 against its own table, and both against NVIDIA's headers."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap.devices.emulator import driver_library
from lanemap.toolchain.places import wheel_folder

FOLDER = driver_library("libcuda.so.1").parent.parent / "cuda"
TABLE = runpy.run_path(str(FOLDER / "table.py"))
FUNCTIONS = TABLE["rows"]("functions.tsv")
#: What lanemap itself calls.
OWN = {"lanemap_serve", "lanemap_reset"}


@pytest.fixture(scope="module")
def headers() -> Path:
    """The folder of cuda.h of NVIDIA's wheel."""
    found = wheel_folder()
    if found is None or not (found / "include" / "cuda.h").is_file():
        pytest.skip("cuda.h comes with nvidia-cuda-runtime")
    return found / "include"


def test_the_library_has_what_the_table_lists() -> None:
    """No symbol more, and none less."""
    from elftools.elf.elffile import ELFFile

    with open(driver_library("libcuda.so.1"), "rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym")
        known = {
            each.name
            for each in symbols.iter_symbols()
            if each["st_shndx"] != "SHN_UNDEF" and each["st_info"]["bind"] == "STB_GLOBAL"
        }
    listed = {row[key] for row in FUNCTIONS for key in ("symbol", "per_thread")} - {"-"}
    assert known - OWN == listed


def test_the_table_has_every_function_of_the_header(headers: Path) -> None:
    """Names, versions and symbols are those of cudaTypedefs.h and cuda.h, of whatever release."""
    types = (headers / "cudaTypedefs.h").read_text()
    text = (headers / "cuda.h").read_text()
    wanted = set(re.findall(r"\(CUDAAPI \*PFN_(cu\w+)_v(\d+)\)\(", types))
    listed = {(row["name"], row["version"]) for row in FUNCTIONS}
    assert wanted and wanted <= listed
    renamed = dict(re.findall(r"^#\s*define (cu\w+)\s+(cu\w+_v\d)\s*$", text, re.MULTILINE))
    newest = {
        row["name"]: row["symbol"] for row in sorted(FUNCTIONS, key=lambda r: int(r["version"]))
    }
    wrong = {n: s for n, s in renamed.items() if n in newest and newest[n] < s}
    assert not wrong


def test_nvidias_header_agrees_with_every_definition(headers: Path, tmp_path: Path) -> None:
    """The compiler compares our functions and structures with the declarations of cuda.h."""
    unit = tmp_path / "unit.c"
    sources = [f'#include "{FOLDER / name}.c"\n' for name in TABLE["ORDER"]]
    unit.write_text("".join(sources))
    command = [sys.executable, "-m", "ziglang", "cc", "-c", "-Wall", "-Werror"]
    command += ["-Wno-unused-function", "-Wno-tentative-definition-array", "-D_GNU_SOURCE"]
    command += ["-DCUDA_HEADER", f"-I{FOLDER}", f"-I{headers}", str(unit)]
    command += ["-o", str(tmp_path / "unit.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_about_all_that_public_frameworks_name_is_served() -> None:
    """Graphs, graphics, textures, virtual memory and sharing between processes are refused."""
    refused = {row["symbol"] for row in FUNCTIONS if row["state"] == "refused"}
    needed = set((Path(__file__).parent / "named_by_triton.txt").read_text().split())
    assert needed and not needed & refused


def test_errors_have_names_of_the_header(headers: Path) -> None:
    """Every number of CUresult is there."""
    text = (headers / "cuda.h").read_text()
    wanted = set(re.findall(r"^\s*(CUDA_(?:SUCCESS|ERROR_\w+))\s*=\s*(\d+)", text, re.MULTILINE))
    assert wanted == {(row["name"], row["number"]) for row in TABLE["rows"]("errors.tsv")}
