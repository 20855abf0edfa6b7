"""Convolutions against PyTorch's."""

import pytest
import torch
import torch.nn.functional as F
from ops.conv import causal_conv, conv2d

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


@pytest.mark.parametrize("width", [2, 4])
@pytest.mark.parametrize(("length", "channels"), [(1, 8), (2, 40), (33, 64)])
def test_causal_conv(length, channels, width):
    x = torch.randn(length, channels, device="cuda")
    state = torch.randn(width - 1, channels, device="cuda")
    weight, bias = torch.randn(channels, width, device="cuda"), torch.randn(channels, device="cuda")
    whole = torch.cat((state, x)).T[None]
    wanted = F.silu(F.conv1d(whole, weight[:, None], bias, groups=channels))[0].T
    y = causal_conv(x, state, weight, bias)
    torch.testing.assert_close(y, wanted, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(state, whole[0, :, -(width - 1) :].T)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float16, 4e-3), (torch.bfloat16, 3e-2)])
@pytest.mark.parametrize(
    ("images", "height", "width", "channels", "filters", "size", "stride", "padding"),
    [(1, 6, 6, 16, 16, 3, 1, 1), (2, 7, 9, 20, 24, 3, 2, 0)],
)
def test_conv2d(images, height, width, channels, filters, size, stride, padding, dtype, tolerance):
    x = torch.randn(images, height, width, channels, device="cuda").to(dtype)
    w = (torch.randn(size, size, channels, filters, device="cuda") / 12).to(dtype)
    wanted = F.conv2d(
        x.float().permute(0, 3, 1, 2), w.float().permute(3, 2, 0, 1), None, stride, padding
    )
    out = conv2d(x, w, stride, padding).float().permute(0, 3, 1, 2)
    torch.testing.assert_close(out, wanted, atol=tolerance, rtol=tolerance)
