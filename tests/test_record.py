"""Every mistake in a record is reported at its place in one run, and what could be read is kept."""

import textwrap

import pytest

from tracer import mistakes, record
from tracer.model import Citation, Review, Revision, Search, Seen, Status
from tracer.written import Written
from tracer.yamlfile import read


def written(text: str, path: str = "claims.0") -> Written:
    file = read(textwrap.dedent(text).lstrip().encode(), "claims/a.yaml")
    assert file.problems == ()
    return file.records[path]


def found(text: str, path: str = "claims.0") -> list[tuple[str, str, str | None]]:
    problems = mistakes.in_record(path.split(".")[0], written(text, path))
    return [(f"{problem.at.line}:{problem.at.column}", problem.message, problem.hint) for problem in problems]


def test_a_whole_claim_is_read_as_typed() -> None:
    text = """
        claims:
          - id: no
            stage: kimi-k3/mopd
            field: teachers
            text: Nine teach.
            value: 3.10
            unit: experts
            status: derived
            cite: [{source: s, section: 3.10, page: 1-2, sheet: 3, at: a.b, lines: 4-5, quote: q, because: b}]
            formula: a / b
            inputs: {a: k.a, b: k.b}
            tolerance: 1%
            because: why
            leans-on: [k.c]
            searched: [{source: s, terms: [lr, no], seen: [{page: 10, sheet: 11, section: "3", because: b}]}]
            disputes: [{source: t}]
            accept: {page-wrong: reason}
            made-in: {source: article, quote: m}
            review: {by: Ann, on: 2026-05-01, seen: 0e12}
            note: n
    """
    claim = record.claim("no", written(text))
    assert found(text) == []
    assert (claim.id, claim.value, claim.status) == ("no", "3.10", Status.DERIVED)
    assert claim.cite == (
        Citation(
            source="s", section="3.10", page="1-2", sheet="3", at="a.b", lines="4-5", quote="q", because="b"
        ),
    )  # fmt: skip
    assert (claim.inputs, claim.leans_on, claim.tolerance) == ({"a": "k.a", "b": "k.b"}, ("k.c",), "1%")
    seen = (Seen(page="10", sheet="11", section="3", because="b"),)
    assert claim.searched == (Search(source="s", terms=("lr", "no"), seen=seen, at_path="searched.0"),)
    assert claim.disputes == (Citation(source="t", role="disputes", at_path="disputes.0"),)
    assert claim.made_in == Citation(source="article", quote="m", role="made-in", at_path="made-in")
    assert claim.review == Review(by="Ann", on="2026-05-01", seen="0e12")
    assert claim.accept == {"page-wrong": "reason"}
    assert str(claim.places.of("searched.0.terms.1")) == "claims/a.yaml:15:40"


def test_a_source_keeps_its_revisions_and_reads_backslashes_as_slashes() -> None:
    text = f"""
        sources:
          s:
            sha256: {"AB" * 32}
            file: docs\\Notes.md
            quote-words: 40
            revisions: [{{name: v1, sha256: {"0" * 64}, seen: 2026-01-31}}]
    """
    source = record.source("s", written(text, "sources.s"))
    assert found(text, "sources.s") == []
    assert (source.sha256, source.file, source.quote_words) == ("ab" * 32, "docs/Notes.md", 40)
    assert source.revisions == (Revision(name="v1", sha256="0" * 64, seen="2026-01-31"),)


def test_a_pipeline_and_a_profile_keep_their_order() -> None:
    pipeline = record.pipeline("p", written("pipelines:\n  p: {stages: [{id: b}, {id: a, after: b}]}", "pipelines.p"))
    assert [(stage.id, stage.after) for stage in pipeline.stages] == [("b", None), ("a", "b")]
    profile = record.profile("l", written("profiles:\n  l: {kinds: {rl: {reward: a number, lr: }}}", "profiles.l"))
    assert profile.kinds == {"rl": {"reward": "a number", "lr": ""}}


def test_all_mistakes_of_a_claim_are_found_at_once() -> None:
    text = """
        claims:
          - status: statd
            cite:
              - {sourc: a, page: [1, 2], sheet: p1}
              - hello
            accept: {page-wrong: }
            leans-on: [a b]
            searched: {source: a}
            txt: a
    """
    assert found(text) == [
        ("2:5", "a claim has no `id`", "add a line `id: …`"),
        ("2:13", "`statd` is no status", "did you mean `stated`?"),
        ("4:9", "a citation has no `source`", "add a line `source: …`"),
        ("4:10", "`sourc` is no field of a citation", "did you mean `source`?"),
        ("4:26", "`page` is a list where a text is expected", "write a range such as `1-2`"),
        ("4:41", "`sheet` is neither a number nor a range: `p1`", "write `12` or `12-14`, counted from 1"),
        ("5:9", "item 2 of `cite` is a text where a mapping is expected", None),
        ("6:26", "`page-wrong` is blank", None),
        (
            "7:16",
            "item 1 of `leans-on` is blank or holds white space: `a b`",
            "write a name without spaces, such as `k3.moe.experts`",
        ),
        ("8:15", "`searched` is a mapping where a list is expected", "begin each item below `searched:` with `- `"),
        ("9:5", "`txt` is no field of a claim", "did you mean `text`?"),
    ]


@pytest.mark.parametrize("status", ["", "''", '""'])
def test_a_blank_status_is_a_mistake(status: str) -> None:
    (mistake,) = found(f"claims:\n  - {{id: a, status: {status}}}\n")
    assert mistake[1:] == ("`status` is blank", "write stated, derived, concluded or not-stated")


def test_a_claim_without_a_status_is_told_the_four() -> None:
    hint = "write `status: stated` or `derived` or `concluded` or `not-stated`"
    assert found("claims:\n  - id: a\n") == [("2:5", "a claim has no `status`", hint)]


def test_blank_optional_fields_are_as_good_as_not_written() -> None:
    text = "claims:\n  - {id: a, status: stated, cite: , value: , review: , accept: }\n"
    assert found(text) == []
    assert (record.claim("a", written(text)).cite, record.claim("a", written(text)).value) == ((), None)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("sha256: abc", "`sha256` is no sha256: `abc`"),
        ("quote-words: many", "`quote-words` is no whole number above 0: `many`"),
        ("quote-words: 0", "`quote-words` is no whole number above 0: `0`"),
        ("url: ftp://x", "`url` is no web address: `ftp://x`"),
        ("revisions: [{name: v1}]", "a revision has no `sha256`"),
        ("file: ' '", "`file` is blank"),
    ],
)
def test_a_field_of_a_source_that_cannot_be_is_a_mistake(field: str, message: str) -> None:
    assert [problem[1] for problem in found(f"sources:\n  s: {{{field}}}\n", "sources.s")] == [message]


def test_a_broken_claim_keeps_what_could_be_read_at_the_paths_it_has() -> None:
    text = "claims:\n  - {id: a, status: no, cite: [oops, {source: s, quote: q}], text: [x]}\n"
    claim = record.claim("a", written(text), broken=True)
    assert (claim.status, claim.text, claim.cite[1].quote, claim.cite[1].at_path) == (None, None, "q", "cite.1")


def test_a_hundred_thousand_unknown_keys_end_in_a_list_of_two_hundred() -> None:
    keys = "".join(f"    k{number}: 1\n" for number in range(100_000))
    mistakes = found(f"claims:\n  - id: a\n    status: stated\n{keys}")
    assert len(mistakes) == 201
    assert mistakes[0][1] == "a claim has 100,000 mistakes, of which 200 are listed"


@pytest.mark.parametrize(("key", "name", "is_fine"), [("sources", "a/b", True), ("pipelines", "a/b", False)])
def test_the_id_of_a_pipeline_holds_no_slash(key: str, name: str, is_fine: bool) -> None:
    place = written("claims:\n  - id: a\n").places.of("id")
    assert (mistakes.in_name(key, name, place) == ()) is is_fine
