"""The operators of PyTorch, judged by torch.library.opcheck; the emulator computes CPU tensors."""

from __future__ import annotations

from typing import Any

import pytest

import lanemap

torch = pytest.importorskip("torch")
operators = pytest.importorskip("lanemap.operators")
BF16 = torch.bfloat16


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape))).to(BF16)


def test_ss_gemm_is_what_pytorch_asks_of_an_operator() -> None:
    a, b = normal(2, 20, 64), normal(24, 64)
    torch.library.opcheck(torch.ops.lanemap.ss_gemm.default, (a, b))
    given = a.requires_grad_(), b.requires_grad_()
    torch.library.opcheck(torch.ops.lanemap.ss_gemm.default, given)


def test_other_operators_are_too() -> None:
    a, b, out = normal(20, 64), normal(24, 64), torch.empty(20, 24, dtype=BF16)
    torch.library.opcheck(torch.ops.lanemap.ss_gemm_out.default, (a, b, out))
    groups = torch.tensor([8, 0, 12], dtype=torch.int32)
    matrices = normal(3, 24, 64)
    torch.library.opcheck(torch.ops.lanemap.grouped_gemm.default, (a, matrices, groups))
    product = torch.ops.lanemap.grouped_gemm(a, matrices, groups, out_dtype=torch.float32)
    right = torch.cat(
        [a[:8].float() @ matrices[0].float().T, a[8:].float() @ matrices[2].float().T]
    )
    torch.testing.assert_close(product, right, rtol=1e-5, atol=1e-5)
    small = [each.float().clamp(-2, 2).round().to(torch.float8_e4m3fn) for each in (a, b)]
    scales = torch.full((20, 1), 0.5), torch.full((1, 1), 4.0)
    # PyTorch's test of the schema multiplies the operands, which it cannot in FP8.
    torch.library.opcheck(
        torch.ops.lanemap.fp8_gemm.default, (*small, *scales), test_utils="test_faketensor"
    )
    scaled = torch.ops.lanemap.fp8_gemm(*small, *scales, out_dtype=torch.float32)
    groups, stacked = torch.tensor([20], dtype=torch.int32), (small[1][None], scales[1][None])
    grouped = torch.ops.lanemap.grouped_gemm(
        small[0], stacked[0], groups, scales[0], stacked[1], out_dtype=torch.float32
    )
    torch.testing.assert_close(grouped, scaled, rtol=0, atol=0)
    torch.testing.assert_close(scaled, 2 * small[0].float() @ small[1].float().T, rtol=0, atol=0)
    q = normal(1, 64, 2, 64)
    torch.library.opcheck(torch.ops.lanemap.fmha.default, (q, q, q), {"causal": True})


def test_nvfp4_gemm_is_too() -> None:
    """Elements and scales are powers of two, each block of A has another scale."""
    bytes_of_a, bytes_of_b = (torch.full((rows, 32), 0x22, dtype=torch.uint8) for rows in (20, 24))
    scales = torch.tensor([[0.5, 1.0, 2.0, 4.0]] * 20).to(torch.float8_e4m3fn).view(torch.uint8)
    sfa = torch.from_numpy(lanemap.scale_atoms(scales.numpy())).view(torch.float8_e4m3fn)
    sfb = torch.ones(sfa.shape).to(torch.float8_e4m3fn)
    given = bytes_of_a, bytes_of_b, sfa, sfb, torch.tensor([3.0])
    operator = torch.ops.lanemap.nvfp4_gemm
    # PyTorch's test of the schema compares the operands, which it cannot in FP8.
    torch.library.opcheck(operator.default, given, test_utils="test_faketensor")
    c = operator(*given)
    assert c.dtype == torch.float16 and (c == 3 * 16 * (0.5 + 1 + 2 + 4)).all()


def test_decode_is_what_pytorch_asks_of_an_operator() -> None:
    q, k, v = normal(2, 1, 4, 64), normal(3, 64, 2, 64), normal(3, 64, 2, 64)
    lengths, table = torch.tensor([70, 5]).int(), torch.tensor([[2, 0], [1, 1]]).int()
    given = q, k, v, lengths, table
    torch.library.opcheck(torch.ops.lanemap.decode.default, given, {"window_left": 40})
    o, log_sum_exp = torch.ops.lanemap.decode(*given)
    keys, values = (x[[2, 0]].reshape(128, 2, 64)[:70].float() for x in (k, v))
    right = torch.nn.functional.scaled_dot_product_attention(
        q[0].float().transpose(0, 1), *(x.transpose(0, 1) for x in (keys, values)), enable_gqa=True
    )
    assert (o[0].float() - right.transpose(0, 1)).abs().max() < 1e-2
    assert log_sum_exp.shape == (2, 4, 1) and log_sum_exp.dtype == torch.float32


def test_gradients_of_ss_gemm_are_those_of_float32() -> None:
    given = normal(2, 21, 64), normal(24, 64), normal(24)
    ours = [each.clone().requires_grad_() for each in given]
    (torch.ops.lanemap.ss_gemm(*ours, activation="relu") ** 2).sum().backward()
    exact = [each.float().requires_grad_() for each in given]
    (torch.relu(exact[0] @ exact[1].t() + exact[2]) ** 2).sum().backward()
    for mine, other in zip(ours, exact, strict=True):
        assert (mine.grad.float() - other.grad).abs().max() < 2e-2 * other.grad.abs().max()


def test_compiled_code_calls_the_operator() -> None:
    a, b = normal(20, 64), normal(24, 64)
    plain = torch.relu(torch.ops.lanemap.ss_gemm(a, b)) + 1

    @torch.compile(fullgraph=True, backend="aot_eager")
    def compiled(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.ops.lanemap.ss_gemm(a, b)) + 1

    assert torch.equal(compiled(a, b), plain)


def test_gradients_of_fmha_are_those_of_float32() -> None:
    q, k, d_o = normal(1, 40, 2, 64), normal(1, 40, 1, 64), normal(1, 40, 2, 64)
    ours = [each.clone().requires_grad_() for each in (q, k, k)]
    o, log_sum_exp = torch.ops.lanemap.fmha(*ours, causal=True)
    assert not log_sum_exp.requires_grad
    o.backward(d_o)
    exact = [each.float().requires_grad_() for each in (q, k, k)]
    heads = [each.expand(1, 40, 2, 64).transpose(1, 2) for each in exact]
    right = torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=True)
    right.transpose(1, 2).backward(d_o.float())
    for mine, other in zip(ours, exact, strict=True):
        assert (mine.grad.float() - other.grad).abs().max() < 2e-2 * other.grad.abs().max()
    given = [each.detach().requires_grad_() for each in ours]
    torch.library.opcheck(torch.ops.lanemap.fmha.default, given, {"causal": True})
    saved = [each.detach() for each in (d_o, *given, o, log_sum_exp)]
    torch.library.opcheck(torch.ops.lanemap.fmha_backward.default, saved, {"causal": True})


def test_sinks_have_gradients_and_what_has_none_is_refused() -> None:
    q, k, d_o = normal(1, 40, 2, 64), normal(1, 40, 1, 64), normal(1, 40, 2, 64)
    sinks, slopes = torch.tensor([1.0, -0.5]), torch.tensor([[0.5, 0.1]])
    fmha = torch.ops.lanemap.fmha
    given = q, k, k, None, None, None, slopes, sinks
    torch.library.opcheck(fmha.default, given, {"causal": True})
    ours = [each.clone().requires_grad_() for each in (q, k, k, sinks)]
    fmha(*ours[:3], sinks=ours[3], causal=True)[0].backward(d_o)
    exact = [each.double().requires_grad_() for each in (q, k, k, sinks)]
    logits = torch.einsum("bshd,btgd->bhst", *exact[:2]) / 8
    logits = logits.masked_fill(~torch.ones(40, 40, dtype=torch.bool).tril(), -torch.inf)
    sink = exact[3][None, :, None, None].expand(1, 2, 40, 1)
    weights = torch.cat([logits, sink], -1).softmax(-1)[..., :-1]
    torch.einsum("bhst,btgd->bshd", weights, exact[2]).backward(d_o.double())
    for mine, other in zip(ours, exact, strict=True):
        assert (mine.grad - other.grad).abs().max() < 2e-2 * other.grad.abs().max()
    for more in ({"softcap": 1.0}, {"alibi_slopes": slopes, "sinks": sinks}):
        o, _ = fmha(*ours[:3], causal=True, **more)
        with pytest.raises(NotImplementedError, match=f"fmha with {next(iter(more))} has no back"):
            o.sum().backward()


class _Watched(torch.utils._python_dispatch.TorchDispatchMode):
    """Notes the operators that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.names = list[str]()

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self.names.append(function.name())
        return function(*args, **(kwargs or {}))


class _Nothing(torch.autograd.Function):
    """Has no gradient to give."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> None:
        return None


def test_whoever_watches_a_backward_pass_sees_the_operator() -> None:
    q, k, d_o = normal(1, 40, 1, 64), normal(1, 40, 1, 64), normal(1, 40, 1, 64)
    ours = [each.clone().requires_grad_() for each in (q, k, k)]
    o, _ = torch.ops.lanemap.fmha(*ours, causal=True)
    alone = torch.autograd.grad(o, ours, d_o, retain_graph=True)
    with _Watched() as watched:
        seen = torch.autograd.grad(o, ours, d_o, retain_graph=True)
    assert watched.names.count("lanemap::fmha_backward") == 1
    assert all(torch.equal(*pair) for pair in zip(alone, seen, strict=True))
    _Nothing.apply(o).sum().backward()
    assert all(each.grad is None for each in ours)
