"""Rotary embedding against multiplication by complex numbers."""

import pytest
import torch
from ops.rotary import rotary

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
MOST = 50


def angles(size):
    frequency = 10000.0 ** (-torch.arange(0, size, 2, device="cuda") / size)
    each = torch.arange(MOST, device="cuda")[:, None] * frequency
    return each.cos(), each.sin()


def rotated(x, cos, sin, positions, interleaved):
    """The same with complex numbers."""
    pairs = x.unflatten(-1, (-1, 2)) if interleaved else torch.stack(x.chunk(2, -1), -1)
    turn = torch.complex(cos[positions], sin[positions])[:, None]
    turned = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * turn)
    return turned.flatten(-2) if interleaved else torch.cat(turned.unbind(-1), -1)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize(("tokens", "heads", "size"), [(1, 1, 32), (9, 3, 64), (8, 2, 128)])
def test_rotary(tokens, heads, size, interleaved):
    x = torch.randn(tokens, heads, size, device="cuda").requires_grad_()
    positions = torch.randint(0, MOST, (tokens,), device="cuda")
    cos, sin = angles(size)
    own = x.detach().clone().requires_grad_()
    wanted = rotated(x, cos, sin, positions, interleaved)
    y = rotary(own * 1.0, cos, sin, positions, interleaved)
    torch.testing.assert_close(y, wanted)
    gradient = torch.randn_like(y)
    wanted.backward(gradient)
    y.backward(gradient)
    torch.testing.assert_close(own.grad, x.grad)


def test_queries_of_a_packed_tensor():
    packed = torch.randn(6, 5, 64, device="cuda", dtype=torch.float16)
    positions = torch.arange(6, device="cuda")
    cos, sin = angles(64)
    before = packed.clone()
    rotary(packed[:, 1:3], cos, sin, positions)
    wanted = rotated(before[:, 1:3].float(), cos, sin, positions, False)
    torch.testing.assert_close(packed[:, 1:3].float(), wanted, atol=2e-3, rtol=2e-3)
    assert torch.equal(packed[:, 0], before[:, 0]) and torch.equal(packed[:, 3:], before[:, 3:])
