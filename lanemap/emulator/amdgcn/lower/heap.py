"""malloc and free of kernels, which `new` and `delete` call: functions that the emulator provides.

A text that calls them without defining them is linked with these, which work on objects in global
memory as PTX's do. An argument and a result lie in v[0:1], and s[30:31] is where a function returns
(LLVM, AMDGPUUsage, "Non-Kernel Functions").
"""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.amdgcn.lower.binding import Bound, bind
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import EXEC_PAIR, IMAGE_BASE
from lanemap.emulator.amdgcn.lower.table import SOPP, Definition, parse_roles
from lanemap.emulator.amdgcn.text.module import Instruction, Module
from lanemap.emulator.amdgcn.text.operands import Operand
from lanemap.emulator.codegen.operation import Heap
from lanemap.emulator.host.heap import free_each, make_each
from lanemap.emulator.host.waves import lane_words
from lanemap.emulator.runtime import abi

MALLOC, FREE = "malloc", "free"
_CITE = 'LLVM, AMDGPUUsage, "Non-Kernel Functions"'
_ARGUMENT, _RETURN = Operand("v", 0, 2), Operand("s", 30, 2)
#: Scratch rows: of each lane's argument and result; of the place to return to, and of EXEC.
_ROW, _BACK, _LANES = 0, 2, 4


def _call(c: Context) -> None:
    """Hand the lanes' arguments to the host."""
    b = c.b
    b.rows.store(_ROW, [b.checks.require_defined(c.read(0), "address")])
    b.rows.store(_BACK, [b.alu.sub(c.read(1), b.registers.read(IMAGE_BASE))])
    b.rows.store(_LANES, [b.alu.join(*(b.registers.read(each) for each in EXEC_PAIR))])
    b.flow.host(c.values["next"])


def _receive(c: Context) -> None:
    c.write(0, c.alu.join(*(c.b.rows.load(_ROW + word, defined=True) for word in range(2))))


_CALLS = {
    name: Definition(name, parse_roles("v:i64 s:i64"), SOPP, _CITE, _call, raw=True, kind="host")
    for name in (MALLOC, FREE)
}
_RESULT = Definition("result", parse_roles("=v:i64"), SOPP, _CITE, _receive, raw=True)


def provided(name: str, module: Module) -> tuple[Bound, ...]:
    """Return the instructions of a function that the emulator provides; () if it has none."""
    if name not in _CALLS:
        return ()

    def plain(mnemonic: str, *operands: Operand) -> Bound:
        text = f"{mnemonic} {', '.join(map(str, operands))}"
        instruction = Instruction(mnemonic, "", operands, {}, 0, text)
        return bind(instruction, module.place(0), module.target)

    def own(definition: Definition, *operands: Operand) -> Bound:
        instruction = Instruction(definition.name, "", operands, {}, 0, name)
        return Bound(definition, instruction, definition.roles, operands, "", SOPP.size)

    return (
        plain("s_waitcnt", Operand("integer", value=0, name="0")),
        own(_CALLS[name], _ARGUMENT, _RETURN),
        *([own(_RESULT, _ARGUMENT)] if name == MALLOC else []),
        plain("s_setpc_b64", _RETURN),
    )


def allocates(definition: Definition) -> bool:
    """Whether an operation makes objects."""
    return definition is _CALLS[MALLOC]


def host(
    definition: Definition, file: str, before: Callable[[int], Instruction]
) -> Callable[[abi.Wave, Heap], None] | None:
    """Return what the host does for an operation; None for one that executes without it.

    `before` is the instruction before an offset in the image of `file`: a call returns behind it.
    """
    if definition.kind != "host":
        return None

    def run(wave: abi.Wave, heap: Heap) -> None:
        ((_, back),) = lane_words(wave, 1, _BACK)
        ((_, lanes),) = lane_words(wave, 1, _LANES)
        call = before(back)
        places = () if call.source is None else (call.source,)
        name = "{}:{}".format(*(places or ((file, call.line),))[0])
        if definition is _CALLS[MALLOC]:
            make_each(heap, wave, lanes, _ROW, name)
        else:
            free_each(heap, wave, lanes, _ROW, name, (file, call.line), places, "wave")

    return run
