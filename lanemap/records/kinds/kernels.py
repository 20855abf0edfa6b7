"""Kinds of full kernels.

`kernel_times` holds a kernel's times on a GPU beside the library's, in the same run;
`kernel_products` and `kernel_attentions` hashes of what kernels computed on a GPU.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lanemap.records.kinds.base import Count, Hash, Positive, Strict, TableFile, Word

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


Axes = dict[str, bool | int | str]


class KernelCheck(Strict):
    """A comparison of a result with its reference in float64.

    Attributes:
        inputs: How the operands were drawn.
        elements: How many were compared.
        outside: How many of them lie outside the tolerance.
        used: The largest part of the tolerance that an error used.
        result: Hash of the whole result's bytes, where every device must give the same.
    """

    inputs: Word
    elements: Positive
    outside: Count
    used: float
    result: Hash | None = None


class CopyTurns(Strict):
    """Turns of a copy within the GPU's memory.

    Attributes:
        bytes: Read and written.
        side: Its times.
    """

    bytes: Positive
    side: Side


class Alone(Strict):
    """What kernels take without what is between them.

    Attributes:
        kernel: Microseconds of a launch of this kernel.
        library: Likewise, of all kernels of the library's launch.
        by: Who says so.
    """

    kernel: Annotated[float, Field(gt=0)]
    library: Annotated[float, Field(gt=0)] | None
    by: Word


class Turns(Strict):
    """Turns of the kernel, of the library and of a copy.

    Attributes:
        operands: Copies of the operands that the launches go round.
        launches: Of a turn, at least.
        kernel: This kernel.
        library: The library, if there is one.
        ratio: The library's median over the kernel's.
        device_copy: A copy, beside what memory alone limits.
        others: Other people's kernels, by name and version.
    """

    operands: Positive
    launches: Positive
    kernel: Side
    library: Side | None
    ratio: float | None
    device_copy: CopyTurns | None = None
    others: dict[Word, Side] = {}


class KernelTime(Strict):
    """One problem.

    Attributes:
        problem: Its axes.
        tile: How it was divided.
        text: Of the PTX or assembly.
        flops: Operations that the problem needs.
        bytes: What memory must move at least.
        library: Its name and version.
        no_library: Why the kernel was timed without a library that would compute the problem.
        checks: One for each kind of inputs.
        warm: Every launch has the same operands.
        cold: Operands come from memory; None where only warm ones were timed.
        alone: Kernels by themselves, where memory alone limits.
    """

    problem: Axes
    tile: Axes
    text: Hash
    flops: Positive
    bytes: Positive
    library: Word | None
    no_library: Word | None = None
    checks: Annotated[list[KernelCheck], Field(min_length=1)]
    warm: Turns
    cold: Turns | None
    alone: Alone | None = None


class KernelTimesFindings(Strict):
    """The problems, the inputs, and the versions of what compiled."""

    command: Word
    inputs: Word
    compiler: Word
    problems: Annotated[list[KernelTime], Field(min_length=1)]


class KernelTimesFile(TableFile):
    """Times of a full kernel on a GPU, in turns with the vendor's library."""

    kind: Literal["kernel_times"]
    evidence: Literal["silicon"]
    findings: KernelTimesFindings


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


class KernelProductsFile(TableFile):
    """Hashes of the products that full kernels computed on a GPU, each several times."""

    kind: Literal["kernel_products"]
    evidence: Literal["silicon"]
    findings: KernelProductsFindings


class KernelAttention(Strict):
    """One problem of fmha: what it was, and hashes.

    Attributes:
        name: It says what follows in words.
        problem: Its axes.
        tile: The fields of the tile.
        ctas: At most so many computed.
        inputs: How Q was drawn.
        ptx: Of the text.
        q: Of Q's bytes.
        k: Of K's bytes.
        v: Of V's bytes.
        o: Of O's bytes in the GPU's first run.
    """

    name: Word
    problem: Axes
    tile: Axes
    ctas: Positive
    inputs: Word
    ptx: Hash
    q: Hash
    k: Hash
    v: Hash
    o: Hash


class KernelAttentionsFindings(Strict):
    """Problems, each run several times; the names of those whose runs differed."""

    runs: Positive
    compiler: Word
    problems: Annotated[list[KernelAttention], Field(min_length=1)]
    differing: list[str]


class KernelAttentionsFile(TableFile):
    """Hashes of the attention that a full kernel computed on a GPU, each several times."""

    kind: Literal["kernel_attentions"]
    evidence: Literal["silicon"]
    findings: KernelAttentionsFindings
