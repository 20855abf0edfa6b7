"""Products of PyTorch whose operands have scales: of tensors, rows or blocks, as on a GPU.

PyTorch has them for CUDA alone, through cuBLAS. Here each scaled element is exact in f64, the sum
is in f64, and the result is rounded to its type. Shapes and layouts of scales are those that
PyTorch checks (pytorch 2.13: ATen/native/cuda/ScaledBlas.cpp, GroupedBlas.cpp); the order of
swizzled scales is cuBLAS's ("1D Block Scaling Factors Layout").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lanemap.errors import UserError

# at::blas::ScalingType and SwizzleType (ATen/BlasBackend.h)
_TENSOR, _ROW, _BY_16, _BY_32, _BY_128, _TILES = range(6)
_SWIZZLED = 1
_BLOCK = {_BY_16: 16, _BY_32: 32}
_SCALE_TYPE = {_BY_16: torch.float8_e4m3fn, _BY_32: torch.float8_e8m0fnu}
_FP4 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6], dtype=torch.float64)


def _values(x: torch.Tensor) -> torch.Tensor:
    """Return a matrix's elements in f64; a byte of two e2m1 has the first in its lower half."""
    if x.dtype == torch.float4_e2m1fn_x2:
        codes = x.view(torch.uint8)
        codes = torch.stack((codes & 15, codes >> 4), -1).flatten(-2).long()
        return torch.where(codes & 8 > 0, -1.0, 1.0) * _FP4[codes & 7]
    if x.dtype == torch.float8_e8m0fnu:
        codes = x.contiguous().view(torch.uint8).double()
        return torch.where(codes == 255, torch.nan, torch.exp2(codes - 127))
    return x.double()


def _unswizzled(scale: torch.Tensor, rows: int, columns: int) -> torch.Tensor:
    """Return scales [rows, columns] from cuBLAS's tiles of 128 rows and 4 columns.

    In a tile, row r and column c stand at r % 32 * 16 + r // 32 * 4 + c.
    """
    down, across = -(-rows // 128), -(-columns // 4)
    if scale.numel() != down * across * 512:
        raise ValueError(
            f"For Blockwise scaling a scale should have {down * across * 512} elements, got: "
            f"{scale.numel()}"
        )
    tiles = _values(scale).reshape(down, across, 32, 4, 4).permute(0, 3, 2, 1, 4)
    return tiles.reshape(128 * down, 4 * across)[:rows, :columns]


def _spread(scale: torch.Tensor, down: int, across: int, shape: torch.Size) -> torch.Tensor:
    """Repeat each scale over a block of elements."""
    rows, columns = -(-shape[0] // down), -(-shape[1] // across)
    if tuple(scale.shape) != (rows, columns):
        raise ValueError(f"a scale must have shape {rows} x {columns}, got {tuple(scale.shape)}")
    whole = _values(scale).repeat_interleave(down, 0).repeat_interleave(across, 1)
    return whole[: shape[0], : shape[1]]


def _scaled(x: torch.Tensor, scale: torch.Tensor, recipe: int) -> torch.Tensor:
    """Return a matrix [rows, k] in f64, times its scales."""
    values = _values(x)
    if recipe == _TENSOR:
        return values * _values(scale.reshape(()))
    if recipe == _ROW:
        return values * _values(scale.reshape(-1, 1))
    if recipe in _BLOCK:
        rows, k = values.shape
        blocks = _unswizzled(scale, rows, -(-k // _BLOCK[recipe]))
        return values * blocks.repeat_interleave(_BLOCK[recipe], 1)[:, :k]
    down = 128 if recipe == _TILES else 1
    return values * _spread(scale, down, 128, values.shape)


def _product(
    a: torch.Tensor, b: torch.Tensor, bias: torch.Tensor | None, kind: torch.dtype
) -> torch.Tensor:
    """Return A B^T + bias of [m, k] and [n, k], rounded."""
    total = a @ b.T
    return (total if bias is None else total + bias.double()).to(kind)


class ScaledProducts:
    """What stands for aten's scaled products on the GPU of a target."""

    def __init__(self, target: str) -> None:
        """Take what that GPU takes."""
        self._hopper = target.startswith("sm_90")
        self._known: dict[str, Callable[..., torch.Tensor]] = {
            "_scaled_mm": self._first, "_scaled_mm_v2": self._second,
            "_scaled_grouped_mm": self._grouped, "_scaled_grouped_mm_v2": self._grouped_second,
        }  # fmt: skip

    def __contains__(self, operation: Any) -> bool:
        return operation.namespace == "aten" and operation._opname in self._known

    def __call__(self, operation: Any, args: Sequence[Any], kwargs: Any) -> torch.Tensor:
        """Compute one of them.

        Raises:
            UserError: it scales in a way that is not known here.
            NotImplementedError: the GPU does not have it; ValueError: a scale has a wrong shape.
        """
        names = [each.name for each in operation._schema.arguments]
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        given["a"], out = given.pop("self"), given.pop("out", None)
        result = self._known[operation._opname](**given)
        return result if out is None else out.resize_(result.shape).copy_(result)

    def _require(self, recipe: int) -> None:
        """Raise an error where the GPU has no such scales, as PyTorch does."""
        if recipe in _BLOCK and self._hopper:
            raise NotImplementedError("scales of 16 or 32 elements need a GPU of sm_100 or later")
        if recipe in (_BY_128, _TILES) and not self._hopper:
            raise NotImplementedError(
                "DeepSeek style (1x128, 128x128) scaling only supported in CUDA for SM90"
            )

    def _first(
        self,
        a: Any,
        mat2: Any,
        scale_a: Any,
        scale_b: Any,
        bias: Any = None,
        scale_result: Any = None,
        out_dtype: Any = None,
        use_fast_accum: bool = False,
    ) -> torch.Tensor:
        """`torch._scaled_mm`: the shapes of the scales say how they scale."""
        if scale_b.dtype == torch.float32 and scale_b.dim() == 2:
            scale_b = scale_b.T
        sides = [(x, scale, _recipe(x, scale)) for x, scale in ((a, scale_a), (mat2.T, scale_b))]
        for _, _, recipe in sides:
            self._require(recipe)
        left, right = (_scaled(*side) for side in sides)
        kind = out_dtype or a.dtype
        total = _product(left, right, bias, torch.float64)
        if scale_result is not None and kind.itemsize == 1:
            total = total * scale_result.double()
        return total.to(kind)

    def _second(
        self,
        a: Any,
        mat2: Any,
        scale_a: Any,
        recipe_a: Any,
        swizzle_a: Any,
        scale_b: Any,
        recipe_b: Any,
        swizzle_b: Any,
        bias: Any = None,
        out_dtype: Any = None,
        contraction_dim: Any = (),
        use_fast_accum: bool = False,
    ) -> torch.Tensor:
        """`torch.nn.functional.scaled_mm`: the call says how the scales scale."""
        if contraction_dim:
            raise UserError("scaled_mm with contraction_dim is not supported")
        left = self._levels(a, scale_a, recipe_a, swizzle_a)
        right = self._levels(mat2.T, scale_b, recipe_b, swizzle_b)
        return _product(left, right, bias, out_dtype or a.dtype)

    def _levels(
        self,
        x: torch.Tensor,
        scales: Sequence[Any],
        recipes: Sequence[int],
        swizzles: Sequence[int],
    ) -> torch.Tensor:
        """Return a matrix in f64, times its scales and, in NVFP4, the tensor's own scale."""
        recipe, *more = recipes
        self._require(recipe)
        if more not in ([], [_TENSOR]) or (more and recipe != _BY_16):
            raise UserError(f"scaled_mm with recipes {list(recipes)} is not supported")
        if recipe in _BLOCK and (not swizzles or swizzles[0] != _SWIZZLED):
            raise ValueError("a scale must be swizzled to SWIZZLE_32_4_4 format")
        first = scales[0]
        if recipe == _TILES:  # its K is rounded up to four blocks, and comes first
            first = first.T[:, : -(-x.shape[1] // 128)]
        scaled = _scaled(x, first, recipe)
        return scaled * scales[1].double() if more else scaled

    # -- groups ------------------------------------------------------------------------------------
    def _grouped(
        self,
        a: Any,
        mat2: Any,
        scale_a: Any,
        scale_b: Any,
        offs: Any = None,
        bias: Any = None,
        scale_result: Any = None,
        out_dtype: Any = None,
        use_fast_accum: bool = False,
    ) -> torch.Tensor:
        """`torch._scaled_grouped_mm`: scales of rows, or of blocks of 32 in MXFP8."""
        if bias is not None or scale_result is not None:
            raise ValueError("Bias and scale result not supported yet")
        if scale_a.dtype == scale_b.dtype == torch.float8_e8m0fnu:
            return self._grouped_blocks(a, mat2, [scale_a], [scale_b], _BY_32, offs, out_dtype)
        if not scale_a.dtype == scale_b.dtype == torch.float32:
            raise ValueError("scales must both be float32 tensors, or float8_e8m0fnu tensors")
        kind = out_dtype or torch.bfloat16

        def product(x: Any, s: Any, y: Any, t: Any) -> torch.Tensor:
            return _product(_scaled(x, s, _ROW), _scaled(y.T, t, _ROW), None, kind)

        if offs is None:
            return torch.stack([*map(product, a, scale_a, mat2, scale_b)])
        ends = [0, *offs.tolist()]
        groups = [slice(start, end) for start, end in zip(ends, ends[1:], strict=False)]
        if a.dim() == mat2.dim():  # groups of K, each with scales of its own
            of_groups = (each.view(len(groups), -1) for each in (scale_a, scale_b))
            parts = zip(groups, *of_groups, strict=True)
            return torch.stack([product(a[:, g], s, mat2[g], t) for g, s, t in parts])
        if a.dim() == 2:  # groups of rows
            out = torch.zeros(a.shape[0], mat2.shape[2], dtype=kind)
            for g, y, t in zip(groups, mat2, scale_b, strict=True):
                out[g] = product(a[g], scale_a[g], y, t)
            return out
        out = torch.zeros(a.shape[1], mat2.shape[1], dtype=kind)
        for g, x, s in zip(groups, a, scale_a, strict=True):  # groups of columns
            out[:, g] = product(x, s, mat2[:, g], scale_b[g])
        return out

    def _grouped_second(
        self,
        scale_a: Any,
        recipe_a: Any,
        swizzle_a: Any,
        scale_b: Any,
        recipe_b: Any,
        swizzle_b: Any,
        a: Any,
        mat2: Any,
        offs: Any = None,
        bias: Any = None,
        out_dtype: Any = None,
        contraction_dim: Any = (),
        use_fast_accum: bool = False,
    ) -> torch.Tensor:
        """`torch.nn.functional.scaled_grouped_mm`: the call says how the scales scale."""
        recipe, *more = recipes = [*recipe_a]
        if recipes != [*recipe_b] or [*contraction_dim] not in ([], [-1, -2]):
            raise UserError(
                "scaled_grouped_mm needs the same recipes on both sides, and K last "
                "in A and last but one in B"
            )
        if recipes == [_ROW]:
            return self._grouped(a, mat2, scale_a[0], scale_b[0], offs, bias, None, out_dtype)
        if recipe not in _BLOCK or more != ([] if recipe == _BY_32 else [_TENSOR]):
            raise UserError(f"scaled_grouped_mm with recipes {recipes} is not supported")
        for swizzle in (swizzle_a, swizzle_b):
            if not swizzle or swizzle[0] != _SWIZZLED:
                raise ValueError("a scale must be swizzled to SWIZZLE_32_4_4 format")
        if bias is not None:
            raise ValueError("Bias not supported yet")
        return self._grouped_blocks(a, mat2, scale_a, scale_b, recipe, offs, out_dtype)

    def _grouped_blocks(
        self,
        a: Any,
        mat2: Any,
        scale_a: Any,
        scale_b: Any,
        recipe: int,
        offs: Any,
        out_dtype: Any,
    ) -> torch.Tensor:
        """Groups of rows of A, or of K, with scales of blocks; in NVFP4 also one of each group.

        Each group's scales are swizzled by themselves, and follow those of the one before. Offsets
        count elements, where A has two in a byte too (test_scaled_matmul_cuda.py).
        """
        self._require(recipe)
        if a.dim() != 2 or offs is None or (out_dtype or torch.bfloat16) != torch.bfloat16:
            raise ValueError(
                "grouped products with scales of blocks need a 2D mat_a, offsets, "
                "and a bfloat16 result"
            )
        left, right = _values(a), _values(mat2.transpose(-2, -1))
        ends = [0, *offs.tolist()]
        groups = [slice(start, end) for start, end in zip(ends, ends[1:], strict=False)]
        of_rows = mat2.dim() == 3
        parts_a = [left[g] if of_rows else left[:, g] for g in groups]
        parts_b = [*right] if of_rows else [right[:, g] for g in groups]
        sides = [
            _scaled_parts(parts, scale, recipe)
            for parts, scale in ((parts_a, scale_a), (parts_b, scale_b))
        ]
        products = [_product(x, y, None, torch.bfloat16) for x, y in zip(*sides, strict=True)]
        if not of_rows:
            return torch.stack(products)
        out = torch.zeros(a.shape[0], mat2.shape[2], dtype=torch.bfloat16)
        for group, product in zip(groups, products, strict=True):
            out[group] = product
        return out


def _scaled_parts(
    parts: Sequence[torch.Tensor], scales: Sequence[torch.Tensor], recipe: int
) -> list[torch.Tensor]:
    """Return groups of a matrix, [rows, k] each in f64, times their scales.

    Raises:
        ValueError: there are not enough scales.
    """
    codes, whole = scales[0].reshape(-1), scales[1:]
    if whole and whole[0].numel() != len(parts):
        raise ValueError(f"{len(parts)} groups need as many global scales, got {whole[0].numel()}")
    found, at = [], 0
    for number, x in enumerate(parts):
        count = 512 * -(-x.shape[0] // 128) * -(-x.shape[1] // (4 * _BLOCK[recipe]))
        scaled = _scaled(x, codes[at : at + count], recipe)
        found.append(scaled * whole[0].reshape(-1)[number].double() if whole else scaled)
        at += count
    return found


def _recipe(x: torch.Tensor, scale: torch.Tensor) -> int:
    """Say how scales scale a matrix [rows, k], by their type and shape.

    Raises:
        ValueError: they fit in no way.
    """
    rows, k = x.shape[0], x.shape[1] * (2 if x.dtype == torch.float4_e2m1fn_x2 else 1)
    for recipe, kind in _SCALE_TYPE.items():
        if scale.dtype == kind:
            return recipe
    if scale.dtype == torch.float32:
        blocks = -(-k // 128)
        if scale.numel() == 1:
            return _TENSOR
        tiles = -(-rows // 128), blocks
        for recipe, shape in ((_ROW, (rows, 1)), (_BY_128, (rows, blocks)), (_TILES, tiles)):
            if tuple(scale.shape) == shape:
                return recipe
    raise ValueError(f"Invalid scaling configuration: {tuple(scale.shape)} of {scale.dtype}")
