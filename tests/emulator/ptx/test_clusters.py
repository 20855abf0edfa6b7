"""Clusters of CTAs: who is who, addresses, what a launch may ask for, who waits for whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from lanemap.emulator.ptx.entry import load
from lanemap.errors import UserError
from lanemap.targets import TARGETS
from tests import ptx
from tests.devices.test_cuda import on_silicon

SPECIALS = (
    "%clusterid.x", "%clusterid.y", "%clusterid.z", "%nclusterid.x", "%nclusterid.y",
    "%nclusterid.z", "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z",
    "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_ctarank",
    "%cluster_nctarank", "%ctaid.x", "%ctaid.y", "%ctaid.z",
)  # fmt: skip


def entry(body: str, directives: str = "") -> str:
    """A kernel with some registers."""
    registers = """.reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>;
  .shared .align 4 .b8 room[256];"""
    return ptx.entry(f"{registers}\n{body}", directives=directives)


def launch(
    text: str,
    grid: Any = 1,
    cluster: Any = 1,
    words: int = 1,
    block: int = 32,
    where: str = "emulator",
    limit: int = 0,
) -> Any:
    """What the kernel leaves in `words` words, zero before."""
    device: Any = lanemap.open_device("sm_90a", device=where)
    if limit:
        device.instruction_limit = limit
    out = np.zeros(words, np.uint32)
    (out,) = ptx.launch(text, out, grid=grid, block=block, cluster=cluster, device=device)
    return out


@pytest.mark.parametrize("where", ["emulator", pytest.param("cuda", marks=on_silicon)])
def test_special_registers(where: str) -> None:
    number = "mad.lo.u32 %r1, %r21, %r18, %r20; mad.lo.u32 %r1, %r1, %r17, %r19;"
    reads = "".join(
        f"mov.u32 %r2, {name}; st.global.u32 [%rd2+{4 * i}], %r2;\n"
        for i, name in enumerate(SPECIALS)
    )
    body = f"""mov.u32 %r19, %ctaid.x; mov.u32 %r20, %ctaid.y; mov.u32 %r21, %ctaid.z;
        mov.u32 %r17, %nctaid.x; mov.u32 %r18, %nctaid.y; {number}
        mad.wide.u32 %rd2, %r1, {4 * len(SPECIALS)}, %out;\n{reads}"""
    grid, cluster = np.array([4, 6, 2]), np.array([2, 3, 1])
    got = launch(entry(body), tuple(grid), tuple(cluster), 48 * len(SPECIALS), where=where)
    for number_, row in enumerate(got.reshape(48, -1)):
        cta = np.array([number_ % 4, number_ // 4 % 6, number_ // 24])
        inside = cta % cluster
        rank = inside[0] + 2 * (inside[1] + 3 * inside[2])
        expected = [*(cta // cluster), *(grid // cluster), *inside, *cluster, rank, 6, *cta]
        assert row.tolist() == expected


EXPLICIT = """mov.pred %p1, %is_explicit_cluster; selp.u32 %r1, 1, 0, %p1;
  mov.u32 %r2, %cluster_nctarank; add.u32 %r1, %r1, %r2; st.global.u32 [%out], %r1;"""


def test_a_launch_without_a_cluster_is_of_one() -> None:
    assert launch(entry(EXPLICIT), 3)[0] == 1
    assert launch(entry(EXPLICIT), 4, 2)[0] == 3
    assert launch(entry(EXPLICIT, ".explicitcluster .reqnctapercluster 2"), 4)[0] == 3
    assert launch(entry(EXPLICIT, ".explicitcluster .maxclusterrank 4"), 4, 4)[0] == 5


@pytest.mark.parametrize(
    ("directives", "grid", "cluster", "words"),
    [
        ("", 5, 2, "does not divide into clusters of (2, 1, 1)"),
        ("", 34, 17, "at most 16 CTAs"),
        (".explicitcluster .maxclusterrank 4", 8, 8, "at most 4 CTAs"),
        (".explicitcluster .reqnctapercluster 2, 2", 8, 4, "clusters of (2, 2, 1)"),
        (".explicitcluster .reqnctapercluster 2, 2", 8, 1, "does not divide"),
        (".explicitcluster .maxclusterrank 4", 8, 1, "must be launched with a cluster"),
    ],
)
def test_what_cannot_be_launched(directives: str, grid: int, cluster: int, words: str) -> None:
    with pytest.raises(UserError) as refused:
        launch(entry(EXPLICIT, directives), grid, cluster)
    assert words in str(refused.value)


@pytest.mark.parametrize("cluster", [1, 2])
def test_a_grid_of_clusters(cluster: int) -> None:
    """PTX ISA, .blocksareclusters: the launch's grid counts clusters."""
    directives = ".blocksareclusters .reqntid 32 .reqnctapercluster 2"
    body = """mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, %nclusterid.x;
mul.wide.u32 %rd2, %r1, 8; add.u64 %rd2, %rd2, %out; st.global.v2.u32 [%rd2], {%r2, %r3};"""
    got = launch(entry(body, directives), 3, cluster, words=14)
    assert got.reshape(7, 2).tolist() == 6 * [[6, 3]] + [[0, 0]]


def test_the_largest_cluster() -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    out = device.zeros(1, np.uint32)
    device.load(entry(EXPLICIT))["k"](16, 1024, (out,), 220 << 10, 16)
    assert out.get()[0] == 17


ADDRESSES = """mov.u32 %r9, %cluster_ctarank; xor.b32 %r8, %r9, 1;
  mov.u32 %r1, room; mapa.shared::cluster.u32 %r2, %r1, %r8;
  mov.u64 %rd3, room; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, %r8;
  cvta.to.shared::cluster.u64 %rd7, %rd4; cvta.global.u64 %rd8, %out;
  mad.wide.u32 %rd2, %r9, 64, %out;"""
#: What leaves a truth in %p1 or a number in %r3, and what a CTA of that rank should find.
TRUTHS = {
    "mapping back": ("mapa.shared::cluster.u32 %r4, %r2, %r9; setp.eq.u32 %p1, %r4, %r1;", True),
    "generic and shared agree": ("cvt.u32.u64 %r4, %rd7; setp.eq.u32 %p1, %r4, %r2;", True),
    "own is shared::cta": ("isspacep.shared::cta %p1, %rd3;", True),
    "other's is not": ("isspacep.shared %p1, %rd4;", False),
    "own is shared::cluster": ("isspacep.shared::cluster %p1, %rd3;", True),
    "other's is shared::cluster": ("isspacep.shared::cluster %p1, %rd4;", True),
    "global is not": ("isspacep.shared::cluster %p1, %rd8;", False),
    "other's is not global": ("isspacep.global %p1, %rd4;", False),
}
RANKS = {
    "own": ("getctarank.shared::cluster.u32 %r3, %r1;", 0),
    "other's": ("getctarank.shared::cluster.u32 %r3, %r2;", 1),
    "other's generic": ("getctarank.u64 %r3, %rd4;", 1),
}


@pytest.mark.parametrize("where", ["emulator", pytest.param("cuda", marks=on_silicon)])
def test_addresses(where: str) -> None:
    texts = [f"{text} selp.u32 %r3, 1, 0, %p1;" for text, _ in TRUTHS.values()]
    texts += [text for text, _ in RANKS.values()]
    stores = "".join(f"{text} st.global.u32 [%rd2+{4 * i}], %r3;\n" for i, text in enumerate(texts))
    got = launch(entry(f"{ADDRESSES}\n{stores}"), 2, 2, 32, where=where).reshape(2, 16)
    for rank in range(2):
        expected = {name: int(truth) for name, (_, truth) in TRUTHS.items()}
        expected |= {name: rank ^ other for name, (_, other) in RANKS.items()}
        assert dict(zip(expected, got[rank].tolist(), strict=False)) == expected


def test_the_own_window_is_not_the_clusters() -> None:
    """On an H200 the same access ends with CUDA_ERROR_ILLEGAL_INSTRUCTION."""
    body = f"{ADDRESSES.partition('cvta')[0]} st.shared::cta.u32 [%r2], %r9;"
    with pytest.raises(Hazard, match="reaches only that of its own CTA, 0") as caught:
        launch(entry(body), 2, 2)
    assert caught.value.kind == "out-of-bounds"


def test_one_lane_of_a_warp_arrives_elsewhere() -> None:
    """Not .aligned: lanes may arrive and wait at different instructions."""
    body = """mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5; @%p1 bra few;
      barrier.cluster.arrive; barrier.cluster.wait; bra both;
      few: barrier.cluster.arrive; barrier.cluster.wait;
      both: setp.eq.u32 %p2, %r1, 0; mov.u32 %r2, 1; @%p2 red.global.add.u32 [%out], %r2;"""
    assert launch(entry(body), 6, 3)[0] == 6


@pytest.mark.parametrize("where", ["emulator", pytest.param("cuda", marks=on_silicon)])
def test_halves_of_a_warp_meet_round_after_round(where: str) -> None:
    """Lanes that wait go on when the round ends while others of their warp run."""
    rounds = """barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r3, %r3, 1;
      setp.lt.u32 %p2, %r3, 5; @%p2 bra """
    body = f"""mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 0;
      @%p1 bra even;
      odd: {rounds} odd; bra both;
      even: {rounds} even;
      both: red.global.add.u32 [%out], %r3;"""
    assert launch(entry(body), 4, 2, block=64, where=where)[0] == 4 * 64 * 5


def test_ended_lanes_have_arrived() -> None:
    body = """mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 1; @%p1 exit;
      barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
      mov.u32 %r2, 1; mov.u32 %r1, %tid.x; setp.eq.u32 %p2, %r1, 0;
      @%p2 red.global.add.u32 [%out], %r2;"""
    assert launch(entry(body), 6, 3, block=64)[0] == 4


def test_waiting_without_arriving() -> None:
    with pytest.raises(Hazard, match="without having arrived"):
        launch(entry("barrier.cluster.wait.aligned;"), 2, 2)


def test_a_barrier_that_one_cta_never_reaches() -> None:
    body = """mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 1; @%p1 bra loop;
      barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; bra out;
      loop: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p1, %r2, 0; @%p1 bra loop; out:"""
    with pytest.raises(Hazard) as caught:
        launch(entry(body), 2, 2, limit=50_000)
    assert caught.value.kind == "deadlock"
    assert "CTA 0 (rank 0 of cluster 0) warp 0 waits at line" in str(caught.value)
    assert "CTA 1 (rank 1 of cluster 0) warp 0 still loops at line" in str(caught.value)


SPIN = """mov.u32 %r1, 1; mov.u32 %r2, %tid.x; setp.ne.u32 %p2, %r2, 0; @%p2 bra out;
  red.release.gpu.global.add.u32 [%out], %r1; mov.u32 %r3, %nctaid.x; add.u32 %r3, %r3, MORE;
  loop: ld.acquire.gpu.global.u32 %r2, [%out]; setp.lt.u32 %p1, %r2, %r3; @%p1 bra loop;
  out:"""


def spin(ctas: int, more: int, block: int = 32, first: str = "") -> Any:
    text = entry(first + SPIN.replace("MORE", str(more)))
    return launch(text, ctas, block=block, limit=20_000)[0]


def test_ctas_that_wait_for_all_of_the_grid() -> None:
    assert spin(300, 0) == 300


def test_who_waits_for_a_cta_that_is_not_there() -> None:
    with pytest.raises(Hazard) as caught:
        spin(12, 1)
    assert caught.value.kind == "endless-loop"
    text = str(caught.value)
    assert "CTA 0 warp 0 at line" in text and "4 more wait in loops" in text
    assert "`@%p1 bra loop" in text


@pytest.mark.parametrize(
    ("waves", "shared", "ctas"),
    [(32, 0, 2), (8, 0, 8), (1, 0, 32), (1, 48 << 10, 4), (1, 113 << 10, 2), (1, 227 << 10, 1)],
)
def test_ctas_on_a_multiprocessor(waves: int, shared: int, ctas: int) -> None:
    """As CUDA's occupancy calculator has it for compute capability 9.0 and few registers."""
    kernel = load(entry(EXPLICIT), "k.ptx").kernels["k"]
    assert kernel.resident(waves, shared) == (132 * ctas, "an H200")


def test_more_ctas_than_the_gpu_runs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(TARGETS["sm_90a"].gpu, called="a small GPU", multiprocessors=2)
    monkeypatch.setitem(vars(TARGETS)["_read"], "sm_90a", replace(TARGETS["sm_90a"], gpu=small))
    assert spin(4, 0, 1024) == 4
    assert spin(7, -3, 1024) == 7  # those that began first have ended when the last ones begin
    with pytest.raises(
        Hazard, match="1 CTAs have not begun, because no more than 4 run at once on a small GPU"
    ):
        spin(5, 0, 1024)
    with pytest.raises(Hazard, match="1 CTAs have not begun"):
        spin(8, 1 - 3, 1024, "mov.u32 %r4, %ctaid.x; setp.lt.u32 %p3, %r4, 3; @%p3 bra out;")
