"""Mutants of the instruction functions: one change of one node of their syntax tree each.

A mutant is named by its file, the function, the line of its statement, what was changed, and which
such change of the statement it is. Only bodies of functions are mutated: syntax strings, citations,
docstrings and what only words an error stay as they are.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

EMULATOR = Path(__file__).resolve().parents[2] / "lanemap" / "emulator"
FRONT_ENDS = ("ptx", "amdgcn")

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
# Methods of the builder, and words that name LLVM predicates and intrinsics.
_WORDS = {
    "add": "sub", "sub": "add", "mul": "add", "and_": "or_", "or_": "and_", "xor": "or_",
    "shl": "lshr", "lshr": "ashr", "ashr": "lshr", "sext": "zext", "zext": "sext",
    "not_": "fneg", "divide": "mul", "fabs": "fneg",
    "eq": "ne", "ne": "eq", "ult": "ule", "ule": "ult", "ugt": "uge", "uge": "ugt", "slt": "ult",
    "sle": "slt", "sgt": "ugt", "sge": "sgt", "olt": "ole", "ole": "olt", "ogt": "oge",
    "oge": "ogt", "oeq": "une", "une": "oeq", "one": "oeq", "ueq": "oeq", "uno": "ord",
    "ord": "uno", "umin": "umax", "umax": "umin", "smin": "smax", "smax": "smin",
    "minnum": "maxnum", "maxnum": "minnum", "minimum": "maximum", "maximum": "minimum",
    "minimumnum": "maximumnum", "maximumnum": "minimumnum",
    "sadd.sat": "uadd.sat", "uadd.sat": "sadd.sat", "ssub.sat": "usub.sat",
    "usub.sat": "ssub.sat", "ctlz": "cttz", "cttz": "ctlz", "fshl": "fshr", "fshr": "fshl",
    "lo": "hi", "hi": "lo", "trunc": "floor", "floor": "ceil", "ceil": "floor", "rint": "trunc",
    "roundeven": "trunc", "min": "max", "max": "min", "fadd": "fsub", "fsub": "fadd",
    "fmul": "fadd", "fdiv": "fmul",
}  # fmt: skip
_COMMUTATIVE = {
    "add", "mul", "and_", "or_", "xor", "umin", "umax", "smin", "smax", "minnum", "maxnum",
}  # fmt: skip
_ORDERED = {"sub", "shl", "lshr", "ashr", "divide", "shift_clamped", "disjoint", "join"}
# Calls whose arguments only word a refusal.
_WORDING = {"refuse", "error", "OperandError", "UserError"}


@dataclass(frozen=True)
class Mutant:
    """One mutant: a changed copy of a function's definition."""

    file: str
    function: str
    line: int
    change: str
    occurrence: int
    definition: ast.FunctionDef

    @property
    def name(self) -> str:
        """Its name in scores; lines are counted from the function's first."""
        first = self.definition.lineno
        return f"{self.file}:{self.function}+{self.line - first}: {self.change} #{self.occurrence}"


def files(front_end: str) -> list[Path]:
    """The files of the instruction functions of a front end."""
    return sorted((EMULATOR / front_end / "isa").glob("*.py"))


def functions(path: Path) -> list[ast.FunctionDef]:
    """The functions at the top of a file."""
    return [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of the functions of a file."""
    file = str(path.relative_to(EMULATOR))
    for function in functions(path):
        seen: dict[tuple[int, str], int] = {}
        for index, (line, node) in enumerate(_nodes(function)):
            for change, apply in _changes(node):
                changed = copy.deepcopy(function)
                target = list(_nodes(changed))[index][1]
                apply(target)
                number = seen[line, change] = seen.get((line, change), 0) + 1
                yield Mutant(file, function.name, line, change, number, changed)


def sample(front_end: str, count: int, seed: int) -> list[Mutant]:
    """Mutants chosen by a hash of their names: as many of each file as its share, at least two."""
    every = {path: list(mutants(path)) for path in files(front_end)}
    total = sum(map(len, every.values()))
    chosen: list[Mutant] = []
    for found in every.values():
        wanted = max(2, round(count * len(found) / total))
        found.sort(key=lambda each: hashlib.sha256(f"{seed} {each.name}".encode()).digest())
        chosen += found[:wanted]
    return chosen


def _nodes(function: ast.FunctionDef) -> Iterator[tuple[int, ast.AST]]:
    """The nodes of a function's body with the line of their statement, in a fixed order."""
    for statement in function.body:
        if not _is_docstring(statement):
            yield from _below(statement, statement.lineno)


def _below(node: ast.AST, line: int) -> Iterator[tuple[int, ast.AST]]:
    if isinstance(node, ast.stmt):
        line = node.lineno
    if isinstance(node, ast.Raise) or _is_docstring(node) or _words_a_refusal(node):
        return
    yield line, node
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args") and isinstance(
            node, (ast.FunctionDef, ast.AnnAssign, ast.arg, ast.Lambda)
        ):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from _below(child, line)


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _called(node: ast.AST) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _words_a_refusal(node: ast.AST) -> bool:
    return _called(node) in _WORDING


Change = tuple[str, Callable[..., None]]


def _changes(node: ast.AST) -> Iterator[Change]:
    """What can be changed of one node: a name, and what changes the node in place."""
    if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in _OPERATORS:
        yield _operator(node.op)
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _OPERATORS:
        yield _comparison(node.ops[0])
    elif isinstance(node, ast.Constant):
        yield from _constant(node.value)
    elif isinstance(node, ast.Attribute) and node.attr in _WORDS:
        yield f"{node.attr} to {_WORDS[node.attr]}", _set("attr", _WORDS[node.attr])
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield "condition negated", _negate
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "statement dropped", _set("value", ast.Constant(None))
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        yield "statement dropped", _set("targets", [ast.Name("_", ast.Store())])


def _set(field: str, value: object) -> Callable[[ast.AST], None]:
    def apply(node: ast.AST) -> None:
        setattr(node, field, value)

    return apply


def _operator(old: ast.AST) -> Change:
    new = _OPERATORS[type(old)]
    return f"{type(old).__name__} to {new.__name__}", _set("op", new())


def _comparison(old: ast.AST) -> Change:
    new = _OPERATORS[type(old)]

    def apply(node: ast.Compare) -> None:
        node.ops[0] = new()  # type: ignore[call-overload]

    return f"{type(old).__name__} to {new.__name__}", apply


def _constant(value: object) -> Iterator[Change]:
    if isinstance(value, bool):
        yield f"{value} to {not value}", _set("value", not value)
    elif isinstance(value, int):
        yield f"{value} to {value + 1}", _set("value", value + 1)
    elif isinstance(value, str) and value in _WORDS:
        yield f"{value!r} to {_WORDS[value]!r}", _set("value", _WORDS[value])


def _negate(node: ast.If | ast.IfExp) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _call(node: ast.Call) -> Iterator[Change]:
    name, count = _called(node), len(node.args)
    first = node.args[0] if node.args else None
    same = name in ("compare", "intrinsic", "extremum", "float_op") and (
        isinstance(first, ast.Constant) and first.value in {"eq", "ne", *_COMMUTATIVE}
    )
    if name == "is_signed":
        yield "is_signed negated", _negate_call
    elif name == "select" and count == 3:
        yield "select swapped", _swap(1, 2)
    elif name in ("compare", "intrinsic", "extremum", "float_op"):
        if count >= 3 and not same:
            yield "operands swapped", _swap(1, 2)
    elif name in _ORDERED and count >= 2:
        yield "operands swapped", _swap(0, 1)


def _negate_call(node: ast.Call) -> None:
    old = copy.copy(node)
    node.func = ast.Name("bool", ast.Load())
    node.args, node.keywords = [ast.UnaryOp(ast.Not(), old)], []


def _swap(first: int, second: int) -> Callable[[ast.Call], None]:
    def apply(node: ast.Call) -> None:
        node.args[first], node.args[second] = node.args[second], node.args[first]

    return apply
