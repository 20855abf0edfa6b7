"""Driver libraries whose GPU is the emulator, so that what is real runs its real calls."""

from collections.abc import Iterator

import pytest

from tests.stand_ins import STAND_INS


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment under which hip-python finds the stand-in as ROCm's library."""
    with STAND_INS["gfx950"](tmp_path_factory.mktemp("rocm")) as environment:
        del environment["LD_LIBRARY_PATH"]  # hip-python looks in ROCM_PATH alone
        yield environment
