"""Names inside a function: registers, variables and labels in nested `{ }` blocks."""

from __future__ import annotations

from lanemap.emulator.ptx.text.module import Prototype
from lanemap.emulator.ptx.text.operands import Label, Operand, Register, Vector
from lanemap.emulator.ptx.text.variables import Variable

_COMPONENTS = (("x", "y", "z", "w"), ("r", "g", "b", "a"))


class Scope:
    """One `{ }` block; a name is looked up here first, then outwards.

    Attributes:
        operands: Operands already parsed here, by text.
        lists: Names before `.branchtargets` or `.calltargets`, with what they list.
        prototypes: Names before `.callprototype`.
    """

    def __init__(self, parent: Scope | None, registers: list[Register]) -> None:
        """Open a block inside `parent`; `registers` collects those of the whole function."""
        self.parent = parent
        self.operands: dict[str, Operand] = {}
        self.lists: dict[str, tuple[str, ...]] = {}
        self.prototypes: dict[str, Prototype] = {}
        self.labels: dict[str, int] = {}
        self._all = registers
        self._names: dict[str, Register | Variable | Vector] = {}
        self._ranges: dict[str, tuple[int, str]] = {}

    def register(self, name: str, kind: str) -> Register:
        """Declare one register.

        Raises:
            KeyError: this block has that name already.
        """
        if name in self._names:
            raise KeyError(name)
        self.operands.clear()
        return self._add(name, kind)

    def _add(self, name: str, kind: str) -> Register:
        register = Register(name, kind, len(self._all))
        self._all.append(register)
        self._names[name] = register
        return register

    def vector_register(self, name: str, kind: str, width: int) -> None:
        """Declare `.reg .v2 name` or `.v4`: registers name.x, name.y, .. and the vector of them."""
        parts = [self.register(f"{name}.{part}", kind) for part in _COMPONENTS[0][:width]]
        for part, register in zip(_COMPONENTS[1], parts, strict=False):
            self._names[f"{name}.{part}"] = register
        self._names[name] = Vector(tuple(parts))

    def register_range(self, prefix: str, count: int, kind: str) -> None:
        """Declare prefix0 to prefix(count - 1); each becomes a register when it is named."""
        if prefix in self._ranges:
            raise KeyError(prefix)
        self.operands.clear()
        self._ranges[prefix] = (count, kind)

    def variable(self, variable: Variable) -> None:
        """Declare a variable.

        Raises:
            KeyError: this block has that name already.
        """
        if variable.name in self._names:
            raise KeyError(variable.name)
        self.operands.clear()
        self._names[variable.name] = variable

    def find(self, name: str) -> Register | Variable | Vector | None:
        """Return what a name means here, or None if no block around declares it."""
        scope: Scope | None = self
        while scope is not None:
            found = scope._names.get(name)
            if found is None:
                found = scope._from_range(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def _from_range(self, name: str) -> Register | None:
        if not name[-1].isdigit():
            return None
        for prefix, (count, kind) in self._ranges.items():
            number = name[len(prefix) :]
            if name.startswith(prefix) and number.isdecimal() and int(number) < count:
                if number[0] == "0" and number != "0":
                    continue
                return self._add(name, kind)
        return None

    def label(self, name: str) -> Label | None:
        """Return a label of this block or one around it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.labels:
                return Label(name, scope.labels[name])
            scope = scope.parent
        return None

    def list_of(self, name: str) -> tuple[str, ...] | None:
        """Return what `.branchtargets` or `.calltargets` gave a name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.lists:
                return scope.lists[name]
            scope = scope.parent
        return None

    def prototype(self, name: str) -> Prototype | None:
        """Return what `.callprototype` gave a name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.prototypes:
                return scope.prototypes[name]
            scope = scope.parent
        return None
