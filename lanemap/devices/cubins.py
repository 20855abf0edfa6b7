"""PTX compiled ahead of the launch, for those who launch many programs or record what ran."""

from __future__ import annotations

from lanemap.toolchain import ptxas


def cubin(ptx: str, target: str) -> bytes:
    """Return the cubin of PTX text.

    Raises:
        UserError: ptxas refuses the text.
        MissingEnvironment: there is no ptxas.
    """
    return ptxas.assemble(ptx, target)


def compiler() -> str:
    """Return name and version of what `cubin` compiles with.

    Raises:
        MissingEnvironment: there is no ptxas.
    """
    return f"ptxas {ptxas.version()}"
