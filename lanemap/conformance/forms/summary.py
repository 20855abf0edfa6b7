"""How much of PTX the emulator executes, family by family.

`lanemap list variants`, README and the report all show this one table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from lanemap.conformance.forms.coverage import coverage
from lanemap.conformance.forms.judged import count_by_family
from lanemap.records.files import Roots
from lanemap.records.lookup import of_kind


@dataclass(frozen=True)
class FamilyCount:
    """One family.

    Attributes:
        family: Its name.
        accepted: Forms that ptxas accepts.
        executed: How many of them the emulator executes.
        equal: Forms whose results a GPU and the emulator share in generated programs; None where
            no GPU was asked, and of a family that those programs do not use.
    """

    family: str
    accepted: int
    executed: int
    equal: int | None = None

    @property
    def share(self) -> str:
        """How much of the family the emulator executes, in words."""
        # Never 100 % by rounding.
        return f"{int(1000 * self.executed / self.accepted) / 10:g} %"


@dataclass(frozen=True)
class Summary:
    """The families of one target.

    Attributes:
        target: The instruction set.
        families: Each family's counts.
        gpu: The GPU that `equal` is about, with evidence silicon; None where there is none.
        any_nan: Forms among the equal ones whose NaN results differ in their bits only.
    """

    target: str
    families: tuple[FamilyCount, ...]
    gpu: str | None
    any_nan: int

    @property
    def total(self) -> FamilyCount:
        """All families together."""
        accepted = sum(each.accepted for each in self.families)
        executed = sum(each.executed for each in self.families)
        equal = sum(each.equal or 0 for each in self.families) if self.gpu else None
        return FamilyCount("all", accepted, executed, equal)

    def to_json(self) -> dict[str, Any]:
        """The table as plain JSON values, each row with its share in words."""
        rows = (*self.families, self.total)
        shown = [asdict(each) | {"share": each.share} for each in rows]
        return {
            "target": self.target,
            "families": shown[:-1],
            "total": shown[-1],
            "gpu": self.gpu,
            "any_nan": self.any_nan,
        }


def summary(target: str, results: Roots) -> Summary:
    """Count the forms of a target; what a GPU says of them is read from `results`.

    Raises:
        FileNotFoundError: no answers of ptxas are stored for that target.
        UserError: a file under `results` is not a record.
    """
    gpu, used, equal, any_nan = _on_silicon(target, results)
    families = tuple(
        FamilyCount(
            each.family,
            each.accepted,
            each.executed,
            equal[each.family] if used[each.family] else None,
        )
        for each in coverage(target)
    )
    return Summary(target, families, gpu, any_nan)


def _on_silicon(target: str, results: Roots) -> tuple[str | None, Counter[str], Counter[str], int]:
    """Return the GPU, the forms run and equal by family, and how many allow any NaN."""
    for record in of_kind("programs", results, target):
        used = [name for group in record.findings["forms"] for name in group["names"]]
        groups = [g for g in record.findings["forms"] if g["lanes"] == g["equal"] != 0]
        names = [name for group in groups for name in group["names"]]
        nan = sum(group["forms"] for group in groups if group["kind"] == "any NaN")
        environment = record.environment or {}
        gpu = str(environment["after"]["gpu"])
        return gpu, count_by_family(target, used), count_by_family(target, names), nan
    return None, Counter(), Counter(), 0
