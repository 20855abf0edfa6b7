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
# # Who holds what: Hopper, Blackwell, gfx950

# %%
# ruff: noqa: D100
import lanemap

lanemap.draw("mma.sync.m16n8k16.f16:A")

# %% [markdown]
# That is A of `mma.sync.m16n8k16`, as an H200 (Hopper) showed it: a label is `thread.element`, and
# a color is a group of threads. Every picture says where its map is from. Only `silicon` is
# verified; `emulator` means that a probe read our model back.
#
# Blackwell keeps accumulators in tensor memory. `tcgen05.ld` gives thread l the columns of lane l:

# %%
lanemap.draw("tcgen05.ld.32x32b.x8", rows=(0, 16))

# %% [markdown]
# gfx950 (MI355X) reads the transposed operand out of LDS. Colors are the lanes whose chunks the
# bytes came from:

# %%
lanemap.draw("ds_read_b64_tr_b8", rows=(0, 32))

# %% [markdown]
# ## The same three as matrices over F2
#
# Each of these maps sends bits of an index to bits of an index. A column is a bit of the
# destination, a row a bit of the source, and a 1 says that the one goes into the other. A map with
# one 1 in each row and column moves index bits and computes nothing.

# %%
import pandas as pd
from IPython.display import display

from lanemap.layout.f2 import fit_f2
from lanemap.model import variant


def bits(space) -> list[str]:
    """The index bits of a space, the lowest of the fastest axis first."""
    return [
        f"{axis} {1 << bit}"
        for axis, size in reversed(space.axes)
        for bit in range(size.bit_length() - 1)
    ]


for name in ("mma.sync.m16n8k16.f16:A", "tcgen05.ld.32x32b.x8", "ds_read_b64_tr_b8"):
    fit = fit_f2(variant(name).map)
    table = pd.DataFrame(fit.matrix, index=bits(fit.source), columns=bits(fit.destination))
    moved = bool((table.sum() <= 1).all() and (table.sum(axis=1) <= 1).all())
    print(f"{name}: rank {fit.rank}, moves index bits and computes nothing: {moved}")
    display(table.replace({0: "·", 1: "1"}))
