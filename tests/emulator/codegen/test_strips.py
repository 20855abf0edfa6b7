"""Loops over strips of lanes: the same results as the code they were made of, run as it was."""

from __future__ import annotations

import ctypes
import itertools

import llvmlite.binding as llvm
import numpy as np
import pytest

from lanemap.emulator.codegen.processor import Strips, processor
from lanemap.emulator.codegen.strip_plan import MOST_LINES
from lanemap.emulator.codegen.strips import Stripped

WAVE_BYTES = 8192
INTRINSICS = {
    "@llvm.umin.v{n}i32": "declare <{n} x i32> @llvm.umin.v{n}i32(<{n} x i32>, <{n} x i32>)",
    "@llvm.vector.reduce.umax.v{n}i32": "declare i32 @llvm.vector.reduce.umax.v{n}i32(<{n} x i32>)",
}
_counter = itertools.count()


class Writer:
    """A random function over the wave's memory, in the lines that the Builder writes."""

    def __init__(self, lanes: int, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.lanes, self.lines = lanes, list[str]()
        self.vectors = {"i32": [self.load(0)], "i1": list[str](), "i64": list[str]()}
        self.masks: list[str] = []
        self.scalars = ["77"]

    def emit(self, text: str) -> str:
        name = f"%t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def pointer(self, offset: int) -> str:
        return self.emit(f"getelementptr i8, ptr %w, i64 {offset}")

    def load(self, row: int) -> str:
        return self.emit(f"load <{self.lanes} x i32>, ptr {self.pointer(256 * row)}, align 64")

    def pick(self, kind: str) -> str:
        values = self.vectors[kind]
        if not values or self.random.random() < 0.1:
            value = int(self.random.integers(2))
            return "zeroinitializer" if value else f"splat ({kind} 1)"
        recent = self.random.random() < 0.6
        return values[-1] if recent else str(self.random.choice(values))

    def step(self) -> None:
        n, kind = self.lanes, self.random.integers(15)
        full, flags = f"<{n} x i32>", f"<{n} x i1>"
        if kind < 4:
            word = self.random.choice(["add", "sub", "mul", "xor", "and"])
            self.vectors["i32"].append(
                self.emit(f"{word} {full} {self.pick('i32')}, {self.pick('i32')}")
            )
        elif kind == 4:
            self.vectors["i1"].append(
                self.emit(f"icmp ult {full} {self.pick('i32')}, {self.pick('i32')}")
            )
        elif kind == 5:
            self.vectors["i32"].append(
                self.emit(
                    f"select {flags} {self.pick('i1')}, {full} {self.pick('i32')}, "
                    f"{full} {self.pick('i32')}"
                )
            )
        elif kind == 6:
            self.vectors["i32"].append(self.load(int(self.random.integers(8))))
        elif kind == 7:
            row = int(self.random.integers(8))
            value = self.pick("i32")
            self.lines.append(f"store {full} {value}, ptr {self.pointer(256 * row)}, align 64")
        elif kind == 8:
            self.masks.append(self.emit(f"bitcast {flags} {self.pick('i1')} to i{n}"))
        elif kind == 9 and self.masks:
            mask = self.emit(f"xor i{n} {self.random.choice(self.masks)}, 21845")
            self.vectors["i1"].append(self.emit(f"bitcast i{n} {mask} to {flags}"))
        elif kind == 10:
            lane = int(self.random.integers(n))
            self.scalars.append(self.emit(f"extractelement {full} {self.pick('i32')}, i32 {lane}"))
        elif kind == 11:
            scalar = self.random.choice(self.scalars)
            one = self.emit(f"insertelement {full} poison, i32 {scalar}, i32 0")
            self.vectors["i32"].append(
                self.emit(f"shufflevector {full} {one}, {full} poison, {full} zeroinitializer")
            )
        elif kind == 12:
            sources = ", ".join(f"i32 {self.random.integers(n)}" for _ in range(n))
            self.vectors["i32"].append(
                self.emit(
                    f"shufflevector {full} {self.pick('i32')}, {full} poison, {full} <{sources}>"
                )
            )
        elif kind == 13:
            self.others()
        else:
            offset = 4 * int(self.random.integers(512))
            if self.random.random() < 0.5:
                self.scalars.append(self.emit(f"load i32, ptr {self.pointer(offset)}"))
            else:
                scalar = self.random.choice(self.scalars)
                self.lines.append(f"store i32 {scalar}, ptr {self.pointer(offset)}")

    def others(self) -> None:
        """Intrinsics, constants with an element for each lane, other widths."""
        n, which = self.lanes, self.random.integers(4)
        full = f"<{n} x i32>"
        if which == 0:
            self.vectors["i32"].append(
                self.emit(
                    f"call {full} @llvm.umin.v{n}i32({full} {self.pick('i32')}, "
                    f"{full} {self.pick('i32')})"
                )
            )
        elif which == 1:
            self.scalars.append(
                self.emit(f"call i32 @llvm.vector.reduce.umax.v{n}i32({full} {self.pick('i32')})")
            )
        elif which == 2:
            numbers = ", ".join(f"i32 {lane}" for lane in range(n))
            self.vectors["i32"].append(self.emit(f"add {full} {self.pick('i32')}, <{numbers}>"))
        else:
            wide = self.emit(f"zext {full} {self.pick('i32')} to <{n} x i64>")
            self.vectors["i64"].append(wide)
            other = self.pick("i64")
            both = self.emit(f"mul <{n} x i64> {wide}, {other}")
            self.lines.append(f"store <{n} x i64> {both}, ptr {self.pointer(4096)}, align 64")
            self.vectors["i32"].append(self.emit(f"trunc <{n} x i64> {both} to {full}"))

    def finish(self) -> None:
        """Leave every value in memory."""
        for number, kind in enumerate(self.vectors):
            for value in self.vectors[kind][-4:]:
                word = value
                if kind == "i1":
                    word = self.emit(f"zext <{self.lanes} x i1> {value} to <{self.lanes} x i32>")
                if kind == "i64":
                    word = self.emit(f"trunc <{self.lanes} x i64> {value} to <{self.lanes} x i32>")
                at = self.pointer(5120 + 256 * number)
                old = self.emit(f"load <{self.lanes} x i32>, ptr {at}, align 64")
                both = self.emit(f"add <{self.lanes} x i32> {old}, {word}")
                self.lines.append(f"store <{self.lanes} x i32> {both}, ptr {at}, align 64")
        for scalar in self.scalars[-4:] + [
            self.emit(f"trunc i{self.lanes} {mask} to i16") for mask in self.masks[-2:]
        ]:
            kind = "i32" if scalar in self.scalars else "i16"
            at = self.pointer(7168 + 8 * len(self.lines) % 512)
            self.lines.append(f"store {kind} {scalar}, ptr {at}")
        self.lines.append("ret i32 0")


def result(ir: str, name: str, memory: np.ndarray) -> np.ndarray:
    """Memory after one call."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(ir), processor().machine(0))
    engine.finalize_object()
    call = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)(engine.get_function_address(name))
    space = np.zeros(WAVE_BYTES + 64, np.uint8)
    start = -space.ctypes.data % 64
    space[start : start + WAVE_BYTES] = memory
    call(space.ctypes.data + start)
    return space[start : start + WAVE_BYTES].copy()


@pytest.mark.parametrize(
    "strips",
    [Strips(8, True), Strips(16, True), Strips(32, True), Strips(8, False), Strips(32, False)],
)
@pytest.mark.parametrize("lanes", [32, 64])
def test_random_functions(lanes: int, strips: Strips) -> None:
    for seed in range(12):
        writer = Writer(lanes, seed)
        for _ in range(150):
            writer.step()
        writer.finish()
        declared = {key.format(n=lanes): text.format(n=lanes) for key, text in INTRINSICS.items()}
        stripped = Stripped(writer.lines, lanes, strips)
        name = f"f{next(_counter)}"
        whole = "\n".join(
            [*declared.values(), f"define i32 @{name}(ptr %w) {{", *writer.lines, "}"]
        )
        divided = "\n".join(
            [
                *stripped.declarations(declared).values(),
                f"define i32 @{name}s(ptr %w) {{",
                f"%frame = alloca [{stripped.frame_bytes + 1} x i8], align 64",
                "br label %begin",
                "begin:",
                *stripped.lines,
                "}",
            ]
        )
        memory = np.random.default_rng(seed).integers(0, 256, WAVE_BYTES, np.uint8)
        expected = result(whole, name, memory)
        assert np.array_equal(result(divided, f"{name}s", memory), expected), seed
        assert not np.array_equal(expected, memory)


def test_lanes_computed_alike_share_a_loop() -> None:
    lines = [
        "%p = getelementptr i8, ptr %w, i64 256",
        "%a = load <64 x i32>, ptr %p, align 64",
        "%q = getelementptr i8, ptr %w, i64 512",
        "%b = load <64 x i32>, ptr %q, align 64",
    ]
    lines += [f"%c{n} = add <64 x i32> %a, splat (i32 {n})" for n in range(50)]
    lines += ["store <64 x i32> %c49, ptr %q, align 64", "ret i32 0"]
    text = "\n".join(Stripped(lines, 64, Strips(8, True)).lines)
    assert text.count(" phi ") == 1
    assert "add <8 x i32>" in text and "add <64 x i32>" not in text


def test_a_loop_has_a_bounded_number_of_lines() -> None:
    lines = ["%p = getelementptr i8, ptr %w, i64 256", "%a0 = load <64 x i32>, ptr %p, align 64"]
    lines += [f"%a{n + 1} = add <64 x i32> %a{n}, splat (i32 {n})" for n in range(1000)]
    lines += ["store <64 x i32> %a1000, ptr %p, align 64", "ret i32 0"]
    text = "\n".join(Stripped(lines, 64, Strips(8, True)).lines)
    assert text.count(" phi ") == -(-1002 // MOST_LINES)


def test_the_same_computation_is_made_once() -> None:
    lines = [
        "%p = getelementptr i8, ptr %w, i64 256",
        "%a = load <64 x i32>, ptr %p, align 64",
        "%b = add <64 x i32> %a, splat (i32 1)",
        "%c = add <64 x i32> %a, splat (i32 1)",
        "%d = mul <64 x i32> %b, %c",
        "store <64 x i32> %d, ptr %p, align 64",
        "ret i32 0",
    ]
    text = "\n".join(Stripped(lines, 64, Strips(8, True)).lines)
    assert text.count("add <8 x i32>") == 1 and "mul <8 x i32> %b, %b" in text


def test_arm_moves_no_mask_bit_by_bit() -> None:
    """A mask in, a comparison, a choice, a mask out: bits that move one by one are 8 a mask."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple("aarch64-linux-gnu")
    except RuntimeError:
        pytest.skip("this llvmlite makes no code for Arm")
    lines = [
        "%p = getelementptr i8, ptr %w, i64 256",
        "%q = getelementptr i8, ptr %w, i64 1024",
        "%m = load i64, ptr %q",
        "%f = bitcast i64 %m to <64 x i1>",
        "%a = load <64 x float>, ptr %p, align 64",
        "%n = fcmp uno <64 x float> %a, %a",
        "%s = select <64 x i1> %f, <64 x float> %a, <64 x float> zeroinitializer",
        "store <64 x float> %s, ptr %p, align 64",
        "%b = bitcast <64 x i1> %n to i64",
        "store i64 %b, ptr %q",
        "ret i32 0",
    ]
    moves = {}
    for bits_move in (False, True):
        stripped = Stripped(lines, 64, Strips(8, bits_move))
        ir = "\n".join(
            [
                *stripped.declarations({}).values(),
                "define i32 @f(ptr %w) {",
                f"%frame = alloca [{stripped.frame_bytes} x i8], align 64",
                "br label %begin",
                "begin:",
                *stripped.lines,
                "}",
            ]
        )
        machine = target.create_target_machine(opt=0, cpu="apple-m1")
        text = machine.emit_assembly(llvm.parse_assembly(ir))
        moves[bits_move] = text.count("umov") + text.count("], w")
    assert moves[False] < 8 <= moves[True]
