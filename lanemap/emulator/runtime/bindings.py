"""Python modules that mirror the C, from dwarf.Declarations: two for each folder of C files.

abi.py has of its folder (and events_abi.py of events.h alone):
* every structure of a header, as a ctypes.Structure with the same names and offsets;
* every named enum, as an IntEnum. The C's members begin with one word that Python leaves out:
  `SPACE_GLOBAL` of `enum Space` is `Space.GLOBAL`;
* the members of every enum of a header that has no name, as plain numbers.

functions.py has the signature of every function `lm_*` that is not static, see signature.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lanemap.emulator.runtime.dwarf import (
    Array,
    Declaration,
    Declarations,
    Enumeration,
    Function,
    Reference,
    Scalar,
    Structure,
    Type,
)

_WIDTH = 100
_SHORT = {
    "pointer": "ctypes.c_void_p",
    "bool": "ctypes.c_bool",
    **{
        f"{letter}{bits}": f"ctypes.c_{kind}{bits}"
        for letter, kind in (("u", "uint"), ("i", "int"))
        for bits in (8, 16, 32, 64)
    },
    "f32": "ctypes.c_float",
    "f64": "ctypes.c_double",
}


@dataclass(frozen=True)
class Module:
    """A folder of C files, and that of the Python modules that mirror them.

    With `header` it is that header alone, which its folder's own module then leaves out: events.h
    becomes events_abi.py.
    """

    folder: Path
    output: Path
    name: str
    header: str = ""

    @property
    def file(self) -> str:
        """The module of structures and numbers, without suffix."""
        return f"{self.header.removesuffix('.h')}_abi" if self.header else "abi"

    def has(self, item: Declaration, modules: Iterable[Module]) -> bool:
        """Whether this module mirrors a declaration."""
        apart = any(module.header == item.path.name for module in modules)
        return item.path.parent == self.folder and (
            item.path.name == self.header if self.header else not apart
        )

    def dotted(self) -> str:
        """The Python package."""
        parts = self.output.parts
        return ".".join(parts[len(parts) - 1 - parts[::-1].index("lanemap") :])


def texts(found: Declarations, modules: list[Module]) -> dict[Path, str]:
    """The text of each Python module, by its file.

    Raises:
        ValueError: what the C says cannot be said in Python.
    """
    homes = {
        item.name: module
        for module in modules
        for item in found.structures
        if module.has(item, modules)
    }
    result = {}
    for module in modules:
        writer = _Writer(found, module, modules, homes)
        if writer.has_abi:
            result[module.output / f"{module.file}.py"] = writer.abi()
        if not module.header:
            result[module.output / "functions.py"] = writer.functions()
    return result


class _Writer:
    """The text of the modules of one folder."""

    def __init__(
        self,
        found: Declarations,
        module: Module,
        modules: Iterable[Module],
        homes: dict[str, Module],
    ) -> None:
        self._module, self._modules, self._homes = module, modules, homes
        self._all = {item.name: item for item in found.structures}
        self._structures = [s for s in found.structures if self._mine(s) and _public(s)]
        self._enumerations = [e for e in found.enumerations if self._mine(e)]
        self._functions = sorted(
            (f for f in found.functions if self._mine(f) and f.name.startswith("lm_")),
            key=lambda function: function.name,
        )
        self._imported: set[str] = set()
        #: Whether there are structures or numbers.
        self.has_abi = bool(self._structures) or any(
            item.name or _public(item) for item in self._enumerations
        )

    def _mine(self, item: Declaration) -> bool:
        return self._module.has(item, self._modules)

    def _head(self, what: str) -> list[str]:
        return [
            f'"""{self._module.name}\'s {what} in C, for Python.',
            "",
            "Generated from the C by `make runtime`: do not edit.",
            '"""',
            "",
            "from __future__ import annotations",
            "",
        ]

    def abi(self) -> str:
        """Structures and numbers."""
        structures = [self._structure(item) for item in self._in_order()]
        numbers = {
            name: value
            for item in self._enumerations
            if not item.name and _public(item)
            for name, value in item.members.items()
        }
        enumerations = [_enumeration(item) for item in self._enumerations if item.name]
        lines = self._head("structures and numbers")
        lines += [
            *(["import ctypes"] if structures else []),
            *(["from enum import IntEnum"] if enumerations else []),
            "",
        ]
        imported: dict[str, list[str]] = {}
        for name in sorted(self._imported):
            home = self._homes[name]
            imported.setdefault(f"{home.dotted()}.{home.file}", []).append(name)
        for where in sorted(imported):
            lines += [f"from {where} import {', '.join(imported[where])}", ""]
        if structures:
            used = "\n".join(line for block in structures for line in block)
            lines += [f"{short} = {long}" for short, long in _SHORT.items() if f", {short}" in used]
            lines.append("")
        lines += [f"{name} = {value}" for name, value in numbers.items()]
        for block in [*enumerations, *structures]:
            lines += ["", "", *block]
        return "\n".join(lines).rstrip() + "\n"

    def functions(self) -> str:
        """Signatures."""
        lines = self._head("functions")
        lines += [
            "from lanemap.emulator.runtime.signature import Signature",
            "",
            "#: What each returns and takes.",
            "FUNCTIONS = {",
            "    name: Signature.parse(text) for name, text in {",
        ]
        for item in self._functions:
            begin, end = f"{_llvm(item, item.returns)}(", ")"
            parameters = [f"{_llvm(item, kind)} {name}" for name, kind in item.parameters]
            first = f'        "{item.name}": "{begin}{", ".join(parameters)}{end}",'
            if len(first) <= _WIDTH:
                lines.append(first)
                continue
            parts = _packed(parameters, _WIDTH - 16 - len(begin))
            parts[0] = begin + parts[0]
            parts[-1] += end
            lines += [
                f'        "{item.name}": (',
                *(f'            "{part}"' for part in parts),
                "        ),",
            ]
        return "\n".join([*lines, "    }.items()", "}"]) + "\n"

    # -- structures ------------------------------------------------------------------------------
    def _in_order(self) -> list[Structure]:
        """Each structure after those that it contains."""
        ordered: dict[str, Structure] = {}
        for item in self._structures:
            self._add(item, ordered)
        return list(ordered.values())

    def _add(self, item: Structure, ordered: dict[str, Structure]) -> None:
        for _, _, kind in item.fields:
            inner = kind.element if isinstance(kind, Array) else kind
            if isinstance(inner, Scalar):
                continue
            if self._homes[inner.name] is self._module:
                self._add(self._all[inner.name], ordered)
            else:
                self._imported.add(inner.name)
        ordered.setdefault(item.name, item)

    def _structure(self, item: Structure) -> list[str]:
        if not item.name.isidentifier():
            raise ValueError(f"{item.path.name}:{item.line}: give the structure a name")
        fields, end = [], 0
        for name, offset, kind in item.fields:
            size, alignment = self._extent(kind)
            end = -(-end // alignment) * alignment
            if offset > end:
                fields.append(f'("unused_{end}", u8 * {offset - end})')
            fields.append(f'("{name}", {self._kind(kind)})')
            end = offset + size
        _, alignment = self._extent(Reference(item.name))
        if item.bytes > -(-end // alignment) * alignment:
            fields.append(f'("unused_{end}", u8 * {item.bytes - end})')
        lines = [f"        {line.rstrip()}" for line in _packed(fields, _WIDTH - 10)]
        lines = ["    _fields_ = [", *lines, "    ]"]
        short = f"    _fields_ = [{', '.join(fields)}]"
        return [
            f"class {item.name}(ctypes.Structure):",
            f'    """{item.name} of {item.path.name}."""',
            "",
            *([short] if len(short) <= _WIDTH else lines),
        ]

    def _extent(self, kind: Type) -> tuple[int, int]:
        """Size and alignment in bytes, as ctypes gives them."""
        if isinstance(kind, Scalar):
            return kind.bytes, kind.bytes
        if isinstance(kind, Array):
            size, alignment = self._extent(kind.element)
            for count in kind.counts:
                size *= count
            return size, alignment
        item = self._all[kind.name]
        return item.bytes, max((self._extent(inner)[1] for _, _, inner in item.fields), default=1)

    def _kind(self, kind: Type) -> str:
        if isinstance(kind, Reference):
            return kind.name
        if isinstance(kind, Array):
            counts = " * ".join(str(count) for count in reversed(kind.counts))
            return f"{self._kind(kind.element)} * {counts}"
        if kind.kind in ("pointer", "bool"):
            return kind.kind
        letter = {"uint": "u", "int": "i", "float": "f"}[kind.kind]
        return f"{letter}{8 * kind.bytes}"


def _packed(items: Iterable[str], width: int) -> list[str]:
    """The items in lines, separated by ", ", also from a line to the next."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) + 2 > width:
            lines.append("")
        lines[-1] += f"{item}, "
    lines[-1] = lines[-1].removesuffix(", ")
    return lines


#: Headers whose structures only the C uses.
_INTERNAL = frozenset({"atomics.h", "floats.h", "nodes.h", "tables.h"})


def _public(item: Declaration) -> bool:
    return item.path.suffix == ".h" and item.path.name not in _INTERNAL


def _enumeration(item: Enumeration) -> list[str]:
    where = f"{item.path.name}:{item.line}: enum {item.name}"
    words = {name.partition("_")[0] for name in item.members}
    if len(words) > 1:
        raise ValueError(f"{where}: its members begin with different words: {sorted(words)}")
    if len(set(item.members.values())) < len(item.members):
        raise ValueError(
            f"{where}: two members have one value; a count belongs in an enum without a name"
        )
    lines = [f"class {item.name}(IntEnum):", f'    """enum {item.name} of {item.path.name}."""', ""]
    for name, value in item.members.items():
        short = name.partition("_")[2]
        if not short.isidentifier():
            raise ValueError(f"{where}: without its first word {name} is no name in Python")
        lines.append(f"    {short} = {value}")
    return lines


def _llvm(function: Function, kind: Type | None) -> str:
    """LLVM's name of a type, or the structure that a pointer points to."""
    if kind is None:
        return "void"
    if not isinstance(kind, Scalar) or kind.bytes < 4:
        raise ValueError(
            f"{function.path.name}:{function.line}: {function.name} passes something "
            "that is no pointer and no number of 32 or 64 bits"
        )
    if kind.kind == "pointer":
        return kind.to or "ptr"
    if kind.kind == "float":
        return "float" if kind.bytes == 4 else "double"
    return f"i{8 * kind.bytes}"
