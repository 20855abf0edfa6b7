"""fmha: forward attention with an online softmax."""

from __future__ import annotations

from typing import Any

from lanemap.benching.attention.attend import attend


def fmha(
    q: Any, k: Any, v: Any, *, causal: bool = False, softmax_scale: float | None = None,
    device: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Return softmax(softmax_scale q @ k.T) @ v, and the logarithm of each row's sum.

    Args:
        q: (batch, queries, heads, head dimension) of NumPy, CuPy or PyTorch, contiguous; bf16 or
            fp16, with a head dimension of 64 or 128.
        k: (batch, keys, heads of k and v, head dimension); as many adjacent heads of q share one
            of k and v as the numbers say.
        v: As k.
        causal: Whether query i sees keys up to i + keys - queries alone.
        softmax_scale: Of the logits, positive; by default 1 / sqrt(head dimension).
        device: As `lanemap.open_device` returns it; by default the GPU for arrays that lie there,
            else the emulator.

    Returns:
        O, shaped like q, and (batch, heads, queries) of float32. A query that sees no key has
        zeros, and -inf.

    Raises:
        UserError: shapes, types or a scale that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    return attend(q, k, v, causal, softmax_scale, device)
