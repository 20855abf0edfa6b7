"""The sheet of `canvas.Canvas` as pixels, drawn by Pillow: for hundreds of small pictures.

It draws what the other draws, without its finest lines, about ten times as fast.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from lanemap.drawing.palette import INK, PAPER, Colors

POINTS = 72.0
_ANCHORS = {"center": "mm", "left": "lm", "right": "rm"}


class Raster:
    """A sheet whose origin is the upper left corner; all lengths are in inches."""

    def __init__(self, width: float, height: float, dpi: int = 80) -> None:
        self.dpi, self.height = dpi, height
        self._image = Image.new("RGB", (round(width * dpi), round(height * dpi)), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def boxes(self, left: Any, top: Any, width: float, height: float, colors: Colors) -> None:
        """Boxes of one size at arrays of places, each in its own color."""
        x, y = (np.asarray(each, float).reshape(-1) * self.dpi for each in (left, top))
        across, down = width * self.dpi, height * self.dpi
        shades = np.round(colors.reshape(-1, 4)[:, :3] * 255).astype(int).tolist()
        for a, b, shade in zip(x.tolist(), y.tolist(), shades, strict=True):
            self._draw.rectangle((a, b, a + across - 1, b + down - 1), fill=tuple(shade))

    def label(
        self, x: float, y: float, text: str, size: float, color: str = INK, align: str = "center"
    ) -> None:
        """A short label."""
        mask = _stamp(text, size * self.dpi / POINTS)
        left = x * self.dpi - mask.width * {"center": 0.5, "left": 0.0, "right": 1.0}[align]
        self._image.paste(color, (round(left), round(y * self.dpi - mask.height / 2)), mask)

    def text(
        self, x: float, y: float, text: str, size: float, color: str = INK, **more: Any
    ) -> None:
        """Ordinary text, its middle at y; `ha` and `fontweight` as of matplotlib."""
        font = _font(size * self.dpi / POINTS, bold=more.get("fontweight") == "bold")
        anchor = _ANCHORS[more.get("ha", "left")]
        self._draw.text((x * self.dpi, y * self.dpi), text, color, font, anchor)

    def image(self, left: float, top: float, width: float, height: float, pixels: Colors) -> None:
        """A picture of (rows, columns, 4) colors, stretched to a box."""
        small = Image.fromarray(np.round(pixels[..., :3] * 255).astype(np.uint8))
        size = max(1, round(width * self.dpi)), max(1, round(height * self.dpi))
        place = round(left * self.dpi), round(top * self.dpi)
        self._image.paste(small.resize(size, Image.Resampling.NEAREST), place)

    def png(self) -> bytes:
        """The sheet as a PNG of few colors."""
        stream = io.BytesIO()
        few = self._image.quantize(64, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(stream, "png")
        return stream.getvalue()


@lru_cache(maxsize=20000)
def _stamp(text: str, pixels: float) -> Any:
    """A label as a mask, as high as a digit."""
    font = _font(pixels)
    left, top, right, bottom = font.getbbox(f"{text}0")
    width = font.getlength(text)
    mask = Image.new("L", (max(1, round(width)), int(bottom - top)), 0)
    ImageDraw.Draw(mask).text((-left, -top), text, 255, font)
    return mask


@lru_cache(maxsize=16)
def _font(pixels: float, bold: bool = False) -> Any:
    """DejaVu Sans, as matplotlib brings it."""
    from matplotlib import font_manager

    weight = "bold" if bold else "normal"
    path = font_manager.findfont(font_manager.FontProperties(family="DejaVu Sans", weight=weight))
    return ImageFont.truetype(path, max(round(pixels), 6))
