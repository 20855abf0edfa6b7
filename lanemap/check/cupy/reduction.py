"""`cupy.ReductionKernel`: map, reduce and post-map expressions, as CuPy's pages define them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.check.cupy.arrays import ndarray
from lanemap.check.cupy.elements import over
from lanemap.check.cupy.parameters import (
    Given,
    Types,
    c_type,
    headers_for,
    index_bytes,
    new_outputs,
    parse,
    require_outputs,
    take_arguments,
)
from lanemap.check.cupy.sources import compile_text, function_of
from lanemap.check.cupy.state import active

_MOST_THREADS = 256
_MOST_CTAS = 1 << 16

#: One CTA reduces the elements of one result after another: each thread its share, then all of
#: them in shared memory. Each begins with `_type_reduce(identity)`, as in CuPy (_reduction.pyx):
#: what has no identity begins with a zero.
_KERNEL = """
typedef {reduced} _type_reduce;
__device__ inline _type_reduce _reduce(const _type_reduce &a, const _type_reduce &b) {{
  return {reduce_expr};
}}
extern "C" __global__ void {name}({arguments}, CIndexer<{n_in}> _in_ind, CIndexer<{n_out}> _out_ind,
                                  ptrdiff_t _size) {{
  __shared__ __align__(16) unsigned char _bytes[{threads} * sizeof(_type_reduce)];
  _type_reduce *_shared = reinterpret_cast<_type_reduce *>(_bytes);
  for (ptrdiff_t _i = blockIdx.x; _i < _out_ind.size(); _i += gridDim.x) {{
    _type_reduce _s = _type_reduce({identity});
    for (ptrdiff_t _j = threadIdx.x; _j < _size; _j += {threads}) {{
      const ptrdiff_t i = _i * _size + _j;
      _in_ind.set(i);
      {inputs}
      const _type_reduce _mapped = static_cast<_type_reduce>({map_expr});
      _s = _reduce(_s, _mapped);
    }}
    _shared[threadIdx.x] = _s;
    __syncthreads();
    for (int _half = {threads} / 2; _half > 0; _half /= 2) {{
      if (threadIdx.x < _half)
        _shared[threadIdx.x] = _reduce(_shared[threadIdx.x], _shared[threadIdx.x + _half]);
      __syncthreads();
    }}
    if (threadIdx.x == 0) {{
      const ptrdiff_t i = _i;
      _out_ind.set(i);
      {outputs}
      const _type_reduce a = _shared[0];
      {post_map_expr};
    }}
    __syncthreads();
  }}
}}
"""


class ReductionKernel:
    """A reduction of the elements of arrays along axes."""

    __module__ = "cupy"

    def __init__(
        self,
        in_params: str,
        out_params: str,
        map_expr: str,
        reduce_expr: str,
        post_map_expr: str,
        identity: Any,
        name: str = "reduce_kernel",
        reduce_type: str | None = None,
        reduce_dims: bool = True,
        preamble: str = "",
        options: Sequence[str] = (),
    ) -> None:
        """Take the parameters and the expressions.

        Raises:
            ValueError: a parameter is malformed, or there is no result.
        """
        self.in_params, self.out_params = parse(in_params, True), parse(out_params, False)
        if not self.out_params:
            raise ValueError("a reduction has at least one result")
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        self.name, self.preamble, self.reduce_type = name, preamble, reduce_type
        self.identity = "" if identity is None else str(identity)
        self.reduce_expr, self.map_expr, self.post_map_expr = reduce_expr, map_expr, post_map_expr
        self._options = tuple(options)
        self._functions: dict[str, Any] = {}

    def __call__(
        self,
        *args: Any,
        out: ndarray | None = None,
        axis: int | tuple[int, ...] | None = None,
        keepdims: bool = False,
        stream: Any = None,
    ) -> Any:
        """Reduce along axes, all of them by default; see `numpy.sum`.

        Raises:
            TypeError, ValueError: as in CuPy.
        """
        if out is not None and len(args) == self.nin:
            args = (*args, out)
        inputs, outputs, types = take_arguments(self.name, self.in_params, self.out_params, args)
        pairs = zip(self.in_params, inputs, strict=True)
        shapes = [v.shape for p, v in pairs if isinstance(v, ndarray) and not p.raw]
        shape = np.broadcast_shapes(*shapes)
        axes = _axes(axis, len(shape))
        kept = tuple(n for n in range(len(shape)) if n not in axes)
        whole = tuple(1 if n in axes else size for n, size in enumerate(shape))
        result = whole if keepdims else tuple(shape[n] for n in kept)
        if outputs:
            require_outputs(self.out_params, outputs, result)
        else:
            outputs = new_outputs(self.out_params, types, result)
        self._run(inputs, outputs, types, (shape, kept, axes))
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _run(
        self,
        inputs: Sequence[Any],
        outputs: Sequence[ndarray],
        types: Types,
        over: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]],
    ) -> None:
        shape, kept, axes = over
        order = (*kept, *axes)
        size = int(np.prod([shape[n] for n in axes], dtype=np.int64))
        results = int(np.prod([shape[n] for n in kept], dtype=np.int64))
        if not size and not self.identity:
            raise ValueError("zero-size array to reduction operation which has no identity")
        if not results:
            return
        given = []
        for parameter, value in zip(self.in_params, inputs, strict=True):
            if isinstance(value, ndarray) and not parameter.raw:
                value = _spread(value, shape, order)
            given.append(Given.of(parameter, value, parameter.type_in(types), None))
        of_results = [
            Given.of(parameter, value.reshape(results), parameter.type_in(types), None)
            for parameter, value in zip(self.out_params, outputs, strict=True)
        ]
        threads = min(_MOST_THREADS, max(32, 1 << (max(size, 1) - 1).bit_length()))
        ordered = tuple(shape[n] for n in order) or (1,)
        source = self._source(given, of_results, types, len(ordered), threads)
        function = self._functions.get(source)
        if function is None:
            module = compile_text(source, f"{self.name}.cu", self._options)
            function = self._functions[source] = function_of(module, self.name)
        packed = [each.data for each in (*given, *of_results)]
        packed += [index_bytes(ordered), index_bytes((results,)), size.to_bytes(8, "little")]
        active().emulated.run(function, (min(results, _MOST_CTAS), 1, 1), threads, packed)

    def _source(
        self,
        given: Sequence[Given],
        results: Sequence[Given],
        types: Types,
        dimensions: int,
        threads: int,
    ) -> str:
        """Return the kernel for arguments of these types and shapes."""
        aliases = "".join(
            f"typedef {c_type(dtype)} {letter};\n" for letter, dtype in sorted(types.items())
        )
        text = _KERNEL.format(
            reduced=self.reduce_type or c_type(results[0].dtype),
            reduce_expr=self.reduce_expr,
            name=self.name,
            arguments=", ".join(f"{each.type} {each.named}" for each in (*given, *results)),
            n_in=dimensions,
            n_out=1,
            threads=threads,
            identity=self.identity,
            inputs=" ".join(each.declared("_in_ind.get()") for each in given),
            map_expr=self.map_expr,
            outputs=" ".join(each.declared("i") for each in results),
            post_map_expr=self.post_map_expr,
        )
        text = aliases + self.preamble + text
        return headers_for(text) + text


def _axes(axis: Any, dimensions: int) -> tuple[int, ...]:
    """Return the axes that are reduced, from 0.

    Raises:
        numpy.exceptions.AxisError: there is no such axis.
    """
    if axis is None:
        return tuple(range(dimensions))
    given = axis if isinstance(axis, tuple) else (axis,)
    return tuple(sorted(np.lib.array_utils.normalize_axis_tuple(given, dimensions)))


def _spread(array: ndarray, shape: tuple[int, ...], order: tuple[int, ...]) -> ndarray:
    """Return a view of an array, broadcast to a shape and with its axes in another order."""
    return over(np.broadcast_to(array.values, shape).transpose(order))  # type: ignore[no-any-return]
