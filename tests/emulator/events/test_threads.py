"""The counts are the same at any number of threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lanemap.emulator.host import run as host_run
from lanemap.emulator.host import threads as host_threads
from tests.emulator.events.kernels import counted, device, gfx, ptx

BODY = """
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %r1, %c, 96, %t; mov.u32 %r8, tile;
ld.param.u64 %d1, [a]; mad.wide.u32 %d2, %r1, 4, %d1;
and.b32 %r2, %c, 7; mov.u32 %r3, 0;
AGAIN: mad.lo.u32 %r4, %t, 8, %r8; st.shared.u32 [%r4], %r1; bar.sync 0;
ld.shared.u32 %r5, [%r4]; bar.sync 0;
add.u32 %r3, %r3, 1; setp.le.u32 %p, %r3, %r2; @%p bra AGAIN;
setp.lt.u32 %q, %t, 40; @%q add.u32 %r5, %r5, 1;
st.global.u32 [%d2], %r5;
"""


@pytest.mark.parametrize("cluster", [1, 3])
def test_the_same_at_any_number_of_threads(cluster: int, monkeypatch: pytest.MonkeyPatch) -> None:
    workers: list[int] = []

    class Seen(host_threads.SideBySide):
        def run(self) -> None:
            workers.append(len(self._workers))
            super().run()

    monkeypatch.setattr(host_run, "SideBySide", Seen)
    monkeypatch.setattr(host_run, "LEAST_SECONDS", 0)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setenv("LANEMAP_THREADS", str(threads))
        opened = device()
        out = opened.zeros(24 * 96, np.uint32)
        text = ptx(BODY, parameters=".param .u64 a", shared=1024)
        found.append(counted(opened, text, 24, 96, [out], cluster=cluster).to_json())
    assert max(workers) == 5
    assert found[0] == found[1] == found[2]
    rounds = sum(cta % 8 + 1 for cta in range(24))
    assert found[0]["executed"]["waves"] == 3 * (24 * (8 + 4 + 1) + 8 * rounds - 24)


def test_a_trace_is_in_order_whatever_the_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_run, "LEAST_SECONDS", 0)
    texts = []
    for threads in (1, 4):
        monkeypatch.setenv("LANEMAP_THREADS", str(threads))
        opened = device()
        kernel = opened.load(ptx(BODY, parameters=".param .u64 a", shared=1024))["k"]
        with opened.trace(tmp_path / "trace.csv"):
            kernel(6, 96, [opened.zeros(6 * 96, np.uint32)])
        texts.append((tmp_path / "trace.csv").read_text())
    assert texts[0] == texts[1] and texts[0].count("\n") > 500


def test_the_same_on_gfx950(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_run, "LEAST_SECONDS", 0)
    body = """
        v_lshlrev_b32 v1, 2, v0
        ds_write_b32 v1, v0
        s_waitcnt lgkmcnt(0)
        s_barrier
        s_and_b32 s4, s2, 3
    again:
        ds_read_b32 v2, v1
        s_waitcnt lgkmcnt(0)
        s_sub_u32 s4, s4, 1
        s_cbranch_scc0 again
    """
    found = []
    for threads in (1, 3):
        monkeypatch.setenv("LANEMAP_THREADS", str(threads))
        counts = counted(device("gfx950"), gfx(body), 16, 128, [np.uint64(0), np.uint64(0)])
        found.append(counts.to_json())
    assert found[0] == found[1]
    # s2 is the workgroup: 0 to 3 rounds after the first, until the borrow is set
    rounds = sum(group % 4 + 1 for group in range(16))
    assert found[0]["executed"]["waves"] == 2 * (16 * (5 + 1) + 4 * rounds)
