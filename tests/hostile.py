"""Reports whose every text is somebody's: markup, formulas, commands, control characters, halves of characters."""

from collections.abc import Callable
from html.parser import HTMLParser

from hypothesis import strategies
from reporting import citation, claim, document, finding, report, traced

from tracer.model import Passage, Report, Severity, Verdict

WORDS = (
    "a | b",
    "`code` ``more``",
    "<script>alert(1)</script>",
    "<!-- -->",
    "[text](https://example.invalid)",
    "![image](x)",
    "https://example.invalid/x",
    "www.example.invalid",
    "@somebody and @org/team",
    "a@b.invalid",
    "#12 and org/project#12",
    "::error file=x::y",
    "##[error]x",
    "%0A::warning::x",
    "line\r\nend\nnext",
    "]]> & &amp; &#64;",
    "=1+1",
    "{0} {{x}}",
    "\\| \\` \\",
    "\x00\x07\x1b[31m\x7f\x85",
    "\ufffe\uffff\ufdd0",
    "\ud800 \udfff",
    "\u202eevil\u2066",
    "*bold* _it_ ~~no~~ $x$",
    "zero\u200bwidth\u00ad",
)
TEXTS = strategies.lists(
    strategies.one_of(strategies.sampled_from(WORDS), strategies.text(max_size=12)), min_size=1, max_size=4
).map(" ".join)
"""Text that a ledger or a source may hold."""


def hostile_report(text: str) -> Report:
    """A report in which a text stands wherever a ledger or a source may have one."""
    passage = Passage(source="rep", page=text, sheet=12, section=text, text=text, marked=(0, 1))
    findings = [
        finding(message=text, hint=text, claim=text, see=(passage,)),
        finding(message=text, severity=Severity.WARNING, accepted=text, claim=text),
        finding(message=text, claim=None, severity=Severity.NOTE, unchecks=True),
    ]
    cited = traced(citation(text, page=text), unchecked=text)
    claims = [
        claim(text, Verdict.FLAGGED, traces=[cited], text=text, value=text, unit=text, stage=text, field=text),
        claim(f"{text}2", Verdict.UNCHECKED, traces=[cited]),
    ]
    return report(claims=claims, findings=findings, documents={"rep": document("x")})


def lines_of(render: Callable[[Report], str], text: str) -> list[str]:
    """The lines that a format writes of such a report."""
    return render(hostile_report(text)).split("\n")


class Tags(HTMLParser):
    """The names of the elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
