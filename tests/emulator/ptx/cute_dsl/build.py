"""Compile our CuTe DSL kernels for sm_90a and sm_100a and store the PTX that the DSL emits.

    pip install nvidia-cutlass-dsl==4.8.1
    python tests/emulator/ptx/cute_dsl/build.py [NAME ..] [--target TARGET] [--out FOLDER]

needs no GPU. Each kernel of jobs.py makes NAME.TARGET.ptx, unchanged; made.json says by which
version and which command.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from sizes import TARGETS

HERE = Path(__file__).resolve().parent
DSL = "nvidia-cutlass-dsl"


def compile_target(target: str, names: list[str], out: Path) -> None:
    """Compile kernels for the target that CUTE_DSL_ARCH names, and store their PTX."""
    import cutlass.cute as cute
    from jobs import jobs

    for name, (function, *arguments) in jobs(target).items():
        if not names or name in names:
            made = cute.compile(function, *arguments)
            (out / f"{name}.{target}.ptx").write_text(made.__ptx__)


def main() -> int:
    """Compile the named kernels, or all, a process a target: the DSL takes it once a process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--target", choices=TARGETS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=HERE)
    chosen = parser.parse_args()
    out = chosen.out.resolve()
    if chosen.inside:
        compile_target(chosen.target, chosen.names, out)
        return 0
    for target in [chosen.target] if chosen.target else TARGETS:
        with tempfile.TemporaryDirectory() as scratch:
            settings = {
                "CUTE_DSL_ARCH": target, "CUTE_DSL_KEEP": "ptx", "CUTE_DSL_DUMP_DIR": scratch,
            }  # fmt: skip
            own = ["--inside", "--target", target, "--out", str(out)]
            command = [sys.executable, __file__, *chosen.names, *own]
            subprocess.run(command, env=os.environ | settings, check=True)
    text = "python tests/emulator/ptx/cute_dsl/build.py"
    made = {DSL: version(DSL), "command": text}
    (out / "made.json").write_text(json.dumps(made, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
