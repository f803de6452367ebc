"""What is kept is had back as it was, by several audits at once; a cache that cannot be used is done without."""

import multiprocessing
import resource
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tracer import cache as caches
from tracer.cache import SCHEMA, Cache, reading_key

PAGES = [(1, b"first \x00 page"), (2, b"second")]


def kept(folder: Path) -> Path:
    """The file of a cache that holds one document."""
    cache = Cache(folder)
    cache.keep("key", b"document", PAGES)
    cache.close()
    assert cache.warnings == []
    (path,) = folder.iterdir()
    return path


def assert_does_without(cache: Cache, reason: str) -> None:
    """A cache that cannot use its file says so once, and holds what it is given as long as it lives."""
    assert cache.document("key") is None
    cache.keep("other", b"document", PAGES)
    cache.keep_sha256("/a", "stamp", "f" * 64)
    assert cache.document("other") == (b"document", (b"first \x00 page", b"second"))
    assert cache.sha256("/a", "stamp") == "f" * 64
    assert len(cache.warnings) == 1
    assert "is not used" in cache.warnings[0]
    assert reason in cache.warnings[0]
    cache.close()


def test_what_is_kept_is_had_back_by_the_next_run(tmp_path: Path) -> None:
    kept(tmp_path / "new" / "folder")
    cache = Cache(tmp_path / "new" / "folder")
    assert cache.document("key") == (b"document", (b"first \x00 page", b"second"))
    assert cache.pages("key") == (b"first \x00 page", b"second")
    assert cache.document("other key") is None
    cache.close()


def test_pages_alone_are_no_document(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.keep_pages("key", [(2, b"second")])
    cache.keep_pages("key", [(1, b"first")])
    assert (cache.pages("key"), cache.document("key")) == ((b"first", b"second"), None)
    cache.close()


def test_the_sha256_of_a_file_that_changed_is_not_known(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.keep_sha256("/a", "old", "f" * 64)
    assert (cache.sha256("/a", "old"), cache.sha256("/a", "new"), cache.sha256("/b", "old")) == ("f" * 64, None, None)
    cache.close()


def test_no_cache_at_all_is_no_fault(tmp_path: Path) -> None:
    cache = Cache(None)
    cache.keep("key", b"document", PAGES)
    assert cache.document("key") == (b"document", (b"first \x00 page", b"second"))
    assert cache.warnings == []
    cache.close()


def _write(folder: Path, writer: int, barrier: object, faults: object) -> None:
    cache = Cache(folder)
    barrier.wait()  # type: ignore[attr-defined] -- multiprocessing's own types are made at run time
    for number in range(100):
        cache.keep(f"{writer} {number}", b"%d" % writer * 500, [(1, b"%d" % number)])
        cache.keep("shared", b"document", PAGES)
        if cache.document(f"{writer} {number}") != (b"%d" % writer * 500, (b"%d" % number,)):
            cache.warnings.append("what was written is not read")
    faults.put(cache.warnings)  # type: ignore[attr-defined] -- as above
    cache.close()


def test_processes_that_begin_at_once_on_a_new_cache_lose_nothing(tmp_path: Path) -> None:
    spawning = multiprocessing.get_context("spawn")
    barrier, faults = spawning.Barrier(3), spawning.Queue()
    writers = [spawning.Process(target=_write, args=(tmp_path, writer, barrier, faults)) for writer in range(3)]
    for writer in writers:
        writer.start()
    assert [faults.get(timeout=30) for _ in writers] == [[], [], []]
    for writer in writers:
        writer.join()
    cache = Cache(tmp_path)
    assert all(cache.document(f"{writer} {number}") for writer in range(3) for number in range(100))
    assert cache.document("shared") == (b"document", (b"first \x00 page", b"second"))
    cache.close()


def test_a_cache_that_another_holds_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "SECONDS", 0.1)
    holder = sqlite3.connect(kept(tmp_path))
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    cache = Cache(tmp_path)
    cache.keep("other", b"document", PAGES)
    assert cache.document("other") == (b"document", (b"first \x00 page", b"second"))
    assert ["database is locked" in warning for warning in cache.warnings] == [True]
    holder.close()
    cache.close()


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_garbage_is_not_used(content: bytes, tmp_path: Path) -> None:
    kept(tmp_path).write_bytes(content)
    assert_does_without(Cache(tmp_path), "delete it to start a new one")


def test_a_file_that_was_cut_is_not_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.keep("key", b"document" * 10_000, PAGES)
    cache.close()
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert_does_without(Cache(tmp_path), "delete it to start a new one")


@pytest.mark.parametrize("lost", [b"document", b"second"])
def test_a_record_that_lost_a_bit_is_not_used(lost: bytes, tmp_path: Path) -> None:
    path = kept(tmp_path)
    data = path.read_bytes()
    assert data.count(lost) >= 1
    at = data.rindex(lost)
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    assert_does_without(Cache(tmp_path), "a record in it is damaged")


def test_a_cache_of_another_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = kept(tmp_path)
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    before = path.read_bytes()
    assert_does_without(Cache(tmp_path), f"it is of version 99, this is version {SCHEMA}")
    assert path.read_bytes() == before


def test_a_cache_without_its_tables_is_not_used(tmp_path: Path) -> None:
    path = kept(tmp_path)
    other = sqlite3.connect(path)
    other.execute("DROP TABLE document")
    other.close()
    cache = Cache(tmp_path)
    assert cache.document("key") is None
    cache.keep("key", b"document", PAGES)
    assert cache.document("key") == (b"document", (b"first \x00 page", b"second"))
    assert ["no such table" in warning for warning in cache.warnings] == [True]
    cache.close()


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert_does_without(Cache(tmp_path / "file" / "cache"), "Not a directory")


def test_a_folder_in_the_place_of_the_file_is_done_without(tmp_path: Path) -> None:
    path = kept(tmp_path)
    path.unlink()
    path.mkdir()
    assert_does_without(Cache(tmp_path), "unable to open database file")


def test_a_full_disk_is_done_without(tmp_path: Path) -> None:
    program = """
        import resource, sys
        from pathlib import Path
        from tracer.cache import Cache

        sys.dont_write_bytecode = True  # of what is imported below the limit it would be cut off
        cache = Cache(Path(sys.argv[1]))
        cache.keep("before", b"document", [(1, b"page")])
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))
        cache.keep("key", b"d" * (1 << 20), [(1, b"page")])
        cache.keep("key", b"small", [(1, b"page")])
        assert cache.document("key") == (b"small", (b"page",)), cache.document("key")
        assert len(cache.warnings) == 1, cache.warnings
        print(cache.warnings[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), tmp_path], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"the cache {tmp_path}" in done.stdout
    cache = Cache(tmp_path)
    assert cache.document("before") == (b"document", (b"page",))
    assert (cache.document("key"), cache.warnings) == (None, [])
    cache.close()


def test_a_run_without_cache_holds_little_of_what_it_kept_in_memory() -> None:
    cache = Cache(None)
    for number in range(20):
        cache.keep(str(number), b"", [(1, bytes(4 << 20))])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(20, 80):
        cache.keep(str(number), b"", [(1, bytes(4 << 20))])
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 60 << 10, "in KiB; all that was kept is 240 MiB"
    cache.close()


def test_a_reading_is_told_by_bytes_kind_depth_and_versions() -> None:
    keys = {
        reading_key("a" * 64, "pdf"),
        reading_key("b" * 64, "pdf"),
        reading_key("a" * 64, "pdf", depth="closer"),
        reading_key("a" * 64, "html"),
        reading_key("a" * 64, "text"),
    }
    assert len(keys) == 5
