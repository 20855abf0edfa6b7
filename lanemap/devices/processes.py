"""Another process for what drives a GPU, which a fault may end."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
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
