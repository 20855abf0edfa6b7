"""Colors of pictures: readable, and apart for people who are color-blind."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.drawing.palette import HUES, INK, colors, hexadecimal, rgba

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
# Deficiency, IEEE TVCG 15(6), 2009: the matrices of severity 1, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
# IEC 61966-2-1: sRGB to XYZ of D65.
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def linear(color: np.ndarray) -> np.ndarray:
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    """CIE 1976 L*a*b* of linear RGB."""
    parts = light @ XYZ.T / WHITE
    f = np.where(parts > 0.008856, np.cbrt(np.maximum(parts, 0)), 7.787 * parts + 16 / 116)
    return np.stack(
        [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1
    )


@pytest.mark.parametrize("sight", SIGHT)
def test_hues_are_apart_however_one_sees_colors(sight: str) -> None:
    hues = np.array([rgba(hue)[:3] for hue in HUES])
    seen = lab(np.clip(linear(hues) @ np.array(SIGHT[sight]).T, 0, 1))
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=-1)
    neighbors = [apart[at, (at + 1) % len(HUES)] for at in range(len(HUES))]
    assert min(neighbors) > 25  # 2.3 is what a person just notices
    assert apart[np.triu_indices(len(HUES), 1)].min() > 10


@pytest.mark.parametrize("count", [3, 8, 32, 64, 128])
def test_letters_are_readable_on_every_color(count: int) -> None:
    """The contrast of WCAG 2.1, 1.4.3, of which level AA wants 4.5."""
    light = linear(colors(count)[:, :3]) @ XYZ[1] + 0.05
    ink = float(linear(rgba(INK)[:3]) @ XYZ[1]) + 0.05
    assert light.min() / ink > 4.5


@pytest.mark.parametrize("count", [1, 8, 9, 32, 64, 128, 200])
def test_each_thing_has_a_color_of_its_own(count: int) -> None:
    found = [hexadecimal(each) for each in colors(count)]
    assert len(set(found)) == len(found) == count
