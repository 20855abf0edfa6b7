"""The stored PTX of examples/cute, launched as its scripts do: right and clean, or the fault found.

cute_examples/build.py stores the texts, which `make cute` compares with what CuTe DSL makes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.devices.arguments import ByValue
from lanemap.devices.emulator import Hazard

HERE = Path(__file__).resolve().parent / "cute_examples"
ROOT = HERE.parents[3]
LAUNCHES = json.loads((HERE / "launches.json").read_text())
NAMES = sorted(name for name, about in LAUNCHES.items() if isinstance(about, dict))
#: By the faulty text: what a hazard says, and what stands at a line of the script that it names.
FOUND = {
    "elementwise.faulty": ("outside every allocation", "cute.copy(atom, own_x, held_x"),
    "rms_norm.faulty": ("without being ordered after", "parts[warp] = value"),
    "gemm_ampere.faulty": ("cp.async", "cute.copy(reader_a"),
    "gemm_hopper.faulty": ("fence.proxy.async", "cute.copy(store_c"),
    "dynamic_tiles.faulty": ("without being ordered after", "scheduler.advance_to_next_work"),
    "handoff.faulty": ("its completion, a release and an acquire", "y[pair, thread] ="),
    "handoff.leader.faulty": ("__syncwarp() (bar.warp.sync) before", "tile[thread] ="),
}
#: Faults that are found under strict alone.
STRICT = ("handoff.leader.faulty",)
Arrays = list[Any]


def whole(*shape: int) -> Any:
    """Small integers, whose products and sums are exact."""
    return np.random.default_rng(7).integers(-4, 5, shape).astype(np.float16)


def sums() -> tuple[Arrays, Callable[[Arrays], None]]:
    rng = np.random.default_rng(7)
    x, y = (rng.standard_normal((100, 300)).astype(np.float32) for _ in "xy")
    z = np.zeros_like(x)

    def compare(arrays: Arrays) -> None:
        assert np.array_equal(arrays[2], x + y)

    return [x, y, z], compare


def norms() -> tuple[Arrays, Callable[[Arrays], None]]:
    rng = np.random.default_rng(7)
    x, weight = (rng.standard_normal(shape).astype(np.float16) for shape in ((6, 2048), 2048))

    def compare(arrays: Arrays) -> None:
        wide = x.astype(np.float64)
        scale = 1 / np.sqrt(np.square(wide).mean(-1, keepdims=True) + 1e-5)
        expected = wide * scale * weight.astype(np.float64)
        assert np.allclose(arrays[2].astype(np.float64), expected, atol=2e-3, rtol=2e-3)

    return [x, weight, np.zeros_like(x)], compare


def product(m: int, n: int, k: int, *more: Any) -> tuple[Arrays, Callable[[Arrays], None]]:
    a, b = whole(m, k), whole(n, k)

    def compare(arrays: Arrays) -> None:
        expected = a.astype(np.float64) @ b.astype(np.float64).T
        assert np.array_equal(arrays[2].astype(np.float64), expected)

    return [a, b, np.zeros((m, n), np.float16), *more], compare


def doubled() -> tuple[Arrays, Callable[[Arrays], None]]:
    x = np.random.default_rng(7).standard_normal((8, 256)).astype(np.float32)

    def compare(arrays: Arrays) -> None:
        assert np.array_equal(arrays[3], 2 * x[:, ::-1])

    return [x, np.zeros_like(x), np.zeros(8, np.int32), np.zeros_like(x)], compare


#: The arrays of each script, in the order in which it makes them, and the judge of its results.
GIVEN: dict[str, Callable[[], tuple[Arrays, Callable[[Arrays], None]]]] = {
    "elementwise": sums,
    "rms_norm": norms,
    "gemm_ampere": lambda: product(128, 192, 160),
    "gemm_hopper": lambda: product(384, 256, 192),
    "dynamic_tiles": lambda: product(256, 320, 64, np.zeros((4, 5), np.int32)),
    "handoff": doubled,
}


def _argument(parts: Sequence[Any], addresses: Sequence[int]) -> ByValue:
    """Return an argument's bytes, with the addresses of this device's arrays."""
    data = b"".join(
        bytes.fromhex(part)
        if isinstance(part, str)
        else (addresses[part[0]] + part[1]).to_bytes(8, "little")
        for part in parts
    )
    return ByValue(data, 8)


def launch(name: str) -> tuple[tuple[Any, ...], Callable[[], None]]:
    """Launch a stored text; return the hazards, and what judges the results."""
    about = LAUNCHES[name]
    device = lanemap.open_device(about["target"], "emulator", "report", strict=name in STRICT)
    arrays, compare = GIVEN[name.partition(".")[0]]()
    held = [device.array(each) for each in arrays]
    module = device.load(HERE / f"{name}.ptx")
    arguments = [_argument(each, [array.address for array in held]) for each in about["arguments"]]
    sizes = tuple(about["grid"]), tuple(about["block"])
    # A deadlock ends a launch though hazards are reported; no right text may have one.
    with contextlib.suppress(*[Hazard] * name.endswith(".faulty")):
        module[module.entries[0]](*sizes, arguments, about["shared_bytes"], tuple(about["cluster"]))
    places = {
        place
        for hazard in device.hazards
        for line in (hazard.line, hazard.facts.other.line if hazard.facts.other else 0)
        if line
        for place in module.places(line)
    }
    said = tuple(map(str, device.hazards))
    return (said, places), lambda: compare([each.get() for each in held])


@pytest.mark.parametrize("name", [name for name in NAMES if name not in FOUND])
def test_a_text_is_right_and_clean(name: str) -> None:
    (said, _), judge = launch(name)
    assert not said
    judge()


@pytest.mark.parametrize("name", FOUND)
def test_a_fault_is_found_at_its_line(name: str) -> None:
    (said, places), _ = launch(name)
    sentence, line = FOUND[name]
    assert any(sentence in each for each in said), said
    lines = [(ROOT / file).read_text().splitlines()[number - 1] for file, number in places]
    assert any(line in each for each in lines), lines


@pytest.mark.parametrize("name", NAMES)
def test_a_text_belongs_to_its_script(name: str) -> None:
    about, script = LAUNCHES[name], ROOT / "examples/cute" / f"{name.partition('.')[0]}.py"
    for key, path in (("text_sha256", HERE / f"{name}.ptx"), ("script_sha256", script)):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == about[key], f"build {name} again"


def test_each_text_is_tried() -> None:
    assert {path.stem for path in HERE.glob("*.ptx")} == set(NAMES)
    assert {name.partition(".")[0] for name in NAMES} == set(GIVEN)
    assert {name for name in NAMES if name.endswith(".faulty")} == set(FOUND)
