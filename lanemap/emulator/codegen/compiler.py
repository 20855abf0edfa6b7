"""Code of a Program's blocks in this process: bytecode, native code, and the cache of both.

Blocks are made in units of consecutive blocks, at the first execution of one of them: in bytecode
(bytecode.py), which the runtime interprets. A unit that has run long enough is compiled with LLVM.
Both are kept (lanemap/cache.py). Their key is a hash of the source text, of the code generator, of
LLVM's version and of the processor. A later process starts with the object if there is one. The
runtime comes with lanemap as a shared library for most processors (runtime/build.py). LLVM and what
generates code are imported when a unit must be made, or when an object is loaded.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lanemap import cache
from lanemap.emulator.codegen.packed import unpack_unit
from lanemap.emulator.codegen.processor import LEVEL, Processor, processor
from lanemap.emulator.codegen.sources import source_hash
from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.runtime.built import IR, RUNTIMES
from lanemap.garbage import without_collections

if TYPE_CHECKING:
    from lanemap.emulator.codegen.program import Program

_EMULATOR = Path(__file__).parent.parent
#: What makes code of every front end's programs; a front end puts its own into `Program.key`.
_CORE = (_EMULATOR / "codegen", _EMULATOR / "runtime", _EMULATOR.parent / "model")


def _key(*what: object) -> str:
    return hashlib.sha256("\0".join(str(part) for part in what).encode()).hexdigest()


def _unit_key(
    program: Program, number: int, precise: bool, made_for: Processor, watch: Watch
) -> str:
    """Key of everything that decides the generated code of a unit, except its level.

    `program.key` stands for the text and for the front end's own files.
    """
    return _key(
        "unit",
        program.key or program.number,
        program.name,
        number,
        precise,
        f"{watch:d}",
        made_for.identity,
        source_hash(*_CORE),
    )


class Unit:
    """A unit in memory: addresses of its blocks, and the tracked registers of its segments.

    `level` is 0 for bytecode (of which `code` is the memory), and 1, the last, for compiled code.
    """

    def __init__(
        self,
        blocks: dict[int, int],
        segments: dict[int, list[int]],
        level: int,
        code: tuple[NDArray[Any], ...] = (),
    ) -> None:
        self.blocks = blocks
        self.segments = segments
        self.level = level
        self.code = code


class Native:
    """The native code of the process: the runtime, and units of programs compiled on demand.

    Any thread may ask for a unit; one at a time is compiled and loaded.
    """

    def __init__(self, made_for: Processor) -> None:
        self._made_for = made_for
        self._lock = threading.RLock()
        self._library = _library(made_for)
        self._functions: dict[str, Any] = {}
        self.run_group = self.function("lm_run_group")
        self.run_clusters = self.function("lm_run_clusters")
        self.begin = self.function("lm_begin")
        self.uncompiled = self.address("lm_uncompiled")
        self.interpret = self.address("lm_interpret")
        #: Addresses of primitives: of the runtime's (0: it has none), of those compiled here.
        self._built: dict[str, int] = {}
        self._compiled: dict[str, int] = {}
        self._loaded: dict[str, Unit] = {}

    def function(self, name: str) -> Any:
        """A function of the runtime that is called with addresses and numbers."""
        found = self._functions.get(name)
        if found is None:
            from lanemap.emulator.codegen.runtime_functions import FUNCTIONS

            found = self._functions[name] = FUNCTIONS[name].prototype()(self.address(name))
        return found

    @functools.cached_property
    def _engine(self) -> Any:
        """LLVM's engine, which loads objects; they find the runtime's functions by name."""
        import llvmlite.binding as llvm

        # An object addresses its own data by 32 bits. LLVM's memory manager puts each section
        # where a hole is. In a process of several GB, as with PyTorch on a GPU, sections may lie
        # more than 2 GB apart: LLVM then ends the process. llvmlite's takes room for all at once.
        machine = self._made_for.machine(0)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine, use_lmm=True)
        if self._library is None:
            _add(engine, _runtime(self._made_for))
        else:
            llvm.load_library_permanently(self._library._name)
        return engine

    def _add(self, image: bytes) -> None:
        _add(self._engine, image)

    def address(self, function: str) -> int:
        """Address of a function of the runtime; 0 if it has none of the name."""
        if self._library is None:
            return self._loaded_address(function)
        found = getattr(self._library, function, None)
        return 0 if found is None else ctypes.cast(found, ctypes.c_void_p).value or 0

    def _loaded_address(self, function: str) -> int:
        """Address of a function of a loaded object."""
        with self._lock:
            return int(self._engine.get_function_address(function))

    def unit(
        self,
        program: Program,
        number: int,
        precise: bool,
        watch: Watch = Watch.NOTHING,
        spent: bool = False,
    ) -> Unit:
        """The unit `number` of a program (see `units`): compiled if it was `spent`."""
        key = _unit_key(program, number, precise, self._made_for, watch)
        with self._lock:
            unit = self._loaded.get(key)
            if unit is None or spent > unit.level:
                unit = self._loaded[key] = self._load(program, number, precise, watch, key, spent)
            return unit

    def _load(
        self, program: Program, number: int, precise: bool, watch: Watch, key: str, spent: bool
    ) -> Unit:
        """Load a unit: the object if it is there or the bytecode was spent, else bytecode."""
        kept = bool(program.key)
        keys = [_key(key, level) for level in (0, 1)]
        packed = cache.lookup(keys[1]) if kept else None
        level = 0 if packed is None and not spent else 1
        if packed is None and level == 0 and kept:
            packed = cache.lookup(keys[0])
        if packed is None:
            from lanemap.emulator.codegen import unit

            with without_collections():
                if level:
                    made_for = self._made_for
                    packed = unit.compile_unit(program, number, precise, made_for, keys[1], watch)
                else:
                    packed = unit.bytecode_unit(program, number, precise, self.built, watch)
            if kept:
                cache.keep(keys[level], packed)
        notes, code = unpack_unit(packed)
        if level == 0:
            return self.bytecode(notes, code)
        self._add(code)
        segments = {int(at): registers for at, registers in notes["segments"].items()}
        blocks = {int(block): self._loaded_address(name) for block, name in notes["blocks"].items()}
        return Unit(blocks, segments, 1)

    # -- bytecode --------------------------------------------------------------------------------
    def built(self, primitive: str) -> bool:
        """Whether a primitive is part of the runtime; not one that was compiled here."""
        address = self._built.get(primitive)
        if address is None:
            address = self._built[primitive] = self.address(primitive)
        return bool(address)

    def _primitive(self, name: str, text: str) -> int:
        """The address of a primitive; one that the runtime lacks has a text, and is compiled."""
        if not text:
            if not self.built(name):
                raise RuntimeError(f"the runtime has no {name}")
            return self._built[name]
        if name not in self._compiled:
            self._built[name] = 0
            key = _key("primitive", LEVEL, self._made_for.identity, text)
            self._add(cache.cached(key, lambda: self._made_for.emit_object(text)))
            self._compiled[name] = self._loaded_address(name)
        return self._compiled[name]

    def bytecode(self, notes: dict[str, Any], code: bytes) -> Unit:
        """A unit of what `pack_bytecode` made, with the addresses of primitives and constants."""
        count, step_count = notes["sizes"]
        words = np.frombuffer(code, np.uint32, count).copy()
        steps = np.frombuffer(code, np.uint32, step_count, 4 * count)
        constants = aligned_copy(code[4 * (count + step_count) :])
        found = [self._primitive(name, text) for name, text in notes["primitives"].items()]
        pairs, first = words.view(np.uint64), words.ctypes.data
        pairs[steps // 2] = np.array(found, np.uint64)[words[steps]]
        starts = {int(block): start for block, start in notes["blocks"].items()}
        pairs[np.array([*starts.values()]) // 2 + 1] = constants.ctypes.data
        blocks = {block: first + 4 * start for block, start in starts.items()}
        segments = {int(at): registers for at, registers in notes["segments"].items()}
        return Unit(blocks, segments, 0, (words, constants))


def aligned_copy(data: bytes) -> NDArray[np.uint8]:
    """Bytes at an address that is a multiple of 64."""
    room = np.zeros(len(data) + 64, np.uint8)
    found = room[-room.ctypes.data % 64 :][: len(data)]
    found[:] = np.frombuffer(data, np.uint8)
    return found


_native: Native | None = None
_making = threading.Lock()


def native() -> Native:
    """The one Native of this process.

    One thread makes it and the others wait: the code of a second one would go with its engine
    while their launches run it.

    Raises:
        UserError: LANEMAP_CPU names a processor that code cannot be made for here.
    """
    global _native
    if _native is None:
        with _making:
            if _native is None:
                _native = Native(processor())
    return _native


def _library(made_for: Processor) -> ctypes.CDLL | None:
    """The runtime that was built with lanemap; None if there is none that runs here."""
    if not made_for.level:
        return None
    try:
        return ctypes.CDLL(str(RUNTIMES[made_for.level]))
    except OSError:  # another C library than glibc, say
        return None


def _runtime(made_for: Processor) -> bytes:
    """The runtime's object, compiled once where no library of it runs."""
    ir = IR.read_text()
    key = _key("runtime", LEVEL, made_for.identity, ir)
    return cache.cached(key, lambda: made_for.emit_object(ir))


def _add(engine: Any, image: bytes) -> None:
    import llvmlite.binding as llvm

    engine.add_object_file(llvm.ObjectFileRef.from_data(image))
    engine.finalize_object()
