"""Terms a front end uses in reports, and the sentences for hazards that only it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.layout import SPACE_NAMES
from lanemap.emulator.runtime.records import HazardRecord


@dataclass(frozen=True)
class Apart:
    """Mask of waiting lanes: at the first operation of a block if `begins`, else before it."""

    mask: int
    block: int
    begins: bool


class Wording:
    """The terms of an instruction set; each front end derives its own from these neutral ones.

    Attributes:
        group: What its manuals call a CTA.
        wave: What they call a wave.
        multiprocessor: What they call the unit that CTAs run on.
        execution_mask: What they call the mask of active lanes.
        engine_memory: What they call the private memory of an engine.
        waits: What a wave waits for, by the value of `Wave.barrier` during the wait. Other values
            are barriers.
        notes: Why what a note names works although the instruction set does not guarantee it, by
            the note's number.
    """

    group = "workgroup"
    wave = "wave"
    multiprocessor = "compute unit"
    execution_mask = "execution mask"
    engine_memory = "engine memory"
    waits: Mapping[int, str] = {}
    notes: Mapping[int, str] = {}

    def memory(self, space: int) -> str:
        """Name a memory (`space` is one of abi.Space)."""
        return self.engine_memory if space == abi.Space.ENGINE else SPACE_NAMES[abi.Space(space)]

    def place(self, space: int, address: int) -> str:
        """Name a place in a memory other than global memory (`space` is one of abi.Space)."""
        return f"byte {address:#x}"

    def missing_order(self, record: HazardRecord, elsewhere: bool) -> str:
        """Name what would order two accesses, with a verb; `elsewhere`: of different CTAs."""
        return "a barrier, or release and acquire, is"

    def own_hazard(self, record: HazardRecord, operations: Sequence[Operation],
                   name: Callable[[int], str]) -> tuple[str, str]:
        """Return the kind and the sentence of a hazard that only the front end knows.

        `name` names a member of the cluster.
        """
        raise RuntimeError(f"no front end words hazards of kind {record.kind}")

    def apart(self, wave: abi.Wave) -> Sequence[Apart]:
        """Return where lanes wait if some wait for lanes elsewhere, the waiting ones first."""
        return ()

    def awaited(self, wave: abi.Wave) -> str:
        """Name what a blocked wave waits for."""
        return "the others"
