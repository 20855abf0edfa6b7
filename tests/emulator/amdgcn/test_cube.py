"""Cube map instructions against the table of faces of OpenGL 4.6, 8.13."""

from __future__ import annotations

import numpy as np

from .numbers import assert_same, samples
from .test_floats import evaluate

#: By face (+x, -x, +y, -y, +z, -z): where S and T come from, and their signs.
SIDES = ((-3, -2), (3, -2), (1, 3), (1, -3), (1, -2), (-1, -2))


def _part(axes: list[np.float32], which: int) -> np.float32:
    value = axes[abs(which) - 1]
    return np.float32(-value) if which < 0 else value


def test_faces_and_their_coordinates() -> None:
    """Where sizes are equal, z comes before y, and y before x (AMD CDNA4 ISA, V_CUBEID_F32)."""
    sources = [samples("f32", seed) for seed in (750, 751, 752)]
    for source in sources:
        source[np.isnan(source)] = np.float32(0.25)
    for row, axes in enumerate(([1, 1, 1], [-2, 2, 1], [2, -2, 2], [-3, 1, 3], [0.0, -0.0, 0])):
        for source, value in zip(sources, axes, strict=True):
            source[row] = value
    expected = np.zeros((4, len(sources[0])), np.float32)
    for lane, axes in enumerate(zip(*sources, strict=True)):
        sizes = [abs(axis) for axis in axes]
        axis = 2 - sizes[::-1].index(max(sizes))
        face = 2 * axis + int(axes[axis] < 0)
        s, t = SIDES[face]
        with np.errstate(over="ignore"):
            twice = axes[axis] * np.float32(2)
        expected[:, lane] = [face, _part(list(axes), s), _part(list(axes), t), twice]
    for name, row in zip(("id", "sc", "tc", "ma"), expected, strict=True):
        assert_same(evaluate(f"v_cube{name}_f32", "f32", sources), row, *sources)
