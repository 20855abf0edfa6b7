"""decode: attention of few queries of each sequence against a cache of long keys."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array, causal_of, number
from lanemap.benching.plans import Plan, Plans, planned

from . import attend
from .benchmark import DecodeBenchmark
from .problem import Problem
from .tiling import Tiling

#: Timed on a GPU: 8 heads of K and V, from few long sequences to many; pages; MQA; several queries.
PROBLEMS = (
    *(Problem(batch, 1, keys, 32, 8, 128)
      for batch, keys in ((1, 8192), (1, 32768), (1, 131072), (8, 8192), (16, 32768), (128, 8192))),
    *(Problem(16, 1, 8192, 32, 8, 128, page) for page in (16, 64, 128, 256)),
    Problem(16, 1, 16384, 32, 8, 64, 64),
    Problem(8, 1, 32768, 32, 8, 128, 64, element="float16",
            lengths="32768/1/20000/517/8192/30001/12345/4096"),
    Problem(16, 1, 32768, 32, 1, 128, 64),
    Problem(16, 8, 8192, 64, 8, 128, 64, -1, 0),
    Problem(16, 1, 32768, 32, 8, 128, 64, 4095, 0),
)  # fmt: skip
#: What `lanemap bench --tiles` times.
TILES = (
    *(Tiling(128, stages) for stages in (3, 4, 6, 12)),
    *(Tiling(64, stages) for stages in (6, 12, 24)),
    *(Tiling(64, stages, 2) for stages in (3, 6, 12)),
    Tiling(128, 3, 2), Tiling(128, 6, 2),
    *(Tiling(128, box=box, joined=joined) for box in (16, 32, 256) for joined in (0, 1)),
)  # fmt: skip
BENCHMARKS = (
    DecodeBenchmark(
        attend.KERNEL, Problem(2, 1, 1024, 8, 2, 128, 64, lengths="1000/77"), PROBLEMS, TILES
    ),
)

PLANS = Plans()


def _plan(
    q: Array,
    k_cache: Array,
    v_cache: Array,
    *,
    cache_seqlens: Array | None = None,
    block_table: Array | None = None,
    out: tuple[Array, Array] | None = None,
    causal: bool = False,
    is_causal: bool = False,
    softmax_scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    device: Any = None,
) -> Plan:
    """Return what a call of `decode` with the same arguments launches."""
    return attend.plan(
        q, k_cache, v_cache, cache_seqlens, block_table, out, causal_of(causal, is_causal),
        softmax_scale, window_size, device,
    )  # fmt: skip


@planned(_plan)
def decode(
    q: Array,
    k_cache: Array,
    v_cache: Array,
    *,
    cache_seqlens: Array | None = None,
    block_table: Array | None = None,
    out: tuple[Array, Array] | None = None,
    causal: bool = False,
    is_causal: bool = False,
    softmax_scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    device: Any = None,
) -> tuple[Any, Any]:
    """Return softmax(softmax_scale q @ k.T) @ v for few queries of each sequence.

    Key j is query i's own if both are equally far from the ends of their sequences: query i's is
    key i + keys - queries. On a GPU the launches go to the current stream of the arrays' library
    and are not waited for; lengths and block table are read by them.

    Args:
        q: (batch, queries, heads, head dimension) of NumPy, CuPy or PyTorch, with contiguous rows;
            bf16 or fp16, with a head dimension of 64 or 128 and at most 64 queries.
        k_cache: (batch, keys, heads of k and v, head dimension), or with `block_table` (pages, keys
            of a page, ..), where a page has a multiple of 8 keys; as many adjacent heads of q share
            one of k and v as the numbers say. Dimensions but the last may have any strides that are
            multiples of 16 bytes.
        v_cache: As k_cache.
        cache_seqlens: Keys of each sequence, (batch,) of int32 where the others lie; by default all
            that the cache has. What lies behind them may be anything.
        block_table: Pages of each sequence in their order, (batch, most pages) of int32 where the
            others lie. Entries of pages in which no query sees a key may be anything.
        out: Contiguous arrays for the two results; by default they are made.
        causal: Whether a query sees no key after its own.
        is_causal: PyTorch's name of `causal`.
        softmax_scale: Factor of the logits, positive; by default 1 / sqrt(head dimension).
        window_size: How many keys before and after its own a query sees; -1 is all.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Returns:
        O, shaped like q, of q's type, and the logarithm of each row's sum, (batch, heads, queries)
        of float32. A query that sees no key has zeros, and -inf.

    Raises:
        UserError: shapes, types or scales that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    if type(softmax_scale) not in (float, int, type(None)):
        softmax_scale = number(softmax_scale, "softmax_scale")
    arrays: tuple[Array, ...] = (q, k_cache, v_cache)
    if cache_seqlens is not None:
        arrays += (cache_seqlens,)
    if block_table is not None:
        arrays += (block_table,)
    options = cache_seqlens is None, causal, is_causal, softmax_scale, window_size, device
    key = PLANS.key(arrays, out, options)
    ready = PLANS.get(key)
    if ready is None:
        made = _plan(
            q, k_cache, v_cache, cache_seqlens=cache_seqlens, block_table=block_table, out=out,
            causal=causal, is_causal=is_causal, softmax_scale=softmax_scale,
            window_size=window_size, device=device,
        )  # fmt: skip
        ready = PLANS.add(key, made)
    o, log_sum_exp = ready.compute(arrays, out)
    return o, log_sum_exp
