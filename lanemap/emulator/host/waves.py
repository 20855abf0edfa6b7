"""What functions of the host, which kernels call, know of the wave that runs."""

from __future__ import annotations

from collections.abc import Iterator

from lanemap.emulator.host.cluster import Shape
from lanemap.emulator.host.hazards import lanes_text
from lanemap.emulator.runtime import abi


def who(wave: abi.Wave, lanes: int, called: str) -> tuple[int, str]:
    """Return the CTA of a wave, and what its lanes are called in a sentence."""
    launch = abi.Launch.from_address(wave.launch)
    runs_in, cta = abi.Group.from_address(wave.group), abi.Cta.from_address(wave.cta)
    cluster = runs_in.number - launch.first_group
    whole = tuple(g * c for g, c in zip(launch.grid, launch.cluster, strict=True))
    shape = Shape(whole, tuple(launch.cluster), (launch.lanes, 1, 1), launch.lanes)
    number, _ = shape.number(cluster, cta.rank)  # of one wave a CTA: a member is a CTA
    place = f"CTA {number}"
    if runs_in.cta_count > 1:
        place += f" (rank {cta.rank} of cluster {cluster})"
    return number, f"{place} {called} {wave.index} {lanes_text(lanes)}"


def lane_words(wave: abi.Wave, lanes: int, row: int) -> Iterator[tuple[int, int]]:
    """Yield each lane of a mask with the 64 bits that it has in the scratch rows from `row`."""
    for lane in range(abi.MAX_LANES):
        if lanes >> lane & 1:
            yield lane, int(wave.value[row][lane]) | int(wave.value[row + 1][lane]) << 32


def set_lane_words(wave: abi.Wave, lane: int, row: int, value: int) -> None:
    """Leave 64 bits for a lane in the scratch rows from `row`."""
    wave.value[row][lane] = value & 0xFFFFFFFF
    wave.value[row + 1][lane] = value >> 32
