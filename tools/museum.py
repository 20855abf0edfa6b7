"""Compile the scripts of museum/scripts, faulty and mended, and store the text in museum/compiled.

    python -m tools.museum [NAME ..] [--out FOLDER]

needs Triton for Triton's and Gluon's scripts, nvidia-cutlass-dsl for those of CuTe DSL, and no GPU.
A script whose compiler is not installed is left alone, and named. Each script makes
NAME.fixed.ptx and NAME.faulty.ptx (.s for gfx950), with line numbers of the script, and NAME.json,
which says by which version they were made and how they are launched.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from lanemap.paths import import_file

MUSEUM = Path(__file__).resolve().parents[1] / "museum"
SCRIPTS, COMPILED = MUSEUM / "scripts", MUSEUM / "compiled"
VERSIONS = {"fixed": False, "faulty": True}
TRITON, CUTE_DSL = "triton", "nvidia-cutlass-dsl"
Made = dict[str, Any]


def package(script: Path) -> str:
    """The package that a script is compiled by."""
    return CUTE_DSL if "import cutlass" in script.read_text() else TRITON


def installed(package: str) -> str:
    """The version of a package; "" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def compile_script(script: Path, out: Path) -> None:
    """Compile a script's kernel, faulty and mended, by a process of its own, into a folder."""
    command = [sys.executable, "-m", "tools.museum", script.stem, "--inside", "--out", str(out)]
    with tempfile.TemporaryDirectory() as scratch:
        own = {"TRITON_CACHE_DIR": scratch, "CUTE_DSL_DUMP_DIR": scratch, "CUTE_DSL_KEEP": "ptx",
               "CUTE_DSL_LINEINFO": "1"}  # fmt: skip
        subprocess.run(command, env=os.environ | own, check=True, cwd=MUSEUM.parent)


def _by_triton(module: ModuleType, faulty: bool) -> tuple[str, Made]:
    """The text that Triton's back end emits, and how it is launched."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.experimental.gluon._runtime import GluonASTSource

    kernel, target = module.KERNEL, module.TARGET
    constants = {"FAULTY": faulty, **getattr(module, "CONSTANTS", {})}
    types = module.TYPES | dict.fromkeys(constants, "constexpr")
    ordered = {name: types[name] for name in kernel.arg_names}
    aligned = [i for i, each in enumerate(ordered.values()) if each.startswith("*")]
    make = GluonASTSource if kernel.is_gluon() else ASTSource
    source = make(kernel, ordered, constants, {(i,): [["tt.divisibility", 16]] for i in aligned})
    amd = target.startswith("gfx")
    options = {"num_warps": module.WARPS, **getattr(module, "OPTIONS", {})}
    if not amd:
        options["ptx_version"] = 90  # what the driver of CUDA 13.0 compiles
    number = re.sub(r"\D", "", target)
    on = GPUTarget("hip", target, 64) if amd else GPUTarget("cuda", int(number), 32)
    made = triton.compile(source, target=on, options=options)
    about = made.metadata
    launched = {
        "threads": on.warp_size * about.num_warps,
        "shared_bytes": about.shared,
        "cluster": about.num_ctas,
    }
    return made.asm["amdgcn" if amd else "ptx"], launched


def _by_cute_dsl(module: ModuleType, faulty: bool) -> tuple[str, Made]:
    """The text that CuTe DSL emits, and how it is launched."""
    import cutlass.cute as cute

    function, *arguments = module.job(faulty)
    return cute.compile(function, *arguments).__ptx__, module.LAUNCHED


def without_debug(text: str) -> str:
    """Cut DWARF sections and the folders of file names; line numbers stay."""
    text = re.sub(r"\t\.section\t\.debug_\w+\s*\{.*?\}\n?", "", text, flags=re.DOTALL)
    text = re.sub(r", function_name \$\w+(\+\d+)?, inlined_at \d+ \d+ \d+", "", text)
    text = re.sub(
        r"\t\.section\t\.debug_.*?(?=\t\.(section\t[^.]|section\t\.[^d]|text|amdgpu_meta)|\Z)",
        "",
        text,
        flags=re.DOTALL,
    )
    text = re.sub(r'"[^"\n]*/([^"/\n]+)"', r'"\1"', text)
    text = re.sub(r'^(\s*\.file\s+\d+) "[^"]*" ("[^"]*")', r"\1 \2", text, flags=re.MULTILINE)
    return re.sub(r"[ \t]*(//|;) [^\n]*:\d+:\d+.*", "", text)


def _store(script: Path, out: Path) -> None:
    """Compile both versions in this process; write texts and what is known of them."""
    if package(script) == CUTE_DSL:
        found = re.search(r'TARGET\W+"(\w+)"', script.read_text())
        assert found is not None
        os.environ["CUTE_DSL_ARCH"] = found[1]  # read when cutlass is imported
    module = import_file(script)
    compile_one = _by_cute_dsl if package(script) == CUTE_DSL else _by_triton
    cut = getattr(module, "cut", None)
    suffix = "s" if module.TARGET.startswith("gfx") else "ptx"
    about: Made = {package(script): installed(package(script))}
    shared_bytes = 0
    for name, faulty in VERSIONS.items():
        text, launched = compile_one(module, faulty and cut is None)
        text = without_debug(text)
        if faulty and cut is not None:
            text = cut(text)
        (out / f"{script.stem}.{name}.{suffix}").write_text(text)
        shared_bytes = max(shared_bytes, launched["shared_bytes"])
        about |= launched | {f"{name}_sha256": hashlib.sha256(text.encode()).hexdigest()}
    about["shared_bytes"] = shared_bytes
    about["script_sha256"] = hashlib.sha256(script.read_bytes()).hexdigest()
    (out / f"{script.stem}.json").write_text(json.dumps(about, indent=1) + "\n")


def main() -> int:
    """Compile the named scripts, or all whose compiler is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=COMPILED)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    out = chosen.out.resolve()
    for script in sorted(SCRIPTS.glob("*.py")):
        if chosen.names and script.stem not in chosen.names:
            continue
        if chosen.inside:
            _store(script, out)
        elif installed(package(script)):
            compile_script(script, out)
        else:
            print(f"{script.stem}: {package(script)} is not installed", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
