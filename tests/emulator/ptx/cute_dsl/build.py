"""Compile our CuTe DSL kernels for sm_90a and sm_100a and store the PTX that the DSL emits.

    pip install nvidia-cutlass-dsl==4.8.1
    python tests/emulator/ptx/cute_dsl/build.py

needs no GPU. Each kernel makes NAME.TARGET.ptx, unchanged.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGETS = ("sm_90a", "sm_100a")
COLUMNS = 200  # of softmax's rows
TRANSPOSED = (64, 96)  # rows and columns of transpose's input
PRODUCT = (256, 384, 208)  # m, n and k of the products: k ends within a tile


def compile_all(target: str) -> None:
    """Compile every kernel for the target that CUTE_DSL_ARCH names, and store its PTX."""
    import cutlass
    import cutlass.cute as cute
    import products
    from cutlass.cute.runtime import make_fake_compact_tensor

    import kernels

    def tensor(kind: object, *shape: object) -> object:
        order = tuple(reversed(range(len(shape))))
        return make_fake_compact_tensor(kind, shape, stride_order=order, assumed_align=16)

    single, half, count = cutlass.Float32, cutlass.Float16, cutlass.Int32
    n = cute.sym_int()
    rows, columns = TRANSPOSED
    jobs = {
        "axpy": (tensor(single, n), tensor(single, n), count(5), single(2.0)),
        "square": (tensor(half, n), tensor(half, n), count(512)),
        "softmax": (tensor(single, n, COLUMNS), tensor(single, n, COLUMNS), count(4), COLUMNS),
        "transpose": (
            tensor(single, rows, columns), tensor(single, columns, rows), count(rows),
            count(columns),
        ),
    }  # fmt: skip
    for name, arguments in jobs.items():
        made = cute.compile(getattr(kernels, name), *arguments)
        (HERE / f"{name}.{target}.ptx").write_text(made.__ptx__)
    if target != "sm_90a":
        return

    def matrix(rows: int, columns: int, row_major: bool) -> object:
        return make_fake_compact_tensor(
            half, (rows, columns), stride_order=(1, 0) if row_major else (0, 1), assumed_align=16
        )

    m, n, k = PRODUCT
    for name, b_row_major in (("product", True), ("product_columns", False)):
        made = cute.compile(
            products.product, matrix(m, k, True), matrix(n, k, b_row_major), matrix(m, n, True)
        )
        (HERE / f"{name}.{target}.ptx").write_text(made.__ptx__)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compile_all(sys.argv[1])
    else:
        for one in TARGETS:  # the DSL takes its target from the environment, once a process
            with tempfile.TemporaryDirectory() as scratch:
                settings = {
                    "CUTE_DSL_ARCH": one, "CUTE_DSL_KEEP_PTX": "1", "CUTE_DSL_DUMP_DIR": scratch,
                }  # fmt: skip
                command = [sys.executable, __file__, one]
                subprocess.run(command, env=os.environ | settings, check=True)
