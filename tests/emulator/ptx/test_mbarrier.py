"""mbarrier objects: counts, phases, states, who learns what; deadlocks name the object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.text.errors import PtxError
from tests import ptx
from tests.emulator.ptx.launching import require

BEGIN = """\
.reg .pred %p, %q, %first; .reg .b32 %n, %w, %v<8>; .reg .b64 %r, %s<4>;
.shared .align 8 .b64 bar[4]; .shared .align 8 .b32 data[256];
mov.u32 %n, %tid.x;
shr.u32 %w, %n, 5;
mad.wide.u32 %r, %n, 4, %out;
setp.eq.u32 %first, %n, 0;
"""


def kernel_text(body: str) -> str:
    return ptx.entry(BEGIN + body)


def _run(body: str, threads: int = 32, **options: Any) -> Any:
    result = np.zeros(threads, np.uint32)
    launched = ptx.launch(kernel_text(body), result, block=threads, **options)
    (result,) = launched
    return result, launched.device.hazards


INIT = "@%first mbarrier.init.shared::cta.b64 [bar], {};\nbar.sync 0;\n"
WAIT = """
AGAIN{0}:
mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], {1};
@!%p bra AGAIN{0};
"""


def test_a_barrier_of_all_threads_passes_data_on() -> None:
    """Every thread stores, arrives, waits, and reads what its opposite number stored."""
    body = (
        INIT.format(128)
        + """
mul.lo.u32 %v0, %n, 3;
mov.u32 %v1, data;
mad.lo.u32 %v2, %n, 4, %v1;
st.shared.b32 [%v2], %v0;
mbarrier.arrive.shared::cta.b64 %s0, [bar];
"""
        + WAIT.format(0, 0)
        + """
sub.u32 %v3, 127, %n;
mad.lo.u32 %v2, %v3, 4, %v1;
ld.shared.b32 %v4, [%v2];
st.global.b32 [%r], %v4;
"""
    )
    got, _ = _run(body, 128)
    assert np.array_equal(got, (127 - np.arange(128)) * 3)


def test_phases_alternate_and_states_name_them() -> None:
    """Ten phases of a barrier with the states of its arrivals."""
    body = (
        INIT.format(64)
        + """
mov.b32 %v0, 0;
LOOP:
mbarrier.arrive.shared.b64 %s0, [bar];
AGAIN:
mbarrier.try_wait.shared.b64 %p, [bar], %s0, 0x100;
@!%p bra AGAIN;
mbarrier.test_wait.shared.b64 %q, [bar], %s0;
@%q add.u32 %v0, %v0, 1;
setp.lt.u32 %p, %v0, 10;
@%p bra LOOP;
st.global.b32 [%r], %v0;
"""
    )
    got, _ = _run(body, 64)
    assert np.array_equal(got, np.full(64, 10))


def test_producer_and_consumer_with_two_barriers() -> None:
    """Warp 0 fills a buffer eight times, warp 1 empties it; each waits for the other."""
    body = """
@%first mbarrier.init.shared::cta.b64 [bar], 32;
@%first mbarrier.init.shared::cta.b64 [bar+8], 32;
bar.sync 0;
mov.u32 %v1, data;
and.b32 %v2, %n, 31;
mad.lo.u32 %v2, %v2, 4, %v1;
mov.b32 %v3, 0; mov.b32 %v5, 0; mov.b32 %v6, 0;
setp.eq.u32 %q, %w, 0;
@%q bra PRODUCE;
CONSUME:
mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [bar], %v6;
@!%p bra CONSUME;
ld.shared.b32 %v4, [%v2];
add.u32 %v5, %v5, %v4;
mbarrier.arrive.release.cta.shared::cta.b64 _, [bar+8];
xor.b32 %v6, %v6, 1;
add.u32 %v3, %v3, 1;
setp.lt.u32 %p, %v3, 8;
@%p bra CONSUME;
st.global.b32 [%r], %v5;
bra END;
PRODUCE:
mad.lo.u32 %v4, %v3, 100, %n;
st.shared.b32 [%v2], %v4;
mbarrier.arrive.release.cta.shared::cta.b64 _, [bar];
EMPTY:
mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [bar+8], %v6;
@!%p bra EMPTY;
xor.b32 %v6, %v6, 1;
add.u32 %v3, %v3, 1;
setp.lt.u32 %p, %v3, 8;
@%p bra PRODUCE;
END:
"""
    got, _ = _run(body, 64)
    assert np.array_equal(got[32:], sum(100 * i + np.arange(32) for i in range(8)))


def test_transactions_hold_a_phase_open() -> None:
    body = (
        INIT.format(1)
        + """
@!%first bra REST;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 48;
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
selp.b32 %v0, 1, 0, %p;
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 16;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 60;
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
selp.b32 %v1, 2, 0, %p;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 4;
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
selp.b32 %v2, 4, 0, %p;
add.u32 %v0, %v0, %v1;
add.u32 %v0, %v0, %v2;
st.global.b32 [%r], %v0;
REST:
"""
    )
    got, _ = _run(body)
    assert got[0] == 4


def test_pending_counts_and_dropped_arrivals() -> None:
    """The second phase expects what is left after two drops."""
    body = (
        INIT.format(8)
        + """
@!%first bra REST;
mbarrier.arrive.noComplete.shared::cta.b64 %s0, [bar], 3;
mbarrier.arrive_drop.shared::cta.b64 %s1, [bar];
mbarrier.arrive_drop.noComplete.shared::cta.b64 %s2, [bar], 1;
mbarrier.arrive.shared::cta.b64 _, [bar], 3;
mbarrier.arrive.shared::cta.b64 %s3, [bar], 6;
mbarrier.pending_count.b64 %v0, %s0;
mbarrier.pending_count.b64 %v1, %s1;
mbarrier.pending_count.b64 %v2, %s2;
mbarrier.pending_count.b64 %v3, %s3;
st.global.v4.b32 [%r], {%v0, %v1, %v2, %v3};
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 1;
selp.b32 %v0, 1, 0, %p;
st.global.b32 [%r+16], %v0;
REST:
"""
    )
    got, _ = _run(body)
    assert got[:5].tolist() == [8, 5, 4, 6, 1]


def test_lanes_wait_for_their_own_phase() -> None:
    """Lane 0 waits for what lane 1 of the same warp does later."""
    body = (
        INIT.format(1)
        + """
setp.eq.u32 %q, %n, 1;
@%q bra ARRIVE;
"""
        + WAIT.format(0, 0)
        + """
ld.shared.b32 %v0, [data];
st.global.b32 [%r], %v0;
bra END;
ARRIVE:
st.shared.b32 [data], 77;
mbarrier.arrive.shared::cta.b64 _, [bar];
st.global.b32 [%r], 5;
END:
"""
    )
    got, _ = _run(body, 32)
    assert got[1] == 5 and (np.delete(got, 1) == 77).all()


def test_a_wait_that_nobody_ends_is_a_deadlock_that_names_the_object() -> None:
    body = INIT.format(33) + "mbarrier.arrive.shared::cta.b64 _, [bar];" + WAIT.format(0, 0)
    with pytest.raises(Hazard) as caught:
        _run(body, 32)
    assert caught.value.kind == "deadlock"
    assert kernel_text(body).splitlines()[caught.value.line - 1].startswith("mbarrier.try_wait")
    for words in ("warp 0", "parity 0", "shared address 0x0", "lacks 1 of its 33 arrivals"):
        assert words in str(caught.value)


def test_a_wait_returns_false_where_nothing_else_can_go_on() -> None:
    """A bounded number of tries ends by itself."""
    body = (
        INIT.format(33)
        + """
mov.b32 %v0, 0;
TRY:
mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
@%p bra DONE;
add.u32 %v0, %v0, 1;
setp.lt.u32 %q, %v0, 5;
@%q bra TRY;
DONE:
st.global.b32 [%r], %v0;
"""
    )
    got, _ = _run(body)
    assert (got == 5).all()


def test_relaxed_arrivals_make_nothing_known() -> None:
    body = (
        INIT.format(32)
        + """
setp.eq.u32 %q, %w, 1;
@%q bra WAITS;
st.shared.b32 [data], 3;
mbarrier.arrive.{sem}.cta.shared::cta.b64 _, [bar];
bra END;
WAITS:
"""
        + WAIT.format(0, 0)
        + "ld.shared.b32 %v0, [data];\nst.global.b32 [%r], %v0;\nEND:\n"
    )
    got, _ = _run(body.replace("{sem}", "release"), 64)
    assert (got[32:] == 3).all()
    with pytest.raises(Hazard, match="without being ordered") as caught:
        _run(body.replace("{sem}", "relaxed"), 64)
    assert caught.value.kind == "order"


RULES = {
    "mbarrier.arrive.shared::cta.b64 _, [bar+8];": "there is no mbarrier object",
    "ld.shared.b32 %v0, [bar+4];": "only mbarrier instructions may touch",
    "st.shared.b64 [bar], %out;": "only mbarrier instructions may touch",
    "@%first mbarrier.init.shared::cta.b64 [bar], 1;": "already",
    "@%first mbarrier.init.shared::cta.b64 [bar+8], 0;": "the count 0 is outside",
    "@%first mbarrier.arrive.shared::cta.b64 _, [bar], 5;": "5 arrivals are more than the 4",
    "@%first mbarrier.arrive.noComplete.shared::cta.b64 _, [bar], 4;": "which .noComplete forbids",
    "@%first mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 1048576;": "1048576 bytes",
    # More than the sum may be, although the sum is not: an H200 stops at such a kernel.
    "@%first mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 1048576;": "1048576 bytes",
    "@%first mbarrier.arrive.shared::cta.b64 _, [bar+4];": "not a multiple of 8",
    "@%first mbarrier.inval.shared::cta.b64 [bar+16];": "there is no mbarrier object",
}


@pytest.mark.parametrize("statement", RULES)
def test_misuse_is_named(statement: str) -> None:
    body = INIT.format(4) + statement
    with pytest.raises(Hazard) as caught:
        _run(body)
    assert RULES[statement] in str(caught.value)
    assert kernel_text(body).splitlines()[caught.value.line - 1] == statement


def test_an_old_state_is_no_phase_to_ask_for() -> None:
    body = (
        INIT.format(1)
        + """
@!%first bra END;
mbarrier.arrive.shared::cta.b64 %s0, [bar];
mbarrier.arrive.shared::cta.b64 _, [bar];
mbarrier.test_wait.shared::cta.b64 %p, [bar], %s0;
END:
"""
    )
    with pytest.raises(Hazard, match="the state is of phase 0, but the mbarrier is in phase 2"):
        _run(body)


def test_a_use_that_is_not_ordered_after_the_initialisation() -> None:
    body = """
@%first mbarrier.init.shared::cta.b64 [bar], 64;
mbarrier.arrive.shared::cta.b64 _, [bar];
"""
    with pytest.raises(Hazard) as caught:
        _run(body, 64)
    assert caught.value.kind == "order" and caught.value.wave == 1


def test_memory_is_ordinary_again_after_inval() -> None:
    body = (
        INIT.format(1)
        + """
@%first mbarrier.inval.shared::cta.b64 [bar];
bar.sync 0;
st.shared.b32 [bar], 9;
ld.shared.b32 %v0, [bar];
st.global.b32 [%r], %v0;
"""
    )
    got, _ = _run(body)
    assert (got == 9).all()


def test_polling_without_end_is_told_from_other_endless_loops() -> None:
    body = """.reg .pred %p; .shared .align 8 .b64 bar;
mbarrier.init.shared.b64 [bar], 1;
L: mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
@!%p bra L;"""
    device = lanemap.open_device("sm_90a", device="emulator")
    device.instruction_limit = 20_000
    with pytest.raises(Hazard, match="waits in a loop for others, and nothing has changed"):
        ptx.launch(ptx.entry(body, ""), block=1, device=device)


ILLEGAL = [
    "mbarrier.init.shared::cluster.b64 [bar], 1;",
    "mbarrier.arrive.shared::cluster.b64 %s0, [bar];",
    "mbarrier.arrive.release.b64 %s0, [bar];",
    "mbarrier.arrive.expect_tx.shared::cta.b64 %s0, [bar];",
    "mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], %s0;",
    "mbarrier.try_wait.shared::cluster.b64 %p, [bar], %s0;",
]


@pytest.mark.parametrize("statement", ILLEGAL)
def test_illegal_forms_are_refused(statement: str) -> None:
    with pytest.raises(PtxError):
        require(load(kernel_text(statement), "k.ptx"))


def test_ptxas_refuses_them_too_and_accepts_the_others() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for statement in ILLEGAL:
        assert ptxas.judge(kernel_text(statement), "sm_90a")[0] is None, statement
    for statement in RULES:
        cubin, messages = ptxas.judge(kernel_text(INIT.format(4) + statement), "sm_90a")
        assert cubin is not None, (statement, messages)


#: Warp 0 arrives at two objects one after the other, and is slow in between. Warp 1 waits for the
#: first one alone, and arrives at the second one, which expects one arrival, again and again.
_LATE = """
@%first mbarrier.init.shared::cta.b64 [bar], 1;
@%first mbarrier.init.shared::cta.b64 [bar+8], 1;
bar.sync 0;
setp.ne.u32 %p, %w, 0;
@%p bra FAST;
@%first mbarrier.arrive.shared::cta.b64 _, [bar];
mov.u32 %v0, 0;
SPIN: add.u32 %v0, %v0, 1; setp.lt.u32 %p, %v0, 20000; @%p bra SPIN;
@%first mbarrier.arrive.shared::cta.b64 _, [bar+8];
bra END;
FAST:
mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0; @!%p bra FAST;
setp.eq.u32 %q, %n, 32;
"""
_ROUND = """
@%q mbarrier.arrive.shared::cta.b64 _, [bar+8];
NEXT{0}: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar+8], {0}; @!%p bra NEXT{0};
"""


def test_an_arrival_that_is_late_by_two_phases_has_no_excuse() -> None:
    """A warp may be ahead by one phase, as in a ring that multicasts; a second one is a fault."""
    _run(_LATE + _ROUND.format(0) + "END:\n", 64)
    with pytest.raises(Hazard, match="nothing orders it after phase 1, in which warp 1 arrived"):
        _run(_LATE + _ROUND.format(0) + _ROUND.format(1) + "END:\n", 64)
