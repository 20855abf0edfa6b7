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
# # Kernels and their bounds
#
# The product of n x n matrices of bf16 does 2 n^3 operations and must move 6 n^2 bytes. Either the
# tensor cores or the memory bound its time, whichever needs longer at its published rate. The times
# are an H200's, from the rows that were kept of it; the bounds are computed.

# %%
# ruff: noqa: D100
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import display

from lanemap import paths
from lanemap.records.files import read_records
from lanemap.targets import TARGETS

try:
    results = tuple(map(Path, RESULTS))
except NameError:
    results = (paths.find("results"),)
rates = TARGETS["sm_90a"].rates
told = []
for row in read_records(results, "sm_90a", ("kernel_times",)):
    for each in row.findings["problems"] if row.kind == "kernel_times" else ():
        element = each["problem"].get("element", "float16")
        seconds = each["warm"]["kernel"]["median"] * 1e-6
        bound = max(each["flops"] / rates.flops[element], each["bytes"] / rates.memory_bytes)
        told.append(
            {
                "kernel": row.probe,
                "operations a byte": each["flops"] / each["bytes"],
                "TFLOP/s": each["flops"] / seconds / 1e12,
                "us": seconds * 1e6,
                "bound, us": bound * 1e6,
                "share of the bound": bound / seconds,
                "library / kernel": each["warm"]["ratio"],
            }
        )
times = pd.DataFrame(told)
figure, axes = plt.subplots(figsize=(8, 4.5))
intensity = [2**n for n in range(0, 14)]
roof = [min(rates.flops["bfloat16"], each * rates.memory_bytes) / 1e12 for each in intensity]
axes.loglog(intensity, roof, color="#6b7280", label="bf16 bound by published rates")
for number, (name, own) in enumerate(times.groupby("kernel")):
    axes.loglog(own["operations a byte"], own["TFLOP/s"], "osD^v"[number % 5], label=name)
axes.set_xlabel("operations for each byte that must be moved")
axes.set_ylabel("TFLOP/s on an H200")
axes.legend()
plt.show()

# %% [markdown]
# A point on the line needs no more time than its bound. Above the line nothing can be, if the
# rates are right. Each kernel takes turns with the vendor's library in the same process; more than
# 1 in the last column is faster than the library.

# %%
display(times.round(3))
assert (times["share of the bound"] < 1.02).all()
print(f"bounds: {rates.citation}")

# %% [markdown]
# The clock falls under load: a card at its power limit runs at less than the clock that the
# published rate is for. So a share below one is not all the kernel's. Rows keep the clock of each
# turn:

# %%
for row in read_records(results, "sm_90a", ("kernel_times",)):
    if row.kind == "kernel_times":
        clocks = [each["warm"]["kernel"]["sm_clock_mhz"] for each in row.findings["problems"]]
        print(f"{row.probe:12} ran at {min(clocks):.0f} to {max(clocks):.0f} MHz")
