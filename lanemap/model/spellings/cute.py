"""Atoms and layouts of CUTLASS's CuTe in C++: SM90_64x128x16_F32BF16BF16_SS, GMMA::Layout_K_SW128.

NVIDIA/cutlass, include/cute/arch: the name of an atom says which PTX it issues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lanemap.model.shared_tiles import SWIZZLES
from lanemap.model.spellings import ptx
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

_KINDS = re.compile(r"BF16|TF32|F16|F32|F64|GC64|C64|S32|S8|U8|S4|U4|U1|E4M3|E5M2|E3M2|E2M3|E2M1")
_OURS = {"u1": "b1", "c64": "f64", "gc64": "f64"}
_MAJORS = {"TN": "row.col", "NT": "col.row", "NN": "col.col", "TT": "row.row"}
#: Bits of an element by its type in C++.
_BITS = (
    (r"half_t|bfloat16_t|__half|nv_bfloat16|16", 16), (r"tfloat32_t|float$|32", 32),
    (r"u?int8_t|float_e[45]m[23]_t|8", 8), (r"float_e2m1\w*|u?int4b?_t|4", 4),
)  # fmt: skip
_NARROW = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read an atom, or a layout of a tile, wherever it is in the text."""
    for pattern, translate in _ATOMS:
        if match := pattern.search(pasted.text):
            found = [each for name in translate(match) for each in ptx.read(Pasted.of(name))]
            yield from _chosen(found, pasted.text[match.end() :], match)
            return
    if match := _LAYOUT.search(pasted.text):
        yield from tiles(match["major"], match["swizzle"], _bits(match["type"] or ""))
    elif match := _LAYOUT_TYPE.search(pasted.text):
        yield from swizzled(match[1])
    elif match := _FRAGMENT.search(pasted.text):
        letter, size = match[1], match[2]
        name = "wgmma.m64n{}.f32:D" if letter == "C" else "wgmma.m64k{}.{}:A"
        kind = {"8": "tf32", "16": "f16", "32": "e4m3", "256": "b1"}.get(size, "")
        if letter == "C" and size != "N" or kind:
            yield Reading.one(name.format(size, kind))


def _product(match: re.Match[str]) -> Iterator[str]:
    """A warp's or a warpgroup's product: the sizes, then the types of D, A, B and C."""
    m, n, k = match["m"], match["n"], match["k"]
    kinds = [_OURS.get(kind.lower(), kind.lower()) for kind in _KINDS.findall(match["types"])]
    sparse = ".sp" if "SPARSE" in match[0] or match["prefix"].startswith("GMMA_") else ""
    if m == "64" and len(kinds) == 3:
        yield f"wgmma.mma_async{sparse}.sync.aligned.m64n{n}k{k}.{'.'.join(kinds)}"
    elif len(kinds) == 4:
        majors = _MAJORS.get(match["majors"] or "TN", "row.col")
        yield f"mma{sparse or '.sync'}.aligned.m{m}n{n}k{k}.{majors}.{'.'.join(kinds)}"


def _narrow_product(match: re.Match[str]) -> Iterator[str]:
    """SM120_16x8x32_TN<a, b, c>, whose types are parameters; each type where they are left out."""
    m, n, k = match["m"], match["n"], match["k"]
    given = [kind for kind in _NARROW for _ in re.findall(rf"\b\w*{kind}\w*\b", match["more"])]
    named = re.findall("|".join(_NARROW), match["more"])[:2] if given else []
    wide = (k == "64" and not match["sparse"]) or k == "128"
    pairs = (
        [tuple(named)] if len(named) == 2 else [(x, x) for x in (("e2m1",) if wide else _NARROW)]
    )
    kind = "mxf4nvf4" if wide else "mxf8f6f4" if "_VS" in match[0] else "f8f6f4"
    op = "mma.sp" if match["sparse"] else "mma.sync"
    results = (
        ("f32", "f16") if kind == "f8f6f4" and not re.search("float>", match["more"]) else ("f32",)
    )
    for a, b in pairs:
        for d in results:
            yield f"{op}.aligned.m{m}n{n}k{k}.row.col.kind::{kind}.{d}.{a}.{b}.{d}"


def _tensor_memory(match: re.Match[str]) -> Iterator[str]:
    op = {"LOAD": "ld", "STORE": "st"}[match[1]]
    shape = "16x32bx2" if (match[2], match[3]) == ("16", "32") else f"{match[2]}x{match[3]}b"
    half = (".pack::16b" if op == "ld" else ".unpack::16b") if match[5] else ""
    yield f"tcgen05.{op}.sync.aligned.{shape}.x{match[4]}{half}.b32"


def _matrix(match: re.Match[str]) -> Iterator[str]:
    width, count, op, trans = match[1], int(match[2]), match[3], match[4] == "T"
    verb = {"LDSM": "ldmatrix", "STSM": "stmatrix"}[op]
    if width == "8":
        shape, each = ("m16n16", 8) if op == "LDSM" else ("m16n8", 4)
        yield f"{verb}.sync.aligned.{shape}.x{count // each}.trans.shared.b8"
    else:
        number, modifier = (count // 2, ".trans") if trans else (count, "")
        yield f"{verb}.sync.aligned.m8n8.x{number}{modifier}.shared.b16"


def _small_matrix(match: re.Match[str]) -> Iterator[str]:
    gap = {"4": "64", "6": "32"}[match[1]]
    yield f"ldmatrix.sync.aligned.m8n16.x{match[2]}.shared.b8x16.b{match[1]}x16_p{gap}"


_COPIES = {
    "128dp256bit": "128x256b", "128dp128bit": "128x128b", "4dp256bit": "4x256b",
    "4x32dp128bit": "32x128b.warpx4", "2x64dp128bitlw0213": "64x128b.warpx2::02_13",
    "2x64dp128bitlw0123": "64x128b.warpx2::01_23",
}  # fmt: skip


def _copy(match: re.Match[str]) -> Iterator[str]:
    if match[1] in _COPIES:
        yield f"tcgen05.cp.cta_group::1.{_COPIES[match[1]]}"


_KIND_OF = {"F16BF16": "f16", "TF32": "tf32", "S8": "i8"}


def _pair_product(match: re.Match[str]) -> Iterator[str]:
    """SM100_MMA_F16BF16_2x1SM_SS: the kind, then how many CTAs, then where A is."""
    kind = match["kind"]
    forms = (
        f"tcgen05.mma{'.ws' if '_WS' in match[0] else ''}{'.sp' if 'SPARSE' in match[0] else ''}"
    )
    number = 2 if "2x1SM" in match[0] else 1
    scale = ".block_scale" if kind.startswith("MX") else ""
    kinds = {"MXF4": ("mxf4", "mxf4nvf4")}.get(kind, (_KIND_OF.get(kind, kind.lower()),))
    for each in kinds:
        yield f"{forms}.cta_group::{number}.kind::{each}{scale}"


def _chosen(found: list[Reading], parameters: str, match: re.Match[str]) -> Iterator[Reading]:
    """Of a tcgen05.mma: not A of an SS atom, and D of the M and N that the text names."""
    sizes = re.search(r"<[^>]*?\b(\d+)\s*,\s*(\d+)\b", parameters)
    for each in found:
        operand = each.name.rpartition(":")[2]
        if operand == "A" and "_SS" in match[0]:
            continue
        if operand == "D" and sizes and ".mma" in each.name and "tcgen05" in each.name:
            shape = re.sub(r"\.m\d+n\d+\.", f".m{sizes[1]}n{sizes[2]}.", each.name)
            each = Reading.one(shape)
        yield each


_ATOMS = (
    (re.compile(r"SM100_TMEM_(LOAD|STORE)_(16|32)dp(\d+)b(\d+)x(_16b)?\b"), _tensor_memory),
    (re.compile(r"SM\d+_U(8|16|32)x(\d+)_(LDSM|STSM)_([NT])\b"), _matrix),
    (re.compile(r"SM100_SU([46])_DU8x16_x(\d)_LDSM_N\b"), _small_matrix),
    (re.compile(r"SM75_U32x1_MOVM_T\b"), lambda _: iter(["movmatrix"])),
    (re.compile(r"SM100_UTCCP_(\w+)_1cta\b"), _copy),
    (
        re.compile(
            r"SM10\d_(?:MMA_)?(?P<kind>F16BF16|TF32|S8|F8F6F4|MXF8F6F4|MXF4NVF4|MXF4)(_ULTRA)?"
            r"(_2x1SM)?(_WS)?_(SS|TS)(_\w+)?"
        ),
        _pair_product,
    ),
    (
        re.compile(
            r"SM120_(?P<sparse>SPARSE_)?(?P<m>16)x(?P<n>8)x(?P<k>\d+)_TN(_VS)?\b(?P<more>.*)"
        ),
        _narrow_product,
    ),
    (
        re.compile(
            r"(?P<prefix>\bMMA_|\bGMMA_|SM\d+_(?:SPARSE_|GMMA_)?)(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)_"
            r"(?P<types>(?:[A-Z]+\d+(?:M\d)?){3,4}?)(?:_(?:SS|RS))?(?:_(?P<majors>[TN][TN]))?"
            r"(?:_\w+)?\b"
        ),
        _product,
    ),
    (
        re.compile(r"SM\d+_TMA_(?:2SM_)?(?:LOAD|STORE|REDUCE_ADD)\w*"),
        lambda _: iter(["cp.async.bulk.tensor"]),
    ),
)  # fmt: skip
_LAYOUT = re.compile(
    r"Layout_(?P<major>K|MN)_(?P<swizzle>INTER|SW32|SW64|SW128_32B|SW128)_Atom(?:_Bits)?"
    r"(?:<(?P<type>[^>]*)>)?"
)
_LAYOUT_TYPE = re.compile(
    r"LayoutType::(INTERLEAVE|SWIZZLE_NONE|(?:B|SWIZZLE_)(?:32|64|128)B?(?:_BASE32B)?)\b"
)
_FRAGMENT = re.compile(r"\b([AC])Layout_64x(\d+|N)\b")


def _bits(kind: str) -> int | None:
    return next((bits for names, bits in _BITS if re.search(rf"(^|::)({names})", kind)), None)


def tiles(major: str, swizzle: str, bits: int | None) -> Iterator[Reading]:
    """The tiles of a layout such as K_SW128, for one width of elements or for all."""
    mode = _mode(swizzle)
    widths = (32,) if "atom" in mode else (4, 8, 16, 32) if major == "K" else (8, 16, 32)
    for width in widths:
        if bits in (None, width):
            yield Reading.one(f"shared.{major.lower()}_major.{mode}.{width}bit")


def _mode(swizzle: str) -> str:
    """Our name of a swizzle: SW128 and SWIZZLE_128B are 128b; INTER and NONE are none."""
    if "BASE32B" in swizzle or swizzle.endswith("_32B") and "128" in swizzle:
        return "128b_atom32b"
    width = re.search(r"32|64|128", swizzle)
    mode = f"{width[0]}b" if width else "none"
    return mode if mode in SWIZZLES else "none"


def swizzled(mode: str) -> Iterator[Reading]:
    """A swizzling mode alone; without one, the tiles that have none."""
    name = _mode(mode)
    if name != "none":
        yield Reading.one(f"shared.swizzle.{name}")
    else:
        for major in ("K", "MN"):
            yield from tiles(major, "INTER", None)
