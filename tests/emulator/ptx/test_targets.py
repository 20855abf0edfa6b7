"""Which devices load a text of a target: PTX ISA, PTX Module Directives, .target.

Targets without suffix follow the onion layer model, those with `a` run on their architecture alone,
and those with `f` on later ones of the same family (sm_100 and sm_103 are of one).
"""

from __future__ import annotations

import pytest

import lanemap
from lanemap.errors import UserError
from tests import ptx

LOADS = {
    "sm_90a": "sm_52 sm_80 sm_90 sm_90a",
    "sm_100a": "sm_52 sm_80 sm_90 sm_100 sm_100a sm_100f",
    "sm_103a": "sm_52 sm_80 sm_90 sm_100 sm_100f sm_103 sm_103a sm_103f",
}
TARGETS = """sm_52 sm_80 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103 sm_103a sm_103f sm_120 sm_120a
sm_120f""".split()


@pytest.mark.parametrize("device", LOADS)
def test_a_device_loads_texts_of_these_targets_alone(device: str) -> None:
    found = []
    for target in TARGETS:
        try:
            opened = lanemap.open_device(device, device="emulator")
            opened.load(ptx.entry("", "", target=target))["k"](1, 32, ())
            found.append(target)
        except UserError as error:
            assert f":2: `.target {target}` runs on sm_" in str(error)
    assert " ".join(found) == LOADS[device]


def test_the_sentence_says_what_runs_where_and_what_to_do() -> None:
    device = lanemap.open_device("sm_100a", device="emulator")
    with pytest.raises(UserError) as raised:
        device.load(ptx.entry("", ""))
    assert str(raised.value) == (
        "the source:2: `.target sm_90a` runs on sm_90 alone, and this device is sm_100a: compile "
        "the text for sm_100a, or open a device that executes it"
    )
