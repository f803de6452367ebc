"""Rule names to rules: what each says, how much it weighs, and how it asks the evidence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tracer.model import Evidence, Failure, Finding, Problem, Severity

RULES: tuple[str, ...] = (
    "file-invalid",
    "source-changed",
    "source-unpinned",
    "source-unread",
    "page-unreadable",
    "claim-duplicate",
    "reference-unknown",
    "claim-unsourced",
    "citation-unquoted",
    "citation-unplaced",
    "quote-missing",
    "quote-altered",
    "quote-ambiguous",
    "quote-short",
    "quote-long",
    "quote-cut",
    "page-wrong",
    "section-wrong",
    "section-unread",
    "number-absent",
    "formula-wrong",
    "formula-cycle",
    "unit-wrong",
    "reason-missing",
    "search-missing",
    "term-found",
    "review-stale",
    "disputed",
    "statement-found",
    "field-unanswered",
    "ground-flagged",
    "accept-unused",
)
"""The rules in the order of their documentation; those that look at the findings of others stand last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule's module: its docstring, its severity, and what it asks, with (`check`) or after (`follow`) the others."""

    name: str
    documentation: str
    severity: Severity
    check: Callable[[Evidence], Iterator[Problem]] | None = None
    follow: Callable[[Evidence, Sequence[Finding]], Iterator[Problem]] | None = None

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return self.documentation.partition("\n")[0]


def load(name: str) -> Rule:
    """The rule of that name; one that does not exist is a Failure."""
    from importlib import import_module

    if name not in RULES:
        raise Failure(_unknown(name))
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    return Rule(
        name=name,
        documentation=(module.__doc__ or "").strip(),
        severity=module.severity,
        check=getattr(module, "check", None),
        follow=getattr(module, "follow", None),
    )


def explain(name: str) -> str:
    """A rule's documentation for a terminal; a name that does not exist is a Failure."""
    rule = load(name)
    return f"{rule.name} ({rule.severity})\n\n{rule.documentation}\n"


def documentation() -> str:
    """The text of docs/rules.md: every rule in Markdown, from the rules' own docstrings."""
    rules = [load(name) for name in RULES]
    table = "\n".join(f"| [`{rule.name}`](#{rule.name}) | {rule.severity} | {rule.summary} |" for rule in rules)
    return "\n".join((_PREFACE, table, "", *map(_chapter, rules)))


_PREFACE = """\
# Rules

This page is made from the documentation of the rules; `tracer explain RULE` prints the same. An error or a warning
flags its claim, a note does not. `tracer.toml` sets another severity, or `off`:

```toml
[rules]
quote-short = "note"
```

A claim keeps a finding with `accept: {RULE: "the reason"}`; what is accepted is counted apart.

The examples below are run as tests. They cite `report`, a PDF of three pages about an invented model, `scan`, a
PDF without text, `notes`, a Markdown page, `letter`, a text without headings, and `config`, a JSON file.

| rule | severity | says |
|---|---|---|"""


def _chapter(rule: Rule) -> str:
    return "\n".join((f"## {rule.name}", "", f"Severity: {rule.severity}.", "", markdown(rule), ""))


def markdown(rule: Rule) -> str:
    """A rule's documentation in Markdown."""
    return "\n".join(_fenced(rule.documentation.splitlines()))


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    """Indented blocks as fenced YAML."""
    is_inside = False
    for position, line in enumerate(lines):
        is_example = line.startswith("    ") or (is_inside and not line and _goes_on(lines[position:]))
        if is_example and not is_inside:
            yield "```yaml"
        if is_inside and not is_example:
            yield "```"
        is_inside = is_example
        yield line[4:] if is_example else line
    if is_inside:
        yield "```"


def _goes_on(lines: Sequence[str]) -> bool:
    following = next(filter(None, lines), "")
    return following.startswith("    ")


def _unknown(name: str) -> str:
    from tracer.spelling import did_you_mean

    hint = did_you_mean(name.replace("_", "-"), RULES) or "`tracer explain` lists all"
    return f"there is no rule {name}: {hint}"
