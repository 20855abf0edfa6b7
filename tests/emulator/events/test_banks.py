"""Bank conflicts: known cases worked out by hand, and random addresses against a model of its own.

The model here is written from the sources' words, lane by lane: it shares neither code nor tables
with the emulator.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from lanemap.devices.emulator import Counts
from lanemap.model import banks
from tests.emulator.events.kernels import counted, device, gfx, ptx

# -- what the sources say --------------------------------------------------------------------------

Phases = list[list[int]]


def runs(lanes: int, each: int) -> Phases:
    return [list(range(n, n + each)) for n in range(0, lanes, each)]


#: HipKittens' phase_results.txt of ds_read_b128 and b96: lanes that conflict with one another.
READ_B128: Phases = [
    [0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27],
    [4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31],
    [32, 33, 34, 35, 44, 45, 46, 47, 52, 53, 54, 55, 56, 57, 58, 59],
    [36, 37, 38, 39, 40, 41, 42, 43, 48, 49, 50, 51, 60, 61, 62, 63],
]
READ_B96: Phases = [
    [0, 1, 2, 3, 20, 21, 22, 23], [4, 5, 6, 7, 16, 17, 18, 19],
    [8, 9, 10, 11, 28, 29, 30, 31], [12, 13, 14, 15, 24, 25, 26, 27],
    [32, 33, 34, 35, 52, 53, 54, 55], [36, 37, 38, 39, 48, 49, 50, 51],
    [40, 41, 42, 43, 60, 61, 62, 63], [44, 45, 46, 47, 56, 57, 58, 59],
]  # fmt: skip
#: (load or store, bytes a lane) of each target: banks, phases.
SAID: dict[str, dict[tuple[str, int], tuple[int, Phases]]] = {
    "sm_90a": {(way, size): (32, runs(32, 32 if size <= 4 else 128 // size))
               for way in ("load", "store") for size in (1, 2, 4, 8, 16)},
    "gfx950": {
        ("load", 4): (32, runs(64, 32)), ("load", 8): (64, runs(64, 32)),
        ("load", 12): (32, READ_B96), ("load", 16): (64, READ_B128),
        ("store", 4): (32, runs(64, 32)), ("store", 8): (32, runs(64, 16)),
        ("store", 12): (32, runs(64, 8)), ("store", 16): (32, runs(64, 8)),
    },
}  # fmt: skip


def paired(phases: Phases, addresses: Sequence[int]) -> Phases:
    """Phases of a wide load of the H200: two and two where neighbors agree all over the warp.

    NVIDIA developer forums, topic 77228: "pairs" are lanes 0 and 1, 2 and 3, .., or lanes 0 and 2,
    1 and 3, 4 and 6, ..; results/sm_90a/cuda/smem_banks.json shows the same.
    """
    quads = [addresses[n : n + 4] for n in range(0, len(addresses), 4)]
    if all(a == b and c == d for a, b, c, d in quads) or all(
        a == c and b == d for a, b, c, d in quads
    ):
        return [first + second for first, second in zip(phases[::2], phases[1::2], strict=True)]
    return phases


def passes(target: str, way: str, size: int, addresses: Sequence[int]) -> tuple[int, int]:
    """Passes of an access by all lanes, and without conflicts."""
    count, phases = SAID[target][way, size]
    if target == "sm_90a" and way == "load" and len(phases) > 1:
        phases = paired(phases, addresses)
    total = 0
    for phase in phases:
        wanted: dict[int, set[int]] = {}
        for lane in phase:
            for byte in range(addresses[lane], addresses[lane] + size):
                wanted.setdefault(byte // 4 % count, set()).add(byte // 4)
        total += max(len(words) for words in wanted.values())
    return total, len(phases)


# -- kernels that access LDS or shared memory at given addresses -----------------------------------


def nvidia(way: str, size: int, rows: int) -> str:
    """Row by row: each lane takes its address from the array and loads or stores `size` bytes."""
    kind, register = {
        1: ("b8", "%h1"),
        2: ("b16", "%h1"),
        4: ("b32", "%r4"),
        8: ("b64", "%d5"),
        16: ("v4.b32", "{%r4,%r5,%r6,%r7}"),
    }[size]
    access = (
        f"ld.shared.{kind} {register}, [%r3]"
        if way == "load"
        else (f"st.shared.{kind} [%r3], {register}")
    )
    return ptx(
        f"""
        mov.u32 %t, %tid.x; ld.param.u64 %d1, [a]; mad.wide.u32 %d2, %t, 4, %d1;
        mov.b16 %h1, 0; mov.b64 %d5, 0; mov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, 0;
        mov.b32 %r7, 0; mov.u32 %r8, tile; mov.u32 %r1, 0;
        FILL: mad.lo.u32 %r2, %t, 16, %r8; mad.lo.u32 %r2, %r1, 512, %r2;
        st.shared.v4.b32 [%r2], {{%r4,%r5,%r6,%r7}};
        add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 32; @%p bra FILL;
        bar.warp.sync 0xffffffff; mov.u32 %r1, 0;
        ROW: ld.global.u32 %r3, [%d2]; add.u64 %d2, %d2, 128; add.u32 %r3, %r3, %r8;
        {access};
        bar.warp.sync 0xffffffff;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, {rows}; @%p bra ROW;
    """,
        parameters=".param .u64 a",
        shared=16384,
    )


def amd(access: str, rows: int) -> str:
    """The same for gfx950; v3 is the address, v[8:11] the data."""
    fill = "\n".join(f"ds_write_b128 v4, v[8:11] offset:{1024 * n}" for n in range(16))
    return gfx(f"""
        s_load_dwordx4 s[4:7], s[0:1], 0x0
        v_lshlrev_b32 v1, 2, v0
        v_lshlrev_b32 v4, 4, v0
        v_mov_b32 v8, 0
        v_mov_b32 v9, 0
        v_mov_b32 v10, 0
        v_mov_b32 v11, 0
        {fill}
        s_mov_b32 s8, {rows}
        s_waitcnt lgkmcnt(0)
    row:
        global_load_dword v3, v1, s[4:5]
        s_waitcnt vmcnt(0)
        {access}
        s_waitcnt lgkmcnt(0)
        s_add_u32 s4, s4, 256
        s_addc_u32 s5, s5, 0
        s_sub_u32 s8, s8, 1
        s_cmp_lg_u32 s8, 0
        s_cbranch_scc1 row
    """)


def judged(target: str, way: str, size: int, rows: np.ndarray) -> Counts:
    """What the accesses at each row's addresses come to: those by the only opcode of that form."""
    opened = device(target)
    array = opened.array(rows.astype(np.uint32))
    if target == "sm_90a":
        text = nvidia(way, size, len(rows))
        return counted(opened, text, 1, 32, [array])
    name = f"ds_read_b{8 * size}" if way == "load" else f"ds_write_b{8 * size}"
    data = f"v[8:{7 + size // 4}]" if size > 4 else "v8"
    access = f"{name} {data}, v3" if way == "load" else f"{name} v3, {data}"
    return counted(opened, amd(access, len(rows)), 1, 64, [array, np.uint64(0)])


def measured(target: str, way: str, size: int, rows: np.ndarray) -> tuple[int, int]:
    """Passes of all rows together, and without conflicts."""
    counts = judged(target, way, size, rows)
    found = [
        one
        for one in counts.instructions
        if any(
            place == ("shared", way) and each.accesses == len(rows)
            for place, each in one.traffic.items()
        )
    ]
    (one,) = found
    traffic = one.traffic["shared", way]
    assert traffic.judged == len(rows)
    assert traffic.conflicts == traffic.passes - traffic.least
    return traffic.passes, traffic.least


LANE32, LANE64 = np.arange(32), np.arange(64)
#: Addresses, bytes a lane, and the passes and least passes by hand.
KNOWN: dict[str, tuple[str, int, np.ndarray, int, int]] = {
    "stride 1": ("sm_90a", 4, 4 * LANE32, 1, 1),
    "stride 2": ("sm_90a", 4, 8 * LANE32, 2, 1),
    "stride 3": ("sm_90a", 4, 12 * LANE32, 1, 1),
    "stride 32": ("sm_90a", 4, 128 * LANE32, 32, 1),
    "padded column of 33": ("sm_90a", 4, 132 * LANE32, 1, 1),
    "broadcast": ("sm_90a", 4, 0 * LANE32 + 256, 1, 1),
    "two words of one bank": ("sm_90a", 4, 128 * (LANE32 % 2), 2, 1),
    "bytes of words": ("sm_90a", 1, LANE32, 1, 1),
    "bytes of one bank": ("sm_90a", 1, 128 * LANE32, 32, 1),
    "halves": ("sm_90a", 2, 2 * LANE32, 1, 1),
    "64 bits in a row": ("sm_90a", 8, 8 * LANE32, 2, 2),
    "64 bits, stride 2": ("sm_90a", 8, 16 * LANE32, 4, 2),
    "128 bits in a row": ("sm_90a", 16, 16 * LANE32, 4, 4),
    "128 bits, rows of 128 bytes": ("sm_90a", 16, 128 * LANE32 % 16384, 32, 4),
    "128 bits, XOR swizzle": (
        "sm_90a", 16, 128 * (LANE32 % 8) + 16 * ((LANE32 // 8) ^ (LANE32 % 8)), 4, 4),
    "64 bits, broadcast": ("sm_90a", 8, 0 * LANE32, 1, 1),
    "128 bits, broadcast": ("sm_90a", 16, 0 * LANE32, 2, 2),
    "128 bits, pairs of neighbors": ("sm_90a", 16, 16 * (LANE32 // 2), 2, 2),
    "128 bits, pairs of every other lane": (
        "sm_90a", 16, 16 * (LANE32 // 4 * 2 + LANE32 % 2), 2, 2),
    "128 bits, pairs of lanes four apart": ("sm_90a", 16, 16 * (LANE32 & ~4), 4, 4),
    "wave, stride 1": ("gfx950", 4, 4 * LANE64, 2, 2),
    "wave, stride 32": ("gfx950", 4, 128 * LANE64, 64, 2),
    "wave, padded column of 33": ("gfx950", 4, 132 * LANE64, 2, 2),
    "b64 in a row": ("gfx950", 8, 8 * LANE64, 2, 2),
    "b64, rows of 256 bytes": ("gfx950", 8, 256 * LANE64 % 16384, 64, 2),
    "b128 in a row": ("gfx950", 16, 16 * LANE64, 4, 4),
    # facts of path 1s: chunk c of row r at c ^ (r >> 1 & 7), rows of 128 bytes, lanes along rows
    "b128, swizzled rows of 128 bytes": (
        "gfx950", 16, 128 * (LANE64 % 32) + 16 * ((LANE64 // 32) ^ (LANE64 % 32 >> 1 & 7)), 4, 4),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_cases(name: str) -> None:
    target, size, addresses, expected, least = KNOWN[name]
    assert measured(target, "load", size, addresses[None, :]) == (expected, least)


FORMS = [(target, way, size) for target, forms in SAID.items() for way, size in forms]


@pytest.mark.parametrize(("target", "way", "size"), FORMS)
def test_random_addresses(target: str, way: str, size: int) -> None:
    """Uniform, few distinct, along strides: alignment as the instruction needs it."""
    rng = np.random.default_rng(size)
    lanes = 32 if target == "sm_90a" else 64
    align = 4 if size == 12 else size
    most = (16384 - 16) // align
    rows = [rng.integers(0, most, lanes) for _ in range(12)]
    rows += [rng.choice(rng.integers(0, most, 5), lanes) for _ in range(6)]
    rows += [np.arange(lanes) * rng.integers(1, most // lanes) % most for _ in range(6)]
    rows += [rng.integers(0, most, lanes // 2).repeat(2) for _ in range(3)]
    rows += [rng.integers(0, most, (lanes // 4, 2))[:, [0, 1, 0, 1]].ravel() for _ in range(3)]
    if way == "store":  # no two lanes store to one place
        rows = [
            row[:1] * 0 + rng.permutation(most * align // (2 * size))[:lanes] * (2 * size) // align
            for row in rows
        ]
    addresses = align * np.array(rows)
    expected = [passes(target, way, size, row.tolist()) for row in addresses]
    assert measured(target, way, size, addresses) == (
        sum(one for one, _ in expected),
        sum(least for _, least in expected),
    )


def test_lanes_that_are_off_want_nothing() -> None:
    """5 lanes of bank 0 take 5 passes; the H200 takes 4 for any 128-bit store without conflicts."""
    body = """
        mov.u32 %t, %tid.x; mov.u32 %r1, tile; mad.lo.u32 %r2, %t, 128, %r1;
        mov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, 0; mov.b32 %r7, 0;
        setp.lt.u32 %p, %t, 5;
        @%p st.shared.v4.b32 [%r2], {%r4, %r5, %r6, %r7};
        @%p st.shared.b32 [%r2+64], %r4;
    """
    counts = counted(device(), ptx(body, parameters=""), 1, 32, [])
    one = counts.traffic()["shared", "store"]
    assert (one.accesses, one.passes, one.least) == (2, 5 + 5, 4 + 1)


@pytest.mark.parametrize(
    ("pitch", "expected"), [(16, 4), (32, 8), (64, 16), (128, 32), (144, 4)]
)  # fmt: skip
def test_rows_of_ldmatrix_are_phases_of_eight_lanes(pitch: int, expected: int) -> None:
    body = f"""
        mov.u32 %t, %tid.x; mov.u32 %r1, tile; mov.b32 %r4, 0; mov.u32 %r5, 0;
        FILL: mad.lo.u32 %r2, %t, 4, %r1; mad.lo.u32 %r2, %r5, 128, %r2; st.shared.b32 [%r2], %r4;
        add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 40; @%p bra FILL;
        bar.warp.sync 0xffffffff;
        mad.lo.u32 %r2, %t, {pitch}, %r1;
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r6, %r7, %r8, %r9}}, [%r2];
    """
    counts = counted(device(), ptx(body, parameters=""), 1, 32, [])
    (one,) = [each for each in counts.instructions if each.opcode.startswith("ldmatrix")]
    traffic = one.traffic["shared", "load"]
    assert (traffic.bytes, traffic.passes, traffic.least) == (32 * 16, expected, 4)


def transposing(name: str, size: int) -> Callable[[], Counts]:
    def run() -> Counts:
        opened, last = device("gfx950"), 11 + size // 4
        array = opened.array((16 * LANE64).astype(np.uint32))
        text = amd(f"{name} v[12:{last}], v3", 1)
        return counted(opened, text, 1, 64, [array, np.uint64(0)])

    return run


def test_what_no_source_settles_is_not_judged() -> None:
    one = transposing("ds_read_b96_tr_b6", 12)().traffic()["shared", "load"]
    assert (one.bytes, one.judged, one.passes) == (64 * 12, 0, 0)
    # lanes 16 bytes apart: 32 lanes of two words each, in every fourth pair of 64 banks; that of b8
    # and b4 is assumed
    for bits in (16, 8, 4):
        one = transposing(f"ds_read_b64_tr_b{bits}", 8)().traffic()["shared", "load"]
        assert (one.judged, one.passes, one.least) == (1, 4, 2)
    assumed = {rule.form for rule in banks.gfx950() if rule.evidence == "assumed"}
    assert assumed == {"ds_read_b64_tr_b8", "ds_read_b64_tr_b4"}


def test_every_rule_names_its_sources_and_can_be_met_without_conflicts() -> None:
    for rules, lanes in (
        (banks.nvidia("sm_90a"), 32),
        (banks.nvidia("sm_100a"), 32),
        (banks.gfx950(), 64),
    ):
        for rule in rules:
            assert rule.citations and rule.evidence in (
                "silicon",
                "documented",
                "published",
                "assumed",
            )
            silicon = [cited for cited in rule.citations if cited.startswith("results/")]
            assert all(Path(cited.split(":")[0]).is_file() for cited in silicon)
            assert bool(silicon) >= (rule.evidence == "silicon")
            assert sorted(lane for phase in rule.phases for lane in phase) == list(range(lanes))
            widest = max(len(phase) for phase in rule.phases) * rule.sizes[1]
            assert widest <= rule.banks * banks.WORD_BYTES, rule.form


def test_a_trace_has_the_passes_of_each_access(tmp_path: Path) -> None:
    opened = device()
    rows = np.array([4 * LANE32, 8 * LANE32, 128 * LANE32, 0 * LANE32])
    array = opened.array(rows.astype(np.uint32))
    kernel = opened.load(nvidia("load", 4, len(rows)))["k"]
    with opened.trace(tmp_path / "trace.csv"):
        kernel(1, 32, [array])
    found = list(csv.DictReader((tmp_path / "trace.csv").open()))
    loads = [row for row in found if row["class"] == "shared load"]
    assert [(row["passes"], row["conflicts"]) for row in loads] == [
        ("1", "0"),
        ("2", "1"),
        ("32", "31"),
        ("1", "0"),
    ]
