"""Garbage collections are held off, and what was made meanwhile is not gone through after."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import pytest

from lanemap.garbage import without_collections

#: In a process of its own, where nothing is frozen; pytest's own is (tests/conftest.py).
FRESH = """
import gc
from lanemap.garbage import without_collections
with without_collections():
    assert not gc.isenabled()
    with without_collections():
        kept = [[] for _ in range(100_000)]
    assert not gc.isenabled()
assert gc.isenabled() and not gc.get_freeze_count()
seen = []
gc.callbacks.append(lambda phase, info: seen.append(info["generation"]) if phase == "start" else 0)
more = [[] for _ in range(100)]
assert not seen, seen
old = {id(each) for each in gc.get_objects(generation=2)}
assert {id(each) for each in kept} <= old
gc.freeze()
count = gc.get_freeze_count()
with without_collections():
    kept.append([])
assert gc.get_freeze_count() >= count
print("done")
"""


class Node:
    """Holds itself."""

    def __init__(self) -> None:
        self.own = self


def test_what_was_made_meanwhile_counts_as_old() -> None:
    done = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


def test_garbage_made_meanwhile_is_collected_later() -> None:
    with without_collections():
        seen = weakref.ref(Node())
    gc.collect()
    assert seen() is None


def test_collections_go_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="here"), without_collections():
        raise ValueError("here")
    assert gc.isenabled()
