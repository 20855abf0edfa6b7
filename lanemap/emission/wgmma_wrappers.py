"""CUDA C++ wrappers of wgmma.mma_async, whose operand lists no one should type."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from lanemap.errors import UserError

#: wgmma.m64n256k16.f32.bf16.bf16: the columns and the types choose the form.
_NAME = re.compile(r"wgmma\.m64n(\d+)k(\d+)\.(f32)\.(bf16|f16|e4m3|e5m2)\.(bf16|f16|e4m3|e5m2)")
_HALF = ("bf16", "f16")
_INDENT = " " * 15


def wrapper(
    name: str,
    kinds: Sequence[str] = ("ss", "rs"),
    transposed_b: bool = False,
    transposed_a: bool = False,
    suffix: str = "",
) -> str:
    """Return `wgmma_ss(d, a, b, add)` and `wgmma_rs(..)` of one form, as CUDA C++.

    D is N / 2 registers of f32 of a thread. A is a descriptor in `wgmma_ss`, four registers in
    `wgmma_rs`; B is a descriptor; operands are K-major. Without `add`, D is overwritten
    (PTX ISA 9.0, "wgmma.mma_async").

    Args:
        name: Such as `wgmma.m64n256k16.f32.bf16.bf16`.
        kinds: The functions to return.
        transposed_b: Whether B is N-major, which 16-bit types alone may be (imm-trans-b).
        transposed_a: Whether A in shared memory is M-major, likewise (imm-trans-a); the function is
            then `wgmma_ss_transposed`.
        suffix: What the functions' names end with, where a source has several forms of one shape.

    Raises:
        UserError: there is no such form.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise UserError(
            f"{name!r} is not a form such as wgmma.m64n256k16.f32.bf16.bf16, with D in f32 and "
            "A, B in f16, bf16, e4m3 or e5m2"
        )
    columns, depth, a, b = int(match[1]), int(match[2]), match[4], match[5]
    half = a in _HALF
    if columns % 8 or not 8 <= columns <= 256:
        raise UserError(f"{name}: N is a multiple of 8 from 8 to 256, not {columns}")
    if depth != (16 if half else 32) or (a != b if half else b in _HALF):
        raise UserError(f"{name}: wgmma has no product of {a} and {b} with K {depth}")
    if transposed_b and not half:
        raise UserError(f"{name}: only a B of f16 or bf16 can be N-major")
    if transposed_a and (not half or tuple(kinds) != ("ss",)):
        raise UserError(f"{name}: only an A of f16 or bf16 in shared memory can be M-major")
    major = int(transposed_a), int(transposed_b)
    return "\n".join(_function(name, columns, half, kind == "rs", major, suffix) for kind in kinds)


def _function(
    name: str, columns: int, half: bool, registers: bool, transposed: tuple[int, int], suffix: str
) -> str:
    count = columns // 2
    if registers:
        operand, after = "{" + ", ".join(f"%{count + i}" for i in range(4)) + "}", count + 4
        declared, inputs = "const unsigned (&a)[4]", ", ".join(f'"r"(a[{i}])' for i in range(4))
    else:
        operand, after = f"%{count}", count + 1
        declared, inputs = "unsigned long long a", '"l"(a)'
    # Signs of A and B, then for 16-bit types whether an operand in memory is transposed.
    major = transposed[1:] if registers else transposed
    signs = ", ".join(str(each) for each in (1, 1, *(major if half else ())))
    shape, types = name.removeprefix("wgmma.").split(".", 1)
    text = (
        f"wgmma.mma_async.sync.aligned.{shape}.{types} "
        "{" + ", ".join(f"%{i}" for i in range(count)) + "}, "
        f"{operand}, %{after}, add, {signs};"
    )
    pieces = textwrap.wrap(text, 78, break_on_hyphens=False)
    literal = f"\n{_INDENT}".join(f'"{piece} "' for piece in pieces)
    outputs = ", ".join(f'"+f"(d[{i}])' for i in range(count))
    held = f"\n{_INDENT}  ".join(textwrap.wrap(outputs, 78, break_on_hyphens=False))
    kind = "rs" if registers else "ss_transposed" if transposed[0] else "ss"
    return (
        f"// {name}, A in {'registers' if registers else 'shared memory'}.\n"
        f"static __device__ __forceinline__ void wgmma_{kind}{suffix}(\n"
        f"    float (&d)[{count}], {declared}, unsigned long long b, bool add) {{\n"
        f'  asm volatile("{{\\n.reg .pred add;\\nsetp.ne.b32 add, %{after + 1}, 0;\\n"\n'
        f'{_INDENT}{literal}\n{_INDENT}"\\n}}"\n'
        f"{_INDENT}: {held}\n"
        f'{_INDENT}: {inputs}, "l"(b), "r"(static_cast<int>(add)));\n}}\n'
    )
