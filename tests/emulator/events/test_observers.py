"""Observers from outside the packages: in Python and in C, told of the same events."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator import api
from tests.emulator.events.kernels import gfx, ptx

ROOT = Path(__file__).resolve().parents[3]


class Kept:
    """An observer that keeps what it is told."""

    def __init__(self, watch: api.Watch) -> None:
        self.watch = watch
        self.records = np.zeros(0, api.RECORD)
        self.opcodes: list[str] = []

    def begin(self) -> None:
        self.records, self.opcodes = self.records[:0], []

    def record(self, launch: api.Watched, records: NDArray[Any]) -> None:
        self.records = np.concatenate([self.records, records])
        self.opcodes += [
            launch.instruction(number).opcode if number != 0xFFFFFFFF else ""
            for number in records["operation"].tolist()
        ]

    def end(self, counts: api.Counts) -> None:
        self.counts = counts


def kept(
    text: str,
    watch: api.Watch,
    target: str = "sm_90a",
    grid: int = 1,
    cluster: int = 1,
    others: tuple[api.Observer, ...] = (),
) -> Kept:
    """What is told of a launch of 64 threads whose arguments point to 4096 defined bytes each."""
    observer = Kept(watch)
    machine = api.Machine(target, api.Settings(observers=(observer, *others)))
    pointers = [machine.allocate(4096, name) for name in "ab"]
    for pointer in pointers:
        machine.zero(pointer, 4096)
    arguments = b"".join(pointer.to_bytes(8, "little") for pointer in pointers)
    kernel = machine.load(text, "k").kernels["k"]
    kernel.launch((grid, 1, 1), (64, 1, 1), arguments, cluster=(cluster, 1, 1))
    return observer


def test_the_examples_print_what_the_kernel_does() -> None:
    """Two warps store to shared memory, load the next thread's word, and store to global memory.

    Neighbors are 4 bytes apart, but for the last thread, which loads word 0 where the one before
    loaded word 63: 2 * 31 + 2 * 31 - 1 + 2 * 31 pairs, and one 252 bytes apart. The first warp at
    the barrier waits for the other.
    """
    script = [sys.executable, str(ROOT / "examples/observe.py")]
    output = subprocess.run(script, check=True, cwd=ROOT, capture_output=True, text=True).stdout
    assert output.splitlines() == [
        "1 waits at bar.sync",
        "185 pairs of lanes are less than 8 bytes apart",
        "1 pairs of lanes are less than 256 bytes apart",
    ]


STORE = """
mov.u32 %t, %tid.x; mad.lo.u32 %r1, %ctaid.x, 64, %t; ld.param.u64 %d1, [a];
mad.wide.u32 %d2, %r1, 4, %d1; setp.lt.u32 %p, %t, 40; @%p st.global.u32 [%d2], %t;
""".replace("%ctaid.x", "%c").replace("mad.lo", "mov.u32 %c, %ctaid.x; mad.lo")


@pytest.mark.parametrize("cluster", [1, 2])
def test_an_access_says_who_where_and_how_much(cluster: int) -> None:
    """CTA c's threads 0 to 39 store 4 bytes each from 256 * c on: all of warp 0, 8 of warp 1."""
    told = kept(ptx(STORE), api.Watch.ACCESS, grid=4, cluster=cluster)
    stores = told.records[[opcode == "st.global.u32" for opcode in told.opcodes]]
    assert set(stores["happening"]) == {api.Happening.ACCESS} and set(stores["direction"]) == {1}
    base = int(stores["first"].min())
    found = {
        (int(e["cta"]), int(e["wave"])): (
            int(e["lanes"]),
            int(e["first"]) - base,
            int(e["end"]) - base,
            int(e["bytes"]),
        )
        for e in stores
    }
    assert len(stores) == 8 and found == {
        (cta, wave): (lanes, 256 * cta + 128 * wave, 256 * cta + 128 * wave + size, size)
        for cta in range(4)
        for wave, lanes, size in ((0, 2**32 - 1, 128), (1, 255, 32))
    }


def test_only_what_is_watched_is_told() -> None:
    text = ptx(STORE + "bar.sync 0;")
    watch = api.Watch.ISSUE | api.Watch.ACCESS | api.Watch.WAIT | api.Watch.BARRIER
    everything = kept(text, watch)
    assert everything.counts.instructions == [] and everything.counts.launches == 1
    kinds = set(everything.records["happening"])
    assert kinds == set(api.Happening) - {api.Happening.COMPLETE}
    for happening in api.Happening:
        told = kept(text, api.Watch(1 << happening), others=(Kept(api.Watch.ISSUE),))
        fields = [name for name in api.RECORD.names or () if name not in ("first", "end")]
        same = everything.records[everything.records["happening"] == happening][fields]
        assert told.records[fields].tolist() == same.tolist()


class Addresses(Kept):
    """Keeps the addresses of lanes, too."""

    def begin(self) -> None:
        super().begin()
        self.addresses: list[list[int]] = []

    def record(self, launch: api.Watched, records: NDArray[Any]) -> None:
        super().record(launch, records)
        self.addresses += launch.addresses.tolist()


def test_an_observer_has_the_address_of_each_lane() -> None:
    """A store, and the source of a copy, whose lanes are 4 and 16 bytes apart."""
    copy = """
    mov.u32 %r1, tile; ld.param.u64 %d1, [b]; mad.wide.u32 %d2, %t, 16, %d1;
    mad.lo.u32 %r2, %t, 16, %r1; cp.async.cg.shared.global [%r2], [%d2], 16; cp.async.wait_all;
    """
    observer = Addresses(api.Watch.ACCESS | api.Watch.ADDRESSES)
    kept(ptx(STORE + copy), api.Watch.ISSUE, others=(observer,))
    space = {"st.global.u32": 4, "cp.async.cg.shared.global": 16}
    seen = dict.fromkeys(space, 0)
    for e, opcode, addresses in zip(
        observer.records, observer.opcodes, observer.addresses, strict=True
    ):
        if opcode not in space:
            continue
        lanes = [lane for lane in range(32) if int(e["lanes"]) >> lane & 1]
        assert np.all(np.diff([addresses[lane] for lane in lanes]) == space[opcode])
        seen[opcode] += 1
    assert seen == {"st.global.u32": 2, "cp.async.cg.shared.global": 4}


def test_what_happens_at_barriers_is_told() -> None:
    """An object for 65 arrivals expects 256 bytes; both warps wait for its first phase."""
    body = """
    mov.u32 %t, %tid.x; mov.u32 %r1, tile; add.u32 %r2, %r1, 4096; ld.param.u64 %d1, [a];
    setp.ne.u32 %q, %t, 0; @%q bra begun; mbarrier.init.shared.b64 [%r2], 65;
    fence.mbarrier_init.release.cluster; fence.proxy.async;
    begun: bar.sync 3, 64; @%q bra arrive;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 256, [%r2];
    mbarrier.arrive.shared.b64 %d3, [%r2];
    arrive: mbarrier.arrive.shared.b64 %d3, [%r2];
    again: mbarrier.try_wait.parity.shared.b64 %p, [%r2], 0; @!%p bra again;
    """
    told = kept(ptx(body), api.Watch.BARRIER)
    found: dict[tuple[int, int], int] = {}
    for e in told.records:
        key = int(e["wave"]), int(e["reason"])
        found[key] = found.get(key, 0) + int(e["bytes"])
    act = api.Act
    assert found == {
        (0, act.BEGIN): 65,
        (0, act.EXPECT): 256,
        (0, act.COME): 256,
        (0, act.ARRIVE): 33,
        (1, act.ARRIVE): 32,
        (0, act.PASS): 0,
        (1, act.PASS): 0,
        (0, act.SYNC): 64,
        (1, act.SYNC): 64,
    }
    passes = told.records[told.records["reason"] == act.PASS]
    assert len(passes) == 64 and set(passes["sequence"]) == {1}
    places = {(int(e["first"]), int(e["end"])) for e in told.records if e["reason"] < act.SYNC}
    assert len(places) == 1
    assert {int(e["first"]) for e in told.records if e["reason"] == act.SYNC} == {3}


def test_a_counter_is_waited_for_by_its_instruction() -> None:
    body = "s_load_dwordx2 s[4:5], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_waitcnt lgkmcnt(0)"
    told = kept(gfx(body), api.Watch.WAIT, "gfx950")
    assert told.opcodes == ["s_waitcnt"]  # at the second one nothing is outstanding


def test_an_engine_accesses_on_behalf_of_a_warp() -> None:
    """cp.async: the agent of its accesses is no wave, and each copy has the next number."""
    body = """
    ld.param.u64 %d1, [a]; mov.u32 %t, %tid.x; mad.wide.u32 %d2, %t, 16, %d1;
    mov.u32 %r1, tile; mad.lo.u32 %r2, %t, 16, %r1;
    cp.async.cg.shared.global [%r2], [%d2], 16; cp.async.cg.shared.global [%r2+1024], [%d2], 16;
    cp.async.wait_all;
    """
    told = kept(ptx(body), api.Watch.ACCESS)
    copies = told.records[[opcode.startswith("cp.async.cg") for opcode in told.opcodes]]
    assert len(copies) == 2 * 2 * 2 and set(copies["bytes"]) == {32 * 16}
    assert (copies["agent"] > 1).all()
    for wave in range(2):
        mine = copies[copies["wave"] == wave]
        assert mine["sequence"].tolist() == [1, 1, 2, 2]
        assert mine["direction"].tolist() == [0, 1, 0, 1]


def completed(told: Kept) -> list[tuple[int, int, int, int, str]]:
    """Wave, agent, sequence, direction and opcode of each completion, in order."""
    return [
        (int(e["wave"]), int(e["agent"]), int(e["sequence"]), int(e["direction"]), opcode)
        for e, opcode in zip(told.records, told.opcodes, strict=True)
        if e["happening"] == api.Happening.COMPLETE
    ]


def test_a_wait_for_groups_completes_the_copies_of_all_but_the_last() -> None:
    """The second copy is still outstanding at wait_group 1, and complete at wait_group 0."""
    copy = "cp.async.cg.shared.global [%r2+{}], [%d2], 16; cp.async.commit_group; "
    body = (
        """
    ld.param.u64 %d1, [a]; mov.u32 %t, %tid.x; mad.wide.u32 %d2, %t, 16, %d1;
    mov.u32 %r1, tile; mad.lo.u32 %r2, %t, 16, %r1;
    """
        + copy.format(0)
        + copy.format(1024)
        + "".join(f"cp.async.wait_group {left}; " for left in (2, 1, 1, 0))
    )
    told = kept(ptx(body), api.Watch.ACCESS | api.Watch.COMPLETE)
    copies = told.records[[opcode.startswith("cp.async.cg") for opcode in told.opcodes]]
    (agent,) = set(copies["agent"].tolist())
    for wave in range(2):
        mine = [each for each in completed(told) if each[0] == wave]
        assert mine == [
            (wave, agent, 1, 1, "cp.async.wait_group"),
            (wave, agent, 2, 1, "cp.async.wait_group"),
        ]


def test_a_counter_completes_loads_in_their_order() -> None:
    body = """
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32 v1, 2, v0
  global_load_dword v2, v1, s[4:5]
  global_load_dword v3, v1, s[4:5] offset:256
  s_waitcnt vmcnt(1)
  s_waitcnt vmcnt(0)
"""
    told = kept(gfx(body), api.Watch.ACCESS | api.Watch.COMPLETE, "gfx950")
    loads = told.records[[opcode == "global_load_dword" for opcode in told.opcodes]]
    first, second = loads["sequence"].tolist()
    assert second == first + 1 and set(loads["agent"]) == {0}
    assert completed(told)[-2:] == [(0, 0, first, 1, "s_waitcnt"), (0, 0, second, 1, "s_waitcnt")]


def test_an_instruction_names_its_class_and_registers() -> None:
    seen: list[api.Instruction] = []

    class Issued(Kept):
        def record(self, launch: api.Watched, records: NDArray[Any]) -> None:
            seen.extend(launch.instruction(one) for one in records["operation"].tolist())

    kept(
        ptx("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1;"),
        api.Watch.COUNT,
        others=(Issued(api.Watch.ISSUE),),
    )
    add = next(each for each in seen if each.opcode == "add.u32")
    assert add.reads == ("%r1",) and add.writes == ("%r2",) and "integer" in add.kind


def test_the_reason_of_a_wait_has_a_name() -> None:
    names: list[str] = []

    class Waits(Kept):
        def record(self, launch: api.Watched, records: NDArray[Any]) -> None:
            names.extend(launch.reason(one) for one in records["reason"].tolist())

    waits = Waits(api.Watch.WAIT)
    told = kept(ptx("bar.sync 0;"), api.Watch.COUNT, others=(waits,))
    assert names == [wait.reason for wait in told.counts.waits] and len(names) == 1


def test_an_mbarrier_completes_the_bulk_copy_that_it_was_given() -> None:
    body = """
    .reg .b64 %s; ld.param.u64 %d1, [a]; mov.u32 %t, %tid.x; mov.u32 %r1, tile;
    add.u32 %r2, %r1, 1024; setp.ne.u32 %p, %t, 0; @%p bra WAIT;
    mbarrier.init.shared.b64 [%r2], 1; fence.mbarrier_init.release.cluster;
    fence.proxy.async;
    mbarrier.arrive.expect_tx.shared.b64 %s, [%r2], 512;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 512, [%r2];
    WAIT: bar.sync 0;
    POLL: mbarrier.try_wait.parity.shared.b64 %q, [%r2], 0; @!%q bra POLL;
    """
    told = kept(ptx(body), api.Watch.ACCESS | api.Watch.COMPLETE)
    copies = told.records[[opcode.startswith("cp.async.bulk") for opcode in told.opcodes]]
    accesses = copies[copies["happening"] == api.Happening.ACCESS]
    assert accesses["direction"].tolist() == [0, 1] and set(accesses["bytes"]) == {512}
    (over,) = told.records[told.records["happening"] == api.Happening.COMPLETE]
    assert set(accesses["object"]) == {over["object"]} and over["object"] > 0
    assert set(accesses["agent"]) == {over["agent"]}
    assert (accesses["sequence"] <= over["sequence"]).all()
