"""Faults in toy programs are caught where they are, and their corrected twins are clean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.runtime import abi
from tests.emulator.codegen.toy import (
    EXEC,
    POINTER,
    S,
    ToyEntry,
    V,
    end,
    load_pointer,
    op,
    run,
    store_v,
)

SHARED = abi.Space.SHARED


def pointer() -> Operation:
    return op("pointer", load_pointer, **POINTER)  # type: ignore[arg-type]


def straight(*operations: Operation, shared: int = 0) -> ToyEntry:
    return ToyEntry([([pointer(), *operations, op("end", end)], ())], shared)


def address(b: Builder, shift: int = 2, extra: int = 0) -> Value:
    return b.alu.add(
        b.alu.shl(b.registers.read(V[0]), b.ir.constant("i32", shift)), b.ir.constant("i32", extra)
    )


def ds_write(register: int = 0, extra: int = 0) -> Operation:
    def emit(b: Builder) -> None:
        b.memory.store(SHARED, address(b, 2, extra), [b.registers.read(V[register])], 4, align=4)
        b.pending.issue(1, [], abi.Space.SHARED)

    return op("ds_write", emit, (V[0], V[register]))


def ds_read(into: int, where: Callable[[Builder], Value] = address) -> Operation:
    def emit(b: Builder) -> None:
        b.registers.write_issued(V[into], b.memory.load(SHARED, where(b), 4, align=4)[0])
        b.pending.issue(1, [V[into]], abi.Space.SHARED)

    return op("ds_read", emit, (V[0],), (V[into],), undefines=True)


def wait(allowed: int = 0) -> Operation:
    def emit(b: Builder) -> None:
        b.pending.wait(1, allowed)
        b.pending.begin_segment()

    return op("wait", emit, waits=True)


def other_wave(b: Builder) -> Value:
    return b.alu.xor(address(b), b.ir.constant("i32", 256))


def caught(entry: ToyEntry, kind: str, line: int, words: str, **how: int) -> Hazard:
    with pytest.raises(Hazard) as caught_hazard:
        run(entry, **how)
    hazard = caught_hazard.value
    assert (hazard.kind, hazard.line) == (kind, line), str(hazard)
    assert words in str(hazard)
    return hazard


def test_result_used_before_its_wait() -> None:
    caught(straight(ds_write(), ds_read(1), store_v(V[1]), shared=256), "pending", 4, "lgkmcnt")
    words, _ = run(straight(ds_write(), ds_read(1), wait(), store_v(V[1]), shared=256))
    assert np.array_equal(words, np.arange(64))


def test_a_wait_that_allows_one_too_many() -> None:
    early = straight(ds_write(), ds_read(1), ds_read(2), wait(1), store_v(V[2]), shared=256)
    caught(early, "pending", 6, "v2")
    run(straight(ds_write(), ds_read(1), ds_read(2), wait(1), store_v(V[1]), wait(0), shared=256))


def barrier(*before: Operation) -> list[tuple[Sequence[Operation], tuple[int, ...]]]:
    stop = op("barrier", lambda b: b.flow.goto(1, abi.Run.BARRIER))
    return [
        ([pointer(), *before, stop], (1,)),
        ([ds_read(1, other_wave), wait(), store_v(V[1]), op("end", end)], ()),
    ]


def test_order_between_waves() -> None:
    words, _ = run(ToyEntry(barrier(ds_write(), wait()), 512), threads=128)
    assert np.array_equal(words, np.arange(128) ^ 64)
    # the barrier alone does not wait for the write
    hazard = caught(ToyEntry(barrier(ds_write()), 512), "order", 4, "barrier", threads=128)
    assert hazard.wave in (0, 1)


def test_missing_barrier_is_caught_whichever_wave_runs_first() -> None:
    program = straight(
        ds_write(), wait(), ds_read(1, other_wave), wait(), store_v(V[1]), shared=512
    )
    with pytest.raises(Hazard) as found:
        run(program, threads=128)
    assert found.value.kind in ("order", "undefined")


def test_store_of_the_same_value_is_no_race() -> None:
    def emit(b: Builder) -> None:
        b.memory.store(SHARED, b.ir.constant("i32", 16, True), [b.ir.constant("i32", 7, True)], 4)

    run(straight(op("same", emit), store_v(V[0]), shared=64), threads=128)


def test_never_written_shared_memory_reaches_the_host() -> None:
    program = straight(ds_read(1, lambda b: address(b, 2, 8)), wait(), store_v(V[1]), shared=264)
    with pytest.raises(Hazard) as found:
        run(program)
    text = str(found.value)
    assert found.value.kind == "undefined"
    assert "shared memory, byte 0x8, which nothing had written when lane 0" in text
    assert "line 2" in text


def test_undefined_register_in_a_branch_and_an_address() -> None:
    def branch(b: Builder) -> None:
        condition = b.alu.compare("eq", b.registers.read(S[9]), b.ir.constant("i32", 0))
        b.flow.branch(condition, 1, 1)

    decide = ToyEntry([([op("branch", branch, (S[9],))], (1,)), ([op("end", end)], ())])
    caught(decide, "undefined", 1, "branch; they come from register s9")

    def load(b: Builder) -> None:
        b.registers.write(V[1], b.memory.load(SHARED, b.registers.read(V[5]), 4)[0])

    loads = op("load", load, (V[5],), (V[1],))
    caught(straight(loads, shared=64), "undefined", 2, "address")


def test_out_of_bounds_and_misaligned() -> None:
    hazard = caught(straight(ds_write(0, 4), shared=256), "out-of-bounds", 2, "shared memory")
    assert hazard.lane == 63
    caught(straight(ds_write(0, 2), shared=512), "misaligned", 2, "multiple of 4")

    def beyond(b: Builder) -> None:
        base = b.alu.join(b.registers.read(S[2]), b.registers.read(S[3]))
        place = b.alu.add(base, b.ir.constant("i64", 256, True))
        b.memory.store(abi.Space.GLOBAL, place, [b.registers.read(V[0])], 4)

    stores = op("beyond", beyond, (S[2], S[3], V[0]))
    caught(straight(stores), "out-of-bounds", 2, "past the end")


def test_endless_loop() -> None:
    loop = ToyEntry(
        [
            ([op("start", lambda b: b.flow.goto(1))], (1,)),
            ([op("loop", lambda b: b.flow.goto(1))], (1,)),
        ]
    )
    caught(loop, "endless-loop", 2, "more than 1000 instructions", limit=1000)


def test_report_collects_and_goes_on() -> None:
    program = straight(ds_write(0, 4), ds_write(0, 2), store_v(V[0]), shared=256)
    words, machine = run(program, hazards="report")
    assert [h.kind for h in machine.reported] == ["out-of-bounds", "misaligned", "out-of-bounds"]
    assert np.array_equal(words, np.arange(64))


def test_report_keeps_what_was_met_before_a_launch_was_stopped() -> None:
    """Three faults, then an endless loop: the exception tells the loop, the report the faults."""
    faults = [pointer(), ds_write(0, 4), ds_write(0, 2), op("start", lambda b: b.flow.goto(1))]
    entry = ToyEntry([(faults, (1,)), ([op("loop", lambda b: b.flow.goto(1))], (1,))], 256)
    machine = Launcher(Settings("report", limit=1000))
    out = machine.memory.allocate(256)
    with pytest.raises(Hazard, match="more than 1000 instructions"):
        machine.launch(entry, (1, 1, 1), (64, 1, 1), out.base.to_bytes(8, "little"), 0)
    assert [h.kind for h in machine.reported] == ["out-of-bounds", "misaligned", "out-of-bounds"]


def test_inactive_lanes_keep_their_registers() -> None:
    def narrow(b: Builder) -> None:
        b.registers.write(EXEC[0], b.ir.constant("i32", 0xFF00))
        b.registers.write(EXEC[1], b.ir.constant("i32", 0))

    def widen(b: Builder) -> None:
        for register in EXEC:
            b.registers.write(register, b.ir.constant("i32", -1))

    program = straight(
        op("v1 = 1", lambda b: b.registers.write(V[1], b.ir.constant("i32", 1)), (), (V[1],)),
        op("narrow", narrow, (), EXEC),
        op("v1 = 2", lambda b: b.registers.write(V[1], b.ir.constant("i32", 2)), EXEC, (V[1],)),
        op("widen", widen, (), EXEC, fills_mask=True),
        store_v(V[1]),
    )
    words, _ = run(program)
    assert np.array_equal(words, np.where((np.arange(64) >= 8) & (np.arange(64) < 16), 2, 1))
