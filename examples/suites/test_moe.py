"""A mixture of experts against one product for each token."""

import pytest
import torch
from ops.moe import moe

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


def one_by_one(x, logits, w, top):
    weights, chosen = logits.softmax(-1).topk(top)
    weights /= weights.sum(-1, keepdim=True)
    products = torch.einsum("ti,tkio->tko", x, w[chosen])
    return (products * weights[..., None]).sum(1)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float16, 2e-3), (torch.bfloat16, 2e-2)])
@pytest.mark.parametrize(
    ("tokens", "experts", "inner", "columns", "top"), [(5, 3, 32, 32, 1), (40, 6, 48, 40, 2)]
)
def test_moe(tokens, experts, inner, columns, top, dtype, tolerance):
    x = torch.randn(tokens, inner, device="cuda").to(dtype)
    w = (torch.randn(experts, inner, columns, device="cuda") / inner**0.5).to(dtype)
    logits = torch.randn(tokens, experts, device="cuda")
    wanted = one_by_one(x.float(), logits, w.float(), top)
    out = moe(x, logits, w, top)
    torch.testing.assert_close(out.float(), wanted, atol=tolerance, rtol=tolerance)


def test_all_tokens_go_to_one_expert():
    x = torch.randn(33, 32, device="cuda", dtype=torch.float16)
    w = torch.randn(4, 32, 32, device="cuda", dtype=torch.float16) / 6
    logits = torch.zeros(33, 4, device="cuda")
    logits[:, 2] = 50
    wanted = x.float() @ w[2].float()
    torch.testing.assert_close(moe(x, logits, w, 1).float(), wanted, atol=2e-3, rtol=2e-3)
