"""The words of AMD's manuals in reports."""

from __future__ import annotations

from lanemap.emulator.codegen.wording import Wording
from lanemap.emulator.runtime.records import HazardRecord


class AmdWording(Wording):
    """The words of the CDNA ISA and of LLVM's AMDGPU memory model."""

    execution_mask = "EXEC"

    def missing_order(self, record: HazardRecord, elsewhere: bool) -> str:
        """A barrier in a workgroup; between workgroups a flag, with what empties the caches."""
        if not record.info[2]:
            return ("a flag that is stored after a release to the agent (buffer_wbl2 sc1 and its "
                    "wait) and read before an acquire (buffer_inv sc1) is")
        return "a barrier (and the wait for completion before it) is"
