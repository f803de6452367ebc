"""A source's bytes to a document: the shelf of readers, and what a reader raises when there is nothing to read.

A reader is a module with `read(data)`; to add one, write it and name it in `SHELF`. A reader is imported when the first
file of its kind is read, and its libraries when it needs them.
"""

from importlib import import_module
from pathlib import PurePath
from typing import Protocol

from tracer.model import Document, Unread

SHELF = {
    "pdf": (".pdf",),
    "html": (".html", ".htm", ".xhtml"),
    "markdown": (".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd"),
    "data": (".json", ".yaml", ".yml", ".toml"),
    "text": (".txt", ".text", ".rst", ".tex", ".bib", ".csv", ".tsv", ".jsonl", ".log", ".cfg", ".ini", ".py", ".sh"),
}
"""Each reader with the endings of file names that it reads, lower case, with the dot."""

_SNIFFED = 1024


class Unreadable(Exception):  # noqa: N818 -- it says what a file is, as `Unread` does
    """What a file can cause while it is read: `kind` is `broken`, `limit` or `locked`, as in `Unread`."""

    def __init__(self, kind: str, reason: str, hint: str | None = None) -> None:
        super().__init__(kind, reason, hint)
        self.unread = Unread(kind=kind, reason=reason, hint=hint)

    def __str__(self) -> str:
        return self.unread.reason


class Reader(Protocol):
    """A module that turns the bytes of some kinds of files into a document, or raises `Unreadable`."""

    def read(self, data: bytes) -> Document:
        """The document that the bytes hold; its pages' readings are filled in by who asked for it."""


def kind_of(name: str, data: bytes) -> str:
    """The reader of a file: by `%PDF-` at its start, else by the ending of its name, else by how it begins."""
    if data.startswith(b"%PDF-"):
        return "pdf"
    suffix = PurePath(name).suffix.lower()
    return next((kind for kind, suffixes in SHELF.items() if suffix in suffixes), None) or _sniffed(data)


def reader_of(kind: str) -> Reader:
    """One of the readers of the shelf."""
    reader: Reader = import_module(f"{__name__}.{kind}")
    return reader


def read(name: str, data: bytes) -> Document:
    """A file's document, from the reader that its name and its bytes call for; raises `Unreadable`."""
    return reader_of(kind_of(name, data)).read(data)


def _sniffed(head: bytes) -> str:
    start = head[:_SNIFFED].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "html"
    return "data" if start.startswith((b"{", b"[{", b"[[")) else "text"
