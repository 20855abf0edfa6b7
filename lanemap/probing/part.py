"""A probe's findings about one variant, and the named rules that it refutes."""

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
    """A probe's findings about one variant.

    Attributes:
        variant: the instruction form.
        finding: the explanation of its readings.
        fit: the closed form of `finding.cell_map`, of `finding.map` where bits move separately;
            None if there is none.
        verdicts: whether the readings refute each named rule (the model's and the claims').
        together: the groups of named rules that the probe's inputs cannot separate.
        model: the model's map of the variant; None if the model does not cover it.
    """

    variant: str
    finding: Finding
    fit: Fit | None
    verdicts: tuple[RuleVerdict, ...]
    together: tuple[tuple[str, ...], ...]
    model: LayoutMap | None

    @property
    def agrees(self) -> bool:
        """Whether all readings are explained, all patterns agree, and the model is not refuted."""
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
        """The verdicts on the named rules, in sentences."""
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
