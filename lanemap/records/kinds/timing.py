"""The kind of rows that say how many cycles lie between two named events."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lanemap.records.kinds.base import Count, Hash, Positive, Strict, TableFile, Word

#: By number of links, how many SMs took how many cycles; JSON's keys are text.
Histograms = dict[str, dict[str, Positive]]

#: The same in a line: "185x130 186x2" are 130 SMs that took 185 cycles, and two that took 186.
Spreads = dict[str, Annotated[str, StringConstraints(pattern=r"^\d+x\d+( \d+x\d+)*$")]]


class Trial(Strict):
    """An edge under other control words.

    Attributes:
        producer: Opcode of the first instruction.
        consumer: Opcode of the second.
        operand: Which operand of the consumer reads the result; 0 is its guard.
        fixed: Whether only the stall count separates them.
        assembled: The stall counts that the assembler wrote.
        wrong: By stall count, how many inputs' results changed; "0" is without the wait.
        least: The least stall count with which, and with all above, every result is right.
    """

    producer: Word
    consumer: Word
    operand: Count
    fixed: bool
    assembled: list[Count]
    wrong: dict[str, Count]
    least: Count | None


class TimedChain(Strict):
    """One kernel at every length.

    Attributes:
        steps: Its links, in PTX's words.
        strands: Independent strands that the links are in.
        links_of_a_turn: Links after which it repeats itself.
        period: Instructions of one turn, by opcode.
        overhead: Instructions besides, at every length.
        cycles: Cycles of the windows as they were assembled.
        least_cycles: The same with the least stall counts.
        edges: What was tried.
        results_right: Whether the results at the least stall counts are the assembled ones'.
        window: The chain in SASS with its control words, at one length; empty for two steps.
        results: Hash of the results at that length, uint32[CTA, thread] as little-endian bytes; the
            first three CTAs hold one of each family of inputs.
        exact: Whether the ISA fixes every bit of them.
    """

    steps: list[Word]
    strands: Positive
    links_of_a_turn: Positive
    period: dict[str, Positive]
    overhead: dict[str, Positive]
    cycles: Histograms
    least_cycles: Histograms
    edges: list[Trial]
    results_right: bool
    window: list[Word]
    results: Hash | None
    exact: bool


class TimedClocks(Strict):
    """Windows on one SM while the others ran wgmma: its clock in MHz, without and with; cycles."""

    sm: int
    idle_mhz: float
    busy_mhz: float
    busy_cycles: dict[str, Positive]


class TimedSeries(Strict):
    """One operation, repeated n times, at every n.

    Attributes:
        name: The question with its axes.
        warps: Warps of each CTA.
        cluster: CTAs of each cluster.
        operations_of_a_link: Timed operations of a link.
        trips: How often the window runs its links.
        period: Instructions of one link, by opcode.
        overhead: Instructions besides, at every n.
        cycles: Cycles of the windows.
        cut_cycles: Cycles of links that do not depend on the one before.
        unwaited: The share of results that change without the waits for the instruction's barrier.
        stalls: By the cycles of stall counts in one link, the share of results that change.
        least_cycles: Cycles with the least stall counts that leave every result right.
        window: The shortest window in SASS with its control words; empty if it is long.
        results: Hash of its results, uint32[CTA, thread] as little-endian bytes.
        exact: Whether the results are the same on every device.
        unit: Unit of `cycles`.
        over: The thing whose counts are the keys of `cycles`.
        events_ns: For launches, nanoseconds between the CUDA events around them, by n.
        runs: For CTAs, by n the median of the SMs in each run; `cycles` has that of the runs.
        clocks: At a second frequency of the SM's clock; None if it was measured at one.
    """

    name: Word
    warps: Positive
    cluster: Positive
    operations_of_a_link: Positive
    trips: Positive
    period: dict[str, Positive]
    overhead: dict[str, Positive]
    cycles: Spreads
    cut_cycles: Spreads
    unwaited: float | None
    stalls: dict[str, float]
    least_cycles: Spreads
    window: list[Word]
    results: Hash | None
    exact: bool
    unit: Literal["cycles", "ns"] = "cycles"
    over: Literal["SMs", "runs"] = "SMs"
    events_ns: Spreads = {}
    runs: Spreads = {}
    clocks: TimedClocks | None = None


class TimedFigure(Strict):
    """Cycles between two events.

    Attributes:
        instruction: Opcode of the first event.
        from_event: What begins it.
        to_event: What ends it.
        kind: The kind of figure that the certificates are for.
        cycles: SM cycles, as "4" or a fraction "129/64"; None if nothing determines them.
        value: The same as a number.
        chain: The chain it was measured in.
        certificates: By name, "" if it holds, or why not.
        explained: Whether all hold.
        axes: Other parameters of the measurement, such as the number of warps.
        spread: Cycles of the fastest SM, the median one and the slowest, as `cycles` is written.
        domain: What decides the cycles besides the SM's clock; "SM" for nothing.
        unit: Unit of the count.
    """

    instruction: Word
    from_event: Word
    to_event: Word
    kind: Literal[
        "fixed latency", "variable latency", "interlocked latency", "interval", "rate", "event"
    ]
    cycles: Word | None
    value: float | None
    chain: Word
    certificates: dict[str, str]
    explained: bool
    axes: dict[str, str | int] = {}
    spread: tuple[Word, Word, Word] | None = None
    domain: Word = "SM"
    unit: Literal["cycles", "ns"] = "cycles"


class TimingInputs(Strict):
    """The inputs of the kernels, from `timing.launch.inputs`."""

    ctas: Positive
    seed: int


class TimedTimers(Strict):
    """The least step of %globaltimer, and cycles of clock64 in a microsecond of it over the SMs."""

    step_ns: Positive
    cycles_of_a_microsecond: tuple[float, float, float]


class TimedAgain(Strict):
    """Another run of the same group.

    Attributes:
        gpu: The GPU that it ran on.
        uuid: Its name among all GPUs; None if the run does not say.
        same_gpu: Whether that is the row's own; None if one of them does not say.
        time: When.
        figures: How many explained figures of the row it measured too.
        differing: Where the two differ, as `timing.agreement` says, a sentence each.
    """

    gpu: Word
    uuid: Word | None
    same_gpu: bool | None
    time: Word
    figures: Count
    differing: list[Word]


class TimingFindings(Strict):
    """A group of figures and the chains that they come from.

    `clock_domain` names the clock that counts; `assembler` is ptxas's version; `modules` holds the
    hashes of PTX and cubin; `withheld` says which chains gave nothing, and why; `timers` is of
    launches; `again` holds other runs.
    """

    question: Word
    command: Word
    clock_domain: Word
    assembler: Word
    inputs: TimingInputs
    modules: list[dict[Literal["ptx", "cubin"], Hash]]
    figures: list[TimedFigure]
    chains: list[TimedChain]
    series: list[TimedSeries] = []
    withheld: dict[str, Word]
    timers: TimedTimers | None = None
    again: list[TimedAgain] = []


class TimingFile(TableFile):
    """A group of timings from silicon."""

    kind: Literal["timing"]
    evidence: Literal["silicon"]
    findings: TimingFindings


class PredictedLaunch(Strict):
    """A launch whose cycles were predicted before a GPU measured them.

    Attributes:
        set: Whether the model was developed on it.
        name: Its name in tests/timing.
        group: Its class, of those held out.
        code: The hash of its SASS, read for the prediction and measured.
        of: Between which events cycles are counted.
        resources: What limits it, by the model.
        outside: Why it lay outside of the envelope of the tables, before it was measured.
        predicted: Cycles; None where the model refuses it.
        refused: Why it does.
        cycles: What each measured launch took.
        active: Of launches whose clock reads are compared, cycles in which their SM was active.
        around: Of these, cycles that the model has before and after the clock reads.
        busy: Cycles that the model has from the first issue to the last.
        ctas: CTAs of the grid.
        error: The predicted cycles over the median of those, less 1.
        ablations: The predicted cycles without a part of the model.
        others: Cycles that other tools predict, by their names.
        executed: Which CTAs the emulator ran, and what is taken of the others.
        reads: What is taken to answer reads of memory, and why.
    """

    name: Word
    set: Literal["development", "held out"]
    group: str
    code: Hash
    of: str
    resources: str
    outside: list[str] = []
    predicted: Positive | None
    refused: str
    cycles: list[Positive]
    active: list[Positive]
    around: Count | None
    busy: Count = 0
    ctas: Count = 0
    error: float | None
    ablations: dict[str, Count]
    others: dict[str, Positive] = {}
    executed: str
    reads: str


class PredictedPair(Strict):
    """Two launches that differ in one thing.

    Attributes:
        what: What they differ in.
        launches: Their names.
        predicted: The cycles of the second over those of the first; None if one is refused.
        measured: The same as measured.
    """

    what: Word
    launches: tuple[Word, Word]
    predicted: float | None
    measured: float | None


class PredictionFindings(Strict):
    """Predictions and measurements.

    Attributes:
        command: What wrote it.
        committed: The hash of the file of predictions, as it was committed before.
        launches: The launches.
        pairs: Responses of the model, and of the GPU.
        earlier: Of launches that were held out before, the errors as they were published then.
        failed: By group, why nothing was measured.
    """

    command: Word
    committed: Hash
    launches: list[PredictedLaunch]
    pairs: list[PredictedPair] = []
    earlier: dict[str, float | None] = {}
    failed: dict[str, str]


class PredictionsFile(TableFile):
    """Predicted cycles of kernels beside those that a GPU took."""

    kind: Literal["predictions"]
    evidence: Literal["silicon"]
    findings: PredictionFindings


class HomePage(Strict):
    """The lines of a page of memory.

    Attributes:
        home: For each line a bit, in hexadecimal: the half of L2 in which it lies.
        mask: The bits of a line's number whose parity is nearest to that.
        agree: Of how many lines that is so.
        apart: By how many cycles requests of the two halves differ: the median.
    """

    home: Annotated[str, Field(pattern=r"^[0-9a-f]{4096}$")]
    mask: Count
    agree: Positive
    apart: Count


class L2MapFindings(Strict):
    """Where lines and SMs lie.

    Attributes:
        command: What wrote it.
        source: The hash of the kernels.
        requests: To a line, one after the other, of which the cycles are.
        sms: By SM, the half of L2 that is near.
        lines: By line that all SMs asked, the half in which it lies.
        near: How often atomics of a near line took so many cycles.
        far: The same of lines of the other half.
        atomics: By SM and line, cycles of atomics.
        reads: By SM and line, cycles of reads of what the SM's half has.
        pages: Pages of which one SM of each half asked all lines.
        memory: How often one read of a line that only memory has took so many cycles.
    """

    command: Word
    source: Hash
    requests: Positive
    sms: list[Literal[0, 1]]
    lines: list[Literal[0, 1]]
    near: dict[Word, Positive]
    far: dict[Word, Positive]
    atomics: list[list[Positive]]
    reads: list[list[Positive]]
    pages: list[HomePage]
    memory: dict[Word, Positive]


class L2MapFile(TableFile):
    """In which half of L2 lines lie, which SMs are near it, and what that costs."""

    kind: Literal["l2_map"]
    evidence: Literal["silicon"]
    findings: L2MapFindings


class Stream(Strict):
    """A kernel that streams through arrays, launched again and again.

    Attributes:
        reads: Arrays that it reads.
        writes: Arrays that it writes.
        ctas: CTAs of its grid.
        bytes: Of all arrays.
        most: Cycles of the slowest SM, by launch.
        middle: The median of SMs, by launch.
    """

    reads: Count
    writes: Count
    ctas: Positive
    bytes: Positive
    most: list[Positive]
    middle: list[Positive]


class StreamsFindings(Strict):
    """Streams by their bytes.

    Attributes:
        command: What wrote it.
        source: The hash of the kernels.
        threads: Of a CTA.
        block: Bytes that a CTA reads of each array.
        streams: The streams.
    """

    command: Word
    source: Hash
    threads: Positive
    block: Positive
    streams: list[Stream]


class StreamsFile(TableFile):
    """Cycles of kernels that stream through arrays, by bytes and by what is written."""

    kind: Literal["streams"]
    evidence: Literal["silicon"]
    findings: StreamsFindings
