"""What the tests of scripts have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def triton_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let Triton compile into a folder of the session's, not into the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("triton")))
        yield


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Let PyTorch start no threads: OpenMP waits for them forever in a process that is forked."""
    with contextlib.suppress(ImportError):
        import torch

        torch.set_num_threads(1)
