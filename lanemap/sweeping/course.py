"""Goes through a sweep: runs what is not done, keeps each result at once, adds up."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lanemap.errors import MissingEnvironment
from lanemap.sweeping.executors import Ended, Executor
from lanemap.sweeping.store import Store
from lanemap.sweeping.task import Result, Task, command, perform


@dataclass
class Tally:
    """What a sweep has found so far.

    Attributes:
        sweep: Its name or file.
        tasks: How many tasks it has.
        done: How many of them have a result.
        ran: How many of those ran now; the others were kept.
        items: Items of the results.
        wrong: What is wrong, by item.
        failed: Tasks without a result, by the words of their items, and why.
        unstable: Items of tasks that found something else than what was kept of them.
        counts: What is added up.
        hosts: Tasks that each machine ran.
        task_seconds: Seconds of all tasks together.
        seconds: Seconds since this run began.
        digests: Hashes of the results.
    """

    sweep: str
    tasks: int
    done: int = 0
    ran: int = 0
    items: int = 0
    wrong: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    unstable: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    task_seconds: float = 0.0
    seconds: float = 0.0
    digests: list[str] = field(default_factory=list)

    def add(self, result: Result) -> None:
        """Count a result."""
        self.done += 1
        self.items += result.items
        self.wrong |= result.wrong
        self.counts.update(result.counts)
        self.hosts[result.host] += 1
        self.task_seconds += result.seconds
        self.digests.append(result.digest)

    @property
    def left(self) -> int:
        """Tasks without a result that did not fail either."""
        return self.tasks - self.done - len(self.failed)

    @property
    def digest(self) -> str:
        """Hash of all results, in any order: that of another machine's sweep if they agree."""
        return hashlib.sha256("\n".join(sorted(self.digests)).encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Return it all as JSON values, with the command that runs each wrong item."""
        return {
            "sweep": self.sweep,
            "tasks": self.tasks,
            "done": self.done,
            "ran": self.ran,
            "left": self.left,
            "items": self.items,
            "counts": dict(sorted(self.counts.items())),
            "wrong": [
                {"item": item, "says": says, "command": command(self.sweep, [item])}
                for item, says in sorted(self.wrong.items())
            ],
            "failed": [
                {"items": items, "says": says} for items, says in sorted(self.failed.items())
            ],
            "unstable": sorted(self.unstable),
            "hosts": dict(sorted(self.hosts.items())),
            "task_seconds": round(self.task_seconds, 1),
            "seconds": round(self.seconds, 1),
            "digest": self.digest,
        }


def go(
    tally: Tally,
    tasks: Sequence[Task],
    executor: Executor,
    store: Store,
    again: bool = False,
    seconds: float | None = None,
    told: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Run the tasks that have no result, and count all.

    Args:
        tally: Takes what is found; it is complete up to the moment of an interruption.
        tasks: The tasks.
        executor: Where they run.
        store: Where results are kept and found.
        again: Run tasks that are done too, and compare.
        seconds: Begin no task after so long.
        told: Is called after each task.

    Raises:
        MissingEnvironment: the disk is full, or no worker can run anything.
        UserError: a result cannot be kept, or a kept one is damaged.
    """
    began = time.monotonic()
    left = []
    for task in tasks:
        kept = store.get(task.key)
        if kept is None or again:
            left.append(task)
        else:
            tally.add(kept)
    running = executor.run(perform, _until(left, began, seconds))
    for ended in running:
        tally.seconds = time.monotonic() - began
        _take(tally, ended, store)
        told(tally)
    return tally


def _until(tasks: Sequence[Task], began: float, seconds: float | None) -> Iterator[Task]:
    for task in tasks:
        if seconds is not None and time.monotonic() - began > seconds:
            return
        yield task


def _take(tally: Tally, ended: Ended[Task, Result], store: Store) -> None:
    task, result = ended.item, ended.value
    if result is None:
        if isinstance(ended.error, MissingEnvironment):
            raise ended.error
        tally.failed[task.words] = f"{ended.error}"
        return
    kept = store.get(task.key)
    if kept is not None and kept.digest != result.digest:
        tally.unstable.append(task.words)
    elif kept is None:
        store.put(task, result)
    tally.ran += 1
    tally.add(result)
