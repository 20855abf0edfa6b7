"""Changing the instruction functions of a running process, in place."""

from __future__ import annotations

import ast
import copy
import inspect
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

from tests.mutation.sites import EMULATOR, FRONT_ENDS, Mutant, files, functions

HIT = "__mutation_hit__"


def module_of(file: str) -> types.ModuleType:
    """The module of a file below lanemap/emulator."""
    return import_module("lanemap.emulator." + file.removesuffix(".py").replace("/", "."))


def replace(file: str, definition: ast.FunctionDef) -> types.CodeType:
    """Give a function another body, wherever references to it are held; return its old code."""
    module = module_of(file)
    bare = copy.deepcopy(definition)
    bare.decorator_list = []
    tree = ast.fix_missing_locations(ast.Module([bare], []))
    space = dict(vars(module))
    exec(compile(tree, str(EMULATOR / file), "exec"), space)
    holder = getattr(module, definition.name)
    function = inspect.unwrap(holder)
    old = function.__code__
    function.__code__ = space[definition.name].__code__
    if hasattr(holder, "cache_clear"):
        holder.cache_clear()
    return old


def mutate(mutant: Mutant) -> None:
    """Let this process execute a mutant."""
    replace(mutant.file, mutant.definition)


@contextmanager
def recording_lines(note: Callable[[str, int], None]) -> Iterator[None]:
    """Call `note` with file and line before each statement of the instruction functions."""
    before = []
    for path in (path for front_end in FRONT_ENDS for path in files(front_end)):
        file = str(path.relative_to(EMULATOR))
        vars(module_of(file))[HIT] = lambda line, file=file: note(file, line)
        for function in functions(path):
            before.append((file, function.name, replace(file, _instrumented(function))))
    try:
        yield
    finally:
        for file, name, code in before:
            inspect.unwrap(getattr(module_of(file), name)).__code__ = code


class _Instrument(ast.NodeTransformer):
    """Puts a call of HIT before each statement."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, [each for s in statements for each in (_hit(s.lineno), s)])
        return node


def _hit(line: int) -> ast.Expr:
    call = ast.Call(ast.Name(HIT, ast.Load()), [ast.Constant(line)], [])
    return ast.copy_location(ast.Expr(call), ast.Pass(lineno=line, col_offset=0))


def _instrumented(function: ast.FunctionDef) -> ast.FunctionDef:
    changed = _Instrument().visit(copy.deepcopy(function))
    assert isinstance(changed, ast.FunctionDef)
    return changed
