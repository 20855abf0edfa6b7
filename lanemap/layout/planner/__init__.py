"""Plans copies between registers and tensor memory, and budgets tensor-memory columns."""

from __future__ import annotations

from lanemap.layout.planner.budget import TOTAL_COLUMNS, Budget, Operand, budget
from lanemap.layout.planner.copy import plan_copy
from lanemap.layout.planner.inference import infer_fragment, infer_tmem
from lanemap.layout.planner.issues import Issue
from lanemap.layout.planner.placement import Encoding, Placement, place, repeat_along
from lanemap.layout.planner.plan import NoPlan, Plan, WarpPlan

__all__ = [
    "TOTAL_COLUMNS",
    "Budget",
    "Encoding",
    "Issue",
    "NoPlan",
    "Operand",
    "Placement",
    "Plan",
    "WarpPlan",
    "budget",
    "infer_fragment",
    "infer_tmem",
    "place",
    "plan_copy",
    "repeat_along",
]
