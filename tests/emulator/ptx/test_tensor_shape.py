"""The instruction descriptor of tcgen05.mma: what it says, and every contradiction a rule.

Oracles: tables 39 (shapes), 42 to 44 (descriptors), 51 and 52 (transposes and negation, N of 8-bit
elements) and 57 (scales) of the PTX ISA 9.0, written down here row by row, and for `strict` the
assertions of NVIDIA/cutlass (cute/arch/mma_sm100_umma.hpp). Words are composed bit by bit here, not
by the model's encoder.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.ptx.lower.abi import MmaForm, MmaKind, MmaShape
from lanemap.emulator.ptx.lower.rules import Rule
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.abi import Format, Result
from lanemap.model.descriptors import instruction

KINDS = ("f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4")
SCALED = KINDS[4:]
FLOATS = {0: "E4M3", 1: "E5M2", 3: "E2M3", 4: "E3M2", 5: "E2M1"}
#: Codes of the types of A and B.
TYPES: dict[str, dict[int, str]] = {
    "f16": {0: "F16", 1: "BF16"}, "tf32": {2: "TF32"}, "f8f6f4": FLOATS, "i8": {0: "U8", 1: "I8"},
    "mxf8f6f4": FLOATS, "mxf4": {1: "E2M1"}, "mxf4nvf4": {1: "E2M1"},
}  # fmt: skip
RESULTS = {
    "f16": {0: "F16", 1: "F32"}, "tf32": {1: "F32"}, "f8f6f4": {0: "F16", 1: "F32"},
    "i8": {2: "I32"},
}  # fmt: skip
DEPTH = {"f16": 16, "tf32": 8, "f8f6f4": 32, "i8": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}
#: Field: lowest bit and width.
PLACES = {
    "selector": (0, 2), "sparse": (2, 1), "saturate": (3, 1), "d": (4, 2), "sfb": (4, 2),
    "a": (7, 3), "b": (10, 3), "negate_a": (13, 1), "negate_b": (14, 1), "a_mn": (15, 1),
    "b_mn": (16, 1), "n": (17, 6), "ue8m0": (23, 1), "m": (24, 5), "sfa": (29, 2),
    "shift": (30, 2), "k96": (31, 1),
}  # fmt: skip


def word(**fields: int) -> int:
    """A descriptor; m and n are M and N."""
    found = 0
    for name, value in fields.items():
        low, bits = PLACES[name]
        value = {"m": value // 16, "n": value // 8}.get(name, value)
        assert 0 <= value < 1 << bits
        found |= value << low
    return found


class Asked:
    """A wave that executes nothing, for which descriptors are decoded."""

    def __init__(self, strict: bool) -> None:
        self.hazards = (abi.HazardRecord * 1)()
        self.launch = abi.Launch(hazards=ctypes.addressof(self.hazards), hazard_capacity=1)
        self.launch.strict = int(strict)
        self.group = abi.Group()
        self.wave = abi.Wave(
            launch=ctypes.addressof(self.launch), group=ctypes.addressof(self.group)
        )
        prototype = ctypes.CFUNCTYPE(
            ctypes.c_int,
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_void_p,
        )
        self.call = prototype(native().address("mma_shape"))

    def __call__(self, form: MmaForm, idesc: int) -> MmaShape | tuple[int, str]:
        """The shape, or the rule that is broken and its sentence."""
        self.launch.hazard_count, self.wave.stop = 0, 0
        shape = MmaShape()
        good = self.call(
            ctypes.addressof(self.wave),
            7,
            5,
            ctypes.addressof(form),
            idesc,
            ctypes.addressof(shape),
        )
        assert good == (self.launch.hazard_count == 0)
        if good:
            return shape
        record = self.hazards[0]
        assert (record.kind, record.instruction, record.lane) == (abi.Hazard.RULE, 7, 5)
        return record.detail, Rule.sentences[record.detail].format(*record.info)


@pytest.fixture(scope="module")
def ask() -> Asked:
    return Asked(strict=False)


@pytest.fixture(scope="module")
def strictly() -> Asked:
    return Asked(strict=True)


def form(kind: str, **more: int) -> MmaForm:
    """The text of an instruction."""
    return MmaForm(kind=MmaKind[kind.upper()], **more)


def plain(kind: str, **more: int) -> int:
    """A legal descriptor of a kind, changed by `more`."""
    fields = {"a": min(TYPES[kind]), "b": min(TYPES[kind]), "m": 128, "n": 64}
    if kind in SCALED:
        fields |= {"ue8m0": 1}
    else:
        fields |= {"d": max(RESULTS[kind])}
    return word(**(fields | more))


def decoded(found: MmaShape | tuple[int, str]) -> MmaShape:
    assert isinstance(found, MmaShape), found
    return found


def broken(found: MmaShape | tuple[int, str]) -> str:
    assert isinstance(found, tuple), "the descriptor is accepted"
    return found[1]


# -- values worked by hand -----------------------------------------------------------------------
def test_a_descriptor_of_cutlass_is_read_field_by_field(ask: Asked) -> None:
    """F16 64 x 64 into F32 with an N-major B: 68222992 is 0x4110010."""
    s = decoded(ask(form("f16"), 68222992))
    assert (s.rows, s.columns, s.depth, s.bits) == (64, 64, 16, 16)
    assert (s.a_format, s.b_format, s.result) == (Format.F16, Format.F16, Result.F32)
    assert (s.a_mn, s.b_mn, s.negate_a, s.negate_b, s.saturate) == (0, 1, 0, 0, 0)
    assert (s.scales, s.max_shift, s.selector, chr(s.layout)) == (0, 0, 0, "F")


def test_a_block_scaled_descriptor_of_cutlass(ask: Asked) -> None:
    """nvfp4 128 x 128: 136316032 is 0x8200480, UE4M3 scales of 16 elements."""
    s = decoded(ask(form("mxf4nvf4", vector=4), 136316032))
    assert (s.rows, s.columns, s.depth, s.bits) == (128, 128, 64, 4)
    assert (s.a_format, s.b_format, s.result) == (Format.E2M1, Format.E2M1, Result.F32)
    assert (s.scale_format, s.scales, s.scale_depth) == (Format.UE4M3, 4, 16)
    assert (s.sfa_id, s.sfb_id, chr(s.layout)) == (0, 0, "D")


def test_ue4m3_scales_with_2x(ask: Asked) -> None:
    assert broken(ask(form("mxf4nvf4", vector=2), 136316032)) == (
        "UE4M3 scales (bit 23 of the instruction descriptor is 0) with scale_vec::2X: nvfp4 wants "
        "4X (.block16)"
    )


def test_ue8m0_scales_of_mxf4nvf4_may_serve_32_or_16_elements(ask: Asked) -> None:
    for vector in (2, 4):
        s = decoded(ask(form("mxf4nvf4", vector=vector), 136316032 | 1 << 23))
        assert (s.scale_format, s.scale_depth) == (Format.E8M0, 64 // vector)


@pytest.mark.parametrize(("kind", "idesc", "more", "sentence"), [
    ("f16", plain("f16", a=2), {}, "has 2 in bits 7-9 (7-9: type of A, 10-12: type of B); kind::f16"
     " has F16 = 0 and BF16 = 1"),
    ("tf32", plain("tf32", b=1), {}, "has 1 in bits 10-12 (7-9: type of A, 10-12: type of B); "
     "kind::tf32 has TF32 = 2"),
    ("f16", plain("f16", d=2), {}, "has 2 as type of D (bits 4-5); kind::f16 has F16 = 0 and F32"),
    ("i8", plain("i8", d=1), {}, "has 1 as type of D (bits 4-5); kind::i8 has S32 = 2"),
    ("f16", plain("f16", d=0, a=1), {}, "BF16 needs F32 = 1"),
    ("f16", plain("f16") | 1 << 23, {}, "sets bits 0x800000, which are reserved for this kind"),
    ("mxf4", plain("mxf4") | 1, {}, "sets bits 0x1, which are reserved for this kind"),
    ("mxf8f6f4", plain("mxf8f6f4", k96=1), {}, "sets bits 0x80000000, which are reserved"),
    ("mxf4", plain("mxf4", k96=1), {}, "asks for K = 96 (bit 31), which only sm_103a has"),
    ("f16", plain("f16", selector=1), {}, "the sparsity selector 1 (bits 0-1), but A is dense"),
    ("f16", plain("f16", sparse=1), {}, "(bit 2), but the instruction has no .sp"),
    ("f16", plain("f16"), {"sparse": 1}, "has .sp, but its descriptor says that A is dense"),
    ("f16", plain("f16", saturate=1), {}, "saturates (bit 3), which only kind::i8 does"),
    ("i8", plain("i8", negate_b=1), {}, "negates A or B (bits 13 and 14), which kind::i8 cannot"),
    ("f16", plain("f16", shift=2), {}, "has 2 as maximum shift (bits 30-31), but only"),
    ("mxf4", plain("mxf4", a_mn=1), {}, "kind::mxf4nvf4 take K-major operands only"),
    ("f16", plain("f16", a_mn=1), {"a_in_tensor_memory": 1}, "A in tensor memory is K-major"),
    ("mxf8f6f4", plain("mxf8f6f4", ue8m0=0), {}, "but kind::mxf8f6f4 takes UE8M0: set bit 23"),
    ("mxf4", plain("mxf4", ue8m0=0), {}, "or use kind::mxf4nvf4 with scale_vec::4X"),
    ("mxf4", plain("mxf4", sfa=1), {}, "ID 1 of A (bits 29-30), but with scale_vec::2X it must be a"
     " multiple of 2"),
    ("mxf4nvf4", plain("mxf4nvf4", sfb=2), {"vector": 4}, "ID 2 of B (bits 4-5), but with "
     "scale_vec::4X it must be a multiple of 4"),
    ("f16", plain("f16", m=256), {}, "has M = 256 (bits 24-28 times 16), but .cta_group::1 has M = "
     "64 or twice that"),
    ("f16", plain("f16", m=64), {"pair": 1}, ".cta_group::2 has M = 128 or twice that"),
    ("mxf4", plain("mxf4", m=64), {}, "this kind with .cta_group::1 has only M = 128"),
    ("f16", plain("f16", n=8), {"pair": 1}, "N = 8 (bits 17-22 times 8), but N must be a multiple "
     "of 16 from 16 to 256"),
    ("f16", plain("f16", n=264), {}, "must be a multiple of 8 from 8 to 256"),
    ("f16", plain("f16", n=32), {"ws": 1}, "but .ws has 64, 128 or 256"),
    ("i8", plain("i8", n=40), {}, "above 32 kind::i8 needs a multiple of 16"),
    ("i8", plain("i8", n=48), {"pair": 1}, "kind::i8 with .cta_group::2 needs a multiple of 32"),
    ("f8f6f4", plain("f8f6f4", n=24, b_mn=1), {}, "an N-major B (bit 16) of 8 bits, which needs a "
     "multiple of 16"),
    ("f16", plain("f16", m=64), {"ashift": 1, "a_in_tensor_memory": 1}, ".ashift needs M = 128"),
])  # fmt: skip
def test_a_contradiction_is_a_sentence_that_names_the_field(
    ask: Asked, kind: str, idesc: int, more: dict[str, int], sentence: str
) -> None:
    assert sentence in broken(ask(form(kind, **more), idesc))


def test_every_rule_of_the_descriptor_is_broken_somewhere(strictly: Asked) -> None:
    """Legal words with one bit flipped, under other texts: so none of the rules is dead."""
    left = {row.number for row in Rule.rows if row.name.startswith("MMA_")}
    forms = [
        form(kind, sparse=sparse, ws=ws, pair=pair, ashift=ashift, a_in_tensor_memory=ashift)
        for kind, sparse, ws, pair, ashift in itertools.product(KINDS, *[(0, 1)] * 4)
        if not (ws and (pair or kind in SCALED))
    ]
    base = [
        plain(kind, m=m, n=n, a=a, b=a)
        for kind in KINDS
        for m in (64, 128)
        for n in (24, 64)
        for a in TYPES[kind]
    ]
    for each, start, bit in itertools.product(forms, base, range(33)):
        found = strictly(each, (start ^ 1 << bit) & 0xFFFFFFFF)
        if isinstance(found, tuple):
            left.discard(found[0])
    assert not left


# -- tables of the ISA ---------------------------------------------------------------------------
EIGHTS, SIXTEENS, THIRTY_TWOS = (set(range(n, 257, n)) for n in (8, 16, 32))
#: Table 39: with .ws, pair, sparse: M, and N.
SHAPES = {
    "f16": {
        (0, 0, 0): ({64, 128}, EIGHTS), (0, 0, 1): ({64, 128}, EIGHTS),
        (0, 1, 0): ({128, 256}, SIXTEENS), (0, 1, 1): ({128, 256}, SIXTEENS),
        (1, 0, 0): ({32, 64, 128}, {64, 128, 256}), (1, 0, 1): ({32, 64, 128}, {64, 128}),
    },
    "i8": {
        (0, 0, 0): ({64, 128}, {8, 24} | SIXTEENS), (0, 0, 1): ({64, 128}, {8, 24} | SIXTEENS),
        (0, 1, 0): ({128, 256}, THIRTY_TWOS), (0, 1, 1): ({128, 256}, THIRTY_TWOS),
        (1, 0, 0): ({32, 64, 128}, {64, 128, 256}), (1, 0, 1): ({32, 64, 128}, {64, 128}),
    },
    "mxf4": {
        (0, 0, 0): ({128}, EIGHTS), (0, 0, 1): ({128}, EIGHTS),
        (0, 1, 0): ({128, 256}, SIXTEENS), (0, 1, 1): ({256}, SIXTEENS),
    },
}  # fmt: skip
SHAPES |= dict.fromkeys(("tf32", "f8f6f4"), SHAPES["f16"])
SHAPES |= dict.fromkeys(("mxf8f6f4", "mxf4nvf4"), SHAPES["mxf4"])
#: Letters of D's layouts by .ws, pair, M; C is that of a sparse pair with M = 128.
LETTERS = {
    (0, 0, 64): "F", (0, 0, 128): "D", (0, 1, 128): "B", (0, 1, 256): "A",
    (1, 0, 32): "G", (1, 0, 64): "E", (1, 0, 128): "D",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_shapes_are_those_of_the_isa(ask: Asked, kind: str) -> None:
    """All M and N that the descriptor can hold, for each kind, .ws, pair and sparsity."""
    vector = 4 if kind == "mxf4nvf4" else 0
    for (ws, pair, sparse), (rows, columns) in SHAPES[kind].items():
        text = form(kind, ws=ws, pair=pair, sparse=sparse, vector=vector)
        for m, n in itertools.product(range(0, 512, 16), range(0, 512, 8)):
            found = ask(text, plain(kind, m=m, n=n, sparse=sparse))
            if m not in rows or n not in columns:
                assert f"= {n if m in rows else m} (bits" in broken(found), (m, n)
                continue
            s = decoded(found)
            assert (s.rows, s.columns, s.depth) == (m, n, DEPTH[kind] * (1 + sparse))
            letter = "C" if (pair, sparse, m) == (1, 1, 128) else LETTERS[ws, pair, m]
            assert chr(s.layout) == letter


def reason(kind: str, text: Mapping[str, int], fields: Mapping[str, int]) -> str:
    """What the tables forbid, not minding M and N, in a word; empty if they allow it."""
    scaled, a, b = kind in SCALED, fields["a"], fields["b"]
    checks = {
        "type": a not in TYPES[kind] or b not in TYPES[kind],
        "sparse": fields["sparse"] != text["sparse"],
        "negate": kind == "i8" and bool(fields["negate_a"] or fields["negate_b"]),
        "transpose": bool(
            ("mxf4" in kind and (fields["a_mn"] or fields["b_mn"]))
            or (text["a_in_tensor_memory"] and fields["a_mn"])
        ),
    }
    if scaled:
        scales = text["vector"] or {"mxf8f6f4": 1, "mxf4": 2}[kind]
        ids = {1: {0, 1, 2, 3}, 2: {0, 2}, 4: {0}}[scales]
        checks |= {
            "reserved": bool(fields["selector"] or fields["saturate"]),
            "k96": bool(fields["k96"]),
            "scale": not fields["ue8m0"] and (kind, scales) != ("mxf4nvf4", 4),
            "id": not {fields["sfa"], fields["sfb"]} <= ids,
        }
    else:
        checks |= {
            "selector": bool(fields["selector"]) and not text["sparse"],
            "saturate": bool(fields["saturate"]) and kind != "i8",
            "shift": bool(fields["shift"]) and not text["ws"],
            "d": fields["d"] not in RESULTS[kind],
            "bf16": kind == "f16" and fields["d"] == 0 and 1 in (a, b),
        }
    return next((name for name, found in checks.items() if found), "")


@st.composite
def instructions(draw: st.DrawFn) -> tuple[str, dict[str, int], dict[str, int]]:
    """A kind, a text that ptxas would take, and fields of which most are legal."""
    kind = draw(st.sampled_from(KINDS))
    ws = draw(st.integers(0, 1)) if kind not in SCALED else 0
    text = {
        "sparse": draw(st.integers(0, 1)), "ws": ws, "pair": 0 if ws else draw(st.integers(0, 1)),
        "a_in_tensor_memory": draw(st.integers(0, 1)),
        "vector": draw(st.sampled_from({"mxf8f6f4": (0, 1), "mxf4": (0, 2),
                                        "mxf4nvf4": (2, 4)}.get(kind, (0,)))),
    }  # fmt: skip
    names = ["selector", "sparse", "saturate", "a", "b", "negate_a", "negate_b", "a_mn", "b_mn"]
    names += ["ue8m0", "sfa", "sfb", "k96"] if kind in SCALED else ["d", "shift"]
    legal = {"a": min(TYPES[kind]), "b": max(TYPES[kind]), "sparse": text["sparse"], "ue8m0": 1,
             "d": max(RESULTS.get(kind, {0: ""}))}  # fmt: skip
    changed = draw(st.sets(st.sampled_from(names), max_size=3))
    fields = {
        name: draw(st.integers(0, (1 << PLACES[name][1]) - 1))
        if name in changed
        else legal.get(name, 0)
        for name in names
    }
    rows, columns = SHAPES[kind][text["ws"], text["pair"], text["sparse"]]
    fields["m"] = draw(st.sampled_from(sorted(rows)))
    fields["n"] = draw(st.sampled_from(sorted(columns & (SIXTEENS if ws else THIRTY_TWOS))))
    return kind, text, fields


@settings(deadline=None, max_examples=400)
@given(instructions())
def test_fields_are_accepted_as_the_tables_say(
    case: tuple[str, dict[str, int], dict[str, int]],
) -> None:
    kind, text, fields = case
    found = Asked(strict=False)(form(kind, **text), word(**fields))
    why = reason(kind, text, fields)
    if why:
        assert isinstance(found, tuple), (why, case)
        return
    s = decoded(found)
    expected: dict[str, Any] = {
        "a_format": Format[TYPES[kind][fields["a"]]], "b_format": Format[TYPES[kind][fields["b"]]],
        "a_mn": fields["a_mn"], "b_mn": fields["b_mn"], "negate_a": fields["negate_a"],
        "negate_b": fields["negate_b"], "selector": fields["selector"],
        "saturate": fields["saturate"], "rows": fields["m"], "columns": fields["n"],
    }  # fmt: skip
    if kind in SCALED:
        expected |= {
            "sfa_id": fields["sfa"],
            "sfb_id": fields["sfb"],
            "result": Result.F32,
            "scale_format": Format.E8M0 if fields["ue8m0"] else Format.UE4M3,
        }
    else:
        expected |= {
            "result": Result[RESULTS[kind][fields["d"]]],
            "scales": 0,
            "max_shift": {0: 0, 1: 8, 2: 16, 3: 32}[fields["shift"]],
        }
    assert {name: getattr(s, name) for name in expected} == expected


@pytest.mark.parametrize("kind", ["f8f6f4", "i8"])
@pytest.mark.parametrize("pair", [0, 1])
def test_n_of_an_n_major_b_of_8_bits(ask: Asked, kind: str, pair: int) -> None:
    """Table 52: steps of 16, of a pair 32; not of elements of 4 and 6 bits, or of a scaled kind."""
    step = 32 if pair else 16
    for n in range(8 * (1 + pair), 257, 8 * (1 + pair)):
        found = ask(form(kind, pair=pair), plain(kind, n=n, b_mn=1))
        assert isinstance(found, MmaShape) == (n % step == 0), n
        narrow = ask(form("f8f6f4", pair=pair), plain("f8f6f4", n=n, b_mn=1, b=5))
        assert isinstance(narrow, MmaShape)
        scaled = ask(form("mxf8f6f4", pair=pair), plain("mxf8f6f4", n=n, b_mn=1))
        assert isinstance(scaled, MmaShape)


# -- what only strict mode holds -----------------------------------------------------------------
@pytest.mark.parametrize(("kind", "more", "fields", "bad", "good"), [
    ("f16", {}, {"m": 128}, 24, 32),
    ("f8f6f4", {"a_in_tensor_memory": 1}, {"m": 128}, 40, 48),
    ("tf32", {"pair": 1, "a_in_tensor_memory": 1}, {"m": 256}, 48, 64),
    ("f8f6f4", {"pair": 1, "sparse": 1}, {"m": 256, "sparse": 1}, 48, 64),
    ("i8", {}, {"m": 64}, 24, 32),
])  # fmt: skip
def test_sources_disagree_over_n(
    ask: Asked,
    strictly: Asked,
    kind: str,
    more: dict[str, int],
    fields: dict[str, int],
    bad: int,
    good: int,
) -> None:
    text = form(kind, **more)
    assert isinstance(ask(text, plain(kind, n=bad, **fields)), MmaShape)
    assert "sources disagree" in broken(strictly(text, plain(kind, n=bad, **fields)))
    assert isinstance(strictly(text, plain(kind, n=good, **fields)), MmaShape)


def test_sources_agree_over_n_of_the_other_kinds(strictly: Asked) -> None:
    """N = 8 of i8, and multiples of 8 of the scaled kinds, are in CUTLASS and the ISA alike."""
    assert isinstance(strictly(form("i8"), plain("i8", n=8)), MmaShape)
    for kind in SCALED:
        text = form(kind, vector=4 if kind == "mxf4nvf4" else 0)
        for n in (8, 24):
            assert isinstance(strictly(text, plain(kind, n=n)), MmaShape)
        pair = form(kind, vector=4 if kind == "mxf4nvf4" else 0, pair=1, a_in_tensor_memory=1)
        assert isinstance(strictly(pair, plain(kind, m=256, n=48)), MmaShape)


def test_sources_disagree_over_transposes_of_4_and_6_bits(ask: Asked, strictly: Asked) -> None:
    for code in (3, 4, 5):
        word_of_b = plain("f8f6f4", b=code, b_mn=1)
        assert isinstance(ask(form("f8f6f4"), word_of_b), MmaShape)
        assert "of 4 or 6 bits" in broken(strictly(form("f8f6f4"), word_of_b))
    assert isinstance(strictly(form("f8f6f4"), plain("f8f6f4", b_mn=1, a_mn=1)), MmaShape)


# -- the command line's decoder --------------------------------------------------------------------
_FORMS = [
    (kind, sparse, ws, pair)
    for kind in KINDS
    for sparse in (0, 1)
    for ws in (0, 1)
    for pair in (0, 1)
    if not (ws and (pair or kind in SCALED))
]


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(_FORMS),
    st.dictionaries(st.sampled_from(sorted(PLACES)), st.integers(0, 7)),
    st.sampled_from((32, 64, 128, 256, 192)),
    st.sampled_from((8, 16, 24, 64, 72, 80, 128, 256)),
)
def test_the_model_and_the_emulator_take_the_same_descriptors(
    ask: Asked, chosen: tuple[str, int, int, int], changed: dict[str, int], m: int, n: int
) -> None:
    """What `lanemap descriptor` calls a contradiction is a hazard, and nothing else is."""
    kind, sparse, ws, pair = chosen
    fields = {name: v & (1 << PLACES[name][1]) - 1 for name, v in changed.items()}
    idesc = plain(kind, sparse=sparse)
    for name, value in {**fields, "m": m // 16, "n": n // 8}.items():
        low, width = PLACES[name]
        idesc = idesc & ~(((1 << width) - 1) << low) | value << low
    vector = {"mxf8f6f4": 1, "mxf4": 2, "mxf4nvf4": 2}.get(kind, 0)
    text = instruction.Form(kind, bool(sparse), bool(ws), bool(pair), vector)
    emulated = ask(form(kind, sparse=sparse, ws=ws, pair=pair), idesc)
    faults = instruction.decode(idesc & 0xFFFFFFFF, text).faults
    assert bool(faults) == isinstance(emulated, tuple), (hex(idesc), faults, emulated)
