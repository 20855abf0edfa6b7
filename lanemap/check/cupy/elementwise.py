"""`cupy.ElementwiseKernel`: the loop around a statement of CUDA C++, as CuPy's pages define it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.check.cupy.arrays import ndarray
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
from lanemap.check.cupy.sources import at_line, compile_text, directive, function_of
from lanemap.check.cupy.state import active

#: Elements for which CTAs are added; a thread goes on to others after that.
_MOST_CTAS = 1 << 16


class ElementwiseKernel:
    """A statement for each element of arrays."""

    __module__ = "cupy"

    def __init__(
        self,
        in_params: str,
        out_params: str,
        operation: str,
        name: str = "kernel",
        reduce_dims: bool = True,
        preamble: str = "",
        no_return: bool = False,
        return_tuple: bool = False,
        *,
        loop_prep: str = "",
        after_loop: str = "",
        options: Sequence[str] = (),
        **_: Any,
    ) -> None:
        """Take the parameters and the pieces of the source.

        Raises:
            ValueError: a parameter is malformed, or two have one name.
        """
        self.in_params, self.out_params = parse(in_params, True), parse(out_params, False)
        self.params = self.in_params + self.out_params
        if len({each.name for each in self.params}) < len(self.params):
            raise ValueError(f"two parameters of {name} have one name")
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        self.name, self.operation, self.preamble = name, operation, preamble
        self.no_return, self.return_tuple, self.reduce_dims = no_return, return_tuple, reduce_dims
        self._pieces = (
            at_line(preamble),
            at_line(loop_prep),
            at_line(operation),
            at_line(after_loop),
        )
        self._options = tuple(options)
        self._functions: dict[str, Any] = {}

    def __call__(
        self,
        *args: Any,
        size: int | None = None,
        block_size: int = 128,
        stream: Any = None,
    ) -> Any:
        """Run for every element of the arguments that are not raw, which are broadcast.

        Args:
            args: In order of the parameters; results may be left out.
            size: How many elements, if every array is raw.
            block_size: Threads of a CTA.
            stream: Where it runs: launches end before they return.

        Raises:
            TypeError, ValueError: as in CuPy.
        """
        inputs, outputs, types = take_arguments(self.name, self.in_params, self.out_params, args)
        shape = self._shape([*inputs, *outputs], size)
        if outputs:
            require_outputs(self.out_params, outputs, shape)
        else:
            outputs = new_outputs(self.out_params, types, shape)
        if np.prod(shape, dtype=np.int64):
            self._run([*inputs, *outputs], types, shape, block_size)
        if self.no_return:
            return None
        return tuple(outputs) if self.return_tuple or len(outputs) != 1 else outputs[0]

    def _shape(self, values: Sequence[Any], size: int | None) -> tuple[int, ...]:
        """Return the shape of the loop."""
        pairs = zip(self.params, values, strict=False)
        shapes = [v.shape for p, v in pairs if isinstance(v, ndarray) and not p.raw]
        if size is not None:
            if shapes:
                raise ValueError(
                    "Specified 'size' can be used only if all of the ndarray are 'raw'."
                )
            return (int(size),)
        if not shapes and any(p.raw for p in self.params):
            raise ValueError("Loop size is undecided.")
        return np.broadcast_shapes(*shapes)

    def _run(
        self, values: Sequence[Any], types: Types, shape: tuple[int, ...], threads: int
    ) -> None:
        pairs = list(zip(self.params, values, strict=True))
        looped = [v.values for p, v in pairs if isinstance(v, ndarray) and not p.raw]
        flat = self.reduce_dims and all(
            each.shape == shape and each.flags.c_contiguous for each in looped
        )
        seen = (int(np.prod(shape, dtype=np.int64)),) if flat else shape or (1,)
        given = []
        for parameter, value in pairs:
            if flat and isinstance(value, ndarray) and not parameter.raw:
                value = value.reshape(-1)
            given.append(Given.of(parameter, value, parameter.type_in(types), seen))
        source = self._source(given, types, len(seen))
        function = self._functions.get(source)
        if function is None:
            module = compile_text(source, f"{self.name}.cu", self._options)
            function = self._functions[source] = function_of(module, self.name)
        ctas = min(-(-int(np.prod(seen, dtype=np.int64)) // threads), _MOST_CTAS)
        packed = [*(each.data for each in given), index_bytes(seen)]
        active().emulated.run(function, (ctas, 1, 1), threads, packed)

    def _source(self, given: Sequence[Given], types: Types, dimensions: int) -> str:
        """Return the kernel for arguments of these types and shapes."""
        preamble, before, operation, after = self._pieces
        aliases = "".join(
            f"typedef {c_type(dtype)} {letter};\n" for letter, dtype in sorted(types.items())
        )
        flat = dimensions == 1
        elements = [each.declared("i" if flat else "_ind.get()") for each in given]
        arguments = ", ".join(f"{each.type} {each.named}" for each in given)
        lines = [
            aliases + preamble,
            f'extern "C" __global__ void {self.name}({arguments}, CIndexer<{dimensions}> _ind) {{',
            f"{before};",
            "for (ptrdiff_t i = blockIdx.x * (ptrdiff_t)blockDim.x + threadIdx.x; i < _ind.size();",
            "     i += gridDim.x * (ptrdiff_t)blockDim.x) {",
            "_ind.set(i);",
            *filter(None, elements),
            f"{operation};",
            directive(f"{self.name}.cu", 1).strip(),
            "}",
            f"{after};",
            "}\n",
        ]
        text = "\n".join(lines)
        return headers_for(text) + text
