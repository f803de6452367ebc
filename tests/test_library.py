"""A source is found by its name or its bytes, is read once, and is said to be missing in words that help."""

import hashlib
import io
import os
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tracer import locating
from tracer.library import Library
from tracer.locating import Found
from tracer.model import Document, Places, Source, Unread
from tracer.readers import apart
from tracer.readers.processes import Child
from tracer.settings import Settings

TEXT = b"Nine experts teach."


def pin(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def source(name: str = "report", **fields: str | None) -> Source:
    return Source(id=name, places=Places(path="claims/a.yaml", positions={}), **fields)  # type: ignore[arg-type] -- all texts


@pytest.fixture
def root(tmp_path: Path, empty_cache: Path) -> Path:
    """The folder of a project, with a cache of its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@contextmanager
def library_of(
    root: Path, *folders: Path, sources: Sequence[Path] = (), allow: Sequence[Path] = ()
) -> Iterator[Library]:
    library = Library(
        Settings(root=root, ledger=root, sources=tuple(sources), allow=tuple(allow)), folders=folders, jobs=2
    )
    try:
        yield library
    finally:
        library.close()


def write(path: Path, data: bytes = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def found_path(library: Library, wanted: Source) -> Path:
    found = library.find(wanted)
    assert isinstance(found, Found), found
    return found.path


def unread(library: Library, wanted: Source) -> Unread:
    found = library.find(wanted)
    assert isinstance(found, Unread), found
    assert library.document(wanted) == found
    return found


def text_of(library: Library, wanted: Source) -> str:
    document = library.document(wanted)
    assert isinstance(document, Document), document
    return document.pages[0].text


# --- found ------------------------------------------------------------------------------------------------------


def test_a_source_is_found_by_its_file(root: Path) -> None:
    path = write(root / "reports" / "a.txt")
    with library_of(root) as library:
        assert library.find(source(file="reports/a.txt")) == Found(path=path, sha256=pin(TEXT))
        assert text_of(library, source(file="reports/a.txt")) == TEXT.decode()


@pytest.mark.parametrize("where", ["option", "settings", "variable", "store"])
def test_a_source_without_a_file_is_found_by_its_bytes(
    where: str, root: Path, tmp_path: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = empty_cache / "sources" if where == "store" else tmp_path / "elsewhere"
    path = write(folder / "below" / "any name.txt")
    if where == "variable":
        monkeypatch.setenv("TRACER_SOURCES", os.pathsep.join([str(tmp_path / "nowhere"), str(folder)]))
    options = [folder] if where == "option" else []
    with library_of(root, *options, sources=[folder] if where == "settings" else []) as library:
        assert found_path(library, source(sha256=pin(TEXT))) == path
        assert text_of(library, source(sha256=pin(TEXT))) == TEXT.decode()


def test_a_source_whose_file_is_not_there_is_found_by_its_bytes(root: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "elsewhere" / "b.txt")
    with library_of(root, tmp_path / "elsewhere") as library:
        assert found_path(library, source(file="reports/a.txt", sha256=pin(TEXT))) == path


def test_a_file_with_other_bytes_than_the_pin_is_read_and_tells_its_own_sha256(root: Path, tmp_path: Path) -> None:
    write(root / "a.txt", b"Ten experts teach.")
    write(tmp_path / "elsewhere" / "a.txt", TEXT)
    with library_of(root, tmp_path / "elsewhere") as library:
        document = library.document(source(file="a.txt", sha256=pin(TEXT)))
    assert isinstance(document, Document)
    assert (document.sha256, document.pages[0].text) == (pin(b"Ten experts teach."), "Ten experts teach.")


def test_a_file_that_changes_between_two_runs_is_read_again(root: Path) -> None:
    path = write(root / "a.txt", b"Ten experts teach.")
    with library_of(root) as library:
        assert text_of(library, source(file="a.txt")) == "Ten experts teach."
    write(path, b"Six experts teach.")
    with library_of(root) as library:
        assert text_of(library, source(file="a.txt")) == "Six experts teach."


def test_a_file_that_changes_after_its_sha256_was_taken_is_not_kept_as_the_old_one(root: Path) -> None:
    path = write(root / "a.txt", b"Ten experts teach.")
    with library_of(root) as library:
        write(path, b"Six experts teach.")
        library.cache.keep_sha256(str(path), _stamp(path), pin(b"Ten experts teach."))
        document = library.document(source(file="a.txt", sha256=pin(b"Ten experts teach.")))
        assert isinstance(document, Document)
        assert document.sha256 == pin(b"Six experts teach.")
    path.unlink()
    write(path, b"Ten experts teach.")
    with library_of(root) as library:
        assert text_of(library, source(file="a.txt")) == "Ten experts teach."


def _stamp(path: Path) -> str:
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def test_of_equal_files_the_first_folder_and_name_counts(root: Path, tmp_path: Path) -> None:
    for name in ("z/a.txt", "b/c.txt", "b/b.txt", "b/.hidden.txt", "b/.git/a.txt"):
        write(tmp_path / name)
    with library_of(root, tmp_path / "b", tmp_path / "z") as library:
        assert found_path(library, source(sha256=pin(TEXT))) == tmp_path / "b" / "b.txt"


def test_what_is_no_file_is_passed_over_in_source_folders(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    path = write(folder / "z.txt")
    os.mkfifo(folder / "a.pipe")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "circle").symlink_to("circle")
    (folder / "up").symlink_to("..")
    with library_of(root, folder) as library:
        assert found_path(library, source(sha256=pin(TEXT))) == path
        assert unread(library, source(sha256="0" * 64)).kind == "absent"


# --- not found --------------------------------------------------------------------------------------------------


def test_a_source_that_is_not_on_disk_says_how_to_get_it(root: Path) -> None:
    with library_of(root) as library:
        by_url = unread(library, source("k3", sha256="0" * 64, url="https://a.example/k3.pdf"))
        by_hand = unread(library, source("k3", sha256="0" * 64))
        unpinned = unread(library, source("k3", url="https://a.example/k3.pdf"))
        named = unread(library, source("k3", file="k3.pdf", sha256="0" * 64))
    assert (by_url.kind, by_url.hint) == ("absent", "tracer fetch k3")
    assert by_hand.hint == "name the folder of its file with --sources or TRACER_SOURCES"
    assert unpinned.hint == "tracer pin k3 FILE"
    assert named.reason == "its file k3.pdf is not on disk"


@pytest.mark.parametrize("written", ["Reports/A.txt", "reports/a.txt", "REPORTS/a.TXT", "./reports/A.txt"])
def test_a_name_in_other_letter_case_is_said_with_the_right_one(written: str, root: Path) -> None:
    write(root / "Reports" / "a.txt")
    with library_of(root) as library:
        found = unread(library, source(file=written))
    assert (found.kind, found.hint) == ("absent", "file: Reports/a.txt")
    assert found.reason == f"there is no file {written}, but one named Reports/a.txt"


def test_a_name_that_is_not_near_gives_no_hint_of_another_file(root: Path) -> None:
    write(root / "reports" / "a.txt")
    with library_of(root) as library:
        assert unread(library, source(file="reports/b.txt")).reason == "its file reports/b.txt is not on disk"


@pytest.mark.parametrize("name", ["reports", "reports/", "."])
def test_a_folder_is_no_source(name: str, root: Path) -> None:
    write(root / "reports" / "a.txt")
    with library_of(root) as library:
        assert unread(library, source(file=name)).reason == f"its file {name} is a folder"


@pytest.mark.parametrize("name", ["a\0b", "circle", "x" * 5000])
def test_a_name_that_no_file_can_have_is_said(name: str, root: Path) -> None:
    (root / "circle").symlink_to("circle")
    with library_of(root) as library:
        assert unread(library, source(file=name)).kind == "broken"


def test_a_file_over_the_limit_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (root / "huge.pdf").open("wb") as file:
        file.truncate(locating.LARGEST + 1)
    with library_of(root) as library:
        assert unread(library, source(file="huge.pdf")) == Unread(kind="limit", reason="it has more than 512 MiB")


# --- refused ----------------------------------------------------------------------------------------------------


@pytest.fixture
def secret(tmp_path: Path, root: Path) -> Path:
    """A file beside the project, with a link to it, and one to its folder, inside of the project."""
    path = write(tmp_path / "private" / "secret.txt", b"a secret")
    (root / "link.txt").symlink_to(path)
    (root / "folder").symlink_to(path.parent)
    return path


WAYS_OUT = ["../private/secret.txt", "x/../../private/secret.txt", "{secret}", "link.txt", "folder/secret.txt"]


@pytest.mark.parametrize("name", WAYS_OUT)
def test_a_path_out_of_the_project_is_refused(name: str, root: Path, secret: Path) -> None:
    with library_of(root) as library:
        found = unread(library, source(file=name.format(secret=secret), sha256=pin(b"a secret")))
    assert (found.kind, found.hint) == ("refused", "name its folder under `allow` in tracer.toml")


@pytest.mark.parametrize("name", WAYS_OUT)
def test_a_path_out_of_the_project_is_followed_where_the_settings_allow_the_folder(
    name: str, root: Path, secret: Path
) -> None:
    (root / "x").mkdir()
    with library_of(root, allow=[secret.parent]) as library:
        assert text_of(library, source(file=name.format(secret=secret))) == "a secret"


def test_what_is_not_there_is_refused_alike_so_that_nothing_is_told_of_other_folders(root: Path) -> None:
    with library_of(root) as library:
        assert unread(library, source(file="../nowhere/secret.txt")).kind == "refused"


def zipped(*names: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, "Nine experts teach.")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "reason", "hint"),
    [
        ("a.docx", zipped("word/document.xml"), "Word files are not read", "export it as PDF"),
        ("a", zipped("word/document.xml"), "Word files are not read", "export it as PDF"),
        ("a.doc", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500), "Word files are not read", "export it as PDF"),
        ("a.xlsx", zipped("xl/workbook.xml"), ".xlsx files are not read", "export it as PDF"),
        ("a.zip", zipped("report.txt"), "archives are not read", "unpack it"),
    ],
)
def test_a_file_of_an_office_program_is_told_from_broken_text(
    name: str, data: bytes, reason: str, hint: str, root: Path
) -> None:
    write(root / name, data)
    with library_of(root) as library:
        found = library.document(source(file=name))
    assert isinstance(found, Unread)
    assert (found.reason, found.hint) == (reason, hint)


def test_an_empty_pdf_is_told_from_a_broken_one(root: Path) -> None:
    """An empty text is read: it has no words."""
    for name in ("empty.pdf", "empty.txt"):
        write(root / name, b"")
    write(root / "broken.pdf", b"\n")
    with library_of(root) as library:
        empty = Unread(kind="broken", reason="it is empty", hint="copy or fetch it again")
        assert library.document(source(file="empty.pdf")) == library.read(root / "empty.pdf") == empty
        broken = library.document(source(file="broken.pdf"))
        assert broken == Unread(kind="broken", reason="it cannot be opened as a PDF")
        assert isinstance(library.document(source(file="empty.txt")), Document)


# --- read once --------------------------------------------------------------------------------------------------


def test_a_pdf_that_was_read_once_is_not_opened_again(
    root: Path, pdf_of: Callable[..., bytes], begun: list[Child]
) -> None:
    data = pdf_of(["Nine experts teach.\nSixteen work on a token."])
    path = write(root / "a.pdf", data)
    with library_of(root) as library:
        cold = library.document(source(file="a.pdf"))
        assert isinstance(cold, Document)
        close = library.closer(source(file="a.pdf"), cold, [1])
    assert (cold.sha256, cold.kind, len(cold.pages)) == (pin(data), "pdf", 1)
    assert len(begun) == 2
    path.write_bytes(bytes(len(data)))
    with library_of(root) as library:
        library.cache.keep_sha256(str(path), _stamp(path), pin(data))
        warm = library.document(source(file="a.pdf"))
        assert warm == cold
        assert library.closer(source(file="a.pdf"), warm, [1]) == close
    assert len(begun) == 2


def test_many_sheets_read_closely_by_several_processes_keep_their_order(
    root: Path, pdf_of: Callable[..., bytes]
) -> None:
    write(root / "a.pdf", pdf_of([f"The sheet {number} of w^(d)^ each." for number in range(1, 21)]))
    with library_of(root) as library:
        plain = library.document(source(file="a.pdf"))
        assert isinstance(plain, Document)
        pages = library.closer(source(file="a.pdf"), plain, range(1, 21)).pages
    closer = [[reading.folded.text for reading in page.readings if "lowered" in reading.name] for page in pages]
    assert closer == [[f"thesheet{number}ofweach."] for number in range(1, 21)]


def test_no_file_is_hashed_twice(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "elsewhere"
    for number in range(6):
        write(folder / f"{number}.txt", b"text %d" % number)
    hashed: list[str] = []
    real = locating.sha256_of
    monkeypatch.setattr(locating, "sha256_of", lambda path: hashed.append(path.name) or real(path))
    wanted = [source(str(number), sha256=pin(b"text %d" % number)) for number in (3, 1, 5)]
    for _ in range(2):
        with library_of(root, folder) as library:
            for each in (*wanted, *wanted, source("absent", sha256="0" * 64)):
                library.find(each)
    assert sorted(hashed) == [f"{number}.txt" for number in range(6)]


def test_sources_read_side_by_side_come_in_the_order_given(root: Path, pdf_of: Callable[..., bytes]) -> None:
    wanted = []
    for number in range(9):
        long = pdf_of([f"Report {number}."] * (30 if number % 4 == 0 else 1))
        name = f"{number}.pdf" if number % 3 else f"{number}.txt"
        write(root / name, long if number % 3 else b"Report %d." % number)
        wanted.append(source(f"s{number}", file=name if number != 5 else "absent.pdf"))
    with library_of(root) as library:
        read = list(library.documents(wanted))
    assert [name for name, _ in read] == [f"s{number}" for number in range(9)]
    for number, (_, document) in enumerate(read):
        if number == 5:
            assert isinstance(document, Unread)
        else:
            assert isinstance(document, Document)
            assert document.pages[0].text.strip() == f"Report {number}."


def test_what_is_read_first_is_taken_first_where_the_order_does_not_matter(
    root: Path, pdf_of: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = threading.Event()
    read = apart.read

    def read_late(path: Path, shares: int) -> tuple[bytes, tuple[bytes, ...]]:
        assert taken.wait(10)
        return read(path, shares)

    monkeypatch.setattr(apart, "read", read_late)
    files = (write(root / "slow.pdf", pdf_of(["Slow."])), write(root / "fast.txt", b"fast"), write(root / "last.txt"))
    wanted = [source(file.stem, file=file.name) for file in files]
    names = []
    with library_of(root) as library:
        for name, document in library.documents_as_read(wanted):
            assert isinstance(document, Document)
            names.append(name)
            if name == "last":
                taken.set()
        assert names == ["fast", "last", "slow"]
        assert [name for name, _ in library.documents(wanted)] == ["slow", "fast", "last"]


def test_a_generator_that_is_left_early_leaves_no_process(
    root: Path, pdf_of: Callable[..., bytes], begun: list[Child]
) -> None:
    write(root / "a.pdf", pdf_of(["Nine experts teach."]))
    with library_of(root) as library:
        documents = library.documents([source(str(number), file="a.pdf") for number in range(3)])
        next(documents)
        documents.close()
    assert begun
    assert all(child.answer.closed for child in begun)


def test_a_source_that_cannot_be_read_is_said_and_the_others_are_read(root: Path) -> None:
    write(root / "broken.pdf", b"%PDF-1.7 and nothing more")
    write(root / "a.txt")
    with library_of(root) as library:
        read = dict(library.documents([source("broken", file="broken.pdf"), source("fine", file="a.txt")]))
    assert read["broken"] == Unread(kind="broken", reason="it cannot be opened as a PDF")
    assert isinstance(read["fine"], Document)


def test_a_library_without_cache_reads_as_well(root: Path, empty_cache: Path) -> None:
    write(root / "a.txt")
    library = Library(Settings(root=root, ledger=root), is_cached=False)
    assert text_of(library, source(file="a.txt")) == TEXT.decode()
    library.close()
    assert not empty_cache.exists()


# --- fetched ----------------------------------------------------------------------------------------------------


def test_what_is_on_disk_is_not_fetched(root: Path, tmp_path: Path) -> None:
    named, other = write(root / "a.txt"), write(tmp_path / "elsewhere" / "b.txt", b"other")
    with library_of(root, tmp_path / "elsewhere") as library:
        url = "http://127.0.0.1:9/never"
        assert library.fetch(source(file="a.txt", sha256=pin(TEXT), url=url)) == named
        assert library.fetch(source(sha256=pin(b"other"), url=url)) == other
