"""Mutants of behavior that is not a layout map of the model, made in the probe's text.

The instruction stays, and PTX around it changes what it appears to do: which lane each thread
reaches through taddr, which columns an allocation gets, or whether it waits. The emulator executes
the text like the probe's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.probing.mutation.mutants import Mutant, mutants
from lanemap.probing.probe import Probe

WARPS, LANES, THREADS, COLUMNS = 4, 128, 32, 512


@dataclass(frozen=True)
class Text:
    """One mutant.

    Attributes:
        name: What was changed, in words.
        source: The complete text.
        shows: The map that the probe should find; None if there is none.
    """

    name: str
    source: str
    shows: Callable[[], LayoutMap] | None = None


@dataclass(frozen=True)
class Rewritten:
    """The mutants of an instruction.

    Attributes:
        map: The map of the unchanged instruction; None if it has none.
        texts: The mutants.
    """

    map: LayoutMap | None
    texts: tuple[Text, ...]


def rewritten(probe: Probe, pairs: int, seed: int) -> Rewritten | None:
    """The mutants of a probe's text; None if its mutants are maps instead.

    Args:
        probe: The probe.
        pairs: As for `mutants`.
        seed: As for `mutants`.

    Raises:
        UserError: The text does not contain the instruction as expected.
    """
    if probe.variant == "tcgen05.ld.32x32b:taddr":
        layout = own_quadrant()
        made = mutants(layout, pairs, seed).changed
        return Rewritten(layout, tuple(_reaching(probe.source, each) for each in made))
    if probe.variant == "tcgen05.alloc":
        return Rewritten(
            None, tuple(Text(name, make(probe.source)) for name, make in ALLOCATIONS.items())
        )
    return None


# ---- the lane in taddr ---------------------------------------------------------------------------
def own_quadrant() -> LayoutMap:
    """Every thread reaches its own lane of its warp's quadrant, whatever lane taddr names.

    Returns:
        "access" warp 4, taddr_lane 128, lane 32; "tmem" lane 128.
    """
    access = Space("access", (("warp", WARPS), ("taddr_lane", LANES), ("lane", THREADS)))
    return LayoutMap.from_function(
        access,
        Space("tmem", (("lane", LANES),)),
        lambda warp, taddr_lane, lane: {"lane": 32 * warp + lane + 0 * taddr_lane},
    )


_LOADED = re.compile(
    r"tcgen05\.ld\.\S+ \{word\}, \[target\];\s+tcgen05\.wait::ld\.sync\.aligned;\n"
)
#: After the load, each thread takes the word of the thread whose lane the mutant assigns to it.
_EXCHANGE = f"""\
    {{
    .shared .align 4 .b8 loaded[{4 * LANES}];
    .reg .b32 named, at, here;
    .reg .b64 entry, first;
    shr.u32 named, target, 16;
    and.b32 named, named, {LANES - 1};
    mad.lo.u32 at, warp, {LANES}, named;
    mad.lo.u32 at, at, {THREADS}, lane;
    cvt.u64.u32 entry, at;
    mov.u64 first, reached_lanes;
    add.s64 entry, entry, first;
    ld.global.u8 at, [entry];
    mov.u32 here, loaded;
    mad.lo.u32 named, thread, 4, here;
    st.shared.b32 [named], word;
    bar.sync 0;
    mad.lo.u32 named, at, 4, here;
    ld.shared.b32 word, [named];
    }}
"""


def _reaching(source: str, mutant: Mutant) -> Text:
    """The text in which threads reach the lanes of a table instead."""
    loads = _LOADED.findall(source)
    if len(loads) != 1:
        raise UserError(f"the text has {len(loads)} loads to be rewritten, not one")
    layout = mutant.map
    numbers = ", ".join(map(str, layout.table.tolist()))
    table = f".global .b8 reached_lanes[{layout.table.size}] = {{{numbers}}};\n"
    entry = source.index(".visible .entry")
    changed = source[:entry] + table + source[entry:].replace(loads[0], loads[0] + _EXCHANGE)
    return Text(mutant.name, changed, lambda: mutant.map)


# ---- allocation ----------------------------------------------------------------------------------
_ALLOC = re.compile(
    r"(?P<alloc> *tcgen05\.alloc\.\S+ \[at\], )(?P<columns>\d+)"
    r"(?P<wait>;\n +bar\.warp\.sync 0xffffffff;\n)"
    r"(?P<load> +ld\.shared\.b32 (?P<got>got\d+), \[slot\];\n)"
)
_DEALLOC = re.compile(r"(?P<dealloc> *tcgen05\.dealloc\.\S+ )(?P<got>got\d+), (?P<columns>\d+);\n")


def _renumbered(there: str, back: str, source: str) -> str:
    """Change the columns that allocations return.

    `there` is PTX that computes the changed column `{to}` from `{got}`; `back` undoes it. `{last}`
    stands for 512 - N.
    """

    def allocated(found: re.Match[str]) -> str:
        got, last = found["got"], COLUMNS - int(found["columns"])
        return found[0] + there.format(to=got, got=got, last=last)

    def freed(found: re.Match[str]) -> str:
        last = COLUMNS - int(found["columns"])
        undo = back.format(to="own", got=found["got"], last=last)
        dealloc = f"{found['dealloc']}own, {found['columns']};\n"
        return f"    {{ .reg .b32 own;\n{undo}{dealloc}    }}\n"

    return _replaced(source, allocated, freed)


def _unwaiting(source: str) -> str:
    """Give every allocation column 0 at once, and hold nothing."""
    return _replaced(source, lambda found: f"    mov.u32 {found['got']}, 0;\n", lambda found: "")


def _keeping(source: str) -> str:
    """Never free columns."""
    return _replaced(source, lambda found: found[0], lambda found: "")


def _doubled(source: str) -> str:
    """Allocate twice the columns, up to all of them."""

    def columns(found: re.Match[str]) -> int:
        return min(2 * int(found["columns"]), COLUMNS)

    return _replaced(
        source,
        lambda found: f"{found['alloc']}{columns(found)}{found['wait']}{found['load']}",
        lambda found: f"{found['dealloc']}{found['got']}, {columns(found)};\n",
    )


def _replaced(
    source: str,
    allocated: Callable[[re.Match[str]], str],
    freed: Callable[[re.Match[str]], str],
) -> str:
    source, allocations = _ALLOC.subn(allocated, source)
    source, frees = _DEALLOC.subn(freed, source)
    if not allocations or not frees:
        raise UserError("the text has no allocation to be rewritten")
    return source


ALLOCATIONS: dict[str, Callable[[str], str]] = {
    "columns are counted from the last": partial(
        _renumbered, "    sub.u32 {to}, {last}, {got};\n", "    sub.u32 {to}, {last}, {got};\n"
    ),
    "every allocation begins 32 columns further on": partial(
        _renumbered,
        f"    add.u32 {{to}}, {{got}}, 32;\n    and.b32 {{to}}, {{to}}, {COLUMNS - 1};\n",
        f"    sub.u32 {{to}}, {{got}}, 32;\n    and.b32 {{to}}, {{to}}, {COLUMNS - 1};\n",
    ),
    "even and odd blocks of 32 columns exchange places": partial(
        _renumbered, "    xor.b32 {to}, {got}, 32;\n", "    xor.b32 {to}, {got}, 32;\n"
    ),
    "an allocation gets column 0 at once and holds nothing": _unwaiting,
    "an allocation takes twice the columns": _doubled,
    "what is given back stays held": _keeping,
}
