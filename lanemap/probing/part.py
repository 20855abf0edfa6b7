"""What a probe found of one variant, held against the named rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanemap.layout import LayoutMap
from lanemap.probing.finding import Finding

if TYPE_CHECKING:
    from lanemap.layout.fits import Fit
    from lanemap.probing.compare.rules import RuleVerdict


@dataclass(frozen=True)
class Part:
    """What a probe found of one variant.

    Attributes:
        variant: the instruction form.
        finding: the explanation of its readings.
        fit: the closed form of the cells that move whole; None where there is none.
        verdicts: the named rules (the model's and the claims'), each held against the readings.
        together: the groups of named rules that the probe's inputs leave together.
        model: the model's map of the variant; None where nobody states one.
    """

    variant: str
    finding: Finding
    fit: Fit | None
    verdicts: tuple[RuleVerdict, ...]
    together: tuple[tuple[str, ...], ...]
    model: LayoutMap | None

    @property
    def agrees(self) -> bool:
        """Whether everything seen is explained, every pattern agrees, and the model stands."""
        from lanemap.probing.compare.rules import MODEL

        model = [verdict.stands for verdict in self.verdicts if MODEL in verdict.names]
        patterns = [pattern.agrees for pattern in self.finding.patterns]
        return self.finding.explained and all(patterns) and all(model)

    @property
    def fit_lines(self) -> list[str]:
        """The formula of the fit, one line for each source axis, and its rank."""
        from lanemap.layout.f2 import F2Fit

        if self.fit is None:
            return []
        lines = self.fit.formula().splitlines()
        if isinstance(self.fit, F2Fit):
            lines.append(f"affine over F2 on every cell, rank {self.fit.rank}")
        return lines

    def rule_lines(self, evidence: str) -> list[str]:
        """What became of the named rules, in sentences."""
        lines = []
        for verdict in self.verdicts:
            who = " = ".join(verdict.names) + (
                " (states some cells only)" if verdict.partial else ""
            )
            state = "stands" if verdict.stands else f"refuted, first at {verdict.witness}"
            lines.append(f"{state}: {who}")
        left = [group for group in self.together if len(group) > 1]
        lines += [f"left together by the inputs: {' | '.join(group)}" for group in left]
        if evidence == "emulator" and self.verdicts:
            lines.append("the emulator executes the model: this judges the probe, not the rules")
        return lines
