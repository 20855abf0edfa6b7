"""Kinds of full kernels.

`kernel_times` holds a kernel's times on a GPU beside the library's, in the same run;
`kernel_products` hashes of what kernels computed on a GPU.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from lanemap.records.kinds.base import Count, File, Hash, Positive, Strict, Word

Times = Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=1)]


class Side(Strict):
    """One of the two that take turns: microseconds of a launch in each turn, and the card's state.

    Attributes:
        microseconds: Of each turn; the median is what counts.
        median: Of them.
        sm_clock_mhz: Median of what the card said while it ran.
        watt: Likewise.
        throttle_reasons: Every value that the card said.
    """

    microseconds: Times
    median: Annotated[float, Field(gt=0)]
    sm_clock_mhz: float | None
    watt: float | None
    throttle_reasons: list[Word]


class KernelTime(Strict):
    """One product.

    Attributes:
        m: Rows of A and C.
        n: Rows of B, columns of C.
        k: Columns of A and B.
        element: Type of A and B.
        output: Type of C.
        accumulation: How FP8 sums are kept, on both sides.
        tile: The macros of the source that the tile sets.
        ptx: Of the text.
        launches: Of a turn.
        kernel: This kernel.
        library: The library.
        ratio: The library's median over the kernel's.
        tflops: Of the kernel's median.
        rows_checked: Rows of C that were compared with float64.
        outside: Elements of them outside the tolerance.
        used: The largest part of the tolerance that an error used.
        exact: Whether the same product of small integers is exact.
    """

    m: Positive
    n: Positive
    k: Positive
    element: Word
    output: Word
    accumulation: Word
    tile: dict[str, int]
    ptx: Hash
    launches: Positive
    kernel: Side
    library: Side
    ratio: float
    tflops: float
    rows_checked: Positive
    outside: Count
    used: float
    exact: bool


class KernelTimesFindings(Strict):
    """The products, the inputs, and the versions of what compiled and what was compared."""

    command: Word
    inputs: Word
    library: Word
    compiler: Word
    products: Annotated[list[KernelTime], Field(min_length=1)]


class KernelTimesFile(File):
    """Times of a full kernel."""

    kind: Literal["kernel_times"]
    evidence: Literal["silicon"]
    findings: KernelTimesFindings
    observations: Annotated[list[JsonValue], Field(max_length=0)]


class KernelProduct(Strict):
    """One product of a kernel: what it was, and hashes.

    Attributes:
        name: It says what follows in words.
        kernel: Of the folder kernels/.
        m: Rows of A and C.
        n: Rows of B, columns of C.
        k: Columns of A and B.
        element: Type of A and B.
        output: Type of C.
        accumulation: How FP8 sums are kept.
        tile: The fields of the tile.
        ctas: At most so many computed.
        inputs: How A and B were drawn.
        ptx: Of the text.
        a: Of A's bytes.
        b: Of B's bytes.
        c: Of C's bytes in the GPU's first run.
    """

    name: Word
    kernel: Word
    m: Positive
    n: Positive
    k: Positive
    element: Word
    output: Word
    accumulation: Word
    tile: dict[str, int]
    ctas: Positive
    inputs: Word
    ptx: Hash
    a: Hash
    b: Hash
    c: Hash


class KernelProductsFindings(Strict):
    """Products, each run several times; the names of those whose runs differed."""

    runs: Positive
    compiler: Word
    products: Annotated[list[KernelProduct], Field(min_length=1)]
    differing: list[str]


class KernelProductsFile(File):
    """Products of full kernels."""

    kind: Literal["kernel_products"]
    evidence: Literal["silicon"]
    findings: KernelProductsFindings
    observations: Annotated[list[JsonValue], Field(max_length=0)]
