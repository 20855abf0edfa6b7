"""One unit of a program (consecutive basic blocks) as an object file with metadata."""

from __future__ import annotations

import json
from typing import Any

import llvmlite.binding as llvm

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.processor import Processor, Strips
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.strips import Function
from lanemap.emulator.codegen.watch import Watch

#: Operations that one unit aims at: small enough to compile at once, large enough to load cheaply.
UNIT_OPERATIONS = 160
#: Operations that a block of level 0 executes before its unit is compiled at level 1 (see
#: benchmarks/compile.py for what either costs).
BUDGET = 1 << 25


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


def block_ir(
    program: Program, number: int, precise: bool, strips: Strips, watch: Watch = Watch.NOTHING
) -> tuple[Function, Builder]:
    """The function of one block, and the Builder that wrote it."""
    block = program.blocks[number]
    builder = Builder(program.plan(block, precise, watch))
    builder.begin()
    for operation in block.operations:
        builder.operation(operation.emit, not operation.kind, operation.late)
    if not builder.flow.finished:
        if len(block.successors) != 1:
            raise RuntimeError(f"{program.name}: block {number} has no end")
        builder.flow.goto(block.successors[0])
    divided = None if program.lanes <= strips.whole else strips
    return Function(builder.ir.ops, program.lanes, divided), builder


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


def compile_unit(
    program: Program,
    number: int,
    precise: bool,
    made_for: Processor,
    level: int,
    key: str,
    watch: Watch = Watch.NOTHING,
) -> bytes:
    """The unit's object with its notes: names of blocks, tracked registers."""
    functions: list[str] = []
    declarations: dict[str, str] = {}
    blocks: dict[int, str] = {}
    segments: dict[int, list[int]] = {}
    # With several registers in each vector chains of dependent operations overlap: worth a third to
    # a half of the time. At level 0 it would be more for LLVM to do, which is what counts there.
    strips = made_for.strips if level == 0 else made_for.strips.wide
    for block in units(program)[number]:
        blocks[block] = f"b{key[:24]}_{block}"
        function, builder = block_ir(program, block, precise, strips, watch)
        declarations.update(function.declarations)
        functions.append(function_ir(blocks[block], function))
        for at, registers in builder.pending.segments.items():
            segments[at] = sorted(registers)
    ir = "\n".join([*declarations.values(), *functions])
    image = bytes(made_for.machine(level).emit_object(llvm.parse_assembly(ir)))
    notes = json.dumps({"blocks": blocks, "segments": segments})
    data = notes.encode()
    return len(data).to_bytes(8, "little") + data + image


def unpack_unit(packed: bytes) -> tuple[dict[str, Any], bytes]:
    """The notes and the object of what `compile_unit` made."""
    size = int.from_bytes(packed[:8], "little")
    return json.loads(packed[8 : 8 + size]), packed[8 + size :]
