"""The functions of our libcuda.so.1 and libcudart.so.13 against their own tables, and both against
NVIDIA's headers, and its runtime library.
"""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap.devices.emulator import driver_library
from lanemap.toolchain.places import wheel_folder

DRIVERS = driver_library("libcuda.so.1").parent.parent
rows = runpy.run_path(str(DRIVERS / "tables.py"))["rows"]
CUDA, CUDART, LINKER = (DRIVERS / name for name in ("cuda", "cudart", "nvjitlink"))
LIBRARIES = {"libcuda.so.1": CUDA, "libcudart.so.13": CUDART}
FUNCTIONS = rows(CUDA / "functions.tsv")
#: What lanemap itself calls.
OWN = {
    "lanemap_link", "lanemap_serve", "lanemap_reset", "lanemap_say", "lanemap_gpu_attribute",
    "lanemap_emulator", "lanemap_made",
}  # fmt: skip
#: Functions of NVIDIA's libraries that no header declares, by the library.
PRIVATE: dict[str, set[str]] = {
    "libcudart.so.13": set(),
    "libnvrtc.so.13": {"__nvrtcCPEx"},
    "libnvJitLink.so.13": {"__nvJitLinkAPI"},
}


@pytest.fixture(scope="module")
def headers() -> Path:
    """The folder of cuda.h of NVIDIA's wheel."""
    found = wheel_folder()
    if found is None or not (found / "include" / "cuda.h").is_file():
        pytest.skip("cuda.h comes with nvidia-cuda-runtime")
    return found / "include"


def symbols_of(library: Path) -> dict[str, str]:
    """The functions that a library defines, each with the version of its symbol."""
    from elftools.elf.elffile import ELFFile

    with open(library, "rb") as file:
        elf = ELFFile(file)
        versions = elf.get_section_by_name(".gnu.version")
        names = elf.get_section_by_name(".gnu.version_d")
        known = {}
        for number, each in enumerate(elf.get_section_by_name(".dynsym").iter_symbols()):
            if each["st_shndx"] == "SHN_UNDEF" or each["st_info"]["type"] != "STT_FUNC":
                continue
            index = versions.get_symbol(number)["ndx"] if names else 0
            version = names.get_version(index)[1] if names and isinstance(index, int) else ()
            known[each.name] = next((one.name for one in version), "")
    return known


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_library_has_what_the_table_lists(name: str) -> None:
    """No symbol more, and none less."""
    table = rows(LIBRARIES[name] / "functions.tsv")
    listed = {row[key] for row in table for key in ("symbol", "per_thread")} - {"-"}
    assert set(symbols_of(driver_library(name))) - OWN == listed


@pytest.mark.parametrize("name", PRIVATE)
def test_a_stand_in_has_the_symbols_of_nvidias(name: str) -> None:
    """And their versions, which executables that were linked with NVIDIA's ask for."""
    folder = wheel_folder()
    library = folder / "lib" / name if folder else None
    if library is None or not library.is_file():
        pytest.skip(f"NVIDIA's {name} is not installed")
    theirs = symbols_of(library)
    assert symbols_of(driver_library(name)) == {
        each: version for each, version in theirs.items() if each not in PRIVATE[name]
    }


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


@pytest.mark.parametrize("folder", (CUDA, CUDART, LINKER), ids=lambda path: path.name)
def test_nvidias_header_agrees_with_every_definition(
    folder: Path, headers: Path, tmp_path: Path
) -> None:
    """The compiler compares our functions and structures with the declarations of the headers."""
    if folder == LINKER and not (headers / "nvJitLink.h").is_file():
        pytest.skip("nvJitLink.h comes with nvidia-nvjitlink")
    unit = tmp_path / "unit.c"
    order = runpy.run_path(str(folder / "table.py"))["ORDER"]
    unit.write_text("".join(f'#include "{folder / name}.c"\n' for name in order))
    command = [sys.executable, "-m", "ziglang", "cc", "-c", "-Wall", "-Werror"]
    command += ["-Wno-unused-function", "-Wno-tentative-definition-array", "-D_GNU_SOURCE"]
    command += ["-Wno-deprecated-declarations"]
    command += ["-DCUDA_HEADER", f"-I{folder}", f"-I{headers}", str(unit)]
    command += ["-o", str(tmp_path / "unit.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_about_all_that_public_frameworks_name_is_served() -> None:
    """Graphs, graphics, textures, virtual memory and sharing between processes are refused."""
    refused = {row["symbol"] for row in FUNCTIONS if row["state"] == "refused"}
    needed = set((Path(__file__).parent / "named_by_triton.txt").read_text().split())
    assert needed and not needed & refused


def test_errors_have_names_of_the_headers(headers: Path) -> None:
    """Every number of CUresult and of cudaError is there, and no other."""
    table = rows(CUDA / "errors.tsv")
    places = {
        "driver": (headers / "cuda.h", r"^\s*(CUDA_(?:SUCCESS|ERROR_\w+))\s*=\s*(\d+)"),
        "runtime": (headers / "driver_types.h", r"^\s*(cuda(?:Success|Error\w+))\s*=\s*(\d+)"),
    }
    for column, (header, pattern) in places.items():
        wanted = set(re.findall(pattern, header.read_text(), re.MULTILINE))
        assert wanted == {(r[column], r["number"]) for r in table if r[column] != "-"}
