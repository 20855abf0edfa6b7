"""Fits the estimate that tiles of ss_gemm are chosen by to the row of their times.

    python -m tools.gemm_estimate results           # writes sm_90a/cuda/tile_estimate.json

The logarithms of all times are fitted. Then each third of the products is held out: tiles are
chosen by a fit to the others, and by their times, and held against the best tile timed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lanemap.benching.gemm.choice import CORRECTS, SMS, TIMES, timed
from lanemap.benching.gemm.estimate import (
    Floats,
    Neighbors,
    Parameters,
    Tiles,
    estimate,
    neighbors,
    tiles_of,
)
from lanemap.records.files import read_record, write_records
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record

TARGET, PROBE = "sm_90a", "tile_estimate"
#: An error of the logarithm beyond which it counts less; how strongly parameters are held where
#: they began; steps of the fit.
LARGE_ERROR, HELD, STEPS = 0.15, 0.1, 60


def fitted(tiles: Tiles, cycles: Floats, bounds: Sequence[int]) -> Parameters:
    """Return parameters by Levenberg and Marquardt's method, where large errors count less.

    `bounds` are where the tiles of each product begin, and the end.
    """
    begin = np.log(astuple(Parameters()))
    best = np.minimum.reduceat(cycles, bounds[:-1])
    near = np.repeat(best, np.diff(bounds)) / cycles  # slow tiles count less

    def errors(logarithms: Floats) -> Floats:
        own = near**1.5 * np.log(estimate(tiles.loads, Parameters(*np.exp(logarithms))) / cycles)
        return np.concatenate([own, HELD * (logarithms - begin)])

    def cost(values: Floats) -> float:
        return float(np.sum(np.sqrt(1 + (values / LARGE_ERROR) ** 2) - 1))

    now, damping = begin, 1.0
    values = errors(now)
    for _ in range(STEPS):
        slopes = [(errors(now + 1e-4 * unit) - values) / 1e-4 for unit in np.eye(len(now))]
        weights = 1 / np.sqrt(1 + (values / LARGE_ERROR) ** 2)
        jacobian = np.stack(slopes, 1)
        normal = jacobian.T @ (jacobian * weights[:, None])
        normal += damping * np.diag(np.diag(normal) + 1e-6)
        step = np.linalg.solve(normal, jacobian.T @ (values * weights))
        other = now - np.clip(step, -0.5, 0.5)
        if cost(errors(other)) < cost(values):
            now, values, damping = other, errors(other), damping / 3
        else:
            damping *= 4
    return Parameters(*(float(f"{each:.4g}") for each in np.exp(now)))


@dataclass(frozen=True)
class Times:
    """Times of products, one product after the other; `bounds` are where tiles of each begin."""

    tiles: Tiles
    cycles: Floats
    bounds: Sequence[int]

    def regret(self, chosen_by: Floats) -> list[float]:
        """Return, of each product, the logarithm of the chosen tile's time over the best one's."""
        found = []
        for begin, end in zip(self.bounds, self.bounds[1:], strict=False):
            own = self.cycles[begin:end]
            found.append(math.log(own[np.argmin(chosen_by[begin:end])] / own.min()))
        return found


def times_of(
    products: Sequence[dict[str, Any]], columns: Sequence[str], within: float = math.inf
) -> Times:
    """Return the times of products of the row; `within`: see `timed`."""
    each_one = [list(timed([each], columns, within)) for each in products]
    found = [own for each in each_one for own in each]
    bounds = np.cumsum([0, *map(len, each_one)]).tolist()
    cycles = np.array([each[2] for each in found])
    return Times(tiles_of([each[:2] for each in found], SMS), cycles, bounds)


def corrections(
    products: Sequence[dict[str, Any]], columns: Sequence[str], by: Parameters
) -> Neighbors:
    """Return what corrects the estimate: times that are near to the best of a product."""
    near = times_of(products, columns, CORRECTS)
    return neighbors(near.tiles, near.cycles, by)


def regret(found: Sequence[float]) -> dict[str, float]:
    """Return how much longer the chosen tiles take."""
    mean, most = math.exp(sum(found) / len(found)), math.exp(max(found))
    return {"products": len(found), "mean": round(mean, 4), "most": round(most, 3)}


def held_out(products: Sequence[dict[str, Any]], columns: Sequence[str]) -> list[float]:
    """Return the regrets of each third of the products, of which the fit saw the others."""
    found = []
    for third in range(3):
        held = times_of(products[third::3], columns)
        others = [each for i, each in enumerate(products) if i % 3 != third]
        seen = times_of(others, columns)
        by = fitted(seen.tiles, seen.cycles, seen.bounds)
        near = corrections(others, columns, by)
        found += held.regret(near.cycles(held.tiles, by))
    return found


def main() -> None:
    """Fit, and write the row."""
    folder = Path(sys.argv[1])
    path = folder / TIMES
    row = read_record(path)
    products, columns = row.findings["products"], row.findings["columns"]
    every = times_of(products, columns)
    by = fitted(every.tiles, every.cycles, every.bounds)
    near = corrections(products, columns, by)
    findings = {
        "command": "python -m tools.gemm_estimate results",
        "times": source_hash(path.read_text()),
        "parameters": asdict(by),
        "weights": [float(f"{each:.5g}") for each in near.weights],
        "fitted": regret(every.regret(estimate(every.tiles.loads, by))),
        "held_out": regret(held_out(products, columns)),
    }
    own = Record(PROBE, TARGET, "cuda", "silicon", (), findings, row.environment, kind=PROBE)
    print(*write_records([own], folder), findings["fitted"], findings["held_out"])


if __name__ == "__main__":
    main()
