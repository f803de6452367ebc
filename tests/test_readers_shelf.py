"""The reader of a file is the one that its name, else its bytes, call for."""

import subprocess
import sys

import pytest

from tracer.readers import Unreadable, kind_of, read, reader_of


@pytest.mark.parametrize(
    ("name", "data", "reader"),
    [
        ("report.pdf", b"anything", "pdf"),
        ("REPORT.PDF", b"anything", "pdf"),
        ("2507.01234", b"%PDF-1.7\n", "pdf"),
        ("notes.txt", b"%PDF-1.7\n", "pdf"),
        ("page.htm", b"", "html"),
        ("README.md", b"<html>", "markdown"),
        ("config.json", b"", "data"),
        ("recipe.yml", b"", "data"),
        ("pyproject.toml", b"", "data"),
        ("notes.txt", b"{}", "text"),
        ("blog", b"\xef\xbb\xbf\n <!DOCTYPE html><p>", "html"),
        ("blog", b"<HTML lang=en>", "html"),
        ("config", b' {"a": 1}', "data"),
        ("LICENSE", b"Permission is granted", "text"),
    ],
)
def test_a_reader_is_chosen_by_suffix_else_by_how_the_bytes_begin(name: str, data: bytes, reader: str) -> None:
    assert kind_of(name, data) == reader
    assert reader_of(reader).__name__ == f"tracer.readers.{reader}"


def test_a_file_is_read_by_its_reader() -> None:
    assert read("a.md", b"# Title\n").title == "Title"


def test_why_a_file_is_unreadable_is_said_in_a_sentence() -> None:
    with pytest.raises(Unreadable, match="no text in utf-8"):
        read("a.txt", b"\xff\xfd\xfc")


def test_the_shelf_loads_no_library_before_it_reads() -> None:
    heavy = "'selectolax', 'markdown_it', 'yaml', 'pypdfium2', 'pypdf'"
    code = f"import sys, tracer.readers; sys.exit(any(name in sys.modules for name in ({heavy})))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
