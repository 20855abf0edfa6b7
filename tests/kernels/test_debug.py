"""The checkpoints and checks of kernels/include/debug.h, on the emulator."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.benching.build import compile_kernel, debugging
from lanemap.errors import LanemapError
from lanemap.paths import find

SOURCE = """
#include "debug.h"
extern "C" __global__ void probe(unsigned long long shared, unsigned scaled) {
  CHECKPOINT(33, "thread %u of block %u\\n", threadIdx.x, blockIdx.x);
  if (threadIdx.x == 7 && blockIdx.x == 1) {
    check_shared_descriptor(shared, 0x2400, 1024, 2);
    check_scaled_descriptor(scaled, 128, 64, 1, 1, 0, 2);
  }
}
"""


def shared(sbo: int = 1024, swizzle: int = 2) -> int:
    """A shared-memory descriptor of address 0x2400 (PTX ISA 9.0, tcgen05, its table of fields)."""
    return 0x2400 >> 4 | sbo >> 4 << 32 | 1 << 46 | swizzle << 61


def scaled(ue8m0: int = 0, sfb_id: int = 2) -> int:
    """An instruction descriptor of kind::mxf4nvf4 (likewise): 128 x 64 of E2M1, SFA's id 2."""
    return sfb_id << 4 | 1 << 7 | 1 << 10 | 64 // 8 << 17 | ue8m0 << 23 | 128 // 16 << 24 | 2 << 29


def launch(of_shared: int, instruction: int) -> None:
    headers = {path.name: path.read_text() for path in (find("kernels") / "include").glob("*.h")}
    text = compile_kernel({"probe.cu": SOURCE, **headers}, "sm_100a", debugging(), {})
    device = lanemap.open_device("sm_100a", "emulator")
    device.load(text)["probe"](2, 64, (np.uint64(of_shared), np.uint32(instruction)))


def test_one_thread_prints_and_right_descriptors_pass(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANEMAP_DEBUG", "1")
    launch(shared(), scaled())
    assert capfd.readouterr().out == "thread 33 of block 0\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((shared(sbo=512), scaled()), "the descriptor's SBO is 512, not 1024"),
        ((shared(swizzle=4), scaled()), "the descriptor's swizzle is 4, not 2"),
        ((shared(), scaled(ue8m0=1)),
         "the scales' type in the instruction descriptor is 1, not 0"),
        ((shared(), scaled(sfb_id=0)), "SFB's id in the instruction descriptor is 0, not 2"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named_and_traps(
    words: tuple[int, int],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LANEMAP_DEBUG", "1")
    with pytest.raises(LanemapError, match="trap"):
        launch(*words)
    assert f"block 1 thread 7: {says}\n" in capfd.readouterr().out


def test_nothing_is_compiled_in_without_the_variable(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANEMAP_DEBUG", "0")
    launch(shared(sbo=512), scaled())
    assert capfd.readouterr().out == ""
