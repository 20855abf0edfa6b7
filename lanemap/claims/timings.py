"""Published cycle counts: what each source calls its number, and what its method measured."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Asked:
    """Two events, and what lies fixed besides, in the words of timing probes."""

    from_event: str
    to_event: str
    axes: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True)
class PublishedTiming:
    """A number that someone published.

    Attributes:
        source: Name of the source.
        citation: The source, with its place.
        chip: The GPU that it was measured on.
        words: The source's name for the figure.
        cycles: The published range, both ends the same for one number.
        called: The events that these words name.
        measured: The events that the source's method measured, where they are others.
        reading: How the published number was turned into cycles, and why `measured` differs.
        tolerance: By what share our figure may lie outside: other chips of one architecture, and
            what a loop adds.
        unit: Unit of `cycles`: "cycles" of the SM's clock, or "ns".
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
    unit: str = "cycles"


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
_FLASH_H200 = ("FlashGPU-Sim", "H200 NVL")
_HKUST = ("arXiv 2501.12084", "H800 PCIe")
_BENCHES = ("RRZE-HPC/gpu-benches", "GH200")
_CALIBRATION = "docs/cluster_noc/calibration.md and test/src/microbench"
#: How far what L2, memory and the network between SMs decide may lie: chips have other floor plans.
_FAR = 0.1


def _address(opcode: str, what: str = "the result", **axes: str | int) -> Asked:
    return _at(f"issue of {opcode}", f"issue of {opcode} with {what} as its address", **axes)


def _at(first: str, second: str, **axes: str | int) -> Asked:
    """Two events; an axis of several words has underscores for its spaces."""
    return Asked(first, second, tuple((name.replace("_", " "), axes[name]) for name in axes))


_VALUES = "0 and 1, integers random"


def _mma(accumulators: int, warps: int) -> Asked:
    return _at(
        "issue of HMMA.16816.F32",
        "issue of the next HMMA.16816.F32 of the warp",
        accumulators=accumulators,
        values=_VALUES,
        warps=warps,
    )


def _wgmma_axes(n: int, a: str) -> dict[str, str | int]:
    return {
        "A": a,
        "N": n,
        "accumulators": 1,
        "major_of_A": "K",
        "major_of_B": "K",
        "swizzle": "128b",
        "values": _VALUES,
        "warpgroups": 1,
    }


def _wgmma_interval(n: int, opcode: str = "HGMMA.64xNx16.F32") -> Asked:
    return _at(
        f"issue of {opcode}",
        f"issue of the next {opcode} of the warpgroup, with one commit for all",
        **_wgmma_axes(n, "shared memory"),
    )


def _wgmma_wait(n: int, a: str = "shared memory", opcode: str = "HGMMA.64xNx16.F32") -> Asked:
    return _at(
        f"issue of WARPGROUP.ARRIVE before {opcode}",
        "wgmma.wait_group 0 passed, which follows the commit of them all",
        **(_wgmma_axes(n, a) | {"in_a_commit": 1}),
    )


def _barrier(warps: int) -> Asked:
    return _at(
        "issue of BAR.SYNC.DEFER_BLOCKING by the last warp of the CTA",
        "issue of the next BAR.SYNC.DEFER_BLOCKING by the last",
        warps=warps,
    )


def _hand_off(consumers: int) -> Asked:
    return _at(
        "issue of SYNCS.ARRIVE.TRANS64.A1T0 by a warp",
        "issue of its next SYNCS.ARRIVE.TRANS64.A1T0, after others waited for the first and "
        "arrived too",
        consumers=consumers,
    )


def _try_wait(state: str) -> Asked:
    opcode = "SYNCS.PHASECHK.TRANS64.TRYWAIT"
    return _at(
        f"issue of {opcode} of a {state}",
        f"issue of {opcode} whose address LOP3.LUT made under its predicate",
    )


def _load(opcode: str, residency: str, **more: str | int) -> Asked:
    return _address(opcode, "the result", bytes_between_lanes=0, residency=residency, **more)


def _bulk(size: int) -> Asked:
    return _at(
        "issue of UBLKCP.S.G", "mbarrier wait true for its bytes", bytes=size, in_flight=1, offset=0
    )


_VIEW = _at(
    "issue of FENCE.VIEW.ASYNC.S of fence.proxy.async.shared::cta, nothing on its way",
    "issue of the next FENCE.VIEW.ASYNC.S with what ptxas adds",
)
#: Of all pairs of CTAs, those of a cluster of two.
_REMOTE = replace(
    _at("issue of LD.E", "issue of LD.E with the result as its address, by MOV"),
    axes=(("CTAs", 2), ("peer's rank XOR", 1)),
)


def _claim(
    who: tuple[str, str],
    citation: str,
    words: str,
    cycles: float | tuple[float, float],
    called: Asked,
    measured: Asked | None = None,
    reading: str = "",
    tolerance: float = 0.05,
    unit: str = "cycles",
) -> PublishedTiming:
    both = cycles if isinstance(cycles, tuple) else (cycles, cycles)
    return PublishedTiming(
        who[0], citation, who[1], words, both, called, measured, reading, tolerance, unit
    )


#: LLVM's model of gfx950 is no measurement: "the latency values are 1 / (operations / cycle) / 4".
_LLVM = ("LLVM 22", "gfx950, a model")
_SCHEDULE = "AMDGPU/SISchedule.td; llvm-mca -mcpu=gfx950, Latency and RThroughput"
_CLOCKS = 4  # of the model's unit, one pass
_SAME_PASSES = (
    "LLVM 22 gives FP8 the passes of FP4; AMD's ISA gives FP8 twice as many, and later revisions "
    "of SISchedule.td follow it"
)


def _mfma(
    name: str, kind: str, latency: int, passes: int, reading: str = ""
) -> tuple[PublishedTiming, PublishedTiming]:
    """Return an MFMA's cycles in LLVM's model: latency to its next accumulation, and rate."""
    own = f"v_mfma_{name}"
    axes: dict[str, str | int] = {"type": kind, "values": "0 and 1, integers and FP4 random"}
    issue = f"issue of {own}"
    chain = _at(issue, f"{issue} that accumulates in its D, which hardware waits for", **axes)
    rate = _at(issue, f"issue of the next independent {own} of the wave", **axes, waves=1)
    unit = f"{_CLOCKS} clocks to the model's unit"
    return (
        _claim(
            _LLVM,
            _SCHEDULE,
            f"{name} of {kind}, Latency {latency}",
            _CLOCKS * latency,
            chain,
            reading=f"{unit}; the latency counts the read of A and B (MIMFMARead)",
        ),
        _claim(
            _LLVM,
            _SCHEDULE,
            f"{name} of {kind}, RThroughput {passes}",
            _CLOCKS * passes,
            rate,
            reading=f"{unit}; {reading}" if reading else unit,
        ),
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
    _claim(_GH200, _R01, "ld.shared chain, 29.0 with its LEA", (24.0, 25.0),
           _address("LDS", passes=1), reading="29.0 less the four to five cycles of an LEA"),
    _claim(("arXiv 2402.13499", "H800 PCIe"), "table of the memory hierarchy",
           "shared memory latency", 29.0, _address("LDS", passes=1),
           reading="ours has no instruction but the load in its chain"),
    _claim(_GH200, _R01, "ldmatrix.x4 result to the next address, 34.02 with its IADD", 29.0,
           _address("LDSM.16.M88.4", "the first word of its result", passes=4),
           reading="34.02 less the five cycles of the addition"),
    _claim(("arXiv 2402.13499", "H800 PCIe"), "table of mma", "mma m16n8k16 f16 latency", 24.1,
           _at("issue of HMMA.16816.F32", "issue of HMMA.16816.F32 with D as C"), _mma(1, 1),
           reading="24 are the stall counts that ptxas writes; results are right with 11"),
    _claim(_GH200, "gh200_sm90, EXP-06: 2731 FLOP a cycle of an SM", "mma m16n8k16 f16 rate", 6.0,
           _mma(4, 4), reading="4096 FLOP by each of four schedulers"),
    *(
        _claim(_GH200, "gh200_sm90, EXP-07: 4095.9 FLOP a cycle of an SM",
               f"wgmma rate, N = {n}", n / 2, _wgmma_interval(n),
               reading="2048 N FLOP of one m64nNk16")
        for n in (64, 128, 256)
    ),
    _claim(_H100_CONFIG, _CONFIG, "wgmma rate of e4m3, N = 256: 8192 FLOP a cycle of an SM", 128.0,
           _wgmma_interval(256, "QGMMA.64xNx32.F32.E4M3.E4M3"),
           reading="4096 N FLOP of one m64nNk32"),
    *(
        _claim(_GH200, _R01, f"wgmma, commit and wait 0, N = {n}", cycles, _wgmma_wait(n),
               reading="ours begins with wgmma.fence")
        for n, cycles in ((64, 76.3), (128, 115.1), (256, 194.9))
    ),
    *(
        _claim(_FLASH_H200, _CALIBRATION, f"wgmma wait after issue, SS, N = {n}", 43.0 + n / 2,
               _wgmma_wait(n), reading="ours begins with wgmma.fence, before the issue")
        for n in (64, 128)
    ),
    _claim(_HKUST, "table of wgmma", "wgmma latency, dense, N = 256", 128.0, _wgmma_wait(256),
           _wgmma_interval(256),
           reading="its loop commits once for many: it has the interval between two issues"),
    _claim(_HKUST, "table of wgmma", "sparse wgmma latency, RS, N = 256", 128.0,
           _wgmma_wait(256, "registers", "HGMMA.SP.64xNx32.F32"), _wgmma_interval(256),
           reading="its loop commits once for many: it has the interval between two issues, which "
           "equals the dense one"),
    _claim(_GH200, "gh200_sm90, EXP-11", "CTA barrier, 128 threads", 21.0, _barrier(4)),
    _claim(_GH200, "gh200_sm90, EXP-11", "CTA barrier, 256 threads", 29.0,
           _at("issue of BAR.SYNC.DEFER_BLOCKING of a named barrier by the last of its warps",
               "issue of the next BAR.SYNC.DEFER_BLOCKING of that barrier by the last", warps=8),
           reading="ours is of a named barrier"),
    _claim(_H100_CONFIG, _CONFIG, "named barrier hand-off, a hop of a ring", 37.0,
           _at("issue of BAR.ARV by one warp", "issue of BAR.ARV by the warp that waited for it"),
           reading="the source does not say what else a hop holds"),
    _claim(_FLASH_H200, _CALIBRATION, "mbarrier try_wait, true", 43.0,
           _try_wait("complete phase")),
    _claim(_FLASH_H200, _CALIBRATION, "mbarrier try_wait, false", 7776.0,
           _try_wait("phase that goes on")),
    *(
        _claim(_FLASH_H200, _CALIBRATION, f"mbarrier hand-off, {n} consumers", cycles, _hand_off(n),
               reading="ours is there and back through two mbarriers")
        for n, cycles in ((1, 133.0), (4, 139.0), (12, 158.0))
    ),
    _claim(_GH200, "gh200_sm90, EXP-11", "fence of a CTA, idle", 11.0,
           _at("issue of MEMBAR.SC.CTA of membar.cta, nothing on its way",
               "issue of the next MEMBAR.SC.CTA"),
           reading="the source's loop is part of its figure"),
    _claim(_GH200, "gh200_sm90, EXP-11", "fence of the GPU, idle", 267.0,
           _at("issue of MEMBAR.SC.GPU of membar.gl, nothing on its way",
               "issue of the next MEMBAR.SC.GPU with what ptxas adds"), tolerance=_FAR),
    _claim(_GH200, "gh200_sm90, EXP-11", "fence.proxy.async, idle", 11.0, _VIEW,
           reading="the source's loop is part of its figure"),
    _claim(_H100_CONFIG, _CONFIG, "proxy fence alone", (8.0, 13.0), _VIEW),
    _claim(_GH200, "gh200_sm90, R16", "setmaxnreg.inc, registers free", 144.5,
           _at("issue of USETMAXREG.DEALLOC.CTAPOOL",
               "issue of the next, after USETMAXREG.TRY_ALLOC.CTAPOOL took the registers back"),
           reading="ours gives registers back and takes them again, in one warpgroup"),
    _claim(_BENCHES, "gpu-latency", "L1 hit", 32.0, _load("LDG.E", "L1")),
    _claim(_HKUST, "table of the memory hierarchy", "L1 hit", 40.7, _load("LDG.E", "L1"),
           reading="ours has no instruction but the load in its chain"),
    _claim(_BENCHES, "gpu-latency, 24 MB and less", "L2 hit", 280.4, _load("LDG.E.64", "L2"),
           tolerance=_FAR),
    _claim(_HKUST, "table of the memory hierarchy", "L2 hit", 263.0, _load("LDG.E.64", "L2"),
           tolerance=_FAR),
    _claim(_GH200, _R01, "L2 hit with its IMAD.WIDE", 287.7, _load("LDG.E.64", "L2"),
           tolerance=_FAR),
    _claim(_BENCHES, "gpu-latency", "memory", (614.0, 688.0),
           _load("LDG.E.64", "memory", stride=128), tolerance=_FAR),
    _claim(_BENCHES, "gpu-latency, four times L2", "memory", 629.6,
           _load("LDG.E.64", "memory", stride=128), tolerance=_FAR),
    _claim(("arXiv 2402.13499", "H800 PCIe"), "table of the memory hierarchy", "memory", 479.0,
           _load("LDG.E.64", "memory", stride=128), tolerance=_FAR,
           reading="ours goes on by 128 bytes through more than L2 holds"),
    _claim(_HKUST, "section on distributed shared memory", "DSMEM load", 180.0, _REMOTE,
           tolerance=_FAR),
    _claim(_FLASH_H200, _CALIBRATION, "DSMEM load, mean and range over pairs of SMs",
           (178.0, 208.0), _REMOTE),
    *(
        _claim(_FLASH_H200, _CALIBRATION, f"TMA load, expect_tx to wait, {size} bytes", cycles,
               _bulk(size), reading="the source does not control what L2 holds; ours is in L2")
        for size, cycles in ((1024, 1346.0), (4096, 1649.0), (16384, 1887.0))
    ),
    *(
        _claim(_GH200, "gh200_sm90, EXP-14, in L2", f"TMA 1D round trip, {size} bytes", cycles,
               _bulk(size), reading="the source's includes a barrier of the CTA and its loop")
        for size, cycles in ((1024, 566.0), (16384, 942.0))
    ),
    _claim(("HPMLL/NVIDIA-Hopper-Benchmark", "H800 PCIe"), "log of TMA", "TMA chase, small, in L2",
           365.0, _bulk(16), reading="the source does not say what else its chain holds"),
    _claim(_H100_CONFIG, _CONFIG, "loop back edge, +12 redirect", 28.0,
           _at("issue of BRA at the end of a loop, taken",
               "issue of the same BRA a turn later, after independent LOP3.LUT, an addition and a "
               "comparison", lop3=8),
           reading="with the 16 cycles in which 8 LOP3.LUT issue"),
    *(
        _claim(_GH200, "gh200_sm90, R09: a graph of 200 empty kernels, shaped as a GEMM",
               f"empty kernel in a graph, {ctas} CTAs", nanoseconds,
               _at("start of an empty grid of clusters",
                   "start of the next such grid of a graph, which depends on it",
                   ctas=ctas, threads=384, cluster=2),
               reading="the source divides the time of a whole graph by its kernels", unit="ns")
        for ctas, nanoseconds in ((2, 526.7), (128, 642.6))
    ),
    *_mfma("f32_16x16x32_bf16", "bf16", 8, 4),
    *_mfma("f32_32x32x16_bf16", "bf16", 12, 8),
    *_mfma("f32_16x16x32_fp8_fp8", "e4m3", 8, 4),
    *_mfma("f32_16x16x128_f8f6f4", "e4m3", 8, 4, _SAME_PASSES),
    *_mfma("f32_32x32x64_f8f6f4", "e4m3", 12, 8, _SAME_PASSES),
    *_mfma("f32_16x16x128_f8f6f4", "e2m1", 8, 4),
    *_mfma("f32_32x32x64_f8f6f4", "e2m1", 12, 8),
    *_mfma("i32_16x16x64_i8", "s8", 8, 4),
    *_mfma("i32_32x32x32_i8", "s8", 12, 8),
    *_mfma("f32_32x32x2_f32", "f32", 20, 16),
)  # fmt: skip
