"""Terms of AMD's manuals used in reports."""

from __future__ import annotations

from lanemap.emulator.codegen.wording import Wording
from lanemap.emulator.runtime.records import HazardRecord

_SCOPED = (
    "a flag stored after an agent-scope release (buffer_wbl2 sc1 and its wait) and read before an "
    "agent-scope acquire (buffer_inv sc1) is"
)
_UNSCOPED = (
    "a flag stored after a release (s_waitcnt vmcnt(0)) and read, with glc, before an acquire "
    "(buffer_wbinvl1_vol) is"
)


class AmdWording(Wording):
    """The terms of the CDNA ISA and of LLVM's AMDGPU memory model."""

    execution_mask = "EXEC"

    def __init__(self, names_scopes: bool) -> None:
        """`names_scopes`: as of the target; without, a release to the agent is a wait."""
        self._flag = _SCOPED if names_scopes else _UNSCOPED

    def missing_order(self, record: HazardRecord, elsewhere: bool) -> str:
        """Name a barrier in a workgroup, or a flag with the cache instructions between two."""
        if not record.info[2]:
            return self._flag
        return "a barrier (and the wait for completion before it) is"
