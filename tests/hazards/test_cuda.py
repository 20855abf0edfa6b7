"""CTAs that work together: correct kernels are clean and right, faults are caught at their line.

Where there is an sm_90 GPU, the same PTX is held to the same expectations there.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests.devices.test_cuda import on_silicon
from tests.hazards.cuda_pairs import FOLDER, WORKS, Trial, marked, text

FAULTS = [(name, fault) for name, work in WORKS.items() for fault in work.faults]
TRIALS = [(name, trial) for name, work in WORKS.items() for trial in work.trials]


def run(
    name: str, fault: str, trial: Trial, target: str = "sm_90a", strict: bool = False
) -> tuple[Any, Any]:
    """Launch: what the kernel stored, and what it should have."""
    device = lanemap.open_device(target, device="emulator", strict=strict)
    return on(device, text(name, fault, target), trial)


def on(device: Any, kernel: str, trial: Trial) -> tuple[Any, Any]:
    """Launch the one kernel of a text on a device."""
    module = device.load(kernel)
    (entry,) = module.entries
    return trial(device, module[entry])


def test_every_file_is_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob("*.cu")} == set(WORKS)


def test_every_fault_is_in_its_file() -> None:
    for name, fault in FAULTS:
        assert f"{fault})" in (body := (FOLDER / f"{name}.cu").read_text()) or (
            f"def {fault}\n" in body
        ), (name, fault)
        assert marked(name, fault), (name, fault)


@pytest.mark.parametrize(("name", "trial"), TRIALS)
def test_correct_kernels_are_clean_and_right(name: str, trial: str) -> None:
    got, expected = run(name, "", WORKS[name].trials[trial])
    assert np.array_equal(got, expected)


@pytest.mark.parametrize("name", ["relaxed_ticket", "reset_ticket", "reuse_flag"])
def test_strict_orders_a_store_after_what_was_acquired_or_observed(name: str) -> None:
    got, expected = run(name, "", WORKS[name].trials[""], strict=True)
    assert np.array_equal(got, expected)


@pytest.mark.parametrize(("name", "fault"), [each for each in FAULTS if "_ticket" in each[0]])
def test_faults_of_a_ticket_are_caught_under_strict_too(name: str, fault: str) -> None:
    with pytest.raises(Hazard) as caught:
        run(name, fault, WORKS[name].trials[""], strict=True)
    assert caught.value.kind == "order"


def test_fences_order_what_a_flag_says() -> None:
    got, expected = run("cluster_flag", "FENCES", WORKS["cluster_flag"].trials["5 CTAs"])
    assert np.array_equal(got, expected)


@on_silicon
@pytest.mark.parametrize(("name", "trial"), TRIALS)
def test_correct_kernels_on_silicon(name: str, trial: str) -> None:
    device = lanemap.open_device("sm_90a", device="cuda")
    for _ in range(5):
        got, expected = on(device, text(name), WORKS[name].trials[trial])
        assert np.array_equal(got, expected)


@pytest.mark.parametrize("name", ["grid_barrier", "cluster_reduce"])
@pytest.mark.parametrize("target", ["sm_100a", "sm_103a"])
def test_newer_targets(name: str, target: str) -> None:
    got, expected = run(name, "", next(iter(WORKS[name].trials.values())), target)
    assert np.array_equal(got, expected)


def test_what_a_vendors_sample_leaves_out_is_clean_by_default() -> None:
    got, expected = run("last_block", "NO_ACQUIRE", WORKS["last_block"].trials[""])
    assert np.array_equal(got, expected)


@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_the_fault_is_caught(name: str, fault: str) -> None:
    work = WORKS[name]
    trial = work.trials.get("4 CTAs") or next(iter(work.trials.values()))
    with pytest.raises(Hazard) as caught:
        run(name, fault, trial, strict=fault in work.strict)
    kind, words = work.faults[fault]
    hazard = caught.value
    assert not kind or hazard.kind == kind, str(hazard)
    assert words in str(hazard)
    lines = {int(n) for n in re.findall(rf"{name}\.cu:(\d+)", hazard.instruction)}
    assert lines & marked(name, fault), str(hazard)
