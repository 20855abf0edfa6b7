"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from lanemap.errors import cannot_write


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Within, write text to a stream; afterwards the file is whole, after an error it is not there.

    Raises:
        UserError: the file cannot be written.
        MissingEnvironment: the disk is full, over its quota or read-only.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            yield stream
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        Path(name).unlink(missing_ok=True)


def umask() -> int:
    """The bits of a mode that this process does not give to new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
