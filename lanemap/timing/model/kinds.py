"""Which CTAs of a launch the emulator runs, and which of these each other one is taken to be like.

Where the PTX shows that CTAs execute the same, one of them stands for all. Else some are run, and
that the others are like their neighbors is an assumption, which every answer states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanemap.timing.model.uniform import DATA, deciding

#: Clusters of a launch that are all run if there are no more, and that are run at most otherwise.
MOST = 9
#: What clusters did, in events of the emulator, after which no further one begins.
EVENTS = 1_000_000

Size = tuple[int, ...]


@dataclass
class Sample:
    """The clusters of a launch that are run.

    Attributes:
        grid: Clusters by dimension.
        chosen: Those to run, in this order while there is time.
        alike: For each cluster, a number; clusters with the same one execute the same. None where
            nothing says so.
        how: How that is known, in words.
        ran: Those that were run.
        ctas: CTAs of a cluster.
        spent: Returns how many events there were so far.
    """

    grid: Size
    chosen: tuple[int, ...]
    alike: NDArray[np.int64] | None
    how: str
    ran: list[int]
    ctas: int = 1
    spent: Callable[[], int] = int

    def __iter__(self) -> Iterator[int]:
        """Clusters to run, from the first again."""
        self.ran.clear()
        until = self.spent() + EVENTS
        for number in self.chosen:
            if self.ran and self.spent() > until:
                return
            self.ran.append(number)
            yield number

    @property
    def clusters(self) -> int:
        """All clusters."""
        return int(np.prod(self.grid))

    @property
    def assumed(self) -> bool:
        """Whether some cluster is only taken to be like one that was run."""
        if len(self.ran) == self.clusters:
            return False
        return self.alike is None or len(set(self.alike[self.ran])) < len(set(self.alike))

    def standing_for(self) -> NDArray[np.int64]:
        """For each cluster, the one that was run and stands for it: one alike, else the nearest."""
        ran = np.array(sorted(self.ran), np.int64)
        keys = np.arange(self.clusters) if self.alike is None else self.alike
        own = keys[ran]
        order = np.argsort(own, kind="stable")
        own, ran = own[order], ran[order]
        right = np.clip(np.searchsorted(own, keys), 0, len(own) - 1)
        left = np.clip(right - 1, 0, len(own) - 1)
        nearer = np.where(np.abs(own[left] - keys) < np.abs(own[right] - keys), left, right)
        return ran[nearer]

    def sentence(self) -> str:
        """Which CTAs were run, and how the others are known."""
        ran, all_of_them = len(self.ran), self.clusters
        what = "CTAs" if self.ctas == 1 else f"clusters of {self.ctas} CTAs"
        if ran == all_of_them:
            return f"all {what} were executed"
        text = f"{ran} of {all_of_them} {what} {'was' if ran == 1 else 'were'} executed"
        text += f": {self.how}" if self.how else ", the others would take longer to run"
        if self.assumed:
            text += "; the others are taken to execute what the nearest of these did"
        return text


def _spread(count: int, most: int) -> list[int]:
    """Numbers below count: first, last, middle, then the middles between."""
    if count <= most:
        return list(range(count))
    found = [0, count - 1]
    step = 1.0
    while len(found) < most:
        step /= 2
        for at in np.arange(step, 1, 2 * step):
            number = round(float(at) * (count - 1))
            if number not in found and len(found) < most:
                found.append(number)
    return found


def sample(ptx: str, entry: str, grid: Size, cluster: Size, every: bool = False) -> Sample:
    """Choose the clusters to run of a launch.

    Args:
        ptx: The text of the kernel.
        entry: Its symbol.
        grid: CTAs by dimension.
        cluster: CTAs of a cluster by dimension.
        every: Whether to run all.
    """
    size = tuple(g // c for g, c in zip(_three(grid), _three(cluster), strict=True))
    count, ctas = int(np.prod(size)), int(np.prod(cluster))
    if every or count <= MOST:
        return Sample(size, tuple(range(count)), None, "", [], ctas)
    decided = deciding(ptx, entry)
    if DATA in decided:
        how = "what memory holds decides what a CTA executes"
        return Sample(size, tuple(_spread(count, MOST)), None, how, [], ctas)
    place = np.arange(count)
    by = {"x": place % size[0], "y": place // size[0] % size[1], "z": place // (size[0] * size[1])}
    keys = np.zeros(count, np.int64)
    for name, extent in zip("zyx", reversed(size), strict=True):
        if name in decided:
            keys = keys * extent + by[name]
    values, first = np.unique(keys, return_index=True)
    chosen = tuple(int(first[n]) for n in _spread(len(values), MOST))
    axes = ", ".join(f"%ctaid.{name}" for name in sorted(decided))
    how = (
        f"of a CTA's place, only {axes} decides what it executes"
        if axes
        else (
            "no branch, guard or address in shared memory depends on a CTA's place or on "
            "what memory holds, so all execute the same"
        )
    )
    return Sample(size, chosen, keys, how, [], ctas)


def _three(size: Size) -> Size:
    return (*size, 1, 1, 1)[:3]


class Sampler:
    """Chooses the clusters of each launch of one text, and keeps the choice.

    Attributes:
        samples: By kernel, that of its last launch.
    """

    def __init__(self, ptx: str, spent: Callable[[], int] = int, every: bool = False) -> None:
        """Of the kernels of this text; all clusters with `every`. `spent`: see `Sample`."""
        self.samples: dict[str, Sample] = {}
        self._ptx, self._spent, self._every = ptx, spent, every

    def __call__(self, kernel: str, grid: Size, cluster: Size) -> Sample:
        """Choose; see `sample`."""
        found = sample(self._ptx, kernel, grid, cluster, self._every)
        found.spent = int if self._every else self._spent
        self.samples[kernel] = found
        return found
