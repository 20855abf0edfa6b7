"""What reaches another CTA, which must not end before: CUDA C++ as compilers take it.

CUTLASS's rings end so: a producer waits until every stage is released, since the consumers of other
CTAs arrive there (`producer_tail`), or all CTAs meet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx.cuda import ptx

_BARRIERS = r"""
typedef unsigned long long Barrier;
__device__ unsigned at(const void *p) { return __cvta_generic_to_shared(p); }
__device__ unsigned in_cta(const void *p, unsigned rank) {
  unsigned found;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(found) : "r"(at(p)), "r"(rank));
  return found;
}
__device__ void init(Barrier *b, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(count));
}
__device__ void wait(Barrier *b, unsigned parity) {
  asm volatile("{ .reg .pred p; A: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra B;"
               " bra A; B: }" ::"r"(at(b)), "r"(parity) : "memory");
}
__device__ void expect(Barrier *b, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes));
}
__device__ void arrive(unsigned b) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory");  // arrives
}
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;");
}
__device__ unsigned cta() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
"""
#: Each CTA loads half of a stage for both; each consumer releases the stage in both.
_RING = (
    _BARRIERS
    + r"""
extern "C" __global__ void __cluster_dims__(2) k(const unsigned *in, unsigned *out, int turns) {
  __shared__ alignas(128) unsigned stages[2][64];
  __shared__ Barrier full[2], empty[2];
  unsigned rank = cta(), lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) init(full + i, 1), init(empty + i, 2);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  meet();
  if (threadIdx.x == 0) {
    for (int t = 0; t < turns; ++t) {
      wait(empty + t % 2, t / 2 % 2 ^ 1);
      expect(full + t % 2, 256);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                   ".multicast::cluster [%0], [%1], 128, [%2], 3;"
                   ::"r"(at(&stages[t % 2][32 * rank])), "l"(in + 64 * t + 32 * rank),
                     "r"(at(full + t % 2)) : "memory");
    }
    for (int t = turns; t < turns + TAIL; ++t) wait(empty + t % 2, t / 2 % 2 ^ 1);
  } else if (threadIdx.x >= 32) {
    unsigned sum = 0;
    for (int t = 0; t < turns; ++t) {
      wait(full + t % 2, t / 2 % 2);
      sum += stages[t % 2][lane] + 2 * stages[t % 2][32 + lane];
      __syncwarp();
      if (lane < 2) arrive(in_cta(empty + t % 2, lane));
    }
    out[32 * rank + lane] = sum;
  }
  LAST
}
"""
)
#: CTA 0 tells CTA 1 something that CTA 1 waits for, or does not.
_TOLD = (
    _BARRIERS
    + r"""
extern "C" __global__ void __cluster_dims__(2) k(unsigned *out, unsigned waits) {
  __shared__ Barrier told;
  if (threadIdx.x == 0) {
    init(&told, 1);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  meet();
  if (threadIdx.x == 0 && cta() == 0) TELL
  if (threadIdx.x == 0 && cta() == 1 && waits) wait(&told, 0);
  LAST
  if (threadIdx.x == 0) out[cta()] = 1;
}
"""
)
_ARRIVES = "arrive(in_cta(&told, 1));"
#: The engine's arrival in both CTAs.
_COMMITS = r"""asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster"
                 ".multicast::cluster.b64 [%0], %1;"
                 ::"r"(at(&told)), "h"((unsigned short)3) : "memory");"""


def _with(source: str, words: dict[str, str]) -> str:
    for word, text in words.items():
        source = source.replace(word, text)
    return source


def _run(source: str, target: str, *arguments: Any, **words: str) -> None:
    source = _with(source, words)
    device = lanemap.open_device(target, device="emulator", strict=True)
    given = [device.array(each) if isinstance(each, np.ndarray) else each for each in arguments]
    out = device.zeros(64, np.uint32)
    module = device.load(ptx(source, target=target))
    at = 1 if len(given) > 1 else 0
    module["k"](2, 64, (*given[:at], out, *given[at:]), cluster=2)
    if at:
        halves = arguments[0].reshape(-1, 2, 32)
        expected = halves[: arguments[1], 0].sum(0) + 2 * halves[: arguments[1], 1].sum(0)
        assert np.array_equal(out.get().reshape(2, 32), [expected, expected])
    else:
        assert out.get()[:2].tolist() == [1, 1]


def _late(source: str, where: str, *arguments: Any, target: str = "sm_90a", **words: str) -> None:
    said = "may end before this arrival at shared|after that CTA has ended"
    with pytest.raises(Hazard, match=said) as caught:
        _run(source, target, *arguments, **words)
    assert caught.value.kind == "ended-cta"
    line = next(i for i, text in enumerate(_with(source, words).splitlines(), 1) if where in text)
    assert f"test.cu:{line}" in str(caught.value)


_WORDS = np.arange(64 * 5, dtype=np.uint32)


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_ring_whose_producers_wait_for_all_releases(turns: int) -> None:
    _run(_RING, "sm_90a", _WORDS, np.uint32(turns), TAIL="2", LAST="")


def test_a_ring_whose_ctas_meet() -> None:
    _run(_RING, "sm_90a", _WORDS, np.uint32(5), TAIL="0", LAST="meet();")


@pytest.mark.parametrize("turns", [1, 5])
@pytest.mark.parametrize("tail", ["0", "1"])
def test_a_ring_whose_ctas_end_before_releases(turns: int, tail: str) -> None:
    """With one of two waits the last stage is not waited for, nor the only one."""
    _late(_RING, "// arrives", _WORDS, np.uint32(turns), TAIL=tail, LAST="")


@pytest.mark.parametrize("last", ["", "meet();"])
@pytest.mark.parametrize("waits", [0, 1])
def test_an_arrival_that_its_cta_does_not_wait_for(waits: int, last: str) -> None:
    if waits or last:
        _run(_TOLD, "sm_90a", np.uint32(waits), TELL=_ARRIVES, LAST=last)
    else:
        _late(_TOLD, "// arrives", np.uint32(waits), TELL=_ARRIVES, LAST=last)


@pytest.mark.parametrize("waits", [0, 1])
def test_a_commit_whose_arrival_its_cta_does_not_wait_for(waits: int) -> None:
    if waits:
        _run(_TOLD, "sm_100a", np.uint32(waits), TELL=_COMMITS, LAST="")
    else:
        _late(_TOLD, "short)3)", np.uint32(waits), target="sm_100a", TELL=_COMMITS, LAST="")


#: CTA 0 reaches a word of CTA 1, which waits for it, meets CTA 0, or ends.
_VISITED = (
    _BARRIERS
    + r"""
extern "C" __global__ void __cluster_dims__(2) k(unsigned *out) {
  __shared__ unsigned word;
  __shared__ Barrier told;
  if (threadIdx.x == 0) {
    word = 0;
    init(&told, 1);
    if (cta() == 1) expect(&told, 4);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  meet();
  if (threadIdx.x == 0 && cta() == 0) {
    unsigned to = in_cta(&word, 1), barrier = in_cta(&told, 1);
    VISIT
  }
  if (threadIdx.x == 0 && cta() == 1) { WAIT }
  LAST
  if (threadIdx.x == 0) out[cta()] = 1;
}
"""
)
_STORES = {
    "store": "st.shared::cluster.u32",
    "release": "st.release.cluster.shared::cluster.u32",
    "relaxed": "st.relaxed.cluster.shared::cluster.u32",
    "add": "red.relaxed.cluster.shared::cluster.add.u32",
    "async": "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32",
}
_VISITS = {
    name: f'asm volatile("{store} [%0], %1{", [%2]" if name == "async" else ""};"'
    ' ::"r"(to), "r"(1), "r"(barrier) : "memory");'
    for name, store in _STORES.items()
}
_POLL = "while (!*(volatile unsigned *)&word) ;"


@pytest.mark.parametrize("visit", _VISITS)
@pytest.mark.parametrize("last", ["", "meet();"])
def test_a_word_of_a_cta_that_does_not_wait(visit: str, last: str) -> None:
    """`st.async` needs a wait for its mbarrier: CTAs that meet do not wait for it."""
    words = {"VISIT": _VISITS[visit], "WAIT": "", "LAST": last}
    if last and visit != "async":
        _run(_VISITED, "sm_90a", **words)
        return
    said = "may end before this|after that CTA has ended"
    with pytest.raises(Hazard, match=said) as caught:
        _run(_VISITED, "sm_90a", **words)
    line = next(i for i, text in enumerate(_VISITED.splitlines(), 1) if "VISIT" in text)
    assert caught.value.kind == "ended-cta" and f"test.cu:{line}" in str(caught.value)


@pytest.mark.parametrize("visit", ["release", "relaxed", "add", "async"])
def test_a_word_of_a_cta_that_waits_for_it(visit: str) -> None:
    wait = "wait(&told, 0);" if visit == "async" else _POLL
    _run(_VISITED, "sm_90a", VISIT=_VISITS[visit], WAIT=wait, LAST="")
