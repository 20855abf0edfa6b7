"""The machine of the timing model: hand-written traces, and windows of probes beside rows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.timing.find import find_probes
from lanemap.timing.model import consistency
from lanemap.timing.model.parameters import Parameters, Reading
from lanemap.timing.model.simulate import Reason, Result, Simulation, refused
from lanemap.timing.model.trace import WORK, Trace, Unit, WarpTrace
from lanemap.timing.series import SeriesProbe, assembled
from lanemap.toolchain.control import NO_BARRIER, Control
from lanemap.toolchain.sass import SassInstruction

PARAMETERS = Parameters()


def instruction(
    place: int,
    opcode: str,
    operands: str = "",
    stall: int = 1,
    write: int = NO_BARRIER,
    waits: int = 0,
    guard: str = "",
) -> SassInstruction:
    word = Control(stall, 1, write, NO_BARRIER, waits, 0).put(0)
    return SassInstruction(16 * place, guard, opcode, operands, word)


def trace(
    code: Sequence[SassInstruction],
    warps: Sequence[Sequence[int]],
    works: Sequence[dict[str, int]] = (),
    asked: dict[int, int] | None = None,
) -> Trace:
    """A CTA whose warps issue these places of the code; `asked` says what a place asks for."""
    rows = np.zeros(len(works), WORK)
    for number, work in enumerate(works):
        for name, value in work.items():
            rows[name][number] = value
    own = tuple(
        WarpTrace(
            np.array(issued, np.int32),
            np.array([(asked or {}).get(place, -1) for place in issued], np.int32),
        )
        for issued in warps
    )
    return Trace(
        tuple(code), rows, np.zeros(0, np.uint32), own, (tuple(range(len(own))),),
        np.zeros(1, np.int32), (np.zeros(0, np.uint64),), threads=32 * len(own),
    )  # fmt: skip


def accounted(found: Result) -> None:
    """All warp cycles have a reason."""
    assert found.account.sum() == found.cycles * len(found.warps)


def test_stall_counts_and_results_say_when_a_warp_issues() -> None:
    code = [
        instruction(0, "LOP3.LUT", "R0, R1, R2, RZ, 0x3c, !PT", stall=4),
        instruction(1, "MUFU.EX2", "R4, R0", stall=2, write=0),
        instruction(2, "LOP3.LUT", "R6, R4, R2, RZ, 0x3c, !PT", stall=5, waits=1),
        instruction(3, "EXIT"),
    ]
    found = Simulation(trace(code, [range(4)]), PARAMETERS).whole()
    assert found.warps[0].cycles.tolist() == [0, 4, 21, 26]
    reasons = [list(Reason)[number] for number in found.warps[0].reasons]
    assert reasons[1:] == [Reason.STALL_COUNT, Reason.RESULT, Reason.STALL_COUNT]
    assert found.warps[0].causes.tolist()[2] == 1
    accounted(found)


def test_a_barrier_holds_the_first_until_the_last_comes() -> None:
    code = [
        instruction(0, "LOP3.LUT", "R0, R1, R2, RZ, 0x3c, !PT", stall=15 - 4),
        instruction(1, "BAR.SYNC.DEFER_BLOCKING", "0x0"),
        instruction(2, "EXIT"),
    ]
    work = {"unit": Unit.BARRIER}
    found = Simulation(trace(code, [[1, 2], [0, 1, 2]], [work], {1: 0}), PARAMETERS).whole()
    late, early = found.warps[1].cycles.tolist(), found.warps[0].cycles.tolist()
    assert late[1] == 11 and early[0] == 0
    assert early[1] == late[2] == 11 + 2 + 12
    assert list(Reason)[found.warps[0].reasons[1]] is Reason.BARRIER
    assert found.warps[0].causing[1] == 1
    accounted(found)


def test_a_wait_for_a_phase_ends_with_its_last_arrival() -> None:
    code = [
        instruction(0, "SYNCS.EXCH.64", "URZ, [UR4], UR6"),
        instruction(1, "NANOSLEEP", "RZ"),
        instruction(2, "SYNCS.ARRIVE.TRANS64.A1T0", "RZ, [R0], RZ"),
        instruction(3, "SYNCS.PHASECHK.TRANS64.TRYWAIT", "P0, [R0], R7", write=1),
        instruction(4, "EXIT", waits=2),
    ]
    works = [
        {"unit": Unit.MBARRIER_INIT, "amount": 2},
        {"unit": Unit.MBARRIER_ARRIVE, "amount": 1},
        {"unit": Unit.MBARRIER_WAIT, "phase": 1},
    ]
    asked = {0: 0, 2: 1, 3: 2}
    found = Simulation(trace(code, [[0, 2, 3, 4], [1, 1, 2, 4]], works, asked), PARAMETERS).whole()
    arrived = int(found.warps[1].cycles[2])
    assert arrived > 100
    assert found.warps[0].cycles[3] == arrived + 39
    assert list(Reason)[found.warps[0].reasons[3]] is Reason.MBARRIER
    accounted(found)


def test_a_phase_ends_when_the_bytes_that_it_expects_are_there() -> None:
    """Of two mbarriers; the copy names the second by its address."""
    code = [
        instruction(0, "SYNCS.EXCH.64", "URZ, [UR4], UR6"),
        instruction(1, "SYNCS.ARRIVE.TRANS64", "RZ, [UR4], R3"),
        instruction(2, "UTMALDG.2D", "[UR4], [UR6]"),
        instruction(3, "SYNCS.PHASECHK.TRANS64.TRYWAIT", "P0, [R0], R7", write=1),
        instruction(4, "EXIT", waits=2),
    ]
    works = [
        {"unit": Unit.MBARRIER_INIT, "object": 16, "amount": 1},
        {"unit": Unit.MBARRIER_ARRIVE, "object": 16, "amount": 1, "bytes": 1024},
        {"unit": Unit.BULK_LOAD, "object": 16, "bytes": 1024},
        {"unit": Unit.MBARRIER_WAIT, "object": 16, "phase": 1},
        {"unit": Unit.MBARRIER_INIT, "object": 8, "amount": 1},
    ]
    own = trace(code, [range(5)], works, {0: 0, 1: 1, 2: 2, 3: 3})
    found = Simulation(own, PARAMETERS, warm=True).whole()
    began, ended = found.warps[0].cycles[2], found.warps[0].cycles[4]
    assert ended - began == pytest.approx(333.5 - 23, abs=1)
    assert list(Reason)[found.warps[0].reasons[4]] is Reason.MBARRIER
    accounted(found)


def test_who_waits_for_nobody_is_refused() -> None:
    code = [instruction(0, "BAR.SYNC.DEFER_BLOCKING", "0x0"), instruction(1, "EXIT")]
    stuck = trace(code, [[0, 1], [1]], [{"unit": Unit.BARRIER}], {0: 0})
    with pytest.raises(UserError, match="wait for each other"):
        Simulation(stuck, PARAMETERS).whole()


def test_what_no_row_times_is_refused_by_name() -> None:
    code = [
        instruction(0, "FANCY.OP"),
        instruction(1, "MUFU.RCP64H", write=0),
        instruction(2, "EXIT"),
    ]
    reason = refused(trace(code, [range(3)]), PARAMETERS)
    assert "FANCY.OP" in reason and "MUFU.RCP64H" not in reason


def test_a_number_without_a_row_is_refused() -> None:
    with pytest.raises(UserError, match="no figure of 'nothing of the kind'"):
        Parameters().read("free", Reading("alu_rates", "nothing of the kind"))


@pytest.mark.parametrize(
    ("group", "label"),
    [
        ("issue", "loop lop3=32"),
        ("alu_rates", "MUFU.EX2 rate warps=16"),
        ("smem", "ld.shared.b32 chase passes=8"),
    ],
)
def test_a_probes_window_takes_what_its_row_says(group: str, label: str) -> None:
    probe = find_probes()[group]
    assert isinstance(probe, SeriesProbe)
    series = next(each for each in probe.series if each.label == label)
    (found,) = consistency.compared(group, [assembled(series, "sm_90a")], PARAMETERS)
    assert found.agrees, (found.row, found.model, found.reason)


def test_new_code_comes_from_the_cache_behind_the_sms() -> None:
    """2.43 cycles for each of 4096 to 4608 straight FFMA (timing_issue); the SM holds 2008."""
    code = [instruction(place, "FFMA", "R0, R1, R2, R1") for place in range(1200)]
    own = trace(code, [range(1200)])
    cold, warm = (
        Simulation(own, PARAMETERS, warm=each).whole().warps[0].cycles for each in (False, True)
    )
    assert int(warm[1100] - warm[100]) == 1000
    assert int(cold[1100] - cold[100]) == pytest.approx(2434, rel=0.03)
    assert Reason.FETCH in {
        list(Reason)[n] for n in Simulation(own, PARAMETERS, warm=False).whole().warps[0].reasons
    }


def test_stores_leave_the_sm_one_after_the_other() -> None:
    """17.03 cycles for each of many stores of 512 bytes by one SM (timing_stores)."""
    code = [
        *(instruction(k, "STG.E.128", "[R2.64], R4") for k in range(300)),
        instruction(300, "EXIT"),
    ]
    works = [{"unit": Unit.GLOBAL, "bytes": 512, "passes": 4}]
    own = trace(code, [range(301)] * 4, works, dict.fromkeys(range(300), 0))
    found = Simulation(own, PARAMETERS, sms=1).whole()
    first, last = (max(int(each.cycles[n]) for each in found.warps) for n in (200, 299))
    assert last - first == pytest.approx(4 * 99 * 17.03, rel=0.03)
    accounted(found)


def test_what_is_never_executed_reads_nothing() -> None:
    code = [
        instruction(0, "LDS", "RZ, [RZ]", guard="@!PT", write=0),
        instruction(1, "LDS", "RZ, [RZ]", guard="@!PT"),
        instruction(2, "LDS", "R4, [R2]", write=1),
        instruction(3, "EXIT", waits=1),
    ]
    found = Simulation(
        trace(code, [range(4)], [{"unit": Unit.SHARED, "passes": 1}], {2: 0}), PARAMETERS
    ).whole()
    assert int(found.warps[0].cycles[3]) == 12  # "LDS off" of timing_issue


def test_the_machine_takes_its_numbers_from_the_rows() -> None:
    """Another figure in the row is another time on the machine."""
    figure = PARAMETERS.latencies["MUFU.EX2"]
    assert figure.cycles == Fraction(17)
    other = Parameters()
    other.latencies["MUFU.EX2"] = type(figure)(  # type: ignore[index]
        figure.instruction, figure.events, figure.kind, Fraction(30), figure.chain, {}
    )
    code = [
        instruction(0, "MUFU.EX2", "R4, R0", stall=2, write=0),
        instruction(1, "EXIT", waits=1),
    ]
    own = trace(code, [range(2)])
    assert [
        int(Simulation(own, each).whole().warps[0].cycles[1]) for each in (PARAMETERS, other)
    ] == [17, 30]
