"""The kind that says what a GPU and other tools made of the museum's kernels."""

from __future__ import annotations

from typing import Literal

from lanemap.records.kinds.base import Count, Positive, Strict, TableFile, Word


class Versions(Strict):
    """A number for the mended kernel and the faulty one, or how its process ended."""

    fixed: Count | Word
    faulty: Count | Word


class Elements(Strict):
    """How many elements were wrong in a launch that left something wrong."""

    fewest: Positive
    most: Positive
    of: Positive


class OwnCompiler(Strict):
    """A script's result for one launch, compiled by the Triton on that machine."""

    triton: Word
    fixed: Word
    faulty: Word


class ExhibitOnGpu(Versions):
    """How many launches left something wrong, and what each tool reports of one launch."""

    compute_sanitizer: dict[str, Versions]
    elements: Elements | None = None
    own_compiler: OwnCompiler | None = None


class MuseumFindings(Strict):
    """All exhibits, each launched so many times."""

    launches: Positive
    exhibits: dict[str, ExhibitOnGpu]


class Sentences(Strict):
    """A tool's verdicts on the mended kernel and on the faulty one."""

    fixed: Word
    faulty: Word


class ConsanFindings(Strict):
    """The verdicts of this version of Triton's ConSan on scripts that run on the emulator."""

    triton: Word
    consan: dict[str, Sentences]


class Report(Strict):
    """What the emulator reports of a faulty kernel: a hazard, and lines of the kernel's file."""

    kind: Word
    sentence: Word
    lines: list[Positive]


class ReportsFindings(Strict):
    """The emulator's reports of faulty exhibits, and of examples by kind of hazard."""

    reports: dict[str, Report]
    examples: dict[str, Report]


class MuseumFile(TableFile):
    """Faults met in public: how their kernels ran on a GPU, under ConSan and on the emulator."""

    kind: Literal["museum"]
    evidence: Literal["silicon", "emulator"]
    findings: MuseumFindings | ConsanFindings | ReportsFindings
