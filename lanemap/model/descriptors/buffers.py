"""The four words of a buffer resource of gfx9 (gfx90a, gfx942, gfx950)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lanemap.errors import UserError
from lanemap.model.descriptor_fields import Field
from lanemap.model.descriptors.shown import Descriptor, Shown, number, ordered, packed

_SOURCE = "AMD CDNA 3 ISA, 9.1.5, Buffer Resource Descriptor"
FIELDS = {
    "base": Field(0, 48, "base address", _SOURCE),
    "stride": Field(48, 14, "bytes of a record", _SOURCE),
    "cache_swizzle": Field(62, 1, "the cache swizzles", _SOURCE),
    "swizzle": Field(63, 1, "addresses are swizzled", _SOURCE),
    "records": Field(64, 32, "records; bytes, where stride is 0 or no index is used", _SOURCE),
    **{f"dst_sel_{x}": Field(96 + 3 * i, 3, f"what {x} receives", _SOURCE)
       for i, x in enumerate("xyzw")},
    "num_format": Field(108, 3, "kind of number, of typed accesses", _SOURCE),
    "data_format": Field(111, 4, "widths of the parts, of typed accesses", _SOURCE),
    "user_vm_enable": Field(115, 1, "resource is mapped by user VM", _SOURCE),
    "user_vm_mode": Field(116, 1, "what unmapped accesses do", _SOURCE),
    "index_stride": Field(117, 2, "records between lanes' elements when swizzled", _SOURCE),
    "add_tid": Field(119, 1, "the lane's number is added to the index", _SOURCE),
    "nv": Field(123, 1, "non-volatile", _SOURCE),
    "type": Field(126, 2, "0: a buffer", _SOURCE),
}  # fmt: skip
_RESERVED = (120, 121, 122, 124, 125)
_SELECTS = ("0", "1", "reserved", "reserved", "x", "y", "z", "w")
_NUMBERS = ("unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "reserved", "float")
_DATA = (
    "invalid", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10",
    "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "reserved",
)  # fmt: skip


def _means(name: str, value: int) -> str:
    if name.startswith("dst_sel"):
        return _SELECTS[value]
    names = {"num_format": _NUMBERS, "data_format": _DATA}.get(name)
    if names:
        return names[value]
    if name == "index_stride":
        return f"{8 << value} records"
    return f"{value:#x}" if name == "base" else ""


def decode(words: Sequence[int]) -> Descriptor:
    """Show a resource.

    Raises:
        UserError: It has not four words of 32 bits.
    """
    if len(words) != 4 or any(each >> 32 for each in words):
        raise UserError("a buffer resource has four words of 32 bits")
    word = sum(each << 32 * i for i, each in enumerate(words))
    shown = [
        Shown.of(name, field, word, _means(name, field.of(word))) for name, field in FIELDS.items()
    ]
    values = {name: field.of(word) for name, field in FIELDS.items()}
    return Descriptor(
        "buffer resource", tuple(f"{each:#010x}" for each in words), ordered(shown),
        tuple(_faults(word, values)), tuple(_notes(values)),
    )  # fmt: skip


def _faults(word: int, values: Mapping[str, int]) -> Iterator[str]:
    if values["type"]:
        yield f"type is {values['type']}, and a buffer's is 0"
    stray = [bit for bit in _RESERVED if word >> bit & 1]
    if stray:
        yield f"bits {', '.join(str(bit - 96) for bit in stray)} of the last word are reserved"
    if values["swizzle"] and not values["stride"]:
        yield "a swizzled buffer needs a stride"
    if not values["data_format"] and not values["add_tid"]:
        yield "data_format 0 is invalid: the hardware takes the resource for none"


def _notes(values: Mapping[str, int]) -> Iterator[str]:
    records, stride = values["records"], values["stride"]
    if stride:
        yield f"{records} records of {stride} bytes with an index, else {records} bytes"
    else:
        yield f"{records} bytes are inside"
    if values["swizzle"]:
        yield "lanemap's emulator executes swizzled buffers of scratch alone"


def encode(values: Mapping[str, str]) -> tuple[int, ...]:
    """The four words of a resource.

    Raises:
        UserError: There is no such field, or a value does not fit it.
    """
    names: dict[str, dict[str, int]] = {
        "num_format": {name: code for code, name in enumerate(_NUMBERS)},
        "data_format": {name: code for code, name in enumerate(_DATA) if not name.isdecimal()},
        **{f"dst_sel_{x}": {n: c for c, n in enumerate(_SELECTS) if n.isalpha()} for x in "xyzw"},
    }
    numbers = {name: number(name, text, names.get(name)) for name, text in values.items()}
    word = packed(FIELDS, numbers)
    return tuple(word >> 32 * i & 0xFFFFFFFF for i in range(4))
