"""Plans: kernels that are ready for arrays of one layout, so that a call only launches."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from threading import Lock
from typing import Any, Protocol, cast

import numpy as np

from lanemap.benching.homes import LAYOUTS, Home, Layout, capture, layout, layouts
from lanemap.benching.launch import Launch
from lanemap.benching.scratch import scratch_of
from lanemap.errors import UserError

#: Plans of a kernel that are kept: those that were used last.
KEPT = 512
#: What TMA wants addresses to be a multiple of (cuTensorMapEncodeTiled, globalAddress).
ALIGNMENT_BYTES = 16


@dataclass(frozen=True)
class Copy:
    """A copy of an operand in rows that TMA can reach.

    Attributes:
        columns: Those of its rows.
        kind: Their type, which the operand's library made.
        enqueue: Copies rows on a GPU, by a stream's handle, where to and where from; None where the
            operand's library copies.
    """

    columns: int
    kind: Any
    enqueue: Callable[..., None] | None = None


@dataclass
class Plan:
    """A kernel that is ready for operands of one layout: shape, strides, type and place.

    A call writes the operands' addresses into its arguments, and launches on the current stream of
    their library. It neither waits nor allocates anything but the results.

    Attributes:
        what: The kernel and the problem, for errors.
        inputs: The operands' layouts by name.
        outputs: Shape and type of each result.
        out: Layout of the array that the caller gives for the result, or of several as a tuple;
            None if the plan makes them.
        device: The device.
        home: Where the operands lie.
        launch: The launch, or those that follow each other, whose arguments have the addresses of
            `operands`. Launches with scratch memory have the same.
        operands: Arrays of the device: inputs, then outputs.
        steps: For each launch, what is added to the operands' addresses.
        loose: Names of operands that no tensor map describes, so that they need no alignment.
        copies: For each operand, the copy that is computed with instead, because TMA cannot reach
            the operand as it lies; else None.
        workspace: How many f32 the launches need for themselves, which each call takes from the
            operands' library; their array is the last of `operands`.
        results: Names of the results, for errors.
        view: What makes of a new result the array that the caller gets, if that is another view.
    """

    what: str
    inputs: Mapping[str, Layout]
    outputs: Sequence[tuple[tuple[int, ...], Any]]
    out: Layout | None
    device: Any
    home: Home
    launch: InitVar[Launch | Sequence[Launch]]
    operands: InitVar[Sequence[Any]]
    steps: Sequence[Sequence[int]] = ()
    loose: Sequence[str] = ()
    copies: Sequence[Copy | None] = ()
    workspace: int = 0
    results: Sequence[str] = ()
    view: Callable[[Any], Any] | None = None
    captured: bool = field(default=False, init=False)
    _kept: list[Any] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self, launch: Launch | Sequence[Launch], operands: Sequence[Any]) -> None:
        """Prepare the launches; they hold no operand's memory."""
        launches = [launch] if isinstance(launch, Launch) else list(launch)
        scratch = next((each.scratch for each in launches if each.scratch), ())
        self._scratch = [each.size for each in scratch]
        self._enqueue = _in_turn([each.enqueue((*operands, *scratch)) for each in launches])
        self._streams = scratch_of(self.device)
        home = self.home
        self._make = home.maker(self.outputs)
        floats = home.dtype(np.dtype(np.float32), "float32")
        self._own = home.maker([((self.workspace,), floats)]) if self.workspace else None
        #: Launches on inputs and outputs, of which the last `fresh` ones have just been made.
        self.run: Callable[..., None] = self._run_on_copies if any(self.copies) else self._run

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Compute the result of arrays that lie as those did which the plan was made for.

        Raises:
            UserError: an array lies otherwise, or `out` is given to a plan that was made without.
        """
        if len(arrays) != len(self.inputs):
            names = ", ".join(self.inputs)
            raise UserError(f"the plan takes {names}; {len(arrays)} arrays were given")
        for array, (name, planned) in zip(arrays, self.inputs.items(), strict=True):
            found = layout(array)
            if found != planned:
                raise UserError(
                    f"{name} is {_words(found)}, but the plan is for {_words(planned)}; make "
                    "another plan, or call the kernel itself, which keeps plans"
                )
        given = out_layout(out)
        if given != self.out:
            raise UserError(
                f"out is {_words(given)}, but the plan is for {_words(self.out)}; make a plan with "
                "such an out"
            )
        return self.compute(arrays, out)

    def compute(self, arrays: Sequence[Any], out: Any = None) -> Any:
        """Compute the result of arrays that lie as planned, which is not checked."""
        if out is not None:
            self.run((*arrays, *out) if isinstance(out, tuple) else (*arrays, out))
            return out
        made = self._make()
        self.run((*arrays, *made), len(made))
        if self.view is not None:
            made = list(map(self.view, made))
        return tuple(made) if len(made) > 1 else made[0]

    def _run_on_copies(self, arrays: Sequence[Any], fresh: int = 0) -> None:
        """Launch on copies of some arrays, in rows that TMA can reach."""
        home, used = self.home, list(arrays)
        inputs = len(self.inputs)
        for i, (array, copy) in enumerate(zip(arrays, self.copies, strict=True)):
            if copy is not None:
                used[i] = home.empty((*array.shape[:-1], copy.columns), copy.kind)
                if i < inputs:
                    self._copy(copy, used[i], array)
        made = fresh or len(arrays) - inputs
        fresh = made if any(self.copies[inputs:]) else fresh
        self._run(used, fresh)
        if self.captured and home.forgets:
            self._kept.append(used)
        for i in range(inputs, len(arrays)):
            if (copy := self.copies[i]) is not None:
                self._copy(copy, arrays[i], used[i])

    def _copy(self, copy: Copy, to: Any, values: Any) -> None:
        """Copy an operand to its copy, or back."""
        columns = min(to.shape[-1], values.shape[-1])
        if copy.enqueue is None:
            self.home.assign(to[..., :columns], values[..., :columns])
        else:
            addresses, _ = self.home.addresses([to, values], 0)
            copy.enqueue(self.home.stream(), *addresses)

    def _run(self, arrays: Sequence[Any], fresh: int = 0) -> None:
        home = self.home
        if self._own is not None:
            arrays, fresh = (*arrays, *self._own()), fresh + 1
        addresses, kept = home.addresses(arrays, fresh)
        for address in addresses:
            if address % ALIGNMENT_BYTES:
                self._refuse(addresses)
        stream = home.stream()
        number = capture(self.device, stream) if stream else 0
        if number:
            self.captured = True  # a graph has addresses of this plan's memory
            if self.workspace and home.forgets:
                self._kept.append(arrays[-1])
        scratch: Sequence[int] = ()
        if self._scratch:
            floats, counters = self._scratch
            if number:
                scratch = self._streams.captured(number, stream, floats, counters, home)
            else:
                scratch = self._streams.addresses(stream, floats, counters)
        try:
            if self.steps:
                for steps in self.steps:
                    moved = [each + step for each, step in zip(addresses, steps, strict=True)]
                    self._enqueue(stream, *moved, *scratch)
            else:
                self._enqueue(stream, *addresses, *scratch)
        except UserError as error:
            self._streams.forget()
            if not home.on_gpu:
                raise
            where = ", ".join(f"{name} at {each:#x}" for name, each in self._named(addresses))
            raise UserError(f"{self.what}: {error}; {where}, stream {stream:#x}") from error

    def _named(self, addresses: Sequence[int]) -> list[tuple[str, int]]:
        results = self.results or (["out"] if len(self.outputs) < 2 else ["o", "log_sum_exp"])
        return list(zip([*self.inputs, *results], addresses, strict=False))

    def _refuse(self, addresses: Sequence[int]) -> None:
        for name, address in self._named(addresses):
            if address % ALIGNMENT_BYTES and name not in self.loose:
                raise UserError(
                    f"{self.what}: {name} begins at {address:#x}, which is no multiple of "
                    f"{ALIGNMENT_BYTES} bytes, as TMA needs it; pass a copy of {name}"
                )


class Plans:
    """The plans that were used last, by what a call depends on."""

    def __init__(self, kept: int = KEPT) -> None:
        """Begin with none, and keep so many."""
        self._kept = kept
        self._plans: OrderedDict[Hashable, Plan] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._plans)

    def get(self, key: Hashable) -> Plan | None:
        """Return a plan, which then was used last; None if there is none, or never can be."""
        try:
            plan = self._plans[key]
            self._plans.move_to_end(key)
        except (KeyError, TypeError):  # what is unhashable is no argument of a kernel
            return None
        return plan

    def compute(
        self, arrays: Sequence[Any], out: Any, options: Sequence[Hashable], make: Callable[[], Plan]
    ) -> Any:
        """Compute with the plan of arrays that lie so.

        Args:
            arrays: The operands.
            out: The caller's array for the result, several as a tuple, or None.
            options: What else a plan depends on.
            make: Returns a plan; called if there is none yet.
        """
        key = self.key(arrays, out, options)
        plan = self.get(key)
        if plan is None:
            plan = self.add(key, make())
        return plan.compute(arrays, out)

    @staticmethod
    def key(arrays: Sequence[Any], out: Any, options: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """Return what the plan of a call is kept by; see `compute`."""
        of_arrays = [LAYOUTS[type(each)](each) for each in arrays]
        return (*of_arrays, None if out is None else out_layout(out), *options)

    def add(self, key: Hashable, plan: Plan) -> Plan:
        """Keep a plan, and forget the one that was used least lately if they are too many.

        Forgetting waits for the device, since launches of that plan may still read its memory. One
        that a graph has captured is kept.
        """
        try:
            hash(key)
        except TypeError:
            return plan
        with self._lock:
            self._plans[key] = plan
            if len(self._plans) > self._kept:
                oldest = next((k for k, each in self._plans.items() if not each.captured), None)
                if oldest is not None:
                    self._plans[oldest].device.synchronize()
                    del self._plans[oldest]
        return plan


class Planned(Protocol):
    """A kernel's host function with its plans: `f(..)` computes, `f.plan(..)` prepares."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Compute; see the kernel's host.py."""

    def plan(self, *args: Any, **options: Any) -> Plan:
        """Return what a call with the same arguments launches: a function of such arrays.

        Raises:
            UserError: as the call does.
        """


def planned(plan: Callable[..., Plan]) -> Callable[[Callable[..., Any]], Planned]:
    """Give a kernel's host function its `plan`."""

    def decorate(function: Callable[..., Any]) -> Planned:
        setattr(function, "plan", plan)  # noqa: B010 - functions have no such attribute for mypy
        return cast(Planned, function)

    return decorate


def out_layout(out: Any) -> Layout | None:
    """Return the layout of the array that a caller gives for a result, or of each of several."""
    if out is None:
        return None
    return layouts(out) if isinstance(out, tuple) else layout(out)


def _in_turn(launches: Sequence[Callable[..., None]]) -> Callable[..., None]:
    """Return a function that launches all of them, one after another, on the same stream."""
    if len(launches) == 1:
        return launches[0]

    def enqueue(stream: int, *addresses: int) -> None:
        for each in launches:
            each(stream, *addresses)

    return enqueue


def _words(found: Layout | None) -> str:
    if not isinstance(found, tuple):
        return "not given" if found is None else str(found)
    if isinstance(found[0], tuple) and isinstance(found[0][0], tuple):
        return " and ".join(map(_words, found))
    shape, strides, kind, *_ = found
    return f"{kind} of {tuple(shape)} with strides {tuple(strides)}"


def stand_in(
    device: Any, home: Home, like: Any, shape: tuple[int, ...], dtype: Any, name: str, item: int
) -> Any:
    """Return an array of a device for a result that each call makes anew.

    On a GPU it takes no memory: its address is that of an operand, which each call replaces.
    """
    if home.on_gpu:
        (address,), _ = home.addresses([like], 0)
        address -= address % ALIGNMENT_BYTES
        return device.adopt_bytes(None, address, math.prod(shape) * item)
    return device.adopt(home.empty(shape, dtype), name=name, defined=False)
