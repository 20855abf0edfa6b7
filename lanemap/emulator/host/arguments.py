"""The arguments of a launch that addresses come from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lanemap.emulator.codegen.derivation import Derivation
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.host.hazards import Argument
from lanemap.emulator.host.memory import Allocation, GlobalMemory
from lanemap.emulator.host.parameters import Parameter

_POINTER_BYTES = 8


class Arguments:
    """The arguments of a launch from which addresses are computed."""

    def __init__(
        self, program: Program, parameters: Sequence[Parameter], data: bytes, memory: GlobalMemory
    ) -> None:
        """`data` is the parameter space; `parameters` say what lies where in it."""
        self._derivation, self._entry = Derivation(program), program.name
        self._parameters, self._data, self._memory = parameters, data, memory
        self._known: dict[int, Argument | None] = {}

    def of(self, number: int) -> Argument | None:
        """Return the argument that the address of operation `number` is computed from.

        It is None unless exactly one of the arguments in that computation points into an array.
        """
        if number not in self._known:
            self._known[number] = self._find(number)
        return self._known[number]

    def _find(self, number: int) -> Argument | None:
        pointers = {}
        for byte in self._derivation.parameters(number):
            if (array := self._pointed(byte)) is not None:
                pointers[byte] = array
        if len(pointers) != 1:
            return None
        ((byte, array),) = pointers.items()
        for place, parameter in enumerate(self._parameters):
            if parameter.offset <= byte < parameter.offset + parameter.size:
                return Argument(place, self._name(place), array.called, array.size)
        return None

    def _name(self, place: int) -> str:
        """Return what a report calls a parameter; compilers number those of C++ and repeat it."""
        name = self._parameters[place].name.removeprefix(f"{self._entry}_")
        return f"argument {place}" if re.fullmatch(r"param_\d+", name) else name

    def _pointed(self, byte: int) -> Allocation | None:
        """Return the array that the parameters point into at one of their bytes."""
        value = self._data[byte : byte + _POINTER_BYTES]
        if len(value) < _POINTER_BYTES:
            return None
        return self._memory.find(int.from_bytes(value, "little"))
