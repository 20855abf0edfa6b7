"""What the suites have in common: seeds, and names of types in the names of tests."""

import pytest
import torch


@pytest.fixture(autouse=True)
def seeded():
    """Let every test draw the same numbers, whatever ran before."""
    torch.manual_seed(0)


def pytest_make_parametrize_id(val):
    """Return `bfloat16` for torch.bfloat16."""
    return str(val).removeprefix("torch.") if isinstance(val, torch.dtype) else None
