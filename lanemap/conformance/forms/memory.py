"""Syntax tables of the PTX ISA: memory, atomics, barriers, warps, control, special registers.

NVIDIA PTX ISA 9.0, Instructions: Data Movement and Conversion; Parallel Synchronization and
Communication; Control Flow; Stack Manipulation; Miscellaneous; Special Registers. Asynchronous
copies, matrices, textures, multimem and mbarriers have files of their own.

The tables cross cache and eviction qualifiers with spaces and vectors for one type only, and all
types with spaces and vectors without qualifiers: which qualifiers are legal depends only on the
width of a type.
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

_TYPES = "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"
_ACCESS: Sets = {
    "type": _TYPES, "vec": "v2 v4 v8", "scope": "cta cluster gpu sys",
    "load_space": "const global local param param::entry shared shared::cta shared::cluster",
    "store_space": "global local shared shared::cta shared::cluster",
    "far": "global", "load_cop": "ca cg cs lu cv", "nc_cop": "ca cg cs", "store_cop": "wb cg cs wt",
    "first": "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate",
    "second": "L2::evict_normal L2::evict_first L2::evict_last",
    "hint": "L2::cache_hint", "ahead": "L2::64B L2::128B L2::256B", "wide": "v8",
    "load_sem": "relaxed acquire", "store_sem": "relaxed release",
}  # fmt: skip
_EVICTION = "{.first}{.second}{.hint}"


def _load_rows() -> list[Row]:
    caching = "vec*b32 [far] hint?b64"
    wide = "wide*b32 [far] hint?b64"
    rows = [
        Row("ld{.weak}{.load_space}{.vec}.type", "vec*type [load_space]", _ACCESS),
        Row("ld.volatile{.load_space}{.vec}.type", "vec*type [load_space]", _ACCESS),
        Row("ld.load_sem.scope{.load_space}{.vec}.type", "vec*type [load_space]", _ACCESS),
        Row("ld.mmio.relaxed.sys{.far}.type", "type [far]", _ACCESS),
        Row("ld{.far}{.load_cop}{.hint}{.ahead}{.vec}.b32", caching, _ACCESS),
        Row(f"ld{{.far}}{_EVICTION}{{.ahead}}{{.wide}}.b32", wide, _ACCESS),
        Row("ld.volatile{.far}{.ahead}{.vec}.b32", "vec*b32 [far]", _ACCESS),
        Row(f"ld.load_sem.scope{{.far}}{_EVICTION}{{.ahead}}{{.wide}}.b32", wide, _ACCESS),
        Row("ld.load_space.load_cop.b32", "b32 [load_space]", _ACCESS),
        Row("ld.global.nc{.vec}.type", "vec*type [global]", _ACCESS),
        Row("ld.global{.nc_cop}.nc{.hint}{.ahead}{.vec}.b32", "vec*b32 [global] hint?b64", _ACCESS),
        Row(f"ld.global.nc{_EVICTION}{{.ahead}}{{.wide}}.b32", "wide*b32 [global] hint?b64",
            _ACCESS),
        Row("ldu{.far}{.vec}.type", "vec*type [far]", _ACCESS),
    ]  # fmt: skip
    return rows + [
        Row(
            "ld.param::func{.vec}.type", "vec*type [param::func]", _ACCESS, "of a function", "func"
        ),
        Row("ld.param{.vec}.type", "vec*type [param::func]", _ACCESS, "of a function", "func"),
    ]


def _store_rows() -> list[Row]:
    caching = "[far] vec*b32 hint?b64"
    wide = "[far] wide*b32 hint?b64"
    return [
        Row("st{.weak}{.store_space}{.vec}.type", "[store_space] vec*type", _ACCESS),
        Row("st.volatile{.store_space}{.vec}.type", "[store_space] vec*type", _ACCESS),
        Row("st.store_sem.scope{.store_space}{.vec}.type", "[store_space] vec*type", _ACCESS),
        Row("st.mmio.relaxed.sys{.far}.type", "[far] type", _ACCESS),
        Row("st{.far}{.store_cop}{.hint}{.vec}.b32", caching, _ACCESS),
        Row(f"st{{.far}}{_EVICTION}{{.wide}}.b32", wide, _ACCESS),
        Row(f"st.store_sem.scope{{.far}}{_EVICTION}{{.wide}}.b32", wide, _ACCESS),
        Row("st.store_space.store_cop.b32", "[store_space] b32", _ACCESS),
    ]


_ATOMIC: Sets = {
    "sem": "relaxed acquire release acq_rel", "red_sem": "relaxed release",
    "scope": "cta cluster gpu sys", "space": "global shared shared::cta shared::cluster",
    "far": "global", "hint": "L2::cache_hint",
    "op": "and or xor exch add inc dec min max", "red_op": "and or xor add inc dec min max",
    "type": "b32 b64 u32 u64 s32 s64 f32 f64", "half": "f16 f16x2 bf16 bf16x2",
    "bits": "b16 b32 b64 b128", "vec2": "v2 v4", "vec8": "v2 v4 v8", "vop": "add min max",
    "word": "f16 bf16", "packed": "f16x2 bf16x2",
}  # fmt: skip


def _atomic_rows() -> list[Row]:
    """Memory orders and scopes, crossed with spaces and types; cache hints with types only."""
    rows = []
    for order, hint, policy in (("{.sem}{.scope}", "", ""), ("", ".hint", " hint?b64")):
        near = "{.far}" if hint else "{.space}"
        rows += [
            Row(f"atom{order}{near}.op{hint}.type", f"type [space] type{policy}", _ATOMIC),
            Row(f"atom{order}{near}.exch{hint}.b128", f"b128 [space] b128{policy}", _ATOMIC),
            Row(f"atom{order}{near}.add.noftz{hint}.half", f"half [space] half{policy}", _ATOMIC),
            Row(
                f"atom{order}{{.far}}.add{hint}.vec2.f32",
                f"vec2*f32 [far] vec2*f32{policy}",
                _ATOMIC,
            ),
            Row(
                f"atom{order}{{.far}}.vop.noftz{hint}.vec8.word",
                f"vec8*word [far] vec8*word{policy}",
                _ATOMIC,
            ),
            Row(
                f"atom{order}{{.far}}.vop.noftz{hint}.vec2.packed",
                f"vec2*packed [far] vec2*packed{policy}",
                _ATOMIC,
            ),
        ]
    rows.append(Row("atom{.sem}{.scope}{.space}.cas.bits", "bits [space] bits bits", _ATOMIC))
    for order, hint, policy in (("{.red_sem}{.scope}", "", ""), ("", ".hint", " hint?b64")):
        near = "{.far}" if hint else "{.space}"
        rows += [
            Row(f"red{order}{near}.red_op{hint}.type", f"[space] type{policy}", _ATOMIC),
            Row(f"red{order}{near}.add.noftz{hint}.half", f"[space] half{policy}", _ATOMIC),
            Row(f"red{order}{{.far}}.add{hint}.vec2.f32", f"[far] vec2*f32{policy}", _ATOMIC),
            Row(
                f"red{order}{{.far}}.vop.noftz{hint}.vec8.word", f"[far] vec8*word{policy}", _ATOMIC
            ),
            Row(
                f"red{order}{{.far}}.vop.noftz{hint}.vec2.packed",
                f"[far] vec2*packed{policy}",
                _ATOMIC,
            ),
        ]
    return rows


_CACHE: Sets = {
    "space": "global local", "level": "L1 L2", "evict": "L2::evict_last L2::evict_normal",
    "priority": "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged",
    "lesser": "L2::evict_first L2::evict_unchanged", "far": "global",
}  # fmt: skip

_CACHE_ROWS = [
    Row("prefetch{.space}.level", "[space]", _CACHE),
    Row("prefetch.global.evict", "[global]", _CACHE),
    Row("prefetchu.L1", "[generic]", _CACHE),
    Row("applypriority{.far}.L2::evict_normal", "[far] #128", _CACHE),
    Row("discard{.far}.L2", "[far] #128", _CACHE),
    Row("createpolicy.range{.far}.priority{.lesser}.b64", "b64 [far] #64 #128", _CACHE),
    Row("createpolicy.fractional.priority{.lesser}.b64", "b64 #0.5", _CACHE),
    Row("createpolicy.cvt.L2.b64", "b64 b64", _CACHE),
]

_SPACES: Sets = {
    "size": "u32 u64", "bits": "b16 b32 b64", "size_bits": "b32 b64",
    "space": "const global local shared shared::cta shared::cluster param param::entry",
    "cluster": "shared::cluster", "mov": "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 pred b128",
}  # fmt: skip

MOVEMENT_ROWS = [
    *_load_rows(),
    *_store_rows(),
    *_CACHE_ROWS,
    Row("mov.mov", "mov mov", _SPACES),
    Row("cvta.space.size", "size size", _SPACES),
    Row("cvta.to.space.size", "size size", _SPACES),
    Row("isspacep.space", "pred b64", _SPACES),
    Row("mapa{.cluster}.size", "size size b32", _SPACES),
    Row("getctarank{.cluster}.size", "b32 size", _SPACES),
    Row("istypep.kind", "pred b64", {"kind": "texref samplerref surfref"}),
    Row("alloca.size", "size size", _SPACES),
    Row("stacksave.size", "size", _SPACES),
    Row("stackrestore.size", "size", _SPACES),
]

#: mov between a wide value and its parts.
_PACKED = (
    "b16 2*b8",
    "b32 4*b8",
    "b32 2*b16",
    "b64 4*b16",
    "b64 2*b32",
    "b128 2*b64",
    "b128 4*b32",
)
PACKING_ROWS = [
    row
    for whole, parts in (text.split() for text in _PACKED)
    for row in (
        Row(f"mov.{whole}", f"{whole} {parts}", {}, f"from {parts}"),
        Row(f"mov.{whole}", f"{parts} {whole}", {}, f"to {parts}"),
    )
]

_SYNC: Sets = {
    "cta": "cta", "aligned": "aligned", "op": "and or", "shuffle": "up down bfly idx",
    "vote": "all any uni", "type": "b32 b64", "number": "u32 s32", "bits": "and or xor",
    "reduce": "add min max", "extreme": "min max", "scope": "cta cluster gpu sys",
    "sem": "sc acq_rel acquire release", "level": "cta gl sys", "order": "release relaxed",
    "proxy_kind": "alias async async.global async.shared::cta async.shared::cluster",
}  # fmt: skip

SYNCHRONISATION_ROWS = [
    *_atomic_rows(),
    Row("barrier{.cta}.sync{.aligned}", "#1", _SYNC),
    Row("barrier{.cta}.arrive{.aligned}", "#1 #64", _SYNC),
    Row("barrier{.cta}.red.popc{.aligned}.u32", "u32 #1 pred", _SYNC),
    Row("barrier{.cta}.red.op{.aligned}.pred", "pred #1 pred", _SYNC),
    Row("bar{.cta}.sync", "#1", _SYNC),
    Row("bar{.cta}.arrive", "#1 #64", _SYNC),
    Row("bar{.cta}.red.popc.u32", "u32 #1 pred", _SYNC),
    Row("bar{.cta}.red.op.pred", "pred #1 pred", _SYNC),
    Row("bar.warp.sync", "b32", _SYNC),
    Row("barrier.cluster.arrive{.order}{.aligned}", "", _SYNC),
    Row("barrier.cluster.wait{.acquire}{.aligned}", "", _SYNC),
    Row("fence{.sem}.scope", "", _SYNC),
    Row("fence.acquire.sync_restrict::shared::cluster.cluster", "", _SYNC),
    Row("fence.release.sync_restrict::shared::cta.cluster", "", _SYNC),
    Row("fence.mbarrier_init.release.cluster", "", _SYNC),
    Row("fence.proxy.proxy_kind", "", _SYNC),
    Row("fence.proxy.tensormap::generic.release.scope", "", _SYNC),
    Row("fence.proxy.tensormap::generic.acquire.scope", "[generic] #128", _SYNC),
    Row("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "", _SYNC),
    Row("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", "", _SYNC),
    Row("membar.level", "", _SYNC),
    Row("membar.proxy.proxy_kind", "", _SYNC),
    Row("shfl.sync.shuffle.b32", "b32|pred b32 b32 b32 b32", _SYNC),
    Row("shfl.shuffle.b32", "b32 b32 b32 b32", _SYNC),
    Row("vote.sync.vote.pred", "pred pred b32", _SYNC),
    Row("vote.sync.ballot.b32", "b32 pred b32", _SYNC),
    Row("vote.vote.pred", "pred pred", _SYNC),
    Row("vote.ballot.b32", "b32 pred", _SYNC),
    Row("match.any.sync.type", "b32 type b32", _SYNC),
    Row("match.all.sync.type", "b32|pred type b32", _SYNC),
    Row("activemask.b32", "b32", _SYNC),
    Row("redux.sync.reduce.number", "b32 b32 b32", _SYNC),
    Row("redux.sync.bits.b32", "b32 b32 b32", _SYNC),
    Row("redux.sync.extreme{.abs}{.NaN}.f32", "f32 f32 b32", _SYNC),
    Row("elect.sync", "b32|pred b32", _SYNC),
    Row("griddepcontrol.action", "", {"action": "launch_dependents wait"}),
]

CONTROL_ROWS = [
    Row("bra{.uni}", "=L", {}),
    Row("brx.idx{.uni}", "b32 =T", {}),
    *[Row(op, "", {}) for op in ("ret", "exit", "trap", "brkpt")],
    Row("ret.uni", "", {}),
    Row("nanosleep.u32", "u32", {}),
    Row("pmevent", "#3", {}),
    Row("pmevent.mask", "#3", {}),
    Row("setmaxnreg.action.sync.aligned.u32", "#96", {"action": "inc dec"}),
]

_SPECIAL_U32 = [
    *[f"{name}.{part}"
      for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid",
                   "cluster_nctaid") for part in "xyz"],
    *"""laneid warpid nwarpid smid nsmid cluster_ctarank cluster_nctarank lanemask_eq lanemask_le
    lanemask_lt lanemask_ge lanemask_gt clock clock_hi globaltimer_lo globaltimer_hi
    reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap
    reserved_smem_offset_0 reserved_smem_offset_1 total_smem_size aggr_smem_size dynamic_smem_size
    envreg0 envreg31 pm0 pm7""".split(),
]  # fmt: skip
_SPECIAL_U64 = "gridid clock64 globaltimer current_graph_exec pm0_64 pm7_64".split()

SPECIAL_ROWS = [
    *[Row("mov.u32", f"u32 =%{name}", {}, f"%{name}") for name in _SPECIAL_U32],
    *[Row("mov.u64", f"u64 =%{name}", {}, f"%{name}") for name in _SPECIAL_U64],
    Row("mov.pred", "pred =%is_explicit_cluster", {}, "%is_explicit_cluster"),
]
