"""Faults that people make in attention on Hopper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import lanemap
from lanemap.benching.arrays import Operand
from lanemap.benching.attention.attend import Given, heads_together
from lanemap.benching.attention.kernel import Arrays, AttentionKernel
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.tiling import Tiling
from lanemap.benching.gemm.problem import TYPES
from tests.kernels.attention import PLAIN, one, operands
from tests.kernels.faults import ARITHMETIC, LAYOUT, ORDER, Fault, Suite

#: Two CTAs with two tiles of queries each, five tiles of keys in two stages, grouped heads, a mask.
PROBLEM = Problem(1, 230, 300, 4, 2, 128, -1, 0)
TILING = Tiling(64)
#: FP8: two consumers, tiles of 128 keys.
FP8_PROBLEM = Problem(1, 130, 600, 2, 2, 64, element="float8_e4m3fn")
FP8_TILING = Tiling(128, registers=(232, 40))
#: Tiles of keys before the own ones of a consumer's queries, between them, and after them.
ADDED_PROBLEM = Problem(1, 150, 214, 4, 2, 96, 100, 20, added="softcap+alibi+sinks")
GIVEN = Given(
    softcap=3.0,
    alibi_slopes=np.array([0.5, 0.02, 0.1, 0.3], np.float32),
    sinks=np.array([2, 9, 0, -3], np.float32),
)
FEWER_PROBLEM = Problem(1, 130, 200, 4, 2, 192, -1, 0, value_dim=128)
#: Logits large enough that maxima grow by more than what is left behind.
SIZE = {"bfloat16": 4.0, "float8_e4m3fn": 4.0}
_OWN, _SOFTMAX, _VALUES, _MASK = "", "hopper_softmax.h", "hopper_values.h", "attention.h"
_ADDITIONS = "additions.h"
_UNORDERED = "nothing orders this after phase"


def fp8(_: Any) -> Problem:
    """What the host computes instead: the problem of FP8."""
    return FP8_PROBLEM


def added(_: Any) -> Problem:
    """What the host computes instead: rows of one and a half parts, with all additions."""
    return ADDED_PROBLEM


def fewer(_: Any) -> Problem:
    """What the host computes instead: rows of V shorter than those of Q and K."""
    return FEWER_PROBLEM


def outcome(texts: Mapping[str, str], host: Callable[[Any], Problem] | None, strict: bool) -> float:
    """Which part of O and log_sum_exp is outside the tolerance."""
    problem = host(None) if host else PROBLEM
    tiling = FP8_TILING if problem.element_bytes == 1 else TILING
    given = GIVEN if problem.added else PLAIN
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=strict)
    kernel = AttentionKernel()
    module = device.load(kernel.compile(problem, tiling, texts))
    q, k, v = operands(problem, 1)
    q = (q.astype(np.float32) * SIZE[problem.element]).astype(q.dtype)
    o = device.empty((*q.shape[:-1], problem.values), TYPES[problem.output].dtype)
    sums = device.empty((problem.heads, problem.queries), np.float32)
    ones = np.ones((1, problem.kv_heads), np.float32)
    arrays = Arrays(
        *(Operand(device.array(x), x.shape[-1] * x.dtype.itemsize) for x in (q, k, v)),
        Operand(o, problem.values * 2),
        Operand(sums, 4),
        tuple(Operand(device.array(ones), 4) for _ in range(3)),
    )
    scale = problem.head_dim**-0.5
    together = heads_together(problem)
    of_heads = {name: Operand(device.array(array), 4) for name, array in given.arrays().items()}
    additions = given.additions(of_heads)
    kernel.launch(device, module, problem, tiling, arrays, scale, 2, together, additions).run()
    right, error, log_sum, log_error = one(problem, q[0], k[0], v[0], scale, given)
    wrong = ~(np.abs(o.get()[0].astype(np.float64) - right) <= error)
    # Rows without a key are compared as they are.
    with np.errstate(invalid="ignore"):
        near = np.abs(sums.get() - log_sum) <= log_error
    return max(float(wrong.mean()), float((~near & (sums.get() != log_sum)).mean()))


BARRIERS = (
    Fault("The producer does not wait for an empty stage", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(ring.empty(), ring.parity ^ 1);\n", ""),
    Fault("The producer waits for the wrong phase", ORDER, "hazard", "lacks 1 of its 1 arrivals",
          _OWN, "mbarrier_wait(ring.empty(), ring.parity ^ 1)",
          "mbarrier_wait(ring.empty(), ring.parity)"),
    Fault("The full barrier of keys expects too few bytes", ORDER, "hazard", _UNORDERED,
          _OWN, "mbarrier_expect(ring.full(), bytes)",
          "mbarrier_expect(ring.full(), bytes / 2)"),
    Fault("The full barrier of Q expects too many bytes", ORDER, "hazard",
          "lacks 0 of its 1 arrivals and 16 bytes",
          _OWN, "mbarrier_expect(rings.q.full(), Q_BYTES)",
          "mbarrier_expect(rings.q.full(), Q_BYTES + 16)"),
    Fault("A consumer does not wait for K", ORDER, "hazard", _UNORDERED,
          _OWN, "    mbarrier_wait(rings.k.full(), rings.k.parity);\n    if (TURNS)",
          "    if (TURNS)"),
    Fault("A consumer does not wait for V", ORDER, "hazard", _UNORDERED,
          _OWN, "    mbarrier_wait(values.full(), values.parity);\n    wgmma_fence",
          "    wgmma_fence"),
    Fault("A consumer does not wait for Q", ORDER, "hazard", "which nothing had written",
          _OWN, "  mbarrier_wait(rings.q.full(), rings.q.parity);\n", ""),
    Fault("The empty barrier of K counts one consumer", ORDER, "hazard",
          "nothing orders it after phase", _OWN,
          "rings.k.init(1, CONSUMERS)", "rings.k.init(1, 1)"),
    Fault("The empty barrier of Q counts one warp of each consumer", ORDER, "hazard",
          "nothing orders it after phase", _OWN, "rings.q.init(1, 4 * CONSUMERS)",
          "rings.q.init(1, CONSUMERS)"),
    Fault("No barrier between mbarrier.init and its use", ORDER, "hazard",
          "a barrier, or release and acquire, is missing", _OWN, "  __syncthreads();\n", ""),
    Fault("A consumer never passes the turn", ORDER, "hazard",
          "for the others at barrier 2",
          _OWN, "    if (TURNS) turn_pass(consumer);\n", ""),
    Fault("Warps do not meet where they go past the first tile", ORDER, "strict",
          "of its CTA has seen the end of the phase before", _OWN,
          "  } else {\n    meet(consumer);\n  }\n", "  }\n"),
    Fault("Nobody has the first turn", ORDER, "hazard", "for the others at barrier 1",
          _OWN, "    if (TURNS && consumer == CONSUMERS - 1) turn_pass(consumer);\n", ""),
)  # fmt: skip
PRODUCTS = (
    Fault("No wgmma.fence before S", ORDER, "hazard",
          "one is missing between the write and this wgmma", _OWN,
          "    wgmma_fence();\n    multiply_keys", "    multiply_keys"),
    Fault("No wgmma.commit_group after P @ V", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _OWN,
          "add || i > 0);\n  wgmma_commit();", "add || i > 0);"),
    Fault("S is read before its products are done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _OWN, "    wgmma_wait<1>();\n", ""),
    Fault("O is rescaled before its products are done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _OWN,
          "    wgmma_wait<0>();\n    pin(o);\n    pin_weights(p);\n", ""),
    Fault("K is released before wgmma has read it", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _OWN,
          "    wgmma_wait<1>();\n    pin(s);\n    release(rings.k.empty(), warp, lane);\n",
          "    release(rings.k.empty(), warp, lane);\n    wgmma_wait<1>();\n    pin(s);\n"),
    Fault("V is released before wgmma has read it", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _OWN,
          "    wgmma_wait<0>();\n    pin(o);\n    pin_weights(p);\n"
          "    release(values.empty(), warp, lane);\n",
          "    release(values.empty(), warp, lane);\n"
          "    wgmma_wait<0>();\n    pin(o);\n    pin_weights(p);\n"),
)  # fmt: skip
STORES = (
    Fault(
        "No fence.proxy.async before O's store",
        ORDER,
        "hazard",
        "fence.proxy.async is missing between them",
        _OWN,
        "  fence_proxy_async();\n  __syncwarp();\n  if (lane == 0) {\n    if constexpr",
        "  __syncwarp();\n  if (lane == 0) {\n    if constexpr",
    ),
    Fault(
        "Q's rows are released while a store reads O there",
        ORDER,
        "hazard",
        "wait_group.read",
        _OWN,
        "    tma_store_wait_read<0>();\n    mbarrier",
        "    mbarrier",
    ),
    Fault(
        "No __syncwarp before O's store",
        ORDER,
        "strict",
        "__syncwarp() (bar.warp.sync) by both lanes is missing",
        _OWN,
        "  fence_proxy_async();\n  __syncwarp();\n  if (lane == 0) {\n    if constexpr",
        "  fence_proxy_async();\n  if (lane == 0) {\n    if constexpr",
    ),
)
PLACES = (
    Fault("A query sees the key after its last one", LAYOUT, "wrong", "", _MASK,
          "query + keys - queries + right + 1)", "query + keys - queries + right + 2)"),
    Fault("The mask is aligned at the first key", LAYOUT, "wrong", "", _MASK,
          "query + keys - queries + right + 1)", "query + right + 1)"),
    Fault("Both rows of a thread have the mask of the first", LAYOUT, "wrong", "", _SOFTMAX,
          "int query = row + d_row(warp, lane, 2 * half, 0);",
          "int query = row + d_row(warp, lane, 0, 0);"),
    Fault("The maximum is that of two lanes of four", LAYOUT, "wrong", "", _SOFTMAX,
          "      m = fmaxf(m, __shfl_xor_sync(~0u, m, 2));\n", ""),
    Fault("The sum is that of two lanes of four", LAYOUT, "wrong", "", _SOFTMAX,
          "      sum[half] += __shfl_xor_sync(~0u, sum[half], 2);\n", ""),
    Fault("O is not rescaled when the maximum grows", LAYOUT, "wrong", "", _OWN,
          "rescale(o, factor);\n", ";\n"),
    Fault("Both consumers take the same rows of Q", LAYOUT, "hazard",
          "wgmma.wait_group for it, by a warp of that warpgroup, is missing", _OWN,
          "rings.q.data() + consumer * PARTS * Q_PART", "rings.q.data()"),
    Fault("A head of Q takes the next head of K and V", LAYOUT, "wrong", "", _OWN,
          "int head = work.head / group;", "int head = work.head % group;"),
    Fault("The second part of Q lies where the first does", LAYOUT, "wrong", "", _OWN,
          "(i / steps * Q_PART >> 4)", "0"),
    Fault("K's step is twice too long", LAYOUT, "hazard", _UNORDERED,
          _OWN, "(i / steps * KEYS_PART >> 4) + step", "(i / steps * KEYS_PART >> 4) + 2 * step"),
    Fault("SBO of Q and K is half of what 8 rows take", LAYOUT, "wrong", "", "hopper.h",
          "eight_rows >> 4 << 32 | code", "eight_rows >> 5 << 32 | code"),
    Fault("LBO of V is that of one row", LAYOUT, "wrong", "", _VALUES,
          "FP8 ? 1 : KEYS_PART >> 4", "8"),
    Fault("V's descriptor says the 64-byte swizzle", LAYOUT, "hazard", _UNORDERED, _VALUES,
          "eight >> 4 << 32 | 1ull << 62", "eight >> 4 << 32 | 2ull << 62"),
    Fault("V's step is that of 8 keys", LAYOUT, "wrong", "", _VALUES,
          "2 * value_byte(0, 8, 0)", "value_byte(0, 8, 0)"),
    Fault("P's registers are those of S with rows exchanged", LAYOUT, "refused",
          "registers of S are not those of P", _VALUES, ": 2 * reg + element;",
          ": 2 * (reg ^ 1) + element;"),
)  # fmt: skip
TRANSPOSED = (
    Fault("FP8: no fence.proxy.async after V was transposed", ORDER, "hazard",
          "fence.proxy.async is missing between them", _OWN,
          "TRANSPOSING_WARPS, lane);\n    fence_proxy_async();", "TRANSPOSING_WARPS, lane);",
          host=fp8),
    Fault("FP8: V is transposed before it is there", ORDER, "hazard",
          "which nothing had written", _OWN,
          "    mbarrier_wait(rings.v.full(), rings.v.parity);\n", "", host=fp8),
    Fault("FP8: V transposed is overwritten while wgmma reads it", ORDER, "hazard", "ordered after",
          _OWN, "    mbarrier_wait(rings.transposed.empty(), rings.transposed.parity ^ 1);\n", "",
          host=fp8),
    Fault("FP8: V is full before it is transposed", ORDER, "hazard",
          "fence.proxy.async and a barrier are missing", _OWN,
          "    transpose_values(rings.transposed.data(), rings.v.data(), warp, TRANSPOSING_WARPS, "
          "lane);\n    fence_proxy_async();\n    __syncwarp();\n    if (lane == 0) {\n"
          "      mbarrier_arrive(rings.transposed.full(), 0);\n",
          "    if (lane == 0) mbarrier_arrive(rings.transposed.full(), 0);\n"
          "    transpose_values(rings.transposed.data(), rings.v.data(), warp, TRANSPOSING_WARPS, "
          "lane);\n    fence_proxy_async();\n    __syncwarp();\n    if (lane == 0) {\n", host=fp8),
    Fault("FP8: V transposed counts one warp of three", ORDER, "hazard",
          "nothing orders it after phase", _OWN,
          "rings.transposed.init(TRANSPOSING_WARPS, CONSUMERS)",
          "rings.transposed.init(1, CONSUMERS)", host=fp8),
    Fault("FP8: no __syncwarp before a lane says that V is transposed", ORDER, "strict",
          "before another lane of that warp arrived", _OWN,
          "    fence_proxy_async();\n    __syncwarp();\n    if (lane == 0) {\n",
          "    fence_proxy_async();\n    if (lane == 0) {\n", host=fp8),
    Fault("FP8: columns of even and odd number are exchanged", LAYOUT, "wrong", "", _VALUES,
          "i % 2 ? 0x7531 : 0x6420", "i % 2 ? 0x6420 : 0x7531", host=fp8),
    Fault("FP8: V's keys are in the order of memory", LAYOUT, "wrong", "", _VALUES,
          "i % 2 ? 0x7531 : 0x6420", "i % 2 ? 0x7351 : 0x6240", host=fp8),
    Fault("FP8: P's keys are in the order of memory", LAYOUT, "refused",
          "registers of S are not those of P", _VALUES,
          "return FP8 ? (k & ~15)", "return false ? (k & ~15)", host=fp8),
    Fault("FP8: the sum forgets that P was multiplied by 2^8", LAYOUT, "wrong", "", _SOFTMAX,
          "log2_approx(sum[half]) - WEIGHT_BITS", "log2_approx(sum[half])", host=fp8),
)  # fmt: skip
ADDED = (
    Fault("softcap: keys are hidden before logits are capped", ARITHMETIC, "wrong", "", _OWN,
          "  add(s, softmax.shift, additions, work, row, last, warp, lane);\n"
          "  mask(s, work, row, last, warp, lane);\n",
          "  mask(s, work, row, last, warp, lane);\n"
          "  add(s, softmax.shift, additions, work, row, last, warp, lane);\n", host=added),
    Fault("softcap: the last tile of keys is not capped", ARITHMETIC, "wrong", "", _OWN,
          "  add(s, softmax.shift, additions, work, row, last, warp, lane);\n", "", host=added),
    Fault("ALiBi: distances are from the query's number", LAYOUT, "wrong", "", _SOFTMAX,
          "work.own_key(row + d_row(warp, lane, 2 * half, 0))",
          "(row + d_row(warp, lane, 2 * half, 0))", host=added),
    Fault("ALiBi: both rows of a thread have the distances of the first", LAYOUT, "wrong", "",
          _SOFTMAX, "work.own_key(row + d_row(warp, lane, 2 * half, 0))",
          "work.own_key(row + d_row(warp, lane, 0, 0))", host=added),
    Fault("ALiBi: keys after a query's own earn", ARITHMETIC, "wrong", "", _SOFTMAX,
          "fabsf(fmaf(slope, d_column(0, 0, i, 0), shift[half_of(i)]))",
          "-fmaf(slope, d_column(0, 0, i, 0), shift[half_of(i)])", host=added),
    Fault("ALiBi: keys after all queries' own earn", ARITHMETIC, "wrong", "", _SOFTMAX,
          "after ? -additions.slope : additions.slope", "additions.slope", host=added),
    Fault("ALiBi: a head has the slope of its group", LAYOUT, "wrong", "", _ADDITIONS,
          "from.slopes_of_sequence + work.head]",
          "from.slopes_of_sequence + work.head / shape.group]", host=added),
    Fault("ALiBi: slopes are multiplied by the scale of logits", ARITHMETIC, "wrong", "",
          _ADDITIONS, "* log2e / scale", "* log2e", host=added),
    Fault("sinks: O is not rescaled", ARITHMETIC, "wrong", "", _OWN,
          "value_scale * factor[half] /", "value_scale /", host=added),
    Fault("sinks: a sink's exponential is one of base 2", ARITHMETIC, "wrong", "", _ADDITIONS,
          "from.sinks[work.head] * log2e", "from.sinks[work.head]", host=added),
    Fault("sinks: the maximum keeps its scale", ARITHMETIC, "wrong", "", _OWN,
          "scale = softmax.sink(", "softmax.sink(", host=added),
    Fault("The columns past the last whole part are not loaded", LAYOUT, "hazard",
          "lacks 0 of its 1 arrivals and 8192 bytes", _OWN, "part < bytes / KEYS_PART",
          "part < HEAD_DIM / PART_COLUMNS", host=added),
    Fault("O of a consumer leaves through Q of the one before", LAYOUT, "hazard",
          "ordered after", _OWN, "consumer * O_STEP", "consumer * O_PARTS * O_PART", host=fewer),
    Fault("V has as many columns as K", LAYOUT, "hazard",
          "are outside the shared memory", _OWN,
          "constexpr int VALUE_PARTS = (VALUE_DIM +", "constexpr int VALUE_PARTS = (HEAD_DIM +",
          host=fewer),
)  # fmt: skip
QUICK = ("LBO of V is that of one row",)
FAULTS = (*BARRIERS, *PRODUCTS, *STORES, *PLACES, *TRANSPOSED, *ADDED)
SUITES = (Suite("fmha", "sm_90a", FAULTS, outcome, QUICK),)
