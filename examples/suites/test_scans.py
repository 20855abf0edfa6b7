"""Scans against loops of PyTorch."""

import pytest
import torch
from ops.scans import recurrence, sums_of_segments

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


@pytest.mark.parametrize(("length", "channels"), [(20, 3), (32, 2), (150, 4)])
def test_recurrence(length, channels):
    a = torch.rand(length, channels, device="cuda") * 0.9 + 0.1
    b = torch.randn(length, channels, device="cuda")
    h, wanted = torch.zeros(channels, device="cuda"), []
    for t in range(length):
        h = a[t] * h + b[t]
        wanted.append(h)
    torch.testing.assert_close(recurrence(a, b), torch.stack(wanted), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("lengths", [[5], [1, 70, 2, 64, 40], [64, 64]])
def test_sums_of_segments(lengths):
    number = len(lengths)
    segment = torch.arange(number, device="cuda").repeat_interleave(
        torch.tensor(lengths, device="cuda")
    )
    x = torch.randn(len(segment), device="cuda")
    wanted = torch.zeros(number, device="cuda").index_add(0, segment, x)
    torch.testing.assert_close(sums_of_segments(x, segment, number), wanted, atol=1e-5, rtol=1e-4)
