"""Which device a kernel's host function opens for arrays; GPUs are made up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import lanemap
from lanemap.benching import launch
from lanemap.errors import MissingEnvironment

TARGETS = ("sm_90a", "sm_100a")


@pytest.fixture
def fresh() -> Iterator[None]:
    launch.opened.cache_clear()
    yield
    launch.opened.cache_clear()


def only(monkeypatch: pytest.MonkeyPatch, executed: str) -> None:
    """A machine whose GPU executes one target."""

    def open_device(target: str, device: str) -> Any:
        if device == "cuda" and target != executed:
            raise MissingEnvironment(f"needs a GPU of {target}; the one here is {executed}")
        return target, device

    monkeypatch.setattr(lanemap, "open_device", open_device)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("executed", TARGETS)
def test_a_gpu_is_opened_for_what_it_executes(
    monkeypatch: pytest.MonkeyPatch, executed: str
) -> None:
    only(monkeypatch, executed)
    assert launch.opened_for(TARGETS, True) == (executed, "cuda")
    assert launch.opened_for(TARGETS, False) == ("sm_90a", "emulator")


@pytest.mark.usefixtures("fresh")
def test_another_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "sm_80")
    with pytest.raises(MissingEnvironment, match="needs a GPU of sm_100a"):
        launch.opened_for(TARGETS, True)
