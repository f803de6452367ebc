"""Every scalar is the text that was typed, every value has its place, and no bytes make the reader raise."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tracer import yamlfile
from tracer.model import Severity
from tracer.written import MAX_BYTES, File, fingerprint
from tracer.yamlfile import MAX_DEPTH, MAX_EVENTS, MAX_PROBLEMS, read


def messages(file: File) -> list[str]:
    return [f"{problem.at.line}:{problem.at.column} {problem.message}" for problem in file.problems]


@pytest.mark.parametrize(
    "typed",
    ["no", "off", "y", "N", "3.10", "1.20", "7031945268e2", "5550123", "0012345", "0x1F", "12:34:56", "1_000", "~"],
)
def test_a_scalar_is_the_text_that_was_typed(typed: str) -> None:
    file = read(f"claims:\n  - {{id: {typed}, terms: [{typed}]}}\n  - {typed}\n".encode(), "a.yaml")
    assert file.top.value == {"claims": [{"id": typed, "terms": [typed]}, typed]}


def test_a_blank_is_not_the_empty_text() -> None:
    assert read(b"claims:\n  - {a: , b: '', c: \"\"}\n", "a.yaml").top.value == {
        "claims": [{"a": None, "b": "", "c": ""}]
    }


def test_every_value_and_key_has_its_place() -> None:
    file = read(b"claims:\n  - id: x\n    cite:\n      - {source: s, page: 3}\n      - source: t\n", "a.yaml")
    assert file.records["claims.0"].values == {
        "": (2, 5),
        "id": (2, 9),
        "cite": (4, 7),
        "cite.0": (4, 9),
        "cite.0.source": (4, 18),
        "cite.0.page": (4, 27),
        "cite.1": (5, 9),
        "cite.1.source": (5, 17),
    }
    assert file.records["claims.0"].keys["cite.0.page"] == (4, 21)
    assert file.top.keys["claims"] == (1, 1)


def test_columns_count_characters_and_line_ends_of_windows_count_once() -> None:
    file = read("\ufeffsources:\r\n  a: {title: é𝕏, file: f}\r\n  b: {}\r\n".encode(), "a.yaml")
    assert file.records["sources.a"].values["file"] == (2, 24)
    assert file.records["sources.b"].values[""] == (3, 6)


def test_a_key_that_is_written_twice_is_reported_with_both_lines() -> None:
    file = read(b"claims:\n  - id: c1\n    status: stated\n    quote: alpha\n    quote: {beta: 1}\n", "a.yaml")
    assert messages(file) == ["5:5 `quote` is written twice, first on line 4"]
    assert [place.line for place in file.problems[0].related] == [4]
    assert file.records["claims.0"].is_broken
    assert file.records["claims.0"].value == {"id": "c1", "status": "stated", "quote": "alpha"}


def test_aliases_that_multiply_are_refused_at_their_lines() -> None:
    lines = ["a: &a [x,x,x]", *(f"{b}: &{b} [*{a},*{a},*{a}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True))]
    file = read("\n".join([*lines, "claims: *i"]).encode(), "a.yaml")
    assert [problem.at.line for problem in file.problems] == list(range(1, 11))
    assert file.problems[0].message == "`&a` is an anchor"
    assert file.problems[-1].message == "`*i` is an alias"
    assert not file.is_whole


def test_a_tag_is_refused_and_nothing_is_made_of_it() -> None:
    file = read(b"claims:\n  - {id: !!python/object/apply:os.getcwd [], text: !!str 3}\n", "a.yaml")
    assert messages(file) == ["2:10 `tag:yaml.org,2002:python/object/apply:os.getcwd` is a tag"]
    assert file.records["claims.0"].value == {"id": [], "text": "3"}


@pytest.mark.parametrize("opening", [b"[", b"{a: ", b"- "])
@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 900, 100_000])
def test_deep_nesting_is_refused_at_its_place(opening: bytes, depth: int) -> None:
    (found,) = read(opening * depth, "a.yaml").problems
    assert found.message == "more than 32 lists and mappings stand inside each other here"
    assert found.at.line == 1


def test_nesting_up_to_the_limit_is_read() -> None:
    assert read(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, "a.yaml").problems == ()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a: 1\nb: \xff", "2:4 the file is not UTF-8 here"),
        ("é: \xff".encode("latin-1"), "1:1 the file is not UTF-8 here"),
        ("a: 1".encode("utf-16"), "1:1 the file is UTF-16"),
        (b"a: 1\r\nb: x\0y", "2:5 the character U+0000 stands here"),
        ("a: x\u2028y".encode(), "1:5 the character U+2028 stands here"),
        ("a: train\ufffeing".encode(), "1:9 the character U+FFFE stands here"),
        (b"claims:\n\t- id: x", "2:1 a tab stands where spaces are expected"),
        (b"a: 1\n---\nb: 2\n", "2:1 a second document begins here"),
        (b"? [a, b]\n: c", "1:3 a list or a mapping stands where a key is expected"),
        (b"text: a: b", "1:8 not valid YAML: mapping values are not allowed in this context"),
        (b"a: 1\n  b: [\n", "2:4 not valid YAML: mapping values are not allowed in this context"),
        (
            b"a: 1\nb: 'open\nc: 2\n",
            "2:4 not valid YAML while scanning a quoted scalar: found unexpected end of stream",
        ),
        (b" " * (MAX_BYTES + 1), "1:1 the file is larger than 16 MiB"),
        (b"- x\n" * MAX_EVENTS, "1:1 the file holds more than 500,000 values"),
    ],
)
def test_what_cannot_be_read_is_one_problem_at_its_place(data: bytes, expected: str) -> None:
    file = read(data, "a.yaml")
    assert messages(file) == [expected]
    assert not file.is_whole


@pytest.mark.parametrize("data", [b"", b"# nothing yet\n", b"---\n", b"\xef\xbb\xbf", b"--- {}\n...\n"])
def test_an_empty_file_has_no_problem(data: bytes) -> None:
    assert read(data, "a.yaml").problems == ()


def test_records_before_a_mistake_in_the_writing_are_kept_whole() -> None:
    file = read(b"claims:\n  - {id: a}\n  - id: b\n    field: f\n    text: 'open\n", "a.yaml")
    assert not file.records["claims.0"].is_broken
    assert file.records["claims.1"].is_broken


def test_reading_stops_at_many_mistakes_and_says_so() -> None:
    file = read(b"- !x 1\n" * 1000, "a.yaml")
    assert len(file.problems) == MAX_PROBLEMS + 1
    assert file.problems[-1].message == "the file has more than 200 mistakes"
    assert file.problems[-1].hint == "the rest of this file was not read, and its claims are not counted"


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        ("a:\n  - b: 1\n    c: 2\n   d: 3\n", 4, "indent this line as those that it belongs with"),
        ("a:\n  - b: 1\n      c: 2\n", 3, "indent it as the fields beside it"),
        ("a: K3: a model\n", 1, "put a text that holds `: ` in quotes"),
        ('a: 1\nb: "open\nc: 2\n', 2, "close the quotation mark that opens here"),
        ('a: "he said "no" to it"\n', 1, 'close each quotation mark, and write \\" for one within a text'),
        ("a:\n  b: 1\n  c 2\n", 3, "write it as `name: value`"),
        ("a: {b: see Table #3}\n", 2, "put the text in quotes, for ` #` begins a comment"),
        ("a: {b: 1\n", 2, "close the bracket"),
        ('a: "C:\\path"\n', 1, "write \\\\ for a backslash"),
    ],
)
def test_a_file_that_is_not_read_to_its_end_says_so_and_what_to_write(text: str, line: int, hint: str) -> None:
    (problem,) = read(text.encode(), "a.yaml").problems
    assert problem.at.line == line
    assert (problem.hint or "").startswith(hint)
    assert (problem.hint or "").endswith("; the rest of this file was not read, and its claims are not counted")


def test_a_quote_that_a_comment_cuts_short_is_a_warning() -> None:
    file = read("- note: Größe\n- quote: as Table #3 shows\n- quote: 'as Table' #3\n- quote: x  # seen\n".encode(), "a")
    (problem,) = file.problems
    assert (problem.at.line, problem.at.column, problem.severity) == (2, 18, Severity.WARNING)
    assert problem.message == "the quote ends before `#3 shows`, which is a comment"
    assert file.is_whole


def test_the_parser_in_pure_python_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    data = 'claims:\n  - id: é\n    cite: [{source: 3.10, quote: "…\\n"}]\n    note: |\n      a\n\n  -\n'.encode()
    fast = read(data, "a.yaml")
    monkeypatch.setattr(yamlfile, "Loader", yaml.SafeLoader)
    assert read(data, "a.yaml") == fast
    assert len(read(b'a: "\\UFFFFFFFF"', "a.yaml").problems) == 1


def events_of(claims: int) -> int:
    lines = (f"  - {{id: k{n}, status: stated, cite: [{{source: s, quote: q}}]}}\n" for n in range(claims))
    return read(("claims:\n" + "".join(lines)).encode(), "a.yaml").events


def test_five_times_the_claims_are_five_times_the_work() -> None:
    assert events_of(1000) / events_of(200) <= 5


@given(
    st.binary(max_size=200) | st.text(alphabet="ab:-[]{}&*!|>'\"#%@,?\n\t \ufeff\x00\x85é", max_size=80).map(str.encode)
)
def test_no_bytes_make_reading_raise(data: bytes) -> None:
    file = read(data, "a.yaml")
    lines = data.count(b"\n") + data.count(b"\r") + 2
    assert all(1 <= problem.at.line <= lines and problem.at.column >= 1 for problem in file.problems)
    assert file.is_whole or file.problems


@given(st.dictionaries(st.text(max_size=8), st.lists(st.text(max_size=20), max_size=3), max_size=4))
def test_what_yaml_writes_is_read_back_as_text(value: dict[str, list[str]]) -> None:
    data = yaml.safe_dump(value, allow_unicode=False, default_style='"').encode()
    assert read(data, "a.yaml").top.value == value


def test_the_fingerprint_is_the_sha256_of_the_bytes() -> None:
    # FIPS 180-2, appendix B.1
    assert fingerprint(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_the_place_of_a_problem_names_the_file() -> None:
    assert str(read(b"\t-", "claims/a.yaml").problems[0].at) == "claims/a.yaml:1:1"
