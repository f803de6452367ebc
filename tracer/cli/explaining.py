"""The name of a rule to its documentation on stdout, or no name to the list of all rules."""

import textwrap
from collections.abc import Iterator

from tracer import rules
from tracer.cli import console


def explain(name: str | None) -> None:
    """Prints what a rule wants; without a name, each rule with its severity and its first sentence."""
    console.say(rules.explain(name) if name else "\n".join([*listing(console.width()), ""]))


def listing(width: int) -> Iterator[str]:
    """One rule after the other, in the order in which they are asked."""
    longest = max(len(name) for name in rules.RULES)
    for name in rules.RULES:
        rule = rules.load(name)
        head = f"{name:<{longest}}  {rule.severity:<7}  "
        yield from textwrap.wrap(rule.summary, width, initial_indent=head, subsequent_indent=" " * len(head))
    yield ""
    yield "tracer explain RULE says more about one"
