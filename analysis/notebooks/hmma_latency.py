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
# # How many cycles from HMMA's issue to the use of its result?
#
# There is no "latency of HMMA": a number needs two events. Here they are the issue of
# `HMMA.16816.F32`, which is `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32` in PTX, and the
# issue of the next one that reads its D as C. This notebook goes from that question to a figure
# with its proof, on the row that an H200 left under `results/`. It needs no GPU. One cell runs a
# kernel, on the emulator, and it prints no cycles: the emulator has none.

# %%
# ruff: noqa: D100
import importlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from IPython.display import HTML, display

import lanemap
from lanemap import paths
from lanemap.claims.timings import TIMINGS
from lanemap.records.files import read_records
from lanemap.timing.court import judge
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, inputs
from lanemap.timing.row import results_hash
from lanemap.timing.series import EVERY, source

try:
    results = tuple(map(Path, RESULTS))
except NameError:
    results = paths.find("results")

# %%
# analysis/ lies beside the package or inside it, and is found by path.
place = paths.find("analysis")
spec = importlib.util.spec_from_file_location(
    "lanemap_analysis", place / "__init__.py", submodule_search_locations=[str(place)]
)
sys.modules[spec.name] = importlib.util.module_from_spec(spec)
sources = importlib.import_module("lanemap_analysis.timing_sources")
plots = importlib.import_module("lanemap_analysis.timing_plots")

NAME = "HMMA.16816.F32"
rows = [row for row in read_records(results, "sm_90a", ("timing",)) if row.kind == "timing"]
row = next(row for row in rows if row.probe == "timing_mma")
own = [each for each in sources.sources(row) if each.figure["instruction"] == NAME]
pd.set_option("display.max_colwidth", None, "display.max_columns", None)
display(
    pd.DataFrame(
        [
            {
                "from": each.figure["from_event"],
                "to": each.figure["to_event"],
                "at": ", ".join(f"{axis} {value}" for axis, value in each.figure["axes"].items()),
                "cycles": each.figure["value"],
                "class": each.figure["kind"],
                "evidence": row.evidence,
            }
            for each in own
        ]
    )
)

# %% [markdown]
# The first line is the question. The others are intervals: how soon the warp issues another one.
# With one accumulator, each HMMA waits for the one before. With four, it need not.
#
# ## The window
#
# The probe puts n HMMA between two reads of the SM's clock, each of which adds to the accumulator
# of the one before. This is what ptxas made of it, with the control words in columns. Nothing but
# the stall count holds an HMMA back here: it sets no barrier that the next one could wait for.

# %%
asked = next(each for each in own if each.figure["kind"] == "fixed latency")
for line, timed in asked.window():
    print(("> " if timed else "  ") + line)
window = [line for line in asked.held["window"] if NAME in line]
assert all(line.startswith("W- R- wait 000000") for line in window)

# %% [markdown]
# ## The slope
#
# Clock reads, and what else is in the window, cost the same at every n. So what counts is the slope
# over n, and not the time of one window divided by n. All 132 SMs took the same.

# %%
display(
    pd.DataFrame(
        {
            f"{curve.name}, cycles": {
                n: ", ".join(f"{cycles} ({count} SMs)" for cycles, count in own.items())
                for n, own in curve.points.items()
            }
            for curve in asked.curves
        }
    )
    .rename_axis("n")
    .sort_index()
)
slopes = {curve.name: curve.line[0] for curve in asked.curves}
for name, slope in slopes.items():
    print(f"{name}: {slope:.4g} cycles for one more HMMA")
assert all(len(own) == 1 for curve in asked.curves for own in curve.points.values())

# %%
# The colors and the rules of plots alone; the rest is for the site's pages.
style = (place / "templates" / "style.css").read_text()
rules = [style.partition("}")[0] + "}", *(x for x in style.splitlines() if x.startswith("svg."))]
plot = plots.over_n(asked.curves, asked.unit, asked.over)
display(HTML("<style>" + " ".join(rules) + "</style>" + plot))

# %% [markdown]
# ptxas leaves 24 cycles between two HMMA. Who times its code finds 24, which is what the assembler
# chose, and not what the hardware needs.
#
# ## The stall counts, from both sides
#
# So the stall counts in the cubin were patched: to every sum of cycles between two HMMA, from what
# ptxas wrote down to the least. An HMMA that issues too early reads the accumulator's old value,
# and the results of the chain change.

# %%
shares = {int(cycles): share for cycles, share in asked.held["stalls"].items()}
display(
    pd.DataFrame(
        {"% of the results that change": {n: f"{100 * shares[n]:.0f}" for n in sorted(shares)}}
    )
    .rename_axis("cycles by stall counts")
    .T
)
least = 1 + max(cycles for cycles, share in shares.items() if share)
print(f"right from {least} on; wrong with {least - 1}")
assert all(bool(share) == (cycles < least) for cycles, share in shares.items())

# %% [markdown]
# With these least stall counts, the window was timed again: that is the lower line of the plot. Its
# slope is one cycle more. 24 cycles are too many for one stall count, which holds 15 at most, so
# ptxas put padding between two HMMA; the window above leaves it out. The padding stays when the
# counts are patched, and takes a cycle of its own.

# %%
figure = asked.figure["value"]
print(f"stall counts {least}, slope {slopes['least stall counts']:.4g}, figure {figure:g} cycles")
assert round(slopes["least stall counts"]) == figure and 0 <= figure - least <= 1

# %% [markdown]
# ## The results (emulator)
#
# That results do not change proves little if they were wrong from the start. The emulator executes
# the same PTX with the same inputs, and must leave the same bits. This is the emulator's only part:
# evidence *emulator*, of the results and not of any time.

# %%
series = next(each for each in find_probes()["mma"].series if each.label == asked.figure["chain"])
links = min(series.lengths)
device = lanemap.open_device("sm_90a", device="emulator")
module = DeviceMachine(device).load(source(series, "sm_90a", [series.text(links)]))
given = inputs(row.findings["inputs"]["ctas"], series.threads, row.findings["inputs"]["seed"])
outcome = module.launch(series.entry(links), given, More((np.uint32(EVERY),)))
same = results_hash(outcome.results) == asked.held["results"]
print(f"{outcome.results.size:,} results of {links} HMMA: the emulator's equal the H200's: {same}")
assert same

# %% [markdown]
# ## What was published
#
# Others published numbers for this instruction. Each is held against our figure of what its source
# calls it and, where its method measured something else, against our figure of that.

# %%
events = asked.figure["from_event"], asked.figure["to_event"]
court = [
    each
    for each in judge(TIMINGS, rows)
    if (each.claim.called.from_event, each.claim.called.to_event) == events
]
display(
    pd.DataFrame(
        [
            {
                "source": f"{each.claim.source}, {each.claim.chip}",
                "what it calls it": each.claim.words,
                "published": each.claim.cycles[0],
                "ours": float(each.ours.cycles),
                "verdict": each.verdict.value,
                "why": each.claim.reading,
            }
            for each in court
        ]
    )
)

# %% [markdown]
# ## The certificates
#
# What was seen for each certificate that a fixed latency needs, as the page of the instruction has
# it:

# %%
for name, holds, words in sources.certificates(asked):
    print(f"{name:12} {'holds' if holds else 'fails'}  {words}")
print(f"\n{events[0]} to {events[1]}: {figure:g} cycles ({row.evidence})")
