"""Tests in forks of one process that has collected them: what they reach, what they kill."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import select
import signal
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import zip_longest
from math import ceil
from typing import Any

import llvmlite.binding as llvm
import pytest
from _pytest.runner import runtestprotocol

from lanemap.emulator.codegen.processor import processor
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.strips import Function
from tools.mutation import swap
from tools.mutation.sites import Mutant

# A test hangs that takes so many seconds of the processor, mutated or not; a busy machine may take
# as many times as many to give them.
SLOWEST, BUSY = 15, 20
# Tests tried on a mutant end when they emit so many lines of IR together, whose number stands for
# their time: what is found must not depend on how busy the machine is. So do they after so many.
MOST_LINES, MOST_TESTS = 80_000, 256
# No further test is tried when so many have failed, none of which got as far as to emit IR.
MOST_REFUSALS = 10


@dataclass
class Reach:
    """What one test executes of the unchanged code.

    Attributes:
        lines: "file:line" of the statements of instruction functions that it executes.
        blocks: Hashes of the LLVM IR that it emits, block by block.
        size: Lines of that IR.
    """

    lines: list[str] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    size: int = 0


@dataclass
class Verdict:
    """What became of one mutant.

    Attributes:
        name: Name of the mutant.
        status: "killed"; "survived"; "unreached" (no test executes the statement); "unchanged" (the
            same IR in every test that can be built); "same code" (the IR differs, but LLVM makes
            the same machine code of it in every test, which proves that both are equal there); or
            "refused" (no test emits other IR, and some emit none any more, so that there is no
            semantics to be wrong).
        by: The test that killed it.
        tests: Number of tests that were run on it.
    """

    name: str
    status: str
    by: str = ""
    tests: int = 0


@cache
def prepare() -> None:
    """Load all of the runtime, so that forks find it; what they compile is kept from the others."""
    from lanemap.emulator.codegen import compiler, unit

    kept: Any = import_module("lanemap.emulator.codegen.kept")
    compiler.native()
    kept.lookup = kept.keep = lambda *given: None  # a fork lowers by its own code
    key, built_block = compiler._unit_key, unit.built_block
    compiler._unit_key = lambda *what: compiler._key(key(*what), *_salt)
    compiler.cache.keep = lambda key, data: None  # type: ignore[attr-defined]

    def recorded(program: Program, *arguments: Any) -> Any:
        builder = built_block(program, *arguments)
        function = Function(builder.ir.ops, program.lanes, processor().strips)
        number = zlib.crc32("\n".join(function.lines).encode())
        _emitted.append(number)
        _size[0] += len(function.lines)
        if _texts is not None and number not in _texts:
            declarations = function.declarations.values()
            _texts[number] = "\n".join([*declarations, unit.function_ir("block", function)])
        return builder

    unit.built_block = recorded  # type: ignore[assignment]


@cache
def _warm(item: pytest.Item) -> None:
    """Run a test here once, so that forks find modules and fixtures of its file."""
    _run(item)


# Hashes of the blocks that this process has emitted, and lines of them; their texts where a fork
# asked for them.
_emitted: list[int] = []
_size = [0]
_texts: dict[int, str] | None = None
# Part of the key of what is compiled: of the parent, then of a fork.
_salt: list[str] = ["parent"]


def _run(item: pytest.Item) -> tuple[bool, bool]:
    """Run a test; say whether it passed, and whether it was skipped."""
    reports = runtestprotocol(item, log=False, nextitem=None)
    return all(r.passed for r in reports), any(r.skipped for r in reports)


def _forked(work: Callable[[Callable[[Any], None]], None], patience: float) -> list[Any]:
    """Do work in a fork; return what it told, and "hang" or "crash" where it did not end well."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _end_after(patience)
        _child(work, reader, writer)
    os.close(writer)
    told, deadline, ended = b"", time.monotonic() + BUSY * patience, False
    while not ended and (left := deadline - time.monotonic()) > 0:
        if select.select([reader], [], [], left)[0]:
            piece = os.read(reader, 1 << 16)
            ended = not piece
            told += piece
    os.close(reader)
    if not ended:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    ended = ended and not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    lines = [json.loads(line) for line in told.split(b"\n")[:-1]]
    return lines if ended and status == 0 else [*lines, "crash" if ended else "hang"]


def _end_after(seconds: float) -> None:
    """Let the kernel end this process when it has used so many more seconds of the processor."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def _child(work: Callable[[Callable[[Any], None]], None], reader: int, writer: int) -> None:
    os.close(reader)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    _salt[:] = [str(os.getpid()), os.urandom(8).hex()]
    _emitted.clear()
    _size[:] = [0]
    status = 1
    with suppress(BaseException):
        work(lambda value: _write(writer, json.dumps(value).encode() + b"\n"))
        status = 0
    os._exit(status)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


@cache
def _recording(front_end: str) -> set[str]:
    """The statements that this process executes from now on."""
    hits: set[str] = set()
    swap.record_lines(front_end, hits.add)
    return hits


def measure(front_end: str, item: pytest.Item) -> Reach | None:
    """What a test executes; None for one that fails, is skipped or takes long."""
    hits = _recording(front_end)

    def work(tell: Callable[[Any], None]) -> None:
        hits.clear()
        passed, skipped = _run(item)
        if passed and not skipped:
            tell([sorted(hits), _emitted, *_size])

    told = _forked(work, SLOWEST)
    return Reach(*told[0]) if len(told) == 1 and isinstance(told[0], list) else None


def chosen(mutant: Mutant, reach: dict[str, Reach]) -> list[str]:
    """The tests to try on a mutant, of those that reach its statement.

    Two of the quickest, two that reach the least besides, and one that reaches the most, in turn:
    many tests reach a statement that many forms share, and few of them have the form that matters.
    So files of tests take turns too.
    """
    line = f"{mutant.file}:{mutant.line}"
    names = sorted(name for name, each in reach.items() if line in each.lines)
    quick = sorted(names, key=lambda name: reach[name].size)
    narrow = sorted(quick, key=lambda name: len(reach[name].lines))
    turns = zip_longest(quick[::2], narrow[::2], quick[1::2], narrow[1::2], reversed(narrow))
    order = dict.fromkeys(name for turn in turns for name in turn if name)
    found: list[str] = []
    emitted: set[int] = set()
    size = 0.0
    for name in _files_in_turn(order):
        # Tests that share a launch, or launch the same text, emit its blocks once.
        blocks = set(reach[name].blocks)
        size += reach[name].size * len(blocks - emitted) / max(len(blocks), 1)
        if found and (size > MOST_LINES or len(found) == MOST_TESTS):
            break
        emitted |= blocks
        found.append(name)
    return found


def _files_in_turn(names: Iterable[str]) -> list[str]:
    """Tests, the first of each file before the second of any."""
    seen: Counter[str] = Counter()
    ranked = []
    for name in names:
        file = name.partition("::")[0]
        ranked.append((seen[file], name))
        seen[file] += 1
    return [name for _, name in sorted(ranked, key=lambda each: each[0])]


def judge(mutant: Mutant, items: dict[str, pytest.Item], reach: dict[str, Reach]) -> Verdict:
    """Run tests on a mutant until one fails."""
    tests = chosen(mutant, reach)
    if not tests:
        return Verdict(mutant.name, "unreached")
    for first in {name.partition("::")[0]: name for name in reversed(tests[:3])}.values():
        _warm(items[first])
    swap.compile_all(mutant.file.partition("/")[0])

    def work(tell: Callable[[Any], None]) -> None:
        if not _can_be_made(mutant):
            return
        before: set[int] = set()
        differs, fails = False, 0
        for name in tests:
            _end_after(2 * SLOWEST)
            passed, _ = _run(items[name])
            # Tests may share what the first of them ran, so that what is emitted adds up. Fewer
            # blocks than before are no other IR: a form may only be refused now.
            before.update(reach[name].blocks)
            changed = bool(set(_emitted) - before)
            tell([name, passed, changed])
            differs, fails = differs or changed, fails + (not passed)
            if fails and (differs or fails == MOST_REFUSALS):
                return

    patience = SLOWEST * (2 + len(tests) / 8)
    told = _forked(work, patience)
    verdict = _verdict(mutant.name, tests, told)
    if verdict.status == "survived":
        rows = [row for row in told if isinstance(row, list)]
        seen = sorted((n for n, _, changed in rows if changed), key=lambda name: reach[name].size)
        known = {block for name, _, _ in rows for block in reach[name].blocks}
        # The least of them tells most mutants from the original, and LLVM takes long.
        turns = [seen[:1], seen] if len(seen) > 1 else [seen]
        parts = ([items[name] for name in each] for each in turns)
        if all(_same_code(mutant, part, known, patience) for part in parts):
            verdict.status = "same code"
    return verdict


def notices(mutant: Mutant, item: pytest.Item) -> bool:
    """Whether a test that passes with the unchanged code fails with a mutant."""

    def work(tell: Callable[[Any], None], mutated: bool) -> None:
        if not mutated or _can_be_made(mutant):
            tell(_run(item)[0])

    before = _forked(lambda tell: work(tell, False), 2 * SLOWEST)
    after = _forked(lambda tell: work(tell, True), 2 * SLOWEST)
    return before == [True] and after != [True]


def _can_be_made(mutant: Mutant) -> bool:
    """Mutate this process; False where the changed module cannot be imported any more."""
    try:
        swap.mutate(mutant)
    except Exception:
        return False
    return True


def _same_code(mutant: Mutant, tests: list[pytest.Item], known: set[int], patience: float) -> bool:
    """Whether LLVM makes the same machine code of all that the tests emit, mutated or not.

    `known` are hashes of what they emit unmutated.
    """

    def blocks(mutated: bool, known: set[int]) -> list[Any]:
        """Hashes of the IR that is emitted, and of the code of what is not known."""

        def work(tell: Callable[[Any], None]) -> None:
            global _texts
            _texts = {}
            if mutated:
                swap.mutate(mutant)
            for test in tests:
                _run(test)
            codes = {optimized(text) for number, text in _texts.items() if number not in known}
            tell([list(_texts), sorted(codes)])

        return _forked(work, 3 * patience)

    theirs = blocks(True, known)
    if len(theirs) != 1 or "crash" in theirs or "hang" in theirs:
        return False
    emitted, codes = theirs[0]
    ours = blocks(False, set(emitted))
    return len(ours) == 1 and set(codes) <= set(ours[0][1])


def optimized(text: str) -> str:
    """A hash of the machine code that LLVM makes of IR with all its optimizations."""
    machine = processor().machine(3)
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(3))
    builder.getModulePassManager().run(module, builder)
    return hashlib.sha256(machine.emit_object(module)).hexdigest()


def _verdict(name: str, tests: list[str], told: list[Any]) -> Verdict:
    """From what a fork told of a mutant: [test, passed, whether its IR changed] for each test.

    A mutant that cannot be imported tells nothing.
    """
    if not told:
        return Verdict(name, "refused")
    rows = [row for row in told if isinstance(row, list)]
    count = len(rows)
    changed = any(changed for _, _, changed in rows)
    failed = [test for test, passed, _ in rows if not passed]
    if failed and changed:
        return Verdict(name, "killed", failed[-1], count)
    if told[-1] in ("hang", "crash"):
        return Verdict(name, "killed", f"{tests[min(count, len(tests) - 1)]} ({told[-1]})", count)
    if changed:
        return Verdict(name, "survived", "", count)
    return Verdict(name, "refused" if failed else "unchanged", "", count)
