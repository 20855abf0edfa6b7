"""State that a front end adds to each cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanemap.emulator.runtime import abi


class Extension:
    """A front end's own state of one cluster; the constructor passes its address to the runtime.

    Attributes:
        multiprocessor_bytes: Size of a memory that the CTAs on one multiprocessor share.
    """

    multiprocessor_bytes = 0

    def enter(self, memories: Sequence[int]) -> None:
        """Use the memories at these addresses, one for each CTA, until the cluster has ended.

        Only an extension that asks for such a memory needs them.
        """


#: Makes the extension of a cluster with these CTAs.
MakeExtension = Callable[[abi.Group, Sequence[abi.Cta]], Extension]
