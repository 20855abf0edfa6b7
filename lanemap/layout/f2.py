"""Linear algebra over F2, and the affine fit of a layout map over the bits of its coordinates.

The code of a cell joins the bits of its coordinates. Each axis gets as many bits as its largest
coordinate needs, and the fastest axis gets the lowest bits. If every size is a power of two, the
code of a cell is its index.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap, Space
from lanemap.layout.expressions import (
    Constant,
    Expression,
    Operation,
    Variable,
    join,
    render,
)

BitMatrix = npt.NDArray[np.uint8]
AxisBit = tuple[str, int]


def axis_bits(space: Space) -> tuple[AxisBit, ...]:
    """The (axis, bit) pairs of a space's code, lowest first: those of the fastest axis first."""
    return tuple(
        (axis, bit) for axis, size in reversed(space.axes) for bit in range((size - 1).bit_length())
    )


def encode(space: Space, cells: IntArray) -> IntArray:
    """The codes of cells (indices), int64."""
    codes = np.zeros(cells.shape, dtype=np.int64)
    shift = 0
    for (_, size), stride in zip(reversed(space.axes), reversed(space.strides), strict=True):
        codes |= (cells // stride % size) << shift
        shift += (size - 1).bit_length()
    return codes


def decode(space: Space, codes: IntArray) -> IntArray:
    """The indices of codes; -1 for a code of no cell (sizes that are not powers of two)."""
    cells = np.zeros(codes.shape, dtype=np.int64)
    outside = np.zeros(codes.shape, dtype=bool)
    shift = 0
    for (_, size), stride in zip(reversed(space.axes), reversed(space.strides), strict=True):
        width = (size - 1).bit_length()
        value = (codes >> shift) & ((1 << width) - 1)
        outside |= value >= size
        cells += value * stride
        shift += width
    return np.where(outside, UNDEFINED, cells)


def rank_f2(matrix: BitMatrix) -> int:
    """The rank over F2 of a 0/1 matrix of any shape."""
    return len(_echelon([_pack(row) for row in matrix]))


def invert_f2(matrix: BitMatrix) -> BitMatrix:
    """The inverse over F2 of a square 0/1 matrix, uint8.

    Raises:
        UserError: The matrix is not square or has no inverse.
    """
    size = matrix.shape[0]
    if matrix.shape != (size, size):
        raise UserError(f"only a square matrix has an inverse, not one of shape {matrix.shape}")
    work: BitMatrix = np.zeros((size, 2 * size), dtype=np.uint8)
    work[:, :size] = matrix & 1
    work[:, size:] = np.eye(size, dtype=np.uint8)
    for column in range(size):
        rows = np.flatnonzero(work[column:, column]) + column
        if rows.size == 0:
            raise UserError(f"no inverse over F2: the rank is {rank_f2(matrix)} of {size}")
        work[[column, rows[0]]] = work[[rows[0], column]]
        others = np.flatnonzero(work[:, column])
        others = others[others != column]
        work[others] ^= work[column]
    inverse: BitMatrix = work[:, size:].copy()
    return inverse


def map_from_f2(
    destination: Space, source: Space, matrix: BitMatrix, offset: BitMatrix | None = None
) -> LayoutMap:
    """The layout map source code = matrix x destination code + offset.

    Args:
        destination: Its code has as many bits as `matrix` has columns.
        source: Its code has as many bits as `matrix` has rows.
        matrix: 0/1, shape [source bits, destination bits], lowest bits first.
        offset: 0/1, shape [source bits]; none means zero.

    Raises:
        UserError: A shape does not fit, or a destination cell would receive no cell.
    """
    shape = (len(axis_bits(source)), len(axis_bits(destination)))
    if matrix.shape != shape or (offset is not None and offset.shape != shape[:1]):
        raise UserError(f"a map from {source} to {destination} needs a matrix of shape {shape}")
    start = 0 if offset is None else _pack(offset)
    codes = encode(destination, np.arange(destination.size, dtype=np.int64))
    table = decode(source, _apply([_pack(c) for c in matrix.T], start, codes))
    if table.min(initial=0) < 0:
        cell = destination.format(int(np.argmin(table)))
        raise UserError(f"the matrix sends {cell} outside {source}")
    return LayoutMap(destination, source, table)


@dataclass(frozen=True)
class NotAffine:
    """A witness that a map is not affine over F2.

    Attributes:
        destination: Space of `cells`.
        source: Space of `sources`.
        cells: An even number of destination cells whose codes XOR to zero.
        sources: Their source cells, whose codes do not XOR to zero (-1: undefined).
        bits: The (axis, bit) pairs of the source code whose XOR is not zero.
    """

    destination: Space
    source: Space
    cells: tuple[int, ...]
    sources: tuple[int, ...]
    bits: tuple[AxisBit, ...]

    def __str__(self) -> str:
        pairs = zip(self.cells, self.sources, strict=True)
        listed = "; ".join(
            f"{self.destination.format(c)} <- {self.source.format(s)}" for c, s in pairs
        )
        if UNDEFINED in self.sources:
            return f"the defined cells are no affine subspace: {listed}"
        bits = ", ".join(f"{axis} bit {bit}" for axis, bit in self.bits)
        return f"not affine over F2 in {bits}: these cells XOR to zero, not their sources: {listed}"


@dataclass(frozen=True, eq=False)
class F2Fit:
    """A layout map as source code = matrix x destination code + offset over F2, on every cell.

    Attributes:
        destination: The space that receives.
        source: The space that gives.
        matrix: uint8[source bits, destination bits], in the order of `axis_bits`.
        offset: uint8[source bits].
        rank: The rank of `matrix`.
        conditions: uint8[k, destination bits + 1]: the cell is defined where every row's XOR of
            its bits equals the last column; no rows for a total map.
        free: Destination bits that no pair of defined cells shows; their columns are zero.
    """

    destination: Space
    source: Space
    matrix: BitMatrix
    offset: BitMatrix
    rank: int
    conditions: BitMatrix
    free: tuple[AxisBit, ...] = field(default=())

    kind = "f2"

    @property
    def is_one_to_one(self) -> bool:
        """Whether no source cell goes to two destinations."""
        return self.to_map().is_one_to_one

    def to_map(self) -> LayoutMap:
        """The layout map that the matrix states, cell by cell."""
        codes = encode(self.destination, np.arange(self.destination.size, dtype=np.int64))
        columns = [_pack(column) for column in self.matrix.T]
        table = decode(self.source, _apply(columns, _pack(self.offset), codes))
        for row in self.conditions:
            table = np.where(_parity(codes & _pack(row[:-1])) == row[-1], table, UNDEFINED)
        return LayoutMap(self.destination, self.source, table)

    def expressions(self) -> dict[str, Expression]:
        """The coordinate along each source axis as an expression of the destination's."""
        result: dict[str, Expression] = {}
        rows = axis_bits(self.source)
        for axis in self.source.names:
            chosen = [i for i, (name, _) in enumerate(rows) if name == axis]
            result[axis] = self._axis_expression(chosen)
        return result

    def condition(self) -> Expression | None:
        """Where the map is defined; None for everywhere."""
        columns = axis_bits(self.destination)
        terms: list[Expression] = []
        for row in self.conditions:
            bits = [columns[i] for i in np.flatnonzero(row[:-1])]
            parity = join("^", [_bit(axis, bit) for axis, bit in bits])
            terms.append(Operation("==", parity, Constant(int(row[-1]))))
        return join("&&", terms) if terms else None

    def formula(self) -> str:
        """The index formula, one line for each source axis, as in `lane = (lane & 48) | ..`."""
        lines = [f"{self.source.name}.{a} = {render(e, 'formula')}" for a, e in self._items()]
        condition = self.condition()
        if condition is not None:
            lines.append(f"defined where {render(condition, 'formula')}")
        return "\n".join(lines)

    def inverse(self) -> F2Fit:
        """The inverse of a total one-to-one map between spaces with equal numbers of bits.

        Raises:
            UserError: The matrix has no inverse, or the map is partial.
        """
        if self.conditions.size:
            raise UserError("a partial map has no inverse matrix; invert its table and fit that")
        matrix = invert_f2(self.matrix)
        offset = ((matrix @ self.offset) & 1).astype(np.uint8)
        none = np.zeros((0, matrix.shape[1] + 1), dtype=np.uint8)
        return F2Fit(self.source, self.destination, matrix, offset, self.rank, none)

    def _items(self) -> list[tuple[str, Expression]]:
        return list(self.expressions().items())

    def _axis_expression(self, rows: list[int]) -> Expression:
        """Bits that are shifted by the same distance share one mask and one shift."""
        columns = axis_bits(self.destination)
        masks: dict[tuple[str, int], int] = {}
        for out, row in enumerate(rows):
            for column in np.flatnonzero(self.matrix[row]):
                axis, bit = columns[column]
                key = (axis, out - bit)
                masks[key] = masks.get(key, 0) | (1 << bit)
        order = {name: i for i, name in enumerate(self.destination.names)}
        terms, seen, overlap = [], 0, False
        for (axis, shift), mask in sorted(masks.items(), key=lambda m: (order[m[0][0]], m[0][1])):
            moved = mask << shift if shift >= 0 else mask >> -shift
            overlap, seen = overlap or bool(seen & moved), seen | moved
            terms.append(_shifted(axis, mask, shift, self.destination.axis_size(axis)))
        constant = _pack(self.offset[rows])
        overlap = overlap or bool(seen & constant)
        return join("^" if overlap else "|", [*terms, Constant(constant)])


def fit_f2(layout: LayoutMap) -> F2Fit | NotAffine:
    """Fit a layout map over F2 and check it on every cell.

    Args:
        layout: Any map; sizes that are not powers of two and undefined cells are allowed.

    Returns:
        The fit, or a witness that the map is not affine.

    Raises:
        UserError: No cell of the map is defined.
    """
    cells = np.flatnonzero(layout.defined)
    if cells.size == 0:
        raise UserError("there is nothing to fit: every cell is undefined")
    xs = encode(layout.destination, cells)
    ys = encode(layout.source, layout.table[cells])
    basis = _basis_cells(xs)
    width = len(axis_bits(layout.destination))
    columns, free = _solve(xs, ys, basis, width)
    start = int(ys[0]) ^ int(_apply(columns, 0, xs[:1])[0])
    wrong = np.flatnonzero(_apply(columns, start, xs) != ys)
    if wrong.size:
        return _witness(layout, xs, ys, basis, int(wrong[0]))
    conditions = _hull_conditions(xs, width)
    hole = _first_hole(layout, conditions)
    if hole is not None:
        members = _dependence(encode(layout.destination, np.array([hole])), xs, basis)
        chosen = (hole, *(int(cells[i]) for i in members))
        sources = tuple(int(layout.table[cell]) for cell in chosen)
        return NotAffine(layout.destination, layout.source, chosen, sources, ())
    height = len(axis_bits(layout.source))
    matrix = np.array([_unpack(c, height) for c in columns], np.uint8).reshape(width, height).T
    return F2Fit(
        layout.destination,
        layout.source,
        np.ascontiguousarray(matrix),
        _unpack(start, height),
        len(_echelon(columns)),
        conditions,
        tuple(axis_bits(layout.destination)[i] for i in free),
    )


def _pack(bits: BitMatrix) -> int:
    return sum(1 << i for i, bit in enumerate(bits) if bit)


def _unpack(value: int, width: int) -> BitMatrix:
    return np.array([(value >> i) & 1 for i in range(width)], dtype=np.uint8)


def _apply(columns: list[int], start: int, codes: IntArray) -> IntArray:
    """The image of codes under a matrix given by its columns."""
    result = np.full(codes.shape, start, dtype=np.int64)
    for bit, column in enumerate(columns):
        if column:
            result ^= ((codes >> bit) & 1) * column
    return result


def _parity(codes: IntArray) -> IntArray:
    for shift in (32, 16, 8, 4, 2, 1):
        codes = codes ^ (codes >> shift)
    return codes & 1


def _echelon(vectors: list[int]) -> list[int]:
    """A basis of the span, each with a leading bit of its own."""
    basis: list[int] = []
    for vector in vectors:
        for known in basis:
            vector = min(vector, vector ^ known)
        if vector:
            basis.append(vector)
    return basis


def _basis_cells(xs: IntArray) -> list[int]:
    """Positions in `xs`: the first, and those that first leave the affine hull of the earlier."""
    chosen = [0]
    rest = xs ^ xs[0]
    while np.any(rest):
        # Starting at the smallest cell gives unit steps where possible, and so short witnesses.
        position = int(np.flatnonzero(rest)[0])
        chosen.append(position)
        vector = int(rest[position])
        lead = vector.bit_length() - 1
        rest = rest ^ (((rest >> lead) & 1) * vector)
    return chosen


def _solve(xs: IntArray, ys: IntArray, basis: list[int], width: int) -> tuple[list[int], list[int]]:
    """The matrix's columns from the basis cells, and the destination bits left free."""
    rows: dict[int, tuple[int, int]] = {}
    for position in basis[1:]:
        x, y = int(xs[position] ^ xs[0]), int(ys[position] ^ ys[0])
        for lead, (known_x, known_y) in rows.items():
            if (x >> lead) & 1:
                x, y = x ^ known_x, y ^ known_y
        lead = x.bit_length() - 1
        for other, (known_x, known_y) in rows.items():
            if (known_x >> lead) & 1:
                rows[other] = (known_x ^ x, known_y ^ y)
        rows[lead] = (x, y)
    columns = [rows[bit][1] if bit in rows else 0 for bit in range(width)]
    return columns, [bit for bit in range(width) if bit not in rows]


def _hull_conditions(xs: IntArray, width: int) -> BitMatrix:
    """The parity checks of the affine hull of codes: uint8[k, width + 1], the value last."""
    vectors = _echelon(_differences(xs))
    span: BitMatrix = np.zeros((len(vectors), width), dtype=np.uint8)
    for number, vector in enumerate(vectors):
        span[number] = _unpack(vector, width)
    pivots: list[int] = []
    row = 0
    for column in range(width):
        hits = np.flatnonzero(span[row:, column]) + row
        if hits.size == 0:
            continue
        span[[row, hits[0]]] = span[[hits[0], row]]
        others = np.flatnonzero(span[:, column])
        span[others[others != row]] ^= span[row]
        pivots.append(column)
        row += 1
    checks = []
    first = _unpack(int(xs[0]), width)
    for column in (c for c in range(width) if c not in pivots):
        check = np.zeros(width, dtype=np.uint8)
        check[column] = 1
        check[pivots] = span[: len(pivots), column]
        checks.append(np.append(check, np.uint8(int(check @ first) & 1)))
    return np.array(checks, dtype=np.uint8).reshape(len(checks), width + 1)


def _differences(xs: IntArray) -> list[int]:
    return [int(xs[position] ^ xs[0]) for position in _basis_cells(xs)[1:]]


def _first_hole(layout: LayoutMap, conditions: BitMatrix) -> int | None:
    """An undefined cell inside the affine hull of the defined ones, if any."""
    codes = encode(layout.destination, np.arange(layout.destination.size, dtype=np.int64))
    inside = ~layout.defined
    for row in conditions:
        inside &= _parity(codes & _pack(row[:-1])) == row[-1]
    holes = np.flatnonzero(inside)
    return int(holes[0]) if holes.size else None


def _dependence(x: IntArray, xs: IntArray, basis: list[int]) -> list[int]:
    """Positions of basis cells whose codes XOR to `x`'s; an odd number of them."""
    rest, used = int(x[0]) ^ int(xs[0]), 0
    rows: list[tuple[int, int]] = []
    for number, position in enumerate(basis[1:], start=1):
        vector, members = int(xs[position] ^ xs[0]), 1 << number
        for known, known_members in rows:
            if min(vector, vector ^ known) != vector:
                vector, members = vector ^ known, members ^ known_members
        rows.append((vector, members))
    for known, members in rows:
        if min(rest, rest ^ known) != rest:
            rest, used = rest ^ known, used ^ members
    positions = [basis[i] for i in range(1, len(basis)) if (used >> i) & 1]
    return positions if len(positions) % 2 else [0, *positions]


def _witness(
    layout: LayoutMap, xs: IntArray, ys: IntArray, basis: list[int], wrong: int
) -> NotAffine:
    """Cells that XOR to zero and sources that do not: four cells where that can be had."""
    members = [wrong, *_dependence(xs[wrong : wrong + 1], xs, basis)]
    place = {int(x): i for i, x in enumerate(xs)}
    while len(members) > 4:
        # Three of the cells have a fourth corner. Either these four cells violate, or the corner
        # and the rest do.
        head, tail = members[:3], members[3:]
        corner = place.get(int(xs[head[0]] ^ xs[head[1]] ^ xs[head[2]]))
        if corner is None:
            break
        four = [*head, corner]
        members = four if np.bitwise_xor.reduce(ys[four]) else [corner, *tail]
    cells = np.flatnonzero(layout.defined)[members]
    violated = int(np.bitwise_xor.reduce(ys[members]))
    bits = axis_bits(layout.source)
    return NotAffine(
        layout.destination,
        layout.source,
        tuple(int(cell) for cell in cells),
        tuple(int(layout.table[cell]) for cell in cells),
        tuple(bit for i, bit in enumerate(bits) if (violated >> i) & 1),
    )


def _bit(axis: str, bit: int) -> Expression:
    shifted: Expression = Variable(axis)
    if bit:
        shifted = Operation(">>", shifted, Constant(bit))
    return Operation("&", shifted, Constant(1))


def _shifted(axis: str, mask: int, shift: int, size: int) -> Expression:
    """(axis & mask) << shift, without masks and shifts that change nothing."""
    whole = (1 << (size - 1).bit_length()) - 1
    kept = whole & ~((1 << -shift) - 1) if shift < 0 else whole
    term: Expression = Variable(axis)
    if mask != kept:
        term = Operation("&", term, Constant(mask))
    if shift > 0:
        return Operation("<<", term, Constant(shift))
    return Operation(">>", term, Constant(-shift)) if shift < 0 else term
