"""What build.py compiles: each kernel with the shapes and types that it is compiled for."""

from __future__ import annotations

from typing import Any

import attention
import blackwell
import cutlass
import cutlass.cute as cute
import mixed
import persistent
import products
import scaled
from cutlass.cute.runtime import make_fake_compact_tensor, make_ptr
from sizes import ATTENTION, COLUMNS, MIXED, PRODUCT, SCALED, TRANSPOSED, WALKED

import kernels

Job = tuple[Any, ...]  # a function of the DSL and its arguments
SINGLE, HALF, BRAIN, COUNT = cutlass.Float32, cutlass.Float16, cutlass.BFloat16, cutlass.Int32
E4M3, E5M2, E2M1 = cutlass.Float8E4M3FN, cutlass.Float8E5M2, cutlass.Float4E2M1FN
E8M0, BYTE = cutlass.Float8E8M0FNU, cutlass.Int8


def tensor(kind: Any, *shape: Any, order: tuple[int, ...] = ()) -> Any:
    """A tensor without data; `order` ranks the dimensions from the contiguous one, 0."""
    ranks = order or tuple(reversed(range(len(shape))))
    return make_fake_compact_tensor(kind, shape, stride_order=ranks, assumed_align=16)


def plain() -> dict[str, Job]:
    """Kernels without matrix products, for both targets."""
    n, (rows, columns) = cute.sym_int(), TRANSPOSED
    return {
        "axpy": (kernels.axpy, tensor(SINGLE, n), tensor(SINGLE, n), COUNT(5), SINGLE(2.0)),
        "square": (kernels.square, tensor(HALF, n), tensor(HALF, n), COUNT(512)),
        "softmax": (
            kernels.softmax,
            tensor(SINGLE, n, COLUMNS),
            tensor(SINGLE, n, COLUMNS),
            COUNT(4),
            COLUMNS,
        ),
        "transpose": (
            kernels.transpose,
            tensor(SINGLE, rows, columns),
            tensor(SINGLE, columns, rows),
            COUNT(rows),
            COUNT(columns),
        ),
    }


def by_wgmma() -> dict[str, Job]:
    """Products for sm_90a; the second reads b with n contiguous."""
    m, n, k = PRODUCT
    return {
        name: (
            products.product,
            tensor(HALF, m, k),
            tensor(HALF, n, k, order=order),
            tensor(HALF, m, n),
        )
        for name, order in (("product", (1, 0)), ("product_columns", (0, 1)))
    }


def by_tcgen05() -> dict[str, Job]:
    """Products for sm_100a, one CTA a tile."""
    m, n, k = PRODUCT
    recipes = {
        recipe.name: recipe
        for recipe in (
            blackwell.Recipe("product", HALF, SINGLE, HALF),
            blackwell.Recipe("product_f16_sums", HALF, HALF, HALF, (128, 64, 64)),
            blackwell.Recipe(
                "product_columns",
                BRAIN,
                SINGLE,
                SINGLE,
                (64, 96, 64),
                majors=(blackwell.K_MAJOR, blackwell.MN_MAJOR),
            ),
            blackwell.Recipe("product_tf32", cutlass.TFloat32, SINGLE, SINGLE, (128, 128, 32)),
            blackwell.Recipe("product_e4m3", E4M3, SINGLE, SINGLE, (128, 128, 128)),
            blackwell.Recipe("product_i8", BYTE, COUNT, COUNT, (128, 128, 128)),
        )
    }
    order = {"product_columns": (0, 1)}
    return {
        name: (
            blackwell.product,
            each,
            tensor(each.operand, m, k),
            tensor(each.operand, n, k, order=order.get(name, ())),
            tensor(each.out, m, n),
        )
        for name, each in recipes.items()
    }


def by_roles() -> dict[str, Job]:
    """Persistent products for sm_100a, by single CTAs, pairs and clusters with multicast."""
    m, n, k = WALKED
    recipes = (
        persistent.Persistent("persistent", HALF, HALF, (128, 128, 64)),
        persistent.Persistent("released_early", HALF, HALF, (128, 128, 64), by_tma=False),
        persistent.Persistent("pair", BRAIN, BRAIN, (256, 128, 64), (2, 1), pair=True),
        persistent.Persistent("cluster", E4M3, HALF, (256, 64, 128), (4, 2), pair=True),
    )
    order = (1, 0, 2)
    return {
        each.name: (
            each,
            tensor(each.operand, m, k, 1, order=order),
            tensor(each.operand, n, k, 1, order=order),
            tensor(each.c_dtype, m, n, 1, order=order),
            1 if each.cluster[1] == 2 else 2,
        )
        for each in recipes
    }


def with_factors() -> dict[str, Job]:
    """Block-scaled products for sm_100a."""
    m, n, k = SCALED
    recipes = (
        scaled.ScaledRecipe("nvfp4", E2M1, E4M3, 16, (128, 128, 256)),
        scaled.ScaledRecipe("nvfp4_pair", E2M1, E4M3, 16, (256, 128, 256), pair=True),
        scaled.ScaledRecipe("mxfp4", E2M1, E8M0, 32, (128, 128, 256)),
        scaled.ScaledRecipe("mxfp8", E4M3, E8M0, 32, (128, 128, 128)),
    )
    jobs = {}
    for each in recipes:
        factors = make_ptr(each.factor, 0, cute.AddressSpace.gmem, assumed_align=16)
        operands = tensor(each.operand, m, k), tensor(each.operand, n, k)
        jobs[each.name] = (scaled.scaled, each, *operands, factors, factors, tensor(SINGLE, m, n))
    return jobs


def from_tensor_memory() -> dict[str, Job]:
    """Kernels for sm_100a whose A operand lies in tensor memory."""
    m, n, k = MIXED
    length, heads = ATTENTION
    jobs: dict[str, Job] = {
        "mixed": (mixed.mixed, tensor(BYTE, m, k), tensor(BRAIN, n, k), tensor(SINGLE, m, n))
    }
    for each in (
        attention.Heads("attention_bf16_64", BRAIN, 64, causal=False),
        attention.Heads("attention_f16_128_causal", HALF, 128, causal=True),
    ):
        q, k_, o = (tensor(each.kind, length, each.width, heads, order=(1, 0, 2)) for _ in "qko")
        v = tensor(each.kind, each.width, length, heads, order=(0, 1, 2))
        jobs[each.name] = (attention.attention, each, q, k_, v, o, SINGLE(1.0))
    return jobs


def jobs(target: str) -> dict[str, Job]:
    """All kernels of a target."""
    if target == "sm_90a":
        return plain() | by_wgmma()
    return plain() | by_tcgen05() | by_roles() | with_factors() | from_tensor_memory()
