"""The PTX of a pipeline program."""

from __future__ import annotations

from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.pipelines.shape import CONSUMERS, PRODUCERS, SWIZZLES, Shape

ENTRY = "pipeline"
#: Words that each thread reads of a tile.
READS = 4
_TX = "mbarrier::complete_tx::bytes"
#: PTX ISA, matrix descriptor: the codes of swizzles in bits 62 and 63 for wgmma.
_CODES = {"128b": 1, "64b": 2, "32b": 3}


class Writer:
    """Lines of a program, with labels and registers of their own."""

    def __init__(self, shape: Shape) -> None:
        """Begin empty."""
        self.shape = shape
        self.chance = Chance("text of a pipeline", shape.seed)
        self.lines: list[str] = []
        self._labels = self._registers = 0
        self._declared: list[str] = []

    def line(self, *texts: str) -> None:
        """Append lines."""
        self.lines += texts

    def label(self) -> str:
        """Return a new label."""
        self._labels += 1
        return f"L{self._labels}"

    def register(self, kind: str = "b32") -> str:
        """Return a new register."""
        self._registers += 1
        self._declared.append(f".reg .{kind} %t{self._registers};")
        return f"%t{self._registers}"

    # -- stages -----------------------------------------------------------------------------------
    def wait(self, barrier: str, parity: str) -> None:
        """Wait for a phase of the mbarrier at an address."""
        again, over = self.label(), self.register("pred")
        self.line(
            f"{again}: mbarrier.try_wait.parity.shared::cta.b64 {over}, [{barrier}], {parity};",
            f"@!{over} bra {again};",
        )

    def stage_of(self, step: str, base: str, stride: int) -> tuple[str, str]:
        """Return the address of a step's stage in an array, and the parity of its phase."""
        stage, turn, address = self.register(), self.register(), self.register()
        self.line(
            f"rem.u32 {stage}, {step}, {self.shape.stages};",
            f"div.u32 {turn}, {step}, {self.shape.stages};",
            f"and.b32 {turn}, {turn}, 1;",
            f"mad.lo.u32 {address}, {stage}, {stride}, {base};",
        )
        return address, turn

    def release(self, step: str) -> None:
        """Give a step's stage back to the producers of every CTA of the cluster."""
        empty, _ = self.stage_of(step, "%empty", 8)
        if self.shape.ctas == 1:
            self.line(f"mbarrier.arrive.shared::cta.b64 _, [{empty}];")
            return
        for rank in range(self.shape.ctas):
            remote = self.register()
            self.line(
                f"mapa.shared::cluster.u32 {remote}, {empty}, {rank};",
                f"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [{remote}];",
            )

    # -- loads ------------------------------------------------------------------------------------
    def load_asynchronously(self, step: str, full: str, tile: str) -> None:
        """One thread starts the copy of this CTA's part of a tile."""
        s = self.shape
        self.line(f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [{full}], {s.tile_bytes};")
        part = s.rows // s.ctas
        to, row = self.register(), self.register()
        self.line(
            f"mad.lo.u32 {row}, {step}, {s.rows}, {s.first_row};",
            f"mad.lo.u32 {row}, %rank, {part}, {row};",
            f"mad.lo.u32 {to}, %rank, {part * s.row_bytes}, {tile};",
        )
        if s.loader == "tma":
            cast = ".multicast::cluster" if s.ctas > 1 else ""
            self.line(
                f"cp.async.bulk.tensor.2d.shared::cluster.global.{_TX}{cast} [{to}], "
                f"[%map, {{%zero, {row}}}], [{full}]{', %both' if s.ctas > 1 else ''};"
            )
            return
        size, pieces = part * s.row_bytes, self.chance.of((1, 2, 4))
        source = self.register("b64")
        self.line(f"mad.wide.u32 {source}, {row}, {s.row_bytes}, %x;")
        cast = ".multicast::cluster" if s.ctas > 1 else ""
        for piece in range(pieces):
            at = piece * (size // pieces)
            self.line(
                f"cp.async.bulk.shared::cluster.global.{_TX}{cast} [{to}+{at}], [{source}+{at}], "
                f"{size // pieces}, [{full}]{', %both' if s.ctas > 1 else ''};"
            )

    def copy_pieces(self, step: str, tile: str, thread: str, threads: int) -> None:
        """Each of some threads copies its pieces of a tile by cp.async."""
        s = self.shape
        size = s.piece
        cache = "cg" if size == 16 and self.chance.one_in(2) else "ca"
        at, over, again = self.register(), self.register("pred"), self.label()
        source, wide, to = self.register("b64"), self.register("b64"), self.register()
        self.line(
            f"mul.lo.u32 {at}, {thread}, {size};",
            f"mad.wide.u32 {source}, {step}, {s.tile_bytes}, %x;",
            f"{again}:",
            f"cvt.u64.u32 {wide}, {at};",
            f"add.u64 {wide}, {wide}, {source};",
            f"add.u32 {to}, {tile}, {at};",
            f"cp.async.{cache}.shared.global [{to}], [{wide}], {size};",
            f"add.u32 {at}, {at}, {threads * size};",
            f"setp.lt.u32 {over}, {at}, {s.tile_bytes};",
            f"@{over} bra {again};",
        )

    # -- work -------------------------------------------------------------------------------------
    def hash_words(self, step: str, tile: str) -> None:
        """Each consumer reads words of a tile and hashes them."""
        words = self.shape.tile_bytes // 4
        for _ in range(READS):
            at, value = self.register(), self.register()
            by_thread, by_step = self.chance.below(words) | 1, self.chance.below(words)
            self.line(
                f"mad.lo.u32 {at}, %thread, {by_thread}, {self.chance.below(words)};",
                f"mad.lo.u32 {at}, {step}, {by_step}, {at};",
                f"rem.u32 {at}, {at}, {words};",
                f"mad.lo.u32 {at}, {at}, 4, {tile};",
                f"ld.shared.u32 {value}, [{at}];",
                f"mad.lo.u32 %hash, %hash, {self.chance.bits(30) | 1}, {value};",
            )

    def finished(self) -> str:
        """Return the whole program."""
        s = self.shape
        count = PRODUCERS if s.loader == "arrivals" else 1
        begin = [
            "mov.u32 %thread, %tid.x;", "mov.u32 %rank, %cluster_ctarank;",
            "mov.u32 %zero, 0;", f"mov.u32 %hash, {self.chance.bits(32)};",
            f"mov.b16 %both, {(1 << s.ctas) - 1};",
            "ld.param.u64 %x, [x];", "ld.param.u64 %out, [out];", "mov.b64 %map, map;",
            "cvta.param.u64 %map, %map;", "mov.b64 %back, back;", "cvta.param.u64 %back, %back;",
            "mov.u32 %room, room;", "mov.u32 %full, full;", "mov.u32 %empty, empty;",
            "setp.ne.u32 %some, %thread, 0;", "@%some bra READY;",
        ]  # fmt: skip
        for i in range(s.stages):
            begin += [
                f"mbarrier.init.shared::cta.b64 [%full+{8 * i}], {count};",
                f"mbarrier.init.shared::cta.b64 [%empty+{8 * i}], {CONSUMERS * s.ctas};",
            ]
        begin += [
            "fence.mbarrier_init.release.cluster;",
            "fence.proxy.async;",
            "READY:",
            *_MEET,
        ]
        registers = [
            ".reg .b32 %thread, %rank, %zero, %hash, %room, %full, %empty, %step;",
            ".reg .b64 %x, %out, %map, %back;", ".reg .b16 %both;", ".reg .pred %some, %yes;",
            f".shared .align 8 .b64 full[{s.stages}];", f".shared .align 8 .b64 empty[{s.stages}];",
        ]  # fmt: skip
        return "\n".join(
            [
                ".version 9.0\n.target sm_90a\n.address_size 64",
                ".extern .shared .align 1024 .b8 room[];",
                f".visible .entry {ENTRY}(.param .align 64 .b8 map[128], .param .align 64 .b8 "
                "back[128], .param .u64 x, .param .u64 out)",
                f".maxntid {CONSUMERS + PRODUCERS}, 1, 1\n{{",
                *registers,
                *self._declared,
                *begin,
                *self.lines,
                "END:",
                *_MEET,
                "ret;",
                "}",
                "",
            ]
        )


_MEET = ("barrier.cluster.arrive.release.aligned;", "barrier.cluster.wait.acquire.aligned;")


def text(shape: Shape) -> str:
    """Write one program."""
    w = Writer(shape)
    w.line(f"setp.ge.u32 %yes, %thread, {CONSUMERS};", "@%yes bra PRODUCE;")
    if shape.loader == "groups":
        _grouped(w)
    else:
        _consume(w)
    _write(w)
    w.line("bra.uni END;", "PRODUCE:")
    if shape.loader != "groups":
        _produce(w)
    return w.finished()


def _loop(w: Writer, first: int) -> tuple[str, str]:
    """Begin a loop over steps; return the step's register and the label to return to."""
    step, again = w.register(), w.label()
    w.line(f"mov.u32 {step}, {first};", f"{again}:")
    return step, again


def _next(w: Writer, step: str, again: str, last: int) -> None:
    over = w.register("pred")
    w.line(
        f"add.u32 {step}, {step}, 1;",
        f"setp.lt.u32 {over}, {step}, {last};",
        f"@{over} bra {again};",
    )


def _produce(w: Writer) -> None:
    """The producer warp fills stages as they become empty."""
    s = w.shape
    if s.loader != "arrivals":
        w.line(f"setp.ne.u32 %some, %thread, {CONSUMERS};", "@%some bra END;")
    step, again = _loop(w, 0)
    full, _ = w.stage_of(step, "%full", 8)
    empty, turn = w.stage_of(step, "%empty", 8)
    tile, _ = w.stage_of(step, "%room", s.tile_bytes)
    other = w.register()
    w.line(f"xor.b32 {other}, {turn}, 1;")
    w.wait(empty, other)
    if s.loader != "arrivals":
        w.load_asynchronously(step, full, tile)
    else:
        mine = w.register()
        w.line(f"sub.u32 {mine}, %thread, {CONSUMERS};")
        w.copy_pieces(step, tile, mine, PRODUCERS)
        w.line(f"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [{full}];")
    _next(w, step, again, s.steps)


def _consume(w: Writer) -> None:
    """The consumers wait for each tile, work on it, and give its stage back."""
    s = w.shape
    sums = _sums(w)
    step, again = _loop(w, 0)
    full, turn = w.stage_of(step, "%full", 8)
    tile, _ = w.stage_of(step, "%room", s.tile_bytes)
    w.wait(full, turn)
    if s.product is None:
        w.hash_words(step, tile)
        w.release(step)
        _next(w, step, again, s.steps)
        return
    _multiply(w, tile, sums)
    if not s.behind:
        w.line("wgmma.wait_group.sync.aligned 0;")
        w.release(step)
    else:
        first, skip, before = w.register("pred"), w.label(), w.register()
        w.line(
            "wgmma.wait_group.sync.aligned 1;",
            f"setp.eq.u32 {first}, {step}, 0;",
            f"@{first} bra {skip};",
            f"sub.u32 {before}, {step}, 1;",
        )
        w.release(before)
        w.line(f"{skip}:")
    _next(w, step, again, s.steps)
    w.line("wgmma.wait_group.sync.aligned 0;")
    if s.behind:
        last = w.register()
        w.line(f"mov.u32 {last}, {s.steps - 1};")
        w.release(last)
    _keep(w, sums)


def _sums(w: Writer) -> list[str]:
    """Registers of D, zero."""
    if w.shape.product is None:
        return []
    sums = [w.register() for _ in range(w.shape.columns // 2)]
    w.line(*(f"mov.b32 {each}, 0;" for each in sums))
    return sums


def _multiply(w: Writer, tile: str, sums: list[str]) -> None:
    """Wgmmas over the k of a tile: A in its first 64 rows, B in the others."""
    s = w.shape
    assert s.product is not None
    fixed = _CODES[s.swizzle] << 62 | (8 * s.row_bytes >> 4) << 32 | 1 << 16
    b_at = w.register()
    w.line(f"add.u32 {b_at}, {tile}, {64 * s.row_bytes};")
    halves = [_descriptor(w, at, fixed) for at in (tile, b_at)]
    depth, group = 256 // s.product.bits, "{" + ", ".join(sums) + "}"
    loads: list[str] = []
    for k in range(s.row_bytes // 32):
        held = [w.register() for _ in range(4)]
        loads.append("{" + ", ".join(held) + "}")
        if s.from_registers:
            _load_a(w, tile, k, held)
    w.line("wgmma.fence.sync.aligned;")
    for k in range(s.row_bytes // 32):
        a, b = (w.register("b64") for _ in range(2))
        w.line(f"add.u64 {a}, {halves[0]}, {2 * k};", f"add.u64 {b}, {halves[1]}, {2 * k};")
        w.line(
            f"wgmma.mma_async.sync.aligned.m64n{s.columns}k{depth}.{s.product.name} {group}, "
            f"{loads[k] if s.from_registers else a}, {b}, 1{s.product.tail[s.from_registers]};"
        )
    w.line("wgmma.commit_group.sync.aligned;")


def _descriptor(w: Writer, address: str, fixed: int) -> str:
    """A register with the descriptor of a K-major operand."""
    low, made = w.register(), w.register("b64")
    w.line(
        f"shr.u32 {low}, {address}, 4;",
        f"and.b32 {low}, {low}, 0x3fff;",
        f"cvt.u64.u32 {made}, {low};",
        f"or.b64 {made}, {made}, {fixed:#x};",
    )
    return made


def _load_a(w: Writer, tile: str, k: int, held: list[str]) -> None:
    """A's registers: 32 bytes of k of this warp's 16 rows, from where the swizzle put them."""
    s = w.shape
    warp, row, chunk, at = (w.register() for _ in range(4))
    mask = SWIZZLES[s.swizzle] // 16 - 1
    w.line(f"shr.u32 {warp}, %thread, 5;")
    for i, register in enumerate(held):
        w.line(
            f"and.b32 {row}, %thread, 31;",
            f"shr.u32 {row}, {row}, 2;",
            f"mad.lo.u32 {row}, {warp}, 16, {row};",
            f"add.u32 {row}, {row}, {8 * (i % 2)};",
            f"mul.lo.u32 {at}, {row}, {s.row_bytes};",
            f"shr.u32 {chunk}, {at}, 7;",
            f"and.b32 {chunk}, {chunk}, {mask};",
            f"xor.b32 {chunk}, {chunk}, {2 * k + i // 2};",
            f"mad.lo.u32 {at}, {chunk}, 16, {at};",
            f"and.b32 {chunk}, %thread, 3;",
            f"mad.lo.u32 {at}, {chunk}, 4, {at};",
            f"add.u32 {at}, {at}, {tile};",
            f"ld.shared.b32 {register}, [{at}];",
        )


def _keep(w: Writer, sums: list[str]) -> None:
    """Store D of each thread, and hash it."""
    at = w.register("b64")
    number = w.register()
    w.line(
        f"mad.lo.u32 {number}, %rank, {CONSUMERS}, %thread;",
        f"mad.wide.u32 {at}, {number}, 4, %out;",
    )
    for i, each in enumerate(sums):
        w.line(f"st.global.b32 [{at}+{(i + 1) * 4 * CONSUMERS * w.shape.ctas}], {each};")


def _grouped(w: Writer) -> None:
    """The consumers copy tiles ahead of their own work, in groups."""
    s = w.shape
    ahead = s.stages - 1
    for i in range(ahead):
        step = w.register()
        w.line(f"mov.u32 {step}, {i};")
        if i < s.steps:
            tile, _ = w.stage_of(step, "%room", s.tile_bytes)
            w.copy_pieces(step, tile, "%thread", CONSUMERS)
        w.line("cp.async.commit_group;")
    step, again = _loop(w, 0)
    w.line(f"cp.async.wait_group {ahead - 1};", f"bar.sync 1, {CONSUMERS};")
    tile, _ = w.stage_of(step, "%room", s.tile_bytes)
    w.hash_words(step, tile)
    later, none, skip = w.register(), w.register("pred"), w.label()
    w.line(
        f"add.u32 {later}, {step}, {ahead};",
        f"setp.ge.u32 {none}, {later}, {s.steps};",
        f"@{none} bra {skip};",
    )
    free, _ = w.stage_of(later, "%room", s.tile_bytes)
    w.copy_pieces(later, free, "%thread", CONSUMERS)
    w.line(f"{skip}: cp.async.commit_group;")
    _next(w, step, again, s.steps)
    w.line("cp.async.wait_all;", f"bar.sync 1, {CONSUMERS};")


def _write(w: Writer) -> None:
    """Store each thread's hash: from registers, and as bulk copies of a CTA's."""
    s = w.shape
    at, number = w.register("b64"), w.register()
    w.line(
        f"mad.lo.u32 {number}, %rank, {CONSUMERS}, %thread;",
        f"mad.wide.u32 {at}, {number}, 4, %out;",
    )
    if s.writer == "registers":
        w.line(f"st.global.b32 [{at}], %hash;")
        return
    place = w.register()
    base = s.stages * s.tile_bytes
    w.line(
        f"mad.lo.u32 {place}, %thread, 4, %room;",
        f"st.shared.b32 [{place}+{base}], %hash;",
        "fence.proxy.async.shared::cta;",
        f"bar.sync 1, {CONSUMERS};",
        "setp.ne.u32 %some, %thread, 0;",
        "@%some bra END;",
    )
    source = w.register()
    w.line(f"add.u32 {source}, %room, {base};")
    operator, _, kind = s.reduction.partition(".")
    if s.writer in ("tma", "reduce_tma"):
        name = "cp.async.bulk.tensor.2d.global.shared::cta"
        if s.writer == "reduce_tma":
            name = f"cp.reduce.async.bulk.tensor.2d.global.shared::cta.{operator}"
        w.line(f"{name}.bulk_group [%back, {{%zero, %rank}}], [{source}];")
    else:
        name = "cp.async.bulk.global.shared::cta.bulk_group"
        if s.writer == "reduce":
            name = f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{operator}.{kind}"
        w.line(f"{name} [{at}], [{source}], {4 * CONSUMERS};")
    w.line("cp.async.bulk.commit_group;", "cp.async.bulk.wait_group 0;")
