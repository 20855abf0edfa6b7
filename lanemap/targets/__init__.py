"""Definitions of targets, one file each, which every part of lanemap may use.

A file `NAME.py` of this folder defines `TARGET`, the target of that name; see
docs/adding-a-target.md.
"""

from __future__ import annotations

from lanemap.targets.amd import instructions_of, list_of, targets_with
from lanemap.targets.definition import Gpu, Limits, Rates, Target
from lanemap.targets.every import TARGETS
from lanemap.targets.features import FEATURES, Feature, features_of, having
from lanemap.targets.ptx import defined_for, gpu_of, modeled, probed, reach, runs_on, timed

__all__ = [
    "FEATURES", "TARGETS", "Feature", "Gpu", "Limits", "Rates", "Target", "defined_for",
    "features_of", "gpu_of", "having", "instructions_of", "list_of", "modeled", "probed", "reach",
    "runs_on", "targets_with", "timed",
]  # fmt: skip
