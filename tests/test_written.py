"""A file of a ledger that was parsed, packed and unpacked again, and the ledger that is loaded from kept files."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tracer import yamlfile
from tracer.cache import Cache
from tracer.loading import load
from tracer.settings import Settings
from tracer.written import pack, unpack

ROOT = Path(__file__).parent.parent
CLAIMS = sorted((ROOT / "claims").rglob("*.yaml"))
CLAIM = "claims:\n- id: k.one\n  text: There are nine.\n  status: stated\n  cite: [{source: r, page: 1, quote: nine}]\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "k.yaml").write_text(CLAIM)
    return Settings(root=tmp_path, ledger=tmp_path / "claims")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    with closing(Cache(tmp_path / "cache")) as opened:
        yield opened


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that were parsed so far."""
    paths: list[str] = []
    read = yamlfile.read

    def noted(data: bytes, path: str) -> object:
        paths.append(path)
        return read(data, path)

    monkeypatch.setattr(yamlfile, "read", noted)
    return paths


@pytest.mark.parametrize("path", CLAIMS, ids=[str(path.relative_to(ROOT)) for path in CLAIMS])
def test_a_packed_file_holds_the_same_records_at_the_same_places(path: Path) -> None:
    read = yamlfile.read(path.read_bytes(), "a.yaml")
    again = unpack(pack(read), "b.yaml")
    assert again.top.value == read.top.value
    assert (again.top.values, again.top.keys) == (read.top.values, read.top.keys)
    assert list(again.records) == list(read.records)
    for name, record in read.records.items():
        assert (again.records[name].value, again.records[name].values) == (record.value, record.values)
        assert again.records[name].path == "b.yaml"
    assert (again.is_sound, again.is_whole, again.problems) == (True, True, ())


def test_a_file_without_a_mistake_is_parsed_once(settings: Settings, cache: Cache, parsed: list[str]) -> None:
    first, again = load(settings, cache), load(settings, cache)
    assert parsed == ["claims/k.yaml"]
    assert first.claims == again.claims
    assert again.claims[0].places.of("cite.0.quote") == first.claims[0].places.of("cite.0.quote")
    assert first.fingerprints == again.fingerprints


def test_a_file_that_was_changed_is_parsed_anew(settings: Settings, cache: Cache, parsed: list[str]) -> None:
    load(settings, cache)
    (settings.ledger / "k.yaml").write_text(CLAIM.replace("nine", "twelve"))
    (claim,) = load(settings, cache).claims
    assert (claim.text, len(parsed)) == ("There are twelve.", 2)


@pytest.mark.parametrize(
    "text",
    [
        CLAIM.replace("status: stated", "status: certain"),
        CLAIM.replace("page: 1", "page: 1, pgae: 2"),
        f"sources: {{s: {{file: /etc/passwd}}}}\n{CLAIM}",
        CLAIM + "- [\n",
    ],
)
def test_a_file_with_a_mistake_says_so_every_time(
    text: str, settings: Settings, cache: Cache, parsed: list[str]
) -> None:
    (settings.ledger / "k.yaml").write_text(text)
    first, again = load(settings, cache), load(settings, cache)
    assert len(parsed) == 2
    assert first.problems == again.problems != ()


def test_the_second_of_two_ids_is_told_in_kept_files_too(settings: Settings, cache: Cache) -> None:
    (settings.ledger / "a.yaml").write_text("sources: {r: {title: One}}\n")
    load(settings, cache)
    (settings.ledger / "b.yaml").write_text("sources: {r: {title: Another}}\n")
    messages = [[problem.message for problem in load(settings, cache).problems] for _ in range(2)]
    assert messages[0] == messages[1] == ["`r` is also the id of one of the sources in claims/a.yaml on line 1"]


def test_a_kept_file_that_is_damaged_is_parsed(settings: Settings, cache: Cache, parsed: list[str]) -> None:
    load(settings, cache)
    with closing(sqlite3.connect(str(cache.path))) as connection, connection:
        connection.execute("UPDATE ledger SET record = x'00010203aabb'")
    (claim,) = load(settings, cache).claims
    assert (claim.id, len(parsed)) == ("k.one", 2)
    assert len(cache.warnings) == 1
