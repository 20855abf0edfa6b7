"""Compile the C of the emulator: to LLVM IR that it loads, and to the Python that mirrors it.

That is runtime/*.c, memory_model/*.c and what the front ends add (c/*.c of each, and
built.headers), as one translation unit; the primitives of bytecode (codegen/primitives.py) are
added to its IR. It is compiled twice: optimized, to runtime/runtime.ll and
from there to a shared library for each level of processors, and with debug information, from which
the structures, enums and signatures are written as Python (bindings.py): abi.py and functions.py of
each folder, for a front end in its lower/.

The stand-ins of drivers/ and the machine of the timing model are linked as shared libraries, each
by itself.

Run by the build hook of every install (hatch_build.py), and by `make runtime` after a change of
the C; needs ziglang. Nothing that it writes is tracked, and what is up to date is not built again
(built.py). The version of ziglang is pinned in pyproject.toml, and its output depends on nothing
else: on every machine the same sources give the same files.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import runpy
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lanemap.emulator.runtime import bindings, built, dwarf

MODULES = [
    bindings.Module(built.HERE, built.HERE, "The runtime"),
    bindings.Module(built.HERE, built.HERE, "The runtime", "events.h"),
    bindings.Module(built.MEMORY_MODEL, built.MEMORY_MODEL, "The memory model"),
    *(
        bindings.Module(folder, folder.parent / "lower", f"The front end {folder.parent.name}")
        for folder in built.FRONT_ENDS
    ),
]
_TARGET = ["-target", "x86_64-linux-gnu"]
FLAGS = [
    *_TARGET,
    "-O2",
    "-Wall",
    "-Werror",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-stack-protector",
    "-S",
    "-emit-llvm",
]
#: LLVM's level 1, as blocks that run long; the IR is optimized already.
OBJECT_FLAGS = [
    "-O1", "-Xclang", "-disable-llvm-passes", "-ffp-contract=off", "-fPIC", "-Wno-override-module",
    "-c",
]  # fmt: skip
#: Of every shared library.
_LINK_FLAGS = ["-shared", "-s", "-Wl,--build-id=none"]
#: Of the runtime's: it calls functions of a C library, which any glibc of these ten years has, and
#: its own functions directly.
RUNTIME_FLAGS = [*_LINK_FLAGS, "-Wl,-Bsymbolic", "-lm"]
_GLIBC = "linux-gnu.2.17"
#: Of the others: they call nothing of a C library.
LIBRARY_FLAGS = [*_LINK_FLAGS, "-O2", "-Wall", "-Werror", "-fPIC", "-nostdlib"]
#: They use a C library, and stay when a program closes them, as its atfork handlers do.
COMPOUND_FLAGS = [
    *_LINK_FLAGS, "-O2", "-Wall", "-Werror", "-fPIC", "-D_GNU_SOURCE",
    "-fvisibility=hidden", "-Wl,-z,nodelete", "-lpthread",
]  # fmt: skip
DEBUG_FLAGS = [*_TARGET, "-O0", "-gdwarf-5", "-fno-eliminate-unused-debug-types", "-c"]


def portable(ir: str) -> str:
    """Drop what ties IR to one processor: target lines, attributes, metadata.

    Every function and variable can be found by its name.
    """
    ir = re.sub(r"^(?:source_filename|target|attributes|!|; ).*\n", "", ir, flags=re.M)
    ir = re.sub(r".*@llvm\.experimental\.noalias\.scope\.decl.*\n", "", ir)
    ir = re.sub(r",? ![\w.]+ !\d+", "", ir)
    ir = re.sub(r" #\d+", "", ir)
    ir = re.sub(r"\s*; preds = .*", "", ir)
    ir = re.sub(r"\bdso_local ", "", ir)
    ir = re.sub(r"^define internal", "define", ir, flags=re.M)
    ir = re.sub(r"^(@\S+) = internal global", r"\1 = global", ir, flags=re.M)
    return re.sub(r"\n{3,}", "\n\n", ir).lstrip("\n")


def _clang(flags: list[str], language: str, text: str) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "output"
        command = [sys.executable, "-m", "ziglang", "clang", *flags]
        command += ["-x", language, "-", "-o", str(output)]
        subprocess.run(command, input=text, text=True, check=True)
        return output.read_bytes()


def compiled(flags: list[str], more: str = "") -> bytes:
    """Compile all sources, and `more`, as one translation unit; what the compiler wrote.

    Raises:
        subprocess.CalledProcessError: the compiler refuses it, and says why on stderr.
    """
    sources = sorted(
        (path for folder in built.FOLDERS for path in folder.glob("*.c")),
        key=lambda path: path.name,
    )
    unit = "".join(f'#include "{path}"\n' for path in sources) + more
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in built.headers().items():
            (Path(scratch) / name).write_text(text)
        folders = [f"-I{folder}" for folder in (*built.FOLDERS, scratch)]
        return _clang([*flags, *folders], "c", unit)


def _linked(arguments: list[str], name: str) -> bytes:
    """What zig links of some arguments into a shared library of a name."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / name
        command = [sys.executable, "-m", "ziglang", "cc", *arguments, f"-Wl,-soname,{name}"]
        subprocess.run([*command, "-o", str(output)], check=True)
        return output.read_bytes()


def build_runtime(ir: str, name: str) -> bytes:
    """The shared library of the runtime for a processor of built.RUNTIMES."""
    arm = name == "aarch64"
    target = ["-target", "aarch64-linux-gnu"] if arm else [*_TARGET, f"-march={name}"]
    code = _clang([*target, *OBJECT_FLAGS], "ir", ir)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "runtime.o"
        path.write_bytes(code)
        machine = f"{'aarch64' if arm else 'x86_64'}-{_GLIBC}"
        arguments = ["-target", machine, str(path), *RUNTIME_FLAGS]
        return _linked(arguments, built.RUNTIMES[name].name)


def build_library(source: Path, machine: str) -> bytes:
    """The shared library of one of built.LIBRARIES, for Linux on a machine of built.MACHINES."""
    arguments = ["-target", f"{machine}-linux-gnu", *LIBRARY_FLAGS, str(source)]
    return _linked(arguments, f"lib{source.stem}.so")


@functools.cache  # others are linked with one of them
def build_compound(name: str, machine: str) -> bytes:
    """The shared library of one of built.COMPOUND, for Linux on a machine of built.MACHINES.

    Its table may name a library that it needs, and a version for its symbols.
    """
    folder = built.COMPOUND[name]
    table = runpy.run_path(str(folder / "table.py"))
    unit = "".join(f'#include "{folder / each}.c"\n' for each in table["ORDER"])
    arguments = ["-target", f"{machine}-{_GLIBC}", *COMPOUND_FLAGS, f"-I{folder}"]
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "whole.c"
        whole.write_text(unit + table["source"]())
        if needed := table.get("NEEDS"):
            (Path(scratch) / needed).write_bytes(build_compound(needed, machine))
            arguments += [str(Path(scratch) / needed)]
        if version := table.get("VERSION"):
            script = Path(scratch) / "versions"
            script.write_text(f"{version} {{ global: *; }};\n")
            arguments += [f"-Wl,--version-script={script}"]
        return _linked([*arguments, str(whole)], name)


def build() -> str:
    """The IR: of the C, and of the primitives that bytecode calls."""
    ir = portable(compiled(FLAGS).decode())
    return f"{ir}\n{runpy.run_path(str(built.PRIMITIVES))['common'](ir)}"


def build_bindings() -> dict[Path, str]:
    """The text of each Python module that mirrors the C, by its file."""
    return bindings.texts(dwarf.read(compiled(DEBUG_FLAGS)), MODULES)


def contents() -> dict[Path, bytes]:
    """The contents of every file of `built.files`.

    Raises:
        subprocess.CalledProcessError: the compiler refuses the C, and says why on stderr.
    """
    built.headers()  # before the threads, which would run its modules by one name
    with ThreadPoolExecutor(2) as pool:
        mirrors, ir = pool.submit(build_bindings), build()
        runtimes = pool.map(lambda name: build_runtime(ir, name), built.RUNTIMES)
        files = {path: text.encode() for path, text in mirrors.result().items()}
        files |= dict(zip(built.RUNTIMES.values(), runtimes, strict=True))
    linked = {path: build_library(*given) for given, path in built.libraries().items()}
    linked |= {path: build_compound(*given) for given, path in built.compounds().items()}
    return {built.IR: ir.encode(), **files, **linked}


def _write(path: Path, data: bytes) -> None:
    """Write a file whole, for two installs of one checkout may build at the same time."""
    path.parent.mkdir(exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    os.chmod(name, 0o644)
    os.replace(name, path)


def main() -> None:
    """Build what is not up to date; the stamp comes last, so that half a build does not count.

    Raises:
        SystemExit: there is no ziglang, or the compiler refuses the C, as it says on stderr.
    """
    if not built.fault():
        return
    if importlib.util.find_spec("ziglang") is None:
        raise SystemExit("the emulator's C is compiled by ziglang: run `pip install ziglang`")
    times = built.times_hash()  # before the sources are read: a change meanwhile is noticed
    sources = built.source_hash()
    try:
        files = contents()
    except subprocess.CalledProcessError as error:
        raise SystemExit("clang refuses the emulator's C, for the reason above") from error
    for path, data in files.items():
        _write(path, data)
    built.write_stamp(sources, times)


if __name__ == "__main__":
    main()
