"""The PTX of a pipeline, right by construction: each step of it bears its name in a comment.

A fault is a change of the lines of one name (`faults.py`). Warps have roles; %full, %empty, %ready,
%sums and %read are arrays of mbarriers: of tiles that have arrived, that may be overwritten, that
have been copied to tensor memory (or that the other CTA of a pair has received), of sums that are
complete, and that have been read.
"""

from __future__ import annotations

from tests import ptx
from tests.emulator.ptx.tensor_pipelines.operands import step_bytes, tile_of
from tests.emulator.ptx.tensor_pipelines.shape import READERS, WARPS, Shape
from tests.emulator.ptx.tensor_pipelines.writer import (
    Writer,
    box_rows,
    freed_mask,
    relays,
    share_bytes,
    sharers,
)

ENTRY = "pipeline"
MEET = ("barrier.cluster.arrive.release.aligned;", "barrier.cluster.wait.acquire.aligned;")
_TX = "mbarrier::complete_tx::bytes"


# -- loads ----------------------------------------------------------------------------------------
def _expected(s: Shape) -> int:
    """Bytes that arrive at the mbarrier of one tile."""
    return tile_of(s).size * (2 if s.group == 2 and s.loader == "tma" else 1)


def _copy(w: Writer, near: bool) -> None:
    """Start the copies of one part of a tile, as the loader's one thread."""
    s, t = w.s, w.tile
    size = t.near if near else share_bytes(s)
    source = "%near" if near else "%far"
    first = 0 if near else t.near
    cast, mask = ("", "") if near or not s.sharing else (".multicast::cluster", ", %shared")
    name = "load near" if near else "load far"
    w.line(f"mad.lo.u32 %y, %rank, {s.tiles}, %i;")
    w.line(f"add.u32 %x, %tile, {first};")
    if not near and s.sharing:
        w.line(f"mad.lo.u32 %x, %part, {size}, %x;")
    if s.loader == "bulk":
        w.line(f"mad.wide.u32 %from, %y, {size}, {source};")
        w.line(
            f"cp.async.bulk.shared::cluster.global.{_TX}{cast} [%x], [%from], {size}, "
            f"[%bar]{mask};",
            name=name,
        )
        return
    rows = box_rows(size)
    w.line(f"mul.lo.u32 %y, %y, {size // 128};")
    group = ".cta_group::2" if s.group == 2 else ""
    for number in range(size // 128 // rows):
        if number:
            w.line(f"add.u32 %x, %x, {128 * rows};", f"add.u32 %y, %y, {rows};")
        w.line(
            f"cp.async.bulk.tensor.2d.shared::cluster.global.{_TX}{cast}{group} [%x], "
            f"[{source}map, {{%zero, %y}}], [%bar]{mask};",
            name=name,
        )


def _store(w: Writer, near: bool) -> None:
    """Copy one part of a tile with the lanes of the loader's warp."""
    s, t = w.s, w.tile
    size = t.near if near else t.size - t.near
    again = w.label()
    w.line(
        f"mad.lo.u32 %y, %rank, {s.tiles}, %i;",
        f"mad.wide.u32 %from, %y, {size}, {'%near' if near else '%far'};",
        "mul.wide.u32 %wide, %lane, 16;",
        "add.u64 %from, %from, %wide;",
        f"mad.lo.u32 %x, %lane, 16, {0 if near else t.near};",
        "add.u32 %y, %tile, %x;",
        f"{again}: ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%from];",
    )
    w.line("st.shared.v4.b32 [%y], {%v0, %v1, %v2, %v3};", name="store tile")
    w.line(
        "add.u64 %from, %from, 512;",
        "add.u32 %x, %x, 512;",
        "add.u32 %y, %y, 512;",
        f"setp.lt.u32 %p, %x, {size if near else t.size};",
        f"@%p bra {again};",
    )


def load(w: Writer) -> None:
    """The loader's warp."""
    s = w.s
    if s.loader != "stores":
        w.line("@!%first bra END;")
    again = w.begin_tiles()
    w.line("xor.b32 %other, %turn, 1;")
    w.wait("%empty", "%slot", "%other", "wait empty")
    w.line(f"mad.lo.u32 %tile, %slot, {w.tile.size}, %room;")
    if s.loader == "stores":
        _store(w, True)
        _store(w, False)
        w.line("fence.proxy.async.shared::cta;", name="proxy fence")
        w.arrive("%full", "%slot", "arrive full")
    else:
        w.line("mad.lo.u32 %bar, %slot, 8, %full;")
        leader = s.group == 2 and s.loader == "tma"
        w.line(
            f"{'@%leads ' if leader else ''}mbarrier.arrive.expect_tx.shared::cta.b64 _, "
            f"[%bar], {_expected(s)};",
            name="expect",
        )
        if leader:
            w.line("mapa.shared::cluster.u32 %bar, %bar, %even;", name="signal the even CTA")
        _copy(w, True)
        _copy(w, False)
    w.end_tiles(again)
    # the commits that follow the last tiles must find these mbarriers
    for _ in range(s.stages):
        w.line("xor.b32 %other, %turn, 1;")
        w.wait("%empty", "%slot", "%other", "last wait")
        w.next_slot()


# -- products -------------------------------------------------------------------------------------
def _copy_a(w: Writer) -> None:
    """A of a tile to tensor memory: 128 rows of 32 bytes, or 64 rows twice, 16 bytes at a time."""
    s, t = w.s, w.tile
    group = f"tcgen05.cp.cta_group::{s.group}"
    bits, depth = s.mma.bits, s.mma.depth * s.depths
    fixed = s.near.descriptor(bits, s.rows, depth)
    chunk = 16 if s.near.swizzle != "none" else s.near.offsets(bits, s.rows, depth)[0]
    w.line(f"mad.lo.u32 %to, %slot, {w.columns.a_tile}, %base;")
    for block, start in enumerate(t.a):
        for k in range(s.depths):
            here = start + step_bytes(s.near, bits, s.rows, depth, k * s.mma.depth)
            column = w.columns.a + 8 * (block * s.depths + k)
            for half in range(1 if s.rows == 128 else 2):
                w.descriptor("%da", fixed, here + half * chunk)
                shape = "128x256b" if s.rows == 128 else "64x128b.warpx2::02_13"
                w.line(f"add.u32 %x, %to, {column + 4 * half};")
                w.line(f"{group}.{shape} [%x], %da;", name="copy a")


def _copy_scales(w: Writer) -> None:
    s, t, c = w.s, w.tile, w.columns
    group = f"tcgen05.cp.cta_group::{s.group}"
    # rows of 16 bytes, groups of 8 of them one behind the other
    fixed = 1 << 46 | 128 >> 4 << 32 | 1 << 16
    w.line(f"mad.lo.u32 %to, %slot, {c.sfa_tile}, %base;")
    for number in range(s.scale_words):
        w.descriptor("%da", fixed, t.sfa + 512 * number)
        w.line(f"add.u32 %x, %to, {c.sfa + 4 * number};")
        w.line(f"{group}.32x128b.warpx4 [%x], %da;", name="copy sfa")
    w.line(f"mad.lo.u32 %to, %slot, {c.sfb_tile}, %base;")
    for number in range(s.scale_words):
        w.descriptor("%da", fixed, t.sfb + t.sfb_bytes * number)
        w.line(f"add.u32 %x, %to, {c.sfb + c.sfb_word * number};")
        shape = "64x128b.warpx2::01_23" if s.fold == 2 else "32x128b.warpx4"
        w.line(f"{group}.{shape} [%x], %da;", name="copy sfb")


def copy_to_tensor_memory(w: Writer) -> None:
    """Copies of a tile to tensor memory, and shifts of them."""
    s = w.s
    if s.mma.scaled:
        _copy_scales(w)
    if not s.mma.tensor:
        return
    _copy_a(w)
    if s.moved != "shift":
        return
    # cp and shift form no pipeline (PTX ISA, Pipelined tcgen05 Instructions)
    w.commit("%copied", "%zero", None if s.group == 1 else "%own", "commit copies")
    w.line("and.b32 %other, %i, 1;")
    w.wait("%copied", "%zero", "%other", "wait copies")
    w.after("copies")
    w.line(f"mad.lo.u32 %to, %slot, {w.columns.a_tile}, %base;")
    for number in range(s.a_blocks * s.depths):
        for slab in range(4):
            w.line(f"add.u32 %x, %to, {w.columns.a + 8 * number + (slab << 21)};")
            w.line(f"tcgen05.shift.cta_group::{s.group}.down [%x];", name="shift")


def _collector(s: Shape, block: int) -> str:
    if s.mma.ws:
        use = "discard" if s.a_blocks == 1 else ("fill", "lastuse")[block]
        return f".collector::b{s.buffer}::{use}"
    if s.b_blocks == 1 or s.moved == "ashift":
        return ""
    return f".collector::a::{('fill', 'lastuse')[block]}"


def _multiply(w: Writer, k: int, block: int) -> None:
    s, c, m = w.s, w.columns, w.s.mma
    a_block, b_block = divmod(block, s.b_blocks)
    scales = ""
    field = 0
    if m.scaled:
        word, byte = divmod(k * s.scales, 4)
        field = byte << 29 | byte << 4 | (s.scale_type == "ue8m0") << 23
        w.line(
            f"mad.lo.u32 %sa, %slot, {c.sfa_tile}, %base;",
            f"add.u32 %sa, %sa, {c.sfa + 4 * word};",
            f"mad.lo.u32 %sb, %slot, {c.sfb_tile}, %base;",
            f"add.u32 %sb, %sb, {c.sfb + c.sfb_word * word};",
        )
        scales = ", [%sa], [%sb]"
    if m.tensor:
        column = c.a + 8 * (a_block * s.depths + k)
        w.line(f"mad.lo.u32 %to, %slot, {c.a_tile}, %base;", f"add.u32 %to, %to, {column};")
    else:
        w.operand("%da", s.near, s.rows, w.tile.a[a_block], k)
    w.operand("%db", s.far, s.columns, w.tile.b[b_block], k)
    w.line(f"mov.b32 %idesc, {m.idesc(s.near.mn and not m.tensor, s.far.mn) | field:#x};")
    w.line(f"add.u32 %d, %sum, {block * s.width};")
    w.line("setp.ne.u32 %adds, %step, 0;" if k == 0 else "setp.eq.u32 %adds, %zero, 0;")
    name = f"tcgen05.mma{'.ws' if m.ws else ''}.cta_group::{s.group}.kind::{m.kind}"
    name += f"{'.block_scale' if m.scaled else ''}{m.words}"
    name += ".ashift" if s.moved == "ashift" else ""
    a = "[%to]" if m.tensor else "%da"
    w.line(f"{name}{_collector(s, block)} [%d], {a}, %db, %idesc{scales}, %adds;", name="mma")


def _await_tile(w: Writer, reader: str) -> None:
    """The thread that issues waits for a tile."""
    w.wait("%full", "%slot", "%turn", f"{reader} wait full")
    if relays(w.s):
        w.wait("%relayed", "%slot", "%turn", f"{reader} wait peer")


def multiply(w: Writer) -> None:
    """The warp of the products; in the odd CTA of a pair it only passes arrivals on."""
    s = w.s
    w.line("@!%first bra END;")
    if s.group == 2:
        w.line("@!%leads bra RELAY;")
    w.line("mov.u32 %place, 0;", "mov.u32 %pturn, 0;", "mov.u32 %step, 0;")
    again = w.begin_tiles()
    inside = w.label()
    w.line("setp.ne.u32 %p, %step, 0;", f"@%p bra {inside};")
    w.line("xor.b32 %other, %pturn, 1;")
    w.wait("%read", "%place", "%other", "wait read")
    w.after("sum")
    w.line(f"mad.lo.u32 %sum, %place, {s.blocks * s.width}, %base;", f"{inside}:")
    if s.copier:
        if not s.through:
            _await_tile(w, "product")
        w.wait("%ready", "%slot", "%turn", "wait ready")
        w.after("ready")
    else:
        _await_tile(w, "product")
    w.line(f"mad.lo.u32 %tile, %slot, {w.tile.size}, %room;")
    if s.copies and not s.copier:
        copy_to_tensor_memory(w)
    for k in range(s.depths):
        for block in range(s.blocks):
            _multiply(w, k, block)
    w.commit("%empty", "%slot", freed_mask(s), "commit tile")
    more = w.label()
    w.line("add.u32 %step, %step, 1;", f"setp.lt.u32 %p, %step, {s.steps};", f"@%p bra {more};")
    w.commit("%sums", "%place", "%both" if s.group == 2 else None, "commit sum")
    w.line(
        "mov.u32 %step, 0;",
        "add.u32 %place, %place, 1;",
        f"setp.eq.u32 %p, %place, {s.places};",
        "@%p mov.u32 %place, 0;",
        "@%p xor.b32 %pturn, %pturn, 1;",
        f"{more}:",
    )
    w.end_tiles(again)
    w.line("bra.uni END;")
    if s.group == 2:
        w.line("RELAY:")
        if relays(s):
            again = w.begin_tiles()
            w.wait("%full", "%slot", "%turn", "relay wait")
            w.arrive("%relayed", "%slot", "relay arrive")
            w.end_tiles(again)


def copy(w: Writer) -> None:
    """The warp that copies to tensor memory, where that of the products does not."""
    s = w.s
    w.line("@!%first bra END;")
    if s.group == 2:
        w.line("@!%leads bra END;")
    again = w.begin_tiles()
    _await_tile(w, "copier")
    # products of another thread have read the columns that the copies overwrite
    w.after("copier")
    w.line(f"mad.lo.u32 %tile, %slot, {w.tile.size}, %room;")
    copy_to_tensor_memory(w)
    w.before("copier")
    w.arrive("%ready", "%slot", "arrive ready")
    # a commit is of its own thread's operations: copies read the tile, too
    w.commit("%empty", "%slot", freed_mask(s), "commit copies of a tile")
    w.end_tiles(again)


def read(w: Writer) -> None:
    """Four warps read the sums, each its 32 lanes of tensor memory, and store them."""
    s = w.s
    width = s.blocks * s.width
    chunk = next(n for n in (32, 16, 8) if width % n == 0)
    values = [f"%v{i}" for i in range(chunk)]
    again = w.label()
    w.line(
        "mov.u32 %i, 0;",
        "mov.u32 %place, 0;",
        "mov.u32 %pturn, 0;",
        "and.b32 %quadrant, %warp, 3;",
        "shl.b32 %x, %quadrant, 21;",
        "add.u32 %here, %base, %x;",
        "mad.lo.u32 %y, %quadrant, 32, %lane;",
        f"mad.lo.u32 %x, %rank, {s.sums * 128}, %y;",
        f"mad.wide.u32 %to64, %x, {4 * width}, %out;",
        "and.b32 %x, %lane, 16;",
        "setp.eq.u32 %low, %x, 0;",
        f"{again}:",
    )
    w.wait("%sums", "%place", "%pturn", "wait sum")
    w.after("reader")
    w.line(f"mad.lo.u32 %d, %place, {width}, %here;")
    guard = "@%low " if s.rows == 64 and s.fold == 1 else ""
    for first in range(0, width, chunk):
        w.line(
            f"tcgen05.ld.sync.aligned.32x32b.x{chunk}.b32 {{{', '.join(values)}}}, [%d+{first}];"
        )
        w.line("tcgen05.wait::ld.sync.aligned;", name="wait ld")
        if s.mma.d == "f16":
            w.line(*(f"and.b32 {v}, {v}, 0xffff;" for v in values))
        for i in range(0, chunk, 4):
            four = ", ".join(values[i : i + 4])
            w.line(f"{guard}st.global.v4.b32 [%to64+{4 * (first + i)}], {{{four}}};")
    w.before("reader")
    if s.by_warp:
        skip = w.label()
        w.line("bar.warp.sync -1;", name="warp sync")
        w.line(f"@!%first bra {skip};")
        w.arrive("%read", "%place", "arrive read")
        w.line(f"{skip}: bar.warp.sync -1;")
    else:
        w.arrive("%read", "%place", "arrive read")
    w.line(
        f"add.u64 %to64, %to64, {128 * 4 * width};",
        "add.u32 %place, %place, 1;",
        f"setp.eq.u32 %p, %place, {s.places};",
        "@%p mov.u32 %place, 0;",
        "@%p xor.b32 %pturn, %pturn, 1;",
        "add.u32 %i, %i, 1;",
        f"setp.lt.u32 %p, %i, {s.sums};",
        f"@%p bra {again};",
    )


# -- the whole ------------------------------------------------------------------------------------
def counts(s: Shape) -> dict[str, tuple[int, int]]:
    """Of each array of mbarriers: how many, and arrivals at each."""
    issuers = sharers(s) * (2 if s.copier else 1)
    readers = READERS * s.group * (1 if s.by_warp else 32)
    found = {
        "full": (s.stages, 32 * s.group if s.loader == "stores" else 1),
        "empty": (s.stages, issuers), "sums": (s.places, 1), "read": (s.places, readers),
    }  # fmt: skip
    if relays(s):
        found["relayed"] = (s.stages, 1)
    if s.copier:
        found["ready"] = (s.stages, 1)
    if s.moved == "shift":
        found["copied"] = (1, 1)
    return found


def _masks(w: Writer) -> None:
    """Ranks, and the CTAs to which this one multicasts."""
    s = w.s
    w.line(
        "and.b32 %x, %rank, 1;",
        "setp.eq.u32 %leads, %x, 0;",
        "and.b32 %even, %rank, 14;",
        "mov.u32 %x, 3;",
        "shl.b32 %x, %x, %even;",
        "cvt.u16.u32 %both, %x;",
        "mov.u32 %x, 1;",
        "shl.b32 %x, %x, %rank;",
        "cvt.u16.u32 %own, %x;",
    )
    if s.group == 1:
        w.line("mov.u32 %part, %rank;", f"mov.b16 %shared, {(1 << s.ctas) - 1};")
    else:
        w.line(
            "shr.u32 %part, %rank, 1;",
            "and.b32 %x, %rank, 1;",
            "mov.u32 %y, 5;",
            "shl.b32 %x, %y, %x;",
            "cvt.u16.u32 %shared, %x;",
        )
    freed = f"{(1 << s.ctas) - 1}" if s.sharing else "%both"
    w.line(f"mov.b16 %freed, {freed};")


def _begin(w: Writer) -> None:
    s = w.s
    w.line(
        "mov.u32 %thread, %tid.x;",
        "shr.u32 %warp, %thread, 5;",
        "and.b32 %lane, %thread, 31;",
        "mov.u32 %rank, %cluster_ctarank;",
        "mov.u32 %zero, 0;",
        "setp.eq.u32 %first, %lane, 0;",
        "setp.eq.u32 %p, %thread, 0;",
        "mov.u32 %room, room;",
        *(f"ld.param.u64 %{name}, [{name}];" for name in ("near", "far", "out")),
        *(
            f"mov.b64 %{name}map, {name}map; cvta.param.u64 %{name}map, %{name}map;"
            for name in ("near", "far")
        ),
        *(f"mov.u32 %{name}, {name};" for name in counts(s)),
    )
    _masks(w)
    ready = w.label()
    w.line(f"@!%p bra {ready};")
    for array, (number, count) in counts(s).items():
        for i in range(number):
            w.line(
                f"mbarrier.init.shared::cta.b64 [%{array}+{8 * i}], {count};", name=f"init {array}"
            )
    w.line("fence.mbarrier_init.release.cluster;", "fence.proxy.async;", name="init fence")
    skip = w.label()
    runs = (MEET[0].replace("release", "relaxed"), MEET[1]) if s.group == 2 else ()
    w.line(f"{ready}:", *runs, f"setp.ne.u32 %p, %warp, {s.roles[3]};", f"@%p bra {skip};")
    group = f"cta_group::{s.group}.sync.aligned"
    w.line(f"tcgen05.alloc.{group}.shared::cta.b32 [slot], {w.columns.count};", name="alloc")
    w.line(f"tcgen05.relinquish_alloc_permit.{group};", name="relinquish")
    w.line(f"{skip}:")
    w.before("begin")
    w.line(*MEET, name="meet at begin")
    w.after("begin")
    w.line("ld.shared.b32 %base, [slot];")


def _end(w: Writer) -> None:
    s = w.s
    w.line("END:")
    w.before("end")
    w.line(*MEET, name="meet at end")
    w.after("end")
    w.line(f"setp.ne.u32 %p, %warp, {s.roles[3]};", "@%p bra DONE;")
    w.line(
        f"tcgen05.dealloc.cta_group::{s.group}.sync.aligned.b32 %base, {w.columns.count};",
        name="dealloc",
    )
    w.line("DONE:", "ret;", "}", "")


_REGISTERS = """.reg .b32 %thread, %warp, %lane, %rank, %zero, %room, %base, %even, %part, %x, %y;
.reg .b32 %i, %slot, %turn, %other, %bar, %tile, %to, %place, %pturn, %step, %sum, %d, %idesc;
.reg .b32 %sa, %sb, %quadrant, %here, %v<32>, %full, %empty, %ready, %relayed, %copied;
.reg .b32 %sums, %read; .reg .b64 %near, %far, %out, %nearmap, %farmap, %from, %wide, %to64;
.reg .b64 %da, %db; .reg .b16 %both, %own, %shared, %freed; .reg .pred %p, %first, %leads, %adds;
.reg .pred %low;"""


def text(s: Shape) -> str:
    """Write one program."""
    w = Writer(s)
    _begin(w)
    roles = {"LOAD": s.roles[0], "MULTIPLY": s.roles[1]}
    if s.copier:
        roles["COPY"] = s.roles[2]
    for label, warp in roles.items():
        w.line(f"setp.eq.u32 %p, %warp, {warp};", f"@%p bra {label};")
    w.line(
        f"sub.u32 %x, %warp, {s.first_reader};", f"setp.ge.u32 %p, %x, {READERS};", "@%p bra END;"
    )
    read(w)
    w.line("bra.uni END;", "LOAD:")
    load(w)
    w.line("bra.uni END;", "MULTIPLY:")
    multiply(w)
    if s.copier:
        w.line("bra.uni END;", "COPY:")
        copy(w)
    _end(w)
    arrays = [f".shared .align 8 .b64 {name}[{n}];" for name, (n, _) in counts(s).items()]
    lines = "\n".join(
        [
            ".extern .shared .align 1024 .b8 room[];",
            f".visible .entry {ENTRY}(.param .align 64 .b8 nearmap[128], .param .align 64 .b8 "
            "farmap[128], .param .u64 near, .param .u64 far, .param .u64 out)",
            f".explicitcluster .reqnctapercluster {s.ctas}, 1, 1 .maxntid {32 * WARPS}, 1, 1\n{{",
            _REGISTERS,
            *arrays,
            ".shared .align 4 .b32 slot;",
            *w.lines,
        ]
    )
    return ptx.module(lines, "sm_100a")
