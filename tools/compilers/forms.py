"""Which forms of PTX each release of ptxas accepts, as what is new and what is gone in each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lanemap.conformance.forms.judge import Assembler, judge
from lanemap.conformance.forms.judged import accepted_forms
from lanemap.conformance.forms.packing import pack

TARGETS = ("sm_90a", "sm_100a", "sm_120a")


def history(assemblers: Iterable[tuple[str, Assembler]], target: str) -> list[dict[str, Any]]:
    """Ask each ptxas, oldest first, about the forms that 13.0.88 accepts for a target.

    Raises:
        MissingEnvironment: a ptxas cannot be run.
    """
    forms = accepted_forms(target)
    names = {form.name for form in forms}
    before: set[str] = set()
    found = []
    for name, assembler in assemblers:
        refused = judge(forms, target, assembler)
        now = names - refused.keys()
        found.append(
            {
                "compiler": name,
                "accepted": len(now),
                "new": pack(sorted(now - before)),
                "gone": pack(sorted(before - now)),
            }
        )
        print(f"{target} {name}: {len(now)} of {len(names)}", flush=True)
        before = now
    return found
