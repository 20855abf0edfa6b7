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
# # The LDS transpose reads of gfx950

# %%
# ruff: noqa: D100
import lanemap

lanemap.draw("ds_read_b64_tr_b8", rows=(0, 32))

# %% [markdown]
# Four instructions read LDS and hand the matrix units a transposed tile. Every lane of a wave gives
# an address; what lies there, 8 or 12 bytes, is that lane's *chunk*. This notebook reviews where
# the chunks' cells arrive, from the records under `results/`. It runs no kernel.
#
# Mind the evidence: a row of the emulator shows that the probe reads our model back whole. It is no
# support for the model.

# %%
import importlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from IPython.display import Image, display

from lanemap import paths
from lanemap.drawing.grid import units_of
from lanemap.layout.f2 import fit_f2
from lanemap.probing.compare.comparison import compare

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
figures = importlib.import_module("lanemap_analysis.figures")
tables = importlib.import_module("lanemap_analysis.tables")

# By probe: of one probe's rows the last counts, which is silicon's where there is one.
records = {
    record.probe: record
    for record in tables.records(results)
    if record.target == "gfx950" and "_tr_b" in str(record.findings.get("variant"))
}
pd.set_option("display.max_colwidth", None)
display(tables.summary(list(records.values())))

# %% [markdown]
# ## The maps
#
# A row for each lane's registers: a cell labeled `s.b` holds cell `b` of the chunk at lane `s`'s
# address, and has the color of lane `s`. `lanemap.draw("ds_read_b64_tr_b8")` draws one of them.

# %%
transposes = {name: record for name, record in records.items() if record.observations}
for record in transposes.values():
    display(figures.drawing(record, record.observations[0]))

# %% [markdown]
# ## What they have in common
#
# Nothing crosses a group of 16 lanes, nothing is lost and nothing doubled:

# %%
views = {name: units_of(r.observations[0].map) for name, r in transposes.items()}
lanes = np.arange(64)[:, None]
common = {
    name: {
        "variant": transposes[name].observations[0].variant,
        "bits of a cell": view.here.unit,
        "stays in its group of 16 lanes": bool((view.place // 16 == lanes // 16).all()),
        "one to one": transposes[name].observations[0].map.is_one_to_one,
    }
    for name, view in views.items()
}
display(pd.DataFrame(common).T)

# %% [markdown]
# And it is one rule. Lay the 16 chunks of a group end to end and cut the row of cells into lines of
# 16: lane `i` receives column `i`. So cell `j` of lane `i` is element `16 j + i` of the group.

# %%
for name, view in views.items():
    cells = view.place.shape[1]
    element = (view.place % 16) * cells + view.unit
    expected = 16 * np.arange(cells) + lanes % 16
    print(f"{name:6} element 16 j + i everywhere: {bool((element == expected).all())}")
    assert (element == expected).all()

# %% [markdown]
# As a matrix over F2, the rule of a read moves bits of an index and computes nothing: each bit of
# (lane, register, bit) becomes one bit of (lane of the chunk, bit of the chunk).

# %%
for name, record in transposes.items():
    fit = fit_f2(record.observations[0].map)
    matrix = getattr(fit, "matrix", None)
    one = matrix is not None and bool((matrix.sum(0) == 1).all() and (matrix.sum(1) == 1).all())
    print(f"{name:6} {'a permutation of index bits' if one else type(fit).__name__}")

# %% [markdown]
# ## Who says so, and who does not
#
# The story of `ds_read_b64_tr_b8` is told in docs/tr8.md. These are the sources, each with the map
# that it states held against ours, byte by byte.

# %%
sources = [each for each in compare("ds_read_b64_tr_b8").standings if each.party.kind == "claim"]
display(
    pd.DataFrame(
        [
            {
                "source": each.party.name,
                "rests on": each.party.rests_on,
                "agrees": each.relation.agrees,
                "bytes that agree": (each.relation.common - each.relation.differing) // 8,
                "of": each.relation.common // 8,
                "first difference": str(each.relation.first or ""),
            }
            for each in sources
        ]
    )
)

# %% [markdown]
# ## Why one of them once looked like a broadcast
#
# A probe that gives every lane the same address shows which byte of a chunk arrives, and hides from
# whose chunk it came. The certificate of `tr8_broadcast` says so, from the addresses and the memory
# that the probe really had; and it says which address pattern would have told.

# %%
broadcast = records["tr8_broadcast"]
display(Image(figures.draw(broadcast)["png"], alt="What every lane received"))
for certificate in tables.certificates(broadcast):
    print(certificate["hypotheses"])
    print(f"  {certificate['parts_per_cell']} parts of {certificate['rules_per_cell']} rules")
    print(f"  left together: {certificate['remaining']}")
    print(f"  split by:      {certificate['cheapest_split']}")

# %%
for rule in broadcast.findings["rules"]:
    print("stands " if rule["stands"] else "refuted", ", ".join(rule["names"]))
for group in broadcast.findings["rules_left_together"]:
    print("left together by the inputs:", ", ".join(group))

# %% [markdown]
# The probes that vary their addresses leave nothing together, neither inside the class nor among
# the rules whose offset leaves the chunk:

# %%
rows = [
    {"probe": name, **{k: c[k] for k in ("hypotheses", "rules_per_cell", "parts_per_cell")}}
    for name, record in transposes.items()
    for c in tables.certificates(record)
]
display(pd.DataFrame(rows))
