"""One unit of a program (consecutive basic blocks), in bytecode or as an object, with notes."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from lanemap.emulator.codegen import primitives
from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.bytecode import Bytecode
from lanemap.emulator.codegen.packed import pack_unit
from lanemap.emulator.codegen.processor import Processor
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.strips import Function
from lanemap.emulator.codegen.tiers import units
from lanemap.emulator.codegen.watch import Watch


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
    return pack_unit(notes, words.tobytes() + steps.tobytes() + bytes(code.constants))


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
    for block in units(program.block_sizes)[number]:
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
    for block in units(program.block_sizes)[number]:
        blocks[block] = f"b{key[:24]}_{block}"
        builder = built_block(program, block, precise, watch)
        function = Function(builder.ir.ops, program.lanes, made_for.strips)
        declarations.update(function.declarations)
        functions.append(function_ir(blocks[block], function))
        for at, registers in builder.pending.segments.items():
            segments[at] = sorted(registers)
    ir = "\n".join([*declarations.values(), *functions])
    image = made_for.emit_object(ir)
    return pack_unit({"blocks": blocks, "segments": segments}, image)
