"""A GEMV of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.benching.arrays import on_gpu, whole
from lanemap.benching.homes import home_of, layout, require_no_capture
from lanemap.benching.launch import device_for, loaded, multiprocessors
from lanemap.benching.plans import Plan, out_layout, stand_in

from .arrays import Arrays, arrays_of, seen
from .kernel import NAME, TARGETS, form, launch, ptx
from .tiling import Tiling, choose

#: Operands that the kernel on CUDA cores reads or writes in pieces of two bytes.
_LOOSE = {"fma": ("sfa", "sfb", "c"), "mma": ()}


def plan(
    a: Any,
    b: Any,
    sfa: Any,
    sfb: Any,
    c: Any = None,
    *,
    impl: str = "fma",
    device: Any = None,
    tiling: Tiling | None = None,
) -> Plan:
    """Return what computes c of such arrays; see `kernels/nvfp4_gemv/host.py`.

    Raises:
        UserError: shapes, types or a layout that no kernel supports, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    problem, arrays = arrays_of(a, b, sfa, sfb, c, impl)
    device = device_for(f"impl {impl} of nvfp4_gemv", device, TARGETS[impl], on_gpu(a))
    inputs = {"a": a, "b": b, "sfa": sfa, "sfb": sfb}
    given = {} if c is None else {"c": c}
    home = home_of(device, inputs | given, () if given else ("c",), NAME)
    require_no_capture(device, home, NAME)
    shape, kind = (problem.batches, problem.m, 1), np.dtype(np.float16)
    own = home.dtype(kind, "float16")
    result = (
        stand_in(device, home, a, shape, own, "c", kind.itemsize)
        if arrays.c is None
        else whole(device, arrays.c, "c")
    )
    here = Arrays(
        device.adopt(arrays.a, name="a"),
        device.adopt(arrays.scales_a, name="sfa"),
        device.adopt(arrays.b, name="b"),
        device.adopt(arrays.scales_b, name="sfb"),
        result,
    )
    count = multiprocessors(device)
    tiling = tiling or choose(problem, count)
    module = loaded(device, ptx(form(problem, tiling, device.target)))
    return Plan(
        f"{NAME} of {problem.m} x {problem.k} x {problem.batches}, impl {impl}",
        {name: layout(array) for name, array in inputs.items()},
        ((shape, own),),
        out_layout(c),
        device,
        home,
        launch(device, module, problem, tiling, here, count),
        [here.a, here.b, here.scales_a, here.scales_b, here.c],
        loose=_LOOSE[impl],
        results=("c",),
        view=seen,
    )
