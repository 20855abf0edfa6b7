"""What the emulator's C has from lanemap/model."""

from __future__ import annotations

from lanemap.emulator.runtime import built
from lanemap.model.tensor_map_bits import FIELDS


def test_the_c_gets_every_field_of_a_tensor_map() -> None:
    """The rank lies in bits 4 to 6 of byte 8 (results/sm_90a/cuda/tensor_maps.json)."""
    text = built.headers()["tensor_map_bits.h"]
    assert "MAP_FIELD_RANK = {68, 3, 0};" in text
    assert text.count("static const MapField ") == len(FIELDS)
