"""Compares predictions of `lanemap time` with what an H200 took: the development set.

    python -m tools.predicted            the kernels of one CTA of tests/timing/one_cta.cu

prints a Markdown table: the cycles between the two clock reads of the slowest warp, predicted and
measured (tests/timing/measured.json, written by `python -m tools.executed cycles`; the median of
five launches), with signed errors, and refusals with their reasons.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path

import lanemap
from lanemap.errors import UserError
from lanemap.timing.model.answer import predicted
from lanemap.timing.model.launched import joined
from lanemap.timing.model.recording import TraceRecorder
from tests.timing.executed import ONE_CTA, TARGET, Kernel
from tools.executed import code_hash

MEASURED = Path(__file__).resolve().parents[1] / "tests/timing/measured.json"
#: A read of the SM's clock; other CS2R write zeros.
_CLOCK = "SR_CLOCKLO"


def window(kernel: Kernel) -> int:
    """Return the predicted cycles between the clock reads of the slowest warp.

    Raises:
        UserError: the model refuses the launch.
    """
    device = lanemap.open_device(TARGET, "emulator")
    recorder = TraceRecorder()
    with device.observe(recorder):  # type: ignore[attr-defined]
        kernel.launch(device)
    found = predicted(joined(recorder.launches[0], kernel.text, kernel.cubin()), changes=False)
    code, longest = found.trace.code, 0
    for number, own in zip(found.members(), found.result.warps, strict=True):
        reads = [
            int(cycle)
            for place, cycle in zip(found.trace.warps[number].issued, own.cycles, strict=True)
            if code[place].opcode == "CS2R" and _CLOCK in code[place].operands
        ]
        longest = max(longest, reads[-1] - reads[0])
    return longest


def rows() -> Iterator[tuple[str, int, int | str]]:
    """For each kernel its measured cycles, and those predicted or why there are none."""
    measured = json.loads(MEASURED.read_text())["kernels"]
    for name, kernel in ONE_CTA.items():
        own = measured[name]
        cycles = int(statistics.median(max(launch) for launch in own["warps"]))
        if code_hash(kernel.words()) != own["code"]:
            yield name, cycles, "ptxas makes other code now"
            continue
        try:
            yield name, cycles, window(kernel)
        except UserError as error:
            yield name, cycles, f"refused: {error}"


def main() -> int:
    """Print the table, and the errors' median and worst."""
    print("| kernel, warps | predicted | measured | error |\n|---|---|---|---|")
    errors = []
    refused = 0
    for name, cycles, found in rows():
        kernel, warps = name.split()[1:]
        if isinstance(found, str):
            refused += 1
            print(f"| {kernel}, {warps} | {found} | {cycles} | |", flush=True)
            continue
        errors.append(found / cycles - 1)
        print(f"| {kernel}, {warps} | {found} | {cycles} | {errors[-1]:+.1%} |", flush=True)
    sizes = sorted(map(abs, errors))
    print(
        f"\n{len(errors)} predictions, {refused} refusals; median of |error| "
        f"{statistics.median(sizes):.1%}, worst {sizes[-1]:.1%}"
        if errors
        else f"\nno prediction, {refused} refusals"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
