"""Structures, enums and functions of compiled C, read from its DWARF debug information.

Used when the runtime is built (build.py); bindings.py writes what is found here as Python. Tags
and attributes are those of the DWARF 5 standard, chapter 5.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

_QUALIFIERS = (
    "DW_TAG_typedef",
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
)
_BOOLEAN, _FLOAT, _SIGNED, _SIGNED_CHAR = 2, 4, 5, 6  # DW_ATE_*


@dataclass(frozen=True)
class Scalar:
    """A number or (`kind` "pointer") an address; `to` names the structure pointed to, if any."""

    kind: str
    bytes: int
    to: str = ""


@dataclass(frozen=True)
class Array:
    """`counts` elements, outermost first."""

    element: Scalar | Reference
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Reference:
    """A structure within another one, by its name."""

    name: str


Type = Scalar | Array | Reference


@dataclass
class Declaration:
    """Position of a declaration in the C."""

    name: str
    path: Path
    line: int


@dataclass
class Structure(Declaration):
    """A structure: (name, byte offset, type) of each field."""

    bytes: int
    fields: list[tuple[str, int, Type]] = field(default_factory=list)


@dataclass
class Enumeration(Declaration):
    """An enum, whose name may be ""."""

    members: dict[str, int] = field(default_factory=dict)


@dataclass
class Function(Declaration):
    """A function that is not static; `returns` is None for void."""

    returns: Type | None
    parameters: list[tuple[str, Type]] = field(default_factory=list)


@dataclass
class Declarations:
    """The declarations of one translation unit, in the order of its files and lines."""

    structures: list[Structure]
    enumerations: list[Enumeration]
    functions: list[Function]


def read(image: bytes) -> Declarations:
    """Read an ELF object with the debug information of one translation unit.

    Raises:
        ValueError: the object has no such information, or a structure has a bit-field or a field
            without a name.
    """
    information = ELFFile(io.BytesIO(image)).get_dwarf_info()
    (unit,) = information.iter_CUs()
    program = information.line_program_for_CU(unit)
    if program is None:
        raise ValueError("the object has no debug information")
    header = program.header
    folders = [Path(name.decode()) for name in header["include_directory"]]
    folders = [folders[0] / folder for folder in folders]  # relative to where it was compiled
    files = [folders[entry["dir_index"]] / entry["name"].decode() for entry in header["file_entry"]]
    reader = _Reader(files)
    for die in unit.get_top_DIE().iter_children():
        reader.note_typedef(die)
    for die in unit.get_top_DIE().iter_children():
        reader.declare(die)
    found = reader.found
    for listed in (found.structures, found.enumerations, found.functions):
        listed.sort(key=lambda item: (item.path, item.line))
    return found


class _Reader:
    """One pass over the entries of a unit."""

    def __init__(self, files: list[Path]) -> None:
        self._files = files
        self._typedefs: dict[int, str] = {}
        self.found = Declarations([], [], [])

    def note_typedef(self, die: Any) -> None:
        """A structure without a tag has the name of its typedef."""
        if die.tag == "DW_TAG_typedef" and "DW_AT_type" in die.attributes:
            target = die.get_DIE_from_attribute("DW_AT_type")
            self._typedefs.setdefault(target.offset, _name(die))

    def declare(self, die: Any) -> None:
        """Note a structure, an enum or a function that is visible to others."""
        attributes = die.attributes
        if "DW_AT_decl_file" not in attributes or "DW_AT_declaration" in attributes:
            return
        path = self._files[attributes["DW_AT_decl_file"].value]
        line = attributes["DW_AT_decl_line"].value
        if die.tag == "DW_TAG_structure_type":
            self.found.structures.append(
                Structure(
                    self._tag(die),
                    path,
                    line,
                    attributes["DW_AT_byte_size"].value,
                    [
                        self._field(child)
                        for child in die.iter_children()
                        if child.tag == "DW_TAG_member"
                    ],
                )
            )
        elif die.tag == "DW_TAG_enumeration_type":
            members = {
                _name(child): child.attributes["DW_AT_const_value"].value
                for child in die.iter_children()
            }
            self.found.enumerations.append(Enumeration(self._tag(die), path, line, members))
        elif die.tag == "DW_TAG_subprogram" and "DW_AT_external" in attributes:
            parameters = [
                (_name(child), self._type_of(child))
                for child in die.iter_children()
                if child.tag == "DW_TAG_formal_parameter"
            ]
            returns = self._type_of(die) if "DW_AT_type" in attributes else None
            self.found.functions.append(Function(_name(die), path, line, returns, parameters))

    def _tag(self, die: Any) -> str:
        return _name(die) or self._typedefs.get(die.offset, "")

    def _field(self, die: Any) -> tuple[str, int, Type]:
        name = _name(die)
        if not name or "DW_AT_bit_size" in die.attributes:
            raise ValueError(
                "a field without a name, or a bit-field, has no counterpart in "
                f"Python: {name or 'unnamed'}"
            )
        return name, die.attributes["DW_AT_data_member_location"].value, self._type_of(die)

    def _type_of(self, die: Any) -> Type:
        die = die.get_DIE_from_attribute("DW_AT_type")
        while die.tag in _QUALIFIERS:
            die = die.get_DIE_from_attribute("DW_AT_type")
        if die.tag == "DW_TAG_base_type":
            size, encoding = (
                die.attributes["DW_AT_byte_size"].value,
                die.attributes["DW_AT_encoding"].value,
            )
            kind = {_FLOAT: "float", _SIGNED: "int", _SIGNED_CHAR: "int"}.get(encoding, "uint")
            return Scalar("bool" if encoding == _BOOLEAN else kind, size)
        if die.tag == "DW_TAG_pointer_type":
            return Scalar("pointer", 8, self._pointee(die))
        if die.tag == "DW_TAG_enumeration_type":
            return Scalar("uint", die.attributes["DW_AT_byte_size"].value)
        if die.tag == "DW_TAG_array_type":
            element = self._type_of(die)
            counts = tuple(child.attributes["DW_AT_count"].value for child in die.iter_children())
            if isinstance(element, Array):
                return Array(element.element, counts + element.counts)
            return Array(element, counts)
        if die.tag == "DW_TAG_structure_type":
            return Reference(self._tag(die))
        raise ValueError(f"{die.tag} has no counterpart in Python")

    def _pointee(self, die: Any) -> str:
        while "DW_AT_type" in die.attributes:
            die = die.get_DIE_from_attribute("DW_AT_type")
            if die.tag == "DW_TAG_structure_type":
                return self._tag(die)
            if die.tag not in _QUALIFIERS:
                break
        return ""


def _name(die: Any) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return attribute.value.decode() if attribute else ""
