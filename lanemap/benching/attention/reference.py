"""The reference for rows of attention, in float64, with a bound on the hardware's error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.attention.problem import Problem
from lanemap.benching.gemm.problem import TYPES

Floats = npt.NDArray[np.float64]
#: Sums of some hundred terms in f32, ex2.approx, lg2.approx and sm_100a's polynomial (2^-18.3):
#: parts of a weight, for each unit of the largest logit.
_SMALL = 2.0**-18
#: One wgmma of FP8 truncates 32 products, the sum so far and the new sum to 13 bits below the
#: largest of them (results/sm_90a/cuda/tensor_cores.json).
_FP8_STEP, _FP8_AT_ONCE = 34 * 2.0**-12, 32
#: Greatest relative error of tanh.approx.f32 (PTX ISA 9.0, "tanh"); slopes and distances in f32.
_TANH, _BIAS = 2.0**-11, 2.0**-21


@dataclass(frozen=True)
class Added:
    """What is done to the logits of a head; see `additions.Additions`."""

    softcap: float = 0
    slope: float = 0
    sink: float = -np.inf


@dataclass(frozen=True)
class Row:
    """One query of one head, and what is near it.

    Attributes:
        o: (head dimension,).
        o_error: How far each element may be from it.
        log_sum_exp: -inf if the query sees no key.
        log_error: How far it may be.
    """

    o: Floats
    o_error: Floats
    log_sum_exp: float
    log_error: float


def row(
    problem: Problem,
    q: Any,
    k: Any,
    v: Any,
    query: int,
    lengths: tuple[int, int],
    added: Added = Added(),
) -> Row:
    """Return what a query's row must be, with a scale of 1 / sqrt(head dimension).

    A weight errs by its rounding to the type of P, and by the error of its logit. O is a sum of
    weights times values, divided by the sum of weights and rounded once more. FP8's sums are
    truncated in the tensor core, at each 32 columns of a logit and 32 keys of O.

    Args:
        problem: Types and mask.
        q: (head dimension,).
        k: (keys, head dimension), of the head that the query's shares.
        v: As k.
        query: Its number.
        lengths: Queries and keys of its sequence.
        added: What is done to the logits.
    """
    kind, output = TYPES[problem.element], TYPES[problem.output]
    left, right = problem.reach
    own = query + lengths[1] - lengths[0]
    seen = slice(max(0, own - left), max(0, min(lengths[1], own + right + 1)))
    k, v, q = (np.asarray(each, np.float64) for each in (k[seen], v[seen], q))
    if not len(k):
        none = np.zeros(v.shape[1])
        error = 0.0 if np.isinf(added.sink) else _SMALL * abs(added.sink)
        return Row(none, none, added.sink, error)
    scale = problem.head_dim**-0.5
    logits, inexact = _added(k @ q * scale, np.arange(seen.start, seen.stop) - own, added)
    most = max(logits.max(), added.sink)
    weights = np.exp(logits - most)
    total = weights.sum() + np.exp(added.sink - most)
    weights /= total
    log_sum = float(np.log(total) + most)
    slack, cut = _SMALL * (1 + np.abs(logits).max()) + inexact, np.zeros(v.shape[1])
    if kind.bytes == 1:
        slack += scale * _truncated((k * q).T)
        # The order of keys hardly matters, and the first tile is the last one.
        cut = _truncated((weights[:, None] * v)[::-1])
    spread = (weights * (2.0**-kind.bits + 2 * slack)) @ np.abs(v)
    o = weights @ v
    error = spread + cut + 2.0**-output.bits * np.abs(o)
    # What is too small for P's type: half of its smallest step, of e4m3 times 2^-8.
    least = 2.0**-18 if kind.bytes == 1 else 2.0**-25
    error += least * (1 + np.abs(v).sum(axis=0))
    log_error = weights @ slack + _SMALL * (1 + np.abs(logits).max() + abs(log_sum))
    return Row(o, error, log_sum, float(log_error))


def _added(logits: Floats, distances: Any, added: Added) -> tuple[Floats, Floats]:
    """Return the logits with what is done to them, and the error that each has of it."""
    inexact = np.zeros(len(logits))
    if added.softcap:
        logits = added.softcap * np.tanh(logits / added.softcap)
        inexact = _TANH * np.abs(logits)
    bias = added.slope * np.abs(distances)
    return logits - bias, inexact + _BIAS * bias


def _truncated(addends: Floats) -> Floats:
    """Return how far sums of addends, (addends, sums), may be off as FP8's wgmma makes them."""
    groups = range(0, len(addends), _FP8_AT_ONCE)
    sums = np.cumsum([addends[i : i + _FP8_AT_ONCE].sum(axis=0) for i in groups], axis=0)
    largest = [np.abs(addends[i : i + _FP8_AT_ONCE]).max(axis=0) for i in groups]
    return np.asarray(_FP8_STEP * np.maximum(largest, np.abs(sums)).sum(axis=0))
