"""One closed form for any layout map: over F2, else as a CuTe layout, else in affine pieces."""

from __future__ import annotations

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap
from lanemap.layout.cute import CuteFit, fit_cute
from lanemap.layout.f2 import F2Fit, fit_f2
from lanemap.layout.pieces import PiecesFit, fit_pieces

Fit = F2Fit | CuteFit | PiecesFit
KINDS = ("f2", "cute", "pieces")


def fit_layout(layout: LayoutMap, kind: str | None = None) -> Fit:
    """Fit a layout map and check the fit on every cell.

    Args:
        layout: Any map.
        kind: "f2", "cute" or "pieces" for that form alone; by default the first of these that fits.

    Raises:
        UserError: The wanted form does not fit (the message has the witness), no cell is defined,
            or the kind is none of the three.
    """
    if kind is not None and kind not in KINDS:
        raise UserError(f"a fit must be one of {', '.join(KINDS)}, not {kind!r}")
    if kind in (None, "f2"):
        over_bits = fit_f2(layout)
        if isinstance(over_bits, F2Fit):
            return _checked(over_bits, layout)
        if kind == "f2":
            raise UserError(str(over_bits))
    if kind in (None, "cute"):
        strided = fit_cute(layout)
        if isinstance(strided, CuteFit):
            return _checked(strided, layout)
        if kind == "cute":
            raise UserError(str(strided))
    return _checked(fit_pieces(layout), layout)


def _checked(fit: Fit, layout: LayoutMap) -> Fit:
    difference = fit.to_map().first_difference(layout)
    if difference is not None:
        raise AssertionError(f"a {fit.kind} fit is wrong: {difference}")
    return fit
