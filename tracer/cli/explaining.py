"""The name of a rule to its documentation on stdout, or no name to the list of all rules."""

import textwrap
from collections.abc import Iterator

from tracer import rules
from tracer.cli import console


def explain(name: str | None) -> None:
    """Prints what a rule wants; without a name, each rule with its severity and its first sentence."""
    lines = wrapped(rules.explain(name), console.width()) if name else listing(console.width())
    console.say("\n".join([*lines, ""]))


def wrapped(text: str, width: int) -> Iterator[str]:
    """A text whose paragraphs fit a width; examples, which are indented, stay as they are."""
    for paragraph in text.rstrip("\n").split("\n\n"):
        if paragraph.startswith("    "):
            yield paragraph
        else:
            yield from textwrap.wrap(paragraph, width, break_on_hyphens=False, break_long_words=False)
        yield ""


def listing(width: int) -> Iterator[str]:
    """One rule after the other, in the order in which they are asked."""
    longest = max(len(name) for name in rules.RULES)
    for name in rules.RULES:
        rule = rules.load(name)
        head = f"{name:<{longest}}  {rule.severity:<7}  "
        yield from textwrap.wrap(rule.summary, width, initial_indent=head, subsequent_indent=" " * len(head))
    yield ""
    yield "tracer explain RULE says more about one"
