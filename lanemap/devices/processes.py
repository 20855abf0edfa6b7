"""Other processes: one for what drives a GPU, which a fault may end, and one for each core."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from lanemap.errors import UserError

Result = TypeVar("Result")
_CONTEXT = multiprocessing.get_context("spawn")


class OtherProcess:
    """Calls functions in another process, and in a new one after a call that failed.

    After an error the driver may answer each further call of a process with the same error; some
    drivers end the process.
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        self._pool: ProcessPoolExecutor | None = None

    def call(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return what a function of a module returns there; arguments and result are pickled.

        Raises:
            UserError: the process ended.
            LanemapError: what the function raises.
        """
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=_CONTEXT)
        try:
            return self._pool.submit(function, *arguments).result()
        except BrokenProcessPool as error:
            self.close()
            raise UserError("the process that drove the GPU ended") from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


@contextmanager
def side_by_side(calls: Sequence[Callable[[], Result]]) -> Iterator[Iterator[Result]]:
    """Make calls in as many processes as there are cores; give their results in order.

    Functions, arguments and results are pickled. What has not begun when the context ends is left.
    The results raise UserError where a process ended, and whatever a call raises.
    """
    workers = max(1, min(os.cpu_count() or 1, len(calls)))
    pool = ProcessPoolExecutor(workers, _CONTEXT, _end_when_interrupted)
    try:
        yield map(_result, [pool.submit(each) for each in calls])
    finally:
        pool.shutdown(cancel_futures=True)


def _end_when_interrupted() -> None:
    """End at Ctrl-C without a traceback: the process that waits says that it was interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise UserError("a process ended before it was done; is there enough memory?") from error
