"""CuTe DSL's compiler hands over PTX in place of machine code, in the binary that host code loads.

The compiler can write the PTX that it makes on the way (`dump-ptx-path` of its pass `cute-to-nvvm`,
which CUTE_DSL_KEEP=ptx asks for). That text takes the binary's place in the compiled module, as
cudaLibraryLoadData takes either. So it is in CuTe DSL's caches and in exported objects, too.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lanemap.errors import UserError

_PASS = "cute-to-nvvm{"
_ASKED = re.compile(r"dump-ptx-path='([^']+)'")
#: What the module that is run by the host calls a binary.
_BINARY = "_binary"


def compiling(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands for `Compiler.compile`."""

    def compile_to_ptx(
        compiler: Any, module: Any, pipeline: str, *arguments: Any, **given: Any
    ) -> Any:
        with tempfile.TemporaryDirectory(prefix="lanemap-cute-") as folder:
            asked = _ASKED.search(pipeline)
            if asked is None:
                path = Path(folder) / "kernels"
                pipeline = pipeline.replace(_PASS, f"{_PASS}dump-ptx-path='{path}' ", 1)
            else:
                path = Path(asked[1])
            compiled = original(compiler, module, pipeline, *arguments, **given)
            for binary in _binaries(module if compiled is None else compiled):
                _replace(binary, _text(path))
        return compiled

    return compile_to_ptx


def _text(path: Path) -> str:
    """Return the PTX that was written beside a path: PATH.sm_100a.ptx.

    Raises:
        UserError: there is not one text.
    """
    found = sorted(path.parent.glob(f"{path.name}.*.ptx"), key=lambda each: each.stat().st_mtime)
    if not found:
        raise UserError(
            f"CuTe DSL wrote no PTX as {path}.*.ptx: lanemap does not know this version's compiler"
        )
    return found[-1].read_text()


def _binaries(module: Any) -> list[Any]:
    """Return the operations of a compiled module that hold machine code."""
    found = []
    for each in module.body.operations:
        attributes = each.operation.attributes
        if each.operation.name == "llvm.mlir.global" and "value" in attributes:
            name = attributes["sym_name"].value
            if name.endswith(_BINARY):
                found.append(each.operation)
    return found


def _replace(binary: Any, text: str) -> None:
    """Put a text, which a zero ends, in the place of machine code."""
    from cutlass._mlir import ir

    data = text.encode() + b"\0"
    with binary.context:
        binary.attributes["value"] = ir.StringAttr.get(data)
        kind = ir.Type.parse(f"!llvm.array<{len(data)} x i8>")
        binary.attributes["global_type"] = ir.TypeAttr.get(kind)
