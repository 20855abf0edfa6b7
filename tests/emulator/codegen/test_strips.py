"""Functions with loops over strips of lanes, and bytecode: what they leave in memory is NumPy's."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

from lanemap.emulator.codegen.bytecode import Bytecode
from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.ops import Op, Operand
from lanemap.emulator.codegen.packed import unpack_unit
from lanemap.emulator.codegen.processor import processor
from lanemap.emulator.codegen.strip_plan import MOST_OPS
from lanemap.emulator.codegen.strip_width import Strips
from lanemap.emulator.codegen.strips import Function
from lanemap.emulator.codegen.unit import function_ir, pack_bytecode
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.layout import field_offset

WAVE_BYTES = 8192
#: What the interpreter reads of a wave's launch: the code of its block 0.
CODE = np.zeros(1, np.uint64)
LAUNCH = abi.Launch(bytecode=CODE.ctypes.data)
#: NumPy's counterparts of operations on two vectors.
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "xor": np.bitwise_xor,
          "and": np.bitwise_and}  # fmt: skip
_counter = itertools.count()

#: An operand, and what it must be: an array of lanes or a number.
Known = tuple[Operand, Any]


class Writer:
    """A random function over the wave's memory, and what NumPy makes of the same memory."""

    def __init__(self, lanes: int, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.lanes, self.ir = lanes, Emitter(lanes, False)
        self.full, self.wide, self.flags = (
            self.ir.typed(kind, True) for kind in ("i32", "i64", "i1")
        )
        self.memory = self.random.integers(0, 256, WAVE_BYTES, np.uint8)
        self._cells(field_offset("launch"), np.uint64, 1)[0] = ctypes.addressof(LAUNCH)
        self._cells(field_offset("block"), np.uint32, 1)[0] = 0
        self.before = self.memory.copy()
        self.vectors: dict[str, list[Known]] = {"i32": [self.load(0)], "i1": [], "i64": []}
        self.masks: list[Known] = []
        self.scalars: list[Known] = [("77", 77)]

    def _cells(self, offset: int, dtype: Any, count: int) -> Any:
        return self.memory[offset : offset + count * np.dtype(dtype).itemsize].view(dtype)

    def load(self, row: int) -> Known:
        found = self._cells(256 * row, np.uint32, self.lanes).copy()
        return self.ir.load(self.full, 256 * row, 64), found

    def store(self, value: Known, offset: int) -> None:
        """Store a vector of i32 or i64."""
        kind = self.full if value[1].dtype == np.uint32 else self.wide
        self.ir.store(kind, value[0], offset, 64)
        self._cells(offset, value[1].dtype, self.lanes)[:] = value[1]

    def pick(self, kind: str) -> Known:
        values = self.vectors[kind]
        if not values or self.random.random() < 0.1:
            one = int(self.random.integers(2))
            dtype = {"i32": np.uint32, "i64": np.uint64, "i1": np.bool_}[kind]
            text = f"splat ({kind} 1)" if one else "zeroinitializer"
            return text, np.full(self.lanes, one, dtype)
        return values[-1 if self.random.random() < 0.6 else self.random.integers(len(values))]

    def pick_scalar(self) -> Known:
        return self.scalars[self.random.integers(len(self.scalars))]

    def step(self) -> None:
        n, kind, ir = self.lanes, self.random.integers(15), self.ir
        x, y = self.pick("i32"), self.pick("i32")
        words, flags = self.vectors["i32"], self.vectors["i1"]
        if kind < 4:
            word = str(self.random.choice(list(BINARY)))
            words.append((ir.binary(word, self.full, x[0], y[0]), BINARY[word](x[1], y[1])))
        elif kind == 4:
            op = ir.binary("icmp ult", self.full, x[0], y[0], self.flags)
            flags.append((op, x[1] < y[1]))
        elif kind == 5:
            choice = self.pick("i1")
            op = ir.select(self.flags, choice[0], self.full, x[0], y[0])
            words.append((op, np.where(choice[1], x[1], y[1])))
        elif kind == 6:
            words.append(self.load(int(self.random.integers(8))))
        elif kind == 7:
            self.store(x, 256 * int(self.random.integers(8)))
        elif kind == 8:
            flag = self.pick("i1")
            self.masks.append((ir.ballot(flag[0]), sum(int(b) << i for i, b in enumerate(flag[1]))))
        elif kind == 9 and self.masks:
            mask = self.masks[self.random.integers(len(self.masks))]
            other = ir.binary("xor", f"i{n}", mask[0], "21845")
            bits = np.array([(mask[1] ^ 21845) >> lane & 1 for lane in range(n)], np.bool_)
            flags.append((ir.unpack(other), bits))
        elif kind == 10:
            lane = int(self.random.integers(n))
            self.scalars.append((ir.extract("i32", x[0], str(lane), "i32"), int(x[1][lane])))
        elif kind == 11:
            scalar = self.pick_scalar()
            words.append((ir.broadcast(scalar[0], "i32"), np.full(n, scalar[1], np.uint32)))
        elif kind == 12:
            sources = [int(lane) for lane in self.random.integers(0, n, n)]
            words.append((ir.shuffle("i32", x[0], sources), x[1][sources]))
        elif kind == 13:
            self.others(x, y)
        else:
            offset = 4 * int(self.random.integers(512))
            cell = self._cells(offset, np.uint32, 1)
            if self.random.random() < 0.5:
                self.scalars.append((ir.load("i32", offset), int(cell[0])))
            else:
                scalar = self.pick_scalar()
                ir.store("i32", scalar[0], offset)
                cell[0] = scalar[1]

    def others(self, x: Known, y: Known) -> None:
        """Intrinsics, constants with an element for each lane, other widths, one lane's element."""
        ir, which, words = self.ir, self.random.integers(6), self.vectors["i32"]
        if which == 0:
            both, types = [x[0], y[0]], [self.full] * 2
            least = ir.intrinsic("umin", self.full, both, types, (self.full,))
            words.append((least, np.minimum(x[1], y[1])))
        elif which == 1:
            self.scalars.append((ir.reduce("umax", "i32", x[0]), int(x[1].max())))
        elif which == 2:
            numbers = np.arange(self.lanes, dtype=np.uint32)
            table = ir.table("i32", numbers.tolist())
            words.append((ir.binary("add", self.full, x[0], table), x[1] + numbers))
        elif which == 3:
            lane, scalar = int(self.random.integers(self.lanes)), self.pick_scalar()
            changed = x[1].copy()
            changed[lane] = scalar[1]
            words.append((ir.insert("i32", x[0], scalar[0], str(lane), "i32"), changed))
        elif which == 4 and self.masks:
            mask = self.masks[-1]
            status = ir.binary("icmp uge", f"i{self.lanes}", mask[0], "0", "i1")
            ir.leave_unless(status, "1", f"on{len(ir.ops)}")
        else:
            other = self.pick("i64")
            wide = ir.cast("zext", self.full, x[0], self.wide)
            both = ir.binary("mul", self.wide, wide, other[0])
            product = x[1].astype(np.uint64) * other[1]
            self.vectors["i64"].append((wide, x[1].astype(np.uint64)))
            self.store((both, product), 4096)
            narrow = ir.cast("trunc", self.wide, both, self.full)
            words.append((narrow, product.astype(np.uint32)))

    def finish(self) -> None:
        """Leave every value in memory."""
        ir = self.ir
        for number, kind in enumerate(self.vectors):
            for operand, value in self.vectors[kind][-4:]:
                word = operand
                if kind == "i1":
                    word = ir.cast("zext", self.flags, operand, self.full)
                if kind == "i64":
                    word = ir.cast("trunc", self.wide, operand, self.full)
                at = 20 + number
                old = self.load(at)
                both = ir.binary("add", self.full, old[0], word)
                self.store((both, old[1] + value.astype(np.uint32)), 256 * at)
        for at, (operand, value) in enumerate(self.scalars[-4:]):
            ir.store("i32", operand, 7168 + 8 * at)
            self._cells(7168 + 8 * at, np.uint32, 1)[0] = value
        for at, (operand, value) in enumerate(self.masks[-2:]):
            ir.store("i16", ir.cast("trunc", f"i{self.lanes}", operand, "i16"), 7424 + 8 * at)
            self._cells(7424 + 8 * at, np.uint16, 1)[0] = value & 0xFFFF
        ir.leave("0")


def module(name: str, function: Function) -> str:
    return "\n".join([*function.declarations.values(), function_ir(name, function)])


def result(name: str, function: Function, memory: Any) -> Any:
    """Memory after one call."""
    parsed = llvm.parse_assembly(module(name, function))
    engine = llvm.create_mcjit_compiler(parsed, processor().machine(0), use_lmm=True)
    engine.finalize_object()
    return called(engine.get_function_address(name), memory)


def interpreted(ops: list[Op], lanes: int, memory: Any) -> Any:
    """Memory after one call of the interpreter."""
    code = Bytecode()
    code.add(0, ops)
    unit = native().bytecode(*unpack_unit(pack_bytecode(code, {}, lanes, native().built)))
    CODE[0] = unit.blocks[0]
    return called(native().interpret, memory)


def called(function: int, memory: Any) -> Any:
    """Memory after one call of a block's function."""
    call = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)(function)
    space = np.zeros(WAVE_BYTES + 64, np.uint8)
    start = -space.ctypes.data % 64
    space[start : start + WAVE_BYTES] = memory
    assert call(space.ctypes.data + start) == 0
    return space[start : start + WAVE_BYTES].copy()


@pytest.mark.parametrize(
    "strips",
    [
        Strips(8, True, True),
        Strips(16, True, True),
        Strips(32, True, True),
        Strips(8, True, False),
        Strips(32, True, False),
        Strips(8, False, False),
        Strips(32, False, False),
        None,
    ],
)
@pytest.mark.parametrize("lanes", [32, 64])
def test_random_functions(lanes: int, strips: Strips | None) -> None:
    for seed in range(12):
        writer = Writer(lanes, seed)
        for _ in range(150):
            writer.step()
        writer.finish()
        ops = writer.ir.ops
        if strips is None:
            got = interpreted(ops, lanes, writer.before)
        else:
            got = result(f"f{next(_counter)}", Function(ops, lanes, strips), writer.before)
        assert np.array_equal(got, writer.memory), seed
        assert not np.array_equal(got, writer.before)


def test_a_primitive_that_was_compiled_here_is_no_part_of_the_runtime() -> None:
    """Another process that finds the bytecode in the cache needs the primitive's text again."""
    ir = Emitter(64, False)
    flags = ir.binary("icmp eq", FULL, ir.load(FULL, 256, 64), "zeroinitializer", "<64 x i1>")
    moved = ir.shuffle("i1", flags, [*range(1, 64), 0])
    ir.store(FULL, ir.cast("sext", "<64 x i1>", moved, FULL), 512, 64)
    ir.leave("0")
    for _ in range(2):
        code = Bytecode()
        code.add(0, ir.ops)
        notes, data = unpack_unit(pack_bytecode(code, {}, 64, native().built))
        (text,) = [text for name, text in notes["primitives"].items() if "shuffle" in name]
        assert "shufflevector" in text
        native().bytecode(notes, data)


def stripped(ir: Emitter) -> str:
    return "\n".join(Function(ir.ops, ir.lanes, Strips(8, True, True)).lines)


FULL = "<64 x i32>"


def test_lanes_computed_alike_share_a_loop() -> None:
    ir = Emitter(64, False)
    a, _ = ir.load(FULL, 256, 64), ir.load(FULL, 512, 64)
    sums = [ir.binary("add", FULL, a, f"splat (i32 {n})") for n in range(50)]
    for n, op in enumerate(sums):
        ir.store(FULL, op, 1024 + 256 * n, 64)
    ir.leave("0")
    text = stripped(ir)
    assert text.count(" phi ") == 1
    assert text.count("add <8 x i32>") == 50 and "<64 x " not in text


def test_a_loop_has_a_bounded_number_of_operations() -> None:
    ir = Emitter(64, False)
    a: Op = ir.load(FULL, 256, 64)
    for n in range(1000):
        a = ir.binary("add", FULL, a, f"splat (i32 {n})")
    ir.store(FULL, a, 256, 64)
    ir.leave("0")
    assert stripped(ir).count(" phi ") == -(-1002 // MOST_OPS)


def test_the_same_computation_is_made_once() -> None:
    ir = Emitter(64, False)
    a = ir.load(FULL, 256, 64)
    b, c = (ir.binary("add", FULL, a, "splat (i32 1)") for _ in range(2))
    ir.store(FULL, ir.binary("mul", FULL, b, c), 256, 64)
    ir.leave("0")
    text = stripped(ir)
    assert text.count("add <8 x i32>") == 1 and f"mul <8 x i32> {b.name}, {b.name}" in text


def test_what_nothing_uses_is_not_made() -> None:
    ir = Emitter(64, False)
    a = ir.load(FULL, 256, 64)
    ir.binary("mul", FULL, a, a)
    ir.store(FULL, a, 512, 64)
    ir.leave("0")
    assert " mul <" not in stripped(ir)
    code = Bytecode()
    code.add(0, ir.ops)
    assert not [name for name in code.primitives if ".mul." in name]


def test_what_is_chosen_is_stored_whole() -> None:
    """A masked store takes AMD's processors twelve cycles, and a load after it waits longer."""
    ir = Emitter(32, False)
    full, flags = "<32 x i32>", "<32 x i1>"
    old, new = ir.load(full, 256, 64), ir.load(full, 512, 64)
    mask = ir.unpack(ir.load("i32", 1024))
    ir.store(full, ir.select(flags, mask, full, new, old), 256, 64)
    ir.leave("0")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        target = llvm.Target.from_triple("x86_64-linux-gnu")
    except RuntimeError:
        pytest.skip("this llvmlite makes no code for x86-64")
    machine = target.create_target_machine(opt=1, cpu="x86-64-v3")
    text = module("f", Function(ir.ops, 32, Strips(8, True, False)))
    text = machine.emit_assembly(llvm.parse_assembly(text))
    assert "vblendv" in text and "maskmov" not in text and "pinsr" not in text


def test_arm_moves_no_mask_bit_by_bit() -> None:
    """A mask in, a comparison, a choice, a mask out: bits that move one by one are 8 a mask."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple("aarch64-linux-gnu")
    except RuntimeError:
        pytest.skip("this llvmlite makes no code for Arm")
    ir, floats, flags = Emitter(64, False), "<64 x float>", "<64 x i1>"
    kept = ir.unpack(ir.load("i64", 1024))
    a = ir.load(floats, 256, 64)
    nan = ir.binary("fcmp uno", floats, a, a, flags)
    ir.store(floats, ir.select(flags, kept, floats, a, "zeroinitializer"), 256, 64)
    ir.store("i64", ir.ballot(nan), 1024)
    ir.leave("0")
    moves = {}
    for bits_move in (False, True):
        machine = target.create_target_machine(opt=0, cpu="apple-m1")
        text = module("f", Function(ir.ops, 64, Strips(8, bits_move, bits_move)))
        text = machine.emit_assembly(llvm.parse_assembly(text))
        moves[bits_move] = text.count("umov") + text.count("], w")
    assert moves[False] < 8 <= moves[True]
