"""Compile the C of the emulator: to LLVM IR that it loads, and to the Python that mirrors it.

That is runtime/*.c and what the front ends add (c/*.c of each), as one translation unit. It is
compiled twice: optimized, to runtime/runtime.ll, and with debug information, from which the
structures, enums and signatures are written as Python (bindings.py): runtime/abi.py and
functions.py, and lower/abi.py and functions.py of each front end.

Run by `make runtime` after a change of the C; needs ziglang (the extra `amd`). What it writes is
kept in the tree so that running the emulator needs no C compiler; a test makes it again and
compares.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lanemap.emulator.runtime import bindings, dwarf

HERE = Path(__file__).parent
EMULATOR = HERE.parent
MODULES = [
    bindings.Module(HERE, HERE, "The runtime"),
    bindings.Module(HERE, HERE, "The runtime", "events.h"),
    *(bindings.Module(folder, folder.parent / "lower", f"The front end {folder.parent.name}")
      for folder in sorted(EMULATOR.glob("*/c"))),
]
IR = HERE / "runtime.ll"
_TARGET = ["-target", "x86_64-linux-gnu"]
FLAGS = [*_TARGET, "-O2", "-Wall", "-Werror", "-fno-vectorize",
         "-fno-slp-vectorize", "-fno-unroll-loops", "-ffp-contract=off", "-fno-math-errno",
         "-fno-stack-protector", "-S", "-emit-llvm"]
DEBUG_FLAGS = [*_TARGET, "-O0", "-gdwarf-5", "-fno-eliminate-unused-debug-types", "-c"]


def portable(ir: str) -> str:
    """Drop what ties IR to one processor: target lines, attributes, metadata."""
    ir = re.sub(r"^(?:source_filename|target|attributes|!|; ).*\n", "", ir, flags=re.M)
    ir = re.sub(r".*@llvm\.experimental\.noalias\.scope\.decl.*\n", "", ir)
    ir = re.sub(r",? ![\w.]+ !\d+", "", ir)
    ir = re.sub(r" #\d+", "", ir)
    ir = re.sub(r"\s*; preds = .*", "", ir)
    ir = re.sub(r"\bdso_local ", "", ir)
    return re.sub(r"\n{3,}", "\n\n", ir).lstrip("\n")


def compiled(flags: list[str], more: str = "") -> bytes:
    """Compile all sources, and `more`, as one translation unit; what the compiler wrote.

    Raises:
        subprocess.CalledProcessError: the compiler refuses it, and says why on stderr.
    """
    folders = list(dict.fromkeys(module.folder for module in MODULES))
    sources = sorted((path for folder in folders for path in folder.glob("*.c")),
                     key=lambda path: path.name)
    unit = "".join(f'#include "{path}"\n' for path in sources) + more
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "output"
        command = [sys.executable, "-m", "ziglang", "clang", *flags,
                   *(f"-I{folder}" for folder in folders), "-x", "c", "-", "-o", str(output)]
        subprocess.run(command, input=unit, text=True, check=True)
        return output.read_bytes()


def build() -> str:
    """The IR."""
    return portable(compiled(FLAGS).decode())


def build_bindings() -> dict[Path, str]:
    """The text of each Python module that mirrors the C, by its file."""
    return bindings.texts(dwarf.read(compiled(DEBUG_FLAGS)), MODULES)


if __name__ == "__main__":
    IR.write_text(build())
    for path, text in build_bindings().items():
        path.write_text(text)
