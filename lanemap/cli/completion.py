"""Completions of words of the command line, for shells: `lanemap --install-completion`.

bash splits words at the characters of COMP_WORDBREAKS, so `mma.sync.m16n8k16.bf16:A` arrives as
three words, and only the last of them is replaced (Bash Reference Manual, 8.6). typer's script
passes the words on as they are: one a line in COMP_WORDS, and the number of the one at the cursor
in COMP_CWORD.
"""

from __future__ import annotations

import os


def join_at_colons() -> str:
    """Join the words that bash split at ':'; return what it keeps of the one at the cursor."""
    split = os.environ.get("COMP_WORDS", "").split("\n")
    number = os.environ.get("COMP_CWORD", "")
    if not number.isdecimal() or int(number) >= len(split):
        return ""
    words: list[str] = []
    kept = ""
    for word, before in zip(split[: int(number) + 1], ["", *split], strict=False):
        joined = words and (_is_colons(word) or _is_colons(before))
        kept = words.pop() if joined else ""
        words.append(kept + word)
    if kept and _is_colons(split[int(number)]):
        kept = words[-1]
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(words), str(len(words) - 1)
    return kept


def _is_colons(word: str) -> bool:
    return word != "" and word.strip(":") == ""


def variants(incomplete: str) -> list[str]:
    """Return the variants whose names begin so."""
    from lanemap.model import variants as every

    return [each.name for each in every() if each.name.startswith(incomplete)]


def probes(incomplete: str) -> list[str]:
    """Return the probes whose names begin so."""
    from lanemap.probing.probe import find_probes

    return [name for name in find_probes() if name.startswith(incomplete)]


def kernels(incomplete: str) -> list[str]:
    """Return the kernels of lanemap whose names begin so."""
    from lanemap.benching.find import names

    return [name for name in names() if name.startswith(incomplete)]


def targets(incomplete: str) -> list[str]:
    """Return the targets whose names begin so."""
    from lanemap.targets import TARGETS

    return [name for name in TARGETS if name.startswith(incomplete)]


def timed(incomplete: str) -> list[str]:
    """Return the groups of timing probes, and SASS opcodes with cycles, whose names begin so."""
    from lanemap import paths
    from lanemap.records.lookup import of_kind
    from lanemap.timing.find import find_probes

    rows = of_kind("timing", paths.find("results"))
    opcodes = {figure["instruction"] for row in rows for figure in row.findings["figures"]}
    return [name for name in (*find_probes(), *sorted(opcodes)) if name.startswith(incomplete)]


def accesses(incomplete: str) -> list[str]:
    """Return the accesses of shared memory and LDS that have a rule, whose names begin so."""
    from lanemap.probing.banks.forms import ACCESSES
    from lanemap.probing.banks.lds_forms import LDS_ACCESSES

    return [name for name in (*ACCESSES, *LDS_ACCESSES) if name.startswith(incomplete)]


def layouts(incomplete: str) -> list[str]:
    """Return a variant or, of a plan, a place and its loads, whose names begin so."""
    places = ("d:128x128:f32", "a:128x128:bf16", "sf:128x4", "16x256b@", "32x32b@")
    return [each for each in places if each.startswith(incomplete)] + variants(incomplete)
