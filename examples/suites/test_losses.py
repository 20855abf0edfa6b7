"""Fused losses against PyTorch's."""

import pytest
import torch
import torch.nn.functional as F
from ops.losses import cross_entropy, kl_divergence

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
TOLERANCES = {
    torch.float32: {"atol": 1e-5, "rtol": 1e-4},
    torch.bfloat16: {"atol": 2e-3, "rtol": 2e-2},
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("rows", "columns"), [(5, 37), (8, 1000)])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_cross_entropy(rows, columns, smoothing, dtype):
    logits = torch.randn(rows, columns, device="cuda").to(dtype)
    labels = torch.randint(0, columns, (rows,), device="cuda")
    labels[1] = -100
    expected = logits.float().clone().requires_grad_()
    F.cross_entropy(expected, labels, label_smoothing=smoothing).backward()
    mine = logits.clone().requires_grad_()
    loss = cross_entropy(mine, labels, smoothing=smoothing)
    loss.backward()
    wanted = F.cross_entropy(logits.float(), labels, label_smoothing=smoothing)
    torch.testing.assert_close(loss, wanted, **TOLERANCES[dtype])
    torch.testing.assert_close(mine.grad.float(), expected.grad, **TOLERANCES[dtype])


def test_cross_entropy_of_rows_with_a_stride():
    logits = torch.randn(6, 200, device="cuda")[:, :150]
    labels = torch.randint(0, 150, (6,), device="cuda")
    wanted = F.cross_entropy(logits, labels)
    torch.testing.assert_close(cross_entropy(logits, labels), wanted)


@pytest.mark.parametrize(("rows", "columns"), [(3, 64), (4, 777)])
def test_kl_divergence(rows, columns):
    log_p = torch.randn(rows, columns, device="cuda").log_softmax(-1).requires_grad_()
    q = torch.randn(rows, columns, device="cuda").softmax(-1)
    mine = log_p.detach().clone().requires_grad_()
    wanted = F.kl_div(log_p, q, reduction="batchmean")
    loss = kl_divergence(mine, q)
    torch.testing.assert_close(loss, wanted)
    wanted.backward()
    loss.backward()
    torch.testing.assert_close(mine.grad, log_p.grad)
