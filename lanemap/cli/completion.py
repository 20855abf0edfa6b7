"""What completes a word of the command line, for shells: `lanemap --install-completion`."""

from __future__ import annotations


def variants(incomplete: str) -> list[str]:
    """Return the variants whose names begin so."""
    from lanemap.model import variants as every

    return [each.name for each in every() if each.name.startswith(incomplete)]


def probes(incomplete: str) -> list[str]:
    """Return the probes whose names begin so."""
    from lanemap.probing.probe import find_probes

    return [name for name in find_probes() if name.startswith(incomplete)]


def kernels(incomplete: str) -> list[str]:
    """Return the kernels of lanemap whose names begin so."""
    from lanemap.benching.find import names

    return [name for name in names() if name.startswith(incomplete)]


def targets(incomplete: str) -> list[str]:
    """Return the targets whose names begin so."""
    from lanemap.devices import TARGETS

    return [name for name in TARGETS if name.startswith(incomplete)]
