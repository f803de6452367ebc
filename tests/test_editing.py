"""An edit changes the lines that it must, and what reaches the disk is the old file or the new one, whole."""

import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from difflib import ndiff
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tracer.editing import Change, Conflict, Value, edited, write
from tracer.model import Failure
from tracer.written import fingerprint
from tracer.yamlfile import read

# case 34: a file as people write it
KEPT = """\
# reviewed in May
claims:

  - id: c1            # the first
    text: >-
      A long statement that is folded over
      two lines by its author.
    status: stated
    value: '0x10'
    quote: 'A very long quote that is kept on one line although it runs past the eightieth column, as people like it.'

  - id: c2
    status: not stated
    text: "tabs\\tand \\"quotes\\""
"""


def set_field(data: bytes, key: str, record: str, field: str, value: Value) -> bytes:
    """The file with one field of one record set."""
    return edited(data, [Change(key=key, id=record, field=field, value=value)])


def changed_lines(before: str, after: str) -> list[str]:
    return [line for line in ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]


def test_setting_one_field_changes_one_line() -> None:
    after = set_field(KEPT.encode(), "claims", "c2", "status", "derived").decode()
    assert changed_lines(KEPT, after) == ["-     status: not stated", "+     status: derived"]
    assert after.endswith('"quotes\\""\n')


@pytest.mark.parametrize(
    ("before", "record", "field", "value", "after"),
    [
        ("s:\n  title: T # c\n\n# d\n", "s", "sha256", "ab", "s:\n  title: T # c\n  sha256: ab\n\n# d\n"),
        ("s:\n  sha256:   # to do\n  file: f", "s", "sha256", "ab", "s:\n  sha256: ab   # to do\n  file: f"),
        ("s:\n  file: f", "s", "sha256", "ab", "s:\n  file: f\n  sha256: ab"),
        ("s:\n  sha256: 'old'  # c\n", "s", "sha256", "new", "s:\n  sha256: 'new'  # c\n"),
        ('s:\n  title: "old"\n', "s", "title", 'a "b"\n', 's:\n  title: "a \\"b\\"\\u000a"\n'),
        ("s: {file: f, note: n}\n", "s", "sha256", "ab", "s: {file: f, note: n, sha256: ab}\n"),
        ("s: { file: f, }\n", "s", "note", "a, b", 's: { file: f, note: "a, b", }\n'),
        ("s: {}\n", "s", "sha256", "ab", "s: {sha256: ab}\n"),
        ("s: {file}\n", "s", "file", "f", "s: {file: f}\n"),
        ("s: {sha256: , file: f}\n", "s", "sha256", "ab", "s: {sha256: ab, file: f}\n"),
        ("s:\nt: {}\n", "s", "sha256", "ab", "s: {sha256: ab}\nt: {}\n"),
        ("s:\n  note: |\n    a\n    b\n\nt: {}\n", "s", "url", "u", "s:\n  note: |\n    a\n    b\n  url: u\n\nt: {}\n"),
        ("s:\n  note: |+\n    a\n\nt: {}\n", "s", "url", "u", "s:\n  note: |+\n    a\n\n  url: u\nt: {}\n"),
        ("s:\n  note: >\n    a\n\n    b\n\nt: {}\n", "s", "note", "c", "s:\n  note: c\n\nt: {}\n"),
        ("s:\n  note: a\n    b\n  url: u\n", "s", "note", "c", "s:\n  note: c\n  url: u\n"),
        ("s: {a: 1, # one\n  b: 2 # two\n  }\n", "s", "c", "3", "s: {a: 1, # one\n  b: 2, c: 3 # two\n  }\n"),
    ],
)
def test_a_field_is_set_or_inserted_in_place(before: str, record: str, field: str, value: str, after: str) -> None:
    nested = [("".join(f"  {line}" for line in text.splitlines(keepends=True))) for text in (before, after)]
    data, expected = (f"sources:\n{text}" for text in nested)
    # blank lines gain the indentation too; that is as good as blank
    assert set_field(data.encode(), "sources", record, field, value).decode() == expected


def test_a_review_is_inserted_and_then_set_again_key_by_key() -> None:
    data = b"claims:\n- id: a\n  status: stated\n- {id: b}\n"
    once = set_field(data, "claims", "a", "review", {"by": "Ann Lee", "on": "2026-05-01", "seen": "3f"})
    assert once == (
        b"claims:\n- id: a\n  status: stated\n  review: {by: Ann Lee, on: 2026-05-01, seen: 3f}\n- {id: b}\n"
    )
    block = b"claims:\n- id: a\n  review:\n    by: Ann  # me\n    seen: 3f\n"
    assert set_field(block, "claims", "a", "review", {"seen": "4a", "on": "2026-05-02"}) == (
        b"claims:\n- id: a\n  review:\n    by: Ann  # me\n    seen: 4a\n    on: 2026-05-02\n"
    )


def test_a_field_deep_in_a_list_is_set() -> None:
    data = b'claims:\n  - id: a\n    cite:\n      - {source: s, page: 3}\n      - source: t\n        page: "4"  # c\n'
    after = set_field(set_field(data, "claims", "a", "cite.0.page", "12-14"), "claims", "a", "cite.1.page", "5")
    assert after == data.replace(b"page: 3", b"page: 12-14").replace(b'"4"', b'"5"')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  s:\n    revisions:\n      - {name: v1} # a\n\n  # b\n", "      - {name: v1} # a\n      - {name: v2}\n\n"),
        ("  s:\n    revisions:\n    - name: v1\n      seen: x\n  t:\n", "      seen: x\n    - {name: v2}\n  t:\n"),
        ("  s: {revisions: [{name: v1}]}\n", "  s: {revisions: [{name: v1}, {name: v2}]}\n"),
        ("  s: {revisions: []}\n", "  s: {revisions: [{name: v2}]}\n"),
        ("  s: {file: f}\n", "  s: {file: f, revisions: [{name: v2}]}\n"),
        ("  s:\n    revisions: # none\n    file: f\n", "    revisions: [{name: v2}] # none\n"),
        ("  s:\n    file: f\n", "  s:\n    file: f\n    revisions:\n      - {name: v2}\n"),
    ],
)
def test_an_item_is_appended_to_a_list_of_any_style(before: str, after: str) -> None:
    result = edited(
        f"sources:\n{before}".encode(),
        [Change(key="sources", id="s", field="revisions", value={"name": "v2"}, appends=True)],
    ).decode()
    assert after in result
    assert len(changed_lines(f"sources:\n{before}", result)) <= 4


def test_many_changes_of_one_file_are_made_together() -> None:
    data = b"sources:\n  s: {}\nclaims:\n  - {id: a}\n  - id: b\n"
    changes = [
        Change(key="sources", id="s", field="sha256", value="ab"),
        Change(key="sources", id="s", field="revisions", value={"name": "v"}, appends=True),
        Change(key="claims", id="b", field="accept", value={"page-wrong": "why"}),
        Change(key="claims", id="b", field="note", value="n"),
        Change(key="claims", id="a", field="note", value="n"),
    ]
    assert edited(data, changes) == (
        b"sources:\n  s: {sha256: ab, revisions: [{name: v}]}\n"
        b"claims:\n  - {id: a, note: n}\n  - id: b\n    accept: {page-wrong: why}\n    note: n\n"
    )


@pytest.mark.parametrize(
    ("data", "record", "field", "message"),
    [
        ("claims:\n  - id: b\n", "a", "note", "the file holds no `a` under `claims`"),
        ("claims:\n  - id: a\n  - id: a\n", "a", "note", "the file holds 2 records with the id `a`"),
        ("claims:\n  - id: a\n    note: 'x\n", "a", "note", "the file:3:11: not valid YAML"),
        ("claims:\n  - {id: a, id: a}\n", "a", "note", "the file:2:13: `id` is written twice"),
        ("claims:\n  - id: a\n", "a", "cite.0.page", "`a` has no `cite.0.page`"),
        ("claims:\n  - id: a\n    cite:\n      - {page: 1}\n", "a", "cite", "a list or a mapping over several lines"),
    ],
)
def test_what_cannot_be_edited_is_said(data: str, record: str, field: str, message: str) -> None:
    with pytest.raises(Failure) as caught:
        set_field(data.encode(), "claims", record, field, "x")
    assert str(caught.value).startswith(message)


FIELDS = st.dictionaries(st.sampled_from(["title", "note", "file", "url"]), st.text(max_size=12), min_size=1)


def entries(fields: Mapping[str, str]) -> list[str]:
    return [
        f"{name}: {yaml.safe_dump(text, default_style=chr(34), width=9999).strip()}" for name, text in fields.items()
    ]


def as_block(fields: Mapping[str, str], comment: str, indent: str) -> str:
    return "".join(f"\n{indent}{entry}{comment}" for entry in entries(fields))


@st.composite
def files(draw: st.DrawFn) -> str:
    """Two sources in a file with comments, the first in braces or in lines."""
    comment = draw(st.sampled_from(["", "  # a: comment", "   "]))
    block = as_block(draw(FIELDS), comment, draw(st.sampled_from(["   ", "    ", "      "])))
    braces = f" {{{', '.join(entries(draw(FIELDS)))}}}{comment}"
    first = draw(st.sampled_from([block, braces]))
    return f"# head\n\nsources:\n  s:{first}\n\n  # between\n  t:{as_block(draw(FIELDS), comment, '    ')}\n# end"


def differing(old: list[bytes], new: list[bytes]) -> tuple[int, int]:
    """How many lines of each remain without those that both begin and both end with."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return len(old), len(new)


TEXTS = st.text(max_size=12)


@given(
    files(), st.sampled_from(["title", "sha256"]), TEXTS, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans()
)
def test_everything_but_the_edited_line_stays_byte_for_byte(
    text: str, field: str, value: str, line_end: str, has_mark: bool, ends_line: bool
) -> None:
    text = text + "\n" if ends_line else text
    before = ("\ufeff" if has_mark else "").encode() + text.replace("\n", line_end).encode()
    after = set_field(before, "sources", "s", field, value)
    assert max(differing(before.split(line_end.encode()), after.split(line_end.encode()))) <= 1
    assert after.startswith("\ufeff".encode()) is has_mark
    top = read(after, "a.yaml").top.value
    assert isinstance(top, dict)
    assert isinstance(top["sources"], dict)
    assert isinstance(top["sources"]["s"], dict)
    assert top["sources"]["s"][field] == value


# --- writing files ----------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "claims" / "a.yaml"
    path.parent.mkdir()
    path.write_bytes(b"claims:\n  - {id: c1, text: one}\n")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_mode(file: Path) -> None:
    file.chmod(0o640)
    write(file, b"claims: []\n", fingerprint(file.read_bytes()), inside=file.parent)
    assert file.read_bytes() == b"claims: []\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(file.parent) == ["a.yaml"]


def test_a_file_that_changed_since_it_was_read_is_refused_with_both_versions(file: Path) -> None:
    read_before = fingerprint(file.read_bytes())
    file.write_bytes(b"claims:\n  - {id: c1, text: one (changed in an editor)}\n")
    now = fingerprint(file.read_bytes())
    with pytest.raises(Conflict) as caught:
        write(file, b"claims: []\n", read_before, inside=file.parent)
    assert (caught.value.expected, caught.value.found) == (read_before, now)
    assert read_before[:12] in str(caught.value)
    assert now[:12] in str(caught.value)
    assert b"changed in an editor" in file.read_bytes()
    assert names(file.parent) == ["a.yaml"]


def test_a_new_file_is_written_only_where_there_is_none(tmp_path: Path) -> None:
    write(tmp_path / "new.yaml", b"a: 1\n", None, inside=tmp_path)
    with pytest.raises(Conflict):
        write(tmp_path / "new.yaml", b"a: 2\n", None, inside=tmp_path)
    assert (tmp_path / "new.yaml").read_bytes() == b"a: 1\n"


def test_a_link_is_followed_inside_the_ledger_alone(file: Path, tmp_path: Path) -> None:
    link, out = file.parent / "link.yaml", file.parent / "out.yaml"
    link.symlink_to("a.yaml")
    (tmp_path / "secret.yaml").write_bytes(b"")
    out.symlink_to(tmp_path / "secret.yaml")
    write(link, b"x", fingerprint(file.read_bytes()), inside=file.parent)
    assert (link.is_symlink(), file.read_bytes()) == (True, b"x")
    with pytest.raises(Failure, match="leads out of"):
        write(out, b"x", fingerprint(b""), inside=file.parent)
    assert (tmp_path / "secret.yaml").read_bytes() == b""


def test_a_link_in_place_of_the_temporary_file_is_not_written_through(file: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"mine")
    (file.parent / ".a.yaml.tracer-edit").symlink_to(tmp_path / "victim")
    with pytest.raises(Failure, match="cannot be written"):
        write(file, b"x", fingerprint(file.read_bytes()), inside=file.parent)
    assert (tmp_path / "victim").read_bytes() == b"mine"


def test_of_many_editors_at_once_one_wins_and_nothing_is_lost(file: Path) -> None:
    read_before = fingerprint(file.read_bytes())

    def save(number: int) -> int | None:
        try:
            write(file, b"%d\n" % number, read_before, inside=file.parent)
        except Conflict:
            return None
        return number

    with ThreadPoolExecutor(16) as editors:
        saved = [number for number in editors.map(save, range(64)) if number is not None]
    assert len(saved) == 1
    assert file.read_bytes() == b"%d\n" % saved[0]
    assert names(file.parent) == ["a.yaml"]


EDITOR = """
import sys
from pathlib import Path
from tracer.editing import Change, edited, write
from tracer.written import fingerprint
file = Path(sys.argv[1])
print("ready", flush=True)
while True:
    data = file.read_bytes()
    title = str(int(data.split(b"title: ")[1].split()[0]) + 1)
    change = Change(key="sources", id="s", field="title", value=title)
    write(file, edited(data, [change]), fingerprint(data), inside=file.parent)
"""


def test_an_edit_that_is_killed_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    around = "# kept\n" * 2000
    file.write_text(f"sources:\n  s:\n    title: 0\n{around}")
    chance, numbers = random.Random(7), [0]  # noqa: S311 -- moments to kill at, no secret
    for _ in range(25):
        child = subprocess.Popen([sys.executable, "-c", EDITOR, str(file)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.uniform(0, 0.03))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        text = file.read_text()
        numbers.append(int(text.split("title: ")[1].split()[0]))
        assert text == f"sources:\n  s:\n    title: {numbers[-1]}\n{around}"
    assert numbers == sorted(numbers)
    assert numbers[-1] > 0
    write(file, b"a: 1\n", fingerprint(file.read_bytes()), inside=tmp_path)
    assert names(tmp_path) == ["a.yaml"]
