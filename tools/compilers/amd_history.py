"""Which instructions of an AMD target each release of clang's assembler knows, as a row.

It is asked about the names that the newest of them accepts (lanemap/conformance/instructions.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from lanemap.conformance.forms.packing import pack
from lanemap.conformance.instructions import family, judge
from lanemap.errors import UserError
from lanemap.targets import instructions_of
from tools.compilers.clang_faults import compile_with


def known(zig: str, target: str, names: Sequence[str]) -> set[str]:
    """The instructions that a zig's clang has; none if it does not know the target."""
    try:
        compile_with(zig, "void none(void) {}", target, 0)
    except UserError:
        return set()
    return set(judge(names, target, (zig, "clang")))


def forms(
    target: str, compilers: Sequence[tuple[str, str]], say: Callable[[str], None]
) -> dict[str, Any]:
    """Counts by family for each release, and what changes.

    Args:
        target: An AMD target.
        compilers: Names, oldest first, and the zig that has each.
        say: Told what came out.
    """
    names = sorted(instructions_of(target))
    before: set[str] = set()
    rows = []
    for compiler, zig in compilers:
        now = known(zig, target, names)
        gained, lost = sorted(now - before), sorted(before - now)
        rows.append({
            "compiler": compiler, "accepted": len(now),
            "families": dict(sorted(Counter(map(family, now)).items())),
            "gained": pack(gained), "lost": pack(lost),
        })  # fmt: skip
        say(f"{target}, {compiler}: {len(now)} of {len(names)}, +{len(gained)} -{len(lost)}")
        before = now
    return {"forms": len(names), "of": len(names), "releases": rows}
