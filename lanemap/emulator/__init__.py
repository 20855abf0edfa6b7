"""The emulator: executes the PTX and AMDGCN assembly that the hardware would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lanemap.model import tensor_map as tensor_maps

if TYPE_CHECKING:
    from lanemap.emulator.engine import Emulator
    from lanemap.layout import LayoutMap
    from lanemap.model.banks import BankRule as BankRule

__all__ = ["open", "tensor_maps"]


def open(
    target: str, hazards: str, strict: bool, models: Mapping[str, LayoutMap],
    banks: tuple[BankRule, ...] = (),
) -> Emulator:  # fmt: skip
    """Open an emulator of `target`.

    `models` replaces the model's map of a variant by its name; `banks`, if any, its bank rules.
    """
    from lanemap.emulator.engine import Emulator

    return Emulator(target, hazards, strict, models, banks)
