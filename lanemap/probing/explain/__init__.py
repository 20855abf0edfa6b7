"""Why a result is wrong: a search over mistakes for one that makes it.

`rearranged` looks at the result alone, and finds where its elements were taken from. `operands`
makes mistakes in the operands of a product, and compares what comes out.
"""

from __future__ import annotations

from lanemap.probing.explain.explanation import Explanation, explain
from lanemap.probing.explain.rearranged import Finding

__all__ = ["Explanation", "Finding", "explain"]
