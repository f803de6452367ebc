"""A claim is a conclusion, but the sources may say it in words.

The passages that share most of the claim's words are shown and never decided upon: where one of them says it, the
claim is `stated` and the passage its citation.

Flagged:

    claims:
      - id: experts
        text: Reinforcement learning yields nine expert models.
        status: concluded
        because: The report counts three domains and three efforts.
        cite: [{source: report, section: 2.2, page: 2, quote: learns from the nine experts}]

Fine:

    claims:
      - id: experts
        text: Reinforcement learning yields nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: learning yields a total of nine expert models}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity, Status
from tracer.wording import listed, page_name

severity = Severity.NOTE


def check(evidence: Evidence) -> Iterator[Problem]:
    """One note per conclusion for which passages were found."""
    for index, claim in evidence.sound_claims:
        passages = evidence.suggestions.get(index, ())
        if claim.status is not Status.CONCLUDED or not passages:
            continue
        places = dict.fromkeys(f"{it.source}, {page_name(it.page, it.sheet)}" for it in passages)
        yield Problem(
            message=f"the sources may state this: {listed(places, most=4)}",
            at=claim.places.of("status"),
            claim=claim.id,
            hint="status: stated, with a citation, if one of the passages says it",
            see=passages,
        )
