"""Kernels of one wave that fill shared memory and hand a matrix product to an engine.

The instruction is a toy: its operands are what a test says. It calls `lm_access_view` for each of
them and `lm_multiply` as a front end does, with the stamp of the engine's agent.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.host.contents import Contents
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.observers import Observer
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.functions import FUNCTIONS
from lanemap.emulator.runtime.matrix import BITS
from tests.emulator.codegen.toy import POINTER, S, ToyEntry, V, end, load_pointer, op

#: Bytes that a wave of 64 lanes moves with one word a lane.
CHUNK = 256
SHARED = abi.Space.SHARED
_ENGINE = abi.Agent.ENGINE - abi.Agent.LOAD
_LOAD, _STORE = abi.AccessKind.LOAD, abi.AccessKind.STORE


@dataclass
class Laid:
    """Where the elements of an operand, of its scales or of a result lie in a memory.

    `places` are bits: of [line, k / run] along k, else of [k, line / run]. `used`: bits of words
    that count where whole words are accessed.
    """

    places: NDArray[np.int64]
    run: int
    step: int
    along_k: bool = True
    in_engine: bool = False
    used: int = 0

    def view(self, keep: list[Any]) -> abi.View:
        """The runtime's form."""
        words = np.ascontiguousarray(self.places.reshape(-1), np.uint32)
        keep.append(words)
        return abi.View(
            None, words.ctypes.data, self.run, self.step, int(self.along_k), 4, self.used
        )


@dataclass
class Sided:
    """An operand: how many lines it has, of which format, and its scales."""

    laid: Laid
    lines: int
    format: int
    scales: Laid | None = None
    scale_format: int = 0
    scale_depth: int = 0

    def operand(self, keep: list[Any]) -> abi.Operand:
        """The runtime's form."""
        return abi.Operand(
            self.laid.view(keep), None, self.lines, self.format, self.scale_format, self.scale_depth
        )


@dataclass
class Engine:
    """The engine's memory, which begins anew with every pass of a launch."""

    size: int = 256 * 1024
    first: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    undefined: int = 0  # bits of each of the first bytes
    _launch: int = 0

    def memory(self, wave: abi.Wave) -> int:
        """Its address."""
        if self._launch != wave.launch:
            self._launch, self._memory = wave.launch, abi.Memory()
            self.contents = Contents(self.size)
            if abi.Launch.from_address(wave.launch).precise:
                self.contents.track_bits()
            self.contents.describe_to(self._memory, 0, abi.Space.ENGINE, 1)
            self._memory.tag = 1
            pages = -(-len(self.first) // abi.PAGE_BYTES)
            self.contents.data[: len(self.first)] = self.first
            self.contents.pages[:pages] = (1 << abi.PAGE_TAG_SHIFT) | (5 if self.undefined else 7)
            if self.undefined and self.contents.partial is not None:
                self.contents.partial[: len(self.first)] = ~self.undefined & 0xFF
        return ctypes.addressof(self._memory)


class _Toy:
    """One execution of the toy instruction."""

    def __init__(self, wave: abi.Wave, depth: int, engine: Engine) -> None:
        wave.engine_sequence[_ENGINE] += 1
        self._wave, self._depth, self._stamp = wave, depth, _stamp(wave)
        self._where = {False: wave.cta + abi.Cta.shared.offset, True: engine.memory(wave)}
        self.keep: list[Any] = []

    def access(self, laid: Laid, lines: int, depth: int, bits: int, kind: int) -> int:
        """Access what `laid` names; the address of its memory's data, 0 after a hazard."""
        memory = abi.Memory.from_address(self._where[laid.in_engine])
        access = abi.Access(
            ctypes.addressof(self._wave),
            self._wave.host_instruction,
            memory.space,
            kind,
            1,
            (self._stamp, self._stamp),
            ctypes.addressof(memory),
        )
        view = laid.view(self.keep)
        good = _call(
            "lm_access_view",
            ctypes.addressof(access),
            ctypes.addressof(view),
            lines,
            depth,
            bits,
            0,
            abi.Decides.MATRIX,
        )
        return int(memory.data) if good else 0

    def operand(self, side: Sided) -> abi.Operand | None:
        """Access an operand and its scales; None after a hazard."""
        made = side.operand(self.keep)
        bits = BITS[abi.Format(side.format)]
        made.view.base = self.access(side.laid, side.lines, self._depth, bits, _LOAD)
        if side.scales:
            blocks = self._depth // side.scale_depth
            data = self.access(side.scales, side.lines, blocks, 8, _LOAD)
            if not data:
                return None
            made.scales = self._codes(side.scales, side.lines, blocks, data)
        return made if made.view.base else None

    def _codes(self, laid: Laid, lines: int, blocks: int, data: int) -> int:
        """Scales [line, block] of one byte each, side by side."""
        each = (laid.places[..., None] + laid.step * np.arange(laid.run)) // 8
        each = each.reshape(lines, blocks) if laid.along_k else each.reshape(blocks, lines).T
        size = int(each.max()) + 1
        codes = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(data))[each].copy()
        self.keep.append(codes)
        return int(codes.ctypes.data)

    def strips(self, d: Laid, rows: int, columns: int, kind: int) -> int:
        """Access D; the address of its strips' addresses, 0 after a hazard."""
        data = self.access(d, columns, rows, 32, kind)
        if not data:
            return 0
        self.keep.append(
            (data + d.places[..., None] // 8 + np.arange(0, d.run, 16) * 4).astype(np.uint64)
        )
        return int(self.keep[-1].ctypes.data)


def _call(function: str, *arguments: int) -> int:
    call = FUNCTIONS[function].prototype()(native().address(function))
    return int(call(*arguments))


def product(
    a: Sided, b: Sided, d: Laid, rule: abi.SumRule, depth: int, engine: Engine
) -> Callable[[abi.Wave], None]:
    """What the toy instruction does when it is issued."""
    if rule.result == abi.Result.F16:
        rule.words, d.used = 1, 0xFFFF

    def act(wave: abi.Wave, _: object) -> None:
        toy = _Toy(wave, depth, engine)
        sides = [toy.operand(side) for side in (a, b)]
        abi.Launch.from_address(wave.launch).changes += 1
        strips = toy.strips(d, a.lines, b.lines, _STORE if rule.fresh else _LOAD | _STORE)
        if sides[0] and sides[1] and strips and not wave.stop:
            _call(
                "lm_multiply",
                ctypes.addressof(sides[0]),
                ctypes.addressof(sides[1]),
                depth,
                ctypes.addressof(rule),
                strips,
            )

    return act


def _stamp(wave: abi.Wave) -> int:
    """As stamp_of in access.h."""
    group, launch = abi.Group.from_address(wave.group), abi.Launch.from_address(wave.launch)
    return int(
        wave.engine_sequence[_ENGINE]
        | wave.member << abi.MEMBER_SHIFT
        | (group.number - launch.first_group) << abi.GROUP_SHIFT
        | abi.Agent.ENGINE << abi.AGENT_SHIFT
    )


def complete(wave: abi.Wave, _: object) -> None:
    """The wave learns that all it handed to the engine is over."""
    group = abi.Group.from_address(wave.group)
    members = group.member_count
    part = abi.CLOCK_TIMES + (abi.Clock.OVER + _ENGINE) * members
    at = group.clock + 8 * (wave.member * group.clock_words + part + wave.member)
    ctypes.c_uint64.from_address(at).value = wave.engine_sequence[_ENGINE]


def _place(b: Builder, chunk: int) -> Any:
    """Byte `chunk` * CHUNK + 4 * lane."""
    lane = b.alu.shl(b.registers.read(V[0]), b.ir.constant("i32", 2))
    return b.alu.add(lane, b.ir.constant("i32", chunk * CHUNK))


def _given(b: Builder, chunk: int) -> Any:
    base = b.alu.join(b.registers.read(S[2]), b.registers.read(S[3]))
    return b.alu.add(base, b.alu.zext(_place(b, chunk), "i64"))


def fill(chunks: Sequence[int], shift: int = 0) -> Operation:
    """Copy chunks from the kernel's argument, `shift` chunks further on, to shared memory."""

    def emit(b: Builder) -> None:
        for chunk in chunks:
            words = b.memory.load(abi.Space.GLOBAL, _given(b, chunk + shift), 4)
            b.memory.store(SHARED, _place(b, chunk), words, 4)

    return op("fill", emit, (S[2], S[3], V[0]), (), undefines=True)


def take(chunks: Sequence[int], shift: int) -> Operation:
    """Copy chunks of shared memory to the argument, `shift` chunks further on."""

    def emit(b: Builder) -> None:
        for chunk in chunks:
            words = b.memory.load(SHARED, _place(b, chunk), 4)
            b.memory.store(abi.Space.GLOBAL, _given(b, chunk + shift), words, 4)

    return op("take", emit, (S[2], S[3], V[0]), (), undefines=True)


def hand_over() -> Operation:
    """The engine may see what the wave did in shared memory."""

    def emit(b: Builder) -> None:
        b.runtime.call("lm_hand_over", b.masks.active64(), 1 << abi.Clock.SHARED)

    return op("hand over", emit)


Step = Operation | Callable[[abi.Wave], None]


def launch(
    image: NDArray[np.uint8], results: int, *steps: Step, observers: tuple[Observer, ...] = ()
) -> NDArray[np.uint8]:
    """Run the steps with `image` and `results` bytes behind it as argument; those bytes."""
    blocks: list[tuple[list[Operation], tuple[int, ...]]] = [
        ([op("pointer", load_pointer, **POINTER)], ())
    ]  # type: ignore[arg-type]
    for step in steps:
        if isinstance(step, Operation):
            blocks[-1][0].append(step)
            continue
        following = len(blocks)

        def emit(b: Builder, following: int = following) -> None:
            b.flow.host(following)

        called = op(getattr(step, "__name__", "act"), emit)
        called.host, called.kind = step, "matrix"
        blocks[-1] = ([*blocks[-1][0], called], (following,))
        blocks.append(([], ()))
    blocks[-1][0].append(op("end", end))
    entry = ToyEntry(blocks, len(image))
    entry.program.synchronous_memory = True
    entry.program.clocks = abi.ENGINE_CLOCKS
    machine = Launcher(Settings(observers=observers))
    memory = machine.memory.allocate(len(image) + results)
    machine.memory.write(memory.base, image.tobytes() + bytes(results))
    machine.launch(entry, (1, 1, 1), (64, 1, 1), memory.base.to_bytes(8, "little"), 0)
    return memory.data[len(image) :].copy()
