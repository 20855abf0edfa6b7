"""Triton's and Gluon's operations and encodings: ttng.tmem_load, NVMMASharedLayout, #ttg.amd_mfma.

triton-lang/triton, TritonNvidiaGPUOps.td, TritonGPUAttrDefs.td and Gluon's classes of layouts. The
lowering chooses the instruction of most operations, so that they stand for several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lanemap.model import mfma, smfmac, tcgen05_mma, wgmma
from lanemap.model.mma_sync import variants as mma_variants
from lanemap.model.spellings import cute, ptx
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading
from lanemap.model.variant import Variant

_OPERATION = re.compile(r"(?<![\w.])(?:ttng|ttg|tt|tl|amdg|amdgpu|gl|gluon|nvg|nvws)\.([a-z]\w*)")
_LAYOUT = re.compile(
    r"(NVMMASharedLayout|NVMMASharedEncoding(?:Attr)?|nvmma_shared|"
    r"NVMMADistributedLayout|NvidiaMmaEncoding(?:Attr)?|nvidia_mma|"
    r"DotOperandLayout|DotOperandEncoding(?:Attr)?|DotOperand|dot_op|"
    r"AMDMFMALayout|AMDMfmaEncoding(?:Attr)?|AMDMfma|amd_mfma|"
    r"TensorMemoryLayout|TensorMemoryEncoding(?:Attr)?|tensor_memory_encoding|"
    r"TensorMemoryScalesLayout|TensorMemoryScalesEncoding(?:Attr)?|tensor_memory_scales_encoding)\b"
)
_NUMBER = r"{}\s*[=:]\s*\[?\(?((?:\d+\s*,\s*)*\d+)"


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read an operation or an encoding, wherever it is in the text."""
    if layout := _LAYOUT.search(pasted.text):
        kind = re.sub(r"Encoding(Attr)?|Layout|_encoding|_|nvidia|amd", "", layout[1], flags=re.I)
        yield from _LAYOUTS[kind.lower()](pasted.text[layout.end() :])
    elif operation := _OPERATION.search(pasted.text):
        yield from _OPERATIONS.get(operation[1], _nothing)()


def _nothing() -> Iterator[Reading]:
    return iter(())


def _numbers(text: str, *names: str) -> list[int]:
    """The numbers of a parameter: instrShape = [16, 8] or instr_shape=[16, 8]."""
    for name in names:
        if match := re.search(_NUMBER.format(name), text):
            return [int(each) for each in match[1].split(",")]
    return []


def _shared(text: str) -> Iterator[Reading]:
    """Which index is contiguous is the operand's matter, so that both majors are meant."""
    width = _numbers(text, "swizzlingByteWidth", "swizzle_byte_width")
    bits = _numbers(text, "elementBitWidth", "element_bitwidth")
    modes = {0: "INTER", 16: "INTER", 32: "SW32", 64: "SW64", 128: "SW128"}
    for size in width or modes:
        for major in ("K", "MN"):
            yield from cute.tiles(major, modes.get(size, "INTER"), bits[0] if bits else None)


def _products(text: str) -> Iterator[Reading]:
    """The result of mma.sync (version 2) and of wgmma (version 3)."""
    version = _numbers(text, "versionMajor", "version")
    shape = _numbers(text, "instrShape", "instr_shape")
    if version[:1] in ([], [2]):
        for name in (each.name for each in mma_variants() if each.name.endswith(":D")):
            if not shape or f".m{shape[0]}n{shape[1] if len(shape) > 1 else 8}k" in name:
                yield Reading.one(name)
    if version[:1] in ([], [3]):
        if len(shape) > 1:
            for kind in wgmma.RESULTS:
                if shape[1] in wgmma.legal_columns(kind):
                    yield Reading.one(f"wgmma.m64n{shape[1]}.{kind}:D")
        else:
            yield from _operands(wgmma.variants(), ":D")


def _operands(variants: list[Variant], *ends: str) -> Iterator[Reading]:
    for each in variants:
        if any(end in each.name for end in ends):
            yield Reading.one(each.name)


def _dot_operand(text: str) -> Iterator[Reading]:
    """Operand 0 is A and operand 1 is B of mma.sync, wgmma (A alone) or MFMA."""
    given = _numbers(text, "opIdx", "operand_index")
    letters = [f":{'AB'[given[0]]}"] if given and given[0] < 2 else [":A", ":B"]
    amd, nvidia = "mfma" in text.lower(), "nvidia" in text.lower() or "NVMMA" in text
    if not amd:
        yield from _operands(mma_variants(), *letters)
        yield from _operands(wgmma.variants(), *(x for x in letters if x == ":A"))
    if not nvidia:
        yield from _operands(mfma.variants(), *letters)


def _mfma_result(text: str) -> Iterator[Reading]:
    shape = _numbers(text, "instrShape", "instr_shape")
    size = "x".join(str(each) for each in shape)
    for each in (*mfma.variants(), *smfmac.variants()):
        if each.name.endswith(":D") and (not shape or re.search(rf"_{size}(_|x|\D)", each.name)):
            yield Reading.one(each.name)


def _tensor_memory(text: str) -> Iterator[Reading]:
    block = _numbers(text, "block")
    rows, columns = _numbers(text, "blockM") or block[:1], _numbers(text, "blockN") or block[1:2]
    if rows and columns:
        for kind in tcgen05_mma.TYPES:
            yield Reading.one(f"tcgen05.mma.cta_group::1.m{rows[0]}n{columns[0]}.{kind}:D")
    else:
        yield from _operands(tcgen05_mma.variants(), ":D")


def _scales(_: str) -> Iterator[Reading]:
    return _operands(tcgen05_mma.variants(), ":SF")


_LAYOUTS: dict[str, Callable[[str], Iterator[Reading]]] = {
    "nvmmashared": _shared, "nvmmadistributed": _products, "mma": _products,
    "dotoperand": _dot_operand, "dotop": _dot_operand, "mfma": _mfma_result,
    "tensormemory": _tensor_memory, "tensormemoryscales": _scales,
}  # fmt: skip


def _spelled(*names: str) -> Callable[[], Iterator[Reading]]:
    """Operations that PTX instructions do."""

    def instructions() -> Iterator[Reading]:
        for name in names:
            yield from ptx.read(Pasted.of(name))

    return instructions


def _moves(op: str) -> Callable[[], Iterator[Reading]]:
    def instructions() -> Iterator[Reading]:
        from lanemap.model import tcgen05_ldst

        return _operands(tcgen05_ldst.variants(), f"tcgen05.{op}.")

    return instructions


def _copies() -> Iterator[Reading]:
    from lanemap.model import tcgen05_cp

    return _operands(tcgen05_cp.variants(), "tcgen05.cp.")


def _warpgroup_products() -> Iterator[Reading]:
    return _operands(wgmma.variants(), ":A", ":D")


def _mfma_products() -> Iterator[Reading]:
    return _operands(mfma.variants(), ":A", ":B", ":D")


def _sparse_mfma_products() -> Iterator[Reading]:
    return _operands(smfmac.variants(), ":")


def _products_of_any_target() -> Iterator[Reading]:
    yield from _operands(mma_variants(), ":A", ":B", ":D")
    yield from _warpgroup_products()
    yield from _spelled("tcgen05.mma")()
    yield from _mfma_products()


def _transposed_loads() -> Iterator[Reading]:
    from lanemap.model import lds_transpose

    return _operands(lds_transpose.variants(), "ds_read")


def _loads_of_matrices() -> Iterator[Reading]:
    yield from _spelled("ldmatrix")()
    yield from _transposed_loads()


_TMA = _spelled("cp.async.bulk.tensor")
_OPERATIONS: dict[str, Callable[[], Iterator[Reading]]] = {
    "tmem_load": _moves("ld"), "tmem_store": _moves("st"), "tmem_alloc": _moves("st"),
    "tmem_copy": _copies,
    "tc_gen5_mma": _spelled("tcgen05.mma"),
    "tc_gen5_mma_scaled": _spelled(
        *(f"tcgen05.mma.kind::{kind}.block_scale" for kind in ("mxf8f6f4", "mxf4", "mxf4nvf4"))
    ),
    "warp_group_dot": _warpgroup_products, "wgmma": _warpgroup_products,
    "dot": _products_of_any_target, "dot_scaled": _products_of_any_target,
    "local_load": _loads_of_matrices, "local_store": _spelled("stmatrix"),
    "local_load_packed_transposed": _transposed_loads, "transpose_load": _transposed_loads,
    "mfma": _mfma_products, "scaled_mfma": _mfma_products, "sparse_mfma": _sparse_mfma_products,
    **dict.fromkeys(
        ("async_tma_copy_global_to_local", "async_tma_copy_local_to_global", "async_tma_gather",
         "async_tma_scatter", "async_tma_reduce", "descriptor_load", "descriptor_store",
         "descriptor_gather", "descriptor_scatter", "descriptor_reduce"),
        _TMA,
    ),
}  # fmt: skip
