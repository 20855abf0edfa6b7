"""Attention over pages against attention over what was written to them."""

import pytest
import torch
from ops.paged_attention import paged_attention, write_cache

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")


def filled(lengths, page, kv_heads, size, dtype):
    """Return caches and table of sequences whose pages are scattered, and their keys and values."""
    pages = [-(-length // page) for length in lengths]
    order = torch.randperm(sum(pages) + 1).split([*pages, 1])[:-1]
    table = torch.nn.utils.rnn.pad_sequence(order, batch_first=True).int().cuda()
    shape = sum(pages) + 1, page, kv_heads, size
    # As an engine has them: nothing writes the slots that no token has.
    k_cache, v_cache = (torch.empty(shape, device="cuda", dtype=dtype) for _ in range(2))
    known = []
    for own, length in zip(order, lengths, strict=True):
        k, v = torch.randn(2, length, kv_heads, size, device="cuda").to(dtype)
        token = torch.arange(length)
        slots = (own[token // page] * page + token % page).cuda()
        write_cache(k, v, k_cache, v_cache, slots)
        known.append((k, v))
    return k_cache, v_cache, table, known


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float16, 2e-3)])
@pytest.mark.parametrize(("heads", "kv_heads", "size"), [(2, 2, 32), (4, 2, 64)])
def test_paged_attention(heads, kv_heads, size, dtype, tolerance):
    lengths = [37, 20, 64]
    k_cache, v_cache, table, known = filled(lengths, 16, kv_heads, size, dtype)
    q = torch.randn(len(lengths), heads, size, device="cuda").to(dtype)
    out = paged_attention(q, k_cache, v_cache, table, torch.tensor(lengths).int().cuda())
    for row, (k, v) in enumerate(known):
        k, v = (each.float().repeat_interleave(heads // kv_heads, 1) for each in (k, v))
        p = torch.einsum("hs,ths->ht", q[row].float(), k) * size**-0.5
        wanted = torch.einsum("ht,ths->hs", p.softmax(-1), v)
        torch.testing.assert_close(out[row].float(), wanted, atol=tolerance, rtol=tolerance)


def test_tokens_without_a_slot_are_left_out():
    k = torch.randn(3, 1, 16, device="cuda")
    caches = torch.zeros(2, 2, 4, 1, 16, device="cuda")
    write_cache(k, k, caches[0], caches[1], torch.tensor([5, -1, 0], device="cuda"))
    flat = caches[0].flatten(0, 1)
    assert torch.equal(flat[5], k[0]) and torch.equal(flat[0], k[2])
    assert not flat[[1, 2, 3, 4, 6, 7]].any()
