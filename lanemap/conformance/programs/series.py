"""A series of programs, each of which runs once on the emulator and several times on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap.conformance.programs.comparison import Difference, differences
from lanemap.conformance.programs.crew import Gpu, prepared
from lanemap.conformance.programs.program import Program
from lanemap.records.hashes import source_hash


@dataclass(frozen=True)
class Outcome:
    """One program's results on both devices."""

    number: int
    program: Program
    cubin: str | None
    emulated: bytes
    observed: bytes
    errors: tuple[str, str]

    @property
    def differences(self) -> list[Difference]:
        """The slots that differ, approximate and unspecified ones included; none after an error."""
        if any(self.errors):
            return []
        return differences(self.program, self.emulated, self.observed)


@dataclass(frozen=True)
class Series:
    """Programs by number.

    Attributes:
        program: Returns a program; a function of a module, as other processes call it too.
        numbers: The numbers of the programs.
        times: How often the GPU runs each.
    """

    program: Callable[[int], Program]
    numbers: Sequence[int]
    times: int = 1

    def run(self, gpu: Gpu, keep: Path | None = None) -> Iterator[list[Outcome]]:
        """Run every program on both devices, up to the first run that fails on the GPU.

        Args:
            gpu: The GPU.
            keep: Folder for each program's text and first outputs; none by default.

        Yields:
            The outcomes of each program; all of one have the same emulated output.
        """
        for number, ready in zip(self.numbers, prepared(self.program, self.numbers), strict=True):
            program = self.program(number)
            image = None if ready.cubin is None else source_hash(ready.cubin)
            outcomes = []
            for _ in range(self.times):
                output, error = gpu.run(program, ready.cubin)
                errors = (ready.error, error)
                outcomes.append(Outcome(number, program, image, ready.output, output, errors))
                if error:
                    break
            if keep is not None:
                _keep(keep, outcomes[0])
            yield outcomes


def _keep(folder: Path, outcome: Outcome) -> None:
    """Write a program's text and outputs."""
    folder.mkdir(parents=True, exist_ok=True)
    name = outcome.program.name.replace(" ", "_")
    (folder / f"{name}.ptx").write_text(outcome.program.text)
    (folder / f"{name}.silicon").write_bytes(outcome.observed)
    (folder / f"{name}.emulator").write_bytes(outcome.emulated)
