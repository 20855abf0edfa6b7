"""Operands of tensor cores in PTX: elements of 0 and 1, which every order of a sum keeps exact."""

from __future__ import annotations

#: By type: which bits of a random word say which elements are 1, and 1. Integers are random.
ONES = {
    "f16": (0x00010001, 0x3C00), "bf16": (0x00010001, 0x3F80), "tf32": (1, 0x3F800000),
    "e4m3": (0x01010101, 0x38), "e5m2": (0x01010101, 0x3C), "f32": (1, 0x3F800000),
    "f64": (1, 0x3FF00000),
}  # fmt: skip


#: A double of 0 whose words ptxas takes for different ones, so that it does not copy them; with the
#: upper word of `drawn`.
DOUBLE = (
    "ld.volatile.global.b32 u0, [inputs+20]; ld.volatile.global.b32 u1, [inputs+20]; "
    "or.b32 u1, u1, drawn; mov.b64 {to}, {{u0, u1}};\n"
)


def drawn(kind: str, to: str, salt: int) -> str:
    """A register of elements that are 0 or 1 at random; of integers, of random bits."""
    text = (
        "mad.lo.u32 drawn, thread, 0x9e3779b1, k0; "
        f"mad.lo.u32 drawn, drawn, 0x85ebca6b, {0x3C6EF372 * (salt + 1) & 0xFFFFFFFF}; "
    )
    if kind not in ONES:
        return f"{text}mov.b32 {to}, drawn;\n"
    bits, one = ONES[kind]
    text += f"shr.u32 drawn, drawn, 11; and.b32 drawn, drawn, {bits}; "
    if kind == "f64":
        return f"{text}mul.lo.u32 drawn, drawn, {one}; {DOUBLE.format(to=to)}"
    return f"{text}mul.lo.u32 {to}, drawn, {one};\n"


def filled(kind: str, size: int, threads: int) -> str:
    """Fill the first bytes of shared memory with elements that are 0 or 1 at random.

    It needs registers `at` and `drawn`. Tensor cores, which read it as the async proxy, may follow.
    """
    value = ""
    if kind in ONES:
        bits, one = ONES[kind]
        value = f"and.b32 u0, u0, {bits}; mul.lo.u32 u0, u0, {one};"
    return f"""
    add.u32 at, shared, {size};
    mad.lo.u32 drawn, thread, 4, shared;
filling:
    sub.u32 u0, drawn, shared; mad.lo.u32 u0, u0, 0x9e3779b1, k0;
    mul.lo.u32 u0, u0, 0x85ebca6b; shr.u32 u0, u0, 11;
    {value}
    st.shared.b32 [drawn], u0;
    add.u32 drawn, drawn, {4 * threads}; setp.lt.u32 p, drawn, at; @p bra filling;
    fence.proxy.async;
"""
