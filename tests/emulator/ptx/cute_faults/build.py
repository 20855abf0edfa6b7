"""Store the PTX of the faulty kernels of table.py, with the lines of their sources.

    make cute
    .venv-cute/bin/python tests/emulator/ptx/cute_faults/build.py [NAME ..] [--out FOLDER]

Each is NAME.ptx. made.json says by which version, and has hashes of the text and of the file that
the fault is put into.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from table import FAULTS, ProductFault

HERE = Path(__file__).resolve().parent
KERNELS = HERE.parent / "cute_dsl"
ROOT = HERE.parents[3]
PACKAGE = "nvidia-cutlass-dsl"


def compiled(fault: ProductFault) -> str:
    """Return the text that CuTe DSL makes of a kernel with a fault."""
    with tempfile.TemporaryDirectory() as folder:
        kernels = Path(folder).resolve() / "cute_dsl"
        shutil.copytree(KERNELS, kernels, ignore=shutil.ignore_patterns("*.ptx"))
        source = kernels / f"{fault.file}.py"
        source.write_text(fault.changed(source.read_text()))
        command = [sys.executable, str(kernels / "build.py"), fault.job, "--target", fault.target]
        settings = os.environ | {"CUTE_DSL_LINEINFO": "1"}
        subprocess.run(command, check=True, env=settings)
        text = (kernels / f"{fault.job}.{fault.target}.ptx").read_text()
        return text.replace(str(kernels), KERNELS.relative_to(ROOT).as_posix())


def main() -> int:
    """Store the named texts, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=HERE)
    chosen = parser.parse_args()
    index = chosen.out / "made.json"
    for fault in FAULTS:
        if chosen.names and fault.name not in chosen.names:
            continue
        text, source = compiled(fault), (KERNELS / f"{fault.file}.py").read_bytes()
        (chosen.out / f"{fault.name}.ptx").write_text(text)
        about = {
            "text_sha256": hashlib.sha256(text.encode()).hexdigest(),
            "source_sha256": hashlib.sha256(source).hexdigest(),
        }
        stored = json.loads(index.read_text()) if index.exists() else {}
        stored |= {fault.name: about, PACKAGE: version(PACKAGE)}
        index.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
