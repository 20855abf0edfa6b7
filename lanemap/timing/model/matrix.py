"""wgmma: how long the tensor cores of an SM take, and until its results are there."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lanemap.errors import UserError
from lanemap.timing.model.machine import FRACTION, units
from lanemap.timing.model.parameters import Parameter, Parameters, Reading

#: How a series of `wgmma` is named, and the types whose every N is measured.
_SERIES = (
    "{name} {what} N={columns} A={a} swizzle=128b major of A=K major of B=K warpgroups={groups} "
    "accumulators=1 values=0 and 1, integers random"
)
_ONE, _RATE = "1 and wait", "rate"
#: The type whose every N is measured, for types of which only some are.
_EVERY = "HGMMA.64xNx16.F32"
#: Columns of products that take as long as their operands in shared memory are read.
_NARROW = (8, 32)
_WAIT = "stall counts of the turn, and the tensor cores' time"


def a_is_shared(operands: str) -> bool:
    """Whether A lies in shared memory: then D is followed by the descriptors of both."""
    return ", gdesc[" in operands and operands.split(", ")[1].startswith("gdesc[")


def matrix_fields(parameters: Parameters, name: str, columns: int, operands: str) -> dict[str, int]:
    """A row of the table of operations.

    Args:
        parameters: Where numbers come from.
        name: The opcode, with N for its columns.
        columns: N.
        operands: Its operands.

    Raises:
        UserError: no row has it.
    """
    a = "shared memory" if a_is_shared(operands) else "registers"
    interval = _interval(parameters, name, columns, a)
    return {
        "pipe": -1,
        "other": -1,
        "unit": units()["MATRIX"],
        "interval": round(interval * FRACTION),
        "contended": round(_behind(parameters, name, columns, interval) * FRACTION),
        "latency": round(_latency(parameters, name, columns, a, interval)),
        "data_pass": round(_read(parameters, columns, a) * FRACTION),
    }


def _read(parameters: Parameters, columns: int, a: str) -> Fraction:
    """Cycles of the SM's data path in which the operands in shared memory are read.

    A has 32 bytes in each of 64 rows, B in each column, whatever the types.
    """
    few, more = (
        parameters.read(
            f"interval of {_EVERY} N={n}, A in shared memory",
            Reading("wgmma", _series(_EVERY, _RATE, n, "shared memory")),
        )
        for n in _NARROW
    )
    column = (more - few) / (_NARROW[1] - _NARROW[0])
    return column * columns + (few - column * _NARROW[0]) * (a == "shared memory")


#: Opcodes whose rows count for others of their pipes: how many lie behind each wgmma.
_HOLDING = {
    "FFMA": 48, "FADD": 48, "FMUL": 48, "FMNMX": 48, "LOP3.LUT": 48, "IMAD": 48,
    "F2FP.F16.F32.PACK_AB": 48,
}  # fmt: skip
#: Columns of wgmma in these windows.
_COLUMNS = 128
_BY_PIPE = {"alu": "LOP3.LUT", "fma lite": "FFMA", "fma heavy": "IMAD", "half": "IMAD"}
#: Windows of several opcodes: the series, of how many wgmma, how many of each of the others.
_WIDE, _EXPONENT = (
    ("with IMAD.WIDE.U32", "shared memory", 1, 2, ("LOP3.LUT",)),
    ("with MUFU.EX2", "registers", 2, 8, ("FFMA", "FADD")),
)


def holds_up(parameters: Parameters, opcode: str, pipes: Sequence[str]) -> Fraction:
    """Cycles by which an instruction holds up a wgmma that is executed.

    Each window has some of them behind each wgmma. Those of MUFU are beside the arithmetic of a
    softmax in two warpgroups, where one multiplies while the other does not.
    """
    if ".WIDE" in opcode or "transcendental" in pipes:
        return _mixed(parameters, opcode, _WIDE if ".WIDE" in opcode else _EXPONENT)
    like = opcode if opcode in _HOLDING else _BY_PIPE.get(pipes[0], "") if pipes else ""
    if not like:
        return Fraction(0)
    count, others = _HOLDING[like], f" others={_HOLDING[like]}"
    series = _series(_EVERY, f"with {like}", _COLUMNS, "shared memory") + others
    alone = _alone(parameters, "shared memory")
    reading = Reading("wgmma_beside", series, alone, Fraction(count), "wgmma alone; the others")
    why = "" if like == opcode else "another instruction of its pipe"
    return parameters.read(f"{opcode} holds up wgmma", reading, why)


#: The longest windows that issue wgmma without a wait, of two N.
_ISSUED = (128, 256)
_ISSUES = (
    "HGMMA.64xNx16.F32 issue N={0} A=registers swizzle=128b major of A=K major of B=K warpgroups=1 "
    "accumulators=1 values=0 and 1, integers random issued=16 to 32"
)


def pending(parameters: Parameters) -> Fraction:
    """How many wgmma of a warp are issued and have not ended, where it issues without end.

    The windows of two N differ by as many turns of the tensor cores as have ended when the last
    wgmma is issued.
    """
    name, rows = "wgmma of a warp that have not ended", parameters.rows
    if name not in parameters.ledger:
        few, many = (rows.windows("wgmma_depth", _ISSUES.format(n)) for n in _ISSUED)
        turns = [_interval(parameters, _EVERY, n, "registers") for n in _ISSUED]
        last = max(many)
        value = last - (many[last] - few[last]) / (turns[1] - turns[0])
        how = f"its wgmma, less the cycles beyond those of N={_ISSUED[0]} by those of a turn"
        reading = Reading("wgmma_depth", _ISSUES.format(_ISSUED[1]), how=how)
        parameters.ledger[name] = Parameter(name, value, None, reading)
    return parameters.ledger[name].value


#: Opcodes beside wgmma of another warpgroup whose rows count for others of their pipes.
_BESIDE = (
    "FFMA", "FADD", "FMUL", "FMNMX", "LOP3.LUT", "IMAD", "F2FP.F16.F32.PACK_AB", "MUFU.EX2",
)  # fmt: skip
_OTHERS = "{0} of other warpgroups N=128 A=registers in a commit=all others=1 strands=8"


def slowed(parameters: Parameters, opcode: str, pipes: Sequence[str], alone: Fraction) -> Fraction:
    """Cycles by which its pipe is held longer while another warpgroup's wgmma is executed.

    Args:
        parameters: Where numbers come from.
        opcode: The instruction.
        pipes: Those that it takes one of.
        alone: Cycles between two of them without wgmma.
    """
    by_pipe = {**_BY_PIPE, "transcendental": "MUFU.EX2"}
    like = opcode if opcode in _BESIDE else by_pipe.get(pipes[0], "") if pipes else ""
    if not like:
        return Fraction(0)
    why = "" if like == opcode else "another instruction of its pipe"
    reading = Reading("wgmma_others", _OTHERS.format(like))
    beside = parameters.read(f"interval of {opcode} beside another warpgroup's wgmma", reading, why)
    return max(beside - alone, Fraction(0))


def _mixed(
    parameters: Parameters, opcode: str, window: tuple[str, str, int, int, tuple[str, ...]]
) -> Fraction:
    """The same of an opcode whose windows have others, which are held to hold up as they do."""
    what, a, groups, count, others = window
    series = _series(_EVERY, what, _COLUMNS, a, groups) + f" others={count} with="
    less = sum((holds_up(parameters, other, ("",)) for other in others), Fraction(0))
    reading = Reading(
        "wgmma_beside", series + ", ".join(others), groups * (_alone(parameters, a) + count * less),
        Fraction(groups * count), "wgmma alone, and what the others hold it up; how many",
    )  # fmt: skip
    return parameters.read(f"{opcode} holds up wgmma", reading, "another instruction of its pipe")


def _alone(parameters: Parameters, a: str) -> Fraction:
    found = parameters.rows.figure("wgmma", _series(_EVERY, _RATE, _COLUMNS, a)).cycles
    assert found is not None
    return found


def _series(name: str, what: str, columns: int, a: str, groups: int = 1) -> str:
    label = _SERIES.format(name=name, what=what, columns=columns, a=a, groups=groups)
    return label + " in a commit=1" * (what == _ONE)


def _measured(
    parameters: Parameters, name: str, what: str, columns: int, a: str
) -> tuple[str, int, str] | None:
    """The name and N of the series that counts for this one, and why if it is another."""
    for other, why in ((name, ""), (_EVERY, "the other type takes as long at all N that it has")):
        for near in (columns, -(-columns // 32) * 32):
            if parameters.rows.has("wgmma", _series(other, what, near, a)):
                return other, near, why if near == columns else "the next N that is measured"
    return None


def _interval(parameters: Parameters, name: str, columns: int, a: str) -> Fraction:
    found = _measured(parameters, name, _RATE, columns, a)
    if found is None:
        raise UserError(f"{name}: no row has its rate for N={columns} and A in {a}")
    other, near, why = found
    reading = Reading("wgmma", _series(other, _RATE, near, a))
    return parameters.read(f"interval of {name} N={columns}, A in {a}", reading, why)


def _behind(parameters: Parameters, name: str, columns: int, interval: Fraction) -> Fraction:
    """What it takes longer behind another warpgroup, of two warpgroups."""
    for other in (name, _EVERY):
        for near in (columns, 64, 128, 256):
            series = _series(other, _RATE, near, "shared memory", 2)
            if parameters.rows.explained("wgmma", series):
                two = parameters.read(
                    f"interval of {other} N={near}, 2 warpgroups",
                    Reading("wgmma", series, over=Fraction(2), how="warpgroups"),
                )
                return max(two / (Fraction(near) / 2) - 1, Fraction(0)) * interval
    return Fraction(0)


def _latency(
    parameters: Parameters, name: str, columns: int, a: str, interval: Fraction
) -> Fraction:
    """From the end of the tensor cores' time to the end of the wait."""
    # Longer ones take as much longer as the tensor cores do.
    found = _measured(parameters, name, _ONE, min(columns, 64), a)
    if found is None:
        raise UserError(f"{name}: no row has its latency for A in {a}")
    other, near, why = found
    less = parameters.read(
        f"interval of {other} N={near}, A in {a}", Reading("wgmma", _series(other, _RATE, near, a))
    )
    reading = Reading("wgmma", _series(other, _ONE, near, a), less + 6, how=_WAIT)
    return parameters.read(f"latency of {name} N={near}, A in {a}", reading, why)
