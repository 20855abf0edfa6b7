"""The matrix products and the attention of tests/emulator/ptx/cute_dsl, as a script runs them.

lanemap check tests/check/scripts/cute/products.py NAME
"""

import sys
from pathlib import Path

import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack, make_ptr

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "emulator/ptx/cute_dsl"))
KINDS = {
    torch.float16: cutlass.Float16, torch.bfloat16: cutlass.BFloat16,
    torch.float8_e4m3fn: cutlass.Float8E4M3FN,
}  # fmt: skip


def whole(dtype, *shape):
    """Small integers, whose products and sums are exact."""
    return torch.randint(-4, 5, shape, device="cuda").to(dtype)


def given(x, kind=None):
    """A tensor for the DSL; `kind` names a type that DLPack has no number for."""
    plain = x.view(torch.uint8) if x.dtype.itemsize == 1 else x
    tensor = from_dlpack(plain, assumed_align=16)
    if kind is not None:
        tensor.element_type = kind
    return tensor


def compare(c, a, b):
    expected = (a.double() @ b.double().mT).to(c.dtype)
    assert torch.equal(c, expected), (c.double() - expected.double()).abs().max()
    print(f"{tuple(c.shape)} of {c.dtype}: right")


def hopper():
    """wgmma, just in time and ahead of time."""
    from products import product

    a, b = whole(torch.float16, 256, 208), whole(torch.float16, 384, 208)
    c = torch.empty(256, 384, dtype=torch.float16, device="cuda")
    product(given(a), given(b), given(c))
    compare(c, a, b)
    compiled = cute.compile(product, given(a), given(b), given(c))
    c = torch.empty_like(c)
    compiled(given(a), given(b), given(c))
    compare(c, a, b)


def blackwell():
    """tcgen05.mma, a CTA a tile."""
    import blackwell

    kinds = ((torch.float16, torch.float16), (torch.float8_e4m3fn, torch.float32))
    for dtype, out in kinds:
        kind = KINDS[dtype]
        tile = (128, 128, 128 // dtype.itemsize)
        result = cutlass.Float16 if out == torch.float16 else cutlass.Float32
        recipe = blackwell.Recipe("product", kind, cutlass.Float32, result, tile)
        a, b = whole(dtype, 256, 256), whole(dtype, 384, 256)
        c = torch.empty(256, 384, dtype=out, device="cuda")
        blackwell.product(recipe, given(a, kind), given(b, kind), given(c))
        compare(c, a, b)


def persistent(dtype, out, tile, cluster=(1, 1), pair=False, by_tma=True):
    """Warps of several roles, by CTAs, pairs and clusters."""
    from persistent import Persistent

    recipe = Persistent("gemm", KINDS[dtype], KINDS[out], tile, cluster, pair, by_tma=by_tma)
    a, b = whole(dtype, 512, 208), whole(dtype, 256, 208)
    c = torch.empty(512, 256, dtype=out, device="cuda")
    tensors = (
        given(a[..., None], KINDS[dtype]),
        given(b[..., None], KINDS[dtype]),
        given(c[..., None]),
    )
    compiled = cute.compile(recipe, *tensors, 1 if cluster[1] == 2 else 2)
    compiled(*tensors)
    compare(c, a, b)


def single():
    persistent(torch.float16, torch.float16, (128, 128, 64))


def pair():
    persistent(torch.bfloat16, torch.bfloat16, (256, 128, 64), (2, 1), True)


def cluster():
    persistent(torch.float8_e4m3fn, torch.float16, (256, 64, 128), (4, 2), True)


def released_early():
    persistent(torch.float16, torch.float16, (128, 128, 64), by_tma=False)


def in_blocks(factors):
    """Scale factors in blocks of 128 rows by 4 (PTX ISA, tcgen05, Layout of the Scale Factors)."""
    rows, columns = factors.shape
    parts = factors.view(torch.uint8).reshape(rows // 128, 4, 32, columns // 4, 4)
    return parts.permute(0, 3, 2, 1, 4).contiguous()


def scaled(operand, factor, vector, tile, pair=False):
    """mxfp8 and mxfp4: factors are powers of two; nvfp4: factors of e4m3."""
    from scaled import ScaledRecipe
    from scaled import scaled as multiply

    m, n, k = 256, 256, 512
    recipe = ScaledRecipe("scaled", operand, factor, vector, tile, pair)
    values, tensors, pointers, held = [], [], [], []
    for rows in (m, n):
        if operand is cutlass.Float4E2M1FN:
            codes = torch.randint(0, 16, (rows, k), device="cuda").to(torch.uint8)
            table = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6], device="cuda")
            x = torch.where(codes >= 8, -table[(codes % 8).long()], table[(codes % 8).long()])
            stored = codes[:, ::2] | codes[:, 1::2] << 4
        else:
            x = whole(torch.float8_e4m3fn, rows, k)
            stored = x.view(torch.uint8)
        exponents = torch.randint(-2, 3, (rows, k // vector), device="cuda")
        if factor is cutlass.Float8E8M0FNU:
            scales = (exponents + 127).to(torch.uint8)
        else:
            scales = torch.exp2(exponents.float()).to(torch.float8_e4m3fn)
        blocks = in_blocks(scales)
        held += [stored, blocks]
        values.append(x.double() * torch.exp2(exponents.double()).repeat_interleave(vector, 1))
        if operand is cutlass.Float4E2M1FN:
            tensors.append(from_dlpack(stored.view(torch.float4_e2m1fn_x2), assumed_align=16))
        else:
            tensors.append(given(stored, operand))
        pointers.append(
            make_ptr(factor, blocks.data_ptr(), cute.AddressSpace.gmem, assumed_align=16)
        )
    c = torch.empty(m, n, dtype=torch.float32, device="cuda")
    multiply(recipe, *tensors, *pointers, given(c))
    compare(c, *values)


def mxfp8():
    scaled(cutlass.Float8E4M3FN, cutlass.Float8E8M0FNU, 32, (128, 128, 128))


def mxfp4():
    scaled(cutlass.Float4E2M1FN, cutlass.Float8E8M0FNU, 32, (128, 128, 256))


def nvfp4():
    scaled(cutlass.Float4E2M1FN, cutlass.Float8E4M3FN, 16, (128, 128, 256))


def nvfp4_pair():
    scaled(cutlass.Float4E2M1FN, cutlass.Float8E4M3FN, 16, (256, 128, 256), True)


def attention():
    """Both kinds of heads."""
    from attention import Heads
    from attention import attention as run

    for dtype, width, causal in ((torch.bfloat16, 64, False), (torch.float16, 128, True)):
        heads = Heads("attention", KINDS[dtype], width, causal)
        q, k, o = (torch.randn(2, 256, width, device="cuda").to(dtype) for _ in "qko")
        v = torch.randn(2, 256, width, device="cuda").to(dtype)
        scale = width**-0.5
        views = [from_dlpack(x.permute(1, 2, 0), assumed_align=16) for x in (q, k)]
        views += [from_dlpack(v.permute(2, 1, 0), assumed_align=16)]
        views += [from_dlpack(o.permute(1, 2, 0), assumed_align=16)]
        run(heads, *views, scale)
        scores = q.double() @ k.double().mT * scale
        if causal:
            later = torch.ones(256, 256, device="cuda").triu(1).bool()
            scores = scores.masked_fill(later, float("-inf"))
        expected = scores.softmax(-1) @ v.double()
        assert torch.allclose(o.double(), expected, atol=2e-2), (o - expected).abs().max()
        print(f"attention of {dtype}: right")


torch.manual_seed(0)
for name in sys.argv[1:]:
    globals()[name]()
