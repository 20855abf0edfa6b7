"""Metadata of AMD code objects: target, kernels, their arguments, the embedded source.

An AMD code object is an ELF file; its metadata is a MessagePack map in the note NT_AMDGPU_METADATA
(LLVM, "User Guide for AMDGPU Backend", Code Object Metadata, V3 and later).
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgpack
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from elftools.elf.segments import NoteSegment

from lanemap.errors import UserError
from lanemap.toolchain.amdgpu import SOURCE_SECTION

# pyelftools knows the note's number by no name, or by one of another vendor's.
NT_AMDGPU_METADATA: Any = 32


@dataclass(frozen=True)
class KernelArgument:
    """One explicit argument of a kernel; offset and size in bytes of the kernel arguments."""

    name: str
    offset: int
    size: int
    kind: str


@dataclass(frozen=True)
class KernelInfo:
    """The metadata of one kernel; hidden arguments are left to the runtime."""

    name: str
    arguments: tuple[KernelArgument, ...]
    kernarg_bytes: int
    shared_bytes: int
    max_threads: int


@dataclass(frozen=True)
class CodeObject:
    """A parsed code object.

    `source` is the assembly that it carries, if it is one of ours; `variables` are the symbols of
    its data.
    """

    target: str
    kernels: tuple[KernelInfo, ...]
    source: str | None
    variables: tuple[str, ...] = ()


def read_code_object(data: bytes, name: str = "the code object") -> CodeObject:
    """Parse a code object.

    Raises:
        UserError: it is truncated, no ELF object of an AMD GPU, or carries no metadata.
    """
    try:
        elf = ELFFile(io.BytesIO(data))
        if elf["e_machine"] != "EM_AMDGPU":
            raise UserError(f"{name} is an ELF object for {elf['e_machine']}, not for an AMD GPU")
        metadata = _metadata(elf, name)
        section = elf.get_section_by_name(SOURCE_SECTION)
        source = section.data().decode() if section is not None else None
        variables = _variables(elf)
    except (ELFError, ValueError, EOFError) as error:
        raise UserError(f"{name} is not a complete ELF object: {error}") from error
    kernels = tuple(_kernel(entry) for entry in metadata["amdhsa.kernels"])
    target = str(metadata.get("amdhsa.target", "")).rpartition("--")[2].partition(":")[0]
    return CodeObject(target, kernels, source, variables)


def _variables(elf: ELFFile) -> tuple[str, ...]:
    """Return the objects that the runtime can find; kernel descriptors end in `.kd`."""
    table = elf.get_section_by_name(".dynsym")
    if not isinstance(table, SymbolTableSection):
        return ()
    return tuple(
        each.name
        for each in table.iter_symbols()
        if each["st_info"]["type"] == "STT_OBJECT" and not each.name.endswith(".kd")
    )


def _metadata(elf: ELFFile, name: str) -> Mapping[str, Any]:
    for segment in elf.iter_segments("PT_NOTE"):
        assert isinstance(segment, NoteSegment)
        for note in segment.iter_notes():
            if note["n_name"] == "AMDGPU" and note["n_type"] == NT_AMDGPU_METADATA:
                metadata: Mapping[str, Any] = msgpack.unpackb(note["n_descdata"])
                return metadata
    raise UserError(f"{name} carries no AMDGPU metadata, so its kernels are unknown")


def _kernel(entry: Mapping[str, Any]) -> KernelInfo:
    arguments = tuple(
        KernelArgument(
            argument.get(".name", f"#{position}"),
            argument[".offset"],
            argument[".size"],
            argument[".value_kind"],
        )
        for position, argument in enumerate(entry.get(".args", ()))
        if not argument[".value_kind"].startswith("hidden_")
    )
    return KernelInfo(
        name=entry[".name"],
        arguments=arguments,
        kernarg_bytes=entry[".kernarg_segment_size"],
        shared_bytes=entry[".group_segment_fixed_size"],
        max_threads=entry[".max_flat_workgroup_size"],
    )
