"""The kinds that hold no layout map: scores, an assembler's verdicts, programs, approximations."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from lanemap.records.kinds.base import Count, Hash, Positive, Strict, TableFile, Word

# What the emulator said, then what the GPU said; "" where a program ended well.
BothSay: TypeAlias = Annotated[list[str], Field(min_length=2, max_length=2)]


class Score(Strict):
    """How many mutants of an instruction were executed, and how many of them a probe noticed."""

    variant: Word
    mutants: Count
    executed: Count
    executed_noticed: Count
    executed_identified: Count
    equivalent: Count
    outside: Count
    stopped: list[str]
    survivors: list[str]
    equivalent_names: list[str] = []
    variants: Count | None = None
    by_variant: dict[str, str] = {}


class MutationScoresFile(TableFile):
    """Mutation scores: of the wrong instructions that probes were shown, how many they noticed."""

    kind: Literal["mutation_scores"]
    evidence: Literal["emulator"]
    findings: dict[str, Score]


class MutantsOfFile(Strict):
    """What became of the mutants of one file of instruction functions, of those that were judged.

    `same_ir` and `same_code` are equal to the original where tests execute them; `refused` leaves
    nothing to execute.
    """

    file: Word
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    mutants: Positive
    noticed: Count
    survived: Count
    unreached: Count
    same_ir: Count
    same_code: Count
    refused: Count


class Survivor(Strict):
    """A mutant that no test notices: whether one executes it, and why no program can tell it."""

    mutant: Word
    reached: bool
    argument: str


class Noticed(Strict):
    """A mutant that a test notices."""

    mutant: Word
    test: Word


class InstructionMutantsFindings(Strict):
    """All mutants of a front end; of those that are noticed, some."""

    front_end: Literal["ptx", "amdgcn"]
    files: list[MutantsOfFile]
    survivors: list[Survivor]
    noticed: list[Noticed]


class InstructionMutantsFile(TableFile):
    """Mutants of the functions that execute instructions: which of them do tests notice?"""

    kind: Literal["instruction_mutants"]
    evidence: Literal["emulator"]
    findings: InstructionMutantsFindings


class FormGroup(Strict):
    """How an assembler judged the forms of one group."""

    accepted: Count
    accepted_n: str
    machine: str
    refused: Count
    refused_n: str


class AssemblerFindings(BaseModel):
    """The assembler's version, and each group of forms under its own name."""

    model_config = ConfigDict(strict=True, extra="allow", defer_build=True)
    __pydantic_extra__: dict[str, FormGroup] = Field(init=False)
    assembler: Word


class AssemblerFormsFile(TableFile):
    """Which forms an assembler accepts, and what it assembles them to."""

    kind: Literal["assembler_forms"]
    evidence: Literal["documented"]
    findings: AssemblerFindings


class FormsOfRelease(Strict):
    """Which forms a release accepts; `gained` and `lost` are packed names (forms/packing.py)."""

    compiler: Word
    ptx: Word | None = None
    accepted: Count
    families: dict[Word, Count]
    gained: list[Word]
    lost: list[Word]


class FormsByRelease(Strict):
    """Forms of PTX, or instructions of an AMD target, asked of each release: `forms` of so many."""

    forms: Count
    of: Count
    releases: Annotated[list[FormsOfRelease], Field(min_length=1)]


class TextOutcome(Strict):
    """What a release makes of a text: a hash of its SASS and its length, or the refusal."""

    compiler: Word
    sass: Annotated[str | None, Field(pattern=r"^[0-9a-f]{16}$")] = None
    instructions: Count | None = None
    refused: Word | None = None


class TextByRelease(Strict):
    """A stored text, and what releases make of it."""

    name: Word
    ptx: Hash
    outcomes: Annotated[list[TextOutcome], Field(min_length=1)]


class CompilerReleasesFindings(Strict):
    """What releases of an assembler accept, and what they make of texts."""

    forms: FormsByRelease
    texts: list[TextByRelease]


class CompilerReleasesFile(TableFile):
    """Which forms and texts each release of an assembler accepts, and what it makes of them."""

    kind: Literal["compiler_releases"]
    evidence: Literal["documented"]
    findings: CompilerReleasesFindings


class Program(Strict):
    """One generated program: hashes of what ran and came out, four bytes of hash for each slot."""

    name: Word
    threads: Positive
    structured: bool
    ptx: Hash
    inputs: Hash
    cubin: Hash | None
    output: Hash | None
    slots: str | None
    errors: BothSay


class ComparedForms(Strict):
    """Forms that were compared in one way: how many lanes, how many of them equal."""

    kind: Word
    names: list[str]
    forms: Count
    programs: Count
    lanes: Count
    equal: Count
    fewest_lanes: Count


class Exemption(Strict):
    """Forms that are not compared bit for bit, and why."""

    pattern: Word
    kind: Word
    reason: Word
    forms: Count


class Series(Strict):
    """The stored part of a further series of programs."""

    series: Positive
    programs: Count
    failed: Count
    lanes: Count
    differing: list[str]
    outputs: Hash


class ProgramFindings(Strict):
    """Generated programs on the emulator and on a GPU."""

    compiler: str | None
    programs: list[Program]
    forms: list[ComparedForms]
    further: list[Series]
    stops: dict[str, BothSay]
    disagreements: list[dict[str, JsonValue]]
    exemptions: list[Exemption]


class ProgramsFile(TableFile):
    """Generated programs over the forms of PTX, on the emulator and on a GPU."""

    kind: Literal["programs"]
    evidence: Literal["silicon"]
    findings: ProgramFindings


class MbarrierFindings(Strict):
    """Programs of mbarriers, each run several times."""

    compiler: str | None
    runs: Positive
    programs: list[Program]
    forms: list[ComparedForms]
    disagreements: list[dict[str, JsonValue]]
    states: dict[Literal["states", "the same each time"], Count]
    opaque: dict[str, JsonValue]


class MbarriersFile(TableFile):
    """Programs of mbarriers between warps and CTAs, on the emulator and on a GPU."""

    kind: Literal["mbarriers"]
    evidence: Literal["silicon"]
    findings: MbarrierFindings


class CopyFindings(Strict):
    """Programs of asynchronous copies, each run several times, against an oracle."""

    compiler: str | None
    runs: Positive
    programs: list[Program]
    parts: dict[str, Positive]
    disagreements: list[dict[str, JsonValue]]


class CopiesFile(TableFile):
    """Programs of asynchronous copies, on the emulator and on a GPU."""

    kind: Literal["copies"]
    evidence: Literal["silicon"]
    findings: CopyFindings


class Pipeline(Strict):
    """One pipeline program: hashes of what ran, and of what the GPU wrote in its first run."""

    name: Word
    ptx: Hash
    inputs: Hash
    output: Hash | None
    errors: BothSay


class PipelineFindings(Strict):
    """Pipelines, each run several times; the names of those on which the devices differ."""

    runs: Positive
    programs: list[Pipeline]
    disagreements: list[str]


class PipelinesFile(TableFile):
    """Pipelines of asynchronous copies, words or wgmma, and bulk stores."""

    kind: Literal["pipelines"]
    evidence: Literal["silicon"]
    findings: PipelineFindings


class EarlierPrograms(Strict):
    """Programs of one target: what was compared, and hashes of all texts and of all outputs."""

    programs: Positive
    failed: dict[str, BothSay]
    forms: Count
    compared: Count
    lanes: Count
    differing: list[str]
    texts: Hash
    outputs: Hash


class EarlierProducts(Strict):
    """Kinds of mma.sync of one target, and a hash of all results of the GPU."""

    kinds: list[Word]
    dots: Count
    differing: list[str]
    outputs: Hash


class EarlierTarget(Strict):
    """Texts of one target on a newer GPU."""

    target: Word
    programs: EarlierPrograms
    products: EarlierProducts
    probes: dict[str, bool]


class EarlierTargetFindings(Strict):
    """Texts of earlier targets; what the row proves, and what it does not."""

    compiler: Word
    proves: Word
    proves_not: Word
    targets: Annotated[list[EarlierTarget], Field(min_length=1)]


class EarlierTargetsFile(TableFile):
    """PTX of earlier targets on a newer GPU, and on the emulator of that GPU."""

    kind: Literal["earlier_targets"]
    evidence: Literal["silicon"]
    findings: EarlierTargetFindings


class FaultOutcome(Strict):
    """The outcome of a program: the words promised, other words, an error, or a refusal.

    The most frequent outcome of several runs; it came `same` times. What a compiler refused never
    ran. `other` is an error that is not of the fault which the program shows.
    """

    compiler: Word
    options: Word
    runs: Count
    same: Annotated[Count, Field(alias="the same")]
    refused: Word | None = None
    promised: Annotated[bool | None, Field(alias="as promised")] = None
    words: list[Count] | None = None
    error: Word | None = None
    other: Word | None = None


class FaultProgram(Strict):
    """A legal program, the words that the manual promises, and what compilers made of it."""

    name: Word
    cure: str
    text: Word
    promise: list[Count]
    outcomes: Annotated[list[FaultOutcome], Field(min_length=1)]


class CompilerFault(Strict):
    """Programs that a compiler translates wrongly, and changes of them that cure it."""

    name: Word
    promise: Word
    programs: Annotated[list[FaultProgram], Field(min_length=1)]


class CompilerFaultsFindings(Strict):
    """Faults of a compiler that a GPU or the emulator showed."""

    faults: list[CompilerFault]


class CompilerFaultsFile(TableFile):
    """Legal programs that a compiler translates wrongly, on a GPU or on the emulator."""

    kind: Literal["compiler_faults"]
    evidence: Literal["silicon", "emulator"]
    findings: CompilerFaultsFindings


class Farthest(Strict):
    """An input whose result is far from the rounded one; bit patterns in hexadecimal."""

    input: Word
    result: Word
    rounded: Word
    distance: Count


class Approximation(Strict):
    """How far one form's results are from the rounded ones, in values of the type."""

    form: Word
    inputs: Positive
    unit: Word
    largest_distance: Count
    distances: dict[str, Count]
    worst: list[Farthest]


class ApproximationsFile(TableFile):
    """Approximate instructions: their largest distance from the rounded result, over all inputs."""

    kind: Literal["approximations"]
    evidence: Literal["silicon"]
    findings: dict[str, Approximation]


class MapSeries(Strict):
    """The stored part of a random series of tensor maps."""

    members: Positive
    failed: Count
    hash: Hash


class EncodedMaps(Strict):
    """Parameter sets in the words of `columns`, each with the driver's bytes or its status."""

    columns: Word
    maps: list[Annotated[str, Field(pattern=r"^[-0-9a-f, ]+ = ([0-9a-f]*|CUDA_[A-Z_]+)$")]]
    series: list[MapSeries]


class TensorMapsFile(TableFile):
    """Results of the CUDA driver's encoding functions, by function."""

    kind: Literal["tensor_maps"]
    evidence: Literal["silicon"]
    findings: dict[str, EncodedMaps]
