"""Matrix products and attention that CuTe DSL compiled, against NumPy (cute_dsl_cases.py).

Those for sm_90a run on the emulator, strict and not, and on an sm_90 GPU if there is one. Those for
sm_100a are clean by default, but for a fault of the DSL's library. Under strict, all that is
reported are the fences and waits of tcgen05 that the DSL and its library leave out
(docs/emulator-tensor-memory.md).
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx import cute_dsl_cases
from tests.emulator.ptx.cute_dsl_cases import CASES, FAULTY, HERE
from tests.sampled import sampled
from tests.sm_90a import PLACES, opened

#: What the strict emulator may say of kernels for sm_100a.
LEFT_OUT = (
    "tcgen05.fence::before_thread_sync",
    "tcgen05.fence::after_thread_sync",
    "tcgen05.wait::ld",
)
#: Kernels that the strict emulator runs: one of each way to feed tcgen05.mma.
STRICT = ("product_columns", "persistent", "pair", "mixed", "nvfp4_pair", "attention_bf16_64")


def test_every_stored_product_has_a_case() -> None:
    for target, cases in CASES.items():
        stored = {
            path.name.partition(".")[0]
            for path in HERE.glob(f"*.{target}.ptx")
            if re.search(r"^\s*(wgmma|tcgen05)\.mma", path.read_text(), re.MULTILINE)
        }
        assert stored == set(cases)


@pytest.mark.parametrize(
    ("name", "place"),
    sampled(itertools.product(CASES["sm_90a"], PLACES), lambda case: case[1] != "emulator"),
)
def test_on_sm_90a(name: str, place: str) -> None:
    CASES["sm_90a"][name](opened(place), name, "sm_90a")


@pytest.mark.parametrize("name", sampled(CASES["sm_100a"], 2))
def test_on_sm_100a(name: str) -> None:
    device = lanemap.open_device("sm_100a", "emulator", hazards="report")
    CASES["sm_100a"][name](device, name, "sm_100a")
    fault = FAULTY.get(f"{name}.sm_100a")
    assert bool(device.hazards) == bool(fault)
    assert all(fault in str(hazard) for hazard in device.hazards)


@pytest.mark.parametrize("name", sampled(STRICT, 3))
def test_strict_on_sm_100a(name: str) -> None:
    device = lanemap.open_device("sm_100a", "emulator", hazards="report", strict=True)
    CASES["sm_100a"][name](device, name, "sm_100a")
    sentences = [str(hazard) for hazard in device.hazards]
    assert sentences
    assert not [s for s in sentences if not any(missing in s for missing in LEFT_OUT)]


#: Kernel, what is cut out of its text, and what the hazard must name.
FAULTS = (
    ("mixed", r"tcgen05\.wait::st\.sync\.aligned;", "tcgen05.wait::st by warp"),
    ("attention_bf16_64", r"tcgen05\.wait::st\.sync\.aligned;", "tcgen05.wait::st by warp"),
    ("persistent", r"fence\.proxy\.async\.shared::cta;", "fence.proxy.async"),
    ("nvfp4", r"tcgen05\.cp\.[^;]*;", "undefined"),
    ("pair", r"fence\.mbarrier_init\S*;|barrier\.cluster\.wait;", "a cluster barrier"),
)


@pytest.mark.parametrize(("name", "cut", "word"), FAULTS, ids=[name for name, *_ in FAULTS])
def test_what_is_cut_out_is_missed(
    name: str, cut: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = (HERE / f"{name}.sm_100a.ptx").read_text()
    faulty, count = re.subn(cut, "", stored)
    assert count
    (tmp_path / f"{name}.sm_100a.ptx").write_text(faulty)
    monkeypatch.setattr(cute_dsl_cases, "HERE", tmp_path)
    with pytest.raises(Hazard) as caught:
        CASES["sm_100a"][name](lanemap.open_device("sm_100a", "emulator"), name, "sm_100a")
    assert word in str(caught.value)
