"""Mutants of the instruction functions: one change of one node of their syntax tree each.

A mutant is named by its file, the function, the line of its statement, what was changed, and which
such change of the statement it is. What is mutated: bodies of functions, those that a loop at the
top of a module defines with their defaults, and arguments of calls at the top that define
instructions. Syntax strings, citations, docstrings and what refuses stay as they are.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
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
# Operands are not swapped where the order makes no difference by definition, because such a mutant
# is the original: a predicate that is symmetric, sums and products, also of floats (IEEE 754 leaves
# open which of two NaNs comes out, and so do both ISAs), and the greater and the smaller of two.
_SYMMETRIC = {
    "eq", "ne", "oeq", "one", "ueq", "une", "ord", "uno", "fadd", "fmul", "add", "mul", "umin",
    "umax", "smin", "smax", "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum",
    "sadd.sat", "uadd.sat",
}  # fmt: skip
# What depends on the order of its first two arguments. Bits that are put side by side (`disjoint`)
# are the same in either order.
_ORDERED = {"sub", "shl", "lshr", "ashr", "join"}
# What takes the operation first, then operands. `extremum` takes minima and maxima alone.
_BY_NAME = {"compare", "intrinsic", "float_op", "divide", "shift_clamped"}
# Calls that refuse, or do nothing: what they take decides on no legal program.
_REFUSING = {"refuse", "error", "OperandError", "UserError", "require", "use_cta_group"}


@dataclass(frozen=True)
class Mutant:
    """One mutant.

    Attributes:
        file: Its module, relative to the emulator's folder.
        function: The function that is changed.
        line: Line of the changed statement in the file.
        step: Which statement of its top-level statement is changed, from 0.
        change: What was changed.
        occurrence: Which such change of the statement, from 1.
        index: Position in the module's body of the statement that holds it.
        original: The statement before the change.
        node: Which of its nodes is changed.
        way: Which of the node's changes it is.
    """

    file: str
    function: str
    line: int
    step: int
    change: str
    occurrence: int
    index: int
    original: ast.stmt
    node: int
    way: int

    @property
    def statement(self) -> ast.stmt:
        """The statement, changed. A copy takes long, and of most mutants only the name is asked."""
        changed = copy.deepcopy(self.original)
        node = list(_nodes(changed))[self.node][1]
        list(_changes(node))[self.way][1](node)
        return changed

    @property
    def name(self) -> str:
        """Its name in scores, which does not depend on how the file is laid out."""
        return f"{self.file}:{self.function}+{self.step}: {self.change} #{self.occurrence}"


def files(front_end: str) -> list[Path]:
    """The files of the instruction functions of a front end."""
    return sorted((EMULATOR / front_end / "isa").glob("*.py"))


def relative(path: Path) -> str:
    """A file's name in scores."""
    return str(path.relative_to(EMULATOR))


def defining(path: Path) -> list[tuple[int, ast.stmt]]:
    """The statements at the top of a file that define semantics, each with its position."""
    body = ast.parse(path.read_text()).body
    return [(index, node) for index, node in enumerate(body) if _defines(node)]


def _defines(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, (ast.FunctionDef, ast.For))


def _title(node: ast.AST) -> str:
    """The function that a statement defines, or calls at the top of its module."""
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef):
            return each.name
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Expr)]
    return _called(calls[0].value) if calls else "loop"


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    seen: Counter[tuple[str, int, str]] = Counter()
    for position, statement in defining(path):
        function = _title(statement)
        steps: dict[ast.stmt, int] = {}
        for index, (holder, node) in enumerate(_nodes(statement)):
            step = steps.setdefault(holder, len(steps))
            for way, (change, _) in enumerate(_changes(node)):
                key = (function, step, change)
                seen[key] += 1
                yield Mutant(
                    relative(path),
                    function,
                    holder.lineno,
                    step,
                    change,
                    seen[key],
                    position,
                    statement,
                    index,
                    way,
                )


def sample(front_end: str, one_in: int, seed: int) -> list[Mutant]:
    """One mutant of `one_in` of each file, at least two, chosen by a hash of their names.

    The choice in a file does not depend on other files. The files take turns, so that what a
    run that stops has judged is spread over them too.
    """
    parts = [sample_of(path, one_in, seed) for path in files(front_end)]
    return [each for turn in zip_longest(*parts) for each in turn if each is not None]


def sample_of(path: Path, one_in: int, seed: int) -> list[Mutant]:
    """The part of a sample that one file has."""
    found = ordered(path, seed)
    return found[: max(2, round(len(found) / one_in))]


def ordered(path: Path, seed: int) -> list[Mutant]:
    """All mutants of a file, in the order in which samples take them."""
    found = list(mutants(path))
    found.sort(key=lambda each: hashlib.sha256(f"{seed} {each.name}".encode()).digest())
    return found


def _nodes(statement: ast.stmt) -> Iterator[tuple[ast.stmt, ast.AST]]:
    """The changeable nodes of a top-level statement, with their own statement, in order."""
    if isinstance(statement, ast.FunctionDef):
        for default in (*statement.args.defaults, *statement.args.kw_defaults):
            if default is not None:
                yield from _below(default, statement)
        for each in statement.body:
            yield from _below(each, each)
    elif isinstance(statement, ast.For):
        for each in statement.body:
            yield from _nodes(each)
    elif isinstance(statement, ast.Expr):
        yield from _below(statement.value, statement)


def _below(node: ast.AST, holder: ast.stmt) -> Iterator[tuple[ast.stmt, ast.AST]]:
    if isinstance(node, ast.stmt):
        holder = node
    if isinstance(node, ast.Raise) or is_docstring(node) or _refuses(node):
        return
    yield holder, node
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args") and isinstance(
            node, (ast.FunctionDef, ast.AnnAssign, ast.arg, ast.Lambda)
        ):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from _below(child, holder)


def is_docstring(node: object) -> bool:
    """Whether a node is a statement that is nothing but a string."""
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


def _refuses(node: ast.AST) -> bool:
    return _called(node) in _REFUSING


Change = tuple[str, Callable[..., None]]


def _changes(node: ast.AST) -> Iterator[Change]:
    """The possible changes of one node: a name, and a function that changes the node in place."""
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
        # Without a refusal no legal program is another one: tests/conformance/forms holds what is
        # refused to what ptxas refuses.
        if not _refuses(node.value):
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
    symmetric = isinstance(first, ast.Constant) and first.value in _SYMMETRIC
    if name == "is_signed":
        yield "is_signed negated", _negate_call
    elif name == "select" and count == 3:
        yield "select swapped", _swap(1, 2)
    elif name in _BY_NAME and count >= 3 and not symmetric:
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
