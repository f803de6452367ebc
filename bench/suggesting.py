"""What `tracer suggest` says to claims that a report bears out, and to the same with one number changed.

    TRACER_SOURCES=reports python -m bench.suggesting [--seed N] [--rounds N] [--show VERDICT]

Asked are the stated claims of the ledger that have a number, with their stage and field as the words around. A number
is changed to one that stands elsewhere in the same report and is written in the same way, so that some passage has it.
`--show` prints the changed claims with a verdict, and why they have it.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tracer.cache import cache_folder
from tracer.cli.project import Wishes, opened
from tracer.finding import Finder
from tracer.model import Claim, Document, Status
from tracer.numerals import Number, numbers
from tracer.statements import Statement
from tracer.suggesting import Suggestion, Verdict, suggest
from tracer.terms import counts

ROOT = Path(__file__).parent.parent
SOURCES = ("k3-report", "qwen3-report")


def main() -> None:
    """Prints the verdicts of both kinds of statements for each report at hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="how often each claim is changed")
    parser.add_argument("--show", type=Verdict, choices=list(Verdict), metavar="VERDICT")
    options = parser.parse_args()
    project = opened(ROOT, Wishes())
    print(f"{'':32}{'asked':>6}" + "".join(f"{verdict:>18}" for verdict in Verdict))
    for name in SOURCES:
        with project.library() as library:
            document = library.document(project.ledger.sources[name])
        assert isinstance(document, Document), f"{name} is not in TRACER_SOURCES"
        finder = Finder({name: document}, project.ledger.sources, cache_folder())
        stated = [statement(claim) for claim in project.ledger.claims if cites(claim, name)]
        asked = [each for each in stated if changeable(each.text)]
        table(f"{name}, as written", list(suggest(asked, finder)))
        draw = random.Random(options.seed)
        changed = [it for _ in range(options.rounds) for each in asked for it in other(each, document, draw)]
        found = list(suggest(changed, finder))
        table(f"{name}, one number changed", found)
        for each in found:
            if each.verdict is options.show:
                print(f"  {each.statement.text}  {each.why}")


def table(title: str, found: Sequence[Suggestion]) -> None:
    """How many have each verdict, in a line."""
    count = Counter(each.verdict for each in found)
    print(f"{title:32}{len(found):>6}" + "".join(f"{count[verdict]:>18}" for verdict in Verdict))


def cites(claim: Claim, name: str) -> bool:
    """Whether the ledger itself states a claim by a source."""
    return claim.status is Status.STATED and claim.made_in is None and any(it.source == name for it in claim.cite)


def statement(claim: Claim) -> Statement:
    """A claim as an article would state it in the section of its stage and field."""
    around = f"{(claim.stage or '').replace('/', ' ')} {claim.field or ''}"
    return Statement(number=1, text=claim.text or "", context=around, sheet=1, start=0, page=None, line=1, section=None)


def changeable(text: str) -> list[Number]:
    """The numbers of a text that say something and belong to no name."""
    return [number for number in numbers(text) if counts(number) and number.value() and not number.is_attached]


def other(stated: Statement, document: Document, draw: random.Random) -> Iterator[Statement]:
    """A statement with one number changed, if its report has another that is written in the same way."""
    number = draw.choice(changeable(stated.text))
    own = {value for each in numbers(stated.text) for value in each.values}
    there = [
        each
        for page in document.pages
        for each in changeable(page.text)
        if (each.measure, bool(each.suffix)) == (number.measure, bool(number.suffix)) and own.isdisjoint(each.values)
    ]
    if there:
        text = f"{stated.text[: number.start]}{draw.choice(there).text}{stated.text[number.end :]}"
        yield replace(stated, text=" ".join(text.split()))


if __name__ == "__main__":
    main()
