# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Silicon against the emulator, and against what was published
#
# An H200 ran generated programs, and so did the emulator. This notebook reads the rows that were
# kept of it. It needs no GPU.

# %%
# ruff: noqa: D100
from pathlib import Path

import pandas as pd
from IPython.display import display

from lanemap import paths
from lanemap.claims.timings import TIMINGS
from lanemap.records.files import read_records
from lanemap.timing.court import judge

try:
    results = tuple(map(Path, RESULTS))
except NameError:
    results = (paths.find("results"),)
pd.set_option("display.max_colwidth", None)
rows = {each.probe: each for each in read_records(results, "sm_90a") if each.device == "cuda"}

# %% [markdown]
# ## Sums of tensor cores
#
# Each kind of `mma.sync` and `wgmma` was given random and designed dot products, and every chunk of
# them was compared bit for bit with the rule that the emulator executes.

# %%
kinds = pd.DataFrame(rows["tensor_cores"].findings["kinds"])
kinds["family"] = kinds["name"].str.split(".").str[0]
summed = kinds.groupby("family").agg(
    kinds=("name", "count"),
    dot_products=("dots", "sum"),
    chunks_that_differ=("unequal_chunks", "sum"),
)
display(summed)
print(
    f"{summed.dot_products.sum():,} dot products, {summed.chunks_that_differ.sum()} chunks differ"
)

# %% [markdown]
# ## Programs of mbarriers and of copies
#
# How these programs ended on both, and how many results differed:

# %%
ended = []
for name in ("mbarriers", "copies", "pipelines"):
    found = rows[name].findings
    well = sum(not any(each.get("errors", ())) for each in found["programs"])
    ended.append((name, len(found["programs"]), well, len(found["disagreements"])))
display(pd.DataFrame(ended, columns=["row", "programs", "ended well on both", "differ"]))

# %% [markdown]
# ## Cycles: what was published, and what was measured here
#
# A published number is held against our figure of the same two events. Where its method measured
# something else, the verdict says so, and which figure of ours it equals.

# %%
timings = [each for each in rows.values() if each.kind == "timing"]
court = pd.DataFrame(
    [
        {"source": each.claim.source, "verdict": each.verdict.value}
        for each in judge(TIMINGS, timings)
    ]
)
display(pd.crosstab(court.source, court.verdict))
print(f"{len(court)} published figures, {(court.verdict.value_counts()).to_dict()}")
