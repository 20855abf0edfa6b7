"""Products of PyTorch with scaled operands, against NumPy and ml_dtypes element by element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import lanemap
from lanemap.check.findings import Findings
from lanemap.devices.emulator import EmulatorDevice
from lanemap.errors import UserError
from lanemap.targets import TARGETS

torch: Any = pytest.importorskip("torch", minversion="2.8")
M, N, K = 144, 160, 320
FP8 = ml_dtypes.float8_e4m3fn
Array = npt.NDArray[Any]
CHANCE = np.random.default_rng(3)


@pytest.fixture(params=["sm_90a", "sm_100a"])
def target(request: pytest.FixtureRequest) -> Iterator[str]:
    from lanemap.check.torch_cuda import cuda_on_host

    device = lanemap.open_device(request.param, "emulator")
    assert isinstance(device, EmulatorDevice)
    with cuda_on_host(device, TARGETS[request.param], Findings(quiet=True)):
        yield request.param


def fp8(rows: int, k: int) -> tuple[Any, Array]:
    """A matrix on the GPU, and its elements."""
    values = CHANCE.standard_normal((rows, k)).astype(FP8)
    there = torch.from_numpy(values.view(np.uint8)).view(torch.float8_e4m3fn).cuda()
    return there, values.astype(np.float64)


def fp4(rows: int, k: int) -> tuple[Any, Array]:
    codes = CHANCE.integers(0, 16, (rows, k), np.uint8)
    packed = codes[:, ::2] | codes[:, 1::2] << 4  # the first element in the lower half
    there = torch.from_numpy(packed).cuda().view(torch.float4_e2m1fn_x2)
    return there, codes.view(ml_dtypes.float4_e2m1fn).astype(np.float64)


def swizzled(scales: Array) -> Array:
    """cuBLAS, 1D Block Scaling Factors Layout: where the scale of a row and a block stands."""
    rows, columns = scales.shape
    across = -(-columns // 4)
    out = np.zeros(-(-rows // 128) * across * 512, scales.dtype)
    for r in range(rows):
        for c in range(columns):
            tile = r // 128 * across + c // 4
            out[512 * tile + 16 * (r % 32) + 4 * (r % 128 // 32) + c % 4] = scales[r, c]
    return out


def blocks(rows: int, k: int, size: int) -> tuple[Any, Array]:
    """Scales of blocks on the GPU, swizzled, and for each element."""
    kind = ml_dtypes.float8_e8m0fnu if size == 32 else FP8
    scales = np.exp2(CHANCE.integers(-3, 4, (rows, k // size))).astype(kind)
    if size == 16:
        scales = CHANCE.uniform(0.1, 8, (rows, k // size)).astype(kind)
    there = torch.from_numpy(swizzled(scales).view(np.uint8)).cuda()
    there = there.view(torch.float8_e8m0fnu if size == 32 else torch.float8_e4m3fn)
    return there, scales.astype(np.float64).repeat(size, 1)


def judge(got: Any, exact: Array, kind: Any = None) -> None:
    assert got.is_cuda and got.dtype == (kind or torch.bfloat16)
    found = got.cpu().double().numpy()
    assert found.shape == exact.shape
    eps = torch.finfo(got.dtype).eps
    assert np.all(np.abs(found - exact) <= 0.501 * eps * np.abs(exact) + 1e-12)


def test_scales_of_rows_and_tensors(target: str) -> None:
    (a, x), (b, y) = fp8(M, K), fp8(N, K)
    rows, columns = (CHANCE.uniform(0.5, 2, n).astype(np.float32) for n in (M, N))
    s, t = torch.from_numpy(rows[:, None]).cuda(), torch.from_numpy(columns[None]).cuda()
    exact = (x * rows[:, None].astype(float)) @ (y * columns[:, None].astype(float)).T
    judge(torch._scaled_mm(a, b.T, s, t, out_dtype=torch.bfloat16), exact)
    out = torch.empty(M, N, dtype=torch.float32, device="cuda")
    one = torch.tensor(0.5, device="cuda")
    assert torch._scaled_mm(a, b.T, one, one, out_dtype=torch.float32, out=out) is out
    judge(out, x @ y.T / 4, torch.float32)
    bias = torch.ones(N, dtype=torch.bfloat16, device="cuda")
    judge(torch._scaled_mm(a, b.T, one, one, bias, out_dtype=torch.bfloat16), x @ y.T / 4 + 1)


def test_mxfp8(target: str) -> None:
    (a, x), (b, y) = fp8(M, K), fp8(N, K)
    (s, u), (t, v) = blocks(M, K, 32), blocks(N, K, 32)
    if target == "sm_90a":
        with pytest.raises(NotImplementedError, match="sm_100"):
            torch._scaled_mm(a, b.T, s, t, out_dtype=torch.bfloat16)
        return
    judge(torch._scaled_mm(a, b.T, s, t, out_dtype=torch.bfloat16), (x * u) @ (y * v).T)
    # 2 tiles of 128 rows by 3 of 4 blocks, 512 scales each.
    with pytest.raises(ValueError, match="should have 3072 elements, got: 3071"):
        torch._scaled_mm(a, b.T, s[:3071], t, out_dtype=torch.bfloat16)


def test_nvfp4(target: str) -> None:
    if target == "sm_90a":
        return
    (a, x), (b, y) = fp4(M, K), fp4(N, K)
    (s, u), (t, v) = blocks(M, K, 16), blocks(N, K, 16)
    exact = (x * u) @ (y * v).T
    judge(torch._scaled_mm(a, b.T, s, t, out_dtype=torch.bfloat16), exact)


def test_deepseek_blocks_of_hopper(target: str) -> None:
    (a, x), (b, y) = fp8(M, K), fp8(N, K)
    s = CHANCE.uniform(0.5, 2, (M, 3)).astype(np.float32)
    t = CHANCE.uniform(0.5, 2, (2, 3)).astype(np.float32)
    given = torch.from_numpy(s).cuda(), torch.from_numpy(t).cuda().T
    if target != "sm_90a":
        with pytest.raises(NotImplementedError, match="only supported in CUDA for SM90"):
            torch._scaled_mm(a, b.T, *given, out_dtype=torch.bfloat16)
        return
    u = s.astype(float).repeat(128, 1)[:, :K]
    v = t.astype(float).repeat(128, 0).repeat(128, 1)[:N, :K]
    judge(torch._scaled_mm(a, b.T, *given, out_dtype=torch.bfloat16), (x * u) @ (y * v).T)


@pytest.mark.skipif(not hasattr(torch.nn.functional, "scaled_mm"), reason="PyTorch 2.10 has it")
def test_recipes(target: str) -> None:
    from torch.nn.functional import ScalingType, SwizzleType, scaled_grouped_mm, scaled_mm

    (a, x), (b, y) = fp8(M, K), fp8(N, K)
    if target == "sm_90a":
        s = CHANCE.uniform(0.5, 2, (M, 3)).astype(np.float32)
        t = CHANCE.uniform(0.5, 2, (2, 3)).astype(np.float32)
        padded = np.zeros((2, 4), np.float32)  # K // 128 is rounded up to 4
        padded[:, :3] = t
        u = s.astype(float).repeat(128, 1)[:, :K]
        v = t.astype(float).repeat(128, 0).repeat(128, 1)[:N, :K]
        got = scaled_mm(
            a,
            b.T,
            torch.from_numpy(s).cuda(),
            ScalingType.BlockWise1x128,
            torch.from_numpy(padded).cuda().T,
            ScalingType.BlockWise128x128,
        )
        judge(got, (x * u) @ (y * v).T)
    else:
        (a, x), (b, y) = fp4(M, K), fp4(N, K)
        (s, u), (t, v) = blocks(M, K, 16), blocks(N, K, 16)
        levels = [ScalingType.BlockWise1x16, ScalingType.TensorWise]
        swizzle = [SwizzleType.SWIZZLE_32_4_4, SwizzleType.NO_SWIZZLE]
        whole = [torch.tensor(each, device="cuda") for each in (0.25, 3.0)]
        got = scaled_mm(a, b.T, [s, whole[0]], levels, [t, whole[1]], levels, swizzle, swizzle)
        judge(got, (x * u) @ (y * v).T * 0.75)
        mx, tiles = ScalingType.BlockWise1x32, ScalingType.BlockWise128x128
        with pytest.raises(UserError, match="the same recipes on both sides"):
            scaled_grouped_mm(a, b.T, s, mx, t, tiles)


def test_groups_with_scales_of_rows(target: str) -> None:
    (a, x), (b, y) = fp8(96, 64), fp8(3 * 32, 64)
    s, t = (CHANCE.uniform(0.5, 2, n).astype(np.float32) for n in (96, 96))
    left = torch.from_numpy(s).cuda()
    right = torch.from_numpy(t).cuda().view(3, 32)
    exact = [
        (x * s[:, None].astype(float))[rows]
        @ (y * t[:, None].astype(float))[32 * group : 32 * group + 32].T
        for group, rows in enumerate((slice(0, 16), slice(16, 64), slice(64, 96)))
    ]
    ends = torch.tensor([16, 64, 96], dtype=torch.int32, device="cuda")
    weights = b.view(3, 32, 64).transpose(1, 2)
    got = torch._scaled_grouped_mm(a, weights, left, right, ends, out_dtype=torch.bfloat16)
    judge(got, np.concatenate(exact))
    batch = torch._scaled_grouped_mm(
        a.view(3, 32, 64), weights, left.view(3, 32), right, out_dtype=torch.bfloat16
    )
    scaled = (x * s[:, None].astype(float)).reshape(3, 32, 64)
    judge(batch, scaled @ (y * t[:, None].astype(float)).reshape(3, 32, 64).transpose(0, 2, 1))


# Groups of unequal size, of which one fills more than a tile of scales and one is empty.
ROWS, DEPTHS = (16, 160, 0, 96), (32, 160, 0, 64)
G = len(ROWS)


def ends(sizes: tuple[int, ...]) -> Any:
    return torch.tensor(np.cumsum(sizes), dtype=torch.int32, device="cuda")


def parts(sizes: list[tuple[int, int]], size: int) -> tuple[Any, list[Array]]:
    """Scales of matrices of these shapes, each swizzled by itself, in one tensor."""
    made = [blocks(rows, k, size) for rows, k in sizes if rows and k]
    return torch.cat([there.view(torch.uint8) for there, _ in made]).view(made[0][0].dtype), [
        whole for _, whole in made
    ]


def of_rows(form: str) -> tuple[Any, Any, Any, Any, list[Array]]:
    """Operands and scales of groups of rows with weights of their own, and each group's product."""
    make, size = (fp8, 32) if form == "mxfp8" else (fp4, 16 if form == "nvfp4" else 32)
    (a, x), (b, y) = make(sum(ROWS), K), make(G * N, K)
    s, u = parts([(rows, K) for rows in ROWS], size)
    t, v = parts([(N, K)] * G, size)
    weights = b.view(torch.uint8).view(G, N, -1).view(b.dtype).transpose(1, 2)
    left = np.split(x * np.concatenate(u), np.cumsum(ROWS)[:-1])
    right = [y[N * g : N * g + N] * v[g] for g in range(G)]
    exact = [one @ other.T for one, other in zip(left, right, strict=True)]
    down = sum(-(-rows // 128) * 128 for rows in ROWS)
    return a, weights, s.view(torch.uint8).view(down, -1).view(s.dtype), t, exact


def test_mxfp8_of_groups_of_rows(target: str) -> None:
    a, b, s, t, exact = of_rows("mxfp8")
    given = (a, b, s, t.view(G, -1), ends(ROWS))
    if target == "sm_90a":
        with pytest.raises(NotImplementedError, match="sm_100"):
            torch._scaled_grouped_mm(*given, out_dtype=torch.bfloat16)
        return
    judge(torch._scaled_grouped_mm(*given, out_dtype=torch.bfloat16), np.concatenate(exact))
    with pytest.raises(ValueError, match="elements, got"):
        torch._scaled_grouped_mm(a, b, s[:-1], t.view(G, -1), ends(ROWS))
    with pytest.raises(ValueError, match="bfloat16"):
        torch._scaled_grouped_mm(*given, out_dtype=torch.float32)


def grouped(a: Any, b: Any, s: Any, t: Any, form: str, offsets: Any) -> Any:
    from torch.nn.functional import ScalingType, SwizzleType, scaled_grouped_mm

    recipe: Any = ScalingType.BlockWise1x32
    if form == "nvfp4":
        recipe = [ScalingType.BlockWise1x16, ScalingType.TensorWise]
    swizzle = SwizzleType.SWIZZLE_32_4_4
    return scaled_grouped_mm(a, b, s, recipe, t, recipe, swizzle, swizzle, offs=offsets)


@pytest.mark.skipif(not hasattr(torch.nn.functional, "scaled_mm"), reason="PyTorch 2.10 has it")
@pytest.mark.parametrize("form", ["mxfp8", "mxfp4", "nvfp4"])
def test_recipes_of_groups_of_rows(target: str, form: str) -> None:
    if target == "sm_90a":
        return
    a, b, s, t, exact = of_rows(form)
    t = t.view(torch.uint8).view(G, -1).view(t.dtype)
    if form != "nvfp4":
        judge(grouped(a, b, s, t, form, ends(ROWS)), np.concatenate(exact))
        return
    more = [CHANCE.uniform(0.5, 2, G).astype(np.float32) for _ in range(2)]
    scales = [[s, torch.from_numpy(more[0]).cuda()], [t, torch.from_numpy(more[1]).cuda()]]
    got = grouped(a, b, *scales, form, ends(ROWS))
    whole = more[0].astype(float) * more[1].astype(float)
    judge(got, np.concatenate([one * each for one, each in zip(exact, whole, strict=True)]))
    with pytest.raises(ValueError, match="4 groups need as many global scales, got 1"):
        grouped(a, b, [s, scales[0][1][:1]], scales[1], form, ends(ROWS))


@pytest.mark.skipif(not hasattr(torch.nn.functional, "scaled_mm"), reason="PyTorch 2.10 has it")
@pytest.mark.parametrize("form", ["mxfp8", "mxfp4", "nvfp4"])
def test_recipes_of_groups_of_k(target: str, form: str) -> None:
    """Offsets count elements, where a byte holds two of them too."""
    if target == "sm_90a":
        return
    make, size = (fp8, 32) if form == "mxfp8" else (fp4, 16 if form == "nvfp4" else 32)
    (a, x), (b, y) = make(M, sum(DEPTHS)), make(N, sum(DEPTHS))
    s, u = parts([(M, k) for k in DEPTHS], size)
    t, v = parts([(N, k) for k in DEPTHS], size)
    cuts = np.cumsum(DEPTHS)[:-1]
    left, right = (np.split(z * np.concatenate(w, 1), cuts, 1) for z, w in ((x, u), (y, v)))
    exact = np.stack([one @ other.T for one, other in zip(left, right, strict=True)])
    scales: list[Any] = [one.view(torch.uint8).view(256, -1).view(one.dtype) for one in (s, t)]
    if form == "nvfp4":
        more = CHANCE.uniform(0.5, 2, (2, G)).astype(np.float32)
        scales = [
            [one, torch.from_numpy(each).cuda()] for one, each in zip(scales, more, strict=True)
        ]
        exact *= more.astype(float).prod(0)[:, None, None]
    judge(grouped(a, b.T, *scales, form, ends(DEPTHS)), exact)
