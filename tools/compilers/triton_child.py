"""Runs with one release of Triton on its path: the text of a script of the museum, as JSON.

    python -m tools.compilers.triton_child museum/scripts/hoisted_load.py faulty

prints the text, threads, shared bytes and CTAs of a cluster, or an error. `ASTSource` takes other
arguments in other releases (Triton, python/triton/compiler/compiler.py).
"""

from __future__ import annotations

import json
import re
import sys
import types
from pathlib import Path
from typing import Any


def _source(kernel: Any, types_: dict[str, str], constants: dict[str, Any]) -> Any:
    import triton
    from triton.compiler import ASTSource

    release = tuple(int(each) for each in triton.__version__.split(".")[:2])
    names = list(kernel.arg_names)
    aligned = [i for i, name in enumerate(names) if types_.get(name, "").startswith("*")]
    if release >= (3, 3):
        whole = {name: types_.get(name, "constexpr") for name in names}
        divided = {(i,): [["tt.divisibility", 16]] for i in aligned}
        return ASTSource(kernel, whole, constants, divided)
    if release == (3, 2):
        from triton.backends.compiler import AttrsDescriptor

        attributes = AttrsDescriptor.from_hints(dict.fromkeys(aligned, 16))
        return ASTSource(kernel, types_, constants, attributes)
    from triton.compiler import AttrsDescriptor

    signature = {i: types_[name] for i, name in enumerate(names) if name in types_}
    by_number = {names.index(name): value for name, value in constants.items()}
    return ASTSource(kernel, signature, by_number, AttrsDescriptor(tuple(aligned), ()))


def main() -> None:
    """Compile and print."""
    script, version = Path(sys.argv[1]), sys.argv[2]
    sys.modules.setdefault("torch", types.ModuleType("torch"))
    import triton
    from triton.backends.compiler import GPUTarget

    from lanemap.paths import import_file

    module = import_file(script)
    kernel, target = module.KERNEL, module.TARGET
    constants = {"FAULTY": version == "faulty", **getattr(module, "CONSTANTS", {})}
    source = _source(kernel, dict(module.TYPES), constants)
    options = {"num_warps": module.WARPS, **getattr(module, "OPTIONS", {})}
    amd = target.startswith("gfx")
    number = re.sub(r"\D", "", target)
    on = GPUTarget("hip", target, 64) if amd else GPUTarget("cuda", int(number), 32)
    made = triton.compile(source, target=on, options=options)
    about = made.metadata
    ctas = getattr(about, "num_ctas", 1)
    print(json.dumps({
        "text": made.asm["amdgcn" if amd else "ptx"], "threads": on.warp_size * about.num_warps,
        "shared_bytes": about.shared, "cluster": ctas,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
