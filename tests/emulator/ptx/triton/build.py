"""Compile Triton kernels for NVIDIA's targets and store the PTX that the back end emits.

    python tests/emulator/ptx/triton/build.py [NAME ..] [--target TARGET] [--out FOLDER]

needs triton 3.9 and no GPU. entries.py lists the kernels and their targets: those of
tests/evidence/triton_kernels without matrix products, and those of the files beside this one. Each
makes NAME.TARGET.ptx, unchanged but for the paths in line tables, and NAME.TARGET.json, which says
how to launch it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from entries import ENTRIES, Entry

HERE = Path(__file__).resolve().parent
TARGETS = {
    "sm_75": 75,
    "sm_80": 80,
    "sm_86": 86,
    "sm_89": 89,
    "sm_90a": 90,
    "sm_100a": 100,
    "sm_120a": 120,
}
#: For earlier targets than sm_90a, Triton 3.9 asks an assembler that knows PTX up to this.
OLD_PTX = 88


def _kernels(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"triton_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled(entry: Entry, target: str) -> Any:
    """What triton.compile makes of an entry."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.experimental.gluon._runtime import GluonASTSource

    function = getattr(_kernels(HERE / entry.file), entry.kernel)
    types = dict(item.split(":", 1) for item in entry.types.split())
    whole = {
        key: "constexpr" if key in entry.constants else types[key] for key in function.arg_names
    }
    aligned = [
        i
        for i, key in enumerate(function.arg_names)
        if types.get(key, "")[:1] == "*" or key in entry.aligned
    ]
    make = GluonASTSource if function.is_gluon() else ASTSource
    source = make(
        function, whole, entry.constants, {(i,): [["tt.divisibility", 16]] for i in aligned}
    )
    options = {"enable_fp_fusion": True} | entry.options
    if TARGETS[target] < 90:
        options["ptx_version"] = OLD_PTX
    return triton.compile(source, target=GPUTarget("cuda", TARGETS[target], 32), options=options)


def compile_entry(name: str, target: str) -> tuple[str, dict[str, Any]]:
    """Return the PTX of one kernel and the description of its launch."""
    entry = ENTRIES[name]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        import triton

        made = compiled(entry, target)
    about = made.metadata
    description: dict[str, Any] = {
        "entry": about.name,
        "arguments": [item.split(":", 1)[0] for item in entry.types.split()],
        "constants": entry.constants,
        "threads": 32 * about.num_warps,
        "shared_bytes": about.shared,
        "triton": triton.__version__,
        "command": f"python tests/emulator/ptx/triton/build.py {name}",
    }
    if about.num_ctas > 1:
        description["cluster"] = about.num_ctas
    if about.global_scratch_size:
        description["scratch_bytes"] = about.global_scratch_size
        description["scratch_alignment"] = about.global_scratch_align
    if about.tensordesc_meta:
        description["tensor_maps"] = about.tensordesc_meta
    return without_debug(made.asm["ptx"]), description


def without_debug(text: str) -> str:
    """Cut DWARF sections, names of inlined functions and the folders of file names; lines stay."""
    text = re.sub(r"\t\.section\t\.debug_\w+\s*\{.*?\}\n?", "", text, flags=re.DOTALL)
    text = re.sub(r", function_name \$\w+(\+\d+)?, inlined_at \d+ \d+ \d+", "", text)
    text = re.sub(r'"[^"\n]*/([^"/\n]+)"', r'"\1"', text)
    return re.sub(r"[ \t]*// [^\n]*:\d+:\d+.*", "", text)


def main() -> int:
    """Compile the named kernels, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*ENTRIES, []])
    parser.add_argument("--target", choices=TARGETS, help="instead of those of entries.py")
    parser.add_argument("--out", type=Path, default=HERE)
    chosen = parser.parse_args()
    for name in chosen.names or ENTRIES:
        for target in [chosen.target] if chosen.target else ENTRIES[name].targets:
            text, made = compile_entry(name, target)
            base = chosen.out / f"{name}.{target}"
            base.with_suffix(f".{target}.ptx").write_text(text)
            description = json.dumps(made, indent=1) + "\n"
            base.with_suffix(f".{target}.json").write_text(description)
    return 0


if __name__ == "__main__":
    sys.exit(main())
