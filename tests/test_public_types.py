"""What users catch and read is typed, and its type comes from `lanemap`."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

import lanemap
from lanemap.devices.base import BaseDevice
from lanemap.devices.cuda import CudaDevice
from lanemap.devices.hip import HipDevice
from tests import ptx

DEVICES: tuple[Any, ...] = (
    lanemap.Device, BaseDevice, lanemap.EmulatorDevice, CudaDevice, HipDevice
)  # fmt: skip

RACE = ptx.entry(
    """\
    .reg .b32 %r<3>;
    .shared .align 4 .b8 tile[4];
    mov.u32 %r1, %tid.x;
    st.shared.u32 [tile], %r1;
    ld.shared.u32 %r2, [tile];
    st.global.u32 [%out], %r2;"""
)


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: str(device.__name__))
@pytest.mark.parametrize("name", ["hazards", "notes"])
def test_hazards_of_every_device_are_a_tuple_of_hazards(device: Any, name: str) -> None:
    member = getattr(device, name, None)
    if member is None:  # only BaseDevice, which leaves notes to its devices
        assert (device, name) == (BaseDevice, "notes")
        return
    hints = get_type_hints(member.fget, localns={"Hazard": lanemap.Hazard})
    assert hints["return"] == tuple[lanemap.Hazard, ...]


def test_what_a_launch_leaves_has_types_of_lanemap() -> None:
    """Two warps write the same word without a barrier: one finding, with both sides."""
    device = lanemap.open_device("sm_90a", device="emulator", hazards="report")
    assert isinstance(device, lanemap.EmulatorDevice)
    x = device.zeros(1, "u4")
    assert isinstance(x, lanemap.DeviceArray)
    with device.count() as counts:
        device.load(RACE)["k"](1, 64, (x,))
    assert isinstance(counts, lanemap.Counts)
    assert device.hazards and all(type(each) is lanemap.Hazard for each in device.hazards)
    (finding, *_) = device.findings
    assert isinstance(finding, lanemap.Finding)
    assert isinstance(finding.first.facts.other, lanemap.Access)


def test_every_public_name_is_there() -> None:
    assert sorted(lanemap.__all__) == dir(lanemap)
    for name in lanemap.__all__:
        assert getattr(lanemap, name) is not None
