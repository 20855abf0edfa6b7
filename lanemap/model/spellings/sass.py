"""Machine instructions as nvdisasm prints them: HMMA.16816.F32.BF16, LDSM.16.M88.4, LDTM.x32.

No document lists them. Which PTX each one comes from was seen by assembling every form of PTX that
has a map with ptxas 13.0 and reading what nvdisasm prints; a test does so again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lanemap.model.spellings import ptx
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

_WORD = re.compile(r"[A-Z][A-Z0-9]*(\.\w+)*", re.I)
_SIZES = {
    size: f"m{m}n{n}k{k}"
    for m, n, k in (
        *((8, 8, k) for k in (4, 16, 32, 128)), *((16, 8, k) for k in (4, 8, 16, 32, 64, 128, 256)),
    )
    for size in (f"{m}{n}{k}", f"{m}x{n}x{k}")
}  # fmt: skip
_PRODUCT = re.compile(r"(H|I|D|B|Q|O)(G?)MMA((?:\.(?:SP|SF))*)\.([\dX]+)((?:\.\w+)*)")
_RESULTS = {"I": "s32", "B": "s32", "D": "f64"}


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read a machine instruction of NVIDIA's GPUs."""
    word = pasted.word.upper()
    if _WORD.fullmatch(word) is None:
        return
    if product := _PRODUCT.fullmatch(word):
        yield from _product(product)
    for pattern, translate in _OTHERS:
        if match := pattern.fullmatch(word):
            for name in translate(match):
                yield from ptx.read(Pasted.of(name))


def _product(match: re.Match[str]) -> Iterator[Reading]:
    letter, group, marks, size, rest = match.groups()
    words = [word.lower() for word in rest.split(".")[1:]]
    types = [word for word in words if word in ptx.TYPES]
    if letter in "IB":
        types = ["s32", *types]
    if letter == "B":
        types = ["s32", "b1", "b1"]
    elif letter == "D":
        types = ["f64"] * 3
    elif letter == "H":
        types = _half(types, size)
    sparse, shape = "SP" in marks, _SIZES.get(size.lower())
    if len(types) < 3:
        return
    d, a, b = types[:3]
    if group:
        m, n, k = size.lower().split("x")
        sp = ".sp" if sparse else ""
        yield from ptx.read(Pasted.of(f"wgmma.mma_async{sp}.sync.aligned.m{m}n{n}k{k}.{d}.{a}.{b}"))
    elif shape:
        c = types[3] if len(types) > 3 else d
        kind = ".kind::f8f6f4" if letter in "QO" else ""
        sp = "mma.sp.sync" if sparse else "mma.sync"
        for majors in _majors(shape, a):
            yield from ptx.read(Pasted.of(f"{sp}.aligned.{shape}.{majors}{kind}.{d}.{a}.{b}.{c}"))


def _half(types: list[str], size: str) -> list[str]:
    """D, A, B and C of HMMA: F32 or F16, then BF16 or TF32 if A is not f16; 884 also has C."""
    if not types:
        return []
    if size == "884":
        return [types[0], "f16", "f16", *types[1:2]]
    kind = types[1] if len(types) > 1 else "f16"
    return [types[0], kind, kind]


def _majors(shape: str, kind: str) -> tuple[str, ...]:
    """HMMA.884 says in its operands which order A and B have."""
    if (shape, kind) == ("m8n8k4", "f16"):
        return ("row.col", "row.row", "col.row", "col.col")
    return ("row.col",)


def _matrix(match: re.Match[str]) -> Iterator[str]:
    op = {"LD": "ldmatrix", "ST": "stmatrix"}[match[1]]
    shape = {"88": "m8n8", "816": "m8n16", "168": "m16n8", "1616": "m16n16"}[match[4]]
    kind = {"16": "b16", "8": "b8"}.get(match[2])
    if kind is None:
        bits, gap = ("6", "32") if match[2].startswith("U6") else ("4", "64")
        kind = f"b8x16.b{bits}x16_p{gap}"
    trans = ".trans" if match[3] else ""
    yield f"{op}.sync.aligned.{shape}.x{match[5] or 1}{trans}.shared.{kind}"


def _tensor_memory(match: re.Match[str]) -> Iterator[str]:
    op, shape = {"LD": "ld", "ST": "st"}[match[1]], "32x32b"
    if match[2]:
        shape = "16x32bx2" if match[2].startswith("32BIT") else f"16x{match[2][:-3].lower()}b"
    half = {"PACK16BIT": ".pack::16b", "EXPAND16BIT": ".unpack::16b"}.get(match[4] or "", "")
    yield f"tcgen05.{op}.sync.aligned.{shape}.x{match[3] or 1}{half}.b32"


_COPIES = {
    "": "128x256b", "4DP256BIT": "4x256b", "128DP128BIT": "128x128b",
    "2X64DP128BIT_LW02_LW13": "64x128b.warpx2::02_13",
    "2X64DP128BIT_LW01_LW23": "64x128b.warpx2::01_23", "4X32DP128BIT": "32x128b.warpx4",
}  # fmt: skip


def _copy(match: re.Match[str]) -> Iterator[str]:
    yield f"tcgen05.cp.cta_group::1.{_COPIES[match[1] or '']}"


def _tensor_product(match: re.Match[str]) -> Iterator[str]:
    """UTCHMMA is .kind::f16 and tf32, UTCQMMA f8f6f4 and mxf8f6f4, UTCOMMA mxf4 and mxf4nvf4.

    The name does not say whether A is sparse.
    """
    kinds = {"H": ("f16", "tf32"), "Q": ("f8f6f4", "mxf8f6f4"), "I": ("i8",)}
    number = 2 if ".2CTA" in match[2] else 1
    form = f"tcgen05.mma{'.ws' if '.WS' in match[2] else ''}.sp.cta_group::{number}"
    for kind in kinds.get(match[1], ("mxf4nvf4",) if ".4X" in match[2] else ("mxf4", "mxf4nvf4")):
        scale = ".block_scale.scale_vec::4x" if ".4X" in match[2] else ""
        yield f"{form}.kind::{kind}{scale}"


_OTHERS = (
    (
        re.compile(r"(LD|ST)SM\.(16|8|U[46]X16P\d+TO8)\.M(T?)(88|816|168|1616)(?:\.([24]))?"),
        _matrix,
    ),
    (re.compile(r"MOVM\.16\.MT88"), lambda _: iter(["movmatrix.sync.aligned.m8n8.trans.b16"])),
    (
        re.compile(
            r"(LD|ST)TM(?:\.16DP(64BIT|128BIT|256BIT|32BIT(?:_T\d+_T\d+)?))?(?:\.X(\d+))?"
            r"(?:\.(PACK16BIT|EXPAND16BIT))?"
        ),
        _tensor_memory,
    ),
    (re.compile(rf"UTCCP\.T\.S(?:\.({'|'.join(filter(None, _COPIES))}))?"), _copy),
    (re.compile(r"UTCSHIFT\.DOWN"), lambda _: iter(["tcgen05.shift.cta_group::1.down"])),
    (re.compile(r"UTC([HQIO])MMA((?:\.\w+)*)"), _tensor_product),
    (re.compile(r"UTMA(?:LDG|STG|REDG)(?:\.\w+)*"), lambda _: iter(["cp.async.bulk.tensor"])),
)  # fmt: skip
