"""Runs the texts on the emulator and on a GPU, compares them, and builds the row.

The emulator is that of the GPU, so that tensor cores add alike. The row shows what PTX of an
earlier target means to ptxas and to this GPU, and nothing of how a GPU of that target rounds.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from lanemap.conformance.earlier_targets import plan
from lanemap.conformance.programs.comparison import digest
from lanemap.conformance.programs.crew import Gpu
from lanemap.conformance.programs.series import Outcome, Series
from lanemap.conformance.programs.trial import differing_forms
from lanemap.conformance.tensor_cores import inputs, kernels
from lanemap.conformance.tensor_cores.kinds import KINDS, Kind
from lanemap.conformance.tensor_cores.trial import Runner
from lanemap.devices import Device
from lanemap.probing.run import observe as observe_probe
from lanemap.records.hashes import source_hash
from lanemap.sweeping.executors import spread
from lanemap.toolchain import ptxas

PROVES = (
    "ptxas and this GPU understand PTX of these targets as the emulator does: results of each form,"
    " places of elements in mma.sync and ldmatrix, and sums as this GPU's tensor cores make them"
)
PROVES_NOT = (
    "what a GPU of these targets computes where targets differ: how its tensor cores round sums,"
    " its approximations, its speed"
)
#: Chunks of dot products of each kind.
CHUNKS = 2
#: Differences that are printed of a target.
_SHOWN = 10

Assemble = Callable[[str], Any]
#: Of targets and names of kinds: whether results are equal, and a hash of the GPU's.
Products = Callable[[Sequence[tuple[str, str]]], Sequence[tuple[bool, str]]]


def assembled(text: str) -> bytes:
    """The cubin of a text for the GPU, whatever its `.target`."""
    return ptxas.assemble(text, plan.GPU)


class Assembling:
    """A device that loads texts as an assembler makes them."""

    def __init__(self, device: Device, assemble: Assemble) -> None:
        """Wrap a device."""
        self._device, self._assemble = device, assemble

    def __getattr__(self, name: str) -> Any:
        """Anything else of the device."""
        return getattr(self._device, name)

    def load(self, source: str) -> Any:
        """Load a text."""
        return self._device.load(self._assemble(source))


def programs(target: str, gpu: Any, keep: Path | None, count: int) -> dict[str, Any]:
    """Run the programs of a target on both devices."""
    outcomes: list[Outcome] = [
        outcome for (outcome,) in Series(plan.program, plan.numbers(target, count)).run(gpu, keep)
    ]
    failed = {each.program.name: list(each.errors) for each in outcomes if any(each.errors)}
    well = [each for each in outcomes if not any(each.errors)]
    slots = [slot for each in well for slot in each.program.slots if slot.compared]
    return {
        "programs": len(outcomes),
        "failed": failed,
        "forms": len({form for each in well for form in each.program.forms}),
        "compared": len({slot.form for slot in slots if not slot.form.startswith("(")}),
        "lanes": sum(slot.threads for slot in slots),
        "differing": sorted(differing_forms(outcomes)),
        "texts": source_hash("".join(each.program.text for each in outcomes)),
        "outputs": source_hash("".join(digest(each.program, each.observed) for each in well)),
    }


def product(
    target: str, kind: Kind, devices: Sequence[Device], assemble: Assemble, chunks: int
) -> tuple[bool, str]:
    """Run dot products of a kind of mma.sync on the emulator and on the GPU.

    Returns:
        Whether all results are equal, and a hash of the GPU's.
    """
    text, whole, equal = plan.text_for(kernels.source(kind), target), hashlib.sha256(), True
    emulator, gpu = (
        Runner(device, kind, source)
        for device, source in zip(devices, (text, assemble(text)), strict=True)
    )
    for number in range(chunks):
        operands = inputs.chunk(kind, number)
        seen = gpu.run(*operands)
        whole.update(np.ascontiguousarray(seen).tobytes())
        equal &= np.array_equal(emulator.run(*operands), seen)
    return equal, whole.hexdigest()


@cache
def _devices() -> tuple[Device, Device]:
    emulator, gpu = (lanemap.open_device(plan.GPU, device=each) for each in ("emulator", "cuda"))
    return emulator, gpu


def _product(job: tuple[str, str]) -> tuple[bool, str]:
    """The same in a process of a pool."""
    target, name = job
    return product(target, KINDS[name], _devices(), assembled, CHUNKS)


def products(target: str, run: Products, chunks: int) -> dict[str, Any]:
    """Run dot products of all kinds of mma.sync of a target."""
    kinds = [kind.name for kind in plan.kinds(target)]
    found = dict(zip(kinds, run([(target, name) for name in kinds]), strict=True))
    return {
        "kinds": kinds,
        "dots": len(kinds) * chunks * inputs.CHUNK,
        "differing": [name for name, (equal, _) in found.items() if not equal],
        "outputs": source_hash("".join(digest for _, digest in found.values())),
    }


def probes(target: str, gpu: Device, assemble: Assemble) -> dict[str, bool]:
    """Run the probes on the GPU; return whether what each saw is the model's map."""
    device: Any = Assembling(gpu, assemble)
    return {name: observe_probe(plan.probe(name, target), device).agrees for name in plan.PROBES}


def of_target(
    target: str,
    device: Device,
    gpu: Any,
    run: Products,
    keep: Path | None = None,
    assemble: Assemble = assembled,
    count: int = plan.PROGRAMS,
    chunks: int = CHUNKS,
) -> dict[str, Any]:
    """Everything about one target.

    Args:
        target: `.target` of the texts.
        device: The GPU.
        gpu: The GPU in a process of its own, for programs.
        run: Runs `product` for targets and names of kinds.
        keep: Folder for texts and outputs of programs; none if None.
        assemble: What makes of a text what the GPU loads.
        count: Programs.
        chunks: Chunks of dot products of each kind.
    """
    start = time.monotonic()
    found: dict[str, Any] = {
        "target": target,
        "programs": programs(target, gpu, keep, count),
        "products": products(target, run, chunks),
        "probes": probes(target, device, assemble),
    }
    print(f"{sentence(found)} ({time.monotonic() - start:.1f} s)", flush=True)
    ran = found["programs"]
    for form in ran["differing"][:_SHOWN]:
        print(f"  {form} differs", flush=True)
    for name, errors in list(ran["failed"].items())[:_SHOWN]:
        print(f"  program {name}: emulator {errors[0]!r}, GPU {errors[1]!r}", flush=True)
    return found


def sentence(found: Mapping[str, Any]) -> str:
    """Counts of one target in words."""
    ran, own = found["programs"], found["products"]
    return (
        f"{found['target']}: {ran['compared']} forms compared in {ran['lanes']} lanes of "
        f"{ran['programs']} programs, {len(ran['differing'])} differ, {len(ran['failed'])} "
        f"programs failed; {len(own['kinds'])} kinds of mma.sync, {own['dots']} dot products, "
        f"{len(own['differing'])} kinds differ; "
        f"{sum(found['probes'].values())} of {len(found['probes'])} probes agree"
    )


def disagreements(found: Mapping[str, Any]) -> int:
    """How many forms, programs, kinds and probes of a target disagree."""
    ran = found["programs"]
    return (
        len(ran["differing"])
        + len(ran["failed"])
        + len(found["products"]["differing"])
        + sum(not agrees for agrees in found["probes"].values())
    )


def findings(targets: Sequence[Mapping[str, Any]], compiler: str) -> dict[str, Any]:
    """What a row holds."""
    return {
        "compiler": compiler,
        "proves": PROVES,
        "proves_not": PROVES_NOT,
        "targets": list(targets),
    }


def observe(device: Device, keep: Path | None = None) -> tuple[Mapping[str, Any], int]:
    """Run everything on both devices; return the findings and how many ways they disagree.

    Args:
        device: The GPU.
        keep: Folder for texts and outputs of programs; none if None.

    Raises:
        MissingEnvironment: ptxas is not here.
    """
    compiler = f"ptxas {ptxas.version()}"
    gpu = Gpu()
    try:
        products = partial(spread, _product)
        found = [of_target(target, device, gpu, products, keep) for target in plan.TARGETS]
    finally:
        gpu.close()
    return findings(found, compiler), sum(map(disagreements, found))
