"""What the machine must know of each instruction of a kernel: the table of operations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError
from lanemap.timing.flow import issue_cycles
from lanemap.timing.model.fetching import fetching
from lanemap.timing.model.interlocks import later
from lanemap.timing.model.machine import BYTE_FRACTION, FRACTION, table, units
from lanemap.timing.model.matrix import a_is_shared, holds_up, matrix_fields, pending, slowed
from lanemap.timing.model.memory import MEMORY, MemoryRule
from lanemap.timing.model.opcodes import PIPES, RULES, Rule
from lanemap.timing.model.parameters import Parameter, Parameters, Reading
from lanemap.timing.model.shared import SHARED, SharedRule
from lanemap.timing.model.shares import (
    ALL,
    begins,
    besides,
    bulk_byte,
    changed,
    copied,
    crossed,
    crossing,
    given,
    ragged,
    replaced,
    sent,
    traffic,
    waiting,
)
from lanemap.timing.model.trace import SECTOR_BYTES
from lanemap.toolchain.control import NO_BARRIER
from lanemap.toolchain.sass import SassInstruction

Fields = dict[str, int]
_REGISTER = re.compile(r"[-|~!]*R(\d+)(\.reuse)?(?:\.|$|\|)")
#: Opcodes whose source registers' banks are known (timing_alu_paths), by how they begin.
_BANKED = ("FFMA", "IMAD", "LOP3")
_WARPS = "warps of a scheduler"
_RATE = "{0} rate accumulators={1} warps={2} values=0 and 1, integers random"


@dataclass
class Operations:
    """Instructions by what their opcodes are known to take.

    Attributes:
        parameters: Where numbers come from.
        cluster: CTAs of a cluster.
        sms: How many SMs do the same for long, and share L2 and memory; None for all SMs, each of
            which begins a bulk copy when its last one is over.
        threads: Threads of a CTA.
        level: What answers bulk copies, "L2" or "memory".
        together: How many SMs read the same from L2 together.
    """

    parameters: Parameters
    cluster: int = 1
    sms: int | None = None
    threads: int = 32
    level: str = "L2"
    together: int = 1

    def table(self, code: Sequence[SassInstruction], used: Sequence[int]) -> NDArray[np.void]:
        """The table of operations of a kernel; instructions that are not `used` have only zeros.

        Raises:
            UserError: no row says how long some of them take; it names every such opcode.
        """
        rows = np.zeros(len(code), table("operation"))
        rows["write_barrier"] = rows["read_barrier"] = NO_BARRIER
        missing: dict[str, str] = {}
        for place in used:
            each = code[place]
            try:
                fields = dict(self.fields(each))
                stall = fields.pop("stall", 0)
                fields |= _control(each) | _reads(code, place) | _pending(each)
                fields["stall"] += stall
                fields["never"] = int(each.guard == "@!PT")
            except UserError as error:
                missing.setdefault(each.opcode, str(error))
                continue
            for name, value in fields.items():
                rows[name][place] = value
        stalls = {place: int(rows["stall"][place]) for place in used}
        for place, more in later(self.parameters, code, used, stalls).items():
            rows["stall"][place] += more
        if missing:
            raise UserError("the model has no figures for " + "; ".join(missing.values()))
        return rows

    def fields(self, each: SassInstruction) -> Fields:
        """What an opcode takes, without its control word.

        Raises:
            UserError: no row says.
        """
        key = each.opcode + " +" * (each.control.write_barrier != NO_BARRIER)
        key += " -" * (each.control.read_barrier != NO_BARRIER)
        key += " of a predicate" * (each.opcode == "B2R.RESULT" and each.operands.startswith("RZ"))
        key += " in shared memory" * a_is_shared(each.operands)
        if key not in self._known:
            self._known[key] = self._of(each)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[str, Fields]:
        """What is known of opcodes, for all that asks the same parameters."""
        asked = self.cluster, self.sms, self.threads, self.level, self.together
        return self.parameters.known.setdefault(asked, {})

    def _of(self, each: SassInstruction) -> Fields:
        shared = _longest(each.opcode, SHARED)
        if shared is not None:
            return self._shared(each, shared)
        memory = _longest(each.opcode, MEMORY)
        if memory is not None:
            return self._memory(each, memory)
        if re.match(r"[HIBD]MMA\.", each.opcode):
            return self._tensor(each)
        if re.match(r"[HIBQ]GMMA\.", each.opcode):
            return self._matrix(each)
        rule = _longest(each.opcode, RULES)
        if rule is None:
            raise UserError(f"{each.opcode}: no row times it")
        fields = {"pipe": -1, "other": -1, "unit": units()[rule.unit]}
        fields |= self._pipe(each.opcode, rule)
        fields["beside"] = _fraction(holds_up(self.parameters, each.opcode, rule.pipes))
        if each.control.write_barrier != NO_BARRIER:
            predicate = each.opcode == "B2R.RESULT" and each.operands.startswith("RZ")
            name = each.opcode + " of a predicate" * predicate
            fields["latency"] = self._latency(name, rule)
        if each.control.read_barrier != NO_BARRIER:
            fields["operands"] = fields.get("latency", 0)
        if each.opcode.startswith(("BRA", "BRX", "JMP")):
            fields["taken"] = round(self.parameters.read("branch back", _TAKEN))
            fields["skipping"] = round(self.parameters.read("branch ahead", _AHEAD))
        fields["early"] = int(bool(rule.pipes) or each.opcode == "CS2R")
        beyond = _BEYOND.get(each.opcode)
        if beyond is not None:
            more = self.parameters.read(f"{each.opcode}, beyond its stall", beyond)
            fields["stall"] = round(more)
        return fields

    def _pipe(self, opcode: str, rule: Rule) -> Fields:
        if not rule.pipes:
            return {}
        own = self.parameters.rows.has("alu_rates", f"{opcode} rate warps=4")
        like, why = (opcode, "") if own else (rule.like, rule.why)
        several = len(rule.pipes)
        if like == "HADD2.F32":
            alone = self.parameters.read(f"interval of {opcode}", _HALF, why)
            more = Fraction(0)
        elif like.startswith("IMAD.HI"):
            alone = self.parameters.read(f"interval of {opcode}", _HIGH_ALONE, why)
            more = self.parameters.read(f"interval of {opcode}, 4 warps", _HIGH, why) - alone
        else:
            alone = self.parameters.read(
                f"interval of {opcode}", Reading("alu_rates", f"{like} rate warps=4"), why
            )
            more = self._contended(opcode, like, why, alone)
        pipes = [PIPES.index(each) for each in rule.pipes]
        return {
            "pipe": pipes[0],
            "other": pipes[1] if several > 1 else -1,
            "interval": _fraction(alone * several),
            "contended": _fraction(more * several),
            "slowed": _fraction(slowed(self.parameters, opcode, rule.pipes, alone) * several),
        }

    def _contended(self, opcode: str, like: str, why: str, alone: Fraction) -> Fraction:
        """What an interval is longer behind another warp: of 2 and of 4 warps a scheduler, half."""
        each = [
            self.parameters.read(
                f"interval of {opcode}, {warps // 4} warps",
                Reading(
                    "alu_rates", f"{like} rate warps={warps}", over=Fraction(warps, 4),
                    how=_WARPS,
                ),
                why,
            )
            for warps in (8, 16)
        ]  # fmt: skip
        return max(sum(each, Fraction()) / len(each) - alone, Fraction(0))

    def _latency(self, opcode: str, rule: Rule) -> int:
        name = f"latency of {opcode}"
        if opcode in _SPECIAL:
            return round(self.parameters.read(name, _SPECIAL[opcode]))
        for own, why in ((opcode, ""), (rule.like, rule.why)):
            if own in self.parameters.latencies:
                return round(self.parameters.read(name, Reading("alu", "", opcode=own), why))
        raise UserError(f"{opcode}: no row has the latency of its result")

    def _tensor(self, each: SassInstruction) -> Fields:
        """mma.sync: the pipe of the scheduler's tensor core."""
        opcode, read = each.opcode, self.parameters.read
        alone = read(f"interval of {opcode}", self._rate(opcode))
        more, both = (
            Fraction(0),
            Reading("mma", _RATE.format(opcode, 4, 8), over=Fraction(2), how=_WARPS),
        )
        if self.parameters.rows.explained("mma", both.series):
            more = max(read(f"interval of {opcode}, 2 warps", both) - alone, Fraction(0))
        fields = {
            "pipe": PIPES.index("tensor"), "other": -1, "interval": _fraction(alone),
            "contended": _fraction(more),
        }  # fmt: skip
        if each.control.write_barrier != NO_BARRIER:
            series = f"{opcode} D to C"
            fields["latency"] = round(read(f"latency of {opcode}", Reading("mma", series)))
        return fields

    def _rate(self, opcode: str) -> Reading:
        """The series that fills the pipe best of those that are explained."""
        for accumulators, warps, over in ((4, 4, 1), (2, 1, 1), (1, 8, 2)):
            series = _RATE.format(opcode, accumulators, warps)
            if self.parameters.rows.explained("mma", series):
                return Reading("mma", series, over=Fraction(over), how=_WARPS if over > 1 else "")
        raise UserError(f"{opcode}: no row has its rate")

    def _matrix(self, each: SassInstruction) -> Fields:
        """wgmma: the tensor cores of the SM, by shape and by where A is."""
        shape = re.match(r"(\w+(?:\.SP)?)\.64x(\d+)x(\d+)(.*)", each.opcode)
        if shape is None:
            raise UserError(f"{each.opcode}: its shape is not known")
        name, columns = f"{shape[1]}.64xNx{shape[3]}{shape[4]}", int(shape[2])
        return matrix_fields(self.parameters, name, columns, each.operands)

    def _shared(self, each: SassInstruction, rule: SharedRule) -> Fields:
        """A row of the port to shared memory and the SM's data path."""
        read, name, fields = self.parameters.read, each.opcode, {"pipe": -1, "other": -1}
        fields["unit"] = units()[rule.unit]
        fields["port_least"] = _fraction(read(f"port of {name}", rule.port, rule.why))
        if rule.port_pass is not None:
            more = read(f"port of {name}, each pass", rule.port_pass, rule.why)
            fields["port_pass"] = _fraction(more)
        if rule.data_pass is not None:
            fields["data_pass"] = _fraction(
                read(f"data of {name}, each pass", rule.data_pass, rule.why)
            )
        if rule.crowded:
            every = [
                read(f"data of {name}, {own.over} warps", own, rule.why) for own in rule.crowded
            ]
            longer = sum(every, Fraction()) / len(every) - rule.least
            fields["contended"] = _fraction(max(longer, Fraction(0)))
        fields["merges"] = int(".POPC" in name)
        if rule.latency is not None:
            more = Fraction(0)
            if rule.latency_pass is not None:
                more = read(f"latency of {name}, each pass", rule.latency_pass, rule.why)
                fields["latency_pass"] = _fraction(more)
            alone = read(f"latency of {name}", rule.latency, rule.why)
            fields["latency"] = round(alone - (rule.least - 1) * more)
        elif each.control.write_barrier != NO_BARRIER:
            raise UserError(f"{name}: no row has the latency of its result")
        if each.control.read_barrier != NO_BARRIER:
            if rule.operands is None:
                raise UserError(f"{name}: no row says when its operands are read")
            fields["operands"] = round(read(f"operands of {name}", rule.operands, rule.why))
        return fields

    def _memory(self, each: SassInstruction, rule: MemoryRule) -> Fields:
        """A row of global memory and copies."""
        fields = {
            "pipe": -1,
            "other": -1,
            "unit": units()[rule.unit],
            "copies": int(rule.copies),
            "peer": int(rule.peer),
        }
        found = {
            name: self.parameters.read(f"{name.replace('_', ' ')} of {each.opcode}", own, rule.why)
            for name, own in rule.readings.items()
        }
        if "latency_pass" in found:
            found["latency"] -= (rule.least - 1) * found["latency_pass"]
            # What L2 and memory take is read from windows of 64-bit loads, which have two passes.
            for name in ("second", "third", "home"):
                found[name] -= found["latency_pass"]
            fields["fewest"] = rule.least
        if rule.bytes:
            found["latency"] -= rule.bytes * found["byte_latency"]
        if rule.unit == "BULK_LOAD" and self.cluster == 1 and self.sms is not None:
            share = bulk_byte(self.parameters, self.level, self.sms, self.together)
            found["byte_rate"] = max(found["byte_rate"], share)
        if rule.copies:
            fields["besides"] = _fraction(besides(self.parameters))
            fields["crossing"] = _fraction(crossing(self.parameters))
        fields |= {name: round(value * _SCALES.get(name, 1)) for name, value in found.items()}
        control = each.control
        fields["far"] = int(any(part in each.opcode for part in _FAR))
        releases = {"latency": control.write_barrier, "operands": control.read_barrier}
        for name, barrier in releases.items():
            if barrier != NO_BARRIER and name not in found:
                raise UserError(f"{each.opcode}: no row says when it releases its barrier")
        return fields

    @cached_property
    def costs(self) -> NDArray[np.void]:
        """The table of costs: one row."""
        row = np.zeros(1, table("costs"))
        if self.cluster > 1:
            series = f"barrier.cluster relaxed cluster={self.cluster} warps=1"
            reading = Reading("sync", series, Fraction(1), how="the stall count of CCTL")
            name = f"barrier of a cluster of {self.cluster}"
            row["cluster"] = round(self.parameters.read(name, reading))
        for name, reading in _COSTS.items():
            value = self.parameters.read(name.replace("_", " "), reading)
            row[name] = _fraction(value) if name in _IN_FRACTIONS else round(value)
        for name, level in (("second", "L2"), ("third", "memory")):
            own = traffic(self.parameters, "loads", level, self.sms or ALL, self.together)
            row[name] = _fraction(own * SECTOR_BYTES)
        row["sent"], row["reduced"] = (_fraction(each) for each in sent(self.parameters, self.sms))
        row["changed"] = _fraction(changed(self.parameters, self.sms))
        for name, copy in (("copied", copied), ("crossed", crossed), ("ragged", ragged)):
            row[name] = _fraction(copy(self.parameters, self.sms, self.together))
        row["waiting"] = waiting(self.parameters)
        row["products"] = round(pending(self.parameters))
        row["stream"] = _stream(self.parameters)
        for name, count in fetching(self.parameters).items():
            row[name] = count
        row["replaced"] = round(replaced(self.parameters, self.threads, self.cluster))
        row["given"] = round(given(self.parameters, self.sms or ALL, self.threads, self.cluster))
        return row

    def starts(self, ctas: NDArray[np.int32]) -> NDArray[np.int32]:
        """When the first CTAs of an SM begin, one after the other."""
        if not ctas.any():
            return np.zeros_like(ctas)
        each = begins(self.parameters, self.threads, self.cluster)
        return np.array([round(each * int(cta)) for cta in ctas], np.int32)


def _stream(parameters: Parameters) -> int:
    """Instructions of one pipe in a row that each window of timing_alu_rates has, at least.

    Only there are intervals known to be longer behind another warp: pairs of two pipes lose nothing
    (timing_contention).
    """
    name, group = "instructions of a stream", "alu_rates"
    if name not in parameters.ledger:
        least = min(
            min(map(int, each["cycles"])) * each["operations_of_a_link"]
            for each in parameters.rows.record(group).findings["series"]
        )
        reading = Reading(group, "all", how="links of the shortest window, and their instructions")
        parameters.ledger[name] = Parameter(name, Fraction(least), None, reading)
    return int(parameters.ledger[name].value)


def _fraction(cycles: Fraction) -> int:
    return round(cycles * FRACTION)


_Any = TypeVar("_Any", Rule, SharedRule, MemoryRule)


def _longest(opcode: str, rules: Sequence[_Any]) -> _Any | None:
    """The rule that an opcode's longest beginning has."""
    found = [
        (len(start), rule) for rule in rules for start in rule.opcodes if opcode.startswith(start)
    ]
    return max(found, key=lambda each: each[0])[1] if found else None


def _control(each: SassInstruction) -> Fields:
    control = each.control
    return {
        "stall": issue_cycles(control),
        "waits": control.waits,
        "write_barrier": control.write_barrier,
        "read_barrier": control.read_barrier,
    }


def _pending(each: SassInstruction) -> Fields:
    """What an instruction that waits for others may leave pending, and how its group ends."""
    parts = [part.strip() for part in each.operands.split(",")]
    if each.opcode == "DEPBAR.LE" and parts[0].startswith("SB"):
        return {"awaited": int(parts[0][2:]), "ahead": int(parts[1], 0)}
    if each.opcode == "WARPGROUP.DEPBAR.LE":
        return {"ahead": int(parts[1], 0)}
    return {"ahead": int("gsb0" in parts)} if "GMMA" in each.opcode else {}


def sources(each: SassInstruction) -> list[tuple[int, bool] | None]:
    """The source registers by slot, and whether the slot keeps its register; None for others."""
    found: list[tuple[int, bool] | None] = []
    for part in each.operands.split(",")[1:4]:
        match = _REGISTER.match(part.strip())
        found.append((int(match[1]), match[2] is not None) if match else None)
    return found


def _reads(code: Sequence[SassInstruction], place: int) -> Fields:
    """Cycles in which an instruction reads its registers: two banks, by the number's parity.

    A source that the instruction before it kept in the same slot is not read again. Source: the
    series "by registers" of timing_alu_paths, which have three sources of 32 bits.
    """
    each = code[place]
    if not each.opcode.startswith(_BANKED) or ".WIDE" in each.opcode or ".HI" in each.opcode:
        return {}
    before = sources(code[place - 1]) if place else []
    read = {
        source[0]
        for slot, source in enumerate(sources(each))
        if source is not None and before[slot : slot + 1] != [(source[0], True)]
    }
    odd = sum(number % 2 for number in read)
    return {"reads": max(odd, len(read) - odd, 1)}


_TAKEN = Reading(
    "pipelines", "loop by the stall count of BRA stall=5", Fraction(18),
    how="what the stall counts of the turn's other instructions say",
)  # fmt: skip
_AHEAD = Reading(
    "issue", "branch taken by all lanes", Fraction(17), how="what the other instructions take"
)
_HALF = Reading("contention", "HADD2.F32 warps=16", over=Fraction(4), how=_WARPS)
_HIGH = Reading("alu_paths", "IMAD.HI.U32 rate warps=16", over=Fraction(4), how=_WARPS)
_HIGH_ALONE = Reading("alu_paths", "IMAD.HI.U32 rate warps=1")
_WIDE = "the stall count of the other conversion"
_SPECIAL = {
    **{opcode: Reading("alu_rates", f"{pair} of one operation rate warps=1", Fraction(8), how=_WIDE)
       for pair in ("F2F.F32.F64, F2F.F64.F32", "F2I.F64, I2F.F64")
       for opcode in pair.split(", ")},
    "S2R": Reading("issue", "warpid twice", Fraction(6),
                   how="stall counts of SHF and SGXT, and of LOP3.LUT for two of them"),
    **{f"FENCE.VIEW.ASYNC.{kind}": Reading("sync", "fence.proxy.async.global") for kind in "GS"},
    "B2R.RESULT": Reading("sync", "bar.red.popc warps=1", Fraction(27),
                          how="the barrier, and the stall count of ISETP"),
    "B2R.RESULT of a predicate": Reading("sync", "bar.red.and warps=1", Fraction(14),
                                         how="the barrier"),
    **{f"USETMAXREG.{kind}.CTAPOOL": Reading("sync", "setmaxnreg", Fraction(26), Fraction(2),
                                             "stall counts of the turn; both instructions alike")
       for kind in ("DEALLOC", "TRY_ALLOC")},
    "S2UR": Reading("issue", "clock twice", Fraction(2), how="the stall count of LOP3.LUT"),
}  # fmt: skip
#: Opcodes that take more than their stall count says.
_BEYOND = {
    "BSYNC": Reading("issue", "branch taken by no lane", Fraction(81),
                     how="what the stall counts of the window say"),
    "NANOSLEEP": Reading("issue", "NANOSLEEP", Fraction(8), how="its stall count"),
}  # fmt: skip
_STALLS = "stall counts of the turn"
_GPU, _TURN = Fraction(152), "stall counts of the turn, and what MEMBAR takes"
_BEYOND |= {
    "MEMBAR.ALL.GPU": Reading("sync", "fence.proxy.async", Fraction(7), how=_STALLS),
    "MEMBAR.SC.GPU": Reading("sync", "fence.proxy.async", Fraction(7), how=_STALLS),
    "MEMBAR.ALL.SYS": Reading("sync", "fence.acq_rel.sys", Fraction(125), how=_TURN),
    "MEMBAR.SC.SYS": Reading("sync", "membar.sys", Fraction(125), how=_TURN),
    "ERRBAR": Reading("sync", "fence.acq_rel.gpu", _GPU, how=_TURN),
}  # fmt: skip
#: Opcodes that L1 never answers, by a part of them.
_FAR = (".STRONG.GPU", ".STRONG.SYS", ".BYPASS", "ATOMG")
#: Fields that are not whole cycles, by how many of their units a cycle has.
_SCALES = {
    "port_least": FRACTION, "data_pass": FRACTION, "latency_pass": FRACTION,
    "byte_latency": BYTE_FRACTION, "byte_rate": BYTE_FRACTION,
}  # fmt: skip
_IN_FRACTIONS = ("off_port",)
_ROUND = "mbarrier hand-off and back consumers={}"
_COSTS = {
    "fenced": Reading("busy", "atom.acq_rel.gpu.global.add.f32, scattered words=1048576 warps=4 "
                      "SMs=one", Fraction(667), how="what the turn takes where no fence waits"),
    "barrier": Reading("sync", "bar.sync 0 warps=1", Fraction(2), how="what each warp takes"),
    "barrier_handed": Reading("sync", "bar.arrive hand-off", Fraction(22),
                              how="what a barrier takes at which both warps wait"),
    "barrier_warp": Reading("sync", "bar.sync 0 warps=4", Fraction(12), Fraction(4),
                            "what one barrier takes; warps"),
    "wake": Reading("sync", _ROUND.format(1), Fraction(12), Fraction(2),
                    "stall counts of EXIT and LOP3.LUT, twice; ways"),
    "arrival_each": Reading("sync", _ROUND.format(8), Fraction(90), Fraction(7),
                            "what one consumer takes; more consumers"),
    "queue": Reading("pipelines", "STS ahead of IMAD accesses=12 IMAD=208 warps=1", Fraction(854),
                     Fraction(4), "IMAD and comparisons; the port of each"),
    "parted": Reading("issue", "branch taken by every second lane", Fraction(89),
                      how="what a branch takes that no lane takes"),
    "off": Reading("issue", "LDS off"),
    "off_port": Reading("issue", "STS off"),
}  # fmt: skip
