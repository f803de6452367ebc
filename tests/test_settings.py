"""The nearest settings file upward decides; what it says wrong is one sentence with its line."""

from pathlib import Path

import pytest

from tracer.model import Failure, Severity
from tracer.settings import find


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "claims" / "deep").mkdir(parents=True)
    (tmp_path / "facts").mkdir()
    return tmp_path.resolve()


def write(folder: Path, text: str, name: str = "tracer.toml") -> None:
    (folder / name).write_text(text, encoding="utf-8")


def failure(folder: Path) -> str:
    with pytest.raises(Failure) as caught:
        find(folder)
    return str(caught.value).removeprefix(f"{folder}/")


def test_the_settings_file_is_found_from_any_folder_below(folder: Path) -> None:
    write(folder, 'ledger = "facts"\nsources = ["reports", "../shared"]\nallow = ["../shared"]\n')
    settings = find(folder / "claims" / "deep")
    assert (settings.root, settings.ledger, settings.file) == (folder, folder / "facts", folder / "tracer.toml")
    assert settings.sources == (folder / "reports", folder.parent / "shared")
    assert settings.allow == (folder.parent / "shared",)


def test_a_folder_named_claims_is_a_ledger_without_settings(folder: Path) -> None:
    settings = find(folder / "claims" / "deep")
    assert (settings.root, settings.ledger, settings.file) == (folder, folder / "claims", None)


def test_a_settings_file_further_up_goes_before_a_folder_named_claims(folder: Path) -> None:
    (folder / "claims" / "deep" / "claims").mkdir()
    write(folder, "")
    assert find(folder / "claims" / "deep").root == folder


def test_the_project_file_serves_where_it_has_a_table_for_it(folder: Path) -> None:
    write(folder, '[project]\nname = "x"\n', "pyproject.toml")
    assert find(folder).file is None
    write(folder, '[project]\nname = "x"\n[tool.tracer]\nledger = "facts"\n', "pyproject.toml")
    assert find(folder).ledger == folder / "facts"
    write(folder, "")
    assert find(folder).ledger == folder / "claims"


@pytest.mark.parametrize(
    "text",
    [
        '[tool]\ntracer = {ledger = "facts"}\n',
        'tool = {tracer = {ledger = "facts"}}\n',
        'tool.tracer.ledger = "facts"\n',
        '[tool."tracer"]\nledger = "facts"\n',
        '[tool.tracer-extras]\nx = 1\n[tool.tracer]\nledger = "facts"\n',
    ],
)
def test_the_table_is_found_however_toml_lets_it_be_written(folder: Path, text: str) -> None:
    write(folder, text, "pyproject.toml")
    assert find(folder).ledger == folder / "facts"


@pytest.mark.parametrize(
    "text", ["[tool.tracer-extras]\nx = 1\n", "[tool.tracers]\nx = 1\n", 'tool = "tracer"\n', "[tracer]\nx = 1\n"]
)
def test_a_table_of_another_name_is_not_the_settings(folder: Path, text: str) -> None:
    write(folder, text, "pyproject.toml")
    assert find(folder).file is None


def test_a_broken_project_file_of_other_programs_is_passed_by(folder: Path) -> None:
    write(folder, "= not toml", "pyproject.toml")
    assert find(folder).file is None


def test_severities_are_read_and_off_is_none(folder: Path) -> None:
    write(folder, '[rules]\nquote-short = "note"\npage-wrong = "off"\n')
    assert find(folder).severities == {"quote-short": Severity.NOTE, "page-wrong": None}


def test_without_a_ledger_the_way_to_start_one_is_said(tmp_path: Path) -> None:
    assert failure(tmp_path).endswith("run `tracer init` to start one")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('# a\nledgr = "claims"\n', "tracer.toml:2: `ledgr` is no setting; did you mean `ledger`?"),
        ('\n\n[rule]\nx = "note"\n', "tracer.toml:3: `rule` is no setting; did you mean `rules`?"),
        ('[rules]\na = "note"\nb = "eror"\n', "tracer.toml:3: `eror` is no severity; did you mean `error`?"),
        ('[rules]\na = 3\n', "tracer.toml:2: `3` is no severity; write one of error, warning, note, off"),
        ("ledger = 3\n", 'tracer.toml:1: `ledger` names no folder; write a path in quotes, such as "claims"'),
        ('ledger = ".."\n', "tracer.toml:1: `..` leads out of the folder of this file; name a folder inside it"),
        ('ledger = "none"\n', "tracer.toml:1: there is no folder `none`; make it, or name the one with the YAML files"),
        ('sources = "reports"\n', 'tracer.toml:1: `sources` is no list; write `sources = ["reports"]`'),
        ("rules = 1\n", "tracer.toml:1: `rules` is no table; begin it with `[rules]`"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(folder: Path, text: str, expected: str) -> None:
    write(folder, text)
    assert failure(folder) == expected


def test_a_file_that_is_no_toml_is_said_with_its_place(folder: Path) -> None:
    write(folder, "ledger = \n")
    assert failure(folder).startswith("tracer.toml is not valid TOML: ")
    assert "line 1" in failure(folder)


def test_a_link_out_of_the_project_is_allowed_only_by_the_settings(folder: Path) -> None:
    outside = folder / "facts"
    project = folder / "claims"
    (outside / "a.pdf").write_bytes(b"")
    (project / "a.pdf").symlink_to(outside / "a.pdf")
    (project / "claims").mkdir()
    write(project, "")
    assert not find(project).allows(project / "a.pdf")
    write(project, 'allow = ["../facts"]\n')
    assert find(project).allows(project / "a.pdf")
    assert not find(project).allows(project / ".." / "b.pdf")
