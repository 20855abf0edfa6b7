"""Which test files a change can reach: by imports, and for instructions by their names too.

Python's import statements are read by grimp. What they do not show is added here: names that a
module imports at first use, folders whose modules are found by path, modules named in strings (a
test that runs `python -m lanemap.cli`), and the conftest.py above a test.

Almost every test of the emulator imports every instruction. So a change inside the functions of
instructions reaches only tests that name one of them in their own text, in the helpers that they
import, or in the files that these name. Text that a test has a compiler make is not searched.
"""

from __future__ import annotations

import ast
import functools
import re
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("lanemap", "probes", "kernels", "museum", "analysis", "tests", "tools")
#: Modules that import others by name or by path, and what these names begin with.
BY_NAME = {
    "lanemap.model": "lanemap.model",
    "lanemap.model.spellings": "lanemap.model.spellings",
    "lanemap.claims": "lanemap.claims",
    "lanemap.targets.every": "lanemap.targets",
    "lanemap.cli.main": "lanemap.cli.verbs",
    "lanemap.cli.told.commands": "lanemap.cli.verbs",
    "lanemap.probing.probe": "probes",
    "lanemap.timing.find": "probes",
    "lanemap.benching.find": "kernels",
    "lanemap.conformance.museum.exhibit": "museum",
    "lanemap.sweeping.sweep": "lanemap.conformance.sweeps",
    "lanemap.cli.folders": "analysis",
    "tests.kernels.faults": "tests.kernels.faults",
}
#: Files that are no Python: what of a path decides, and a module or a folder of tests for each.
OTHERS = (
    (r"lanemap/emulator/.*\.[ch]$", "lanemap.emulator.runtime.built"),
    (r"kernels/(\w+)/.*\.(cu|c)$", r"kernels.\1.host"),
    (r"kernels/include/", "lanemap.benching.find"),
    (r"results/|.*\.md$", "tests.tools.test_figures"),
    (r".*\.md$", "tests.docs.test_documents"),
    (r"Makefile$|pyproject\.toml$|\.ci/", "tests.test_make"),
    (r"pyproject\.toml$", "tests.test_walls"),
)
#: Tests whose generated programs have every form of a front end, whatever their text names.
EVERY_FORM = {
    "ptx": ("tests.conformance.programs.test_silicon_row",),
    "amdgcn": ("tests.emulator.amdgcn.test_table",),
}
INSTRUCTIONS = re.compile(r"lanemap/emulator/(ptx|amdgcn)/isa/\w+\.py")
_MODULE = re.compile(r"\b(?:lanemap|tools|tests)(?:\.\w+)+")
_TEXTS = (".ptx", ".s", ".ll", ".json", ".cu", ".c", ".h", ".txt")


@dataclass(frozen=True)
class Change:
    """A file that differs from the base.

    Attributes:
        path: From the root of the repository.
        lines: Numbers of the lines that are new or changed, or behind which some are gone.
    """

    path: str
    lines: frozenset[int] = frozenset()


def changes(base: str) -> list[Change]:
    """The files that differ from where this branch left `base`, untracked ones among them.

    Raises:
        ValueError: git knows no such revision.
    """
    words = ["git", "merge-base", base, "HEAD"]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        raise ValueError(f"HEAD and {base!r} have no common ancestor in git; name another BASE")
    words = ["git", "diff", "--unified=0", "--no-renames", "--no-ext-diff", found.stdout.strip()]
    diff = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    words = ["git", "ls-files", "--others", "--exclude-standard"]
    new = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [*changes_of(diff), *(Change(path) for path in new.splitlines())]


def changes_of(diff: str) -> list[Change]:
    """The files of a diff without context, each with its lines after the change."""
    lines: dict[str, set[int]] = {}
    path = ""
    for line in diff.splitlines():
        if line.startswith(("--- a/", "+++ b/")):
            path = line[6:]
            lines.setdefault(path, set())
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines[path] |= set(range(first, first + max(count, 1)))
    return [Change(path, frozenset(each)) for path, each in lines.items()]


def module_of(path: str) -> str:
    """The name of a Python file as a module; "" for any other file."""
    if not path.endswith(".py"):
        return ""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def file_of(module: str) -> Path | None:
    """The file of a module; None for a folder without __init__.py."""
    stem = ROOT / module.replace(".", "/")
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None


@functools.cache
def source(module: str) -> str:
    """The text of a module; an empty one for a folder."""
    path = file_of(module)
    return path.read_text() if path else ""


@functools.cache
def tree(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(source(module))


def lazy(module: str) -> dict[str, str]:
    """The names that a module imports at first use, and their homes, as its `_HOMES` says."""
    for node in tree(module).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    return {}


@functools.cache
def nodes(module: str) -> list[ast.Attribute | ast.ImportFrom | ast.Constant]:
    """What the functions below look at, of one walk of the tree."""
    kinds = (ast.Attribute, ast.ImportFrom, ast.Constant)
    return [node for node in ast.walk(tree(module)) if isinstance(node, kinds)]


def names_in(module: str) -> set[str]:
    """Every attribute and every imported name that a module's text has."""
    found: set[str] = set()
    for node in nodes(module):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found |= {each.name for each in node.names}
    return found


def strings(module: str) -> Iterator[str]:
    """Every string of a module but the texts of its f-strings."""
    for node in nodes(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def kernels_of(module: str) -> set[str]:
    """The modules of kernels/ that a module imports by the name which lanemap.benching makes."""
    if "lanemap_kernels." not in source(module):
        return set()  # a syntax tree costs a hundred times as much as a text
    return {
        name
        for each in nodes(module)
        if isinstance(each, ast.ImportFrom)
        if (each.module or "").startswith("lanemap_kernels.")
        for name in (each.module or "", *(f"{each.module}.{word.name}" for word in each.names))
    }


def named_modules(module: str, known: Mapping[str, object]) -> set[str]:
    """The modules that strings of a module name, as in a command line or as a folder to import."""
    found = set()
    for text in strings(module):
        for name in _MODULE.findall(text):
            while name and name not in known:
                name = name.rpartition(".")[0]
            found |= {name, f"{name}.__main__"} & set(known)
    if "exec_module" in names_in(module):
        folders = set(strings(module)) & set(PACKAGES)
        found |= {each for each in known if each.partition(".")[0] in folders}
    return found - {"lanemap", "tests", "tools"}


@functools.cache
def imports() -> dict[str, set[str]]:
    """For each module those that it can import, by whatever way."""
    graph = grimp.build_graph(
        *PACKAGES,
        include_external_packages=False,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )
    found = {each: set(graph.find_modules_directly_imported_by(each)) for each in graph.modules}
    homes = {each: lazy(each) for each in ("lanemap", "lanemap.emulator.api")}
    for module, imported in found.items():
        for door in imported & set(homes):
            imported |= {homes[door][name] for name in names_in(module) & set(homes[door])}
        imported |= {each.replace("lanemap_kernels", "kernels") for each in kernels_of(module)}
        imported &= set(found)
        parent = module.rpartition(".")[0]
        if parent in found and file_of(parent):
            imported.add(parent)
        if module.startswith("tests."):
            imported |= named_modules(module, found)
            while parent:
                imported |= {f"{parent}.conftest"} & set(found)
                parent = parent.rpartition(".")[0]
    for module, prefix in BY_NAME.items():
        found[module] |= {each for each in found if each.startswith(f"{prefix}.")}
    return found


def distances(graph: Mapping[str, Iterable[str]], changed: Iterable[str]) -> dict[str, int]:
    """For each module that reaches a changed one, over how many imports it does at least."""
    importers: dict[str, set[str]] = {}
    for module, imported in graph.items():
        for each in imported:
            importers.setdefault(each, set()).add(module)
    found = dict.fromkeys(changed, 0)
    queue = deque(found)
    while queue:
        module = queue.popleft()
        for each in importers.get(module, ()):
            if each not in found:
                found[each] = found[module] + 1
                queue.append(each)
    return found


def upstream(module: str) -> set[str]:
    """All modules that one can import, itself included."""
    found, queue = {module}, [module]
    while queue:
        new = imports().get(queue.pop(), set()) - found
        found |= new
        queue += new
    return found


def is_test(module: str) -> bool:
    """Whether pytest collects it."""
    return module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")


def instructions(change: Change) -> set[str]:
    """The names of the instructions that a change of their functions concerns.

    Lines outside these functions belong to all functions of the file that use what they define;
    what none uses belongs to all instructions of the file.
    """
    front_end = change.path.split("/")[2]
    import_module(f"lanemap.emulator.{front_end}.isa")
    table = import_module(f"lanemap.emulator.{front_end}.lower.table").TABLE
    file = str(ROOT / change.path)
    own = {
        name: each.function.__code__.co_firstlineno
        for name, each in table.items()
        if each.function.__code__.co_filename == file
    }
    body = ast.parse(Path(file).read_text()).body
    spans = [(_first(node), node.end_lineno or node.lineno) for node in body]
    touched = {
        i
        for i, (first, last) in enumerate(spans)
        if any(first <= line <= last for line in change.lines)
    }
    queue = list(touched)
    while queue:
        defined = _defined(body[queue.pop()])
        new = {i for i, node in enumerate(body) if i not in touched and defined & _used(node)}
        touched |= new
        queue += new
    found = {
        name
        for name, line in own.items()
        if any(spans[i][0] <= line <= spans[i][1] for i in touched)
    }
    return found or set(own) or set(table)


def _first(node: ast.stmt) -> int:
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])


def _defined(node: ast.stmt) -> set[str]:
    stored = (
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    return set(stored) if not isinstance(node, (ast.Import, ast.ImportFrom)) else set()


def _used(node: ast.stmt) -> set[str]:
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    }


@functools.cache
def text_of(test: str) -> str:
    """The text of a test, of the helpers that it imports, and of the stored files they name."""
    texts = []
    helpers = {each for each in upstream(test) if each.startswith("tests.")}
    helpers |= {
        each for each in imports()[test] if each.startswith(("lanemap.conformance.", "probes."))
    }
    for module in sorted(helpers):
        path = file_of(module)
        if path is None or (is_test(module) and module != test):
            continue
        texts.append(path.read_text())
        for word in {each for each in strings(module) if 0 < len(each) < 80 and "\n" not in each}:
            texts += _stored(path.parent, word)
    return "\n".join(texts)


def _stored(folder: Path, word: str) -> list[str]:
    if word.startswith(("/", ".", "*")) or not re.fullmatch(r"[\w./-]+", word):
        return []
    for start in (folder, ROOT / "tests"):
        place = start / word
        if place.is_file() and place.suffix in _TEXTS:
            return [place.read_text(errors="replace")]
        if place.is_dir() and start == folder:
            return [
                each.read_text(errors="replace")
                for each in sorted(place.iterdir())
                if each.suffix in _TEXTS
            ]
    return []


def mentions(text: str, names: Iterable[str]) -> int:
    """How often a text has one of the instructions."""
    longest = sorted(names, key=len, reverse=True)
    pattern = rf"(?<![\w.%$])(?:{'|'.join(map(re.escape, longest))})(?:_e32|_e64)?(?![\w])"
    return len(re.findall(pattern, text))


def reached(changed: Iterable[Change]) -> list[str]:
    """The test files that a change can reach, those with the fewest imports between first."""
    modules: set[str] = set()
    found: dict[str, tuple[int, int]] = {}
    for change in changed:
        module = module_of(change.path)
        named = INSTRUCTIONS.fullmatch(change.path)
        if named and change.lines and file_of(module):
            names = instructions(change)
            for test, far in distances(imports(), [module]).items():
                if is_test(test) and (count := mentions(text_of(test), names)):
                    found[test] = min(found.get(test, (far, 0)), (far, -count))
            last = 1 + max((far for far, _ in found.values()), default=0)
            found |= {test: (last, 0) for test in EVERY_FORM[named[1]] if test not in found}
        elif module:
            modules.add(module)
        else:
            modules |= of_other(change.path)
    for test, far in distances(imports(), modules & set(imports())).items():
        if is_test(test):
            found[test] = min(found.get(test, (far, 0)), (far, 0))
    ranked = sorted(found, key=lambda test: (found[test], test))
    return [f"{test.replace('.', '/')}.py" for test in ranked]


def of_other(path: str) -> set[str]:
    """The modules that stand for a file which is no Python."""
    found = {match.expand(name) for pattern, name in OTHERS if (match := re.match(pattern, path))}
    if path.startswith("tests/"):
        folder = Path(path).parent
        while folder != Path("."):
            tests = sorted((ROOT / folder).glob("test_*.py"))
            if tests:
                found |= {module_of(str(each.relative_to(ROOT))) for each in tests}
                break
            folder = folder.parent
    return found
