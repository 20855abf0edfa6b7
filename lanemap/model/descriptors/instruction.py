"""The instruction descriptor of tcgen05.mma, of every kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lanemap.errors import UserError
from lanemap.model.descriptor_fields import INSTRUCTION, SCALED_INSTRUCTION, Field, unused
from lanemap.model.descriptors.shown import (
    Descriptor,
    Shown,
    number,
    ordered,
    packed,
    set_bits,
    units,
)

_FLOATS = {0: "e4m3", 1: "e5m2", 3: "e2m3", 4: "e3m2", 5: "e2m1"}
#: Types of A and B, and of D, by their codes.
TYPES: dict[str, dict[int, str]] = {
    "f16": {0: "f16", 1: "bf16"}, "tf32": {2: "tf32"}, "f8f6f4": _FLOATS, "i8": {0: "u8", 1: "s8"},
    "mxf8f6f4": _FLOATS, "mxf4": {1: "e2m1"}, "mxf4nvf4": {1: "e2m1"},
}  # fmt: skip
RESULTS = {
    "f16": {0: "f16", 1: "f32"}, "tf32": {1: "f32"}, "f8f6f4": {0: "f16", 1: "f32"},
    "i8": {2: "s32"},
}  # fmt: skip
SCALES = {0: "ue4m3", 1: "ue8m0"}
_STEPS = {"m": 16, "n": 8}
_MMA = re.compile(
    r"(?:tcgen05\.mma(?P<ws>\.ws)?(?P<sparse>\.sp)?(?:\.cta_group::(?P<ctas>[12]))?)?\.?"
    r"(?:kind::)?(?P<kind>f16|tf32|f8f6f4|i8|mxf8f6f4|mxf4nvf4|mxf4)"
    r"(?:\.block_scale)?(?:\.(?:scale_vec::(?P<vector>[124])X|block(?P<block>16|32)))?[\w.:]*",
    re.I,
)


@dataclass(frozen=True)
class Form:
    """What the text of an instruction says that its descriptor must agree with.

    Attributes:
        kind: `.kind` without "kind::".
        sparse: `.sp`.
        ws: `.ws`.
        pair: `.cta_group::2`.
        vector: Scales of a row: N of `.scale_vec::NX`; 0 without scales.
    """

    kind: str
    sparse: bool = False
    ws: bool = False
    pair: bool = False
    vector: int = 0

    @property
    def fields(self) -> dict[str, Field]:
        """The fields of its descriptor."""
        return SCALED_INSTRUCTION if self.kind.startswith("mx") else INSTRUCTION

    @classmethod
    def of(cls, text: str) -> Form:
        """Read an instruction, or a kind alone.

        Raises:
            UserError: It is neither.
        """
        match = _MMA.fullmatch(text.partition(" ")[0])
        if match is None:
            raise UserError(
                f"{text!r} is no kind of tcgen05.mma; write kind::f16, or the instruction, such as "
                "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16"
            )
        kind = match["kind"].lower()
        vector = 0
        if kind.startswith("mx"):
            depth = 32 if kind == "mxf8f6f4" else 64
            own = int(match["vector"] or 0) or (
                depth // int(match["block"]) if match["block"] else 0
            )
            vector = own or (1 if kind == "mxf8f6f4" else 2)
        return cls(kind, bool(match["sparse"]), bool(match["ws"]), match["ctas"] == "2", vector)


def _means(form: Form, name: str, value: int) -> str:
    if name in ("a_type", "b_type"):
        return TYPES[form.kind].get(value, "no type of this kind")
    if name == "d_type":
        return RESULTS[form.kind].get(value, "no type of this kind")
    if name == "scale_type":
        return SCALES[value]
    if name in _STEPS:
        return str(value * _STEPS[name])
    if name == "max_shift":
        return f"{4 << value if value else 0} rows"
    return ""


def decode(word: int, form: Form) -> Descriptor:
    """Show a descriptor, held against its instruction."""
    fields = form.fields
    shown = [Shown.of(n, f, word, _means(form, n, f.of(word))) for n, f in fields.items()]
    values = {name: field.of(word) for name, field in fields.items()}
    return Descriptor(
        f"instruction descriptor of tcgen05.mma, kind::{form.kind}", (f"{word:#010x}",),
        ordered(shown), tuple(_faults(form, word, values)),
    )  # fmt: skip


def _faults(form: Form, word: int, values: Mapping[str, int]) -> Iterator[str]:
    if word >> 32:
        yield "an instruction descriptor has 32 bits"
    stray = word & unused(form.fields, 32)
    if form.kind == "mxf8f6f4":
        stray |= word & 1 << 31
    if stray:
        yield f"kind::{form.kind} has no field at {set_bits(stray)}, which must be 0"
    for name in ("a_type", "b_type"):
        if values[name] not in TYPES[form.kind]:
            types = _named(TYPES[form.kind])
            yield f"{name} {values[name]} is no type of kind::{form.kind}: {types}"
    if bool(values["sparse"]) != form.sparse:
        has = "sparse" if values["sparse"] else "dense"
        text = ".sp" if form.sparse else "no .sp"
        yield f"it says that A is {has}, and the instruction has {text}"
    yield from _sign_faults(form, values)
    yield from (_scaled_faults if form.vector else _plain_faults)(form, values)
    yield from _size_faults(form, 16 * values["m"], 8 * values["n"], values)


def _named(types: Mapping[int, str]) -> str:
    return ", ".join(f"{name} = {code}" for code, name in types.items())


def _sign_faults(form: Form, values: Mapping[str, int]) -> Iterator[str]:
    if form.kind == "i8" and (values["negate_a"] or values["negate_b"]):
        yield "kind::i8 negates neither A nor B"
    if form.kind.startswith("mxf4") and (values["a_mn"] or values["b_mn"]):
        yield f"kind::{form.kind} takes K-major operands alone (bits 15 and 16)"


def _plain_faults(form: Form, values: Mapping[str, int]) -> Iterator[str]:
    results = RESULTS[form.kind]
    if values["d_type"] not in results:
        yield f"d_type {values['d_type']} is no result of kind::{form.kind}: {_named(results)}"
    elif form.kind == "f16" and not values["d_type"] and 1 in (values["a_type"], values["b_type"]):
        yield "D is f16, and A or B is bf16: bf16 needs D in f32"
    if values["selector"] and not form.sparse:
        yield f"selector {values['selector']}, but A is dense"
    if values["saturate"] and form.kind != "i8":
        yield "saturate is of kind::i8 alone"
    if values["max_shift"] and not form.ws:
        yield "max_shift is of tcgen05.mma.ws alone"


def _scaled_faults(form: Form, values: Mapping[str, int]) -> Iterator[str]:
    if values["k96"] and form.kind != "mxf8f6f4":
        yield "k96 (bit 31) is of sm_103a alone"
    if not values["scale_type"] and form.kind != "mxf4nvf4":
        yield f"scales of kind::{form.kind} are ue8m0: set bit 23"
    elif not values["scale_type"] and form.vector != 4:
        yield f"ue4m3 scales with scale_vec::{form.vector}X: they need scale_vec::4X (.block16)"
    for name in ("sfa_id", "sfb_id"):
        if values[name] % form.vector:
            vector = form.vector
            yield f"{name} {values[name]} is no multiple of {vector}, of scale_vec::{vector}X"


def _size_faults(form: Form, m: int, n: int, values: Mapping[str, int]) -> Iterator[str]:
    """PTX ISA 9.0, table 39: the shapes of each kind."""
    legal: tuple[int, ...]
    if form.ws:
        legal = (32, 64, 128)
    elif form.vector:
        legal = (128, 256) if form.pair and not form.sparse else (256,) if form.pair else (128,)
    else:
        legal = (128, 256) if form.pair else (64, 128)
    if m not in legal:
        yield f"M is {m}, and must be {' or '.join(map(str, legal))}"
    if form.ws:
        columns = (64, 128) + (() if form.sparse else (256,))
        if n not in columns:
            yield f"N is {n}, and must be {', '.join(map(str, columns))} with .ws"
        return
    step = 16 if form.pair else 8
    if form.kind == "i8":
        step = 32 if form.pair else 16 if n > 32 else 8
    narrow = TYPES[form.kind].get(values["b_type"], "") in ("e2m3", "e3m2", "e2m1")
    if values["b_mn"] and form.kind in ("f8f6f4", "i8") and not narrow:
        step = max(step, 32 if form.pair else 16)
    if not 0 < n <= 256 or n % step:
        yield f"N is {n}, and must be a multiple of {step} up to 256"


def encode(values: Mapping[str, str], form: Form) -> int:
    """The word of a descriptor; m and n are M and N, types are names.

    Raises:
        UserError: There is no such field, or a value does not fit it.
    """
    types = {name: code for code, name in TYPES[form.kind].items()}
    results = {name: code for code, name in RESULTS.get(form.kind, {}).items()}
    scales = {name: code for code, name in SCALES.items()}
    names = {"a_type": types, "b_type": types, "d_type": results, "scale_type": scales}
    numbers = {"sparse": int(form.sparse)} if form.sparse else {}
    for name, text in values.items():
        value = number(name, text, names.get(name))
        numbers[name] = units(name, value, _STEPS[name]) if name in _STEPS else value
    return packed(form.fields, numbers)
