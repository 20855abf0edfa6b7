"""Pictures of contention, of times that were made up so that what they show is known."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

from analysis import timing_pictures
from lanemap.timing.pipes import infer

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawn() -> dict[str, Any]:
    """A and B take turns, C does not slow A, and D takes so long that no pair with it tells.

    An issue slot takes 4 cycles. A with B takes the sum of 16, A with C the longer of both, 10.
    B with C has no figure.
    """
    alone = {"A": 8, "B": 8, "C": 10, "D": 64}
    together = {("A", "B"): 16, ("A", "C"): 10, ("A", "D"): 68, ("C", "D"): 64, ("B", "D"): 72}
    found = infer(
        {name: Fraction(cycles) for name, cycles in alone.items()},
        {pair: Fraction(cycles) for pair, cycles in together.items()},
        Fraction(4),
    )
    return found.to_json()


def texts(picture: str) -> list[str]:
    return [str(each.text) for each in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_the_scale_of_a_pair_is_from_the_longer_to_the_sum(drawn: dict[str, Any]) -> None:
    shared = {tuple(each["classes"]): each["shared"] for each in drawn["pairs"]}
    assert shared["A", "B"] == 1 and shared["A", "C"] == 0 and shared["B", "C"] is None
    assert drawn["pipes"][0] == ["A", "B"] and drawn["warps"] == 16
    assert drawn["alone"] == {"A": 8, "B": 8, "C": 10, "D": 64}


def test_the_matrix_holds_each_pair_twice(drawn: dict[str, Any]) -> None:
    picture = timing_pictures.contention(drawn)
    words = texts(picture)
    assert words.count("100") == 2 and words.count("A") == 2
    silent = [each for each in drawn["pairs"] if each["relation"] == "silent"]
    unknown = [each for each in drawn["pairs"] if each["relation"] == "open"]
    assert picture.count("url(#hatch)") == 2 * len(silent) + 1  # and once in the key
    assert words.count("?") == 2 * len(unknown) + 1 == 3


def test_shades_go_from_light_to_dark(drawn: dict[str, Any]) -> None:
    """In gray each step is darker: by the weights of ITU-R BT.601."""
    shades = [timing_pictures._shade(step / 10) for step in range(11)]
    gray = [
        0.299 * int(each[1:3], 16) + 0.587 * int(each[3:5], 16) + 0.114 * int(each[5:7], 16)
        for each in shades
    ]
    assert all(a - b > 15 for a, b in zip(gray, gray[1:], strict=False))


def test_the_pipes_say_which_no_pair_tells_apart(drawn: dict[str, Any]) -> None:
    words = texts(timing_pictures.pipes(drawn))
    assert {"pipe 1", "pipe 2", "A", "B", "C", "D"} <= set(words)
    assert words.count("no pair tells") == len(drawn["undecided"])
    two = {**drawn, "against": [["A", "B"]], "undecided": [[["A", "B"], ["C"]]]}
    words = texts(timing_pictures.pipes(two))
    assert "A and B do not slow each other, against this partition." in words
    assert words.count("no pair tells") == 1


def test_nothing_is_drawn_outside_the_picture(drawn: dict[str, Any]) -> None:
    for picture in (timing_pictures.pipes(drawn), timing_pictures.contention(drawn)):
        root = ElementTree.fromstring(picture)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for each in root.iter(f"{SVG}rect"):
            x, y = float(each.attrib.get("x", 0)), float(each.attrib.get("y", 0))
            assert x >= 0 and x + float(each.attrib["width"]) <= width
            assert y >= 0 and y + float(each.attrib["height"]) <= height
