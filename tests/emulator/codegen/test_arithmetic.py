"""Every operation of Arithmetic: values against NumPy, undefined bits against their meaning.

Undefined bits are sound if no way of setting the undefined bits of the operands changes a bit of
the result that is said to be defined. That is tried with random settings, not derived from rules.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.runtime import abi
from tests.emulator.codegen.toy import EXEC, S, ToyEntry, V, end, op, set_undefined

Emit = Callable[[Builder, Value, Value, Value], Value]


def u32(values: np.ndarray) -> np.ndarray:
    return values.astype(np.uint32)


def signed(values: np.ndarray) -> np.ndarray:
    return values.view(np.int32)


def wide(values: np.ndarray) -> np.ndarray:
    return values.astype(np.uint64)


def f32(values: np.ndarray) -> np.ndarray:
    return values.view(np.float32)


def const(b: Builder, value: int) -> Value:
    return b.ir.constant("i32", value)


def as_float(b: Builder, *values: Value) -> list[Value]:
    return [b.alu.bitcast(value, "float") for value in values]


OPERATIONS: dict[str, tuple[Emit, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]]] = {
    "add": (lambda b, x, y, z: b.alu.add(x, y), lambda x, y, z: x + y),
    "sub": (lambda b, x, y, z: b.alu.sub(x, y), lambda x, y, z: x - y),
    "mul": (lambda b, x, y, z: b.alu.mul(x, y), lambda x, y, z: x * y),
    "and": (lambda b, x, y, z: b.alu.and_(x, y), lambda x, y, z: x & y),
    "or": (lambda b, x, y, z: b.alu.or_(x, y), lambda x, y, z: x | y),
    "xor": (lambda b, x, y, z: b.alu.xor(x, y), lambda x, y, z: x ^ y),
    "not": (lambda b, x, y, z: b.alu.not_(x), lambda x, y, z: ~x),
    "neg": (lambda b, x, y, z: b.alu.neg(x), lambda x, y, z: np.uint32(0) - x),
    "shl": (lambda b, x, y, z: b.alu.shl(x, y), lambda x, y, z: x << (y & 31)),
    "lshr": (lambda b, x, y, z: b.alu.lshr(x, y), lambda x, y, z: x >> (y & 31)),
    "ashr": (
        lambda b, x, y, z: b.alu.ashr(x, y),
        lambda x, y, z: (signed(x) >> signed(y & 31)).view(np.uint32),
    ),
    "shl 5": (lambda b, x, y, z: b.alu.shl(x, const(b, 5)), lambda x, y, z: x << np.uint32(5)),
    "shl clamped": (
        lambda b, x, y, z: b.alu.shift_clamped("shl", x, y),
        lambda x, y, z: np.where(y < 32, x << (y & 31), 0),
    ),
    "ashr clamped": (
        lambda b, x, y, z: b.alu.shift_clamped("ashr", x, y),
        lambda x, y, z: (signed(x) >> signed(np.minimum(y, 31))).view(np.uint32),
    ),
    "udiv": (
        lambda b, x, y, z: b.alu.divide("udiv", x, y, -1),
        lambda x, y, z: np.where(y == 0, 0xFFFFFFFF, x // np.maximum(y, 1)),
    ),
    "urem": (
        lambda b, x, y, z: b.alu.divide("urem", x, y, 7),
        lambda x, y, z: np.where(y == 0, 7, x % np.maximum(y, 1)),
    ),
    "mul high": (
        lambda b, x, y, z: b.alu.mul_high(x, y, False),
        lambda x, y, z: u32(wide(x) * wide(y) >> np.uint64(32)),
    ),
    "mul high signed": (
        lambda b, x, y, z: b.alu.mul_high(x, y, True),
        lambda x, y, z: u32((signed(x).astype(np.int64) * signed(y).astype(np.int64)) >> 32),
    ),
    "umin": (lambda b, x, y, z: b.alu.extremum("umin", x, y), lambda x, y, z: np.minimum(x, y)),
    "smax": (
        lambda b, x, y, z: b.alu.extremum("smax", x, y),
        lambda x, y, z: np.maximum(signed(x), signed(y)).view(np.uint32),
    ),
    "popcount": (
        lambda b, x, y, z: b.alu.intrinsic("ctpop", x),
        lambda x, y, z: u32(np.bitwise_count(x)),
    ),
    "select": (
        lambda b, x, y, z: b.alu.select(b.alu.compare("slt", x, y), z, x),
        lambda x, y, z: np.where(signed(x) < signed(y), z, x),
    ),
    "zext trunc": (
        lambda b, x, y, z: b.alu.zext(b.alu.trunc(x, "i8"), "i32"),
        lambda x, y, z: x & 255,
    ),
    "sext": (
        lambda b, x, y, z: b.alu.sext(b.alu.trunc(x, "i16"), "i32"),
        lambda x, y, z: x.astype(np.int16).astype(np.int32).view(np.uint32),
    ),
    "join split": (
        lambda b, x, y, z: b.alu.split(b.alu.add(b.alu.join(x, y), b.alu.join(z, x)))[1],
        lambda x, y, z: u32(
            ((wide(x) | wide(y) << np.uint64(32)) + (wide(z) | wide(x) << np.uint64(32)))
            >> np.uint64(32)
        ),
    ),
    "funnel": (
        lambda b, x, y, z: b.alu.permuted(
            lambda p, q: b.alu.or_(b.alu.shl(p, const(b, 8)), b.alu.lshr(q, const(b, 24))), x, y
        ),
        lambda x, y, z: x << np.uint32(8) | y >> np.uint32(24),
    ),
    "lanes": (
        lambda b, x, y, z: b.alu.select(
            b.lanes.of_mask(b.lanes.ballot(b.alu.compare("ult", x, y))), y, z
        ),
        lambda x, y, z: np.where(x < y, y, z),
    ),
    "shuffled": (
        lambda b, x, y, z: b.lanes.shuffled(x, [lane ^ 5 for lane in range(64)]),
        lambda x, y, z: x[np.arange(64) ^ 5],
    ),
    "readlane": (
        lambda b, x, y, z: b.ir.spread(b.lanes.extract(x, const(b, 9))),
        lambda x, y, z: np.full(64, x[9]),
    ),
    "writelane": (
        lambda b, x, y, z: b.lanes.insert(x, const(b, 4), b.lanes.extract(y, const(b, 3))),
        lambda x, y, z: np.where(np.arange(64) == 4, y[3], x),
    ),
    "fadd": (
        lambda b, x, y, z: b.alu.bitcast(b.alu.float_op("fadd", *as_float(b, x, y)), "i32"),
        lambda x, y, z: (f32(x) + f32(y)).view(np.uint32),
    ),
    "fmul": (
        lambda b, x, y, z: b.alu.bitcast(b.alu.float_op("fmul", *as_float(b, x, y)), "i32"),
        lambda x, y, z: (f32(x) * f32(y)).view(np.uint32),
    ),
    "fneg": (
        lambda b, x, y, z: b.alu.bitcast(b.alu.fneg(as_float(b, x)[0]), "i32"),
        lambda x, y, z: x ^ np.uint32(1 << 31),
    ),
    "fabs": (
        lambda b, x, y, z: b.alu.bitcast(b.alu.fabs(as_float(b, x)[0]), "i32"),
        lambda x, y, z: x & np.uint32((1 << 31) - 1),
    ),
    "flushed": (
        lambda b, x, y, z: b.alu.bitcast(b.alu.flushed(as_float(b, x)[0]), "i32"),
        lambda x, y, z: np.where((x & 0x7F800000) == 0, x & np.uint32(1 << 31), x),
    ),
    "sitofp": (
        lambda b, x, y, z: b.alu.bitcast(b.alu.convert("sitofp", x, "float"), "i32"),
        lambda x, y, z: signed(x).astype(np.float32).view(np.uint32),
    ),
    "gather": (lambda b, x, y, z: gather(b, x, y), lambda x, y, z: x[y % 64]),
}


def gather(b: Builder, source: Value, index: Value) -> Value:
    b.checks.require_defined(index, "operand")
    b.rows.store(0, [source, index])
    b.runtime.call("lm_gather", b.ir.constant("i64", -1), 0, 1, 2, 0)
    return b.rows.load(2)


def launch(
    emit: Emit, values: list[np.ndarray], undefined: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Run on three operands that are loaded from memory: the words and their undefined bits."""

    def pointers(b: Builder) -> None:
        words = b.memory.load_uniform(
            abi.Space.GLOBAL, b.alu.join(b.registers.read(S[0]), b.registers.read(S[1])), 16
        )
        for register, word in zip(S[2:6], words, strict=True):
            b.registers.write(register, word)

    def offset(b: Builder, low: int, extra: int) -> Value:
        base = b.alu.join(b.registers.read(S[low]), b.registers.read(S[low + 1]))
        lane = b.alu.shl(b.alu.zext(b.registers.read(V[0]), "i64"), b.ir.constant("i64", 2))
        return b.alu.add(b.alu.add(base, lane), b.ir.constant("i64", extra))

    def load(number: int) -> Callable[[Builder], None]:
        return lambda b: b.registers.write(
            V[1 + number], b.memory.load(abi.Space.GLOBAL, offset(b, 2, 256 * number), 4)[0]
        )

    def compute(b: Builder) -> None:
        b.registers.write(V[4], b.ir.spread(emit(b, *(b.registers.read(V[n]) for n in (1, 2, 3)))))

    def store(b: Builder) -> None:
        b.memory.store(abi.Space.GLOBAL, offset(b, 4, 0), [b.registers.read(V[4])], 4)

    entry = ToyEntry(
        [
            (
                [
                    op("pointers", pointers, (S[0], S[1]), tuple(S[2:6]), undefines=True),
                    *(
                        op(f"load {n}", load(n), (S[2], S[3], V[0]), (V[1 + n],), undefines=True)
                        for n in range(3)
                    ),
                    op("compute", compute, (V[1], V[2], V[3], *EXEC), (V[4],)),
                    op("store", store, (S[4], S[5], V[0], V[4])),
                    op("end", end),
                ],
                (),
            )
        ]
    )
    machine = Launcher()
    source, out = machine.memory.allocate(768), machine.memory.allocate(256)
    machine.memory.write(source.base, b"".join(v.tobytes() for v in values))
    set_undefined(source, np.concatenate([u.view(np.uint8) for u in undefined]))
    pointers_bytes = source.base.to_bytes(8, "little") + out.base.to_bytes(8, "little")
    machine.launch(entry, (1, 1, 1), (64, 1, 1), pointers_bytes, 0)
    undefined_bits = out.contents.undefined_bits(0, 256).view(np.uint32)
    return out.data.view(np.uint32).copy(), undefined_bits


def operands(seed: int) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    values = [random.integers(0, 1 << 32, 64, np.uint64).astype(np.uint32) for _ in range(3)]
    values[0][:8] = [0, 1, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF, 0x3F800000, 31, 32]
    values[1][:8] = [0, 0, 0xFFFFFFFF, 1, 31, 32, 33, 0x3F800000]
    values[1][8:40] &= 63
    return values


@pytest.mark.parametrize("name", OPERATIONS)
def test_values_against_numpy(name: str) -> None:
    emit, reference = OPERATIONS[name]
    values = operands(1)
    nothing = [np.zeros(64, np.uint32)] * 3
    with np.errstate(all="ignore"):
        expected = reference(*values).astype(np.uint32)
    words, undefined = launch(emit, values, nothing)
    nan = np.isnan(expected.view(np.float32)) & np.isnan(words.view(np.float32))
    if name not in ("fadd", "fmul"):
        nan[:] = False  # the payload of a NaN is the host's choice, nothing else is
    assert np.array_equal(words[~nan], expected[~nan])
    assert not undefined.any()


@pytest.mark.parametrize("name", [n for n in OPERATIONS if n != "gather"])
def test_defined_bits_do_not_depend_on_undefined_ones(name: str) -> None:
    emit, reference = OPERATIONS[name]
    random = np.random.default_rng(5)
    values = operands(2)
    some = [
        (
            random.integers(0, 1 << 32, 64, np.uint64) & random.integers(0, 1 << 32, 64, np.uint64)
        ).astype(np.uint32)
        for _ in range(3)
    ]
    some = [np.where(np.arange(64) % 3 == n, 0, u).astype(np.uint32) for n, u in enumerate(some)]
    _, undefined = launch(emit, values, some)
    with np.errstate(all="ignore"):
        first = reference(*values).astype(np.uint32)
        for _ in range(300):
            flips = [random.integers(0, 1 << 32, 64, np.uint64).astype(np.uint32) & u for u in some]
            other = reference(*(v ^ f for v, f in zip(values, flips, strict=True)))
            changed = (first ^ other.astype(np.uint32)) & ~undefined
            nan = np.isnan(first.view(np.float32)) if name in ("fadd", "fmul") else False
            assert not (changed * ~np.asarray(nan)).any()


@pytest.mark.parametrize(
    ("name", "limit"),
    [("and", 32), ("xor", 32), ("shl 5", 32), ("zext trunc", 32), ("funnel", 32), ("select", 32)],
)
def test_moves_and_logic_keep_definedness_by_bit(name: str, limit: int) -> None:
    """One undefined bit in the first operand makes at most one bit of these results undefined."""
    emit, _ = OPERATIONS[name]
    bits = np.uint32(1) << (np.arange(64, dtype=np.uint32) % limit)
    values = operands(3)
    if name == "select":  # the condition stays defined
        emit = lambda b, x, y, z: b.alu.select(b.alu.compare("slt", y, z), x, y)  # noqa: E731
    nothing = np.zeros(64, np.uint32)
    _, undefined = launch(emit, values, [bits, nothing, nothing])
    assert (np.bitwise_count(undefined) <= 1).all()
