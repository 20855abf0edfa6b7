"""Dataclasses whose methods are compiled on need, held to the standard library's own."""

from __future__ import annotations

import ast
import copy
import dataclasses
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from lanemap.dataclass import dataclass


@dataclass(frozen=True)
class Kept:
    """A class that pickle finds by its name."""

    name: str
    values: tuple[int, ...] = ()


def _classes(make: Any) -> dict[str, Any]:
    @make(frozen=True)
    class Point:
        """Has every kind of field."""

        x: int
        y: str = "q"
        z: list[int] = dataclasses.field(default_factory=list, compare=False)
        w: int = dataclasses.field(default=4, repr=False)
        KIND: ClassVar[int] = 3

        def __post_init__(self) -> None:
            object.__setattr__(self, "twice", 2 * self.x)

    @make(frozen=True)
    class Derived(Point):
        """Changes a default and adds a field."""

        y: str = "r"
        v: float = 1.0

    @make
    class Open:
        """Can be changed, so it has no hash."""

        a: int
        b: int = 2

    @make(frozen=True, eq=False)
    class Named:
        """Is equal to itself alone."""

        a: int

    @make(frozen=True)
    class Own:
        """Has methods of its own."""

        a: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.a % 10 == other.a % 10

        def __hash__(self) -> int:
            return self.a % 10

        def __repr__(self) -> str:
            return f"own {self.a}"

    @make(frozen=True, slots=True)
    class Slotted:
        """Has no dictionary."""

        a: int
        b: list[int] = dataclasses.field(default_factory=list)
        c: int = 3
        KIND: ClassVar[int] = 4

        @property
        def double(self) -> int:
            return 2 * self.a

    @make(frozen=True, slots=True)
    class More(Slotted):
        """Has one slot more."""

        d: int = 4

    @make(slots=True)
    class Changing:
        """Can be changed, but for new names."""

        a: int
        b: int = 2

    class Plain(Point):
        """Is no dataclass itself."""

    return {
        each.__name__: each
        for each in (
            Point,
            Derived,
            Open,
            Named,
            Own,
            Slotted,
            More,
            Changing,
            Plain,
        )
    }


def _again(make: Any, name: str, *given: Any, **named: Any) -> Any:
    return _classes(make)[name](*given, **named)


#: What is done with the classes; each must give what the standard library's give.
ACTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "repr": lambda c: [repr(c["Point"](1)), repr(c["Derived"](1, w=3)), repr(c["Own"](7))],
    "keywords": lambda c: vars(c["Derived"](x=1, v=2.0, z=[1])),
    "post_init": lambda c: (c["Point"](4).twice, c["Plain"](4).twice),
    "equal": lambda c: (
        c["Point"](1) == c["Point"](1, z=[1]), c["Point"](1) == c["Point"](2),
        c["Point"](1) == c["Derived"](1, "q"), c["Named"](1) == c["Named"](1),
        c["Own"](1) == c["Own"](11), c["Open"](1) == c["Open"](1), c["Plain"](1) == c["Plain"](1),
    ),
    "hash": lambda c: (hash(c["Point"](1)), hash(c["Derived"](1)), hash(c["Own"](31))),
    "no hash": lambda c: hash(c["Open"](1)),
    "fields": lambda c: [
        [(f.name, f.type) for f in dataclasses.fields(each)] for each in c.values()
    ],
    "replace": lambda c: dataclasses.replace(c["Derived"](1), v=5.0).__dict__,
    "asdict": lambda c: dataclasses.asdict(c["Derived"](1)),
    "match": lambda c: [each.__match_args__ for each in c.values()],
    "defaults": lambda c: (c["Point"].w, hasattr(c["Point"], "z"), c["Derived"].y),
    "copy": lambda c: copy.deepcopy(c["Point"](1, z=[2])).__dict__,
    "one missing": lambda c: c["Point"](),
    "one too many": lambda c: c["Named"](1, 2),
    "unknown": lambda c: c["Point"](1, nothing=2),
    "set": lambda c: setattr(c["Point"](1), "x", 2),
    "set another": lambda c: setattr(c["Point"](1), "other", 2),
    "set below": lambda c: setattr(c["Plain"](1), "x", 2),
    "set another below": lambda c: setattr(c["Plain"](1), "other", 2),
    "delete": lambda c: delattr(c["Point"](1), "x"),
    "change": lambda c: (lambda o: setattr(o, "a", 5) or repr(o))(c["Open"](1)),
    "slots": lambda c: [each.__slots__ for each in (c["Slotted"], c["More"], c["Changing"])],
    "slotted": lambda c: (
        repr(c["More"](1, c=5)), c["Slotted"](1) == c["Slotted"](1), hash(c["Slotted"](1, b=())),
        c["Slotted"].KIND, c["More"](3).double, hasattr(c["More"](1), "__dict__"),
    ),
    "slotted copy": lambda c: repr([copy.copy(c["More"](1, [2])), copy.copy(c["Changing"](5))]),
    "slotted set": lambda c: setattr(c["Slotted"](1), "a", 2),
    "slotted new": lambda c: setattr(c["Changing"](1), "other", 2),
    "slotted change": lambda c: (lambda o: setattr(o, "b", 5) or repr(o))(c["Changing"](1)),
    "slotted replace": lambda c: repr(dataclasses.replace(c["More"](1), d=9)),
    "names": lambda c: [c["Point"](1) and c["Point"].__init__.__qualname__, c["Open"].__doc__],
}  # fmt: skip


def _outcome(act: Callable[[dict[str, Any]], Any], make: Any) -> Any:
    try:
        return act(_classes(make))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", ACTS)
def test_a_class_does_what_the_standard_librarys_does(name: str) -> None:
    expected = _outcome(ACTS[name], dataclasses.dataclass)
    assert _outcome(ACTS[name], dataclass) == expected


def test_an_object_can_be_pickled_and_met_without_a_constructor() -> None:
    there = "import pickle, sys; kept = pickle.load(sys.stdin.buffer); print(repr(kept))"
    given = pickle.dumps(Kept("k", (1, 2)))
    done = subprocess.run([sys.executable, "-c", there], input=given, capture_output=True)
    assert done.stdout.decode().strip() == "Kept(name='k', values=(1, 2))", done.stderr


def test_threads_may_make_the_first_objects_at_once() -> None:
    for _ in range(20):
        kind, made = _classes(dataclass)["Derived"], []
        ready = threading.Barrier(8)

        def make(kind: Any = kind, made: list[Any] = made, ready: Any = ready) -> None:
            ready.wait()
            made.append(kind(1, v=2.0))

        threads = [threading.Thread(target=make) for _ in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert len(made) == 8
        assert all(each == made[0] and hash(each) == hash(made[0]) for each in made)


def test_importing_the_emulator_compiles_few_methods() -> None:
    count = """
import builtins, dataclasses, numpy, lanemap
made, exec_ = [0], builtins.exec
def counted(text, *rest):
    made[0] += isinstance(text, str) and "def __create_fn__" in text
    return exec_(text, *rest)
dataclasses.exec = counted
lanemap.open_device("sm_90a", "emulator")
print([made[0], sum(module.startswith("lanemap") for module in __import__("sys").modules)])
"""
    done = subprocess.run([sys.executable, "-c", count], capture_output=True, text=True, check=True)
    compiled, modules = ast.literal_eval(done.stdout)
    assert modules > 40
    assert compiled < modules  # 264 of 100 modules with the standard library's alone
