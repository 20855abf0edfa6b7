"""A temporary folder for the files that a tool reads and writes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lanemap.errors import MissingEnvironment


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that is removed afterwards.

    Raises:
        MissingEnvironment: it cannot be made, as on a full disk.
    """
    try:
        scratch = tempfile.TemporaryDirectory(prefix="lanemap-")
    except OSError as error:
        # On a full disk, tempfile itself says that it found no usable folder.
        reason = error.strerror or error
        raise MissingEnvironment(f"cannot make a temporary folder: {reason}") from error
    with scratch as name:
        yield Path(name)
