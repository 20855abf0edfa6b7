"""Syntax tables of the PTX ISA: mbarrier objects, and tcgen05 without its matrix multiplication.

NVIDIA PTX ISA 9.0, Parallel Synchronization and Communication Instructions: mbarrier; TensorCore
5th Generation Family Instructions. tcgen05.mma is left out. An operand `[shared::cluster]` is an
address in a 32-bit register, as taddr is.
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

_MBARRIER: Sets = {
    "near": "shared shared::cta", "any": "shared shared::cta shared::cluster",
    "far": "shared::cluster", "op": "arrive arrive_drop", "sem": "release relaxed",
    "release": "release", "relaxed": "relaxed", "scope": "cta cluster", "cta": "cta",
    "wait": "test_wait try_wait", "wait_sem": "acquire relaxed", "tx": "expect_tx complete_tx",
}  # fmt: skip

MBARRIER_ROWS = [
    Row("mbarrier.init{.near}.b64", "[near] b32", _MBARRIER),
    Row("mbarrier.inval{.near}.b64", "[near]", _MBARRIER),
    Row("mbarrier.tx{.relaxed}{.scope}{.any}.b64", "[any] b32", _MBARRIER),
    Row("mbarrier.op{.sem}{.scope}{.near}.b64", "b64 [near]", _MBARRIER),
    Row("mbarrier.op{.sem}{.scope}{.near}.b64", "b64 [near] b32", _MBARRIER, "with a count"),
    Row("mbarrier.op{.sem}{.scope}.far.b64", "=_ [far]", _MBARRIER),
    Row("mbarrier.op{.sem}{.scope}.far.b64", "=_ [far] b32", _MBARRIER, "with a count"),
    Row("mbarrier.op.expect_tx{.sem}{.scope}{.near}.b64", "b64 [near] b32", _MBARRIER),
    Row("mbarrier.op.expect_tx{.sem}{.scope}.far.b64", "=_ [far] b32", _MBARRIER),
    Row("mbarrier.op.noComplete{.release}{.cta}{.near}.b64", "b64 [near] b32", _MBARRIER),
    Row("mbarrier.wait{.wait_sem}{.scope}{.near}.b64", "pred [near] b64", _MBARRIER),
    Row("mbarrier.wait.parity{.wait_sem}{.scope}{.near}.b64", "pred [near] b32", _MBARRIER),
    Row("mbarrier.try_wait{.wait_sem}{.scope}{.near}.b64", "pred [near] b64 b32", _MBARRIER,
        "with a time"),
    Row("mbarrier.try_wait.parity{.wait_sem}{.scope}{.near}.b64", "pred [near] b32 b32", _MBARRIER,
        "with a time"),
    Row("mbarrier.pending_count.b64", "b32 b64", _MBARRIER),
]  # fmt: skip

_GROUP: Sets = {
    "group": "cta_group::1 cta_group::2", "near": "shared::cta", "far": "shared::cluster",
    "pack": "pack::16b", "unpack": "unpack::16b", "least": "min max",
    "kind": "u32 s32",
    "warps": "warpx2::02_13 warpx2::01_23",
    "format": "b6x16_p32 b4x16_p64",
}  # fmt: skip
_TADDR = "[shared::cluster]"
#: Shape: registers of each repetition, and whether an offset stands behind the address.
_SHAPES = {"32x32b": (1, ""), "16x64b": (1, ""), "16x128b": (2, ""), "16x256b": (4, ""),
           "16x32bx2": (1, " #16")}  # fmt: skip
_MOST_REGISTERS = 128


def _register_rows() -> list[Row]:
    rows = []
    for shape, (each, offset) in _SHAPES.items():
        for repeat in (1, 2, 4, 8, 16, 32, 64, 128):
            count = each * repeat
            if count > _MOST_REGISTERS:
                continue
            form = f"sync.aligned.{shape}.x{repeat}"
            rows += [
                Row(f"tcgen05.ld.{form}{{.pack}}.b32", f"{count}*b32 {_TADDR}{offset}", _GROUP),
                Row(f"tcgen05.st.{form}{{.unpack}}.b32", f"{_TADDR}{offset} {count}*b32", _GROUP),
            ]
            if shape in ("32x32b", "16x32bx2") and repeat > 1:
                reduced = f"{count}*b32 b32 {_TADDR}{offset}"
                rows += [
                    Row(f"tcgen05.ld.red.{form}.least{{.abs}}{{.NaN}}.f32", reduced, _GROUP),
                    Row(f"tcgen05.ld.red.{form}.least.kind", reduced, _GROUP),
                ]
    return rows


def _copy_rows() -> list[Row]:
    rows = []
    for form in ("128x256b", "4x256b", "128x128b", "64x128b.warps", "32x128b.warpx4"):
        for format_ in ("", ".b8x16.format"):
            rows.append(Row(f"tcgen05.cp.group.{form}{format_}", f"{_TADDR} b64", _GROUP))
    return rows


_COMMIT = "tcgen05.commit.group.mbarrier::arrive::one{.far}"
TENSOR_MEMORY_ROWS = [
    Row("tcgen05.alloc.group.sync.aligned{.near}.b32", "[near] b32", _GROUP),
    Row("tcgen05.dealloc.group.sync.aligned.b32", "b32 b32", _GROUP),
    Row("tcgen05.relinquish_alloc_permit.group.sync.aligned", "", _GROUP),
    *_register_rows(),
    Row("tcgen05.wait::ld.sync.aligned", "", _GROUP),
    Row("tcgen05.wait::st.sync.aligned", "", _GROUP),
    Row("tcgen05.fence::before_thread_sync", "", _GROUP),
    Row("tcgen05.fence::after_thread_sync", "", _GROUP),
    *_copy_rows(),
    Row("tcgen05.shift.group.down", _TADDR, _GROUP),
    Row(f"{_COMMIT}.b64", "[far]", _GROUP),
    Row(f"{_COMMIT}.multicast::cluster.b64", "[far] b16", _GROUP),
]
