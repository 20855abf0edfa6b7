"""Instructions as PTX spells them, with all or with some of their modifiers.

NVIDIA PTX ISA, the syntax of each instruction. ptxas takes modifiers in more than one order, and
the order does not change the map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lanemap.model import mma_sparse, tcgen05_mma, tensor_swizzle, wgmma, wmma
from lanemap.model.mma_sync import shape_of
from lanemap.model.spellings.pasted import Pasted
from lanemap.model.spellings.reading import Reading

TYPES = frozenset("f16 f32 f64 bf16 tf32 s8 u8 s4 u4 b1 s32 e4m3 e5m2 e3m2 e2m3 e2m1".split())
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
# Modifiers that do not change where elements lie.
_NEUTRAL = re.compile(
    r"sync|aligned|satfinite|row|col|xor|and|popc|r[nzmp]|block_scale|sp(::\w+)?|block(16|32)|"
    r"(kind|scale_vec|collector)::[\w:]+|ue8m0|ue4m3|load|store|mma_async|mma|wgmma|wmma|[abcd]|"
    r"(shared|global)(::\w+)?|tile|stride|p\d"
)


def read(pasted: Pasted) -> Iterator[Reading]:
    """Read an instruction of PTX."""
    word = pasted.word.lower()
    if word.startswith("wgmma.mma_async"):
        yield from _wgmma(word)
    elif word.startswith(("mma.", "_mma.")):
        yield from _mma(word.lstrip("_"))
    elif word.startswith("wmma."):
        yield from _wmma(word)
    elif word.startswith("tcgen05.mma"):
        yield from _tcgen05_mma(word)
    elif word.startswith(("tcgen05.ld", "tcgen05.st", "tcgen05.cp", "tcgen05.shift")):
        yield from _tcgen05_copy(word, pasted.rest)
    elif word.startswith(("ldmatrix", "stmatrix", "movmatrix")):
        yield from _matrices(word)
    elif word.startswith(("cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor")):
        for swizzle in tensor_swizzle.SWIZZLES:
            yield Reading.one(tensor_swizzle.swizzle_name(swizzle))


def _parts(word: str) -> tuple[str, list[str], list[str]] | None:
    """The shape, the types and the majors of an instruction; None if it has another modifier."""
    parts = word.split(".")
    shapes = [part for part in parts if _SHAPE.fullmatch(part)]
    types = [part for part in parts if part in TYPES]
    known = (part in TYPES or _SHAPE.fullmatch(part) or _NEUTRAL.fullmatch(part) for part in parts)
    if len(shapes) != 1 or not all(known):
        return None
    return shapes[0], types, [part for part in parts if part in ("row", "col")]


def _mma(word: str) -> Iterator[Reading]:
    found = _parts(word)
    if found is None or len(found[1]) != 4:
        return
    shape, (d, a, b, c), majors = found
    if ".sp" in word:
        yield from _sparse(word, shape, (d, a, b, c))
        return
    if (shape, a) == ("m8n8k4", "f16"):
        if len(majors) == 2:
            names = [f"{majors[0]}.{a}:A", f"{majors[1]}.{b}:B", f"{c}:D", f"{d}:D"]
            yield _of(word, [f"mma.sync.{shape}.{name}" for name in names])
        return
    shapes = shape_of(shape, a), shape_of(shape, b)
    same = shapes[0] is shapes[1] or "kind::" in word
    if shapes[0] and shapes[1] and same and {c, d} <= set(shapes[0].results):
        # C lies as D does: one variant, where they have one type.
        yield _of(
            word, [f"mma.sync.{shape}.{name}" for name in (f"{a}:A", f"{b}:B", f"{c}:D", f"{d}:D")]
        )


def _of(word: str, names: Sequence[str]) -> Reading:
    return Reading(word, tuple(dict.fromkeys(names)))


def _sparse(word: str, shape: str, types: tuple[str, ...]) -> Iterator[Reading]:
    d, a, b, c = types
    stored, other = (mma_sparse.shape_of(shape, kind) for kind in (a, b))
    whole = stored is not None and "s32" in stored.results
    if stored is None or other is None or not {c, d} <= ({"s32"} if whole else {"f16", "f32"}):
        return
    metadata = [f"{a}.selector{number}:E" for number in range(stored.selectors)]
    names = [f"mma.sp.{shape}.{name}" for name in (f"{a}:A", f"{b}:B", *metadata)]
    # D does not depend on K; the largest dense shape that has its type names it.
    depth = {"f16": 32, "f32": 64, "s32": 256}
    yield _of(word, [*names, *(f"mma.sync.m16n8k{depth[kind]}.{kind}:D" for kind in (c, d))])


def _wgmma(word: str) -> Iterator[Reading]:
    found = _parts(word)
    if found is None or len(found[1]) != 3:
        return
    shape, (d, a, _), _ = found
    rows, columns, _ = (int(size) for size in _SHAPE.fullmatch(shape).groups())  # type: ignore[union-attr]
    if rows != 64 or d not in wgmma.RESULTS or a not in wgmma.TYPES:
        return
    depth = wgmma.STEP_BITS // wgmma.TYPES[a]
    names = [f"wgmma.m64k{depth}.{a}:A"]
    if ".sp" in word:
        selectors = (0,) if wgmma.TYPES[a] == 8 else (0, 1)
        names += [f"wgmma.m64k{2 * depth}.{a}.sp{number}:E" for number in selectors]
    yield _of(word, [*names, f"wgmma.m64n{columns}.{d}:D"])


def _wmma(word: str) -> Iterator[Reading]:
    found = _parts(word)
    if found is None:
        return
    shape, types, _ = found
    if load := re.match(r"wmma\.(?:load|store)\.([abcd])\.", word):
        operand = load[1].upper().replace("C", "D")
        names = [f"{types[0]}:{operand}"] if len(types) == 1 else []
    elif len(types) == 4:
        names = [f"{types[1]}:A", f"{types[2]}:B", f"{types[3]}:D", f"{types[0]}:D"]
    else:  # f16 names D and C alone
        names = ["f16:A", "f16:B", f"{types[1]}:D", f"{types[0]}:D"] if len(types) == 2 else []
    names = [f"wmma.{shape}.{name}" for name in names]
    if names and set(names) <= {each.name for each in wmma.variants()}:
        yield _of(word, names)


_TCGEN05_MMA = re.compile(
    r"(?P<form>tcgen05\.mma(?:\.ws)?)(?P<sparse>\.sp)?(?:\.cta_group::(?P<ctas>[12]))?"
    r"(?:\.kind::(?P<kind>\w+))?(?P<more>[\w.:]*)"
)
RESULTS_OF = {"f16": ("f32", "f16"), "f8f6f4": ("f32", "f16"), "i8": ("s32",)}
_VECTORS = {"mxf8f6f4": ("1",), "mxf4": ("2",), "mxf4nvf4": ("2", "4")}


def _tcgen05_mma(word: str) -> Iterator[Reading]:
    """M and N are in the instruction descriptor, so that the name stands for all of them."""
    match = _TCGEN05_MMA.fullmatch(word)
    if match is None or re.search(r"\.m\d", match["more"]):
        return
    ctas = (match["ctas"],) if match["ctas"] else ("1",) if ".ws" in match["form"] else ("1", "2")
    for number in ctas:
        yield from _of_pair(match, f"{match['form']}.cta_group::{number}")


def _of_pair(match: re.Match[str], form: str) -> Iterator[Reading]:
    kind = match["kind"] or ""
    results = RESULTS_OF.get(kind, ("f32",)) if kind else tuple(tcgen05_mma.TYPES)
    sparse = form.replace("mma", "mma.sp", 1)
    vectors = re.findall(r"scale_vec::(\d)x", match["more"]) or _VECTORS.get(kind, ())
    for each in tcgen05_mma.variants():
        own, _, operand = each.name.rpartition(":")
        if operand == "D":
            # A sparse product has layouts of its own and those of a dense one.
            forms = (form, sparse) if match["sparse"] else (form,)
            named = any(re.match(rf"{re.escape(begin)}\.m\d", own) for begin in forms)
            if named and own.rpartition(".")[2] in results:
                yield Reading.one(each.name)
        elif operand == "A":
            same = {"mxf8f6f4": "f8f6f4", "mxf4nvf4": "mxf4"}.get(kind, kind)
            if own.startswith(f"{form}.kind::{same}"):
                yield Reading.one(each.name)
        elif own.startswith(f"{form}.") and any(f"scale_vec::{n}X" in own for n in vectors):
            yield Reading.one(each.name)


_COUNT = re.compile(r"x\d+")
# The address, then imm; a store's registers follow.
_OFFSET = re.compile(r"\]\s*,\s*(0x[0-9a-f]+|\d+)\b", re.I)
_COPY = re.compile(
    r"tcgen05\.(?P<op>ld|st|cp|shift)(?:\.sync)?(?:\.aligned)?(?:\.cta_group::1)?\.(?P<more>[\w.:]+?)"
    r"(?:\.b32)?"
)


def _tcgen05_copy(word: str, operands: str) -> Iterator[Reading]:
    """A copy or shift of one CTA, or a load or store, whose last operand may be imm of 16x32bx2."""
    match = _COPY.fullmatch(word)
    if match:
        parts = match["more"].split(".")
        ordered = sorted(parts, key=lambda part: ("pack::" in part, bool(_COUNT.fullmatch(part))))
        offset = _OFFSET.search(operands) if "16x32bx2" in parts else None
        places = f"+{int(offset[1], 0)}" if offset else ""
        yield Reading.one(f"tcgen05.{match['op']}.{'.'.join(ordered)}{places}")


def _matrices(word: str) -> Iterator[Reading]:
    """A load, store or move with its parts in any order, in any window of shared memory.

    Without a shape it is that of 8 x 8 elements of 16 bits: `ldmatrix.x4`.
    """
    op, *parts = re.sub(r"\.shared(::cta)?", "", word).split(".")
    given = [part for part in parts if part not in ("sync", "aligned")]
    shape = next((part for part in given if re.fullmatch(r"m\d+n\d+", part)), "m8n8")
    count = [part for part in given if re.fullmatch(r"x\d", part)]
    kinds = [part for part in given if re.match(r"b\d", part)]
    if not kinds:
        kinds = ["b16"] if shape == "m8n8" else ["b8"]
    trans = [".trans"] if "trans" in given else [""]
    if op == "movmatrix":
        yield Reading.one("movmatrix.sync.aligned.m8n8.trans.b16")
    elif len(given) == sum(
        (shape in given, len(count), "trans" in given, sum(part.startswith("b") for part in given))
    ):
        kind = ".".join(sorted(kinds, key=len))
        for number in count or ("x1", "x2", "x4"):
            for how in trans if count else ("", ".trans"):
                yield Reading.one(f"{op}.sync.aligned.{shape}.{number}{how}.shared.{kind}")
