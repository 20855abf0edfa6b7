"""Sampling against PyTorch, and against the frequencies that probabilities promise."""

import pytest
import torch
from ops.sampling import draw, keep_likeliest, penalize

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


def test_penalties_of_tokens_seen():
    logits = torch.randn(4, 50, device="cuda")
    tokens = torch.stack([torch.randperm(50, device="cuda")[:6] for _ in range(4)])
    counts = torch.tensor([6, 0, 3, 1], device="cuda", dtype=torch.int32)
    wanted = logits.clone()
    for row, count in enumerate(counts.tolist()):
        seen = tokens[row, :count]
        x = wanted[row, seen]
        wanted[row, seen] = torch.where(x > 0, x / 1.3, x * 1.3)
    penalize(logits, tokens, counts, 1.3)
    torch.testing.assert_close(logits, wanted)


@pytest.mark.parametrize("top", [1, 5])
def test_the_likeliest_k(top):
    logits = torch.randn(3, 200, device="cuda")
    kept = keep_likeliest(logits, top, 2.0)
    p = logits.softmax(-1)
    lowest = p.topk(top).values[:, -1:]
    wanted = torch.where(p >= lowest, p, 0.0)
    torch.testing.assert_close(kept, wanted / wanted.sum(-1, keepdim=True))


def test_the_likeliest_share():
    p = torch.tensor([[0.4, 0.1, 0.3, 0.2]], device="cuda")
    kept = keep_likeliest(p.log(), 100, 0.65)
    torch.testing.assert_close(kept, torch.tensor([[4 / 7, 0, 3 / 7, 0]], device="cuda"))


def test_frequencies_of_draws():
    p = torch.zeros(1, 300, device="cuda")
    p[:, 7], p[:, 150], p[:, 299] = 0.6, 0.3, 0.1
    drawn = draw(p.expand(400, -1).contiguous(), seed=5)
    share = torch.bincount(drawn, minlength=300)[[7, 150, 299]] / 400
    assert torch.isin(drawn, torch.tensor([7, 150, 299], device="cuda")).all()
    # Four standard deviations of a share are 0.1 at most.
    torch.testing.assert_close(share, p[0, [7, 150, 299]], atol=0.1, rtol=0)
    assert torch.equal(drawn, draw(p.expand(400, -1).contiguous(), seed=5))
