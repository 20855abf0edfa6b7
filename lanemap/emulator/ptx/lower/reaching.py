"""Which functions a kernel can reach, directly or through addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lanemap.emulator.ptx.text.module import Function, Instruction, Module, Prototype
from lanemap.emulator.ptx.text.operands import Address, FunctionName, Operand, Pair, Symbol, Vector
from lanemap.emulator.ptx.text.variables import Variable


def function_of(module: Module, name: str) -> Function | None:
    """Return a function by its name or alias."""
    return module.functions.get(module.aliases.get(name, name))


def addressed(module: Module) -> list[Function]:
    """Return the functions whose address is taken by instructions or initializers."""
    names: dict[str, None] = {}
    for variable in module.variables.values():
        for relocation in variable.relocations:
            names[relocation.symbol] = None
    for function in module.functions.values():
        for instruction in function.body:
            operands = instruction.operands[1:] if instruction.call else instruction.operands
            for operand in operands:
                if isinstance(operand, FunctionName):
                    names[operand.name] = None
    found = (function_of(module, name) for name in names)
    return [function for function in found if function is not None and function.defined]


def named_shared(module: Module, functions: Iterable[Function]) -> list[Variable]:
    """Return the shared variables of a kernel, which reaches these functions.

    Those of the functions all count, those of the module where a function names them: so ptxas
    13.0 counts them.
    """
    named: set[int] = set()
    own: list[Variable] = []
    for function in functions:
        own += [v for v in function.variables if v.space == "shared"]
        for instruction in function.body:
            given = instruction.call.arguments if instruction.call else ()
            for operand in (*instruction.operands, *given):
                named.update(map(id, _variables(operand)))
    everywhere = module.variables.values()
    return [v for v in everywhere if v.space == "shared" and id(v) in named] + own


def _variables(operand: Operand | Variable | None) -> Iterator[Variable]:
    """Yield the variables that an operand names."""
    if isinstance(operand, Variable):
        yield operand
    elif isinstance(operand, Symbol):
        yield operand.variable
    else:
        parts: tuple[Operand | Variable | None, ...] = ()
        if isinstance(operand, Address):
            parts = (operand.base, *operand.indices)
        elif isinstance(operand, Vector):
            parts = operand.elements
        elif isinstance(operand, Pair):
            parts = (operand.first, operand.second)
        for part in parts:
            yield from _variables(part)


def candidates(module: Module, instruction: Instruction) -> list[Function]:
    """Return the functions that an indirect call may go to.

    They are those that `.calltargets` lists, else those whose address is taken and whose
    parameters have the sizes of the prototype.
    """
    call = instruction.call
    assert call is not None
    if call.candidates:
        found = (function_of(module, name) for name in call.candidates)
        return [function for function in found if function is not None and function.defined]
    prototype = call.prototype
    assert prototype is not None
    return [
        f for f in addressed(module) if not f.is_entry and _shape(f.prototype) == _shape(prototype)
    ]


def _shape(prototype: Prototype) -> tuple[list[object], list[object]]:
    return _sizes(prototype.results), _sizes(prototype.parameters)


def _sizes(items: tuple[object, ...]) -> list[object]:
    return [
        item.size if isinstance(item, Variable) else getattr(item, "type", "") for item in items
    ]


def called(module: Module, function: Function) -> Iterator[tuple[Instruction, Function]]:
    """Yield a function's calls, each with every function that it may go to."""
    for instruction in function.body:
        if instruction.call is None:
            continue
        target = instruction.operands[0]
        if isinstance(target, FunctionName):
            callee = function_of(module, target.name)
            if callee is not None and callee.defined:
                yield instruction, callee
        else:
            for callee in candidates(module, instruction):
                yield instruction, callee


def recursive_functions(module: Module, functions: list[Function]) -> dict[str, int]:
    """Return the functions that can call themselves; those that can call each other share a number.

    Tarjan's algorithm (R. Tarjan, Depth-First Search and Linear Graph Algorithms, 1972).
    """
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: dict[str, None] = {}
    loops: set[str] = set()
    found: dict[str, int] = {}

    def enter(function: Function) -> None:
        numbers[function.name] = lowest[function.name] = len(numbers)
        open_[function.name] = None

    def see(caller: Function, callee: Function) -> None:
        if callee is caller:
            loops.add(caller.name)
        if callee.name in open_:
            lowest[caller.name] = min(lowest[caller.name], lowest[callee.name])

    def leave(function: Function) -> None:
        name = function.name
        if lowest[name] != numbers[name]:
            return
        together = [name]
        while (last := open_.popitem()[0]) != name:
            together.append(last)
        if len(together) > 1 or name in loops:
            found.update(dict.fromkeys(together, numbers[name]))

    known: set[str] = set()
    for function in functions:
        if function.name not in known:
            _walk(module, function, known, enter, see, leave)
    return found


def reached_functions(module: Module, entry: Function) -> list[Function]:
    """Return the kernel and all that it may call, callers before callees except in recursion."""
    finished: list[Function] = []
    _walk(module, entry, set(), lambda function: None, lambda caller, callee: None, finished.append)
    return finished[::-1]


def _walk(
    module: Module,
    first: Function,
    known: set[str],
    enter: Callable[[Function], None],
    see: Callable[[Function, Function], None],
    leave: Callable[[Function], None],
) -> None:
    """Go through the calls depth first, apart from functions that are `known` already.

    `see` hears of a call once its callee was left, or is known. Chains of calls may be longer than
    Python's own stack.
    """
    known.add(first.name)
    enter(first)
    stack = [(first, (callee for _, callee in called(module, first)))]
    while stack:
        function, callees = stack[-1]
        callee = next(callees, None)
        if callee is None:
            stack.pop()
            leave(function)
            if stack:
                see(stack[-1][0], function)
        elif callee.name in known:
            see(function, callee)
        else:
            known.add(callee.name)
            enter(callee)
            stack.append((callee, (found for _, found in called(module, callee))))
