"""Answers that take long to compute, kept in the cache until what they depend on changes."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanemap import cache
from lanemap.paths import find

if TYPE_CHECKING:
    from lanemap.records.files import Roots

_PACKAGE = Path(__file__).parents[1]
#: Of what lanemap itself says: models and claims, lists of forms, citations.
_SUFFIXES = (".py", ".txt", ".json")


def remembered(what: Sequence[str], results: Roots, compute: Callable[[], Any]) -> Any:
    """Return an answer that depends on lanemap's own files, probes/ and results/, as JSON has it.

    Args:
        what: Which answer: the verb and its options.
        results: Folders of observations.
        compute: Returns the answer where the cache has none.
    """
    paths = sorted(path for path in _PACKAGE.rglob("*") if path.suffix in _SUFFIXES)
    paths += sorted(find("probes").rglob("*.py"))
    for root in (results,) if isinstance(results, Path) else results:
        paths += sorted(root.glob("*/*/*.json"))
    digest = hashlib.sha256(json.dumps(list(what)).encode())
    for path in paths:
        digest.update(f"\0{path}\0".encode())
        with contextlib.suppress(OSError):  # what reads it says why it cannot
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return json.loads(cache.cached(digest.hexdigest(), lambda: json.dumps(compute()).encode()))
