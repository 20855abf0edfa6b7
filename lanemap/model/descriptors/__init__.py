"""Descriptors and resource words: their fields by name, and what contradicts itself in them.

One module for each kind. Each has `decode`, which shows the fields of words and says what is wrong
with them, and `encode`, which makes words of fields.
"""

from __future__ import annotations

from lanemap.model.descriptors.shown import Descriptor, Shown

__all__ = ["Descriptor", "Shown"]
