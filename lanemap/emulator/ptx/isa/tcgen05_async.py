"""tcgen05 operations that one thread hands to the tensor core (NVIDIA PTX ISA, tcgen05).

The data movement of copies and shifts is the model's layout maps (lanemap/model/tcgen05_cp.py),
applied by ptx/c/tensor_copy.c.
"""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.ptx.isa.async_copies import defined
from lanemap.emulator.ptx.isa.memory import SPACES
from lanemap.emulator.ptx.isa.tcgen05 import begin, take_group
from lanemap.emulator.ptx.lower.runtime import mask64
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.lower.tables import tensor_copy_table, tensor_shift_table
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.runtime.abi import Space
from lanemap.model.tcgen05_cp import FORMS

_CITE = "PTX ISA, TensorCore 5th Generation Family Instructions: {}"
_FORMS = {form.name: form for form in FORMS}


@instruction(
    "tcgen05.cp",
    "tcgen05.cp.cta_group.shape{.multicast} [taddr], s-desc",
    cite=_CITE.format("tcgen05.cp"),
    needs="tcgen05",
)
def copy(s: Statement) -> Emit:
    """Rows of shared memory, found by a descriptor, to lanes of tensor memory.

    With .cta_group::2 each CTA of the pair gets what lies at the descriptor's address in its own
    shared memory: so DeepGEMM at 54e2261 (sm100_fp8_gemm_1d1d), where one thread of the pair copies
    scales that both CTAs have loaded.
    """
    begin(s)
    pair = take_group(s) - 1
    if s.peek("b8x16"):
        raise OperandError(
            "tcgen05.cp.b8x16 decompresses, and no public source says which bytes it makes"
        )
    shape = s.choice("128x256b 4x256b 128x128b 64x128b 32x128b")
    spread = s.choice("warpx2::02_13 warpx2::01_23 warpx4", "")
    name = f"{shape}.{spread}" if spread else shape
    if name not in _FORMS:
        raise OperandError(
            f"`{s.instruction.name}` is not a form of tcgen05.cp: there are {', '.join(_FORMS)}"
        )
    form = _FORMS[name]
    address, descriptor = s.address(Space.ENGINE), s.source("b64")
    variant = f"tcgen05.cp.{name}"
    table = s.names.table(variant, tensor_copy_table)

    def emit(b: Builder) -> None:
        where = b.alu.trunc(defined(b, address, "address"), "i32")
        b.rows.store(0, [where, defined(b, descriptor, "address")])
        b.runtime.call(
            "lm_tensor_copy", b.index, mask64(b), 0, table, form.rows, form.bits // 32, pair
        )

    return emit


@instruction(
    "tcgen05.shift",
    "tcgen05.shift.cta_group.down [taddr]",
    cite=_CITE.format("tcgen05.shift"),
    needs="tcgen05",
)
def shift(s: Statement) -> Emit:
    """Move 8 columns of 32 lanes by one lane; the last lane keeps its own."""
    begin(s)
    pair = take_group(s) - 1
    s.choice("down")
    address = s.address(Space.ENGINE)
    variant = "tcgen05.shift.down"
    table = s.names.table(variant, tensor_shift_table)

    def emit(b: Builder) -> None:
        b.rows.store(0, [b.alu.trunc(defined(b, address, "address"), "i32")])
        b.runtime.call("lm_tensor_shift", b.index, mask64(b), 0, table, pair)

    return emit


@instruction(
    "tcgen05.commit",
    "tcgen05.commit.cta_group.mbarrier::arrive::one{.shared::cluster}{.multicast::cluster}.b64 "
    "[mbar]{, ctaMask}",
    cite=_CITE.format("tcgen05.commit"),
    needs="tcgen05",
)
def commit(s: Statement) -> Emit:
    """Arrive at an mbarrier when all that was handed over so far is complete."""
    begin(s)
    take_group(s)
    s.names.use_mbarriers()
    s.choice("mbarrier::arrive::one")
    s.type("b64")
    space = SPACES[s.choice("shared::cluster", "")]
    multicast = s.flag("multicast::cluster")
    address = s.address(space)
    mask = s.source("b16") if multicast else None

    def emit(b: Builder) -> None:
        b.memory.set_addresses(address.read(b))
        if mask is not None:
            b.rows.store(0, [defined(b, mask, "barrier operand")])
        b.runtime.call("lm_tensor_commit", b.index, space, mask64(b), 0, int(multicast))

    return emit
