"""Triton's layouts of results and operands of matrix instructions, as bases.

    #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2],
                     instrShape = [16, 8]}>
    #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 16],
                   isTransposed = true}>
    #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{..}>, kWidth = 2}>

and NVMMADistributedLayout, AMDMFMALayout and DotOperandLayout of Gluon. A layout is built bit by
bit: each step doubles how far a dimension is reached, by registers, lanes or warps (Triton,
lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp). What a tile does not cover comes again, in
more registers; what goes beyond the tensor is the same element again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lanemap.errors import UserError

Bases = dict[str, list[list[int]]]
#: An input, a dimension, and how many times as far it reaches with the step.
Step = tuple[str, int, int]


@dataclass(frozen=True)
class Tile:
    """A layout before it is laid over a tensor.

    Attributes:
        steps: How it is built.
        held: Dimensions that warps do not divide: all warps hold the same of them.
        again: The order in which dimensions are repeated.
    """

    steps: Sequence[Step]
    held: tuple[int, ...] = ()
    again: tuple[int, ...] = (1, 0)

    @property
    def sizes(self) -> list[int]:
        """Rows and columns that it covers."""
        sizes = [1, 1]
        for name, at, factor in self.steps:
            sizes[at] *= 1 if name == "warp" and at in self.held else factor
        return sizes


def bases_of(tile: Tile, wanted: Sequence[int]) -> Bases:
    """The image of every bit of register, lane and warp in a tensor of the wanted sizes."""
    rank = len(wanted)
    bases: Bases = {"register": [], "lane": [], "warp": []}
    reached = [1] * rank

    def add(name: str, at: int, held: bool = False) -> None:
        image = [0] * rank
        image[at] = reached[at] if reached[at] < wanted[at] and not held else 0
        bases[name].append(image)
        reached[at] *= 1 if held else 2

    for name, at, factor in tile.steps:
        for _ in range(factor.bit_length() - 1):
            add(name, at, name == "warp" and at in tile.held)
    for at in tile.again:
        while reached[at] < wanted[at]:
            add("register", at)
    return bases


def tile_of(kind: str, fields: Mapping[str, Any]) -> Tile:
    """The tile of an encoding.

    Args:
        kind: "nvidia_mma", "amd_mfma" or "dot_op".
        fields: Its fields, by MLIR's names or Gluon's.

    Raises:
        UserError: A field is missing, or the encoding is one that is not known.
    """
    if kind == "dot_op":
        return _operand(fields)
    return _mfma(fields) if kind == "amd_mfma" else _mma(fields)


def _field(fields: Mapping[str, Any], what: str, *names: str) -> Any:
    for name in names:
        if name in fields:
            return fields[name]
    raise UserError(f"the layout {what} has no {names[0]}")


def _powers(what: str, values: Iterable[Any]) -> list[int]:
    found = list(values)
    if any(not isinstance(each, int) or each < 1 or each & (each - 1) for each in found):
        raise UserError(f"{what} is {found}, but Triton's sizes are powers of two")
    return found


def _warps(fields: Mapping[str, Any], what: str, order: Sequence[int]) -> list[Step]:
    warps = _powers("warpsPerCTA", _field(fields, what, "warpsPerCTA", "warps_per_cta"))
    if len(warps) != 2:
        raise UserError(f"warpsPerCTA has {len(warps)} numbers; layouts of two dimensions are read")
    return [("warp", at, warps[at]) for at in order]


def _version(fields: Mapping[str, Any]) -> int:
    version = fields.get("versionMajor", fields.get("version"))
    version = version[0] if isinstance(version, tuple) else version
    if version not in (2, 3):
        raise UserError(
            f"version {version} of nvidia_mma is not read: 2 (mma.sync) and 3 (wgmma) are"
        )
    return int(version)


def _mma(fields: Mapping[str, Any]) -> Tile:
    """D: pairs of columns, four lanes across, eight down, the rows 8 below, the other columns."""
    version = _version(fields)
    shape = _field(fields, "nvidia_mma", "instrShape", "instr_shape")
    if len(shape) < 2 or shape[0] != 16:
        raise UserError(f"instrShape {list(shape)} is not 16 rows by columns")
    (columns,) = _powers("the number of columns", [shape[1] // 8])
    steps = [("register", 1, 2), ("lane", 1, 4), ("lane", 0, 8), ("register", 0, 2)]
    steps.append(("register", 1, columns))
    return Tile([*steps, *_warps(fields, "nvidia_mma", _order(version))])


def _order(version: int) -> tuple[int, int]:
    """Which dimension the lowest bits of the warp divide: of warpgroups the rows."""
    return (0, 1) if version == 3 else (1, 0)


def _mfma(fields: Mapping[str, Any]) -> Tile:
    """D: four rows a lane, lanes across, groups of lanes below, then the other rows."""
    side = _side(fields)
    transposed = str(_field(fields, "amd_mfma", "isTransposed", "transposed")).lower() == "true"
    down, across = (1, 0) if transposed else (0, 1)
    groups = 64 // side
    steps = [("register", down, 4), ("lane", across, side), ("lane", down, groups)]
    steps.append(("register", down, side // (4 * groups)))
    return Tile([*steps, *_warps(fields, "amd_mfma", (1, 0))])


def _side(fields: Mapping[str, Any]) -> int:
    shape = _field(fields, "amd_mfma", "instrShape", "instr_shape")
    tiles = fields.get("tilesPerWarp", fields.get("tiles_per_warp", (1, 1)))
    if (
        list(shape[:2]) not in ([32, 32], [16, 16])
        or isinstance(tiles, tuple)
        and set(tiles) != {1}
    ):
        raise UserError(
            f"instrShape {list(shape)} with tilesPerWarp {tiles} is not read: 32 x 32 and 16 x 16 "
            "with one tile a warp are"
        )
    return int(shape[0])


def _operand(fields: Mapping[str, Any]) -> Tile:
    """A or B: kWidth elements of k a lane, then lanes, and k again in more registers."""
    number = _field(fields, "dot_op", "opIdx", "operand_index")
    if number not in (0, 1):
        raise UserError(f"opIdx is {number}, and there are operands 0 and 1")
    parent = _field(fields, "dot_op", "parent")
    if not isinstance(parent, Mapping):
        raise UserError(
            f"the parent {parent} of dot_op is the name of another layout; write that layout in "
            "its place, as in parent = #ttg.nvidia_mma<{..}>"
        )
    kinds = {"nvidia_mma": "nvidia", "NVMMADistributedLayout": "nvidia", "amd_mfma": "amd",
             "AMDMFMALayout": "amd"}  # fmt: skip
    kind = kinds.get(str(parent.get("kind", "")).split(".")[-1].lstrip("#"))
    (width,) = _powers("kWidth", [_field(fields, "dot_op", "kWidth", "k_width")])
    k, line = (1, 0) if number == 0 else (0, 1)
    if kind == "nvidia":
        order = _order(_version(parent))
        steps = [("register", k, width), ("lane", k, 4), ("lane", line, 8)]
        steps += [("register", line, 2)] if number == 0 else []
        steps.append(("register", k, 2))
    elif kind == "amd":
        order = (1, 0)
        side = _side(parent)
        steps = [("register", k, width), ("lane", line, side), ("lane", k, 64 // side)]
    else:
        raise UserError("the parent of dot_op is neither nvidia_mma nor amd_mfma")
    return Tile([*steps, *_warps(parent, "dot_op", order)], held=(k,), again=(k, line))
