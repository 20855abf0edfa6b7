"""Faces and coordinates of cube maps."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.floats import three
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP3, instruction
from lanemap.emulator.codegen.values import Value

_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"


def _by_axis(
    c: Context, axes: tuple[Value, Value, Value], results: tuple[Value, Value, Value]
) -> Value:
    """The result of the axis of largest size: z, then y, then x where sizes are equal."""
    alu = c.alu
    x, y, z = (alu.fabs(axis) for axis in axes)
    along_z = alu.and_(alu.compare("oge", z, x), alu.compare("oge", z, y))
    rest = alu.select(alu.compare("oge", y, x), results[1], results[0])
    return alu.select(along_z, results[2], rest)


def _by_sign(c: Context, value: Value, negative: Value, other: Value) -> Value:
    below = c.alu.compare("olt", value, c.constant("float", 0))
    return c.alu.select(below, negative, other)


def _number(c: Context, value: float) -> Value:
    return c.alu.convert("sitofp", c.constant("i32", int(value)), "float")


@instruction("v_cubeid_f32", three("f32"), VOP3, cite=_VOP3)
def v_cubeid(c: Context, x: Value, y: Value, z: Value) -> Value:
    """The face: 0 to 5 are +x, -x, +y, -y, +z, -z."""
    faces = [
        _by_sign(c, axis, _number(c, 2 * number + 1), _number(c, 2 * number))
        for number, axis in enumerate((x, y, z))
    ]
    return _by_axis(c, (x, y, z), (faces[0], faces[1], faces[2]))


@instruction("v_cubesc_f32", three("f32"), VOP3, cite=_VOP3)
def v_cubesc(c: Context, x: Value, y: Value, z: Value) -> Value:
    """The coordinate S of the face, not yet divided by the axis."""
    minus = c.alu.fneg
    along_x, along_z = _by_sign(c, x, z, minus(z)), _by_sign(c, z, minus(x), x)
    return _by_axis(c, (x, y, z), (along_x, x, along_z))


@instruction("v_cubetc_f32", three("f32"), VOP3, cite=_VOP3)
def v_cubetc(c: Context, x: Value, y: Value, z: Value) -> Value:
    """The coordinate T of the face, not yet divided by the axis."""
    minus = c.alu.fneg
    return _by_axis(c, (x, y, z), (minus(y), _by_sign(c, y, minus(z), z), minus(y)))


@instruction("v_cubema_f32", three("f32"), VOP3, cite=_VOP3)
def v_cubema(c: Context, x: Value, y: Value, z: Value) -> Value:
    """Twice the coordinate along the axis of largest size."""
    return c.alu.float_op("fmul", _by_axis(c, (x, y, z), (x, y, z)), _number(c, 2))
