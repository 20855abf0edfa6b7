"""Variables of a kernel's text as words, for `lanemap run --symbol`.

coef=full:f32:5:0.2   coef=coef.npy   count=u32:7     written before the launch, as an --arg is
result:f32   result                                   shown after it, as its type or as declared
result:f32@out.npy   coef=coef.npy@out.npy            and written to that file
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lanemap.cli.kernel_arguments import DTYPES, Argument, parse
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.devices import Module
    from lanemap.devices.arrays import DeviceArray


@dataclass(frozen=True)
class Symbol:
    """One variable: what is written to it before the launch, and how it is shown after it."""

    text: str
    name: str
    value: npt.NDArray[Any] | None
    dtype: npt.DTypeLike | None
    output: Path | None

    def place(self, module: Module) -> DeviceArray:
        """Return the variable of a module, written.

        Raises:
            UserError: there is none of that name, or the values do not fill it.
        """
        array = module.symbol(self.name, self.dtype)
        if self.value is not None:
            values = self.value.reshape(-1)
            if values.nbytes != array.nbytes:
                raise UserError(
                    f"--symbol {self.text}: `{self.name}` has {array.nbytes} bytes, the values "
                    f"have {values.nbytes}"
                )
            array.set(values)
        return array

    @property
    def argument(self) -> Argument:
        """What shows and writes the variable after the launch."""
        return Argument(f"--symbol {self.text}", None, self.output)


def parse_symbol(text: str) -> Symbol:
    """Read one `--symbol`.

    Raises:
        UserError: it is none of the forms above.
    """
    name, given, value = text.partition("=")
    if not given:
        name, at, output = text.partition("@")
        if at and not output.endswith(".npy"):
            raise UserError(f"--symbol {text}: @ writes a .npy file")
        named, _, dtype = name.rpartition(":")
        known = named != "" and dtype in DTYPES
        return Symbol(
            text, named if known else name, None, DTYPES[dtype] if known else None,
            Path(output) if at else None,
        )  # fmt: skip
    try:
        argument = parse(value)
    except UserError as error:
        words = str(error).replace(f"--arg {value}", f"--symbol {text}", 1)
        raise UserError(words) from error
    if not isinstance(argument.value, (np.ndarray, np.generic)):
        raise UserError(f"--symbol {text}: write numbers, such as {name}=f32:1.5, or a .npy file")
    values = np.asarray(argument.value)
    return Symbol(text, name, values, values.dtype, argument.output)
