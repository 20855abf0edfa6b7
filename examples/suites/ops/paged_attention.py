"""Attention of one new token for each sequence, whose keys and values lie in pages."""

import torch
import triton
import triton.language as tl


@triton.jit
def write_kernel(k_ptr, v_ptr, k_cache_ptr, v_cache_ptr, slots_ptr, elements, BLOCK: tl.constexpr):
    """Copy a token's keys and values to its slot; -1 is that of a token that is left out."""
    token = tl.program_id(0)
    slot = tl.load(slots_ptr + token)
    if slot < 0:
        return
    at = tl.arange(0, BLOCK)
    inside = at < elements
    k = tl.load(k_ptr + token * elements + at, mask=inside)
    v = tl.load(v_ptr + token * elements + at, mask=inside)
    tl.store(k_cache_ptr + slot * elements + at, k, mask=inside)
    tl.store(v_cache_ptr + slot * elements + at, v, mask=inside)


@triton.jit
def parts_kernel(
    q_ptr,
    k_cache_ptr,
    v_cache_ptr,
    table_ptr,
    lengths_ptr,
    parts_ptr,
    most_ptr,
    sum_ptr,
    scale,
    heads,
    kv_heads,
    most_pages,
    PARTS: tl.constexpr,
    PAGE: tl.constexpr,
    SIZE: tl.constexpr,
):
    """Store what a part of a sequence's pages adds to a head: not yet divided by the sum."""
    sequence, head, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    kv_head = head // (heads // kv_heads)
    length = tl.load(lengths_ptr + sequence)
    pages = tl.cdiv(length, PAGE)
    each = tl.cdiv(pages, PARTS)
    row, at = tl.arange(0, PAGE), tl.arange(0, SIZE)
    q = tl.load(q_ptr + (sequence * heads + head) * SIZE + at).to(tl.float32) * scale
    most, total = -float("inf"), 0.0
    out = tl.zeros((SIZE,), tl.float32)
    for number in range(part * each, min(part * each + each, pages)):
        page = tl.load(table_ptr + sequence * most_pages + number).to(tl.int64)
        inside = number * PAGE + row < length
        place = ((page * PAGE + row) * kv_heads + kv_head)[:, None] * SIZE + at[None, :]
        k = tl.load(k_cache_ptr + place, mask=inside[:, None], other=0.0).to(tl.float32)
        v = tl.load(v_cache_ptr + place, mask=inside[:, None], other=0.0).to(tl.float32)
        scores = tl.where(inside, tl.sum(k * q[None, :], 1), -float("inf"))
        new_most = tl.maximum(most, tl.max(scores))
        p = tl.exp(scores - new_most)
        shrink = tl.exp(most - new_most)
        total = total * shrink + tl.sum(p)
        out = out * shrink + tl.sum(p[:, None] * v, 0)
        most = new_most
    place = (sequence * heads + head) * PARTS + part
    tl.store(parts_ptr + place * SIZE + at, out)
    tl.store(most_ptr + place, most)
    tl.store(sum_ptr + place, total)


@triton.jit
def join_kernel(parts_ptr, most_ptr, sum_ptr, out_ptr, PARTS: tl.constexpr, SIZE: tl.constexpr):
    """Store a head's output from its parts."""
    place = tl.program_id(0)
    part, at = tl.arange(0, PARTS), tl.arange(0, SIZE)
    most = tl.load(most_ptr + place * PARTS + part)
    total = tl.load(sum_ptr + place * PARTS + part)
    weight = tl.exp(most - tl.max(most))
    out = tl.load(parts_ptr + (place * PARTS + part)[:, None] * SIZE + at[None, :])
    out = tl.sum(out * weight[:, None], 0) / tl.sum(total * weight)
    tl.store(out_ptr + place * SIZE + at, out)


def write_cache(k, v, k_cache, v_cache, slots):
    """Copy k, v [tokens, kv_heads, size] to the slots of caches [pages, page, kv_heads, size]."""
    elements = k[0].numel()
    block = triton.next_power_of_2(elements)
    write_kernel[(len(k),)](k, v, k_cache, v_cache, slots, elements, BLOCK=block)


def paged_attention(q, k_cache, v_cache, table, lengths, parts=2):
    """Return the attention of q [sequences, heads, size] over the pages that `table` lists."""
    sequences, heads, size = q.shape
    _, page, kv_heads, _ = k_cache.shape
    several = torch.empty(sequences, heads, parts, size, device=q.device, dtype=torch.float32)
    most, total = torch.empty(2, sequences, heads, parts, device=q.device, dtype=torch.float32)
    out = torch.empty_like(q)
    parts_kernel[(sequences, heads, parts)](
        q,
        k_cache,
        v_cache,
        table,
        lengths,
        several,
        most,
        total,
        size**-0.5,
        heads,
        kv_heads,
        table.shape[1],
        PARTS=parts,
        PAGE=page,
        SIZE=size,
    )
    join_kernel[(sequences * heads,)](several, most, total, out, PARTS=parts, SIZE=size)
    return out
