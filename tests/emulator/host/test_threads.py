"""A launch gives the same results and reports at any number of threads, and in any steps."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.host import run as host_run
from lanemap.emulator.host import threads as host_threads
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.run import Run
from lanemap.errors import UserError
from tests import ptx
from tests.emulator.events.kernels import device, gfx
from tests.emulator.ptx.launching import Loaded

CTAS, BLOCK = 12, 96
THREADS = (1, 2, 5)
_BEGIN = """\
.reg .pred %p, %q; .reg .b32 %t, %c, %g, %i, %n, %v, %w, %s; .reg .b64 %o, %a, %b, %x;
.shared .align 16 .b8 tile[512];
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %g, %c, 96, %t;
mov.b64 %o, %out; mov.b64 %a, %in;
mad.wide.u32 %b, %g, 4, %a; ld.global.u32 %v, [%b]; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s;
mad.wide.u32 %b, %g, 4, %o;
"""


def _program(body: str) -> str:
    return ptx.entry(f"{_BEGIN}{body}\nst.global.u32 [%b], %v;", "out in")


#: Bodies that go wrong in one CTA or between two.
HAZARDS = {
    "two CTAs write one place": "st.global.u32 [%o], %c;",
    "a CTA reads what another one writes": "ld.global.u32 %w, [%o+400]; add.u32 %v, %v, %w;",
    "out of bounds": "setp.eq.u32 %p, %c, 7; @%p ld.global.u32 %v, [%a+9999999];",
    "undefined shared memory": """
        setp.ne.u32 %p, %c, 5; @%p bra DEFINED; ld.shared.u32 %w, [%s];
        setp.eq.u32 %q, %w, 3; @%q bra DEFINED; add.u32 %v, %v, 1;
        DEFINED:""",
    "a missing barrier": """
        setp.ne.u32 %p, %c, 4; @%p bra APART;
        st.shared.u32 [%s], %v; xor.b32 %w, %t, 64; min.u32 %w, %w, 95; mov.u32 %s, tile;
        mad.lo.u32 %s, %w, 4, %s; ld.shared.u32 %v, [%s];
        APART:""",
    "a barrier that some miss": """
        setp.lt.u32 %p, %t, 32; setp.eq.and.u32 %q, %c, 9, %p; @%q bar.sync 1, 96;""",
    "an endless loop": """
        setp.ne.u32 %p, %c, 3; @%p bra OUT;
        LOOP: add.u32 %v, %v, 1; setp.ne.u32 %q, %v, %t; @%q bra LOOP; bra LOOP;
        OUT:""",
}
#: Bodies that let one CTA wait for, or meet, another.
DEPENDENT = {
    "an old value that is used": "atom.global.add.u32 %v, [%o], 1;",
    "an old value that decides a branch": """
        atom.add.u32 %w, [%o], 1; setp.eq.u32 %p, %w, 5; @%p add.u32 %v, %v, 1;""",
    "two operations": "red.global.add.u32 [%o], %v; red.global.max.u32 [%o], %v;",
    "signed and unsigned": "red.global.max.s32 [%o], %v; red.global.max.u32 [%o], %v;",
    "two widths": "cvt.u64.u32 %x, %v; red.global.add.u64 [%o], %x; red.global.add.u32 [%o], %v;",
    "sum of floats": "and.b32 %w, %v, 0x3fffffff; red.global.add.f32 [%o], %w;",
    "exchange": "atom.global.exch.b32 _, [%o], %v;",
    "compare and swap": "atom.global.cas.b32 _, [%o], %v, 7;",
    "a count that wraps": "red.global.inc.u32 [%o], 7;",
    "reduced copy": "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%o], [%s], 16;",
    "volatile load": "ld.volatile.global.u32 %v, [%a];",
    "acquire": "ld.acquire.gpu.global.u32 %v, [%a];",
    "relaxed store": "st.relaxed.gpu.global.u32 [%b], %v;",
    "fence of the GPU": "fence.acq_rel.gpu;",
    "old fence": "membar.gl;",
}
INDEPENDENT = {
    "loads and stores": "",
    "shared atomic": "st.shared.u32 [%s], %v; atom.shared.add.u32 %v, [%s], 1;",
    "fence of the CTA": "fence.acq_rel.cta; membar.cta;",
    "volatile shared": "st.volatile.shared.u32 [%s], %v; ld.volatile.shared.u32 %v, [%s];",
}


#: Atomics whose order shows nowhere, on words of 32 bits from %o on: what they leave of the words
#: that are there (`was`), and what every thread has (`has`, one row for each word).
COMMUTING: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "red.global.add.u32 [WORD], %v": lambda was, has: was + has.sum(1, dtype=np.uint32),
    "red.add.s32 [WORD], %v": lambda was, has: was + has.sum(1, dtype=np.uint32),
    "red.relaxed.sys.global.and.b32 [WORD], %v": lambda was, has: (
        was & np.bitwise_and.reduce(has, 1)
    ),
    "atom.global.or.b32 _, [WORD], %v": lambda was, has: was | np.bitwise_or.reduce(has, 1),
    "atom.acq_rel.gpu.global.xor.b32 %w, [WORD], %v": lambda was, has: (
        was ^ np.bitwise_xor.reduce(has, 1)
    ),
    "atom.global.min.s32 %w, [WORD], %v": lambda was, has: np.minimum(
        was.view(np.int32), has.view(np.int32).min(1)
    ).view(np.uint32),
    "red.global.max.u32 [WORD], %v": lambda was, has: np.maximum(was, has.max(1)),
}
#: Faults of kernels with such atomics: what one CTA does beside them.
ATOMIC_FAULTS = {
    "a plain load of what others add to": """
        bar.sync 0; setp.eq.u32 %p, %c, 7; @%p ld.global.u32 %v, [%o+4];
        mad.wide.u32 %b, %g, 4, %o; @%p st.global.u32 [%b], %v;""",
    "a plain store to it": "setp.eq.u32 %p, %g, 700; @%p st.global.u32 [%o+4], %v;",
    "atomics of the CTA alone": "red.cta.global.add.u32 [%o+8], %v;",
    "out of bounds": "setp.eq.u32 %p, %c, 7; @%p red.global.add.u32 [%o+9999996], %v;",
    "an undefined addend": """
        setp.eq.u32 %p, %c, 7; @%p ld.shared.u32 %w, [%s]; @%p red.global.add.u32 [%o+12], %w;""",
}


@pytest.fixture
def spread(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let launches of any size spread; collects how many workers each had."""
    seen: list[int] = []

    class Seen(host_threads.SideBySide):
        def run(self) -> None:
            seen.append(len(self._workers))
            super().run()

    monkeypatch.setattr(host_run, "SideBySide", Seen)
    monkeypatch.setattr(host_run, "LEAST_SECONDS", 0)
    return seen


def _outcome(text: str, hazards: str) -> tuple[Any, ...]:
    """What a launch leaves: the results and reports, or the hazard."""
    loaded = Loaded(text, hazards, limit=50_000)
    start = np.arange(CTAS * BLOCK, dtype=np.uint32) * np.uint32(2654435761)
    out = np.zeros(CTAS * BLOCK, np.uint32)
    arrays: list[Any] = []
    try:
        arrays = loaded.run("k", CTAS, BLOCK, [out, start])
    except Hazard as hazard:
        arrays = [np.array([0]), str(hazard), hazard.cta, hazard.wave, hazard.lanes]
    reports = [(str(each), each.count, each.lanes) for each in loaded.machine.reported]
    return arrays[0].tolist(), [str(each) for each in arrays[1:]], reports


def _at_all(monkeypatch: pytest.MonkeyPatch, outcome: Callable[[], Any]) -> Any:
    """The outcome, which must be the same at every number of threads."""
    found = []
    for threads in THREADS:
        monkeypatch.setenv("LANEMAP_THREADS", str(threads))
        found.append(outcome())
    assert found[0] == found[1] == found[2]
    return found[0]


def _random_program(seed: int) -> tuple[str, np.ndarray]:
    """Rounds of arithmetic whose number depends on the CTA, exchanged through shared memory."""
    rng = random.Random(seed)
    value = np.arange(CTAS * BLOCK, dtype=np.uint32) * np.uint32(2654435761)
    thread, cta = np.arange(CTAS * BLOCK) % BLOCK, np.arange(CTAS * BLOCK) // BLOCK
    body = []
    for number in range(rng.randrange(2, 6)):
        factor, addend = rng.randrange(1, 1 << 32, 2), rng.randrange(1 << 32)
        turns, by = rng.randrange(1, 9), rng.randrange(1, BLOCK)
        body.append(f"""
            mul.lo.u32 %n, %c, {turns}; mov.u32 %i, 0;
            LOOP{number}: setp.ge.u32 %p, %i, %n; @%p bra DONE{number};
            mad.lo.u32 %v, %v, {factor}, {addend}; add.u32 %i, %i, 1; bra LOOP{number};
            DONE{number}: st.shared.u32 [%s], %v; bar.sync 0;
            add.u32 %w, %t, {by}; rem.u32 %w, %w, 96; mov.u32 %i, tile; mad.lo.u32 %w, %w, 4, %i;
            ld.shared.u32 %w, [%w]; bar.sync 0; add.u32 %v, %v, %w;""")
        for turn in range(turns * (CTAS - 1)):
            value = np.where(
                turn < cta * turns, value * np.uint32(factor) + np.uint32(addend), value
            )
        value = value + value[cta * BLOCK + (thread + by) % BLOCK]
    return _program("".join(body)), value


@pytest.mark.parametrize("seed", range(8))
def test_random_kernels(seed: int, monkeypatch: pytest.MonkeyPatch, spread: list[int]) -> None:
    text, expected = _random_program(seed)
    results, errors, reports = _at_all(monkeypatch, lambda: _outcome(text, "raise"))
    assert results == expected.tolist() and not reports and len(errors) == 1
    assert spread == [2, 5], "one launch on each number of threads above one"


@pytest.mark.parametrize("hazards", ["raise", "report"])
@pytest.mark.parametrize("name", HAZARDS)
def test_hazards(
    name: str, hazards: str, monkeypatch: pytest.MonkeyPatch, spread: list[int]
) -> None:
    text = _program(HAZARDS[name])
    _, errors, reports = _at_all(monkeypatch, lambda: _outcome(text, hazards))
    assert reports or len(errors) > 1, "the kernel has a fault"
    assert spread == [2, 5]


@pytest.mark.parametrize("name", DEPENDENT)
def test_clusters_that_may_meet_run_in_order(
    name: str, monkeypatch: pytest.MonkeyPatch, spread: list[int]
) -> None:
    _at_all(monkeypatch, lambda: _outcome(_program(DEPENDENT[name]), "report"))
    assert not spread


@pytest.mark.parametrize("name", INDEPENDENT)
def test_clusters_that_meet_nobody_run_side_by_side(
    name: str, monkeypatch: pytest.MonkeyPatch, spread: list[int]
) -> None:
    monkeypatch.setenv("LANEMAP_THREADS", "3")
    assert not _outcome(_program(INDEPENDENT[name]), "raise")[2]
    assert spread == [3]


def _reduction(instruction: str, fault: str = "") -> str:
    """Every thread reduces its value into one of 12 words, neighbors into different ones."""
    return ptx.entry(
        f"""{_BEGIN}
        rem.u32 %i, %g, 12; mad.wide.u32 %b, %i, 4, %o;
        {instruction.replace("WORD", "%b")}; {fault}""",
        "out in",
    )


@pytest.mark.parametrize("name", COMMUTING)
def test_atomics_whose_order_shows_nowhere(
    name: str, monkeypatch: pytest.MonkeyPatch, spread: list[int]
) -> None:
    """Three words share a line that all CTAs change at once; NumPy gives what must be there."""
    was = np.zeros(CTAS * BLOCK, np.uint32)
    has = (np.arange(CTAS * BLOCK, dtype=np.uint32) * np.uint32(2654435761)).reshape(-1, 12)
    expected = was.copy()
    expected[:12] = COMMUTING[name](was[:12], has.T)
    found = _at_all(monkeypatch, lambda: _outcome(_reduction(name), "raise"))
    assert found[0] == expected.tolist() and not found[2] and len(found[1]) == 1
    assert spread == [2, 5]


@pytest.mark.parametrize("name", ATOMIC_FAULTS)
def test_faults_beside_such_atomics(
    name: str, monkeypatch: pytest.MonkeyPatch, spread: list[int]
) -> None:
    text = _reduction("red.global.add.u32 [WORD], %v", ATOMIC_FAULTS[name])
    _, errors, reports = _at_all(monkeypatch, lambda: _outcome(text, "report"))
    assert reports or len(errors) > 1, "the kernel has a fault"
    assert spread == [2, 5]


@pytest.mark.parametrize(
    ("instruction", "beside"),
    [
        ("global_atomic_add v1, v2, s[4:5]", True),
        ("global_atomic_sub v1, v2, s[4:5]\nglobal_atomic_add v1, v2, s[4:5] offset:16", True),
        ("global_atomic_umax_x2 v1, v[2:3], s[4:5]", True),
        ("global_atomic_add v4, v1, v2, s[4:5] sc0", False),
        ("global_atomic_or v1, v2, s[4:5]\nglobal_atomic_xor v1, v2, s[4:5]", False),
        ("global_atomic_add_f32 v1, v2, s[4:5]", False),
        ("global_atomic_swap v1, v2, s[4:5]", False),
    ],
)
def test_atomics_of_amd(
    instruction: str, beside: bool, monkeypatch: pytest.MonkeyPatch, spread: list[int]
) -> None:
    """Lanes with equal lowest bits change one of eight places; `s2` is the workgroup."""
    text = gfx(f"""
        s_load_dwordx2 s[4:5], s[0:1], 0x0
        v_and_b32 v1, 7, v0
        v_lshlrev_b32 v1, 3, v1
        v_add_u32 v2, s2, v0
        v_mov_b32 v3, 6
        s_waitcnt lgkmcnt(0)
        {instruction}
        s_waitcnt vmcnt(0)""")

    def left() -> Any:
        opened = device("gfx950")
        out = opened.array(np.full(64, 5, np.uint32))
        opened.load(text)["k"](12, 64, [out, out])
        return out.get().tolist()

    assert _at_all(monkeypatch, left) != [5] * 64
    assert spread == ([2, 5] if beside else [])


def test_what_a_launch_prints_comes_once_and_in_order(
    monkeypatch: pytest.MonkeyPatch, spread: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    """The first CTA prints nothing, so that the others begin side by side."""
    declared = """\
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 words[8] = {67, 84, 65, 32, 37, 100, 10, 0};
"""
    body = """\
.local .align 8 .b8 room[8];
.reg .pred %p; .reg .b32 %c, %r; .reg .b64 %f, %a;
mov.u32 %c, %ctaid.x; setp.eq.u32 %p, %c, 0; @%p bra END;
st.local.u32 [room], %c; mov.u64 %f, words; cvta.global.u64 %f, %f;
mov.u64 %a, room; cvta.local.u64 %a, %a;
{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %f; st.param.b64 [a], %a;
call.uni (r), vprintf, (f, a); }
END:"""
    text = ptx.entry(body, "", before=declared)

    def printed() -> str:
        Loaded(text).run("k", 6, 1, [])
        return capsys.readouterr().out

    lines = _at_all(monkeypatch, printed)
    assert lines == "".join(f"CTA {number}\n" for number in range(1, 6))
    assert spread == [2, 5]


def test_others_begin_beside_a_first_cluster_that_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[bool] = []

    class Seen(host_threads.SideBySide):
        def run(self) -> None:
            begun.append(bool(self._workers[0].memory.cluster.running))
            super().run()

    monkeypatch.setattr(host_run, "SideBySide", Seen)
    monkeypatch.setattr(host_run, "LEAST_SECONDS", 0)
    turns = 3000
    text = _program(f"""
        mov.u32 %i, 0;
        LOOP: mad.lo.u32 %v, %v, 5, %c; add.u32 %i, %i, 1;
        setp.lt.u32 %p, %i, {turns}; @%p bra LOOP;""")
    value = np.arange(CTAS * BLOCK, dtype=np.uint32) * np.uint32(2654435761)
    cta = np.arange(CTAS * BLOCK, dtype=np.uint32) // np.uint32(BLOCK)
    for _ in range(turns):
        value = value * np.uint32(5) + cta
    assert _at_all(monkeypatch, lambda: _outcome(text, "raise"))[0] == value.tolist()
    assert begun == [True, True], "once on two threads, once on five"
    loaded = Loaded(text)
    for _ in range(2):
        loaded.run("k", CTAS, BLOCK, [np.zeros(CTAS * BLOCK, np.uint32)] * 2)
    assert begun[2:] == [True, False], "the second launch knows how long the first cluster took"


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (3, 3), (200, 16)])
def test_threads_are_as_many_as_cores(
    cores: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANEMAP_THREADS", raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(cores)), raising=False)
    assert host_threads.wanted_threads() == threads
    monkeypatch.setenv("LANEMAP_THREADS", "40")
    assert host_threads.wanted_threads() == 40


@pytest.mark.parametrize("text", ["0", "-1", "two", "", "1.5"])
def test_a_number_of_threads_that_is_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEMAP_THREADS", text)
    with pytest.raises(UserError, match="LANEMAP_THREADS"):
        _outcome(_program(""), "raise")


# -- steps -----------------------------------------------------------------------------------------

#: CTAs count themselves and wait until all have: those that run take turns.
_MEETING = """
    bar.sync 0; setp.ne.u32 %p, %t, 0; @%p bra MET;
    fence.acq_rel.gpu; atom.global.add.u32 %w, [%o], 1;
    WAIT: ld.relaxed.gpu.global.u32 %w, [%o]; setp.lt.u32 %q, %w, 12; @%q bra WAIT;
    fence.acq_rel.gpu;
    MET: bar.sync 0; setp.eq.u32 %p, %g, 0; @%p bra END;"""
STEPPED = {
    "random": _random_program(1)[0],
    "meeting": _program(_MEETING).replace("ret;", "END: ret;"),
    **{name: _program(body) for name, body in HAZARDS.items()},
}


@pytest.mark.parametrize("hazards", ["raise", "report"])
@pytest.mark.parametrize("name", STEPPED)
def test_steps_change_nothing(name: str, hazards: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEMAP_THREADS", "1")
    outcomes, steps, plain = [], [], Run.step

    def step(self: Run) -> bool:
        steps[-1] += 1
        return plain(self)

    monkeypatch.setattr(Run, "step", step)
    for pace in (0, 1, 7):
        steps.append(0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Loaded, "pace", pace, raising=False)
            outcomes.append(_outcome(STEPPED[name], hazards))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert steps[1] >= steps[2] >= steps[0] and steps[1] > steps[0], "a pace of one turn"


def test_strict_kernels_whose_lanes_are_followed(
    monkeypatch: pytest.MonkeyPatch, spread: list[int]
) -> None:
    """Each worker keeps and frees what it knows of the lanes: twice the same would end us."""
    text, expected = _random_program(3)
    start = np.arange(CTAS * BLOCK, dtype=np.uint32) * np.uint32(2654435761)

    def outcome() -> list[int]:
        loaded = Loaded(text, strict=True)
        out = np.zeros(CTAS * BLOCK, np.uint32)
        found: list[int] = loaded.run("k", CTAS, BLOCK, [out, start])[0].tolist()
        return found

    assert _at_all(monkeypatch, outcome) == expected.tolist()
    assert spread == [2, 5]
