"""Norms against PyTorch's."""

import pytest
import torch
from ops.norms import layer_norm_backward, rms_norm

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


@pytest.mark.parametrize(
    ("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float16, 4e-3), (torch.bfloat16, 3e-2)]
)
@pytest.mark.parametrize(("rows", "columns"), [(1, 128), (7, 300), (9, 1024)])
def test_rms_norm(rows, columns, dtype, tolerance):
    x = torch.randn(rows, columns, device="cuda").to(dtype).requires_grad_()
    residual = torch.randn(rows, columns, device="cuda").to(dtype)
    weight = torch.randn(columns, device="cuda").to(dtype).requires_grad_()
    dy = torch.randn(rows, columns, device="cuda").to(dtype)
    total = (x.detach() + residual).float().requires_grad_()
    own = weight.detach().float().requires_grad_()
    wanted = torch.nn.functional.rms_norm(total, (columns,), own, 1e-6)
    wanted.backward(dy.float())
    kept = residual.clone()
    y = rms_norm(x, kept, weight)
    y.backward(dy)
    close = {"atol": tolerance, "rtol": tolerance}
    torch.testing.assert_close(kept.float(), total.detach(), **close)
    torch.testing.assert_close(y.float(), wanted, **close)
    torch.testing.assert_close(x.grad.float(), total.grad, atol=4 * tolerance, rtol=tolerance)
    torch.testing.assert_close(weight.grad.float(), own.grad, atol=8 * tolerance, rtol=tolerance)


@pytest.mark.parametrize(("rows", "columns"), [(4, 100), (16, 512)])
def test_layer_norm_backward(rows, columns):
    x = torch.randn(rows, columns, device="cuda").requires_grad_()
    weight = torch.randn(columns, device="cuda").requires_grad_()
    bias = torch.randn(columns, device="cuda").requires_grad_()
    dy = torch.randn(rows, columns, device="cuda")
    torch.nn.functional.layer_norm(x, (columns,), weight, bias).backward(dy)
    dx, dw, db = layer_norm_backward(dy, x.detach(), weight.detach())
    torch.testing.assert_close(dx, x.grad, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(dw, weight.grad, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(db, bias.grad, atol=1e-4, rtol=1e-4)
