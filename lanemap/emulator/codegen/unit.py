"""One unit of a program (consecutive basic blocks), in bytecode or as an object, with notes."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm

from lanemap.emulator.codegen import primitives
from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.bytecode import Bytecode
from lanemap.emulator.codegen.processor import Processor
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.strips import Function
from lanemap.emulator.codegen.watch import Watch

#: Operations that one unit aims at: small enough to compile at once, large enough to load cheaply.
UNIT_OPERATIONS = 160
#: Operations that a block executes in bytecode before its unit is compiled (see
#: benchmarks/compile.py for what either costs).
BUDGET = 1 << 23
#: LLVM's level for it.
LEVEL = 1


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


def built_block(
    program: Program, number: int, precise: bool, watch: Watch = Watch.NOTHING
) -> Builder:
    """The Builder of one block, with all of it emitted."""
    block = program.blocks[number]
    builder = Builder(program.plan(block, precise, watch))
    builder.begin()
    for operation in block.operations:
        builder.operation(operation.emit, not operation.kind, operation.late)
    if not builder.flow.finished:
        if len(block.successors) != 1:
            raise RuntimeError(f"{program.name}: block {number} has no end")
        builder.flow.goto(block.successors[0])
    return builder


def function_ir(name: str, function: Function) -> str:
    """A block's function."""
    frame = [f"%frame = alloca [{function.frame_bytes} x i8], align 64"]
    return "\n".join(
        [
            f"define i32 @{name}(ptr %w) {{",
            *(frame if function.frame_bytes else []),
            "br label %begin",
            "begin:",
            *function.lines,
            "}",
        ]
    )


def _pack(notes: dict[str, Any], data: bytes) -> bytes:
    head = json.dumps(notes).encode()
    return len(head).to_bytes(8, "little") + head + data


def unpack_unit(packed: bytes) -> tuple[dict[str, Any], bytes]:
    """The notes and the code of a unit."""
    size = int.from_bytes(packed[:8], "little")
    return json.loads(packed[8 : 8 + size]), packed[8 + size :]


def pack_bytecode(
    code: Bytecode, segments: dict[int, list[int]], lanes: int, built: Callable[[str], bool]
) -> bytes:
    """Bytecode with its notes: beginnings of blocks, primitives, tracked registers.

    `built` says whether the runtime has a primitive of a name; else the notes have its text.
    """
    texts = {
        name: "" if built(name) else primitives.module(op, lanes)
        for name, (_, op) in code.primitives.items()
    }
    steps, words = array("I", code.steps), code.words
    notes = {
        "blocks": code.starts,
        "segments": segments,
        "primitives": texts,
        "sizes": [len(words), len(steps)],
    }
    return _pack(notes, words.tobytes() + steps.tobytes() + bytes(code.constants))


def bytecode_unit(
    program: Program,
    number: int,
    precise: bool,
    built: Callable[[str], bool],
    watch: Watch = Watch.NOTHING,
) -> bytes:
    """The unit in bytecode; see `pack_bytecode`."""
    code = Bytecode()
    segments: dict[int, list[int]] = {}
    for block in units(program)[number]:
        builder = built_block(program, block, precise, watch)
        code.add(block, builder.ir.ops)
        for at, registers in builder.pending.segments.items():
            segments[at] = sorted(registers)
    return pack_bytecode(code, segments, program.lanes, built)


def compile_unit(
    program: Program,
    number: int,
    precise: bool,
    made_for: Processor,
    key: str,
    watch: Watch = Watch.NOTHING,
) -> bytes:
    """The unit's object with its notes: names of blocks, tracked registers."""
    functions: list[str] = []
    declarations: dict[str, str] = {}
    blocks: dict[int, str] = {}
    segments: dict[int, list[int]] = {}
    for block in units(program)[number]:
        blocks[block] = f"b{key[:24]}_{block}"
        builder = built_block(program, block, precise, watch)
        function = Function(builder.ir.ops, program.lanes, made_for.strips)
        declarations.update(function.declarations)
        functions.append(function_ir(blocks[block], function))
        for at, registers in builder.pending.segments.items():
            segments[at] = sorted(registers)
    ir = "\n".join([*declarations.values(), *functions])
    image = bytes(made_for.machine(LEVEL).emit_object(llvm.parse_assembly(ir)))
    return _pack({"blocks": blocks, "segments": segments}, image)
