"""All files below the ledger's folder make one ledger; nothing in one of them stops or hides the others."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tracer.loading import load
from tracer.model import Ledger, Severity
from tracer.settings import Settings, find

Project = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def ledger(project: Project) -> Callable[[Mapping[str, str | bytes]], Ledger]:
    return lambda files: load(find(project(files)))


def said(ledger: Ledger) -> list[str]:
    return [f"{problem.at} {problem.message}" for problem in ledger.problems]


Loaded = Callable[[Mapping[str, str | bytes]], Ledger]


def test_files_of_any_depth_make_one_ledger(ledger: Loaded) -> None:
    found = ledger(
        {
            "claims/b/c/deep.yml": "claims: [{id: b, status: stated}]",
            "claims/a.yaml": "claims: [{id: a, status: stated}]\nsources: {s: {title: T}}",
            "claims/tracer.schema.json": "{}",
            "claims/.draft.yaml": "claims: [{id: c}]",
        }
    )
    assert [claim.id for claim in found.claims] == ["a", "b"]
    assert [claim.places.path for claim in found.claims] == ["claims/a.yaml", "claims/b/c/deep.yml"]
    assert (list(found.sources), found.problems, found.incomplete) == (["s"], (), ())


def test_the_fingerprint_of_each_file_is_the_sha256_of_its_bytes(ledger: Loaded) -> None:
    # FIPS 180-2: the sha256 of no bytes
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert ledger({"claims/a.yaml": b""}).fingerprints == {"claims/a.yaml": empty}


def test_a_broken_claim_stays_with_what_could_be_read(ledger: Loaded) -> None:
    found = ledger({"claims/a.yaml": "claims:\n  - {id: a, status: statd, text: T}\n  - {id: b, status: stated}\n"})
    assert [(claim.id, claim.broken, claim.text) for claim in found.claims] == [("a", True, "T"), ("b", False, None)]
    assert [problem.claim for problem in found.problems] == ["a"]


def test_a_claim_without_an_id_is_named_by_its_place(ledger: Loaded) -> None:
    found = ledger({"claims/a.yaml": "claims:\n  - {status: stated}\n  - text\n  -\n"})
    assert [claim.id for claim in found.claims] == ["claims/a.yaml:2:5", "claims/a.yaml:3:5", "claims/a.yaml:4:4"]
    assert all(claim.broken for claim in found.claims)


def test_claims_of_one_id_all_stay(ledger: Loaded) -> None:
    files = {
        "claims/a.yaml": "claims:\n  - {id: k17, status: stated}\n",
        "claims/b.yaml": "claims:\n  - {id: K17, status: stated}\n  - {id: k17, status: stated}\n",
    }
    assert [claim.id for claim in ledger(files).claims] == ["k17", "K17", "k17"]


def test_a_source_of_two_files_is_reported_with_both_places(ledger: Loaded) -> None:
    found = ledger({"claims/a.yaml": "sources:\n  s: {title: A}\n", "claims/b.yaml": "#\nsources:\n  s: {title: B}\n"})
    assert said(found) == ["claims/b.yaml:3:3 `s` is also the id of one of the sources in claims/a.yaml on line 2"]
    assert [str(place) for place in found.problems[0].related] == ["claims/a.yaml:2:3"]
    assert found.sources["s"].title == "A"


def test_a_stage_that_is_written_twice_is_reported(ledger: Loaded) -> None:
    found = ledger({"claims/a.yaml": "pipelines:\n  p:\n    stages:\n      - {id: a}\n      - {id: a}\n"})
    assert said(found) == ["claims/a.yaml:5:14 the stage `a` is written twice, first on line 4"]
    assert found.pipelines["p"].broken


OPEN = "close the bracket that is open; the rest of this file was not read, and its claims are not counted"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("claim: []\n", "1:1 `claim` is no part of a ledger file", "did you mean `claims`?"),
        ("xyz: 1\n", "1:1 `xyz` is no part of a ledger file", "write sources, pipelines, profiles or claims"),
        ("claims: {a: {}}\n", "1:9 `claims` is no list", "begin each claim with `- id: `"),
        ("sources: [a]\n", "1:10 `sources` is no mapping of ids", "write each id as a key"),
        ("- a\n", "1:1 the file holds no mapping", "begin it with a line such as `claims:`"),
        ("claims: [\n", "2:1 not valid YAML while parsing a flow node: did not find expected node content", OPEN),
    ],
)
def test_a_file_of_another_form_is_said_to_be_incomplete(ledger: Loaded, text: str, message: str, hint: str) -> None:
    found = ledger({"claims/a.yaml": text, "claims/b.yaml": "claims: [{id: b, status: stated}]"})
    assert said(found) == [f"claims/a.yaml:{message}"]
    assert found.problems[0].hint == hint
    assert (found.incomplete, len(found.claims)) == (("claims/a.yaml",), 1)


SOURCES = r"""
sources:
  a: {file: 'docs\Notes.md'}
  c: {file: 'C:\data\x.pdf'}
  d: {file: ../../etc/hostname}
  e: {file: 'docs/CON.md'}
  f: {file: /etc/hostname}
  g: {file: "a\0b"}
  h: {file: docs/../notes.md}
"""


def test_paths_of_other_systems_and_other_folders_are_told_apart(ledger: Loaded) -> None:
    found = ledger({"claims/a.yaml": SOURCES})
    assert said(found) == [
        "claims/a.yaml:3:13 `C:/data/x.pdf` is an absolute path",
        "claims/a.yaml:4:13 `../../etc/hostname` leads out of the project",
        "claims/a.yaml:5:13 `CON.md` is a name that Windows reserves",
        "claims/a.yaml:6:13 `/etc/hostname` is an absolute path",
        "claims/a.yaml:7:13 `file` holds a control character",
    ]
    assert [problem.severity for problem in found.problems] == [None, None, Severity.WARNING, None, None]
    assert {name: source.file for name, source in found.sources.items()} == {
        "a": "docs/Notes.md", "c": None, "d": None, "e": "docs/CON.md", "f": None, "g": None, "h": "docs/../notes.md",
    }  # fmt: skip
    assert [name for name, source in found.sources.items() if source.broken] == ["c", "d", "f", "g"]


def test_a_folder_that_the_settings_allow_may_be_pointed_into(ledger: Loaded, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    sources = f"sources:\n  a: {{file: ../shared/x.pdf}}\n  b: {{file: {shared}/x.pdf}}\n  c: {{file: ../x}}\n"
    found = ledger({"tracer.toml": 'allow = ["../shared"]\n', "claims/a.yaml": sources})
    assert said(found) == ["claims/a.yaml:4:13 `../x` leads out of the project"]
    assert found.sources["b"].file == f"{shared}/x.pdf"


def test_a_link_out_of_the_project_is_not_followed_to_a_source(project: Project, tmp_path: Path) -> None:
    root = project({"claims/a.yaml": "sources: {a: {file: link/x.pdf}}"})
    (root / "link").symlink_to(tmp_path)
    assert said(load(find(root))) == ["claims/a.yaml:1:21 `link/x.pdf` leads out of the project"]


def test_links_are_followed_to_files_inside_the_ledger_alone(project: Project, tmp_path: Path) -> None:
    root = project({"claims/a.txt": "claims: [{id: a, status: stated}]", "claims/folder/b.yaml": "claims: []"})
    (tmp_path / "secret.yaml").write_text("claims: [{id: secret, status: stated}]")
    for name, target in (("in", "a.txt"), ("out", tmp_path / "secret.yaml"), ("loop", "loop.yaml"), ("gone", "x")):
        (root / "claims" / f"{name}.yaml").symlink_to(target)
    (root / "claims" / "linked").symlink_to("folder")
    found = load(find(root))
    assert [claim.id for claim in found.claims] == ["a"]
    assert [message.partition(" ")[0] for message in said(found)] == [
        "claims/gone.yaml:1:1", "claims/linked:1:1", "claims/loop.yaml:1:1", "claims/out.yaml:1:1",
    ]  # fmt: skip
    assert found.problems[-1].message == "a symbolic link leads out of the ledger here"


def test_what_is_no_file_is_reported_and_never_waited_for(project: Project) -> None:
    root = project({"claims/folder.yaml/a.yaml": "claims: [{id: a, status: stated}]"})
    os.mkfifo(root / "claims" / "pipe.yaml")
    found = load(find(root))
    assert said(found) == ["claims/pipe.yaml:1:1 this is no regular file"]
    assert len(found.claims) == 1


def test_a_file_whose_name_is_not_utf_8_is_reported(project: Project) -> None:
    root = project({})
    Path(os.fsdecode(os.fsencode(root) + b"/claims/\xff.yaml")).write_bytes(b"")
    assert said(load(find(root))) == ["claims/\\xff.yaml:1:1 the name of the file is not UTF-8"]


RECORDS = st.recursive(
    st.none() | st.sampled_from(["s", "stated", "", "a b", "3", "../x", "C:\\x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "status", "cite", "source", "file", "stages", "seen", "x"]), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["sources", "pipelines", "profiles", "claims", "cite"]), RECORDS) | RECORDS)
def test_no_record_makes_loading_raise(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    check_that_it_loads(tmp_path_factory, yaml.safe_dump(value, default_flow_style=True).encode())


@given(st.binary(max_size=60).map(lambda tail: b"claims:\n  - id: a\n" + tail))
@hypothesis_settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_bytes_make_loading_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    check_that_it_loads(tmp_path_factory, data)


def check_that_it_loads(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    root = tmp_path_factory.getbasetemp() / "fuzz"
    (root / "claims").mkdir(parents=True, exist_ok=True)
    (root / "claims" / "a.yaml").write_bytes(data)
    found = load(Settings(root=root, ledger=root / "claims"))
    broken = [record for record in (*found.claims, *found.sources.values()) if record.broken]
    assert found.problems or (not broken and not found.incomplete)
