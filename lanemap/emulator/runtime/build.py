"""Compile the C of the emulator to runtime/runtime.ll, the LLVM IR that it loads.

That is runtime/*.c and what the front ends add (ptx/c/*.c), as one translation unit.

Run by `make runtime` after a change of the C; needs ziglang (the extra `amd`). The IR is kept in
the tree so that running the emulator needs no C compiler; a test compiles it again and compares.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FOLDERS = (HERE, HERE.parent / "ptx" / "c")
IR = HERE / "runtime.ll"
FLAGS = ["-target", "x86_64-linux-gnu", "-O2", "-Wall", "-Werror", "-fno-vectorize",
         "-fno-slp-vectorize", "-fno-unroll-loops", "-ffp-contract=off", "-fno-math-errno",
         "-fno-stack-protector", "-S", "-emit-llvm"]


def portable(ir: str) -> str:
    """Drop what ties IR to one processor: target lines, attributes, metadata."""
    ir = re.sub(r"^(?:source_filename|target|attributes|!|; ).*\n", "", ir, flags=re.M)
    ir = re.sub(r".*@llvm\.experimental\.noalias\.scope\.decl.*\n", "", ir)
    ir = re.sub(r",? ![\w.]+ !\d+", "", ir)
    ir = re.sub(r" #\d+", "", ir)
    ir = re.sub(r"\s*; preds = .*", "", ir)
    ir = re.sub(r"\bdso_local ", "", ir)
    return re.sub(r"\n{3,}", "\n\n", ir).lstrip("\n")


def build() -> str:
    """Compile all sources as one translation unit and return the IR."""
    sources = sorted((path for folder in FOLDERS for path in folder.glob("*.c")),
                     key=lambda path: path.name)
    unit = "".join(f'#include "{path}"\n' for path in sources)
    includes = [f"-I{folder}" for folder in FOLDERS]
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "runtime.ll"
        command = [sys.executable, "-m", "ziglang", "clang", *FLAGS, *includes, "-x", "c", "-",
                   "-o", str(output)]
        subprocess.run(command, input=unit, text=True, check=True)
        return portable(output.read_text())


if __name__ == "__main__":
    IR.write_text(build())
