"""What an executed instruction asks of the units, from what the emulator told of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator import api
from lanemap.errors import UserError
from lanemap.timing.model.trace import WORK, Unit

#: The fields of a work by name; those that are not there are 0.
Fields = Mapping[str, int]
OFF: Fields = {"unit": Unit.OFF}
PARTED: Fields = {"unit": Unit.PARTED}
#: A barrier of all threads of the CTA.
CTA: Fields = {"unit": Unit.BARRIER}


def fields_of(
    events: NDArray[Any], places: Sequence[int], slices: Sequence[tuple[int, int]]
) -> tuple[Fields | None, int]:
    """Return what an instruction asks for, None if its opcode says it, and the event with sectors.

    Args:
        events: Of its warp, of type EVENT.
        places: Those of the instruction.
        slices: For each pattern, where its sectors lie in those of the trace.

    Raises:
        UserError: it does something that no single work describes.
    """
    own = [events[place] for place in places]
    acts = [each for each in own if each["happening"] == api.Happening.BARRIER]
    accesses = [each for each in own if each["happening"] == api.Happening.ACCESS]
    if any(each["engine"] for each in accesses):
        return _bulk(acts, accesses), -1
    if any(each["what"] == api.Act.COME for each in acts):
        return _sent(acts), -1
    if acts:
        return _at_barrier(acts), -1
    addressed = next((place for place in places if events[place]["pattern"] >= 0), -1)
    shared = [each for each in accesses if each["what"] == api.Space.SHARED]
    passes = {name: sum(int(each[name]) for each in shared) for name in ("passes", "least")}
    if addressed >= 0:
        first, count = slices[events[addressed]["pattern"]]
        size = int(events[addressed]["bytes"])
        passes["passes"] = max(passes["passes"], int(events[addressed]["passes"]))
        return {"unit": Unit.GLOBAL, "bytes": size, "first": first, "count": count, **passes}, (
            addressed
        )
    if shared:
        size = sum(int(each["bytes"]) for each in shared)
        return {"unit": Unit.SHARED, "bytes": size, **passes}, -1
    for each in accesses:
        size = int(each["bytes"])
        if each["what"] == api.Space.CLUSTER:
            return {"unit": Unit.REMOTE, "bytes": size, "rank": int(each["rank"])}, -1
        if each["what"] == api.Space.PRIVATE:
            return {"unit": Unit.LOCAL, "bytes": size}, -1
    return None, -1


def _one(values: Iterable[Any], what: str) -> int:
    found = {int(value) for value in values}
    if len(found) != 1:
        raise UserError(f"lanes of one instruction use different {what}")
    return found.pop()


def _mask(acts: Sequence[Any]) -> int:
    mask = 0
    for each in acts:
        mask |= 1 << int(each["rank"])
    return mask


def _bulk(acts: Sequence[Any], accesses: Sequence[Any]) -> Fields | None:
    """A bulk copy, by the bytes that one CTA receives or that leave it; of wgmma nothing."""
    come = [each for each in acts if each["what"] == api.Act.COME]
    if come and not any(each["what"] == api.Space.GLOBAL for each in accesses):
        return _sent(acts)
    if come:
        return {
            "unit": Unit.BULK_LOAD,
            "object": _one((each["place"] for each in come), "mbarriers"),
            "rank": int(come[0]["rank"]),
            "cta_mask": _mask(come) if len(come) > 1 else 0,
            "bytes": int(come[0]["bytes"]),
        }
    stores = [each for each in accesses if each["what"] == api.Space.GLOBAL and each["direction"]]
    return {"unit": Unit.BULK_STORE, "bytes": int(stores[0]["bytes"])} if stores else None


def _sent(acts: Sequence[Any]) -> Fields:
    """What goes to the shared memory of another CTA, and completes at an mbarrier there."""
    come = [each for each in acts if each["what"] == api.Act.COME]
    return {
        "unit": Unit.PEER,
        "object": _one((each["place"] for each in come), "mbarriers"),
        "rank": int(come[0]["rank"]),
        "bytes": sum(int(each["bytes"]) for each in come),
    }


def _at_barrier(acts: Sequence[Any]) -> Fields:
    """What lanes do at one barrier or mbarrier, or at the mbarriers of several CTAs."""
    did = {int(each["what"]) for each in acts}
    if api.Act.BEGIN in did:
        return _initialized(acts)
    place = _one((each["place"] for each in acts), "barriers")
    if did & {api.Act.SYNC, api.Act.SIGNAL}:
        return {"unit": Unit.BARRIER, "object": place, "amount": int(acts[0]["bytes"])}
    if api.Act.PASS in did:
        phase = max(int(each["phase"]) for each in acts)
        return {"unit": Unit.MBARRIER_WAIT, "object": place, "phase": phase}
    mask = _mask(acts)
    each_cta = mask.bit_count()
    amount, size = (
        sum(int(each["bytes"]) for each in acts if each["what"] == act) // each_cta
        for act in (api.Act.ARRIVE, api.Act.EXPECT)
    )
    return {
        "unit": Unit.MBARRIER_ARRIVE,
        "object": place,
        "cta_mask": mask,
        "amount": amount,
        "bytes": size,
    }


def _initialized(acts: Sequence[Any]) -> Fields:
    """mbarriers, one by each lane, which lie evenly."""
    places = sorted({int(each["place"]) for each in acts})
    apart = {after - before for before, after in zip(places, places[1:], strict=False)}
    amount = _one((each["bytes"] for each in acts), "arrivals")
    return {
        "unit": Unit.MBARRIER_INIT,
        "object": places[0],
        "amount": amount,
        "bytes": _one(apart, "distances between mbarriers") if apart else 0,
        "count": len(places),
    }


class Works:
    """Numbers the distinct works of a trace."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rows: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], int] = {}

    def number(self, fields: Fields | None) -> int:
        """Return the number of a work; -1 for none."""
        if fields is None:
            return -1
        row = tuple(fields.get(name, 0) for name in WORK.names or ())
        if row not in self._numbers:
            self._numbers[row] = len(self._rows)
            self._rows.append(row)
        return self._numbers[row]

    def table(self) -> NDArray[np.void]:
        """All of them, of type WORK."""
        return np.array(self._rows, WORK)
