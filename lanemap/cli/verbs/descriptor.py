"""`lanemap descriptor`: fields of matrix descriptors, tensor maps and resource words."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from lanemap.model.descriptors import Descriptor

EPILOG = """Examples:

lanemap descriptor tcgen05 0x4000404000010040 --major k --bits 16

lanemap descriptor wgmma 'GMMA::Layout_K_SW128_Atom<half_t>' start=0x400

lanemap descriptor instruction m=128 n=256 d_type=f32 a_type=bf16 b_type=bf16 --of kind::f16

lanemap descriptor tensormap data_type=bfloat16 dims=1024,512 strides=2048 box=64,128 swizzle=128b

lanemap descriptor mfma 'v_mfma_f32_4x4x4_16b_f16 a[0:3], v[0:1], v[2:3], a[0:3] cbsz:2 abid:1'

lanemap descriptor buffer 0x1000 0x00100000 0x40 0x00027000"""


class Kind(str, Enum):
    """What has fields."""

    wgmma = "wgmma"
    tcgen05 = "tcgen05"
    instruction = "instruction"
    tensormap = "tensormap"
    mfma = "mfma"
    buffer = "buffer"


class Major(str, Enum):
    """Which index of an operand is contiguous."""

    k = "k"
    mn = "mn"


def command(
    kind: Kind = typer.Argument(
        ...,
        help="Shared-memory descriptor of wgmma or tcgen05, instruction descriptor of tcgen05.mma, "
        "tensor map, modifiers of MFMA, buffer resource of gfx9.",
    ),
    words: list[str] = typer.Argument(
        ...,
        metavar="WORD..",
        help="Numbers to decode (of a tensor map 256 hexadecimal digits or a file), or NAME=VALUE "
        "to encode, or a layout's name.",
    ),
    of: str = typer.Option(
        "", help="The instruction, or the kind of tcgen05.mma, such as kind::mxf8f6f4."
    ),
    major: Major | None = typer.Option(None, help="Which index of the operand is contiguous."),
    bits: int = typer.Option(0, help="The width of an element in bits."),
    target: str = typer.Option("sm_100a", help="The target of a tensor map that is encoded."),
    as_json: bool = JSON_OPTION,
) -> int:
    """Decode a descriptor into named fields, or encode one; and name what contradicts itself.

    Each field is shown with its bits and the document that says so. A layout's name, such as
    shared.k_major.128b.16bit or GMMA::Layout_K_SW128_Atom<half_t>, or a layout of CuTe (M or N,
    then K) gives its descriptor, and --major with --bits the layout of a descriptor. The exit
    status is 1 if there is a contradiction.
    """
    chosen = major.value if major is not None else ""
    if (chosen == "") != (bits == 0) and re.match(r"[\w=]*$", words[0]):
        raise UserError("--major and --bits go together: they say which operand it is")
    if bits not in (0, 4, 8, 16, 32):
        raise UserError(f"--bits {bits}: an element has 4, 8, 16 or 32 bits")
    if kind in (Kind.wgmma, Kind.tcgen05):
        found = _shared(kind.value, words, chosen, bits)
    elif kind is Kind.instruction:
        found = _instruction(words, of)
    elif kind is Kind.tensormap:
        found = _tensor_map(words, target)
    elif kind is Kind.mfma:
        found = _mfma(words, of)
    else:
        found = _buffer(words)
    if as_json:
        show_json(_as_json(found))
    else:
        _show(found)
    return Disagreement.exit_code if found.faults else 0


def _named(words: list[str]) -> dict[str, str]:
    """The values of NAME=VALUE; {} where the words are something else.

    Raises:
        UserError: Some words are and some are not, or a name is given twice.
    """
    pairs = [word.partition("=") for word in words if re.match(r"[A-Za-z]\w*=", word)]
    if len(pairs) not in (0, len(words)):
        raise UserError("give numbers to decode or NAME=VALUE to encode, not both")
    names = [name for name, _, _ in pairs]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"{twice[0]} is given twice")
    return {name: value for name, _, value in pairs}


def _number(word: str) -> int:
    try:
        value = int(word, 0)
    except ValueError:
        raise UserError(f"{word!r} is not a number; write it as in 0x4000404000010040") from None
    if value < 0:
        raise UserError(f"{word} is negative; write its bits, as in {value & (1 << 64) - 1:#x}")
    return value


def _one(words: list[str]) -> int:
    if len(words) != 1:
        raise UserError(f"one word is decoded at a time, and {len(words)} are given")
    return _number(words[0])


def _shared(kind: str, words: list[str], major: str, bits: int) -> Descriptor:
    from lanemap.model.descriptors import shared

    if re.match(r"\d", words[0]):
        return shared.decode(kind, _one(words), major, bits)
    if "=" in words[0]:
        return shared.decode(kind, shared.encode(kind, _named(words)), major, bits)
    tile = _tile(kind, words[0], bits)
    values = {
        "leading": str(tile.leading_bytes), "stride": str(tile.stride_bytes),
        "swizzle": tile.swizzle, **_named(words[1:]),
    }  # fmt: skip
    word = shared.encode(kind, values)
    return shared.decode(kind, word, tile.major, tile.bits)


def _tile(kind: str, name: str, bits: int) -> Any:
    """The tile of a layout, or the dense one of a layout's name."""
    from lanemap.layout.pasted import is_layout
    from lanemap.model import variant
    from lanemap.model.shared_layout import dense_tile

    if is_layout(name):
        return _pasted(kind, name, bits)
    found = variant(name).name
    match = re.fullmatch(r"shared\.(k|mn)_major\.(\w+)\.(\d+)bit", found)
    if match is None:
        raise UserError(
            f"{found} is no operand in shared memory; "
            "`lanemap list variants 'operand in shared memory'` shows them"
        )
    return dense_tile(match[1], match[2], int(match[3]))


def _pasted(kind: str, text: str, bits: int) -> Any:
    """The tile that a pasted layout of CuTe, (M or N, K) to elements, is."""
    from lanemap.layout.pasted import cute
    from lanemap.model.descriptors import shared

    layout = cute.read(text)
    width = layout.element_bits or bits
    if len(layout.modes) != 2 or not width:
        raise UserError(
            "a layout of an operand has two modes, M or N and K, and elements of a width: write "
            "smem_ptr[16b] into it, or give --bits 16"
        )
    swizzle_only = replace(layout, element_bits=width if layout.swizzle else 0)
    found = [
        tile
        for tile in shared.tiles_of(swizzle_only.values(), width)
        if tile.swizzle in shared.codes(kind)
    ]
    if not found:
        raise UserError(
            f"{text} is no canonical layout of {kind}: no swizzling mode, LBO and SBO place the "
            "first 32 bytes of K so"
        )
    return found[0]


def _instruction(words: list[str], of: str) -> Descriptor:
    from lanemap.model.descriptors import instruction

    if not of:
        raise UserError("name the instruction or its kind, as in --of kind::f16")
    form = instruction.Form.of(of)
    values = _named(words)
    word = instruction.encode(values, form) if values else _one(words)
    return instruction.decode(word, form)


def _tensor_map(words: list[str], target: str) -> Descriptor:
    from lanemap.devices import target_of_gpu
    from lanemap.model.descriptors import tensor_maps

    if values := _named(words):
        return tensor_maps.decode(tensor_maps.encode(values, target_of_gpu(target) or target))
    return tensor_maps.decode(_bytes(words))


def _bytes(words: list[str]) -> bytes:
    """The bytes of a file, of hexadecimal digits, or of 64-bit words."""
    if len(words) == 1 and Path(words[0]).is_file():
        return Path(words[0]).read_bytes()
    if len(words) == 1 and re.fullmatch(r"[0-9a-fA-F]{32,}", words[0]):
        try:
            return bytes.fromhex(words[0])
        except ValueError:
            raise UserError("a byte has two hexadecimal digits") from None
    numbers = [_number(word) for word in words]
    if any(number >> 64 for number in numbers):
        raise UserError("a word of a tensor map has 64 bits; without 0x digits are bytes")
    return b"".join(number.to_bytes(8, "little") for number in numbers)


def _mfma(words: list[str], of: str) -> Descriptor:
    from lanemap.model.descriptors import mfma_modifiers

    text = " ".join(words)
    values = dict(re.findall(r"\b(cbsz|abid|blgp)[:=](\w+)", text))
    stray = [word for word in words if "=" in word and word.partition("=")[0] not in values]
    name = of or re.split(r"[\s,]", text)[0].lower()
    if stray or "=" in name or ":" in name:
        raise UserError(
            f"{(stray or [name])[0]} is not understood; write the instruction as assembly has it, "
            "or cbsz=1 abid=0 --of v_mfma_f32_4x4x4_16b_f16"
        )
    return mfma_modifiers.decode(name, mfma_modifiers.encode(values))


def _buffer(words: list[str]) -> Descriptor:
    from lanemap.model.descriptors import buffers

    values = _named(words)
    return buffers.decode(buffers.encode(values) if values else [_number(word) for word in words])


def _show(found: Descriptor) -> None:
    out = console()
    out.print(f"{found.kind}: {' '.join(found.words)}", markup=False)
    rows = [
        [each.name, each.bits, f"{each.value:#x}", each.means, each.meaning]
        for each in found.fields
    ]
    out.print(table(["field", "bits", "value", "means", "what it is"], rows))
    sources: dict[str, list[str]] = {}
    for each in found.fields:
        sources.setdefault(each.source, []).append(each.name)
    for source, names in sources.items():
        of = "" if len(sources) == 1 else f" of {', '.join(names)}"
        out.print(f"source{of}: {source}", markup=False)
    for note in found.notes:
        out.print(note, markup=False)
    for fault in found.faults:
        out.print(f"contradiction: {fault}", markup=False)


def _as_json(found: Descriptor) -> dict[str, Any]:
    fields = [
        {
            "name": each.name, "bits": each.bits, "value": each.value, "means": each.means,
            "what": each.meaning, "source": each.source,
        }
        for each in found.fields
    ]  # fmt: skip
    return {
        "kind": found.kind,
        "words": list(found.words),
        "fields": fields,
        "contradictions": list(found.faults),
        "notes": list(found.notes),
    }
