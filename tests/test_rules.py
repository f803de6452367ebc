"""The rules: their documentation, and the examples in it, run from the ledger's file to the report."""

import io
import re
import textwrap
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from conftest import pdf_of, sha256_of
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from tracer import rules
from tracer.checking import check
from tracer.library import Library
from tracer.loading import load
from tracer.model import Failure, Finding, Report, Severity, Verdict
from tracer.settings import find
from tracer.tracing import trace

Project = Callable[[Mapping[str, str | bytes]], Path]

FOLDER = Path(__file__).parent / "rule_examples"

REPORT = pdf_of(
    [
        "# Osprey\n\n# Abstract\nOsprey is a model with 2.8T parameters, of which 104B work on a token.\n\n"
        "# 1 Pre-training\nThe model is trained on 12 trillion tokens of text.\n"
        "The learning rate rises over 2,000 steps to its peak.\n"
        "The context length grows from 8K to 64K in two stages.",
        "# 2 Post-training\n\n## 2.1 Experts\nReinforcement learning yields a total of nine expert models.\n"
        "The experts are not released to the public.\n\n"
        "## 2.2 Distillation\nA student learns from the nine experts, except for safety.\n"
        "The batch holds 256 prompts.",
        "# 3 Evaluation\nEvery score is the mean of three runs.\nThe batch holds 256 prompts.",
    ],
    outline=[
        (0, "Abstract", 1),
        (0, "1 Pre-training", 1),
        (0, "2 Post-training", 2),
        (1, "2.1 Experts", 2),
        (1, "2.2 Distillation", 2),
        (0, "3 Evaluation", 3),
    ],
    labels=("1", "2", "3"),
)


def scan_of(first: str | None = None) -> bytes:
    """A PDF with a page that is an image of nothing, behind one with a sentence where that is given."""
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    if first:
        canvas.drawString(72, 700, first)
        canvas.showPage()
    canvas.drawInlineImage(Image.new("L", (40, 40), 200), 72, 72, 400, 600)
    canvas.save()
    return stream.getvalue()


FILES = {
    "report.pdf": REPORT,
    "scan.pdf": scan_of(),
    **{name: (FOLDER / name).read_bytes() for name in ("notes.md", "letter.txt", "config.json")},
}
LATE = {"accept-unused"}
"""Rules whose fine example needs a fault of another rule."""


def examples(name: str) -> tuple[str, str]:
    """The flagged and the fine ledger of a rule's documentation."""
    match = re.fullmatch(r".*\n\nFlagged:\n\n(.*)\n\nFine:\n\n(.*)", rules.load(name).documentation, re.DOTALL)
    assert match is not None
    flagged, fine = map(textwrap.dedent, match.groups())
    return flagged, fine


def audited(project: Project, ledger: str) -> Report:
    """The report on a ledger whose sources are those of the examples, as far as it does not give them itself."""
    own = set(re.findall(r"^  (\w+):", ledger.partition("claims:")[0], re.MULTILINE))
    names = {Path(file).stem: file for file in FILES}
    sources = "".join(
        f"  {name}: {{file: {file}, sha256: {sha256_of(FILES[file])}}}\n"
        for name, file in names.items()
        if name not in own
    )
    root = project({**FILES, "claims/example.yaml": ledger, "claims/sources.yaml": f"sources:\n{sources}"})
    settings = find(root)
    loaded = load(settings)
    with closing(Library(settings)) as library:
        return check(trace(loaded, library))


def found(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings}


def only(report: Report, rule: str) -> Finding:
    """The one finding of a rule."""
    (finding,) = (finding for finding in report.findings if finding.rule == rule)
    return finding


@pytest.mark.parametrize("name", rules.RULES)
def test_the_flagged_example_of_a_rule_is_found_by_it(name: str, project: Project) -> None:
    report = audited(project, examples(name)[0])
    findings = [finding for finding in report.findings if finding.rule == name]
    assert findings
    assert all(finding.severity is rules.load(name).severity for finding in findings)
    assert all(finding.problem.at.path == "claims/example.yaml" or name == "page-unreadable" for finding in findings)


@pytest.mark.parametrize("name", rules.RULES)
def test_the_fine_example_of_a_rule_is_verified(name: str, project: Project) -> None:
    report = audited(project, examples(name)[1])
    assert found(report) - ({"page-wrong"} if name in LATE else set()) == set()
    assert [claim.verdict for claim in report.claims] == [Verdict.VERIFIED] * len(report.claims)
    assert report.claims


@pytest.mark.parametrize("name", rules.RULES)
def test_the_documentation_of_a_rule_says_what_and_why_and_explain_prints_it(name: str) -> None:
    lines = rules.load(name).documentation.splitlines()
    assert re.fullmatch(r"[A-Z].*\.", lines[0])
    assert lines[1] == ""
    assert lines[2]
    assert rules.explain(name).splitlines()[2:4] == lines[:2]


def test_every_module_of_the_shelf_is_a_rule() -> None:
    modules = {path.stem for path in Path(rules.__file__).parent.glob("[!_]*.py")}
    assert modules == {name.replace("-", "_") for name in rules.RULES}


def test_a_mistyped_rule_is_a_failure_that_names_the_right_one() -> None:
    with pytest.raises(Failure, match=r"^there is no rule pages-wrong: did you mean `page-wrong`\?$"):
        rules.explain("pages-wrong")
    with pytest.raises(Failure, match=r"^there is no rule Page_Wrong: did you mean `page-wrong`\?$"):
        rules.explain("Page_Wrong")
    with pytest.raises(Failure, match=r"^there is no rule x: `tracer explain` lists all$"):
        rules.explain("x")


def test_the_page_of_rules_has_each_rule_and_both_its_examples() -> None:
    page = rules.documentation()
    for name in rules.RULES:
        chapter = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        blocks = re.findall(r"```yaml\n(.*?)\n```", chapter, re.DOTALL)
        assert tuple(block + "\n" for block in blocks) == tuple(part.rstrip() + "\n" for part in examples(name))


# --- what single rules say ---------------------------------------------------------------------------------------


def claim(citation: str, *, more: str = "", text: str = "The model is as it is.") -> str:
    return (
        f"claims:\n  - id: it\n    text: {text}\n    status: stated\n    cite: [{{source: report, {citation}}}]\n{more}"
    )


def test_a_wrong_page_names_the_right_one_and_points_at_the_page(project: Project) -> None:
    report = audited(project, claim("section: 2.1, page: 3, quote: a total of nine expert models"))
    problem = only(report, "page-wrong").problem
    assert (problem.message, problem.hint) == ("the quote is on page 2", "page: 2")
    assert problem.see[0].page == "2"
    column = "    cite: [{source: report, section: 2.1, page: 3".index("3") + 1
    assert (problem.at.line, problem.at.column) == (5, column)


def test_a_page_behind_the_last_one_is_told_from_a_wrong_one(project: Project) -> None:
    moved = audited(project, claim("section: 2.1, page: 48, quote: a total of nine expert models"))
    assert only(moved, "page-wrong").problem.message == "the quote is on page 2; report has only 3 pages"
    lost = audited(project, claim("section: 2.1, page: 2-48, quote: ten violins were tuned at noon"))
    assert only(lost, "quote-missing").problem.message == "the quote is not in report; report has only 3 pages"


def test_a_quote_that_is_not_on_its_page_may_stand_on_one_that_cannot_be_read(project: Project) -> None:
    half = scan_of("Nine experts teach the student.")
    project({"half.pdf": half})
    ledger = claim("page: 1, quote: ten violins were tuned at noon").replace("source: report", "source: half")
    report = audited(project, f"sources:\n  half: {{file: half.pdf, sha256: {sha256_of(half)}}}\n{ledger}")
    message = only(report, "quote-missing").problem.message
    assert message == "the quote is not in half; 1 page of it cannot be read"


def test_a_claim_of_an_audited_document_without_a_source_is_told_what_is_missing(project: Project) -> None:
    made = "    made-in: {source: letter, quote: it}\n"
    report = audited(project, f"claims:\n  - id: it\n    text: It is.\n    status: stated\n{made}")
    hint = only(report, "claim-unsourced").problem.hint
    assert hint == "no source is known for what letter says here: cite one with its quote, if there is"


def test_a_wrong_section_names_the_right_one(project: Project) -> None:
    report = audited(project, claim("section: 3, page: 2, quote: a total of nine expert models"))
    problem = only(report, "section-wrong").problem
    assert (problem.message, problem.hint) == ("the quote is in section 2.1, “Experts”", "section: 2.1")


def test_an_altered_quote_names_the_words_that_differ(project: Project) -> None:
    report = audited(project, claim("section: 2.1, page: 2, quote: learning yields a total of eight expert models"))
    problem = only(report, "quote-altered").problem
    assert problem.message == "the quote says “eight” where the source says “nine”"
    assert found(report) == {"quote-altered"}


def test_a_left_out_negation_is_named(project: Project) -> None:
    report = audited(project, claim("section: 2.1, page: 2, quote: The experts are released to the public"))
    assert "not" in only(report, "quote-altered").problem.message


def test_a_missing_quote_asks_no_other_rule(project: Project) -> None:
    ledger = claim("section: 2.1, page: 9, quote: ten violins were tuned at noon", more="    value: 9\n")
    assert found(audited(project, ledger)) == {"quote-missing"}


def test_an_ambiguous_quote_lists_its_places(project: Project) -> None:
    report = audited(project, claim("quote: The batch holds 256 prompts"))
    message = only(report, "quote-ambiguous").problem.message
    assert message == "the quote occurs twice: page 2, section 2.2 and page 3, section 3"


@pytest.mark.parametrize("quote", ["the", "tokens", "model", "104B work", "a b"])
def test_a_quote_of_a_few_letters_is_short_where_it_holds_no_number(quote: str, project: Project) -> None:
    rule = "quote-short"
    report = audited(project, claim(f"section: Abstract, page: 1, quote: {quote}"))
    is_number = any(map(str.isdigit, quote))
    assert (rule in found(report)) is (not is_number and report.claims[0].traces[0].anchors != ())


def test_a_number_of_a_table_is_no_short_quote(project: Project) -> None:
    report = audited(project, claim("section: Abstract, page: 1, quote: 2.8T", more="    value: 2.8T\n"))
    assert found(report) == set()
    assert report.claims[0].verdict is Verdict.VERIFIED


@pytest.mark.parametrize(("value", "is_there"), [("12T", True), ("12,000B", True), ("13T", False), ("12", False)])
def test_a_value_is_in_the_quote_in_any_notation(value: str, is_there: bool, project: Project) -> None:
    ledger = claim("section: 1, page: 1, quote: trained on 12 trillion tokens of text", more=f"    value: {value}\n")
    assert ("number-absent" not in found(audited(project, ledger))) is is_there


def test_a_number_that_only_the_text_has_is_a_warning_at_the_text(project: Project) -> None:
    ledger = claim("section: 2.1, page: 2, quote: a total of nine expert models", text="Nine experts and 77 judges.")
    finding = only(audited(project, ledger), "number-absent")
    assert finding.severity is Severity.WARNING
    assert "“77”" in finding.problem.message
    assert finding.problem.at.line == 3


@pytest.mark.parametrize(("tokens", "is_right"), [("1.2e+13", True), ("1.3e+13", False)])
def test_a_number_that_ends_the_sentence_of_a_claim_is_read_whole(
    tokens: str, is_right: bool, project: Project
) -> None:
    text = f"The number of tokens is {tokens}."
    report = audited(project, claim("section: 1, page: 1, quote: trained on 12 trillion tokens of text", text=text))
    assert (found(report) == set()) is is_right
    if not is_right:
        assert f"“{tokens}”" in only(report, "number-absent").problem.message


def test_a_value_in_words_that_the_quote_does_not_have_is_a_warning(project: Project) -> None:
    ledger = claim("section: 2.1, page: 2, quote: The experts are not released", more="    value: closed\n")
    assert only(audited(project, ledger), "number-absent").severity is Severity.WARNING


def test_a_value_in_words_stands_in_the_quote_in_their_order(project: Project) -> None:
    ledger = claim("section: 2.1, page: 2, quote: The experts are not released", more="    value: not released\n")
    assert found(audited(project, ledger)) == set()


@pytest.mark.parametrize(("value", "is_right"), [("896", True), ("0.9K", False), ("869", False)])
def test_a_scalar_of_a_data_file_is_compared_with_the_value(value: str, is_right: bool, project: Project) -> None:
    ledger = claim("at: model.num_experts", more=f"    value: {value}\n").replace("report", "config")
    report = audited(project, ledger)
    assert (found(report) == set()) is is_right
    if not is_right:
        assert only(report, "number-absent").problem.hint == "value: 896"


def test_a_path_that_a_data_file_does_not_hold_is_missing(project: Project) -> None:
    report = audited(project, claim("at: model.experts", more="    value: 896\n").replace("report", "config"))
    assert only(report, "quote-missing").problem.message == "config has nothing at model.experts"


def test_a_mistyped_source_is_reported_once_with_the_one_that_is_meant(project: Project) -> None:
    report = audited(project, claim("section: 1, page: 1, quote: trained on 12 trillion").replace("report", "reprot"))
    assert found(report) == {"reference-unknown"}
    assert "report" in (only(report, "reference-unknown").problem.hint or "")


def test_every_record_that_names_what_is_not_there_is_reported_at_its_place(project: Project) -> None:
    ledger = """\
pipelines:
  kestrel:
    profile: no-profile
    stages:
      - {id: base}
      - {id: tuned, after: bass}
claims:
  - id: it
    stage: kestrel/tune
    text: Concluded from what is not there.
    status: concluded
    because: Nothing says so.
    leans-on: [itt]
"""
    report = audited(project, ledger)
    places = [(finding.problem.at.line, finding.problem.hint) for finding in report.findings]
    lines = ledger.splitlines()
    wrong = [lines.index(line) + 1 for line in lines if any(name in line for name in ("no-profile", "bass", "tune\n"))]
    assert sorted(line for line, _ in places) == sorted({*wrong, 9, 13})
    assert found(report) == {"reference-unknown"}


def test_ids_that_differ_in_case_are_a_warning_and_equal_ids_an_error(project: Project) -> None:
    cite = "cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]"
    one = f"text: There are nine., status: stated, {cite}"
    ledger = f"claims:\n  - {{id: k17, {one}}}\n  - {{id: K17, {one}}}\n  - {{id: k17, {one}}}\n"
    report = audited(project, ledger)
    said = [(finding.severity, finding.problem.message) for finding in report.findings]
    assert said == [
        (
            Severity.WARNING,
            "the id K17 in claims/example.yaml:3 differs from k17 in claims/example.yaml:2 only in case",
        ),
        (Severity.ERROR, "the id k17 is used in claims/example.yaml:2 and claims/example.yaml:4"),
    ]
    assert all(finding.problem.related[0].line == 2 for finding in report.findings)


def test_a_term_lists_its_pages_once_and_is_silent_where_they_are_answered(project: Project) -> None:
    ledger = """\
claims:
  - id: it
    text: The batch is not stated.
    status: not-stated
    searched:
      - source: report
        terms: [batch, zebra]
        seen: [{page: 3, because: a score}]
"""
    problem = only(audited(project, ledger), "term-found").problem
    assert problem.message == "“batch” occurs once in report, on page 2"
    assert problem.at.line == 7


def test_an_unread_source_is_one_finding_that_counts_what_it_leaves_unchecked(project: Project) -> None:
    absent = f"sources:\n  away: {{sha256: {'0' * 64}, url: https://example.org/a.pdf}}\n"
    cite = "{source: away, page: 1, quote: nobody can see this}"
    claims = "".join(f"  - {{id: c{n}, text: It is., status: stated, cite: [{cite}]}}\n" for n in range(3))
    report = audited(project, f"{absent}claims:\n{claims}")
    finding = only(report, "source-unread")
    assert "3 citations unchecked" in finding.problem.message
    assert (finding.problem.at.line, finding.problem.hint) == (2, "tracer fetch away")
    assert [claim.verdict for claim in report.claims] == [Verdict.UNCHECKED] * 3
