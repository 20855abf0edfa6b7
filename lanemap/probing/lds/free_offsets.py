"""Rules that leave the chunk: any source lane, any offset in the whole memory.

`mem[addr[s] + b]` with any b covers the rules outside the chunk class: one leader's address for all
lanes (a fixed s with any b), and the own address plus a stride (s = l, b = j * stride). Two such
rules (s, b) and (t, c) read the same cell in every reading if and only if addr[s] - addr[t] is the
same number, c - b, in every reading. So the addresses alone decide which source lanes can be told
apart, provided that the tags name every cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.probing.lds.chunk_rules import Reading, cell_name
from lanemap.probing.proof.certificates import Certificate, Partition

Integers = npt.NDArray[np.int64]


def tagged(readings: Sequence[Reading], cell_bits: int) -> list[Reading]:
    """The readings whose memory names every cell of that width."""
    return [r for r in readings if r.tagging is not None and r.tagging.cell_bits == cell_bits]


def lane_partition(readings: Sequence[Reading]) -> Partition:
    """The partition of source lanes by addresses, if offsets are free."""
    addresses = np.stack([reading.addresses for reading in readings], axis=1)
    return Partition.from_outcomes(addresses - addresses[:, :1])


def certificate(readings: Sequence[Reading], cell_bits: int) -> Certificate | None:
    """Return the certificate for rules with any offset; None without tags.

    Raises:
        UserError: tags of that width leave two cells of the memory alike.
    """
    named = tagged(readings, cell_bits)
    if not named:
        return None
    for tagging in {reading.tagging for reading in named if reading.tagging is not None}:
        if not tagging.names_every_cell:
            raise UserError(f"two cells of a memory hold the same {cell_bits}-bit tags")
    lanes = lane_partition(named)
    together = [members for members in lanes.parts() if members.size > 1]
    return Certificate(
        f"each {cell_name(cell_bits)} from any lane's address, any offset in the whole memory",
        named[0].output.shape[1] * named[0].output.shape[2] * 32 // cell_bits,
        # A rule is a source lane and the cell that it reads in the first reading.
        lanes.part.size * tagging.cells,
        lanes.count * tagging.cells,
        not together,
        "; ".join(f"lanes {', '.join(map(str, m))}" for m in together[:4]) or None,
    )


@dataclass(frozen=True)
class Family:
    """A family of rules outside the chunk class, and whether the readings refute it.

    Attributes:
        name: the family in words.
        refuted: no rule of the family matches the readings.
        witness: the cell and the two readings that refute it; None if it stands.
    """

    name: str
    refuted: bool
    witness: str | None


def families(readings: Sequence[Reading], cell_bits: int, group: int = 16) -> list[Family]:
    """Test the leader and own-address families against the readings.

    Args:
        readings: the probe's readings; those with tags of `cell_bits` are used.
        cell_bits: width of the cells.
        group: lanes that may share a leader, besides the whole wave.
    """
    named = tagged(readings, cell_bits)
    if not named:
        return []
    position = np.stack([reading.positions(cell_bits) for reading in named])
    address = np.stack([reading.addresses for reading in named]) * 8
    # offset[r, l, j, s]: how far from lane s's address the cell (l, j) came from in reading r.
    offset = position[..., None] - address[:, None, None, :]
    fits = np.all((offset == offset[:1]) & (position >= 0)[..., None], axis=0)
    lanes = fits.shape[0]
    return [
        _leader("one leader's address for all lanes, any offsets", fits, lanes, position, named),
        _leader(
            f"a leader's address for each {group} lanes, any offsets", fits, group, position, named
        ),
        _own("own address plus any offsets (any stride)", fits, position, named),
    ]


def _leader(
    name: str,
    fits: npt.NDArray[np.bool_],
    group: int,
    position: Integers,
    named: Sequence[Reading],
) -> Family:
    """Stands if, in every group of lanes, one source lane explains every cell."""
    for start in range(0, fits.shape[0], group):
        block = fits[start : start + group]
        if not block.all(axis=(0, 1)).any():
            # The leader that explains most cells gives the strongest witness.
            leader = int(block.sum(axis=(0, 1)).argmax())
            lane, cell = np.argwhere(~block[:, :, leader])[0]
            return Family(
                name, True, _witness(position, named, int(lane) + start, int(cell), leader)
            )
    return Family(name, False, None)


def _own(
    name: str, fits: npt.NDArray[np.bool_], position: Integers, named: Sequence[Reading]
) -> Family:
    """Stands if its own lane's address explains every cell."""
    lanes = np.arange(fits.shape[0])
    misfits = np.argwhere(~fits[lanes, :, lanes])
    if not misfits.size:
        return Family(name, False, None)
    lane, cell = (int(v) for v in misfits[0])
    return Family(name, True, _witness(position, named, lane, cell, lane))


def _witness(
    position: Integers, named: Sequence[Reading], lane: int, cell: int, source: int
) -> str:
    """Two readings in which a cell is at different distances from a lane's address."""
    if (position[:, lane, cell] < 0).any():
        reading = named[int(np.argmax(position[:, lane, cell] < 0))]
        return f"lane {lane} cell {cell} carries no cell of the memory in {reading.label}"
    distance = [
        int(position[r, lane, cell]) - 8 * int(each.addresses[source])
        for r, each in enumerate(named)
    ]
    other = next(r for r, d in enumerate(distance) if d != distance[0])
    return (
        f"lane {lane} cell {cell} lies {distance[0]} bits from lane {source}'s address in "
        f"{named[0].label}, {distance[other]} bits in {named[other].label}"
    )
