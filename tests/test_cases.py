"""Faults that users of such tools reported, as whole audits of small ledgers: what must stand, and what must not."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tracer.checking import check
from tracer.library import Library
from tracer.loading import load
from tracer.model import Report, Severity, Verdict
from tracer.settings import find
from tracer.tracing import trace

Write = Callable[[Mapping[str, str | bytes]], Path]
Pdf = Callable[..., bytes]


def audited(root: Path) -> Report:
    settings = find(root)
    library = Library(settings)
    report = check(trace(load(settings), library), severities=settings.severities)
    library.close()
    return report


def ledger(sources: Mapping[str, str], claims: list[Mapping[str, str]]) -> str:
    """A ledger file: sources by id and file, and one stated claim for each citation."""
    lines = ["sources:"]
    for name, file in sources.items():
        lines += [f"  {name}:", f"    file: {file}", f"    sha256: {{sha256 of {file}}}"]
    lines.append("claims:")
    for number, citation in enumerate(claims, start=1):
        fields = ", ".join(f"{key}: '{value}'" for key, value in citation.items())
        lines += [f"  - id: c{number}", "    text: It is said.", "    status: stated", f"    cite: [{{{fields}}}]"]
    return "\n".join(lines) + "\n"


def outcome(report: Report, number: int = 1) -> tuple[Verdict, set[str]]:
    """A claim's verdict, and the rules that flag it."""
    claim = report.claims[number - 1]
    rules = {
        finding.rule
        for finding in report.findings
        if finding.problem.claim == claim.claim.id and finding.severity is not Severity.NOTE
    }
    return claim.verdict, rules


VERIFIED = (Verdict.VERIFIED, set[str]())


def outcomes(
    project: Write, file: str, content: str | bytes, citations: list[dict[str, str]]
) -> list[tuple[Verdict, set[str]]]:
    cited = [{"source": "report", **citation} for citation in citations]
    report = audited(project({file: content, "claims/all.yaml": ledger({"report": file}, cited)}))
    return [outcome(report, number) for number in range(1, len(citations) + 1)]


# --- finding a quote ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "quote"),
    [
        ("The relay keeps a small commun-\nication buffer of 64 MiB", "a small communication buffer of 64 MiB"),
        ("An ordinary ﬁlter drops ﬂat regions and the rest", "An ordinary filter drops flat regions and the rest"),
        ("It says “the model’s own rate” — always", 'It says "the model\'s own rate" - always'),
        ("The café and the naïve Müller model", "The cafe\u0301 and the nai\u0308ve Mu\u0308ller model"),
        ("The O PEN W EIGHTS R EPORT of the year", "The Open Weights Report of the year"),
        ("Thelearning rate is held atten percent", "The learning rate is held at ten percent"),
        ("The lear ning ra te is held at ten percent", "The learning rate is held at ten percent"),
        ("A total of 4\u00a0096 tokens a step are kept", "A total of 4 096 tokens a step are kept"),
        ("The loss is ½ of 10² units at −1 degree", "The loss is ½ of 10^2 units at -1 degree"),
        ("We use a peak rate of 3 × 10^−4^ in all runs", "We use a peak rate of 3 × 10^-4 in all runs"),
        ("Various^3^ domains are kept in the pool", "Various domains are kept in the pool"),
        ("Various domains^1,2^ are kept in the pool", "Various domains are kept in the pool"),
        ("A long-\ncontext phase follows the short one", "A long-context phase follows the short one"),
    ],
)
def test_a_true_quote_stands_however_it_is_set(project: Write, pdf_of: Pdf, printed: str, quote: str) -> None:
    pages = [f"# 1 Setting\n{printed}\nand the rest of the page is about nothing much at all.\n"]
    typed = {"section": "1", "page": "1", "quote": quote.replace("'", "''")}
    assert outcomes(project, "report.pdf", pdf_of(pages), [typed]) == [VERIFIED]


@pytest.mark.parametrize(
    ("printed", "quote"),
    [
        ("The rate was 2.5x the old one here", "The rate was 25x the old one here"),
        ("The loss stays > 3 in every run", "The loss stays < 3 in every run"),
        ("A shift of -1 degree was seen here", "A shift of 1 degree was seen here"),
        ("The corpus holds 3×10^6^ documents in all", "The corpus holds 3×106 documents in all"),
        ("The model was run on 180^4^ nodes at once", "was run on 1804 nodes at once"),
        ("The ratio is 2¾ and no more than that", "The ratio is 23/4 and no more than that"),
        ("It is not able to recover from this", "It is notable to recover from this"),
        ("We trained nineteen models in a row", "We trained nine models in a row"),
        ("The learning rate is never changed here", "The learning rate is changed here"),
        ("The rate is 10-20 percent of the peak", "The rate is 1020 percent of the peak"),
        ("The café model is the one that we keep", "The cafe model is the one that we keep"),
        ("The unsupervised part is the larger one", "supervised part is the larger one"),
        ("A batch of 128 sequences is used here", "A batch of 12 sequences is used here"),
        ("The model keeps its 64K window to the end", "The model keeps its 64M window to the end"),
        ("x − y is what we report in the table", "x y is what we report in the table"),
    ],
)
def test_a_false_quote_never_stands(project: Write, pdf_of: Pdf, printed: str, quote: str) -> None:
    pages = [f"# 1 Setting\n{printed}\nand the rest of the page is about nothing much at all.\n"]
    [(verdict, rules)] = outcomes(project, "report.pdf", pdf_of(pages), [{"section": "1", "page": "1", "quote": quote}])
    assert verdict is Verdict.FLAGGED
    assert rules & {"quote-altered", "quote-missing", "quote-cut"}


def test_a_short_quote_is_no_neighbour_of_an_unrelated_word(project: Write, pdf_of: Pdf) -> None:
    pages = ["# 1 Plants\nThe garden is large and well kept.\n"]
    [(verdict, rules)] = outcomes(project, "report.pdf", pdf_of(pages), [{"page": "1", "quote": "Marten"}])
    assert (verdict, rules) == (Verdict.FLAGGED, {"quote-missing"})


def test_two_pieces_joined_without_a_sign_are_told_with_what_is_left_out(project: Write, pdf_of: Pdf) -> None:
    pages = ["# 1 Setting\nThe optimizer is restarted at step nine and the rate is then halved for good.\n"]
    quote = "The optimizer is restarted and the rate is then halved"
    source = {"source": "report", "section": "1", "page": "1", "quote": quote}
    report = audited(
        project({"report.pdf": pdf_of(pages), "claims/all.yaml": ledger({"report": "report.pdf"}, [source])})
    )
    [finding] = [finding for finding in report.findings if finding.rule == "quote-altered"]
    assert "at step nine" in finding.problem.message


def test_a_repeated_quote_needs_a_place(project: Write, pdf_of: Pdf) -> None:
    pages = [
        "# 1 Small\nIn the small model the rate is 0.1 always.",
        "# 2 Large\nIn the large model the rate is 0.1 always.",
    ]
    found = outcomes(
        project,
        "report.pdf",
        pdf_of(pages),
        [
            {"section": "2", "page": "2", "quote": "the rate is 0.1"},
            {"quote": "the rate is 0.1"},
            {"section": "2", "quote": "In the large model … the rate is 0.1"},
        ],
    )
    assert found[0] == VERIFIED
    assert "quote-ambiguous" in found[1][1]
    assert found[2] == VERIFIED


def test_reference_numbers_that_shifted_are_told_as_such_and_do_not_pass(project: Write, pdf_of: Pdf) -> None:
    pages = ["# 1 Method\nThe method builds on block gating [32, 8] and on residual mixing [13].\n"]
    report = audited(
        project(
            {
                "report.pdf": pdf_of(pages),
                "claims/all.yaml": ledger(
                    {"report": "report.pdf"},
                    [
                        {
                            "source": "report",
                            "page": "1",
                            "quote": "builds on block gating [31, 7] and on residual mixing [12]",
                        },
                        {"source": "report", "page": "1", "quote": "builds on block gating and on residual mixing"},
                    ],
                ),
            }
        )
    )
    [finding] = [finding for finding in report.findings if finding.problem.claim == "c1"]
    assert finding.rule == "quote-altered"
    assert "only the reference numbers differ" in finding.problem.message
    assert outcome(report, 2) == VERIFIED


# --- sources ------------------------------------------------------------------------------------------------------


def test_a_source_changed_under_its_pin_is_said_and_its_quotes_are_not_moved(project: Write, pdf_of: Pdf) -> None:
    first = pdf_of(["# 1 Pool\nThe pool has 32 workers and one spare."])
    second = pdf_of(["# 0 Preface\nNothing here.", "# 1 Pool\nThe pool has 48 workers and one spare."])
    citation = {"source": "report", "section": "1", "page": "1", "quote": "The pool has 32 workers and one spare."}
    root = project({"report.pdf": first, "claims/all.yaml": ledger({"report": "report.pdf"}, [citation])})
    written = (root / "claims/all.yaml").read_bytes()
    (root / "report.pdf").write_bytes(second)
    report = audited(root)
    assert report.findings[0].rule == "source-changed"
    verdict, rules = outcome(report)
    assert (verdict, rules) == (Verdict.FLAGGED, {"quote-altered"})
    [altered] = [finding for finding in report.findings if finding.rule == "quote-altered"]
    assert "32" in altered.problem.message
    assert "48" in altered.problem.message
    assert (root / "claims/all.yaml").read_bytes() == written


def test_text_of_a_web_page_is_what_it_shows(project: Write) -> None:
    page = (
        '<!doctype html><meta charset="utf-8"><title>t</title><h2>Limits</h2>'
        "<p>The under\u00adlying&nbsp;lim\u00adit is\u200b 4\u202f096 to\u2060kens a step.</p>"
        "<p hidden>The hidden limit is 9 tokens a step.</p>"
        '<script>var x = "The script limit is 8 tokens a step."</script>'
    )
    found = outcomes(
        project,
        "page.html",
        page,
        [
            {"section": "Limits", "quote": "The underlying limit is 4 096 tokens"},
            {"section": "Limits", "quote": "The script limit is 8 tokens a step"},
            {"section": "Limits", "quote": "The hidden limit is 9 tokens a step"},
        ],
    )
    assert found[0] == VERIFIED
    assert [verdict for verdict, _ in found[1:]] == [Verdict.FLAGGED, Verdict.FLAGGED]


def test_numbers_keep_their_kind_in_plain_text(project: Write) -> None:
    found = outcomes(
        project,
        "notes.md",
        "# Sizes\n\nThe ratio is 2¾ and the area 10² units of the old one.\n",
        [
            {"section": "Sizes", "quote": "The ratio is 2¾ and the area 10² units"},
            {"section": "Sizes", "quote": "The ratio is 23/4 and the area"},
            {"section": "Sizes", "quote": "and the area 102 units of the"},
        ],
    )
    assert found[0] == VERIFIED
    assert [verdict for verdict, _ in found[1:]] == [Verdict.FLAGGED, Verdict.FLAGGED]


def test_offsets_count_code_points_beyond_the_basic_plane(project: Write) -> None:
    citation = {"source": "report", "lines": "1", "quote": "value is 0.3"}
    root = project(
        {"notes.txt": "ab 𝒳𝒴 a value is 0.3\n", "claims/a.yaml": ledger({"report": "notes.txt"}, [citation])}
    )
    [claim] = audited(root).claims
    [span] = claim.traces[0].anchors[0].spans
    assert (span.start, span.end) == (8, 20)


# --- silence ------------------------------------------------------------------------------------------------------


SILENCES = """
sources:
  report:
    file: report.pdf
    sha256: {sha256 of report.pdf}
claims:
  - id: c1
    text: The batch size.
    status: not-stated
    searched: [{source: report, terms: [batch size, batch-size, tokens per batch]}]
  - id: c2
    text: The decay.
    status: not-stated
    searched: [{source: report, terms: [weight decay, decay]}]
  - id: c3
    text: Nothing was looked for.
    status: not-stated
  - id: c4
    text: The decay, answered.
    status: not-stated
    searched: [{source: report, terms: [decay], seen: [{page: 1, because: it is that of the isotope}]}]
"""


def test_a_silence_is_checked_by_its_terms(project: Write, pdf_of: Pdf) -> None:
    pdf = pdf_of(["# 1 Setting\nThe training uses a decay of 0.1 in all runs of this report.\n"])
    report = audited(project({"report.pdf": pdf, "claims/all.yaml": SILENCES}))
    assert outcome(report, 1) == VERIFIED
    assert outcome(report, 2) == (Verdict.FLAGGED, {"term-found"})
    assert outcome(report, 3) == (Verdict.FLAGGED, {"search-missing"})
    assert outcome(report, 4) == VERIFIED
    assert [(hit.page, hit.answered) for hit in report.claims[1].searches[0].hits] == [(None, False)]


# --- values and places --------------------------------------------------------------------------------------------

VALUES = """
sources:
  report:
    file: report.md
    sha256: {sha256 of report.md}
claims:
  - id: c1
    text: The optimizer.
    value: AdamW
    status: stated
    cite: [{source: report, section: Setting, quote: We use SGD as the optimizer}]
  - id: c2
    text: The optimizer.
    value: SGD
    status: stated
    cite: [{source: report, section: Setting, quote: We use SGD as the optimizer}]
  - id: c3
    text: A page where there is none.
    status: stated
    cite: [{source: report, page: 12, quote: We use SGD as the optimizer}]
  - id: c4
    text: The front of a document that has none.
    status: stated
    cite: [{source: report, section: Title, quote: We use SGD as the optimizer}]
  - id: c5
    text: A sign that is not there.
    status: stated
    cite: [{source: report, section: Setting, quote: "- 0.5 points overall in this setting"}]
"""


def test_a_value_in_words_must_be_in_the_quote_and_a_place_must_exist(project: Write) -> None:
    page = "# Setting\n\nWe use SGD as the optimizer. It gains 0.5 points overall in this setting.\n"
    report = audited(project({"report.md": page, "claims/all.yaml": VALUES}))
    assert outcome(report, 1) == (Verdict.FLAGGED, {"number-absent"})
    assert outcome(report, 2) == VERIFIED
    assert outcome(report, 3)[0] is Verdict.UNCHECKED
    assert outcome(report, 4) == (Verdict.FLAGGED, {"section-wrong"})
    assert outcome(report, 5)[0] is Verdict.FLAGGED


CONFIG = """
sources:
  config:
    file: config.json
    sha256: {sha256 of config.json}
claims:
  - id: c1
    text: The loss.
    status: stated
    cite: [{source: config, at: loss, quote: value − aux}]
  - id: c2
    text: The loss.
    status: stated
    cite: [{source: config, at: loss, quote: valueaux}]
  - id: c3
    text: It is notable.
    status: stated
    cite: [{source: config, at: note, quote: notable}]
"""


def test_a_scalar_of_a_data_file_is_compared_like_any_quote(project: Write) -> None:
    config = '{"loss": "value − aux", "note": "not able"}'
    report = audited(project({"config.json": config, "claims/all.yaml": CONFIG}))
    assert [claim.verdict for claim in report.claims] == [Verdict.VERIFIED, Verdict.FLAGGED, Verdict.FLAGGED]
