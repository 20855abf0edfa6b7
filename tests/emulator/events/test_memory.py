"""Bytes, sectors and lines of accesses, against sizes of NumPy arrays and sets of addresses."""

from __future__ import annotations

import numpy as np
import pytest

from tests.emulator.events.kernels import counted, device, gfx, ptx, waves_and_lanes

COPY = """
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %t, %c, 128, %t;
ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];
mad.wide.u32 %d3, %t, {size}, %d1; mad.wide.u32 %d4, %t, {size}, %d2;
ld.global.{kind} {registers}, [%d3]; st.global.{kind} [%d4], {registers};
"""
WIDTHS = {
    "b8": (1, "%h1"), "b16": (2, "%h1"), "b32": (4, "%r1"), "b64": (8, "%d5"),
    "v2.b32": (8, "{%r1,%r2}"), "v4.b32": (16, "{%r1,%r2,%r3,%r4}"),
}  # fmt: skip


@pytest.mark.parametrize("kind", WIDTHS)
def test_a_copy_moves_the_bytes_of_its_arrays(kind: str) -> None:
    size, registers = WIDTHS[kind]
    opened, threads = device(), 5 * 128
    source = opened.array(np.arange(threads * size, dtype=np.uint8))
    target = opened.zeros(threads * size, np.uint8)
    text = ptx(COPY.format(kind=kind, size=size, registers=registers))
    counts = counted(opened, text, 5, 128, [source, target])
    for direction in ("load", "store"):
        one = counts.traffic()["global", direction]
        assert one.bytes == source.nbytes == counts.bytes("global", direction)
        assert one.accesses == threads // 32
        assert one.sectors == -(-source.nbytes // 32)
        # a warp's bytes are 32 to 512: an access smaller than a line touches a whole one
        assert one.lines == max(source.nbytes // 128, threads // 32)
        assert one.judged == one.passes == 0
    # each warp of the launch asks once for each of the two pointers
    assert counts.traffic()["parameter", "load"].bytes == 2 * 8 * threads // 32


@pytest.mark.parametrize("stride", [0, 1, 2, 3, 8, 31, 33, 64])
def test_sectors_and_lines_of_strided_loads(stride: int) -> None:
    opened = device()
    array = opened.zeros(32 * 64 + 32, np.uint32)
    body = f"""
        mov.u32 %t, %tid.x; mul.lo.u32 %r1, %t, {4 * stride}; ld.param.u64 %d1, [a];
        cvt.u64.u32 %d2, %r1; add.u64 %d2, %d1, %d2; ld.global.u32 %r2, [%d2+4];
    """
    counts = counted(opened, ptx(body, parameters=".param .u64 a"), 1, 32, [array])
    addresses = array.address + 4 + 4 * stride * np.arange(32)
    one = counts.traffic()["global", "load"]
    assert one.bytes == 32 * 4
    assert one.sectors == len(np.unique(addresses // 32))
    assert one.lines == len(np.unique(addresses // 128))


def test_random_addresses_of_every_width() -> None:
    """Misaligned accesses of gfx950 may cross sectors; lanes may agree, in any order."""
    rng = np.random.default_rng(5)
    opened = device("gfx950")
    places = rng.integers(0, 4000, (20, 64)).astype(np.uint32)
    places[1], places[2] = 64, np.sort(places[2])
    array, data = opened.array(places), opened.zeros(4096, np.uint8)
    loads = {"ubyte": 1, "ushort": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}
    steps = "\n".join(
        f"""global_load_dword v3, v1, s[4:5] offset:{256 * (row % 8)}
        s_waitcnt vmcnt(0)
        global_load_{name} v[8:{7 + max(size // 4, 1)}], v3, s[6:7]
        s_waitcnt vmcnt(0)"""
        + ("\ns_add_u32 s4, s4, 2048\ns_addc_u32 s5, s5, 0" if row % 8 == 7 else "")
        for row, (name, size) in zip(range(20), list(loads.items()) * 4, strict=False)
    )
    body = f"""
        s_load_dwordx4 s[4:7], s[0:1], 0x0
        v_lshlrev_b32 v1, 2, v0
        s_waitcnt lgkmcnt(0)
        {steps}
    """.replace("v[8:8]", "v8")
    counts = counted(opened, gfx(body), 1, 64, [array, data])
    rows = list(zip(places, list(loads.values()) * 4, strict=False))
    sectors = lines = size_sum = 0
    for row, size in rows:
        touched = {data.address + int(at) + i for at in row for i in range(size)}
        sectors += len({byte // 32 for byte in touched})
        lines += len({byte // 128 for byte in touched})
        size_sum += 64 * size
    one = counts.traffic()["global", "load"]
    assert one.accesses == 2 * len(rows)
    assert one.bytes == size_sum + places.nbytes
    assert one.sectors == sectors + places.nbytes // 32
    assert one.lines == lines + places.nbytes // 128


def test_generic_addresses_count_where_they_lead() -> None:
    body = """
        .local .align 8 .b8 own[64];
        mov.u32 %t, %tid.x; ld.param.u64 %d1, [a];
        mov.u32 %r1, tile; cvta.shared.u64 %d2, tile; cvta.local.u64 %d3, own;
        st.local.v2.u32 [own], {%t, %t}; st.shared.u32 [tile+128], %t;
        setp.lt.u32 %p, %t, 8; setp.lt.u32 %q, %t, 20;
        selp.b64 %d4, %d2, %d3, %q; selp.b64 %d4, %d1, %d4, %p;
        st.u32 [%d4], %r1;
    """
    opened = device()
    array = opened.zeros(32, np.uint32)
    text = ptx(body, parameters=".param .u64 a")
    counts = counted(opened, text, 1, 32, [array])
    traffic = counts.traffic()
    assert traffic["global", "store"].bytes == 8 * 4
    assert traffic["shared", "store"].bytes == 12 * 4 + 32 * 4
    assert traffic["private", "store"].bytes == 12 * 4 + 32 * 8
    assert traffic["private", "store"].accesses == 2
    assert waves_and_lanes(counts, "st.u32") == (1, 32)
    assert counts.by_kind()["generic store"].waves == 1


def test_atomics_and_what_only_some_lanes_access() -> None:
    body = """
        mov.u32 %t, %tid.x; ld.param.u64 %d1, [a]; setp.lt.u32 %p, %t, 3;
        @%p atom.global.add.u32 %r1, [%d1], %t;
        red.shared.add.u32 [tile], 1;
        @%p red.global.add.u64 [%d1+8], 1;
    """
    body = "st.shared.u32 [tile], 0; bar.warp.sync 0xffffffff;" + body
    opened = device()
    array = opened.zeros(8, np.uint32)
    counts = counted(opened, ptx(body, parameters=".param .u64 a"), 1, 32, [array])
    traffic = counts.traffic()
    assert traffic["global", "atomic"].bytes == 3 * 4 + 3 * 8
    assert traffic["global", "atomic"].accesses == 2
    assert traffic["shared", "atomic"].bytes == 32 * 4
    assert traffic["shared", "atomic"].judged == 0  # no source says how banks serve atomics
    assert array.get()[:3].tolist() == [0 + 1 + 2, 0, 3]


def test_shared_memory_of_another_cta_is_a_space_of_its_own() -> None:
    body = """
        mov.u32 %t, %tid.x; mov.u32 %r1, tile; mad.lo.u32 %r1, %t, 4, %r1;
        st.shared.u32 [%r1], %t;
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        mapa.shared::cluster.u32 %r2, %r1, 0;
        ld.shared::cluster.u32 %r3, [%r2];
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    """
    counts = counted(device(), ptx(body, parameters="", shared=1024), 4, 32, [], cluster=2)
    traffic = counts.traffic()
    # half of the CTAs read what is their own
    assert traffic["shared", "load"].bytes == 2 * 32 * 4
    assert traffic["cluster", "load"].bytes == 2 * 32 * 4
    assert traffic["shared", "store"].bytes == 4 * 32 * 4


def test_lds_scratch_and_scalar_loads_of_gfx950() -> None:
    body = """
        s_load_dwordx4 s[4:7], s[0:1], 0x0
        v_lshlrev_b32 v1, 3, v0
        v_mov_b32 v2, v0
        v_mov_b32 v3, v0
        ds_write_b64 v1, v[2:3]
        s_waitcnt lgkmcnt(0)
        s_load_dwordx8 s[8:15], s[4:5], 0x0
        ds_read2_b32 v[4:5], v1 offset0:0 offset1:1
        s_mov_b64 exec, 0xf
        ds_read_b32 v6, v1
        s_waitcnt lgkmcnt(0)
    """
    opened = device("gfx950")
    counts = counted(opened, gfx(body), 1, 64, [opened.zeros(64, np.uint32), np.uint64(0)])
    traffic = counts.traffic()
    assert traffic["scalar", "load"].bytes == 16 + 32
    assert traffic["scalar", "load"].accesses == 2
    assert traffic["shared", "store"].bytes == 64 * 8
    assert traffic["shared", "load"].bytes == 2 * 64 * 4 + 4 * 4
    assert traffic["shared", "load"].accesses == 3


def test_tensor_memory_counts_cells() -> None:
    """32 lanes by n columns of 4 bytes of each warp, and what a copy reads and writes."""
    body = """
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [tile], 64;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        ld.shared.u32 %r1, [tile];
        tcgen05.st.sync.aligned.32x32b.x4.b32 [%r1], {%r1, %r1, %r1, %r1};
        tcgen05.wait::st.sync.aligned;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;
    """
    text = ptx(body, parameters="", shared=1024, target="sm_100a")
    counts = counted(device("sm_100a"), text, 2, 32, [])
    traffic = counts.traffic()
    assert traffic["tensor", "store"].bytes == 2 * 32 * 4 * 4
    assert traffic["tensor", "load"].bytes == 2 * 32 * 2 * 4
    kinds = {kind: one.waves for kind, one in counts.by_kind().items()}
    assert kinds["tensor load"] == kinds["tensor store"] == 2
    assert kinds["allocation"] == 3 * 2 and kinds["wait"] == 2 * 2


def test_sums_of_launches_are_the_launches_together() -> None:
    opened = device()
    text = ptx(COPY.format(kind="b32", size=4, registers="%r1"))
    arrays = [opened.zeros(1024, np.uint32), opened.zeros(1024, np.uint32)]
    kernel = opened.load(text)["k"]
    with opened.count() as counts:
        for grid in (1, 2, 5):
            kernel(grid, 128, arrays)
    assert counts.launches == 3
    assert counts.bytes("global", "load") == (1 + 2 + 5) * 128 * 4
    assert waves_and_lanes(counts, "ld.global") == (8 * 4, 8 * 128)


@pytest.mark.parametrize(("kind", "size"), [("u32", 4), ("f32", 4), ("f64", 8)])
def test_sums_of_floats_are_accesses_as_those_of_integers_are(kind: str, size: int) -> None:
    opened = device()
    sums = opened.zeros(64, np.uint64)
    body = f"ld.param.u64 %d1, [a]; red.global.add.{kind} [%d1], {{}};"
    operand = {"u32": "1", "f32": "0f3F800000", "f64": "0d3FF0000000000000"}[kind]
    text = ptx(body.format(operand), parameters=".param .u64 a")
    one = counted(opened, text, 1, 32, [sums]).traffic()["global", "atomic"]
    assert (one.accesses, one.bytes, one.sectors, one.lines) == (1, 32 * size, 1, 1)
