"""Chunked linear attention against the sum over all pairs of tokens."""

import pytest
import torch
from ops.linear_attention import linear_attention

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


def all_pairs(q, k, v, log_decay):
    token = torch.arange(q.shape[1], device=q.device)
    ahead = token[:, None] - token
    decay = torch.exp(log_decay[:, None, None] * ahead).tril()
    return (q @ k.transpose(1, 2) * decay) @ v


@pytest.mark.parametrize(
    ("dtype", "tolerance"), [(torch.float32, 1e-4), (torch.float16, 1e-2), (torch.bfloat16, 5e-2)]
)
@pytest.mark.parametrize(("heads", "length", "size"), [(2, 32, 32), (3, 41, 16)])
def test_linear_attention(heads, length, size, dtype, tolerance):
    q, k, v = (torch.randn(heads, length, size, device="cuda") * 0.3 for _ in range(3))
    log_decay = -0.2 * torch.rand(heads, device="cuda")
    q, k, v = (each.to(dtype) for each in (q, k, v))
    wanted = all_pairs(q.float(), k.float(), v.float(), log_decay)
    out = linear_attention(q, k, v, log_decay)
    torch.testing.assert_close(out.float(), wanted, atol=tolerance, rtol=tolerance)


def test_without_decay_it_is_a_running_sum():
    v = torch.randn(1, 40, 16, device="cuda")
    ones = torch.zeros(1, 40, 16, device="cuda")
    ones[..., 0] = 1
    out = linear_attention(ones, ones, v, torch.zeros(1, device="cuda"))
    torch.testing.assert_close(out, v.cumsum(1), atol=1e-5, rtol=1e-5)
