"""Access from generated code to the wave's fields and to the runtime's functions."""

from __future__ import annotations

from collections.abc import Mapping

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.element_types import BITS
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.ops import Operand
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import layout
from lanemap.emulator.runtime.signature import Signature


class Runtime:
    """Calls of the runtime, which take the wave first."""

    def __init__(
        self, ir: Emitter, alu: Arithmetic, first: int, functions: Mapping[str, Signature]
    ) -> None:
        """Call any of `functions` from operations that are numbered from `first`."""
        self._ir, self._alu, self._functions = ir, alu, functions
        #: Number of the operation being emitted: most functions want it, for their hazards.
        self.index = first

    def field(self, name: str, kind: str, element: int = 0) -> Value:
        """A field of the runtime's Wave (abi.Wave) as a uniform value."""
        offset = layout.field_offset(name) + element * BITS[kind] // 8
        return Value(self._ir.load(kind, offset), kind, False)

    def set_field(self, name: str, value: Value, element: int = 0) -> None:
        """Store a uniform value to a field of the runtime's Wave."""
        offset = layout.field_offset(name) + element * value.bits // 8
        self._ir.store(value.type, value.operand, offset)

    def call(self, function: str, *arguments: int | Value, **named: int | Value) -> Operand:
        """Call a runtime function with the wave and uniform arguments; gives the result operand.

        Arguments are in the order of the C's parameters after the wave, or have their names.

        Raises:
            ValueError: there is no such function, or it does not take these arguments.
        """
        signature = self._functions.get(function)
        if signature is None or signature.of != "Wave":
            raise ValueError(f"{function} is no function of the runtime that takes a wave")
        kinds = list(signature.parameters.values())[1:]
        operands: list[Operand] = []
        for kind, argument in zip(
            kinds, signature.arguments(function, arguments, named), strict=True
        ):
            if isinstance(argument, Value):
                operands.append(self._alu.resize(argument, kind).operand)
            else:
                operands.append(f"{argument:d}")
        returns = "" if signature.returns == "void" else signature.returns
        return self._ir.call(function, returns, operands, kinds)
