"""Cuts a pasted line down to the name of its instruction."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(r"/\*.*?\*/|//.*", re.S)
_ASM = re.compile(r"^(?:__)?asm(?:__)?\s*(?:volatile|__volatile__)?\s*\(?\s*")
_GUARD = re.compile(r"^@!?%?\w+\s+")
# `d = f(..)` and `%0 = op ..`, but not the parameters of a layout.
_ASSIGNED = re.compile(r"^[^=(<{\"]*=\s*(?!=)")
#: The operand of a matrix instruction comes after one colon; `cta_group::1` has two.
OPERAND = re.compile(r"(?<!:):(?!:)")
_SUFFIX = re.compile(r":(SF[AB]|scale_[AB]|index|[ABCDE])(\.\w+)?$", re.I)


@dataclass(frozen=True)
class Pasted:
    """A text as somebody pastes it.

    Attributes:
        text: All of it, without comments, quotes, predicates and what it is assigned to.
        word: The instruction's name alone, without its operands.
        rest: What follows the name.
        operand: Which operand is asked for: "A" of `v_mfma_f32_32x32x16_bf16:A`; or "".
    """

    text: str
    word: str
    rest: str
    operand: str = ""

    @classmethod
    def of(cls, pasted: str) -> Pasted:
        """Cut a text."""
        text = _COMMENT.sub(" ", pasted).strip()
        text = _ASM.sub("", text) if text.startswith(("asm", "__asm")) else text
        if text.startswith('"'):
            text = text[1:].partition('"')[0]
        text = text.replace("\\n", " ").replace("\\t", " ").replace("{{", "{").strip()
        text = _GUARD.sub("", text).strip("`'").strip().rstrip(";").strip()
        text = _ASSIGNED.sub("", text).strip()
        word, _, rest = text.partition(" ") if " " in text else (text, "", "")
        operand = ""
        if found := _SUFFIX.search(word):
            word, operand = word[: found.start()], found[1]
        for cut in "{[(":
            before, bracket, after = word.partition(cut)
            if bracket:
                word, rest = before, f"{bracket}{after} {rest}".strip()
        return cls(text, word.strip("\"';,"), rest, operand)
