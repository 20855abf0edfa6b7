"""Where calls run: in this process or on this machine's cores; `cluster` has Ray."""

from __future__ import annotations

import glob
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from lanemap.errors import UserError, plural

Item = TypeVar("Item")
Result = TypeVar("Result")
_CONTEXT = multiprocessing.get_context("spawn")
#: Calls that wait for each worker, so that none is idle.
_AHEAD = 2
_ENDED = "a process ended before it was done; is there enough memory?"


@dataclass(frozen=True)
class Ended(Generic[Item, Result]):
    """A call that ended.

    Attributes:
        item: Its argument.
        value: What it returned; None if it failed.
        error: What it raised, or what happened to its process; None if it returned.
    """

    item: Item
    value: Result | None = None
    error: Exception | None = None


class Executor(Protocol):
    """Runs calls in any order."""

    #: In words, with the number of places.
    name: str
    #: How many calls run at once.
    places: int

    def run(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Ended[Item, Result]]:
        """Call a module's function with each item; yield what became of each as it ends.

        Items are taken as places become free, so that there may be any number of them.
        """
        ...


class Here:
    """This process."""

    name = "this process"
    places = 1

    def run(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Ended[Item, Result]]:
        """See `Executor`."""
        for item in items:
            try:
                yield Ended(item, function(item))
            except Exception as error:
                yield Ended(item, error=error)


class Cores:
    """Processes of this machine. A process that ends takes no other call's result with it."""

    def __init__(
        self, workers: int | None = None, cards: Sequence[str] = (), per_card: int = 1
    ) -> None:
        """Start nothing yet.

        Args:
            workers: Processes. Unless given, as many as there are cores, and no more than share
                the cards where there are any.
            cards: GPUs that the processes share; each sees one.
            per_card: How many processes may share a GPU.
        """
        self.places = workers or min(cores(), len(cards) * per_card or cores())
        self._cards = [cards[each % len(cards)] for each in range(self.places)] if cards else []
        what = f"processes on {plural(len({*self._cards}), 'GPU')}" if cards else "processes"
        self.name = f"{self.places} {what} of this machine"

    def _pool(self, workers: int) -> ProcessPoolExecutor:
        # The queue hands each process its GPU; a process that only computes takes none.
        queue = _CONTEXT.SimpleQueue() if self._cards else None
        for card in self._cards:
            assert queue is not None
            queue.put(card)
        return ProcessPoolExecutor(workers, _CONTEXT, _begin, (queue,))

    def run(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Ended[Item, Result]]:
        """See `Executor`. What was running when a process ended is called again, alone."""
        left = iter(items)
        pool = self._pool(self.places)
        waiting: dict[Future[Result], Item] = {}
        try:
            while True:
                broken = []
                for item in islice(left, _AHEAD * self.places - len(waiting)):
                    try:
                        waiting[pool.submit(function, item)] = item
                    except BrokenProcessPool:
                        broken.append(item)
                if not waiting and not broken:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    ended = _ended(future, waiting.pop(future))
                    if isinstance(ended.error, BrokenProcessPool):
                        broken.append(ended.item)
                    else:
                        yield ended
                if broken:
                    pool.shutdown()
                    again = [*broken, *waiting.values()]
                    waiting.clear()
                    for item in again:
                        yield self._alone(function, item)
                    pool = self._pool(self.places)
        finally:
            pool.shutdown(cancel_futures=True)

    def _alone(self, function: Callable[[Item], Result], item: Item) -> Ended[Item, Result]:
        with self._pool(1) as pool:
            ended = _ended(pool.submit(function, item), item)
        if isinstance(ended.error, BrokenProcessPool):
            return Ended(item, error=UserError(_ENDED))
        return ended


def _ended(future: Future[Result], item: Item) -> Ended[Item, Result]:
    try:
        return Ended(item, future.result())
    except Exception as error:
        return Ended(item, error=error)


def _begin(cards: Any) -> None:
    """End at Ctrl-C without a traceback: the process that waits says that it was interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if cards is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = cards.get()


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cards() -> list[str]:
    """The GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them: NVIDIA's."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        return [each.strip() for each in chosen.split(",") if each.strip()]
    return [str(number) for number in range(len(glob.glob("/dev/nvidia[0-9]*")))]


@contextmanager
def side_by_side(
    calls: Sequence[Callable[[], Result]], workers: int | None = None
) -> Iterator[Iterator[Result]]:
    """Make calls on this machine's cores; give their results in order.

    Functions, arguments and results are pickled. What has not begun when the context ends is left.
    The results raise UserError where a process ended, and whatever a call raises.
    """
    running = Cores(min(workers or cores(), max(1, len(calls)))).run(_called, enumerate(calls))
    try:
        yield _in_order(running, len(calls))
    finally:
        running.close()  # type: ignore[attr-defined]


def spread(
    function: Callable[..., Result], *arguments: Iterable[Any], most: int = 1 << 20
) -> list[Result]:
    """What `map` yields, computed on this machine's cores; `most` processes at most."""
    calls = [partial(function, *each) for each in zip(*arguments, strict=True)]
    with side_by_side(calls, min(most, cores())) as done:
        return list(done)


def _called(numbered: tuple[int, Callable[[], Result]]) -> Result:
    return numbered[1]()


def _in_order(running: Iterator[Ended[Any, Result]], count: int) -> Iterator[Result]:
    ready: dict[int, Ended[Any, Result]] = {}

    def result(number: int) -> Result:
        while number not in ready:
            ended = next(running)
            ready[ended.item[0]] = ended
        ended = ready.pop(number)
        if ended.error is not None:
            raise ended.error
        return ended.value  # type: ignore[return-value]

    return map(result, range(count))
