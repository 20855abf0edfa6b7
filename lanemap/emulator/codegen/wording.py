"""What a front end calls things in reports, and the sentences for hazards that only it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.layout import SPACE_NAMES
from lanemap.emulator.runtime.records import HazardRecord


@dataclass(frozen=True)
class Apart:
    """Lanes of a wave that wait (a mask), at the first operation of a block or before it."""

    mask: int
    block: int
    begins: bool


class Wording:
    """The words of an instruction set; a front end derives its own from these neutral ones.

    Attributes:
        group: What its manuals call a CTA.
        wave: What they call a wave.
        multiprocessor: What they call that on which CTAs run.
        execution_mask: What they call the register of lanes that execute.
        engine_memory: What they call the memory of an engine's own.
        waits: What a wave waits for, by the number that `Wave.barrier` has meanwhile; others are
            barriers.
    """

    group = "workgroup"
    wave = "wave"
    multiprocessor = "compute unit"
    execution_mask = "execution mask"
    engine_memory = "engine memory"
    waits: Mapping[int, str] = {}

    def memory(self, space: int) -> str:
        """What a memory is called (`space` is one of abi.Space)."""
        return self.engine_memory if space == abi.Space.ENGINE else SPACE_NAMES[abi.Space(space)]

    def place(self, space: int, address: int) -> str:
        """A place in a memory other than the global one (`space` is one of abi.Space)."""
        return f"byte {address:#x}"

    def missing_order(self, record: HazardRecord, elsewhere: bool) -> str:
        """What would order two accesses, with its verb; `elsewhere`: they are of two CTAs."""
        return "a barrier, or release and acquire, is"

    def own_hazard(self, record: HazardRecord, operations: Sequence[Operation],
                   name: Callable[[int], str]) -> tuple[str, str]:
        """The kind and the sentence of a hazard that the core does not know.

        `name` names a member of the cluster.
        """
        raise RuntimeError(f"no front end words hazards of kind {record.kind}")

    def apart(self, wave: abi.Wave) -> Sequence[Apart]:
        """Where lanes of a wave wait, if some wait for others that are elsewhere: those first."""
        return ()

    def awaited(self, wave: abi.Wave) -> str:
        """What a wave waits for that has not ended and cannot go on."""
        return "the others"
