"""Syntax tables of the PTX ISA: textures and surfaces.

NVIDIA PTX ISA 9.0, Texture Instructions (9.7.10): tex, tld4, txq; Surface Instructions (9.7.11):
suld, sust, sured, suq. istypep is in memory.py.

In unified mode a texture is a 64-bit handle, as compilers write it. In independent mode a texture
and a sampler are variables of the text (`rows.head`).
"""

from __future__ import annotations

import itertools

from lanemap.conformance.forms.rows import Row, Sets

_SETS: Sets = {
    "type": "u32 s32 f16 f32", "coordinate": "s32 f32", "mipmap": "base",
    "component": "r g b a", "footprint": "u32 s32 f32",
    "of_texture": "width height depth channel_data_type channel_order normalized_coords array_size "
    "num_mipmap_levels num_samples",
    "of_level": "width height depth",
    "of_sampler": "force_unnormalized_coords filter_mode addr_mode_0 addr_mode_1 addr_mode_2",
    "of_surface": "width height depth channel_data_type channel_order array_size memory_layout",
    "load_cop": "ca cg cs cv", "store_cop": "wb cg cs wt", "vec": "v2 v4", "bits": "b8 b16 b32 b64",
    "clamp": "trap clamp zero", "op": "add min max and or", "word": "u32 u64 s32 b32 s64",
    "sample": "b32 b64",
}  # fmt: skip
#: Elements of the coordinates, by geometry. Of some, the last element is ignored.
_COORDINATES = {"1d": 1, "2d": 2, "3d": 4, "a1d": 2, "a2d": 4, "cube": 4, "acube": 4, "2dms": 4,
                "a2dms": 4}  # fmt: skip
#: Elements of an offset; cubes have none.
_OFFSETS = {"1d": 1, "2d": 2, "3d": 4, "a1d": 1, "a2d": 2, "2dms": 2, "a2dms": 2}
#: Elements of each of the two gradients; textures of several samples have none.
_GRADIENTS = {"1d": 1, "2d": 2, "3d": 4, "a1d": 1, "a2d": 2, "cube": 4, "acube": 4}
_MODES = {"entry": "d0", "independent": "texture,sampler"}


def _list(first: int, count: int) -> str:
    """A list of registers, as one operand word."""
    return "={" + ",".join(f"r{first + i}" for i in range(count)) + "}"


def _from(handle: str, geometry: str) -> str:
    """A texture or surface with its coordinates, as one operand word."""
    return f"=[{handle},{_list(20, _COORDINATES[geometry])[1:]}]"


def _fetches(name: str, geometry: str, result: str, levels: str = "") -> list[Row]:
    """A fetch with every choice of residency predicate, offset, depth compare and mode.

    Args:
        name: Opcode with modifiers.
        geometry: Its geometry.
        result: The operand word of the destination.
        levels: Operand words between coordinates and offset.
    """
    rows = []
    offsets = ("", "offset") if geometry in _OFFSETS else ("",)
    choices = itertools.product(_MODES.items(), ("", "predicate"), offsets, ("", "compare"))
    for (context, handles), *others in choices:
        predicate, offset, compare = others
        operands = [result + ("|pred" if predicate else ""), _from(handles, geometry), levels]
        if offset:
            operands.append(_list(40, _OFFSETS[geometry]))
        if compare:
            # Without its type ptxas takes it for an offset.
            operands.append("=f1")
        independent = "independent mode" if context == "independent" else ""
        shape = " and ".join(filter(None, (independent, *others)))
        rows.append(Row(name, " ".join(operands), _SETS, shape, context))
    return rows


def _tex() -> list[Row]:
    rows = []
    for geometry, (vector, kind) in itertools.product(
        _COORDINATES, (("4", "v4.type"), ("2", "v2.f16x2"))
    ):
        result = f"{vector}*{kind.partition('.')[2]}"
        end = f"{geometry}.{kind}.coordinate"
        rows += _fetches(f"tex{{.mipmap}}.{end}", geometry, result)
        # The type of a level follows that of the coordinates: 32 bits.
        rows += _fetches(f"tex.level.{end}", geometry, result, "coordinate")
        if geometry in _GRADIENTS:
            count = _GRADIENTS[geometry]
            gradients = f"{_list(50, count)} {_list(60, count)}"
            rows += _fetches(f"tex.grad.{end}", geometry, result, gradients)
    return rows


def _footprints() -> list[Row]:
    return [
        row
        for geometry in ("2d", "a2d", "cube", "acube")
        for row in _fetches(f"tld4.component.{geometry}.v4.footprint.f32", geometry, "4*footprint")
    ]


TEXTURE_ROWS = [
    *_tex(),
    *_footprints(),
    Row("txq.of_texture.b32", "b32 =[d0]", _SETS),
    Row("txq.level.of_level.b32", "b32 =[d0] b32", _SETS),
    Row("txq.of_sampler.b32", "b32 =[d0]", _SETS),
    Row("txq.of_texture.b32", "b32 =[texture]", _SETS, "independent mode", "independent"),
    Row("txq.level.of_level.b32", "b32 =[texture] b32", _SETS, "independent mode", "independent"),
    Row("txq.of_sampler.b32", "b32 =[sampler]", _SETS, "independent mode", "independent"),
]


def _surfaces() -> list[Row]:
    rows = []
    for geometry in ("1d", "2d", "3d", "a1d", "a2d"):
        where = _from("d0", geometry)
        rows += [
            Row(
                f"suld.b.{geometry}{{.load_cop}}{{.vec}}.bits{{.clamp}}", f"vec*bits {where}", _SETS
            ),
            Row(
                f"sust.b.{geometry}{{.store_cop}}{{.vec}}.bits{{.clamp}}",
                f"{where} vec*bits",
                _SETS,
            ),
        ]
        if geometry in ("1d", "2d", "3d"):
            rows += [
                Row(f"sust.p.{geometry}{{.vec}}.b32{{.clamp}}", f"{where} vec*b32", _SETS),
                Row(f"sured.b.op.{geometry}.word.clamp", f"{where} word", _SETS),
                Row(f"sured.p.op.{geometry}.sample.clamp", f"{where} sample", _SETS),
            ]
    return rows


SURFACE_ROWS = [*_surfaces(), Row("suq.of_surface.b32", "b32 =[d0]", _SETS)]
