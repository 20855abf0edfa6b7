"""Syntax tables of the PTX ISA: asynchronous copies, stores and reductions, cluster launch control.

NVIDIA PTX ISA 9.0, Data Movement and Conversion Instructions: Asynchronous Copy, st.async, st.bulk;
Parallel Synchronization and Communication Instructions: red.async, cp.async.mbarrier.arrive,
clusterlaunchcontrol. Copies by tensor map are in tensor_copies.py.
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

_COPY: Sets = {
    "near": "shared shared::cta", "hint": "L2::cache_hint",
    "prefetch": "L2::64B L2::128B L2::256B",
}  # fmt: skip


#: The operand that says what of the source counts, and what its forms are called.
_SOURCES = {"": "", " b32": " with src-size", " pred": " with ignore-src"}


def _copy_rows() -> list[Row]:
    """cp.async of each size, with nothing, src-size or ignore-src behind it."""
    rows = []
    for cache, sizes in (("ca", (4, 8, 16)), ("cg", (16,))):
        for size in sizes:
            for operand, shape in _SOURCES.items():
                rows.append(
                    Row(
                        f"cp.async.{cache}.near.global{{.hint}}{{.prefetch}}",
                        f"[near] [global] #{size}{operand} hint?b64",
                        _COPY,
                        f"{size} bytes{shape}",
                    )
                )
    return rows


COPY_ROWS = [
    *_copy_rows(),
    Row("cp.async.commit_group", "", _COPY),
    Row("cp.async.wait_group", "#2", _COPY),
    Row("cp.async.wait_all", "", _COPY),
    Row("cp.async.mbarrier.arrive{.noinc}{.near}.b64", "[near]", _COPY),
]

_COMPLETES = "mbarrier::complete_tx::bytes"
_BULK: Sets = {
    "hint": "L2::cache_hint", "multicast": "multicast::cluster",
    "op": "and or xor add inc dec min max",
    "type": "f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64", "float": "f16 bf16 f32",
}  # fmt: skip
_OUT, _OUT_OPERANDS = "global.shared::cta.bulk_group{.hint}", "[global] [shared] b32 hint?b64"
_ACROSS = f"shared::cluster.shared::cta.{_COMPLETES}"
_ACROSS_OPERANDS = "[shared::cluster] [shared] b32 [shared::cluster]"

BULK_ROWS = [
    Row(f"cp.async.bulk.shared::cta.global.{_COMPLETES}{{.hint}}",
        "[shared] [global] b32 [shared] hint?b64", _BULK),
    Row(f"cp.async.bulk.shared::cluster.global.{_COMPLETES}{{.multicast}}{{.hint}}",
        "[shared::cluster] [global] b32 [shared::cluster] multicast?b16 hint?b64", _BULK),
    Row(f"cp.async.bulk.{_ACROSS}", _ACROSS_OPERANDS, _BULK),
    Row(f"cp.async.bulk.{_OUT}", _OUT_OPERANDS, _BULK),
    Row(f"cp.async.bulk.{_OUT}.cp_mask", f"{_OUT_OPERANDS} b16", _BULK),
    Row("cp.async.bulk.prefetch.L2.global{.hint}", "[global] b32 hint?b64", _BULK),
    Row("cp.async.bulk.commit_group", "", _BULK),
    Row("cp.async.bulk.wait_group{.read}", "#2", _BULK),
    Row(f"cp.reduce.async.bulk.{_ACROSS}.op.type", _ACROSS_OPERANDS, _BULK),
    Row(f"cp.reduce.async.bulk.{_OUT}.op.type", _OUT_OPERANDS, _BULK),
    Row(f"cp.reduce.async.bulk.{_OUT}.add.noftz.float", _OUT_OPERANDS, _BULK),
]  # fmt: skip

_STORE: Sets = {
    "far": "shared::cluster", "vec": "v2 v4", "type": "b32 b64 u32 u64 s32 s64 f32 f64",
    "any": "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", "wide": "gpu sys",
    "global": "global", "op": "inc dec min max and or xor add", "number": "b32 u32 s32 u64 s64",
    "sum": "u32 s32 u64 s64",
}  # fmt: skip

STORE_ROWS = [
    Row(f"st.async{{.weak}}{{.far}}.{_COMPLETES}{{.vec}}.type", "[far] vec*type [far]", _STORE),
    Row("st.async.release.wide{.global}.any", "[global] any", _STORE),
    Row("st.async.mmio.release.sys{.global}.any", "[global] any", _STORE),
    Row(f"red.async.relaxed.cluster{{.far}}.{_COMPLETES}.op.number", "[far] number [far]", _STORE),
    Row("red.async.release.wide{.global}.add.sum", "[global] sum", _STORE),
    Row("red.async.mmio.release.sys{.global}.add.sum", "[global] sum", _STORE),
]

_LAUNCH: Sets = {
    "near": "shared::cta", "all": "multicast::cluster::all",
    "axis": "get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z",
}  # fmt: skip

CLUSTER_LAUNCH_ROWS = [
    Row("st.bulk{.weak}{.near}", "[near] b64 #0", _LAUNCH),
    Row("st.bulk{.weak}{.near}", "[near] b32 #0", _LAUNCH, "a size of 32 bits"),
    Row(f"clusterlaunchcontrol.try_cancel.async{{.near}}.{_COMPLETES}{{.all}}.b128",
        "[near] [near]", _LAUNCH),
    Row("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", "pred b128", _LAUNCH),
    Row("clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128", "4*b32 b128", _LAUNCH),
    Row("clusterlaunchcontrol.query_cancel.axis.b32.b128", "b32 b128", _LAUNCH),
]  # fmt: skip
