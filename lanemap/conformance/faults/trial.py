"""The programs of faults on a GPU, translated by each ptxas at each level: what came out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from lanemap.conformance.faults.programs import FAULTS, LANES, UNTOUCHED, FaultProgram
from lanemap.conformance.programs.crew import Gpu, emulate
from lanemap.conformance.programs.plan import TARGET
from lanemap.conformance.programs.program import PARAMETER_BYTES, Program
from lanemap.toolchain import ptxas

#: How often each program runs.
TIMES = 3
LEVELS = ("-O0", "-O1", "-O3")


def as_program(fault: FaultProgram) -> Program:
    """The launch of a program: one block of one warp."""
    before = np.full(len(fault.promise), UNTOUCHED, np.uint32).tobytes()
    return Program(
        fault.name,
        fault.text,
        (),
        LANES,
        (LANES, 1, 1),
        bytes(4 * LANES),
        before,
        bytes(PARAMETER_BYTES),
        (),
    )


def words(output: bytes) -> list[int]:
    """The words of an output array."""
    return [int(word) for word in np.frombuffer(output, np.uint32)]


def _outcome(gpu: Gpu, program: Program, image: bytes, promise: list[int]) -> dict[str, Any]:
    """Run a program TIMES times: the outcome that came most often, and how often it came."""
    seen: Counter[tuple[bytes, str]] = Counter(gpu.run(program, image) for _ in range(TIMES))
    (output, error), times = seen.most_common(1)[0]
    outcome: dict[str, Any] = {"runs": TIMES, "the same": times}
    if error:
        return outcome | {"error": error.partition("\n")[0]}
    if words(output) == promise:
        return outcome | {"as promised": True}
    return outcome | {"as promised": False, "words": words(output)}


def outcomes(findings: Mapping[str, Any]) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    """Return the outcome of each program, by program, compiler and options.

    An error's outcome is CUDA's error code; the words around it are ours.
    """
    found: dict[tuple[str, str, str], tuple[Any, ...]] = {}
    for fault in findings["faults"]:
        for program in fault["programs"]:
            for outcome in program["outcomes"]:
                error = outcome.get("error", "")
                code = re.search(r"CUDA_\w+", error)
                key = (program["name"], outcome["compiler"], outcome["options"])
                text = (program["ptx"], tuple(program["promise"]), program["cure"])
                found[key] = (text, outcome.get("words"), code[0] if code else error)
    return found


def observe(assemblers: Sequence[str | None]) -> tuple[Mapping[str, Any], int]:
    """Run everything.

    Args:
        assemblers: Paths of ptxas; None stands for the one that lanemap finds.

    Returns:
        The findings, and how many programs the emulator runs otherwise than PTX promises.

    Raises:
        MissingEnvironment: there is no GPU of the target, or no ptxas.
    """
    versions = {path: f"ptxas {ptxas.version(path)}" for path in assemblers}
    gpu, wrong, rows = Gpu(), 0, []
    try:
        for fault in FAULTS:
            programs = []
            for item in fault.programs:
                program, promise = as_program(item), list(item.promise)
                emulated, error = emulate(program)
                wrong += bool(error) or words(emulated) != promise
                seen = []
                for path, level in product(versions, LEVELS):
                    image = ptxas.assemble(item.text, TARGET, [level], program=path)
                    head = {"compiler": versions[path], "options": level}
                    seen.append(head | _outcome(gpu, program, image, promise))
                programs.append(
                    {
                        "name": item.name,
                        "cure": item.cure,
                        "ptx": item.text,
                        "promise": promise,
                        "outcomes": seen,
                    }
                )
                kept = sum(outcome.get("as promised", False) for outcome in seen)
                print(f"{item.name}: {kept} of {len(seen)} as PTX promises", flush=True)
            rows.append({"name": fault.name, "promise": fault.promise, "programs": programs})
    finally:
        gpu.close()
    return {"faults": rows}, wrong
