"""The interface of kernels for `lanemap bench`: problems, their computation and their checks.

A kernel's host.py lists `BENCHMARKS`, one `Benchmark` for each target; kernels/README.md says how
to write one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Protocol

from lanemap.benching import build
from lanemap.benching.launch import Launch
from lanemap.errors import UserError
from lanemap.targets import TARGETS, Rates


class Problem(Protocol):
    """A frozen dataclass whose fields are the axes of a benchmark: int, bool or str."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def element(self) -> str:
        """Name of the type that the tensor cores multiply, as `targets.Rates.flops` has it."""

    @property
    def flops(self) -> int:
        """Operations that the problem needs: a multiplication and an addition count as two."""

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: operands read once, results written once."""


@dataclass(frozen=True)
class Check:
    """A comparison of a result with its reference.

    Attributes:
        inputs: How the operands were drawn, such as "N(0, 1)".
        elements: How many of the result were compared.
        outside: How many of them lie outside the tolerance.
        used: The largest part of the tolerance that an error used; 0 where none is allowed.
        result: Hash of the whole result, of a kernel whose sums have one order on every device.
    """

    inputs: str
    elements: int
    outside: int
    used: float
    result: str | None = None


@dataclass(frozen=True)
class Library:
    """The same problem by a library, on the same operands.

    Attributes:
        name: With its version.
        enqueue: Puts the work on a stream, named by its handle, and does not wait.
    """

    name: str
    enqueue: Callable[[int], None]


class Case(ABC):
    """One problem on a device: its operands there, the launch, the reference.

    Attributes:
        inputs: Ways to draw the operands; the first one is counted and timed.
        text: The PTX or assembly that the device loaded.
        tile: How the problem is divided, in words and numbers for the row.
        launch: Launch of the kernel.
        no_library: The missing package, if `library` returned None only because of that.
    """

    inputs: tuple[str, ...] = ("N(0, 1)",)
    text: str
    tile: Mapping[str, int | str]
    launch: Launch
    no_library: str | None = None

    @abstractmethod
    def fill(self, inputs: str) -> None:
        """Write the operands, and results that no kernel computes (NaN) over those there."""

    @abstractmethod
    def check(self, inputs: str) -> Check:
        """Compare the results of the operands that `fill` wrote with the reference in float64."""

    def run(self) -> None:
        """Compute the problem and wait."""
        self.launch.run()

    def enqueue(self) -> Callable[[int], None]:
        """Return a function that puts the work on a GPU's stream and does not wait."""
        return self.launch.enqueue()

    def apart(self) -> Callable[[int], None]:
        """Return the same as `enqueue` does, where no kernel begins before another ends."""
        return replace(self.launch, overlaps=False).enqueue()

    def library(self) -> Library | None:
        """Return the same problem by a library of the GPU's vendor; None if there is none.

        Raises:
            UserError: the library has no algorithm for the problem.
            MissingEnvironment: the library is not here.
        """
        return None

    def others(self) -> Sequence[Library]:
        """Return the same problem by other people's kernels, as far as they are installed."""
        return ()


class Benchmark(ABC):
    """A kernel on one target.

    Attributes:
        kernel: The folder of kernels/.
        target: An instruction set.
        default: The problem on the emulator unless another one is asked for.
        problems: Problems to time on hardware.
        streams: Whether memory is all that limits: a device copy then takes turns too, and kernels
            are also timed by themselves.
    """

    kernel: str
    target: str
    default: Problem
    problems: Sequence[Problem]
    streams: bool = False

    @abstractmethod
    def case(self, device: Any, problem: Any, tile: Any = None) -> Case:
        """Return a problem on a device, with the tile that should be fastest unless one is given.

        Raises:
            UserError: the kernel cannot compute the problem.
            MissingEnvironment: a compiler is not here.
        """

    @abstractmethod
    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return what tables say of a row's problem and tile, by the heads of their columns."""

    def text(self, device: Any, problem: Any, tile: Any = None) -> str | None:
        """Return the PTX of a case, to be compiled before the first one is timed; None to wait."""
        return None

    @property
    def skeleton(self) -> str:
        """The source in which comments, `// Role: NAME.`, say which warps run what follows."""
        return next(iter(build.sources(self.kernel, self.target)))

    def tiles(self, problem: Any) -> Sequence[Any]:
        """Return the tiles that `--tiles` times for a problem."""
        return ()

    @property
    def citation(self) -> str:
        """The citation of the rates of `limits`."""
        return self.rates.citation

    @property
    def rates(self) -> Rates:
        """Published rates of the target's GPU.

        Raises:
            UserError: there are none.
        """
        rates = TARGETS[self.target].rates
        if rates is None:
            raise UserError(f"no peak rates of {self.target} are published")
        return rates

    @property
    def others_published(self) -> str:
        """A sentence on the published speed of other kernels for the same problem, or ""."""
        return ""

    def limits(self, problem: Any, work: Mapping[str, Any]) -> dict[str, float]:
        """Return the least microseconds that published rates allow, by what limits.

        Args:
            problem: The problem; memory moves its operands and result at least once.
            work: The result of `counting.work`; its flops are those of the instructions counted.
        """
        return {
            "tensor cores": work["flops"] / self.rates.flops[problem.element] * 1e6,
            "memory": problem.least_bytes / self.rates.memory_bytes * 1e6,
        }


def parsed(default: Problem, text: str) -> Problem:
    """Return a problem from the command line.

    Args:
        default: A problem with the same axes.
        text: Such as "m=64,n=72,k=128,element=float16".

    Raises:
        UserError: an axis that there is not, a value of another type, or a problem that no kernel
            computes.
    """
    known = axes(default)
    given: dict[str, int | str | bool] = {}
    for part in text.split(","):
        name, is_given, value = part.strip().partition("=")
        if name not in known or not is_given:
            like = ",".join(f"{each}={known[each]}" for each in known)
            fault = f"has no axis {name!r}" if is_given else f"does not understand {part!r}"
            raise UserError(f"--problem {fault}; write it like {like}")
        given[name] = _value(name, type(known[name]), value)
    return replace(default, **given)


def _value(name: str, kind: type, text: str) -> int | str | bool:
    if kind is str:
        return text
    if kind is bool and text in ("true", "false"):
        return text == "true"
    digits = len(text)
    if kind is int and digits < 100 and text.removeprefix("-").isdecimal():
        return int(text)
    wanted = "true or false" if kind is bool else "an integer"
    shown = repr(text) if digits < 100 else f"a word of {digits} letters"
    raise UserError(f"{name} of --problem is {wanted}, not {shown}")


def axes(problem: Problem) -> dict[str, int | str | bool]:
    """Return a problem's fields by name."""
    return asdict(problem)
