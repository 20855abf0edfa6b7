"""st.async, red.async, cp.reduce.async.bulk, cluster launch control and setmaxnreg.

Results are held against NumPy and ml_dtypes, rules against the sentences of the PTX ISA.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from lanemap.errors import UserError
from tests import ptx

_BEGIN = """\
.reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .b64 %d<16>;
.reg .b128 %o<2>;
.shared .align 128 .b8 data[4096]; .shared .align 16 .b8 answer[16];
.shared .align 8 .b64 bar[4];
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; mov.u32 %r9, %cluster_ctarank;
mov.u32 %r1, data; mov.u32 %r2, bar;
"""
_MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
_WAIT = """AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [bar], 0;
@!%p1 bra AGAIN;
"""


def run(
    body: str,
    given: Any,
    words: int,
    threads: int = 32,
    ctas: int = 1,
    cluster: int = 1,
    target: str = "sm_90a",
    directives: str = "",
    **options: Any,
) -> Any:
    """What the kernel leaves in `words` words, zero before."""
    text = ptx.entry(_BEGIN + body, "given result", directives=directives, target=target)
    sizes = {"grid": ctas, "block": threads, "cluster": cluster}
    _, result = ptx.launch(text, given, np.zeros(words, np.uint32), **sizes, **options)
    return result


# -- st.async, red.async ---------------------------------------------------------------------------
_GIVEN = np.arange(256, dtype=np.uint32) * np.uint32(2654435761)


def _sent(statement: str, size: int, wait: str = _WAIT, more: str = "") -> str:
    """Each thread of CTA 0 executes a statement for CTA 1, which stores what it received."""
    return f"""@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], {size * 32};
shl.b32 %r8, %r0, 4; add.u32 %r3, %r1, %r8; st.shared.v4.b32 [%r3], {{3, 3, 3, 3}};
{more}fence.mbarrier_init.release.cluster;
{_MEET}
setp.eq.u32 %p2, %r9, 1; @%p2 bra RECEIVE;
mul.wide.u32 %d0, %r0, 16; add.u64 %d1, %given, %d0;
ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%d1]; ld.global.v2.b64 {{%d6, %d7}}, [%d1];
mapa.shared::cluster.u32 %r10, %r3, 1; mapa.shared::cluster.u32 %r11, %r2, 1;
{statement}
bra END;
RECEIVE:
{wait}
ld.shared.v4.b32 {{%r4, %r5, %r6, %r7}}, [%r3];
mul.wide.u32 %d0, %r0, 16; add.u64 %d2, %result, %d0;
st.global.v4.b32 [%d2], {{%r4, %r5, %r6, %r7}};
END:
"""


_STORE = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"


@pytest.mark.parametrize(
    ("suffix", "operand", "size"),
    [
        ("b32", "%r4", 4), ("s32", "%r4", 4), ("u64", "%d6", 8), ("v2.b32", "{%r4, %r5}", 8),
        ("v4.u32", "{%r4, %r5, %r6, %r7}", 16), ("v2.s64", "{%d6, %d7}", 16),
    ],
)  # fmt: skip
def test_stores_reach_another_cta(suffix: str, operand: str, size: int) -> None:
    body = _sent(f"{_STORE}.{suffix} [%r10], {operand}, [%r11];", size)
    got = run(body, _GIVEN, 128, ctas=2, cluster=2).view(np.uint8).reshape(32, 16)
    expected = np.full((32, 4), 3, np.uint32).view(np.uint8)
    expected[:, :size] = _GIVEN[:128].view(np.uint8).reshape(32, 16)[:, :size]
    assert np.array_equal(got, expected)


def test_a_store_that_nobody_waited_for() -> None:
    body = _sent(f"{_STORE}.b32 [%r10], %r4, [%r11];", 4, wait=_MEET).replace(
        "bra END;", _MEET + "bra END;"
    )
    with pytest.raises(Hazard, match="phase 0 of the mbarrier") as caught:
        run(body, _GIVEN, 128, ctas=2, cluster=2)
    assert caught.value.kind == "pending"


def test_the_mbarrier_must_be_that_of_the_receiver() -> None:
    body = _sent(f"{_STORE}.b32 [%r10], %r4, [%r2];", 4)
    with pytest.raises(Hazard, match="the mbarrier is in CTA 0 of the cluster and the destination"):
        run(body, _GIVEN, 128, ctas=2, cluster=2)


def test_a_cluster_of_one_has_nobody_to_send_to() -> None:
    """PTX ISA, st.async: %cluster_nctarank > 1; an H200 stops with an illegal instruction."""
    store = f"{_STORE}.b32 [%r1], 5, [%r2];"
    body = f"@%p0 mbarrier.init.shared::cta.b64 [bar], 1; bar.sync 0; @%p0 {store}"
    with pytest.raises(Hazard, match="the cluster has only one CTA"):
        run(body, _GIVEN, 1)


def test_an_undefined_store_is_named() -> None:
    body = _sent(f"{_STORE}.b32 [%r10], %r15, [%r11];", 4)
    with pytest.raises(Hazard, match="undefined"):
        run(body, _GIVEN, 128, ctas=2, cluster=2)


_REDUCE = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
_NUMPY = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
          "or": np.bitwise_or, "xor": np.bitwise_xor}  # fmt: skip


def _inc(old: int, bound: int) -> int:
    return 0 if old >= bound else old + 1


def _dec(old: int, bound: int) -> int:
    return bound if old == 0 or old > bound else old - 1


@pytest.mark.parametrize(
    ("operation", "kind"),
    [("add", "u32"), ("add", "s32"), ("add", "u64"), ("add", "s64"), ("min", "u32"), ("min", "s32"),
     ("max", "u32"), ("max", "s32"), ("and", "b32"), ("or", "b32"), ("xor", "b32"),
     ("inc", "u32"), ("dec", "u32")],
)  # fmt: skip
def test_reductions_reach_another_cta(operation: str, kind: str) -> None:
    wide = kind in ("u64", "s64")
    operand = "%d6" if wide else "%r4"
    body = _sent(f"{_REDUCE}.{operation}.{kind} [%r10], {operand}, [%r11];", 8 if wide else 4)
    got = run(body, _GIVEN, 128, ctas=2, cluster=2)
    dtype = {"u64": np.uint64, "s64": np.int64, "s32": np.int32}.get(kind, np.uint32)
    old = np.full(128, 3, np.uint32).view(dtype)
    given = _GIVEN[:128].view(dtype)
    step = 128 // 32 * 4 // np.dtype(dtype).itemsize
    if operation in _NUMPY:
        new = _NUMPY[operation](old[::step], given[::step])
    else:
        count = {"inc": _inc, "dec": _dec}[operation]
        new = np.array([count(3, int(v)) for v in given[::step]], np.uint32)
    expected = old.copy()
    expected[::step] = new
    assert np.array_equal(got, expected.view(np.uint32))


def test_reductions_of_one_word_meet() -> None:
    """All threads add to the first word, which completes 32 times 4 bytes."""
    body = _sent(f"{_REDUCE}.add.u32 [%r10], %r4, [%r11];", 4).replace(
        "%r10, %r3, 1", "%r10, %r1, 1"
    )
    got = run(body, _GIVEN, 128, ctas=2, cluster=2)
    assert got[0] == np.uint32(3) + _GIVEN[:128:4].sum(dtype=np.uint32)


@pytest.mark.parametrize("text", ["min.s64 [%r10], %d6", "min.u64 [%r10], %d6",
                                  "and.u32 [%r10], %r4", "inc.s32 [%r10], %r4"])  # fmt: skip
def test_types_that_red_async_lacks(text: str) -> None:
    with pytest.raises(UserError, match="red|type"):
        run(_sent(f"{_REDUCE}.{text}, [%r11];", 4), _GIVEN, 128, ctas=2, cluster=2)


def test_a_release_store_of_sm_100_carries_what_came_before() -> None:
    """CTA 0 stores data and then a flag by st.async.release; CTA 1 polls it with acquire."""
    body = """mov.u32 %r8, %ctaid.x; setp.eq.u32 %p2, %r8, 1; @!%p0 bra END; @%p2 bra READ;
st.global.u32 [%result], 77;
{flag}
bra END;
READ: ld.acquire.gpu.global.u32 %r4, [%result+8]; setp.eq.u32 %p3, %r4, 5; @!%p3 bra READ;
ld.global.u32 %r5, [%result]; st.global.u32 [%result+16], %r5;
END:
"""
    for flag in (
        "st.async.release.gpu.global.u32 [%result+8], 5;",
        "red.async.release.sys.add.u32 [%result+8], 5;",
    ):
        got = run(body.format(flag=flag), _GIVEN, 8, ctas=2, target="sm_100a")
        assert got.tolist()[:5] == [77, 0, 5, 0, 77]


# -- cp.reduce.async.bulk --------------------------------------------------------------------------
def _reduced(operation: str, scope: str = "global.shared::cta.bulk_group", size: int = 512) -> str:
    """Copy `given` to shared memory, reduce `result` by it, and wait."""
    return f"""mul.wide.u32 %d0, %r0, 16; add.u64 %d1, %given, %d0;
ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%d1];
shl.b32 %r8, %r0, 4; add.u32 %r3, %r1, %r8; st.shared.v4.b32 [%r3], {{%r4, %r5, %r6, %r7}};
fence.proxy.async; bar.sync 0;
@!%p0 bra END;
cp.reduce.async.bulk.{scope}.{operation} [%result], [data], {size};
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:
"""


_DTYPES: dict[str, Any] = {
    "u32": np.uint32, "s32": np.int32, "b32": np.uint32, "u64": np.uint64, "s64": np.int64,
    "b64": np.uint64, "f32": np.float32, "f64": np.float64, "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}  # fmt: skip
_BULK = [
    *(("add", kind) for kind in ("u32", "s32", "u64", "f32", "f64", "f16", "bf16")),
    *((name, kind) for name in ("min", "max")
      for kind in ("u32", "s32", "u64", "s64", "f16", "bf16")),
    *((name, kind) for name in ("and", "or", "xor") for kind in ("b32", "b64")),
    ("inc", "u32"), ("dec", "u32"),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "kind"), _BULK, ids=[f"{o}.{k}" for o, k in _BULK])
def test_bulk_reductions_to_global_memory(operation: str, kind: str) -> None:
    dtype = _DTYPES[kind]
    rng = np.random.default_rng(7)
    size = np.dtype(dtype).itemsize
    if kind in ("f32", "f64", "f16", "bf16"):
        given, old = (rng.normal(size=512 // size).astype(dtype) for _ in range(2))
    else:
        given, old = (rng.integers(0, 256, 512, np.uint8).view(dtype) for _ in range(2))
        if operation in ("inc", "dec"):
            given[::2], old[::4] = old[::2] + 1, 0
    noftz = "noftz." if operation == "add" and kind in ("f16", "bf16") else ""
    text = ptx.entry(_BEGIN + _reduced(f"{operation}.{noftz}{kind}"), "given result")
    _, result = ptx.launch(text, given.view(np.uint8), old.view(np.uint8))
    if operation in _NUMPY:
        expected = _NUMPY[operation](old, given).astype(dtype)
    else:
        count = {"inc": _inc, "dec": _dec}[operation]
        expected = np.array([count(int(a), int(b)) for a, b in zip(old, given, strict=True)], dtype)
    assert np.array_equal(result, expected.view(np.uint8))


def test_bulk_reductions_of_many_ctas_add_up() -> None:
    given = np.arange(128, dtype=np.uint32)
    assert np.array_equal(run(_reduced("add.u32"), given, 128, ctas=5), 5 * given)


def test_a_bulk_reduction_into_another_cta() -> None:
    body = (
        """shl.b32 %r8, %r0, 4; add.u32 %r3, %r1, %r8;
st.shared.v4.b32 [%r3], {%r0, 1, 2, 3}; st.shared.v4.b32 [%r3+1024], {100, 100, 100, 100};
@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], 512;
fence.proxy.async; fence.mbarrier_init.release.cluster;
"""
        + _MEET
        + """xor.b32 %r8, %r9, 1; add.u32 %r4, %r1, 1024;
mapa.shared::cluster.u32 %r10, %r4, %r8; mapa.shared::cluster.u32 %r11, %r2, %r8;
@%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32
  [%r10], [data], 512, [%r11];
"""
        + _WAIT
        + """ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r3+1024];
mad.lo.u32 %r8, %r9, 32, %r0; mul.wide.u32 %d0, %r8, 16; add.u64 %d2, %result, %d0;
st.global.v4.b32 [%d2], {%r4, %r5, %r6, %r7};
"""
    )
    got = run(body, _GIVEN, 256, ctas=2, cluster=2).reshape(2, 32, 4)
    expected = 100 + np.stack([np.arange(32), *(np.full(32, i) for i in (1, 2, 3))], 1)
    assert np.array_equal(got[0], expected)
    assert np.array_equal(got[1], expected)


# -- cluster launch control ------------------------------------------------------------------------
#: Each CTA works on its own index, and on those of the CTAs whose launch it cancels.
_PERSISTENT = """mov.u32 %r4, %ctaid.x; mov.u32 %r7, 0;
@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
bar.sync 0;
WORK:
@!%p0 bra ASKED;
mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], 16;
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer],
  [bar];
ASKED:
mad.lo.u32 %r5, %r4, 32, %r0; mul.wide.u32 %d0, %r5, 4; add.u64 %d1, %result, %d0;
atom.global.add.u32 %r6, [%d1], 1;
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], %r7;
@!%p1 bra WAIT;
xor.b32 %r7, %r7, 1;
ld.shared.b128 %o0, [answer];
{fence}bar.sync 0;
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %o0;
@!%p2 bra END;
clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {{%r4, %r8, %r10, _}}, %o0;
clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r11, %o0;
add.u32 %r4, %r11, %r8;
bra WORK;
END: {end}
"""
_FENCE = "fence.proxy.async.shared::cta;\n"


def test_every_cta_of_the_grid_is_worked_on_once() -> None:
    body = _PERSISTENT.format(fence=_FENCE, end="")
    got = run(body, _GIVEN, 9 * 32, ctas=9, target="sm_100a")
    assert got.tolist() == 9 * 32 * [1]


def test_canceled_ctas_do_not_start() -> None:
    """Only CTAs that began store their index: the first one canceled all others."""
    end = "mov.u32 %r4, %ctaid.x; add.u32 %r4, %r4, 1; st.global.u32 [%given], %r4;"
    body = _PERSISTENT.format(fence=_FENCE, end=end)
    text = ptx.entry(_BEGIN + body, "given result", target="sm_100a")
    given, result = ptx.launch(text, np.zeros(1, np.uint32), np.zeros(7 * 32, np.uint32), grid=7)
    assert given.tolist() == [1]
    assert result.tolist() == 7 * 32 * [1]


def test_the_answer_may_be_overwritten_only_after_a_proxy_fence() -> None:
    """PTX ISA, clusterlaunchcontrol: the example fences between reading and the next request."""
    run(_PERSISTENT.format(fence="", end=""), _GIVEN, 96, ctas=3, target="sm_100a")
    wrote = _PERSISTENT.format(fence="@%p0 st.shared.u32 [answer], 5;\n", end="")
    with pytest.raises(Hazard, match=r"fence\.proxy\.async is missing"):
        run(wrote, _GIVEN, 96, ctas=3, target="sm_100a")


def test_asking_again_after_a_refusal() -> None:
    body = _PERSISTENT.format(fence=_FENCE, end="").replace("@!%p2 bra END;", "")
    body = body.replace(
        "clusterlaunchcontrol.query_cancel.get_first",
        "@%p2 clusterlaunchcontrol.query_cancel.get_first",
    )
    with pytest.raises(Hazard, match="has already failed"):
        run(body, _GIVEN, 96, ctas=3, target="sm_100a")


def test_the_cta_of_a_refusal_is_undefined() -> None:
    body = (
        _PERSISTENT.format(fence=_FENCE, end="st.global.u32 [%result], %r4;")
        .replace("@!%p2 bra END;", "")
        .replace("bra WORK;", "@%p2 bra WORK;")
    )
    with pytest.raises(Hazard, match="undefined"):
        run(body, _GIVEN, 96, ctas=1, target="sm_100a")


def test_a_cluster_hears_of_another_one() -> None:
    body = (
        """mov.u32 %r4, %ctaid.x;
@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], 16;
fence.mbarrier_init.release.cluster;
"""
        + _MEET
        + """setp.eq.u32 %p3, %r9, 0; and.pred %p3, %p3, %p0;
cvta.shared.u64 %d4, answer; cvta.shared.u64 %d5, bar;
@%p3 clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.multicast::cluster::all.b128
  [%d4], [%d5];
"""
        + _WAIT
        + """ld.shared.b128 %o0, [answer];
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %o0; selp.u32 %r6, 1, 0, %p2;
mov.u32 %r5, 0;
@%p2 clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r5, %o0;
mul.wide.u32 %d0, %r4, 8; add.u64 %d1, %result, %d0; @%p0 st.global.v2.u32 [%d1], {%r6, %r5};
"""
    )
    got = run(body, _GIVEN, 12, ctas=6, cluster=2, target="sm_100a").reshape(6, 2)
    # the first cluster cancels the second one, and the third finds none left
    assert got.tolist() == [[1, 2], [1, 2], [0, 0], [0, 0], [0, 0], [0, 0]]


def test_hopper_has_no_cluster_launch_control() -> None:
    with pytest.raises(UserError, match="sm_90a has no clusterlaunchcontrol"):
        run(_PERSISTENT.format(fence="", end=""), _GIVEN, 96)


def test_bulk_stores_of_zeros() -> None:
    """PTX ISA, st.bulk: size bytes of shared memory become zero."""
    body = """shl.b32 %r8, %r0, 4; add.u32 %r3, %r1, %r8; st.shared.v4.b32 [%r3], {7, 7, 7, 7};
bar.sync 0; mov.b64 %d4, {size};
@%p0 st.bulk.weak.shared::cta [data+8], %d4, 0;
bar.sync 0; ld.shared.v4.b32 {{%r4, %r5, %r6, %r7}}, [%r3];
mul.wide.u32 %d0, %r0, 16; add.u64 %d1, %result, %d0;
st.global.v4.b32 [%d1], {{%r4, %r5, %r6, %r7}};
""".replace("{7, 7, 7, 7}", "{{7, 7, 7, 7}}")
    got = run(body.format(size=400), _GIVEN, 128, target="sm_100a")
    assert got.tolist() == 2 * [7] + 100 * [0] + 26 * [7]
    for size, words in ((12, "12 bytes are not a multiple of 8"), (8192, "outside the shared")):
        with pytest.raises(Hazard, match=words):
            run(body.format(size=size), _GIVEN, 128, target="sm_100a")


# -- setmaxnreg ------------------------------------------------------------------------------------
@pytest.mark.parametrize("count", [16, 100, 264])
def test_register_counts_that_setmaxnreg_refuses(count: int) -> None:
    with pytest.raises(UserError, match="a multiple of 8 from 24 to 256"):
        run(f"setmaxnreg.inc.sync.aligned.u32 {count};", _GIVEN, 1, 128)


@pytest.mark.parametrize(
    ("body", "directives", "words"),
    [
        ("setmaxnreg.inc.sync.aligned.u32 64;", ".maxnreg 96", "the warp already has 96"),
        ("setmaxnreg.dec.sync.aligned.u32 128;", ".maxnreg 96", "the warp has only 96"),
        ("setmaxnreg.dec.sync.aligned.u32 64; bar.sync 0; setmaxnreg.dec.sync.aligned.u32 72;", "",
         "the warp has only 64"),
        ("setp.lt.u32 %p2, %r0, 64; @%p2 bra A; setmaxnreg.dec.sync.aligned.u32 40; bra END; A: "
         "setmaxnreg.dec.sync.aligned.u32 48; END:", "", "of the same warpgroup"),
        ("setp.lt.u32 %p2, %r0, 64; @%p2 bra A; setmaxnreg.dec.sync.aligned.u32 40; A:", "",
         "has executed setmaxnreg 0 times, but this warp 1 times"),
    ],
)  # fmt: skip
def test_rules_of_setmaxnreg(body: str, directives: str, words: str) -> None:
    with pytest.raises(Hazard, match=words):
        run(body, _GIVEN, 1, 256, directives=directives, strict=True)


def test_an_h200_goes_on_where_inc_names_fewer_registers() -> None:
    """Two programs of results/sm_90a/cuda/programs.json do that."""
    run("setmaxnreg.inc.sync.aligned.u32 64;", _GIVEN, 1, 256, directives=".maxnreg 96")


def test_two_warpgroups_may_differ() -> None:
    body = """setp.lt.u32 %p2, %r0, 128; @%p2 bra A; setmaxnreg.dec.sync.aligned.u32 40; bra END;
A: setmaxnreg.inc.sync.aligned.u32 232; END:
"""
    run(body, _GIVEN, 1, 256, directives=".maxnreg 128")


@pytest.mark.parametrize("directives", ["", ".maxnreg 168"])
def test_registers_that_are_never_free_are_a_deadlock(directives: str) -> None:
    """PTX ISA, setmaxnreg: inc blocks until enough registers are free; an SM has 65,536."""
    body = "setmaxnreg.inc.sync.aligned.u32 240; bar.sync 0;"
    with pytest.raises(Hazard, match="for 240 registers for each of its threads") as caught:
        run(body, _GIVEN, 1, 384, directives=directives)
    assert caught.value.kind == "deadlock"
    assert ("65536" if not directives else str(168 * 384)) in str(caught.value)


@pytest.mark.parametrize("later", ["", "exit;"])
def test_registers_that_others_give_back_are_waited_for(later: str) -> None:
    """168 x 384 registers: two warpgroups get 232 once the third has 40, or has ended."""
    body = f"""setp.lt.u32 %p2, %r0, 256; @%p2 bra A; mov.u32 %r1, 0;
L: add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 50; @%p3 bra L; {later}
setmaxnreg.dec.sync.aligned.u32 40; bra END;
A: setmaxnreg.inc.sync.aligned.u32 232; END:
"""
    run(body, _GIVEN, 1, 384, directives=".maxnreg 168")
