"""The PTX in what programs load: text, an ELF file that carries it, a fat binary.

The ELF file is one of ours, a stand-in for a cubin: its section `.lanemap.source` has the text, as
in our code objects for AMD's GPUs. All that is read here comes from a program, and may be cut off
or made to mislead.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import PurePath

from lanemap.check.libcuda import device_runtime
from lanemap.check.libcuda.compression import lz4, zstandard
from lanemap.errors import UserError
from lanemap.targets import Target
from lanemap.toolchain.amdgpu import SOURCE_SECTION

_ARCHIVE = b"!<arch>\n"
_ELF, _FATBIN = b"\x7fELF", b"\x50\xed\x55\xba"
#: elf.h: ELFCLASS64, ELFDATA2LSB, EV_CURRENT; ET_EXEC; EM_CUDA.
_IDENT, _EXECUTABLE, _CUDA = b"\x7fELF\x02\x01\x01" + bytes(9), 2, 190
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_PROGBITS, _STRTAB = 1, 3
#: The header of a fat binary, and of each of its entries: kind, bytes of the header, bytes, bytes
#: once compressed, version of CUDA, architecture, flags, bytes once decompressed.
_FAT_HEADER = struct.Struct("<4sHHQ")
_FAT_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
_KIND_PTX, _KIND_MACHINE_CODE = 1, 2
_LZ4, _ZSTD = 0x2000, 0x8000
_MOST_TEXT_BYTES = 1 << 28
_COMPILE = (
    "compile to PTX, such as with `nvcc -gencode arch=compute_{sm},code=compute_{sm}`, or by NVRTC "
    "with --gpu-architecture=compute_{sm}"
)
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)([af]?)", re.MULTILINE)
#: What stands once at the head of a text of PTX.
_HEAD = re.compile(r"^\s*\.(?:version|target|address_size)\b.*$", re.MULTILINE)
_DEFINED = re.compile(
    r"^\s*(?P<linkage>\.visible\s+|\.weak\s+|\.extern\s+|\.common\s+)?"
    r"(?:\.entry|\.func\s*(?:\([^)]*\))?|\.(?:global|const|shared)\b[^;={(]*?)\s*"
    r"(?P<name>[A-Za-z_$%][\w$]*)\s*[\[({;=\n]",
    re.MULTILINE,
)


def _number(target: Target) -> str:
    return target.name.removeprefix("sm_")


def carrying(text: str) -> bytes:
    """Return an ELF file that stands for a cubin and carries the text of PTX in a section.

    The sections' headers come last, so that the file's size is known from its header.
    """
    names = b"\0" + SOURCE_SECTION.encode() + b"\0.shstrtab\0"
    data = text.encode()
    start = _HEADER.size
    table = -(-(start + len(data) + len(names)) // 8) * 8
    found = _TARGET.search(text)
    flags = int(found[1]) if found else 0
    header = _HEADER.pack(
        _IDENT, _EXECUTABLE, _CUDA, 1, 0, 0, table, flags, _HEADER.size, 0, 0, _SECTION.size, 3, 2
    )
    of_text = _SECTION.pack(1, _PROGBITS, 0, 0, start, len(data), 0, 0, 1, 0)
    second = 1 + len(SOURCE_SECTION) + 1
    of_names = _SECTION.pack(second, _STRTAB, 0, 0, start + len(data), len(names), 0, 0, 1, 0)
    body = (header + data + names).ljust(table, b"\0")
    return body + bytes(_SECTION.size) + of_text + of_names


def ptx_in(image: bytes, target: Target) -> str:
    """Return the PTX that an image carries.

    Raises:
        UserError: there is none, or the image is cut off; the sentence says what to do.
    """
    if image.startswith(_ELF):
        text = _carried(image)
        if text is None:
            how = _COMPILE.format(sm=_number(target))
            raise UserError(f"this is a cubin, machine code, and the emulator runs PTX: {how}")
        return text
    if image.startswith(_FATBIN):
        return _of_fatbin(image, target)
    return _decoded(image)


def _decoded(data: bytes) -> str:
    text = data.split(b"\0", 1)[0]
    try:
        found = text.decode()
    except UnicodeDecodeError as error:
        raise UserError(f"the image is neither PTX nor any that is known: {error}") from error
    if ".version" not in found:
        raise UserError("the image is neither PTX nor any that is known: it has no .version")
    return found


def _carried(image: bytes) -> str | None:
    """Return the text in an ELF file; None for an ELF file without one.

    Raises:
        UserError: the file is cut off.
    """
    try:
        _, _, _, _, _, _, table, _, _, _, _, size, count, of_names = _HEADER.unpack_from(image)
        if size != _SECTION.size or of_names >= count:
            raise UserError("the image is an ELF file without sections")
        rows = [_SECTION.unpack_from(image, table + n * size) for n in range(count)]
        names = image[rows[of_names][4] :][: rows[of_names][5]]
        wanted = SOURCE_SECTION.encode() + b"\0"
        for name, _, _, _, start, length, *_ in rows:
            if names.startswith(wanted, name):
                if start + length > len(image):
                    raise UserError("the image is an ELF file that is cut off")
                return _decoded(image[start : start + length])
    except (struct.error, OverflowError) as error:
        raise UserError("the image is an ELF file that is cut off") from error
    return None


# -- fat binaries ----------------------------------------------------------------------------------
def _of_fatbin(image: bytes, target: Target) -> str:
    """Return the newest PTX in a fat binary that the target runs."""
    texts, others = [], 0
    for kind, number, text in _entries(image):
        if kind != _KIND_PTX:
            others += 1
        elif number <= int(re.sub(r"\D", "", _number(target))):
            texts.append((number, text))
    how = _COMPILE.format(sm=_number(target))
    if not texts and others:
        raise UserError(f"the fat binary has machine code alone, and the emulator runs PTX: {how}")
    if not texts:
        raise UserError(f"the fat binary has no PTX that {target.name} runs: {how}")
    return _decoded(max(texts, key=lambda each: each[0])[1]())


def _entries(image: bytes) -> Iterator[tuple[int, int, _Text]]:
    """Yield kind, architecture and text of each entry.

    Raises:
        UserError: the binary is cut off, or contradicts itself.
    """
    cut = UserError("the fat binary is cut off")
    try:
        _, _, head, size = _FAT_HEADER.unpack_from(image)
        at, end = head, head + size
        if end > len(image) or head < _FAT_HEADER.size:
            raise cut
        while at < end:
            fields = _FAT_ENTRY.unpack_from(image, at)
            kind, header, stored, packed, number = (fields[n] for n in (0, 2, 3, 4, 8))
            flags, whole = fields[11], fields[13]
            start = at + header
            if header < _FAT_ENTRY.size or start + stored > end:
                raise cut
            data = image[start : start + stored]
            yield kind, number, _Text(data, packed, whole, flags)
            at = start + stored
    except (struct.error, OverflowError):
        raise cut from None


class _Text:
    """The text of an entry, which is decompressed when it is asked for."""

    def __init__(self, data: bytes, packed: int, whole: int, flags: int) -> None:
        self._data, self._packed, self._whole, self._flags = data, packed, whole, flags

    def __call__(self) -> bytes:
        """Return it.

        Raises:
            UserError: it cannot be decompressed.
        """
        if not self._flags & (_LZ4 | _ZSTD):
            return self._data
        if self._whole > _MOST_TEXT_BYTES:
            raise UserError(f"the fat binary claims {self._whole} bytes of PTX, which is too much")
        data = self._data[: self._packed or len(self._data)]
        unpack = lz4 if self._flags & _LZ4 else zstandard
        return unpack(data, self._whole)


# -- linking ---------------------------------------------------------------------------------------
def linked(inputs: bytes, target: Target) -> bytes:
    """Return the image that cuLink makes of its inputs (linking.c packs them).

    Raises:
        UserError: one is no PTX, or two define one name.
    """
    texts, at = [], 0
    while at < len(inputs):
        size, _kind = struct.unpack_from("<QQ", inputs, at)
        name, _, _ = inputs[at + 16 :].partition(b"\0")
        start = at + 16 + len(name) + 1
        texts.append(_input(name.decode(errors="replace"), inputs[start : start + size], target))
        at = start + size
    return carrying(joined(texts))


def _input(name: str, data: bytes, target: Target) -> str:
    """Return the PTX of one input.

    Raises:
        UserError: it has none.
    """
    if data.startswith(_ARCHIVE):
        if PurePath(name).name.startswith(device_runtime.NAME):
            return device_runtime.TEXT
        raise UserError(f"{name} is an archive of machine code, which cannot be linked to PTX")
    try:
        return ptx_in(data, target)
    except UserError as error:
        raise UserError(f"{name}: {error}") from None


def joined(texts: list[str]) -> str:
    """Return one text of PTX that has what several have.

    Raises:
        UserError: two of them define one name.
    """
    if len(texts) == 1:
        return texts[0]
    owners: dict[str, int] = {}
    for number, text in enumerate(texts):
        for found in _DEFINED.finditer(text):
            if (found["linkage"] or "").strip() == ".extern":
                continue
            if owners.setdefault(found["name"], number) != number:
                raise UserError(
                    f"two inputs of the linker define {found['name']}; rename one, or link one"
                )
    newest = max(texts, key=_version)
    head = "\n".join(each[0].strip() for each in _HEAD.finditer(newest))
    return "\n".join([head, *(_HEAD.sub("", text) for text in texts)])


def _version(text: str) -> tuple[int, int]:
    found = re.search(r"^\s*\.version\s+(\d+)\.(\d+)", text, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else (0, 0)
