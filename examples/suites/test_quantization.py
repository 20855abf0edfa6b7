"""Quantization against the same with PyTorch."""

import pytest
import torch
from ops.quantization import product_of_4_bits, quantize_blocks, quantize_tokens

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("rows", "columns"), [(3, 100), (4, 512)])
def test_tokens_of_int8(rows, columns, dtype):
    x = torch.randn(rows, columns, device="cuda").to(dtype)
    q, scale = quantize_tokens(x)
    torch.testing.assert_close(scale, x.float().abs().amax(1) / 127)
    wanted = torch.floor(x.float() / scale[:, None] + 0.5)
    assert (q.float() - wanted).abs().max() <= 1, "but for ties of division"
    assert (q.float() * scale[:, None] - x.float()).abs().max() <= 0.51 * scale.max()


@pytest.mark.parametrize(("rows", "columns"), [(2, 128), (5, 200)])
def test_blocks_of_fp8(rows, columns):
    x = torch.randn(rows, columns, device="cuda")
    q, scale = quantize_blocks(x)
    each = scale.repeat_interleave(64, 1)[:, :columns]
    torch.testing.assert_close(q.float() * each, x, atol=1e-4, rtol=0.07)
    assert q.float().abs().max() == 448, "the largest element of a block"


@pytest.mark.parametrize(
    ("rows", "columns", "inner", "group"), [(16, 32, 64, 32), (9, 50, 128, 64)]
)
def test_product_with_4_bits(rows, columns, inner, group):
    a = torch.randn(rows, inner, device="cuda", dtype=torch.float16)
    w = torch.randint(0, 16, (inner, columns), device="cuda", dtype=torch.uint8)
    scale = torch.rand(inner // group, columns, device="cuda") / 16
    packed = w[0::2] | w[1::2] << 4
    whole = (w.float() - 8) * scale.repeat_interleave(group, 0)
    wanted = a.float() @ whole.half().float()
    out = product_of_4_bits(a, packed, scale)
    torch.testing.assert_close(out.float(), wanted, atol=1e-2, rtol=1e-2)
