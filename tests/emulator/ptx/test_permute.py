"""prmt with selectors that are known when code is generated and ones that are not, against bytes.

NVIDIA PTX ISA, Data Movement and Conversion Instructions: prmt.
"""

from __future__ import annotations

import numpy as np

from tests import ptx

SELECTORS = (0x3210, 0x7654, 0x2103, 0x0000, 0x5410, 0x7632, 0x6240, 0x1357, 0xBA98, 0x8888, 0xF0E1,
             0x4C3D, 0x9810, 0x0123, 0xFEDC)  # fmt: skip
MODES = ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")


def _general(a: int, b: int, selector: int) -> int:
    data = (b << 32 | a).to_bytes(8, "little")
    out = bytearray()
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = data[nibble & 7]
        out.append((0xFF if byte & 0x80 else 0) if nibble & 8 else byte)
    return int.from_bytes(out, "little")


def _by_mode(a: int, b: int, mode: str, n: int) -> int:
    """The tables of the ISA: bytes of the result, the highest first."""
    rows = {
        "f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
        "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
        "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"],
    }  # fmt: skip
    return _general(a, b, int(rows[mode][n], 16))


def test_prmt_with_known_and_unknown_selectors() -> None:
    lines = []
    for selector in SELECTORS:
        lines += [f"prmt.b32 %r3, %r1, %r2, {selector};", "STORE"]
        lines += [f"mov.u32 %r4, {selector};", "add.u32 %r4, %r4, %zero;"]
        lines += ["prmt.b32 %r3, %r1, %r2, %r4;", "STORE"]
    for mode in MODES:
        for n in range(4):
            lines += [f"prmt.b32.{mode} %r3, %r1, %r2, {n + 4};", "STORE"]
            lines += [
                f"add.u32 %r4, %zero, {n + 4};",
                f"prmt.b32.{mode} %r3, %r1, %r2, %r4;",
                "STORE",
            ]
    count = lines.count("STORE")
    body = "\n".join(
        "st.global.u32 [%out], %r3; add.u64 %out, %out, 128;" if line == "STORE" else line
        for line in lines
    )
    begin = """.reg .b32 %t, %r<9>; .reg .b64 %w<9>;
mov.u32 %t, %tid.x;
mad.wide.u32 %w2, %t, 4, %a; ld.global.u32 %r1, [%w2];
mad.wide.u32 %w3, %t, 4, %b; ld.global.u32 %r2, [%w3];
mad.wide.u32 %out, %t, 4, %out;
"""
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2**32, (2, 32), dtype=np.uint32)
    text = ptx.entry(begin + body, "a b out zero:u32")
    *_, got = ptx.launch(text, a, b, np.zeros((count, 32), np.uint32), np.uint32(0))
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    expected = [[_general(x, y, s) for x, y in pairs] for s in SELECTORS for _ in range(2)]
    for mode in MODES:
        for n in range(4):
            expected += [[_by_mode(x, y, mode, n) for x, y in pairs]] * 2
    assert got.tolist() == expected
