"""A page for each instruction: its operands as pictures, texts of their maps, and who says so."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .instruction_timings import Timings
from .pages import Found, Site, slug

#: An instruction, as `lanemap.cli.told.instructions` tells it.
Instruction = Mapping[str, Any]
FOLDER, SECTION = "v", "v/index.html"
MOVED = Path(__file__).resolve().parent / "moved.tsv"
#: How the texts are called.
TITLES = {
    "formula": "formula", "F2 matrix": "F2 matrix", "cute": "CuTe", "c": "C", "python": "Python",
    "triton": "Triton", "gluon": "Gluon",
}  # fmt: skip


def place(name: str) -> str:
    """Where the page of an instruction lies, for all time."""
    return f"{FOLDER}/{slug(name)}.html"


def pages(instructions: Sequence[Instruction]) -> dict[str, str]:
    """By variant the place of its instruction's page, without the suffix."""
    return {
        one["name"]: f"{FOLDER}/{slug(each['name'])}"
        for each in instructions
        for one in each["operands"]
    }


def build(
    site: Site, instructions: Sequence[Instruction], rows: Mapping[str, Any], timings: Timings
) -> None:
    """Add a page for each instruction, and the index of all.

    Args:
        site: The site.
        instructions: All of them.
        rows: By variant, the pages of the records that observed it.
        timings: What was timed.
    """
    families: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in instructions:
        name, file = each["name"], slug(each["name"])
        operands = [_operand(one, rows) for one in each["operands"]]
        maps = {one["operand"]: one["map"] | {"plans": one["plans"]} for one in each["operands"]}
        words = f"{', '.join(each['targets'])}, {each['family']}"
        names = [one["operand"] for one in operands]
        site.found.append(Found("instruction", name, words, place(name), names))
        site.file(
            f"{FOLDER}/{file}.js", f"lanemap.instruction({json.dumps(file)}, {json.dumps(maps)});\n"
        )
        site.file(f"{FOLDER}/{file}.png", each["preview"])
        badge = strongest(operands)
        timed, untimed = timings.of(name, names, each["targets"])
        site.page(
            place(name), "instruction.html", section=SECTION, preview=f"{FOLDER}/{file}.png",
            about=f"{name}: which lane and register holds each element. {operands[0]['formula']}",
            name=name, file=file, targets=each["targets"], operands=operands, badge=badge,
            timings=timed, untimed=untimed,
        )  # fmt: skip
        families[each["family"]].append(
            {"name": name, "page": f"{file}.html", "targets": each["targets"], "evidence": badge,
             "operands": [one["operand"] for one in operands if one["operand"]]}
        )  # fmt: skip
    if instructions:
        site.page(SECTION, "instructions.html", families=families, count=len(instructions))
    for line in MOVED.read_text().splitlines():
        old, _, new = line.partition("\t")
        if old and site.has(f"{FOLDER}/{new}.html"):
            site.page(f"{FOLDER}/{old}.html", "moved.html", section=SECTION, to=f"{new}.html")


def strongest(operands: Sequence[Mapping[str, Any]]) -> str:
    """The strongest evidence that all operands have; "documented" where only the model speaks."""
    order = ("silicon", "emulator", "published", "documented")
    return max((one["evidence"] for one in operands), key=order.index)


def _operand(one: Mapping[str, Any], rows: Mapping[str, Any]) -> dict[str, Any]:
    operand = one["operand"]
    observed = [each for each in one["comparison"]["standings"] if each["kind"] == "observation"]
    texts = [{**text, "title": TITLES[text["form"]]} for text in one["texts"]]
    return {
        **one,
        "id": operand or "map",
        "evidence": _evidence(one["comparison"]["standings"]),
        "texts": texts,
        "observed": observed,
        "rows": rows.get(one["name"], []),
    }


def _evidence(standings: Sequence[Mapping[str, Any]]) -> str:
    said = {each["evidence"] for each in standings if each["agrees"] and not each["partial"]}
    return next(
        (each for each in ("silicon", "emulator", "published") if each in said), "documented"
    )
