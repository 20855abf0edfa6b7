"""Kinds of full kernels.

`kernel_times` holds the times of a kernel and of the vendor's library, measured in one run on a
GPU. `kernel_products` and `kernel_attentions` hold hashes of what kernels computed on a GPU.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lanemap.records.kinds.base import Count, Hash, Positive, Strict, TableFile, Word

Times = Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=1)]


class Side(Strict):
    """Times of one of the sides that take turns, and the state of the GPU meanwhile.

    Attributes:
        microseconds: Time of a launch, for each turn.
        median: Their median.
        sm_clock_mhz: Median of the SM clocks read while it ran.
        watt: Median of the power read while it ran.
        throttle_reasons: Every throttle reason read while it ran.
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
        inputs: Distribution of the random operands.
        elements: How many were compared.
        outside: How many of them lie outside the tolerance.
        used: Largest error as a fraction of the tolerance.
        result: Hash of the result's bytes, where every device must give the same bytes.
    """

    inputs: Word
    elements: Positive
    outside: Count
    used: float
    result: Hash | None = None


class CopyTurns(Strict):
    """Turns of a copy within the GPU's memory.

    Attributes:
        bytes: Bytes read plus bytes written.
        side: Times of the copy.
    """

    bytes: Positive
    side: Side


class KernelTimes(Strict):
    """Execution times of kernels without the gaps between them.

    Attributes:
        kernel: Microseconds of one launch of this kernel.
        library: Microseconds of all kernels that one call of the library launches.
        by: What measured them, such as CUPTI.
    """

    kernel: Annotated[float, Field(gt=0)]
    library: Annotated[float, Field(gt=0)] | None
    by: Word


class Profile(Strict):
    """What a launch with cold caches keeps busy.

    Attributes:
        by: The profiler and its version.
        percent: Of a peak, by what is busy.
    """

    by: Word
    percent: dict[Word, Annotated[float, Field(ge=0)]]


class Turns(Strict):
    """Turns of the kernel, of the library and of a copy.

    Attributes:
        operands: Copies of the operands that launches use in rotation.
        launches: Least number of launches in a turn.
        kernel: Times of this kernel.
        library: Times of the library, if there is one for the problem.
        ratio: Median of the library divided by that of the kernel.
        device_copy: A copy within the GPU's memory, where memory bandwidth is the limit.
        others: Other people's kernels, by name and version.
    """

    operands: Positive
    launches: Positive
    kernel: Side
    library: Side | None
    ratio: float | None
    device_copy: CopyTurns | None = None
    others: dict[Word, Side] = {}


class TimedProblem(Strict):
    """One problem and its times.

    Attributes:
        problem: Axes of the problem.
        tile: Tile sizes and the other choices of the kernel.
        text: Hash of the PTX or assembly.
        flops: Operations that the problem needs.
        bytes: Least number of bytes that memory must move.
        library: Name and version of the library.
        no_library: Why the kernel was timed without a library that would compute the problem.
        checks: One for each kind of inputs.
        warm: Times with the same operands in every launch.
        cold: Times with operands from memory; None where only warm operands were timed.
        alone: Times of the kernels without gaps, where memory bandwidth is the limit.
        profile: What a launch keeps busy.
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
    alone: KernelTimes | None = None
    profile: Profile | None = None


class KernelTimesFindings(Strict):
    """The problems, the inputs, and the compiler's version.

    Attributes:
        command: What was asked for.
        inputs: How problems are timed.
        compiler: The compilers' versions.
        problems: Those that were timed.
        left: Those that there was no time for.
    """

    command: Word
    inputs: Word
    compiler: Word
    problems: Annotated[list[TimedProblem], Field(min_length=1)]
    left: list[Axes] = []


class KernelTimesFile(TableFile):
    """Times of a full kernel on a GPU that takes turns with the vendor's library."""

    kind: Literal["kernel_times"]
    evidence: Literal["silicon"]
    findings: KernelTimesFindings


class KernelProduct(Strict):
    """One product that a kernel computed, with hashes of its operands and result.

    Attributes:
        name: The following fields in words.
        kernel: Name of the folder in kernels/.
        m: Rows of A and C.
        n: Rows of B, columns of C.
        k: Columns of A and B.
        element: Type of A and B.
        output: Type of C.
        accumulation: How FP8 sums are kept.
        tile: Fields of the tile.
        ctas: Largest number of CTAs that computed it.
        inputs: Distribution of A and B.
        ptx: Hash of the PTX.
        a: Hash of A's bytes.
        b: Hash of B's bytes.
        a_scales: Hash of the bytes of A's scales, if there are any.
        b_scales: Likewise of B's.
        c: Hash of C's bytes in the GPU's first run.
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
    a_scales: Hash | None = None
    b_scales: Hash | None = None
    c: Hash


class KernelProductsFindings(Strict):
    """Products that were each run several times, and the names of those whose runs differed."""

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
    """One problem that fmha computed, with hashes of its operands and result.

    Attributes:
        name: The following fields in words.
        problem: Axes of the problem.
        tile: Fields of the tile.
        ctas: Largest number of CTAs that computed it.
        inputs: Distribution of Q.
        ptx: Hash of the PTX.
        q: Hash of Q's bytes.
        k: Hash of K's bytes.
        v: Hash of V's bytes.
        o: Hash of O's bytes in the GPU's first run.
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
    """Problems that were each run several times, and the names of those whose runs differed."""

    runs: Positive
    compiler: Word
    problems: Annotated[list[KernelAttention], Field(min_length=1)]
    differing: list[str]


class KernelAttentionsFile(TableFile):
    """Hashes of the attention that a full kernel computed on a GPU, each several times."""

    kind: Literal["kernel_attentions"]
    evidence: Literal["silicon"]
    findings: KernelAttentionsFindings


class AttentionGradient(Strict):
    """Times of the gradients of an attention by several libraries, all of bf16.

    Attributes:
        head_dim: Columns of a head.
        causal: Whether a query sees no later key.
        batch: Sequences.
        heads: Heads of Q.
        kv_heads: Heads of K and V.
        length: Queries and keys of a sequence.
        flops: Five products of each pair that the mask shows.
        milliseconds: Times of a pass: `lanemap`, `deterministic`, and libraries by name.
        errors: Norms of the errors of dQ, dK and dV, as parts of the norms, where compared.
    """

    head_dim: Positive
    causal: bool
    batch: Positive
    heads: Positive
    kv_heads: Positive
    length: Positive
    flops: Positive
    milliseconds: dict[Word, Annotated[float, Field(gt=0)]]
    errors: dict[Word, list[float]]


class AttentionGradientsFindings(Strict):
    """Problems whose gradients were timed, each side in turns with the others."""

    command: Word
    compiler: Word
    library: Word
    problems: Annotated[list[AttentionGradient], Field(min_length=1)]


class AttentionGradientsFile(TableFile):
    """Times of fmha's backward pass on a GPU beside those of libraries."""

    kind: Literal["attention_gradients"]
    evidence: Literal["silicon"]
    findings: AttentionGradientsFindings


class HostCallsFindings(Strict):
    """What calls of known shapes cost the host, one after another and not waited for.

    Attributes:
        command: What was run.
        library: PyTorch's version, and cuDNN's.
        processor: The host's.
        microseconds: Of a call, by its name: the median of rounds.
    """

    command: Word
    library: Word
    processor: Word
    microseconds: Annotated[dict[Word, Annotated[float, Field(gt=0)]], Field(min_length=1)]


class HostCallsFile(TableFile):
    """What calls of kernels on a GPU cost the host, beside those of libraries."""

    kind: Literal["host_calls"]
    evidence: Literal["silicon"]
    findings: HostCallsFindings


class TiledProduct(Strict):
    """A product, C = A @ B.T of bf16, and the times of its tiles.

    Attributes:
        m: Rows of A and C.
        n: Rows of B, columns of C.
        k: Columns of A and B.
        library: Microseconds of the library, with warm and with cold operands.
        tiles: Of each tile what the columns of the findings name.
    """

    m: Positive
    n: Positive
    k: Positive
    library: Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=2, max_length=2)]
    tiles: list[list[int | float]]


class TileTimesFindings(Strict):
    """Times of many tiles; `columns` are fields of a tile, then microseconds warm and cold."""

    command: Word
    compiler: Word
    library: Word
    columns: list[Word]
    products: Annotated[list[TiledProduct], Field(min_length=1)]


class TileTimesFile(TableFile):
    """Times of tiles of ss_gemm on a GPU, to choose tiles by."""

    kind: Literal["tile_times"]
    evidence: Literal["silicon"]
    findings: TileTimesFindings


class RatioOfProduct(Strict):
    """Times of a product by several libraries.

    Attributes:
        m: Rows of A and C.
        n: Rows of B, columns of C.
        k: Columns of A and B.
        tile: Fields of the tile.
        algorithm: Number of cuBLASLt's algorithm.
        error: Largest error as a fraction of the largest element.
        warm: Microseconds of ss_gemm, of cuBLASLt's best, of PyTorch, and perhaps of ss_gemm with
            the fastest of several tiles, with warm operands.
        cold: Likewise with operands from memory.
        sustained: Likewise in turns that power limits, where they were timed.
        tried: Fields of the fastest of several tiles.
    """

    m: Positive
    n: Positive
    k: Positive
    tile: dict[str, int]
    algorithm: Count
    error: float
    warm: Times
    cold: Times
    sustained: Times | None = None
    tried: dict[str, int] | None = None


class GemmRatiosFindings(Strict):
    """Products, those with names first, then `drawn` that seeds draw; `tries` tiles of each."""

    command: Word
    compiler: Word
    library: Word
    drawn: Count
    seed: Count | list[Count]
    tries: Count = 0
    products: Annotated[list[RatioOfProduct], Field(min_length=1)]


class GemmRatiosFile(TableFile):
    """Times of ss_gemm on a GPU beside those of libraries."""

    kind: Literal["gemm_ratios"]
    evidence: Literal["silicon"]
    findings: GemmRatiosFindings


class Regret(Strict):
    """How much longer the tile takes that an estimate chooses than the best one timed.

    Attributes:
        products: How many products.
        mean: Geometric mean of the ratio.
        most: The largest ratio.
    """

    products: Positive
    mean: Annotated[float, Field(ge=1)]
    most: Annotated[float, Field(ge=1)]


class TileEstimateFindings(Strict):
    """An estimate that was fitted to times.

    Attributes:
        command: What fitted it.
        times: Hash of the row of times.
        parameters: Parameters of the estimate by name.
        weights: How much the time of each tile corrects the estimate of near ones.
        fitted: How well it chooses where it was fitted.
        held_out: Likewise of products that a fit to the others did not see.
    """

    command: Word
    times: Hash
    parameters: dict[Word, float]
    weights: list[float]
    fitted: Regret
    held_out: Regret


class TileEstimateFile(TableFile):
    """Parameters of the estimate that ss_gemm and ts_gemm choose tiles by."""

    kind: Literal["tile_estimate"]
    evidence: Literal["silicon"]
    findings: TileEstimateFindings
