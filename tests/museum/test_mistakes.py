"""Every mistake that museum/mistakes/product.cu plants is the first that `explain` names.

The right result is NumPy's and the wrong one a compiled kernel's on the emulator: what explains has
made neither. docs/explain.md says the names.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import lanemap
from lanemap import paths
from lanemap.probing.explain import explain

SOURCE = paths.find("museum") / "mistakes" / "product.cu"
PAGE = paths.find("museum").parent / "docs" / "explain.md"
TOLD = {
    (int(number), name): said
    for number, name, said in re.findall(
        r"^\| (\d+) \| `(\w+)` \| (.+) \|$", PAGE.read_text(), re.MULTILINE
    )
}
RANDOM = np.random.default_rng(7)
A = RANDOM.normal(size=(64, 128)).astype(np.float16)
B = RANDOM.normal(size=(128, 64)).astype(np.float16)
RIGHT = A.astype(np.float32) @ B.astype(np.float32)


@pytest.fixture(scope="module")
def device() -> lanemap.EmulatorDevice:
    opened = lanemap.open_device("sm_90a", device="emulator")
    assert isinstance(opened, lanemap.EmulatorDevice)
    return opened


@pytest.fixture(scope="module")
def module(device: lanemap.EmulatorDevice) -> lanemap.Module:
    return device.compile(SOURCE.read_text())


def made(device: lanemap.EmulatorDevice, module: lanemap.Module, mistake: int) -> np.ndarray:
    d = device.zeros((64, 64), np.float32)
    module["product"]((1,), (128,), (device.array(A), device.array(B), d, np.int32(mistake)))
    return np.asarray(d.get())


def test_the_page_lists_every_mistake_of_the_kernel() -> None:
    (names,) = re.findall(r"enum Mistake \{(.*?)\};", SOURCE.read_text(), re.DOTALL)
    assert list(TOLD) == list(enumerate(re.findall(r"^  (\w+),", names, re.MULTILINE)))[1:]


def test_the_kernel_is_right_without_a_mistake(device, module) -> None:
    found = explain(made(device, module, 0), RIGHT, A, B)
    assert (found.wrong, found.findings) == (0, ())


@pytest.mark.parametrize("mistake", TOLD, ids=lambda each: each[1])
def test_a_mistake_is_explained(mistake: tuple[int, str], device, module) -> None:
    found = explain(made(device, module, mistake[0]), RIGHT, A, B)
    assert found.wrong > 1000
    first, *others = found.findings
    assert first.name == TOLD[mistake]
    assert all(each.size > first.size for each in others)


def test_two_mistakes_at_once_are_not_called_one(device, module) -> None:
    """Rows of a stale A, stored transposed: no single mistake makes it."""
    found = explain(made(device, module, 5).T, RIGHT, A, B)
    assert found.wrong > 1000 and found.findings == ()
