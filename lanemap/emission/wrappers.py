"""A CUDA C++ header of typed wrappers for every `tcgen05.ld` and `tcgen05.st`.

Names, register counts and formulas come from the model. A wrapper takes its registers as an array
whose length is the form's register count, so a wrong count does not compile. A few helpers beside
the wrappers cover what the instruction needs besides its operands: allocation, waits, fences.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lanemap.model import Variant, variants
from lanemap.model.tcgen05_ldst import SHAPES, Shape

FAMILIES = ("tcgen05.ld", "tcgen05.st")
# A thread has 255 registers; a composite of more than 128 would leave none for its caller.
MOST_REGISTERS = 128
_NAME = re.compile(r"tcgen05\.(ld|st)\.(\w+)\.x(\d+)(\.pack::16b|\.unpack::16b)?")
_INDENT = " " * 15
_HEAD = """\
// Typed wrappers of tcgen05.ld and tcgen05.st for sm_100a, written by `lanemap emit --wrappers`.
//
// Where register r of thread t of the warp lies is said as (lane, column) counted from taddr: its
// upper 16 bits are a lane, its lower 16 bits a column of 32 bits. Warp w reaches lanes 32*(w%4) to
// 32*(w%4) + 31 alone. A load and a store of one shape have the same map.
// .pack::16b and .unpack::16b: half h of a register lies in the low 16 bits of column 2*c + h, c
// being the column without them. A packing load ignores the high halves; what an unpacking store
// leaves in them is undefined.
// 2x wrappers are two issues of a 16-lane shape, the second at lane +16, with the registers of the
// first in front. There is no such instruction.
// All threads of the warp call a wrapper together. Loaded registers may be used after
// tcgen05_wait_ld(registers), stored columns be read after tcgen05_wait_st().
//
// Evidence: "documented" rests on the sources named, "emulator" says that a probe of ours found the
// map on an emulator that executes it, "silicon" alone is an observation of hardware.
#pragma once
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000
#error "tcgen05 needs sm_100a; compile with --gpu-architecture=sm_100a"
#endif
#define LANEMAP_FUNCTION static __device__ __forceinline__

namespace lanemap {
"""
_HELPERS = """\
// Waits for this warp's loads. To the compiler the registers are written by the load, so that it
// might use them before the wait; the empty statements tie them to it.
template <int count>
LANEMAP_FUNCTION void tcgen05_wait_ld(unsigned (&r)[count]) {
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+r"(r[i]));
}

// Waits for this warp's stores.
LANEMAP_FUNCTION void tcgen05_wait_st() {
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

// Before a barrier that hands tensor memory over to other threads, and after it.
LANEMAP_FUNCTION void tcgen05_fence_before_thread_sync() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
LANEMAP_FUNCTION void tcgen05_fence_after_thread_sync() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

// One warp allocates so many columns (a power of two from 32 to 512) of all 128 lanes and writes
// their taddr to shared memory; it blocks while there is no room.
template <int columns>
LANEMAP_FUNCTION void tcgen05_alloc(unsigned *shared_taddr) {
  static_assert(columns >= 32 && columns <= 512 && (columns & (columns - 1)) == 0,
                "columns are a power of two from 32 to 512");
  unsigned slot = static_cast<unsigned>(__cvta_generic_to_shared(shared_taddr));
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
               ::"r"(slot), "n"(columns) : "memory");
}

// One warp gives the columns back, which it must before the CTA ends.
template <int columns>
LANEMAP_FUNCTION void tcgen05_dealloc(unsigned taddr) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(taddr), "n"(columns));
}

// The CTA allocates no more, so that another one may.
LANEMAP_FUNCTION void tcgen05_relinquish_alloc_permit() {
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
}
"""


@dataclass(frozen=True)
class Wrapper:
    """One form and what its wrapper says.

    Attributes:
        variant: The form, as the model states it.
        op: "ld" or "st".
        shape: Its shape.
        repeat: N of xN.
        modifier: ".pack::16b", ".unpack::16b" or empty.
    """

    variant: Variant
    op: str
    shape: Shape
    repeat: int
    modifier: str

    @staticmethod
    def of(variant: Variant) -> Wrapper:
        """The wrapper of a load or store of the model."""
        match = _NAME.fullmatch(variant.name)
        if match is None:
            raise AssertionError(f"{variant.name} is no load or store")
        op, shape, repeat, modifier = match.groups()
        return Wrapper(variant, op, SHAPES[shape], int(repeat), modifier or "")

    @property
    def registers(self) -> int:
        """Registers of a thread."""
        return self.shape.registers * self.repeat

    @property
    def split(self) -> bool:
        """Whether an immediate places the second half of the threads."""
        return self.shape.place is None

    @property
    def has_composite(self) -> bool:
        """Whether two issues reach 32 lanes with registers to spare."""
        return self.shape.lanes == 16 and 2 * self.registers <= MOST_REGISTERS

    def name(self, composite: bool = False) -> str:
        """The function's name."""
        twice = "2x" if composite else ""
        suffix = self.modifier.replace(".", "_").replace("::", "_")
        return f"tcgen05_{self.op}_{twice}{self.shape.name}_x{self.repeat}{suffix}"

    def function(self, evidence: str) -> str:
        """The wrapper, with what it says of itself."""
        count = self.registers
        listed = "{" + ", ".join(f"%{i}" for i in range(count)) + "}"
        imm = f", %{count + 1}" if self.split else ""
        form = f"tcgen05.{self.op}.sync.aligned.{self.shape.name}.x{self.repeat}{self.modifier}.b32"
        if self.op == "ld":
            text = f"{form} {listed}, [%{count}]{imm};"
            operands = f': LANEMAP_OUT{count}(r, 0) : "r"(taddr)'
        else:
            text = f"{form} [%{count}]{imm}, {listed};"
            operands = f': : LANEMAP_IN{count}(r, 0), "r"(taddr)'
        operands += ', "n"(imm)' if self.split else ""
        pieces = textwrap.wrap(text, 80, break_on_hyphens=False)
        literal = f"\n{_INDENT}".join(f'"{piece} "' for piece in pieces[:-1])
        literal += (f"\n{_INDENT}" if literal else "") + f'"{pieces[-1]}"'
        # A formula of the model speaks of one imm; here the caller gives it.
        formula = self.variant.formula.partition(" (imm = ")[0]
        return (
            _comment(f"{self.variant.name}: {self._size()}", f"{formula}.", evidence)
            + f"{self._signature(count, False)} {{\n"
            + f"  asm volatile({literal}\n{_INDENT}{operands});\n}}\n"
        )

    def composite(self) -> str:
        """Both issues in one function: lanes 0 to 15, then lanes 16 to 31."""
        count = self.registers
        imm = "<imm>" if self.split else ""
        const = "" if self.op == "ld" else "const "
        half = f"reinterpret_cast<{const}unsigned (&)[{count}]>(r[{{}}])"
        calls = "".join(
            f"  {self.name()}{imm}(\n      {half.format(at)}, taddr{offset});\n"
            for at, offset in ((0, ""), (count, " + (16u << 16)"))
        )
        said = (
            f"{self.variant.name} at lanes 0 and 16: register {count}*h + r is its register r, "
            "16*h lanes further."
        )
        return f"{_comment(said)}{self._signature(2 * count, True)} {{\n{calls}}}\n"

    def _size(self) -> str:
        columns = self.shape.columns * self.repeat * (2 if self.modifier else 1)
        reached = f"2 * {columns // 2}" if self.split else f"{columns}"
        plural = "" if columns == 1 else "s"
        count = f"{self.registers} register{'' if self.registers == 1 else 's'}"
        return f"{self.shape.lanes} lanes, {reached} column{plural}, {count}."

    def _signature(self, count: int, composite: bool) -> str:
        const = "" if self.op == "ld" else "const "
        template = "template <int imm>\n" if self.split else ""
        name = self.name(composite)
        return (
            f"{template}LANEMAP_FUNCTION void {name}({const}unsigned (&r)[{count}], unsigned taddr)"
        )


def wrappers() -> list[Wrapper]:
    """Every load and store of the model."""
    return [Wrapper.of(v) for v in variants("sm_100a") if v.family in FAMILIES]


def header(observed: Mapping[str, str]) -> str:
    """The header's text.

    Args:
        observed: What was observed of a variant besides its sources, in words as "emulator (probe
            tcgen05_ld)"; nothing for those that it does not name.
    """
    parts = [_HEAD, *_lists(), _HELPERS]
    heading: tuple[str, Shape] | None = None
    for each in wrappers():
        if heading != (each.op, each.shape):
            heading = each.op, each.shape
            parts.append(_heading(each))
        parts.append(each.function(_evidence(each.variant, observed)))
        if each.has_composite:
            parts.append(each.composite())
    parts.append(_undefine())
    return "\n".join(parts)


def _heading(first: Wrapper) -> str:
    return _comment(
        f"---- tcgen05.{first.op}.{first.shape.name}; {_elsewhere(first)}.",
        *(f"Source: {citation}." for citation in first.variant.citations),
        f"Legal where: {first.variant.legality}.",
    )


def _comment(*sentences: str) -> str:
    """Each sentence on lines of its own."""
    lines = (line for said in sentences for line in textwrap.wrap(said, 97))
    return "".join(f"// {line}\n" for line in lines)


def _elsewhere(first: Wrapper) -> str:
    """How others call a shape; N stands for the repetition."""
    lanes, bits = re.findall(r"\d+", first.shape.name)[:2]
    cutlass = f"SM100_TMEM_{'LOAD' if first.op == 'ld' else 'STORE'}_{lanes}dp{bits}bNx"
    if first.split:
        return f"CUTLASS {cutlass}"
    name = first.shape.name if lanes == "32" else f"2x{first.shape.name}"
    return f"CUTLASS {cutlass}; TileLang's tcgen05_{first.op}_32dp{bits}bNx is {name}"


def _evidence(variant: Variant, observed: Mapping[str, str]) -> str:
    seen = observed.get(variant.name)
    return "Evidence: documented" + (f", {seen}." if seen else ".")


def _lists() -> Iterator[str]:
    """Operand lists by doubling: a form has 1, 2, 4, .. 128 registers."""
    lines = ['#define LANEMAP_OUT1(r, i) "=r"(r[i])', '#define LANEMAP_IN1(r, i) "r"(r[i])']
    for power in range(7):
        half = 1 << power
        for kind in ("OUT", "IN"):
            lines.append(
                f"#define LANEMAP_{kind}{2 * half}(r, i) "
                f"LANEMAP_{kind}{half}(r, i), LANEMAP_{kind}{half}(r, (i) + {half})"
            )
    yield "\n".join(lines) + "\n"


def _undefine() -> str:
    names = [f"LANEMAP_{kind}{1 << power}" for power in range(8) for kind in ("OUT", "IN")]
    undefined = "\n".join(f"#undef {name}" for name in (*names, "LANEMAP_FUNCTION"))
    return f"}}  // namespace lanemap\n\n{undefined}\n"
