"""Kinds of tcgen05.mma, for designed dot products on tensor cores that add in tensor memory.

A CTA of 128 threads executes one instruction: A and B from shared memory as wgmma has them, C and D
in tensor memory, a row to a lane (NVIDIA PTX ISA, tcgen05, "Data Path Layout D").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lanemap.conformance.tensor_cores import kernels
from lanemap.conformance.tensor_cores.kinds import Kind, Places
from lanemap.probing.tensor_core.kernel import Form, Shape

#: Columns of tensor memory that a CTA allocates: the least there are.
_ALLOCATED = 32
#: Bits 46 to 48 of a descriptor of shared memory (NVIDIA PTX ISA, Shared memory descriptor).
_VERSION = 1 << 46
_ROWS, _COLUMNS = 128, 16
_HEAD = """.version 9.0
.target {target}
.address_size 64
.visible .entry dots(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)
{{
.shared .align 128 .b8 left[{left}];
.shared .align 128 .b8 right[{right}];
.shared .align 8 .b64 bar;
.shared .align 4 .b32 slot;
.reg .b32 %d<{columns}>, %tm, %base, %shape;
.reg .pred %warp, %first, %yes;
"""
_MEET = """tcgen05.fence::before_thread_sync;
bar.sync 0;
tcgen05.fence::after_thread_sync;"""
_ALLOCATE = f"""shr.u32 %w, %t, 5;
setp.eq.u32 %warp, %w, 0;
setp.eq.u32 %first, %t, 0;
@%warp tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], {_ALLOCATED};
@%warp tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
@%first mbarrier.init.shared::cta.b64 [bar], 1;
fence.proxy.async.shared::cta;
{_MEET}
ld.shared.b32 %tm, [slot];
and.b32 %w, %t, 0x60;
shl.b32 %w, %w, 16;
add.u32 %base, %tm, %w;"""
_COMMIT = """mov.u32 %w, bar;
@%first tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%w];
committing:
mbarrier.try_wait.parity.shared::cta.b64 %yes, [bar], 0;
@!%yes bra committing;
tcgen05.fence::after_thread_sync;"""


@dataclass(frozen=True)
class TensorKind(Kind):
    """One dense instruction with A and B in shared memory; `form` is its .kind."""

    @property
    def threads(self) -> int:
        """Threads of a CTA, each of which reads a row of D."""
        return _ROWS

    def places(self, operand: str) -> Places:
        """See `Kind.places`."""
        if operand in "cd":
            row, column = np.ogrid[: self.rows, : self.columns]
            return np.asarray(row * self.columns + column)
        lines = self.rows if operand == "a" else self.columns
        unit = self.depth // 2  # elements of the 16 bytes of a row in a core matrix
        group, half, row, k = np.indices((lines // 8, 2, 8, unit))
        return np.asarray((group * 8 + row) * self.depth + half * unit + k).reshape(1, -1)


def kinds() -> Iterator[TensorKind]:
    """The dense instructions that add products of floats in f32."""
    plain = (("f16", "f16", 16), ("f16", "bf16", 16), ("tf32", "tf32", 8))
    mixed = (("f8f6f4", a, b) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2"))
    every = [(kind, a, a, depth) for kind, a, depth in plain]
    every += [(kind, a, b, 32) for kind, a, b in mixed]
    for kind, a, b, depth in every:
        yield TensorKind("tcgen05.mma", _ROWS, _COLUMNS, depth, "f32", a, b, "f32", form=kind)


def source(kind: TensorKind, target: str) -> str:
    """The PTX of a kind; its entry is `dots(a, b, c, d)`, a grid of tiles of 128 threads."""
    shape = Shape(Form(kind.form), kind.rows, kind.columns, kind.a, kind.b)
    registers = "{" + ", ".join(f"%d{i}" for i in range(kind.columns)) + "}"
    head = _HEAD.format(
        target=target, left=32 * kind.rows, right=32 * kind.columns, columns=kind.columns
    )
    lines = [
        *kernels.declared(kind, ""),
        *kernels.copied(kind, "a", "left"),
        *kernels.copied(kind, "b", "right"),
        _ALLOCATE,
        *kernels.loaded(kind, "c", "d"),
        f"tcgen05.st.sync.aligned.32x32b.x{kind.columns}.b32 [%base], {registers};",
        "tcgen05.wait::st.sync.aligned;",
        _MEET,
        *kernels.descriptor("%x", "left"),
        *kernels.descriptor("%y", "right"),
        f"or.b64 %x, %x, {_VERSION};",
        f"or.b64 %y, %y, {_VERSION};",
        f"mov.b32 %shape, {shape.descriptor};",
        "setp.eq.u32 %yes, 0, 0;",
        f"@%first {shape.form.opcode} [%tm], %x, %y, %shape, %yes;",
        _COMMIT,
        f"tcgen05.ld.sync.aligned.32x32b.x{kind.columns}.b32 {registers}, [%base];",
        "tcgen05.wait::ld.sync.aligned;",
        _MEET,
        f"@%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, {_ALLOCATED};",
        *kernels.stored(kind),
    ]
    return head + "\n".join(lines)
