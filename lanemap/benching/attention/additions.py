"""What fmha does to the logits beside scaling and masking them; kernels/include/additions.h."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.problem import Problem
from lanemap.devices.arguments import ByValue


@dataclass(frozen=True)
class Additions:
    """The numbers of what `Problem.added` names.

    Attributes:
        softcap: A logit is softcap * tanh(logit / softcap); 0 is none.
        slopes: ALiBi's slopes on a device, of heads or of (batch, heads).
        sinks: Logits that belong to no key, one for each head.
        apart: Whether each sequence has slopes of its own.
    """

    softcap: float = 0
    slopes: Operand | None = None
    sinks: Operand | None = None
    apart: bool = False

    def arguments(self, problem: Problem, scale: float) -> tuple[ByValue, ...]:
        """Return the kernel's argument, `Additions` of additions.h; none without an addition.

        Args:
            problem: The problem, which says what is added.
            scale: Factor of the logits.
        """
        if not problem.added:
            return ()
        arrays = [None if each is None else each.array for each in (self.slopes, self.sinks)]
        addresses = [0 if each is None else each.pointer().address for each in arrays]
        places = [(8 * i, each, 0) for i, each in enumerate(arrays) if each is not None]
        before_tanh = scale / self.softcap if self.softcap else 0
        data = struct.pack("<2Qif", *addresses, problem.heads if self.apart else 0, before_tanh)
        return (ByValue(data, 8, arrays, places),)


NOTHING = Additions()
