"""Changing the instruction functions of a running process, in place.

The modules of a front end are executed once more, one of them changed, so that what they do when
imported is changed too: loops that define instructions, and functions that such loops call.
"""

from __future__ import annotations

import ast
import copy
import functools
import sys
import types
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from tools.mutation.sites import EMULATOR, Mutant

HIT, BEGIN = "__mutation_hit__", "__mutation_begin__"


@functools.cache
def modules(front_end: str) -> tuple[types.ModuleType, ...]:
    """The modules of the instruction functions, in order of import."""
    package = f"lanemap.emulator.{front_end}.isa"
    import_module(package)
    names = [name for name in sys.modules if name.startswith(f"{package}.")]
    return tuple(sys.modules[name] for name in names)


def file_of(module: types.ModuleType) -> str:
    """A module's file, relative to the emulator's folder."""
    return str(module.__file__).removeprefix(f"{EMULATOR}/")


@functools.cache
def _tree(file: str) -> ast.Module:
    return ast.parse((EMULATOR / file).read_text())


@functools.cache
def _code(file: str) -> types.CodeType:
    return compile(_tree(file), str(EMULATOR / file), "exec")


@functools.cache
def compile_all(front_end: str) -> None:
    """Compile the modules of a front end here, so that no fork has to."""
    for module in modules(front_end):
        _code(file_of(module))


def _nothing(*given: Any) -> None:
    """Find nothing, and keep nothing."""


def execute(front_end: str, changed: Mapping[str, ast.Module]) -> None:
    """Execute the modules of a front end, with the trees of `changed` in the place of theirs.

    From then on this process takes no lowered text from the object cache, and keeps none there.
    """
    kept: Any = import_module("lanemap.emulator.codegen.kept")
    kept.lookup = kept.keep = _nothing
    table = import_module(f"lanemap.emulator.{front_end}.lower.table")
    table.TABLE.clear()
    for module in modules(front_end):
        file = file_of(module)
        tree = changed.get(file)
        code = _code(file) if tree is None else compile(tree, str(EMULATOR / file), "exec")
        exec(code, vars(module))
    if front_end == "ptx":
        table._longest.cache_clear()


def mutate(mutant: Mutant) -> None:
    """Let this process execute a mutant.

    Raises:
        Exception: The mutant cannot even be imported.
    """
    tree = _tree(mutant.file)
    body = [*tree.body]
    body[mutant.index] = mutant.statement
    changed = ast.fix_missing_locations(ast.Module(body, []))
    execute(mutant.file.partition("/")[0], {mutant.file: changed})


def record_lines(front_end: str, note: Callable[[str], None]) -> None:
    """Call `note` with "file:line" before each statement of the instruction functions.

    Statements that are executed when the modules are imported count for the forms that the
    statement at the top, from which they were executed, puts into the table (for all forms of the
    module if there are none, as of a constant). They are noted when such a form is used.
    """
    files = [file_of(module) for module in modules(front_end)]
    trees = {file: _instrumented(_tree(file)) for file in files}
    table: dict[str, Any] = import_module(f"lanemap.emulator.{front_end}.lower.table").TABLE
    at_import = _Import(table)
    for module, file in zip(modules(front_end), files, strict=True):
        vars(module)[HIT] = functools.partial(_hit, at_import, note, file)
        vars(module)[BEGIN] = functools.partial(at_import.begin, file)
    execute(front_end, trees)
    lines = at_import.lines_of_forms()
    for form, definition in table.items():
        used = functools.partial(_used, definition.function, lines[form], note)
        table[form] = replace(definition, function=used)


class _Import:
    """Which forms depend on which lines that are executed when modules are imported."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self.running = True
        self._table = table
        self._before: set[str] = set()
        self._now = ("", 0)  # file and line of the statement at the top
        self._lines: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        self._forms: defaultdict[tuple[str, int], set[str]] = defaultdict(set)

    def begin(self, file: str, line: int) -> None:
        """A statement at the top begins."""
        self._end()
        self._now = (file, line)
        self.hit(f"{file}:{line}")

    def hit(self, line: str) -> None:
        """A statement is executed."""
        self._lines[self._now].add(line)

    def _end(self) -> None:
        self._forms[self._now] = set(self._table) - self._before
        self._before = set(self._table)

    def lines_of_forms(self) -> dict[str, set[str]]:
        """The lines that each form depends on."""
        self._end()
        self.running = False
        found: dict[str, set[str]] = {form: set() for form in self._table}
        for (file, line), lines in self._lines.items():
            forms = self._forms[file, line] or self._forms_of(file)
            for form in forms:
                found[form] |= lines
        return found

    def _forms_of(self, file: str) -> set[str]:
        return {form for (of, _), forms in self._forms.items() if of == file for form in forms}


def _hit(at_import: _Import, note: Callable[[str], None], file: str, line: int) -> None:
    (at_import.hit if at_import.running else note)(f"{file}:{line}")


def _used(
    function: Callable[..., Any], lines: set[str], note: Callable[[str], None], *arguments: Any
) -> Any:
    for line in lines:
        note(line)
    return function(*arguments)


class _Instrument(ast.NodeTransformer):
    """Puts a call of HIT before each statement."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                calls = [(_call(HIT, s.lineno), s) for s in statements]
                setattr(node, name, [each for pair in calls for each in pair])
        return node


def _call(name: str, line: int) -> ast.Expr:
    call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(line)], [])
    place = ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
    return ast.copy_location(ast.Expr(call), place)


def _instrumented(tree: ast.Module) -> ast.Module:
    """A module that calls BEGIN before each statement at its top, and HIT before those below."""
    body: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.For)):
            body += [_call(BEGIN, statement.lineno), _Instrument().visit(copy.deepcopy(statement))]
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        ):
            body += [_call(BEGIN, statement.lineno), statement]
        else:
            body.append(statement)
    return ast.fix_missing_locations(ast.Module(body, []))
