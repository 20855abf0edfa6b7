"""A GEMV of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import current_stream, on_gpu
from lanemap.benching.launch import Launch, device_for, loaded, multiprocessors

from .arrays import Arrays, arrays_of
from .kernel import TARGETS, form, launch, ptx
from .problem import Problem
from .tiling import Tiling, choose


def gemv(
    a: Any,
    b: Any,
    sfa: Any,
    sfb: Any,
    c: Any = None,
    *,
    impl: str = "fma",
    device: Any = None,
    tiling: Tiling | None = None,
) -> Any:
    """Return c; see `kernels/nvfp4_gemv/host.py`.

    Raises:
        UserError: shapes, types or a layout that no kernel supports, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    fresh = c is None
    problem, arrays, c = arrays_of(a, b, sfa, sfb, c, impl)
    device = device_for(f"impl {impl} of nvfp4_gemv", device, TARGETS[impl], on_gpu(a))
    here = Arrays(
        device.adopt(arrays.a, name="a"),
        device.adopt(arrays.scales_a, name="sfa"),
        device.adopt(arrays.b, name="b"),
        device.adopt(arrays.scales_b, name="sfb"),
        device.adopt(arrays.c, name="c", **({"defined": False} if fresh and not on_gpu(a) else {})),
    )
    made = _launch(device, problem, here, tiling)
    if on_gpu(a):
        made.enqueue()(current_stream(a))
    else:
        made.run()
    return c


def _launch(device: Any, problem: Problem, arrays: Arrays, tiling: Tiling | None) -> Launch:
    """Return the launch that computes arrays.c of arrays of the device."""
    count = multiprocessors(device)
    tiling = tiling or choose(problem, count)
    module = loaded(device, ptx(form(problem, tiling, device.target)))
    return launch(device, module, problem, tiling, arrays, count)
