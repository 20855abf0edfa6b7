"""From a Program's blocks to native code: LLVM through llvmlite, and the cache of objects.

Blocks are compiled in units of consecutive blocks, at the first execution of one of them. Objects
are kept under `$LANEMAP_CACHE` (default `$XDG_CACHE_HOME/lanemap` or `~/.cache/lanemap`), named by
a hash of the source text, of the emulator's own code, of LLVM's version and of the processor.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.runtime.parts import parts

#: Operations that one unit aims at: small enough to compile at once, large enough to load cheaply.
UNIT_OPERATIONS = 160
#: With LLVM 22, 3000 lines in one block take 10 s, in blocks of 100 to 300 lines under 2 s.
LINES_OF_A_BASIC_BLOCK = 200
_PACKAGE = Path(__file__).parent.parent


@functools.cache
def _target_machine(level: int) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        opt=level, cpu=llvm.get_host_cpu_name(), jit=True,
        features=llvm.get_host_cpu_features().flatten())


@functools.cache
def emulator_hash() -> str:
    """A hash of everything that decides what code is generated, apart from the program."""
    digest = hashlib.sha256(f"{llvmlite.__version__} {llvm.get_host_cpu_name()} "
                            f"{llvm.get_host_cpu_features().flatten()}".encode())
    for path in sorted(_PACKAGE.rglob("*")):
        if path.suffix in (".py", ".ll"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """Where compiled objects are kept."""
    explicit = os.environ.get("LANEMAP_CACHE")
    if explicit:
        return Path(explicit)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "lanemap"


def _cached(key: str, make: Callable[[], bytes]) -> bytes:
    """The bytes kept under `key`, made and kept if they are not there.

    A cache that cannot be written (a read-only home) costs only time.
    """
    folder = cache_folder() / key[:2]
    path = folder / key
    if path.is_file():
        return path.read_bytes()
    data = make()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(data)
        os.replace(file.name, path)
    except OSError:
        return data
    return data


class Native:
    """The process's native code: the runtime and, as they are met, units of programs."""

    def __init__(self) -> None:
        empty = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(empty, _target_machine(0))
        self._part_of: dict[str, int] = json.loads(_cached(_key("parts"), _number_parts))
        self._parts: set[int] = set()
        self.run_group = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)(
            self.address("lm_run_group"))
        self.uncompiled = self.address("lm_uncompiled")
        self._loaded: dict[str, Unit] = {}

    def _add(self, image: bytes) -> None:
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(image))
        self._engine.finalize_object()

    def _need(self, functions: Iterable[str]) -> None:
        """Load the parts of the runtime that have these functions, and what those call."""
        wanted = {self._part_of[name] for name in functions}
        for part in sorted({0, *([1] if wanted - {0} else []), *wanted} - self._parts):
            self._add(_cached(_key(f"part {part}"), functools.partial(_compile_part, part)))
            self._parts.add(part)

    def address(self, function: str) -> int:
        """Address of a function of the runtime or of a loaded unit."""
        if function in self._part_of:
            self._need([function])
        return int(self._engine.get_function_address(function))

    def unit(self, program: Program, number: int, precise: bool) -> Unit:
        """The compiled unit `number` of a program (see `units`)."""
        kept = bool(program.key)
        identity = program.key or str(program.number)
        key = hashlib.sha256(f"{identity} {program.name} {number} {precise} "
                             f"{emulator_hash()}".encode()).hexdigest()
        unit = self._loaded.get(key)
        if unit is None:
            make = functools.partial(_compile_unit, program, number, precise, key)
            packed = _cached(key, make) if kept else make()
            size = int.from_bytes(packed[:8], "little")
            notes = json.loads(packed[8:8 + size])
            self._need(notes["calls"])
            self._add(packed[8 + size:])
            blocks = {int(block): self.address(name) for block, name in notes["blocks"].items()}
            segments = {int(at): registers for at, registers in notes["segments"].items()}
            unit = self._loaded[key] = Unit(blocks, segments)
        return unit


class Unit:
    """Native addresses of a unit's blocks, and the tracked registers of its segments."""

    def __init__(self, blocks: dict[int, int], segments: dict[int, list[int]]) -> None:
        self.blocks = blocks
        self.segments = segments


@functools.cache
def native() -> Native:
    """The one Native of this process."""
    return Native()


def _key(what: str) -> str:
    return hashlib.sha256(f"runtime {what} {emulator_hash()}".encode()).hexdigest()


def _number_parts() -> bytes:
    return json.dumps(parts().numbers).encode()


def _compile_part(part: int) -> bytes:
    module = llvm.parse_assembly(parts().text(part))
    return bytes(_target_machine(1).emit_object(module))


def units(program: Program) -> list[range]:
    """Blocks of each unit: consecutive ones, about UNIT_OPERATIONS operations."""
    result, first, operations = [], 0, 0
    for block in program.blocks:
        if operations and operations + len(block.operations) > UNIT_OPERATIONS:
            result.append(range(first, block.index))
            first, operations = block.index, 0
        operations += len(block.operations)
    result.append(range(first, len(program.blocks)))
    return result


def block_ir(program: Program, number: int, precise: bool, name: str) -> tuple[str, Builder]:
    """LLVM IR of one block's function, and the Builder that made it."""
    block = program.blocks[number]
    builder = Builder(program.plan(block, precise))
    builder.begin()
    for operation in block.operations:
        operation.emit(builder)
        builder.next_operation()
    if not builder.flow.finished:
        if len(block.successors) != 1:
            raise RuntimeError(f"{program.name}: block {number} has no end")
        builder.flow.goto(block.successors[0])
    body = "\n".join(_divided(builder.ir.lines))
    return f"define i32 @{name}(ptr %w) {{\n{body}\n}}", builder


def _divided(lines: list[str]) -> list[str]:
    """The lines with a label now and then: LLVM's time grows faster than a basic block does."""
    result: list[str] = []
    for at in range(0, len(lines), LINES_OF_A_BASIC_BLOCK):
        if at:
            result += [f"br label %part{at}", f"part{at}:"]
        result += lines[at:at + LINES_OF_A_BASIC_BLOCK]
    return result


def _compile_unit(program: Program, number: int, precise: bool, key: str) -> bytes:
    functions, declarations = [], {}
    blocks: dict[int, str] = {}
    segments: dict[int, list[int]] = {}
    for block in units(program)[number]:
        blocks[block] = f"b{key[:24]}_{block}"
        text, builder = block_ir(program, block, precise, blocks[block])
        functions.append(text)
        declarations.update(builder.ir.declarations)
        for at, registers in builder.pending.segments.items():
            segments[at] = sorted(registers)
    ir = "\n".join([*declarations.values(), *functions])
    image = bytes(_target_machine(0).emit_object(llvm.parse_assembly(ir)))
    calls = [name for name in declarations if not name.startswith("@")]
    notes = json.dumps({"blocks": blocks, "segments": segments, "calls": calls}).encode()
    return len(notes).to_bytes(8, "little") + notes + image
