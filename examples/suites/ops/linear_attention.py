"""Causal linear attention in chunks: states of chunks first, then what each chunk adds."""

import torch
import triton
import triton.language as tl


@triton.jit
def states_kernel(
    k_ptr,
    v_ptr,
    decay_ptr,
    states_ptr,
    length,
    SIZE: tl.constexpr,
    CHUNK: tl.constexpr,
):
    """Store the state before each chunk of a head: sum of decayed k v^T."""
    head = tl.program_id(0)
    rows = tl.arange(0, SIZE)
    at = tl.arange(0, CHUNK)
    log_decay = tl.load(decay_ptr + head)
    state = tl.zeros((SIZE, SIZE), tl.float32)
    for chunk in range(tl.cdiv(length, CHUNK)):
        place = states_ptr + ((head * tl.cdiv(length, CHUNK) + chunk) * SIZE + rows[:, None]) * SIZE
        tl.store(place + rows[None, :], state)
        token = chunk * CHUNK + at
        inside = token < length
        own = (head * length + token) * SIZE
        k = tl.load(k_ptr + own[None, :] + rows[:, None], mask=inside[None, :], other=0.0)
        v = tl.load(v_ptr + own[:, None] + rows[None, :], mask=inside[:, None], other=0.0)
        left = tl.exp(log_decay * (CHUNK - 1 - at))
        k = (k * left[None, :]).to(v.dtype)
        state = state * tl.exp(log_decay * CHUNK) + tl.dot(k, v, input_precision="ieee")


@triton.jit
def outputs_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    decay_ptr,
    states_ptr,
    out_ptr,
    length,
    SIZE: tl.constexpr,
    CHUNK: tl.constexpr,
):
    """Store a chunk's outputs: what the state before it gives, and its own causal part."""
    head, chunk = tl.program_id(0), tl.program_id(1)
    rows = tl.arange(0, SIZE)
    at = tl.arange(0, CHUNK)
    token = chunk * CHUNK + at
    inside = token < length
    own = (head * length + token) * SIZE
    log_decay = tl.load(decay_ptr + head)
    q = tl.load(q_ptr + own[:, None] + rows[None, :], mask=inside[:, None], other=0.0)
    k = tl.load(k_ptr + own[None, :] + rows[:, None], mask=inside[None, :], other=0.0)
    v = tl.load(v_ptr + own[:, None] + rows[None, :], mask=inside[:, None], other=0.0)
    place = states_ptr + ((head * tl.num_programs(1) + chunk) * SIZE + rows[:, None]) * SIZE
    state = tl.load(place + rows[None, :])
    decayed = (q * tl.exp(log_decay * (at + 1))[:, None]).to(q.dtype)
    out = tl.dot(decayed, state.to(q.dtype), input_precision="ieee")
    scores = tl.dot(q, k, input_precision="ieee")
    ahead = at[:, None] - at[None, :]
    scores = tl.where(ahead >= 0, scores * tl.exp(log_decay * ahead), 0.0)
    out += tl.dot(scores.to(v.dtype), v, input_precision="ieee")
    tl.store(out_ptr + own[:, None] + rows[None, :], out, mask=inside[:, None])


def linear_attention(q, k, v, log_decay, chunk=16):
    """Return o_t = sum over s <= t of exp(log_decay (t - s)) (q_t . k_s) v_s.

    q, k and v are contiguous, [heads, length, size]; log_decay is [heads], at most 0.
    """
    heads, length, size = q.shape
    chunks = triton.cdiv(length, chunk)
    states = torch.empty(heads, chunks, size, size, device=q.device, dtype=torch.float32)
    out = torch.empty_like(q)
    states_kernel[(heads,)](k, v, log_decay, states, length, SIZE=size, CHUNK=chunk)
    outputs_kernel[(heads, chunks)](q, k, v, log_decay, states, out, length, SIZE=size, CHUNK=chunk)
    return out
