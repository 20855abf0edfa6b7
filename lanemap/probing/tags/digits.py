"""Numbers of elements as digits that narrow types hold, with one digit more that checks them.

An element that is multiplied by one shows its digit. The check digit tells a whole element from
what is none: zeros of a device that did nothing, and sums or means of several elements.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


def check_digit(numbers: Integers, base: int) -> Integers:
    """The digit that checks a number: neither linear in it nor zero for zero.

    Args:
        numbers: Non-negative numbers.
        base: Base of the digits, a power of two.
    """
    return base - 1 - numbers * (numbers + 1) // 2 % base


def split(numbers: Integers, base: int, count: int) -> list[Integers]:
    """`count` digits of each number, the lowest first, and the check digit."""
    digits = [numbers // base**each % base for each in range(count)]
    return [*digits, check_digit(numbers, base)]


def joined(shown: list[Integers], base: int) -> Integers:
    """The numbers whose digits were shown; -1 where a digit is none or the check digit differs.

    Args:
        shown: What `split` returned, as integers; negative ones are no digits.
        base: Base of the digits.
    """
    *digits, check = shown
    numbers: Integers = sum(
        (np.maximum(digit, 0) * base**each for each, digit in enumerate(digits)),
        np.zeros_like(check),
    )
    good = np.all([(digit >= 0) & (digit < base) for digit in shown], axis=0)
    return np.where(good & (check == check_digit(numbers, base)), numbers, -1)
