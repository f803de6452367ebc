"""The words around a quote to one that turns its meaning, in Chinese, Japanese and Korean, which have no spaces for it.

There a negation is no word of its own: it is the character before a verb, or the end of the verb itself.
"""

import re

_BEFORE = re.compile(r"(?:没有|沒有|并非|並非|绝不|絕不|不|未|非|無|无|没|沒|勿)$")
_BEFORE_NUMBER = re.compile(r"(?:至少|至多|最多|最少|超过|超過|不足|不到|少于|少於|多于|多於|低于|低於|高于|高於)$")
_AFTER = re.compile(
    r"ない|なかった|なく|なけれ|なし|無し|ません|ませんでした|ず(?=[にとも、。])"
    r"|以上|以下|未満|以内|以外|を除|を超え|を下回"
    r"|지?않|못하|못했|없|아니|이상(?![한하])|이하|미만|초과"
)


_WITHIN = re.compile(
    r"没有|沒有|并非|並非|不(?![断斷同仅僅但过過久少])|未(?![来來])|ない|なかっ|ません|ず(?=[にとも、。])|않|못하|못했|없|아니"
)
"""Negations anywhere in a text; characters that make another word with the next one are none."""


def turns_within(text: str) -> list[str]:
    """The negations in a text, in order."""
    return _WITHIN.findall("".join(text.split()))


def turn_before(before: str, *, is_number: bool) -> str | None:
    """The negation that the text before a quote ends with, or the comparison where the quote begins with a number."""
    text = "".join(before.split())
    match = _BEFORE.search(text) or (_BEFORE_NUMBER.search(text) if is_number else None)
    return match.group() if match else None


def turn_after(after: str) -> str | None:
    """The negation or comparison that the text after a quote begins with."""
    match = _AFTER.match("".join(after.split()))
    return match.group() if match else None
