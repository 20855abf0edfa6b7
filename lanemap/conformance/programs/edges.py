"""Values that find bugs: the edge cases of every type, and random bits.

Kinds: `i` integers and packed bytes, `f` binary32 or binary64, `h` binary16 (or a pair), `b`
bfloat16 (or a pair), `s` shift amounts and positions, `m` few different values, which often match.
"""

from __future__ import annotations

import struct
from functools import cache

from lanemap.conformance.programs.chance import Chance

_F32 = """00000000 80000000 3f800000 bf800000 3f800001 3f7fffff 7f800000 ff800000 7fc00000 7fffffff
ffc00001 7f800001 ffbfffff 00000001 80000001 007fffff 807fffff 00800000 80800000 7f7fffff ff7fffff
4b800000 4f000000 4f800000 5f000000 5f800000 cf000000 df000000 3f000000 3fc00000 40200000 bf000000
477fe000 477ff000 43e00000 43e80000 47600000 40490fdb 33800000 387fc000 38800000 47c35000 42fe0000
43000000 437f0000 43800000 c3000000 c3010000 3effffff 3f000001 7f7f8000 0c000000 a0000000""".split()
_F64 = """0000000000000000 8000000000000000 3ff0000000000000 bff0000000000000 3ff0000000000001
3fefffffffffffff 7ff0000000000000 fff0000000000000 7ff8000000000000 7fffffffffffffff
fff8000000000001 7ff0000000000001 fff7ffffffffffff 0000000000000001 800fffffffffffff
0010000000000000 8010000000000000 7fefffffffffffff ffefffffffffffff 41e0000000000000
41efffffffe00000 41dfffffffc00000 c1e0000000200000 43e0000000000000 43f0000000000000
c3e0000000000000 43dfffffffffffff 3fe0000000000000 3ff8000000000000 4004000000000000
bfe0000000000000 47efffffe0000000 47efffffefffffff 47efffffffffffff 36a0000000000000
3690000000000000 3810000000000000 380fffffffffffff 40effc0000000000 40effdffffffffff
3ff0000010000000 3ff0000030000000 3ff000002fffffff 3ca0000000000000 4340000000000001
7ff8dead0000beef fff0badc0de00000""".split()
_F16 = """0000 8000 3c00 bc00 3c01 3bff 7c00 fc00 7e00 7fff fe01 7c01 fdff 0001 8001 03ff 0400 8400
7bff fbff 6400 6800 3800 3e00 4100 b800 5bf8 5c00 7b00 1400 4248 67ff""".split()
_BF16 = """0000 8000 3f80 bf80 3f81 3f7f 7f80 ff80 7fc0 7fff ffc1 7f81 ffbf 0001 8001 007f 0080 8080
7f7f ff7f 4b80 4f00 3f00 3fc0 4020 bf00 43e0 4049 0c00 7f00 3380 4780""".split()
#: Operands that find bugs together: results at the edge of subnormals, ties, cancellation,
#: overflow by rounding, infinity minus infinity and times zero.
_THEMES = {
    ("f", 32): """3f7fffff 00800000 00000000|3f800001 007fffff 80000001|3f7fffff 80800000 00000001
        3f800001 3f800001 bf800002|3f7fffff 3f7fffff bf7ffffe|7f7fffff 3f800001 73000000
        7f800000 00000000 ff800000|4b800001 3f000000 bf800000|00800001 00800000 80800001
        3f000000 00ffffff 80400000|40000000 003fffff 00800000|5f7fffff 5f800001 7f7fffff
        3fffffff 00400000 807fffff|33800000 3f800000 b3000000|1f800000 1f7fffff 80000001
        00ffffff 40000000 80400000|00800001 80800001 00800000|7f7fffff 3f7fffff 7f800000""",
    ("f", 64): """3fefffffffffffff 0010000000000000 0000000000000000
        3ff0000000000001 000fffffffffffff 8000000000000001
        3ff0000000000001 3ff0000000000001 bff0000000000002
        7fefffffffffffff 3ff0000000000001 7c90000000000000
        7ff0000000000000 0000000000000000 fff0000000000000
        3fe0000000000000 001fffffffffffff 8008000000000000""",
    ("h", 16): """3bff 0400 0000|3c01 03ff 8001|3bff 8400 0001|3c01 3c01 bc02|7bff 3c01 5400
        7c00 0000 fc00|3800 07ff 8200|4000 01ff 0400|6400 3801 bc00|1400 3c00 9000""",
    ("b", 16): """3f7f 0080 0000|3f81 007f 8001|3f7f 8080 0001|3f81 3f81 bf82|7f7f 3f81 7b00
        7f80 0000 ff80|3f00 00ff 8040|4000 003f 0080|4301 3f01 bf80|3c00 3f80 b800""",
}
_INTEGERS = (0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 1000)
_BYTES = (0x00, 0x01, 0x7E, 0x7F, 0x80, 0x81, 0xFE, 0xFF)


@cache
def themes(kind: str, width: int) -> tuple[tuple[int, ...], ...]:
    """Return triples of values for a kind of floats; both halves of a pair are alike."""
    wide = (kind, 16) if kind in "hb" else (kind, width)
    groups = [group for line in _THEMES[wide].split("\n") for group in line.split("|")]
    copies = sum(1 << 16 * i for i in range(width // 16)) if kind in "hb" else 1
    return tuple(tuple(int(word, 16) * copies for word in group.split()) for group in groups)


def value(chance: Chance, kind: str, width: int) -> int:
    """Draw a value of a kind for a register of `width` bits."""
    if kind == "m":
        return chance.below(3) * 0x01010101
    if kind == "s":
        return _position(chance)
    if kind == "h" or kind == "b":
        table = _F16 if kind == "h" else _BF16
        parts = [_half(chance, table) for _ in range(width // 16)]
        return sum(part << 16 * i for i, part in enumerate(parts))
    if kind == "f":
        return _binary32(chance) if width == 32 else _binary64(chance)
    return _integer(chance, width)


def _position(chance: Chance) -> int:
    if chance.one_in(8):
        return chance.of((0xFFFFFFFF, 0x80000000, 0x10000, 255, 256, chance.bits(32)))
    return chance.below(70)


def _half(chance: Chance, table: list[str]) -> int:
    return chance.bits(16) if chance.one_in(4) else int(chance.of(table), 16)


def _binary32(chance: Chance) -> int:
    way = chance.below(10)
    if way < 4:
        return int(chance.of(_F32), 16)
    if way < 7:  # near one, with few or many bits
        mantissa = chance.bits(23) & chance.of((0x7FFFFF, 0x780000, 0x7FF000))
        return chance.bits(1) << 31 | (107 + chance.below(48)) << 23 | mantissa
    if way < 9:
        number = (chance.below(2001) - 1000) / chance.of((1, 2, 4, 1024))
        return int(struct.unpack("<I", struct.pack("<f", number))[0])
    return chance.bits(32)


def _binary64(chance: Chance) -> int:
    way = chance.below(10)
    if way < 4:
        return int(chance.of(_F64), 16)
    if way < 7:
        mantissa = chance.bits(52) & chance.of(((1 << 52) - 1, 0xFF << 44, 0xFFFFFF << 28))
        return chance.bits(1) << 63 | (960 + chance.below(130)) << 52 | mantissa
    if way < 9:
        number = (chance.below(2001) - 1000) / chance.of((1, 2, 4, 1024))
        return int(struct.unpack("<Q", struct.pack("<d", number))[0])
    return chance.bits(64)


def _integer(chance: Chance, width: int) -> int:
    mask = (1 << width) - 1
    way = chance.below(8)
    if way < 2:
        power = 1 << chance.below(width)
        return chance.of((power, power - 1, -power, ~power)) & mask
    if way < 3:
        return chance.of((mask, mask >> 1, (mask >> 1) + 1, mask - 1, 0))
    if way < 5:
        return chance.of(_INTEGERS) * chance.of((1, -1)) & mask
    if way < 6:
        return int.from_bytes(bytes(chance.of(_BYTES) for _ in range(width // 8)), "little")
    return chance.bits(width)
