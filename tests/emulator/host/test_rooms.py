"""Launches use memory of clusters that earlier ones left, of which nothing shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host import rooms
from lanemap.emulator.host.hazards import Hazard
from tests import ptx

#: Either part of a launch: what the second may not see of the first.
PARTS = {
    "shared memory": ("st.shared.u32 [%s], %t;", "ld.shared.u32 %v, [%s];"),
    "an mbarrier": (
        "setp.eq.u32 %q, %t, 0; @%q mbarrier.init.shared.b64 [tile], 32;",
        "mbarrier.arrive.shared.b64 _, [tile]; mov.u32 %v, 1;",
    ),
    "local memory": ("st.local.u32 [own], %t;", "ld.local.u32 %v, [own];"),
    "a value of another branch": ("mov.u32 %v, 7;", ""),
}


def _text(first: str, second: str) -> str:
    return ptx.entry(
        f"""
        .reg .pred %p, %q; .reg .b32 %t, %v, %f, %s; .reg .b64 %o, %a;
        .shared .align 16 .b8 tile[512]; .local .align 4 .b8 own[4];
        mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s;
        mov.b64 %a, %in; ld.global.u32 %f, [%a]; setp.eq.u32 %p, %f, 0; @%p bra SECOND;
        {first} bra END;
        SECOND: {second} mov.b64 %o, %out; mad.wide.u32 %o, %t, 4, %o; st.global.u32 [%o], %v;
        END:""",
        "out in",
    )


@pytest.mark.parametrize("name", PARTS)
def test_nothing_of_an_earlier_launch_is_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    class Seen(rooms.ClusterMemory):
        def __init__(self, *given: Any) -> None:
            made.append(given[-1])
            super().__init__(*given)

    monkeypatch.setattr(rooms, "ClusterMemory", Seen)
    device = lanemap.open_device("sm_90a", "emulator")
    out, flag = device.zeros(32, np.uint32), device.array(np.ones(1, np.uint32))
    kernel = device.load(_text(*PARTS[name]))["k"]
    for _ in range(3):
        kernel(2, 32, (out, flag))
    assert made == [False], "one memory for all clusters of three launches, in fast code"
    flag.set(np.zeros(1, np.uint32))
    with pytest.raises(Hazard):
        kernel(1, 32, (out, flag))
        out.get()


def test_memory_serves_launches_of_other_sizes() -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    out, flag = device.zeros(32, np.uint32), device.array(np.zeros(1, np.uint32))
    kernel = device.load(_text("", "mov.u32 %v, %t;"))["k"]
    for threads in (32, 16, 32, 8):
        out.set(np.zeros(32, np.uint32))
        kernel(1, threads, (out, flag))
        assert out.get()[:threads].tolist() == list(range(threads))
        assert not out.get()[threads:].any()
