"""The programs of faults on a GPU, translated by each ptxas at each level: what came out."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lanemap.conformance.faults.programs import FAULTS, LANES, UNTOUCHED, FaultProgram
from lanemap.conformance.programs.crew import Gpu, emulate
from lanemap.conformance.programs.plan import TARGET
from lanemap.conformance.programs.program import PARAMETER_BYTES, Program
from lanemap.errors import UserError
from lanemap.toolchain import ptxas

#: How often each program runs.
TIMES = 3
LEVELS = ("-O0", "-O1", "-O3")


class Assembler(Protocol):
    """A ptxas, or what one made before."""

    @property
    def name(self) -> str:
        """The program and its version, "ptxas 13.0.88"."""

    def assemble(self, text: str, level: str) -> bytes:
        """The cubin of a text at a level.

        Raises:
            UserError: this ptxas refuses the text.
        """


class Installed:
    """A ptxas of this machine, at a path or the one that lanemap finds; texts name no newer PTX."""

    def __init__(
        self, path: str | None = None, newest: tuple[int, int] = ptxas.PTX_VERSION
    ) -> None:
        self._path = path
        self._newest = newest
        self.name = f"ptxas {ptxas.version(path)}"

    def assemble(self, text: str, level: str) -> bytes:
        """See `Assembler`."""
        text = ptxas.lowered(text, self._newest)
        return ptxas.assemble(text, TARGET, [level], program=self._path)


@dataclass(frozen=True)
class Stored:
    """What a ptxas made elsewhere; `cubins` has the cubin or the refusal of each text and level."""

    name: str
    cubins: Mapping[str, Mapping[str, str]]

    def assemble(self, text: str, level: str) -> bytes:
        """See `Assembler`."""
        made = self.cubins[f"{level} {text}"]
        if "refused" in made:
            raise UserError(made["refused"])
        return base64.b64decode(made["cubin"])


def stored(path: Path) -> list[Assembler]:
    """The compilers of a file that `stored_by` made.

    Raises:
        UserError: it is no such file.
    """
    try:
        data = json.loads(path.read_text())
        return [Stored(name, cubins) for name, cubins in data.items()]
    except (OSError, ValueError, AttributeError) as error:
        raise UserError(f"{path} holds no cubins of the programs of faults: {error}") from error


def stored_by(assembler: Assembler) -> dict[str, dict[str, str]]:
    """What a compiler makes of every program at every level, for `Stored`."""
    made = {}
    for fault, level in product(FAULTS, LEVELS):
        for item in fault.programs:
            try:
                cubin = base64.b64encode(assembler.assemble(item.text, level)).decode()
                made[f"{level} {item.text}"] = {"cubin": cubin}
            except UserError as refusal:
                made[f"{level} {item.text}"] = {"refused": str(refusal)}
    return made


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
    """Run a program TIMES times: the outcome that came most often, and how often it came.

    An error ends the process that ran it, so a program is not run again after one.
    """
    seen: Counter[tuple[bytes, str]] = Counter()
    for _ in range(TIMES):
        output, error = gpu.run(program, image)
        seen[output, error] += 1
        if error:
            break
    (output, error), times = seen.most_common(1)[0]
    outcome: dict[str, Any] = {"runs": seen.total(), "the same": times}
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
                error = outcome.get("error", outcome.get("refused", ""))
                code = re.search(r"CUDA_\w+", error)
                key = (program["name"], outcome["compiler"], outcome["options"])
                text = (program["text"], tuple(program["promise"]), program["cure"])
                found[key] = (text, outcome.get("words"), code[0] if code else error)
    return found


def observe(assemblers: Sequence[Assembler]) -> tuple[Mapping[str, Any], int]:
    """Run everything.

    Args:
        assemblers: One ptxas or several.

    Returns:
        The findings, and how many programs the emulator runs otherwise than PTX promises.

    Raises:
        MissingEnvironment: there is no GPU of the target.
    """
    gpu, wrong, rows = Gpu(), 0, []
    try:
        for fault in FAULTS:
            programs = []
            for item in fault.programs:
                program, promise = as_program(item), list(item.promise)
                emulated, error = emulate(program)
                wrong += bool(error) or words(emulated) != promise
                seen: list[dict[str, Any]] = []
                for assembler, level in product(assemblers, LEVELS):
                    head = {"compiler": assembler.name, "options": level}
                    try:
                        image = assembler.assemble(item.text, level)
                    except UserError as refusal:
                        seen.append(head | {"runs": 0, "the same": 0, "refused": str(refusal)})
                        continue
                    seen.append(head | _outcome(gpu, program, image, promise))
                programs.append(
                    {
                        "name": item.name,
                        "cure": item.cure,
                        "text": item.text,
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
