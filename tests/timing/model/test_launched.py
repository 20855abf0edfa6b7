"""Traces of launches on the emulator, against what each kernel is written to do."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

import lanemap
from lanemap.timing.model.launched import Joined, joined
from lanemap.timing.model.recording import TraceRecorder
from lanemap.timing.model.trace import Trace, Unit
from tests.timing import one_cta
from tests.timing.executed import ONE_CTA, TARGET, assembled
from tests.timing.test_paths import HEAD, LOOP

pytest.importorskip("nvidia.cu13")


def traced(text: str, turns: int, threads: int, ctas: int = 1, cluster: int = 1) -> Joined:
    """The trace of a kernel of test_paths.py."""
    device = lanemap.open_device(TARGET, "emulator")
    recorder = TraceRecorder()
    out = device.zeros(65536, np.uint32)
    with device.observe(recorder):  # type: ignore[attr-defined]
        device.load(text)["k"](ctas, threads, (out, np.uint32(turns)), cluster=(cluster, 1, 1))
    return joined(recorder.launches[0], text, assembled(text))


@cache
def one(name: str) -> Trace:
    """The trace of a kernel of one_cta.cu."""
    recorder = TraceRecorder()
    device = lanemap.open_device(TARGET, "emulator")
    with device.observe(recorder):  # type: ignore[attr-defined]
        ONE_CTA[name].launch(device)
    return joined(recorder.launches[0], ONE_CTA[name].text, ONE_CTA[name].cubin()).trace


def works(trace: Trace, warp: int, unit: Unit, opcode: str = "") -> list[np.void]:
    """What a warp of the first CTA asks of a unit, in order of issue."""
    own = trace.warps[trace.ctas[trace.grid[0]][warp]]
    return [
        trace.works[work]
        for place, work in zip(own.issued.tolist(), own.works.tolist(), strict=True)
        if work >= 0
        and trace.works[work]["unit"] == unit
        and trace.code[place].opcode.startswith(opcode)
    ]


def test_warps_and_ctas_that_do_the_same_are_shared() -> None:
    """Three turns with a store each, whose 32 words are 4 sectors; a CTA's warps differ in place.

    Every CTA stores to the same places, so the bases of all CTAs are those of the first.
    """
    trace = traced(LOOP, 3, 64, ctas=2).trace
    assert (len(trace.warps), trace.ctas, trace.grid.tolist()) == (1, ((0, 0),), [0, 0])
    stores = works(trace, 0, Unit.GLOBAL, "STG")
    assert len(stores) == 3
    for each in stores:
        first, count = int(each["first"]), int(each["count"])
        assert trace.sectors[first : first + count].tolist() == [0, 32, 64, 96]
    bases = [each[each > 0] for each in trace.addresses(1)]
    assert [len(each) for each in bases] == [3, 3]
    assert bases[1][0] - bases[0][0] == 128
    assert (trace.threads, trace.cluster) == (64, 1) and 0 < trace.registers <= 32


def test_an_access_has_the_sectors_of_its_lanes() -> None:
    """Lanes are 48 bytes apart: lane i has the sector 48 i / 32, each once."""
    text = HEAD.replace("mul.wide.u32 %o, %t, 4;", "mul.wide.u32 %o, %t, 48;")
    trace = traced(text + "st.global.u32 [%a], %t;\nret;\n}\n", 1, 32).trace
    (store,) = works(trace, 0, Unit.GLOBAL, "STG")
    first, count = int(store["first"]), int(store["count"])
    expected = sorted({48 * lane // 32 * 32 for lane in range(32)})
    assert trace.sectors[first : first + count].tolist() == expected


def test_passes_are_those_of_the_banks() -> None:
    """A column of 32 words is in one bank with a pitch of 32, in 32 banks with one of 33."""
    for name, passes in (("transpose_32", 32), ("transpose_33", 1)):
        loads = works(one(f"one_cta {name} 8"), 3, Unit.SHARED, "LDS")
        turned = Counter(int(each["passes"]) for each in loads)
        assert turned[passes] >= 8 * 4 and {int(each["least"]) for each in loads} == {1}


def test_copies_and_waits_name_mbarrier_and_phase() -> None:
    """32 tiles through a ring of four: each object has 8 phases, with 4096 bytes in each."""
    trace = one("one_cta ring 8")
    copies = works(trace, 0, Unit.BULK_LOAD)
    assert len(copies) == 32 and {int(each["bytes"]) for each in copies} == {4096}
    assert set(Counter(int(each["object"]) for each in copies).values()) == {8}
    arrivals = works(trace, 0, Unit.MBARRIER_ARRIVE)
    assert {(int(e["amount"]), int(e["bytes"]), int(e["cta_mask"])) for e in arrivals} == {
        (1, 4096, 1)
    }
    for warp in (0, 5):
        waits = [
            (int(e["object"]), int(e["phase"])) for e in works(trace, warp, Unit.MBARRIER_WAIT)
        ]
        objects = [place for place, _ in waits[:4]]
        assert waits == [(objects[n % 4], n // 4 + 1) for n in range(32)]
    assert not works(trace, 5, Unit.BULK_LOAD)
    assert {int(each["amount"]) for each in works(trace, 0, Unit.MBARRIER_INIT)} == {1}


def test_a_guard_that_is_false_for_all_lanes_turns_an_instruction_off() -> None:
    """Halving 8 warps' sums: of the last warp's loads and stores only the first are not off."""
    trace = one("one_cta tree 8")
    loads = [len(works(trace, warp, Unit.SHARED, "LDS")) for warp in range(8)]
    assert loads[0] - loads[7] == 8 * 8 * 2
    turned_off = works(trace, 7, Unit.OFF)
    assert len(turned_off) >= 8 * 8


def test_barriers_have_numbers_and_threads() -> None:
    barriers = works(one("one_cta transpose_33 8"), 0, Unit.BARRIER)
    assert len(barriers) == 1 + 2 * 8
    assert {(int(each["object"]), int(each["amount"])) for each in barriers} == {(0, 0)}


@pytest.mark.parametrize("kernel", sorted(one_cta.ORACLES))
def test_every_kernel_of_one_cta_has_a_trace(kernel: str) -> None:
    """Each warp issues its clock twice, and ends; what it issues asks for works that are there."""
    name = next(name for name in ONE_CTA if name.split()[1] == kernel)
    trace = one(name)
    assert len(trace.grid) == 1
    for number in trace.ctas[0]:
        own = trace.warps[number]
        opcodes = [trace.code[place].opcode for place in own.issued.tolist()]
        assert opcodes.count("CS2R") >= 2 and opcodes[-1] == "EXIT"
        assert own.works.max(initial=-1) < len(trace.works)
    trace.addresses(0)


#: A barrier of the cluster between two stores.
CLUSTER = (
    HEAD
    + """
  mov.u32 %v, %ctaid.x; mul.wide.u32 %o, %v, 256; add.u64 %a, %a, %o;
  st.global.u32 [%a], %t;
  barrier.cluster.arrive.release.aligned;
  barrier.cluster.wait.acquire.aligned;
  st.global.u32 [%a], %n;
  ret;
}
"""
)


def barriers(trace: Trace) -> Counter[str]:
    """How often the first warp issues each opcode of barriers."""
    own = trace.warps[trace.ctas[trace.grid[0]][0]]
    names = (trace.code[place].opcode.split(".")[0] for place in own.issued.tolist())
    return Counter(name for name in names if name.startswith(("BAR", "UCGABAR", "MEMBAR")))


def test_without_clusters_a_barrier_of_the_cta_stands_for_that_of_the_cluster() -> None:
    """ptxas makes both, and c[0x0][0x140] says which: only a launch with clusters fences."""
    alone = traced(CLUSTER, 1, 64, ctas=2).trace
    assert barriers(alone) == {"BAR": 1}
    (wait,) = works(alone, 0, Unit.BARRIER)
    assert (wait["object"], wait["amount"]) == (0, 0)
    both = traced(CLUSTER, 1, 64, ctas=2, cluster=2).trace
    assert barriers(both) == {"MEMBAR": 1, "UCGABAR_ARV": 1, "UCGABAR_WAIT": 1}


def test_arrays_that_copies_of_lanes_read_are_accessed() -> None:
    """cp.async reads all of an array of 64 KiB, 16 bytes a lane; the first CTA's are 1024."""
    text = (
        HEAD.replace(".visible", ".extern .shared .align 16 .b8 smem[];\n.visible")
        + """
  .reg .b32 %s; .reg .b64 %b; .reg .b32 %c;
  mov.u32 %c, %ctaid.x; mad.lo.u32 %c, %c, 64, %t; mul.wide.u32 %b, %c, 16;
  ld.param.u64 %a, [out]; add.u64 %a, %a, %b;
  mov.u32 %s, smem; mad.lo.u32 %s, %t, 16, %s;
  cp.async.cg.shared.global [%s], [%a], 16;
  cp.async.wait_all;
  ret;
}
"""
    )
    device = lanemap.open_device(TARGET, "emulator")
    recorder = TraceRecorder()
    read = device.zeros(16384, np.uint32)
    with device.observe(recorder):  # type: ignore[attr-defined]
        device.load(text)["k"](64, 64, (read, np.uint32(1)), shared_bytes=1024)
    found = joined(recorder.launches[0], text, assembled(text))
    assert 65536 <= found.touched <= 65536 + 1024 and 65536 in dict(found.trace.arrays).values()
