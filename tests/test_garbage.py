"""Garbage collections are held off, and go on after."""

from __future__ import annotations

import gc
import weakref

import pytest

from lanemap.garbage import without_collections


class Node:
    """Holds itself."""

    def __init__(self) -> None:
        self.own = self


def test_blocks_may_lie_in_each_other() -> None:
    with without_collections():
        with without_collections():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_garbage_made_meanwhile_is_collected_later() -> None:
    with without_collections():
        seen = weakref.ref(Node())
    gc.collect()
    assert seen() is None


def test_collections_go_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="here"), without_collections():
        raise ValueError("here")
    assert gc.isenabled()
