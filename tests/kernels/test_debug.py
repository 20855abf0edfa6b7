"""The checkpoints and checks of kernels/include/debug.h, on the emulator."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.benching.build import compile_kernel, debugging
from lanemap.errors import LanemapError
from lanemap.model.descriptors import AB_TYPES, ScaledDescriptor, SharedDescriptor
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
GOOD = SharedDescriptor(start_bytes=0x2400, stride_bytes=1024, swizzle=2)
E2M1 = AB_TYPES["mxf4"]["e2m1"]
SCALED = ScaledDescriptor(n=64, m=128, a=E2M1, b=E2M1, scale_ue8m0=False, sfa_id=2, sfb_id=2)


def launch(shared: SharedDescriptor, scaled: ScaledDescriptor) -> None:
    headers = {path.name: path.read_text() for path in (find("kernels") / "include").glob("*.h")}
    text = compile_kernel({"probe.cu": SOURCE, **headers}, "sm_100a", debugging(), {})
    device = lanemap.open_device("sm_100a", "emulator")
    device.load(text)["probe"](2, 64, (np.uint64(shared.encode()), np.uint32(scaled.encode())))


def test_one_thread_prints_and_right_descriptors_pass(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANEMAP_DEBUG", "1")
    launch(GOOD, SCALED)
    assert capfd.readouterr().out == "thread 33 of block 0\n"


@pytest.mark.parametrize(
    ("shared", "scaled", "says"),
    [
        (SharedDescriptor(start_bytes=0x2400, stride_bytes=512, swizzle=2), SCALED,
         "the descriptor's SBO is 512, not 1024"),
        (SharedDescriptor(start_bytes=0x2400, stride_bytes=1024, swizzle=4), SCALED,
         "the descriptor's swizzle is 4, not 2"),
        (GOOD, ScaledDescriptor(n=64, m=128, a=E2M1, b=E2M1, scale_ue8m0=True, sfa_id=2, sfb_id=2),
         "the scales' type in the instruction descriptor is 1, not 0"),
        (GOOD, ScaledDescriptor(n=64, m=128, a=E2M1, b=E2M1, scale_ue8m0=False, sfa_id=2),
         "SFB's id in the instruction descriptor is 0, not 2"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named_and_traps(
    shared: SharedDescriptor, scaled: ScaledDescriptor, says: str,
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("LANEMAP_DEBUG", "1")
    with pytest.raises(LanemapError, match="trap"):
        launch(shared, scaled)
    assert f"block 1 thread 7: {says}\n" in capfd.readouterr().out


def test_nothing_is_compiled_in_without_the_variable(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANEMAP_DEBUG", "0")
    launch(SharedDescriptor(stride_bytes=512), SCALED)
    assert capfd.readouterr().out == ""
