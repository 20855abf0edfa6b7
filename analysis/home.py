"""The first page: the questions that people come with, and the pages that answer them."""

from __future__ import annotations

from typing import Any

from .pages import Site

#: Questions, what answers them, and pages that are often looked for; those that a site lacks are
#: left out.
QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "title": "Who checked it?",
        "page": "evidence.html",
        "words": "Every stored row, with its device, its evidence and what its probe cannot tell "
        "apart. Only silicon verifies.",
    },
    {
        "title": "How many cycles does it take?",
        "page": "cycles.html",
        "words": "Cycles between two named events, measured on a GPU, with the certificates that "
        "say why they are that.",
    },
    {
        "title": "Which instructions does the emulator execute?",
        "page": "coverage.html",
        "words": "By family of PTX, held against what ptxas accepts.",
    },
)


def answers(site: Site) -> list[dict[str, Any]]:
    """The questions whose page the site has, each with the links that lead somewhere."""
    return [
        {**each, "links": [link for link in each.get("links", ()) if site.has(link["page"])]}
        for each in QUESTIONS
        if site.has(each["page"])
    ]
