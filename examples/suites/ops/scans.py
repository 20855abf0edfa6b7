"""Scans: a linear recurrence in chunks, and sums of segments."""

import torch
import triton
import triton.language as tl


@triton.jit
def then(a, b, next_a, next_b):
    """Return h -> next_a (a h + b) + next_b."""
    return a * next_a, b * next_a + next_b


@triton.jit
def chunks_kernel(
    a_ptr, b_ptr, h_ptr, last_a_ptr, last_b_ptr, length, channels, chunks, CHUNK: tl.constexpr
):
    """Store a chunk's recurrence that begins with 0, and the map of the whole chunk."""
    channel, chunk = tl.program_id(0), tl.program_id(1)
    at = tl.arange(0, CHUNK)
    token = chunk * CHUNK + at
    inside = token < length
    place = token * channels + channel
    a = tl.load(a_ptr + place, mask=inside, other=1.0)
    b = tl.load(b_ptr + place, mask=inside, other=0.0)
    a, b = tl.associative_scan((a, b), 0, then)
    tl.store(h_ptr + place, b, mask=inside)
    tl.store(last_a_ptr + channel * chunks + chunk, tl.sum(tl.where(at == CHUNK - 1, a, 0.0)))
    tl.store(last_b_ptr + channel * chunks + chunk, tl.sum(tl.where(at == CHUNK - 1, b, 0.0)))


@triton.jit
def carry_kernel(
    a_ptr,
    h_ptr,
    last_a_ptr,
    last_b_ptr,
    length,
    channels,
    chunks,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
):
    """Add to a chunk what the chunks before it leave."""
    channel, chunk = tl.program_id(0), tl.program_id(1)
    before = tl.arange(0, CHUNKS)
    a = tl.load(last_a_ptr + channel * chunks + before, mask=before < chunk, other=1.0)
    b = tl.load(last_b_ptr + channel * chunks + before, mask=before < chunk, other=0.0)
    a, b = tl.associative_scan((a, b), 0, then)
    carried = tl.sum(tl.where(before == CHUNKS - 1, b, 0.0))
    token = chunk * CHUNK + tl.arange(0, CHUNK)
    inside = token < length
    place = token * channels + channel
    a = tl.load(a_ptr + place, mask=inside, other=1.0)
    product = tl.cumprod(a, 0)
    h = tl.load(h_ptr + place, mask=inside, other=0.0)
    tl.store(h_ptr + place, h + product * carried, mask=inside)


@triton.jit
def segments_kernel(x_ptr, segment_ptr, sums_ptr, length, BLOCK: tl.constexpr):
    """Add each element to the sum of its segment; segments ascend."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < length
    x = tl.load(x_ptr + at, mask=inside, other=0.0)
    segment = tl.load(segment_ptr + at, mask=inside, other=0)
    following = tl.load(segment_ptr + at + 1, mask=at + 1 < length, other=-1)
    total = tl.cumsum(x, 0)
    ends = (segment != following) | (tl.arange(0, BLOCK) == BLOCK - 1)
    tl.atomic_add(sums_ptr + segment, total, mask=inside & ends)
    starts_next = ends & inside & (at + 1 < length) & (tl.arange(0, BLOCK) < BLOCK - 1)
    tl.atomic_add(sums_ptr + following, -total, mask=starts_next)


def recurrence(a, b, chunk=32):
    """Return h [length, channels] with h_t = a_t h_{t-1} + b_t and h_{-1} = 0."""
    length, channels = a.shape
    chunks = triton.cdiv(length, chunk)
    h = torch.empty_like(b)
    last_a, last_b = torch.empty(2, channels, chunks, device=a.device, dtype=a.dtype)
    grid = channels, chunks
    chunks_kernel[grid](a, b, h, last_a, last_b, length, channels, chunks, CHUNK=chunk)
    most = triton.next_power_of_2(chunks)
    carry_kernel[grid](a, h, last_a, last_b, length, channels, chunks, CHUNK=chunk, CHUNKS=most)
    return h


def sums_of_segments(x, segment, number):
    """Return the sums of x [length] over equal, ascending numbers in `segment`."""
    sums = torch.zeros(number, device=x.device, dtype=x.dtype)
    segments_kernel[(triton.cdiv(len(x), 64),)](x, segment, sums, len(x), BLOCK=64)
    return sums
