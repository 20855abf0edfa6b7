"""Published cycle counts: what each source calls its number, and what its method measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """Two events, and what lies fixed besides, in the words of timing probes."""

    from_event: str
    to_event: str
    axes: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True)
class PublishedTiming:
    """A number that someone published, in cycles of the SM's clock.

    Attributes:
        source: Who published it.
        citation: Where.
        chip: The GPU that it was measured on.
        words: What the source calls it.
        cycles: The published range, both ends the same for one number.
        called: The events that these words name.
        measured: The events that the source's method measured, where they are others.
        reading: How the published number was turned into cycles, and why `measured` differs.
        tolerance: By what share our figure may lie outside: other chips of one architecture, and
            what a loop adds.
    """

    source: str
    citation: str
    chip: str
    words: str
    cycles: tuple[float, float]
    called: Asked
    measured: Asked | None = None
    reading: str = ""
    tolerance: float = 0.05


def _result(producer: str, consumer: str, operand: int) -> Asked:
    return Asked(
        f"issue of {producer}", f"issue of {consumer} with the result as operand {operand}"
    )


def _interval(opcode: str) -> Asked:
    return Asked(f"issue of {opcode}", f"issue of the next independent {opcode} of the warp")


_GH200 = ("hibouwu/CUDA_optimazation", "GH200")
_R01 = "gh200_sm90, R01: chains of 64 steps a loop turn"
_H100_CONFIG = ("FlashGPU-Sim", "H100 SXM")
_CONFIG = "configs/SM90_*, comments beside the figures"
_DELAWARE = ("arXiv 2507.10789", "H100 PCIe")


def _claim(
    who: tuple[str, str], citation: str, words: str, cycles: float | tuple[float, float],
    called: Asked, measured: Asked | None = None, reading: str = "", tolerance: float = 0.05,
) -> PublishedTiming:  # fmt: skip
    both = cycles if isinstance(cycles, tuple) else (cycles, cycles)
    return PublishedTiming(
        who[0], citation, who[1], words, both, called, measured, reading, tolerance
    )


#: Every published figure that is judged.
TIMINGS: tuple[PublishedTiming, ...] = (
    _claim(_GH200, _R01, "FFMA chain", 4.0, _result("FFMA", "FFMA", 2)),
    _claim(_GH200, _R01, "FADD chain", 4.0, _result("FADD", "FADD", 2)),
    _claim(_GH200, _R01, "FMUL chain", 4.0, _result("FMUL", "FMUL", 2)),
    _claim(_GH200, _R01, "LOP3 chain", 4.0, _result("LOP3.LUT", "LOP3.LUT", 1)),
    _claim(_GH200, _R01, "IMAD chain", 4.0, _result("IMAD", "IMAD", 2)),
    _claim(_DELAWARE, "table of integer and f32 chains", "FFMA latency", 4.0,
           _result("FFMA", "FFMA", 2)),
    _claim(_H100_CONFIG, _CONFIG, "MUFU.EX2 rate of a scheduler", 8.0, _interval("MUFU.EX2")),
    _claim(_H100_CONFIG, _CONFIG, "MUFU.EX2 chain", 18.91, _result("MUFU.EX2", "MUFU.EX2", 1),
           tolerance=0.02,
           reading="the source does not say what else its loop holds"),
    _claim(_GH200, "gh200_sm90, EXP-10: 0.0385 warp instructions a cycle", "shfl.sync chain", 26.0,
           _result("SHFL.BFLY", "SHFL.BFLY", 1)),
)  # fmt: skip
