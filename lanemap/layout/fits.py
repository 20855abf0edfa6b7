"""One closed form for any layout map: over F2, else as a CuTe layout, else in affine pieces."""

from __future__ import annotations

from functools import lru_cache

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap
from lanemap.layout.cute import CuteFit, NotCute, fit_cute
from lanemap.layout.f2 import F2Fit, NotAffine, fit_f2
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
        over_bits = _over_bits(layout)
        if isinstance(over_bits, F2Fit):
            return over_bits
        if kind == "f2":
            raise UserError(str(over_bits))
    if kind in (None, "cute"):
        strided = _strided(layout)
        if isinstance(strided, CuteFit):
            return strided
        if kind == "cute":
            raise UserError(str(strided))
    return _checked(fit_pieces(layout), layout)


# A map is mostly written in several languages, one after the other.
@lru_cache(maxsize=2)
def _over_bits(layout: LayoutMap) -> F2Fit | NotAffine:
    found = fit_f2(layout)
    if isinstance(found, F2Fit):
        _checked(found, layout)
    return found


@lru_cache(maxsize=2)
def _strided(layout: LayoutMap) -> CuteFit | NotCute:
    found = fit_cute(layout)
    if isinstance(found, CuteFit):
        _checked(found, layout)
    return found


def _checked(fit: Fit, layout: LayoutMap) -> Fit:
    difference = fit.to_map().first_difference(layout)
    if difference is not None:
        raise AssertionError(f"a {fit.kind} fit is wrong: {difference}")
    return fit
